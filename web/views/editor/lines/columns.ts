import { moneyText, parseDecimal } from '../../../../domain/base/decimal.ts';
import { booksInputTax } from '../../../../domain/books/legs.ts';
import { correctsSource, movesGoods } from '../../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../../domain/document/kinds/kind.ts';
import { inBase, ratioFrom } from '../../../../domain/stock/units.ts';
import { hsnProblem } from '../../../../domain/tax/gst/rates/hsn.ts';
import type { Create, Search } from '../../../kit/fields/Combobox.tsx';
import { money, plainNumber } from '../../../kit/format.ts';
import type { GridColumn } from '../../../kit/grid/gridPaste.ts';
import type { LineRow } from '../../../kit/grid/rowStore.ts';
import { t } from '../../../kit/text.ts';
import { isReadable, lineAmount, percentOf, sourceShare } from '../wire.ts';
import { costOfLine } from './cost.ts';

export interface Searches {
  readonly items: Search;
  readonly ledgers: Search;
  readonly parties: Search;
  readonly rooms: Search;
  readonly costCentres: Search;
  readonly createItem: Create;
  readonly createLedger?: Create | undefined;
  readonly createRoom?: Create | undefined;
  readonly createCentre?: Create | undefined;
  /** Takes a code from a scanner, where barcodes are used. */
  scan?(code: string): boolean;
}

const hsnNames = ['hsn', 'sac', 'hsn code', 'hsn/sac code', 'hsn / sac', 'sac code'];
/** The rates of GST that are offered. */
export const rates = [0, 2500, 10000, 30000, 50000, 120000, 180000, 280000, 400000].map((rate) => ({
  value: percentOf(rate),
  label: `${percentOf(rate)} %`,
}));
const amount: GridColumn = {
  key: 'amount',
  label: 'Amount (₹)',
  type: 'readonly',
  numeric: true,
  width: 130,
  wide: true,
  show: (row) => (isReadable(row) ? money(moneyText(lineAmount(row))) : ''),
};
/** Enter passes over what follows from the item, also while its name is still on its way; Tab and the arrows reach it. */
const fromItem = { passed: (row) => Boolean(row['item'] || row['itemId']) } satisfies Pick<GridColumn, 'passed'>;
const rate: GridColumn = {
  ...{ key: 'rate', label: 'Rate', type: 'number', places: 6, pad: 2, width: 110 },
  names: ['price', 'unit price', 'rate per unit', 'price per unit', 'basic rate'],
  // it is the rate of the unit that came with it, and not proposed: neither the unit nor a price list changes it
  pasted: ({ unit = '' }) => ({ unitSeen: unit, offered: '', priceList: '' }),
};
/** Left empty, it is that of the item. */
const retailPrice: GridColumn = {
  ...{ key: 'retailPrice', label: 'Retail price (₹)', type: 'number', places: 2, pad: 2, width: 120 },
  passed: () => true,
};
const quantity: GridColumn = {
  key: 'quantity',
  label: 'Quantity',
  type: 'number',
  places: 6,
  width: 90,
  required: true,
  names: ['qty', 'quantities', 'nos', 'billed qty', 'billed quantity', 'qty in'],
};
const discount: GridColumn = {
  ...{ key: 'discount', label: 'Discount', type: 'text', width: 90, numeric: true },
  names: ['disc', 'disc %', 'disc%', 'discount %', 'discount%', 'discount amount'],
  headed: (header, text) => (header.includes('%') && !text.includes('%') ? `${text}%` : text),
};
const gst: GridColumn = {
  key: 'gstRate',
  label: 'GST %',
  type: 'select',
  width: 86,
  ...fromItem,
  headed: (_, text) => text.replace(/\s*%$/, ''),
  names: ['gst', 'gst rate', 'gst%', 'gst rate %', 'tax', 'tax %', 'tax rate', 'igst %'],
  choices: (row) =>
    rates.some(({ value }) => value === row['gstRate']) || !row['gstRate']
      ? [{ value: '', label: '' }, ...rates]
      : [{ value: row['gstRate'], label: `${row['gstRate']} %` }, ...rates],
};
/**
 * Whether the tax of a line is credit, or cost (section 17(5)); left blank, the item says so. Enter passes over it: it
 * is seldom wanted.
 */
