// biome-ignore-all format: a table reads best with a row on a line
import { type Rule, reversed } from '../posting.ts';
import type { Kind } from './kind.ts';

const receipt: Rule = [['debit', 'bank'], ['debit', 'bankCharges'], ['debit', 'tdsReceived'], ['debit', 'gstTdsReceived'], ['debit', 'discountAllowed'], ['debit', 'writtenOff'], ['credit', 'settledReceivable'], ['debit', 'exchangeOnReceipt']];
const payment: Rule = [['debit', 'settledPayable'], ['debit', 'bankCharges'], ['credit', 'bankOut'], ['credit', 'tdsPaid'], ['credit', 'discountReceived'], ['credit', 'writtenBack'], ['credit', 'exchangeOnPayment']];
// money that went back: what stood on the account is taken up at what it was booked at
const back: Rule = [['debit', 'settledReceivable'], ['debit', 'bankCharges'], ['credit', 'bankOut'], ['credit', 'tdsReceived'], ['credit', 'gstTdsReceived'], ['credit', 'discountAllowed'], ['credit', 'writtenOff'], ['credit', 'exchangeOnRefund']];
const advanceTax: Rule = [['debit', 'advanceTax'], ['credit', 'outputTax']];
const money = { lines: 'none', stock: 'none', gstNumber: false, paper: 'voucher', gst: {}, life: 'posted' } as const;
const customer = { side: 'customer', required: true } as const;
const supplier = { side: 'supplier', required: true } as const;

export const payments = {
  saleReceipt: { ...money, code: 'RC', label: 'Receipt', plural: 'Receipts', party: customer, tax: 'none', books: { posting: receipt, lineEffect: 'none', opens: 'customerCredit' }, numbering: 'RV', prefix: 'RC/{FY}/', from: ['saleInvoice', 'b2cInvoice', 'overseasSale', 'saudiInvoice'],
    fields: ['moneyLedger', 'amount', 'currency', 'exchangeRate', 'instrument', 'tdsAmount', 'gstTdsAmount', 'discountAmount', 'bankCharges', 'writeOff', 'reference', 'costCentre', 'narration'] },
  advanceReceipt: { ...money, code: 'ARC', label: 'Advance receipt', plural: 'Advance receipts', party: customer, tax: 'output', books: { posting: [['debit', 'bank'], ['debit', 'tdsReceived'], ['credit', 'advanceReceived'], ...advanceTax], lineEffect: 'none', opens: 'customerCredit' }, gstNumber: true, gst: { gstr1: 'advance', issued: { nature: 6 } }, numbering: 'ARV', prefix: 'AR/{FY}/', from: ['saleOrder'],
    fields: ['moneyLedger', 'amount', 'currency', 'exchangeRate', 'advanceRate', 'placeOfSupply', 'instrument', 'tdsAmount', 'reference', 'narration'] },
  allocationVoucher: { ...money, code: 'ALV', label: 'Advance adjustment', plural: 'Advance adjustments', party: customer, tax: 'output', books: { posting: [['debit', 'advanceReceived'], ['credit', 'appliedReceivable'], ['debit', 'exchangeOnReceived'], ...reversed(advanceTax)], lineEffect: 'none' }, gst: { gstr1: 'advanceAdjusted' }, numbering: 'ALV', prefix: 'AL/{FY}/', from: ['advanceReceipt'], fields: ['against', 'amount', 'currency', 'exchangeRate', 'advanceRate', 'placeOfSupply', 'narration'] },
  advanceRefund: { ...money, code: 'ARF', label: 'Advance refund', plural: 'Advance refunds', party: customer, tax: 'output', books: { posting: [['debit', 'advanceReceived'], ['credit', 'bankOut'], ['credit', 'exchangeOnAdvanceBack'], ...reversed(advanceTax)], lineEffect: 'none', opens: 'receivable' }, gstNumber: true, gst: { gstr1: 'advanceRefunded', issued: { nature: 8 } }, numbering: 'RFV', prefix: 'ARF/{FY}/', from: ['advanceReceipt'],
    fields: ['against', 'moneyLedger', 'amount', 'currency', 'exchangeRate', 'advanceRate', 'placeOfSupply', 'instrument', 'reference', 'narration'] },
  refund: { ...money, code: 'RF', label: 'Refund', plural: 'Refunds', party: customer, tax: 'none', books: { posting: back, lineEffect: 'none', opens: 'receivable' }, numbering: 'RFV', prefix: 'RF/{FY}/', from: ['saleReturn', 'saleCreditNote'], fields: ['moneyLedger', 'amount', 'currency', 'exchangeRate', 'bankCharges', 'instrument', 'reference', 'costCentre', 'narration'] },
  bouncedReceipt: { ...money, code: 'RCQ', label: 'Returned cheque', plural: 'Returned cheques', party: customer, tax: 'none', books: { posting: back, lineEffect: 'none', opens: 'receivable' }, numbering: 'RFV', prefix: 'RCQ/{FY}/', from: [], undoes: 'saleReceipt',
    fields: ['against', 'moneyLedger', 'amount', 'currency', 'exchangeRate', 'bankCharges', 'tdsAmount', 'gstTdsAmount', 'discountAmount', 'writeOff', 'instrument', 'reference', 'costCentre', 'narration'] },
  payment: { ...money, code: 'PY', label: 'Payment', plural: 'Payments', party: supplier, tax: 'none', books: { posting: payment, lineEffect: 'none', opens: 'supplierCredit' }, numbering: 'PV', prefix: 'PY/{FY}/', from: ['purchaseBill', 'overseasPurchase', 'expense'],
    fields: ['moneyLedger', 'amount', 'currency', 'exchangeRate', 'instrument', 'tdsSection', 'tdsAmount', 'discountAmount', 'bankCharges', 'writeOff', 'reference', 'costCentre', 'narration'] },
  advancePayment: { ...money, code: 'APY', label: 'Advance payment', plural: 'Advance payments', party: supplier, tax: 'none', books: { posting: [['debit', 'advancePaid'], ['credit', 'bankOut'], ['credit', 'tdsPaid']], lineEffect: 'none', opens: 'supplierCredit' }, numbering: 'APV', prefix: 'AP/{FY}/', from: ['purchaseOrder'],
    fields: ['moneyLedger', 'amount', 'currency', 'exchangeRate', 'instrument', 'tdsSection', 'tdsAmount', 'reference', 'narration'] },
  supplierAllocation: { ...money, code: 'SAL', label: 'Supplier advance adjustment', plural: 'Supplier advance adjustments', party: supplier, tax: 'none', books: { posting: [['debit', 'appliedPayable'], ['credit', 'advancePaid'], ['credit', 'exchangeOnPaid']], lineEffect: 'none' }, numbering: 'SAL', prefix: 'SA/{FY}/', from: ['advancePayment'], fields: ['against', 'amount', 'currency', 'exchangeRate', 'narration'] },
  paymentVoucher: { ...money, code: 'PYV', label: 'Payment voucher (reverse charge)', plural: 'Payment vouchers', party: supplier, tax: 'none', books: { posting: [], lineEffect: 'none' }, gstNumber: true, gst: { issued: { nature: 7 } }, numbering: 'PYV', prefix: 'RPV/{FY}/', from: ['payment'], fields: ['against', 'amount', 'narration'] },
} as const satisfies Record<string, Kind>;
