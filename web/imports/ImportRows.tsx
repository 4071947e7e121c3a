import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { RowOutcome } from '../../contract/import-steps.ts';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { Badge, ErrorPanel, ScrollX, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { t, translated } from '../kit/text.ts';
import { type ImportedRow, type ImportView, outcomeWords } from './steps.ts';

interface Props {
  readonly found: ImportView;
  readonly outcome: RowOutcome | '';
}

/** Rows of an import a page at a time; before it is imported, cells of rows with problems are mended here. */
export function ImportRows({ found, outcome }: Props) {
  const query = useInfiniteQuery({
    queryKey: useScreenKey('importRows', found.id, found.state, outcome),
    queryFn: ({ pageParam }) =>
      api.ListImportRows({
        master: found.master,
        id: found.id,
        ...(outcome && { outcome }),
        ...(pageParam && { after: pageParam }),
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.after ?? undefined,
  });
  if (query.error) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton rows={6} />;
  const rows = query.data.pages.flatMap((page) => page.rows);
  // columns that are not imported say nothing here
  const columns = found.headings.flatMap((heading, at) =>
    found.columns[at] == null ? [] : [{ heading, at, target: found.columns[at] }],
  );
  return (
    <>
      <ScrollX label={t('Rows')}>
        <table className="plain-table import-rows">
          <thead>
            <tr>
              <th scope="col" className="num">
                {t('Row')}
              </th>
              <th scope="col">{t('State')}</th>
              {columns.map(({ heading, at }) => (
                <th scope="col" key={at}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.row} found={found} row={row} columns={columns} />
            ))}
          </tbody>
        </table>
      </ScrollX>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('More rows')}
        </Button>
      )}
    </>
  );
}

interface MappedColumn {
  readonly heading: string;
  readonly at: number;
  readonly target: string | null;
}
interface RowProps {
  readonly found: ImportView;
  readonly row: ImportedRow;
  readonly columns: readonly MappedColumn[];
}

const wordOf = (outcome: ImportedRow['outcome']): string => outcomeWords.find(([name]) => name === outcome)?.[1] ?? '–';
const tones = {
  refused: 'bad',
  stays: 'warn',
  kept: 'warn',
  add: 'ok',
  added: 'ok',
  change: 'info',
  changed: 'info',
} as const;

function Row({ found, row: first, columns }: RowProps) {
  const cache = useQueryClient();
  const key = useScreenKey('import', found.id);
  // a row that was mended stays where it is, whatever it counts as by now
  const [row, setRow] = useState(first);
  const isMendable = found.state === 'checked' && (row.problems.length > 0 || row.mended);
  const mend = async (at: number, text: string) => {
    if (text === (row.cells[at] ?? '')) return;
    const width = Math.max(row.cells.length, at + 1);
    const cells = Array.from({ length: width }, (_, n) => (n === at ? text : (row.cells[n] ?? '')));
    try {
      const mended = await api.MendImportRow({ master: found.master, id: found.id, row: row.row, cells });
      setRow(mended.row);
      cache.setQueryData<ImportView>(
        key,
        (before) => before && { ...before, counts: mended.counts, asks: mended.asks },
      );
    } catch (error) {
      toast(String((error as Error).message));
    }
  };
  const ofRow = row.problems.filter(({ target }) => !columns.some((column) => column.target === target));
  return (
    <tr>
      <td className="num">{row.row}</td>
      <td>
        <Badge word={wordOf(row.outcome)} tone={tones[(row.outcome ?? '') as keyof typeof tones] ?? 'neutral'} />
        {ofRow.map((problem) => (
          <p key={problem.message} className="import-problem">
            {translated(problem)}
          </p>
        ))}
      </td>
      {columns.map(({ heading, at, target }) => {
        const problem = row.problems.find((one) => one.target === target);
        const text = row.cells[at] ?? '';
        return (
          <td key={at}>
            {isMendable ? (
              <MendedCell
                label={t('{{heading}}, row {{row}}', { heading, row: row.row })}
                text={text}
                problem={problem && translated(problem)}
                onMend={(typed) => void mend(at, typed)}
              />
            ) : (
              <>
                {text}
                {problem && <p className="import-problem">{translated(problem)}</p>}
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}

interface CellProps {
  readonly label: string;
  readonly text: string;
  readonly problem: string | undefined;
  onMend(text: string): void;
}

/** A cell that can be mended: what was typed is checked when the cell is left, or with Enter. */
function MendedCell({ label, text, problem, onMend }: CellProps) {
  const id = useId();
  const [typed, setTyped] = useState(text);
  return (
    <>
      <input
        className="input"
        aria-label={label}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : id}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => onMend(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onMend(typed);
        }}
      />
      {problem !== undefined && (
        <p id={id} className="import-problem">
          {problem}
        </p>
      )}
    </>
  );
}
