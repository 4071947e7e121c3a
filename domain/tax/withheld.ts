import { dayInWords } from '../base/dates.ts';
import { HUNDRED_PERCENT, type Percent, percent } from '../base/decimal.ts';
import { groupBy } from '../base/group.ts';
import { type Paise, paise, scale, sum, zero } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import type { Effect } from '../books/effects.ts';
import { moneySettled } from '../books/posting.ts';
import type { Day, Draft, Id, Problem, TdsLower } from '../document/document.ts';
import { takesBack } from '../document/kinds/index.ts';
import type { Kind } from '../document/kinds/kind.ts';
import { price } from '../document/price.ts';
import { type Facts, resolve } from '../document/resolve.ts';
import {
  type Dated,
  impliedSections,
  type SectionPersons,
  sectionPersons,
  type TcsSection,
  type TdsSection,
  tcsSections,
  tdsSections,
} from '../facts/withholding.ts';
import { type TdsAnswer, type TdsQuestion, tcsRate, tcsTerms, tdsOn } from './tds.ts';

/** Shorter names that documents may carry for a section. */
const alsoCalled: Readonly<Record<string, string>> = {
  '194J': '194J(b)',
  '194J-technical': '194J(a)',
  '194I': '194-I(b)',
  '194I-machinery': '194-I(a)',
  '206C-scrap': '206C(1) scrap',
  '206C-timber': '206C(1) timber',
};
/** A deductee who is an individual or a Hindu undivided family bears a lower rate under some sections. */
const INDIVIDUAL = '-individual';

const onDay = <T extends Dated>(terms: readonly T[], date: Day): T | undefined =>
  terms.find(({ from, to }) => from <= date && (to === undefined || date <= to));

const tdsSection = (section: string) => {
  const individual = section.endsWith(INDIVIDUAL);
  const name = individual ? section.slice(0, -INDIVIDUAL.length) : section;
  return { individual, found: tdsSections.find((s) => s.section === (alsoCalled[name] ?? name)) };
};

const tdsTerms = (section: string, date: Day) => {
  const { individual, found } = tdsSection(section);
  const terms = onDay(found?.terms ?? [], date);
  return (
    terms && { rate: individual ? (terms.individualRate ?? terms.rate) : terms.rate, withoutPan: terms.withoutPan }
  );
};

/** A section by any of the names that documents may carry. */
export const tdsNamed = (section: string): TdsSection | undefined => tdsSection(section).found;

/** The same of tax collected. */
export const tcsNamed = (section: string): TcsSection | undefined =>
  tcsSections.find((s) => s.section === (alsoCalled[section] ?? section));

/** A section that a draft names is one that holds on its day. */
export function sectionProblems(kind: Kind, draft: Draft): Problem[] {
  const { tdsSection, tdsAmount, tcsSection, date } = draft;
  const problem = (field: string, section: string, found: { readonly terms: readonly Dated[] } | undefined) => {
    if (found && onDay(found.terms, date)) return [];
    return [{ field, ...sectionMessage(section, found?.terms, date) }];
  };
  const typed = tdsSection !== undefined && tdsNamed(tdsSection)?.typed === true && tdsAmount === undefined;
  return [
    ...(isUnknown(kind, draft) && !typed
      ? [
          {
            field: 'tdsAmount',
            ...(draft.currency === 'INR'
              ? say('Enter the tax deducted: it may have been deducted already from the documents that this settles')
              : say('Enter the tax that is deducted: it is not worked out in a currency')),
          },
        ]
      : []),
    ...(typed && kind.fields.includes('tdsSection')
      ? [
          {
            field: 'tdsAmount',
            ...say('Section {{tdsSection}} has no rate of its own: enter the amount that is deducted', { tdsSection }),
          },
        ]
      : []),
    // what was deducted before the rates that are known here is typed
    ...(tdsSection !== undefined &&
    kind.fields.includes('tdsSection') &&
    !(tdsNamed(tdsSection) && tdsAmount !== undefined)
      ? problem('tdsSection', tdsSection, tdsNamed(tdsSection))
      : []),
    ...(tcsSection !== undefined && kind.fields.includes('tcsSection')
      ? problem('tcsSection', tcsSection, tcsNamed(tcsSection))
      : []),
  ];
}
const sectionMessage = (section: string, terms: readonly Dated[] | undefined, date: Day): Said => {
  if (!terms) return say('There is no section “{{section}}”: choose one of the list', { section });
  const ended = terms.at(-1)?.to;
  if (ended !== undefined && ended < date)
    return say('Section {{section}} ended on {{ended}}: choose another', { section, ended: dayInWords(ended) });
  return say('The rate of section {{section}} for {{date}} is not known', { section, date: dayInWords(date) });
};

