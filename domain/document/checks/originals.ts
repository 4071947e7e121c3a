import { dayInWords, isDay } from '../../base/dates.ts';
import { type Said, say } from '../../base/say.ts';
import type { Draft } from '../document.ts';
import { kindLabel } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { givesOriginal, isWithoutSource, typedOriginal } from '../originals.ts';
import type { BookedOriginal, Facts } from '../resolve.ts';
import { returnsWithoutSource } from '../sources.ts';
import { type Finding, isSuppliersPaper, type PricedCheck, type TypedCheck } from './check.ts';

const isNumbered = (number: string): boolean => /^[A-Za-z0-9/-]{1,16}$/.test(number);

const wanted = (kind: Kind, draft: Draft): Finding[] => {
  const { number = '', date = '' } = typedOriginal(draft) ?? {};
  const isBill = kind.gst.tax === 'input';

  return [
    ...(number
      ? []
      : [
          {
            field: 'originalNumber',
            ...(isBill
              ? say('Enter the number of the original bill of the supplier, or choose it under “Against document”')
              : say('Enter the number of the original invoice, or choose it under “Against document”')),
          },
        ]),
    ...(date
      ? []
      : [
          {
            field: 'originalDate',
            ...(isBill
              ? say('Enter the date of the original bill of the supplier, or choose it under “Against document”')
              : say('Enter the date of the original invoice, or choose it under “Against document”')),
          },
        ]),
  ];
};

/** Number and date of an original that is not in the books: both or none, beside no document, on notes alone. */
export const originalTyped: TypedCheck = {
  code: 'original',
  weight: 'problem',
  source: 'CGST rules 46(b) and 53(1A); decisions.md section 12',
  find: ({ kind, draft, facts: { party } }) => {
    const original = typedOriginal(draft);
    if (!original || !givesOriginal(kind)) return [];
    if (!isWithoutSource(draft))
      return leaveOut(draft, say('The original is the document that was chosen: leave this out, or choose none'));
    const missing = wanted(kind, draft);
    return missing.length > 0 ? missing : [...numberOf(kind, party, original.number), ...dateOf(draft, original.date)];
  },
};

const leaveOut = ({ fields = {} }: Draft, message: Said): Finding[] =>
  ['originalNumber', 'originalDate'].flatMap((field) => (fields[field]?.trim() ? [{ field, ...message }] : []));

/** Who is registered numbers by rule 46, and so do we. */
const numberOf = (kind: Kind, party: Facts['party'], number: string): Finding[] =>
  isNumbered(number) || (kind.gst.tax === 'input' && !party?.gstin)
    ? []
    : [
        {
          field: 'originalNumber',
          ...say('The number of an invoice has at most 16 characters: letters, digits, - and / (rule 46)'),
        },
      ];

const dateOf = ({ date }: Draft, original: string): Finding[] => {
  if (!isDay(original)) return [{ field: 'originalDate', ...say('Enter a date') }];
  if (original <= date) return [];
  return [
    {
      field: 'originalDate',
      ...say('The original is not dated after this note of {{date}}', { date: dayInWords(date) }),
    },
  ];
};

/**
 * A note says which invoice it belongs to, whoever the buyer is and whether or not it bears tax: the limits of time and
 * the rate are those of its day.
 */
export const originalWanted: PricedCheck = {
  code: 'originalWanted',
  weight: 'problem',
  source: 'CGST Act section 34; CGST rule 53(1A)(g); decisions.md section 12',
  find: ({ kind, draft }) =>
    givesOriginal(kind) && isWithoutSource(draft) && !typedOriginal(draft) ? wanted(kind, draft) : [],
};

/** Whether the books hold the original as something that this kind cannot be made from and that the supplier wrote. */
const cannotBeChosen = (kind: Kind, original: BookedOriginal): boolean =>
  isSuppliersPaper(kind) && !original.cancelled && !kind.source.kinds.includes(original.kind);

const whyBooked = (kind: Kind, { kind: name, number, date, cancelled }: BookedOriginal): Said => {
  const booked = say('{{kind}} {{number}} of {{date}} is in the books', {
    kind: kindLabel(name),
    number,
    date: dayInWords(date),
  });
  if (cancelled) return say('{{booked}} and cancelled: there is nothing left to correct', { booked });
  if (kind.source.kinds.includes(name)) return say('{{booked}}: choose it under “Against document”', { booked });
  return say('{{booked}}, and a {{kind}} is not made from it', { booked, kind: kind.label.toLowerCase() });
};

