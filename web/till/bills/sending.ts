import { isNoAnswer, Refused, send } from '../../kit/server/api.ts';
import { type BillStore, browserBills, type KeptBill } from './billStore.ts';

/** What the server says to a bill. */
export interface Posted {
  readonly TransactionId: string;
  readonly TransactionNumber: string;
}
export type PostBill = (bill: KeptBill) => Promise<Posted>;
/** Tells the server that numbers before this one wait under another name here, or are lost. */
export type TellMissing = (bill: KeptBill) => Promise<unknown>;
type Alone = (work: () => Promise<void>) => Promise<void>;

/** Longer than a loaded server takes; who waits longer asks again with the same key. */
const PATIENCE = 15_000;
/** Bills that are sent stay to be printed again, so many and no more. */
const KEPT = 200;

const overTheWire: PostBill = ({ key, body }) =>
  send<Posted>(
    'POST',
    '/api/transactions/PostTransactionCalls',
    { document: body },
    {
      ...{ idempotencyKey: key, signal: AbortSignal.timeout(PATIENCE) },
    },
  );

const overTheWireMissing: TellMissing = ({ session, body, counter }) =>
  send('POST', '/api/transactions/AwaitTillNumbers', {
    ...{ session, device: body.till?.device, date: body.date, before: counter },
  });

/** One tab sends at a time. Where a browser has no locks, the key of each bill still holds. */
const oneTab: Alone = async (work) => {
  if (!navigator.locks) return work();
  await navigator.locks.request('bahi-till-send', work);
};

/**
 * Sends what waits, in the order in which it was made. The first that gets no answer ends it, so that the order stays; one
 * that is refused stays with the reason, and the others go on. Numbers before it that are not here under this name are reported to the
 * server as not yet received. Answers whether nothing waits any more.
 */
export const sendBills = async (
  store: BillStore,
  owner: string,
  post: PostBill = overTheWire,
  alone: Alone = oneTab,
  tell: TellMissing = overTheWireMissing,
): Promise<boolean> => {
  let through = true;
  await alone(async () => {
    for (const bill of (await store.of(owner)).filter(({ state }) => state === 'waiting')) {
      try {
        const { TransactionId: id } = await inOrder(bill, post, tell);
        const { why: _why, code: _code, problems: _problems, ...plain } = bill;
        await store.keep({ ...plain, state: 'sent', id });
      } catch (problem) {
        if (isNoAnswer(problem)) {
          through = false;
          return;
        }
        const { message, code, problems } = problem as Refused;
        await store.keep({ ...bill, state: 'refused', why: message, code, problems });
      }
    }
    const done = (await store.of(owner)).filter(({ state }) => ['sent', 'cancelled', 'void'].includes(state));
    for (const { key } of done.slice(0, Math.max(done.length - KEPT, 0))) await store.drop(key);
  });
  return through;
};

const inOrder = async (bill: KeptBill, post: PostBill, tell: TellMissing): Promise<Posted> => {
  try {
    return await post(bill);
  } catch (problem) {
    if (!(problem instanceof Refused) || problem.code !== 'tillNumberAhead') throw problem;
    await tell(bill);
    return post(bill);
  }
};

/** Sends the bills that this person's till has left in this browser, from any screen. */
export const sendLeftBills = (owner: string): Promise<boolean> => sendBills(browserBills, owner);
