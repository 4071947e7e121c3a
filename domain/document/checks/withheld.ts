import { HUNDRED_PERCENT, type Percent, percentText, rupeesText } from '../../base/decimal.ts';
import { type Paise, paise, sum, taxInRupees, zero } from '../../base/money.ts';
import { type Said, say } from '../../base/say.ts';
import { moneySettled } from '../../books/posting.ts';
import { gstTdsRate } from '../../facts/withholding.ts';
import {
  goodsAbove,
  goodsMissed,
  goodsSection,
  highestRateOf,
  highestTdsRate,
  mayMissSection,
  missingSection,
  paidAheadOf,
  scrapChoice,
  tdsAdvice,
  undeductedBefore,
  usualSection,
} from '../../tax/withheld.ts';
import type { Draft } from '../document.ts';
import { takesBack } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Facts } from '../resolve.ts';
import { sourceIds } from '../sources.ts';
import type { Checking, Finding, PricedCheck, TypedCheck } from './check.ts';

/** Why a tax that is too low is asked about. */
const restIsOwed =
  'Income-tax Act 1961 section 201, Act of 2025 section 398: who deducts less owes the rest, with interest';

/** Tax is deducted once: when an amount is credited or when it is paid, whichever is earlier. */
export const deductedAlready: TypedCheck = {
  code: 'deductedAlready',
  weight: 'reason',
  source:
    'Income-tax Act 1961 sections 194C to 194Q, Act of 2025 section 393: at credit or payment, whichever is earlier',
  find: ({ draft, facts: { booked } }) =>
    booked?.deducted?.length && (draft.tdsAmount ?? 0) > 0
      ? [
          {
            field: 'tdsAmount',
            ...(booked.deducted.length > 1
              ? say('Tax was deducted already when {{deducted}} were booked: leave it out here', {
                  deducted: booked.deducted.join(', '),
                })
              : say('Tax was deducted already when {{deducted}} was booked: leave it out here', {
                  deducted: booked.deducted.join(', '),
                })),
          },
        ]
      : [],
};

/** Tax collected that the government has: what the buyer gets back of it is claimed by correcting the statement. */
export const collectedDeposited: PricedCheck = {
  code: 'collectedDeposited',
  weight: 'reason',
  source: 'Income-tax Act 1961 section 206C(3), Act of 2025 section 397(3): tax collected is paid to the government',
  find: ({ kind, draft, facts: { documents }, priced }) => {
    const paid =
      kind.gst.tax === 'output' && priced.tcsBack ? sourceIds(draft).flatMap((id) => documents?.get(id) ?? []) : [];
    const numbers = paid
      .filter(({ id, tcsDeposited }) => tcsDeposited && priced.tcsBack?.[id])
      .map(({ number }) => number);
    if (numbers.length === 0) return [];
    return [
      {
        field: 'against',
        ...say(
          'The tax collected with {{numbers}} is deposited already: {{tcs}} that is given back has to be claimed by correcting the ' +
            'statement',
          { numbers: numbers.join(', '), tcs: rupeesText(priced.tcs) },
        ),
      },
    ];
  },
};

/** Goods bought of one seller above the threshold of the year bear tax: without a section nothing is deducted. */
export const goodsAboveThreshold: PricedCheck = {
  code: 'goodsAboveThreshold',
  weight: 'warning',
  source:
    'Income-tax Act 1961 section 194Q, Act of 2025 section 393(1) Sl. 8(ii): goods above 50 lakh of one seller in a year',
  find: ({ kind, draft, facts, priced }) => {
    const goods = sum(priced.lines.filter(({ service }) => !service).map(({ value }) => value));
    const above = goodsAbove(kind, draft, facts, goods);
    return above > 0 && goodsSection
      ? [
          {
            field: 'tdsSection',
            ...say(
              'Goods bought of {{party}} this year go above the threshold of section {{section}} by {{above}} with this bill: choose ' +
                'the section to deduct the tax',
              {
                party: facts.party?.name ?? say('this supplier'),
                section: goodsSection.section,
                above: rupeesText(above),
              },
            ),
          },
        ]
      : [];
  },
};

