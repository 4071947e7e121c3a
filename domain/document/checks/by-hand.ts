import { type Effect, effects } from '../../books/effects.ts';
import { tdsSections } from '../../facts/withholding.ts';
import { hasGst } from '../../tax/gst/registration/registered.ts';
import { taxEffects } from '../../tax/tax-locks.ts';
import type { Kind } from '../kinds/kind.ts';
import { sold } from './adjustments.ts';
import type { TypedCheck } from './check.ts';

/** Tax that is withheld: its statements list the documents that withheld it. */
const withheld: readonly Effect[] = [...new Set(tdsSections.map(({ effect }) => effect)), 'tcsPayable'];

/** Why no return or statement has what a journal moves on a ledger. */
const missing = (effect: Effect): string | undefined => {
  if (taxEffects.includes(effect)) return 'no return has it: enter the invoice, bill or note, or a GST adjustment';
  if (effect === 'gstOnAdvances')
    return 'no return has it: enter the advance, its adjustment or its refund, which state this tax';
  if (withheld.includes(effect))
    return 'no return has it, and no challan pays it: enter the document that withholds the tax, or the challan';
  return undefined;
};

/** A journal that people type line by line. A set-off pays tax by its rules, and opening balances begin the books. */
export const isByHand = ({ lines, gst, life, books }: Kind): boolean =>
  lines.of === 'ledgers' && !gst.setsOff && !life.system && !lines.onlyMoney && books.opensByLine !== 'bills';

/** Returns are drawn from documents of supplies: what a journal moves on a ledger of tax is in the books alone. */
export const taxByHand: TypedCheck = {
  code: 'taxByHand',
  weight: 'reason',
  source: 'CGST Act sections 37 and 39, Income-tax Act 1961 section 200(3): returns state supplies and deductions',
  find: ({ kind, draft, facts: { ledgerSeen } }) => {
    if (!ledgerSeen || !isByHand(kind) || draft.challan) return [];
    return draft.lines.flatMap(({ ledger }, row) => {
      const effect = ledger === undefined ? undefined : ledgerSeen(ledger)?.effects.find(missing);
      return effect === undefined
        ? []
        : [{ field: 'lines.ledger', row, message: `This moves ${effects[effect][0]} by hand, and ${missing(effect)}` }];
    });
  },
};

/** What is sold is stated by invoices: returns have no income that a journal credits. */
export const salesByHand: TypedCheck = {
  code: 'salesByHand',
  weight: 'reason',
  source: 'CGST Act sections 31(1) and 37: a supply is stated by its invoice',
  find: ({ kind, draft, facts: { ledgers, own } }) => {
    if (!ledgers || !isByHand(kind) || !hasGst(own.kind)) return [];
    return draft.lines.flatMap(({ ledger, credit = 0 }, row) => {
      const effect = credit > 0 ? sold.find((name) => ledgers[name] === ledger) : undefined;
      if (effect === undefined) return [];
      const message = `This credits “${effects[effect][0]}” by hand, and no return has it: enter the invoice`;
      return [{ field: 'lines.ledger', row, message }];
    });
  },
};
