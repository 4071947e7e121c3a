import { randomUUID } from 'node:crypto';
import { type Screen, screenOf, screens } from '../../contract/screens.ts';
import {
  consumesCredits,
  type FieldName,
  isForSupplier,
  type KindName,
  kindNames,
  kindOf,
  takesAdjustments,
} from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import type { TestServer } from '../../tools/testing/server.ts';
import { LONG_NAME } from './full-shop.ts';
import type { Shop } from './shop.ts';

type Fields = Record<string, unknown>;

/** A posted document, and what it was made from. */
export interface Made {
  readonly kind: KindName;
  readonly id: string;
  readonly number: string;
  readonly source?: Made;
}

/** What is asked of a document that is made: its source's kind, the party, and how much of the source. */
interface Wanted {
  readonly from?: KindName;
  readonly source?: Made;
  /** The kind that will be made from it: its party is one that this kind takes. */
  readonly towards?: KindName;
  /**
   * With all that its row has fields for, which says nothing of what it comes to; its goods on two lines, with a
   * discount, freight and packing.
   */
  readonly whole?: true;
  /** Of the goods so many, of the money half; without it all. */
  readonly quantity?: string;
}

/** Books in which a document of each kind can be made by calls; with names of 90 letters and crores, as they come. */
export interface KindBooks {
  make(kind: KindName, wanted?: Wanted): Promise<Made>;
  /** What a document of the first kind can be made from, of the second. */
  sourceOf(kind: KindName, from: KindName, wanted?: Wanted): Promise<Made>;
  /** A call of the owner's. */
  ask<T>(name: string, input: Fields): Promise<T>;
}

/** Where a kind is listed, written or shown, as `web/views/places.ts` has it: its own screen, or its list's. */
export const placeOf = (
  kind: KindName,
  how: 'documentList' | 'documentEditor' | 'documentView',
): readonly [screen: string, query: Readonly<Record<string, string>>] | undefined => {
  const own = how === 'documentList' ? undefined : screenOf({ kind }, how);
  if (own) return [own, {}];
  const list = screenOf({ kind }, 'documentList');
  if (!list) return undefined;
  const { show } = screens[list] as Screen;
  return [
    list,
    {
      ...('beside' in show && show.beside?.some((other) => other === kind) && { kind }),
      ...(how !== 'documentList' && { show: how }),
    },
  ];
};

/** A field by its label, marked as required or not. */
export const labelled = (label: string): RegExp => new RegExp(`^${label.replace(/[()]/g, '\\$&')}( \\*.*)?$`);

const sideAndLines = (kind: KindName) => [kindOf(kind).party.side, kindOf(kind).lines.of].join(' ');
const sideStockAndLines = (kind: KindName) => `${sideAndLines(kind)} ${kindOf(kind).stock.effect}`;

/**
 * One kind of each shape: whose it is, what its lines are and, unless said otherwise, what it does to the stock. `npm
 * run check -- --all` takes every one.
 */
export const ofEachShape = (
  kinds: readonly KindName[],
  { stock = true }: { readonly stock?: boolean } = {},
): readonly KindName[] => {
  const shapeOf = stock ? sideStockAndLines : sideAndLines;
  return process.env.BAHI_ALL === '1'
    ? kinds
    : kinds.filter((kind, at) => kinds.findIndex((other) => shapeOf(other) === shapeOf(kind)) === at);
};

/** The kinds that somebody sees: they have a list. */
export const listedKinds = kindNames.filter((kind) => placeOf(kind, 'documentList') !== undefined);