/** Bills without a section may have been for the same work: nobody but the one who books them knows. */
export const billsWithoutSection: PricedCheck = {
  code: 'billsWithoutSection',
  weight: 'warning',
  source: 'Income-tax Act 1961 section 194C(5), Act of 2025 section 393(1): the limit counts all sums of the year',
  find: ({ kind, draft: { tdsSection: section, tdsAmount, date }, facts, priced }) => {
    const { party, tds, tdsBefore } = facts;
    const missed = tdsBefore?.unmarked;
    if (kind.lines.of === 'none' || !kind.fields.includes('tdsSection') || !section || !missed || !tds) return [];
    if (tdsAmount !== undefined || section === goodsSection?.section) return [];
    const amount = paise(priced.value - (tds.covered ?? 0) + missed.value);
    const who = { hasPan: party?.hasPan ?? true, deductee: tdsBefore.deductee };
    const advice = tdsAdvice(section, date, amount, tdsBefore.standings, who);
    if (!advice || advice.tds <= priced.tds) return [];
    return [
      {
        field: 'tdsAmount',
        ...(missed.bills === 1
          ? say(
              '{{bills}} bill of {{rupees}} this year without a section: if they count toward the limit of {{section}}, the tax is ' +
                '{{tds}} with this bill. Enter it then',
              { bills: missed.bills, rupees: rupeesText(missed.value), section, tds: rupeesText(advice.tds) },
            )
          : say(
              '{{bills}} bills of {{rupees}} this year without a section: if they count toward the limit of {{section}}, the tax is ' +
                '{{tds}} with this bill. Enter it then',
              { bills: missed.bills, rupees: rupeesText(missed.value), section, tds: rupeesText(advice.tds) },
            )),
      },
    ];
  },
};

/** Tax is deducted when an amount is credited or paid: what settles documents was credited with them. */
export const usualSectionMissing: TypedCheck = {
  code: 'usualSectionMissing',
  weight: 'reason',
  source:
    'Income-tax Act 1961 sections 192 to 206AA, Act of 2025 sections 392 and 393: at credit or payment, whichever is earlier',
  find: ({ kind, draft, facts: { party, switches } }) => {
    const section = usualSection(kind, draft.date, party, switches?.tds);
    if (section === undefined || draft.tdsSection !== undefined) return [];
    if (kind.lines.of === 'none' && onAccount(draft) <= 0) return [];
    return [
      {
        field: 'tdsSection',
        ...say(
          'Tax is usually deducted from {{party}} under section {{section}}: choose the section, or give the reason for deducting none',
          { party: party?.name, section },
        ),
      },
    ];
  },
};

/** Each section has its own rate: another one than the usual is of other work, or a slip. */
export const usualSectionOther: TypedCheck = {
  code: 'usualSectionOther',
  weight: 'reason',
  source: restIsOwed,
  find: ({ kind, draft: { date, tdsSection: section }, facts: { party, switches } }) => {
    const usual = usualSection(kind, date, party, switches?.tds);
    if (usual === undefined || section === undefined || section === usual || section === goodsSection?.section)
      return [];
    return [
      {
        field: 'tdsSection',
        ...say('The usual section of {{party}} is {{usual}}: choose it, or say what this payment is for', {
          party: party?.name,
          usual,
        }),
      },
    ];
  },
};

/** A section that was used with a party in the year counts what else is paid or credited to it for the same. */
function usedBefore({ kind, draft, facts }: Checking, amounts: Parameters<typeof missingSection>[2]): Finding[] {
  const { party, switches } = facts;
  if (switches?.tds === false || draft.currency !== 'INR' || !mayMissSection(kind, draft)) return [];
  if (kind.lines.of !== 'none' && takesBack(kind)) return [];
  if (usualSection(kind, draft.date, party, switches?.tds) !== undefined) return [];
  const missing = missingSection(draft, facts, amounts);
  if (!missing) return [];
  return [
    {
      field: 'tdsSection',
      ...say(
        'Tax was deducted from {{party}} under section {{section}} this year, or counted for it: {{tds}} here. Choose the section, or ' +
          'give the reason for deducting none',
        { party: party?.name, section: missing.section, tds: rupeesText(missing.tds) },
      ),
    },
  ];
}
const limitOfYear =
  'Income-tax Act 1961 sections 194C to 194Q, Act of 2025 section 393: the limit counts all that a person is paid in the year';
