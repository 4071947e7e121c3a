import { HUNDRED_PERCENT, type Millionths, millionths, ONE, type Percent, percent } from '../base/decimal.ts';
import { type Paise, paise, scale, zero } from '../base/money.ts';
import type { Said } from '../base/say.ts';
import type { AccountTraits } from '../books/accounts.ts';
import type { Control } from '../books/controls.ts';
import type { LedgerCurrencies } from '../books/currency-ledgers.ts';
import type { Effect, Ledgers } from '../books/effects.ts';
import type { LedgerSeen, LedgerTax, Nature } from '../books/ledger-uses.ts';
import { moneySettled } from '../books/posting.ts';
import type { Locks } from '../books/registers.ts';
import { type ItemPrices, itemPrice } from '../items/item-price.ts';
import type { ShelfLife } from '../stock/shelf-life.ts';
import { inBase, itself, type Measure, priceIn, type UnitRatio } from '../stock/units.ts';
import { type AdvanceFacts, partOfAdvance, usesAdvance } from '../tax/advances.ts';
import type { BoughtTax } from '../tax/credit-lost.ts';
import { isServiceCode } from '../tax/gst/rates/rates.ts';
import { isRetailValued } from '../tax/gst/rates/retail-valued.ts';
import type { OwnEnd } from '../tax/gst/registration/own-places.ts';
import { isForAnother, isTaxOfAnotherState } from '../tax/gst/registration/place.ts';
import { hasGst, isRegular, type Status, type Stop } from '../tax/gst/registration/registered.ts';
import type { TaxpayerStatus } from '../tax/gst/registration/taxpayer.ts';
import { type AnnualReturns, isCreditBarred } from '../tax/gst/returns/time-limits.ts';
import { saudiVatRate } from '../tax/saudi-vat.ts';
import type { TdsBefore } from '../tax/withheld.ts';
import type { Limits } from './checks/limits.ts';
import type {
  Day,
  Draft,
  DraftCharge,
  DraftLine,
  GstCategory,
  Id,
  Pricing,
  PricingLine,
  RegistrationKind,
  StateCode,
  TcsCollected,
  TdsTaken,
  Treatment,
} from './document.ts';
import { correctsSource, kindCalled, takesBack } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';
import { withPartyThen } from './party-then.ts';
import { supplyOfPricing } from './price.ts';
import {
  bearsTaxOf,
  dayOfInvoice,
  expenseLedgerOf,
  hasPriceOfSource,
  type OwnLedger,
  originalOf,
  type SourceDocument,
  type SourceLine,
  sourceIds,
  sourceKey,
  withSources,
} from './sources.ts';
import type { Switches } from './switches.ts';

export interface PartyFacts {
  readonly id: Id;
  readonly name: string;
  readonly category: GstCategory;
  /** Today, where `category` is that of the document which is corrected: its account stands where it belongs today. */
  readonly categoryNow?: GstCategory;
  readonly state: StateCode;
  readonly country: string;
  readonly gstin: string | null;
  readonly hasPan: boolean;
  /** The fourth letter of the PAN, which says what its holder is; left out without a PAN. */
  readonly holder?: string;
  readonly microSmall: boolean;
  readonly creditDays: number;
  /** The section under which tax is usually deducted from what they are paid. */
  readonly tdsSection?: string;
  /** Whether the master of the party has an address. */
  readonly hasAddress: boolean;
  /** The billing address of the party's master. */
  readonly address?: PartyAddress | null;
  /** Nothing new is made with them. */
  readonly retired?: true;
  /** What the register said of the GSTIN when it was asked last; the server knows it. */
  readonly register?: { readonly status: TaxpayerStatus; readonly cancelledOn: Day | null } | null;
}

export interface PartyAddress {
  readonly line1?: string;
  readonly city?: string;
  readonly state?: string;
  readonly pincode?: string;
}

