import { type Definition, type FlowAction, type Stage, stageColours } from '../../domain/workflow/definition.ts';
import { askableFields, type FactName, facts } from '../../domain/workflow/families.ts';
import { t } from '../kit/text.ts';
import type { Fields, Values } from '../views/master/values.ts';

type List = 'stages' | 'actions';
type Row = Stage | FlowAction;
type Words = Readonly<Record<string, string>>;
type Three<T> = readonly [opened: T, mine: T, theirs: T];
/** A field of the merge with its value on the three sides. */
type MergeRow = readonly [at: string, field: Fields[string], values: Three<unknown>];

/** A workflow as two people changed it, in fields: what the dialog of masters merges, and back again. */
export interface Apart {
  readonly fields: Fields;
  readonly opened: Values;
  readonly mine: Values;
  readonly theirs: Values;
  /** The workflow that the merged fields make. */
  join(merged: Values): Definition;
}

/** What is typed over a workflow beside what somebody else kept of it meanwhile. */
export function apart(opened: Definition, typed: Definition, theirs: Definition, roles: Words): Apart {
  const sides: Three<Definition> = [opened, rekeyed(opened, typed, theirs), theirs];
  const stages = new Map(sides.flatMap((of) => of.stages.map(({ key, name }) => [key, name || key] as const)));
  const rows: readonly MergeRow[] = [
    ['name', { label: t('Name'), type: 'text' }, three(sides, ({ name }) => name)],
    ['start', { label: t('Orders start at'), type: 'choice', choices: [...stages] }, three(sides, startOf)],
    ...lists.flatMap((list) => keysIn(sides, list).flatMap((key) => mergeRow(sides, list, key, [...stages], roles))),
  ];
  const side = (which: 0 | 1 | 2): Values => Object.fromEntries(rows.map(([at, , values]) => [at, values[which]]));
  return {
    fields: Object.fromEntries(rows.map(([at, field]) => [at, field])),
    ...{ opened: side(0), mine: side(1), theirs: side(2) },
    join: (merged) => joined(sides, merged),
  };
}

const lists: readonly List[] = ['stages', 'actions'];
const three = <T>([opened, mine, theirs]: Three<Definition>, of: (side: Definition) => T): Three<T> => [
  of(opened),
  of(mine),
  of(theirs),
];
const rowsOf = (of: Definition, list: List): readonly Row[] => of[list];
const rowOf = (of: Definition, list: List, key: string): Row | undefined =>
  rowsOf(of, list).find((row) => row.key === key);
const keysIn = (sides: readonly Definition[], list: List): readonly string[] => [
  ...new Set(sides.flatMap((of) => rowsOf(of, list).map(({ key }) => key))),
];
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const startOf = ({ stages }: Definition): string => stages.flatMap(({ key, start }) => (start ? [key] : [])).join(',');

/** Keys are made in the browser: two people who each add a stage may have given it the same one. Mine gets another. */
function rekeyed(opened: Definition, mine: Definition, theirs: Definition): Definition {
  const others = (list: List): ReadonlyMap<string, string> => {
    const taken = new Set(keysIn([opened, mine, theirs], list));
    const fresh = (key: string, count = 2): string => {
      const next = `${key}-${count}`;
      return taken.has(next) ? fresh(key, count + 1) : next;
    };
    const clash = rowsOf(mine, list).filter((row) => {
      const other = rowOf(theirs, list, row.key);
      return other && !rowOf(opened, list, row.key) && !same(other, row);
    });
    return new Map(clash.map(({ key }) => [key, fresh(key)]));
  };
  const [stages, actions] = [others('stages'), others('actions')];
  const stage = (key: string) => stages.get(key) ?? key;
  return {
    name: mine.name,
    stages: mine.stages.map((row) => ({ ...row, key: stage(row.key) })),
    actions: mine.actions.map((row) => ({
      ...{ ...row, key: actions.get(row.key) ?? row.key },
      ...{ from: stage(row.from), to: stage(row.to) },
    })),
  };
}

const words: Words = {
  ...{ name: 'name', colour: 'colour', slaHours: 'due after (hours)', end: 'orders end here' },
  onward: 'documents may be made from the order',
  approval: 'somebody else approves',
  ...{
    label: 'name',
    from: 'from',
    to: 'to',
    needsComment: 'a comment is needed',
    destructive: 'turns the order away',
  },
  confirmText: 'asked before it is done',
};
/** A field of a row in words. */
const wordOf = (name: string, roles: Words): string => {
  const [list = '', one = ''] = name.split('.');
  if (list === 'facts') return facts[one as FactName].label;
  if (list === 'fields')
    return t('{{askableFields}} is filled', { askableFields: (askableFields as Words)[one] ?? one });
  if (list === 'roles') return t('{{roles}} may', { roles: roles[one] ?? t('A role') });
  return words[name] ?? name;
};
const titleOf = (row: Row): string => ('label' in row ? `Action “${row.label}”` : `Stage “${row.name}”`);

