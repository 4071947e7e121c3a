import { rupeesText } from '../../base/decimal.ts';
import { type Paise, paise, sum, zero } from '../../base/money.ts';
import { type Said, say } from '../../base/say.ts';
import {
  countsYear,
  impliedSection,
  mayMissSection,
  missingSection,
  personsOf,
  tdsAdvice,
  tdsNamed,
  usualSection,
} from '../../tax/withheld.ts';
import { takesBack } from '../kinds/index.ts';
import type { Checking, CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';

/** Holders of PANs by their letter; those of a section that is for several by its letters. */
const holders: Readonly<Record<string, Said>> = {
  P: say('an individual'),
  H: say('a Hindu undivided family'),
  PH: say('an individual or a Hindu undivided family'),
  C: say('a company'),
  F: say('a firm or LLP'),
  A: say('an association of persons'),
  B: say('a body of individuals'),
  T: say('a trust'),
  G: say('the government'),
  L: say('a local authority'),
  J: say('a juridical person'),
};
const inWords = (letters: string): Said | string => holders[letters] ?? letters;

/** The section that is chosen, of a document or payment that can have one. */
const chosen = ({ kind, draft }: Checking): string | undefined =>
  kind.fields.includes('tdsSection') ? draft.tdsSection : undefined;

/** A section is for some payers and payees only, and their PANs say what they are. */
export const sectionOfPersons: TypedCheck = {
  code: 'sectionOfPersons',
  weight: 'problem',
  source:
    'Income-tax Act 1961 sections 192 to 194T, Act of 2025 sections 392 and 393: who deducts, and from whom (sectionPersons)',
  find: (checking) => {
    const { draft, facts } = checking;
    const section = chosen(checking);
    const persons = section === undefined ? undefined : personsOf(section, draft.date);
    if (!persons) return [];
    const { payers, payees, employees } = persons;
    const [payer, payee] = [facts.own.gstin?.[5], facts.party?.holder];
    const wrong = (message: Said): Finding[] => [{ field: 'tdsSection', ...message }];
    const choose = { section, party: facts.party?.name ?? say('this supplier') };
    if (payers && payer && !payers.includes(payer))
      return wrong(
        say(
          'Section {{section}} is for payments of {{payers}}, and our PAN is that of {{payer}}: choose another section',
          {
            ...choose,
            payers: inWords(payers),
            payer: inWords(payer),
          },
        ),
      );
    if (payees && payee && !payees.includes(payee))
      return wrong(
        say(
          'Section {{section}} is for payments to {{payees}}, and the PAN of {{party}} is that of {{payee}}: choose another section, ' +
            'or correct the PAN',
          { ...choose, payees: inWords(payees), payee: inWords(payee) },
        ),
      );
    return employees && facts.party?.gstin
      ? wrong(
          say(
            'Section {{section}} is for salaries of employees, and {{party}} is a supplier with a GSTIN: choose another section',
            choose,
          ),
        )
      : [];
  },
};

/** Tax of non-residents has a section of its own; who lives abroad is no resident, but some who are not live here. */
export const sectionOfResidents: TypedCheck = {
  code: 'sectionOfResidents',
  weight: 'reason',
  source:
    'Income-tax Act 1961 section 195, Act of 2025 section 393(2): sums paid to a non-resident; the others are for residents',
  find: (checking) => {
    const section = chosen(checking);
    const { party } = checking.facts;
    const statement = section === undefined ? undefined : tdsNamed(section)?.statement;
    if (section === undefined || !party || statement === 'salary') return [];
    const isAbroad = party.category === 'overseas';
    if (isAbroad === (statement === 'nonResidents')) return [];
    const values = { section, party: party.name };
    return [
      {
        field: 'tdsSection',
        ...(isAbroad
          ? say(
              'Section {{section}} is for residents, and {{party}} is abroad: choose section 195, or give the reason',
              values,
            )
          : say(
              'Section {{section}} is for non-residents, and {{party}} is in India: choose another, or give the reason',
              values,
            )),
      },
    ];
  },
};

/** Whether a section may be missing: TDS is switched on, none is chosen, and none is usual for the supplier. */
const isWithoutSection = ({ kind, draft, facts: { party, switches } }: CheckingPriced): boolean =>
  switches?.tds === true &&
  kind.lines.of !== 'none' &&
  mayMissSection(kind, draft) &&
  !takesBack(kind) &&
  usualSection(kind, draft.date, party, switches.tds) === undefined;

/** A purchase from abroad that has no section of its own. */
const hasNoSection = ({ kind, facts: { switches } }: CheckingPriced): boolean =>
  switches?.tds === true &&
  kind.gst.tax === 'input' &&
  kind.party.from === 'abroad' &&
  kind.life.cycle === 'posted' &&
  !kind.fields.includes('tdsSection') &&
  kind.paper.form !== 'note' &&
  !takesBack(kind);

/** Services from abroad may be taxed here: who pays them without deducting says by which treaty or rule. */
export const abroadWithoutSection: PricedCheck = {
  code: 'abroadWithoutSection',
  weight: 'reason',
  source:
    'Income-tax Act 1961 sections 9(1) and 195, Act of 2025 section 393(2): sums chargeable to tax paid to a non-resident',
  find: (checking) => {
    const { facts, priced } = checking;
    const isOnOther = hasNoSection(checking);
    if (!(isOnOther || isWithoutSection(checking)) || facts.party?.category !== 'overseas') return [];
    if (!priced.lines.some(({ service, value }) => service && value > 0)) return [];
    if (isOnOther)
      return [
        {
          field: 'party',
          ...say(
            'Services of {{party}}, who is abroad, are paid without a deduction (section 195), and a {{kind}} makes none: enter them as ' +
              'an expense in rupees with the section, or give the reason (treaty, or not chargeable here)',
            { party: facts.party.name, kind: checking.kind.label.toLowerCase() },
          ),
        },
      ];
    const message = say(
      'Services of {{party}}, who is abroad, are paid without a deduction: choose section 195, or give the reason (treaty, or not ' +
        'chargeable here)',
      { party: facts.party.name },
    );
    return [{ field: 'tdsSection', ...message }];
  },
};

interface Implied {
  readonly section: string;
  readonly value: Paise;
}
/** What the codes of a bill without a section are paid under, with the value of each. */
function implied(checking: CheckingPriced): readonly Implied[] {
  const { draft, facts, priced } = checking;
  const { party, own } = facts;
  // a person or family deducts only above a turnover of the year before; from the government nothing is deducted (section 196)
  if (!isWithoutSection(checking) || !party || party.category === 'overseas' || party.holder === 'G') return [];
  if (draft.currency !== 'INR' || ['P', 'H'].includes(own.gstin?.[5] ?? '')) return [];
  // a section that was used with the party in the year is asked for by itself
  const goods = sum(priced.lines.filter(({ item, service }) => item && !service).map(({ value }) => value));
  if (missingSection(draft, facts, { goods, rest: paise(priced.value - goods) })) return [];
  const lines = priced.lines.flatMap(({ hsn, value }) => {
    const section = impliedSection(hsn, draft.date);
    return section === undefined ? [] : [{ section, value }];
  });
  return [...new Set(lines.map(({ section }) => section))].map((section) => ({
    section,
    value: sum(lines.filter((line) => line.section === section).map(({ value }) => value)),
  }));
}

/** What a section would deduct from an amount of this document. */
const deductedOf = ({ draft, facts: { party, tdsBefore } }: CheckingPriced, section: string, amount: Paise): Paise =>
  tdsAdvice(section, draft.date, amount, tdsBefore?.standings ?? [], {
    hasPan: party?.hasPan ?? true,
    deductee: tdsBefore?.deductee ?? 'other',
  })?.tds ?? zero;

/** A code that leaves no choice of the section, above its threshold: who deducts nothing says why. */
export const impliedSectionMissing: PricedCheck = {
  code: 'impliedSectionMissing',
  weight: 'reason',
  source:
    'Income-tax Act 1961 sections 194C to 194J, Act of 2025 section 393(1): by what is paid for (impliedSections)',
  find: (checking) =>
    implied(checking).flatMap(({ section, value }): Finding[] => {
      const tds = deductedOf(checking, section, value);
      if (tds <= 0) return [];
      const message = say(
        'By its SAC this is paid under section {{section}}, and above the threshold: {{tds}} is to be deducted. Choose the section, ' +
          'or give the reason for deducting none',
        { section, tds: rupeesText(tds) },
      );
      return [{ field: 'tdsSection', ...message }];
    }),
};

/** Together with other bills of the year that named no section; nobody but the one who books them knows what those were for. */
export const impliedSectionNear: PricedCheck = {
  code: 'impliedSectionNear',
  weight: 'warning',
  source:
    'Income-tax Act 1961 sections 194C to 194J, Act of 2025 section 393(1): the limit counts all sums of the year',
  find: (checking) =>
    implied(checking).flatMap(({ section, value }): Finding[] => {
      const others = checking.facts.tdsBefore?.unmarked?.value ?? zero;
      if (others <= 0 || !countsYear(section, checking.draft.date)) return [];
      if (deductedOf(checking, section, value) > 0) return [];
      const tds = deductedOf(checking, section, paise(value + others));
      if (tds <= 0) return [];
      const message = say(
        'With other bills of this year without a section this may be above the threshold of section {{section}}, by its SAC: choose ' +
          'the section if they are for the same',
        { section },
      );
      return [{ field: 'tdsSection', ...message }];
    }),
};
