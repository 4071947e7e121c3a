import { useCallback, useEffect, useRef, useState } from 'react';
import { newKey } from '../../kit/server/api.ts';
import { useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { thisTab } from '../../views/editor/saving/draftStore.ts';
import { ownerOf } from '../../views/editor/saving/handOver.ts';
import { browserBills, type HeldCart } from '../bills/billStore.ts';
import { type Cart, emptyCart } from './cart.ts';

/** After a change the bill in the making is kept, so that a reload or a crash loses nothing. */
const KEEP_AFTER = 200;

/** Whether a bill has grown out of another: each line keeps its key. */
const isSame = (one: Cart, other: Cart): boolean =>
  one.lines.some(({ key }) => other.lines.some((line) => line.key === key));

/** The bill in the making at a till: kept in the browser as it is typed, held under a name, recalled. */
export function useCart(till: string, kept: readonly HeldCart[]) {
  const owner = ownerOf(useSession());
  const own = `typing/${owner}/${till}/${thisTab()}`;
  const [cart, setCart] = useState<Cart>(emptyCart);
  const restored = useRef(false);
  useEffect(() => {
    void Promise.all([browserBills.held(owner), browserBills.of(owner)])
      .then(([all, bills]) => {
        const mine = all.find(({ key }) => key === own)?.cart as Cart | undefined;
        // a page that is left in the moment after a bill was finished or put aside still has it here
        const others = [...all.filter(({ key }) => key !== own), ...bills.filter(({ key }) => key !== mine?.instead)];
        if (!mine || others.some((one) => isSame(one.cart as Cart, mine))) return;
        // what was scanned meanwhile counts
        setCart((now) => (now.lines.length > 0 ? now : mine));
      })
      .catch(() => undefined)
      .finally(() => {
        restored.current = true;
      });
  }, [owner, own]);
  useEffect(() => {
    if (!restored.current) return;
    const timer = setTimeout(() => {
      const at = new Date().toISOString();
      const keeping =
        cart.lines.length > 0
          ? browserBills.hold({ key: own, owner, till, name: 'Being typed in another tab', at, cart }, true)
          : browserBills.release(own);
      keeping.catch(() => undefined); // finishing the bill says when the browser keeps nothing
    }, KEEP_AFTER);
    return () => clearTimeout(timer);
  }, [cart, own, owner, till]);
  const hold = useCallback(
    async (name: string) => {
      await browserBills.hold({ key: `held/${newKey()}`, owner, till, name, at: new Date().toISOString(), cart });
      setCart(emptyCart);
    },
    [cart, owner, till],
  );
  const recall = useCallback(
    async (one: HeldCart) => {
      if (cart.lines.length > 0) await hold(t('Put aside for another bill'));
      setCart(one.cart as Cart);
      await browserBills.release(one.key);
    },
    [cart.lines.length, hold],
  );
  return { cart, setCart, hold, recall, held: kept.filter((one) => one.till === till && one.key !== own) };
}
