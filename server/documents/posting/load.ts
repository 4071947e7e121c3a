import type pg from 'pg';
import type { AccountTraits } from '../../../domain/books/accounts.ts';
import type { Discount, Draft, Id, SourceLeft, Treatment } from '../../../domain/document/document.ts';
import { consumesCredits, kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import type { OwnLedger, SourceDocument } from '../../../domain/document/sources.ts';
import type { Span } from '../../../domain/stock/cost-spans.ts';
import { type AdvanceFacts, adjustedIn, usesAdvance } from '../../../domain/tax/advances.ts';
import type { TdsBefore } from '../../../domain/tax/withheld.ts';
import { balanceKeyOf } from '../stock/balances.ts';
import { NO_DAY, type Point } from '../stock/open-balances.ts';
import {
  type ItemRow,
  itemsIn,
  type LookedUp,
  lookedUp,
  type PartyRow,
  partiesIn,
  type TakingLedger,
} from './facts/facts.ts';
import { holdTdsBefore } from './facts/tds-before.ts';
import type { OrganisationSnapshot } from './snapshot.ts';
import type { PostingRequest } from './types.ts';

/** What the database answers before a decision, under its locks. */
export interface Loaded {
  readonly keys: readonly {
    readonly key: string;
    readonly digest: string;
    readonly answer: { readonly id: Id; readonly number: string; readonly total: number };
  }[];
  readonly lockedThrough: string | null;
  /** Parties, items and ledgers as they are now. */
  readonly found: LookedUp;
  readonly balances?: readonly {
    readonly item: Id;
    readonly location: Id;
    readonly quantity: number;
    readonly value: number;
    readonly layers: readonly number[];
    readonly last_date: string | null;
    /** Earliest and latest day of this batch's movements here. */
    readonly first_date: string;
    readonly final_date: string;
  }[];
  readonly sources?: readonly LoadedSource[];
  readonly sourceDocuments?: readonly LoadedDocument[];
  /** Documents about to be cancelled: who follows them, and what their movements cost by now. */
  readonly cancelling?: readonly {
    readonly id: Id;
    readonly number: string;
    readonly followed: string | null;
    readonly costs: readonly number[];
  }[];
  readonly open?: readonly {
    readonly document: Id;
    readonly line: number;
    readonly party: Id;
    readonly side: string;
    readonly currency: string;
    readonly open: number;
    readonly number: string;
    readonly exchange_rate: number;
    readonly date: string;
    readonly original: number;
    /** The rupees that still stand on the account for what is open. */
    readonly worth: number;
    /** Of its document, for who may see it. */
    readonly kind: string;
    readonly location: Id;
    readonly author: Id;
  }[];
  /** Advances that are used, as they were taxed and with what is left of them. */
  readonly advances?: readonly AdvanceFacts[];
  /** The documents that advances are set against. */
  readonly adjusted?: readonly LoadedDocument[];
  /** For thresholds of tax deducted, by id of the document asked for. */
  readonly tdsBefore?: ReadonlyMap<Id, TdsBefore>;
  /** What says where the accounts stand that a cancellation takes back, by party of its entries. */
  readonly accounts?: ReadonlyMap<Id, AccountTraits>;
  readonly owed?: readonly {
    readonly party: Id;
    readonly name: string;
    readonly limit: number;
    readonly owed: number;
  }[];
}

export interface LoadedSource extends LineAmounts {
  readonly document: Id;
  readonly line: number;
  readonly kind: string;
  /** Of a note without GST. */
  readonly financial: boolean;
  readonly item: Id | null;
  readonly ledger: Id | null;
  readonly charge: string | null;
  readonly hsn: string;
  readonly unit: string;
  readonly gst_rate: number;
  readonly treatment: Treatment;
  readonly rate: number;
  readonly discount: Discount | null;
  readonly cess_rate: number;
  readonly cess_per_unit: number;
  readonly retail_price: number | null;
  /** The ledger of its own that it was booked on; null where it had none, or where its document does not keep it. */
  readonly own_ledger: OwnLedger | null;
  readonly keeps_ledgers: boolean;
  /** Of its value, what charges of its document put on it. */
  readonly charge_share: number;
  /** What was made of it, by kind; notes without GST apart. */
  readonly used: readonly UsedAmounts[];
  /** What was made of the price notes about it, by kind. */
  readonly later: readonly UsedAmounts[];
  /** Of a line of a price note: the line that it corrects in the end, what was made of that one and its notes, and what it moved. */
  readonly root:
    | (Readonly<Record<keyof SourceLeft, number>> & {
        readonly document: Id;
        readonly line: number;
        readonly used: readonly UsedAmounts[];
        readonly moved: readonly MovedGoods[];
      })
    | null;
  readonly moved: readonly MovedGoods[];
  /** Which stretches of its goods returns have that are not cancelled. */
  readonly spans: readonly (readonly Span[])[];
  /** Customs duty that came after its goods, all of it; negative never. Of documents that are not cancelled. */
  readonly landed: readonly { readonly date: string; readonly amount: number }[];
}

/** What a line moved of stock, at what it costs by now. */
interface MovedGoods {
  readonly number: number;
  readonly item: Id;
  readonly location: Id;
  readonly quantity: number;
  readonly cost: number;
}

interface UsedAmounts extends LineAmounts {
  readonly kind: string;
  /** By notes without GST: they reduce no supply (section 34). */
  readonly financial: boolean;
  /** So much of the quantity came back without its charges; left out of what was made of notes. */
  readonly charges_kept?: number;
}

interface LineAmounts extends Readonly<Record<keyof SourceLeft, number>> {
  readonly quantity: number;
  readonly free_quantity: number;
  readonly base_quantity: number;
}

/** A document that another names, with what is asked of it before that one is posted. */
export interface LoadedDocument extends Omit<SourceDocument, 'leftRoundOff' | 'leftAdjustments' | 'leftTcs'> {
  readonly author: Id;
  readonly cancelled: boolean;
  /** Its IRN is cancelled, or the portal is asked to cancel it. */
  readonly irnCancelled: boolean;
  readonly roundOff: number;
  /** Income-tax collected with it, and what of that was given back. */
  readonly tcs: number;
  readonly tcsBack: number;
  /** What it adds after tax, in paise of rupees; negative where it takes off. */
  readonly adjusted: number;
  /** Rounding and adjustments of documents that were made from it. */
  readonly rounded: readonly { readonly kind: string; readonly roundOff: number; readonly adjusted: number }[];
}

interface Place {
  readonly item: Id;
  readonly location: Id;
  readonly date: string;
  /** Moved before: locked whatever the item is now. */
  readonly certain: boolean;
}

/** Items with the places they may move at: known before pricing, so that their stock balances can be locked in order. */
export const balancesMovedBy = (
  { draft, kind, mirrorOf, landing, repriced = [] }: PostingRequest,
  snapshot: OrganisationSnapshot,
): Place[] => {
  const { date } = draft;
  if (mirrorOf) return mirrorOf.movements.map((m) => ({ item: m.item, location: m.location, date, certain: true }));
  const { stock } = kindOf(kind);
  if (landing && snapshot.settings.trackInventory)
    return landing.flatMap(({ received }) =>
      received ? [{ item: received.item, location: received.location, date, certain: true }] : [],
    );
  if (!snapshot.settings.trackInventory || stock.effect === 'none' || stock.effect === 'reserve') return [];
  if (stock.effect === 'worth') return repriced.map((place) => ({ ...place, date, certain: true }));
  const travels = stock.effect === 'transferOut' || stock.effect === 'transferIn';
  const places = [draft.location, draft.toLocation, travels ? snapshot.transit : undefined].filter(
    // one that is not the organisation's is refused later, like one that does not exist
    (p): p is Id => p !== undefined && snapshot.locations.has(p),
  );
  return itemsIn(draft).flatMap((item) => places.map((location) => ({ item, location, date, certain: false })));
};

/** The documents whose lines, or whose credit, are used up: counted and used one after the other. */
export const sourcesOf = ({ draft, kind }: Pick<PostingRequest, 'draft' | 'kind'>): Id[] => [
  ...draft.lines.flatMap((l) => (l.source ? [l.source.document] : [])),
  ...(draft.against ? [draft.against] : []),
  ...(draft.order ? [draft.order] : []),
  ...(draft.allocations?.length && consumesCredits(kindOf(kind)) ? draft.allocations.map((a) => a.document) : []),
];
const settledBy = (request: PostingRequest): Id[] => [
  ...(request.draft.allocations ?? []).map((a) => a.document),
  ...sourcesOf(request),
  ...(request.mirrorOf ? [request.mirrorOf.document] : []),
  ...(request.frees ?? []).flatMap(({ credit, invoice }) => [credit, invoice]),
];

/** Ledgers that the lines, the money, the tenders, the charges and the adjustments of a draft name. */
export const ledgersOf = (draft: Draft): Id[] => [
  ...draft.lines.flatMap((l) => (l.ledger ? [l.ledger] : [])),
  ...(draft.moneyLedger ? [draft.moneyLedger] : []),
  ...(draft.tenders ?? []).map((t) => t.ledger),
  ...(draft.charges ?? []).flatMap((c) => (c.ledger ? [c.ledger] : [])),
  ...(draft.adjustments ?? []).flatMap((a) => (a.ledger ? [a.ledger] : [])),
];

/** Kinds that use advances. */
export const advanceUsers: readonly string[] = kindNames.filter((name) => usesAdvance(kindOf(name)));
/** The advance that a draft uses. */
export const advanceOf = ({ draft, kind }: Pick<PostingRequest, 'draft' | 'kind'>): Id[] =>
  draft.against && usesAdvance(kindOf(kind)) ? [draft.against] : [];

/** Advances as they were taxed; read after `open_posting`, which holds them. */
async function loadAdvances(client: pg.PoolClient, organisation: number, ids: readonly Id[]): Promise<AdvanceFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ advances: AdvanceFacts[] | null }>({
    name: 'advances',
    text: 'select advance_facts($1, $2, $3) as advances',
    values: [organisation, ids, advanceUsers],
  });
  return rows[0]?.advances ?? [];
}

