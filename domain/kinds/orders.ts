// biome-ignore-all format: a table reads best with a row on a line
import { challanReasons } from '../gst/documents-issued.ts';
import type { Kind } from './kind.ts';

// Orders post nothing; a sale order reserves stock.
const order = { lines: 'items', books: { posting: [], lineEffect: 'none' }, gstNumber: false, paper: 'order', gst: {}, life: 'ordered' } as const;
const customer = { side: 'customer', required: true } as const;

export const orders = {
  quotation: { ...order, code: 'QT', label: 'Quotation', plural: 'Quotations', party: customer, tax: 'output', stock: 'none', numbering: 'QT', prefix: 'QT/{FY}/', from: [], fields: ['validUntil', 'placeOfSupply', 'shipTo', 'reference', 'taxInclusive', 'terms', 'narration'] },
  saleOrder: { ...order, code: 'SO', label: 'Sale order', plural: 'Sale orders', party: customer, tax: 'output', stock: 'reserve', numbering: 'SO', prefix: 'SO/{FY}/', from: ['quotation'], fields: ['expectedDate', 'placeOfSupply', 'shipTo', 'reference', 'referenceDate', 'taxInclusive', 'terms', 'narration'], counts: 'SaleOrder', flow: 'saleOrders' },
  workflowOrder: { ...order, code: 'WO', label: 'Workflow order', plural: 'Workflow orders', party: customer, tax: 'output', stock: 'reserve', numbering: 'WO', prefix: 'WO/{FY}/', from: ['quotation'], fields: ['expectedDate', 'placeOfSupply', 'reference', 'narration'], counts: 'SaleOrder', flow: 'saleOrders' },
  saleReturnOrder: { ...order, code: 'SRO', label: 'Sale return order', plural: 'Sale return orders', party: customer, tax: 'output', stock: 'none', numbering: 'SRO', prefix: 'SRO/{FY}/', from: ['saleInvoice', 'b2cInvoice'], fields: ['against', 'reason', 'reference', 'narration'], flow: 'saleReturnOrders' },
  returnOrder: { ...order, code: 'WRO', label: 'Workflow return order', plural: 'Workflow return orders', party: customer, tax: 'output', stock: 'none', numbering: 'WRO', prefix: 'WRO/{FY}/', from: ['saleInvoice', 'b2cInvoice'], fields: ['against', 'reason', 'narration'], flow: 'saleReturnOrders' },
  purchaseOrder: { ...order, register: 'purchases', code: 'PO', label: 'Purchase order', plural: 'Purchase orders', party: { side: 'supplier', required: true }, tax: 'input', stock: 'none', numbering: 'PO', prefix: 'PO/{FY}/', from: [], fields: ['expectedDate', 'reference', 'taxInclusive', 'terms', 'narration'], counts: 'PurchaseOrder', flow: 'purchaseOrders' },
  purchaseReturnOrder: { ...order, register: 'purchases', code: 'PRO', label: 'Purchase return order', plural: 'Purchase return orders', party: { side: 'supplier', required: true }, tax: 'input', stock: 'none', numbering: 'PRO', prefix: 'PRO/{FY}/', from: ['purchaseBill', 'overseasPurchase'], fields: ['against', 'reason', 'reference', 'narration'], flow: 'purchaseReturnOrders' },
  deliveryChallan: { ...order, code: 'DC', label: 'Delivery challan', plural: 'Delivery challans', party: customer, tax: 'none', stock: 'none', gstNumber: true, paper: 'challan', numbering: 'CHL', prefix: 'DC/{FY}/', from: ['saleOrder'], gst: { eway: { way: 'out', on: 'challan', as: ['8', '4', '9', '11', '12', '10'] }, issued: { nature: 12, byReason: challanReasons } }, fields: ['reason', 'shipTo', 'transport', 'narration'] },
} as const satisfies Record<string, Kind>;
