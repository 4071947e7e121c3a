import { type Percent, percent } from './decimal.ts';
import type { Day, Draft } from './document.ts';
import type { Effect } from './effects.ts';
import { type Dated, tcsSections, tdsSections } from './facts/withholding.ts';
import type { Kind } from './kinds/kind.ts';
import { type Paise, paise, sum } from './money.ts';
import { price } from './price.ts';
import { type Facts, resolve } from './resolve.ts';
import { type TdsAnswer, type TdsQuestion, tcsRate, tdsOn } from './tds.ts';

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

/** The effect under which tax deducted by a section is posted; the posting map says which ledger that is. */
export const tdsEffectOf = (section: string | undefined): Effect =>
  tdsSection(section ?? '').found?.effect ?? 'tdsOther';

/**
 * Income-tax that a document withholds or collects: the usual rate of its section on the whole value (section 206AA raises
 * it where the PAN is not known). An amount typed wins in `resolve`; thresholds are for the person who chooses the section.
 */
export function withheld(kind: Kind, draft: Draft, facts: Facts): Pick<Facts, 'tds' | 'tcs'> {
  const { tdsSection: section, tcsSection, date } = draft;
  const tcs = tcsSection === undefined ? undefined : tcsRate(alsoCalled[tcsSection] ?? tcsSection, date);
  const collected = tcsSection !== undefined && tcs !== undefined ? { tcs: { section: tcsSection, rate: tcs } } : {};
  const terms = section === undefined || kind.lines === 'none' ? undefined : tdsTerms(section, date);
  if (section === undefined || terms === undefined) return collected;
  const rate = facts.party && !facts.party.hasPan ? Math.max(terms.rate, terms.withoutPan) : terms.rate;
  const base = price(resolve(kind, draft, facts)).value;
  return { ...collected, tds: { section, rate: percent(rate), base } };
}

/** What was paid or credited to a party under a section before, without GST, and how much of that has borne its deduction. */
export interface TdsStanding {
  readonly section: string;
  readonly year: Paise;
  readonly yearDeducted: Paise;
  readonly month: Paise;
  readonly monthDeducted: Paise;
}

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

/** What the thresholds of a section ask to deduct from an amount, after what came before it; undefined for an unknown section. */
export function tdsAdvice(
  section: string,
  date: Day,
  amount: Paise,
  standings: readonly TdsStanding[],
  party: { readonly hasPan: boolean; readonly deductee: TdsQuestion['deductee'] },
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
  const answer = tdsOn({ section: found.section, date, amount, before, deductedOn, deductee, pan: party.hasPan });
  return answer && { ...answer, before, ...(terms.threshold !== undefined && { threshold: paise(terms.threshold) }) };
}

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

/** The sections under which tax is collected on a day, with their rates. */
export const tcsChoices = (date: Day): readonly SectionChoice[] =>
  tcsSections.flatMap(({ section, name }) => {
    const rate = tcsRate(section, date);
    return rate === undefined ? [] : [{ section, name, rate }];
  });
