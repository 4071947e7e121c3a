// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import type { Handlers, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { type masterCalls, shapeOf } from '../../contract/masters.ts';
import type { lookupCalls } from '../../contract/session.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { pick } from './picks.ts';
import { type Asked, asked, hasActive, idColumn, type RecordView, records, scope, type Trx, type Values } from './records.ts';
import { administratorStays, fillers, linkers } from './special.ts';

type Calls = typeof masterCalls & Pick<typeof lookupCalls, 'Pick'>;
const likeText = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

/** One family of calls for every master; what differs is its row in the contract and its store. */
export const masterHandlers: Handlers<Calls, Context> = {
  Pick: pick,
  ListMasters: ({ master, search, after, limit = 100, retired = false }, context) =>
    context.inTransaction(async (trx) => {
      const which = asked(master);
      const { store } = which;
      const [name, id] = after?.split('\u0000') ?? [];
      const words = [...new Set([store.order, store.columns.code, store.columns.name])].filter((c) => c !== undefined);
      const fields = store.search ? sql`t.search` : sql`lower(concat_ws(' ', ${sql.raw(words.map((c) => `t.${c}`).join(', '))}))`;
      const condition = sql`${hasActive(store) && !retired ? sql`t.active` : sql`true`} and ${search ? sql`${fields} like ${likeText(search)}` : sql`true`}
        and ${name !== undefined && id !== undefined ? sql`(lower(t.${sql.raw(store.order)}), t.${sql.raw(idColumn(store))}::text) > (${name}, ${id})` : sql`true`}`;
      const size = Math.min(limit, 200);
      const rows = await records(trx, context, which, condition, size + 1);
      const page = rows.slice(0, size);
      const last = rows.length > size ? page.at(-1) : undefined;
      const orderKey = Object.entries(store.columns).find(([, column]) => column === store.order)?.[0] ?? 'name';
      return { rows: page, after: last ? `${String(last.values[orderKey] ?? '').toLowerCase()}\u0000${last.id}` : null, total: null };
    }),
  GetMaster: ({ master, id }, context) => context.inTransaction((trx) => one(trx, context, asked(master), id)),
  SaveMaster: (input, context) => context.inTransaction((trx) => save(trx, context, input)),
  RetireMaster: ({ master, id, version, active }, context) =>
    context.inTransaction(async (trx) => {
      const which = asked(master);
      const known = await one(trx, context, which, id);
      if (known.version !== version) throw await stale(trx, context, which, id);
      if (which.master.retire === 'never') throw new Refusal('cannotRetire', { name: which.master.label, reason: 'every organisation has it' });
      if (which.master.retire === 'delete' && !active) await remove(trx, context, which, id);
      else await sql`update ${sql.table(which.store.table)} set active = ${active}, version = version + 1 where organisation = ${context.organisation} and id = ${id}::uuid`.execute(trx);
      await administratorStays(trx, context);
      return { retired: !active };
    }),
  GetHistory: ({ master, id }, context) =>
    context.inTransaction(async (trx) => {
      const which = asked(master);
      const { store } = which;
      if (context.sees({ master }) === 'own') await one(trx, context, which, id);
      const { rows } = await sql<{ at: Date; who: string | null; origin: string; action: string; before: Values | null; after: Values | null }>`
        select l.at, u.name as who, l.origin, l.action, l.before, l.after from edit_log l left join users u on u.organisation = l.organisation and u.id = l.who
         where l.organisation = ${context.organisation} and l.relation = ${store.table} and l.row_id = ${id} order by l.id desc limit 200`.execute(trx);
      return rows.map((r) => ({ at: r.at.toISOString(), who: r.who ?? r.origin, action: r.action, changes: changes(r.before ?? {}, r.after ?? {}) }));
    }),
};

/** What nothing names any more goes for good; the edit log keeps it. */
async function remove(trx: Trx, context: Context, which: Asked, id: string): Promise<void> {
  try {
    await sql`delete from ${sql.table(which.store.table)} as t where ${scope(context, which)} and t.id = ${id}::uuid`.execute(trx);
  } catch (error) {
    throw (error as { code?: string }).code === '23503' ? new Refusal('inUse', { name: which.master.label }) : error;
  }
}

/** Fields that differ, the body's one by one. */
function changes(before: Values, after: Values): { field: string; before: string; after: string }[] {
  const flat = ({ body, ...row }: Values): Values => ({ ...row, ...(body as Values | undefined) });
  const [a, b] = [flat(before), flat(after)];
  const text = (v: unknown) => (v === undefined || v === null ? '' : typeof v === 'object' ? JSON.stringify(v) : String(v));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((k) => !['version', 'organisation', 'id'].includes(k) && text(a[k]) !== text(b[k])).map((field) => ({ field, before: text(a[field]), after: text(b[field]) }));
}

async function one(trx: Trx, context: Context, which: Asked, id: string): Promise<RecordView> {
  const [found] = await records(trx, context, which, sql`t.${sql.raw(idColumn(which.store))}::text = ${id}`, 1);
  if (!found) throw new Refusal('notFound');
  return found;
}

