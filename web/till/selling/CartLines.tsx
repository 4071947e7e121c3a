import { IconMinus, IconPlus, IconX } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import type { TillItem } from '../../../domain/till/till.ts';
import { IconButton } from '../../kit/Button.tsx';
import { money, plainNumber } from '../../kit/format.ts';
import type { Problem } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';
import type { CartLine } from '../cart/cart.ts';
import type { LinePrice } from '../cart/prices.ts';

interface LineProps {
  /** The batches that go, as text. */
  readonly parts: string;
  readonly line: CartLine;
  readonly number: number;
  readonly item: TillItem | undefined;
  readonly amount: string | undefined;
  readonly rate: string;
  /** The price list that says so. */
  readonly list: string;
  readonly isSelected: boolean;
  readonly problem: string | undefined;
  onChange(key: string, patch: Partial<CartLine>): void;
  onStep(key: string, by: number): void;
  onRemove(key: string): void;
}

// no batch at all is what expires first
const batchChosen = (batch: string): Partial<CartLine> => ({ batch: batch || undefined }) as Partial<CartLine>;

/** One line; drawn again only when something on it has changed, so that sixty stay fast. */
const Line = memo(function Line({
  line,
  number,
  item,
  amount,
  rate,
  list,
  parts,
  isSelected,
  problem,
  onChange,
  onStep,
  onRemove,
}: LineProps) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const name = item?.name ?? t('An item that is no longer there');
  return (
    <tr ref={row} data-active={isSelected || undefined}>
      <td className="num muted">{number}</td>
      <td className="till-item">
        <b>{name}</b>
        <small>
          {item?.sku} · ₹ {money(rate)} / {item?.unit}
          {list && ` · ${list}`}
        </small>
        {(line.serials?.length ?? 0) > 0 && (
          <small>{t('Serial {{serials}}', { serials: line.serials?.join(', ') })}</small>
        )}
        {parts && <small>{parts}</small>}
        {item?.batched && (item.batches?.length ?? 0) > 1 && (
          <select
            className="input till-batch"
            aria-label={t('Batch, line {{number}}', { number })}
            value={line.batch ?? ''}
            onChange={(event) => onChange(line.key, batchChosen(event.target.value))}
          >
            <option value="">{t('Earliest expiry first')}</option>
            {item.batches?.map(({ batch }) => (
              <option key={batch} value={batch}>
                {t('Batch {{batch}}', { batch })}
              </option>
            ))}
          </select>
        )}
        {problem && <small className="field-error">{problem}</small>}
      </td>
      <td className="till-quantity">
        <IconButton
          label={t('One less of line {{number}}', { number })}
          onClick={() => onStep(line.key, -1)}
          tabIndex={-1}
        >
          <IconMinus size={16} />
        </IconButton>
        <input
          className="input num"
          inputMode="decimal"
          aria-label={t('Quantity, line {{number}}', { number })}
          aria-invalid={problem !== undefined || undefined}
          readOnly={line.serials !== undefined}
          value={line.quantity}
          onChange={(event) => onChange(line.key, { quantity: event.target.value.trim() })}
        />
        <IconButton
          label={t('One more of line {{number}}', { number })}
          disabled={line.serials !== undefined}
          onClick={() => onStep(line.key, 1)}
          tabIndex={-1}
        >
          <IconPlus size={16} />
        </IconButton>
      </td>
      <td className="till-off">
        <input
          className="input num"
          inputMode="decimal"
          aria-label={t('Discount %, line {{number}}', { number })}
          placeholder="%"
          value={line.discount}
          onChange={(event) => onChange(line.key, { discount: event.target.value.trim() })}
        />
      </td>
      <td className="num till-amount">{money(amount)}</td>
      <td className="row-tools">
        <IconButton label={t('Remove line {{number}}', { number })} onClick={() => onRemove(line.key)} tabIndex={-1}>
          <IconX size={16} />
        </IconButton>
      </td>
    </tr>
  );
});

const listOf = ({ list = '', from }: Partial<LinePrice> = {}): string =>
  list && from ? t('{{list}}, from {{from}}', { list, from: plainNumber(from) }) : list;

/** The lines of the bill, the one that keys act on marked. Enter in a field goes back to the scanner. */
export function CartLines({
  lines,
  selected,
  items,
  amounts,
  prices,
  parts,
  problems,
  onBack,
  ...changes
}: Pick<LineProps, 'onChange' | 'onStep' | 'onRemove'> & {
  readonly lines: readonly CartLine[];
  readonly selected: string;
  readonly items: ReadonlyMap<string, TillItem>;
  readonly amounts: readonly string[];
  readonly prices: readonly LinePrice[];
  readonly parts: readonly string[];
  readonly problems: readonly Problem[];
  onBack(): void;
}) {
  return (
    <section className="till-lines" aria-label={t('Lines of the bill')}>
      <table
        className="plain-table"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || !(event.target instanceof HTMLInputElement)) return;
          event.preventDefault();
          onBack();
        }}
      >
        <thead>
          <tr>
            <th className="num till-number">#</th>
            <th>{t('Item')}</th>
            <th>{t('Quantity')}</th>
            <th>{t('Off %')}</th>
            <th className="num">{t('Amount (₹)')}</th>
            <th>
              <span className="hidden-text">{t('Remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <Line
              key={line.key}
              line={line}
              number={at + 1}
              item={items.get(line.item)}
              amount={amounts[at]}
              rate={prices[at]?.rate ?? line.rate}
              list={listOf(prices[at])}
              parts={parts[at] ?? ''}
              isSelected={line.key === selected}
              problem={problems.find(({ row }) => row === at)?.message}
              {...changes}
            />
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p className="till-empty">{t('Scan the first item.')}</p>}
    </section>
  );
}
