// biome-ignore-all format: a table reads best with a row on a line
import { type Rule, reversed } from '../posting.ts';
import type { Kind } from './kind.ts';

// debit the customer; credit income, charges, tax, tax collected at source, what comes on top after tax, and the rounding
const sale: Rule = [['debit', 'receivable'], ['debit', 'refundTax'], ['credit', 'income'], ['credit', 'charges'], ['credit', 'outputTax'], ['credit', 'tcs'], ['credit', 'adjustments'], ['credit', 'vat'], ['credit', 'roundOff']];
const retail: Rule = [['debit', 'retailReceivable'], ['debit', 'refundTax'], ['credit', 'income'], ['credit', 'charges'], ['credit', 'outputTax'], ['credit', 'tcs'], ['credit', 'adjustments'], ['credit', 'roundOff']];
// paid on the spot: the money stands in the customer's place
const counter: Rule = [['debit', 'tenders'], ['debit', 'refundTax'], ['credit', 'income'], ['credit', 'charges'], ['credit', 'outputTax'], ['credit', 'tcs'], ['credit', 'roundOff']];
const overCounter: Rule = [...counter, ['credit', 'adjustments']];
// the same at a till, where a part may stay on the account of a customer
const atTill: Rule = [['debit', 'onAccount'], ...counter];
// goods that are sold travel on their invoice
const supplied = { way: 'out', on: 'invoice', as: ['1', '9'] } as const;
// goods back or a price cut: the mirror of a sale on ledgers of their own, so that gross sales stay visible
const reduction: Rule = [['debit', 'reduction'], ['debit', 'outputTax'], ['debit', 'adjustments'], ['debit', 'vat'], ['debit', 'roundOff'], ['credit', 'receivable'], ['credit', 'refundTax'], ['debit', 'exchangeOnSaleNote']];
// perpetual books: what leaves the shelf becomes cost of goods sold
const costOut: Rule = [['debit', 'cost'], ['credit', 'stockCost']];
// goods back at a till: the money goes back on the spot
const atTillBack: Rule = [['debit', 'reduction'], ['debit', 'outputTax'], ['debit', 'roundOff'], ['credit', 'tenders'], ['credit', 'refundTax']];
const customer = { side: 'customer', required: true } as const;
const anyone = { side: 'customer', required: false } as const;
// what is given away at once never goes to the portal: where an IRN is needed (rule 48(4)), these are made
const withIrn = { registered: 'saleInvoice', abroad: 'overseasSale' } as const;