export const usedSectionMissing: PricedCheck = {
  code: 'usedSectionMissing',
  weight: 'reason',
  source: limitOfYear,
  find: (checking) => {
    const { lines, value } = checking.priced;
    const goods = sum(lines.filter(({ item, service }) => item && !service).map((line) => line.value));
    return usedBefore(checking, { goods, rest: paise(value - goods) });
  },
};
/** Of money on account, which nobody has said what it is for. */
export const usedSectionMissingOfMoney: TypedCheck = {
  code: 'usedSectionMissingOfMoney',
  weight: 'reason',
  source: limitOfYear,
  find: (checking) => {
    const rest = paise(onAccount(checking.draft));
    return checking.kind.lines.of === 'none' ? usedBefore(checking, { goods: rest, rest }) : [];
  },
};

/** A tax that was typed far below what the section asks for leaves the rest with the one who should have deducted it. */
function farBelow({ kind, draft, facts: { tdsBefore: before, party } }: Checking, value: Paise): Finding[] {
  const { tdsSection: section, tdsAmount, tdsLower, date, currency, allocations = [] } = draft;
  if (!kind.fields.includes('tdsSection') || section === undefined || tdsAmount === undefined) return [];
  if (!before || !party || currency !== 'INR' || tdsLower || allocations.length > 0) return [];
  const { covered } = kind.lines.of === 'none' ? { covered: zero } : paidAheadOf(section, value, before.standings);
  const who = { hasPan: party.hasPan, deductee: before.deductee };
  const advice = tdsAdvice(section, date, paise(value - covered), before.standings, who);
  if (!advice || tdsAmount * 2 >= advice.tds) return [];
  return [
    {
      field: 'tdsAmount',
      ...say(
        'Section {{section}} asks for {{tds}} of {{base}} here, and {{typed}} is deducted: correct the tax, or say why it is less',
        { section, tds: rupeesText(advice.tds), base: rupeesText(advice.base), typed: rupeesText(tdsAmount) },
      ),
    },
  ];
}
export const tdsFarBelow: PricedCheck = {
  code: 'tdsFarBelow',
  weight: 'reason',
  source: restIsOwed,
  find: (checking) => farBelow(checking, checking.priced.value),
};
/** Of money: what is paid out and the tax together. */
export const tdsOfMoneyFarBelow: TypedCheck = {
  code: 'tdsOfMoneyFarBelow',
  weight: 'reason',
  source: restIsOwed,
  find: (checking) =>
    checking.kind.lines.of === 'none' ? farBelow(checking, moneySettled({ draft: checking.draft })) : [],
};

/** Goods above the threshold whose bills named no section bore nothing: the one that names it can catch them up. */
export const goodsWithoutSection: PricedCheck = {
  code: 'goodsWithoutSection',
  weight: 'reason',
  source: 'Income-tax Act 1961 section 194Q, Act of 2025 section 393(1) Sl. 8(ii): all goods of the year above 50 lakh',
  find: ({ kind, draft: { tdsSection: section, tdsAmount, date }, facts, priced }) => {
    if (section === undefined || section !== goodsSection?.section || kind.lines.of === 'none') return [];
    if (!kind.fields.includes('tdsSection') || tdsAmount !== undefined) return [];
    const missed = goodsMissed(date, facts.tdsBefore);
    const rate = facts.tds?.rate;
    if (missed <= 0 || rate === undefined) return [];
    const more = taxInRupees([[missed, rate]]);
    return [
      {
        field: 'tdsAmount',
        ...say(
          'Goods of {{missed}} above the threshold of section {{section}} were bought this year without a deduction: the tax on them ' +
            'is {{more}}. Enter {{whole}} to deduct it with this bill, or give the reason for leaving it out',
          { missed: rupeesText(missed), section, more: rupeesText(more), whole: rupeesText(priced.tds + more) },
        ),
      },
    ];
  },
};

