import { type Millionths, millionths, ONE } from '../base/decimal.ts';
import { minus, type Paise, paise, scale, sum, zero } from '../base/money.ts';
import { takesAway } from '../document/adjusting.ts';
import type { Draft, Entry, Id, Priced, PricedLine } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';
import { dutyOf } from '../stock/landing.ts';
import { creditSum, noCredit } from '../tax/credit-lost.ts';
import { type AccountTraits, accountEffect } from './accounts.ts';
import type { LedgerCurrencies } from './currency-ledgers.ts';
import type { Effect, Ledgers } from './effects.ts';
import { costsAreAdjustments } from './legs.ts';
import { ledgerOf } from './line-effects.ts';

export type Side = 'debit' | 'credit';
/** One leg of a T-account: which side, and which part of the document goes there. */
export type Leg = readonly [side: Side, part: Part];
export type Rule = readonly Leg[];

/** What a posting needs beside the priced document; loaded under lock on the server. */
export interface PostingContext {
  readonly ledgers: Ledgers;
  readonly draft: Draft;
  readonly priced: Priced;
  readonly lineEffect: Kind['books']['lineEffect'];
  readonly party?: {
    readonly id: Id;
    readonly overseas: boolean;
    readonly taxed: boolean;
    readonly sez: boolean;
    /** Decides the ledger of its account: by what the party is today, even where the document has its earlier particulars. */
    readonly account: AccountTraits;
  };
  readonly ownComposition: boolean;
  readonly perpetual: boolean;
  /** Cost of the stock movement of each line, by line number; positive. Only perpetual books post it. */
  readonly costs: ReadonlyMap<number, Paise>;
  /**
   * A cost that is booked after its goods came in: what a duty adds to them, by line of their bill, or what a note on their price
   * changes, by line of the note. `costs` has the part of it that falls on goods still in stock.
   */
  readonly landed?: ReadonlyMap<number, Paise>;
  /** Amounts settled, in the currency of the document: each with the rate at which the other document was booked, or its rupees. */
  readonly settled: readonly { readonly amount: Paise; readonly rate: Millionths; readonly booked?: Paise }[];
  /** The rupees at which the advance was booked that this document applies. */
  readonly usedUp?: Paise;
  /** The rupees by which a note at another rate reduces the account more than its own value. */
  readonly exchangeOnNote?: Paise;
  readonly tdsEffect: Effect;
  readonly currencies?: LedgerCurrencies;
}

interface Slice {
  readonly ledger: Id;
  readonly amount: Paise;
  readonly party?: Id;
  readonly costCentre?: Id;
  readonly foreign?: Paise;
  /** Of the foreign amount, where it is not the document's. */
  readonly currency?: string;
  /** Written by hand: stays an entry of its own. */
  readonly alone?: true;
}
type PartOf = (c: PostingContext) => readonly Slice[];

/** A return posts what the original posted, on the other side. */
export const reversed = (rule: Rule): Rule => rule.map(([side, part]) => [opposite(side), part]);
const opposite = (side: Side): Side => (side === 'debit' ? 'credit' : 'debit');

/** The entries that undo these: the same ledgers and amounts on the other side. */
export const mirror = (entries: readonly Entry[]): Entry[] =>
  entries.map((e) => ({ ...e, debit: e.credit, credit: e.debit }));

/** Where the cost of a document's goods goes beside the stock: what it costs more or less later goes there too. */
export const costEffect = (kind: Kind | undefined): Effect =>
  kind && costsAreAdjustments(kind) ? 'stockAdjustment' : 'cogs';

