import type pg from 'pg';
import { Refusal } from '../../../contract/errors.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import { registers } from '../../../domain/books/registers.ts';
import type { Id } from '../../../domain/document/document.ts';
import { kindLabel } from '../../../domain/document/kinds/index.ts';
import { Problems } from '../../kit/problems.ts';
import { type Named, numberIf } from '../read/may-read.ts';
import { inIff } from './cancelling/alternatives.ts';
import { amountsTaken, taxDeposited, throughBank } from './cancelling/cancel.ts';
import { chosen } from './facts/facts.ts';
import { type OrganisationSnapshot, seriesAt } from './snapshot.ts';
import { MadeMeanwhile, type PostingRequest } from './types.ts';

/**
 * Constraints that a user can meet, in words; the rest are bugs. What the words name is read in a transaction of its
 * own: the one that failed is over.
 */
export async function explained(
  client: pg.PoolClient,
  all: readonly PostingRequest[],
  snapshot: OrganisationSnapshot | undefined,
  error: unknown,
): Promise<unknown> {
  const { code, constraint } = error as pg.DatabaseError;
  const [asked] = all;
  // of several, each is asked again alone, and named then
  if (!asked || all.length > 1) return error;
  if (code === 'BR130' || (code === '23505' && constraint === 'documents_pkey')) return draftGone(client, asked);
  if (code === '23505' && constraint === 'documents_number' && snapshot)
    return asked.number !== undefined
      ? new Refusal('numberTaken', { number: asked.number })
      : seriesMet(client, asked, snapshot);
  if (error instanceof MadeMeanwhile || (constraint !== undefined && constraint in barring))
    return barred(client, asked, error instanceof MadeMeanwhile ? 'cancellations_landed' : (constraint ?? ''));
  return inWords(error, asked);
}

const madeFromIt = (document: string | Said): Said =>
  say('{{document}} was made from it: cancel that first', { document });

/** What bars a cancellation, by the constraint that found it: where the document is read, and the message. */
const barring: Readonly<
  Record<string, { readonly ids: string; readonly reason: (document: string | Said, kind: string) => Said }>
> = {
  cancellations_landed: {
    ids: `select k.target
            from document_links k
           where k.organisation = $1 and k.source = $2 and k.role in ('source', 'order')
          union all
          select x.document from document_lines x where x.organisation = $1 and x.source_document = $2`,
    reason: madeFromIt,
  },
  cancellations_taken: {
    ids: 'select note_taken($1, $2)',
    reason: (document, kind) => say('{{taken}}: cancel that first', { taken: amountsTaken(kind, document) }),
  },
  cancellations_deposited: {
    ids: 'select p.challan from tax_challan_parts p where p.organisation = $1 and p.document = $2',
    reason: (document) => taxDeposited(document),
  },
};

/** Names the document that came between; one that is gone again by now is named by no more than that it is another one. */
async function barred(client: pg.PoolClient, asked: PostingRequest, constraint: string): Promise<Refusal> {
  const { ids = '', reason = madeFromIt } = barring[constraint] ?? {};
  const [found] = await livingIn(client, asked, ids);
  // amounts of a note may be taken by a document that was not made from it
  if (!found && constraint === 'cancellations_landed') {
    const taken = await livingIn(client, asked, barring['cancellations_taken']?.ids ?? '');
    if (taken.length > 0) return barred(client, asked, 'cancellations_taken');
  }
  const named =
    found && asked.mayName(found)
      ? `${kindLabel(found.kind)} ${found.number}`
      : found
        ? numberIf(false, asked, found)
        : say('another document');
  return new Refusal('notCancellable', {
    number: asked.draft.reference ?? '',
    reason: reason(named, asked.mirrorOf?.kind ?? ''),
  });
}

const livingIn = (client: pg.PoolClient, asked: PostingRequest, ids: string): Promise<Named[]> =>
  readFor<Named>(
    client,
    asked,
    `select f.number, f.kind, f.location, f.to_location as "toLocation", f.author
       from documents f
      where f.organisation = $1
        and f.id in (${ids})
        and f.reverses is null
        and not exists (select from cancellations c where c.organisation = f.organisation and c.document = f.id)
      order by f.date, f.id
      limit 1`,
    [asked.organisation, asked.mirrorOf?.document],
  );

/** Reads for a message, as the organisation that asked. */
async function readFor<R extends pg.QueryResultRow>(
  client: pg.PoolClient,
  { organisation }: PostingRequest,
  text: string,
  values: unknown[],
): Promise<R[]> {
  await client.query('begin read only');
  try {
    await client.query(`select set_config('app.organisation', $1, true)`, [String(organisation)]);
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.query('rollback');
  }
}

