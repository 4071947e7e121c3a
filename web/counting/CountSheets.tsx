import { useState } from 'react';
import { allows } from '../../contract/levels.ts';
import { Button } from '../kit/Button.tsx';
import { SearchBox } from '../kit/fields/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead, Segments } from '../kit/parts.tsx';
import { useCall, useDateFormat, useSession } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { placeOf, type Sheet, states } from './counts.ts';
import { NewCount } from './NewCount.tsx';
import '../views/views.css';

const segments = [
  { key: '', label: 'All' },
  { key: 'counting', label: 'Counting' },
  { key: 'posted', label: 'Posted' },
  { key: 'dropped', label: 'Given up' },
] as const;

const columnsOf = (moment: (at: string) => string): readonly Column<Sheet>[] => [
  { key: 'number', label: t('Count'), width: 100, code: true, strong: true, cell: (row) => row.number },
  { key: 'name', label: t('Name'), width: 160, cell: (row) => row.name || '–' },
  { key: 'place', label: t('Place'), width: 240, cell: placeOf },
  { key: 'state', label: t('State'), width: 110, cell: (row) => <State sheet={row} /> },
  {
    key: 'counted',
    label: t('Counted'),
    width: 100,
    numeric: true,
    cell: (row) => t('{{counted}} of {{lines}}', { counted: row.counted, lines: row.lines }),
  },
  { key: 'author', label: t('Made by'), width: 130, cell: (row) => row.author },
  { key: 'at', label: t('Made'), width: 130, cell: (row) => moment(row.createdAt) },
  {
    key: 'documents',
    label: t('Adjustments'),
    width: 150,
    code: true,
    cell: (row) => row.documents.map((each) => each.number).join(', ') || '–',
  },
];

function State({ sheet }: { readonly sheet: Sheet }) {
  const [word, tone] = states[sheet.state];
  return <Badge word={word} tone={tone} />;
}

/** The counts of stock: those that run, and what became of the others. */
export function CountSheets() {
  const go = useGo();
  const address = useAddress();
  const { format } = useDateFormat();
  const { grants } = useSession();
  const [making, setMaking] = useState(false);
  const state = address['state'] ?? '';
  const search = address['search'] ?? '';
  const { data, error, isPending, refetch } = useCall<Sheet[]>('inventory/ListCountSheets', {
    ...(state && { state }),
    ...(search && { search }),
  });
  const level = grants['Inventory Adjustment'];
  const mayWrite = allows(level, 'write');
  useKeys(mayWrite ? { 'alt+n': () => setMaking(true) } : {});
  const filter = (patch: Readonly<Record<string, string>>) =>
    go(
      'Count Sheets',
      Object.fromEntries(Object.entries({ state, search, ...patch }).filter(([, value]) => value !== '')),
      true,
    );
  const button = (look: 'primary' | 'default') =>
    mayWrite && (
      <Button look={look} title={t('Alt N')} onClick={() => setMaking(true)}>
        {t('New count')}
      </Button>
    );
  return (
    <Page fit>
      <PageHead title={t('Counts')} count={data ? String(data.length) : undefined} actions={button('primary')} />
      <div className="filter-bar">
        <Segments label={t('State')} choices={segments} current={state} onChange={(key) => filter({ state: key })} />
        <SearchBox label={t('Search counts')} value={search} onChange={(text) => filter({ search: text })} />
      </div>
      <DataTable
        label={t('Counts')}
        columns={columnsOf((at) => showMoment(at, format))}
        rows={data ?? []}
        rowKey={(row) => row.id}
        loading={isPending}
        error={error}
        onRetry={() => void refetch()}
        onOpen={(row) => go('Count Sheet', { id: row.id })}
        empty={
          state || search ? (
            <Empty
              sentence={t('Nothing matches')}
              action={<Button onClick={() => filter({ state: '', search: '' })}>{t('Clear filters')}</Button>}
            />
          ) : (
            <Empty
              sentence={t(
                'No counts yet. A count lists the book quantities of a location; several people can count, and the differences are ' +
                  'posted as adjustments.',
              )}
              action={button('default')}
            />
          )
        }
        card={(row) => ({
          title: [row.number, row.name].filter(Boolean).join(' '),
          meta: placeOf(row),
          amount: t('{{counted}} of {{lines}}', { counted: row.counted, lines: row.lines }),
          badge: <State sheet={row} />,
        })}
      />
      {making && <NewCount onClose={() => setMaking(false)} onMade={(id) => go('Count Sheet', { id })} />}
    </Page>
  );
}
