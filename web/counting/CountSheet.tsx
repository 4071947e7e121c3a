import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { allows } from '../../contract/levels.ts';
import { Button } from '../kit/Button.tsx';
import { PaperDialog } from '../kit/dialog/PaperDialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, ErrorPanel, Page, PageHead, Segments, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useCall, useDateFormat, useSession } from '../kit/server/session.ts';
import { DataTable } from '../kit/table/DataTable.tsx';
import { CancelDialog } from '../views/view/CancelDialog.tsx';
import { AddLine } from './AddLine.tsx';
import { CountEntry } from './CountEntry.tsx';
import { countColumns, LineDetail } from './CountLines.tsx';
import { type Count, differs, isCounted, type Line, placeOf, states } from './counts.ts';
import { EndCount } from './EndCount.tsx';
import { Posted } from './Posted.tsx';
import '../views/views.css';
import './counting.css';

type Shows = 'all' | 'open' | 'differ';
const none: ReadonlyMap<number, Line> = new Map();

/** One count: counted by scanner or by hand, compared with the books, counted again, approved. */
export function CountSheet() {
  const { id } = useAddress();
  const go = useGo();
  const { data, error, refetch } = useCall<Count>('inventory/GetCountSheet', { id }, id !== undefined);
  if (id === undefined)
    return (
      <Page narrow>
        <PageHead title="Count" />
        <Empty sentence="Choose a count" action={<Button onClick={() => go('Count Sheets')}>Counts</Button>} />
      </Page>
    );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Counting key={id} stored={data} />;
}

