import { sql } from 'kysely';
import type { z } from 'zod';
import type { documentView } from '../../../contract/documents.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Id } from '../../../domain/document/document.ts';
import { changedFigures, type KeptFigures } from '../../../domain/document/figures.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { stateOf } from '../../../domain/document/lives.ts';
import { hidesCostOf } from '../../access/index.ts';
import type { Context } from '../../context.ts';
import { draftRow } from '../drafts/drafts.ts';
import { written } from '../drafts/written.ts';
import { kindAsked } from '../posting/kinds.ts';
import { centresNamed } from './centres-named.ts';
import { viewWithoutCost } from './without-cost.ts';

type View = z.input<typeof documentView>;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Row {
  id: Id;
  kind: string;
  body: Record<string, unknown>;
  version: number;
  author: Id;
  author_name: string;
  name: string | null;
  gstin: string | null;
  party: Id | null;
  updated_at: Date;
  submitted_at: Date | null;
  figures: KeptFigures | null;
  rejected_at: Date | null;
  rejection: string;
  rejected_by: string | null;
  location: Id | null;
  location_name: string | null;
  destination: Id | null;
  destination_name: string | null;
  registration: Id | null;
  own_gstin: string | null;
  own_state: string | null;
}

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A draft as its author sees it; one that waits for approval is shown to who decides, with what it comes to. */
export async function viewDraft(trx: Trx, context: Context, id: string): Promise<View> {
  const { rows } = await sql<Row>`
    select
      d.id, d.kind, d.body, d.version, d.author, a.name as author_name, p.id as party, p.name, p.gstin,
      d.updated_at, d.submitted_at, d.figures, d.rejected_at, d.rejection, r.name as rejected_by, l.id as location,
      l.name as location_name, t.id as destination, t.name as destination_name, o.id as registration,
      o.gstin as own_gstin, o.state as own_state
    from drafts d
    join users a on a.organisation = d.organisation and a.id = d.author
    left join users r on r.organisation = d.organisation and r.id = d.rejected_by
    left join parties p on p.organisation = d.organisation and p.id::text = d.body ->> 'party'
    left join locations l on l.organisation = d.organisation and l.id::text = d.body ->> 'location'
    left join locations t on t.organisation = d.organisation and t.id::text = d.body ->> 'toLocation'
    left join registrations o on o.organisation = d.organisation and o.id::text = d.body ->> 'registration'
    where d.organisation = ${context.organisation} and d.id = ${id}::uuid
  `.execute(trx);
  const [draft] = rows;
  if (!draft) throw new Refusal('notFound');
  context.still('paper', draftRow(draft));
  const kind = kindOf(kindAsked(draft.kind));
  const date = String(draft.body.date);
  const now = draft.submitted_at ? await written(trx, context, draft) : undefined;
  const approval = approvalOf(draft, context, now && changedFigures(draft.figures ?? {}, now.figures)?.message);
  const shown: View = {
    id: draft.id,
    kind: draft.kind,
    number: '',
    date: /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : context.today,
    dueDate: null,
    status: stateOf(
      kind,
      { draft: true, ...(approval && { approval: draft.submitted_at ? 'requested' : 'rejected' }) },
      context.today,
    ),
    draft: true,
    version: draft.version,
    party: draft.party ? { id: draft.party, name: draft.name ?? '', gstin: draft.gstin } : null,
    location: { id: draft.location ?? NOBODY, name: draft.location_name ?? '' },
    destination: draft.destination ? { id: draft.destination, name: draft.destination_name ?? '' } : null,
    registration: { id: draft.registration ?? NOBODY, gstin: draft.own_gstin, state: draft.own_state ?? '00' },
    body: draft.body,
    costCentres: await centresNamed(trx, context.organisation, draft.body),
    priced: null,
    lines: [],
    entries: [],
    movements: [],
    links: [],
    money: null,
    ...now?.shown,
    einvoice: null,
    vatQr: null,
    timeline: [{ at: draft.updated_at.toISOString(), who: '', what: 'Saved' }, ...historyOf(draft)],
    approval,
    open: null,
    next: [],
    cancelled: null,
  };
  return hidesCostOf(context, draft.kind) ? viewWithoutCost(shown, draft.author === context.user) : shown;
}

function approvalOf(draft: Row, context: Context, changed: string | undefined): View['approval'] {
  const at = draft.submitted_at ?? draft.rejected_at;
  if (at === null) return null;
  return {
    state: draft.submitted_at ? 'requested' : 'rejected',
    by: draft.author_name,
    at: at.toISOString(),
    own: draft.author === context.user,
    decidedBy: draft.rejected_by,
    decidedAt: draft.rejected_at?.toISOString() ?? null,
    comment: draft.rejection,
    changed: changed ?? null,
  };
}

const historyOf = ({
  submitted_at: sent,
  rejected_at: rejected,
  author_name,
  rejected_by,
  rejection,
}: Row): View['timeline'] => [
  ...(sent ? [{ at: sent.toISOString(), who: author_name, what: 'Sent for approval' }] : []),
  ...(rejected ? [{ at: rejected.toISOString(), who: rejected_by ?? '', what: `Rejected: ${rejection}` }] : []),
];