const creditBlocked: GridColumn = {
  ...{ key: 'creditBlocked', label: 'ITC', type: 'select', width: 86 },
  choices: [
    { value: '', label: '' },
    { value: 'true', label: 'Blocked' },
    { value: 'false', label: 'Claimed' },
  ],
  passed: () => true,
  takes: (text) => /^(blocked|claimed)$/i.test(text),
};
/** Only what posts input tax, for a business that takes credit at all, has credit to block. */
const creditColumns = (kind: Kind, used: PartsUsed): readonly GridColumn[] =>
  used.noCredit || !booksInputTax(kind) ? [] : [creditBlocked];

/** The item's own unit and those it is converted into; the rate follows it. */
const unitColumn: GridColumn = {
  ...{ key: 'unit', label: 'Unit', type: 'select', width: 78 },
  names: ['uom', 'units', 'per', 'unit of measure', 'unit code'],
  ...fromItem,
  choices: (row) => {
    const units = (row['units'] ?? '').split(',').filter(Boolean);
    const own = row['unit'] ?? '';
    return (units.includes(own) ? units : [own, ...units]).map((unit) => ({ value: unit, label: unit }));
  },
  takes: (text) => /^\p{L}/u.test(text),
};

/** The batches and serial numbers that somebody typed in a line, for a note that they are gone. */
const partsInWords = (row: LineRow): string =>
  [
    row['batches'] && row['batches'] !== row['proposed'] && `batches ${row['batches']}`,
    row['serials'] && `serial numbers ${row['serials']}`,
  ]
    .filter(Boolean)
    .join(', ');

/** A picked item clears what followed from the one before, so that it is filled again. */
const itemColumn = (searches: Searches): GridColumn => ({
  key: 'item',
  label: t('Item'),
  type: 'combobox',
  names: [
    ...['item name', 'item code', 'name of item', 'sku', 'product', 'product name', 'name', 'particulars'],
    ...['description', 'description of goods', 'goods', 'stock item', 'barcode'],
  ],
  idKey: 'itemId',
  required: true,
  search: searches.items,
  create: searches.createItem,
  ...(searches.scan && { scanned: searches.scan }),
  picked: ({ id, name }, row) => ({
    item: name,
    itemId: id,
    filled: '',
    ...(row['itemId'] && row['itemId'] !== id
      ? {
          hsn: '',
          unit: '',
          unitSeen: '',
          units: '',
          rate: '',
          gstRate: '',
          gstOwn: '',
          creditBlocked: '',
          onHand: '',
          lastRate: '',
          lastUnit: '',
          offered: '',
          priceList: '',
          // batches and serial numbers are those of the item before
          ...{
            batches: '',
            proposed: '',
            passed: '',
            expired: '',
            short: '',
            serials: '',
            batched: '',
            serialised: '',
          },
          partsGone: partsInWords(row),
        }
      : {}),
  }),
});
const ledgerColumn = (searches: Searches): GridColumn => ({
  key: 'ledger',
  label: t('Ledger'),
  type: 'combobox',
  names: ['account', 'ledger name', 'account name', 'particulars', 'ledger code', 'head'],
  idKey: 'ledgerId',
  required: true,
  search: searches.ledgers,
  ...(searches.createLedger && { create: searches.createLedger }),
  // what was usual of the ledger before is not of this one
  picked: ({ id, name }, row) => ({
    ...{ ledger: name, ledgerId: id, filled: '' },
    ...(row['ledgerId'] && row['ledgerId'] !== id ? { hsn: '', creditBlocked: '' } : {}),
  }),
});
/** How much of its own currency a line moves, on a ledger that is kept in one. */
const foreignColumn: GridColumn = {
  key: 'foreign',
  label: 'In its currency',
  type: 'number',
  width: 120,
  passed: (row) => !row['currency'],
};
/** Enter passes over it on a ledger that holds no accounts of parties. */
const partyColumn = (searches: Searches): GridColumn => ({
  key: 'party',
  label: t('Party'),
  type: 'combobox',
  names: ['party name', 'customer', 'supplier', 'customer name', 'supplier name'],
  idKey: 'partyId',
  width: 200,
  search: searches.parties,
  picked: ({ id, name }) => ({ party: name, partyId: id, filled: '' }),
  passed: (row) => row['withoutParty'] === 'true' && !row['party'],
});

