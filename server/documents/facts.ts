// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { type GeneralConfiguration, generalConfiguration } from '../../contract/session.ts';
import { financialYearOf } from '../../domain/dates.ts';
import { type Millionths, millionths, ONE, percent } from '../../domain/decimal.ts';
import type { Draft, GstCategory, Id, RegistrationKind, Treatment } from '../../domain/document.ts';
import type { Ledgers } from '../../domain/effects.ts';
import { type KindName, kindOf } from '../../domain/kinds/index.ts';
import { paise } from '../../domain/money.ts';
import { numberParts } from '../../domain/number.ts';
import type { Facts, ItemFacts, PartyFacts } from '../../domain/resolve.ts';
import type { Context } from '../context.ts';
import type { Executor } from '../kit/sql.ts';
import type { SeriesChoice } from './types.ts';

interface ItemRow {
  id: Id; sku: string; name: string; service: boolean; stocked: boolean; hsn: string; unit: string; treatment: Treatment; gst_rate: number; cess_rate: number; cess_per_unit: number;
  retail_price: number | null; sale_rate: number | null; purchase_rate: number | null; income_ledger: Id | null; expense_ledger: Id | null; credit_blocked: boolean; scrap: boolean; conversions: { from: string; to: string; factor: string }[] | null;
}

const rate = (n: number | null): Millionths | null => (n === null ? null : millionths(n));

const itemOf = (r: ItemRow): ItemFacts => ({
  id: r.id, sku: r.sku, name: r.name, service: r.service, stocked: r.stocked, hsn: r.hsn, unit: r.unit, units: unitsOf(r),
  treatment: r.treatment, gstRate: percent(r.gst_rate), cessRate: percent(r.cess_rate), cessPerUnit: paise(r.cess_per_unit), retailPrice: r.retail_price === null ? null : paise(r.retail_price),
  saleRate: rate(r.sale_rate), purchaseRate: rate(r.purchase_rate), incomeLedger: r.income_ledger, expenseLedger: r.expense_ledger, creditBlocked: r.credit_blocked, scrap: r.scrap,
});
const itemsOf = (rows: readonly ItemRow[]): Map<Id, ItemFacts> => new Map(rows.map((r) => [r.id, itemOf(r)]));

/** Items by id, with the units they can be counted in. Unknown and foreign ids are left out alike. */
export async function itemFacts(trx: Executor, organisation: number, ids: readonly Id[]): Promise<Map<Id, ItemFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ items: ItemRow[] }>`select item_facts(${organisation}, ${[...new Set(ids)]}::uuid[]) as items`.execute(trx);
  return itemsOf(rows[0]?.items ?? []);
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

interface PartyRow { id: Id; name: string; category: GstCategory; state: string; country: string; gstin: string | null; pan: string | null; micro: boolean; credit_days: number }

const partyOf = (p: PartyRow): PartyFacts => ({ id: p.id, name: p.name, category: p.category, state: p.state, country: p.country, gstin: p.gstin, hasPan: p.pan !== null, microSmall: p.micro, creditDays: p.credit_days });

export async function partyFacts(trx: Executor, organisation: number, id: Id): Promise<PartyFacts | undefined> {
  const { rows } = await sql<{ party: PartyRow | null }>`select party_facts(${organisation}, ${id}) as party`.execute(trx);
  return rows[0]?.party ? partyOf(rows[0].party) : undefined;
}

export interface SeriesRow { id: Id; prefix: string; suffix: string; padding: number; start: number; reset: 'year' | 'month' | 'never' }

/** The next number's parts from a series of the kind; refuses when there is none. */
export function chosen(series: SeriesRow | null | undefined, kind: KindName, location: string, date: string): SeriesChoice {
  if (!series) throw new Refusal('noSeries', { kind: kindOf(kind).label });
  return { id: series.id, padding: series.padding, start: series.start, ...numberParts(series, { date, location }) };
}

/** The series a new document takes its number from: the location's own, else the registration's. */
export async function seriesFor(trx: Executor, organisation: number, kind: KindName, registration: Id, location: { readonly id: Id; readonly code: string }, date: string): Promise<SeriesChoice> {
  const { rows } = await sql<{ series: SeriesRow | null }>`select series_facts(${organisation}, ${kind}, ${registration}, ${location.id}) as series`.execute(trx);
  return chosen(rows[0]?.series, kind, location.code, date);
}

interface FoundRow {
  own: { state: string; kind: RegistrationKind; gstin: string | null; einvoice: boolean; code: string; name: string } | null;
  other: { registration: Id; state: string; kind: RegistrationKind; name: string | null } | null;
  party: PartyRow | null; items: ItemRow[]; takes: Id[]; ledgers: Ledgers | null; transit: Id | null; series: SeriesRow | null;
}

/** All a draft refers to but its sources. */
export interface Found {
  readonly own: Facts['own'];
  readonly gstin: string | null;
  readonly einvoice: boolean;
  readonly locationName: string;
  readonly other: (NonNullable<Facts['other']> & { readonly locationName: string | null }) | undefined;
  readonly party: PartyFacts | undefined;
  readonly items: ReadonlyMap<Id, ItemFacts>;
  /** Of the ledgers it names, those that take entries: active and no groups. */
  readonly takes: ReadonlySet<Id>;
  readonly ledgers: Ledgers;
  readonly transit: Id | undefined;
  /** As the database has them now: what the session remembers may be two seconds old, and stock kept by the old method would never fit its ledger. */
  readonly settings: GeneralConfiguration;
  /** Refuses when the kind has no series. */
  series(): SeriesChoice;
}

/** One question to the database. Registration and location must be the organisation's, and the location allowed to the user. */
export async function lookUp(run: Executor, context: Context, kind: KindName, draft: Draft, named: readonly Id[] = []): Promise<Found> {
  const items = [...new Set(draft.lines.flatMap((l) => (l.item ? [l.item] : [])))];
  // the settings are asked for by what the function found, so that it has named the organisation before
  const { rows } = await sql<{ found: FoundRow; settings: unknown }>`
    select f.found, (select o.settings from organisations o where o.organisation = ${context.organisation} and f.found is not null) as settings
      from (select posting_facts(${context.organisation}, ${context.user}, ${kind}, ${draft.registration}, ${draft.location}, ${draft.toRegistration ?? null}, ${draft.toLocation ?? null}, ${draft.party ?? null}, ${items}::uuid[], ${[...new Set(named)]}::uuid[]) as found) f`.execute(run);
  const found = rows[0]?.found;
  const allowed = context.locations.length === 0 || context.locations.includes(draft.location);
  if (!found?.own || !allowed) throw new Refusal('notFound');
  const { own, other, party, ledgers, transit, series } = found;
  return {
    own: { registration: draft.registration, state: own.state, kind: own.kind },
    gstin: own.gstin, einvoice: own.einvoice, locationName: own.name,
    other: other ? { registration: other.registration, state: other.state, kind: other.kind, locationName: other.name } : undefined,
    party: party ? partyOf(party) : undefined,
    items: itemsOf(found.items), takes: new Set(found.takes), ledgers: ledgers ?? ({} as Ledgers), transit: transit ?? undefined, settings: generalConfiguration.parse(rows[0]?.settings),
    series: () => chosen(series, kind, own.code, draft.date),
  };
}

export const financialYearLabel = (date: string): string => financialYearOf(date).label;
