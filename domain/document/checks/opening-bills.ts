import { dayInWords } from '../../base/dates.ts';
import { say } from '../../base/say.ts';
import { partName } from '../../stock/parts.ts';
import type { Draft } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Finding, TypedCheck } from './check.ts';

/** Whether lines of a document are bills from before the books, each with its number. */
export const opensBills = ({ books }: Kind): boolean => books.opensByLine === 'bills';
/** The same bill has the same party and number, on the same side. */
export const billNames = (draft: Draft): readonly (string | undefined)[] =>
  draft.lines.map(({ party, reference, debit = 0 }) =>
    party && reference?.trim()
      ? `${party} ${debit > 0 ? 'debit' : 'credit'} ${reference.trim().toUpperCase()}`
      : undefined,
  );

/** A bill that is brought in twice would be due twice. */
export const openingBillTwice: TypedCheck = {
  code: 'openingBillTwice',
  weight: 'reason',
  source: 'a bill of a party is due once',
  find: ({ kind, draft, facts: { booked } }) => {
    if (!opensBills(kind)) return [];
    const names = billNames(draft);
    return draft.lines.flatMap(({ reference = '' }, row): Finding[] => {
      const name = names[row];
      if (name === undefined) return [];
      const before = names.indexOf(name);
      const known = booked?.openingBills?.find((each) => each.row === row);
      const there = known?.number
        ? say('{{number}} of {{date}}', { number: known.number, date: dayInWords(known.date) })
        : say('a document that you may not see');
      const where = before < row ? `line ${before + 1}` : known ? there : undefined;
      return where === undefined
        ? []
        : [
            {
              field: 'lines.reference',
              row,
              ...say('{{reference}} of this party is in {{where}} already', { reference: reference.trim(), where }),
            },
          ];
    });
  },
};

/** What lines open, by what tells it from others: the ledger, or the goods with their room, batch and serial numbers. */
export const linesOpened = (kind: Kind, draft: Draft) =>
  draft.lines.flatMap((line, row) => {
    const { ledger = '', party, costCentre = '', item = '', room = '', batches = [], serials = [] } = line;
    const opensLedger = opensBills(kind) && !party && ledger !== '';
    if (!opensLedger && !(kind.roles?.includes('openingStock') && item !== '')) return [];
    return [
      { row, ledger, costCentre, item, room, batch: partName(batches[0]?.batch ?? ''), serials: serials.map(partName) },
    ];
  });

/** A ledger or goods that are opened twice are in the books twice. */
export const openedTwice: TypedCheck = {
  code: 'openedTwice',
  weight: 'reason',
  source: 'opening balances hold what was there once (accounting facts, section 2, entry 21)',
  find: ({ kind, facts: { booked } }) =>
    (booked?.openedAlready ?? []).map(({ row, number, date }): Finding => {
      const where = number
        ? say('{{number}} of {{date}}', { number, date: dayInWords(date) })
        : say('a document that you may not see');
      return {
        field: opensBills(kind) ? 'lines.ledger' : 'lines.item',
        row,
        ...say('This has its opening at this location in {{where}} already: leave the line out, or say what is added', {
          where,
        }),
      };
    }),
};