/** The usual rate of a section on a day. */
export const tdsRate = (section: string, date: Day): Percent | undefined => {
  const rate = tdsTerms(section, date)?.rate;
  return rate === undefined ? undefined : percent(rate);
};

/** The rates of a section on a day, the most likely one for the payee first; without a PAN the raised one (section 206AA). */
function knownRates(section: string, date: Day, pan: string | null): readonly number[] {
  const { individual, found } = tdsSection(section);
  const terms = onDay(found?.terms ?? [], date);
  if (!terms) return [];
  const deductee = individual ? 'individual' : deducteeOf(pan);
  const own = { individual: terms.individualRate, company: terms.companyRate, other: undefined }[deductee];
  const usual = [own, terms.rate, terms.individualRate, terms.companyRate].flatMap((rate) => rate ?? []);
  const raised = Math.max(terms.rate, terms.withoutPan);
  return pan === null ? [raised, ...usual] : [...usual, raised];
}

/** Whole rupees of tax are those of a rate and the amount that bore it. */
const bears = (amount: Paise, rate: number, tax: Paise): boolean =>
  Math.abs(tax - scale(amount, percent(rate), HUNDRED_PERCENT)) < 100;

/** The amount on which tax was deducted and the rate that was applied, as a statement names them. */
export interface Borne {
  readonly amount: Paise;
  /** Undefined where nothing was paid. */
  readonly rate: Percent | undefined;
  /** Somebody typed a tax that no rate of the section makes of the document. */
  readonly byHand: boolean;
}

/**
 * On which amount, and at which rate, a document bore its tax. Once a threshold is crossed that is more than the document
 * (the year before it), and of a section that asks for the excess only, less. What was worked out at posting was kept
 * with the document (`base`, `rate`; documents of earlier versions have no rate, and payments of them no base). Of a tax
 * that was typed the document itself is taken, or more of the year where it is more than the section deducts from it.
 */
export function borneBy(
  section: string,
  {
    date,
    value,
    withheld,
    pan,
  }: { readonly date: Day; readonly value: Paise; readonly withheld: Paise; readonly pan: string | null },
  { base, rate }: { readonly base?: Paise | undefined; readonly rate?: Percent | undefined } = {},
): Borne {
  const known = knownRates(section, date, pan);
  const amount = base ?? value;
  if (base !== undefined && rate !== undefined) return { amount, rate, byHand: false };
  const fits = known.find((one) => bears(amount, one, withheld));
  if (fits !== undefined) return { amount, rate: percent(fits), byHand: false };
  const [usual] = known;
  if (usual && withheld > scale(amount, percent(usual), HUNDRED_PERCENT))
    return { amount: scale(withheld, HUNDRED_PERCENT, percent(usual)), rate: percent(usual), byHand: true };
  return {
    ...{ amount, rate: amount === 0 ? undefined : percent(scale(withheld, HUNDRED_PERCENT, amount)) },
    byHand: withheld > 0,
  };
}

/** The highest rate at which any section deducts, without a PAN too; what is typed by itself (salaries, non-residents) is left out. */
export const highestTdsRate: Percent = percent(
  Math.max(
    ...tdsSections.flatMap(({ terms }) =>
      terms.flatMap(({ rate, individualRate = 0, companyRate = 0, withoutPan }) => [
        rate,
        individualRate,
        companyRate,
        withoutPan,
      ]),
    ),
  ),
);

/** The highest rate of a section on a day for a payee with a PAN, or without one; undefined where its rates are not known. */
export function highestRateOf(section: string, date: Day, hasPan: boolean): Percent | undefined {
  const { found } = tdsSection(section);
  const terms = onDay(found?.terms ?? [], date);
  if (!found || !terms) return undefined;
  const { rate, individualRate = 0, companyRate = 0, withoutPan } = terms;
  return percent(Math.max(rate, individualRate, companyRate, found.upTo ?? 0, hasPan ? 0 : withoutPan));
}

