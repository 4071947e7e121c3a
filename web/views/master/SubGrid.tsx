import { useEffect, useRef, useState } from 'react';
import type { Field } from '../../../contract/masters.ts';
import { activeStates } from '../../../domain/gst/states.ts';
import type { Problem } from '../../kit/api.ts';
import type { GridColumn } from '../../kit/gridPaste.ts';
import { LineGrid } from '../../kit/LineGrid.tsx';
import { createRowStore } from '../../kit/rowStore.ts';
import { initialValues, textOf, type Values } from './values.ts';

const states = activeStates.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));

const columnOf = ([key, field]: readonly [string, Field]): GridColumn => {
  const common = { key, label: field.label, ...(field.required ? { required: true } : {}) };
  if (field.type === 'state')
    return { ...common, type: 'select', width: 150, choices: [{ value: '', label: 'Choose' }, ...states] };
  if (field.type === 'choice')
    return {
      ...common,
      type: 'select',
      width: 110,
      // what begins as nothing is not shown as the first of the list
      choices: [
        ...(field.initial === undefined ? [{ value: '', label: 'Choose' }] : []),
        ...(field.choices ?? []).map(([value, label]) => ({ value, label })),
      ],
    };
  if (field.type === 'gstin') return { ...common, type: 'text', width: 150 };
  const { most = 60 } = field;
  return { ...common, type: 'text', width: most > 60 ? 180 : most > 10 ? 120 : 84 };
};

/** A grid inside a record: addresses, contacts, values. It begins with a blank row; blank rows are left out when saved. */
export function SubGrid({
  label,
  name,
  columns,
  values,
  problems,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly columns: Readonly<Record<string, Field>>;
  readonly values: Values;
  readonly problems: readonly Problem[];
  onChange(patch: Values): void;
}) {
  const stored = Array.isArray(values[name]) ? (values[name] as readonly Values[]) : [];
  const [blank] = useState(() =>
    Object.fromEntries(Object.entries(initialValues(columns)).map(([key, value]) => [key, textOf(value)])),
  );
  const asText = (rows: readonly Values[]) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, textOf(value)])));
  const [store] = useState(() => createRowStore(stored.length > 0 ? asText(stored) : [blank], blank));
  const tell = useRef(onChange);
  tell.current = onChange;
  // what stands in the form comes from here, unless something else has filled it
  const told = useRef(values[name]);
  useEffect(
    () =>
      store.subscribe(() => {
        const typed = store
          .rows()
          .filter((row) =>
            Object.entries(row).some(([key, text]) => key !== 'key' && text !== '' && text !== blank[key]),
          );
        const rows = typed.map(({ key: _key, ...row }) => row);
        told.current = rows;
        tell.current({ [name]: rows });
      }),
    [store, name, blank],
  );
  useEffect(() => {
    if (values[name] === told.current) return;
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
