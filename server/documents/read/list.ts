import { sql } from 'kysely';
import type { z } from 'zod';
import type { Input } from '../../../contract/contract.ts';
import type { documents, listRow } from '../../../contract/documents.ts';
import { moneyText } from '../../../domain/base/decimal.ts';
import { say } from '../../../domain/base/say.ts';
import { type KindName, kindOf } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { stateOf } from '../../../domain/document/lives.ts';
import type { StageColour } from '../../../domain/workflow/definition.ts';
import { totalShown } from '../../access/index.ts';
import type { Context } from '../../context.ts';
import { Problems } from '../../kit/problems.ts';
import { kindAsked } from '../posting/kinds.ts';
import { worthNow } from '../stock/at-cost.ts';
import { fulfilment, type Happened, statusFilter, statusOf } from './status.ts';

type Asked = Input<(typeof documents)['GetTransationsList']>;
const PAGE = 50;
/** Where the first document begins, for a page that drafts have filled. */
const BEFORE_ALL = { date: '9999-12-31', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

interface Row extends Happened {
  id: string;
  kind: string;
  number: string;
  date: string;
  party_name: string;
  total: string;
  currency: string;
  einvoice: string | null;
  reference: string | null;
  destination: string | null;
  additional: Record<string, string> | null;
  stage: string | null;
  colour: StageColour | null;
}

/**
 * A page of documents, newest first, from a cursor: as fast in the middle of a million as at the start. Drafts stand
 * before the first page.
 */
export async function listDocuments(input: Asked, context: Context) {
  const kind = kindAsked(input.Type);
  const row = kindOf(kind);
  if (input.Stage && !row.life.flow)
    throw new Problems([{ field: 'Stage', ...say('{{row}} have no stages: leave this out', { row: row.plural }) }]);
  const start = input.start ?? 1;
  // rows asked for one by one come as asked; a page is as long as it says
  const limit = input.end ? input.end - start + 1 : (input.pagesize ?? PAGE);
  const skip = input.after ? 0 : input.start || input.end ? start - 1 : ((input.pageNo ?? 1) - 1) * limit;
  const [date, id] = (input.after ?? '').split('|');
  const search = input.Search?.trim();
  const ofDrafts = input.Status !== undefined && Object.hasOwn(draftStates, input.Status);
  return context.inTransaction(async (trx) => {
    // drafts are the first rows: a page of documents begins after them
    const allDrafts =
      input.after || input.Stage || (input.Status && !ofDrafts) ? [] : await draftRows(trx, context, kind, input);
    const drafts = allDrafts.slice(skip, skip + limit);
    const left = limit - drafts.length;
    const { rows } = await sql<Row>`
      select
        d.id, d.kind, d.number, d.date, coalesce(o.due_date, d.due_date) as due_date, d.party_name,
        coalesce(v.worth, d.total) as total, o.open, o.original, f.wanted, f.taken, f.given_up, d.currency,
        e.state as einvoice, d.reference, t.name as destination,
        d.body -> 'draft' -> 'additional' as additional, g.stage ->> 'name' as stage,
        g.stage ->> 'colour' as colour,
        exists (
          select from cancellations c where c.organisation = d.organisation and c.document = d.id
        ) as cancelled
      from documents d
      left join open_items o on o.organisation = d.organisation and o.document = d.id and o.line = 0
      left join einvoices e on e.organisation = d.organisation and e.document = d.id
      left join locations t
        on t.organisation = d.organisation
          and t.id = d.to_location ${fulfilment(row)} ${staged(row)} ${worthNow(row)}
      where d.organisation = ${context.organisation}
        and d.kind = ${kind}
        and ${date && id ? sql`(d.date, d.id) < (${date}::date, ${id}::uuid)` : sql`true`}
        and ${input.FromDate ? sql`d.date >= ${input.FromDate}::date` : sql`true`}
        and ${input.ToDate ? sql`d.date <= ${input.ToDate}::date` : sql`true`}
        and ${
          input.party
            ? sql`
          d.party = any(party_family(${context.organisation}, ${input.party}::uuid))
        `
            : sql`true`
        }
        and ${
          context.locations.length > 0
            ? sql`
          (
            d.location = any(${[...context.locations]}::uuid[])
              or d.to_location = any(${[...context.locations]}::uuid[])
          )
        `
            : sql`true`
        }
        and ${context.sees({ kind }) === 'own' ? sql`d.author = ${context.user}` : sql`true`}
        and ${
          search
            ? sql`
          (
            upper(d.number) like ${`%${likeText(search.toUpperCase())}%`}
              or lower(d.party_name) like ${`%${likeText(search.toLowerCase())}%`}
              or d.reference = ${search}
          )
        `
            : sql`true`
        }
        and ${statusFilter(row, input.Status, context.today)}
        and ${input.Stage && row.life.flow ? sql`g.stage ->> 'key' = ${input.Stage}` : sql`true`}
      order by d.date desc, d.id desc
      offset ${Math.max(0, skip - allDrafts.length)}
      limit ${left + 1}
    `.execute(trx);
    const page = rows.slice(0, left);
    const last = rows.length > left ? (page.at(-1) ?? BEFORE_ALL) : undefined;
    return {
      rows: [...drafts, ...(ofDrafts ? [] : page.map((r) => rowText(row, r, context)))],
      after: last && !ofDrafts ? `${last.date}|${last.id}` : null,
    };
  });
}

/** A join that adds where an order stands (`stage`, as its version has it) to documents `d`; nothing for kinds that go through none. */
const staged = ({ life }: Kind) =>
  life.flow === undefined
    ? sql`cross join (select null::jsonb as stage) g`
    : sql`
      left join lateral (
        select workflow_stage(w.stages, s.stage) as stage
        from workflow_orders s
        join workflows w on w.organisation = s.organisation and w.id = s.workflow
        where s.organisation = d.organisation and s.document = d.id
      ) g on true
    `;

const likeText = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`);

const rowText = (
  kind: Kind,
  r: Row,
  context: Pick<Context, 'grants' | 'limits' | 'today'>,
): z.input<typeof listRow> => ({
  id: r.id,
  kind: r.kind,
  number: r.number,
  date: r.date,
  dueDate: r.due_date,
  party: r.party_name,
  status: statusOf(kind, r, context.today),
  total: totalShown(context, r.kind, moneyText(Number(r.total))),
  open: r.open === null ? null : moneyText(Number(r.open)),
  currency: r.currency,
  einvoice: r.einvoice,
  reference: r.reference,
  destination: r.destination,
  stage: r.stage === null ? null : { name: r.stage, colour: r.colour ?? 'neutral' },
  draft: false,
  additional: r.additional ?? {},
});

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Which drafts a status means. */
const draftStates: Readonly<Record<string, ReturnType<typeof sql>>> = {
  draft: sql`true`,
  pendingApproval: sql`d.submitted_at is not null`,
  rejected: sql`d.rejected_at is not null`,
};

/** The user's own drafts, and drafts of others that wait for their approval. */
async function draftRows(
  trx: Trx,
  context: Context,
  kind: KindName,
  { Search, Status, party, FromDate, ToDate }: Asked,
): Promise<z.input<typeof listRow>[]> {
  const search = Search?.trim();
  // what goods cost is known when they move
  const unknown = kindOf(kind).stock.valued !== undefined;
  const { rows } = await sql<{
    id: string;
    version: number;
    date: string | null;
    party: string | null;
    total: string | null;
    currency: string | null;
    destination: string | null;
    additional: Record<string, string> | null;
    waits: boolean;
    rejected: boolean;
    within: boolean;
  }>`
    select
      d.id, d.version, d.submitted_at is not null as waits, d.rejected_at is not null as rejected,
      d.body ->> 'date' as date, coalesce(p.name, d.body ->> 'partyName') as party,
      d.body ->> 'total' as total, d.body ->> 'currency' as currency, t.name as destination,
      d.body -> 'additional' as additional,
      coalesce(
        coalesce(nullif(d.body ->> 'toRegistration', ''), t.registration::text) = d.body ->> 'registration', true
      ) as within
    from drafts d
    left join parties p on p.organisation = d.organisation and p.id::text = d.body ->> 'party'
    left join locations t on t.organisation = d.organisation and t.id::text = d.body ->> 'toLocation'
    where d.organisation = ${context.organisation}
      and d.kind = ${kind}
      and (
        d.author = ${context.user}
          or (
            d.submitted_at is not null
              and ${context.may('approve', kind)}
              and ${context.locations.length > 0 ? sql`d.body ->> 'location' = any(${[...context.locations]}::text[])` : sql`true`}
          )
      )
      and ${draftStates[Status ?? ''] ?? sql`true`}
      and ${search ? sql`lower(p.name) like ${`%${likeText(search.toLowerCase())}%`}` : sql`true`}
      and ${party ? sql`d.body ->> 'party' = ${party}` : sql`true`}
      and ${FromDate ? sql`d.body ->> 'date' >= ${FromDate}` : sql`true`}
      and ${ToDate ? sql`d.body ->> 'date' <= ${ToDate}` : sql`true`}
      and ${
        context.locations.length > 0
          ? sql`
        coalesce(d.body ->> 'location' = any(${[...context.locations]}::text[]), true)
      `
          : sql`true`
      }
    order by d.updated_at desc, d.id desc
    limit 50
  `.execute(trx);
  return rows.map((r) => ({
    id: r.id,
    kind,
    number: '',
    date: /^\d{4}-\d{2}-\d{2}$/.test(r.date ?? '') ? (r.date ?? context.today) : context.today,
    dueDate: null,
    party: r.party ?? '',
    status: stateOf(
      kindOf(kind),
      { draft: true, ...((r.waits || r.rejected) && { approval: r.waits ? 'requested' : 'rejected' }) },
      context.today,
    ),
    total: unknown && r.within ? null : (r.total ?? '0.00'),
    open: null,
    currency: r.currency ?? 'INR',
    einvoice: null,
    reference: null,
    destination: r.destination,
    stage: null,
    draft: true,
    version: r.version,
    additional: r.additional ?? {},
  }));
}
