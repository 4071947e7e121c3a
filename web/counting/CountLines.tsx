import { useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { toastError } from '../kit/dialog/toast.tsx';
import { NumberField, SelectField } from '../kit/fields/fields.tsx';
import { money, plainNumber } from '../kit/format.ts';
import { Badge } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import type { Column } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { differs, type Line, remarksOn } from './counts.ts';
import { reasons } from './EndCount.tsx';

/** The columns that the lines of this count need: rooms and batches where there are some, the books where they may be seen. */
export const countColumns = ({
  lines,
  seesBooks,
}: {
  readonly lines: readonly Line[];
  readonly seesBooks: boolean;
}): readonly Column<Line>[] => [
  { key: 'sku', label: t('SKU'), width: 100, code: true, cell: (line) => line.sku },
  { key: 'name', label: t('Item'), width: 180, strong: true, cell: (line) => line.name },
  ...(lines.some((line) => line.roomName)
    ? [{ key: 'room', label: t('Room'), width: 110, cell: (line: Line) => line.roomName ?? '–' }]
    : []),
  ...(lines.some((line) => line.batch)
    ? [{ key: 'batch', label: t('Batch'), width: 110, code: true, cell: (line: Line) => line.batch || '–' }]
    : []),
  { key: 'unit', label: t('Unit'), width: 52, cell: (line) => line.unit },
  ...(seesBooks
    ? [
        {
          ...{ key: 'book', label: t('In the books'), width: 92, numeric: true },
          cell: (line: Line) => plainNumber(line.books?.expected ?? line.books?.now),
        },
      ]
    : []),
  {
    ...{ key: 'counted', label: t('Counted'), width: 80, numeric: true, strong: true },
    cell: (line) => (line.counted === null ? '–' : plainNumber(line.counted)),
  },
  ...(seesBooks
    ? [
        {
          ...{ key: 'difference', label: t('Difference'), width: 88, numeric: true },
          cell: (line: Line) => (differs(line) ? plainNumber(line.books?.difference) : '–'),
        },
        {
          ...{ key: 'value', label: t('Value (₹)'), width: 96, numeric: true },
          cell: (line: Line) => (differs(line) ? money(line.books?.value) : '–'),
        },
      ]
    : []),
  { key: 'by', label: t('Counted by'), width: 106, cell: (line) => byWhom(line) || '–' },
  ...(seesBooks
    ? [
        {
          ...{ key: 'remark', label: t('Reason, remark'), width: 130 },
          cell: (line: Line) => [line.books?.reason, ...remarksOn(line)].filter(Boolean).join('; ') || '–',
        },
      ]
    : []),
];

const byWhom = ({ counts }: Line): string => {
  const round = Math.max(...counts.map((count) => count.round));
  return counts
    .filter((count) => count.round === round)
    .map((count) => count.by)
    .join(', ');
};

/** Below a line: who counted how much when, what is to be thought of, and for who approves the reason and the rate. */
export function LineDetail({
  id,
  line,
  mayNote,
  moment,
  onKept,
}: {
  readonly id: string;
  readonly line: Line;
  readonly mayNote: boolean;
  moment(at: string): string;
  onKept(): void;
}) {
  return (
    <div className="stack row-detail">
      {line.counts.length === 0 ? (
        <p className="muted">{t('Nobody has counted it yet.')}</p>
      ) : (
        <ul className="plain-list">
          {line.counts.map((count) => (
            <li key={`${count.round}${count.by}`}>
              <span>
                {count.by}: {plainNumber(count.quantity)} {line.unit}
                {count.serials.length > 0 && ` (${count.serials.join(', ')})`}{' '}
                {count.round > 1 && <Badge word={t('Round {{round}}', { round: count.round })} tone="neutral" />}
              </span>
              <span className="muted">{moment(count.at)}</span>
            </li>
          ))}
        </ul>
      )}
      {line.books && (
        <p className="muted">
          {t('The books had {{book}} when the sheet was made and have {{now}} by now.', {
            book: plainNumber(line.books.book),
            now: plainNumber(line.books.now),
          })}
        </p>
      )}
      {remarksOn(line).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {mayNote && line.books && differs(line) && <Note id={id} line={line} onKept={onKept} />}
    </div>
  );
}

function Note({ id, line, onKept }: { readonly id: string; readonly line: Line; onKept(): void }) {
  const [reason, setReason] = useState(line.books?.reason ?? '');
  const [rate, setRate] = useState(line.books?.rate ?? '');
  const [busy, setBusy] = useState(false);
  const keep = async () => {
    setBusy(true);
    try {
      await api.NoteCountLines({ id, lines: [{ line: line.line, reason, ...(rate && { rate }) }] });
      onKept();
    } catch (problem) {
      toastError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="count-note">
      <SelectField
        label={t('Reason')}
        value={reason}
        onChange={setReason}
        choices={reasons}
        empty={t('The one given when it is approved')}
      />
      <NumberField
        label={t('Value per unit (₹ per {{unit}})', { unit: line.unit })}
        value={rate}
        onChange={setRate}
        places={6}
        pad={2}
      />
      <div className="side-actions">
        <Button busy={busy} onClick={() => void keep()}>
          {t('Keep reason')}
        </Button>
      </div>
    </div>
  );
}