/** What became of a row that one of them took out, or added. */
const fates = [
  ['there', 'as it was'],
  ['changed', 'changed'],
  ['gone', 'taken out'],
  ['added', 'added'],
] as const;

/** The fields that a row is merged by: its values when all sides have it, else whether it is there at all. */
function mergeRow(
  sides: Three<Definition>,
  list: List,
  key: string,
  stages: readonly (readonly [string, string])[],
  roles: Words,
): readonly MergeRow[] {
  const at = `${list}.${key}`;
  const [opened, mine, theirs] = sides;
  const [was, own, other] = three(sides, (of) => rowOf(of, list, key));
  const fate = (values: Three<string>): readonly MergeRow[] => [
    [at, { label: titleOf((was ?? other) as Row), type: 'choice', choices: fates }, values],
  ];
  if (!was) return other && !own ? fate(['', '', 'added']) : [];
  if (own && other) {
    const parts = [was, own, other].map(flat);
    return [...new Set(parts.flatMap((part) => Object.keys(part)))].map((name): MergeRow => {
      const [a, b, c] = parts.map((part) => part[name] ?? (name.includes('.') ? false : null));
      const label = `${titleOf(was)}: ${wordOf(name, roles)}`;
      const choices = name === 'colour' ? stageColours : name === 'from' || name === 'to' ? stages : undefined;
      const type = typeof b === 'boolean' ? 'flag' : 'text';
      return [`${at}.${name}`, choices ? { label, type: 'choice', choices } : { label, type }, [a, b, c]];
    });
  }
  const has = own ? mine : theirs;
  const without = own ? theirs : mine;
  // who takes a stage out takes its actions along: the stage decides for them
  if ((!own && !other) || wentWith(opened, without, list, key).length > 0) return [];
  const kept = isChanged(opened, has, list, key) ? 'changed' : 'there';
  return fate(['there', own ? kept : 'gone', own ? 'gone' : kept]);
}

/** The values of a row, one a field: what a list holds is there or not. Where orders start is said of all stages at once. */
const flat = (row: Row): Values =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name === 'key' || name === 'start'
        ? []
        : Array.isArray(value)
          ? value.map((one) => [`${name}.${one}`, true])
          : [[name, value]],
    ),
  );

/** The row that merged fields make of one side's. */
const full = (row: Row, values: Values): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, Object.hasOwn(values, name) ? values[name] : value];
      const rows = Object.keys(values).flatMap((at) => (at.startsWith(`${name}.`) ? [at.slice(name.length + 1)] : []));
      return [name, [...new Set([...value, ...rows])].filter((one) => values[`${name}.${one}`] === true)];
    }),
  ) as unknown as Row;

/** The stages that an action went with on the side that has it no more. */
const wentWith = (opened: Definition, without: Definition, list: List, key: string): readonly string[] => {
  const before = list === 'actions' ? opened.actions.find((action) => action.key === key) : undefined;
  return before ? [before.from, before.to].filter((end) => end !== '' && !rowOf(without, 'stages', end)) : [];
};
const around = ({ actions }: Definition, stage: string) =>
  actions.filter(({ from, to }) => from === stage || to === stage);
const isChanged = (opened: Definition, side: Definition, list: List, key: string): boolean =>
  !same(rowOf(opened, list, key), rowOf(side, list, key)) ||
  (list === 'stages' && !same(around(opened, key), around(side, key)));

/** Their rows in their order, then what only I have; where both have a row, as its fields were merged. */
function joined(sides: Three<Definition>, merged: Values): Definition {
  const [opened, mine, theirs] = sides;
  const rows = (list: List, stays: (key: string) => boolean): readonly Row[] =>
    keysIn([theirs, mine], list).flatMap((key) => {
      const at = `${list}.${key}`;
      const [was, own, other] = three(sides, (of) => rowOf(of, list, key));
      const row = other ?? own;
      if (was && own && other) {
        const parts = Object.entries(merged).filter(([field]) => field.startsWith(`${at}.`));
        return [full(other, Object.fromEntries(parts.map(([field, value]) => [field.slice(at.length + 1), value])))];
      }
      return row && merged[at] !== 'gone' && stays(key) ? [row] : [];
    });
  const starts = String(merged['start'] ?? '').split(',');
  const stages = rows('stages', () => true).map((row) => ({ ...(row as Stage), start: starts.includes(row.key) }));
  const isThere = (key: string) => stages.some((stage) => stage.key === key);
  const back = (key: string) => wentWith(opened, rowOf(mine, 'actions', key) ? theirs : mine, 'actions', key);
  // what leads to a stage that is gone asks for another one before it is published
  const end = (key: string) => (isThere(key) ? key : '');
  return {
    name: String(merged['name'] ?? ''),
    stages,
    actions: rows('actions', (key) => back(key).every(isThere)).map((row) => {
      const action = row as FlowAction;
      return { ...action, from: end(action.from), to: end(action.to) };
    }),
  };
}
