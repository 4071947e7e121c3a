import { useEffect, useMemo, useState } from 'react';
import { moneyText } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Choice } from '../../../kit/fields/fields.tsx';
import { rupees } from '../../../kit/format.ts';
import type { GridColumn } from '../../../kit/grid/gridPaste.ts';
import { LineGrid } from '../../../kit/grid/LineGrid.tsx';
import { type LineRow, type RowStore, useRowKeys, useRows } from '../../../kit/grid/rowStore.ts';
import { Panel } from '../../../kit/parts.tsx';
import type { Problem } from '../../../kit/server/api.ts';
import { useSession } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import type { NamedCharge } from '../facts.ts';
import { type Model, useHead, useIsPlain } from '../model.ts';
import { usePick } from '../searches.ts';
import { usePriced } from '../totals.ts';
import { addMoney } from '../wire.ts';
import { rates } from './columns.ts';

const ledgerPick = (search: GridColumn['search'], label: string): GridColumn => ({
  key: 'ledger',
  label,
  type: 'combobox',
  idKey: 'ledgerId',
  ...(search && { search }),
  picked: ({ id, name }) => ({ ledger: name, ledgerId: id }),
});

interface Props {
  readonly model: Model;
  readonly problems: readonly Problem[];
}
/** The problems of one small list, by its columns. */
const under = (list: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.flatMap((problem) =>
    problem.row !== undefined && problem.field.startsWith(`${list}.`)
      ? [{ ...problem, field: problem.field.slice(list.length + 1) }]
      : [],
  );

/** Freight, packing and the like: part of the value of the goods, shared over the lines. */
export function Charges({ model, problems }: Props) {
  const plain = useIsPlain(model);
  const ledgers = usePick('entryLedger');
  const currency = useHead(model, 'currency');
  const columns = useMemo<readonly GridColumn[]>(
    () => [
      namedColumn(model, t('Charge'), ['charge']),
      ledgerPick(ledgers, t('Ledger')),
      {
        key: 'amount',
        label: t('Amount ({{currency}})', { currency: currency === 'INR' ? '₹' : currency }),
        type: 'number',
        width: 130,
      },
      ...(model.kind.source.givesPrice || plain ? [] : chargeTax),
    ],
    [model, ledgers, currency, plain],
  );
  return (
    <FoldedList
      label={t('Charges (freight, packing)')}
      help={
        plain
          ? t('Shared over the lines.')
          : t('Shared over the lines and taxed with them; a charge with a GST % of its own is a line by itself.')
      }
      store={model.charges}
      problems={under('charges', problems)}
      columns={columns}
    />
  );
}

const chargeTax: readonly GridColumn[] = [
  {
    ...{ key: 'gstRate', label: 'GST % of its own', type: 'select', width: 136, passed: () => true },
    choices: (row) => ownRates(row['gstRate'] ?? ''),
  },
  { key: 'hsn', label: 'HSN/SAC', type: 'text', width: 100, passed: (row) => !row['gstRate'] },
];
const ownRates = (own: string): readonly Choice[] => [
  { value: '', label: t('As the goods') },
  ...(own === '' || rates.some(({ value }) => value === own) ? [] : [{ value: own, label: `${own} %` }]),
  ...rates,
];

/** What comes on top of the document after tax, or off it: deposits, donations and the like. */
export function Adjustments({ model, problems }: Props) {
  const { otherAdjustments } = useSession().settings;
  const ledgers = usePick('entryLedger');
  const keys = useRowKeys(model.adjustments);
  const currency = useHead(model, 'currency');
  const columns = useMemo<readonly GridColumn[]>(
    () => [
      namedColumn(model, t('Adjustment'), ['add', 'less']),
      ledgerPick(ledgers, t('Ledger')),
      { ...{ key: 'sign', label: t('Added or taken off'), type: 'select', width: 150 }, choices: signs },
      {
        key: 'amount',
        label: t('Amount ({{currency}})', { currency: currency === 'INR' ? '₹' : currency }),
        type: 'number',
        width: 130,
      },
    ],
    [model, ledgers, currency],
  );
  // what came with a source stays to be seen, whatever is switched off meanwhile
  if (!otherAdjustments && keys.length === 0) return null;
  return (
    <FoldedList
      label={t('Adjustments after tax (deposits, donations)')}
      help={t('Not part of the taxable value: each is posted to its ledger and changes the total.')}
      store={model.adjustments}
      problems={under('adjustments', problems)}
      columns={columns}
    />
  );
}

const signs = (row: LineRow): readonly Choice[] => [
  { value: row['sign'] === 'add' ? 'add' : '', label: t('Added') },
  { value: 'less', label: t('Taken off') },
];

/** A name of the list under Invoicing, or any other as it is typed. */
const namedColumn = (model: Model, label: string, sorts: readonly NamedCharge['sort'][]): GridColumn => ({
  ...{ key: 'name', label, type: 'combobox', wide: true },
  search: async (text) => {
    const wanted = text.trim().toLowerCase();
    const rows = model.facts
      .named()
      .filter(({ sort, code, name }) => sorts.includes(sort) && `${code} ${name}`.toLowerCase().includes(wanted))
      .map(({ code, name, ledgerName, amount }) => ({
        id: code,
        code,
        name,
        note: [ledgerName, amount && rupees(amount)].filter(Boolean).join(' · '),
      }));
    // any other name is taken as it is typed
    const own = wanted && !rows.some((row) => row.name.toLowerCase() === wanted);
    const all = own ? [...rows, { id: '', code: '', name: text.trim(), note: t('as typed') }] : rows;
    return { rows: all, total: all.length };
  },
  picked: ({ id, name }, row) => {
    const known = model.facts.named().find(({ code }) => code === id);
    if (!known) return { name };
    const { ledger, ledgerName, amount, gstRate, hsn, sort } = known;
    return {
      ...{ name, ledger: ledgerName, ledgerId: ledger, amount: row['amount'] || amount },
      ...(sort === 'charge' ? { gstRate, hsn } : { sign: sort }),
    };
  },
});

/** A small list under the lines, folded away until it holds something or something in it is wrong. */
function FoldedList({
  label,
  help,
  store,
  problems,
  columns,
}: {
  readonly label: string;
  readonly help: string;
  readonly store: RowStore;
  readonly problems: readonly Problem[];
  readonly columns: readonly GridColumn[];
}) {
  const holds = useRowKeys(store).length > 0 || problems.length > 0;
  const [open, setOpen] = useState(holds);
  useEffect(() => {
    if (holds) setOpen(true);
  }, [holds]);
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      <p className="muted">{help}</p>
      <LineGrid label={label} columns={columns} store={store} problems={problems} />
    </details>
  );
}

/** Money taken on the spot, with the change due. */
export function Tenders({ model, problems }: Props) {
  const ledgers = usePick('moneyLedger');
  const priced = usePriced(model);
  const rows = useRows(model.tenders);
  const columns = useMemo<readonly GridColumn[]>(
    () => [
      ledgerPick(ledgers, t('Cash or bank')),
      { key: 'amount', label: t('Amount (₹)'), type: 'number', width: 130 },
      { key: 'reference', label: t('Reference'), type: 'text', width: 180 },
    ],
    [ledgers],
  );
  const left = paise((priced?.total ?? 0) - addMoney(rows.map((row) => row['amount'])));
  return (
    <Panel title={t('Paid by')}>
      <LineGrid label={t('Tenders')} columns={columns} store={model.tenders} problems={under('tenders', problems)} />
      <p className="muted" role="status">
        {left === 0
          ? t('Fully paid')
          : left > 0
            ? t('{{left}} still to pay', { left: rupees(moneyText(left)) })
            : t('{{amount}} change due', { amount: rupees(moneyText(-left)) })}
      </p>
    </Panel>
  );
}
