import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '../Button.tsx';
import { toast } from '../dialog/toast.tsx';
import { endTyping } from '../fields/typing.ts';
import { keyName } from '../hotkeys.ts';
import { usePhone } from '../media.ts';
import { Sentence } from '../Sentence.tsx';
import type { Problem } from '../server/api.ts';
import { t } from '../text.ts';
import { GridCell } from './GridCell.tsx';
import { type GridColumn, type Pasted, pasteInto, spread } from './gridPaste.ts';
import { columnWidth, gridWidth } from './gridWidths.ts';
import { cellAt, useKeptFocus } from './keptFocus.ts';
import { type RowStore, useRow, useRowKeys } from './rowStore.ts';

/**
 * The line grid: native inputs over a row store (`createRowStore`), so that a key re-renders its own row only.
 * Enter and Shift Enter, Tab, arrows, Ctrl Home, paste from a spreadsheet, F2, Esc, Ctrl Delete with Undo.
 * `problems` come from the server or the check (`row` counts from 0). Phones get a card per line.
 */
export interface LineGridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly store: RowStore;
  readonly problems?: readonly Problem[];
  readonly readOnly?: boolean;
  /** Lines may go but none is added: they come from elsewhere. */
  readonly fixed?: boolean;
  /** Lines are neither added nor removed: only their cells change. */
  readonly whole?: boolean;
}

type RowProblems = Readonly<Record<string, string>>;

const ROW_HEIGHT = 32;
const VIRTUAL_FROM = 120;

export function LineGrid({
  label,
  columns,
  store,
  problems = [],
  readOnly = false,
  whole = false,
  ...more
}: LineGridProps) {
  const fixed = whole || more.fixed === true;
  const bins = !readOnly && !whole;
  const keys = useRowKeys(store);
  const phone = usePhone();
  const root = useRef<HTMLDivElement>(null);
  const virtual = !phone && keys.length > VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: virtual ? keys.length : 0,
    getScrollElement: () => root.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const byRow = useMemo(() => groupProblems(problems), [problems]);
  const focus = useCallback(
    (row: number, column: number, tries = 12) => {
      const cell = cellAt(root.current, row, column);
      if (cell) {
        cell.focus();
        if (cell.tagName === 'INPUT') cell.select();
        return;
      }
      if (tries === 12 && virtual) virtualizer.scrollToIndex(row);
      if (tries === 0) return;
      const again = () => focus(row, column, tries - 1);
      // A row added by this key is drawn before the next key comes: a scanner does not wait for a frame.
      if (tries === 12) queueMicrotask(again);
      else requestAnimationFrame(again);
    },
    [virtual, virtualizer],
  );
  const remove = useCallback((key: string) => removeLine(store, key), [store]);
  const [pasted, setPasted] = useState(nothingPasted);
  const cellKeys = useGridKeys({ columns, store, focus, readOnly, fixed, bins, onPasted: setPasted });
  const keepsFocus = useKeptFocus(root, phone);
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    cellKeys.onFocus(event);
    keepsFocus.onFocus(event);
  };
  const handlers = { ...cellKeys, ...keepsFocus, onFocus };
  const items = virtualizer.getVirtualItems();
  const shown = virtual ? items.map((item) => item.index) : keys.map((_, index) => index);
  const above = virtual ? (items[0]?.start ?? 0) : 0;
  const below = virtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const lines = shown.map((index) => (
    <Line
      key={keys[index]}
      rowKey={keys[index] ?? ''}
      index={index}
      columns={columns}
      store={store}
      problems={byRow.get(index)}
      readOnly={readOnly}
      bins={bins}
      card={phone}
      onRemove={remove}
    />
  ));
  return (
    <div ref={phone ? root : undefined} className="line-grid" {...handlers}>
      {phone ? (
        <div className="line-cards">{lines}</div>
      ) : (
        <div
          ref={root}
          className="grid-wrap"
          // a cell that is gone to does not stop under the columns that stay
          style={{ scrollPaddingLeft: 48 + (columns[0]?.width ?? 180), ...(virtual && { maxHeight: '60vh' }) }}
          tabIndex={-1}
        >
          <table
            className="grid"
            aria-label={label}
            aria-rowcount={keys.length + 1}
            style={{ minWidth: gridWidth(columns) }}
          >
            <Head columns={columns} bins={bins} />
            <tbody>
              {above > 0 && <tr aria-hidden style={{ height: above }} />}
              {lines}
              {below > 0 && <tr aria-hidden style={{ height: below }} />}
            </tbody>
          </table>
        </div>
      )}
      {pasted.as.length + pasted.untaken.length > 0 && (
        <PasteNote {...pasted} onClose={() => setPasted(nothingPasted)} />
      )}
      <Foot
        store={store}
        columns={columns}
        problems={problems}
        readOnly={readOnly}
        fixed={fixed}
        onAdded={(row) => focus(row, 0)}
      />
    </div>
  );
}

