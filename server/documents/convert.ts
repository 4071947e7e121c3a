// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import { millionths, moneyText } from '../../domain/decimal.ts';
import type { Draft, DraftLine, Id } from '../../domain/document.ts';
import { kindCalled, kindOf } from '../../domain/kinds/index.ts';
import type { Context } from '../context.ts';
import { sourcesFor } from './decide.ts';
import type { LoadedSource } from './load.ts';
import { kindAsked } from './prepare.ts';
import { draftText } from './wire.ts';

type Call = (typeof documents)['GetConversion'];

/** The draft that continues a document with what is still open of it, settles it, or copies it. Nothing is kept. */
export async function convert({ from, kind, copy }: Input<Call>, context: Context): Promise<Answer<Call>> {
  const target = kindAsked(kind);
  const row = kindOf(target);
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<{ kind: string; body: { draft: Draft }; party: Id | null; open: string | null; number: string; sources: LoadedSource[] | null }>`
      select d.kind, d.body, d.party, d.number, (select o.open from open_items o where o.organisation = d.organisation and o.document = d.id) as open,
             load_for_posting(${context.organisation}, ${context.user}, '{}', '{}', '{}', '{}', array[d.id], '{}', '{}') -> 'sources' as sources
        from documents d where d.organisation = ${context.organisation} and d.id = ${from}`.execute(trx);
    const [source] = rows;
    if (!source || (!copy && !row.from.includes(source.kind))) throw new Refusal('notFound');
    const old = source.body.draft;
    const { id: _id, version: _version, against: _against, allocations: _allocations, tenders: _tenders, number: _number, ...kept } = old as Draft & { number?: string };
    const head = { ...kept, kind: target, date: context.today, lines: [] as readonly DraftLine[] };
    if (copy) return { draft: asWire({ ...head, lines: old.lines.map(({ source: _, ...line }) => line) }), facts: {} };
    if (row.lines === 'none') return { draft: { ...asWire({ ...onlyHead(head), against: from }), amount: moneyText(Number(source.open ?? 0)), allocations: source.open && source.open !== '0' ? [{ document: from, amount: moneyText(Number(source.open)) }] : [] }, facts: { number: source.number } };
    const left = sourcesFor(row, { sources: source.sources ?? [] });
    const lines = old.lines.flatMap((line, index): DraftLine[] => {
      const open = left.get(`${from}/${index + 1}`);
      if (!open || open.leftQuantity <= 0) return [];
      const { batches: _batches, serials: _serials, ...same } = line;
      return [{ ...same, quantity: millionths(open.leftQuantity), source: { document: from, line: index + 1 } }];
    });
    // a document that reduces another names it; an order's successor takes its discount and charges along
    const names = row.fields.includes('against') ? { against: from } : {};
    const { discount, charges, dueDate: _due, ...bare } = head;
    const same = row.pricedFromSource || row.fields.includes('against') ? bare : { ...bare, ...(discount && { discount }), ...(charges && { charges }) };
    return { draft: asWire({ ...same, ...names, lines }), facts: { number: source.number, kind: kindCalled(source.kind)?.label ?? source.kind } };
  });
}

const asWire = (draft: Draft): Record<string, unknown> => draftText(draft) as unknown as Record<string, unknown>;

/** Money is settled for a party; goods, charges and discounts stay behind. */
const onlyHead = (draft: Draft): Draft => ({ kind: draft.kind, date: draft.date, registration: draft.registration, location: draft.location, currency: draft.currency, exchangeRate: draft.exchangeRate, lines: [], ...(draft.party && { party: draft.party }) });
