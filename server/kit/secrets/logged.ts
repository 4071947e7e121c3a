import type pg from 'pg';

export const LOGGED = {
  id: 'INV-44d',
  says: 'Each record with an edit log, also secrets and people, is as the log left it: none was changed, added or removed without it',
} as const;

interface Logged {
  readonly name: string;
  /** Columns that name a record. */
  readonly key: readonly string[];
  /** Columns that follow from others, or that the log keeps a digest of alone. */
  readonly left: readonly string[];
  /** Columns of which the log keeps the digest: secrets, and what was said to a portal. */
  readonly digested: readonly string[];
  /** Which of its rows are logged, as a condition. */
  readonly only: string;
  /** What a column has in records that were logged before there was this column; null: nobody can say. */
  readonly defaults: Readonly<Record<string, string | null>>;
}

/**
 * Tables of which the log keeps some rows alone, by triggers with a condition. The main code of an item is in the log with its
 * item (INV-44f compares them); what a document was made from it says itself (INV-93).
 */
const partly: Readonly<Record<string, string>> = { item_barcodes: 'not main', document_links: "role = 'revision'" };

/** What the log keeps of rows that belong to no organisation, once for each that names the person (ADR 61). */
const ofPeople: readonly { readonly name: string; readonly key: readonly string[]; readonly rows: string }[] = [
  {
    name: 'people',
    key: ['person'],
    rows: 'select u.organisation, person_record(p) as now from users u join people p on p.id = u.person',
  },
  {
    name: 'recovery_codes',
    key: ['person', 'code_digest'],
    rows: 'select u.organisation, recovery_code_record(c) as now from users u join recovery_codes c on c.person = u.person',
  },
];

/** Columns that a migration renamed: records that were logged before have the former name (0017). */
const renamed: Readonly<Record<string, readonly (readonly [former: string, now: string])[]>> = {
  parties: [['heir', 'merged_into']],
};

/** A record of the log under the names that its columns have now. */
const underNamesOfNow = (json: string, table: string): string =>
  (renamed[table] ?? []).reduce(
    (record, [former, now]) =>
      `case when ${json} ? ${quoted(former)}
            then ${record} || jsonb_build_object(${quoted(now)}, ${json} -> ${quoted(former)})
            else ${record} end`,
    json,
  );

/** Columns of which the log keeps the digest alone, as the function `logged_record` has them. */
const DIGESTED = ['secret', 'request', 'response'];

