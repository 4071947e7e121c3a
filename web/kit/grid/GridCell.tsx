import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { ComboboxInput } from '../fields/Combobox.tsx';
import { groupDecimal, showDate } from '../format.ts';
import { t } from '../text.ts';
import { cleaned, type GridColumn, padOf, patchOf, putFound } from './gridPaste.ts';
import type { LineRow, RowStore } from './rowStore.ts';

interface CellProps {
  readonly column: GridColumn;
  readonly row: LineRow;
  readonly store: RowStore;
  /** Row and column, from 0. */
  readonly at: readonly [number, number];
  readonly error: string | undefined;
  readonly readOnly: boolean;
  readonly card: boolean;
}

/** What is this wide in a table takes the whole width of a card. */
const WIDE = 180;

/** One cell: a table cell on wide screens, a labelled field of the line's card on phones. */
export function GridCell(props: CellProps) {
  const { column, row, card, error } = props;
  const id = useId();
  const number = column.type === 'number' || column.numeric;
  const fixed = column.type === 'readonly' || props.readOnly;
  const content: ReactNode = fixed ? (
    <div className={`show ${number ? 'num' : ''}`} title={shownText(column, row) || undefined}>
      {shownText(column, row)}
    </div>
  ) : (
    <Control {...props} id={id} />
  );
  if (!card) return <td className={number ? 'num' : undefined}>{content}</td>;
  // what tells nothing yet takes no room of a card
  if (fixed && shownText(column, row) === '') return null;
  const wide = column.wide || column.type === 'combobox' || (column.width ?? WIDE) >= WIDE;
  return (
    <div className="field" data-wide={wide || undefined}>
      {fixed ? (
        <span className="field-label">{t(column.label)}</span>
      ) : (
        <label className="field-label" htmlFor={id}>
          {t(column.label)}
          {column.required && (
            <span className="field-mark" aria-hidden>
              {' *'}
            </span>
          )}
        </label>
      )}
      {content}
      {error && <span className="field-error">{error}</span>}
    </div>
  );
}

const shownText = (column: GridColumn, row: LineRow): string => {
  if (column.show) return column.show(row);
  const text = row[column.key] ?? '';
  if (column.type === 'date') return text ? showDate(text, column.dateFormat) : '';
  if (column.type === 'select') return choicesOf(column, row).find((choice) => choice.value === text)?.label ?? text;
  return text;
};

const choicesOf = ({ choices }: GridColumn, row: LineRow) =>
  typeof choices === 'function' ? choices(row) : (choices ?? []);

function Control({ column, row, store, at, error, card, id }: CellProps & { readonly id: string }) {
  const value = row[column.key] ?? '';
  const set = (text: string) => {
    typed.current = text;
    store.set(row.key, { [column.key]: text });
  };
  const input = useRef<HTMLInputElement>(null);
  const typed = useRef(value);
  const [editing, setEditing] = useState(false);
  useLayoutEffect(() => {
    // What is filled in under the cursor is selected: typing on replaces it.
    if (value !== typed.current && document.activeElement === input.current) input.current?.select();
    typed.current = value;
  }, [value]);
  useLayoutEffect(() => {
    // The plain figure has taken the place of the grouped one: it is as selected as that was.
    if (editing && document.activeElement === input.current) input.current?.select();
  }, [editing]);
  const unpicked = column.idKey !== undefined && value !== '' && !row[column.idKey];
  const facts = {
    id,
    'data-row': at[0],
    'data-column': at[1],
    'aria-invalid': error || unpicked ? (true as const) : undefined,
    'aria-describedby': undefined,
    'aria-required': column.required || undefined,
    'data-field': undefined,
  };
  const name = card
    ? {}
    : {
        'aria-label': t('{{label}}, line {{at}}{{error}}', {
          label: t(column.label),
          at: at[0] + 1,
          error: error ? `: ${error}` : '',
        }),
      };
  const look = card ? `input${column.type === 'number' ? ' num' : ''}` : undefined;
  if (column.type === 'combobox' && column.search) {
    return (
      <ComboboxInput
        attributes={facts}
        {...name}
        className={look}
        text={value}
        unchosen={unpicked}
        search={column.search}
        create={column.create}
        onScan={value === '' ? column.scanned : undefined}
        onPick={(option) => store.set(row.key, patchOf(column, option, row))}
        onFoundLate={(option, text) => putFound(store, row.key, column, option, text)}
        onClear={() => store.set(row.key, { [column.key]: '', ...(column.idKey && { [column.idKey]: '' }) })}
        // what followed from the record before goes with it
        onLeft={(text) =>
          store.set(row.key, {
            ...(column.idKey && row[column.idKey] ? column.picked?.({ id: '', name: text }, row) : {}),
            [column.key]: text,
          })
        }
      />
    );
  }
  if (column.type === 'select') {
    return (
      <select {...facts} {...name} className={look} value={value} onChange={(event) => set(event.target.value)}>
        {!choicesOf(column, row).some((choice) => choice.value === value) && <option value={value}>{value}</option>}
        {choicesOf(column, row).map((choice) => (
          <option key={choice.value} value={choice.value}>
            {t(choice.label)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...facts}
      {...name}
      ref={input}
      className={look}
      autoComplete="off"
      inputMode={column.type === 'number' ? 'decimal' : undefined}
      value={editing ? plainText(column, value) : restingText(column, value)}
      onChange={(event) => set(event.target.value)}
      onFocus={(event) => {
        event.target.select();
        setEditing(true);
      }}
      onBlur={(event) => {
        set(cleaned(column, event.target.value.trim()));
        setEditing(false);
      }}
    />
  );
}

const plainText = (column: GridColumn, value: string): string =>
  column.type === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? showDate(value, column.dateFormat) : value;

/** A figure that nobody is typing is grouped as those beside it. */
const restingText = (column: GridColumn, value: string): string =>
  column.type === 'number' && value !== '' ? groupDecimal(value, padOf(column)) : plainText(column, value);
