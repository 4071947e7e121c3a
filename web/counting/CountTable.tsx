import { Button } from '../kit/Button.tsx';
import { showMoment } from '../kit/format.ts';
import { Badge, Empty, Segments } from '../kit/parts.tsx';
import { useDateFormat } from '../kit/server/session.ts';
import { DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { countColumns, LineDetail } from './CountLines.tsx';
import { differs, type Line, type LineFilter, wordsIn } from './counts.ts';
import type { Counting } from './useCounting.ts';

/** Which lines are listed: all, those to count, those that differ from the books. */
export function CountFilter({
  counting,
  onAdd,
}: {
  readonly counting: Counting;
  readonly onAdd: (() => void) | undefined;
}) {
  const { lines, open, different, seesBooks, filter, narrow } = counting;
  return (
    <div className="filter-bar">
      <Segments
        label={t('Lines')}
        current={filter.shows}
        onChange={(key) => narrow({ shows: key as LineFilter['shows'] })}
        choices={[
          { key: 'all', label: t('All {{lines}}', { lines: lines.length }) },
          { key: 'open', label: t('To count {{open}}', { open: open.length }) },
          ...(seesBooks
            ? [{ key: 'differ', label: t('Different {{different}}', { different: different.length }) }]
            : []),
        ]}
      />
      {filter.among !== null && <Button onClick={() => narrow({ among: null })}>{t('Show all lines')}</Button>}
      <span className="end">{onAdd && <Button onClick={onAdd}>{t('Add a line')}</Button>}</span>
    </div>
  );
}

const emptySentence = ({ shows, typed }: LineFilter): string => {
  if (shows === 'open' && wordsIn(typed) === '') return t('Everything is counted');
  if (shows === 'differ' && wordsIn(typed) === '') return t('No differences from the books');
  return t('No line matches');
};

/** The lines of a count. Who counts opens a line to enter it by hand; who ends the count selects lines and writes notes. */
export function CountTable({
  id,
  counting,
  mayCount,
  mayEnd,
  onKept,
}: {
  readonly id: string;
  readonly counting: Counting;
  readonly mayCount: boolean;
  readonly mayEnd: boolean;
  onKept(): void;
}) {
  const { format } = useDateFormat();
  const { lines, rows, seesBooks, filter, selected, setSelected, choose } = counting;
  return (
    <DataTable
      label={t('Lines of the count')}
      columns={countColumns({ lines, seesBooks })}
      rows={rows}
      rowKey={(line) => String(line.line)}
      {...(mayEnd && { selected, onSelect: setSelected })}
      {...(mayCount && { onOpen: (line: Line) => choose(line) })}
      detail={(line) => (
        <LineDetail
          id={id}
          line={line}
          mayNote={mayEnd}
          moment={(moment) => showMoment(moment, format)}
          onKept={onKept}
        />
      )}
      empty={<Empty sentence={emptySentence(filter)} />}
      card={(line) => ({
        title: line.name,
        meta: [line.sku, line.roomName, line.batch].filter(Boolean).join(' · '),
        amount: line.counted ?? '–',
        badge: differs(line) ? <Badge word={line.books?.difference ?? ''} tone="warn" /> : undefined,
      })}
    />
  );
}
