import { sql } from 'kysely';
import type { Answer, Handlers, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { masterCalls } from '../../contract/master-calls.ts';
import { withoutGst } from '../../contract/masters.ts';
import type { lookupCalls } from '../../contract/session.ts';
import { shapeOf } from '../../contract/shapes.ts';
import { say } from '../../domain/base/say.ts';
import { forgetAdditional, ownMaster } from '../additional/index.ts';
import type { Context } from '../context.ts';
import { holdAccounts, moveAccount } from '../documents/index.ts';
import { staleOf } from '../kit/database/stale.ts';
import { newId } from '../kit/ids.ts';
import { mustRead } from '../kit/input.ts';
import { Problems } from '../kit/problems.ts';
import { canDeactivate } from './deactivation.ts';
import { fixedFields, fixedProblems, noticesOf } from './fixed.ts';
import { withHiddenCosts } from './hidden-costs.ts';
import { history } from './history.ts';
import { every, named } from './named.ts';
import { registrationFits } from './one-pan.ts';
import { missingPicks, pick } from './picks.ts';
import { guardPlaces } from './places.ts';
import {
  type Asked,
  asked,
  hasActive,
  idColumn,
  type RecordView,
  records,
  scope,
  type Trx,
  toValues,
  type Values,
} from './records.ts';
import { guardRights } from './rights.ts';
import { fillers, itemType, linkers, readers } from './special.ts';

type Calls = typeof masterCalls & Pick<typeof lookupCalls, 'Pick'>;
/** Whether GST concerns the organisation on some day; asked only for masters with fields of GST. */
const usesGst = async (trx: Trx, { organisation }: Context, { fields }: Asked['master']): Promise<boolean> =>
  !Object.values(fields).some(({ ofGst }) => ofGst) ||
  (
    await sql`select from registrations where organisation = ${organisation} and active and gstin is not null limit 1`.execute(
      trx,
    )
  ).rows.length > 0;
/** A master with the fields that the organisation has added to it, as GST concerns it or not. */
const own = async (trx: Trx, context: Context, name: string): Promise<Asked> => {
  const which = asked(name);
  const master = (await usesGst(trx, context, which.master)) ? which.master : withoutGst(which.master);
  return { ...which, master: await ownMaster(trx, context.organisation, name, master) };
};
const likeText = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

/** One family of calls for every master; what differs is its row in the contract and its store. */
export const masterHandlers: Handlers<Calls, Context> = {
  Pick: pick,
  ListMasters: ({ master, search, after, limit = 100, retired = false }, context) =>
    context.inTransaction(async (trx) => {
      const which = await own(trx, context, master);
      const { store } = which;
      const [name, id] = after?.split('\u001f') ?? [];
      const words = [...new Set([store.order, store.columns.code, store.columns.name])].filter((c) => c !== undefined);
      const fields = store.search
        ? sql`t.search`
        : sql`lower(concat_ws(' ', ${sql.raw(words.map((c) => `t.${c}`).join(', '))}))`;
      const condition = sql`
        ${hasActive(store) && !retired ? sql`t.active` : sql`true`}
          and ${search ? sql`${fields} like ${likeText(search)}` : sql`true`}
          and ${
            name !== undefined && id !== undefined
              ? sql`
            (lower(t.${sql.raw(store.order)}), t.${sql.raw(idColumn(store))}::text) > (${name}, ${id})
          `
              : sql`true`
          }
      `;
      const size = Math.max(1, Math.min(limit, 200));
      const rows = await records(trx, context, which, condition, size + 1);
      const page = rows.slice(0, size);
      const last = rows.length > size ? page.at(-1) : undefined;
      if (!last) return { rows: page, after: null, total: null };
      // the database's own lower case: the next page begins where this one ends, whatever the letters
      const place = await sql<{
        place: string;
      }>`
        select lower(t.${sql.raw(store.order)}) as place
        from ${sql.table(store.table)} t
        where ${scope(context, which)} and t.${sql.raw(idColumn(store))}::text = ${last.id}
      `.execute(trx);
      return { rows: page, after: `${place.rows[0]?.place ?? ''}\u001f${last.id}`, total: null };
    }),
  GetMaster: ({ master, id }, context) =>
    context.inTransaction(async (trx) => one(trx, context, await own(trx, context, master), id)),
  SaveMaster: async (input, context) => {
    const saved = await context.inTransaction((trx) => save(trx, context, input));
    forgetAdditional(context.organisation);
    return saved;
  },
  RetireMaster: async (input, context) => {
    const retired = await context.inTransaction((trx) => retire(trx, context, input));
    forgetAdditional(context.organisation);
    return retired;
  },
  GetHistory: ({ master, id }, context) =>
    context.inTransaction(async (trx) => {
      const which = await own(trx, context, master);
      if (context.sees({ master }) === 'own') await one(trx, context, which, id);
      return history(trx, context, which, id);
    }),
};

export { pickedCodes, referencesFound } from './picks.ts';
export type { Asked, Values } from './records.ts';
export { variantOwn } from './variants.ts';
export { every, type Trx };

/** The calls that the specification names one by one. */
export const namedHandlers = named(masterHandlers);

/** Deactivates, reactivates or deletes a record, where nothing holds it. */
async function retire(
  trx: Trx,
  context: Context,
  { master, id, version, active = false }: Input<Calls['RetireMaster']>,
): Promise<Answer<Calls['RetireMaster']>> {
  const which = asked(master);
  // what is pointed at it at this moment comes before or after
  if (hasActive(which.store))
    await sql`
      select from ${sql.table(which.store.table)} t
      where ${scope(context, which)} and t.id::text = ${id}
      for no key update
    `.execute(trx);
  const known = await one(trx, context, which, id);
  await notMerged(trx, context, which, id);
  if (which.master.retire === 'never')
    throw new Refusal('cannotRetire', { name: which.master.label, reason: say('every organisation has it') });
  await guardPlaces(trx, context, which, { id, before: known.values });
  const stands = await guardRights(trx, context, which.name, id);
  if (!active) await canDeactivate(which, trx, context, known);
  else await mayComeBack(trx, context, master, id);
  const done =
    which.master.retire === 'delete' && !active
      ? await remove(trx, context, which, id, version)
      : (
          await sql`
            update ${sql.table(which.store.table)} as t
            set active = ${active}, version = t.version + 1
            where ${scope(context, which)} and t.id = ${id}::uuid and t.version = ${version}
          `.execute(trx)
        ).numAffectedRows === 1n;
  if (!done) throw await staleOf(trx, context.organisation, which.store.table, id);
  await stands();
  return { retired: !active };
}

/**
 * A series that was retired is checked as a new one is: its numbers may meet those of others by now. So is a registration: the
 * others may have opted for composition meanwhile, or left it.
 */
async function mayComeBack(trx: Trx, context: Context, master: string, id: string): Promise<void> {
  if (master === 'registration') {
    const problems = await registrationFits(trx, context, id);
    if (problems.length > 0) throw new Problems(problems);
  }
  if (master !== 'numberSeries') return;
  const { rows } =
    await sql<Values>`select * from number_series where organisation = ${context.organisation} and id::text = ${id}`.execute(
      trx,
    );
  const { problems = [] } = (rows[0] && (await fillers.numberSeries?.(trx, context, rows[0], id))) ?? {};
  if (problems.length > 0) throw new Problems(problems);
}

/** What nothing names any more goes for good; the edit log keeps it. */
async function remove(trx: Trx, context: Context, which: Asked, id: string, version: number): Promise<boolean> {
  try {
    return (
      (
        await sql`
          delete from ${sql.table(which.store.table)} as t
          where ${scope(context, which)} and t.id = ${id}::uuid and t.version = ${version}
        `.execute(trx)
      ).numAffectedRows === 1n
    );
  } catch (error) {
    throw (error as { code?: string }).code === '23503' ? new Refusal('inUse', { name: which.master.label }) : error;
  }
}

async function one(
  trx: Trx,
  context: Context,
  which: Asked,
  id: string,
): Promise<RecordView & { fixed: Record<string, string>; notices: string[] }> {
  const row = await keptRow(trx, context, which, id);
  const [found] = row
    ? await records(trx, context, which, sql`t.${sql.raw(idColumn(which.store))}::text = ${id}`, 1, { whole: true })
    : [];
  if (!row || !found) throw new Refusal('notFound');
  return {
    ...found,
    fixed: await fixedFields(which, trx, context, id, row),
    notices: await noticesOf(which, trx, context, id),
  };
}

/** The row as it is kept, of this very master. */
const keptRow = async (trx: Trx, context: Context, which: Asked, id: string): Promise<Values | undefined> =>
  (
    await sql<Values>`
      select t.*
      from ${sql.table(which.store.table)} t
      where ${scope(context, which)} and t.${sql.raw(idColumn(which.store))}::text = ${id}
    `.execute(trx)
  ).rows[0];

/** What was merged into another record stays as it was then. */
async function notMerged(trx: Trx, context: Context, { store }: Asked, id: string): Promise<void> {
  if (!store.merges) return;
  const { rows } = await sql<{
    name: string;
    survivor: string;
  }>`
    select t.name, h.name as survivor
    from ${sql.table(store.table)} t
    join ${sql.table(store.table)} h on h.organisation = t.organisation and h.id = t.merged_into
    where t.organisation = ${context.organisation} and t.id = ${id}::uuid
  `.execute(trx);
  const [found] = rows;
  if (found)
    throw new Refusal('cannotChange', {
      name: found.name,
      reason: say('it was merged into {{survivor}}', { survivor: found.survivor }),
    });
}

async function save(
  trx: Trx,
  context: Context,
  input: Input<Calls['SaveMaster']>,
): Promise<Answer<Calls['SaveMaster']>> {
  const which = await own(trx, context, input.master);
  return one(trx, context, which, await write(trx, context, which, input));
}

/** Adds or changes a record with all checks of its master; answers its id. */
async function write(
  trx: Trx,
  context: Context,
  which: Asked,
  input: Omit<Input<Calls['SaveMaster']>, 'master'>,
): Promise<string> {
  const { name, master } = which;
  const workedOut = Object.keys(master.fields).filter((key) => master.fields[key]?.readOnly);
  const kept = input.id === undefined ? undefined : await keptRow(trx, context, which, input.id);
  const typed = withHiddenCosts(context, which, input.values, kept && toValues(which, kept));
  const values = mustRead(shapeOf(master.fields), typed, labelIn(master), workedOut) as Values;
  if (input.id !== undefined && !kept) throw new Refusal('notFound');
  if (input.id !== undefined) await notMerged(trx, context, which, input.id);
  const missing = await missingPicks(trx, context, master.fields, values);
  if (missing.length > 0) throw new Problems(missing);
  await refuseWorkedOut(trx, context, which, input, workedOut);
  const id = input.id ?? newId();
  const before = kept && asTyped(which, { ...toValues(which, kept), ...(name === 'item' && { type: itemType(kept) }) });
  await guardPlaces(trx, context, which, { id, before, after: values });
  const stands = await guardRights(trx, context, name, id);
  const filled = (await fillers[name]?.(trx, context, values, input.id)) ?? {};
  const fixed = kept && before ? await fixedProblems(which, trx, context, input.id ?? '', kept, before, values) : [];
  const problems = [...fixed, ...(filled.problems ?? [])];
  if (problems.length > 0) throw new Problems(problems);
  const columns = columnsOf(which, values, typed, filled.columns ?? {}, kept);
  const lockedThrough = movesAccount(which, columns, kept) ? await holdAccounts(trx, context.organisation) : undefined;
  try {
    if (input.id === undefined) await insert(trx, context, which, id, columns);
    else if (!(await update(trx, context, which, id, input.version ?? 0, columns)))
      throw await staleOf(trx, context.organisation, which.store.table, id);
  } catch (error) {
    throw taken(error, which);
  }
  if (lockedThrough !== undefined) await moveAccount(trx, context, id, lockedThrough);
  await linkers[name]?.(trx, context, id, values);
  await stands();
  return id;
}

/** A party that becomes another sort of customer or supplier has its account on another ledger. */
function movesAccount({ store, master }: Asked, columns: Values, kept: Values | undefined): boolean {
  if (store.table !== 'parties' || !kept) return false;
  const category = columns['category'] ?? kept['category'];
  if (category !== kept['category']) return true;
  if (!('microSmall' in master.fields)) return false;
  const isMicroSmall = (body: unknown): boolean => (body as Values | undefined)?.['microSmall'] === true;
  return isMicroSmall(JSON.parse(String(columns['body'] ?? '{}'))) !== isMicroSmall(kept['body']);
}

/** What is kept as the same check reads it, so that like is compared with like. */
const asTyped = ({ master }: Asked, values: Values): Values => {
  const read = shapeOf(master.fields).safeParse(values);
  return read.success ? (read.data as Values) : values;
};

/** What is worked out here may be sent back as it was answered; with another value it would be something that is not kept. */
async function refuseWorkedOut(
  trx: Trx,
  context: Context,
  which: Asked,
  { id, values }: Omit<Input<Calls['SaveMaster']>, 'master'>,
  names: readonly string[],
): Promise<void> {
  const sent = names.filter((name) => values[name] !== undefined && values[name] !== null && values[name] !== '');
  if (sent.length === 0) return;
  const known = id === undefined ? {} : (await one(trx, context, which, id)).values;
  const other = sent.filter((name) => JSON.stringify(known[name]) !== JSON.stringify(values[name]));
  if (other.length > 0)
    throw new Problems(
      other.map((field) => ({
        field,
        ...say('{{fields}} is worked out here: leave it out', { fields: which.master.fields[field]?.label ?? field }),
      })),
    );
}

/** A field, or a column of its rows, as the form calls it. */
const labelIn =
  ({ fields }: Asked['master']) =>
  (path: readonly PropertyKey[]): string | undefined => {
    const [field, row, column] = path.map(String);
    return row === undefined ? fields[field ?? '']?.label : fields[field ?? '']?.columns?.[column ?? '']?.label;
  };

/** What was typed, where its check has made a number of it; text as the check has left it, and nothing that no field asks for. */
function asKept(checked: unknown, typed: unknown): unknown {
  if (Array.isArray(checked)) return checked.map((one, at) => asKept(one, (typed as unknown[])[at]));
  if (typeof checked !== 'object' || checked === null) return typeof checked === 'string' ? checked : typed;
  return Object.fromEntries(
    Object.entries(checked).flatMap(([key, one]) =>
      one === undefined ? [] : [[key, asKept(one, (typed as Values)[key])]],
    ),
  );
}

/** Columns and body of the row: whole numbers in columns, numbers of the body as they were typed. */
function columnsOf(
  { master, store }: Asked,
  values: Values,
  typed: Values,
  filled: Values,
  kept: Values | undefined,
): Values {
  const row: Values = {};
  const body: Values = {};
  // what another form of the same record has filled stays what it is
  const keptText = (key: string) =>
    key in master.fields ? '' : (kept?.[store.columns[key] ?? key] ?? (kept?.body as Values | undefined)?.[key] ?? '');
  for (const [key, field] of Object.entries(master.fields)) {
    if (field.readOnly || store.beside?.includes(key)) continue;
    const column = store.columns[key];
    if (column) row[column] = values[key] === undefined ? null : values[key];
    else if (values[key] !== undefined) body[key] = asKept(values[key], typed[key]);
  }
  const all: Values = { ...row, ...store.fixed, ...filled, ...(store.bare ? {} : { body: JSON.stringify(body) }) };
  if (store.search)
    all.search = store.search
      .map((key) => values[key] ?? filled[store.columns[key] ?? key] ?? keptText(key))
      .join(' ')
      .toLowerCase();
  for (const [key, value] of Object.entries(defaults))
    if (key in all && all[key] === null && !store.empty?.includes(key)) all[key] = value;
  return all;
}
/** Columns that may be left empty in the form but are never null. */
const defaults: Values = {
  hsn: '',
  gst_rate: 0,
  treatment: 'taxable',
  country: 'IN',
  currency: 'INR',
  credit_days: 0,
  padding: 4,
  start: 1,
  suffix: '',
  trade_name: '',
  is_tax: false,
  is_physical: false,
};

async function insert(trx: Trx, context: Context, { name, store }: Asked, id: string, columns: Values): Promise<void> {
  if (store.table === 'posting_map')
    throw new Refusal('cannotChange', {
      name: say('The list of postings'),
      reason: say('it is the same for everybody'),
    });
  const all: Values = {
    organisation: context.organisation,
    id,
    ...(store.table === 'masters' && { master: name }),
    ...columns,
  };
  await sql`
    insert into ${sql.table(store.table)} (${sql.raw(Object.keys(all).join(', '))})
    values (${sql.join(Object.values(all))})
  `.execute(trx);
}

/** Changes a record of this very master: what fixes a record to its master is never changed by saving it. */
async function update(
  trx: Trx,
  context: Context,
  which: Asked,
  id: string,
  version: number,
  columns: Values,
): Promise<boolean> {
  const { store, master } = which;
  const changed = Object.entries(columns).filter(([column]) => !(store.fixed && column in store.fixed));
  // the body may hold fields of another form of the same record: only this form's own are replaced
  const own = Object.keys(master.fields);
  const set = sql.join(
    changed.map(([column, value]) =>
      column === 'body' ? sql`body = (t.body - ${own}::text[]) || ${value}::jsonb` : sql`${sql.raw(column)} = ${value}`,
    ),
  );
  const { numAffectedRows } = await sql`
    update ${sql.table(store.table)} as t
    set ${set}, version = t.version + 1
    where ${scope(context, which)} and t.${sql.raw(idColumn(store))}::text = ${id} and t.version = ${version}
  `.execute(trx);
  return numAffectedRows === 1n;
}

/** A code, number or name that another record has already: a problem at its field. */
function taken(error: unknown, { master }: Asked): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23503')
    return new Problems([
      { field: Object.keys(master.fields)[0] ?? '', ...say('Something this record names does not exist') },
    ]);
  if (code !== '23505') return error;
  const field =
    ['gstin', 'barcode', 'sku', 'code', 'email', 'name'].find(
      (key) => constraint?.endsWith(key) && key in master.fields,
    ) ??
    master.code ??
    master.name;
  return new Problems([
    { field, ...say('This {{fields}} is already used', { fields: master.fields[field]?.label ?? field }) },
  ]);
}