export interface ItemFacts {
  readonly id: Id;
  readonly sku: string;
  readonly name: string;
  readonly service: boolean;
  readonly stocked: boolean;
  readonly hsn: string;
  readonly unit: string;
  /** What each unit it can be counted in is of its own. */
  readonly units: Readonly<Record<string, UnitRatio>>;
  readonly treatment: Treatment;
  readonly gstRate: Percent;
  readonly cessRate: Percent;
  readonly cessPerUnit: Paise;
  readonly retailPrice: Paise | null;
  readonly saleRate: Millionths | null;
  readonly purchaseRate: Millionths | null;
  readonly incomeLedger: Id | null;
  /** That shows no revenue from operations; the server knows it. */
  readonly offRevenue?: true;
  readonly expenseLedger: Id | null;
  readonly creditBlocked: boolean;
  readonly scrap: boolean;
  /** Kept in batches, or by serial number: each movement says which. */
  readonly batched?: boolean;
  readonly serialised?: boolean;
  /** Keeps for a time only: its batches expire. */
  readonly shelfLife?: ShelfLife | null;
  /** Has variants: those are bought, sold and counted, never the item itself. */
  readonly template?: boolean;
  /** Nothing new is made with it. */
  readonly retired?: true;
}

export { type SourceLine, sourceKey } from './sources.ts';

/** What a draft refers to, looked up: by the server in the books, by the browser in what the server sent. */
export interface Facts {
  readonly own: {
    readonly registration: Id;
    readonly state: StateCode;
    readonly kind: RegistrationKind;
    readonly gstin?: string | null;
    /** GSTINs of the organisation's other registrations. */
    readonly others?: readonly string[];
    /** Its status on other days: `kind` is that of the document's. */
    readonly history?: Status;
    /** It is suspended or cancelled on the document's day. */
    readonly stop?: Stop | undefined;
    /** When its annual returns were filed, by financial year. */
    readonly annualReturns?: AnnualReturns;
    /** Digits of an HSN that the turnover asks for. */
    readonly hsnDigits?: 4 | 6;
    /** The invoice portal takes its documents for 30 days only (turnover of 10 crore and more). */
    readonly portalDays?: true;
    /** Tax is deducted from goods bought of one seller above a threshold (turnover above 10 crore in the year before). */
    readonly deductsOnGoods?: true;
  };
  readonly party: PartyFacts | undefined;
  /** Parties that the draft or its lines name; the browser leaves those of lines to the server. */
  readonly parties?: ReadonlyMap<Id, PartyFacts>;
  readonly items: ReadonlyMap<Id, ItemFacts>;
  /** Names of the retired ledgers that the draft names; the browser leaves them to the server. */
  readonly retiredLedgers?: ReadonlyMap<Id, string>;
  /** Cost centres of the organisation; in the browser those that the draft names. */
  readonly costCentres?: ReadonlyMap<Id, { readonly name: string; readonly active: boolean }>;
  /** By 'document/line'. */
  readonly sources: ReadonlyMap<string, SourceLine>;
  /**
   * The documents that the draft names, and those that an advance is set against: as far as they exist and may be seen. An editor
   * that has not asked yet leaves them to the server.
   */
  readonly documents?: ReadonlyMap<Id, SourceDocument>;
  readonly roundTotal: boolean;
  /** The day on which the draft is entered; left out, that of the draft. */
  readonly today?: Day;
  /** What the roles of who posts allow; left out, there is no limit. */
  readonly limits?: Limits;
  /** What is switched on; left out, nothing is held back. */
  readonly switches?: Switches;
  /** GSTIN of our registration where e-invoicing applies to it on the day; an editor that does not know leaves it to the server. */
  readonly einvoice?: string | null;
  /**
   * The ends of the way that are ours, with their addresses: where the document is made, and where goods of a transfer go. A
   * browser that does not know a place leaves it to the server.
   */
  readonly ends?: { readonly from: OwnEnd; readonly to?: OwnEnd };
  /** How units are counted, by their code in capitals; the browser knows those of the items in its draft. */
  readonly units?: ReadonlyMap<string, Measure>;
  /** The ledger on which the account of a party stands that a line names, by the ledger that the line names; the server knows it. */
  readonly accountOf?: (party: Id, ledger: Id) => { readonly ledger: Id; readonly says: Said } | undefined;
  /** What only the books know, where a kind or a date asks for it; the server looks when it posts. */
  readonly booked?: Booked;
  /** The prices of price lists, in the order in which they apply; the server knows it where a line has no rate. */
  readonly prices?: ReadonlyMap<Id, readonly ItemPrices[]>;
  /** Ledgers that are kept in step with something else; the browser knows those of the ledgers in its draft. */
  readonly controlled?: ReadonlyMap<Id, Control>;
  /** What is known of a ledger that a line may name; undefined for one that the browser has not asked about yet. */
  readonly ledgerSeen?: (ledger: Id) => LedgerSeen | undefined;
  /** Up to which day each register is locked, by a return that is filed or by somebody. */
  readonly locks?: Locks;
  /** Where each effect goes; the server knows it. */
  readonly ledgers?: Ledgers;
  /** Ledgers that are kept in another currency; the browser knows those of the ledgers in its draft. */
  readonly currencies?: LedgerCurrencies;
  /** The natures of ledgers: on the server of all that are no expense, in the browser of those in its draft. */
  readonly natures?: ReadonlyMap<Id, Nature>;
  /** What is usual of the tax of ledgers that say so; the browser knows those of the ledgers in its draft. */
  readonly usualTax?: ReadonlyMap<Id, LedgerTax>;
  /** Whether a ledger is cash; the server knows it. */
  readonly isCash?: (ledger: Id) => boolean;
  /** Whether a ledger is cash, bank, clearing or undeposited funds; true for one that the browser has not asked about yet. */
  readonly isMoney?: (ledger: Id) => boolean;
  /** Places of the organisation; the browser knows only those that the user may use and leaves the others to the server. */
  readonly places?: ReadonlyMap<Id, { readonly name: string; readonly registration: Id; readonly active: boolean }>;
  /** The registration at the other end of a transfer between our own locations. */
  readonly other?: { readonly registration: Id; readonly state: StateCode; readonly kind: RegistrationKind };
  /** The advance that the draft is against. */
  readonly advance?: AdvanceFacts;
  /** Rate and base of the section chosen, when tax is deducted or collected at source. */
  readonly tds?: TdsTaken;
  readonly tcs?: TcsCollected;
  /** Of money under a section: on what, and at which rate, the tax was worked out. */
  readonly tdsOfPayment?: Pick<TdsTaken, 'rate' | 'base'>;
  /** For thresholds of tax deducted: what the party is, and what it was paid under each section before. */
  readonly tdsBefore?: TdsBefore;
}

