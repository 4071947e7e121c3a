import { type Doc, madeFrom, type SmallBooks } from './books.ts';
import { all, because, type Plan, pick } from './step.ts';

/** What is sent to the portal by this machine. */
export const reported: readonly string[] = ['saleInvoice', 'saleReturn'];

/** How the portal may misbehave, and whether it has carried the call out by then. */
const faults = [
  undefined,
  undefined,
  undefined,
  ['serverErrorAfterAccepting', true],
  ['dropAfterAccepting', true],
  ['serverError', false],
] as const;

const known: readonly Doc['irn'][] = ['unclear', 'registered'];
/** The portal has it, or may have it: then it is not cancelled in the books. */
export const isAtPortal = ({ irn }: Doc): boolean => known.includes(irn);

/** What was made from it, or settles it, keeps its IRN. */
const isNeeded = (books: SmallBooks, doc: Doc): boolean =>
  madeFrom(books, doc).length > 0 || [...books.pairs.values()].some((pair) => pair.due === doc && pair.amount > 0);
/** Nothing new refers to a document whose IRN is cancelled. */
export const isIrnCancelled = ({ irn, cancelled }: Doc): boolean => irn === 'cancelled' && !cancelled;

/** Documents are registered at the portal, whatever it answers, and their IRNs cancelled. Nothing happens where no portal is. */
export const irns = {
  register: (books, world, [a, b]) => {
    const doc = world.portal && pick(all(books, ...reported), a);
    if (!doc || !world.portal) return undefined;
    const goes = !doc.cancelled && (doc.irn === 'queued' || doc.irn === 'unclear');
    // one that is known may be asked for only; a call that is not made cannot go wrong
    const fault = doc.irn === 'queued' && goes ? pick(faults, b) : undefined;
    world.portal.next = fault && [fault[0], 'generate'];
    return {
      call: 'GenerateIRNNumber',
      input: { ids: [doc.id] },
      refused: [],
      apply: ({ queued, skipped }) => {
        if (queued !== Number(goes) || (skipped as object[]).length !== Number(!goes))
          return `${queued} went of one that ${goes ? 'waits' : 'does not wait'}`;
        if (goes)
          Object.assign(doc, fault ? { irn: 'unclear', atPortal: fault[1] } : { irn: 'registered', atPortal: true });
        return undefined;
      },
    };
  },
  cancelIrn: (books, world, [a, b]) => {
    const doc = world.portal && pick(all(books, ...reported), a);
    if (!doc || !world.portal) return undefined;
    const needed = isNeeded(books, doc);
    const goes = doc.irn === 'registered' && !needed;
    // what is heard too late is read back
    world.portal.next = goes && b % 4 === 0 ? ['serverErrorAfterAccepting', 'cancel'] : undefined;
    return {
      call: 'CancelIRNNumber',
      input: { id: doc.id, reason: '2', remark: 'typed twice' },
      refused: because({ irpRefused: doc.irn !== 'registered', irnInUse: needed }),
      apply: () => {
        doc.irn = 'cancelled';
        return undefined;
      },
    };
  },
} as const satisfies Readonly<Record<string, Plan>>;
