// biome-ignore-all format: the columns stand in the order of the function they are for
import type pg from 'pg';
import { needsIrn } from '../../domain/gst/irn.ts';
import { kindOf } from '../../domain/kinds/index.ts';
import { newId } from '../kit/ids.ts';
import type { Shelves } from './shelves.ts';
import type { Decided, Posted } from './types.ts';

type Column<T> = readonly [type: string, pick: (row: T) => unknown];

/** A cancellation mirrors its document; the portal hears of it by cancelling the IRN. */
const wantsIrn = ({ request, priced }: Decided): boolean =>
  request.mirrorOf === undefined && needsIrn(kindOf(request.kind).gst.irp, request.einvoice, request.facts.party?.gstin, priced);

const documents: readonly Column<Decided>[] = [
  ['uuid[]', (d) => d.request.id], ['text[]', (d) => d.request.kind], ['text[]', (d) => kindOf(d.request.kind).numbering], ['uuid[]', (d) => d.request.draft.registration], ['uuid[]', (d) => d.request.draft.location], ['uuid[]', (d) => d.request.draft.toLocation ?? null],
  ['text[]', (d) => d.request.financialYear], ['uuid[]', (d) => (d.request.number === undefined ? (d.request.series?.id ?? null) : null)], ['text[]', (d) => d.request.series?.period ?? null], ['text[]', (d) => d.request.series?.prefix ?? null], ['text[]', (d) => d.request.series?.suffix ?? null], ['int[]', (d) => d.request.series?.padding ?? null], ['int[]', (d) => d.request.series?.start ?? null], ['text[]', (d) => d.request.number ?? null],
  ['date[]', (d) => d.request.draft.date], ['date[]', (d) => d.open?.due ?? d.request.draft.dueDate ?? null], ['uuid[]', (d) => d.request.draft.party ?? null], ['text[]', (d) => d.request.facts.party?.name ?? d.request.draft.partyName ?? ''], ['text[]', (d) => d.request.facts.party?.gstin ?? null], ['text[]', (d) => d.request.facts.party?.state ?? null], ['text[]', (d) => d.request.facts.party?.category ?? null],
  ['text[]', (d) => d.placeOfSupply ?? null], ['text[]', (d) => d.priced.supplyType], ['boolean[]', (d) => d.request.draft.reverseCharge ?? false], ['text[]', (d) => d.request.draft.currency], ['bigint[]', (d) => d.request.draft.exchangeRate],
  ['bigint[]', (d) => d.priced.taxable], ['bigint[]', (d) => d.priced.cgst], ['bigint[]', (d) => d.priced.sgst], ['bigint[]', (d) => d.priced.igst], ['bigint[]', (d) => d.priced.cess], ['bigint[]', (d) => d.priced.tcs], ['bigint[]', (d) => d.priced.tds], ['bigint[]', (d) => d.priced.roundOff], ['bigint[]', (d) => d.priced.total], ['bigint[]', (d) => d.priced.payable], ['bigint[]', (d) => d.priced.foreignTotal],
  ['text[]', (d) => d.request.draft.reference ?? null], ['uuid[]', (d) => d.request.mirrorOf?.document ?? null], ['jsonb[]', (d) => JSON.stringify(bodyOf(d))],
  ['boolean[]', (d) => d.request.fromDraft], ['uuid[]', (d) => d.request.key ?? null], ['bytea[]', (d) => d.request.digest ?? null], ['text[]', (d) => (wantsIrn(d) ? 'registerInvoice' : null)],
];

/** What is only shown and printed: the draft as it was posted, whole numbers and all. */
const bodyOf = (d: Decided) => ({ draft: d.request.draft, supply: d.priced.supply, taxCharged: d.priced.taxCharged, charges: d.priced.charges, discount: d.priced.discount, chargeTotal: d.priced.chargeTotal, gross: d.priced.gross, value: d.priced.value, ...(d.priced.lines.some((l) => l.cessRate > 0) && { cessRates: d.priced.lines.map((l) => l.cessRate) }) });

interface Numbered<T> { readonly doc: number; readonly number: number; readonly row: T }
const flat = <T>(all: readonly Decided[], pick: (d: Decided) => readonly T[]): Numbered<T>[] => all.flatMap((d, i) => pick(d).map((row, n) => ({ doc: i + 1, number: n + 1, row })));

type Line = Decided['priced']['lines'][number];
// a priced line stands where its draft line stood; only returns carry their source through the price
const written = (d: Decided): readonly (Line | Decided['request']['draft']['lines'][number])[] =>
  d.priced.lines.length > 0 ? d.priced.lines.map((l, i) => ({ ...d.request.draft.lines[i]?.source && { source: d.request.draft.lines[i].source }, ...l })) as Line[] : d.request.draft.lines.filter((l) => l.ledger !== undefined);
const amount = (pick: (line: Line) => number): Column<Numbered<ReturnType<typeof written>[number]>>[1] => ({ row }) => ('number' in row ? pick(row) : 0);

