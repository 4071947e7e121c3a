import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { moneyText } from '../../../../domain/base/decimal.ts';
import { kindLabel } from '../../../../domain/document/kinds/index.ts';
import { type AdvanceFacts, adjustsAdvance, mayAdjust } from '../../../../domain/tax/advances.ts';
import { Button } from '../../../kit/Button.tsx';
import { AmountInput } from '../../../kit/fields/AmountInput.tsx';
import { inCurrency, money, rupees } from '../../../kit/format.ts';
import { type LineRow, useRows } from '../../../kit/grid/rowStore.ts';
import { useKeys } from '../../../kit/hotkeys.ts';
import { figures, Panel, TableHead } from '../../../kit/parts.tsx';
import type { Problem } from '../../../kit/server/api.ts';
import { api } from '../../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { type Model, useHead, useWholeHead } from '../model.ts';
import { addMoney, itemName } from '../wire.ts';
import { exchangeOf, oldestFirst, type Side, settleable, withinAmount } from './settle.ts';

type OpenItem = Awaited<ReturnType<typeof api.GetOpenItems>>[number];

interface SettlementProps {
  readonly model: Model;
  readonly side: Side;
  readonly problems: readonly Problem[];
  /** A draft was opened: what it settles may have been typed, and stays. */
  readonly isStored: boolean;
}

/** The open items of the party, oldest first, with what of this money goes to each. */
export function Settlement({ model, side, problems, isStored }: SettlementProps) {
  const party = useHead(model, 'party');
  const currency = useHead(model, 'currency');
  // What a continued document settles stands first; the order does not change while someone types.
  const [given] = useState(() => model.allocations.rows());
  const { items, others } = useOpenItems(model, side, given);
  const { rows, set, share } = useAllocations(model, { items, given, isStored });
  const due = useRef<HTMLTableSectionElement>(null);
  const toDue = () => due.current?.querySelector('input')?.focus();
  useKeys(party ? { 'alt+o': share, 'alt+l': toDue } : {});
  if (!party) return null;
  // of all of them, or of one amount
  const wrong = problems.find(({ field }) => /^allocations(\.|$)/.test(field));
  const amounts = Object.fromEntries(rows.map((row) => [row['item'] ?? '', row['amount'] ?? '']));
  return (
    <Panel
      title={t('Open items')}
      actions={
        !!items?.length && (
          <Button onClick={share} title={t('Alt O')}>
            {t('Settle oldest first')}
          </Button>
        )
      }
    >
      {items?.length === 0 && (
        <p className="muted">{t('There are no open documents: the whole amount stays on account.')}</p>
      )}
      {others.length > 0 && (
        <p className="muted">
          {t('Open in {{others}} too: settled by money in that currency.', { others: others.join(', ') })}
        </p>
      )}
      {!!items?.length && <Amounts {...{ items, currency, amounts, set, due }} isWrong={wrong !== undefined} />}
      {wrong && (
        <p className="field-error" id={PROBLEM}>
          {wrong.message}
        </p>
      )}
      {!!items?.length && (
        <Balance {...{ model, side, items, amounts }} shared={addMoney(rows.map((row) => row['amount']))} />
      )}
    </Panel>
  );
}

/** The id of the sentence that says what is wrong with the amounts. */
const PROBLEM = 'settle-problem';

/** What the draft may settle: items of its currency and, for an advance, of its registration. `others`: currencies of the others. */
function useOpenItems(model: Model, side: Side, given: readonly LineRow[]) {
  const party = useHead(model, 'party');
  const currency = useHead(model, 'currency');
  const registration = useHead(model, 'registration');
  const advance = useAdvance(model);
  const first = useMemo(() => new Set(given.map((row) => row['item'])), [given]);
  const { data: open } = useQuery({
    queryKey: useScreenKey('open', party, side),
    queryFn: () => api.GetOpenItems({ party, side }),
    enabled: party !== '',
  });
  const items = useMemo(
    () =>
      open
        ?.filter(
          (item) => item.currency === currency && (!advance || mayAdjust(advance, registration, item.registration)),
        )
        .sort((a, b) => Number(first.has(itemName(b))) - Number(first.has(itemName(a)))),
    [open, first, currency, advance, registration],
  );
  const others = [...new Set((open ?? []).flatMap((item) => (item.currency === currency ? [] : [item.currency])))];
  return { items, others };
}

