import { useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { BarChart, LineChart } from '../kit/Charts.tsx';
import { Confirm } from '../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { ComboboxField, type Option, type Search } from '../kit/fields/Combobox.tsx';
import { Checkbox, DateField, MoneyField, SelectField, TextArea, TextField } from '../kit/fields/fields.tsx';
import { money, rupees } from '../kit/format.ts';
import type { GridColumn } from '../kit/grid/gridPaste.ts';
import { LineGrid } from '../kit/grid/LineGrid.tsx';
import { createRowStore } from '../kit/grid/rowStore.ts';
import { ActionBar, Badge, Empty, ErrorPanel, Page, PageHead, Panel, Skeleton, Tabs } from '../kit/parts.tsx';
import { ColumnChooser, useHiddenColumns } from '../kit/table/ColumnChooser.tsx';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { ThemePanel } from './ThemePanel.tsx';

const names = ['Himalaya Steel', 'Shree Traders', 'Royal Electricals', 'Malabar Textiles', 'Annapurna Agro'];
const people: readonly Option[] = Array.from({ length: 325 }, (_, at) => ({
  id: String(at),
  name: `${names[at % 5]} ${at + 1}`,
  code: `P${String(at + 1).padStart(4, '0')}`,
  note: t('Bengaluru'),
}));
const search: Search = async (text) => {
  const all = people.filter((each) => each.name.toLowerCase().includes(text.toLowerCase()));
  return { rows: all.slice(0, 50), total: all.length };
};

const lines = createRowStore(
  Array.from({ length: 50 }, (_, at) => ({
    item: t('Copper wire {{at}}', { at: at + 1 }),
    hsn: '8544',
    quantity: String(at + 1),
    unit: 'MTR',
    rate: '807.5',
    amount: '11506.88',
  })),
  { unit: 'NOS', quantity: '1' },
);
const lineColumns: readonly GridColumn[] = [
  { key: 'item', label: 'Item', type: 'combobox', search, required: true },
  { key: 'hsn', label: 'HSN/SAC', type: 'text', width: 90 },
  { key: 'quantity', label: 'Qty', type: 'number', places: 3, width: 90 },
  {
    key: 'unit',
    label: 'UoM',
    type: 'select',
    width: 80,
    choices: ['NOS', 'MTR', 'KGS'].map((u) => ({ value: u, label: u })),
  },
  { key: 'rate', label: 'Rate', type: 'number', places: 6, width: 110 },
  {
    key: 'amount',
    label: 'Amount (₹)',
    type: 'readonly',
    numeric: true,
    width: 130,
    show: (row) => money(row['amount']),
  },
];

interface Invoice {
  readonly number: string;
  readonly party: string;
  readonly state: string;
  readonly total: string;
}
const states = ['Paid', 'Part paid', 'Overdue', 'Sent', 'Draft', 'Cancelled'];
const invoices: readonly Invoice[] = Array.from({ length: 1000 }, (_, at) => ({
  number: `INV/26-27/${String(at + 1).padStart(5, '0')}`,
  party: people[at % 325]?.name ?? '',
  state: states[at % 6] ?? '',
  total: `${at * 1082 + 590}.45`,
}));
const columns: readonly Column<Invoice>[] = [
  { key: 'number', label: 'Invoice no.', width: 160, code: true, sortable: true, cell: (row) => row.number },
  { key: 'party', label: 'Party', cell: (row) => row.party },
  { key: 'state', label: 'Status', width: 120, cell: (row) => <Badge word={row.state} /> },
  { key: 'total', label: 'Total (₹)', width: 140, numeric: true, strong: true, cell: (row) => money(row.total) },
];

const days = Array.from({ length: 30 }, (_, at) => `${String(at + 1).padStart(2, '0')}-11`);

/** Every shared part on one page, for looking at in both modes and all colours. */
export function Gallery() {
  return (
    <main>
      <Page narrow>
        <Heading />
        <Fields />
        <LineGrid
          label={t('Lines')}
          columns={lineColumns}
          store={lines}
          problems={[{ field: 'rate', row: 2, message: t('Give a rate above zero') }]}
        />
        <Invoices />
        <Charts />
        <ErrorPanel error={new Error('shown')} onRetry={() => toast(t('Retried'))} />
        <Panel title={t('Loading')}>
          <Skeleton rows={3} />
        </Panel>
        <Panel title={t('Theme')}>
          <ThemePanel />
        </Panel>
        <ActionBar
          figures={[
            { label: t('Tax'), value: '6,53,405.42' },
            { label: t('Total'), value: rupees('4825548.00'), grand: true },
          ]}
        >
          <Button>{t('Save as draft')}</Button>
          <Button look="primary">{t('Save and generate IRN')}</Button>
        </ActionBar>
      </Page>
    </main>
  );
}

/** The heading with every look of a button; the one of danger asks before it does anything. */
function Heading() {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <PageHead
        title={t('Gallery')}
        count={t('every shared part')}
        beside={<Badge word="Draft" />}
        actions={
          <>
            <Button onClick={undo}>{t('Toast')}</Button>
            <Button onClick={() => toastError(t('The portal did not answer'))}>{t('Error toast')}</Button>
            <Button look="danger" onClick={() => setAsking(true)}>
              {t('Cancel invoice')}
            </Button>
            <Button look="primary">{t('New invoice')}</Button>
          </>
        }
      />
      <Confirm
        open={asking}
        question={t('Cancel invoice INV/26-27/00001?')}
        consequence={t('It stays in the books with its reversal and cannot be brought back.')}
        verb={t('Cancel invoice')}
        onConfirm={close}
        onClose={close}
      />
    </>
  );
}

