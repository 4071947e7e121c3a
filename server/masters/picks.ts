import { type RawBuilder, sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import type { Field, Master } from '../../contract/masters.ts';
import { subjects } from '../../contract/own-fields.ts';
import type { lookupCalls } from '../../contract/session.ts';
import { say } from '../../domain/base/say.ts';
import { type Control, controlledLedgers } from '../../domain/books/controls.ts';
import type { Effect, Ledgers } from '../../domain/books/effects.ts';
import { betweenBranches, type FieldUse, type LedgerUse, restated, unfit } from '../../domain/books/ledger-uses.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import { isKind, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { ledgersSeen, ledgerUse } from './ledger-uses.ts';
import type { Trx, Values } from './records.ts';

type Picked = { readonly id: string; readonly code: string; readonly name: string; readonly note: string };
const likeText = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

/** What a picker of a master shows: code, name, a second line. Rows of tables by data; `kind` comes from the source. */
interface Source {
  readonly from: string;
  readonly id?: string;
  readonly code: string;
  readonly name: string;
  readonly note: string;
  /** Another text that means just one record in a file: the GSTIN of a party. */
  readonly also?: string;
  readonly where?: string /** The master whose records these are, where the picker has another name. */;
  readonly master?: string;
  /** Ledgers that are kept in step with these are left out: the checks of documents refuse them. */
  readonly without?: readonly Control[];
  /** Ledgers of these effects are left out. */
  readonly withoutEffects?: readonly Effect[];
  /** Of ledgers only those that this use takes; another one that is named is a problem. */
  readonly use?: FieldUse;
}
const sources: Readonly<Record<string, Source>> = {
  customer: {
    from: 'parties',
    code: 't.code',
    name: 't.name',
    note: `coalesce(t.gstin, '')`,
    also: 't.gstin',
    where: `t.side in ('customer', 'both')`,
  },
  supplier: {
    from: 'parties',
    code: 't.code',
    name: 't.name',
    note: `coalesce(t.gstin, '')`,
    also: 't.gstin',
    where: `t.side in ('supplier', 'both')`,
  },
  party: { from: 'parties', code: 't.code', name: 't.name', note: `coalesce(t.gstin, '')`, also: 't.gstin' },
  // the GSTIN is printed on the document
  ecommerceOperator: {
    from: 'parties',
    id: 't.gstin',
    code: 't.gstin',
    name: 't.name',
    note: 't.code',
    where: `t.category = 'ecommerceOperator' and t.gstin is not null`,
  },
  item: { from: 'items', code: 't.sku', name: 't.name', note: 't.hsn' },
  ledger: {
    from: 'ledgers',
    code: 't.code',
    name: 't.name',
    note: 't.nature',
    where: 'not t.is_group and not is_computed(t.role)',
  },
  moneyLedger: {
    from: 'ledgers',
    code: 't.code',
    name: 't.name',
    note: 't.nature',
    where: 'not t.is_group and not is_computed(t.role)',
    use: 'moneyLedger',
  },
  entryLedger: {
    from: 'ledgers',
    code: 't.code',
    name: 't.name',
    note: 't.nature',
    where: 'not t.is_group and not is_computed(t.role)',
    use: 'lineLedger',
  },
  cashMovedLedger: {
    from: 'ledgers',
    code: 't.code',
    name: 't.name',
    note: 't.nature',
    where: 'not t.is_group and not is_computed(t.role)',
    use: 'cashMovedLedger',
  },
  plainLedger: {
    from: 'ledgers',
    code: 't.code',
    name: 't.name',
    note: 't.nature',
    where: 'not t.is_group and not is_computed(t.role)',
    without: ['stock', 'customer', 'supplier'],
  },
  journalLedger: {
    from: 'ledgers',
    code: 't.code',
    name: 't.name',
    note: 't.nature',
    where: 'not t.is_group and not is_computed(t.role)',
    without: ['stock'],
    withoutEffects: [...betweenBranches, ...restated],
  },
  ownerLedger: {
    from: 'ledgers',
    code: 't.code',
    name: 't.name',
    note: 't.nature',
    where: `not t.is_group and t.nature = 'equity' and not is_computed(t.role)`,
  },
  accountGroup: { from: 'ledgers', code: 't.code', name: 't.name', note: 't.nature', where: 't.is_group' },
  salePriceList: {
    from: 'masters',
    master: 'priceList',
    code: 't.code',
    name: 't.name',
    note: `''`,
    where: `t.body ->> 'side' = 'sale' and coalesce(t.body ->> 'appliesTo', '') = ''`,
  },
  purchasePriceList: {
    from: 'masters',
    master: 'priceList',
    code: 't.code',
    name: 't.name',
    note: `''`,
    where: `t.body ->> 'side' = 'purchase' and coalesce(t.body ->> 'appliesTo', '') = ''`,
  },
  registration: {
    from: 'registrations',
    code: `coalesce(t.gstin, '')`,
    name: `t.legal_name || ' ' || t.state`,
    note: 't.kind',
  },
  location: { from: 'locations', code: 't.code', name: 't.name', note: `''`, where: 'not t.is_transit' },
  costCentre: { from: 'cost_centres', code: 't.code', name: 't.name', note: `''` },
  user: { from: 'users', code: 't.email', name: 't.name', note: `''` },
  group: { from: 'groups', code: `''`, name: 't.name', note: 't.description' },
  role: { from: 'roles', code: `''`, name: 't.name', note: 't.type_name' },
};
/** What is no table but a list of the product itself. */
const lists: Readonly<Record<string, readonly Picked[]>> = {
  kind: kindNames.map((kind) => ({ id: kind, code: kindOf(kind).code, name: kindOf(kind).label, note: '' })),
  subject: subjects.map(([name, label]) => ({
    id: name,
    code: isKind(name) ? kindOf(name).code : '',
    name: label,
    note: isKind(name) ? 'Document' : 'Master',
  })),
};
const listed = (name: string): readonly Picked[] | undefined => (Object.hasOwn(lists, name) ? lists[name] : undefined);
// a unit is named by its code wherever it is used
const unit = { from: 'masters', id: 't.code', code: 't.code', name: 't.name', note: `''` } as const;
const other = { from: 'masters', code: 't.code', name: 't.name', note: `''` } as const;
const sourceOf = (master: string): Source =>
  (Object.hasOwn(sources, master) ? sources[master] : undefined) ?? (master === 'unit' ? unit : other);

async function rowsOf(
  trx: Trx,
  context: Context,
  master: string,
  condition: ReturnType<typeof sql<unknown>>,
  limit: number,
  first = sql``,
): Promise<Picked[]> {
  const s = sourceOf(master);
  const { rows } = await sql<Picked>`
    select
      ${sql.raw(s.id ?? 't.id')}::text as id, ${sql.raw(s.code)} as code, ${sql.raw(s.name)} as name,
      ${sql.raw(s.note)} as note
    from ${sql.table(s.from)} t
    where t.organisation = ${context.organisation}
      and ${s.from === 'masters' ? sql`t.master = ${s.master ?? master}` : sql`true`}
      and ${sql.raw(s.where ?? 'true')}
      and ${condition}
    order by ${first} lower(${sql.raw(s.code)}), lower(${sql.raw(s.name)})
    limit ${limit}
  `.execute(trx);
  return rows;
}

/** Only locations the user may use; of people only the user, where the list of users shows no others. */
function here({ locations, user, sees }: Context, master: string): RawBuilder<unknown> {
  if (master === 'user' && sees({ master }) === 'own') return sql`t.id = ${user}`;
  if (locations.length === 0) return sql`true`;
  if (master === 'location') return sql`t.id = any(${[...locations]}::uuid[])`;
  return master === 'warehouse' ? sql`t.body ->> 'location' = any(${[...locations]}::text[])` : sql`true`;
}

/** Ledgers that this picker leaves out. */
async function leftOut(
  trx: Trx,
  { organisation, settings }: Context,
  { without = [], withoutEffects = [] }: Source,
): Promise<Id[]> {
  if (without.length === 0 && withoutEffects.length === 0) return [];
  const { rows } = await sql<{ ledgers: Ledgers | null }>`
    select json_object_agg(effect, ledger) as ledgers from posting_map where organisation = ${organisation}
  `.execute(trx);
  const ledgers = rows[0]?.ledgers ?? ({} as Ledgers);
  const controlled = controlledLedgers(ledgers, settings.stockAccounting === 'perpetual' && settings.trackInventory);
  return [
    ...[...controlled].flatMap(([ledger, control]) => (without.includes(control) ? [ledger] : [])),
    ...withoutEffects.flatMap((effect) => (ledgers[effect] ? [ledgers[effect]] : [])),
  ];
}

type PickCall = (typeof lookupCalls)['Pick'];
export async function pick({ master, search, use }: Input<PickCall>, context: Context): Promise<Answer<PickCall>> {
  if (use !== undefined && master !== 'ledger')
    throw new Problems([{ field: 'use', ...say('Only ledgers are picked for a use: leave it out') }]);
  const asked = use ?? sourceOf(master).use;
  const wanted = asked === undefined ? undefined : ledgerUse(asked);
  const own = listed(master);
  if (own) {
    const rows = own.filter(
      ({ id, name }) => !(isKind(id) && kindOf(id).life.system) && name.toLowerCase().includes(search.toLowerCase()),
    );
    return { rows: rows.slice(0, 50), total: rows.length };
  }
  return context.inTransaction(async (trx) => {
    const s = sourceOf(master);
    // who types a code or a whole name means just that one; then what begins so
    const text = search.toLowerCase();
    const best = search
      ? sql`
        (lower(${sql.raw(s.code)}) = ${text} or lower(${sql.raw(s.name)}) = ${text}) desc,
        lower(${sql.raw(s.name)}) like ${likeText(search).slice(1)} desc,
      `
      : sql``;
    const none = await leftOut(trx, context, s);
    const found = await rowsOf(
      trx,
      context,
      master,
      sql`
        t.active
          and ${here(context, master)}
          and ${none.length > 0 ? sql`t.id <> all(${none}::uuid[])` : sql`true`}
          and (
            lower(${sql.raw(s.code)}) like ${likeText(search)} or lower(${sql.raw(s.name)}) like ${likeText(search)}
          )
      `,
      1000,
      best,
    );
    const rows = wanted ? await fitting(trx, context, wanted, found, use) : found;
    return { rows: rows.slice(0, 50), total: rows.length };
  });
}

/** Of these ledgers, those that a use takes. */
async function fitting(
  trx: Trx,
  { organisation }: Context,
  use: LedgerUse,
  found: readonly Picked[],
  effect: string | undefined,
): Promise<readonly Picked[]> {
  const seen = await ledgersSeen(
    trx,
    organisation,
    found.map(({ id }) => id),
    effect,
  );
  return found.filter(({ id }) => {
    const ledger = seen.get(id);
    return ledger && unfit(use, ledger) === undefined;
  });
}

/** The names of what records pick, so that lists show words and not ids. */
export async function namesOf(
  trx: Trx,
  context: Context,
  master: Master,
  all: readonly Values[],
): Promise<Record<string, string>[]> {
  const names = all.map((): Record<string, string> => ({}));
  for (const [key, field] of Object.entries(master.fields)) {
    // a row of a record picks by its columns: each name stands under the id that it is of
    if (field.columns) {
      const rows = all.map((values) => (Array.isArray(values[key]) ? (values[key] as Values[]) : []));
      for (const [column, { pick }] of Object.entries(field.columns)) {
        if (!pick) continue;
        const labels = await labelsOf(
          trx,
          context,
          pick,
          rows.flat().map((row) => row[column]),
        );
        rows.forEach((own, i) => {
          for (const row of own)
            if (names[i] && labels.has(String(row[column])))
              names[i][`${key}.${column}.${row[column]}`] = labels.get(String(row[column])) ?? '';
        });
      }
    }
    if (!field.pick) continue;
    const wanted = [
      ...new Set(
        all.flatMap((v) =>
          Array.isArray(v[key])
            ? (v[key] as string[])
            : typeof v[key] === 'string' && v[key] !== ''
              ? [v[key] as string]
              : [],
        ),
      ),
    ];
    if (wanted.length === 0) continue;
    const labels = await labelsOf(trx, context, field.pick, wanted);
    all.forEach((values, i) => {
      const value = values[key];
      const text = Array.isArray(value)
        ? value.map((id) => labels.get(String(id)) ?? '').join(', ')
        : labels.get(String(value));
      const own = names[i];
      if (text && own) own[key] = text;
      // the form takes one away by its own name
      if (own && Array.isArray(value)) for (const id of value) own[`${key}.${id}`] = labels.get(String(id)) ?? '';
    });
  }
  return names;
}

/** The names of what was picked, by id. */
export async function labelsOf(
  trx: Trx,
  context: Context,
  pick: string,
  picked: readonly unknown[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(picked.filter((id): id is string => typeof id === 'string' && id !== ''))];
  if (wanted.length === 0) return new Map();
  const rows =
    listed(pick) ??
    (await rowsOf(
      trx,
      context,
      pick,
      sql`${sql.raw(sourceOf(pick).id ?? 't.id')}::text = any(${wanted}::text[])`,
      wanted.length,
    ));
  return new Map(rows.map((r) => [r.id, r.name]));
}

/** A ledger that the field does not take. Nothing picked is no ledger. */
async function unfitPick(
  trx: Trx,
  { organisation }: Context,
  field: string,
  use: string,
  picked: readonly string[],
): Promise<Problem[]> {
  const seen = await ledgersSeen(
    trx,
    organisation,
    picked.filter((id) => id !== ''),
  );
  return [...seen.values()].flatMap((ledger) => {
    const message = unfit(ledgerUse(use), ledger);
    return message === undefined ? [] : [{ field, ...message }];
  });
}

type Fields = Master['fields'];

/** Whatever a record picks exists: an unknown id and one of another organisation are the same problem at their field. */
export async function missingPicks(trx: Trx, context: Context, fields: Fields, values: Values): Promise<Problem[]> {
  const problems: Problem[] = [];
  const missing = ({ label }: Field) => say('{{label}} names something that does not exist', { label });
  for (const [key, field] of Object.entries(fields)) {
    const value = values[key];
    const all: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    for (const [column, inner] of Object.entries(field.columns ?? {})) {
      if (!inner.pick) continue;
      const known = await labelsOf(
        trx,
        context,
        inner.pick,
        all.map((one) => (one as Values)[column]),
      );
      all.forEach((one, row) => {
        const id = (one as Values)[column];
        if (id !== undefined && !known.has(String(id)))
          problems.push({ field: `${key}.${column}`, row, ...missing(inner) });
      });
    }
    if (!field.pick || all.length === 0) continue;
    const known = await labelsOf(trx, context, field.pick, all);
    if (all.some((id) => !known.has(String(id)))) problems.push({ field: key, ...missing(field) });
    else {
      const { use } = sourceOf(field.pick);
      if (use) problems.push(...(await unfitPick(trx, context, key, use, all.map(String))));
    }
  }
  return problems;
}

/**
 * The records that texts of a file mean, by their code, their name, or their GSTIN: of each text, in small letters, the ids. A
 * code is one record's; what is active comes before what is not.
 */
export async function referencesFound(
  trx: Trx,
  context: Context,
  pick: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const wanted = [...new Set(texts.map((text) => text.toLowerCase()))];
  const s = sourceOf(pick);
  const rows: readonly (Picked & { readonly also?: string | null; readonly active?: boolean })[] =
    listed(pick) ??
    (
      await sql<Picked & { also: string | null; active: boolean }>`
        select
          ${sql.raw(s.id ?? 't.id')}::text as id, ${sql.raw(s.code)} as code, ${sql.raw(s.name)} as name,
          '' as note, ${sql.raw(s.also ?? 'null')}::text as also, t.active
        from ${sql.table(s.from)} t
        where t.organisation = ${context.organisation}
          and ${s.from === 'masters' ? sql`t.master = ${s.master ?? pick}` : sql`true`}
          and ${sql.raw(s.where ?? 'true')}
          and (
            lower(${sql.raw(s.code)}) = any(${wanted}::text[])
            or lower(${sql.raw(s.name)}) = any(${wanted}::text[])
            or lower(${sql.raw(s.also ?? 'null')}::text) = any(${wanted}::text[])
          )
      `.execute(trx)
    ).rows;
  const means = (text: string): readonly string[] => {
    const by = (of: (row: (typeof rows)[number]) => string | null | undefined): readonly string[] => {
      const found = rows.filter((row) => of(row)?.toLowerCase() === text);
      const active = found.filter((row) => row.active !== false);
      return (active.length > 0 ? active : found).map(({ id }) => id);
    };
    return (
      [(row: Picked) => row.code, ({ also }: { also?: string | null }) => also, (row: Picked) => row.name]
        .map((of) => by(of as (row: (typeof rows)[number]) => string | null | undefined))
        .find((found) => found.length > 0) ?? []
    );
  };
  return new Map(wanted.map((text) => [text, means(text)]));
}

/** The codes of records that others name, or their names where they have none: what a file calls them. */
export async function pickedCodes(
  trx: Trx,
  context: Context,
  pick: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = [...new Set(ids)];
  const rows =
    listed(pick) ??
    (await rowsOf(
      trx,
      context,
      pick,
      sql`${sql.raw(sourceOf(pick).id ?? 't.id')}::text = any(${wanted}::text[])`,
      wanted.length,
    ));
  return new Map(rows.map(({ id, code, name }) => [id, code || name]));
}