/** What advances are set against: registration and place of supply of a document never change. */
async function loadAdjusted(
  client: pg.PoolClient,
  organisation: number,
  ids: readonly Id[],
): Promise<LoadedDocument[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ documents: LoadedDocument[] }>({
    name: 'adjusted',
    text: 'select source_documents($1, $2) as documents',
    values: [organisation, ids],
  });
  return rows[0]?.documents ?? [];
}

/** The parties on the entries that cancellations mirror. */
const accountsOf = (asked: readonly PostingRequest[]): Id[] => [
  ...new Set(asked.flatMap(({ mirrorOf }) => mirrorOf?.entries ?? []).flatMap(({ party }) => party ?? [])),
];

/** What parties are today, or those that they were merged into; read after `open_posting`, which holds the books. */
async function loadAccounts(
  client: pg.PoolClient,
  organisation: number,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, AccountTraits>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<AccountTraits & { readonly id: Id }>({
    name: 'accounts',
    text: `
      select p.id, h.category, coalesce((h.body ->> 'microSmall')::boolean, false) as "microSmall"
      from parties p
      join parties h on h.organisation = p.organisation and h.id = coalesce(p.merged_into, p.id)
      where p.organisation = $1 and p.id = any($2::uuid[])
    `,
    values: [organisation, ids],
  });
  return new Map(rows.map(({ id, ...traits }) => [id, traits]));
}

