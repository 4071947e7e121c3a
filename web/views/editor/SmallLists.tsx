import { useMemo } from 'react';
import { moneyText } from '../../../domain/decimal.ts';
import { paise } from '../../../domain/money.ts';
import type { Problem } from '../../kit/api.ts';
import { rupees } from '../../kit/format.ts';
import type { GridColumn } from '../../kit/gridPaste.ts';
import { LineGrid } from '../../kit/LineGrid.tsx';
import { Panel } from '../../kit/parts.tsx';
import { useRows } from '../../kit/rowStore.ts';
import type { Model } from './model.ts';
import { useMoneySearch, usePick } from './searches.ts';
import { usePriced } from './totals.ts';
import { addMoney } from './wire.ts';

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
  const ledgers = usePick('ledger');
  const columns = useMemo<readonly GridColumn[]>(
    () => [
      { key: 'name', label: 'Charge', type: 'text', wide: true },
      ledgerPick(ledgers, 'Ledger'),
      { key: 'amount', label: 'Amount (₹)', type: 'number', width: 130 },
    ],
    [ledgers],
  );
  const open = model.charges.rows().length > 0;
  return (
    <details className="fold" open={open}>
      <summary>Charges (freight, packing)</summary>
      <LineGrid label="Charges" columns={columns} store={model.charges} problems={under('charges', problems)} />
    </details>
  );
}

/** Money taken on the spot, with the change due. */
export function Tenders({ model, problems }: Props) {
  const ledgers = useMoneySearch();
  const priced = usePriced(model);
  const rows = useRows(model.tenders);
  const columns = useMemo<readonly GridColumn[]>(
    () => [
      ledgerPick(ledgers, 'Cash or bank'),
      { key: 'amount', label: 'Amount (₹)', type: 'number', width: 130 },
      { key: 'reference', label: 'Reference', type: 'text', width: 180 },
    ],
    [ledgers],
  );
  const left = paise((priced?.total ?? 0) - addMoney(rows.map((row) => row['amount'])));
  return (
    <Panel title="Paid by">
      <LineGrid label="Tenders" columns={columns} store={model.tenders} problems={under('tenders', problems)} />
      <p className="muted" role="status">
        {left === 0
          ? 'Fully paid'
          : left > 0
            ? `${rupees(moneyText(left))} still to pay`
            : `${rupees(moneyText(-left))} change due`}
      </p>
    </Panel>
  );
}