/** What was paid or credited under a section in its period before and bore no deduction: crossing the threshold makes it liable. */
export function undeductedBefore(section: string, date: Day, before: TdsBefore | undefined): Paise {
  const { found } = tdsSection(section);
  const monthly = onDay(found?.terms ?? [], date)?.over === 'month';
  const own = before?.standings.filter((standing) => tdsSection(standing.section).found === found) ?? [];
  const left = own.map((s) => (monthly ? s.month - s.monthDeducted : s.year - s.yearDeducted));
  return paise(
    Math.max(
      0,
      left.reduce((total, one) => total + one, 0),
    ),
  );
}

/** The effect under which tax deducted by a section is posted; the posting map says which ledger that is. */
export const tdsEffectOf = (section: string | undefined): Effect =>
  tdsSection(section ?? '').found?.effect ?? 'tdsOther';

/** What a party is for the sections, and what it was paid or credited under them before. */
export interface TdsBefore {
  readonly deductee: TdsQuestion['deductee'];
  readonly standings: readonly TdsStanding[];
  /** Bills of services and expenses of the tax year on which nobody chose a section. */
  readonly unmarked?: { readonly bills: number; readonly value: Paise };
}

/** The section under which tax is deducted from goods that are bought. */
export const goodsSection: TdsSection | undefined = tdsSections.find(({ goods }) => goods);

/** Bills of goods of suppliers here, and what takes goods or a part of their price back. */
export const buysGoods = ({ gst, lines, party, paper, life }: Kind): boolean =>
  gst.tax === 'input' &&
  lines.of === 'items' &&
  party.side === 'supplier' &&
  !party.from &&
  paper.form !== 'taxInvoice' &&
  life.cycle === 'posted';
/** A bill that adds to the goods bought of a seller, and bears the deduction. */
export const billsGoods = (kind: Kind): boolean =>
  buysGoods(kind) && !takesBack(kind) && kind.books.opens === 'payable';

/** A bill of goods on which nobody chose a section, by somebody who deducts from goods once their threshold is crossed. */
export const mayNeedSection = (kind: Kind, { tdsSection }: Draft): boolean =>
  kind.fields.includes('tdsSection') && tdsSection === undefined && billsGoods(kind);

/**
 * So much of a bill without a section goes above what is bought of its seller in the year without a deduction. A seller abroad
 * is left out: the section is for residents.
 */
export function goodsAbove(kind: Kind, draft: Draft, { own, party, tdsBefore }: Facts, goods: Paise): Paise {
  if (!own.deductsOnGoods || !tdsBefore || !goodsSection || !mayNeedSection(kind, draft)) return zero;
  if (!party || party.category === 'overseas') return zero;
  const who = { hasPan: party.hasPan, deductee: tdsBefore.deductee };
  return tdsAdvice(goodsSection.section, draft.date, goods, tdsBefore.standings, who)?.base ?? zero;
}

/**
 * No section is chosen where one could be, for a known party: one that was used with it in the year may be missing. What settles
 * documents was credited with them.
 */
export const mayMissSection = (kind: Kind, { tdsSection, party, allocations = [], amount = zero }: Draft): boolean =>
  kind.fields.includes('tdsSection') &&
  tdsSection === undefined &&
  party !== undefined &&
  (kind.lines.of !== 'none' || sum(allocations.map((each) => each.amount)) < amount);

/** A section under which a document should bear tax, and how much. */
export interface MissingSection extends TdsAdvice {
  readonly section: string;
}

/**
 * Of the sections that were used with a party in the year, the one that deducts most from a document without a section:
 * `goods` and `rest` are its amounts. Goods count for their own section once it has deducted.
 */