/** A record as its form has it, with its version: without the names of what it picks. */
async function keptRecord(
  trx: Trx,
  context: Context,
  which: Asked,
  id: string,
): Promise<{ readonly version: number; readonly active: boolean; readonly values: Values } | undefined> {
  const row = await keptRow(trx, context, which, id);
  if (!row) return undefined;
  const values = { ...toValues(which, row), ...(await readers[which.name]?.(trx, context, row)) };
  return { version: Number(row.version), active: row.active !== false, values };
}

/**
 * Records of which one of these fields has one of these values; answered with the values of all these fields. A key may be of
 * several fields, `from+to`: then the first of them is looked for.
 */
async function alike(
  trx: Trx,
  context: Context,
  which: Asked,
  keys: Readonly<Record<string, readonly string[]>>,
): Promise<{ readonly id: string; readonly version: number; readonly active: boolean; readonly keys: Values }[]> {
  const { store } = which;
  const column = (key: string) => {
    const own = store.columns[key];
    return own ? sql`t.${sql.raw(own)}` : sql`(t.body ->> ${sql.lit(key)})`;
  };
  const wanted = Object.entries(keys).filter(([, values]) => values.length > 0);
  if (wanted.length === 0) return [];
  const isOne = ([key, values]: (typeof wanted)[number]) => {
    const [first = ''] = key.split('+');
    const type = which.master.fields[first]?.type;
    const upper = values.map((one) => one.toUpperCase());
    // a GSTIN is kept in capitals; codes are found by their capitals, names by their small letters
    if (type === 'gstin') return sql`${column(first)} = any(${upper}::text[])`;
    if (type === 'code') return sql`upper(${column(first)}) = any(${upper}::text[])`;
    return sql`lower(${column(first)}::text) = any(${[...values]}::text[])`;
  };
  const fields = [...new Set(Object.keys(keys).flatMap((key) => key.split('+')))];
  const { rows } = await sql<{ id: string; version: number; active: boolean; keys: Values }>`
    select
      t.${sql.raw(idColumn(store))}::text as id, t.version, ${hasActive(store) ? sql`t.active` : sql`true`} as active,
      jsonb_build_object(${sql.join(fields.flatMap((key) => [sql`${sql.lit(key)}::text`, column(key)]))}) as keys
    from ${sql.table(store.table)} t
    where ${scope(context, which)} and (${sql.join(wanted.map(isOne), sql` or `)})
    order by 3 desc, 1
  `.execute(trx);
  return rows;
}

/**
 * What an import goes through, in a transaction of its own: the fields of a master as the organisation has them, its records, and
 * the very code that saves and retires one from a form.
 */
export const recordDesk = {
  asked: own,
  records,
  write,
  retire,
  /** Records by the fields that tell them apart, compared without case. */
  alike,
  /** A record as its form has it, by its id. */
  kept: keptRecord,
  /** What a form would send of a record, as its checks read it. */
  asTyped,
  forget: forgetAdditional,
} as const;
