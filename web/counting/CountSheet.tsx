import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { allows } from '../../contract/levels.ts';
import { type Action, ActionButtons } from '../kit/actions.tsx';
import { Button } from '../kit/Button.tsx';
import { PaperDialog } from '../kit/dialog/PaperDialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useCall, useDateFormat, useSession } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { CancelDialog } from '../views/view/CancelDialog.tsx';
import { AddLine } from './AddLine.tsx';
import { CountEntry } from './CountEntry.tsx';
import { CountFilter, CountTable } from './CountTable.tsx';
import { type Count, placeOf, type Sheet, states } from './counts.ts';
import { EndCount } from './EndCount.tsx';
import { Posted } from './Posted.tsx';
import { type Counting, useCounting } from './useCounting.ts';
import '../views/views.css';
import './counting.css';

/** One count: counted by scanner or by hand, compared with the books, counted again, approved. */
export function CountSheet() {
  const { id } = useAddress();
  const go = useGo();
  const { data, error, refetch } = useCall<Count>('inventory/GetCountSheet', { id }, id !== undefined);
  if (id === undefined)
    return (
      <Page narrow>
        <PageHead title={t('Count')} />
        <Empty
          sentence={t('Choose a count')}
          action={<Button onClick={() => go('Count Sheets')}>{t('Counts')}</Button>}
        />
      </Page>
    );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Counted key={id} stored={data} />;
}

type DialogName = 'sheet' | 'differences' | 'end' | 'drop';
/** The item of a line that is added; without an id it is chosen in the dialog. */
interface Adding {
  readonly id: string;
  readonly name: string;
}

function Counted({ stored }: { readonly stored: Count }) {
  const cache = useQueryClient();
  const { format } = useDateFormat();
  const { grants } = useSession();
  const counting = useCounting(stored);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [adding, setAdding] = useState<Adding | null>(null);
  const { sheet, mayEnd } = stored;
  const runs = sheet.state === 'counting';
  const mayCount = runs && allows(grants['Inventory Adjustment'], 'write');
  const again = () => cache.invalidateQueries({ queryKey: ['screen'] });
  const actions = useActions(stored, counting, setDialog, again);
  useKeys(mayCount ? { 'alt+s': counting.toCode } : {});
  return (
    <Page fit>
      <CountHead sheet={sheet} counting={counting} actions={actions} />
      {sheet.state === 'posted' || sheet.state === 'dropped' ? (
        <Posted sheet={sheet} moment={(moment) => showMoment(moment, format)} />
      ) : (
        mayCount && (
          <CountEntry
            id={sheet.id}
            line={counting.line}
            code={counting.code}
            typed={counting.filter.typed}
            onTyped={(typed) => counting.narrow({ typed, among: null })}
            onFirst={() => counting.choose(counting.rows[0])}
            onLine={counting.scanned}
            onChoose={(numbers, item) => {
              counting.chooseAmong(numbers);
              if (numbers.length === 0) setAdding(item);
            }}
            onDone={counting.done}
          />
        )
      )}
      <CountFilter counting={counting} onAdd={mayCount ? () => setAdding({ id: '', name: '' }) : undefined} />
      <CountTable
        id={sheet.id}
        counting={counting}
        mayCount={mayCount}
        mayEnd={mayEnd && runs}
        onKept={() => void again()}
      />
      {dialog && (
        <CountDialog name={dialog} count={{ ...stored, lines: [...counting.lines] }} onClose={() => setDialog(null)} />
      )}
      {adding && (
        <AddLine
          sheet={sheet}
          item={adding.id === '' ? null : { ...adding, code: '', note: '' }}
          onClose={() => setAdding(null)}
          onAdded={(line) => {
            counting.added(line);
            setAdding(null);
          }}
        />
      )}
    </Page>
  );
}

/** What can be done with a count; those who may end it have selected lines counted again, else all that differ. */
function useActions(
  { sheet, mayEnd }: Count,
  { different, selected, setSelected, seesBooks, narrow }: Counting,
  show: (dialog: DialogName) => void,
  reload: () => Promise<void>,
): readonly Action[] {
  const runs = sheet.state === 'counting';
  const chosen = selected.size > 0 ? [...selected].map(Number) : different.map(({ line }) => line);
  const countAgain = async () => {
    try {
      await api.CountAgain({ id: sheet.id, version: sheet.version, lines: chosen });
      toast(plural(chosen.length, 'One line is counted again', '{{count}} lines are counted again'));
      setSelected(new Set());
      narrow({ shows: 'open' });
      await reload();
    } catch (problem) {
      toastError(problem);
    }
  };
  return [
    { label: t('Print sheet'), run: () => show('sheet') },
    {
      label: t('Print differences'),
      offered: seesBooks && different.length > 0,
      run: () => show('differences'),
    },
    { label: t('Give up'), look: 'danger', offered: mayEnd && runs, run: () => show('drop') },
    {
      id: 'again',
      label: chosen.length === 0 ? t('Count again') : t('Count {{chosen}} again', { chosen: chosen.length }),
      offered: mayEnd && runs,
      disabled: chosen.length === 0,
      run: () => void countAgain(),
    },
    {
      id: 'end',
      label: runs ? t('Approve') : t('Post the rest'),
      look: 'primary',
      offered: mayEnd && (runs || sheet.state === 'posting'),
      run: () => show('end'),
    },
  ];
}

/** The number and the place of the count, how far it is, and what can be done with it. */
function CountHead({
  sheet,
  counting: { lines, open },
  actions,
}: {
  readonly sheet: Sheet;
  readonly counting: Counting;
  readonly actions: readonly Action[];
}) {
  const [word, tone] = states[sheet.state];
  const facts = [
    placeOf(sheet),
    sheet.blind && 'blind',
    sheet.round > 1 && `round ${sheet.round}`,
    t('{{lines}} of {{lines2}} counted', { lines: lines.length - open.length, lines2: lines.length }),
  ];
  return (
    <PageHead
      title={[sheet.number, sheet.name].filter(Boolean).join(' ')}
      count={facts.filter((fact) => fact !== false).join(' · ')}
      beside={<Badge word={word} tone={tone} />}
      actions={<ActionButtons actions={actions} />}
    />
  );
}

/** The dialog that is open: a paper, the approval, or giving the count up. */
function CountDialog({ name, count, onClose }: { readonly name: DialogName; readonly count: Count; onClose(): void }) {
  const { sheet } = count;
  if (name === 'end') return <EndCount count={count} onClose={onClose} />;
  if (name === 'drop')
    return (
      <CancelDialog
        names={[sheet.number]}
        what={t('counts')}
        says={t('The counted quantities can still be read. The books do not change.')}
        verb={t('Give up')}
        onCancel={async (reason) => {
          await api.DropCountSheet({ id: sheet.id, version: sheet.version, reason });
          toast(t('{{number}} is given up', { number: sheet.number }));
        }}
        onClose={onClose}
      />
    );
  return (
    <PaperDialog
      title={
        name === 'sheet'
          ? t('Print {{number}}', { number: sheet.number })
          : t('Differences of {{number}}', { number: sheet.number })
      }
      what={sheet.number}
      paper={['count', sheet.id, name, sheet.version]}
      fetch={() => api.PrintCountSheet({ id: sheet.id, what: name })}
      onClose={onClose}
    />
  );
}
