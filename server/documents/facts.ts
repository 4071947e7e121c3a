// biome-ignore-all format: rows of columns
import { sql, type Transaction } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { financialYearOf } from '../../domain/dates.ts';
import { type Millionths, millionths, ONE, percent } from '../../domain/decimal.ts';
import type { Draft, GstCategory, Id, RegistrationKind, Treatment } from '../../domain/document.ts';
import type { Effect, Ledgers } from '../../domain/effects.ts';
import { type KindName, kindOf } from '../../domain/kinds/index.ts';
import { paise } from '../../domain/money.ts';
import { numberParts } from '../../domain/number.ts';
import type { Facts, ItemFacts, PartyFacts } from '../../domain/resolve.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../kit/sql.ts';
import type { SeriesChoice } from './types.ts';

type Trx = Transaction<Tables>;

interface ItemRow {
  id: Id; sku: string; name: string; service: boolean; stocked: boolean; hsn: string; unit: string; treatment: Treatment; gst_rate: number; cess_rate: number; cess_per_unit: string;
  retail_price: string | null; sale_rate: string | null; purchase_rate: string | null; income_ledger: Id | null; expense_ledger: Id | null; credit_blocked: boolean; scrap: boolean; conversions: { from: string; to: string; factor: string }[] | null;
}

const rate = (text: string | null): Millionths | null => (text === null ? null : millionths(Number(text)));

/** Items by id, with the units they can be counted in. Unknown and foreign ids are left out alike. */
export async function itemFacts(trx: Trx, organisation: number, ids: readonly Id[]): Promise<Map<Id, ItemFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ItemRow>`
    select i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate, i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger, i.credit_blocked, i.scrap,
           (select jsonb_agg(jsonb_build_object('from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor')) from masters m
             where m.organisation = ${organisation} and m.master = 'unitConversion' and m.active and i.unit in (m.body ->> 'from', m.body ->> 'to') and coalesce(m.body ->> 'item', '') in ('', i.id::text)) as conversions
      from items i where i.organisation = ${organisation} and i.id = any(${[...new Set(ids)]}::uuid[])`.execute(trx);
  return new Map(
    rows.map((r): [Id, ItemFacts] => [
      r.id,
      {
        id: r.id, sku: r.sku, name: r.name, service: r.service, stocked: r.stocked, hsn: r.hsn, unit: r.unit, units: unitsOf(r),
        treatment: r.treatment, gstRate: percent(r.gst_rate), cessRate: percent(r.cess_rate), cessPerUnit: paise(Number(r.cess_per_unit)), retailPrice: r.retail_price === null ? null : paise(Number(r.retail_price)),
        saleRate: rate(r.sale_rate), purchaseRate: rate(r.purchase_rate), incomeLedger: r.income_ledger, expenseLedger: r.expense_ledger, creditBlocked: r.credit_blocked, scrap: r.scrap,
      },
    ]),
  );
}

/** How many base units each unit is. A conversion says: one `from` is `factor` of `to`. */
function unitsOf(row: ItemRow): Record<string, Millionths> {
  const units: Record<string, Millionths> = { [row.unit]: millionths(ONE) };
  for (const { from, to, factor } of row.conversions ?? []) {
    const f = Math.round(Number(factor) * ONE);
    if (to === row.unit && f > 0) units[from] = millionths(f);
    if (from === row.unit && f > 0) units[to] = millionths(Number((BigInt(ONE) * BigInt(ONE) + BigInt(f) / 2n) / BigInt(f)));
  }
  return units;
}

export async function partyFacts(trx: Trx, organisation: number, id: Id): Promise<PartyFacts | undefined> {
  const { rows } = await sql<{ id: Id; name: string; category: GstCategory; state: string; country: string; gstin: string | null; pan: string | null; micro: boolean; credit_days: number }>`
    select id, name, category, state, country, gstin, pan, coalesce((body ->> 'microSmall')::boolean, false) as micro, credit_days from parties where organisation = ${organisation} and id = ${id}`.execute(trx);
  const [p] = rows;
  return p && { id: p.id, name: p.name, category: p.category, state: p.state, country: p.country, gstin: p.gstin, hasPan: p.pan !== null, microSmall: p.micro, creditDays: p.credit_days };
}

export interface OwnFacts {
  readonly own: Facts['own'];
  readonly gstin: string | null;
  readonly einvoice: boolean;
  readonly location: { readonly id: Id; readonly code: string; readonly name: string };
}

/** The registration and location a document belongs to; both must be the organisation's and allowed to the user. */
export async function ownFacts(trx: Trx, context: Context, draft: Pick<Draft, 'registration' | 'location'>): Promise<OwnFacts> {
  const { rows } = await sql<{ state: string; kind: RegistrationKind; gstin: string | null; einvoice: boolean; code: string; name: string }>`
    select r.state, r.kind, r.gstin, coalesce((r.body ->> 'einvoice')::boolean, false) as einvoice, l.code, l.name from registrations r, locations l
     where r.organisation = ${context.organisation} and r.id = ${draft.registration} and l.organisation = ${context.organisation} and l.id = ${draft.location} and l.active and r.active`.execute(trx);
  const [row] = rows;
  const allowed = context.locations.length === 0 || context.locations.includes(draft.location);
  if (!row || !allowed) throw new Refusal('notFound');
  return { own: { registration: draft.registration, state: row.state, kind: row.kind }, gstin: row.gstin, einvoice: row.einvoice, location: { id: draft.location, code: row.code, name: row.name } };
}

export async function ledgerMap(trx: Trx, organisation: number): Promise<Ledgers> {
  const { rows } = await sql<{ effect: Effect; ledger: Id }>`select effect, ledger from posting_map where organisation = ${organisation}`.execute(trx);
  return Object.fromEntries(rows.map((r) => [r.effect, r.ledger])) as Ledgers;
}

/** The series a new document takes its number from: the location's own, else the registration's. */
export async function seriesFor(trx: Trx, organisation: number, kind: KindName, registration: Id, location: { readonly id: Id; readonly code: string }, date: string): Promise<SeriesChoice> {
  const { rows } = await sql<{ id: Id; prefix: string; suffix: string; padding: number; start: number; reset: 'year' | 'month' | 'never' }>`
    select id, prefix, suffix, padding, start, reset from number_series
     where organisation = ${organisation} and kind = ${kind} and registration = ${registration} and active and (location is null or location = ${location.id}) order by location nulls last, id limit 1`.execute(trx);
  const [series] = rows;
  if (!series) throw new Refusal('noSeries', { kind: kindOf(kind).label });
  return { id: series.id, padding: series.padding, start: series.start, ...numberParts(series, { date, location: location.code }) };
}

export async function transitLocation(trx: Trx, organisation: number): Promise<Id | undefined> {
  const { rows } = await sql<{ id: Id }>`select id from locations where organisation = ${organisation} and is_transit limit 1`.execute(trx);
  return rows[0]?.id;
}

export const financialYearLabel = (date: string): string => financialYearOf(date).label;
