// biome-ignore-all format: a table reads best with a row on a line
import type { Kind } from './kind.ts';

const inside = { party: { side: 'none', required: false }, gst: {}, life: 'posted' } as const;

export const stock = {
  openingStock: { ...inside, code: 'OS', label: 'Opening stock', plural: 'Opening stock', lines: 'stock', tax: 'none', books: { posting: [['debit', 'openingStock'], ['credit', 'openingDifference']], lineEffect: 'none' }, stock: 'in', numbering: 'OS', gstNumber: false, prefix: 'OS/', paper: 'voucher', from: [], fields: ['narration'] },
  inventoryAdjustment: { ...inside, code: 'IA', label: 'Inventory adjustment', plural: 'Inventory adjustments', lines: 'stock', tax: 'none', books: { posting: [], perpetual: [['debit', 'stockChange'], ['credit', 'adjustment']], lineEffect: 'none' }, stock: 'adjust', numbering: 'IA', gstNumber: false, prefix: 'IA/{FY}/', paper: 'voucher', from: [], fields: ['adjustmentReason', 'narration'] },
  branchTransfer: { ...inside, code: 'BT', label: 'Branch transfer', plural: 'Branch transfers', lines: 'items', tax: 'output', books: { posting: [['debit', 'interBranch'], ['credit', 'branchTransfer'], ['credit', 'outputTax'], ['credit', 'roundOff']], lineEffect: 'none' }, stock: 'transferOut', numbering: 'BT', gstNumber: true, prefix: 'BT/{FY}/', paper: 'challan', gst: { irp: 'INV', eway: { way: 'out', on: 'challan', as: ['5', '8', '12', '10'], between: ['1', '9'] }, gstr1: 'invoice' }, life: 'sent', from: [], fields: ['toLocation', 'expectedDate', 'transport', 'narration'] },
  transferReceipt: { ...inside, code: 'BTR', label: 'Transfer receipt', plural: 'Transfer receipts', lines: 'items', tax: 'input', books: { posting: [['debit', 'branchTransfer'], ['debit', 'inputTax'], ['debit', 'roundOff'], ['credit', 'interBranch']], lineEffect: 'none' }, stock: 'transferIn', numbering: 'BTR', gstNumber: false, prefix: 'BTR/{FY}/', paper: 'voucher', from: ['branchTransfer'], pricedFromSource: true, fields: ['against', 'narration'] },
  costRevision: { ...inside, code: 'CR', label: 'Cost revision', plural: 'Cost revisions', lines: 'ledgers', tax: 'none', books: { posting: [['debit', 'written']], lineEffect: 'none' }, stock: 'none', numbering: 'CR', gstNumber: false, prefix: 'CR/{FY}/', paper: 'none', from: [], fields: [], system: true },
} as const satisfies Record<string, Kind>;
