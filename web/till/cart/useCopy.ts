import { useEffect, useRef } from 'react';
import { kindFor } from '../../../domain/document/kinds/index.ts';
import { toastError } from '../../kit/dialog/toast.tsx';
import { useAddress, useGo } from '../../kit/navigation.tsx';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import type { Counter } from '../counter.ts';
import { type Cart, emptyCart, withItem } from './cart.ts';
import { ownPrice } from './prices.ts';

/**
 * The address names a document to be copied (`?from=`): its goods stand on a new bill, at the prices of the till. With the
 * kind of a return they come back.
 */
export function useCopy(
  counter: Counter,
  isReady: boolean,
  onCopied: (cart: Cart) => void,
  onReturn: (bill: string) => void,
): void {
  const { from, kind } = useAddress();
  const go = useGo();
  const latest = useRef({ counter, onCopied, onReturn, go });
  latest.current = { counter, onCopied, onReturn, go };
  useEffect(() => {
    if (!from || !isReady) return;
    if (kind === kindFor('tillReturn')) {
      latest.current.onReturn(from);
      latest.current.go('PoSNewCreation', {}, true);
      return;
    }
    void api
      .GetConversion({ from, kind: kindFor('tillBill'), copy: true })
      .then(({ draft }) => {
        const { counter: now, onCopied: tell } = latest.current;
        const lines = (draft['lines'] ?? []) as readonly { readonly item?: string; readonly quantity?: string }[];
        const copied = lines.reduce((cart, { item: id, quantity = '1' }) => {
          const item = now.items.get(id ?? '');
          const rate = item && ownPrice(now, item);
          return item && rate !== undefined ? withItem(cart, item, quantity, rate, newKey()) : cart;
        }, emptyCart);
        tell(copied);
      })
      .catch(toastError)
      .finally(() => latest.current.go('PoSNewCreation', {}, true));
  }, [from, kind, isReady]);
}