export interface BookedOriginal {
  readonly kind: string;
  readonly number: string;
  readonly date: Day;
  readonly cancelled: boolean;
}

/** A ledger that a set-off names, as it stands for its registration on its day. */
export interface TaxThere {
  readonly role: string | null;
  readonly effects: readonly Effect[];
  /** Debit less credit: the least that is there from that day on. */
  readonly credit: Paise;
  /** Credit less debit on that day, less what later set-offs pay of it. */
  readonly due: Paise;
}

/** Documents in the books that a draft may contradict. Their number is empty where the user may not see them. */
export interface Booked {
  /** A supplier's document of the same number and financial year. */
  readonly duplicate?: { readonly kind: string; readonly number: string; readonly date: Day };
  /** A bill of entry of the same number, port and date. */
  readonly sameEntry?: { readonly kind: string; readonly number: string; readonly date: Day };
  /** Lines that bring in a bill which another document has brought in, or which is booked as itself. */
  readonly openingBills?: readonly { readonly row: number; readonly number: string; readonly date: Day }[];
  /** The document whose number a note gives in words, as that of an original that is not in the books. */
  readonly original?: BookedOriginal;
  /** The first note about the same original in words, with the day that it gives it. */
  readonly originalAgain?: { readonly number: string; readonly date: Day; readonly originalDate: Day };
  /** Lines that open a ledger or goods at a place which another document has opened there. */
  readonly openedAlready?: readonly { readonly row: number; readonly number: string; readonly date: Day }[];
  /** The day of the first invoice of the registration, where one of ours is named in words and the books do not have it. */
  readonly invoicesSince?: Day;
  /** The documents that a note or return is made from; `barred`: the credit of its tax was not taken. */
  readonly originals?: ReadonlyMap<Id, { readonly date: Day; readonly barred: boolean }>;
  /** Advances received for the orders that the draft carries out, with what each came to, where their days may count (section 14). */
  readonly advances?: readonly { readonly date: Day; readonly total: Paise }[];
  /** The last bill with credit of each item that an adjustment takes away, where its reason loses the credit. */
  readonly bought?: readonly BoughtTax[];
  /** What of the money that a voucher is against no other one says yet, in rupees. */
  readonly leftOfMoney?: Paise;
  /** Documents that a payment settles and whose tax was deducted when they were booked. */
  readonly deducted?: readonly string[];
  /** Invoices of taxed services that a receipt settles and that a later return shows than that of its day. */
  readonly servicesLater?: readonly string[];
  /** Documents that money with tax beside it settles, in their currency: what they came to, and that without their GST. */
  readonly settled?: { readonly worth: Paise; readonly net: Paise };
  /** The first day, from that of a draft in another currency on, that open balances were restated at and that is not locked. */
  readonly restated?: Day;
  /** The day of the first opening balances, where a draft is dated before today. */
  readonly opened?: Day;
  /** The day of the first document that brings nothing in, where a draft does. */
  readonly firstOrdinary?: Day;
  /** What lies of items that a draft adds to stock, at all places together. */
  readonly held?: ReadonlyMap<Id, { readonly quantity: number; readonly value: Paise }>;
  /** Serial numbers that a draft finds, and that went out to a customer the last time they moved. */
  readonly sold?: readonly {
    readonly row: number;
    readonly serial: string;
    readonly number: string;
    readonly date: Day;
  }[];
  /** When batches expire that a draft buys without saying so, as far as the books know it. */
  readonly expiries?: ReadonlyMap<string, Day>;
  /** What of cash the books know beside a draft that moves some. */
  readonly cash?: {
    /** What lies in the ledgers that it names: the least from its day on, and on which day; `kept`: something was put in on any day. */
    readonly ledgers: ReadonlyMap<
      Id,
      { readonly name: string; readonly least: Paise; readonly day: Day; readonly kept: boolean }
    >;
    /** In cash with the same person on the same day. */
    readonly before?: { readonly received: Paise; readonly paid: Paise };
    /** What of the documents that it settles was received in cash before. */
    readonly settled?: ReadonlyMap<Id, { readonly number: string; readonly amount: Paise }>;
  };
  /** The ledgers that a set-off names, with what it may use of them. */
  readonly taxThere?: ReadonlyMap<Id, TaxThere>;
  /** The rate of the draft's currency on its day, or the last one that the books have before that; `from` says where. */
  readonly usualRate?: { readonly rate: Millionths; readonly from: string; readonly date: Day };
  /** The latest document of the series that the draft takes its number from. */
  readonly lastInSeries?: { readonly number: string; readonly date: Day };
}

