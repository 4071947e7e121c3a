import { toast } from '../../../kit/dialog/toast.tsx';
import type { Create, Option } from '../../../kit/fields/Combobox.tsx';
import type { GridColumn } from '../../../kit/grid/gridPaste.ts';
import type { LineRow, RowStore } from '../../../kit/grid/rowStore.ts';
import { t } from '../../../kit/text.ts';

/** Records that are made from a line, and the fields of the line that name them. */
const madeHere = {
  item: { label: 'item', shown: 'item', id: 'itemId' },
  ledger: { label: 'ledger', shown: 'ledger', id: 'ledgerId' },
  warehouse: { label: 'stock room', shown: 'room', id: 'roomId' },
  costCentre: { label: 'cost centre', shown: 'costCentre', id: 'costCentreId' },
} as const;

export interface Making {
  readonly master: keyof typeof madeHere;
  readonly typed: string;
  /** The line that the record is for; without one it is the first that has none. */
  readonly key?: string | undefined;
}

/** The line of the cell that has the focus. */
export const focusedLine = (lines: RowStore): LineRow | undefined => {
  const { row } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
  return row === undefined ? undefined : lines.rows()[Number(row)];
};

/** Makes a record for the line in which the person is. */
export const creator = (lines: RowStore, master: Making['master'], make: (making: Making) => void): Create => ({
  label: t('Create {{label}}', { label: t(madeHere[master].label) }),
  ...(master !== 'item' && { byKeyAlone: true }),
  run: (typed) => make({ master, typed, key: focusedLine(lines)?.key }),
});

/** Puts a record that was made on its line, else on a new one. A document of one line gets no second one. */
export const putMade = (
  lines: RowStore,
  columns: readonly GridColumn[],
  { master, key: own = '' }: Making,
  option: Option,
  isSingle: boolean,
): void => {
  const { shown, id } = madeHere[master];
  const at = lines.row(own) ?? lines.rows().find((row) => !row[id]);
  const picked = columns.find(({ key }) => key === shown)?.picked;
  const patch = { [shown]: option.name, [id]: option.id, filled: '' };
  if (at) lines.set(at.key, picked?.(option, at) ?? patch);
  else if (isSingle) toast(t('This invoice has its one line'));
  else lines.add(patch);
};
