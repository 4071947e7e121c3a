import { dayInWords } from '../../base/dates.ts';
import { say } from '../../base/say.ts';
import { isTaxOfAnotherState } from '../../tax/gst/registration/place.ts';
import { isRegular } from '../../tax/gst/registration/registered.ts';
import { stateName } from '../../tax/gst/registration/states.ts';
import { creditReversals, isCreditReversal, REVERSED_FROM } from '../../tax/gst/returns/credit-reversal.ts';
import { isCreditBarred, lastDayFor, lastDayInWords, takesCredit } from '../../tax/gst/returns/time-limits.ts';
import type { Day, Draft } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import { dayOfOriginal } from '../originals.ts';
import type { Facts } from '../resolve.ts';
import { dayOfInvoice, sourceIds } from '../sources.ts';
import { type CheckingPriced, type Finding, type PricedCheck, placeField, type TypedCheck } from './check.ts';

/**
 * The bill is booked all the same; its tax becomes cost. Table 4(D)(2) of GSTR-3B has both together: the time was over, or the
 * tax is that of another state. What takes the bill back finds this warning, and takes back cost.
 */
export const creditBarred: PricedCheck = {
  code: 'creditBarred',
  weight: 'warning',
  source: 'CGST Act sections 2(62), 16(1) and 16(4); GSTR-3B, table 4(D)(2)',
  find: (checking) => {
    const { kind, facts, priced } = checking;
    const hasTax = priced.cgst + priced.sgst + priced.igst + priced.cess > 0;
    return takesCredit(kind) && hasTax && isRegular(facts.own.kind)
      ? [...tooLate(checking), ...ofAnotherState(checking)]
      : [];
  },
};

const tooLate = ({ kind, draft, facts, today }: CheckingPriced): Finding[] => {
  const { annualReturns } = facts.own;
  // of goods of several dispatches the first whose time is over
  const billed = (sourceIds(draft).length === 0 ? [undefined] : sourceIds(draft))
    .map((source) => dayOfInvoice(kind, draft, source, facts))
    .find((day) => isCreditBarred(kind, { ...draft, referenceDate: day }, annualReturns, today));
  if (billed === undefined) return [];
  const until = lastDayInWords(billed, annualReturns);
  return [
    {
      field: kind.fields.includes('referenceDate') ? 'referenceDate' : 'against',
      ...say(
        'Input credit on this document could be taken until {{until}} (section 16(4)): its tax is booked as cost',
        { until },
      ),
    },
  ];
};

const ofAnotherState = ({ kind, facts: { own }, pricing, priced }: CheckingPriced): Finding[] => {
  const { placeOfSupply } = pricing;
  if (!isTaxOfAnotherState(priced.supply, placeOfSupply, own)) return [];
  const [there, here] = [stateName(placeOfSupply) ?? placeOfSupply, stateName(own.state) ?? own.state];
  return [
    {
      field: placeField(kind),
      ...say(
        'CGST and SGST of {{there}} are no input credit of a registration in {{here}}: this tax is booked as cost',
        { there, here },
      ),
    },
  ];
};

/** The day of the supply that a note corrects: of several the earliest, for the note reduces the tax of each. */
const originalDay = (draft: Draft, { booked, documents }: Facts): Day | undefined => {
  const named = sourceIds(draft).flatMap((id) => documents?.get(id) ?? []);
  // while it is typed the documents that it names are known, and the books are not
  const days = [...(booked?.originals?.values() ?? named)].map(({ date }) => date).sort();
  return days[0] ?? dayOfOriginal(draft);
};

const reducesTax = (kind: Kind): boolean => kind.gst.gstr1 === 'creditNote';

/** After the limit a note with GST reduces no tax: it is made without GST. */
export const noteInTime: PricedCheck = {
  code: 'noteTooLate',
  weight: 'problem',
  source: 'CGST Act section 34(2)',
  find: ({ kind, draft, facts, priced }) => {
    const original = reducesTax(kind) ? originalDay(draft, facts) : undefined;
    if (original === undefined || priced.cgst + priced.sgst + priced.igst + priced.cess === 0) return [];
    const { annualReturns } = facts.own;
    const until = lastDayFor(original, annualReturns);
    if (draft.date <= until) return [];
    const without = kind.fields.includes('withoutTax');
    const values = { original: dayInWords(original), until: lastDayInWords(original, annualReturns) };
    return [
      {
        field: without ? 'withoutTax' : 'date',
        ...(without
          ? say(
              'GST on the supply of {{original}} could be reduced until {{until}} (section 34(2)): make this note without GST',
              values,
            )
          : say(
              'GST on the supply of {{original}} could be reduced until {{until}} (section 34(2)): make a credit note without GST instead',
              values,
            )),
      },
    ];
  },
};

/** What is declared of the recipient’s credit is one of the two things that can be said. */
export const creditReversalSaid: TypedCheck = {
  code: 'creditReversalSaid',
  weight: 'problem',
  source: 'CGST Act section 34(2), proviso',
  find: ({ kind, draft: { fields = {} } }) => {
    const said = fields['creditReversal']?.trim() ?? '';
    if (said === '' || !kind.fields.includes('creditReversal') || isCreditReversal(said)) return [];
    return [
      {
        field: 'creditReversal',
        ...say('Choose one of: {{creditReversals}}', { creditReversals: creditReversals.join('; ') }),
      },
    ];
  },
};

/** A credit note to a registered recipient reduces tax only where they have reversed the credit: who makes it says so. */
export const creditReversal: PricedCheck = {
  code: 'creditReversal',
  weight: 'warning',
  source:
    'CGST Act section 34(2), proviso as amended by the Finance Act 2025; notification 16/2025-CT, from 01-10-2025',
  find: ({ kind, draft, facts: { party }, priced }) => {
    const hasTax = priced.cgst + priced.sgst + priced.igst + priced.cess > 0;
    if (!kind.fields.includes('creditReversal') || !party?.gstin || !hasTax) return [];
    if (draft.date < REVERSED_FROM || draft.fields?.['creditReversal']?.trim()) return [];
    return [
      {
        field: 'creditReversal',
        ...say(
          'This note reduces tax only once {{party}} has reversed the input credit that they took (section 34(2)): say what they ' +
            'have done under “Credit of the recipient”',
          { party: party.name },
        ),
      },
    ];
  },
};

/** In the last month the return that declares the note has still to be filed in time. */
export const noteInLastMonth: PricedCheck = {
  code: 'noteLastMonth',
  weight: 'warning',
  source: 'CGST Act section 34(2)',
  find: ({ kind, draft, facts, priced }) => {
    const original = reducesTax(kind) ? originalDay(draft, facts) : undefined;
    if (original === undefined || priced.cgst + priced.sgst + priced.igst + priced.cess === 0) return [];
    const until = lastDayFor(original, facts.own.annualReturns);
    if (draft.date > until || draft.date < `${until.slice(0, 7)}-01`) return [];
    return [
      {
        field: 'date',
        ...say('This note reduces tax only when the return that declares it is filed by {{until}} (section 34(2))', {
          until: dayInWords(until),
        }),
      },
    ];
  },
};