export const sales = {
  saleInvoice: {
    code: 'SI', otherCodes: ['SIQ'], label: 'Sale invoice', plural: 'Sale invoices', party: customer, lines: 'items', tax: 'output', books: { posting: sale, perpetual: costOut, lineEffect: 'sales', opens: 'receivable' }, stock: 'out',
    numbering: 'INV', gstNumber: true, prefix: 'INV/{FY}/', paper: 'taxInvoice', gst: { irp: 'INV', eway: supplied, gstr1: 'invoice', issued: { nature: 1 } }, life: 'posted', from: ['quotation', 'saleOrder', 'workflowOrder', 'deliveryChallan'],
    fields: ['dueDate', 'placeOfSupply', 'billTo', 'shipTo', 'reference', 'referenceDate', 'reverseCharge', 'withPayment', 'taxInclusive', 'suppliedOn', 'paidOn', 'tcsSection', 'transport', 'ecommerceGstin', 'terms', 'costCentre', 'narration'], counts: 'Sale', invoice: true,
  },
  b2cInvoice: {
    code: 'B2C', label: 'B2C invoice', plural: 'B2C invoices', party: customer, lines: 'items', tax: 'output', books: { posting: retail, perpetual: costOut, lineEffect: 'sales', opens: 'receivable' }, stock: 'out',
    numbering: 'INV', gstNumber: true, prefix: 'B2C/{FY}/', paper: 'taxInvoice', gst: { insteadFor: withIrn, eway: supplied, gstr1: 'invoice', issued: { nature: 1 } }, life: 'posted', from: ['quotation', 'saleOrder'],
    fields: ['dueDate', 'placeOfSupply', 'billTo', 'shipTo', 'reference', 'taxInclusive', 'suppliedOn', 'paidOn', 'ecommerceGstin', 'terms', 'costCentre', 'narration'], counts: 'Sale', invoice: true,
  },
  cashSale: {
    code: 'CS', label: 'Cash sale', plural: 'Cash sales', party: anyone, lines: 'items', tax: 'output', books: { posting: overCounter, perpetual: costOut, lineEffect: 'retailSales' }, stock: 'out',
    numbering: 'INV', gstNumber: true, prefix: 'CS/{FY}/', paper: 'taxInvoice', gst: { irp: 'INV', gstr1: 'invoice', issued: { nature: 1 } }, life: 'posted', from: ['quotation', 'saleOrder'],
    fields: ['partyName', 'moneyLedger', 'placeOfSupply', 'billTo', 'taxInclusive', 'reference', 'ecommerceGstin', 'costCentre', 'narration'], counts: 'Sale', invoice: true,
  },
  posSale: {
    code: 'POS', label: 'Till bill', plural: 'Till bills', party: anyone, lines: 'items', tax: 'output', books: { posting: atTill, perpetual: costOut, lineEffect: 'retailSales', opens: 'receivable' }, stock: 'out',
    numbering: 'INV', gstNumber: true, prefix: 'POS/{FY}/', paper: 'taxInvoice', gst: { insteadFor: withIrn, gstr1: 'invoice', issued: { nature: 1 } }, life: 'posted', from: [], fields: ['partyName', 'billTo', 'taxInclusive', 'narration'], counts: 'Sale', till: true,
  },
  posReturn: {
    code: 'PSR', label: 'Till return', plural: 'Till returns', party: anyone, lines: 'items', tax: 'output', books: { posting: atTillBack, perpetual: reversed(costOut), lineEffect: 'salesReturn' }, stock: 'in',
    numbering: 'CRN', gstNumber: true, prefix: 'TLR/{FY}/', paper: 'note', gst: { insteadFor: { registered: 'saleReturn', abroad: 'saleReturn' }, gstr1: 'creditNote', issued: { nature: 5 } }, life: 'posted', from: ['posSale'], pricedFromSource: true, fields: ['against', 'reason', 'partyName', 'taxInclusive', 'narration'], counts: 'Salereturn', till: true,
  },
  overseasSale: {
    code: 'OSI', label: 'Export invoice', plural: 'Export invoices', party: { ...customer, from: 'abroad' }, lines: 'items', tax: 'output', books: { posting: sale, perpetual: costOut, lineEffect: 'sales', opens: 'receivable' }, stock: 'out',
    numbering: 'INV', gstNumber: true, prefix: 'EXP/{FY}/', paper: 'taxInvoice', gst: { irp: 'INV', eway: { way: 'out', on: 'invoice', as: ['3'] }, gstr1: 'invoice', issued: { nature: 1 } }, life: 'posted', from: ['quotation', 'saleOrder'],
    fields: ['dueDate', 'withPayment', 'currency', 'exchangeRate', 'port', 'shippingBill', 'shipTo', 'reference', 'terms', 'costCentre', 'narration'], counts: 'Sale', invoice: true,
  },
  saudiInvoice: {
    code: 'KSA', label: 'Invoice to Saudi Arabia', plural: 'Invoices to Saudi Arabia', party: { ...customer, from: 'SA' }, lines: 'items', tax: 'output', books: { posting: sale, perpetual: costOut, lineEffect: 'sales', opens: 'receivable' }, stock: 'out',
    numbering: 'INV', gstNumber: true, prefix: 'KSA/{FY}/', paper: 'taxInvoice', gst: { irp: 'INV', gstr1: 'invoice', issued: { nature: 1 } }, life: 'posted', from: ['quotation'],
    fields: ['dueDate', 'vatNumber', 'buyerVatNumber', 'withPayment', 'currency', 'exchangeRate', 'port', 'shippingBill', 'costCentre', 'narration'], counts: 'Sale', invoice: true, alsoIn: 'ar',
  },
  saleReturn: {
    code: 'SR', label: 'Sale return', plural: 'Sale returns', party: customer, lines: 'items', tax: 'output', books: { posting: reduction, perpetual: reversed(costOut), lineEffect: 'salesReturn', opens: 'customerCredit' }, stock: 'in',
    numbering: 'CRN', gstNumber: true, prefix: 'SR/{FY}/', paper: 'note', gst: { irp: 'CRN', eway: { way: 'in', on: 'challan', as: ['7', '8'], says: 'Sale return' }, gstr1: 'creditNote', issued: { nature: 5 } }, life: 'posted', from: ['saleInvoice', 'b2cInvoice', 'cashSale', 'posSale', 'overseasSale', 'saudiInvoice', 'saleReturnOrder', 'returnOrder'], pricedFromSource: true, withoutSource: true,
    fields: ['against', 'reason', 'originalNumber', 'originalDate', 'creditReversal', 'placeOfSupply', 'reverseCharge', 'withPayment', 'currency', 'exchangeRate', 'vatNumber', 'buyerVatNumber', 'reference', 'ecommerceGstin', 'costCentre', 'narration'], counts: 'Salereturn',
  },
  saleCreditNote: {
    code: 'SCN', label: 'Sale credit note', plural: 'Sale credit notes', party: customer, lines: 'items', tax: 'output', books: { posting: reduction, lineEffect: 'salesDiscount', opens: 'customerCredit' }, stock: 'none',
    numbering: 'CRN', gstNumber: true, prefix: 'CN/{FY}/', paper: 'note', gst: { irp: 'CRN', gstr1: 'creditNote', issued: { nature: 5 } }, life: 'posted', from: ['saleInvoice', 'b2cInvoice', 'overseasSale', 'saudiInvoice'],
    fields: ['against', 'reason', 'originalNumber', 'originalDate', 'creditReversal', 'placeOfSupply', 'withoutTax', 'reverseCharge', 'withPayment', 'currency', 'exchangeRate', 'vatNumber', 'buyerVatNumber', 'reference', 'ecommerceGstin', 'costCentre', 'narration'],
  },
  saleDebitNote: {
    code: 'SDN', label: 'Sale debit note', plural: 'Sale debit notes', party: customer, lines: 'items', tax: 'output', books: { posting: sale, lineEffect: 'sales', opens: 'receivable' }, stock: 'none',
    numbering: 'DBN', gstNumber: true, prefix: 'DN/{FY}/', paper: 'note', gst: { irp: 'DBN', gstr1: 'debitNote', issued: { nature: 4 } }, life: 'posted', from: ['saleInvoice', 'b2cInvoice', 'overseasSale', 'saudiInvoice'],
    fields: ['against', 'reason', 'originalNumber', 'originalDate', 'dueDate', 'placeOfSupply', 'reverseCharge', 'withPayment', 'currency', 'exchangeRate', 'vatNumber', 'buyerVatNumber', 'reference', 'ecommerceGstin', 'costCentre', 'narration'],
  },
} as const satisfies Record<string, Kind>;