const place = {
  name: 'Peenya depot',
  line1: '214-B Second Cross',
  city: 'Bengaluru',
  state: '29',
  pincode: '560058',
  country: 'IN',
};
const LATER = '2099-03-31';
/** What the fields of a row say in a document with every field it may have; what is kept under `fields` is known by its name. */
const sayings: Readonly<Partial<Record<FieldName, Fields>>> = {
  narration: { narration: 'As agreed with Shri Rao on the telephone' },
  terms: { terms: 'Payment within thirty days' },
  placeOfSupply: { placeOfSupply: '29' },
  billTo: { billTo: place },
  shipTo: { shipTo: { ...place, name: 'Hosur depot' } },
  reference: { reference: 'PO/26-27/114' },
  referenceDate: { referenceDate: '2026-05-04' },
  partyName: { partyName: 'Ravindranath' },
  validUntil: { fields: { validUntil: LATER } },
  expectedDate: { fields: { expectedDate: LATER } },
  journalType: { fields: { journalType: 'general' } },
  instrument: { fields: { instrument: '402817' } },
  port: { fields: { port: 'INMAA1' } },
  shippingBill: { fields: { shippingBill: '1234567' } },
  transport: {
    fields: { transporter: 'VRL Logistics', vehicle: 'KA01AB1234', distance: '340', transportDocument: 'LR-5' },
  },
};
const partsOf = (said: Fields): Fields => (said['fields'] ?? {}) as Fields;
/** All that a kind's row has fields for; a name is asked for where nobody is on record. */
const sayingAll = (row: Kind): Fields => {
  const said = row.fields
    .filter((name) => name !== 'partyName' || row.party.side === 'none')
    .map((name) => sayings[name] ?? {});
  const fields: Fields = Object.assign({}, ...said.map(partsOf));
  return { ...Object.assign({}, ...said), ...(Object.keys(fields).length > 0 ? { fields } : {}) };
};

/** Which party a kind is written to: one abroad, a consumer where others need an invoice of the portal's, or one with a GSTIN. */
const partyFor = (kind: Kind): 'abroad' | 'consumer' | 'registered' | 'zone' => {
  if (kind.source.categories) return 'zone';
  return kind.party.from ? 'abroad' : kind.gst.insteadFor || isForSupplier(kind) ? 'consumer' : 'registered';
};

const party = {
  category: 'registered',
  state: '29',
  email: 'books@chain.example',
  addresses: [{ line1: '9 Ring Road', city: 'Bengaluru', state: '29', pincode: '560058', type: 'both', country: 'IN' }],
};
const foreign = { category: 'overseas', state: '96', email: 'books@chain.example', addresses: [] };

/** A party of each side that a kind may be written to. */
const parties = {
  customer: {
    registered: { ...party, name: LONG_NAME, gstin: '29AABCB1234F1Z4' },
    zone: { ...party, name: 'Zone Stores', category: 'sezUnit', gstin: '29AABCY1234F1ZH' },
    consumer: { ...party, name: 'Ravindranath Venkatasubramanian', category: 'unregistered' },
    abroad: { ...foreign, name: LONG_NAME.replace('India', 'Saudi Arabia'), country: 'SA' },
  },
  supplier: {
    registered: { ...party, name: LONG_NAME.replace('Shri', 'Sree'), gstin: '29AABCK1234F1ZV' },
    consumer: { ...party, name: 'Ravindra Carriers', category: 'unregistered' },
    zone: { ...party, name: 'Zone Works', category: 'sezUnit', gstin: '29AABCZ1234F1ZG' },
    abroad: { ...foreign, name: LONG_NAME.replace('India', 'Germany'), country: 'DE' },
  },
} as const;
type Side = keyof typeof parties;
type PartyName = ReturnType<typeof partyFor>;

const cable = {
  sku: 'CABLE-XLPE-3.5C-300SQMM',
  name: 'XLPE insulated armoured aluminium cable 3.5 core 300 sq mm, 1.1 kV, IS 7098 part 1, drum of 500 metres',
  type: 'stock',
  unit: 'NOS',
  hsn: '85395000',
  treatment: 'taxable',
  gstRate: '18',
  saleRate: '100.00',
  purchaseRate: '60.00',
};

/** The records that documents are made of. */
type Records = Awaited<ReturnType<typeof saveRecords>>;