export function missingSection(
  { date }: Pick<Draft, 'date'>,
  { party, tdsBefore }: Facts,
  { goods, rest }: { readonly goods: Paise; readonly rest: Paise },
): MissingSection | undefined {
  if (!tdsBefore || !party) return undefined;
  const { standings, deductee } = tdsBefore;
  const found = standings.flatMap((standing): MissingSection[] => {
    const { section, year, yearDeducted } = standing;
    const isGoods = tdsSection(section).found === goodsSection;
    const amount = isGoods ? goods : rest;
    if (amount <= 0 || (isGoods ? yearDeducted : year) <= 0) return [];
    const { covered } = paidAheadOf(section, amount, standings);
    const advice = tdsAdvice(section, date, paise(amount - covered), standings, { hasPan: party.hasPan, deductee });
    return advice && advice.tds > 0 ? [{ ...advice, section }] : [];
  });
  return found.toSorted((a, b) => b.tds - a.tds)[0];
}

/** Goods that were bought above the threshold of their section and bore no tax: their bills named no section. */
export function goodsMissed(date: Day, before: TdsBefore | undefined): Paise {
  const threshold = onDay(goodsSection?.terms ?? [], date)?.threshold ?? 0;
  const own = before?.standings.filter(({ section }) => tdsSection(section).found === goodsSection) ?? [];
  const [year, deducted] = [sum(own.map((s) => s.year)), sum(own.map((s) => s.yearDeducted))];
  return paise(Math.max(0, year - threshold - deducted));
}

/** A section is chosen: what was paid under it before decides on the tax, or on how much may be typed. */
export const looksBefore = (kind: Kind, { tdsSection }: Draft): boolean =>
  kind.fields.includes('tdsSection') && tdsSection !== undefined;
/** Whether the tax that a draft deducts hangs on what its party was paid before: a section is chosen and no amount typed. */
export const needsTdsBefore = (kind: Kind, draft: Draft): boolean =>
  looksBefore(kind, draft) && draft.tdsAmount === undefined;

/**
 * Money of which the tax deducted can only be typed: it settles documents, which bore their deduction when they were credited or
 * contain GST, or it is in a currency.
 */
const isUnknown = (kind: Kind, draft: Draft): boolean =>
  kind.lines.of === 'none' &&
  needsTdsBefore(kind, draft) &&
  (draft.currency !== 'INR' || (draft.allocations ?? []).length > 0);

/**
 * A payment with the tax that its section deducts, where no amount was typed. What is paid out is what is left after the
 * deduction: the tax is that of both together. What cannot be worked out is left to `sectionProblems`.
 */
export function withTdsOfPayment(kind: Kind, draft: Draft, facts: Facts): Draft {
  const advice = tdsOfPayment(kind, draft, facts);
  if (!advice) return draft;
  const { tdsLower } = draft;
  const lower = tdsLower && { ...tdsLower, base: paise(Math.min(tdsLower.base, advice.base)) };
  return { ...draft, tdsAmount: advice.tds, ...(lower && { tdsLower: lower }) };
}

/** What the section of a payment deducts from it, where that is worked out. */
export function tdsOfPayment(kind: Kind, draft: Draft, { party, tdsBefore }: Facts): TdsAdvice | undefined {
  const { tdsSection: section, date, tdsLower } = draft;
  if (section === undefined || kind.lines.of !== 'none' || !needsTdsBefore(kind, draft) || isUnknown(kind, draft))
    return undefined;
  if (tdsNamed(section)?.typed) return undefined;
  const certificates = tdsLower
    ? [{ ...tdsLower, id: tdsLower.certificate, section, from: date, to: date, left: tdsLower.base }]
    : [];
  return tdsOnPayment(section, date, moneySettled({ draft }), tdsBefore?.standings ?? [], {
    ...{ hasPan: party?.hasPan ?? true, deductee: tdsBefore?.deductee ?? 'other', certificates },
  });
}

/** The same for an amount that is paid out: the least tax that, together with it, is what the section asks for. */
export function tdsOnPayment(
  section: string,
  date: Day,
  paid: Paise,
  standings: readonly TdsStanding[],
  party: Parameters<typeof tdsAdvice>[4],
): TdsAdvice | undefined {
  let tds = zero;
  for (;;) {
    const advice = tdsAdvice(section, date, sum([paid, tds]), standings, party);
    // each step adds at most the rate of the step before, in whole rupees
    if (!advice || advice.tds <= tds) return advice;
    tds = advice.tds;
  }
}

/**
 * Income-tax that a document withholds or collects. Tax is deducted from what goes beyond the threshold of its section, as far
 * as it is known what came before, otherwise from the whole value (section 206AA raises the rate where the PAN is not known).
 * An amount typed wins in `resolve`.
 */
