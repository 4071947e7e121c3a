import { type RawBuilder, sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import type { partyCalls } from '../../contract/parties.ts';
import { panOfGstin } from '../../domain/tax/gst/registration/gstin.ts';
import { may, parentsOfMaster } from '../access/index.ts';
import type { Context } from '../context.ts';

type Find = (typeof partyCalls)['FindDuplicates'];
type List = (typeof partyCalls)['ListDuplicates'];
type Near = Answer<Find>[number];

/** Parties looked through in one go: each is compared by index. */
const LOOKED_THROUGH = 2000;
const MOST = 20;

interface Row {
  id: string;
  code: string;
  name: string;
  side: string;
  gstin: string | null;
  phone: string | null;
  city: string | null;
  active: boolean;
  version: number;
  why: Near['why'];
}
const near = ({ phone, city, ...row }: Row): Near => ({ ...row, phone: phone ?? '', city: city ?? '' });
const columns = (of: string) =>
  sql.raw(`
    ${of}.id,
    ${of}.code,
    ${of}.name,
    ${of}.side,
    ${of}.gstin,
    ${of}.body ->> 'phone' as phone,
    ${of}.body -> 'addresses' -> 0 ->> 'city' as city,
    ${of}.active,
    ${of}.version
  `);

/** Sides of which the user may read the parties. */
const sides = ({ grants }: Context): readonly string[] => {
  const [customers, suppliers] = [
    may(grants, 'read', parentsOfMaster('customer')),
    may(grants, 'read', parentsOfMaster('supplier')),
  ];
  return [
    ...(customers ? ['customer'] : []),
    ...(suppliers ? ['supplier'] : []),
    ...(customers || suppliers ? ['both'] : []),
  ];
};
const seen = (of: string, context: Context): RawBuilder<boolean> =>
  sql`${sql.raw(of)}.side = any(${sides(context)}::text[])`;

/** Parties that may be the one being typed: same GSTIN, PAN or telephone, or nearly the same name; the surest first. */
export const findDuplicates = ({ id, name, gstin, pan, phone }: Input<Find>, context: Context): Promise<Answer<Find>> =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<Row>`
      with found as (
        select
          id, array_agg(distinct why order by why) as why, count(distinct why) as ways,
          max(likeness) as likeness
        from near_parties(${id ?? null}::uuid, ${name}, ${gstin}, ${pan || (panOfGstin(gstin) ?? '')}, ${phone})
        group by id
      )
      select ${columns('p')}, f.why
      from found f
      join parties p on p.organisation = ${context.organisation} and p.id = f.id
      where ${seen('p', context)}
      order by f.why @> '{gstin}' desc, f.ways desc, f.likeness desc, lower(p.name), p.id
      limit ${MOST}
    `.execute(trx);
    return rows.map(near);
  });

/** Pairs of parties that may be one, in the order of names; two registrations under GST are not one. */
export const listDuplicates = ({ after }: Input<List>, context: Context): Promise<Answer<List>> =>
  context.inTransaction(async (trx) => {
    const [name, last] = after?.split('\u001f') ?? [];
    const begun =
      name !== undefined && last !== undefined ? sql`(lower(t.name), t.id) > (${name}, ${last}::uuid)` : sql`true`;
    const { rows } = await sql<{ one: Row; other: Row; why: Near['why'] }>`
      with
        looked as materialized (
          select t.*
          from parties t
          where t.organisation = ${context.organisation} and t.merged_into is null and t.active and ${begun}
          order by lower(t.name), t.id
          limit ${LOOKED_THROUGH}
        ),
        pairs as (
          select a.id as a, n.id as b, array_agg(distinct n.why order by n.why) as why
          from looked a
          cross join lateral near_parties(a.id, a.name, a.gstin, a.pan, a.body ->> 'phone') n
          where n.id > a.id
          group by 1, 2
        )
      select
        (select to_jsonb(x) from (select ${columns('a')}) x) as one,
        (select to_jsonb(x) from (select ${columns('b')}) x) as other,
        p.why
      from pairs p
      join parties a on a.organisation = ${context.organisation} and a.id = p.a
      join parties b on b.organisation = ${context.organisation} and b.id = p.b
      where b.active
        and (a.gstin is null or b.gstin is null or a.gstin = b.gstin)
        and ${seen('a', context)}
        and ${seen('b', context)}
      order by lower(a.name), a.id, lower(b.name), b.id
    `.execute(trx);
    const end = await sql<{ place: string; id: string; n: string }>`
      select x.*, count(*) over () as n
      from (
        select lower(t.name) as place, t.id
        from parties t
        where t.organisation = ${context.organisation} and t.merged_into is null and t.active and ${begun}
        order by lower(t.name), t.id
        limit ${LOOKED_THROUGH}
      ) x
      order by x.place desc, x.id desc
      limit 1
    `.execute(trx);
    const [edge] = end.rows;
    return {
      pairs: rows.map(({ one, other, why }) => ({ one: near({ ...one, why }), other: near({ ...other, why }), why })),
      after: edge && Number(edge.n) === LOOKED_THROUGH ? `${edge.place}\u001f${edge.id}` : null,
    };
  });