/** Entries of a document in whole paise; they balance, or the rule is wrong and nothing is posted. */
export function post(kind: Kind, context: PostingContext): Entry[] {
  const rule =
    context.perpetual && kind.books.perpetual ? [...kind.books.posting, ...kind.books.perpetual] : kind.books.posting;
  const gathered = new Map<string, Entry>();
  for (const [side, part] of rule) {
    const slices: readonly Slice[] = parts[part](context);
    for (const slice of slices) {
      if (slice.amount === 0) continue;
      const actual = slice.amount < 0 ? opposite(side) : side;
      const place = `${actual}|${slice.ledger}|${slice.party ?? ''}|${slice.costCentre ?? ''}`;
      const key = slice.alone ? `${gathered.size}|${place}` : place;
      gathered.set(key, joined(gathered.get(key), slice, actual, context.draft));
    }
  }
  const entries = [...gathered.values()];
  const gap = entries.reduce((t, e) => t + e.debit - e.credit, 0);
  if (gap !== 0) throw new Error(`${kind.label}: posting out by ${gap} paise`); // a bug in a rule, never the user's fault
  return entries;
}

/** A slice as an entry, together with others on the same ledger and side. Amounts are never negative, nor foreign ones. */
function joined(before: Entry | undefined, slice: Slice, side: Side, draft: Draft): Entry {
  const amount = Math.abs(slice.amount);
  const costCentre = slice.costCentre ?? draft.costCentre;
  return {
    ledger: slice.ledger,
    debit: side === 'debit' ? paise((before?.debit ?? 0) + amount) : zero,
    credit: side === 'credit' ? paise((before?.credit ?? 0) + amount) : zero,
    registration: draft.registration,
    location: draft.location,
    ...(slice.party !== undefined && { party: slice.party }),
    ...(costCentre !== undefined && { costCentre }),
    ...(slice.currency !== undefined &&
      slice.foreign !== undefined &&
      slice.foreign > 0 && {
        currency: slice.currency,
        foreign: slice.foreign,
        exchangeRate: millionths(scale(amount, ONE, slice.foreign)),
      }),
    ...(slice.currency === undefined &&
      slice.foreign !== undefined &&
      draft.currency !== 'INR' && {
        currency: draft.currency,
        foreign: paise((before?.foreign ?? 0) + Math.abs(slice.foreign)),
        exchangeRate: draft.exchangeRate,
      }),
  };
}

const base = (amount: Paise, c: { readonly draft: Draft }): Paise =>
  c.draft.currency === 'INR' ? amount : scale(amount, c.draft.exchangeRate, ONE);
const one = (c: PostingContext, effect: Effect, amount: Paise): Slice[] => [{ ledger: c.ledgers[effect], amount }];

/** A person without a party record has the ledger of registered parties. */
const nobody: AccountTraits = { category: 'registered', microSmall: false };
const ofParty = (c: PostingContext, side: 'customer' | 'supplier', amount: Paise, foreign?: Paise): Slice[] => [
  {
    ledger: c.ledgers[accountEffect(side, c.party?.account ?? nobody)],
    amount,
    ...(c.party && { party: c.party.id }),
    ...(foreign !== undefined && { foreign }),
  },
];

const centre = (line: { readonly costCentre?: Id }) =>
  line.costCentre === undefined ? {} : { costCentre: line.costCentre };
const lineTax = (line: PricedLine): Paise => sum([line.cgst, line.sgst, line.igst, line.cess]);
const heads = ['cgst', 'sgst', 'igst', 'cess'] as const;
const taxes = (c: PostingContext, prefix: 'output' | 'input' | 'reverse', lines: readonly PricedLine[]): Slice[] =>
  heads.map((head) => ({
    ledger: c.ledgers[`${prefix}${head.charAt(0).toUpperCase()}${head.slice(1)}` as Effect],
    amount: sum(lines.map((l) => l[head])),
  }));

/** A bought line costs its value and the tax that gives no credit. */
export const lineCost = (line: PricedLine): Paise =>
  line.creditBlocked ? sum([line.value, lineTax(line)]) : line.value;

/** How much of what a line adds to goods of a bill, or takes off them, is in stock, in perpetual books. */
const landedCost = (line: PricedLine, c: PostingContext): Paise | undefined =>
  c.perpetual && c.landed?.has(line.number) ? (c.costs.get(line.number) ?? zero) : undefined;