export function withheld(kind: Kind, draft: Draft, facts: Facts): Pick<Facts, 'tds' | 'tcs'> {
  const { tdsSection: section, tcsSection, date } = draft;
  const tcs = tcsSection === undefined ? undefined : tcsTerms(alsoCalled[tcsSection] ?? tcsSection, date);
  const collected = tcsSection !== undefined && tcs !== undefined ? { tcs: { section: tcsSection, ...tcs } } : {};
  const terms = section === undefined || kind.lines.of === 'none' ? undefined : tdsTerms(section, date);
  if (section === undefined || terms === undefined) return collected;
  const hasPan = facts.party?.hasPan ?? true;
  const { value, payable } = price(resolve(kind, draft, facts));
  const { tdsBefore } = facts;
  const paidAhead = paidAheadOf(section, value, tdsBefore?.standings ?? []);
  const left = paise(value - paidAhead.covered);
  const { rate, base } = (tdsBefore &&
    tdsAdvice(
      section,
      date,
      left,
      tdsBefore.standings,
      { hasPan, deductee: tdsBefore.deductee, paidAhead },
      payable,
    )) ?? {
    rate: hasPan ? terms.rate : Math.max(terms.rate, terms.withoutPan),
    base: left,
  };
  const lower = draft.tdsLower && { rate: draft.tdsLower.rate, base: paise(Math.min(base, draft.tdsLower.base)) };
  const covered = paidAhead.covered > 0 && { covered: paidAhead.covered };
  return { ...collected, tds: { section, rate: percent(rate), base, ...(lower && { lower }), ...covered } };
}

/** How much of a bill was paid in advance, and how much of that bore no deduction. */
export interface PaidAhead {
  readonly covered: Paise;
  readonly untaxed: Paise;
}

/** Tax is deducted when an amount is paid or credited, whichever is earlier: what advances have paid is not counted again. */
export function paidAheadOf(section: string, value: Paise, standings: readonly TdsStanding[]): PaidAhead {
  const { found } = tdsSection(section);
  const own = standings.filter((s) => tdsSection(s.section).found === found);
  const covered = Math.max(0, Math.min(value, sum(own.map(({ ahead = zero }) => ahead))));
  const taxed = sum(own.map(({ aheadTaxed = zero }) => aheadTaxed));
  return { covered: paise(covered), untaxed: paise(Math.max(0, covered - taxed)) };
}

/** A certificate under section 197 of a party, with what is left of its limit. */
export interface Certificate {
  readonly id: Id;
  readonly number: string;
  readonly section: string;
  readonly rate: Percent;
  readonly from: Day;
  readonly to: Day;
  readonly left: Paise;
}

/**
 * The certificate that covers so much of an amount paid or credited under a section on a day, and how much of it: of several
 * the one with the lowest rate. One that asks for more than the section does, or that is used up, covers nothing.
 */
export function lowerOf(
  certificates: readonly Certificate[],
  section: string | undefined,
  date: Day,
  amount: Paise,
): TdsLower | undefined {
  const { found } = tdsSection(section ?? '');
  const terms = section === undefined ? undefined : tdsTerms(section, date);
  const [best] = certificates
    .filter((c) => tdsSection(c.section).found === found && c.from <= date && date <= c.to && c.left > 0)
    .filter((c) => terms !== undefined && c.rate < terms.rate)
    .toSorted((a, b) => a.rate - b.rate || (a.to < b.to ? -1 : 1));
  if (!found || !best || amount <= 0) return undefined;
  const { id: certificate, number, rate, left } = best;
  return { certificate, number, rate, base: paise(Math.min(amount, left)) };
}

/** What was paid or credited to a party under a section before, without GST, and how much of that has borne its deduction. */
export interface TdsStanding {
  readonly section: string;
  readonly year: Paise;
  readonly yearDeducted: Paise;
  readonly month: Paise;
  readonly monthDeducted: Paise;
  /** Advances that no bill has used yet, of any year, and those of them that bore their deduction. */
  readonly ahead?: Paise;
  readonly aheadTaxed?: Paise;
}

