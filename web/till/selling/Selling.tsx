import { useCallback, useEffect, useRef, useState } from 'react';
import { type Action, keysOf } from '../../kit/actions.tsx';
import { showMoment } from '../../kit/format.ts';
import { useKeys } from '../../kit/hotkeys.ts';
import { ErrorPanel, Page, Skeleton } from '../../kit/parts.tsx';
import { useOnline } from '../../kit/server/online.ts';
import { useDateFormat } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { StoredState } from '../bills/bills.ts';
import { type Paper, paperOf } from '../bills/numbering.ts';
import { useTillItems } from '../cart/items.ts';
import { priceAt } from '../cart/prices.ts';
import { type Bill, useBill } from '../cart/useBill.ts';
import { useCopy } from '../cart/useCopy.ts';
import type { OpenTill } from '../counter.ts';
import { prepareCodes, ReceiptPaper } from '../paper/ReceiptPaper.tsx';
import { usePrintOut } from '../paper/usePrintOut.ts';
import { CartLines } from './CartLines.tsx';
import { TillNotes, useLasting } from './Notes.tsx';
import { Pay } from './Pay.tsx';
import { type LineKeys, Scan } from './Scan.tsx';
import { type DialogName, SellingDialog } from './SellingDialogs.tsx';
import { SellingHead } from './SellingHead.tsx';
import { BillProblem, ItemsHere, LastBill } from './SellingParts.tsx';
import { useFinish } from './useFinish.ts';

const NO_NETWORK = 'Needs the network';

interface SellingProps {
  readonly till: OpenTill;
  readonly kept: StoredState;
  onLeave(): void;
}

/** The till while it sells: scan, pay, next. What is finished stands in the browser first and is sent from there. */
export function Selling({ till, kept: stored, onLeave }: SellingProps) {
  const { format } = useDateFormat();
  const online = useOnline();
  const lasting = useLasting();
  const stock = useTillItems(till.location);
  const bill = useBill(till, stock, stored);
  const { counter, problems } = bill;
  const dialog = useDialog();
  const places = usePlacesOfFocus(stock.items !== undefined, dialog.open === null);
  const finishing = useFinish(till, bill, stored.bills, places.toScanner);
  const { printing, print: printOut } = usePrintOut<Paper>(({ facts }) => facts.upi !== null);
  useEffect(() => {
    if (till.upiId) prepareCodes();
  }, [till.upiId]);
  useCopy(
    counter,
    stock.items !== undefined,
    (copied) => bill.replace(copied, 'Put aside for a copy'),
    dialog.showReturn,
  );
  const actions = sellingActions({ dialog, bill, online, onLeave });
  const printBill = (one = finishing.last ?? stored.bills.at(-1)) => one && printOut(paperOf(one));
  useKeys({
    ...keysOf(actions),
    'ctrl+enter': finishing.finish,
    'alt+p': () => printBill(),
    'alt+c': places.toCustomer,
    escape: places.toScanner,
  });
  if (stock.error && !stock.items) return <ErrorPanel error={stock.error} onRetry={() => void stock.refetch()} />;
  if (!stock.items) return <Skeleton />;
  const waiting = stored.bills.filter(({ state }) => state === 'waiting').length;
  return (
    <Page narrow>
      <SellingHead till={till} online={online} bills={stored.bills} actions={actions} />
      <TillNotes
        cut={stock.cut}
        old={stock.old}
        listsCut={counter.prices.cut}
        online={online}
        lasting={lasting}
        waiting={waiting}
      />
      <div className="till">
        <div className="till-left">
          <Goods {...{ bill, stock, places, finishing, printBill }} items={stock.items} />
          <ItemsHere stock={stock} mayLose={lasting === false && waiting === 0} />
        </div>
        <div>
          <BillProblem problems={problems} />
          <Pay
            cart={bill.cart}
            counter={counter}
            summed={bill.summed}
            problems={problems}
            busy={finishing.busy}
            customer={places.customer}
            cash={places.cash}
            onChange={bill.patch}
            onFinish={finishing.finish}
          />
        </div>
      </div>
      {dialog.open && (
        <SellingDialog
          name={dialog.open}
          till={till}
          bill={bill}
          bills={stored.bills}
          returned={dialog.returned}
          onReturn={dialog.showReturn}
          onPrint={printBill}
          onPrintPaper={printOut}
          onLeave={onLeave}
          onClose={dialog.close}
        />
      )}
      {printing && (
        <ReceiptPaper
          facts={printing.facts}
          number={printing.number}
          warning={printing.warning}
          at={showMoment(printing.at, format)}
        />
      )}
    </Page>
  );
}

