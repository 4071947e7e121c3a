import { sql } from 'kysely';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { among, type Query } from './report.ts';

interface Found {
  readonly id: string;
  readonly date: string;
  readonly document: string;
  readonly kind: string;
  readonly number: string;
  readonly party: string;
  readonly warning: string;
  readonly reason: string;
  readonly who: string | null;
  readonly at: string;
}

/** Documents that were posted with a warning for which somebody gave a reason, the newest first. */
export const acceptedWarnings: Query = async (db, { organisation, filters, after, limit, places, author }) => {
  const [day = '', document = ''] = /^\d{4}-\d\d-\d\d\/[0-9a-f-]{36}$/.test(after ?? '')
    ? (after ?? '').split('/')
    : [];
  const { rows } = await sql<Found>`
    select d.id, d.date::text as date, d.id as document, d.kind, d.number, d.party_name as party,
           w.warning ->> 'message' as warning, w.warning ->> 'reason' as reason, u.name as who,
           to_char(d.posted_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI:SS') as at
      from (
        select *
          from documents
         where organisation = ${organisation}
           and date between ${filters.from}::date and ${filters.to}::date
           and jsonb_path_exists(body, '$.warnings[*].reason')
           and ${among('location', places)}
           and ${author ? sql`author = ${author}::uuid` : sql`true`}
           and ${day ? sql`(date, id) < (${day}::date, ${document}::uuid)` : sql`true`}
         order by date desc, id desc
         limit ${limit + 1}
      ) d
      cross join lateral jsonb_array_elements(d.body -> 'warnings') with ordinality as w (warning, place)
      left join users u on u.organisation = d.organisation and u.id = coalesce((w.warning ->> 'by')::uuid, d.author)
     where w.warning ? 'reason'
     order by d.date desc, d.id desc, w.place`.execute(db);
  const documents = [...new Set(rows.map(({ id }) => id))];
  const shown = new Set(documents.slice(0, limit));
  const page = rows.filter(({ id }) => shown.has(id));
  const last = documents.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map(({ id: _, who, kind, ...row }) => ({
      ...row,
      ...{ kind, kindLabel: kindLabel(kind), who: who ?? '' },
    })),
    totals: {},
    after: last ? `${last.date}/${last.id}` : null,
    notes: [],
  };
};