/** Scrap bears tax collected from its first rupee: without a section nothing is collected. */
export const scrapWithoutSection: PricedCheck = {
  code: 'scrapWithoutSection',
  weight: 'reason',
  source:
    'Income-tax Act 1961 section 206C(1) and (1A), Act of 2025 section 394(1) Sl. 4: scrap, without a threshold; not from a ' +
    'manufacturer who declares that it is for production, nor for personal use',
  find: ({ kind, draft, pricing, facts }) => {
    // a person or family collects only above a turnover of one crore in the year before (section 206C, Explanation (c))
    if (['P', 'H'].includes(facts.own.gstin?.[5] ?? '')) return [];
    const asked = kind.gst.tax === 'output' && kind.fields.includes('tcsSection') && draft.tcsSection === undefined;
    const choice = asked && !takesBack(kind) ? scrapChoice(draft.date) : undefined;
    if (!choice || !pricing.lines.some(({ scrap, charge }) => scrap && !charge)) return [];
    return [
      {
        field: 'tcsSection',
        ...say(
          'This is a sale of scrap: choose section {{section}} to collect {{rate}} % of tax, or give the reason for collecting none',
          {
            section: choice.section,
            rate: percentText(choice.rate),
          },
        ),
      },
    ];
  },
};

/** Money with tax beside it: what it settles is in the books, and the server knows what that came to. */
export const asksSettled = (kind: Kind, { tdsAmount, gstTdsAmount, allocations = [] }: Draft): boolean =>
  kind.lines.of === 'none' &&
  !kind.source.reverses &&
  (tdsAmount ?? 0) + (gstTdsAmount ?? 0) > 0 &&
  allocations.length > 0;

/** What is on account: settled by the money, and by no document. */
const onAccount = (draft: Draft): number =>
  moneySettled({ draft }) - (draft.allocations ?? []).reduce((total, { amount }) => total + amount, 0);
/**
 * What the tax may have been deducted from: all of the documents that are settled, for a part of them may have been paid
 * before, and what is on account. Undefined where nobody knows the documents yet.
 */
const deductedFrom = (
  { kind, draft, facts: { booked } }: Checking,
  of: 'worth' | 'net' = 'worth',
): Paise | undefined => {
  if (!asksSettled(kind, draft)) return moneySettled({ draft });
  const settled = booked?.settled;
  return settled && paise(settled[of] + onAccount(draft));
};

/** Tax in whole rupees may be rounded up by one, each time that it is rounded. */
const RUPEE = 100;
const most = (amount: number, rate: Percent): number => (amount * rate) / HUNDRED_PERCENT;
const isAbove = (tax: number, amount: number, rate: Percent, times = 1): boolean =>
  tax >= most(amount, rate) + RUPEE * times;

/** Income-tax that a customer deducts: they know the section, and no section goes further than the highest rate. */
export const tdsAboveSections: TypedCheck = {
  code: 'tdsAboveSections',
  weight: 'reason',
  source:
    'Income-tax Act 1961 sections 194 to 206AA, Act of 2025 section 393; once a threshold is crossed all of the year bears the tax',
  find: (checking) => {
    const { kind, draft } = checking;
    const { tdsAmount = zero } = draft;
    if (!asksSettled(kind, draft) || kind.fields.includes('tdsSection')) return [];
    const from = deductedFrom(checking);
    if (from === undefined || !isAbove(tdsAmount, from, highestTdsRate)) return [];
    const message = say(
      'No section deducts more than {{highestTdsRate}} %, and this is {{tdsAmount}} of the amount settled: correct the tax, or say ' +
        'what else it was deducted from',
      { highestTdsRate: percentText(highestTdsRate), tdsAmount: shareText(tdsAmount, from) },
    );
    return [{ field: 'tdsAmount', ...message }];
  },
};
const shareText = (tax: number, from: number): string | Said =>
  from > 0 ? `${percentText(Math.round((tax * HUNDRED_PERCENT) / from / 10_000) * 10_000)} %` : say('more than all');