/** Every table whose rows the edit log keeps from their birth, as the database itself says. */
async function loggedTables(client: pg.ClientBase): Promise<readonly Logged[]> {
  const { rows } = await client.query<Logged>(
    `
    select
      c.relname as name,
      coalesce($1::jsonb ->> c.relname, 'true') as only,
      (
        select array_agg(a.attname::text order by a.attnum)
        from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])
        where i.indrelid = c.oid and i.indisprimary
      ) as key,
      (
        select coalesce(array_agg(a.attname::text), '{}')
        from pg_attribute a
        where a.attrelid = c.oid
          and a.attnum > 0
          and not a.attisdropped
          and (a.attgenerated <> '' or a.attname = any($2 || array['search']))
      ) as "left",
      (
        select coalesce(array_agg(a.attname::text), '{}')
        from pg_attribute a
        where a.attrelid = c.oid and a.attname = any($2)
      ) as digested,
      (
        select coalesce(
          jsonb_object_agg(
            a.attname, case when pg_get_expr(d.adbin, d.adrelid) !~ '[(]' then pg_get_expr(d.adbin, d.adrelid) end
          ),
          '{}'
        )
        from pg_attribute a
        join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and not a.attisdropped and a.attgenerated = ''
      ) as defaults
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public'
      and (t.tgname = 'log_change' and t.tgqual is null or t.tgname = 'log_change_new' and $1::jsonb ? c.relname)
      and t.tgtype & 4 = 4
      and t.tgparentid = 0
    order by 1
  `,
    [JSON.stringify(partly), DIGESTED],
  );
  return rows;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What is left of a record without these columns. */
const without = (json: string, columns: readonly string[]): string =>
  columns.length === 0 ? json : `${json} - array[${columns.map(quoted).join(', ')}]::text[]`;

/** The key of a record, as one text, out of the record as JSON. */
const keyOf = (json: string, { key }: { readonly key: readonly string[] }): string =>
  `jsonb_build_array(${key.map((column) => `${json} ->> ${quoted(column)}`).join(', ')})::text`;

/**
 * A record of the log as it is compared: typed by its table, so that an instant is the same in whatever zone it was written down.
 * `later` is a later state of it, which says what a column has that was added since.
 */
const compared = (json: string, later: string, { name, left, digested, defaults }: Logged): string => {
  const usual = Object.entries(defaults).map(
    ([column, value]) =>
      `${quoted(column)}, ${value === null ? `${later} -> ${quoted(column)}` : `to_jsonb(${value})`}`,
  );
  const known = underNamesOfNow(json, name);
  const whole = usual.length > 0 ? `jsonb_build_object(${usual.join(', ')}) || ${known}` : known;
  const typed = without(`to_jsonb(jsonb_populate_record(null::public.${name}, ${whole}))`, left);
  const digests = digested.map((column) => `'${column}_digest', ${json} -> '${column}_digest'`);
  return digests.length > 0 ? `(${typed}) || jsonb_build_object(${digests.join(', ')})` : typed;
};

/** A record as it is in its table now, in the form of the log. */
const present = (json: string, { left, digested }: Logged): string =>
  digested.length > 0
    ? `logged_record(${without(
        json,
        left.filter((column) => !digested.includes(column)),
      )})`
    : without(json, left);

/** Records of one relation that are not as the log left them. `rows` gives what is there now; `same` whether two records are one. */
const strays = (name: string, rows: string, key: { readonly key: readonly string[] }, same: string): string => `
      select coalesce(t.organisation, l.organisation) as organisation,
             format('%s %s %s', ${quoted(name)}, coalesce(t.key, l.key),
                    case when t.now is null then 'is gone, and the log knows of no deletion'
                         when l.after is null then 'is there, and the log does not know it'
                         else 'is not as the log left it' end) as what
        from (select organisation, key, state as after from latest where relation = ${quoted(name)} and state is not null) l
        full join (select r.organisation, r.now, ${keyOf('r.now', key)} as key
                     -- offset 0: each row is made JSON once
                     from (${rows} offset 0) r) t
          on t.organisation = l.organisation and t.key = l.key
       where t.now is null
          or l.after is null
          or not (${same})`;

/** The rows that break it, as one query over one reading of the log. */
export async function loggedCheck(client: pg.ClientBase): Promise<string> {
  const tables = await loggedTables(client);
  const all = [...tables, ...ofPeople];
  const names = all.map(({ name }) => quoted(name)).join(', ');
  const key = (json: string) =>
    `case relation ${all.map((table) => `when ${quoted(table.name)} then ${keyOf(json, table)}`).join(' ')} end`;
  const each = [
    ...tables.map((table) =>
      strays(
        table.name,
        `select organisation, to_jsonb(o) as now from public.${table.name} o where ${table.only}`,
        table,
        `case when ${present('t.now', table)} = ${without('l.after', table.left)} then true
              else ${present('t.now', table)} is not distinct from ${compared('l.after', 't.now', table)} end`,
      ),
    ),
    ...ofPeople.map((of) => strays(of.name, of.rows, of, 't.now = l.after')),
  ];
  // who changes a record behind the log has it logged by the next one who saves it: what was there before is not what was logged
  const typed = `case relation ${tables
    .map(
      (table) =>
        `when ${quoted(table.name)} then ${compared('left_at', 'found', table)} is distinct from ${compared('found', 'found', table)}`,
    )
    .join(' ')} else true end`;
  return `
    with
      changes as materialized (
        select organisation, id, relation, before, after
        from edit_log
        where relation in (${names}) and action in ('insert', 'update', 'delete')
      ),
      known as (
        select organisation, id, 0 as side, relation, ${key('before')} as key, before as state
        from changes
        where before is not null
        union all
        select organisation, id, 1, relation, ${key('after')}, after
        from changes
        where after is not null
        union all
        select organisation, id, 2, relation, ${key('before')}, null
        from changes
        where before is not null and (after is null or ${key('before')} <> ${key('after')})
      ),
      latest as materialized (
        select distinct on (organisation, relation, key) organisation, relation, key, state
        from known
        where side > 0
        order by organisation, relation, key, id desc, side
      ),
      steps as (
        select
          organisation, relation, key, side, state as found,
          lag(state) over (partition by organisation, relation, key order by id, side) as left_at
        from known
      ) ${each.join(' union all ')}
    union all
    select organisation, format('%s %s was changed between two records of the log', relation, key)
    from (select * from steps where side = 0 and found <> left_at offset 0) s
    where ${typed}
    union all
    select null, format('%s is no longer logged', relation)
    from (select distinct relation from edit_log where action in ('insert', 'update', 'delete')) l
    where to_regclass('public.' || quote_ident(relation)) is not null
      and not exists (
        select from pg_trigger t
        where t.tgrelid = to_regclass('public.' || quote_ident(relation)) and t.tgname like 'log_change%'
      )
  `;
}