async function saveRecords(server: TestServer, shop: Shop, ask: KindBooks['ask']) {
  const save = async (master: string, values: Fields) =>
    (await ask<{ id: string }>('SaveMaster', { master, values })).id;
  const partyIds = new Map<string, string>();
  for (const [side, all] of Object.entries(parties))
    for (const [name, values] of Object.entries(all)) partyIds.set(`${side}/${name}`, await save(side, values));
  const item = await save('item', cable);
  const service = await save('item', { ...cable, sku: 'DESIGN', name: 'Design', type: 'service', hsn: '998314' });
  const { today } = await ask<{ today: string }>('GetSession', {});
  await shop.post({ kind: 'openingStock', lines: [{ item, quantity: '9000', rate: '60' }] });
  const [cheques, bank, rent, capital] = await Promise.all(
    ['1131', '1121', '6410', '3110'].map((code) => shop.ledger(code)),
  );
  const [own] = server.organisations;
  let bills = 0;
  return {
    ...{ item, service, today, cheques, bank, rent, capital },
    partyOf: (side: Side, name: PartyName) => partyIds.get(`${side}/${name}`),
    away: { toRegistration: own?.registrations['MH'], toLocation: own?.locations['PUN'] },
    till: await openTill(ask, shop),
    /** The supplier's own number, another one at each time. */
    bill: () => ({ reference: `SVE/26-27/ELECTRICAL/${++bills}`, referenceDate: today }),
    // customs write seven digits
    entry: () => ({ reference: String(4_125_000 + ++bills) }),
    goods: () => ({ lines: [{ item, quantity: '10', rate: '1046253.05' }] }),
  };
}

type Needs = Readonly<Partial<Record<KindName, (draft: Fields) => Fields | Promise<Fields>>>>;

/** What a kind needs that follows from no source; of kinds that are made without one, the whole of it. */
function needsOf(records: Records, make: KindBooks['make']): Needs {
  const { item, cheques, bank, rent, capital, till, away, bill, entry, goods } = records;
  const pair = (debit: string | undefined, credit: string | undefined) => ({
    lines: [
      { ledger: debit, debit: '70' },
      { ledger: credit, credit: '70' },
    ],
  });
  const money = { moneyLedger: cheques };
  const aside = { reason: 'Others' };
  const settled = async (kind: KindName, from: KindName) => ({
    amount: '100',
    allocations: [{ document: (await make(kind, { from })).id, amount: '100' }],
  });
  return {
    posSale: () => ({ ...goods(), taxInclusive: true, till: till.next() }),
    posReturn: () => ({ reason: 'Sales return', till: { session: till.session } }),
    saleReturn: () => aside,
    saleCreditNote: () => aside,
    saleDebitNote: () => aside,
    saleReturnOrder: () => aside,
    returnOrder: () => aside,
    purchaseReturnOrder: () => aside,
    purchaseReturn: () => aside,
    purchaseCreditNote: () => ({ ...aside, ...bill() }),
    purchaseDebitNote: () => ({ ...aside, ...bill() }),
    deliveryChallan: () => ({ reason: 'Job work' }),
    purchaseBill: () => ({ ...goods(), ...bill() }),
    overseasPurchase: () => ({ ...goods(), ...bill() }),
    expense: () => ({ ...bill(), lines: [{ ledger: rent, rate: '700', gstRate: '18' }] }),
    selfInvoice: () => ({ reverseCharge: true }),
    billOfEntry: ({ customs }) => ({
      ...bill(),
      ...entry(),
      customs: { ...(customs as Fields), basic: '100', surcharge: '10', igst: '199.80' },
      accepted: [{ warning: 'customsAsAssessed', reason: 'As customs assessed it' }],
    }),
    saleReceipt: () => money,
    advanceReceipt: () => ({ ...money, amount: '500' }),
    advanceRefund: () => money,
    refund: () => money,
    payment: () => money,
    advancePayment: () => ({ ...money, amount: '500' }),
    allocationVoucher: () => settled('saleInvoice', 'quotation'),
    supplierAllocation: () => settled('purchaseBill', 'purchaseOrder'),
    paymentVoucher: () => ({ amount: '100' }),
    openingStock: () => ({
      ...goods(),
      accepted: ['foundRateFar', 'openedTwice'].map((warning) => ({ warning, reason: 'A rare edition' })),
    }),
    inventoryAdjustment: () => ({ fields: { adjustmentReason: 'Count' }, lines: [{ item, delta: '-1' }] }),
    branchTransfer: () => ({
      ...goods(),
      ...away,
      accepted: [{ warning: 'transferValue', reason: 'A rare edition' }],
    }),
    manualJournal: () => pair(rent, cheques),
    journalVoucher: () => pair(rent, cheques),
    contra: () => pair(bank, cheques),
    openingBalance: () => pair(rent, capital),
  };
}

