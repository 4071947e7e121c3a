// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import type { z } from 'zod';
import { type documentView, draftBody } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import { writtenTotal } from '../../domain/approval.ts';
import { moneyText, percentText, quantityText, rateText } from '../../domain/decimal.ts';
import type { Draft, Id } from '../../domain/document.ts';
import { kindOf } from '../../domain/kinds/index.ts';
import { stateOf } from '../../domain/lives.ts';
import { price } from '../../domain/price.ts';
import { resolve } from '../../domain/resolve.ts';
import type { Context } from '../context.ts';
import { estimate } from './at-cost.ts';
import { mayDecide } from './drafts.ts';
import { factsOf, kindAsked, statedDraft } from './prepare.ts';
import { pricedText } from './wire.ts';

type View = z.input<typeof documentView>;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

interface Row {
  id: Id; kind: string; body: Record<string, unknown>; version: number; author: Id; author_name: string; name: string | null; gstin: string | null; party: Id | null; updated_at: Date;
  submitted_at: Date | null; rejected_at: Date | null; rejection: string; rejected_by: string | null; location: Id | null; location_name: string | null; destination: Id | null; destination_name: string | null; registration: Id | null; own_gstin: string | null; own_state: string | null;
}

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A draft as its author sees it; one that waits for approval is shown to who decides, with what it comes to. */
export async function viewDraft(trx: Trx, context: Context, id: string): Promise<View> {
  const { rows } = await sql<Row>`
    select d.id, d.kind, d.body, d.version, d.author, a.name as author_name, p.id as party, p.name, p.gstin, d.updated_at, d.submitted_at, d.rejected_at, d.rejection, r.name as rejected_by,
           l.id as location, l.name as location_name, t.id as destination, t.name as destination_name, o.id as registration, o.gstin as own_gstin, o.state as own_state
      from drafts d join users a on a.organisation = d.organisation and a.id = d.author left join users r on r.organisation = d.organisation and r.id = d.rejected_by
      left join parties p on p.organisation = d.organisation and p.id::text = d.body ->> 'party' left join locations l on l.organisation = d.organisation and l.id::text = d.body ->> 'location'
      left join locations t on t.organisation = d.organisation and t.id::text = d.body ->> 'toLocation' left join registrations o on o.organisation = d.organisation and o.id::text = d.body ->> 'registration'
     where d.organisation = ${context.organisation} and d.id = ${id}::uuid`.execute(trx);
  const [draft] = rows;
  if (!draft || !(draft.submitted_at ? mayDecide(context, draft) : draft.author === context.user)) throw new Refusal('notFound');
  const kind = kindOf(kindAsked(draft.kind));
  const date = String(draft.body.date);
  const approval = approvalOf(draft, context);
  return {
    id: draft.id, kind: draft.kind, number: '', date: /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : context.today, dueDate: null, status: stateOf(kind, { draft: true, ...(approval && { approval: draft.submitted_at ? 'requested' : 'rejected' }) }, context.today), draft: true, version: draft.version,
    party: draft.party ? { id: draft.party, name: draft.name ?? '', gstin: draft.gstin } : null, location: { id: draft.location ?? NOBODY, name: draft.location_name ?? '' }, destination: draft.destination ? { id: draft.destination, name: draft.destination_name ?? '' } : null,
    registration: { id: draft.registration ?? NOBODY, gstin: draft.own_gstin, state: draft.own_state ?? '00' },
    body: draft.body, priced: null, lines: [], entries: [], ...(draft.submitted_at && (await written(trx, context, draft))), movements: [], links: [], einvoice: null, vatQr: null,
    timeline: [{ at: draft.updated_at.toISOString(), who: '', what: 'Saved' }, ...told(draft)], approval, open: null, next: [], cancelled: null,
  };
}

function approvalOf(draft: Row, context: Context): View['approval'] {
  const at = draft.submitted_at ?? draft.rejected_at;
  if (at === null) return null;
  return { state: draft.submitted_at ? 'requested' : 'rejected', by: draft.author_name, at: at.toISOString(), own: draft.author === context.user, decidedBy: draft.rejected_by, decidedAt: draft.rejected_at?.toISOString() ?? null, comment: draft.rejection };
}

const told = ({ submitted_at: sent, rejected_at: rejected, author_name, rejected_by, rejection }: Row): View['timeline'] => [
  ...(sent ? [{ at: sent.toISOString(), who: author_name, what: 'Sent for approval' }] : []),
  ...(rejected ? [{ at: rejected.toISOString(), who: rejected_by ?? '', what: `Rejected: ${rejection}` }] : []),
];

/** What a draft that is to be approved says: its lines and sums as they would be posted now. */
async function written(trx: Trx, context: Context, { kind: name, body }: Row): Promise<Pick<View, 'priced' | 'lines' | 'entries'>> {
  const draft = await statedDraft(trx, context, draftBody.parse({ lines: [], ...body, kind: name }) as Draft);
  const kind = kindOf(kindAsked(name));
  const facts = await factsOf(trx, context, draft);
  const priced = await estimate(trx, context, kind, draft, price(resolve(kind, draft, facts)));
  const total = writtenTotal(kind, draft, priced);
  return {
    priced: { ...pricedText({ ...priced, total }), lines: [] },
    lines: priced.lines.map((l) => ({
      number: l.number, item: l.item ?? null, sku: (l.item && facts.items.get(l.item)?.sku) ?? null, description: l.description, hsn: l.hsn, unit: l.unit, quantity: quantityText(draft.lines[l.number - 1]?.delta ?? l.quantity), rate: rateText(l.rate), gstRate: percentText(l.gstRate),
      taxable: moneyText(l.taxable), cgst: moneyText(l.cgst), sgst: moneyText(l.sgst), igst: moneyText(l.igst), cess: moneyText(l.cess), total: moneyText(l.total), openQuantity: '0', room: null, closed: null,
    })),
    entries: kind.lines === 'ledgers' ? await debits(trx, context, draft) : [],
  };
}

/** The lines of a journal, on the ledgers that they name. */
async function debits(trx: Trx, { organisation }: Context, { lines }: Draft): Promise<View['entries']> {
  const { rows } = await sql<{ id: Id; code: string; name: string }>`select id, code, name from ledgers where organisation = ${organisation} and id = any(${lines.flatMap(({ ledger }) => ledger ?? [])}::uuid[])`.execute(trx);
  const parties = await sql<{ id: Id; name: string }>`select id, name from parties where organisation = ${organisation} and id = any(${lines.flatMap(({ party }) => party ?? [])}::uuid[])`.execute(trx);
  return lines.flatMap((line, at) => {
    const ledger = rows.find(({ id }) => id === line.ledger);
    return ledger ? [{ leg: at + 1, ledger: ledger.id, code: ledger.code, name: ledger.name, debit: moneyText(line.debit ?? 0), credit: moneyText(line.credit ?? 0), party: parties.rows.find(({ id }) => id === line.party)?.name ?? null, due: null }] : [];
  });
}