const groupProblems = (problems: readonly Problem[]): ReadonlyMap<number, RowProblems> => {
  const rows = new Map<number, Record<string, string>>();
  for (const { row, field, message, warning } of problems) {
    if (row !== undefined && !warning) rows.set(row, { ...rows.get(row), [field]: message });
  }
  return rows;
};

const removeLine = (store: RowStore, key: string) => {
  const index = store.keys().indexOf(key);
  const row = store.row(key);
  if (!row) return;
  store.remove(key);
  const { key: _, ...fields } = row;
  toast(t('Line {{index}} deleted', { index: index + 1 }), {
    label: t('Undo'),
    run: () => void store.add(fields, index),
  });
};

const isNumber = (column: GridColumn) => column.type === 'number' || column.numeric === true;

function Head({ columns, bins }: { readonly columns: readonly GridColumn[]; readonly bins: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col" className="num" style={{ width: 40 }}>
          #
        </th>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            className={isNumber(column) ? 'num' : undefined}
            style={{ width: columnWidth(column, columns) }}
            title={t(column.label)}
          >
            {t(column.label)}
            {column.required && <span className="field-mark"> *</span>}
          </th>
        ))}
        {bins && (
          <th scope="col" style={{ width: 44 }}>
            <span className="hidden-text">{t('Delete')}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

const Line = memo(function Line({
  rowKey,
  index,
  columns,
  store,
  problems,
  readOnly,
  bins,
  card,
  onRemove,
}: {
  readonly rowKey: string;
  readonly index: number;
  readonly columns: readonly GridColumn[];
  readonly store: RowStore;
  readonly problems: RowProblems | undefined;
  readonly readOnly: boolean;
  readonly bins: boolean;
  readonly card: boolean;
  onRemove(key: string): void;
}) {
  const row = useRow(store, rowKey);
  if (!row) return null;
  const bin = bins && (
    <IconButton
      label={t('Delete line {{index}}', { index: index + 1 })}
      tabIndex={card ? 0 : -1}
      onClick={() => onRemove(rowKey)}
    >
      <IconTrash size={15} />
    </IconButton>
  );
  const cells = columns.map((column, at) => (
    <GridCell
      key={column.key}
      column={column}
      row={row}
      store={store}
      at={[index, at]}
      error={problems?.[column.key]}
      readOnly={readOnly}
      card={card}
    />
  ));
  if (card) {
    return (
      <section className="line-card" aria-label={t('Line {{index}}', { index: index + 1 })}>
        <header>
          {t('Line {{index}}', { index: index + 1 })} {bin}
        </header>
        {cells}
      </section>
    );
  }
  return (
    <tr aria-rowindex={index + 2}>
      <td className="num muted">
        <div className="show">{index + 1}</div>
      </td>
      {cells}
      {bins && <td className="row-tools">{bin}</td>}
    </tr>
  );
});

type PasteNotes = Pick<Pasted, 'as' | 'untaken'>;
const nothingPasted: PasteNotes = { as: [], untaken: [] };

/** Which columns a paste was taken for, and what it had no place for: it stays here until somebody has seen it. */
function PasteNote({ as, untaken, onClose }: PasteNotes & { onClose(): void }) {
  return (
    <div className="note grid-untaken" data-tone={untaken.length > 0 ? 'warn' : undefined} role="status">
      <div>
        {as.length > 0 && (
          <p>
            {t('Pasted as {{as}}. A first row with the names of the columns decides otherwise.', { as: as.join(', ') })}
          </p>
        )}
        {untaken.length > 0 && <p>{t('This was pasted, and the lines have no place for it:')}</p>}
        <ul className="plain-list">
          {untaken.slice(0, MOST_UNTAKEN).map((text) => (
            <li key={text}>{text}</li>
          ))}
          {untaken.length > MOST_UNTAKEN && (
            <li>{t('and {{untaken}} more', { untaken: untaken.length - MOST_UNTAKEN })}</li>
          )}
        </ul>
      </div>
      <Button onClick={onClose}>{t('Close this note')}</Button>
    </div>
  );
}
const MOST_UNTAKEN = 10;

function Foot({
  store,
  columns,
  problems,
  readOnly,
  fixed,
  onAdded,
}: Omit<LineGridProps, 'label'> & { onAdded(row: number): void }) {
  const rows = (problems ?? []).filter((problem) => problem.row !== undefined);
  const labelOf = (field: string) => columns.find((column) => column.key === field)?.label;
  return (
    <div className="grid-foot">
      {!readOnly && !fixed && (
        <>
          <Button
            look="subtle"
            onClick={() => {
              store.add();
              onAdded(store.keys().length - 1);
            }}
          >
            <IconPlus size={15} aria-hidden />
            {t('Add line')}
          </Button>
          <span className="wide-hint">
            <Sentence
              text="<kbd>Enter</kbd> next cell {{kbd2}} rows <kbd>Ctrl V</kbd> paste from a spreadsheet <kbd>Ctrl Delete</kbd> delete line"
              values={{ kbd: (text) => <kbd>{text}</kbd>, kbd2: <kbd>↑ ↓</kbd> }}
            />
          </span>
        </>
      )}
      <div role="status">
        {rows.slice(0, 5).map((problem) => (
          <div
            key={`${problem.row}${problem.field}${problem.message}`}
            className={problem.warning ? 'grid-warning' : 'grid-problem'}
          >
            {t('Line {{row}}{{field}}: {{message}}', {
              row: (problem.row ?? 0) + 1,
              field: labelOf(problem.field) ? `, ${labelOf(problem.field)}` : '',
              message: problem.message,
            })}
          </div>
        ))}
        {rows.length > 5 && <div className="grid-problem">{t('and {{rows}} more', { rows: rows.length - 5 })}</div>}
      </div>
    </div>
  );
}

interface KeyFacts {
  readonly columns: readonly GridColumn[];
  readonly store: RowStore;
  focus(row: number, column: number): void;
  readonly readOnly: boolean;
  readonly fixed: boolean;
  readonly bins: boolean;
  /** Gets the columns that a paste was taken for, and what it had no place for. */
  onPasted(pasted: PasteNotes): void;
}

const place = (target: EventTarget): readonly [number, number] | null => {
  if (!(target instanceof HTMLElement) || target.dataset['row'] === undefined) return null;
  return [Number(target.dataset['row']), Number(target.dataset['column'])];
};

/** Whether an arrow leaves the cell: everything is selected, or the caret stands at that edge. */
const atEdge = (target: EventTarget, left: boolean): boolean => {
  if (!(target instanceof HTMLInputElement)) return true;
  const { selectionStart: from, selectionEnd: to, value } = target;
  if (from === null || to === null || (from === 0 && to === value.length)) return true;
  return from === to && from === (left ? 0 : value.length);
};

const useGridKeys = ({ columns, store, focus, readOnly, fixed, bins, onPasted }: KeyFacts) => {
  const before = useRef('');
  const open = columns.flatMap((column, index) => (column.type === 'readonly' ? [] : [index]));
  const step = (row: number, column: number, by: 1 | -1, passing = false) => {
    const line = store.row(store.keys()[row] ?? '');
    const skips = (each: number) => passing && line !== undefined && columns[each]?.passed?.(line) === true;
    const next = open
      .filter((each) => (by === 1 ? each > column : each < column) && !skips(each))
      .at(by === 1 ? 0 : -1);
    if (next !== undefined) return focus(row, next);
    const other = row + by;
    const isPastEnd = other >= store.keys().length;
    if (other < 0 || (isPastEnd && (readOnly || fixed))) return;
    if (isPastEnd) store.add();
    focus(other, (by === 1 ? open[0] : open.at(-1)) ?? 0);
  };
  /** To the first cell of an empty last line, which is added where there is none. */
  const toNewLine = () => {
    const isBlank = (key: string | undefined) =>
      key !== undefined && !columns.some((column) => column.type !== 'readonly' && store.row(key)?.[column.key]);
    if (!isBlank(store.keys().at(-1))) store.add();
    focus(store.keys().length - 1, open[0] ?? 0);
  };
  const vertical = (row: number, column: number) => {
    if (row >= 0 && row < store.keys().length) focus(row, column);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const where = place(event.target);
    if (!where || event.nativeEvent.isComposing) return;
    if (keyName(event.nativeEvent) === 'alt+n' && !readOnly && !fixed) {
      event.preventDefault();
      event.stopPropagation();
      endTyping();
      return toNewLine();
    }
    if (event.altKey) return;
    const [row, column] = where;
    const select = event.target instanceof HTMLSelectElement;
    const ctrl = event.ctrlKey || event.metaKey;
    const input = event.target instanceof HTMLInputElement ? event.target : null;
    const key = store.keys()[row] ?? '';
    // Enter on an empty last line leaves the lines: the form goes on behind them.
    if (event.key === 'Enter' && !ctrl && !event.shiftKey && isEnd(row, column)) return;
    if (event.key === 'Enter' && !ctrl) event.shiftKey ? vertical(row - 1, column) : step(row, column, 1, true);
    else if (event.key === 'ArrowUp' && !select) vertical(row - 1, column);
    else if (event.key === 'ArrowDown' && !select) vertical(row + 1, column);
    else if (event.key === 'ArrowLeft' && !ctrl && !event.shiftKey && atEdge(event.target, true)) step(row, column, -1);
    else if (
      event.key === 'ArrowRight' &&
      !ctrl &&
      !event.shiftKey &&
      atEdge(event.target, false) &&
      !isLast(row, column)
    )
      step(row, column, 1);
    else if (event.key === 'Home' && ctrl) focus(0, open[0] ?? 0);
    else if (event.key === 'F2' && input) input.setSelectionRange(input.value.length, input.value.length);
    else if (event.key === 'Escape' && input && columns[column]?.type !== 'combobox') {
      if (input.value === before.current) return;
      const field = columns[column]?.key;
      if (field) store.set(key, { [field]: before.current });
      requestAnimationFrame(() => document.activeElement === input && input.select());
    } else if (event.key === 'Delete' && ctrl && bins) {
      // Drawn at once: the cell that is to be gone to is that of the line that moves up, not the one that goes.
      flushSync(() => {
        removeLine(store, key);
        if (store.keys().length === 0 && !fixed) store.add();
      });
      focus(Math.min(row, store.keys().length - 1), column);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isLast = (row: number, column: number) => row === store.keys().length - 1 && column === open.at(-1);
  const isEnd = (row: number, column: number) => {
    const line = store.row(store.keys()[row] ?? '');
    const first = columns[open[0] ?? 0];
    if (row !== store.keys().length - 1) return false;
    return fixed ? column === open.at(-1) : column === open[0] && first !== undefined && !line?.[first.key];
  };
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    const where = place(event.target);
    const cells = spread(event.clipboardData.getData('text/plain'));
    if (!where || readOnly || (cells.length === 1 && cells[0]?.length === 1)) return;
    event.preventDefault();
    const { last, ...notes } = pasteInto({
      ...{ store, columns, cells, row: where[0], column: where[1] },
      ...(fixed && { most: store.keys().length - where[0] }),
    });
    onPasted(notes);
    focus(last, where[1]);
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const where = place(event.target);
    const column = where && columns[where[1]];
    if (where && column) before.current = store.row(store.keys()[where[0]] ?? '')?.[column.key] ?? '';
  };
  return { onKeyDown, onPaste, onFocus };
};
