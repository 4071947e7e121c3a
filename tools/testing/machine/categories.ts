import { addDays } from '../../../domain/base/dates.ts';
import type { Day, GstCategory, Id } from '../../../domain/document/document.ts';
import { type KindName, kindOf } from '../../../domain/document/kinds/index.ts';
import { newId } from '../../../server/kit/ids.ts';
import type { TestDatabase } from '../database.ts';
import { type Doc, type Line, leftOf, type SmallBooks, type Supplied, settle } from './books.ts';
import { dayOf, ITEMS, type Made, moved, type Plan, pick, placeOf, posting, type World } from './step.ts';

/** Where the machine’s registration is, and another state. */
const OWN = '29';
const OTHER = '27';
const ABROAD = '96';
/** The rate of the machine’s items, in percent, and one that was in force for them until it was abolished. */
const RATE = 18;
/** What notes about originals that the books do not have may ask. */
const ofOriginals = [
  'originalUnknown',
  'originalAgain',
  'taxOfOriginal',
  'placeOfSupplyChosen',
  'placeOfPurchaseChosen',
];
const ABOLISHED = { rate: 12, until: '2025-09-21' } as const;
/** A service of which the recipient may have to pay the tax: transport of goods by road. */
export const SERVICE = { item: 6, hsn: '996511' } as const;

interface Trait {
  /** It has a GSTIN. */
  readonly registered: boolean;
  /** As a supplier it writes GST on its bills. */
  readonly charges: boolean;
  /** Supplies to it are zero rated, and between states wherever it is (IGST Act sections 7(5) and 16). */
  readonly sez?: true;
  /** Tax on what it buys is never under reverse charge. */
  readonly neverReverse?: true;
  /** How GSTR-1 calls a supply to it; left out, B2CS or B2CL. */
  readonly type?: string;
}
const registered = { registered: true, charges: true, type: 'B2B' } as const;
const sez = { registered: true, charges: true, sez: true } as const;

/** What the law says of each category. */
export const traits: Readonly<Record<GstCategory, Trait>> = {
  registered,
  composition: { ...registered, charges: false },
  unregistered: { registered: false, charges: false, neverReverse: true },
  sezUnit: sez,
  sezDeveloper: sez,
  deemedExport: { ...registered, type: 'DEXP', neverReverse: true },
  overseas: { registered: false, charges: false, neverReverse: true },
  uinHolder: registered,
  taxDeductor: registered,
  isd: { ...registered, neverReverse: true },
  ecommerceOperator: registered,
};
const names = Object.keys(traits) as GstCategory[];

/** A customer or supplier of a category. */
export interface Trader {
  readonly id: Id;
  readonly side: 'customer' | 'supplier';
  readonly category: GstCategory;
  readonly state: string;
}

/** A customer and a supplier of each category in each of the two states, and abroad. */
export const traders: readonly Omit<Trader, 'id'>[] = (['customer', 'supplier'] as const).flatMap((side) =>
  names.flatMap((category) =>
    (category === 'overseas' ? [ABROAD] : [OWN, OTHER]).map((state) => ({ side, category, state })),
  ),
);

