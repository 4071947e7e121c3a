import { useEffect, useState } from 'react';
import { beforeSignOut, useSession } from '../../kit/server/session.ts';
import { ownerOf } from '../../views/editor/saving/handOver.ts';
import { browserBills, type HeldCart, type KeptBill, onBills } from './billStore.ts';
import { sendLeftBills } from './sending.ts';

/** Between two attempts to send what waits. */
const AGAIN = 5000;

/** What this browser keeps of a person's bills. */
export interface StoredState {
  readonly bills: readonly KeptBill[];
  readonly held: readonly HeldCart[];
}

/** The bills of this person in this browser, and what they have put aside; announced again whenever a tab changes them. */
export function useStoredState(): StoredState {
  const owner = ownerOf(useSession());
  const [kept, setKept] = useState<StoredState>({ bills: [], held: [] });
  useEffect(() => {
    let gone = false;
    const read = () =>
      void Promise.all([browserBills.of(owner), browserBills.held(owner)])
        .then(([bills, held]) => gone || setKept({ bills, held }))
        .catch(() => undefined); // a browser that keeps nothing says so when a bill is to be kept
    read();
    const stop = onBills(read);
    return () => {
      gone = true;
      stop();
    };
  }, [owner]);
  return kept;
}

/** Sends what waits: at once, when the connection is back, and every few seconds as long as something waits. */
export function useSending(waiting: number): void {
  const owner = ownerOf(useSession());
  useEffect(() => {
    if (waiting === 0) return;
    const go = () => void sendLeftBills(owner).catch(() => undefined); // tried again
    go();
    const timer = setInterval(go, AGAIN);
    window.addEventListener('online', go);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', go);
    };
  }, [waiting, owner]);
}

const leaving = new Set<string>();
/**
 * Before somebody who was at a till signs out, from whatever screen, what waits is sent, and prices and finished bills
 * leave the browser.
 */
export function useLeaving(): void {
  const owner = ownerOf(useSession());
  useEffect(() => {
    if (leaving.has(owner)) return;
    leaving.add(owner);
    beforeSignOut(async () => {
      await sendLeftBills(owner).catch(() => undefined); // bills that could not be sent stay for the next sign-in
      await browserBills.forget(owner).catch(() => undefined);
    });
  }, [owner]);
}