/** A document of the books is chosen, so that the note agrees with it and takes no more than is left of it. */
export const originalBooked: TypedCheck = {
  code: 'originalBooked',
  weight: 'problem',
  source: 'decisions.md section 12',
  find: ({ kind, facts: { booked } }) =>
    booked?.original && !cannotBeChosen(kind, booked.original)
      ? [{ field: 'originalNumber', ...whyBooked(kind, booked.original) }]
      : [],
};

/**
 * An invoice of ours from a time in which the books have invoices is in them. A note on one that is not would reduce tax that no
 * return has declared, so that somebody says where it was issued.
 */
export const originalUnknown: TypedCheck = {
  code: 'originalUnknown',
  weight: 'reason',
  source: 'CGST Act section 34(2); decisions.md section 12',
  find: ({ kind, draft, facts: { booked, party } }) => {
    const { number, date } = typedOriginal(draft) ?? { number: '', date: '' };
    const since = booked?.invoicesSince;
    if (since === undefined || date < since) return [];
    if (kind.gst.tax === 'input') {
      const message = say(
        'The books have bills of {{party}} since {{since}}, and none with the number {{number}}: correct the number, enter the bill ' +
          'first, or say where it is booked',
        { party: party?.name, since: dayInWords(since), number },
      );
      return [{ field: 'originalNumber', ...message }];
    }
    return [
      {
        field: 'originalNumber',
        ...say(
          'The books have invoices of this registration since {{since}}, and none with the number {{number}}: correct the number, ' +
            'enter the invoice first, or say where it was issued',
          { since: dayInWords(since), number },
        ),
      },
    ];
  },
};

/** What is left of an original that the books do not have is not known: a second note about it says that there is as much. */
export const originalAgain: TypedCheck = {
  code: 'originalAgain',
  weight: 'reason',
  source: 'CGST Act section 34(1): notes reduce what their invoice charged, and no more',
  find: ({ kind, draft, facts: { booked } }) => {
    const again = booked?.originalAgain;
    // goods that come back without a document have a reason of their own
    if (!again || returnsWithoutSource(kind, draft)) return [];
    const { number: original = '', date = '' } = typedOriginal(draft) ?? {};
    const by = again.number
      ? say('{{number}} of {{date}}', { number: again.number, date: dayInWords(again.date) })
      : say('a document that you may not see');
    const values = { original, by };
    const message =
      again.originalDate === date
        ? say('{{original}} is corrected by {{by}} already: say that so much is left of it', values)
        : say(
            '{{original}} is corrected by {{by}} already, which dates it {{day}}: correct the date, or say that they are two',
            {
              ...values,
              day: dayInWords(again.originalDate),
            },
          );
    return [{ field: 'originalNumber', ...message }];
  },
};

/** A supplier's note about a bill that is booked as an expense: nothing compares the two, so somebody says why it is right. */
export const originalNotCompared: TypedCheck = {
  code: 'originalNotCompared',
  weight: 'reason',
  source: 'decisions.md section 12',
  find: ({ kind, facts: { booked } }) =>
    booked?.original && cannotBeChosen(kind, booked.original)
      ? [
          {
            field: 'originalNumber',
            ...say('{{booked}}: this note is not compared with it', { booked: whyBooked(kind, booked.original) }),
          },
        ]
      : [],
};

/** Goods come back from who bought them here: what says so is not in the books, so somebody says why it is believed. */
export const withoutSource: TypedCheck = {
  code: 'returnWithoutSource',
  weight: 'reason',
  source: 'decisions.md section 12',
  find: ({ kind, draft }) =>
    returnsWithoutSource(kind, draft)
      ? [
          {
            field: 'against',
            ...say('This {{kind}} has no source document for its goods', { kind: kind.label.toLowerCase() }),
          },
        ]
      : [],
};

/** A supply within the country is invoiced in rupees; only one to or from somebody abroad can be corrected in another currency. */
export const originalInRupees: TypedCheck = {
  code: 'originalInRupees',
  weight: 'problem',
  source: 'decisions.md section 12: a note agrees with its original',
  find: ({ kind, draft, facts: { party } }) =>
    givesOriginal(kind) &&
    isWithoutSource(draft) &&
    draft.currency !== 'INR' &&
    kind.fields.includes('currency') &&
    party !== undefined &&
    party.category !== 'overseas'
      ? [
          {
            field: 'currency',
            ...say('{{party}} is not overseas: the original is in rupees, so its correction is in rupees too', {
              party: party.name,
            }),
          },
        ]
      : [],
};
