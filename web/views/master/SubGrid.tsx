import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Field } from '../../../contract/masters.ts';
import { stateProposed } from '../../../domain/tax/gst/portal/pincodes.ts';
import { activeStates } from '../../../domain/tax/gst/registration/states.ts';
import type { Search } from '../../kit/fields/Combobox.tsx';
import { cleaned, type GridColumn } from '../../kit/grid/gridPaste.ts';
import { LineGrid } from '../../kit/grid/LineGrid.tsx';
import { createRowStore, type LinePatch, type RowStore } from '../../kit/grid/rowStore.ts';
import type { Problem } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import { once } from '../editor/once.ts';
import { initialValues, textOf, type Values } from './values.ts';

const states = activeStates.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));

/** A picker is the same for as long as the page lives: a grid asks for it in every cell. */
const searches = new Map<string, Search>();
const searchOf = (master: string): Search => {
  const known = searches.get(master) ?? ((search) => api.Pick({ master, search }));
  searches.set(master, known);
  return known;
};
/** Beside the name of what was picked stand its id, and the name that the id is of: a sheet pasted over it has another. */
const [idOf, nameOf] = [(key: string) => `${key}.id`, (key: string) => `${key}.of`];
const pickedAs = (key: string, id: string, name: string): LinePatch => ({
  [key]: name,
  [idOf(key)]: id,
  [nameOf(key)]: name,
});
const places: Readonly<Partial<Record<Field['type'], readonly [places: number, pad: number]>>> = {
  quantity: [6, 0],
  rate: [6, 2],
  percent: [4, 0],
  money: [2, 2],
  whole: [0, 0],
};

const columnOf = ([key, field]: readonly [string, Field]): GridColumn => {
  const common = { key, label: t(field.label), ...(field.required ? { required: true } : {}) };
  if (field.type === 'state')
    return { ...common, type: 'select', width: 150, choices: [{ value: '', label: t('Choose') }, ...states] };
  if (field.type === 'choice')
    return {
      ...common,
      type: 'select',
      width: 110,
      // what begins as nothing is not shown as the first of the list
      choices: [
        ...(field.initial === undefined ? [{ value: '', label: t('Choose') }] : []),
        ...(field.choices ?? []).map(([value, label]) => ({ value, label: t(label) })),
      ],
    };
  if (field.type === 'pick')
    return {
      ...{ ...common, type: 'combobox', width: 200, idKey: idOf(key), search: searchOf(field.pick ?? '') },
      picked: ({ id, name }) => pickedAs(key, id, name),
    };
  const digits = places[field.type];
  if (digits) return { ...common, type: 'number', places: digits[0], pad: digits[1], width: 120 };
  if (field.type === 'gstin') return { ...common, type: 'text', width: 150 };
  const { most = 60 } = field;
  return { ...common, type: 'text', width: most > 60 ? 180 : most > 10 ? 120 : 84 };
};

/** An address without a state gets the one that its PIN code belongs to. Answers whether a row has changed by that. */
const stateFromPin = (store: RowStore, columns: Readonly<Record<string, Field>>): boolean => {
  if (columns['state']?.type !== 'state' || !columns['pincode']) return false;
  const bare = store.rows().filter((row) => !row['state'] && stateProposed(row['pincode'] ?? '', '') !== '');
  for (const { key, pincode = '' } of bare) store.set(key, { state: stateProposed(pincode, '') });
  return bare.length > 0;
};

/** A grid inside a record: addresses, contacts, values. It begins with a blank row; blank rows are left out when saved. */
export function SubGrid({
  label,
  name,
  columns,
  values,
  names,
  problems,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly columns: Readonly<Record<string, Field>>;
  readonly values: Values;
  /** What the rows pick, by field, column and id. */
  readonly names: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  onChange(patch: Values): void;
}) {
  const stored = Array.isArray(values[name]) ? (values[name] as readonly Values[]) : [];
  const [blank] = useState(() =>
    Object.fromEntries(Object.entries(initialValues(columns)).map(([key, value]) => [key, textOf(value)])),
  );
  const asText = (rows: readonly Values[]) =>
    rows.map((row) =>
      Object.assign(
        {},
        ...Object.entries(row).map(([key, value]) => {
          const id = textOf(value);
          const field = columns[key];
          if (field?.pick && id) return pickedAs(key, id, names[`${name}.${key}.${id}`] ?? id);
          return { [key]: field && places[field.type] ? cleaned(columnOf([key, field]), id) : id };
        }),
      ),
    );
  const [store] = useState(() => createRowStore(stored.length > 0 ? asText(stored) : [blank], blank));
  const tell = useRef(onChange);
  tell.current = onChange;
  // the values of the form come from here, unless something else has filled it
  const reported = useRef(new WeakSet<object>());
  const seen = useRef(values[name]);
  useLayoutEffect(
    () =>
      store.subscribe(
        once(() => {
          if (stateFromPin(store, columns)) return;
          const typed = store
            .rows()
            .filter((row) =>
              Object.entries(row).some(([key, text]) => key !== 'key' && text !== '' && text !== blank[key]),
            );
          const rows = typed.map((row) => {
            // what matches nothing goes as it was typed, to be named as wrong
            const value = (key: string) =>
              row[key] && row[key] === row[nameOf(key)] ? row[idOf(key)] || row[key] : row[key];
            return Object.fromEntries(Object.keys(columns).flatMap((key) => (row[key] ? [[key, value(key)]] : [])));
          });
          reported.current.add(rows);
          // at once: the key that saves may be the next one, and saves what the form holds by then
          flushSync(() => tell.current({ [name]: rows }));
        }),
      ),
    [store, name, blank, columns],
  );
  useEffect(() => {
    const now = values[name];
    // an effect may come after the next key: what it still sees of the form is then older than what is typed
    if (now === seen.current) return;
    seen.current = now;
    if (typeof now === 'object' && now !== null && reported.current.has(now)) return;
    store.replace(stored.length > 0 ? asText(stored) : [blank]);
  });
  const own = problems.flatMap((problem) =>
    problem.field.startsWith(`${name}.`) ? [{ ...problem, field: problem.field.slice(name.length + 1) }] : [],
  );
  return (
    <div data-span="4" className="sub-grid">
      <LineGrid label={label} columns={Object.entries(columns).map(columnOf)} store={store} problems={own} />
    </div>
  );
}
