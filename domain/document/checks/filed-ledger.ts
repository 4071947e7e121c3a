import { dayInWords } from '../../base/dates.ts';
import { type Said, say } from '../../base/say.ts';
import { effectNames } from '../../books/effects.ts';
import { mayHaveGap, postsAsWritten } from '../../books/legs.ts';
import { lockName, type Register } from '../../books/registers.ts';
import type { Finding, TypedCheck } from './check.ts';

/** Ledgers of supplies, with the return that states them: GSTR-1 what was sold, GSTR-3B what was bought. */
const returnsOf: readonly (readonly [starts: RegExp, register: Register, what: Said])[] = [
  [/^(sales|charges$)/, 'outward', say('GSTR-1 of this day is filed: it has no such sale')],
  [/^purchase/, 'gst', say('GSTR-3B of this day is filed: it has no such purchase')],
];

/** A journal states no supply to a return: on a ledger of sales or purchases it makes the books differ from what was filed. */
export const ledgerOfFiledReturn: TypedCheck = {
  code: 'ledgerOfFiledReturn',
  weight: 'warning',
  source: 'CGST Act sections 37 and 39: returns agree with the books (GSTR-9C)',
  find: ({ kind, draft: { date, registration, lines }, facts: { ledgers, locks } }) => {
    if (!postsAsWritten(kind) || mayHaveGap(kind) || !ledgers || !locks) return [];
    return lines.flatMap(({ ledger }, row): Finding[] => {
      const effects = effectNames.filter((effect) => ledger !== undefined && ledgers[effect] === ledger);
      const found = returnsOf.find(
        ([starts, register]) =>
          effects.some((effect) => starts.test(effect)) &&
          [register, lockName(register, registration)].some((name) => date <= (locks.get(name) ?? '')),
      );
      return found
        ? [{ field: 'lines.ledger', row, ...say('{{found}} ({{date}})', { found: found[2], date: dayInWords(date) }) }]
        : [];
    });
  },
};