/** Goods that are typed, with all that may be said of them. */
const wholeGoods = (row: Kind, { item, rent, goods }: Records): Fields => ({
  lines: [
    ...goods().lines.map((line) => ({ ...line, discount: { percent: '2.5' } })),
    { item, quantity: '3', rate: '99.125', description: 'For the depot' },
  ],
  discount: { amount: '70.00' },
  charges: [{ name: 'Freight', amount: '500.00', apportion: 'value' }],
  ...(takesAdjustments(row) && { adjustments: [{ name: 'Packing', sign: 'add', amount: '40.00', ledger: rent }] }),
});

/** A document without a source. */
const blankOf = (row: Kind, wanted: Wanted, buyer: PartyName, records: Records): Fields => ({
  ...(row.lines.of === 'items' &&
    (wanted.whole && row.life.cycle === 'ordered' ? wholeGoods(row, records) : records.goods())),
  ...(row.party.side !== 'none' && { party: records.partyOf(row.party.side, buyer) }),
});

/** A continued document with a part of its goods, and half of its money. */
const partOf = (draft: Fields, whole: Fields, needs: Fields, quantity: string): Fields => {
  const half = String(Math.floor(Number(draft['amount'] ?? '0') / 2));
  // an expense has no quantities: it is continued whole
  const lines = (draft['lines'] as Fields[]).map((line) => (line['item'] ? { ...line, quantity } : line));
  const customs = draft['customs'] as { covers?: Record<string, string> } | undefined;
  const covers = Object.fromEntries(Object.keys(customs?.covers ?? {}).map((line) => [line, quantity]));
  return {
    ...whole,
    lines,
    ...(customs && { customs: { ...(whole['customs'] as Fields), covers } }),
    ...(Number(half) > 0 &&
      !('amount' in needs) && {
        amount: half,
        allocations: (draft['allocations'] as Fields[]).map((part) => ({ ...part, amount: half })),
      }),
  };
};

/** What a document is made from unless somebody has said: what it undoes, or the first kind that its row names. */
const fromOf = (row: Kind, wanted: Wanted): KindName | undefined =>
  wanted.source?.kind ??
  wanted.from ??
  (row.source.reverses as KindName | undefined) ??
  (row.source.kinds as readonly KindName[])[0];

/** What a self-invoice is for is under reverse charge. */
const isCharged = (row: Kind, { towards }: Wanted): boolean =>
  towards !== undefined && isForSupplier(kindOf(towards)) && row.fields.includes('reverseCharge');