/** Everything `price` needs, from a draft and its facts. The same in the browser and on the server. */
export function resolve(kind: Kind, typed: Draft, known: Facts): Pricing {
  const draft = withSources(kind, typed, known);
  const facts = withPartyThen(kind, draft, known);
  const party = partyOf(kind, draft, facts);
  const tds = deducted(kind, draft, facts);
  const original = originalOf(kind, draft, facts);
  const pricing: Pricing = {
    direction: isTransfer(kind) && !isSupplyToOurselves(draft, facts) ? 'none' : kind.gst.tax,
    date: draft.date,
    own: facts.own,
    party,
    placeOfSupply:
      facts.advance?.placeOfSupply ?? draft.placeOfSupply ?? original?.placeOfSupply ?? usualPlace(kind, draft, facts),
    withPayment: draft.withPayment ?? false,
    reverseCharge: draft.reverseCharge === true && kind.fields.includes('reverseCharge'),
    taxInclusive: draft.taxInclusive ?? false,
    withoutTax: draft.withoutTax === true && kind.fields.includes('withoutTax'),
    roundTotal: facts.roundTotal && !isTransfer(kind) && kind.lines.of !== 'none' && kind.lines.of !== 'stock',
    currency: draft.currency,
    exchangeRate: draft.exchangeRate,
    lines:
      kind.lines.of === 'none'
        ? advanceLine(kind, draft, facts)
        : kind.lines.of === 'ledgers'
          ? []
          : withCharges(
              draft.lines.map((line) => pricingLine(kind, line, draft, facts)),
              kind,
              draft,
              facts,
            ),
    discount: draft.discount ?? {},
    charges: draft.charges?.filter((charge) => !isLine(charge)) ?? [],
    ...(draft.adjustments?.length && { adjustments: draft.adjustments }),
    ...(tds && { tds }),
    ...(facts.tcs && kind.fields.includes('tcsSection') && { tcs: facts.tcs }),
    ...vatAbroad(kind, draft, facts),
    ...(original &&
      bearsTaxOf(kind) && {
        original: { supply: original.supply, charged: original.taxCharged, type: original.supplyType },
      }),
    ...closing(kind, draft, facts),
  };
  return givesNoCreditHere(kind, facts, pricing)
    ? { ...pricing, lines: pricing.lines.map((line) => ({ ...line, creditBlocked: true })) }
    : pricing;
}

