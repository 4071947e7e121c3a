import { sql, type Transaction } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { masterCalls } from '../../contract/master-calls.ts';
import { type Field, type Master, type MasterName, masterOf, masters } from '../../contract/masters.ts';
import { may, parentsOfMaster } from '../access/index.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../kit/database/sql.ts';
import { hiddenCosts } from './hidden-costs.ts';
import { namesOf } from './picks.ts';
import { readers } from './special.ts';
import { columnScale, type Store, stores } from './stores.ts';

export type Trx = Transaction<Tables>;
export type Values = Record<string, unknown>;
export type RecordView = Answer<(typeof masterCalls)['ListMasters']>['rows'][number];

export interface Asked {
  readonly name: MasterName;
  readonly master: Master;
  readonly store: Store;
}

export function asked(name: string): Asked {
  const master = masterOf(name);
  if (!master) throw new Refusal('notFound');
  return { name: name as MasterName, master, store: stores[name as MasterName] };
}

/** The column that a record is known by from outside. */
export const idColumn = (store: Store): string => (store.table === 'posting_map' ? 'effect' : 'id');
export const hasActive = (store: Store): boolean => store.table !== 'posting_map';

/** The rows of one master in one organisation, as a condition. */
export const scope = (context: Context, { name, store }: Asked) =>
  sql`
    t.organisation = ${context.organisation}
      and ${store.table === 'masters' ? sql`t.master = ${name}` : sql`true`}
      and ${sql.raw(store.where ?? 'true')}
      and ${context.sees({ master: name }) === 'own' ? (ownRows[name]?.(context) ?? sql`false`) : sql`true`}
  `;

/** Which rows are somebody's own, of the masters that show only those to who has no grant. */
const ownRows: Readonly<Partial<Record<MasterName, (context: Context) => ReturnType<typeof sql<boolean>>>>> = {
  user: ({ user }) => sql<boolean>`t.id = ${user}`,
  role: ({ organisation, user }) =>
    sql<boolean>`t.id in (select role from user_roles where organisation = ${organisation} and "user" = ${user})`,
};

const wire = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return undefined;
  const scale = columnScale[field.type];
  return scale ? scale.text(Number(value)) : value;
};

/** A row as the form has it: columns and body under their field names, decimals as text. */
export function toValues({ master, store }: Asked, row: Values): Values {
  const body = (row.body ?? {}) as Values;
  const values: Values = {};
  for (const [key, field] of Object.entries(master.fields)) {
    const column = store.columns[key]?.replaceAll('"', '');
    const value = column ? wire(field, row[column]) : body[key];
    if (value !== undefined) values[key] = value;
  }
  return values;
}

/**
 * Records of a master by a condition, with the names of what they pick; `whole`: with what lists leave out;
 * `byId`: in the order of their ids.
 */
export async function records(
  trx: Trx,
  context: Context,
  which: Asked,
  condition: ReturnType<typeof scope>,
  limit: number,
  { whole = false, byId = false }: { readonly whole?: boolean; readonly byId?: boolean } = {},
): Promise<RecordView[]> {
  const { store } = which;
  const found = await sql<Values>`
    select t.*
    from ${sql.table(store.table)} t
    where ${scope(context, which)} and ${condition}
    order by ${byId ? sql`` : sql`lower(t.${sql.raw(store.order)}),`} t.${sql.raw(idColumn(store))}
    limit ${limit}
  `.execute(trx);
  const read = readers[which.name];
  const hidden = secretsFrom(context, which);
  const rows: { id: string; version: number; active: boolean; values: Values }[] = [];
  for (const row of found.rows) {
    const values = toValues(which, row);
    if (!whole) for (const [key, { formOnly }] of Object.entries(which.master.fields)) if (formOnly) delete values[key];
    for (const key of hiddenCosts(context, which, values)) delete values[key];
    for (const key of hidden) if (typeof values[key] === 'string') values[key] = masked(values[key]);
    rows.push({
      id: String(row[idColumn(store)]),
      version: Number(row.version),
      active: row.active !== false,
      values: read ? { ...values, ...(await read(trx, context, row)) } : values,
    });
  }
  const names = await namesOf(
    trx,
    context,
    which.master,
    rows.map((r) => r.values),
  );
  return rows.map((r, i) => ({ ...r, names: names[i] ?? {} }));
}

/** Fields whose full value is for who holds a grant on the master's screen: a screen that is open to everyone shows their end. */
const secretsFrom = ({ grants }: Context, { name, master }: Asked): readonly string[] =>
  may(grants, 'view', parentsOfMaster(name))
    ? []
    : Object.entries(master.fields).flatMap(([key, { secret }]) => (secret ? [key] : []));

const masked = (value: string): string =>
  `${'•'.repeat(Math.max(4, value.length - 4))}${value.length > 4 ? value.slice(-4) : ''}`;

export const fieldOf = (name: MasterName, key: string): Field | undefined => (masters[name] as Master).fields[key];
