import { useCallback, useMemo, useRef, useState } from 'react';
import { moneyText } from '../../../domain/base/decimal.ts';
import type { Meant, TillItem } from '../../../domain/till/till.ts';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { newKey, type Problem } from '../../kit/server/api.ts';
import { useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { StoredState } from '../bills/bills.ts';
import { takenBy } from '../bills/taken.ts';
import type { Counter, OpenTill } from '../counter.ts';
import { partsRead } from '../paper/receipt.ts';
import {
  batchesOf,
  type Cart,
  type CartLine,
  changed,
  moved,
  putBack,
  rateOfScanned,
  stepped,
  sumUp,
  withItem,
  without,
} from './cart.ts';
import type { TillItems } from './items.ts';
import { linePrices } from './prices.ts';
import { useCart } from './useCart.ts';
import { useListHere, useParty } from './useParty.ts';

type Edit = (change: (cart: Cart) => Cart) => void;

/** The bill in the making: its lines, what it comes to, what is wrong with it, and all that changes it. */
export function useBill(till: OpenTill, stock: TillItems, stored: StoredState) {
  const { cart, setCart, hold, recall, held } = useCart(till.id, stored.held);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const counter = useCounter(till, stock, stored, cart.party?.id);
  const edit: Edit = useCallback(
    (change) => {
      setProblems([]);
      setCart(change);
    },
    [setCart],
  );
  /** Another bill; the one in the making is held under a name. */
  const replace = (cartAfter: Cart, heldAs: string) => {
    void (cart.lines.length > 0 ? hold(heldAs) : Promise.resolve())
      .then(() => setCart(() => cartAfter))
      .catch(toastError);
  };
  /** Puts on the bill what was scanned; answers why it cannot. */
  const scan = (meant: Meant<TillItem>, quantity: string): string | undefined => {
    const judged = rateOfScanned(cart, counter, meant, quantity);
    if ('refusal' in judged) return judged.refusal;
    const { item, batch, serial } = meant;
    const parts = { ...(batch && { batch }), ...(serial && { serial }) };
    edit((c) => withItem(c, item, quantity, judged.rate, newKey(), parts));
    return undefined;
  };
  return {
    ...{ cart, counter, problems, setProblems, held, hold, recall, replace, scan },
    ...useFigures(cart, counter),
    lines: useLineChanges(cart, edit),
    setCart,
    patch: (values: Partial<Cart>) => edit((c) => ({ ...c, ...values })),
    select: (by: number) => setCart((c) => moved(c, by)),
  };
}
export type Bill = ReturnType<typeof useBill>;

/** What prices depend on: the till, its items, the customer, and what bills made here took of batches. */
function useCounter(till: OpenTill, stock: TillItems, { bills }: StoredState, customer: string | undefined): Counter {
  const session = useSession();
  const { byId: items, prices, at } = stock;
  const party = useParty(customer, till);
  useListHere(party, stock.items && prices, stock.refetch);
  const taken = useMemo(() => takenBy(bills, at), [bills, at]);
  return useMemo(() => ({ session, till, items, party, prices, taken }), [session, till, items, party, prices, taken]);
}

/** What the bill comes to; of each line its amount, its price and its batches. */
function useFigures(cart: Cart, counter: Counter) {
  const summed = useMemo(() => (cart.lines.length > 0 ? sumUp(cart, counter) : null), [cart, counter]);
  const amounts = useMemo(() => summed?.priced.lines.map((l) => moneyText(l.gross - l.discountAmount)) ?? [], [summed]);
  const prices = useMemo(() => linePrices(cart.lines, counter), [cart.lines, counter]);
  const parts = useMemo(() => batchesOf(cart, counter).map((own) => partsRead([], own)), [cart, counter]);
  return { summed, amounts, prices, parts };
}

/** The changes of a line. The functions stay the same, so a scan draws one line again and not all of them. */
function useLineChanges(cart: Cart, edit: Edit) {
  const latest = useRef(cart.lines);
  latest.current = cart.lines;
  const onChange = useCallback((key: string, patch: Partial<CartLine>) => edit((c) => changed(c, key, patch)), [edit]);
  const onStep = useCallback((key: string, by: number) => edit((c) => stepped(c, key, by)), [edit]);
  const onRemove = useCallback(
    (key: string) => {
      const at = latest.current.findIndex((line) => line.key === key);
      const line = latest.current[at];
      if (!line) return;
      edit((c) => without(c, key));
      toast(t('Line {{at}} removed', { at: at + 1 }), {
        label: t('Undo'),
        run: () => edit((c) => putBack(c, line, at)),
      });
    },
    [edit],
  );
  return { onChange, onStep, onRemove };
}