/** What the stock balance says the goods of a line cost, in perpetual books; undefined when the line moves no stock. */
const stockCostOfLine = (line: PricedLine, c: PostingContext): Paise | undefined =>
  c.perpetual && line.stocked ? c.costs.get(line.number) : undefined;

const settledBase = (c: PostingContext): Paise => {
  const whole = moneySettled(c);
  const allocated = sum(c.settled.map((s) => s.amount));
  const booked = sum(c.settled.map((s) => s.booked ?? scale(s.amount, s.rate, ONE)));
  return sum([booked, base(paise(whole - allocated), c)]);
};
/** What a receipt or payment takes off the party's account, in the document's currency. */
export const moneySettled = ({ draft }: { readonly draft: Draft }): Paise =>
  sum([
    draft.amount ?? zero,
    draft.tdsAmount ?? zero,
    draft.gstTdsAmount ?? zero,
    draft.discountAmount ?? zero,
    draft.writeOff ?? zero,
  ]);
const chargesTax = (c: { readonly draft: Draft }): Paise =>
  scale(c.draft.bankCharges ?? zero, c.draft.bankChargesGstRate ?? 0, 2 * ONE);
/** What a bank moves of the document's currency: it keeps, or takes, its charges in that too. */
const moved = (c: PostingContext, sign: 1 | -1): { readonly foreign?: Paise } => {
  const { amount, exchangeRate } = c.draft;
  if (amount === undefined) return {};
  const charges = sum([c.draft.bankCharges ?? zero, chargesTax(c), chargesTax(c)]);
  return { foreign: paise(amount + (charges === 0 ? 0 : sign * scale(charges, ONE, exchangeRate))) };
};
/** What a written line moves of the currency of its ledger. */
const inOwnCurrency = (
  c: PostingContext,
  ledger: Id,
  foreign: Paise | undefined,
): Pick<Slice, 'foreign' | 'currency'> => {
  const currency = c.currencies?.get(ledger);
  return foreign === undefined || currency === undefined ? {} : { foreign, currency };
};
/** What a receipt brings to the bank in rupees, after what the bank keeps of it. */
export const bankReceived = (draft: Draft): Paise => {
  const c = { draft };
  return paise(base(draft.amount ?? zero, c) - (draft.bankCharges ?? 0) - 2 * chargesTax(c));
};
/** What the bank takes for a payment beside it, with its tax: it leaves the bank as well. */
export const chargesOf = (draft: Draft): Paise => paise((draft.bankCharges ?? 0) + 2 * chargesTax({ draft }));
const moneyLedger = (c: PostingContext): Id => c.draft.moneyLedger ?? c.ledgers.bank;
/** What was paid and kept back, each in rupees at the rate of the day: rounded one by one, as they are booked. */
export const moneyWorth = (c: { readonly draft: Draft }): Paise =>
  sum(
    (['amount', 'tdsAmount', 'gstTdsAmount', 'discountAmount', 'writeOff'] as const).map((name) =>
      base(c.draft[name] ?? zero, c),
    ),
  );
/** An advance in rupees: each part at the rate of the day, or, when it is applied, what it was booked at. */
const advanceBase = (c: PostingContext): Paise =>
  c.usedUp ?? sum([base(c.draft.amount ?? zero, c), base(c.draft.tdsAmount ?? zero, c)]);
const onApplied = (c: PostingContext): Paise => paise(settledBase(c) - advanceBase(c));
const backOnAdvance = (c: PostingContext): Paise => paise(advanceBase(c) - moneyWorth(c));
/** What the party owes in the document's currency, with tax abroad. */
export const foreignOwed = ({ foreignTotal, vat }: Priced): Paise => sum([foreignTotal, vat?.foreign ?? zero]);
const onAccount = (c: PostingContext): Paise => sum([c.priced.payable, c.exchangeOnNote ?? zero]);
const exchange = (c: PostingContext): Paise => paise(settledBase(c) - moneyWorth(c));
/** A difference of exchange on the debit side: a positive one is a loss, a negative one changes sides and is a gain. */
const onDebit = (c: PostingContext, amount: Paise): Slice[] => one(c, amount > 0 ? 'fxLoss' : 'fxGain', amount);
/** The same on the credit side: a positive one is a gain. */
const onCredit = (c: PostingContext, amount: Paise): Slice[] => one(c, amount > 0 ? 'fxGain' : 'fxLoss', amount);