/** Its tax belongs to another state. What takes a bill back takes back what its booking took, as the books know it. */
const givesNoCreditHere = (kind: Kind, { booked, own }: Facts, pricing: Pricing): boolean =>
  kind.gst.tax === 'input' &&
  !(takesBack(kind) && booked?.originals) &&
  isTaxOfAnotherState(supplyOfPricing(pricing), pricing.placeOfSupply, own);

/** What is left of the documents that are taken back, with what is left of their rounding. */
const closing = (kind: Kind, draft: Draft, { documents, sources }: Facts): Pick<Pricing, 'closes'> => {
  if (!documents || !correctsSource(kind) || !takesBack(kind) || isTransfer(kind)) return {};
  const ids = new Set(sourceIds(draft));
  const roundOff = paise([...ids].reduce((total, id) => total + (documents.get(id)?.leftRoundOff ?? 0), 0));
  const lines = [...sources.values()].filter((line) => ids.has(line.document));
  const tcs = [...ids].flatMap((document) => {
    const left = documents.get(document)?.leftTcs ?? zero;
    return left > 0 ? [{ document, left }] : [];
  });
  return lines.length > 0 && (roundOff !== 0 || tcs.length > 0) ? { closes: { lines, roundOff, tcs } } : {};
};

/** A seller who is registered there charges the tax of Saudi Arabia to a buyer there. */
const vatAbroad = (kind: Kind, draft: Draft, facts: Facts): Pick<Pricing, 'vat'> => {
  const asked = kind.fields.includes('vatNumber') && draft.fields?.vatNumber && facts.party?.country === 'SA';
  const rate = asked ? saudiVatRate(draft.date) : undefined;
  return rate === undefined ? {} : { vat: { rate } };
};

/** Whether goods move between own places. */
export const isTransfer = (kind: Kind): boolean =>
  kind.stock.effect === 'transferOut' || kind.stock.effect === 'transferIn';

/** Registrations of one organisation are distinct persons: what goes from one to another is a supply (section 25(4)). */
const isSupplyToOurselves = (draft: Draft, facts: Facts): boolean => {
  const other = facts.other?.registration ?? draft.toRegistration;
  return other !== undefined && other !== facts.own.registration;
};

/** Its goods move and are no supply to anybody: nobody names a price, they go at what they cost. */
export const hasNoPrice = (kind: Kind, draft: Draft, facts: Facts): boolean =>
  kind.stock.valued !== undefined && (!isTransfer(kind) || !isSupplyToOurselves(draft, facts));

/** What another registration of ours is to this one. */
const ownCategory = (kind: RegistrationKind | undefined): GstCategory =>
  kind === 'sez' ? 'sezUnit' : kind === 'unregistered' ? 'unregistered' : 'registered';

/** The other party: a party record, our own other registration, or a walk-in customer. */
function partyOf(kind: Kind, draft: Draft, facts: Facts): Pricing['party'] {
  if (isTransfer(kind)) {
    const state = facts.other?.state ?? draft.placeOfSupply;
    const category = ownCategory(facts.other?.kind);
    return { category, ...(state !== undefined && { state }), country: 'IN' };
  }
  const { party } = facts;
  // nobody named: a sale is to a consumer, a purchase from somebody who charges no tax
  if (!party) return { category: 'unregistered', state: facts.own.state, country: 'IN' };
  const { category, state, country } = party;
  const charges = kind.gst.tax !== 'input' || category === 'overseas' || chargesGst(party);
  return { category: charges ? category : 'unregistered', state, country };
}

/**
 * Whether a supplier charges GST: registered under the regular scheme, with the GSTIN on record. Nobody else may, and no input
 * credit is taken without a registered supplier's document (sections 10(4), 16(2)(a) and 32(1), rule 36).
 */
