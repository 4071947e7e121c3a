import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { moneyText } from '../../../domain/base/decimal.ts';
import { kindLabel } from '../../../domain/document/kinds/index.ts';
import { type AdvanceFacts, adjustsAdvance, mayAdjust } from '../../../domain/tax/advances.ts';
import { Button } from '../../kit/Button.tsx';
import { AmountInput } from '../../kit/fields/AmountInput.tsx';
import { inCurrency, money, rupees } from '../../kit/format.ts';
import { useRows } from '../../kit/grid/rowStore.ts';
import { useKeys } from '../../kit/hotkeys.ts';
import { figures, Panel, TableHead } from '../../kit/parts.tsx';
import type { Problem } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { type Model, useHead, useWholeHead } from './model.ts';
import { exchangeOf, oldestFirst, type Side, settleable, withinAmount } from './settle.ts';
import { addMoney, itemName } from './wire.ts';

/** The open items of the party, oldest first, with what of this money goes to each. */
export function Settlement({
  model,
  side,
  problems,
  isStored,
}: {
  readonly model: Model;
  readonly side: Side;
  readonly problems: readonly Problem[];
  /** A draft was opened: what it settles may have been typed, and stays. */
  readonly isStored: boolean;
}) {
  const party = useHead(model, 'party');
  const { show } = useDateFormat();
  const rows = useRows(model.allocations);
  // What a continued document settles stands first; the order does not change while someone types.
  const [given] = useState(() => model.allocations.rows());
  const first = useMemo(() => new Set(given.map((row) => row['item'])), [given]);
  const [isTyped, setTyped] = useState(isStored);
  const key = useScreenKey('open', party, side);
  const { data: open } = useQuery({
    queryKey: key,
    queryFn: () => api.GetOpenItems({ party, side }),
    enabled: party !== '',
  });
  const currency = useHead(model, 'currency');
  const registration = useHead(model, 'registration');
  const advance = useAdvance(model);
  const items = useMemo(
    () =>
      open
        ?.filter(
          (item) => item.currency === currency && (!advance || mayAdjust(advance, registration, item.registration)),
        )
        .sort((a, b) => Number(first.has(itemName(b))) - Number(first.has(itemName(a)))),
    [open, first, currency, advance, registration],
  );
  useEffect(() => {
    const top = model.allocations.rows()[0];
    // Items of another party, or with the tax of another GSTIN, cannot be settled: they leave with it.
    if (items && top && !items.some((item) => itemName(item) === top['item'])) model.allocations.replace([]);
  }, [items, model]);
  const most = settleable(useWholeHead(model));
  useEffect(() => {
    // what a receipt made from an invoice settles follows the amount, until somebody says what goes where
    if (isTyped || given.length === 0 || model.allocations.rows().length === 0) return;
    const followed = withinAmount(given, model.allocations.rows(), most);
    if (followed) model.allocations.replace(followed);
  }, [most, isTyped, given, model]);
  const amountOf = (item: string) => rows.find((row) => row['item'] === item)?.['amount'] ?? '';
  const set = (item: string, amount: string) => {
    setTyped(true);
    const row = rows.find((each) => each['item'] === item);
    if (row) model.allocations.set(row.key, { amount });
    else model.allocations.add({ item, amount });
  };
  const share = () => {
    setTyped(true);
    const amounts = oldestFirst(items ?? [], settleable(model.head.get()));
    model.allocations.replace(Object.entries(amounts).map(([item, amount]) => ({ item, amount })));
  };
  const due = useRef<HTMLTableSectionElement>(null);
  const toDue = () => due.current?.querySelector('input')?.focus();
  useKeys(party ? { 'alt+o': share, 'alt+l': toDue } : {});
  if (!party) return null;
  const others = [...new Set((open ?? []).flatMap((item) => (item.currency === currency ? [] : [item.currency])))];
  // of all of them, or of one amount
  const wrong = problems.find(({ field }) => /^allocations(\.|$)/.test(field));
  const shared = addMoney(rows.map((row) => row['amount']));
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
      {items?.length === 0 && <p className="muted">{t('Nothing is open: the whole amount stays on account.')}</p>}
      {others.length > 0 && (
        <p className="muted">
          {t('Open in {{others}} too: settled by money in that currency.', { others: others.join(', ') })}
        </p>
      )}
      {!!items?.length && (
        <div className="scroll-x">
          <table className="plain-table">
            <TableHead
              columns={[
                t('Document'),
                t('Date'),
                t('Due'),
                figures(t('Amount')),
                figures(currency === 'INR' ? t('Open') : t('Open ({{currency}})', { currency })),
                currency !== 'INR' && figures(t('In the books (₹)')),
                figures(t('Settle')),
              ]}
            />
            <tbody ref={due} onKeyDown={rowOnArrow}>
              {items.map((item) => (
                <tr key={itemName(item)}>
                  <td>
                    {item.number} <span className="muted">{t(kindLabel(item.kind))}</span>
                  </td>
                  <td>{show(item.date)}</td>
                  <td>{show(item.dueDate)}</td>
                  <td className="num">{money(item.original)}</td>
                  <td className="num">{money(item.open)}</td>
                  {currency !== 'INR' && <td className="num">{money(item.worth)}</td>}
                  <td className="num">
                    <AmountInput
                      aria-label={t('Settle {{number}}', { number: item.number })}
                      aria-invalid={(wrong !== undefined && amountOf(itemName(item)) !== '') || undefined}
                      aria-describedby={wrong && 'settle-problem'}
                      value={amountOf(itemName(item))}
                      onChange={(text) => set(itemName(item), text)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {wrong && (
        <p className="field-error" id="settle-problem">
          {wrong.message}
        </p>
      )}
      {!!items?.length && (
        <Balance
          model={model}
          side={side}
          shared={shared}
          items={items}
          amounts={Object.fromEntries(rows.map((row) => [row['item'] ?? '', row['amount'] ?? '']))}
        />
      )}
    </Panel>
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