/** Advances under a section, and the bills that used them. */
export interface AdvancesBefore {
  readonly section: string;
  readonly paid: number;
  /** So much of them the payee paid back. */
  readonly refunded: number;
  /** Of what was not paid back, so much bore its deduction. */
  readonly taxed: number;
  /** So much of the bills they cover: of all years, of the tax year and of the month asked about. */
  readonly covered: number;
  readonly coveredInYear: number;
  readonly coveredInMonth: number;
}

/** What was paid or credited under a section in a tax year, in the month asked about or the others of it. */
export interface PaidBefore {
  readonly section: string;
  readonly month: boolean;
  readonly value: number;
  /** So much bore its deduction, where that was worked out. */
  readonly base: number;
  /** Documents whose tax was typed. */
  readonly typed: readonly { readonly value: number; readonly tax: number }[];
}

/**
 * How much bore its deduction where the tax was typed: the document, or more of the year when more was deducted than
 * it bears by itself.
 */
const typedBase = ({ value, tax }: PaidBefore['typed'][number], rate: Percent | undefined): number =>
  rate === undefined || rate === 0 ? value : Math.max(value, scale(tax, HUNDRED_PERCENT, rate));

/** The same by section, as thresholds ask for it. */
export const standingsOf = (
  paid: readonly PaidBefore[],
  date: Day,
  { hasPan, deductee }: { readonly hasPan: boolean; readonly deductee: TdsQuestion['deductee'] },
  advances: readonly AdvancesBefore[] = [],
): TdsStanding[] => {
  const bySection = groupBy(paid, ({ section }) => section);
  const sections = new Set([...bySection.keys(), ...advances.map(({ section }) => section)]);
  return [...sections].map((section) => {
    const rows = bySection.get(section) ?? [];
    const { individual, found } = tdsSection(section);
    const usual =
      found &&
      tdsOn({
        ...{ section: found.section, date, amount: zero, before: zero, deductedOn: zero, pan: hasPan },
        deductee: individual ? 'individual' : deductee,
      });
    const baseOf = (own: readonly PaidBefore[]): Paise =>
      paise(
        own.reduce(
          (t, { base, typed }) => t + base + typed.reduce((sum, one) => sum + typedBase(one, usual?.rate), 0),
          0,
        ),
      );
    const paidIn = (own: readonly PaidBefore[]): Paise => paise(own.reduce((t, { value }) => t + value, 0));
    const inMonth = rows.filter(({ month }) => month);
    const own = advances.find((one) => one.section === section);
    // an advance was cancelled after a bill had used it: the bill counts after all
    const missing = own ? Math.max(0, own.covered - own.paid) : 0;
    const ahead = own ? Math.max(0, own.paid - own.refunded - own.covered) : 0;
    return {
      section,
      year: paise(paidIn(rows) + Math.min(missing, own?.coveredInYear ?? 0)),
      yearDeducted: baseOf(rows),
      month: paise(paidIn(inMonth) + Math.min(missing, own?.coveredInMonth ?? 0)),
      monthDeducted: baseOf(inMonth),
      ...(own && ahead > 0 && { ahead: paise(ahead), aheadTaxed: paise(Math.max(0, own.taxed - own.covered)) }),
    };
  });
};

/** Whom a section is for on a day, by any of its names; undefined where it is for all. */
export function personsOf(section: string, date: Day): SectionPersons | undefined {
  const { individual, found } = tdsSection(section);
  const name = individual ? `${found?.section}${INDIVIDUAL}` : found?.section;
  return onDay(
    sectionPersons.filter((row) => row.section === name),
    date,
  );
}

/** The section that a service or expense with this code is paid under, where the code leaves no choice. */
export const impliedSection = (hsn: string, date: Day): string | undefined =>
  onDay(
    impliedSections.filter(({ codes }) => codes.some((code) => hsn.startsWith(code))),
    date,
  )?.section;

/** Whether the threshold of a section counts the payments of a year, and not those of a month. */
export const countsYear = (section: string, date: Day): boolean =>
  onDay(tdsSection(section).found?.terms ?? [], date)?.over === 'year';

/** The fourth letter of a PAN says what its holder is. */
export const deducteeOf = (pan: string | null): TdsQuestion['deductee'] => {
  const letter = pan?.charAt(3) ?? '';
  if (letter === 'P' || letter === 'H') return 'individual';
  return letter === 'C' ? 'company' : 'other';
};

