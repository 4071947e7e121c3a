import type pg from 'pg';
import type { Id, Treatment } from '../../domain/document.ts';
import type { PostRequest } from './types.ts';

/** What the database answers before a decision, under its locks. */
export interface Loaded {
  readonly keys: readonly {
    readonly key: string;
    readonly digest: string;
    readonly answer: { readonly id: Id; readonly number: string; readonly total: number };
  }[];
  readonly lockedThrough: string | null;
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
  readonly sourceDocuments?: readonly {
    readonly id: Id;
    readonly kind: string;
    readonly number: string;
    readonly date: string;
    readonly party: Id | null;
    readonly exchangeRate: number;
    readonly cancelled: boolean;
  }[];
  /** Documents about to be cancelled: who follows them, and what their movements cost by now. */
  readonly cancelling?: readonly {
    readonly id: Id;
    readonly number: string;
    readonly followed: string | null;
    readonly costs: readonly number[];
  }[];
  readonly open?: readonly {
    readonly document: Id;
    readonly party: Id;
    readonly side: string;
    readonly currency: string;
    readonly open: number;
    readonly number: string;
    readonly exchange_rate: number;
    readonly date: string;
  }[];
  readonly owed?: readonly {
    readonly party: Id;
    readonly name: string;
    readonly limit: number;
    readonly owed: number;
  }[];
}

export interface LoadedSource {
  readonly document: Id;
  readonly line: number;
  readonly item: Id | null;
  readonly quantity: number;
  readonly base_quantity: number;
  readonly taxable: number;
  readonly gst_rate: number;
  readonly treatment: Treatment;
  readonly used: readonly { readonly kind: string; readonly quantity: number; readonly taxable: number }[];
  readonly moved: readonly { readonly quantity: number; readonly cost: number }[];
}

/** Stocked items with the places they may move at: known before pricing, so that their shelves can be locked in order. */
export const shelvesOf = ({
  draft,
  facts,
  transit,
  mirrorOf,
  settings,
}: PostRequest): { readonly item: Id; readonly location: Id }[] => {
  if (mirrorOf) return mirrorOf.movements.map((m) => ({ item: m.item, location: m.location }));
  if (!settings.trackInventory) return [];
  const places = [draft.location, draft.toLocation, draft.toLocation ? transit : undefined].filter(
    (p): p is Id => p !== undefined,
  );
  return draft.lines.flatMap(({ item }) =>
    item !== undefined && facts.items.get(item)?.stocked ? places.map((location) => ({ item, location })) : [],
  );
};

/** The documents whose lines are used up: counted and used one after the other. */
export const sourcesOf = ({ draft }: PostRequest): Id[] => [
  ...draft.lines.flatMap((l) => (l.source ? [l.source.document] : [])),
  ...(draft.against ? [draft.against] : []),
];
const settledBy = (request: PostRequest): Id[] => [
  ...(request.draft.allocations ?? []).map((a) => a.document),
  ...sourcesOf(request),
  ...(request.mirrorOf ? [request.mirrorOf.document] : []),
];

/** One round trip: organisation and user are named, keys looked up, period, shelves and open items locked in their order. */
export async function load(
  client: pg.PoolClient,
  requests: readonly PostRequest[],
  actor: { readonly organisation: number; readonly user: Id },
  wider: readonly { readonly item: Id; readonly location: Id; readonly date: string }[] = [],
): Promise<Loaded> {
  const shelves = [...requests.flatMap((r) => shelvesOf(r).map((s) => ({ ...s, date: r.draft.date }))), ...wider];
  const { rows } = await client.query<{ loaded: Loaded }>({
    name: 'load',
    text: 'select load_for_posting($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as loaded',
    values: [
      actor.organisation,
      actor.user,
      requests.flatMap((r) => (r.key ? [r.key] : [])),
      shelves.map((s) => s.item),
      shelves.map((s) => s.location),
      shelves.map((s) => s.date),
      [...new Set(requests.flatMap(sourcesOf))],
      [...new Set(requests.flatMap(settledBy))],
      [...new Set(requests.flatMap((r) => (r.draft.party ? [r.draft.party] : [])))],
      requests.flatMap((r) => (r.mirrorOf ? [r.mirrorOf.document] : [])),
    ],
  });
  const loaded = rows[0]?.loaded;
  if (!loaded) throw new Error('load_for_posting answered nothing');
  return loaded;
}
