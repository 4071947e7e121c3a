/** A column of a table on the page of a record, or one of its figures. */
export interface PageColumn {
  readonly label: string;
  readonly format: 'text' | 'day' | 'money' | 'quantity' | 'percent' | 'whole' | 'document';
  /** The master whose record it names; the row has its id as `<key>Id`. */
  readonly opens?: string;
  /** Left out where no row has a value. */
  readonly seldom?: true;
  /** What goods cost: the server leaves it out for people who may not see it. */
  readonly cost?: true;
  /** It stands out: money that is late, goods that are missing. */
  readonly warns?: true;
}

/** What a page says of a record: figures of one row, one below the other, or the rows of a table. */
export interface PagePart {
  readonly title: string;
  readonly as: 'figures' | 'rows';
  readonly columns: Readonly<Record<string, PageColumn>>;
  /** What it says without rows; without the sentence, the part is left out then. */
  readonly empty?: string;
  /** The report that has the same for all days and records: whoever may not read it does not see the part. */
  readonly report?: string;
  /** The filter of the report that names the record. */
  readonly by?: string;
}

/** The most rows of a part. */
export const MOST_PAGE_ROWS = 20;

const text = (label: string): PageColumn => ({ label, format: 'text' });
const day = (label: string): PageColumn => ({ label, format: 'day' });
const money = (label: string): PageColumn => ({ label, format: 'money' });
const quantity = (label: string): PageColumn => ({ label, format: 'quantity' });
const number: PageColumn = { label: 'Number', format: 'document' };
const cost = { cost: true } as const;
const seldom = { seldom: true } as const;
const warns = { warns: true } as const;

const ages = {
  notDue: money('Not due'),
  to30: money('1–30 days'),
  to60: money('31–60 days'),
  to90: money('61–90 days'),
  to180: money('91–180 days'),
  over180: money('Over 180 days'),
  onAccount: money('On account'),
  total: money('Total'),
} as const;

const account = (title: string, turnover: string, report: string): PagePart => ({
  ...{ title, as: 'figures', report, by: 'party' },
  columns: {
    balance: money('Balance due'),
    overdue: { ...money('Overdue'), ...warns },
    oldestDays: { label: 'Oldest overdue (days)', format: 'whole', ...warns },
    openCount: { label: 'Open documents', format: 'whole' },
    turnover: money(turnover),
    daysToPay: { label: 'Average days to pay', format: 'whole' },
  },
});
const ageing = (title: string, report: string): PagePart => ({
  ...{ title, as: 'figures', report, by: 'party', columns: ages },
});
const openDocuments = (title: string, empty: string, report: string): PagePart => ({
  ...{ title, empty, as: 'rows', report, by: 'party' },
  columns: {
    number,
    kindLabel: text('Type'),
    date: day('Date'),
    dueDate: day('Due'),
    days: { label: 'Days late', format: 'whole', ...warns },
    original: money('Amount'),
    open: money('Open'),
  },
});
const lastLines = (title: string, empty: string, party: PageColumn | undefined): PagePart => ({
  ...{ title, empty, as: 'rows' },
  columns: {
    date: day('Date'),
    number,
    kindLabel: text('Type'),
    ...(party && { party }),
    quantity: quantity('Quantity'),
    unit: text('Unit'),
    rate: money('Rate'),
    taxable: money('Value'),
    state: { ...text('State'), ...seldom },
  },
});

/** The parts of pages: a page names some of them (`page` of a master), the server has a query for each. */
export const pageParts = {
  receivable: account('Account as a customer', 'Sales this financial year, without tax', 'receivablesAgeing'),
  receivableAgeing: ageing('Receivables by age', 'receivablesAgeing'),
  openReceivables: openDocuments('Open invoices and credits', 'Nothing is open', 'outstandingDebtors'),
  payable: account('Account as a supplier', 'Purchases this financial year, without tax', 'payablesAgeing'),
  payableAgeing: ageing('Payables by age', 'payablesAgeing'),
  openPayables: openDocuments('Open bills and credits', 'Nothing is open', 'outstandingCreditors'),
  partyDocuments: {
    title: 'Last documents',
    empty: 'No documents yet',
    as: 'rows',
    columns: {
      date: day('Date'),
      number,
      kindLabel: text('Type'),
      reference: { ...text('Reference'), ...seldom },
      total: money('Total'),
      state: { ...text('State'), ...seldom },
    },
  },
  stock: {
    title: 'Stock',
    as: 'figures',
    columns: {
      onHand: quantity('On hand'),
      held: quantity('Held by orders'),
      free: quantity('Free'),
      level: quantity('Reorder level'),
      short: { ...quantity('Below the reorder level'), ...warns },
      value: { ...money('Value'), ...cost },
    },
  },
  stockPlaces: {
    title: 'Stock by location',
    empty: 'None in stock',
    as: 'rows',
    report: 'stockOnHand',
    by: 'item',
    columns: {
      code: text('Code'),
      place: text('Location'),
      level: { ...quantity('Reorder level'), ...seldom },
      short: { ...quantity('Below the level'), ...seldom, ...warns },
      quantity: quantity('Quantity'),
      value: { ...money('Value'), ...cost },
    },
  },
  batches: {
    title: 'Batches',
    as: 'rows',
    columns: {
      batch: text('Batch'),
      place: text('Location'),
      expiry: { ...day('Expires'), ...seldom },
      quantity: quantity('Quantity'),
    },
  },
  serials: {
    title: 'Serial numbers in stock',
    as: 'rows',
    columns: { serial: text('Serial number'), place: text('Location') },
  },
  listPrices: {
    title: 'Price lists',
    as: 'rows',
    columns: {
      list: { ...text('Price list'), opens: 'priceList' },
      side: text('For'),
      from: { ...quantity('From quantity'), ...seldom },
      rate: money('Price'),
      discount: { label: 'Discount %', format: 'percent', ...seldom },
      validTo: { ...day('Valid to'), ...seldom },
    },
  },
  barcodes: {
    title: 'Barcodes',
    as: 'rows',
    columns: { barcode: text('Barcode'), unit: text('Unit') },
  },
  variants: {
    title: 'Variants',
    as: 'rows',
    columns: {
      sku: { ...text('SKU'), opens: 'item' },
      name: text('Variant'),
      state: { ...text('State'), ...seldom },
      onHand: quantity('On hand'),
    },
  },
  itemSales: lastLines('Last sales', 'Not sold yet', { ...text('Customer'), opens: 'customer' }),
  itemPurchases: lastLines('Last purchases', 'Not bought yet', { ...text('Supplier'), opens: 'supplier' }),
  itemMoves: { ...lastLines('Last stock documents', '', undefined), empty: 'No stock documents yet' },
} as const satisfies Readonly<Record<string, PagePart>>;

export type PagePartName = keyof typeof pageParts;
export const pagePartOf = (name: PagePartName): PagePart => pageParts[name];