/** GST that a customer deducts from what is paid, without the tax on it. */
export const gstTdsAboveRate: TypedCheck = {
  code: 'gstTdsAboveRate',
  weight: 'problem',
  source: 'CGST Act section 51(1): one percent each of the centre and the state, from the value without tax',
  find: (checking) => {
    const { kind, draft } = checking;
    const { gstTdsAmount = zero } = draft;
    if (!asksSettled(kind, draft)) return [];
    const from = deductedFrom(checking, 'net');
    // both heads of each document are rounded by themselves (section 170)
    const roundings = 2 * Math.max(1, draft.allocations?.length ?? 0);
    if (from === undefined || !isAbove(gstTdsAmount, from, gstTdsRate, roundings)) return [];
    const message = say(
      'Section 51 deducts {{gstTdsRate}} % of the value without tax, {{from}} of the amount settled: correct the tax',
      { gstTdsRate: percentText(gstTdsRate), from: rupeesText(Math.floor(most(from, gstTdsRate))) },
    );
    return [{ field: 'gstTdsAmount', ...message }];
  },
};

/** Only the government, its bodies and whom it notifies deduct GST; they are registered for it. */
export const gstTdsOfDeductor: TypedCheck = {
  code: 'gstTdsOfDeductor',
  weight: 'reason',
  source: 'CGST Act sections 51(1) and 24(vi); notifications 33/2017-CT and 50/2018-CT',
  find: ({ kind, draft: { gstTdsAmount = zero }, facts: { party, switches } }) =>
    switches?.tds !== false &&
    kind.fields.includes('gstTdsAmount') &&
    gstTdsAmount > 0 &&
    party &&
    party.category !== 'taxDeductor'
      ? [
          {
            field: 'gstTdsAmount',
            ...say(
              '{{party}} is not on record as a tax deductor, and only those deduct GST (section 51): leave it out, correct the category ' +
                'of the party, or give the reason',
              { party: party.name },
            ),
          },
        ]
      : [],
};

/** What we deduct ourselves and typed: the rate of its section, from this document and from what bore no tax before. */
function aboveSection({ kind, draft, facts }: Checking, from: Paise | undefined): Finding[] {
  const { tdsSection, tdsAmount = zero, date } = draft;
  const rate = tdsSection && tdsAmount > 0 ? highestRateOf(tdsSection, date, hasPan(facts)) : undefined;
  if (rate === undefined || from === undefined || tdsSection === undefined) return [];
  const before = draft.currency === 'INR' ? undeductedBefore(tdsSection, date, facts.tdsBefore) : zero;
  const whole = from + before + (kind.lines.of === 'none' ? 0 : (facts.tdsBefore?.unmarked?.value ?? 0));
  if (!isAbove(tdsAmount, whole, rate)) return [];
  const values = {
    section: tdsSection,
    rate: percentText(rate),
    most: rupeesText(Math.ceil(most(whole, rate))),
    before: rupeesText(before),
  };
  const message =
    before > 0
      ? say(
          'Section {{section}} deducts at most {{rate}} %, {{most}} here, with {{before}} of before that bore no tax: correct the ' +
            'tax, or say why it is more',
          values,
        )
      : say(
          'Section {{section}} deducts at most {{rate}} %, {{most}} here: correct the tax, or say why it is more',
          values,
        );
  return [{ field: 'tdsAmount', ...message }];
}
const hasPan = ({ party }: Facts): boolean => party?.hasPan ?? false;
const source =
  'Income-tax Act 1961 sections 192 to 206AA, Act of 2025 sections 392 and 393: the rates of the sections, without a PAN the raised ones';

/** Of money: what is paid out and the tax together, or the documents that it settles. */
export const tdsOfMoneyAboveSection: TypedCheck = {
  code: 'tdsOfMoneyAboveSection',
  weight: 'reason',
  source,
  find: (checking) =>
    checking.kind.lines.of === 'none' && checking.kind.fields.includes('tdsSection')
      ? aboveSection(checking, deductedFrom(checking))
      : [],
};
/** Of a bill: its value without GST, less what advances paid of it. */
export const tdsAboveSection: PricedCheck = {
  code: 'tdsAboveSection',
  weight: 'reason',
  source,
  find: (checking) =>
    checking.kind.fields.includes('tdsSection')
      ? aboveSection(checking, paise(checking.priced.value - (checking.facts.tds?.covered ?? 0)))
      : [],
};
