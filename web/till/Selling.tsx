import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { moneyText, parseDecimal } from '../../domain/base/decimal.ts';
import { type Meant, partKey, type TillItem } from '../../domain/till/till.ts';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { focusFirstError } from '../kit/fields/fields.tsx';
import { unchosenIn } from '../kit/fields/typing.ts';
import { nothingChosen } from '../kit/fields/unchosen.ts';
import { rupees, showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { newKey, type Problem } from '../kit/server/api.ts';
import { useOnline } from '../kit/server/online.ts';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { ownerOf } from '../views/editor/handOver.ts';
import { BillsDialog } from './BillsDialog.tsx';
import type { HeldCart, KeptBill } from './billStore.ts';
import { CartLines } from './CartLines.tsx';
import {
  batchesOf,
  billOf,
  type Cart,
  type CartLine,
  changed,
  emptyCart,
  moved,
  putBack,
  stepped,
  sumUp,
  withItem,
  without,
} from './cart.ts';
import type { Counter, TillView } from './counter.ts';
import { CloseTill, Figures } from './Figures.tsx';
import { HoldDialog, RecallDialog } from './HeldDialogs.tsx';
import { useTillItems } from './items.ts';
import { MoveCash } from './MoveCash.tsx';
import { TillNotes, useLasting } from './Notes.tsx';
import { keepBill, type Paper, paperOf } from './numbering.ts';
import { Pay } from './Pay.tsx';
import { linePrices, ownPrice, priceAt } from './prices.ts';
import { prepareCodes, ReceiptPaper } from './ReceiptPaper.tsx';
import { ReturnDialog } from './ReturnDialog.tsx';
import { partsRead, receiptOf } from './receipt.ts';
import { Scan } from './Scan.tsx';
import { sendLeftBills } from './sending.ts';
import { isOnBill, takenBy } from './taken.ts';
import { useCart } from './useCart.ts';
import { useCopy } from './useCopy.ts';
import { useListHere, useParty } from './useParty.ts';
import { usePrintOut } from './usePrintOut.ts';

type Open = 'hold' | 'recall' | 'bills' | 'figures' | 'close' | 'return' | 'cash' | null;

/** The till while it sells: scan, pay, next. What is finished stands in the browser first and is sent from there. */
export function Selling({
  till,
  kept,
  onLeave,
}: {
  readonly till: TillView;
  readonly kept: { readonly bills: readonly KeptBill[]; readonly held: readonly HeldCart[] };
  onLeave(): void;
}) {
  const session = useSession();
  const { format } = useDateFormat();
  const online = useOnline();
  const lasting = useLasting();
  const { items, byId, parts, prices, at, cut, old, error, refetch, isFetching } = useTillItems(till.location);
  const { cart, setCart, hold, recall, held } = useCart(till.id, kept.held);
  const party = useParty(cart.party?.id, till);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [open, setOpen] = useState<Open>(null);
  const [busy, setBusy] = useState(false);
  const [last, setLast] = useState<string | null>(null);
  const { printing, print: printOut } = usePrintOut<Paper>(({ facts }) => facts.upi !== null);
  const [returned, setReturned] = useState<string | null>(null);
  const scanner = useRef<HTMLInputElement>(null);
  const working = useRef(false);
  const ready = items !== undefined;
  useEffect(() => {
    // a moment later: a dialog that closes gives the focus back first
    if (!ready || open !== null) return;
    const timer = setTimeout(() => scanner.current?.focus(), 50);
    return () => clearTimeout(timer);
  }, [ready, open]);
  useEffect(() => {
    if (till.upiId) prepareCodes();
  }, [till.upiId]);
  const taken = useMemo(() => takenBy(kept.bills, at), [kept.bills, at]);
  const counter: Counter = useMemo(
    () => ({ session, till, items: byId, party, prices, taken }),
    [session, till, byId, party, prices, taken],
  );
  const summed = useMemo(() => (cart.lines.length > 0 ? sumUp(cart, counter) : null), [cart, counter]);
  const amounts = useMemo(() => summed?.priced.lines.map((l) => moneyText(l.gross - l.discountAmount)) ?? [], [summed]);
  const costs = useMemo(() => linePrices(cart.lines, counter), [cart.lines, counter]);
  useListHere(party, ready ? prices : undefined, refetch);
  const batches = useMemo(() => batchesOf(cart, counter).map((own) => partsRead([], own)), [cart, counter]);
  const edit = useCallback(
    (change: (cart: Cart) => Cart) => {
      setProblems([]);
      setCart(change);
    },
    [setCart],
  );
  const onLine = useCallback((key: string, patch: Partial<CartLine>) => edit((c) => changed(c, key, patch)), [edit]);
  // a scan draws one line anew, not all of them: this function stays the same
  const latest = useRef(cart.lines);
  latest.current = cart.lines;
  const onRemove = useCallback(
    (key: string) => {
      const at = latest.current.findIndex((line) => line.key === key);
      const line = latest.current[at];
      if (!line) return;
      edit((c) => without(c, key));
      toast(`Line ${at + 1} removed`, { label: 'Undo', run: () => edit((c) => putBack(c, line, at)) });
    },
    [edit],
  );
  const onStep = useCallback((key: string, by: number) => edit((c) => stepped(c, key, by)), [edit]);
  const toScanner = useCallback(() => scanner.current?.focus(), []);
  const onItem = ({ item, batch, serial }: Meant<TillItem>, quantity: string): string | undefined => {
    if (item.serialised && serial === undefined) return `Scan the serial number of ${item.name}`;
    if (serial !== undefined && (taken.has(partKey(item.id, serial)) || isOnBill(cart, item.id, serial)))
      return `Serial number ${serial} is sold already, or on this bill`;
    if (serial !== undefined && quantity !== '1') return 'A serial number is one piece: scan the next one';
    const rate = ownPrice(counter, item) ?? priceAt(counter, item, quantity)?.rate;
    if (rate === undefined) return `${item.name} has no price: give it a sale rate`;
    if (!((parseDecimal(quantity, 6) ?? 0) > 0)) return 'The quantity is more than nothing';
    setLast(null);
    edit((c) => withItem(c, item, quantity, rate, newKey(), { ...(batch && { batch }), ...(serial && { serial }) }));
    return undefined;
  };
  const startReturn = (bill: string | null) => {
    setReturned(bill);
    setOpen('return');
  };
  useCopy(
    counter,
    ready,
    (copied) => {
      void (cart.lines.length > 0 ? hold('Put aside for a copy') : Promise.resolve())
        .then(() => setCart(() => copied))
        .catch(toastError);
    },
    startReturn,
  );
  const lastBill = kept.bills.find(({ key }) => key === last);
  const waiting = kept.bills.filter(({ state }) => state === 'waiting');
  const refused = kept.bills.filter(({ state }) => state === 'refused');
  const finish = async () => {
    if (working.current || cart.lines.length === 0 || !till.session) return;
    const unchosen = unchosenIn();
    if (unchosen) {
      unchosen.focus();
      return toastError(`${nothingChosen((unchosen as HTMLInputElement).value)}: choose it or clear the field`);
    }
    const made = billOf(cart, counter);
    if ('problems' in made) {
      setProblems(made.problems);
      return focusFirstError();
    }
    working.current = true;
    setBusy(true);
    try {
      const before = kept.bills.find(({ key }) => key === cart.instead);
      const bill = await keepBill(
        { till, session: till.session.id, owner: ownerOf(session), before },
        { body: made.body, receipt: receiptOf(cart, counter, made.summed), cart },
      );
      setCart(() => emptyCart);
      setProblems([]);
      setLast(bill.key);
      toScanner();
      void sendLeftBills(ownerOf(session)).catch(() => undefined); // sent again while it waits
    } catch {
      toastError('This browser could not keep the bill, so it was not made: is its storage full or switched off?');
    } finally {
      working.current = false;
      setBusy(false);
    }
  };
  const print = (bill: KeptBill | undefined) => bill && printOut(paperOf(bill));
  useKeys({
    'ctrl+enter': () => void finish(),
    'alt+h': () => cart.lines.length > 0 && setOpen('hold'),
    'alt+r': () => setOpen('recall'),
    'alt+b': () => setOpen('bills'),
    'alt+t': () => online && startReturn(null),
    'alt+p': () => print(lastBill ?? kept.bills.at(-1)),
    'alt+c': () => {
      const fold = document.querySelector<HTMLElement>('[data-customer]');
      fold?.parentElement?.setAttribute('open', '');
      fold?.parentElement?.querySelector('input')?.focus();
    },
    escape: toScanner,
  });
  if (error && !items) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!items) return <Skeleton />;
  return (
    <Page narrow>
      <PageHead
        title={till.name}
        count={till.locationName}
        beside={
          <span role="status" className="till-state">
            {!online && (
              <span className="badge" data-tone="warn">
                No network: bills are kept here
              </span>
            )}
            {waiting.length > 0 && (
              <span className="badge" data-tone="warn">
                {waiting.length} waiting to be sent
              </span>
            )}
            {refused.length > 0 && (
              <span className="badge" data-tone="bad">
                {refused.length} refused: see Bills
              </span>
            )}
          </span>
        }
        actions={
          <>
            <Button onClick={() => setOpen('bills')} title="Alt B">
              Bills
            </Button>
            <Button onClick={() => setOpen('recall')} title="Alt R">
              Recall{held.length > 0 ? ` (${held.length})` : ''}
            </Button>
            <Button disabled={cart.lines.length === 0} onClick={() => setOpen('hold')} title="Alt H">
              Hold
            </Button>
            <Button disabled={!online} onClick={() => startReturn(null)} title={online ? 'Alt T' : 'Needs the network'}>
              Return
            </Button>
            <Button disabled={!online} onClick={() => setOpen('cash')} {...(!online && { title: 'Needs the network' })}>
              Cash in/out
            </Button>
            <Button onClick={() => setOpen('figures')}>X figures</Button>
            <Button onClick={() => setOpen('close')}>Close till</Button>
            <Button look="subtle" onClick={onLeave}>
              Other till
            </Button>
          </>
        }
      />
      <TillNotes {...{ cut, old, online, lasting }} listsCut={prices.cut} waiting={waiting.length} />
      <div className="till">
        <div className="till-left">
          <Scan
            items={items}
            parts={parts}
            priceOf={(item) => priceAt(counter, item, '1')?.rate}
            onItem={onItem}
            input={scanner}
            keys={{
              step: (by) => cart.selected && onStep(cart.selected, by),
              move: (by) => setCart((c) => moved(c, by)),
              remove: () => cart.selected && onRemove(cart.selected),
              quantity: (quantity) => {
                const line = cart.lines.find((l) => l.key === cart.selected);
                if (line && !line.serials) onLine(line.key, { quantity });
              },
              discount: (discount) => cart.selected && onLine(cart.selected, { discount }),
              done: () => {
                const cash = document.querySelector<HTMLInputElement>('[data-field="cash"]');
                cash?.focus();
                // what is typed replaces what was given before
                cash?.select();
              },
            }}
          />
          {lastBill && cart.lines.length === 0 && (
            <div className="till-note" data-tone={lastBill.state === 'refused' ? 'bad' : 'ok'} role="status">
              <span>
                <b>{lastBill.number}</b> · {rupees(lastBill.receipt.total)}
                {lastBill.receipt.paid
                  .filter(({ label }) => label === 'Change')
                  .map(({ amount }) => ` · change ${rupees(amount)}`)}
                {lastBill.state === 'waiting' && ' · sent to the books as soon as they can be reached'}
                {lastBill.state === 'refused' && ` · ${lastBill.why ?? ''}`}
              </span>
              <Button onClick={() => print(lastBill)} title="Alt P">
                Print receipt
              </Button>
            </div>
          )}
          <CartLines
            lines={cart.lines}
            selected={cart.selected}
            items={byId}
            amounts={amounts}
            prices={costs}
            parts={batches}
            problems={problems}
            onChange={onLine}
            onStep={onStep}
            onRemove={onRemove}
            onBack={toScanner}
          />
          <p className="muted till-foot">
            {items.length.toLocaleString('en-IN')} items are here to be scanned without the network.{' '}
            <Button look="subtle" busy={isFetching} onClick={() => void refetch()}>
              Fetch prices again
            </Button>
            {lasting === false && waiting.length === 0 && (
              <span>
                This browser does not promise to keep bills that wait: allow it to store data for this site, or add it
                to the home screen.
              </span>
            )}
          </p>
        </div>
        <div>
          {problems.some(
            ({ field, row }) =>
              row === undefined &&
              !['cash', 'card', 'upi', 'onAccount', 'discount', 'party', 'partyName'].includes(field) &&
              !field.startsWith('billTo.'),
          ) && (
            <p role="alert" className="field-error">
              {problems.find(({ row }) => row === undefined)?.message}
            </p>
          )}
          <Pay
            cart={cart}
            counter={counter}
            summed={summed}
            problems={problems}
            busy={busy}
            onChange={(patch) => edit((c) => ({ ...c, ...patch }))}
            onFinish={() => void finish()}
          />
        </div>
      </div>
      {open === 'hold' && (
        <HoldDialog
          suggested={cart.party?.name || cart.name || `Bill of ${showMoment(new Date().toISOString(), format)}`}
          onHold={(name) => {
            void hold(name).catch(toastError);
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'recall' && (
        <RecallDialog
          held={held}
          onRecall={(one) => {
            void recall(one).catch(toastError);
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'bills' && till.session && (
        <BillsDialog
          bills={kept.bills}
          till={till}
          session={till.session.id}
          onPrint={print}
          onReturn={({ id }) => startReturn(id ?? null)}
          onMend={(bill) => {
            setOpen(null);
            void (cart.lines.length > 0 ? hold('Put aside to mend a bill') : Promise.resolve())
              .then(() => setCart(() => ({ ...(bill.cart as Cart), instead: bill.key })))
              .catch(toastError);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'return' && (
        <ReturnDialog
          counter={counter}
          from={returned}
          onPrint={(paper) => printOut({ ...paper, warning: null })}
          onClose={() => {
            setReturned(null);
            setOpen(null);
          }}
        />
      )}
      {open === 'cash' && till.session && <MoveCash session={till.session.id} onClose={() => setOpen(null)} />}
      {open === 'figures' && till.session && <Figures session={till.session.id} onClose={() => setOpen(null)} />}
      {open === 'close' && till.session && (
        <CloseTill
          session={till.session.id}
          name={till.name}
          waiting={
            kept.bills.filter((b) => b.session === till.session?.id && (b.state === 'waiting' || b.state === 'refused'))
              .length
          }
          onClosed={onLeave}
          onClose={() => setOpen(null)}
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
