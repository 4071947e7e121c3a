import { rupeesText } from '../../base/decimal.ts';
import { type Said, say } from '../../base/say.ts';
import { creditOn, creditSum, creditText, losesCredit, mayLoseCredit, noCredit } from '../../tax/credit-lost.ts';
import { isRegular } from '../../tax/gst/registration/registered.ts';
import type { Checking, Finding, TypedCheck } from './check.ts';

const proposedFor = ({ draft, facts: { items, booked } }: Checking) =>
  booked?.bought ? creditOn(draft, items, booked.bought) : noCredit;

/** Credit is reversed by who took it, for goods on which none stays, and in amounts. */
export const creditReversedTyped: TypedCheck = {
  code: 'creditReversedTyped',
  weight: 'problem',
  source: 'CGST Act sections 10(4), 16(1) and 17(5)(h)',
  find: ({ kind, draft, facts: { own } }) => {
    const { creditReversed } = draft;
    if (creditReversed === undefined) return [];
    const at = (field: string, message: Said): Finding[] => [{ field, ...message }];
    if (!kind.fields.includes('creditReversed')) return [];
    for (const head of ['cgst', 'sgst', 'igst', 'cess'] as const)
      if (creditReversed[head] < 0) return at(`creditReversed.${head}`, say('An amount is not negative'));
    if (creditSum(creditReversed) === 0) return [];
    if (!isRegular(own.kind))
      return at('creditReversed.cgst', say('This registration takes no input credit: leave this out'));
    return losesCredit(kind, draft)
      ? []
      : at(
          'creditReversed.cgst',
          say(
            'Input credit is reversed for goods that are lost, stolen, destroyed, written off or given away (section 17(5)(h)): ' +
              'choose such a reason, or leave this out',
          ),
        );
  },
};

/** A warning says what the product reverses by itself. */
export const creditLost: TypedCheck = {
  code: 'creditLost',
  weight: 'warning',
  source: 'CGST Act section 17(5)(h); GSTR-3B table 4(B)(1)',
  find: (checking) => {
    const { kind, draft, facts } = checking;
    const reversed = draft.creditReversed ?? proposedFor(checking);
    if (!losesCredit(kind, draft) || !isRegular(facts.own.kind) || creditSum(reversed) === 0) return [];
    return [
      {
        field: 'creditReversed.cgst',
        ...say(
          'Input credit of {{reversed}} is reversed with it (section 17(5)(h)): it belongs into table 4(B)(1) of GSTR-3B',
          { reversed: creditText(reversed) },
        ),
      },
    ];
  },
};

/** A shortage that a count finds is a mistake of entry, or goods are gone: a warning says what is due then. */
export const creditShort: TypedCheck = {
  code: 'creditShort',
  weight: 'warning',
  source: 'CGST Act section 17(5)(h); GSTR-3B table 4(B)(1)',
  find: (checking) => {
    const { kind, draft, facts } = checking;
    const credit = proposedFor(checking);
    if (!mayLoseCredit(kind, draft) || !isRegular(facts.own.kind) || creditSum(credit) === 0) return [];
    return [
      {
        field: 'adjustmentReason',
        ...say(
          'If the missing goods are lost, stolen or destroyed, choose that reason: their input credit of {{credit}} is then reversed ' +
            '(section 17(5)(h))',
          { credit: creditText(credit) },
        ),
      },
    ];
  },
};

/** Less than the last bills took: perhaps no credit was taken, which somebody has to say. */
export const creditKept: TypedCheck = {
  code: 'creditKept',
  weight: 'reason',
  source: 'CGST Act section 17(5)(h)',
  find: (checking) => {
    const { kind, draft } = checking;
    if (draft.creditReversed === undefined || !losesCredit(kind, draft)) return [];
    const proposed = proposedFor(checking);
    return creditSum(draft.creditReversed) < creditSum(proposed)
      ? [
          {
            field: 'creditReversed.cgst',
            ...say('By their last bills the credit on these goods is {{proposed}}, and less is reversed', {
              proposed: creditText(proposed),
            }),
          },
        ]
      : [];
  },
};

/** The credit on goods varies with their price; one far above that of their last bills is a slip, or of other goods. */
const FAR = 2;
export const creditAboveBills: TypedCheck = {
  code: 'creditAboveBills',
  weight: 'reason',
  source: 'CGST Act section 17(5)(h): the credit on these goods is reversed, and no more',
  find: (checking) => {
    const { kind, draft, facts } = checking;
    if (draft.creditReversed === undefined || !facts.booked?.bought || !losesCredit(kind, draft)) return [];
    const proposed = proposedFor(checking);
    return creditSum(draft.creditReversed) > FAR * creditSum(proposed)
      ? [
          {
            field: 'creditReversed.cgst',
            ...say('By their last bills the credit on these goods is {{proposed}}, and far more is reversed', {
              proposed: creditText(proposed) || rupeesText(0),
            }),
          },
        ]
      : [];
  },
};
