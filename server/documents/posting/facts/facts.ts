import { sql } from 'kysely';
import { Refusal } from '../../../../contract/errors.ts';
import { financialYearOf } from '../../../../domain/base/dates.ts';
import { type Millionths, millionths, percent } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import { say } from '../../../../domain/base/say.ts';
import type { Day, Draft, GstCategory, Id, Treatment } from '../../../../domain/document/document.ts';
import { type KindName, kindOf } from '../../../../domain/document/kinds/index.ts';
import { numberParts } from '../../../../domain/document/number.ts';
import type { Facts, ItemFacts, PartyFacts } from '../../../../domain/document/resolve.ts';
import type { ShelfLife } from '../../../../domain/stock/shelf-life.ts';
import { type Conversion, unitRatios } from '../../../../domain/stock/units.ts';
import type { OwnEnd } from '../../../../domain/tax/gst/registration/own-places.ts';
import { hasGst, isRegular, statusOn, stopOn } from '../../../../domain/tax/gst/registration/registered.ts';
import { turnoverLimits } from '../../../../domain/tax/gst/registration/turnover.ts';
import type { Context } from '../../../context.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { Problems } from '../../../kit/problems.ts';
import { type OrganisationSnapshot, type OwnRegistration, type Series, seriesAt, snapshotNow } from '../snapshot.ts';
import type { SeriesChoice } from '../types.ts';

export interface ItemRow {
  id: Id;
  sku: string;
  name: string;
  service: boolean;
  stocked: boolean;
  hsn: string;
  unit: string;
  treatment: Treatment;
  gst_rate: number;
  cess_rate: number;
  cess_per_unit: number;
  retail_price: number | null;
  sale_rate: number | null;
  purchase_rate: number | null;
  income_ledger: Id | null;
  off_revenue: boolean;
  expense_ledger: Id | null;
  credit_blocked: boolean;
  scrap: boolean;
  batched: boolean;
  serialised: boolean;
  shelf_life: ShelfLife | null;
  retired: boolean;
  template: boolean;
  conversions: Conversion[] | null;
}

const rate = (n: number | null): Millionths | null => (n === null ? null : millionths(n));

const itemOf = (r: ItemRow): ItemFacts => ({
  id: r.id,
  sku: r.sku,
  name: r.name,
  service: r.service,
  stocked: r.stocked,
  hsn: r.hsn,
  unit: r.unit,
  units: unitRatios(r.unit, r.conversions ?? []),
  treatment: r.treatment,
  gstRate: percent(r.gst_rate),
  cessRate: percent(r.cess_rate),
  cessPerUnit: paise(r.cess_per_unit),
  retailPrice: r.retail_price === null ? null : paise(r.retail_price),
  saleRate: rate(r.sale_rate),
  purchaseRate: rate(r.purchase_rate),
  incomeLedger: r.income_ledger,
  expenseLedger: r.expense_ledger,
  creditBlocked: r.credit_blocked,
  scrap: r.scrap,
  batched: r.batched,
  serialised: r.serialised,
  shelfLife: r.shelf_life,
  ...(r.off_revenue && { offRevenue: true as const }),
  template: r.template,
  ...(r.retired && { retired: true as const }),
});
export const itemsOf = (rows: readonly ItemRow[]): Map<Id, ItemFacts> => new Map(rows.map((r) => [r.id, itemOf(r)]));

/** Items by id, with the units they can be counted in. Unknown and foreign ids are left out alike. */
export async function itemFacts(trx: Executor, organisation: number, ids: readonly Id[]): Promise<Map<Id, ItemFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{
    items: ItemRow[];
  }>`select item_facts(${organisation}, ${[...new Set(ids)]}::uuid[]) as items`.execute(trx);
  return itemsOf(rows[0]?.items ?? []);
}

export interface PartyRow {
  id: Id;
  name: string;
  category: GstCategory;
  state: string;
  country: string;
  gstin: string | null;
  pan: string | null;
  micro: boolean;
  credit_days: number;
  tds_section: string | null;
  retired: boolean;
  addressed: boolean;
  address?: PartyFacts['address'];
  register?: PartyFacts['register'];
}

