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
type LevelMap = Readonly<Record<string, number>>;

/** What both changed alike or only one of them changed, screen by screen; undefined where they differ on a screen. */
const levelsTogether = (opened: unknown, mine: unknown, theirs: unknown): LevelMap | undefined => {
  const [was, own, other] = [opened, mine, theirs].map((levels) => (levels ?? {}) as LevelMap);
  if (!was || !own || !other) return undefined;
  const screens = [...new Set([...Object.keys(was), ...Object.keys(own), ...Object.keys(other)])];
  const level = (of: LevelMap, screen: string) => of[screen] ?? 0;
  const chosen = screens.map((screen): readonly [string, number | undefined] => {
    const [before, one, two] = [level(was, screen), level(own, screen), level(other, screen)];
    return [screen, one === two || two === before ? one : one === before ? two : undefined];
  });
  return chosen.some(([, found]) => found === undefined) ? undefined : (Object.fromEntries(chosen) as LevelMap);
};

/** What both of two people changed differently, what only they changed, and all of it together, against what I opened. */
export const differences = (
  fields: Fields,
  opened: Values,
  mine: Values,
  theirs: Values,
): { readonly both: readonly Difference[]; readonly others: readonly Difference[]; readonly merged: Values } => {
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '');
  const keys = Object.keys(fields).filter((key) => !fields[key]?.readOnly);
  const isMine = (key: string) => !same(opened[key], mine[key]);
  const isTheirs = (key: string) => !same(opened[key], theirs[key]);
  const together = (key: string) =>
    fields[key]?.type === 'levels' ? levelsTogether(opened[key], mine[key], theirs[key]) : undefined;
  const both = keys.filter(
    (key) => isTheirs(key) && isMine(key) && !same(mine[key], theirs[key]) && together(key) === undefined,
  );
  const others = keys.filter((key) => isTheirs(key) && !both.includes(key) && !same(mine[key], theirs[key]));
  const merged = Object.fromEntries(keys.map((key) => [key, together(key) ?? (isMine(key) ? mine[key] : theirs[key])]));
  const shown = (field: string): Difference => ({ field, mine: mine[field], theirs: theirs[field] });
  return { both: both.map(shown), others: others.map(shown), merged };
};