const roomColumn = (searches: Searches): GridColumn => ({
  key: 'room',
  label: t('Stock room'),
  type: 'combobox',
  names: ['room', 'godown', 'warehouse', 'store'],
  idKey: 'roomId',
  width: 130,
  search: searches.rooms,
  ...(searches.createRoom && { create: searches.createRoom }),
  passed: () => true,
  picked: ({ id, name }) => ({ room: name, roomId: id, roomHeld: '' }),
});

/** What is on hand, and whether that is less than goes out. */
const stockText = (kind: Kind, row: LineRow): string => {
  if (!row['onHand']) return '';
  const [asked, onHand] = [row['quantity'], row['onHand']].map((text) => parseDecimal(text ?? '', 6) ?? 0);
  // stock on hand is shown in the item's own unit, whatever unit the line is in
  const short = kind.stock.effect === 'out' && inBase(asked ?? 0, ratioFrom(row['ratio'] ?? '')) > (onHand ?? 0);
  const other = row['ownUnit'] && row['unit'] && row['unit'] !== row['ownUnit'] ? ` ${row['ownUnit']}` : '';
  return `${short ? 'only ' : ''}${plainNumber(row['onHand'])}${other}`;
};

/**
 * Beside the quantity: what is left of the source, what is on hand, the list its rate is from, and what it last went
 * for with this party.
 */
const beside = (kind: Kind): GridColumn => ({
  key: 'beside',
  label: t('On hand · last price'),
  type: 'readonly',
  numeric: true,
  width: 190,
  wide: true,
  show: (row) =>
    [
      row['left'] && t('{{left}} left', { left: plainNumber(row['left']) }),
      stockText(kind, row),
      row['roomHeld'] && t('{{roomHeld}} in the room', { roomHeld: plainNumber(row['roomHeld']) }),
      row['expired'] && t('{{expired}} expired', { expired: row['expired'] }),
      row['short'] && t('{{short}} too few days left', { short: row['short'] }),
      row['passed'] && t('{{passed}} passed over: too old to sell', { passed: row['passed'] }),
      row['revaluing'] === 'true' && 'being revalued',
      row['lastRate'] && `₹ ${money(row['lastRate'])}${row['lastUnit'] ? ` per ${row['lastUnit']}` : ''}`,
      // names are long: what is cut of one stands under the pointer
      row['priceList'],
    ]
      .filter(Boolean)
      .join(' · '),
});

/** What an organisation has switched on of these. */
export interface PartsUsed {
  readonly batches: boolean;
  readonly serials: boolean;
  readonly rooms: boolean;
  /** A line names a ledger that is kept in another currency. */
  readonly currencies?: boolean;
  /** There are cost centres to choose from, or a line names one. */
  readonly costCentres?: boolean;
  /** The document is worth what its goods cost: nobody is asked for their price. */
  readonly atCost?: boolean;
  /** Whoever sells or buys is not registered under GST: nobody asks for codes and rates. */
  readonly plain?: boolean;
  /** Whoever buys takes no input credit: a composition dealer, or nobody registered. */
  readonly noCredit?: boolean;
  /** A line has goods that are taxed inside their retail price on the day (rule 31D). */
  readonly retail?: boolean;
  /** The lines of a return are typed: no document names its goods. */
  readonly typed?: boolean;
}

/** Which goods of an item move: only where that is used, and Enter passes over items that have none. */
const partColumns = (kind: Kind, used: PartsUsed, searches: Searches): readonly GridColumn[] => {
  if (!movesGoods(kind)) return [];
  const column = (key: string, label: string, flag: string, names: readonly string[]): GridColumn => ({
    ...{ key, label, type: 'text', width: 150, names },
    passed: (row) => row[flag] !== 'true',
  });
  return [
    ...(used.batches ? [column('batches', t('Batches'), 'batched', ['batch', 'batch no', 'batch number', 'lot'])] : []),
    ...(used.serials
      ? [column('serials', t('Serial numbers'), 'serialised', ['serial', 'serial number', 'imei'])]
      : []),
    ...(used.rooms ? [roomColumn(searches)] : []),
  ];
};