function Counting({ stored }: { readonly stored: Count }) {
  const cache = useQueryClient();
  const { format } = useDateFormat();
  const { grants } = useSession();
  // what I entered shows at once; what others enter comes with the next reading
  const [entered, setEntered] = useState<{ readonly on: Count; readonly lines: ReadonlyMap<number, Line> }>({
    on: stored,
    lines: none,
  });
  const fresh = entered.on === stored ? entered.lines : none;
  const [typed, setTyped] = useState('');
  const [shows, setShows] = useState<Shows>('all');
  const [at, setAt] = useState<number | null>(null);
  const [among, setAmong] = useState<readonly number[] | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<'sheet' | 'differences' | 'end' | 'drop' | null>(null);
  const [adding, setAdding] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const code = useRef<HTMLInputElement>(null);
  const { sheet, mayEnd } = stored;
  const lines = useMemo(() => {
    const known = stored.lines.map((line) => fresh.get(line.line) ?? line);
    return [...known, ...[...fresh.values()].filter((line) => !stored.lines.some((each) => each.line === line.line))];
  }, [stored, fresh]);
  const count: Count = { ...stored, lines };
  const level = grants['Inventory Adjustment'];
  const runs = sheet.state === 'counting';
  const mayCount = runs && allows(level, 'write');
  const open = lines.filter((line) => line.asked && !isCounted(line, sheet.round));
  const different = lines.filter(differs);
  const seesBooks = lines.some((line) => line.books !== null);
  const words = typed
    .replace(/^[\d.]+\*/, '')
    .trim()
    .toLowerCase();
  const rows = lines.filter(
    (line) =>
      (among === null || among.includes(line.line)) &&
      (shows === 'all' || (shows === 'open' ? open.includes(line) : differs(line))) &&
      (words === '' || `${line.sku} ${line.name} ${line.batch}`.toLowerCase().includes(words)),
  );
  const again = () => cache.invalidateQueries({ queryKey: ['screen'] });
  const keep = (line: Line) =>
    setEntered((before) => ({
      on: stored,
      lines: new Map([...(before.on === stored ? before.lines : none), [line.line, line]]),
    }));
  const choose = (line: Line | undefined) => {
    setAt(line?.line ?? null);
    return line !== undefined;
  };
  const done = (line: Line) => {
    keep(line);
    setTyped('');
    setAmong(null);
    const from = rows.findIndex((each) => each.line === line.line);
    const next = rows.slice(from + 1).find((each) => each.asked && !isCounted(each, sheet.round));
    choose(next);
    if (!next) code.current?.focus();
  };
  const countAgain = async () => {
    try {
      const numbers = selected.size > 0 ? [...selected].map(Number) : different.map((line) => line.line);
      await api.CountAgain({ id: sheet.id, version: sheet.version, lines: numbers });
      toast(`${numbers.length === 1 ? 'One line is' : `${numbers.length} lines are`} counted again`);
      setSelected(new Set());
      setShows('open');
      await again();
    } catch (problem) {
      toastError(problem);
    }
  };
  const drop = async (reason: string) => {
    await api.DropCountSheet({ id: sheet.id, version: sheet.version, reason });
    toast(`${sheet.number} is given up`);
  };
  useKeys(mayCount ? { 'alt+s': () => code.current?.focus() } : {});
  const [word, tone] = states[sheet.state];
  const whichAgain = selected.size > 0 ? selected.size : different.length;
  return (
    <Page fit>
      <PageHead
        title={[sheet.number, sheet.name].filter(Boolean).join(' ')}
        count={`${placeOf(sheet)} · ${sheet.blind ? 'blind · ' : ''}${sheet.round > 1 ? `round ${sheet.round} · ` : ''}${lines.length - open.length} of ${lines.length} counted`}
        beside={<Badge word={word} tone={tone} />}
        actions={
          <>
            <Button onClick={() => setAsking('sheet')}>Print sheet</Button>
            {seesBooks && different.length > 0 && (
              <Button onClick={() => setAsking('differences')}>Print differences</Button>
            )}
            {mayEnd && runs && (
              <>
                <Button look="danger" onClick={() => setAsking('drop')}>
                  Give up
                </Button>
                <Button disabled={whichAgain === 0} onClick={() => void countAgain()}>
                  {whichAgain === 0 ? 'Count again' : `Count ${whichAgain} again`}
                </Button>
              </>
            )}
            {mayEnd && (runs || sheet.state === 'posting') && (
              <Button look="primary" onClick={() => setAsking('end')}>
                {runs ? 'Approve' : 'Post the rest'}
              </Button>
            )}
          </>
        }
      />
      {sheet.state === 'posted' || sheet.state === 'dropped' ? (
        <Posted sheet={sheet} moment={(moment) => showMoment(moment, format)} />
      ) : (
        mayCount && (
          <CountEntry
            id={sheet.id}
            line={lines.find((line) => line.line === at)}
            code={code}
            typed={typed}
            onTyped={(text) => {
              setTyped(text);
              setAmong(null);
            }}
            onFirst={() => choose(rows[0])}
            onLine={(line) => {
              keep(line);
              setAt(null);
            }}
            onChoose={(some, item) => {
              setAmong(some);
              setShows('all');
              if (some.length === 0) setAdding(item);
              else if (some.length === 1) setAt(some[0] ?? null);
            }}
            onDone={done}
          />
        )
      )}
      <div className="filter-bar">
        <Segments
          label="Lines"
          current={shows}
          onChange={(key) => setShows(key as Shows)}
          choices={[
            { key: 'all', label: `All ${lines.length}` },
            { key: 'open', label: `To count ${open.length}` },
            ...(seesBooks ? [{ key: 'differ', label: `Different ${different.length}` }] : []),
          ]}
        />
        {among !== null && <Button onClick={() => setAmong(null)}>Show all lines</Button>}
        <span className="end">
          {mayCount && <Button onClick={() => setAdding({ id: '', name: '' })}>Add a line</Button>}
        </span>
      </div>
      <DataTable
        label="Lines of the count"
        columns={countColumns({ lines, seesBooks })}
        rows={rows}
        rowKey={(line) => String(line.line)}
        {...(mayEnd && runs && { selected, onSelect: setSelected })}
        {...(mayCount && { onOpen: (line: Line) => choose(line) })}
        detail={(line) => (
          <LineDetail
            id={sheet.id}
            line={line}
            mayNote={mayEnd && runs}
            moment={(moment) => showMoment(moment, format)}
            onKept={() => void again()}
          />
        )}
        empty={
          <Empty
            sentence={
              shows === 'open' && words === ''
                ? 'Everything is counted'
                : shows === 'differ' && words === ''
                  ? 'Nothing differs from the books'
                  : 'No line matches'
            }
          />
        }
        card={(line) => ({
          title: line.name,
          meta: [line.sku, line.roomName, line.batch].filter(Boolean).join(' · '),
          amount: line.counted ?? '–',
          badge: differs(line) ? <Badge word={line.books?.difference ?? ''} tone="warn" /> : undefined,
        })}
      />
      {(asking === 'sheet' || asking === 'differences') && (
        <PaperDialog
          title={asking === 'sheet' ? `Print ${sheet.number}` : `Differences of ${sheet.number}`}
          what={sheet.number}
          paper={['count', sheet.id, asking, sheet.version]}
          fetch={() => api.PrintCountSheet({ id: sheet.id, what: asking })}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'end' && <EndCount count={count} onClose={() => setAsking(null)} />}
      {asking === 'drop' && (
        <CancelDialog
          names={[sheet.number]}
          what="counts"
          says="What was counted stays to be read. The books stay as they are."
          verb="Give up"
          onCancel={drop}
          onClose={() => setAsking(null)}
        />
      )}
      {adding && (
        <AddLine
          sheet={sheet}
          item={adding.id === '' ? null : { id: adding.id, name: adding.name, code: '', note: '' }}
          onClose={() => setAdding(null)}
          onAdded={(line) => {
            keep(line);
            setAdding(null);
            setAt(line.line);
          }}
        />
      )}
    </Page>
  );
}