/** The draft was posted, changed or deleted since it was read. */
async function draftGone(client: pg.PoolClient, asked: PostingRequest): Promise<Refusal> {
  const [found] = await readFor<{ number: string | null; who: string | null }>(
    client,
    asked,
    `select (select number from documents where organisation = $1 and id = $2) as number,
            (select u.name from drafts d join users u on u.organisation = d.organisation and u.id = coalesce(d.rejected_by, d.author)
              where d.organisation = $1 and d.id = $2) as who`,
    [asked.organisation, asked.id],
  );
  if (found?.number) return new Refusal('alreadyPosted', { number: found.number });
  return found?.who ? new Refusal('stale', { who: found.who }) : new Refusal('notFound');
}

/** The number that its series gives next is there: another series or an import gave it, or this one, whose counter is behind. */
async function seriesMet(
  client: pg.PoolClient,
  asked: PostingRequest,
  snapshot: OrganisationSnapshot,
): Promise<Refusal> {
  const { draft, kind } = asked;
  const place = snapshot.locations.get(draft.location);
  const series = chosen(
    seriesAt(snapshot, kind, draft.registration, draft.location),
    kind,
    place?.code ?? '',
    draft.date,
  );
  const [counter] = await readFor<{ next: number }>(
    client,
    asked,
    'select next from series_counters where organisation = $1 and series = $2 and period = $3',
    [asked.organisation, series.id, series.period],
  );
  const number = `${series.prefix}${String(counter?.next ?? series.start).padStart(series.padding, '0')}${series.suffix}`;
  const [own] = await readFor<{ id: Id }>(
    client,
    asked,
    'select id from documents where organisation = $1 and series = $2 and upper(number) = upper($3) limit 1',
    [asked.organisation, series.id, number],
  );
  return new Refusal(own ? 'counterBehind' : 'numberTaken', { number });
}

function inWords(error: unknown, asked: PostingRequest): unknown {
  const { code, constraint, column, detail, message } = error as pg.DatabaseError;
  // a reversal refers to the number of what it cancels
  const number = asked.mirrorOf ? (asked.draft.reference ?? '') : 'This document';
  if (code === 'BR046') return new Refusal('numberTooLong', { number: message });
  if (constraint === 'drafts_waiting') return new Refusal('draftSubmitted');
  if (code === 'BR047') return new Refusal('tillClosed');
  if (code === 'BR048') return new Refusal('tillMoved');
  if (code === 'BR049') return new Refusal('notFound');
  // what it frees was freed meanwhile, or more of it was used
  if (code === '23514' && constraint?.startsWith('open_items')) return new Refusal('figuresChanged');
  if (code === 'BR054' || code === 'BR069') return new Refusal('figuresChanged');
  if (code === 'BR070') return new Problems([{ field: 'serial', ...say('This challan is in the books already') }]);
  if (code === '23505' && (constraint === 'documents_reversal' || constraint === 'cancellations_pkey'))
    return new Refusal('alreadyCancelled', { number });
  if (constraint === 'allocations_allowance') return new Refusal('figuresChanged');
  if (constraint === 'allocations_irn') return new Refusal('irnCancelled', { number: message });
  if (constraint === 'allocations_locked')
    return new Refusal('registerLocked', { register: registers.money[1], date: message });
  if (constraint === 'cancellations_furnished') return inIff(number, asked.mirrorOf?.kind ?? '', message);
  if (constraint === 'cancellations_cleared') return new Refusal('notCancellable', { number, reason: throughBank });
  if (constraint === 'workflow_held') {
    const [number = '', stage = ''] = message.split('\n');
    return new Refusal('heldAtStage', { number, stage });
  }
  if (constraint === 'cancellations_irn')
    return new Refusal('notCancellable', { number, reason: say('it is on its way to the invoice portal') });
  if (constraint === 'cancellations_eway')
    return new Refusal('notCancellable', { number, reason: say('its e-way bill must be cancelled first') });
  if (constraint === 'documents_covered')
    return new Problems([{ field: 'customs.covers', ...say('Another bill of entry covers some of these goods') }]);
  if (code === '23503') {
    const named = column ?? /Key \(organisation, "?(\w+)/.exec(detail ?? '')?.[1] ?? '';
    return new Problems([{ field: naming[named] ?? '', ...say('This record does not exist') }]);
  }
  return error;
}

/** The field of a draft that a foreign key of the books speaks of. */
const naming: Readonly<Record<string, string>> = {
  item: 'lines.item',
  party: 'lines.party',
  source: 'against',
  source_document: 'lines.source',
  ledger: 'lines.ledger',
  location: 'toLocation',
  to_location: 'toLocation',
  room: 'lines.room',
  cost_centre: 'costCentre',
};