/** Where the amount of a line belongs; empty: where the document says. Enter passes over it where lines are of items. */
const centreColumn = ({ lines }: Kind, searches: Searches): GridColumn => ({
  key: 'costCentre',
  label: t('Cost centre'),
  type: 'combobox',
  names: ['cost center', 'department', 'project'],
  idKey: 'costCentreId',
  width: 140,
  search: searches.costCentres,
  ...(searches.createCentre && { create: searches.createCentre }),
  ...(lines.of === 'items' && { passed: () => true }),
  picked: ({ id, name }) => ({ costCentre: name, costCentreId: id }),
});

/** Before what a line comes to, or its debit and credit. */
const withCentre = (kind: Kind, grid: readonly GridColumn[], used: PartsUsed, searches: Searches) => {
  if (!used.costCentres || kind.lines.of === 'stock' || !kind.fields.includes('costCentre')) return grid;
  const at = grid.findIndex(({ key }) => key === 'amount' || key === 'foreign' || key === 'debit');
  return grid.toSpliced(at < 0 ? grid.length : at, 0, centreColumn(kind, searches));
};

/** Lines that come from a source bear its prices: only how much of each goes back is asked. */
const sourceGrid: readonly GridColumn[] = [
  { key: 'item', label: 'Item', type: 'readonly' },
  { key: 'hsn', label: 'HSN/SAC', type: 'readonly', width: 90 },
  { key: 'left', label: 'Left', type: 'readonly', numeric: true, width: 90, show: (row) => plainNumber(row['left']) },
  quantity,
  { key: 'unit', label: 'Unit', type: 'readonly', width: 70 },
  { ...rate, type: 'readonly', numeric: true, show: (row) => money(row['rate']) },
  {
    key: 'gstRate',
    label: 'GST %',
    type: 'readonly',
    numeric: true,
    width: 70,
    show: (row) => plainNumber(row['gstRate']),
  },
  { ...amount, show: (row) => money(moneyText(sourceShare(row))) },
];

const hsn: GridColumn = {
  ...{ key: 'hsn', label: 'HSN/SAC', type: 'text', width: 90, names: hsnNames },
  ...fromItem,
  // a figure after an item is its quantity, as where it is typed, unless a quantity and a rate may still come
  takes: (text, following) => hsnProblem(text, undefined) === undefined && following >= (8 - text.length) / 2,
};
/** The figure after a description is the amount, unless only a SAC fits and an amount may still follow. */
const codeOfExpense: GridColumn = {
  ...hsn,
  // the ledger has a usual code; Enter skips it also before the search for the ledger has answered
  passed: (row) => Boolean(row['ledger'] || row['ledgerId']),
  takes: (text, following) => /^99\d{4}(\d\d)?$/.test(text) && following > 0,
};
const itemGrid = (kind: Kind, searches: Searches, quick: boolean, used: PartsUsed): readonly GridColumn[] => [
  itemColumn(searches),
  ...(quick ? [] : [hsn]),
  quantity,
  unitColumn,
  ...(kind.gst.tax === 'none' ? [] : [beside(kind)]),
  { ...rate, required: true },
  ...(used.retail && !correctsSource(kind) ? [retailPrice] : []),
  discount,
  ...(kind.gst.tax === 'none' ? [] : [gst]),
  ...creditColumns(kind, used),
  amount,
];

/** The bill that a line on a party's account stands for; Enter passes over it on other lines. */
const billColumns: readonly GridColumn[] = (
  [
    ['reference', 'Bill no.', 'text', 96],
    ['referenceDate', 'Bill date', 'date', 98],
    ['dueDate', 'Due', 'date', 98],
  ] as const
).map(([key, label, type, width]) => ({ key, label, type, width, passed: (row) => !(row['party'] || row['partyId']) }));

const counting: readonly GridColumn[] = [
  {
    key: 'onHand',
    label: 'In the books',
    type: 'readonly',
    numeric: true,
    width: 110,
    show: (row) => `${plainNumber(row['onHand'])}${row['revaluing'] === 'true' ? ' · being revalued' : ''}`,
  },
  {
    ...{ key: 'counted', label: 'Counted', type: 'number', places: 6, width: 110 },
    names: ['physical', 'physical stock', 'counted quantity', 'actual'],
  },
  { key: 'delta', label: 'Change', type: 'number', places: 6, width: 110, names: ['difference'] },
];

const stockGrid = (kind: Kind, searches: Searches): readonly GridColumn[] => [
  itemColumn(searches),
  kind.stock.effect === 'adjust' ? { ...unitColumn, type: 'readonly' } : unitColumn,
  ...(kind.stock.effect === 'adjust' ? counting : [quantity]),
  rate,
  amount,
];

