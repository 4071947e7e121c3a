// biome-ignore-all format: a table reads best with a row on a line
import type { KindName } from '../domain/kinds/index.ts';
import { CREATE_AND_APPROVE, type Level } from './levels.ts';

/** What a route draws. Eight views draw nearly all of them from rows; a `later` screen says that it does not work yet. */
export type View =
  /** `beside`: other kinds on the same list, which writes and shows them too. */
  | { readonly view: 'documentList'; readonly kind: KindName; readonly beside?: readonly KindName[] }
  | { readonly view: 'documentEditor'; readonly kind: KindName; readonly quick?: true }
  /** `among`: kinds that a view without a document looks through for a number; `print` opens its paper at once. */
  | { readonly view: 'documentView'; readonly kind: KindName; readonly among?: readonly KindName[]; readonly print?: true }
  | { readonly view: 'masterList' | 'masterForm'; readonly master: string }
  /** `among`: reports that the address may name instead. */
  | { readonly view: 'report'; readonly report: string; readonly among?: readonly string[] }
  | { readonly view: 'settings'; readonly tab: string }
  /** `writes`: the kind whose documents are made there instead of in an editor; `returns`: the one that takes them back there. */
  | { readonly view: 'own'; readonly name: string; readonly writes?: KindName; readonly returns?: KindName }
  | { readonly view: 'later' };

export type { Level } from './levels.ts';

export interface Screen {
  /** The number that grants name it by (28 and 40 are the dashboards). */
  readonly id: number;
  /** The screen whose grant opens it. */
  readonly parent: string;
  readonly level: Level;
  readonly group: string;
  readonly label: string;
  readonly trail: readonly string[];
  readonly show: View;
  readonly inMenu: boolean;
  /** Open to everyone signed in, whatever his grants. */
  readonly always: boolean;
}

const list = (kind: KindName, ...beside: readonly KindName[]): View => ({ view: 'documentList', kind, ...(beside.length > 0 && { beside }) });
const editor = (kind: KindName, quick?: true): View => ({ view: 'documentEditor', kind, ...(quick && { quick }) });
const view = (kind: KindName, more: { readonly among?: readonly KindName[]; readonly print?: true } = {}): View => ({ view: 'documentView', kind, ...more });
const notes = ['saleCreditNote', 'saleDebitNote', 'purchaseCreditNote', 'purchaseDebitNote', 'saleReturn', 'purchaseReturn'] as const satisfies readonly KindName[];
const masterList = (master: string): View => ({ view: 'masterList', master });
const masterForm = (master: string): View => ({ view: 'masterForm', master });
const report = (name: string, among?: readonly string[]): View => ({ view: 'report', report: name, ...(among && { among }) });
const settings = (tab: string): View => ({ view: 'settings', tab });
const own = (name: string, writes?: KindName, returns?: KindName): View => ({ view: 'own', name, ...(writes && { writes }), ...(returns && { returns }) });
const later: View = { view: 'later' };
const MENU = 'menu' as const;
const ALWAYS = 'always' as const;

const row = (
  id: number, parent: string, level: Level, group: string, label: string, trail: readonly string[], show: View, ...marks: readonly ('menu' | 'always')[]
): Screen => ({ id, parent, level, group, label, trail, show, inMenu: marks.includes(MENU) && show.view !== 'later', always: marks.includes(ALWAYS) });

/** Screens that the specification does not name have ids from here on. */
export const FIRST_OWN = 351;