async function stale(trx: Trx, context: Context, { store }: Asked, id: string): Promise<Refusal> {
  const { rows } = await sql<{ who: string | null }>`select u.name as who from edit_log l left join users u on u.organisation = l.organisation and u.id = l.who where l.organisation = ${context.organisation} and l.relation = ${store.table} and l.row_id = ${id} order by l.id desc limit 1`.execute(trx);
  return new Refusal('stale', { who: rows[0]?.who ?? 'Somebody' });
}

async function save(trx: Trx, context: Context, input: Input<Calls['SaveMaster']>): Promise<RecordView> {
  const which = asked(input.master);
  const { name, master } = which;
  const parsed = shapeOf(master.fields).safeParse(input.values);
  if (!parsed.success) throw new Problems(parsed.error.issues.map((issue) => ({ field: issue.path.filter((p) => typeof p === 'string').join('.'), message: issue.message, ...(typeof issue.path[1] === 'number' && { row: issue.path[1] }) })));
  const values = parsed.data as Values;
  const filled = (await fillers[name]?.(trx, context, values, input.id)) ?? {};
  if (filled.problems?.length) throw new Problems(filled.problems);
  const columns = columnsOf(which, values, input.values, filled.columns ?? {});
  const id = input.id ?? newId();
  try {
    if (input.id === undefined) await insert(trx, context, which, id, columns);
    else if (!(await update(trx, context, which, id, input.version ?? 0, columns))) throw (await exists(trx, context, which, id)) ? await stale(trx, context, which, id) : new Refusal('notFound');
  } catch (error) {
    throw taken(error, which);
  }
  await linkers[name]?.(trx, context, id, values);
  return one(trx, context, which, id);
}

const exists = async (trx: Trx, context: Context, which: Asked, id: string): Promise<boolean> => (await records(trx, context, which, sql`t.${sql.raw(idColumn(which.store))}::text = ${id}`, 1)).length > 0;

/** Columns and body of the row: whole numbers in columns, the body as it was typed. */
function columnsOf({ master, store }: Asked, values: Values, typed: Values, filled: Values): Values {
  const row: Values = {};
  const body: Values = {};
  for (const [key, field] of Object.entries(master.fields)) {
    if (field.readOnly) continue;
    const column = store.columns[key];
    if (column) row[column] = values[key] === undefined ? null : values[key];
    else if (values[key] !== undefined) body[key] = typed[key];
  }
  const all: Values = { ...row, ...store.fixed, ...filled, ...(store.bare ? {} : { body: JSON.stringify(body) }) };
  if (store.search) all.search = store.search.map((key) => values[key] ?? filled[store.columns[key] ?? key] ?? '').join(' ').toLowerCase();
  for (const [key, value] of Object.entries(defaults)) if (key in all && all[key] === null) all[key] = value;
  return all;
}
/** Columns that may be left empty in the form but are never null. */
const defaults: Values = { country: 'IN', currency: 'INR', credit_days: 0, padding: 4, start: 1, suffix: '', trade_name: '', is_tax: false, is_physical: false };

async function insert(trx: Trx, context: Context, { name, store }: Asked, id: string, columns: Values): Promise<void> {
  if (store.table === 'posting_map') throw new Refusal('cannotChange', { name: 'The list of postings', reason: 'it is the same for everybody' });
  const all: Values = { organisation: context.organisation, id, ...(store.table === 'masters' && { master: name }), ...columns };
  await sql`insert into ${sql.table(store.table)} (${sql.raw(Object.keys(all).join(', '))}) values (${sql.join(Object.values(all))})`.execute(trx);
}

/** Changes a record of this very master: what fixes a record to its master is never changed by saving it. */
async function update(trx: Trx, context: Context, which: Asked, id: string, version: number, columns: Values): Promise<boolean> {
  const { store } = which;
  const changed = Object.entries(columns).filter(([column]) => !(store.fixed && column in store.fixed));
  const set = sql.join(changed.map(([column, value]) => sql`${sql.raw(column)} = ${value}`));
  const { numAffectedRows } = await sql`update ${sql.table(store.table)} as t set ${set}, version = t.version + 1 where ${scope(context, which)} and t.${sql.raw(idColumn(store))}::text = ${id} and t.version = ${version}`.execute(trx);
  return numAffectedRows === 1n;
}

/** A code, number or name that another record has already: a problem at its field. */
function taken(error: unknown, { master }: Asked): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23503') return new Problems([{ field: Object.keys(master.fields)[0] ?? '', message: 'Something this record names does not exist' }]);
  if (code !== '23505') return error;
  const field = ['gstin', 'barcode', 'sku', 'code', 'email', 'name'].find((key) => constraint?.endsWith(key) && key in master.fields) ?? master.code ?? master.name;
  return new Problems([{ field, message: `This ${master.fields[field]?.label ?? field} is already used` }]);
}