/** What goes to each item: typed, or shared out oldest first. */
function useAllocations(
  model: Model,
  {
    items,
    given,
    isStored,
  }: { readonly items: OpenItem[] | undefined; readonly given: readonly LineRow[]; readonly isStored: boolean },
) {
  const { allocations, head } = model;
  const rows = useRows(allocations);
  const [isTyped, setTyped] = useState(isStored);
  useEffect(() => {
    const top = allocations.rows()[0];
    // Items of another party, or with the tax of another GSTIN, cannot be settled: they leave with it.
    if (items && top && !items.some((item) => itemName(item) === top['item'])) allocations.replace([]);
  }, [items, allocations]);
  const most = settleable(useWholeHead(model));
  useEffect(() => {
    // what a receipt made from an invoice settles follows the amount, until somebody says what goes where
    if (isTyped || given.length === 0 || allocations.rows().length === 0) return;
    const followed = withinAmount(given, allocations.rows(), most);
    if (followed) allocations.replace(followed);
  }, [most, isTyped, given, allocations]);
  return {
    rows,
    set: (item: string, amount: string) => {
      setTyped(true);
      const row = rows.find((each) => each['item'] === item);
      if (row) allocations.set(row.key, { amount });
      else allocations.add({ item, amount });
    },
    share: () => {
      setTyped(true);
      const amounts = oldestFirst(items ?? [], settleable(head.get()));
      allocations.replace(Object.entries(amounts).map(([item, amount]) => ({ item, amount })));
    },
  };
}

interface AmountsProps {
  readonly items: readonly OpenItem[];
  readonly currency: string;
  /** What goes to each item, by its name. */
  readonly amounts: Readonly<Record<string, string>>;
  readonly isWrong: boolean;
  readonly due: RefObject<HTMLTableSectionElement | null>;
  set(item: string, amount: string): void;
}

/** The items with the amount that each gets. */
function Amounts({ items, currency, amounts, isWrong, due, set }: AmountsProps) {
  const { show } = useDateFormat();
  const isForeign = currency !== 'INR';
  return (
    <div className="scroll-x">
      <table className="plain-table">
        <TableHead
          columns={[
            t('Document'),
            t('Date'),
            t('Due'),
            figures(t('Amount')),
            figures(isForeign ? t('Open ({{currency}})', { currency }) : t('Open')),
            isForeign && figures(t('In the books (₹)')),
            figures(t('Settle')),
          ]}
        />
        <tbody ref={due} onKeyDown={rowOnArrow}>
          {items.map((item) => {
            const name = itemName(item);
            const amount = amounts[name] ?? '';
            return (
              <tr key={name}>
                <td>
                  {item.number} <span className="muted">{t(kindLabel(item.kind))}</span>
                </td>
                <td>{show(item.date)}</td>
                <td>{show(item.dueDate)}</td>
                <td className="num">{money(item.original)}</td>
                <td className="num">{money(item.open)}</td>
                {isForeign && <td className="num">{money(item.worth)}</td>}
                <td className="num">
                  <AmountInput
                    aria-label={t('Settle {{number}}', { number: item.number })}
                    aria-invalid={(isWrong && amount !== '') || undefined}
                    aria-describedby={isWrong ? PROBLEM : undefined}
                    value={amount}
                    onChange={(text) => set(name, text)}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The advance that the draft sets against invoices, once it is known. */
const useAdvance = ({ kind, facts, head }: Model): AdvanceFacts | undefined => {
  const known = () => (adjustsAdvance(kind) ? facts.advances.get(head.get()['against'] ?? '') : undefined);
  return useSyncExternalStore((tell) => {
    const [a, b] = [head.subscribe(tell), facts.subscribe(tell)];
    return () => {
      a();
      b();
    };
  }, known);
};

/** ↑ and ↓ go from amount to amount; Enter goes on as everywhere in the editor. */
const rowOnArrow = (event: KeyboardEvent<HTMLElement>) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
  const inputs = [...event.currentTarget.querySelectorAll('input')];
  event.preventDefault();
  inputs[inputs.indexOf(event.target as HTMLInputElement) + by]?.focus();
};

interface BalanceProps {
  readonly model: Model;
  readonly side: Side;
  readonly shared: number;
  readonly items: Parameters<typeof exchangeOf>[0];
  readonly amounts: Readonly<Record<string, string>>;
}

/** What is settled, what is left, and what the rate of the day wins or loses. */
function Balance({ model, side, shared, items, amounts }: BalanceProps) {
  const head = useWholeHead(model);
  const { currency = 'INR', exchangeRate = '' } = head;
  const left = settleable(head) - shared;
  const shown = (cents: number) => inCurrency(moneyText(cents), currency);
  // a receivable gains when money is worth more than what was booked, a payable loses
  const more = currency === 'INR' || exchangeRate === '' ? 0 : exchangeOf(items, amounts, exchangeRate);
  const won = side === 'receivable' || side === 'supplierCredit' ? more : -more;
  return (
    <p className="muted" role="status">
      {t('Settled {{shared}}, {{left}}', {
        shared: shown(shared),
        left:
          left < 0
            ? t('{{shown}} more than there is', { shown: shown(-left) })
            : t('{{left}} stays on account', { left: shown(left) }),
      })}
      {won !== 0 &&
        `. ${t('Exchange {{won}} {{won2}}', { won: won > 0 ? t('gain') : t('loss'), won2: rupees(moneyText(Math.abs(won))) })}`}
    </p>
  );
}
