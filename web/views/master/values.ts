import type { Field, Master } from '../../../contract/masters.ts';

export type Values = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, Field>>;

/** What a new record starts with. */
export const initialValues = (fields: Fields): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]) =>
      field.initial === undefined ? [] : [[key, field.type === 'whole' ? String(field.initial) : field.initial]],
    ),
  );

/** Read-only fields stay here; the rest goes to the server. */
export const sendable = (fields: Fields, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => fields[key] && !fields[key].readOnly));

/** Sections in the order their first field stands in; fields without one share the record's own. */
export const sectionsOf = (
  master: Pick<Master, 'fields' | 'label'>,
): readonly (readonly [string, readonly string[]])[] => {
  const sections = new Map<string, string[]>();
  for (const [key, field] of Object.entries(master.fields)) {
    if (field.listOnly) continue;
    const name = field.section ?? master.label;
    sections.set(name, [...(sections.get(name) ?? []), key]);
  }
  return [...sections];
};

export const textOf = (value: unknown): string => (value == null ? '' : String(value));

export interface Difference {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}
/** What both of two people changed differently, what only they changed, and all of it together, against what I opened. */
export const differences = (
  fields: Fields,
  opened: Values,
  mine: Values,
  theirs: Values,
): { readonly both: readonly Difference[]; readonly others: readonly Difference[]; readonly merged: Values } => {
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '');
  const keys = Object.keys(fields).filter((key) => !fields[key]?.readOnly);
  const both = keys.filter(
    (key) => !same(opened[key], theirs[key]) && !same(opened[key], mine[key]) && !same(mine[key], theirs[key]),
  );
  const merged = Object.fromEntries(keys.map((key) => [key, same(opened[key], mine[key]) ? theirs[key] : mine[key]]));
  const others = keys.filter((key) => same(opened[key], mine[key]) && !same(opened[key], theirs[key]));
  const shown = (field: string): Difference => ({ field, mine: mine[field], theirs: theirs[field] });
  return { both: both.map(shown), others: others.map(shown), merged };
};