export interface TdsAdvice extends TdsAnswer {
  /** What counts beside this amount: of the tax year, or for rent of the month. */
  readonly before: Paise;
  readonly threshold?: Paise;
}

/**
 * What the thresholds of a section ask to deduct from an amount, after what came before it; undefined for an unknown section.
 * No more than `most` is deducted, what the party is paid at all: the rest is asked for with the next payment.
 */
export function tdsAdvice(
  section: string,
  date: Day,
  amount: Paise,
  standings: readonly TdsStanding[],
  party: {
    readonly hasPan: boolean;
    readonly deductee: TdsQuestion['deductee'];
    readonly certificates?: readonly Certificate[];
    /** Of a bill, beside the amount. */
    readonly paidAhead?: PaidAhead;
  },
  most?: Paise,
): TdsAdvice | undefined {
  const { individual, found } = tdsSection(section);
  const terms = onDay(found?.terms ?? [], date);
  if (!found || !terms) return undefined;
  // documents may name one section in more than one way
  const own = standings.filter((s) => tdsSection(s.section).found === found);
  const of = (pick: (s: TdsStanding) => Paise): Paise => sum(own.map(pick));
  const [before, deductedOn] =
    terms.over === 'month'
      ? [of((s) => s.month), of((s) => s.monthDeducted)]
      : [of((s) => s.year), of((s) => s.yearDeducted)];
  const deductee = individual ? 'individual' : party.deductee;
  const question: TdsQuestion = {
    ...{ section: found.section, date, amount, before, deductedOn, deductee, pan: party.hasPan },
    ...(party.paidAhead && { paidAhead: party.paidAhead }),
  };
  const usual = tdsOn(question);
  const lower = usual && party.hasPan && lowerOf(party.certificates ?? [], section, date, usual.base);
  const answer = within(lower ? tdsOn({ ...question, certificate: lower }) : usual, most);
  return answer && { ...answer, before, ...(terms.threshold !== undefined && { threshold: paise(terms.threshold) }) };
}

const within = (answer: TdsAnswer | undefined, most: Paise | undefined): TdsAnswer | undefined => {
  if (!answer || most === undefined || answer.tds <= most || answer.rate === 0) return answer;
  const tds = paise(Math.max(0, Math.trunc(most / 100) * 100));
  return { ...answer, tds, base: paise(Math.min(answer.base, scale(tds, HUNDRED_PERCENT, answer.rate))) };
};

export interface SectionChoice {
  readonly section: string;
  readonly name: string;
  readonly rate: Percent;
}

/** The sections under which tax is deducted on a day, with their usual rates. */
export const tdsChoices = (date: Day): readonly SectionChoice[] =>
  tdsSections.flatMap(({ section, name, terms }) => {
    const now = onDay(terms, date);
    if (!now) return [];
    const own = { section, name, rate: percent(now.rate) };
    return now.individualRate === undefined
      ? [own]
      : [own, { section: section + INDIVIDUAL, name: `${name}, individual or HUF`, rate: percent(now.individualRate) }];
  });

/**
 * The section that is usual for the supplier of a document, where the kind has one, tax is deducted at all and the section is
 * in force on its day.
 */
export const usualSection = (
  kind: Kind,
  date: Day,
  supplier: { readonly tdsSection?: string } | undefined,
  isOn = true,
): string | undefined =>
  isOn && kind.fields.includes('tdsSection') && tdsChoices(date).some(({ section }) => section === supplier?.tdsSection)
    ? supplier?.tdsSection
    : undefined;

/** The value above which each of the goods bears tax collected under a section. */
export const tcsEachAbove = (section: string, date: Day): Paise | undefined =>
  tcsTerms(alsoCalled[section] ?? section, date)?.eachAbove;

/** The section under which tax is collected on scrap, with its rate of a day. */
export const scrapChoice = (date: Day): SectionChoice | undefined => {
  const scrap = tcsSections.find((one) => one.scrap);
  return tcsChoices(date).find(({ section }) => section === scrap?.section);
};

/** The sections under which tax is collected on a day, with their rates. */
export const tcsChoices = (date: Day): readonly SectionChoice[] =>
  tcsSections.flatMap(({ section, name }) => {
    const rate = tcsRate(section, date);
    return rate === undefined ? [] : [{ section, name, rate }];
  });
