import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from '../Button.tsx';
import { t } from '../text.ts';
import type { DataTableProps } from './DataTable.tsx';
import { Fold } from './TableTree.tsx';

/** The set with `key` put in, or taken out if it was there. */
export const toggled = (selected: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
};

/** Number and date under a name: each stays whole where the line breaks. */
const Meta = ({ text }: { readonly text: string }) =>
  text.split(' · ').map((part, at, { length }) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name and never move
    <span key={at} className="meta-part">
      {at < length - 1 ? `${part} ·` : part}
    </span>
  ));

/** The sums of a list under its cards: the first column says what they are. */
function CardTotals<T>({
  columns: [first, ...columns],
  totals,
}: {
  readonly columns: DataTableProps<T>['columns'];
  readonly totals: NonNullable<DataTableProps<T>['totals']>;
}) {
  return (
    <li className="card-row card-total">
      <b>{first && totals[first.key]}</b>
      <dl className="sums">
        {columns
          .filter(({ key }) => totals[key] !== undefined)
          .map(({ key, label }) => (
            <div key={key}>
              <dt>{t(label)}</dt>
              <dd className="num">{totals[key]}</dd>
            </div>
          ))}
      </dl>
    </li>
  );
}

/** The rows of a list as cards, for phones. */
export function Cards<T>({
  rows,
  rowKey,
  card,
  onOpen,
  opens,
  selected,
  onSelect,
  hasMore,
  onMore,
  label,
  detail,
  tree,
  columns,
  totals,
}: DataTableProps<T>) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <ul className="cards" aria-label={label}>
        {rows.map((row) => {
          const key = rowKey(row);
          const { title, meta, amount, badge, depth, heading } = card(row);
          const inset = tree ? tree.level(row) : (depth ?? 0);
          return (
            <li
              key={key}
              className="card-row"
              data-depth={depth}
              data-heading={heading || undefined}
              style={inset > 0 || tree ? { paddingInlineStart: Math.min(inset, 4) * 16 + (tree ? 0 : 12) } : undefined}
            >
              {tree && <Fold tree={{ ...tree, level: () => 0 }} row={row} />}
              {onSelect && (
                <input
                  type="checkbox"
                  className="box"
                  aria-label={typeof title === 'string' ? t('Select {{title}}', { title }) : t('Select')}
                  checked={selected?.has(key) ?? false}
                  onChange={() => onSelect(toggled(selected ?? new Set(), key))}
                />
              )}
              <button
                type="button"
                className="card-main"
                disabled={!onOpen || opens?.(row) === false}
                onClick={() => onOpen?.(row)}
              >
                <span>
                  <b>{title}</b>
                  {meta !== '' && <small>{typeof meta === 'string' ? <Meta text={meta} /> : meta}</small>}
                </span>
                <span className="card-side">
                  {amount !== undefined && <span className="num">{amount}</span>}
                  {badge}
                </span>
              </button>
              {detail && (
                <IconButton
                  label={t('Details')}
                  aria-expanded={opened.has(key)}
                  onClick={() => setOpened(toggled(opened, key))}
                >
                  {opened.has(key) ? <IconChevronUp size={18} /> : <IconChevronDown size={18} />}
                </IconButton>
              )}
              {detail && opened.has(key) && <div className="card-detail">{detail(row)}</div>}
            </li>
          );
        })}
        {totals && <CardTotals columns={columns} totals={totals} />}
      </ul>
      {hasMore && (
        <button type="button" className="button" onClick={() => onMore?.()}>
          {t('Show more')}
        </button>
      )}
    </>
  );
}
