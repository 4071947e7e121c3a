import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import { levels } from '../../contract/levels.ts';
import type { masterCalls } from '../../contract/master-calls.ts';
import type { Field } from '../../contract/masters.ts';
import { type Level, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import { groupBy } from '../../domain/base/group.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import type { Context } from '../context.ts';
import { whoFrom } from '../kit/by-token.ts';
import { hiddenCosts } from './hidden-costs.ts';
import { labelsOf, namesOf } from './picks.ts';
import { type Asked, type Trx, toValues, type Values } from './records.ts';
import { itemType } from './special.ts';

type History = Answer<(typeof masterCalls)['GetHistory']>;
interface Logged {
  readonly xid: string;
  readonly at: string;
  readonly who: string | null;
  readonly origin: string;
  readonly action: string;
  readonly relation: string;
  readonly before: Values | null;
  readonly after: Values | null;
}

const MOST = 200;
const actions: Readonly<Record<string, string>> = { insert: 'added it', update: 'changed it', delete: 'deleted it' };
const levelNames: Readonly<Record<Level, string>> = {
  [levels.none]: 'none',
  [levels.view]: 'View',
  [levels.create]: 'Edit',
  [levels.approve]: 'Approve',
  [levels.full]: 'Full',
};
const screenById = new Map<number, ScreenName>(screenNames.map((name) => [screens[name].id, name]));

/** What is kept of a record in other tables, as fields of the record. */
const links: Readonly<
  Partial<
    Record<
      string,
      readonly {
        readonly relation: string;
        readonly owner: string;
        readonly field: string;
        readonly value: (row: Values) => string;
      }[]
    >
  >
> = {
  item: [{ relation: 'item_pictures', owner: 'item', field: 'Pictures', value: (row) => String(row.name) }],
  registration: [
    {
      relation: 'registration_statuses',
      owner: 'registration',
      field: 'statuses',
      value: (row) => `${row.from_day} ${row.kind}`,
    },
  ],
  user: [
    { relation: 'user_roles', owner: 'user', field: 'roles', value: (row) => String(row.role) },
    { relation: 'user_locations', owner: 'user', field: 'locations', value: (row) => String(row.location) },
  ],
  group: [
    { relation: 'group_roles', owner: 'group', field: 'roles', value: (row) => String(row.role) },
    { relation: 'group_locations', owner: 'group', field: 'locations', value: (row) => String(row.location) },
    { relation: 'group_members', owner: 'group', field: 'users', value: (row) => String(row.user) },
  ],
  role: [
    {
      relation: 'role_grants',
      owner: 'role',
      field: 'levels',
      value: (row) =>
        `${screens[screenById.get(Number(row.screen)) ?? 'Home'].label} ${levelNames[Number(row.level) as Level]}`,
    },
  ],
};

/** Who changed a record and when, each field by its label, before and after in words. */
export async function history(trx: Trx, context: Context, which: Asked, id: string): Promise<History> {
  const beside = links[which.name] ?? [];
  const { rows } = await sql<Logged>`
    select
      l.xid::text as xid,
      to_char(l.at at time zone 'Asia/Kolkata', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+05:30"') as at,
      u.name as who, l.origin, l.action, l.relation, l.before, l.after
    from edit_log l
    left join users u on u.organisation = l.organisation and u.id = l.who
    where l.organisation = ${context.organisation}
      and (
        (
          l.relation = ${which.store.table} and l.row_id = ${id}
        ) ${
          beside.length > 0
            ? sql.join(
                beside.map(
                  (b) => sql`
          or (l.relation = ${b.relation} and coalesce(l.after, l.before) ->> ${b.owner} = ${id})
        `,
                ),
                sql` `,
              )
            : sql``
        }
      )
    order by l.id desc
    limit ${MOST * 4}
  `.execute(trx);
  // one saving is one entry, however many rows it wrote
  const savings = [...groupBy(rows, (row) => row.xid).values()];
  const hidden = new Set(
    rows
      .flatMap(({ before, after }) => [before, after])
      .flatMap((row) => (row ? hiddenCosts(context, which, toValues(which, row)) : [])),
  );
  const entries = savings.map((logged) => {
    const own = logged.filter((row) => row.relation === which.store.table);
    const [last, first] = [own[0], own.at(-1)];
    const fields = pairsOf(which, first?.before ?? null, last?.after ?? null).filter(({ field }) => !hidden.has(field));
    for (const { relation, field, value } of beside) {
      const of = (key: 'before' | 'after') =>
        logged
          .filter((row) => row.relation === relation)
          .flatMap((row) => (row[key] ? [value(row[key])] : []))
          .sort();
      fields.push({ field, before: of('before'), after: of('after') });
    }
    return {
      at: logged[0]?.at ?? '',
      who: whoFrom(logged[0]?.who ?? 'The system', logged[0]?.origin ?? ''),
      action: actions[last?.action ?? 'update'] ?? 'changed it',
      active: activeOf(first, last),
      fields,
    };
  });
  const names = await allNames(
    trx,
    context,
    which,
    entries.flatMap((t) => t.fields),
  );
  return entries
    .map(({ at, who, action, active, fields }) => {
      const text = (field: string, value: unknown) =>
        words(which.master.fields[field], value, (at) => names.get(at), field);
      const changes = fields
        .map(({ field, before, after }) => ({
          field,
          label: which.master.fields[field]?.label ?? field,
          before: text(field, before),
          after: text(field, after),
        }))
        .filter((c) => c.before !== c.after);
      return { at, who, action: active ?? action, changes };
    })
    .filter((entry) => entry.changes.length > 0 || entry.action !== actions.update)
    .slice(0, MOST);
}

const activeOf = (first: Logged | undefined, last: Logged | undefined): string | undefined => {
  const [before, after] = [first?.before?.active, last?.after?.active];
  return before === undefined || after === undefined || before === after
    ? undefined
    : after
      ? 'made it active again'
      : 'deactivated it';
};

interface Pair {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

function pairsOf(which: Asked, before: Values | null, after: Values | null): Pair[] {
  const read = (row: Values | null): Values =>
    row ? { ...toValues(which, row), ...(which.name === 'item' && { type: itemType(row) }) } : {};
  const [a, b] = [read(before), read(after)];
  return Object.keys(which.master.fields)
    .filter((field) => field in a || field in b)
    .map((field) => ({ field, before: a[field], after: b[field] }));
}

/** Names of everything that was ever picked, by field: ids tell nobody anything. */
async function allNames(
  trx: Trx,
  context: Context,
  which: Asked,
  pairs: readonly Pair[],
): Promise<Map<string, Map<string, string>>> {
  const found = new Map<string, Map<string, string>>();
  for (const [key, field] of Object.entries(which.master.fields)) {
    for (const [column, inner] of Object.entries(field.columns ?? {})) {
      if (!inner.pick) continue;
      const rows = pairs.filter((p) => p.field === key).flatMap(({ before, after }) => [before, after].flat()) as (
        | Values
        | null
        | undefined
      )[];
      const labels = await labelsOf(
        trx,
        context,
        inner.pick,
        rows.map((row) => row?.[column]),
      );
      found.set(`${key}.${column}`, new Map(labels));
    }
    if (!field.pick) continue;
    const ids = [
      ...new Set(
        pairs
          .filter((p) => p.field === key)
          .flatMap(({ before, after }) => [before, after].flat())
          .filter((v): v is string => typeof v === 'string' && v !== ''),
      ),
    ];
    const one = { ...which.master, fields: { [key]: { ...field, type: 'pick' as const } } };
    const named = await namesOf(
      trx,
      context,
      one,
      ids.map((id) => ({ [key]: id })),
    );
    found.set(key, new Map(ids.map((id, i) => [id, named[i]?.[key] ?? 'a record that was deleted'])));
  }
  return found;
}

type Names = (field: string) => ReadonlyMap<string, string> | undefined;

function words(field: Field | undefined, value: unknown, names: Names, at: string): string {
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value))
    return value
      .map((one) =>
        typeof one === 'object' && one !== null
          ? rowWords(field, one as Values, names, at)
          : words(field, one, names, at),
      )
      .join('; ');
  switch (field?.type) {
    case 'flag':
      return value === true || value === 'true' ? 'Yes' : 'No';
    case 'choice':
      return field.choices?.find(([code]) => code === value)?.[1] ?? String(value);
    case 'state':
      return stateName(String(value)) ?? String(value);
    default:
      return names(at)?.get(String(value)) ?? String(value);
  }
}

/** A row of addresses, contacts or values in one line. */
const rowWords = (field: Field | undefined, row: Values, names: Names, at: string): string =>
  Object.entries(field?.columns ?? {})
    .map(([key, column]) => words(column, row[key], names, `${at}.${key}`))
    .filter(Boolean)
    .join(', ');