export const partyOf = (p: PartyRow): PartyFacts => ({
  id: p.id,
  name: p.name,
  category: p.category,
  state: p.state,
  country: p.country,
  gstin: p.gstin,
  hasPan: p.pan !== null,
  ...(p.pan !== null && { holder: p.pan.charAt(3) }),
  microSmall: p.micro,
  creditDays: p.credit_days,
  ...(p.tds_section !== null && { tdsSection: p.tds_section }),
  hasAddress: p.addressed,
  address: p.address ?? null,
  register: p.register ?? null,
  ...(p.retired && { retired: true as const }),
});

export async function partyFacts(trx: Executor, organisation: number, id: Id): Promise<PartyFacts | undefined> {
  const { rows } = await sql<{
    parties: PartyRow[];
  }>`select party_facts(${organisation}, ${[id]}::uuid[]) as parties`.execute(trx);
  const [party] = rows[0]?.parties ?? [];
  return party && partyOf(party);
}

/** The next number's parts from a series of the kind; refuses when there is none. */
export function chosen(series: Series | undefined, kind: KindName, location: string, date: string): SeriesChoice {
  if (!series) throw new Refusal('noSeries', { kind: kindOf(kind).label });
  return { id: series.id, padding: series.padding, start: series.start, ...numberParts(series, { date, location }) };
}

/** The series a new document takes its number from: the location's own, else the registration's. */
export async function seriesFor(
  trx: Executor,
  organisation: number,
  kind: KindName,
  registration: Id,
  location: { readonly id: Id; readonly code: string },
  date: string,
): Promise<SeriesChoice> {
  return chosen(
    seriesAt(await snapshotNow(trx, organisation), kind, registration, location.id),
    kind,
    location.code,
    date,
  );
}

/** What the database was asked about parties, items and ledgers, whoever asked. */
export interface LookedUp {
  readonly parties: ReadonlyMap<Id, PartyFacts>;
  readonly items: ReadonlyMap<Id, ItemFacts>;
  /** Of the ledgers named, those that take entries: active and no groups. */
  readonly takes: ReadonlySet<Id>;
  /** Names of those that would, were they not retired. */
  readonly retiredLedgers: ReadonlyMap<Id, string>;
}

/** All a draft refers to but its sources. */
export interface Found extends LookedUp {
  readonly snapshot: OrganisationSnapshot;
  readonly own: Facts['own'];
  /** GSTIN of a registration that e-invoicing applies to on the draft's day; null where it does not. */
  readonly einvoice: string | null;
  readonly locationName: string;
  readonly ends: NonNullable<Facts['ends']>;
  readonly other: (NonNullable<Facts['other']> & { readonly locationName: string | null }) | undefined;
  readonly party: PartyFacts | undefined;
  /** Refuses when the kind has no series. */
  series(): SeriesChoice;
}

/**
 * Registration and location must be the organisation's and active, and the location allowed to the user. A
 * cancellation is made where its document was.
 */
export function foundFor(
  snapshot: OrganisationSnapshot,
  looked: LookedUp,
  allowed: readonly Id[],
  kind: KindName,
  draft: Draft,
  cancels = false,
): Found {
  const own = snapshot.registrations.get(draft.registration);
  const place = snapshot.locations.get(draft.location);
  const status = own && statusOn(own, draft.date);
  const isAllowed = allowed.length === 0 || allowed.includes(draft.location);
  if (!own || !status || !place || !isAllowed) throw new Refusal('notFound');
  if (!cancels && !place.active)
    throw new Problems([
      {
        field: 'location',
        ...say('{{place}} is retired: restore it, or choose another location', { place: place.name }),
      },
    ]);
  if (!cancels && !own.active)
    throw new Problems([
      {
        field: 'registration',
        ...say('{{gstin}} is retired: restore it, or choose another registration', {
          gstin: own.gstin ?? 'The registration',
        }),
      },
    ]);
  return {
    ...looked,
    snapshot,
    own: {
      registration: own.id,
      state: own.state,
      kind: status,
      gstin: hasGst(status) ? own.gstin : null,
      others: gstinsBeside(snapshot, own.id),
      history: own,
      stop: stopOn(own.stops, draft.date),
      annualReturns: snapshot.annualReturns[own.id] ?? {},
      ...turnoverLimits(snapshot.turnovers, own.gstin?.slice(2, 12), draft.date),
    },
    einvoice: einvoicing(own, draft.date),
    locationName: place.name,
    ends: endsOf(snapshot, draft, { registration: own, place }),
    other: otherEnd(snapshot, draft),
    party: draft.party === undefined ? undefined : looked.parties.get(draft.party),
    series: () => chosen(seriesAt(snapshot, kind, own.id, place.id), kind, place.code, draft.date),
  };
}