export const chargesGst = ({ category, gstin }: Pick<PartyFacts, 'category' | 'gstin'>): boolean =>
  gstin !== null && category !== 'composition' && category !== 'unregistered' && category !== 'overseas';

/** Income-tax to hold back: the amount typed, or rate and base of the section. */
function deducted(kind: Kind, draft: Draft, facts: Facts): Pricing['tds'] {
  if (!kind.fields.includes('tdsSection') || kind.lines.of === 'none') return undefined;
  if (draft.tdsSection !== undefined && draft.tdsAmount !== undefined)
    return { section: draft.tdsSection, rate: percent(HUNDRED_PERCENT), base: draft.tdsAmount };
  return facts.tds;
}

/**
 * Where a supply takes place when nobody says otherwise: abroad, where goods are delivered to the customer, the customer's
 * state (also when the goods go to another person by their order), or our own (IGST Act sections 10 to 13).
 */
export function usualPlace(kind: Kind, draft: Draft, facts: Facts): StateCode {
  if (kind.gst.tax !== 'output') return facts.own.state;
  if (isTransfer(kind)) return facts.other?.state ?? facts.own.state;
  const goods = draft.lines.some((l) => l.item !== undefined && facts.items.get(l.item)?.service === false);
  const { shipTo, billTo } = draft;
  if (facts.party?.category === 'overseas') return goods ? placeOfGoodsAbroad(kind, draft, facts) : '96';
  const buyer = facts.party ?? { ...billTo, gstin: billTo?.gstin || null };
  if (goods && shipTo && !isForAnother(buyer, shipTo)) return shipTo.state;
  return facts.party?.state ?? draft.billTo?.state ?? facts.own.state;
}

/** Goods of a buyer from abroad: those that are delivered in India, or handed over here, leave nothing (IGST Act section 2(5)). */
function placeOfGoodsAbroad(kind: Kind, { shipTo }: Draft, facts: Facts): StateCode {
  if (shipTo && shipTo.state !== '96') return shipTo.state;
  const isHandedOverHere = kind.stock.effect === 'out' && !kind.party.required;
  return isHandedOverHere ? facts.own.state : '96';
}

const nothing = {
  discount: {},
  freeQuantity: millionths(0),
  cessRate: percent(0),
  cessPerUnit: zero,
  creditBlocked: false,
  stocked: false,
} as const;

/**
 * An advance for a service bears tax, which is inside it (section 13(2)); one for goods does not. Tax that the payer deducted
 * is part of the advance. What uses an advance takes value and tax from it.
 */
function advanceLine(kind: Kind, draft: Draft, { advance }: Facts): PricingLine[] {
  const amount = moneySettled({ draft });
  const used = usesAdvance(kind) ? advance : undefined;
  const gstRate = used?.rate ?? draft.advanceRate;
  if (kind.gst.tax !== 'output' || !gstRate || amount <= 0) return [];
  const part = used && partOfAdvance(used, amount);
  const taxable = part
    ? scale(part.taxable, ONE, draft.exchangeRate)
    : scale(amount, HUNDRED_PERCENT, HUNDRED_PERCENT + gstRate);
  return [
    {
      ...nothing,
      description: 'Advance',
      hsn: '',
      unit: '',
      service: true,
      quantity: millionths(ONE),
      baseQuantity: millionths(ONE),
      rate: millionths(taxable * 10_000),
      treatment: 'taxable',
      gstRate,
      ...(part && { part }),
    },
  ];
}

/** A charge with a rate of its own is a line of the document, after all that was typed. */
const isLine = ({ gstRate }: DraftCharge): boolean => gstRate !== undefined;

/** Codes of services begin so, and the portal compares. */

