import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { root } from './migrate.ts';

/**
 * What the database's own catalogue says of row security (which rows a role sees), of the guards (what may be done with them)
 * and of the tables (columns, keys, checks), one row for each object: its part, its name, and how it was made. Owners are
 * compared with the owner of `migrations`, whatever its name is. What an extension brings is left out.
 */
export const catalogueRows = `
  select 'rowSecurity' as part, format('table %s', c.relname) as name,
         concat_ws(
           ', ',
           case when c.relowner = o.relowner then 'owner' else 'of ' || pg_get_userbyid(c.relowner) end,
           case when c.relrowsecurity then 'row-level security' end,
           case when c.relforcerowsecurity then 'forced' end
         ) as made
  from pg_class c
  cross join owner o
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  union all
  select 'rowSecurity', format('policy %s on %s', p.polname, c.relname),
         format(
           '%s, command %s, to %s, using %s, check %s',
           case when p.polpermissive then 'permissive' else 'restrictive' end,
           p.polcmd,
           (
             select string_agg(case when r = 0 then 'public' else pg_get_userbyid(r)::text end, ' ' order by 1)
             from unnest(p.polroles) r
           ),
           coalesce(pg_get_expr(p.polqual, p.polrelid), 'nothing'),
           coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'nothing')
         )
  from pg_policy p
  join pg_class c on c.oid = p.polrelid
  where c.relnamespace = 'public'::regnamespace
  union all
  select 'rowSecurity', format('membership of bahi_app in %s', r.rolname), 'granted'
  from pg_auth_members m
  join pg_roles r on r.oid = m.roleid
  where m.member = 'bahi_app'::regrole
  union all
  select 'guards', format('trigger %s on %s', t.tgname, c.relname),
         format('%s, enabled %s', pg_get_triggerdef(t.oid), t.tgenabled)
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  union all
  select 'guards', format('rule %s on %s', r.rulename, c.relname), pg_get_ruledef(r.oid)
  from pg_rewrite r
  join pg_class c on c.oid = r.ev_class
  where c.relnamespace = 'public'::regnamespace and r.rulename <> '_RETURN'
  union all
  select 'guards', format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)),
         concat_ws(
           ', ',
           case when p.proowner = o.relowner then 'owner' else 'of ' || pg_get_userbyid(p.proowner) end,
           case when p.prosecdef then 'security definer' end,
           encode(sha256(convert_to(pg_get_functiondef(p.oid), 'UTF8')), 'hex')
         )
  from pg_proc p
  cross join owner o
  where p.pronamespace = 'public'::regnamespace
    and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select 'guards', format('grant on %s to %s', g.object, case when a.grantee = 0 then 'everybody' else 'bahi_app' end),
         string_agg(
           a.privilege_type || case when a.is_grantable then ' with grant option' else '' end, ', '
           order by a.privilege_type
         )
  from (
    select format('%s %s', case c.relkind when 'S' then 'sequence' else 'table' end, c.relname) as object,
           coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner)) as acl
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    union all
    select format('column %s of %s', a.attname, c.relname), a.attacl
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attacl is not null and not a.attisdropped
    union all
    select format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)),
           coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select 'schema public', coalesce(n.nspacl, acldefault('n', n.nspowner))
    from pg_namespace n
    where n.nspname = 'public'
  ) g
  cross join lateral aclexplode(g.acl) a
  where a.grantee in (0, 'bahi_app'::regrole)
  group by g.object, a.grantee
  union all
  select 'tables', format('column %s of %s', a.attname, c.relname),
         concat_ws(
           ' ',
           format_type(a.atttypid, a.atttypmod),
           case when a.attnotnull then 'not null' end,
           case when d.oid is not null
             then case a.attgenerated when '' then 'default ' else 'generated ' end || pg_get_expr(d.adbin, d.adrelid)
           end
         )
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  union all
  select 'tables', format('constraint %s of %s', k.conname, c.relname), pg_get_constraintdef(k.oid)
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c', 'x')
  union all
  select 'tables', format('unique index %s', i.relname), pg_get_indexdef(i.oid)
  from pg_index x
  join pg_class i on i.oid = x.indexrelid
  where i.relnamespace = 'public'::regnamespace
    and x.indisunique
    and not exists (select from pg_constraint k where k.conindid = i.oid)
`;

/** The query of the rows is built on this. */
const OWNER = `owner as (select relowner from pg_class where oid = 'public.migrations'::regclass)`;

export type Part = 'rowSecurity' | 'guards' | 'tables';
/** How each object was made, by its part and its name. */
export type Catalogue = Readonly<Record<Part, Readonly<Record<string, string>>>>;

/** What is different from what the product's own migrations make: parameters are the names and how they were made. */
export const differing = (part: Part): string => `
  with
    ${OWNER},
    here as (select name, made from (${catalogueRows}) c where part = '${part}'),
    made as (select name, made from unnest($1::text[], $2::text[]) m(name, made))
  select
    null::int as organisation,
    case
      when h.name is null then format('%s is gone', m.name)
      when m.name is null then format('%s is there, and the product makes none: %s', h.name, h.made)
      else format('%s is not as the product makes it: %s', h.name, h.made)
    end as what
  from made m
  full join here h using (name)
  where h.made is distinct from m.made
`;

/** What is there, as the file keeps it. */
export async function catalogueOf(client: pg.ClientBase | pg.Pool): Promise<Catalogue> {
  const { rows } = await client.query<{ part: Part; name: string; made: string }>(
    `with ${OWNER} select part, name, made from (${catalogueRows}) c order by name collate "C"`,
  );
  const of = (part: Part) => Object.fromEntries(rows.filter((r) => r.part === part).map((r) => [r.name, r.made]));
  return { rowSecurity: of('rowSecurity'), guards: of('guards'), tables: of('tables') };
}

/** Written by the test of this module out of a database that was just migrated (`-u` writes it again). */
export const catalogueFile = (): string => path.join(root(), 'db/catalogue.json');

let read: Catalogue | undefined;
/** What the migrations of this version make. */
export const madeCatalogue = (): Catalogue =>
  (read ??= JSON.parse(fs.readFileSync(catalogueFile(), 'utf8')) as Catalogue);