const lines: readonly Column<Numbered<ReturnType<typeof written>[number]>>[] = [
  ['int[]', (l) => l.doc], ['int[]', (l) => l.number], ['uuid[]', (l) => l.row.item ?? null], ['uuid[]', (l) => l.row.ledger ?? null], ['uuid[]', ({ row }) => ('party' in row ? (row.party ?? null) : null)], ['text[]', (l) => l.row.description ?? ''], ['text[]', (l) => l.row.hsn ?? ''], ['text[]', (l) => l.row.unit ?? ''],
  ['boolean[]', ({ row }) => ('service' in row ? row.service : true)], ['bigint[]', amount((l) => l.quantity)], ['bigint[]', amount((l) => l.baseQuantity)], ['bigint[]', amount((l) => l.rate)], ['text[]', ({ row }) => row.treatment ?? 'taxable'], ['int[]', amount((l) => l.gstRate)], ['bigint[]', amount((l) => l.discountAmount + l.documentDiscount)],
  ['bigint[]', amount((l) => l.taxable)], ['bigint[]', ({ row }) => ('value' in row ? row.value : ('debit' in row ? (row.debit ?? 0) : 0))], ['bigint[]', amount((l) => l.cgst)], ['bigint[]', amount((l) => l.sgst)], ['bigint[]', amount((l) => l.igst)], ['bigint[]', amount((l) => l.cess)],
  ['uuid[]', (l) => l.row.source?.document ?? null], ['int[]', (l) => l.row.source?.line ?? null],
];

const entries: readonly Column<Numbered<Decided['entries'][number]>>[] = [
  ['int[]', (e) => e.doc], ['int[]', (e) => e.number], ['uuid[]', (e) => e.row.ledger], ['uuid[]', (e) => e.row.party ?? null], ['uuid[]', (e) => e.row.costCentre ?? null], ['text[]', (e) => e.row.currency ?? null], ['bigint[]', (e) => e.row.foreign ?? null], ['bigint[]', (e) => e.row.exchangeRate ?? null], ['bigint[]', (e) => e.row.debit], ['bigint[]', (e) => e.row.credit],
];

const movements: readonly Column<Numbered<Decided['movements'][number]>>[] = [
  ['int[]', (m) => m.doc], ['int[]', (m) => m.number], ['int[]', (m) => m.row.line], ['uuid[]', (m) => m.row.item], ['uuid[]', (m) => m.row.location], ['bigint[]', (m) => m.row.quantity], ['bigint[]', (m) => m.row.value ?? null], ['bigint[]', (m) => m.row.cost], ['uuid[]', (m) => m.row.room ?? null],
];

type ShelfRow = Shelves extends Map<string, infer S> ? S : never;
const balances: readonly Column<ShelfRow>[] = [
  ['uuid[]', (s) => s.item], ['uuid[]', (s) => s.location], ['bigint[]', (s) => s.quantity], ['bigint[]', (s) => s.value], ['text[]', (s) => `{${s.layers.flatMap((l) => [l.quantity, l.value]).join(',')}}`], ['date[]', (s) => s.lastDate],
];

const types = ['int', 'uuid', ...[documents, lines, entries, movements, balances].flatMap((columns) => (columns as readonly Column<never>[]).map(([type]) => type)), 'jsonb'];
const text = `select id, number from write_documents(${types.map((type, i) => `$${i + 1}::${type}`).join(', ')})`;

const arrays = <T>(columns: readonly Column<T>[], rows: readonly T[]): unknown[] => columns.map(([, pick]) => rows.map(pick));

/** What few documents have. Absent parts are not touched at all. */
function rest(all: readonly Decided[]): string {
  const parts = {
    revisions: flat(all, (d) => d.revisions).map(({ doc, row }) => ({ ...row, doc })),
    open: flat(all, (d) => (d.open ? [d.open] : [])).map(({ doc, row }) => ({ ...row, doc })),
    allocations: flat(all, (d) => d.allocations).map(({ doc, row }) => ({ ...row, doc, id: newId(), date: all[doc - 1]?.request.draft.date })),
    links: flat(all, (d) => d.links).map(({ doc, row }) => ({ ...row, doc })),
    cancelled: flat(all, (d) => (d.request.mirrorOf ? [d.request.mirrorOf] : [])).map(({ doc, row }) => ({ doc, document: row.document, reason: row.reason })),
  };
  return JSON.stringify(Object.fromEntries(Object.entries(parts).filter(([, rows]) => rows.length > 0)));
}

/** Writes decided documents in one round trip; the numbers are taken inside, last of all locks. */
export async function write(client: pg.PoolClient, actor: { readonly organisation: number; readonly user: string }, all: readonly Decided[], shelves: Shelves): Promise<Posted[]> {
  const touched = [...shelves.values()].filter((s) => s.touched);
  const { rows } = await client.query<{ id: string; number: string }>({
    name: 'write',
    text,
    values: [actor.organisation, actor.user, ...arrays(documents, all), ...arrays(lines, flat(all, written)), ...arrays(entries, flat(all, (d) => d.entries)), ...arrays(movements, flat(all, (d) => d.movements)), ...arrays(balances, touched), rest(all)],
  });
  return rows.map((row, i) => ({ ...row, total: all[i]?.priced.total ?? 0 }));
}