function withCharges(lines: PricingLine[], kind: Kind, draft: Draft, facts: Facts): PricingLine[] {
  const { charges } = draft;
  if (!charges?.some(isLine)) return lines;
  const [first] = lines;
  const bare = first && lines.every(({ treatment }) => treatment !== 'taxable') ? first.treatment : 'taxable';
  const added = charges.filter(isLine).map(
    ({ name, hsn = '', ledger, amount, gstRate = percent(0) }): PricingLine => ({
      ...nothing,
      charge: true,
      description: name,
      hsn,
      unit: 'OTH',
      service: isServiceCode(hsn),
      quantity: millionths(ONE),
      // nobody counts it: it is not among what an order waits for
      baseQuantity: millionths(0),
      rate: millionths(amount * 10_000),
      // what bears none is part of goods or services that bear none
      treatment: gstRate === 0 ? bare : 'taxable',
      gstRate,
      creditBlocked:
        kind.gst.tax === 'input' && (!hasCredit(facts) || isBarred(kind, sourceIds(draft)[0], draft, facts)),
      ...(ledger !== undefined && (kind.gst.tax === 'input' ? { expenseLedger: ledger } : { incomeLedger: ledger })),
    }),
  );
  return [...lines, ...added];
}

function pricingLine(kind: Kind, line: DraftLine, draft: Draft, facts: Facts): PricingLine {
  const item = line.item === undefined ? undefined : facts.items.get(line.item);
  const known = line.source && facts.sources.get(sourceKey(line.source));
  const source = kind.source.givesPrice ? known : undefined;
  // what corrects a supply bears its rates and retail price, even when they have changed since
  const original = correctsSource(kind) ? known : undefined;
  const said = hasPriceOfSource(kind) ? known : undefined;
  // without registration a line bears no rate, whatever its item says; of what we buy somebody may type the supplier's
  const bare = !hasGst(facts.own.kind);
  const typedRate = kind.gst.tax === 'input' || !bare ? line.gstRate : undefined;
  const charge = original?.charge;
  const usual = kind.gst.tax === 'input' ? usualOf(line, facts) : undefined;
  const quantity =
    line.quantity ?? (line.delta === undefined ? millionths(item ? 0 : ONE) : millionths(Math.abs(line.delta)));
  const freeQuantity = line.freeQuantity ?? millionths(0);
  const unit = line.unit ?? original?.unit ?? item?.unit ?? '';
  const ratio = item?.units[unit] ?? itself;
  // an item has its retail price on record also for days on which the law asks for none
  const retail = item?.retailPrice && isRetailValued(line.hsn ?? item.hsn, draft.date) ? item.retailPrice : undefined;
  const onRecord = retail && paise(priceIn(retail, ratio));
  const asPrinted = original ? original.retailPrice : retailPriceOf(kind, line, onRecord);
  // rule 31D taxes quantity × retail price: a note that changes the price alone leaves that, and its tax, as they are
  const retailPrice = asPrinted !== undefined && original && !source ? zero : asPrinted;
  const income =
    kind.lines.of === 'items' ? incomeOf(kind.gst.tax === 'output' ? original?.ownLedger : undefined, item) : undefined;
  const expenseLedger = line.ledger ?? expenseLedgerOf(kind.gst.tax === 'input' ? original : undefined, item);
  // written field by field: of all that a posting does, spreading what may be absent took the most time
  const made: { -readonly [K in keyof PricingLine]: PricingLine[K] } = {
    description: line.description ?? item?.name ?? charge ?? '',
    hsn: line.hsn ?? original?.hsn ?? item?.hsn ?? usual?.hsn ?? '',
    unit,
    service: item?.service ?? (charge === undefined || isServiceCode(original?.hsn)),
    stocked: item?.stocked ?? false,
    quantity,
    freeQuantity,
    baseQuantity: charge !== undefined ? millionths(0) : inBase(quantity + freeQuantity, ratio),
    rate: line.rate ?? said?.rate ?? proposed(kind, line, item, draft, facts) ?? millionths(0),
    discount: line.discount ?? (source ? undefined : said?.discount) ?? {},
    treatment: original?.treatment ?? line.treatment ?? item?.treatment ?? 'taxable',
    gstRate: original?.gstRate ?? typedRate ?? (bare ? undefined : item?.gstRate) ?? percent(0),
    cessRate: original?.cessRate ?? (bare ? percent(0) : (line.cessRate ?? item?.cessRate ?? percent(0))),
    cessPerUnit:
      original?.cessPerUnit ?? (bare ? zero : (line.cessPerUnit ?? paise(priceIn(item?.cessPerUnit ?? zero, ratio)))),
    creditBlocked:
      kind.gst.tax === 'input' &&
      (!hasCredit(facts) ||
        isBarred(kind, line.source?.document ?? draft.against, draft, facts) ||
        (line.creditBlocked ?? item?.creditBlocked ?? usual?.creditBlocked ?? false)),
    scrap: item?.scrap ?? false,
  };
  if (line.item !== undefined) made.item = line.item;
  if (line.ledger !== undefined) made.ledger = line.ledger;
  if (item) made.sku = item.sku;
  if (retailPrice !== undefined && kind.gst.tax !== 'none') made.retailPrice = retailPrice;
  if (income) {
    made.incomeLedger = income.ledger;
    if (income.offRevenue) made.offRevenue = true;
  }
  if (expenseLedger !== undefined) made.expenseLedger = expenseLedger;
  if (source?.charges && draft.keepsCharges) made.keepsCharges = true;
  if (source) made.source = source;
  else if (original && (takesBack(kind) || original.claimed)) made.cuts = original;
  if (original?.claimed && facts.documents) {
    const claimed = kindCalled(facts.documents.get(original.document)?.kind ?? '');
    if (claimed) made.claims = claimed.books.lineEffect;
  }
  if (line.batches) made.batches = line.batches;
  if (line.serials) made.serials = line.serials;
  if (line.room !== undefined) made.room = line.room;
  if (line.costCentre !== undefined) made.costCentre = line.costCentre;
  return made;
}

