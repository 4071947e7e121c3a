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
  { key: 'number', label: 'Count', width: 100, code: true, strong: true, cell: (row) => row.number },
  { key: 'name', label: 'Name', width: 160, cell: (row) => row.name || '–' },
  { key: 'place', label: 'Place', width: 240, cell: placeOf },
  { key: 'state', label: 'State', width: 110, cell: (row) => <State sheet={row} /> },
  { key: 'counted', label: 'Counted', width: 100, numeric: true, cell: (row) => `${row.counted} of ${row.lines}` },
  { key: 'author', label: 'Made by', width: 130, cell: (row) => row.author },
  { key: 'at', label: 'Made', width: 130, cell: (row) => moment(row.createdAt) },
  {
    key: 'documents',
    label: 'Adjustments',
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
      <Button look={look} title="Alt N" onClick={() => setMaking(true)}>
        New count
      </Button>
    );
  return (
    <Page fit>
      <PageHead title="Counts" count={data ? String(data.length) : undefined} actions={button('primary')} />
      <div className="filter-bar">
        <Segments label="State" choices={segments} current={state} onChange={(key) => filter({ state: key })} />
        <SearchBox label="Search counts" value={search} onChange={(text) => filter({ search: text })} />
      </div>
      <DataTable
        label="Counts"
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
              sentence="Nothing matches"
              action={<Button onClick={() => filter({ state: '', search: '' })}>Clear filters</Button>}
            />
          ) : (
            <Empty
              sentence="Nothing was counted yet. A count lists what the books have at a place; several people count it, and what differs is posted as adjustments."
              action={button('default')}
            />
          )
        }
        card={(row) => ({
          title: [row.number, row.name].filter(Boolean).join(' '),
          meta: placeOf(row),
          amount: `${row.counted} of ${row.lines}`,
          badge: <State sheet={row} />,
        })}
      />
      {making && <NewCount onClose={() => setMaking(false)} onMade={(id) => go('Count Sheet', { id })} />}
    </Page>
  );
}