interface ActionFacts {
  readonly dialog: ReturnType<typeof useDialog>;
  readonly bill: Bill;
  readonly online: boolean;
  onLeave(): void;
}

/** What can be done at the till besides selling. */
function sellingActions({ dialog, bill: { cart, held }, online, onLeave }: ActionFacts): readonly Action[] {
  const onlyOnline = !online && { disabled: true, title: NO_NETWORK };
  return [
    { label: t('Bills'), hotkey: 'alt+b', run: () => dialog.show('bills') },
    {
      id: 'recall',
      label: held.length > 0 ? t('Resume ({{held}})', { held: held.length }) : t('Recall'),
      hotkey: 'alt+r',
      run: () => dialog.show('recall'),
    },
    { label: t('Hold'), hotkey: 'alt+h', disabled: cart.lines.length === 0, run: () => dialog.show('hold') },
    { label: t('Return'), hotkey: 'alt+t', run: () => dialog.showReturn(null), ...onlyOnline },
    { label: t('Cash in/out'), run: () => dialog.show('cash'), ...onlyOnline },
    { label: t('X figures'), run: () => dialog.show('figures') },
    { label: t('Close till'), run: () => dialog.show('close') },
    { label: t('Other till'), look: 'subtle', run: onLeave },
  ];
}

interface GoodsProps {
  readonly bill: Bill;
  readonly stock: ReturnType<typeof useTillItems>;
  readonly items: NonNullable<ReturnType<typeof useTillItems>['items']>;
  readonly places: ReturnType<typeof usePlacesOfFocus>;
  readonly finishing: ReturnType<typeof useFinish>;
  printBill(bill: ReturnType<typeof useFinish>['last']): void;
}

/** The field of the scanner, and the lines that it makes; before the first one, the bill that was finished last. */
function Goods({ bill, stock, items, places, finishing, printBill }: GoodsProps) {
  const { cart, counter } = bill;
  const { last } = finishing;
  return (
    <>
      <Scan
        items={items}
        parts={stock.parts}
        priceOf={(item) => priceAt(counter, item, '1')?.rate}
        onItem={(meant, quantity) => {
          const refusal = bill.scan(meant, quantity);
          if (refusal === undefined) finishing.forgetLast();
          return refusal;
        }}
        input={places.scanner}
        keys={lineKeys(bill, places.toCash)}
      />
      {last && cart.lines.length === 0 && <LastBill bill={last} onPrint={() => printBill(last)} />}
      <CartLines
        lines={cart.lines}
        selected={cart.selected}
        items={counter.items}
        amounts={bill.amounts}
        prices={bill.prices}
        parts={bill.parts}
        problems={bill.problems}
        {...bill.lines}
        onBack={places.toScanner}
      />
    </>
  );
}

/** Which dialog is open; of a return, the bill whose goods come back. */
function useDialog() {
  const [open, setOpen] = useState<DialogName | null>(null);
  const [returned, setReturned] = useState<string | null>(null);
  return {
    ...{ open, returned },
    show: (name: DialogName) => setOpen(name),
    showReturn: (bill: string | null) => {
      setReturned(bill);
      setOpen('return');
    },
    close: () => setOpen(null),
  };
}

/** Where the focus goes: the scanner while no dialog is open, the customer, the cash. */
function usePlacesOfFocus(isReady: boolean, isFree: boolean) {
  const scanner = useRef<HTMLInputElement>(null);
  const customer = useRef<HTMLDetailsElement>(null);
  const cash = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // a moment later: a dialog that closes gives the focus back first
    if (!isReady || !isFree) return;
    const timer = setTimeout(() => scanner.current?.focus(), 50);
    return () => clearTimeout(timer);
  }, [isReady, isFree]);
  return {
    ...{ scanner, customer, cash },
    toScanner: useCallback(() => scanner.current?.focus(), []),
    toCustomer: () => {
      customer.current?.setAttribute('open', '');
      customer.current?.querySelector('input')?.focus();
    },
    toCash: () => {
      cash.current?.focus();
      // what is typed replaces what was given before
      cash.current?.select();
    },
  };
}

/** What keys in the empty field of the scanner do with the marked line. */
const lineKeys = ({ cart, lines, select }: Bill, toCash: () => void): LineKeys => ({
  step: (by) => cart.selected && lines.onStep(cart.selected, by),
  move: select,
  remove: () => cart.selected && lines.onRemove(cart.selected),
  quantity: (quantity) => {
    const line = cart.lines.find((l) => l.key === cart.selected);
    if (line && !line.serials) lines.onChange(line.key, { quantity });
  },
  discount: (discount) => cart.selected && lines.onChange(cart.selected, { discount }),
  done: toCash,
});
