import { useRef, useState } from 'react';
import { toastError } from '../../kit/dialog/toast.tsx';
import { focusFirstError } from '../../kit/fields/fields.tsx';
import { unchosenIn } from '../../kit/fields/typing.ts';
import { nothingChosen } from '../../kit/fields/unchosen.ts';
import { t } from '../../kit/text.ts';
import { ownerOf } from '../../views/editor/saving/handOver.ts';
import type { KeptBill } from '../bills/billStore.ts';
import { keepBill } from '../bills/numbering.ts';
import { sendLeftBills } from '../bills/sending.ts';
import { billOf, emptyCart } from '../cart/cart.ts';
import type { Bill } from '../cart/useBill.ts';
import type { OpenTill } from '../counter.ts';
import { receiptOf } from '../paper/receipt.ts';

/** Finishes the bill: it is kept in this browser under its number first, and sent from there. */
export function useFinish(till: OpenTill, bill: Bill, bills: readonly KeptBill[], onFinished: () => void) {
  const { cart, counter, setCart, setProblems } = bill;
  const [busy, setBusy] = useState(false);
  const [last, setLast] = useState<string | null>(null);
  const working = useRef(false);
  const keep = async (made: Exclude<ReturnType<typeof billOf>, { problems: unknown }>) => {
    const owner = ownerOf(counter.session);
    const before = bills.find(({ key }) => key === cart.instead);
    const kept = await keepBill(
      { till, session: till.session.id, owner, before },
      { body: made.body, receipt: receiptOf(cart, counter, made.summed), cart },
    );
    setCart(() => emptyCart);
    setProblems([]);
    setLast(kept.key);
    onFinished();
    void sendLeftBills(owner).catch(() => undefined); // sent again while it waits
  };
  const finish = async () => {
    if (working.current || cart.lines.length === 0) return;
    const unchosen = unchosenIn();
    if (unchosen) {
      unchosen.focus();
      return toastError(
        t('{{nothingChosen}}: choose it or clear the field', {
          nothingChosen: nothingChosen((unchosen as HTMLInputElement).value),
        }),
      );
    }
    const made = billOf(cart, counter);
    if ('problems' in made) {
      setProblems(made.problems);
      return focusFirstError();
    }
    working.current = true;
    setBusy(true);
    try {
      await keep(made);
    } catch {
      toastError(t('This browser could not keep the bill, so it was not made: is its storage full or switched off?'));
    } finally {
      working.current = false;
      setBusy(false);
    }
  };
  return {
    busy,
    finish: () => void finish(),
    /** The bill finished here a moment ago, until the next one begins. */
    last: bills.find(({ key }) => key === last),
    forgetLast: () => setLast(null),
  };
}