export async function openKindBooks(server: TestServer, shop: Shop): Promise<KindBooks> {
  const ask = async <T>(call: string, input: Fields): Promise<T> =>
    (await shop.owner.ask(call as 'GetSession', input as never)) as T;
  const records = await saveRecords(server, shop, ask);

  const post = async (kind: KindName, document: Fields, source?: Made): Promise<Made> => {
    const { TransactionId: id, TransactionNumber: number } = await shop.post({ ...document, kind });
    return { kind, id, number, ...(source && { source }) };
  };

  const bounce = async (kind: KindName, source: Made): Promise<Made> => {
    const { TransactionId: id, TransactionNumber: number } = (await shop.owner.ask(
      'BounceReceipt',
      { TransactionId: source.id, date: records.today, reason: 'Funds insufficient' },
      randomUUID(),
    )) as { TransactionId: string; TransactionNumber: string };
    return { kind, id, number, source };
  };

  /** A note on a sale that was paid: nothing but the customer is left to use it. */
  const creditOf = async (kind: KindName): Promise<Made> => {
    const sale = await make('saleInvoice');
    await make('saleReceipt', { source: sale });
    return make(kind, { source: sale });
  };

  const sourceOf = (kind: KindName, from: KindName, wanted: Wanted = {}): Promise<Made> =>
    consumesCredits(kindOf(kind)) && !kindOf(kind).fields.includes('against')
      ? creditOf(from)
      : make(from, { towards: kind, ...wanted });

  /** A document that continues another one. */
  const continued = async (kind: KindName, source: Made, wanted: Wanted): Promise<Made> => {
    const row = kindOf(kind);
    const said = wanted.whole ? sayingAll(row) : {};
    const { draft } = await ask<{ draft: Fields }>('GetConversion', { from: source.id, kind });
    const { lines: _, ...needs } = (await asked[kind]?.(draft)) ?? {};
    const whole: Fields = {
      ...draft,
      ...said,
      ...needs,
      ...(isCharged(row, wanted) && { reverseCharge: true }),
      ...((draft['fields'] ?? said['fields']) !== undefined && { fields: { ...partsOf(draft), ...partsOf(said) } }),
    };
    const { quantity } = wanted;
    return post(kind, quantity === undefined ? whole : partOf(draft, whole, needs, quantity), source);
  };

  const make = async (kind: KindName, wanted: Wanted = {}): Promise<Made> => {
    const row = kindOf(kind);
    const own = partyFor(row);
    const buyer = own === 'registered' && wanted.towards ? partyFor(kindOf(wanted.towards)) : own;
    const from = fromOf(row, wanted);
    if (!from)
      return post(kind, {
        ...(wanted.whole && sayingAll(row)),
        ...blankOf(row, wanted, buyer, records),
        ...((await asked[kind]?.({})) ?? {}),
        ...(isCharged(row, wanted) && { reverseCharge: true }),
        // the tax of goods from abroad is paid at customs
        ...(isCharged(row, wanted) &&
          row.party.from && { lines: [{ item: records.service, quantity: '10', rate: '40' }] }),
      });
    const source =
      wanted.source ??
      (await sourceOf(kind, from, {
        towards: buyer === own ? kind : (wanted.towards ?? kind),
        ...(wanted.whole && { whole: true }),
      }));
    return row.source.reverses ? bounce(kind, source) : continued(kind, source, wanted);
  };
  const asked = needsOf(records, make);
  return { make, sourceOf, ask };
}

/** A till of the shop with money in it, whose bills are numbered as its browser would. */
async function openTill(ask: KindBooks['ask'], { place }: Shop) {
  const { id } = await ask<{ id: string }>('SaveMaster', {
    master: 'till',
    values: { code: 'K1', name: 'Till of the chain', location: place.location, prices: 'saleRate', printWidth: '80' },
  });
  const device = randomUUID();
  const { session } = await ask<{ session: string }>('OpenTill', { till: id, count: { '500': 20 }, device });
  const { next: first } = await ask<{ next: string }>('TakeTill', { session, device });
  const [, head = '', digits = '1'] = /^(.*?)(\d+)$/.exec(first) ?? [];
  let counter = 0;
  return {
    session,
    next: () => {
      counter += 1;
      return { session, device, counter, number: `${head}${String(counter).padStart(digits.length, '0')}` };
    },
  };
}