/** The parts a leg may name. Each turns a document into slices of (ledger, amount); a negative slice changes sides. */
const parts = {
  receivable: (c) => ofParty(c, 'customer', onAccount(c), foreignOwed(c.priced)),
  payable: (c) => ofParty(c, 'supplier', onAccount(c), c.priced.foreignTotal),
  /** An expense is due to its supplier, or was paid at once. */
  payableOrPaid: (c) =>
    c.draft.moneyLedger
      ? [{ ledger: c.draft.moneyLedger, amount: c.priced.payable }]
      : ofParty(c, 'supplier', c.priced.payable, c.priced.foreignTotal),
  /** What a customer still owes of a sale that was paid on the spot otherwise. */
  onAccount: (c) => (c.draft.onAccount ? ofParty(c, 'customer', c.draft.onAccount) : []),
  /** What the tenders do not cover, or give back, is cash. */
  tenders: (c) => {
    const tenders = c.draft.tenders ?? [];
    const rest = paise(c.priced.payable - (c.draft.onAccount ?? 0) - sum(tenders.map((t) => t.amount)));
    return [...tenders, { ledger: c.draft.moneyLedger ?? c.ledgers.cash, amount: rest }].map(({ ledger, amount }) => ({
      ledger,
      amount,
    }));
  },
  income: (c) =>
    c.priced.lines.map((l) => ({
      ledger: ledgerOf(l, c),
      amount: paise(l.value - l.chargeShare),
      ...centre(l),
    })),
  reduction: (c) =>
    c.priced.lines.flatMap((l): Slice[] => {
      const [amount, inStock] = [lineCost(l), landedCost(l, c)];
      // a price cut of goods: what was sold of them has cost less
      if (inStock !== undefined) return [...one(c, 'stock', inStock), ...one(c, 'cogs', paise(amount - inStock))];
      return [{ ledger: ledgerOf(l, c), amount, ...centre(l) }];
    }),
  charges: (c) => c.priced.charges.map((x) => ({ ledger: x.ledger ?? c.ledgers.charges, amount: x.amount })),
  adjustments: (c) =>
    (c.priced.adjustments ?? []).map((x) => ({ ledger: x.ledger ?? c.ledgers.charges, amount: x.amount })),
  outputTax: (c) => (c.priced.taxCharged ? taxes(c, 'output', c.priced.lines) : []),
  /** Export with payment: the buyer owes no tax, the government refunds it. */
  refundTax: (c) =>
    c.priced.supplyType === 'EXPWP' && c.priced.taxCharged ? one(c, 'gstRefund', sum(c.priced.lines.map(lineTax))) : [],
  roundOff: (c) => one(c, 'roundOff', c.priced.roundOff),
  tcs: (c) => one(c, 'tcsPayable', c.priced.tcs),
  vat: (c) => one(c, 'vatAbroad', c.priced.vat?.amount ?? zero),
  tcsPaid: (c) => one(c, 'tcsReceivable', c.priced.tcs),
  tds: (c) => one(c, c.tdsEffect, c.priced.tds),
  purchases: (c) =>
    c.priced.lines.flatMap((l): Slice[] => {
      const amount = lineCost(l);
      const cost = landedCost(l, c) ?? stockCostOfLine(l, c);
      // goods that cover negative stock cost what was sold ahead of them
      if (cost !== undefined) return [...one(c, 'stock', cost), ...one(c, 'cogs', paise(amount - cost))];
      return [{ ledger: ledgerOf(l, c), amount, ...centre(l) }];
    }),
  inputTax: (c) =>
    taxes(
      c,
      'input',
      c.priced.lines.filter((l) => !l.creditBlocked),
    ),
  reverseTax: (c) => (c.draft.reverseCharge ? taxes(c, 'reverse', c.priced.lines) : []),
  /** Goods sent back leave the stock at their cost; what the supplier credits beside that is a difference of stock. */
  purchaseReturned: (c) =>
    c.priced.lines.flatMap((l): Slice[] => {
      const credited = lineCost(l);
      const cost = stockCostOfLine(l, c);
      if (cost === undefined) return [{ ledger: ledgerOf(l, c), amount: credited, ...centre(l) }];
      return [...one(c, 'stock', cost), ...one(c, 'stockAdjustment', paise(credited - cost))];
    }),
  cost: (c) => one(c, 'cogs', sum(c.costs.values())),
  stockCost: (c) => one(c, 'stock', sum(c.costs.values())),
  openingStock: (c) =>
    c.priced.lines.flatMap((l) => {
      const cost = stockCostOfLine(l, c) ?? l.value;
      return [...one(c, 'stock', cost), ...one(c, 'cogs', paise(l.value - cost))];
    }),
  openingDifference: (c) => one(c, 'openingDifference', c.priced.value),
  stockChange: (c) => one(c, 'stock', signedCosts(c)),
  adjustment: (c) => one(c, 'stockAdjustment', signedCosts(c)),
  /** Credit that goods lose is part of what their loss costs (section 17(5)(h)). */
  creditLost: (c) => one(c, 'stockAdjustment', creditSum(c.draft.creditReversed ?? noCredit)),
  creditReversed: (c) => {
    const { cgst, sgst, igst, cess } = c.draft.creditReversed ?? noCredit;
    return [
      ...one(c, 'inputCgst', cgst),
      ...one(c, 'inputSgst', sgst),
      ...one(c, 'inputIgst', igst),
      ...one(c, 'inputCess', cess),
    ];
  },
  bank: (c) => [
    {
      ledger: moneyLedger(c),
      amount: bankReceived(c.draft),
      ...moved(c, -1),
    },
  ],
  bankOut: (c) => [
    {
      ledger: moneyLedger(c),
      amount: paise(base(c.draft.amount ?? zero, c) + chargesOf(c.draft)),
      ...moved(c, 1),
    },
  ],
  /** The bank and we are taken to be in one state. Without a regular registration its tax is part of the charge. */
  bankCharges: (c) => {
    const tax = chargesTax(c);
    const charge = c.draft.bankCharges ?? zero;
    if (c.ownComposition) return one(c, 'bankCharges', sum([charge, tax, tax]));
    return [...one(c, 'bankCharges', charge), ...one(c, 'inputCgst', tax), ...one(c, 'inputSgst', tax)];
  },
  tdsReceived: (c) => one(c, 'tdsReceivable', base(c.draft.tdsAmount ?? zero, c)),
  gstTdsReceived: (c) => one(c, 'gstTdsReceivable', base(c.draft.gstTdsAmount ?? zero, c)),
  discountAllowed: (c) => one(c, 'discountAllowed', base(c.draft.discountAmount ?? zero, c)),
  discountReceived: (c) => one(c, 'discountReceived', base(c.draft.discountAmount ?? zero, c)),
  writtenOff: (c) => one(c, 'badDebt', base(c.draft.writeOff ?? zero, c)),
  writtenBack: (c) => one(c, 'writeBack', base(c.draft.writeOff ?? zero, c)),
  tdsPaid: (c) => one(c, c.tdsEffect, base(c.draft.tdsAmount ?? zero, c)),
  settledReceivable: (c) => ofParty(c, 'customer', settledBase(c), moneySettled(c)),
  settledPayable: (c) => ofParty(c, 'supplier', settledBase(c), moneySettled(c)),
  /** Received less than booked is a loss, paid more than booked is one too; given back for less is a gain. */
  exchangeOnReceipt: (c) => onDebit(c, exchange(c)),
  exchangeOnPayment: (c) => onCredit(c, exchange(c)),
  exchangeOnRefund: (c) => onCredit(c, exchange(c)),
  exchangeOnAdvanceBack: (c) => onCredit(c, backOnAdvance(c)),
  advanceReceived: (c) => advance(c, 'advanceCustomer'),
  advancePaid: (c) => advance(c, 'advanceSupplier'),
  advanceTax: (c) => one(c, 'gstOnAdvances', sum(c.priced.lines.map(lineTax))),
  appliedReceivable: (c) => ofParty(c, 'customer', settledBase(c), moneySettled(c)),
  appliedPayable: (c) => ofParty(c, 'supplier', settledBase(c), moneySettled(c)),
  /** The amount of a note on the party's account, at the rate of its document. */
  exchangeOnSaleNote: (c) => onDebit(c, c.exchangeOnNote ?? zero),
  exchangeOnPurchaseNote: (c) => onCredit(c, c.exchangeOnNote ?? zero),
  /** An advance settles a document at what that was booked at; an advance of another rate gained or lost meanwhile. */
  exchangeOnReceived: (c) => onDebit(c, onApplied(c)),
  exchangeOnPaid: (c) => onCredit(c, onApplied(c)),
  written: (c) =>
    c.draft.lines.flatMap((l) =>
      l.ledger
        ? [
            {
              ledger: l.ledger,
              amount: paise((l.debit ?? 0) - (l.credit ?? 0)),
              alone: true as const,
              ...centre(l),
              ...(l.party !== undefined && { party: l.party }),
              ...inOwnCurrency(c, l.ledger, l.foreign),
            },
          ]
        : [],
    ),
  /** The difference of opening balances has its own ledger until it is zero. */
  openingGap: (c) =>
    one(c, 'openingDifference', paise(c.draft.lines.reduce((t, l) => t + (l.debit ?? 0) - (l.credit ?? 0), 0))),
  /** Duty is part of the cost of its goods: in stock, or of those that were sold before it came. */
  customsDuty: (c) => {
    const duty = dutyOf(c.draft, !c.ownComposition);
    const landed = c.perpetual ? sum([...(c.landed ?? new Map()).values()]) : zero;
    const inStock = c.perpetual ? sum(c.costs.values()) : zero;
    return [
      ...one(c, 'customsDuty', paise(duty - landed)),
      ...one(c, 'stock', inStock),
      ...one(c, 'cogs', paise(landed - inStock)),
    ];
  },
  customsTax: (c) => (c.ownComposition ? [] : one(c, 'inputIgst', c.draft.customs?.igst ?? zero)),
  customsPayable: (c) => {
    const { basic = zero, surcharge = zero, igst = zero } = c.draft.customs ?? {};
    return one(c, 'customsPayable', sum([basic, surcharge, igst]));
  },
  // within one registration a transfer is no supply, and the books see nothing of it
  interBranch: (c) => (c.priced.supply === 'none' ? [] : one(c, 'interBranch', c.priced.total)),
  /** A pair with `interBranch` in the balance sheet: goods that stay in the business are no income and no expense. */
  branchTransfer: (c) =>
    c.priced.supply === 'none' ? [] : one(c, 'branchTransfer', sum(c.priced.lines.map(({ value }) => value))),
  /** The tax of goods that came from a branch on which no credit is taken: the goods are in stock at what they cost. */
  transferTaxLost: (c) =>
    one(c, c.perpetual ? 'cogs' : 'purchaseExempt', sum(c.priced.lines.filter((l) => l.creditBlocked).map(lineTax))),
} satisfies Record<string, PartOf>;

export type Part = keyof typeof parts;

const advance = (c: PostingContext, effect: Effect): Slice[] => [
  {
    ledger: c.ledgers[effect],
    amount: advanceBase(c),
    ...(c.party && { party: c.party.id }),
    foreign: sum([c.draft.amount ?? zero, c.draft.tdsAmount ?? zero]),
  },
];
/** Costs of an adjustment with the sign of each line's change. */
const signedCosts = (c: PostingContext): Paise =>
  sum(
    c.priced.lines.map((l) => {
      const cost = c.costs.get(l.number) ?? zero;
      return takesAway(c.draft.lines[l.number - 1]?.delta) ? minus(cost) : cost;
    }),
  );
