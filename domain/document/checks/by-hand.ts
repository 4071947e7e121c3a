import { type Said, say } from '../../base/say.ts';
import { type Effect, effects } from '../../books/effects.ts';
import { tdsSections } from '../../facts/withholding.ts';
import { hasGst } from '../../tax/gst/registration/registered.ts';
import { taxEffects } from '../../tax/tax-locks.ts';
import type { Kind } from '../kinds/kind.ts';
import { sold } from './adjustments.ts';
import type { TypedCheck } from './check.ts';

/** Tax that is withheld: its statements list the documents that withheld it. */
const withheld: readonly Effect[] = [...new Set(tdsSections.map(({ effect }) => effect)), 'tcsPayable'];

/** What no return or statement has when a journal moves it on a ledger. */
const missing = (effect: Effect): Said | undefined => {
  const ledger = effects[effect][0];
  if (taxEffects.includes(effect))
    return say(
      'This moves {{ledger}} by hand, and no return has it: enter the invoice, bill or note, or a GST adjustment',
      { ledger },
    );
  if (effect === 'gstOnAdvances')
    return say(
      'This moves {{ledger}} by hand, and no return has it: enter the advance, its adjustment or its refund, which state this tax',
      { ledger },
    );
  if (withheld.includes(effect))
    return say(
      'This moves {{ledger}} by hand, and no return has it, and no challan pays it: enter the document that withholds the tax, or ' +
        'the challan',
      { ledger },
    );
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
      const message = effect && missing(effect);
      return message ? [{ field: 'lines.ledger', row, ...message }] : [];
    });
  },
};

/** What supplies come to: invoices, bills and their notes fill these ledgers. */
const ofSupplies: readonly Effect[] = [...sold, 'charges', 'salesDiscount', 'purchaseReturn', 'purchaseDiscount'];

/** Returns are drawn from invoices and notes: they have nothing of what a journal adds to a supply or takes off it. */
export const supplyByHand: TypedCheck = {
  code: 'supplyByHand',
  weight: 'reason',
  source: 'CGST Act sections 31(1), 34 and 37: a supply is stated by its invoice and changed by a note',
  find: ({ kind, draft, facts: { ledgers, own } }) => {
    if (!ledgers || !isByHand(kind) || !hasGst(own.kind)) return [];
    return draft.lines.flatMap(({ ledger }, row) => {
      const effect = ofSupplies.find((name) => ledgers[name] === ledger);
      if (effect === undefined) return [];
      const message = say('This moves “{{effects}}” by hand, and no return has it: enter the invoice or the note', {
        effects: effects[effect][0],
      });
      return [{ field: 'lines.ledger', row, ...message }];
    });
  },
};