/** Rates and amounts are typed in the document's currency. */
const inItsCurrency = (grid: readonly GridColumn[], currency: string): readonly GridColumn[] =>
  currency === 'INR'
    ? grid
    : grid.map((column) => {
        if (column.key === 'rate') return { ...column, label: t('Rate ({{currency}})', { currency }) };
        return column.key === 'amount' ? { ...column, label: t('Amount ({{currency}})', { currency }) } : column;
      });

/** Of goods without a price it is shown what they are thought to cost; what one is worth is asked of what comes in from nowhere. */
const withoutPrice = (kind: Kind, grid: readonly GridColumn[]): readonly GridColumn[] => {
  const asked = kind.stock.effect === 'adjust';
  return grid.flatMap((column): readonly GridColumn[] => {
    if (column.key === 'amount')
      return [
        {
          ...amount,
          label: t('Cost (₹), estimated'),
          width: 150,
          show: (row) => money(moneyText(costOfLine(kind, row))),
        },
      ];
    if (column.key === 'rate' && asked) return [{ ...column, passed: (row) => (row['delta'] ?? '').startsWith('-') }];
    return ['rate', 'discount', 'gstRate', 'creditBlocked'].includes(column.key) ? [] : [column];
  });
};

/** Beside the quantity, or the change of a stock adjustment. */
const withParts = (grid: readonly GridColumn[], parts: readonly GridColumn[]): readonly GridColumn[] => {
  const at = grid.findLastIndex(({ key }) => key === 'quantity' || key === 'delta') + 1;
  return grid.toSpliced(at, 0, ...parts);
};

/** The columns of the line grid, by what the kind's lines are made of. */
export const columnsOf = (
  kind: Kind,
  searches: Searches,
  quick: boolean,
  used: PartsUsed,
  currency = 'INR',
): readonly GridColumn[] => {
  const columns = withCentre(kind, allColumns(kind, searches, quick, used, currency), used, searches);
  return used.plain ? columns.filter(({ key }) => key !== 'hsn' && key !== 'gstRate') : columns;
};

const descriptions = ['narration', 'remarks', 'details'];
const allColumns = (
  kind: Kind,
  searches: Searches,
  quick: boolean,
  used: PartsUsed,
  currency: string,
): readonly GridColumn[] => {
  switch (kind.lines.of) {
    case 'items': {
      const grid =
        kind.source.givesPrice && !used.typed
          ? sourceGrid
          : inItsCurrency(itemGrid(kind, searches, quick, used), currency);
      return withParts(used.atCost ? withoutPrice(kind, grid) : grid, partColumns(kind, used, searches));
    }
    case 'expenses':
      return [
        ledgerColumn(searches),
        { key: 'description', label: t('Description'), type: 'text', wide: true, names: descriptions },
        codeOfExpense,
        { ...rate, label: t('Amount (₹)'), key: 'rate', places: 2, required: true },
        gst,
        ...creditColumns(kind, used),
      ];
    case 'ledgers': {
      // with the bill all of a line still fits on a screen of 1,440
      const bills = kind.books.opensByLine === 'bills';
      const side = bills ? 112 : 130;
      return [
        ledgerColumn(searches),
        partyColumn(searches),
        ...(bills ? billColumns : []),
        {
          ...{ key: 'description', label: t('Description'), type: 'text', wide: true, names: descriptions },
          ...(bills && { width: 104 }),
          passed: (row) => Boolean(row['ledger']),
        },
        ...(used.currencies ? [foreignColumn] : []),
        {
          key: 'debit',
          label: t('Debit (₹)'),
          type: 'number',
          width: side,
          names: ['dr', 'debit amount'],
          passed: (row) => Boolean(row['credit']),
        },
        {
          key: 'credit',
          label: t('Credit (₹)'),
          type: 'number',
          width: side,
          names: ['cr', 'credit amount'],
          passed: (row) => Boolean(row['debit']),
        },
      ];
    }
    case 'stock':
      return withParts(
        used.atCost ? withoutPrice(kind, stockGrid(kind, searches)) : stockGrid(kind, searches),
        partColumns(kind, used, searches),
      );
    case 'none':
      return [];
  }
};