/** Creates the traders. */
export async function openTraders(owner: TestDatabase['owner'], organisation: number): Promise<readonly Trader[]> {
  const made = traders.map((each) => ({ ...each, id: newId() }));
  await owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, gstin, state, country, search)
      select $1, id, 'T' || n, 'Trader ' || n, side, category, gstin, state, country, 'trader ' || n
      from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        with ordinality t(id, side, category, gstin, state, country, n)
    `,
    [
      organisation,
      made.map(({ id }) => id),
      made.map(({ side }) => side),
      made.map(({ category }) => category),
      made.map(({ category, state }, n) => (traits[category].registered ? `${state}AAACT${1000 + n}A1Z5` : null)),
      made.map(({ state }) => state),
      made.map(({ category }) => (category === 'overseas' ? 'US' : 'IN')),
    ],
  );
  return made;
}

/** A digit of a number, so that one number chooses several things. */
const digit = (n: number, at: number, of: number): number => Math.floor(n / at) % of;
const worth = (lines: readonly Line[]): number => lines.reduce((t, l) => t + l.quantity * l.rate * 100, 0);
const isGoods = ({ item }: Line): boolean => item !== SERVICE.item;
const goodsOf = (lines: readonly Line[]): Line[] => lines.filter(isGoods);

/** One or two lines of goods, of the service, or of both; some worth lakhs. */
function linesOf(n: number, m: number): Line[] {
  const times = digit(m, 7, 4) === 0 ? 1000 : 1;
  return [n, m].slice(0, 1 + digit(m, 1, 2)).map((x, i) => ({
    item: digit(n, 100 * 10 ** i, 4) === 0 ? SERVICE.item : x % ITEMS,
    quantity: 1 + (x % 5),
    rate: (50 + (x % 37)) * times,
  }));
}

/** Halves to the state of the centre, or the whole to the one of both. */
const headsOf = (value: number, rate: number, inter: boolean): Pick<Supplied, 'cgst' | 'sgst' | 'igst'> =>
  inter
    ? { cgst: 0, sgst: 0, igst: (value * rate) / 100 }
    : { cgst: (value * rate) / 200, sgst: (value * rate) / 200, igst: 0 };
const none = { cgst: 0, sgst: 0, igst: 0 } as const;
const taxOf = ({ cgst, sgst, igst }: Pick<Supplied, 'cgst' | 'sgst' | 'igst'>): number => cgst + sgst + igst;

/** What is said of a supply beside its lines. */
interface Terms {
  readonly place: string;
  readonly reverse: boolean;
  readonly payment: boolean;
  readonly rate: number;
  /** It is of services alone. */
  readonly services?: boolean;
}

/** A supply of ours: IGST Act sections 7, 8 and 16, CGST Act section 9(3). */
function sold(category: GstCategory, value: number, { place, reverse, rate, ...terms }: Terms, date: Day): Supplied {
  const trait = traits[category];
  const exported = category === 'overseas' && place === ABROAD;
  // of other supplies it says nothing
  const payment = terms.payment && (exported || trait.sez === true);
  const inter = exported || trait.sez === true || place !== OWN;
  const taxed = !(exported || trait.sez) || payment;
  const heads = taxed ? headsOf(value, rate, inter) : none;
  const charged = taxed && !reverse;
  const total = value + (charged ? taxOf(heads) : 0);
  const large = inter && total > (date >= '2024-08-01' ? 10_000_000 : 25_000_000);
  const by = payment ? 'WP' : 'WOP';
  // deemed exports are goods (section 147)
  const ordinary = trait.type === 'DEXP' && terms.services ? registered.type : trait.type;
  const type = exported ? `EXP${by}` : trait.sez ? `SEZ${by}` : (ordinary ?? (large ? 'B2CL' : 'B2CS'));
  return {
    ...heads,
    direction: 'sold',
    place,
    reverse,
    payment,
    charged,
    inter,
    total,
    type,
    refunded: exported && charged,
    credit: false,
  };
}

/** What is supplied to us: CGST Act sections 9(3), 16 and 17, IGST Act sections 5 and 7. */
function bought(category: GstCategory, state: string, value: number, { place, reverse, rate }: Terms): Supplied {
  const trait = traits[category];
  const inter = category === 'overseas' || trait.sez === true || state !== place;
  const heads = trait.charges || reverse ? headsOf(value, rate, inter) : none;
  const charged = trait.charges && !reverse;
  const total = value + (charged ? taxOf(heads) : 0);
  // tax of another state is no credit here (section 2(62))
  const credit = inter || place === OWN;
  return {
    ...heads,
    direction: 'bought',
    place,
    reverse,
    payment: false,
    charged,
    inter,
    total,
    type: 'NONE',
    refunded: false,
    credit,
  };
}

/** Debit less credit on each ledger of tax; `sign` is −1 where a document takes a supply back. */
export function entriesOf({ direction, cgst, sgst, igst, charged, reverse, refunded, credit, back }: Supplied) {
  const sign = back ? -1 : 1;
  const each = (codes: readonly [string, string, string], on: boolean, side: number): [string, number][] =>
    [cgst, sgst, igst].map((amount, i) => [codes[i] ?? '', on ? side * sign * amount : 0]);
  const all =
    direction === 'sold'
      ? [
          ...each(['2211', '2212', '2213'], charged, -1),
          ['1442', refunded ? sign * (cgst + sgst + igst) : 0] as [string, number],
        ]
      : [...each(['1411', '1412', '1413'], credit, 1), ...each(['2221', '2222', '2223'], reverse, -1)];
  return new Map(all.filter(([, amount]) => amount !== 0));
}

/** Whether somebody may be made to pay the tax on these lines of ours: by what they are, and by who it is. */
const mayReverse = ({ neverReverse }: Trait, lines: readonly Line[]): boolean =>
  !neverReverse && goodsOf(lines).length === 0;

const owes = ({ total, refunded, igst, cgst, sgst }: Supplied): number => total - (refunded ? cgst + sgst + igst : 0);
const has = (kind: string, field: string): boolean =>
  (kindOf(kind as KindName).fields as readonly string[]).includes(field);
const traderOf = (world: World, side: Trader['side'], n: number): Trader => {
  const all = world.traders.filter((t) => t.side === side);
  return all[n % all.length] as Trader;
};
const address = (state: string) => ({ line1: '2 Station Road', city: 'City', state, pincode: '560002', country: 'IN' });
/** Rule 46(e): from ₹50,000 an invoice names an unregistered buyer with the address. */
const NAMED_FROM = 5_000_000;
const sales = ['saleInvoice', 'saleInvoice', 'saleInvoice', 'b2cInvoice', 'overseasSale', 'cashSale'] as const;
const places = [undefined, undefined, OWN, OTHER, ABROAD] as const;

const suppliedBy = ({ docs }: SmallBooks, direction: Supplied['direction']): Doc[] =>
  docs.filter((d) => d.supplied?.direction === direction && !d.supplied.isNote && d.lines.length > 0);

/** A note on a price: of so much less or more, and no goods. */
const cuts = {
  saleCreditNote: true,
  purchaseCreditNote: true,
  saleDebitNote: false,
  purchaseDebitNote: false,
} as const;
const isPriceNote = (kind: string): kind is keyof typeof cuts => Object.hasOwn(cuts, kind);
const notes = {
  sold: ['saleReturn', 'saleCreditNote', 'saleDebitNote'],
  bought: ['purchaseReturn', 'purchaseCreditNote', 'purchaseDebitNote'],
} as const;
const sideOf = (kind: string): Made['side'] & string =>
  kind === 'saleDebitNote'
    ? 'receivable'
    : kind === 'purchaseDebitNote'
      ? 'payable'
      : kind.startsWith('sale')
        ? 'customerCredit'
        : 'supplierCredit';
/** What is left of the price of a line, in paise: notes on its price take of it, or add to it. */
const priceLeft = (books: SmallBooks, doc: Doc, line: number): number => {
  const { quantity = 0, rate = 0 } = doc.lines[line - 1] ?? {};
  return books.docs.reduce(
    (left, d) => (!d.cancelled && d.cut && d.cut.doc === doc && d.cut.line === line ? left - d.cut.amount : left),
    quantity * rate * 100,
  );
};
/** Whether notes have taken more of a price than is left of it without this note, which raised it. */
export const isTaken = (books: SmallBooks, { cut }: Doc): boolean =>
  cut !== undefined && priceLeft(books, cut.doc, cut.line) + cut.amount < 0;
/** The last day on which a credit note takes back tax: 30 November after the year (section 34(2)). */
const lastDay = (day: Day): Day => {
  const year = Number(day.slice(0, 4)) + (day.slice(5) >= '04-01' ? 1 : 0);
  return `${year}-11-30`;
};

/** Whether a supply to such a party may be with payment of tax: exported, or to a SEZ. */
const mayPayTax = (category: keyof typeof traits, typed: string | undefined): boolean =>
  category === 'overseas' ? (typed ?? ABROAD) === ABROAD : category === 'sezUnit' || category === 'sezDeveloper';

/** Sales to and purchases from parties of every category, and what corrects them; foreseen by the law of each category. */
export const categories = {
  sellTo: (books, world, [a, b, c, d]) => {
    const kind = pick(sales, b) ?? 'saleInvoice';
    const nobody = kind === 'cashSale' && digit(a, 50, 3) === 0;
    const { id, category, state } = nobody
      ? ({ id: undefined, category: 'unregistered', state: OWN } as const)
      : traderOf(world, 'customer', a);
    const [date, place, lines] = [dayOf(world, c), placeOf(d), linesOf(c, d)];
    const typed = has(kind, 'placeOfSupply') ? pick(places, digit(b, 6, 5)) : undefined;
    const reverse = has(kind, 'reverseCharge') && digit(b, 30, 3) === 0;
    const payment = mayPayTax(category, typed) && has(kind, 'withPayment') && digit(b, 90, 2) === 0;
    // also where no address is wanted
    const named =
      has(kind, 'billTo') && !traits[category].registered && category !== 'overseas' && digit(b, 180, 2) === 0;
    // what is handed over at the counter does not leave the country
    const stays = kind === 'cashSale' && category === 'overseas' && goodsOf(lines).length > 0;
    const usual = stays ? OWN : category === 'overseas' ? ABROAD : nobody && named ? OTHER : state;
    const goods = goodsOf(lines).length;
    const terms = { place: typed ?? usual, reverse, payment, rate: RATE, services: goods === 0 };
    const supplied = sold(category, worth(lines), terms, date);
    const made: Made = {
      ...{ kind, date, place, lines, total: supplied.total, owed: owes(supplied), who: 'trader', party: id, supplied },
      moves: moved(goodsOf(lines), place, date, -1),
      ...(kind !== 'cashSale' && { side: 'receivable' }),
    };
    const more = {
      ...(id !== undefined && { party: id }),
      accepted: ['placeOfSupplyChosen', 'serviceInRupees'].map((warning) => ({ warning, reason: 'An event there' })),
      ...(typed !== undefined && { placeOfSupply: typed }),
      ...(reverse && { reverseCharge: true }),
      ...(payment && { withPayment: true }),
      ...(named && { billTo: address(nobody ? OTHER : state) }),
      ...(nobody && worth(lines) >= NAMED_FROM && { partyName: 'Walk-in' }),
    };
    const problems =
      (kind === 'overseasSale' && category !== 'overseas') ||
      (category === 'deemedExport' && goods > 0 && goods < lines.length) ||
      (typed === ABROAD && (category !== 'overseas' || stays)) ||
      (reverse && !mayReverse(traits[category], lines)) ||
      (category === 'unregistered' && !named && worth(lines) >= NAMED_FROM);
    return posting(books, world, made, more, { problems });
  },
  buyFrom: (books, world, [a, b, c, d]) => {
    const kind = digit(b, 1, 4) === 0 ? 'overseasPurchase' : 'purchaseBill';
    const { id, category, state } = traderOf(world, 'supplier', a);
    const [date, place] = [dayOf(world, c), placeOf(d)];
    const lines = linesOf(c, d).map((l) => ({ ...l, quantity: l.quantity * 4 }));
    const typed = has(kind, 'placeOfSupply') ? pick(places, digit(b, 4, 5)) : undefined;
    const reverse = digit(b, 20, 3) === 0;
    // who charges no tax has no rate on the bill
    const rate = digit(b, 60, 5) === 0;
    const supplied = bought(category, state, worth(lines), {
      place: typed ?? OWN,
      reverse,
      payment: false,
      rate: RATE,
    });
    const reference = `T-${books.docs.length}-${a}`;
    const made: Made = {
      ...{ kind, date, place, lines, total: supplied.total, who: 'trader', party: id, supplied, reference },
      ...{ side: 'payable', moves: moved(goodsOf(lines), place, date, 1) },
    };
    const isAbroad = category === 'overseas';
    const services = lines.length > goodsOf(lines).length;
    const problems =
      (kind === 'overseasPurchase' && !isAbroad) ||
      (typed === ABROAD && !isAbroad) ||
      // no registration pays CGST and SGST of another state
      (reverse && typed !== undefined && typed !== OWN && supplied.cgst > 0) ||
      // tax on goods is paid at customs, on services under reverse charge (IGST Act section 5)
      (isAbroad && reverse && goodsOf(lines).length > 0) ||
      // goods from abroad are an overseas purchase
      (isAbroad && kind === 'purchaseBill' && goodsOf(lines).length > 0) ||
      (isAbroad && !reverse && services) ||
      // the recipient pays 5 % on transport by road, and its item bears another rate
      (!isAbroad && reverse && services) ||
      // who charges no tax has not chosen to pay that of transport
      (!isAbroad && !reverse && services && !traits[category].charges) ||
      (rate && !traits[category].charges && !reverse && !isAbroad);
    const more = {
      ...{ party: id, reference, referenceDate: date },
      ...(typed !== undefined && { placeOfSupply: typed }),
      // goods that no notification names, and those of a SEZ: the paper of the supplier decides, with a reason
      accepted: [
        'goodsFromZone',
        'placeOfPurchaseChosen',
        'abroadWithoutSection',
        ...(reverse ? ['reverseChargeOfGoodsBought'] : []),
      ].map((warning) => ({
        warning,
        reason: 'As the supplier wrote it',
      })),
      ...(reverse && { reverseCharge: true }),
      ...(rate && { lines: typedRate(world, lines, 28) }),
    };
    // a rate that its item does not have is wrong on whatever bill, and needs a reason there
    return posting(books, world, made, more, { problems: problems || (rate && (!isAbroad || reverse)) });
  },
  /** An expense on credit from a supplier or paid at once, also without a party. */
  spendOn: (books, world, [a, b, c, d]) => {
    const nobody = digit(b, 1, 6) === 0;
    const { id, category, state } = nobody
      ? ({ id: undefined, category: 'unregistered', state: OWN } as const)
      : traderOf(world, 'supplier', a);
    const [date, value] = [dayOf(world, c), (1 + digit(d, 1, 900)) * 100];
    const typed = pick(places, digit(b, 6, 5));
    const reverse = digit(b, 30, 3) === 0;
    const paid = nobody || digit(b, 90, 3) === 0;
    const numbered = digit(b, 270, 5) > 0;
    const isAbroad = category === 'overseas';
    const bears = traits[category].charges || reverse;
    // who charges no tax is not believed a rate
    const rated = bears || digit(c, 9, 4) === 0;
    const supplied = bought(category, state, value, { place: typed ?? OWN, reverse, payment: false, rate: RATE });
    const made: Made = {
      ...{ kind: 'expense', date, place: 'shop', lines: [], total: supplied.total, who: 'trader', party: id, supplied },
      ...(!paid && { side: 'payable' }),
    };
    const more = {
      ...(id !== undefined && { party: id }),
      ...(paid && { moneyLedger: world.ledgers.bank }),
      accepted: [
        'placeOfPurchaseChosen',
        'abroadWithoutSection',
        ...(reverse ? ['reverseChargeOfServicesBought'] : []),
      ].map((warning) => ({ warning, reason: 'As it was billed' })),
      ...(numbered && !nobody && { reference: `E-${books.docs.length}-${a}`, referenceDate: date }),
      ...(typed !== undefined && { placeOfSupply: typed }),
      ...(reverse && { reverseCharge: true }),
      lines: [{ ledger: world.ledgers.power, rate: String(value / 100), ...(rated && { gstRate: String(RATE) }) }],
    };
    const problems =
      (typed === ABROAD && !isAbroad) ||
      // no registration pays CGST and SGST of another state
      (reverse && typed !== undefined && typed !== OWN && supplied.cgst > 0) ||
      // IGST Act section 5(3): of services from abroad the recipient pays the tax
      (isAbroad && !reverse) ||
      (rated && !bears && !isAbroad) ||
      // rule 36: credit is taken on a document with a number
      (supplied.credit && traits[category].charges && !numbered);
    return posting(books, world, made, more, { problems });
  },
  /** A note or return about one of these, as it was taxed. */
  correct: (books, world, [a, b, c, d]) => {
    const direction = (['sold', 'bought'] as const)[digit(a, 1, 2)] ?? 'sold';
    const from = pick(suppliedBy(books, direction), digit(a, 2, 5000));
    const at = from && 1 + digit(b, 1, from.lines.length);
    const origin = from?.lines[(at ?? 1) - 1];
    if (!from?.supplied || !at || !origin || from.place === 'transit') return undefined;
    // one document is either sent back or has its price changed, so that each takes whole parts of it
    const isBack = books.docs.indexOf(from) % 2 === 0;
    const kind = isBack ? notes[direction][0] : (notes[direction][1 + digit(b, 4, 2)] ?? notes[direction][1]);
    const { supplied } = from;
    const date = dayOf(world, c);
    const cut = isPriceNote(kind);
    const isCut = cut && cuts[kind];
    const left = priceLeft(books, from, at);
    // a part, all of it, or a rupee too much
    const rupees = [1 + digit(d, 1, 40), left / 100, left / 100 + 1][digit(d, 40, 5)] ?? 1 + digit(d, 1, 9);
    const lines: Line[] = cut
      ? [{ item: origin.item, quantity: 1, rate: rupees }]
      : [{ ...origin, quantity: 1 + digit(d, 1, 3), source: { doc: from, line: at } }];
    const value = worth(lines);
    const whole = worth(from.lines);
    const share = (amount: number): number => (amount === 0 ? 0 : (value * amount) / whole);
    const heads = { cgst: share(supplied.cgst), sgst: share(supplied.sgst), igst: share(supplied.igst) };
    const total = value + (supplied.charged ? taxOf(heads) : 0);
    const back = kind !== 'saleDebitNote' && kind !== 'purchaseDebitNote';
    const noted: Supplied = { ...supplied, ...heads, total, back, isNote: true };
    const sign = direction === 'sold' ? 1 : -1;
    const nobody = from.party === undefined;
    const party = from.party ?? traderOf(world, 'customer', b).id;
    const reference = `N-${books.docs.length}-${a}`;
    const made: Made = {
      ...{ kind, date, place: from.place, lines, total, owed: owes(noted), side: sideOf(kind), who: 'trader' },
      ...{ party, supplied: noted, moves: cut ? [] : moved(goodsOf(lines), from.place, date, sign) },
      ...(cut && { cut: { doc: from, line: at, amount: isCut ? value : -value } }),
      on: from,
    };
    const others = world.traders.filter(
      (t) => t.side === (direction === 'sold' ? 'customer' : 'supplier') && t.id !== party,
    );
    const another = pick(others, b) ?? others[0];
    const strange = pick<object>(
      [
        ...(has(kind, 'reverseCharge') ? [{ reverseCharge: !supplied.reverse }] : []),
        ...(has(kind, 'withPayment') ? [{ withPayment: !supplied.payment }] : []),
        ...(has(kind, 'placeOfSupply') ? [{ placeOfSupply: supplied.place === OWN ? OTHER : OWN }] : []),
        { fields: { originalNumber: 'OLD/1', originalDate: from.date } },
        ...(nobody ? [] : [{ party: another?.id }]),
      ],
      digit(c, 9, 5),
    );
    const isStrange = digit(c, 50, 5) === 0;
    const wire = [
      {
        item: world.items[origin.item],
        ...{ quantity: String(lines[0]?.quantity), source: { document: from.id, line: at } },
        ...(cut && { rate: String(rupees) }),
      },
    ];
    const more = {
      ...{ party, against: from.id, reason: '01', lines: wire },
      ...(cut && direction === 'bought' && { reference, referenceDate: date }),
      ...(isStrange && strange),
    };
    const problems =
      isStrange ||
      date < from.date ||
      (!cut && (lines[0]?.quantity ?? 0) > leftOf(books, from, at)) ||
      (cut && from.kind === 'cashSale');
    return posting(
      books,
      world,
      made,
      more,
      { problems, alreadyCancelled: from.cancelled, sourceExceeded: isCut && value > left },
      (doc) => {
        const amount = Math.min(from.open, doc.open);
        if (back && amount > 0) settle(books, doc, from, amount);
      },
    );
  },
  /** A note whose original was issued before these books: its number and date are typed. */
  original: (books, world, [a, b, c, d]) => {
    const direction = (['sold', 'bought'] as const)[digit(a, 1, 2)] ?? 'sold';
    const kind = pick(notes[direction], digit(a, 2, 3)) ?? notes[direction][0];
    const { id, category, state } = traderOf(world, direction === 'sold' ? 'customer' : 'supplier', digit(a, 6, 1000));
    const [date, place] = [dayOf(world, c), placeOf(d)];
    const cut = isPriceNote(kind);
    const lines = linesOf(c, d).map((l) => ({ ...l, quantity: cut ? 1 : l.quantity }));
    const trait = traits[category];
    const day = addDays(date, [-30, -400, -700, -1200, 0, 1][digit(b, 1, 6)] ?? -30);
    const reverse = digit(b, 6, 4) === 0;
    const typed = has(kind, 'placeOfSupply') ? pick(places, digit(b, 48, 5)) : undefined;
    const payment = mayPayTax(category, typed) && has(kind, 'withPayment') && digit(b, 24, 2) === 0;
    const old = digit(c, 9, 3) === 0;
    const rate = old ? ABOLISHED.rate : RATE;
    const withoutTax = has(kind, 'withoutTax') && digit(c, 27, 4) === 0;
    const usual = direction === 'sold' ? (category === 'overseas' ? ABROAD : state) : OWN;
    const services = goodsOf(lines).length === 0;
    const terms = { place: typed ?? usual, reverse, payment, rate, services };
    const full =
      direction === 'sold' ? sold(category, worth(lines), terms, date) : bought(category, state, worth(lines), terms);
    const back = kind !== 'saleDebitNote' && kind !== 'purchaseDebitNote';
    const bare = withoutTax ? { ...none, charged: false, refunded: false, total: worth(lines) } : {};
    const supplied: Supplied = { ...full, ...bare, back, isNote: true };
    const booked = pick(
      books.docs.filter(
        (doc) =>
          doc.lines.length > 0 &&
          doc.supplied?.direction === direction &&
          (direction === 'sold' || (doc.party === id && !doc.supplied.isNote)),
      ),
      digit(d, 5, 1000),
    );
    const known = digit(d, 1, 5) === 0 ? booked : undefined;
    const numbers = ['OLD/77', 'OLD-78', '12345678901234567', ''];
    const number = known ? known.number : (numbers[Math.max(0, digit(c, 108, 8) - 4)] ?? 'OLD/77');
    const dated = digit(c, 900, 8) === 0 ? '' : (known?.date ?? day);
    const returns = kind === 'saleReturn' || kind === 'purchaseReturn';
    const isSaid = digit(d, 7, 6) > 0;
    const level = digit(d, 42, 6) === 0 ? 5001 : 5003;
    const sign = direction === 'sold' ? 1 : -1;
    const reference = `O-${books.docs.length}-${a}`;
    const made: Made = {
      ...{ kind, date, place, lines, total: supplied.total, owed: owes(supplied), side: sideOf(kind), who: 'trader' },
      ...{ party: id, supplied, moves: returns ? moved(goodsOf(lines), place, date, sign) : [] },
    };
    const dollars = digit(d, 252, 12) === 0 && category !== 'overseas';
    const more = {
      ...{ party: id, reason: '01', fields: { originalNumber: number, originalDate: dated } },
      lines: old ? typedRate(world, lines, ABOLISHED.rate) : typedRate(world, lines),
      ...(typed !== undefined && { placeOfSupply: typed }),
      ...(reverse && { reverseCharge: true }),
      ...(payment && { withPayment: true }),
      ...(withoutTax && { withoutTax: true }),
      ...(!returns && direction === 'bought' && { reference, referenceDate: date }),
      accepted: [...ofOriginals, ...(returns && isSaid ? ['returnWithoutSource'] : [])].map((warning) => ({
        ...{ warning, reason: 'Before these books' },
      })),
      ...(dollars && { currency: 'USD', exchangeRate: '80' }),
    };
    const isAbroad = category === 'overseas';
    const goods = goodsOf(lines).length > 0;
    const takesTax = taxOf(supplied) > 0;
    const problems =
      number === '' ||
      dated === '' ||
      known !== undefined ||
      (number.length > 16 && (direction === 'sold' || trait.registered)) ||
      dated > date ||
      (returns && !isSaid) ||
      dollars ||
      // a price rise is with GST, unless it is about a note without GST
      (withoutTax && !back) ||
      (typed === ABROAD && !isAbroad) ||
      // section 34(2): later than this a note of ours takes back no tax
      (direction === 'sold' && back && takesTax && date > lastDay(dated)) ||
      (direction === 'sold' && reverse && (trait.neverReverse ?? false)) ||
      (direction === 'bought' && !back && isAbroad && (reverse ? goods : lines.some((l) => !isGoods(l)))) ||
      // the rate is that of the day of the original, where there is one
      (old && !withoutTax && (direction === 'sold' || trait.charges || reverse) && dated > ABOLISHED.until) ||
      (old && !withoutTax && direction === 'bought' && !trait.charges && !reverse && !isAbroad);
    const step = posting(books, world, made, more, { problems });
    if (level === 5001 && returns) return { ...step, level, refused: ['returnWithoutSource'] };
    return { ...step, level };
  },
} as const satisfies Readonly<Record<string, Plan>>;

/** The lines as they are sent, with a rate of tax typed. */
const typedRate = ({ items }: World, lines: readonly Line[], rate?: number) =>
  lines.map((l) => ({
    item: items[l.item] ?? '',
    ...{ quantity: String(l.quantity), rate: String(l.rate) },
    ...(rate !== undefined && { gstRate: String(rate) }),
  }));