/** GSTINs of the other registrations of the organisation. */
const gstinsBeside = ({ registrations }: OrganisationSnapshot, own: Id): string[] =>
  [...registrations.values()].flatMap(({ id, gstin }) => (id === own || gstin === null ? [] : [gstin]));

/** Its GSTIN, where e-invoicing applies to it on this day: from the day it began to, when one is known, and while it charges tax. */
const einvoicing = (own: OwnRegistration, day: Day): string | null =>
  own.einvoice && (own.einvoiceFrom === null || own.einvoiceFrom <= day) && isRegular(statusOn(own, day))
    ? own.gstin
    : null;

/** The registration at the other end: that of the place the goods go to; of goods that arrive, the one that sent them. */
function otherEnd(
  snapshot: OrganisationSnapshot,
  { date, toRegistration, toLocation, location }: Draft,
): Found['other'] {
  const place = toLocation === undefined || toLocation === location ? undefined : snapshot.locations.get(toLocation);
  const at = snapshot.registrations.get(place?.registration ?? toRegistration ?? '');
  return at && { registration: at.id, state: at.state, kind: statusOn(at, date), locationName: place?.name ?? null };
}

/** Both ends of the way as far as they are ours; only goods that are sent to a place of ours have a second one. */
function endsOf(
  snapshot: OrganisationSnapshot,
  { toLocation, location }: Draft,
  from: OwnEnd,
): NonNullable<Facts['ends']> {
  const place = toLocation === undefined || toLocation === location ? undefined : snapshot.locations.get(toLocation);
  const registration = snapshot.registrations.get(place?.registration ?? '');
  return { from, ...(place && registration && { to: { registration, place } }) };
}

/** The same for a draft that is not being posted. */
export async function lookUp(
  run: Executor,
  context: Pick<Context, 'organisation' | 'locations'>,
  kind: KindName,
  draft: Draft,
  named: readonly Id[] = [],
): Promise<Found> {
  const snapshot = await snapshotNow(run, context.organisation);
  const { rows } = await sql<Rows>`
    select
      party_facts(${context.organisation}, ${partiesIn(draft)}::uuid[]) as parties,
      item_facts(${context.organisation}, ${itemsIn(draft)}::uuid[]) as items,
      taking_ledgers(${context.organisation}, ${[...new Set(named)]}::uuid[]) as takes
  `.execute(run);
  return foundFor(snapshot, lookedUp(rows[0] ?? {}), context.locations, kind, draft);
}

/** The party of a document, and those that its lines name. */
export const partiesIn = (draft: Draft): Id[] => [
  ...new Set([...(draft.party ? [draft.party] : []), ...draft.lines.flatMap((l) => (l.party ? [l.party] : []))]),
];
export const itemsIn = (draft: Draft): Id[] => [...new Set(draft.lines.flatMap((l) => (l.item ? [l.item] : [])))];

/** A ledger that takes entries, or one that is retired. */
export type TakingLedger = Id | { readonly id: Id; readonly name: string };
interface Rows {
  readonly parties?: readonly PartyRow[] | null;
  readonly items?: readonly ItemRow[] | null;
  readonly takes?: readonly TakingLedger[] | null;
}

export const lookedUp = (rows: Rows): LookedUp => ({
  parties: new Map((rows.parties ?? []).map((p) => [p.id, partyOf(p)])),
  items: itemsOf(rows.items ?? []),
  takes: new Set((rows.takes ?? []).filter((ledger) => typeof ledger === 'string')),
  retiredLedgers: new Map(
    (rows.takes ?? []).flatMap((ledger) => (typeof ledger === 'string' ? [] : [[ledger.id, ledger.name] as const])),
  ),
});

export const financialYearLabel = (date: string): string => financialYearOf(date).label;