/** The specification's route names, odd spellings and all; they stand nowhere else. */
export const screens = {
  'Home': row(101, 'Home', 5000, 'Home', 'Home', ['Home'], own('home'), MENU, ALWAYS),
  'InventoryDashboard': row(40, 'InventoryDashboard', 0, 'Home', 'Inventory dashboard', ['Home', 'Inventory dashboard'], own('inventoryDashboard'), MENU, ALWAYS),
  'OrderDashboard': row(28, 'OrderDashboard', 5000, 'Home', 'Order dashboard', ['Home', 'Order dashboard'], own('orderDashboard'), MENU, ALWAYS),
  'Registration': row(104, 'Registration', 5000, 'Organisation', 'Registrations', ['Organisation', 'Registrations'], masterList('registration'), MENU),
  'RegistrationCreation': row(105, 'Registration', 5001, 'Organisation', 'GST registration', ['Organisation', 'Registrations', 'New/Edit'], masterForm('registration')),
  'Orgedit': row(106, 'Orgedit', 0, 'Organisation', 'Organisation profile', ['Organisation', 'Organisation profile'], settings('organisation'), MENU),
  'Manage Locations': row(107, 'Manage Locations', 0, 'Organisation', 'Locations', ['Organisation', 'Locations'], masterList('location'), MENU),
  'newLocation': row(108, 'Manage Locations', 5003, 'Organisation', 'Location', ['Organisation', 'Locations', 'New/Edit'], masterForm('location')),
  'Users List': row(109, 'Users List', 0, 'Organisation', 'Users', ['Organisation', 'Users'], masterList('user'), MENU),
  'usersedit': row(110, 'Users List', 5001, 'Organisation', 'User', ['Organisation', 'Users', 'New/Edit'], masterForm('user')),
  'UserNewEdit': row(111, 'Users List', 5001, 'Organisation', 'User', ['Organisation', 'Users', 'New/Edit'], masterForm('user')),
  'ClientUsers': row(112, 'ClientUsers', 5000, 'Organisation', 'User directory', ['Organisation', 'User directory'], report('userDirectory', ['securityLog']), MENU),
  'GroupsList': row(113, 'GroupsList', 0, 'Organisation', 'Groups', ['Organisation', 'Groups'], masterList('group'), MENU),
  'groupsedit': row(114, 'GroupsList', 5001, 'Organisation', 'Group', ['Organisation', 'Groups', 'New/Edit'], masterForm('group')),
  'Manage Role': row(115, 'Manage Role', 0, 'Organisation', 'Roles', ['Organisation', 'Roles'], masterList('role'), MENU),
  'Manage Role New': row(116, 'Manage Role', 5001, 'Organisation', 'Role', ['Organisation', 'Roles', 'New/Edit'], masterForm('role')),
  'subscriptions': row(117, 'subscriptions', 5003, 'Organisation', 'Subscription', ['Organisation', 'Subscription'], own('subscriptions'), MENU),
  'General Configuration': row(118, 'General Configuration', 0, 'Configuration', 'General configuration', ['Configuration', 'General configuration'], settings('general'), MENU),
  'GeneralConfigNew': row(119, 'General Configuration', 0, 'Configuration', 'General configuration', ['Configuration', 'General configuration', 'New/Edit'], settings('general')),
  'Number Series': row(120, 'Number Series', 0, 'Configuration', 'Number series', ['Configuration', 'Number series'], masterList('numberSeries'), MENU),
  'DoumentNew': row(121, 'Number Series', 0, 'Configuration', 'Number series', ['Configuration', 'Number series', 'New/Edit'], masterForm('numberSeries')),
  'NIC Configuration': row(122, 'NIC Configuration', 0, 'Configuration', 'E-invoice credentials', ['Configuration', 'E-invoice credentials'], settings('einvoice'), MENU),
  'Additional Field': row(123, 'Additional Field', 0, 'Configuration', 'Additional fields', ['Configuration', 'Additional fields'], masterList('additionalField'), MENU),
  'AdditionalFieldNew': row(124, 'Additional Field', 5001, 'Configuration', 'Additional field', ['Configuration', 'Additional fields', 'New/Edit'], masterForm('additionalField')),
  'invoicebuilder': row(125, 'invoicebuilder', 0, 'Configuration', 'Invoice builder', ['Configuration', 'Invoice builder'], masterList('paperTemplate'), MENU),
  'Terms and Conditions': row(364, 'General Configuration', 0, 'Configuration', 'Terms and conditions', ['Configuration', 'General configuration', 'Terms and conditions'], masterList('terms'), MENU),
  'Adjustments': row(461, 'General Configuration', 0, 'Configuration', 'Charges and adjustments', ['Configuration', 'General configuration', 'Invoicing', 'Adjustments'], masterList('adjustment'), MENU),
  'Adjustments New': row(462, 'General Configuration', 5001, 'Configuration', 'New or changed charge', ['Configuration', 'General configuration', 'Invoicing', 'Adjustments', 'New/Edit'], masterForm('adjustment')),
  'Terms and Conditions New': row(391, 'General Configuration', 5001, 'Configuration', 'New or changed terms', ['Configuration', 'General configuration', 'Terms and conditions', 'New/Edit'], masterForm('terms')),
  'Cost Centres': row(465, 'General Configuration', 0, 'Accounts', 'Cost centres', ['Accounts', 'Cost centres'], masterList('costCentre'), MENU),
  'Cost Centre New': row(466, 'General Configuration', 5001, 'Accounts', 'Cost centre', ['Accounts', 'Cost centres', 'New/Edit'], masterForm('costCentre')),
  'Bank Details': row(363, 'General Configuration', 0, 'Configuration', 'Bank details', ['Configuration', 'General configuration', 'Bank details'], masterList('bank'), MENU),
  'Bank Details New': row(393, 'General Configuration', 5001, 'Configuration', 'Bank account', ['Configuration', 'General configuration', 'Bank details', 'New/Edit'], masterForm('bank')),
  'Workflow Management': row(411, 'General Configuration', 0, 'Configuration', 'Workflow management', ['Configuration', 'General configuration', 'Workflow management'], own('workflows'), MENU),
  'Workflow': row(412, 'General Configuration', 0, 'Configuration', 'Workflow', ['Configuration', 'General configuration', 'Workflow management', 'New/Edit'], own('workflow')),
  'Party Master': row(126, 'Party Master', 5000, 'Parties', 'Customers', ['Parties', 'Customers'], masterList('customer'), MENU),
  'Create Party': row(127, 'Party Master', 5001, 'Parties', 'Customer', ['Parties', 'Customers', 'New/Edit'], masterForm('customer')),
  'Create Party B2C': row(128, 'Party Master', 5001, 'Parties', 'Customer (B2C)', ['Parties', 'Customers', 'New/Edit'], masterForm('consumer')),
  'Supplier Master': row(129, 'Supplier Master', 5000, 'Parties', 'Suppliers', ['Parties', 'Suppliers'], masterList('supplier'), MENU),
  'Supply Master': row(130, 'Supply Master', 5000, 'Items', 'Items', ['Items'], masterList('item'), MENU),
  'SupplyMasters': row(131, 'Supply Master', 5001, 'Items', 'Item', ['Items', 'New/Edit'], masterForm('item')),
  'supplypreview': row(132, 'Supply Master', 5001, 'Items', 'Item view', ['Items', 'View'], own('itemView')),
  'Category': row(133, 'Category', 0, 'Items', 'Categories', ['Items', 'Categories'], masterList('category'), MENU),
  'Attributes': row(134, 'Attributes', 0, 'Items', 'Attributes', ['Items', 'Attributes'], masterList('attribute'), MENU),
  'Attributecreation': row(135, 'Attributes', 5001, 'Items', 'Attribute', ['Items', 'Attributes', 'New/Edit'], masterForm('attribute')),
  'Units': row(365, 'General Configuration', 0, 'Items', 'Units', ['Items', 'Units'], masterList('unit'), MENU),
  'Unit New': row(395, 'General Configuration', 5001, 'Items', 'Unit', ['Items', 'Units', 'New/Edit'], masterForm('unit')),
  'Unit Conversions': row(136, 'Unit Conversions', 0, 'Items', 'Unit conversions', ['Items', 'Unit conversions'], masterList('unitConversion'), MENU),
  'Unit Conversions New': row(137, 'Unit Conversions', 5001, 'Items', 'Unit conversion', ['Items', 'Unit conversions', 'New/Edit'], masterForm('unitConversion')),
  'BarcodeList': row(138, 'Supply Master', 5001, 'Items', 'Barcodes', ['Items', 'Barcodes'], own('barcodes'), MENU),
  'Price Lists': row(361, 'Supply Master', 5000, 'Items', 'Price lists', ['Items', 'Price lists'], masterList('priceList'), MENU),
  'Price List': row(362, 'Supply Master', 5001, 'Items', 'Price list', ['Items', 'Price lists', 'New/Edit'], masterForm('priceList')),
  'WarehouseMaster': row(139, 'WarehouseMaster', 5001, 'Inventory', 'Warehouses', ['Inventory', 'Warehouses'], masterList('warehouse'), MENU),
  'Warehousenew': row(140, 'WarehouseMaster', 5001, 'Inventory', 'Warehouse', ['Inventory', 'Warehouses', 'New/Edit'], masterForm('warehouse')),
  'Manage Inventory': row(141, 'Manage Inventory', 0, 'Inventory', 'Stock on hand', ['Inventory', 'Stock on hand'], report('stockOnHand', ['reorder']), MENU),
  'Inventory Adjustment': row(142, 'Inventory Adjustment', 0, 'Inventory', 'Inventory adjustments', ['Inventory', 'Inventory adjustments'], list('inventoryAdjustment'), MENU),
  'allopeningstock': row(143, 'allopeningstock', 5000, 'Inventory', 'Opening stock', ['Inventory', 'Opening stock'], list('openingStock'), MENU),
  'Branch Transfer List': row(144, 'Branch Transfer List', 0, 'Inventory', 'Branch transfers', ['Inventory', 'Branch transfers'], list('branchTransfer', 'transferReceipt'), MENU),
  'Create Branch Transfer': row(145, 'Branch Transfer List', 5001, 'Inventory', 'New branch transfer', ['Inventory', 'Branch transfers', 'New/Edit'], editor('branchTransfer')),
  'Transfer View': row(146, 'Branch Transfer List', 5000, 'Inventory', 'Branch transfer', ['Inventory', 'Branch transfers', 'View'], view('branchTransfer')),
  'Transfer Challan': row(147, 'Branch Transfer List', 5000, 'Inventory', 'Challan of a branch transfer', ['Inventory', 'Branch transfers', 'View'], view('branchTransfer', { print: true })),
  'Count Sheets': row(371, 'Inventory Adjustment', 5000, 'Inventory', 'Counts', ['Inventory', 'Counts'], own('countSheets'), MENU),
  'Count Sheet': row(372, 'Inventory Adjustment', 5000, 'Inventory', 'Count', ['Inventory', 'Counts', 'View'], own('countSheet')),
  'Sale Invoice': row(148, 'Sale Invoice', 0, 'Sales', 'Sale invoices', ['Sales', 'Sale invoices'], list('saleInvoice', 'b2cInvoice'), MENU),
  'Create Invoice': row(149, 'Sale Invoice', 5001, 'Sales', 'New sale invoice', ['Sales', 'Sale invoices', 'New/Edit'], editor('saleInvoice')),
  'Create Invoice Quick': row(150, 'Sale Invoice', 5001, 'Sales', 'New sale invoice, quick', ['Sales', 'Sale invoices', 'New/Edit'], editor('saleInvoice', true)),
  'Create B2C Invoice': row(151, 'Sale Invoice', 5001, 'Sales', 'New B2C invoice', ['Sales', 'Sale invoices', 'New/Edit'], editor('b2cInvoice')),
  'saleview': row(152, 'Sale Invoice', 5000, 'Sales', 'Sale invoice', ['Sales', 'Sale invoices', 'View'], view('saleInvoice')),
  'Sale B2C View': row(153, 'Sale Invoice', 5000, 'Sales', 'B2C invoice', ['Sales', 'Sale invoices', 'View'], view('b2cInvoice')),
  'CashSalesList': row(154, 'CashSalesList', 5001, 'Sales', 'Cash sales', ['Sales', 'Cash sales'], list('cashSale'), MENU),
  'CreateCashSales': row(155, 'CashSalesList', 5001, 'Sales', 'New cash sale', ['Sales', 'Cash sales', 'New/Edit'], editor('cashSale')),
  'CashSalesView': row(156, 'CashSalesList', 5000, 'Sales', 'Cash sale', ['Sales', 'Cash sales', 'View'], view('cashSale')),
  'Quotation': row(157, 'Quotation', 0, 'Sales', 'Quotations', ['Sales', 'Quotations'], list('quotation'), MENU),
  'QuotationParent': row(158, 'Quotation', 5000, 'Sales', 'New quotation', ['Sales', 'Quotations', 'New/Edit'], editor('quotation')),
  'QuationView': row(159, 'Quotation', 5000, 'Sales', 'Quotation', ['Sales', 'Quotations', 'View'], view('quotation')),
  'Sale Order': row(160, 'Sale Order', 0, 'Sales', 'Sale orders', ['Sales', 'Sale orders'], list('saleOrder'), MENU),
  'SaleOrderNew': row(161, 'Sale Order', 5001, 'Sales', 'New sale order', ['Sales', 'Sale orders', 'New/Edit'], editor('saleOrder')),
  'SaleOrderView': row(162, 'Sale Order', 5000, 'Sales', 'Sale order', ['Sales', 'Sale orders', 'View'], view('saleOrder')),
  'Delivery Challans': row(373, 'Sale Order', 0, 'Sales', 'Delivery challans', ['Sales', 'Delivery challans'], list('deliveryChallan'), MENU),
  'Advance Adjustments': row(374, 'Sale Receipt', 0, 'Sales', 'Advance adjustments', ['Sales', 'Advance adjustments'], list('allocationVoucher', 'advanceRefund'), MENU),
  'Supplier Adjustments': row(375, 'Payments', 0, 'Purchases', 'Supplier advances used', ['Purchases', 'Supplier advances used'], list('supplierAllocation', 'paymentVoucher'), MENU),
  'Self Invoices': row(376, 'Payments', 0, 'Purchases', 'Self-invoices', ['Purchases', 'Self-invoices'], list('selfInvoice'), MENU),
  'Contras': row(377, 'JournalVouchers', 0, 'Accounts', 'Contras', ['Accounts', 'Contras'], list('contra'), MENU),
  'Sale Return': row(163, 'Sale Return', 0, 'Sales', 'Sale returns', ['Sales', 'Sale returns'], list('saleReturn'), MENU),
  'salereturnnew': row(164, 'Sale Return', 5001, 'Sales', 'New sale return', ['Sales', 'Sale returns', 'New/Edit'], editor('saleReturn')),
  'ReturnView': row(165, 'Sale Return', 5000, 'Sales', 'Sale return', ['Sales', 'Sale returns', 'View'], view('saleReturn')),
  'SaleReturnOrders': row(166, 'SaleReturnOrders', 0, 'Sales', 'Sale return orders', ['Sales', 'Sale return orders'], list('saleReturnOrder'), MENU),
  'SaleReturnOrderNew': row(167, 'SaleReturnOrders', 5001, 'Sales', 'New sale return order', ['Sales', 'Sale return orders', 'New/Edit'], editor('saleReturnOrder')),
  'SaleReturnOrderView': row(168, 'SaleReturnOrders', 5000, 'Sales', 'Sale return order', ['Sales', 'Sale return orders', 'View'], view('saleReturnOrder')),
  'Sale Debit Note': row(169, 'Sale Debit Note', 0, 'Sales', 'Sale debit notes', ['Sales', 'Sale debit notes'], list('saleDebitNote'), MENU),
  'saleDebitNew': row(170, 'Sale Debit Note', 5001, 'Sales', 'New sale debit note', ['Sales', 'Sale debit notes', 'New/Edit'], editor('saleDebitNote')),
  'debitview': row(171, 'Sale Debit Note', 5000, 'Sales', 'Sale debit note', ['Sales', 'Sale debit notes', 'View'], view('saleDebitNote')),
  'Sale Credit Note': row(172, 'Sale Credit Note', 0, 'Sales', 'Sale credit notes', ['Sales', 'Sale credit notes'], list('saleCreditNote'), MENU),
  'SaleCreditNoteNew': row(173, 'Sale Credit Note', 5001, 'Sales', 'New sale credit note', ['Sales', 'Sale credit notes', 'New/Edit'], editor('saleCreditNote')),
  'creditview': row(174, 'Sale Credit Note', 5000, 'Sales', 'Sale credit note', ['Sales', 'Sale credit notes', 'View'], view('saleCreditNote')),
  'noteno': row(175, 'Sale Credit Note', 5000, 'Sales', 'Find a note', ['Sales', 'Sale credit notes', 'View'], view('saleCreditNote', { among: notes })),
  'UseCreditView': row(176, 'Sale Receipt', 5001, 'Sales', 'Settle credits', ['Sales', 'Receipts', 'Settle credits'], own('useCredit')),
  'Sale Receipt': row(177, 'Sale Receipt', 0, 'Sales', 'Receipts', ['Sales', 'Receipts'], list('saleReceipt', 'refund', 'bouncedReceipt'), MENU),
  'Sale Receipt New': row(178, 'Sale Receipt', 5001, 'Sales', 'New receipt', ['Sales', 'Receipts', 'New/Edit'], editor('saleReceipt')),
  'Sale Receipt Preview': row(179, 'Sale Receipt', 5000, 'Sales', 'Receipt', ['Sales', 'Receipts', 'View'], view('saleReceipt')),
  'Advance Receipts': row(180, 'Advance Receipts', 0, 'Sales', 'Advance receipts', ['Sales', 'Advance receipts'], list('advanceReceipt'), MENU),
  'AdvReceiptsNew': row(181, 'Advance Receipts', 5001, 'Sales', 'New advance receipt', ['Sales', 'Advance receipts', 'New/Edit'], editor('advanceReceipt')),
  'AdvReceiptsView': row(182, 'Advance Receipts', 5000, 'Sales', 'Advance receipt', ['Sales', 'Advance receipts', 'View'], view('advanceReceipt')),
  'Overseas Sale': row(183, 'Overseas Sale', 0, 'Sales', 'Export invoices', ['Sales', 'Export invoices'], list('overseasSale', 'saudiInvoice'), MENU),
  'OverseasSaleNew': row(184, 'Overseas Sale', 5001, 'Sales', 'New export invoice', ['Sales', 'Export invoices', 'New/Edit'], editor('overseasSale')),
  'OverseasSaleView': row(185, 'Overseas Sale', 5000, 'Sales', 'Export invoice', ['Sales', 'Export invoices', 'View'], view('overseasSale')),
  'KSACreation': row(186, 'Overseas Sale', 5001, 'Sales', 'Invoice to Saudi Arabia', ['Sales', 'Export invoices', 'New/Edit'], editor('saudiInvoice')),
  'PoS': row(187, 'PoS', 0, 'Sales', 'Till bills', ['Sales', 'Till bills'], list('posSale', 'posReturn'), MENU),
  'PoSNewCreation': row(188, 'PoS', 5001, 'Sales', 'Till', ['Sales', 'Till bills', 'Till'], own('till', 'posSale', 'posReturn'), MENU),
  'EInvoiceListView': row(189, 'EInvoiceListView', 0, 'GST', 'E-invoices', ['GST', 'E-invoices'], own('einvoices'), MENU),
  'E-Way Bill': row(190, 'E-Way Bill', 5000, 'GST', 'E-way bills', ['GST', 'E-way bills'], own('wayBills'), MENU),
  'saleEWayBill': row(191, 'E-Way Bill', 5000, 'GST', 'E-way bill', ['GST', 'E-way bills', 'New/Edit'], own('wayBill')),
  'GstReturns': row(192, 'GstReturns', 5003, 'GST', 'GST returns', ['GST', 'GST returns'], later, MENU),
  // who prepares the return opens it: to read a report takes no more than a grant
  'gstr1': row(193, 'GstReturns', 5001, 'GST', 'GSTR-1', ['GST', 'GST returns', 'GSTR-1'], report('gstr1'), MENU),
  'gstr-3B': row(194, 'GstReturns', 5003, 'GST', 'GSTR-3B', ['GST', 'GST returns', 'GSTR-3B'], later),
  'GstAdjusmentNew': row(195, 'GstReturns', 5003, 'GST', 'Gst Adjusment New', ['GST', 'GST returns', 'New/Edit'], later),
  'TaxillaCockpit': row(196, 'TaxillaCockpit', 5003, 'GST', 'GST cockpit', ['GST', 'GST cockpit'], later, MENU),
  'Purchase Order': row(197, 'Purchase Order', 0, 'Purchases', 'Purchase orders', ['Purchases', 'Purchase orders'], list('purchaseOrder'), MENU),
  'Purchase Order New': row(198, 'Purchase Order', 5001, 'Purchases', 'New purchase order', ['Purchases', 'Purchase orders', 'New/Edit'], editor('purchaseOrder')),
  'PurchaseOrderview': row(199, 'Purchase Order', 5000, 'Purchases', 'Purchase order', ['Purchases', 'Purchase orders', 'View'], view('purchaseOrder')),
  'Purchase Bills': row(200, 'Purchase Bills', 0, 'Purchases', 'Purchase bills', ['Purchases', 'Purchase bills'], list('purchaseBill'), MENU),
  'Purchase Bill New': row(201, 'Purchase Bills', 5001, 'Purchases', 'New purchase bill', ['Purchases', 'Purchase bills', 'New/Edit'], editor('purchaseBill')),
  'PurchaseView': row(202, 'Purchase Bills', 5000, 'Purchases', 'Purchase bill', ['Purchases', 'Purchase bills', 'View'], view('purchaseBill')),
  'Purchase Template New': row(203, 'Purchase Bills', 5000, 'Purchases', 'Recurring bills', ['Purchases', 'Purchase bills', 'Recurring bills'], own('recurringBills')),
  'Overseas Purchase': row(204, 'Overseas Purchase', 0, 'Purchases', 'Overseas purchases', ['Purchases', 'Overseas purchases'], list('overseasPurchase', 'billOfEntry'), MENU),
  'OverseasPurchaseNew': row(205, 'Overseas Purchase', 5001, 'Purchases', 'New overseas purchase', ['Purchases', 'Overseas purchases', 'New/Edit'], editor('overseasPurchase')),
  'OverseasPurchaseView': row(206, 'Overseas Purchase', 5000, 'Purchases', 'Overseas purchase', ['Purchases', 'Overseas purchases', 'View'], view('overseasPurchase')),
  'Purchase Return': row(207, 'Purchase Return', 0, 'Purchases', 'Purchase returns', ['Purchases', 'Purchase returns'], list('purchaseReturn'), MENU),
  'Purchase Return Orders': row(413, 'Purchase Return Orders', 0, 'Purchases', 'Purchase return orders', ['Purchases', 'Purchase return orders'], list('purchaseReturnOrder'), MENU),
  'Purchase Return Order New': row(414, 'Purchase Return Orders', 5001, 'Purchases', 'New purchase return order', ['Purchases', 'Purchase return orders', 'New/Edit'], editor('purchaseReturnOrder')),
  'Purchase Return Order View': row(415, 'Purchase Return Orders', 5000, 'Purchases', 'Purchase return order', ['Purchases', 'Purchase return orders', 'View'], view('purchaseReturnOrder')),
  'Purchase Return New': row(208, 'Purchase Return', 5001, 'Purchases', 'New purchase return', ['Purchases', 'Purchase returns', 'New/Edit'], editor('purchaseReturn')),
  'Purchase Credit Note': row(209, 'Purchase Credit Note', 0, 'Purchases', 'Purchase credit notes', ['Purchases', 'Purchase credit notes'], list('purchaseCreditNote'), MENU),
  'Purchase Credit Note New': row(210, 'Purchase Credit Note', 5001, 'Purchases', 'New purchase credit note', ['Purchases', 'Purchase credit notes', 'New/Edit'], editor('purchaseCreditNote')),
  'Purchase Credit View': row(211, 'Purchase Credit Note', 5000, 'Purchases', 'Purchase credit note', ['Purchases', 'Purchase credit notes', 'View'], view('purchaseCreditNote')),
  'Purchase Debit Note': row(212, 'Purchase Debit Note', 0, 'Purchases', 'Purchase debit notes', ['Purchases', 'Purchase debit notes'], list('purchaseDebitNote'), MENU),
  'Purchase Debit Note New': row(213, 'Purchase Debit Note', 5001, 'Purchases', 'New purchase debit note', ['Purchases', 'Purchase debit notes', 'New/Edit'], editor('purchaseDebitNote')),
  'Purchase Debit View': row(214, 'Purchase Debit Note', 5000, 'Purchases', 'Purchase debit note', ['Purchases', 'Purchase debit notes', 'View'], view('purchaseDebitNote')),
  'Payments': row(215, 'Payments', 0, 'Purchases', 'Payments', ['Purchases', 'Payments'], list('payment'), MENU),
  'paymentnew': row(216, 'Payments', 5001, 'Purchases', 'New payment', ['Purchases', 'Payments', 'New/Edit'], editor('payment')),
  'paymentPreview': row(217, 'Payments', 5000, 'Purchases', 'Payment', ['Purchases', 'Payments', 'View'], view('payment')),
  'Advance Payments': row(218, 'Advance Payments', 0, 'Purchases', 'Advance payments', ['Purchases', 'Advance payments'], list('advancePayment'), MENU),
  'AdvPaymentsNew': row(219, 'Advance Payments', 5001, 'Purchases', 'New advance payment', ['Purchases', 'Advance payments', 'New/Edit'], editor('advancePayment')),
  'AdvPaymentsView': row(220, 'Advance Payments', 5000, 'Purchases', 'Advance payment', ['Purchases', 'Advance payments', 'View'], view('advancePayment')),
  'ExpenseList': row(221, 'ExpenseList', 0, 'Expenses', 'Expenses', ['Expenses'], list('expense'), MENU),
  'ExpenseNew': row(222, 'ExpenseList', 5001, 'Expenses', 'New expense', ['Expenses', 'New/Edit'], editor('expense')),
  'ExpensePreview': row(223, 'ExpenseList', 5000, 'Expenses', 'Expense', ['Expenses', 'View'], view('expense')),
  'ChartOfAccounts': row(224, 'ChartOfAccounts', 0, 'Accounts', 'Chart of accounts', ['Accounts', 'Chart of accounts'], masterList('accountGroup'), MENU),
  'ChartOfAccountsNewEdit': row(225, 'ChartOfAccounts', 5003, 'Accounts', 'Account group', ['Accounts', 'Chart of accounts', 'New/Edit'], masterForm('accountGroup')),
  'Ledgers': row(226, 'Ledgers', 0, 'Accounts', 'Ledgers', ['Accounts', 'Ledgers'], masterList('ledger'), MENU),
  'LedgerCreation': row(227, 'Ledgers', 5003, 'Accounts', 'Ledger', ['Accounts', 'Ledgers', 'New/Edit'], masterForm('ledger')),
  'Ledgerpostings': row(228, 'Ledgerpostings', 0, 'Accounts', 'Ledger postings', ['Accounts', 'Ledger postings'], masterList('ledgerPosting'), MENU),
  'LedgerPostingCreation': row(229, 'Ledgerpostings', 5003, 'Accounts', 'Ledger posting', ['Accounts', 'Ledger postings', 'New/Edit'], masterForm('ledgerPosting')),
  'JournalVouchers': row(230, 'JournalVouchers', 0, 'Accounts', 'Journal vouchers', ['Accounts', 'Journal vouchers'], list('journalVoucher'), MENU),
  'JournalVoucherCreation': row(231, 'JournalVouchers', 5003, 'Accounts', 'New journal voucher', ['Accounts', 'Journal vouchers', 'New/Edit'], editor('journalVoucher')),
  'journal': row(232, 'journal', 0, 'Accounts', 'Manual journals', ['Accounts', 'Manual journals'], list('manualJournal'), MENU),
  'journalNew': row(233, 'journal', 5001, 'Accounts', 'New manual journal', ['Accounts', 'Manual journals', 'New/Edit'], editor('manualJournal')),
  'Opening Balance': row(234, 'Opening Balance', 0, 'Accounts', 'Opening balances', ['Accounts', 'Opening balances'], list('openingBalance'), MENU),
  'General Ledger': row(235, 'General Ledger', 0, 'Accounts', 'General ledger', ['Accounts', 'General ledger'], report('generalLedger'), MENU),
  'CashBankList': row(236, 'CashBankList', 5000, 'Accounts', 'Cash and bank', ['Accounts', 'Cash and bank'], report('cashAndBank', ['bankReconciliation']), MENU),
  'Bank Reconciliation': row(352, 'CashBankList', 5000, 'Accounts', 'Bank reconciliation', ['Accounts', 'Cash and bank', 'Bank reconciliation'], own('bankReconciliation'), MENU),
  'Exchange Rates': row(381, 'JournalVouchers', 5000, 'Accounts', 'Exchange rates', ['Accounts', 'Exchange rates'], own('exchangeRates'), MENU),
  'Restatement': row(382, 'JournalVouchers', 5000, 'Accounts', 'Foreign balances', ['Accounts', 'Exchange rates', 'Foreign balances'], own('restatement'), MENU),
  'Tax Withheld': row(386, 'CashBankList', 5000, 'Accounts', 'TDS and TCS', ['Accounts', 'TDS and TCS'], own('taxWithheld'), MENU),
  'TDS Certificates': row(383, 'Supplier Master', 5000, 'Accounts', 'TDS certificates', ['Accounts', 'TDS certificates'], masterList('tdsCertificate'), MENU),
  'TDS Certificate': row(384, 'Supplier Master', 5001, 'Accounts', 'TDS certificate', ['Accounts', 'TDS certificates', 'New/Edit'], masterForm('tdsCertificate')),
  'Year End': row(351, 'JournalVouchers', 5000, 'Accounts', 'Year-end', ['Accounts', 'Year-end'], own('yearEnd'), MENU),
  'AccountReports': row(237, 'AccountReports', 0, 'Reports', 'Account reports', ['Reports', 'Account reports'], own('reportIndex'), MENU),
  'Reports': row(238, 'Reports', 5000, 'Reports', 'All reports', ['Reports', 'All reports'], own('reportIndex'), MENU),
  'ReportsCommon': row(239, 'Reports', 5000, 'Reports', 'Report viewer', ['Reports', 'All reports', 'Report viewer'], report('stockLedger', ['countSheet', 'customerStatement', 'supplierStatement'])),
  'TrialBalance': row(240, 'TrialBalance', 5000, 'Reports', 'Trial balance', ['Reports', 'Trial balance'], report('trialBalance'), MENU),
  'TrialLedgerTransactions': row(241, 'TrialBalance', 5000, 'Reports', 'Ledger of the trial balance', ['Reports', 'Trial balance', 'Ledger of the trial balance'], report('generalLedger')),
  'AccountTransactions': row(242, 'ChartOfAccounts', 5000, 'Reports', 'Ledger of the chart of accounts', ['Reports', 'Chart of accounts', 'Ledger of the chart of accounts'], report('generalLedger')),
  'TDS Report': row(385, 'Reports', 5000, 'Reports', 'TDS deducted', ['Reports', 'TDS deducted'], report('tdsDeducted', ['tcsCollected', 'taxStatement', 'form16a']), MENU),
  'Journal Reports': row(243, 'Journal Reports', 5000, 'Reports', 'Day book', ['Reports', 'Day book'], report('dayBook', ['acceptedWarnings']), MENU),
  'profitandloss': row(244, 'profitandloss', 5000, 'Reports', 'Profit and loss', ['Reports', 'Profit and loss'], report('profitAndLoss'), MENU),
  'profitandlossLedgerTransactions': row(245, 'profitandloss', 5000, 'Reports', 'Ledger of profit and loss', ['Reports', 'Profit and loss', 'Ledger of profit and loss'], report('generalLedger')),
  'balancesheet': row(246, 'balancesheet', 5000, 'Reports', 'Balance sheet', ['Reports', 'Balance sheet'], report('balanceSheet'), MENU),
  'balanceSubsheet': row(247, 'balancesheet', 5000, 'Reports', 'Group of the balance sheet', ['Reports', 'Balance sheet', 'Group of the balance sheet'], report('balanceGroup')),
  'balanceLedgerTransations': row(248, 'balancesheet', 5000, 'Reports', 'Ledger of the balance sheet', ['Reports', 'Balance sheet', 'Ledger of the balance sheet'], report('generalLedger')),
  'TradeReceivable': row(249, 'TradeReceivable', 5000, 'Reports', 'Receivables ageing', ['Reports', 'Receivables ageing'], report('receivablesAgeing'), MENU),
  'TradePayable': row(250, 'TradePayable', 5000, 'Reports', 'Payables ageing', ['Reports', 'Payables ageing'], report('payablesAgeing'), MENU),
  'OutStandingCreditors': row(251, 'OutStandingCreditors', 5003, 'Reports', 'Outstanding creditors', ['Reports', 'Outstanding creditors'], report('outstandingCreditors'), MENU),
  'OutStandingDebitors': row(252, 'OutStandingDebitors', 5003, 'Reports', 'Outstanding debtors', ['Reports', 'Outstanding debtors'], report('outstandingDebtors'), MENU),
  'MISReports': row(253, 'MISReports', 5003, 'Reports', 'Management reports', ['Reports', 'Management reports'], later, MENU),
  'MSIReports': row(254, 'MISReports', 5000, 'Reports', 'Management report', ['Reports', 'Management reports', 'Management report'], later),
  'OrderReports': row(255, 'OrderReports', 5003, 'Reports', 'Order reports', ['Reports', 'Order reports'], later, MENU),
  'WorkflowOrderlist': row(256, 'WorkflowOrderlist', 0, 'Orders', 'Workflow orders', ['Orders', 'Workflow orders'], list('workflowOrder'), MENU),
  'WorkflowOrderNew': row(257, 'WorkflowOrderlist', 5001, 'Orders', 'New workflow order', ['Orders', 'Workflow orders', 'New/Edit'], editor('workflowOrder')),
  'flowOrderView': row(258, 'WorkflowOrderlist', 5000, 'Orders', 'Workflow order', ['Orders', 'Workflow orders', 'View'], view('workflowOrder')),
  'ReturnOrderlist': row(259, 'ReturnOrderlist', 0, 'Orders', 'Workflow return orders', ['Orders', 'Workflow return orders'], list('returnOrder'), MENU),
  'returnOrderView': row(260, 'ReturnOrderlist', 5000, 'Orders', 'Workflow return order', ['Orders', 'Workflow return orders', 'View'], view('returnOrder')),
  'mastercatalogue': row(261, 'mastercatalogue', 5003, 'Catalogue', 'mastercatalogue', ['Catalogue', 'mastercatalogue'], later, MENU),
  'CatelogueCreation': row(262, 'mastercatalogue', 5001, 'Catalogue', 'Catelogue Creation', ['Catalogue', 'mastercatalogue', 'New/Edit'], later),
  'CatelogueDetails': row(263, 'CatelogueDetails', 5003, 'Catalogue', 'Catelogue Details', ['Catalogue', 'Catelogue Details'], later, MENU),
  'AddCatelogueDetails': row(264, 'CatelogueDetails', 5003, 'Catalogue', 'Add Catelogue Details', ['Catalogue', 'Catelogue Details', 'New/Edit'], later),
  'CatelogueAllocation': row(265, 'CatelogueAllocation', 5003, 'Catalogue', 'Catelogue Allocation', ['Catalogue', 'Catelogue Allocation'], later, MENU),
  'AddCatelogueAllocationDetails': row(266, 'CatelogueAllocation', 5003, 'Catalogue', 'Add Catelogue Allocation Details', ['Catalogue', 'Catelogue Allocation', 'New/Edit'], later),
  'CatelogueItemMapping': row(267, 'CatelogueItemMapping', 5003, 'Catalogue', 'Catelogue Item Mapping', ['Catalogue', 'Catelogue Item Mapping'], later, MENU),
  'AddCatelogueItemMapping': row(268, 'CatelogueItemMapping', 5003, 'Catalogue', 'Add Catelogue Item Mapping', ['Catalogue', 'Catelogue Item Mapping', 'New/Edit'], later),
  'CatelogueMapping': row(269, 'CatelogueMapping', 5003, 'Catalogue', 'Catelogue Mapping', ['Catalogue', 'Catelogue Mapping'], later, MENU),
  'sharedcatalogue': row(270, 'sharedcatalogue', 5003, 'Catalogue', 'sharedcatalogue', ['Catalogue', 'sharedcatalogue'], later, MENU),
  'priceoverrides': row(271, 'priceoverrides', 5003, 'Catalogue', 'priceoverrides', ['Catalogue', 'priceoverrides'], later, MENU),
  'Overrides': row(272, 'Overrides', 0, 'Catalogue', 'Overrides', ['Catalogue', 'Overrides'], later, MENU),
  'PriceOveride': row(273, 'PriceOveride', 5001, 'Catalogue', 'Price Overide', ['Catalogue', 'Price Overide'], later, MENU),
  'PriceOverideCreation': row(274, 'PriceOveride', 5001, 'Catalogue', 'Price Overide Creation', ['Catalogue', 'Price Overide', 'New/Edit'], later),
  'MappedChannels': row(275, 'MappedChannels', 0, 'Catalogue', 'Mapped Channels', ['Catalogue', 'Mapped Channels'], later, MENU),
  'ChannelDetails': row(276, 'ChannelDetails', 5001, 'Catalogue', 'Channel Details', ['Catalogue', 'Channel Details'], later, MENU),
  'AddChannelDetail': row(277, 'ChannelDetails', 5001, 'Catalogue', 'Add Channel Detail', ['Catalogue', 'Channel Details', 'New/Edit'], later),
  'ProductListing': row(278, 'ProductListing', 0, 'Catalogue', 'Product Listing', ['Catalogue', 'Product Listing'], later, MENU),
  'import': row(279, 'import', 0, 'Data', 'import', ['Data', 'import'], later, MENU),
  'Data Import': row(280, 'Data Import', 0, 'Data', 'Data Import', ['Data', 'Data Import'], later, MENU),
  'FileImport': row(281, 'FileImport', 0, 'Data', 'File Import', ['Data', 'File Import'], later, MENU),
  'FileImportNew': row(282, 'FileImport', 5001, 'Data', 'File Import New', ['Data', 'File Import', 'New/Edit'], later),
} satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

