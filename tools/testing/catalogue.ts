import type pg from 'pg';

/** What belongs to an extension is its own matter. */
const ours = (catalogue: string, object: string) => `
  not exists (
    select from pg_depend e
    where e.classid = '${catalogue}'::regclass and e.objid = ${object} and e.deptype = 'e'
  )`;

/** In one of the two schemas of the product: its own, and that of the pretended portals. */
const inside = (schema: string) => `
  ${schema} in (select oid from pg_namespace where nspname in ('public', 'sandbox'))`;

/** Who may do what with an object: one text, in a fixed order, whether the rights were ever granted or are those of its birth. */
const rights = (acl: string, kind: string, owner: string) => `
  (
    select string_agg(
      concat(
        case when r.grantee = 0 then 'public' else pg_get_userbyid(r.grantee) end,
        ' ', lower(r.privilege_type), case when r.is_grantable then ' with grant option' end
      ),
      ', ' order by r.grantee = 0, pg_get_userbyid(r.grantee), r.privilege_type
    )
    from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) r
  )`;

/** One query a sort of object: what it is called, and all that is known of it. */
const sorts: Readonly<Record<string, string>> = {
  extension: `
    select extname as name, extversion as text
    from pg_extension`,
  'right in the schema': `
    select nspname as name, ${rights('nspacl', 'n', 'nspowner')} as text
    from pg_namespace
    where nspname in ('public', 'sandbox')`,
  'default right': `
    select concat(pg_get_userbyid(defaclrole), ' ', defaclobjtype) as name, defaclacl::text as text
    from pg_default_acl`,
  relation: `
    select
      c.oid::regclass as name,
      concat_ws(
        '; ', c.relkind, c.relpersistence, c.reloptions, pg_get_userbyid(c.relowner),
        case when c.relrowsecurity then 'row security' end,
        case when c.relforcerowsecurity then 'forced' end,
        ${rights('c.relacl', 'r', 'c.relowner')},
        obj_description(c.oid, 'pg_class')
      ) as text
    from pg_class c
    where ${inside('c.relnamespace')}
      and c.relkind in ('r', 'p', 'v', 'm', 'c')
      and ${ours('pg_class', 'c.oid')}`,
  column: `
    select
      concat(c.oid::regclass, '.', a.attname) as name,
      concat_ws(
        '; ', row_number() over (partition by c.oid order by a.attnum), format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then 'not null' end,
        'default ' || pg_get_expr(d.adbin, d.adrelid),
        'identity ' || nullif(a.attidentity::text, ''), 'generated ' || nullif(a.attgenerated::text, ''),
        nullif(a.attcollation, 0::oid)::regcollation, a.attstorage, nullif(a.attcompression::text, ''), a.attoptions,
        a.attstattarget, ${rights('a.attacl', 'c', 'c.relowner')},
        col_description(c.oid, a.attnum)
      ) as text
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${inside('c.relnamespace')}
      and c.relkind in ('r', 'p', 'v', 'm', 'c')
      and ${ours('pg_class', 'c.oid')}`,
  constraint: `
    select
      concat(conrelid::regclass, ' ', conname) as name,
      concat_ws(
        '; ', contype, pg_get_constraintdef(oid), convalidated, condeferrable, condeferred,
        -- of several keys that a row breaks the first is reported
        case when contype = 'f' then row_number() over (partition by conrelid, contype order by oid) end
      ) as text
    from pg_constraint
    where ${inside('connamespace')}`,
  index: `
    select indexrelid::regclass::text as name, concat_ws('; ', pg_get_indexdef(indexrelid), indisvalid, indisclustered) as text
    from pg_index
    join pg_class c on c.oid = indexrelid
    where ${inside('c.relnamespace')}`,
  sequence: `
    select
      c.oid::regclass as name,
      concat_ws(
        '; ', format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
        pg_get_userbyid(c.relowner), ${rights('c.relacl', 's', 'c.relowner')}
      ) as text
    from pg_sequence s
    join pg_class c on c.oid = s.seqrelid
    where ${inside('c.relnamespace')}`,
  view: `
    select c.oid::regclass as name, pg_get_viewdef(c.oid) as text
    from pg_class c
    where ${inside('c.relnamespace')}
      and c.relkind in ('v', 'm')
      and ${ours('pg_class', 'c.oid')}`,
  'type with no table': `
    select t.oid::regtype as name, concat_ws('; ', t.typtype, ${rights('t.typacl', 'T', 't.typowner')}) as text
    from pg_type t
    left join pg_class c on c.oid = t.typrelid
    where ${inside('t.typnamespace')}
      and t.typelem = 0
      and coalesce(c.relkind = 'c', true)
      and ${ours('pg_type', 't.oid')}`,
  function: `
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as text
    from pg_proc p
    where ${inside('p.pronamespace')}
      and p.prokind in ('f', 'p')
      and ${ours('pg_proc', 'p.oid')}`,
  'right on a function': `
    select
      p.oid::regprocedure::text as name,
      concat_ws('; ', pg_get_userbyid(p.proowner), ${rights('p.proacl', 'f', 'p.proowner')}) as text
    from pg_proc p
    where ${inside('p.pronamespace')}
      and ${ours('pg_proc', 'p.oid')}`,
  trigger: `
    select concat(tgrelid::regclass, ' ', tgname) as name, concat_ws('; ', pg_get_triggerdef(oid), tgenabled) as text
    from pg_trigger
    where not tgisinternal`,
  policy: `
    select
      concat(tablename, ' ', policyname) as name,
      concat_ws('; ', permissive, roles, cmd, qual, with_check) as text
    from pg_policies
    where schemaname in ('public', 'sandbox')`,
  'table of no organisation': `
    select name, why as text
    from global_tables`,
};

/**
 * All that the schema says, an entry an object: two databases with the same entries are the same but for their rows.
 * Columns come in their order, without the gaps that dropped ones leave.
 */
export async function catalogueOf(client: Pick<pg.ClientBase, 'query'>): Promise<Readonly<Record<string, string>>> {
  const query = Object.entries(sorts)
    .map(([sort, text]) => `select '${sort}' as sort, name::text, text::text from (${text}) s`)
    .join(' union all ');
  const { rows } = await client.query<{ sort: string; name: string; text: string }>(`${query} order by 1, 2`);
  return Object.fromEntries(rows.map(({ sort, name, text }) => [`${sort} ${name}`, text]));
}

type Catalogue = Awaited<ReturnType<typeof catalogueOf>>;

/** What two catalogues have that is not the same, as a list to be read; none: they are the same. */
export const differences = (one: Catalogue, other: Catalogue): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => one[name] !== other[name])
    .sort()
    .map((name) => `${name}: ${one[name] ?? 'missing'} | ${other[name] ?? 'missing'}`);
