import type pg from 'pg';

export const LOGGED = {
  id: 'INV-44d',
  says: 'Each record of a table that the edit log keeps is as the log left it: none is changed, added or gone besides',
} as const;

interface Logged {
  readonly name: string;
  /** Columns that name a record. */
  readonly key: readonly string[];
  /** Columns that follow from others, or are kept out of the log. */
  readonly left: readonly string[];
  /** What a column has in records that were logged before there was this column; null: nobody can say. */
  readonly defaults: Readonly<Record<string, string | null>>;
}

/** Every table whose rows the edit log keeps from their birth, as the database itself says. */
async function loggedTables(client: pg.ClientBase): Promise<readonly Logged[]> {
  const { rows } = await client.query<Logged>(`
    select
      c.relname as name,
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
          and (a.attgenerated <> '' or a.attname in ('secret', 'search'))
      ) as "left",
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
      and t.tgname = 'log_change'
      and t.tgqual is null
      and t.tgtype & 4 = 4
      and t.tgparentid = 0
    order by 1
  `);
  return rows;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What is left of a record without these columns. */
const without = (json: string, columns: readonly string[]): string =>
  columns.length === 0 ? json : `${json} - array[${columns.map(quoted).join(', ')}]::text[]`;

/** The key of a record, as one text, out of the record as JSON. */
const keyOf = (json: string, { key }: Logged): string =>
  `jsonb_build_array(${key.map((column) => `${json} ->> ${quoted(column)}`).join(', ')})::text`;

/** A record as it is compared: typed by its table, so that an instant is the same in whatever zone it was written down. */
const compared = (json: string, { name, left, defaults }: Logged): string => {
  const usual = Object.entries(defaults).map(
    ([column, value]) => `${quoted(column)}, ${value === null ? `t.now -> ${quoted(column)}` : `to_jsonb(${value})`}`,
  );
  const whole = usual.length > 0 ? `jsonb_build_object(${usual.join(', ')}) || ${json}` : json;
  return without(`to_jsonb(jsonb_populate_record(null::public.${name}, ${whole}))`, left);
};

/** The rows that break it, as one query over one reading of the log. */
export async function loggedCheck(client: pg.ClientBase): Promise<string> {
  const tables = await loggedTables(client);
  const names = tables.map(({ name }) => quoted(name)).join(', ');
  const key = (json: string) =>
    `case relation ${tables.map((table) => `when ${quoted(table.name)} then ${keyOf(json, table)}`).join(' ')} end`;
  const each = tables.map(
    (table) => `
      select coalesce(t.organisation, l.organisation) as organisation,
             format('%s %s %s', ${quoted(table.name)}, coalesce(t.key, l.key),
                    case when t.now is null then 'is gone, and the log knows of no deletion'
                         when l.after is null then 'is there, and the log does not know it'
                         else 'is not as the log left it' end) as what
        from (select organisation, key, after from latest where relation = ${quoted(table.name)} and after is not null) l
        full join (select r.organisation, r.now, ${keyOf('r.now', table)} as key
                     -- offset 0: each row is made JSON once
                     from (select organisation, to_jsonb(o) as now from public.${table.name} o offset 0) r) t
          on t.organisation = l.organisation and t.key = l.key
       where t.now is null
          or l.after is null
          or case when ${without('t.now', table.left)} = ${without('l.after', table.left)} then false
                  else ${without('t.now', table.left)} is distinct from ${compared('l.after', table)} end`,
  );
  return `
    with
      changes as materialized (
        select organisation, id, relation, before, after
        from edit_log
        where relation in (${names}) and action in ('insert', 'update', 'delete')
      ),
      known as (
        select organisation, id, relation, ${key('after')} as key, after
        from changes
        where after is not null
        union all
        select organisation, id, relation, ${key('before')}, null
        from changes
        where before is not null and (after is null or ${key('before')} <> ${key('after')})
      ),
      latest as materialized (
        select distinct on (organisation, relation, key) organisation, relation, key, after
        from known
        order by organisation, relation, key, id desc, after nulls last
      ) ${each.join(' union all ')}
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
