// biome-ignore-all format: a table reads best with a row on a line
import type { Rule } from '../posting.ts';
import type { Kind } from './kind.ts';

// debit what was bought and its tax; credit the supplier, tax deducted at source and tax we pay under reverse charge
const bill: Rule = [['debit', 'purchases'], ['debit', 'inputTax'], ['debit', 'tcsPaid'], ['debit', 'adjustments'], ['debit', 'roundOff'], ['credit', 'payable'], ['credit', 'tds'], ['credit', 'reverseTax']];
const lessOwed: Rule = [['debit', 'payable'], ['debit', 'reverseTax'], ['credit', 'reduction'], ['credit', 'inputTax'], ['credit', 'adjustments'], ['credit', 'roundOff'], ['credit', 'exchangeOnPurchaseNote']];
const goodsBack: Rule = [['debit', 'payable'], ['debit', 'reverseTax'], ['credit', 'purchaseReturned'], ['credit', 'inputTax'], ['credit', 'adjustments'], ['credit', 'roundOff'], ['credit', 'exchangeOnPurchaseNote']];
const paidNow: Rule = [['debit', 'purchases'], ['debit', 'inputTax'], ['debit', 'roundOff'], ['credit', 'payableOrPaid'], ['credit', 'tds'], ['credit', 'reverseTax']];
const supplier = { side: 'supplier', required: true } as const;

export const purchases = {
  purchaseBill: {
    code: 'PB', label: 'Purchase bill', plural: 'Purchase bills', party: supplier, lines: 'items', tax: 'input', books: { posting: bill, lineEffect: 'purchase', opens: 'payable' }, stock: 'in',
    numbering: 'PUR', gstNumber: false, prefix: 'PB/{FY}/', paper: 'voucher', gst: { eway: { way: 'in', on: 'invoice', as: ['1', '9'] } }, life: 'posted', from: ['purchaseOrder'],
    fields: ['reference', 'referenceDate', 'dueDate', 'placeOfSupply', 'reverseCharge', 'taxInclusive', 'tdsSection', 'tdsAmount', 'tcsSection', 'costCentre', 'narration'], counts: 'Purchase',
  },
  overseasPurchase: {
    code: 'OPB', label: 'Overseas purchase', plural: 'Overseas purchases', party: { ...supplier, from: 'abroad' }, lines: 'items', tax: 'input', books: { posting: bill, lineEffect: 'importPurchase', opens: 'payable' }, stock: 'in',
    numbering: 'PUR', gstNumber: false, prefix: 'IMP/{FY}/', paper: 'voucher', gst: {}, life: 'posted', from: ['purchaseOrder'], fields: ['reference', 'referenceDate', 'dueDate', 'currency', 'exchangeRate', 'reverseCharge', 'costCentre', 'narration'], counts: 'Purchase',
  },
  billOfEntry: {
    code: 'BOE', label: 'Bill of entry', plural: 'Bills of entry', party: { side: 'none', required: false }, lines: 'none', tax: 'none', books: { posting: [['debit', 'customsDuty'], ['debit', 'customsTax'], ['credit', 'customsPayable']], lineEffect: 'none' }, stock: 'worth',
    numbering: 'BOE', gstNumber: false, prefix: 'BOE/{FY}/', paper: 'voucher', gst: { eway: { way: 'in', on: 'entry', as: ['2'] } }, life: 'posted', from: ['overseasPurchase'], fields: ['against', 'reference', 'referenceDate', 'port', 'customs', 'narration'],
  },
  selfInvoice: {
    code: 'SLF', label: 'Self-invoice', plural: 'Self-invoices', party: supplier, lines: 'items', tax: 'input', books: { posting: [], lineEffect: 'none' }, stock: 'none',
    numbering: 'SLF', gstNumber: true, prefix: 'SLF/{FY}/', paper: 'taxInvoice', gst: { issued: { nature: 2 } }, life: 'posted', from: ['purchaseBill', 'expense'], fields: ['against', 'reverseCharge', 'narration'],
  },
  purchaseReturn: {
    code: 'PR', label: 'Purchase return', plural: 'Purchase returns', party: supplier, lines: 'items', tax: 'input', books: { posting: goodsBack, lineEffect: 'purchaseReturn', opens: 'supplierCredit' }, stock: 'out',
    numbering: 'PRN', gstNumber: false, prefix: 'PR/{FY}/', paper: 'note', gst: { eway: { way: 'out', on: 'challan', as: ['8'], says: 'Purchase return' } }, life: 'posted', from: ['purchaseBill', 'overseasPurchase', 'purchaseReturnOrder'], pricedFromSource: true, withoutSource: true, fields: ['against', 'reason', 'originalNumber', 'originalDate', 'reverseCharge', 'currency', 'exchangeRate', 'reference', 'costCentre', 'narration'], counts: 'Purchasereturn',
  },
  purchaseCreditNote: {
    code: 'PCN', label: 'Purchase credit note', plural: 'Purchase credit notes', party: supplier, lines: 'items', tax: 'input', books: { posting: lessOwed, lineEffect: 'purchaseDiscount', opens: 'supplierCredit' }, stock: 'none',
    numbering: 'PCN', gstNumber: false, prefix: 'PCN/{FY}/', paper: 'note', gst: {}, life: 'posted', from: ['purchaseBill', 'overseasPurchase'],
    fields: ['against', 'reason', 'originalNumber', 'originalDate', 'reference', 'referenceDate', 'withoutTax', 'reverseCharge', 'currency', 'exchangeRate', 'costCentre', 'narration'],
  },
  purchaseDebitNote: {
    code: 'PDN', label: 'Purchase debit note', plural: 'Purchase debit notes', party: supplier, lines: 'items', tax: 'input', books: { posting: bill, lineEffect: 'purchase', opens: 'payable' }, stock: 'none',
    numbering: 'PDN', gstNumber: false, prefix: 'PDN/{FY}/', paper: 'note', gst: {}, life: 'posted', from: ['purchaseBill', 'overseasPurchase'],
    fields: ['against', 'reason', 'originalNumber', 'originalDate', 'reference', 'referenceDate', 'dueDate', 'reverseCharge', 'currency', 'exchangeRate', 'costCentre', 'narration'],
  },
  expense: {
    code: 'EX', label: 'Expense', plural: 'Expenses', party: { side: 'supplier', required: false }, lines: 'expenses', tax: 'input', books: { posting: paidNow, lineEffect: 'purchase', opens: 'payable' }, stock: 'none',
    numbering: 'EXP', gstNumber: false, prefix: 'EX/{FY}/', paper: 'voucher', gst: {}, life: 'posted', from: [], fields: ['partyName', 'moneyLedger', 'reference', 'referenceDate', 'reverseCharge', 'taxInclusive', 'tdsSection', 'tdsAmount', 'costCentre', 'narration'],
  },
} as const satisfies Record<string, Kind>;