const undo = () => toast(t('Line 3 deleted'), { label: t('Undo'), run: () => toast(t('Line 3 is back')) });

function Fields() {
  const [text, setText] = useState('');
  const [date, setDate] = useState('2026-11-20');
  const [amount, setAmount] = useState('1234567.50');
  const [party, setParty] = useState<Option | null>(null);
  const [ticked, setTicked] = useState(true);
  return (
    <Panel title={t('Fields')}>
      <div className="fields">
        <ComboboxField
          label={t('Party')}
          span={2}
          required
          value={party}
          onChange={setParty}
          search={search}
          placeholder={t('Name or GSTIN')}
          create={{ label: t('Create party'), run: (typed) => toast(t('Create {{typed}}', { typed })) }}
        />
        <DateField label={t('Invoice date')} value={date} onChange={setDate} help="20112026, 20/11, t, +3" />
        <MoneyField label={t('Amount')} value={amount} onChange={setAmount} />
        <TextField
          label={t('GSTIN')}
          required
          value={text}
          onChange={setText}
          error={t('Give the 15 characters of the GSTIN')}
        />
        <SelectField
          label={t('Supply type')}
          value="b2b"
          onChange={() => undefined}
          choices={[{ value: 'b2b', label: 'B2B' }]}
        />
        <TextArea label={t('Notes')} value={text} onChange={setText} span={2} />
        <Checkbox
          label={t('Reverse charge')}
          checked={ticked}
          onChange={setTicked}
          help={t('The recipient pays the tax')}
        />
      </div>
    </Panel>
  );
}

/** The badges, and the table with its columns to choose. */
function Invoices() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [hidden, setHidden] = useHiddenColumns('gallery');
  return (
    <>
      <div className="filter-bar">
        <Badge word="Paid" /> <Badge word="Pending" /> <Badge word="Overdue" /> <Badge word="Sent" />
        <span className="end">
          <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
        </span>
      </div>
      <div style={{ height: 320, display: 'flex', flexDirection: 'column', overflow: 'auto' }}>
        <DataTable
          label={t('Invoices')}
          columns={columns}
          hidden={hidden}
          rows={invoices}
          rowKey={(row) => row.number}
          selected={selected}
          onSelect={setSelected}
          onOpen={(row) => toast(row.number)}
          sort={{ key: 'number', descending: false }}
          onSort={() => undefined}
          totals={{ number: t('Total'), total: '54,09,99,590.45' }}
          empty={<Empty sentence={t('No invoices yet')} />}
          card={(row) => ({
            title: row.party,
            meta: row.number,
            amount: money(row.total),
            badge: <Badge word={row.state} />,
          })}
        />
      </div>
    </>
  );
}

function Charts() {
  const [tab, setTab] = useState('lines');
  return (
    <Panel>
      <Tabs
        label={t('Charts')}
        current={tab}
        onChange={setTab}
        tabs={[
          { key: 'lines', label: t('Lines') },
          { key: 'bars', label: t('Bars') },
        ]}
      >
        {tab === 'lines' ? (
          <LineChart title={t('Orders Overview')} labels={days} series={series()} />
        ) : (
          <BarChart title={t('Sales Overview')} unit={t('Quantity')} bars={bars()} />
        )}
      </Tabs>
    </Panel>
  );
}

const series = () =>
  [
    t('Sale Orders'),
    t('Purchase Orders'),
    t('Sale Invoices'),
    'Purchase Bills',
    t('Purchase Returns'),
    t('Sale Returns'),
  ].map((name, at) => ({
    name,
    dashed: name === 'Sale Returns',
    values: days.map((_, day) => Math.round(20 + 8 * at + 10 * Math.sin(day / (2 + at)))),
  }));

const bars = () =>
  Array.from({ length: 75 }, (_, at) => ({ label: t('SKU-{{at}}', { at: 1001 + at }), value: (at * 37) % 500 }));