/** What is usual of the ledger that something is bought on. */
const usualOf = ({ item, ledger }: DraftLine, { usualTax }: Facts): LedgerTax | undefined =>
  item === undefined && ledger !== undefined ? usualTax?.get(ledger) : undefined;

/** The income ledger of a line's own: what corrects a supply has the one that the supply was booked on, also when its item has changed. */
const incomeOf = (then: SourceLine['ownLedger'], item: ItemFacts | undefined): OwnLedger | undefined => {
  if (then !== undefined) return then ?? undefined;
  return item?.incomeLedger ? { ledger: item.incomeLedger, offRevenue: item.offRevenue === true } : undefined;
};

/**
 * The retail price that the tax of a line is inside of: as it is typed, else that of its item. On a paper of ours none can be left
 * out; the supplier's says what it was taxed on, and nought says that it was its value.
 */
const retailPriceOf = (kind: Kind, { retailPrice }: DraftLine, onRecord: Paise | undefined): Paise | undefined => {
  if (kind.gst.tax !== 'input') return retailPrice || onRecord;
  return retailPrice === 0 ? undefined : (retailPrice ?? onRecord);
};

/** What a line without a rate costs: by the list of the party, else by its item. */
export const proposed = (kind: Kind, line: DraftLine, item: ItemFacts | undefined, draft: Draft, facts: Facts) =>
  item &&
  itemPrice(
    kind,
    item,
    {
      date: draft.date,
      unit: line.unit,
      quantity: line.quantity,
      currency: draft.currency,
      exchangeRate: draft.exchangeRate,
      taxInclusive: draft.taxInclusive ?? false,
      gstRate: line.gstRate,
    },
    facts.prices?.get(item.id),
  )?.rate;

/** The time for the credit was over, or what this takes back was booked without credit. */
function isBarred(kind: Kind, source: Id | undefined, draft: Draft, facts: Facts): boolean {
  const { booked, own, today } = facts;
  const invoiced = { ...draft, referenceDate: dayOfInvoice(kind, draft, source, facts) };
  return (
    isCreditBarred(kind, invoiced, own.annualReturns, today) || booked?.originals?.get(source ?? '')?.barred === true
  );
}

/** Composition dealers and the unregistered take no input credit (sections 10(4) and 16(1)). */
const hasCredit = ({ own }: Facts): boolean => isRegular(own.kind);

/** What says where the account of the party stands. */
export const accountOfParty = ({ category, categoryNow, microSmall }: PartyFacts): AccountTraits => ({
  category: categoryNow ?? category,
  microSmall,
});
export const isOverseas = (facts: Facts): boolean => facts.party?.category === 'overseas';
export const isSezParty = (facts: Facts): boolean =>
  facts.party?.category === 'sezUnit' ||
  facts.party?.category === 'sezDeveloper' ||
  facts.party?.category === 'deemedExport';
export const isTaxedSupplier = ({ party }: Pick<Facts, 'party'>): boolean => party !== undefined && chargesGst(party);