export const screenNames = Object.keys(screens) as readonly ScreenName[];
export const screenCalled = (name: string): Screen | undefined => (Object.hasOwn(screens, name) ? screens[name as ScreenName] : undefined);

/** Screens that what is held on their parent opens; 5002 alone does not open what 5001 opens. */
const opens: Readonly<Record<number, readonly number[]>> = { 5000: [5000], 5001: [5000, 5001], 5002: [5000, 5002], [CREATE_AND_APPROVE]: [5000, 5001, 5002], 5003: [5000, 5001, 5002, 5003] };

/** Whether grants, a level by parent screen, open a screen. */
export const mayOpen = (grants: Readonly<Record<string, number>>, { always, level, parent }: Screen): boolean =>
  always || level === 0 || (opens[grants[parent] ?? 0] ?? []).includes(level);

/** The screen that shows a kind, or a master, in this way: the first of its rows. */
export const screenOf = (what: { readonly kind: string } | { readonly master: string }, how: View['view']): ScreenName | undefined =>
  screenNames.find((name) => {
    const { show } = screens[name] as Screen;
    if ('kind' in what && how === 'documentEditor' && show.view === 'own' && (show.writes === what.kind || show.returns === what.kind)) return true;
    if (show.view !== how) return false;
    if ('kind' in what && 'beside' in show && show.beside?.some((kind) => kind === what.kind)) return true;
    return 'kind' in what ? 'kind' in show && show.kind === what.kind : 'master' in show && show.master === what.master;
  });

/** A screen with what its address says beside. */
export interface Place { readonly screen: ScreenName; readonly query: Readonly<Record<string, string>> }

/** Where a kind is listed, written or shown. A kind without a screen of its own for that does it on its list's screen (`show`). */
export const placeOf = (kind: string, how: 'documentList' | 'documentEditor' | 'documentView'): Place | undefined => {
  const own = how === 'documentList' ? undefined : screenOf({ kind }, how);
  if (own) {
    const { show: at } = screens[own] as Screen;
    return { screen: own, query: at.view === 'own' && at.returns === kind ? { kind } : {} };
  }
  const list = screenOf({ kind }, 'documentList');
  if (!list) return undefined;
  const { show } = screens[list] as Screen;
  const query: Readonly<Record<string, string>> = 'beside' in show && show.beside?.some((other) => other === kind) ? { kind } : {};
  return { screen: list, query: how === 'documentList' ? query : { ...query, show: how } };
};

/** The screen that shows what has a view of its own by that name. */
export const ownScreen = (view: string): ScreenName | undefined =>
  screenNames.find((name) => {
    const { show } = screens[name] as Screen;
    return show.view === 'own' && show.name === view;
  });