const unique = (all: readonly PostingRequest[], pick: (one: PostingRequest) => readonly Id[]): Id[] => [
  ...new Set(all.flatMap(pick)),
];

interface Answer {
  version: string | null;
  locked_through: string | null;
  keys: Loaded['keys'] | null;
  parties: PartyRow[] | null;
  items: ItemRow[] | null;
  takes: TakingLedger[] | null;
  balances: NonNullable<Loaded['balances']> | null;
  sources: NonNullable<Loaded['sources']> | null;
  source_documents: NonNullable<Loaded['sourceDocuments']> | null;
  cancelling: NonNullable<Loaded['cancelling']> | null;
  opened: NonNullable<Loaded['open']> | null;
  owed: NonNullable<Loaded['owed']> | null;
}

/**
 * One round trip: organisation and user are named, facts and keys looked up, period, stock balances and open items locked in
 * their order. Undefined when the snapshot has changed meanwhile.
 */
export async function load(
  client: pg.PoolClient,
  asked: readonly PostingRequest[],
  snapshot: OrganisationSnapshot,
  wider: readonly Point[] = [],
): Promise<Loaded | undefined> {
  const own = asked.flatMap((one) => balancesMovedBy(one, snapshot));
  const named = new Set(own.map((s) => balanceKeyOf(s.item, s.location)));
  const others = wider.filter((p) => !named.has(balanceKeyOf(p.item, p.location)));
  const stockBalances = [...own, ...others.map((p) => ({ ...p, date: NO_DAY, certain: true }))];
  const keyed = asked.filter((one) => one.key !== undefined);
  const { rows } = await client.query<Answer>({
    name: 'open',
    text: 'select * from open_posting($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
    values: [
      asked[0]?.organisation,
      asked[0]?.user,
      keyed.map((one) => one.key),
      keyed.map((one) => one.user),
      stockBalances.map((s) => s.item),
      stockBalances.map((s) => s.location),
      stockBalances.map((s) => s.date),
      stockBalances.map((s) => s.certain),
      unique(asked, sourcesOf),
      unique(asked, settledBy),
      unique(asked, ({ draft }) => partiesIn(draft)),
      unique(asked, ({ draft, mirrorOf }) => [...itemsIn(draft), ...(mirrorOf?.movements ?? []).map((m) => m.item)]),
      unique(asked, ({ draft }) => ledgersOf(draft)),
      asked.flatMap((one) => (one.mirrorOf ? [one.mirrorOf.document] : [])),
    ],
  });
  const [row] = rows;
  if (!row) throw new Error('open_posting answered nothing');
  if (row.version !== snapshot.version) return undefined;
  const made = asked.filter(({ mirrorOf }) => !mirrorOf);
  return {
    advances: await loadAdvances(client, snapshot.organisation, unique(made, advanceOf)),
    adjusted: await loadAdjusted(
      client,
      snapshot.organisation,
      unique(made, ({ kind, draft }) => adjustedIn(kindOf(kind), draft)),
    ),
    tdsBefore: await holdTdsBefore(client, snapshot, asked),
    accounts: await loadAccounts(client, snapshot.organisation, accountsOf(asked)),
    keys: row.keys ?? [],
    lockedThrough: row.locked_through,
    found: lookedUp(row),
    balances: row.balances ?? [],
    sources: row.sources ?? [],
    sourceDocuments: row.source_documents ?? [],
    cancelling: row.cancelling ?? [],
    open: row.opened ?? [],
    owed: row.owed ?? [],
  };
}
