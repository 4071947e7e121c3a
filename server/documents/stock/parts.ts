import type pg from 'pg';
import { Refusal } from '../../../contract/errors.ts';
import { dayInWords, daysBetween } from '../../../domain/base/dates.ts';
import { quantityText } from '../../../domain/base/decimal.ts';
import { say } from '../../../domain/base/say.ts';
import type { Id } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import {
  type PartFault,
  type PartMove,
  type PartSort,
  type PartStand,
  partFault,
  partName,
  partsMoved,
} from '../../../domain/stock/parts.ts';
import { takesIn } from '../../../domain/stock/shelf-life.ts';
import { Problems } from '../../kit/problems.ts';
import type { CheckedRequest, Decided } from '../posting/types.ts';

interface PostingRequest {
  readonly item: Id;
  readonly sort: PartSort;
  readonly part: string;
  readonly location: Id;
  readonly source: Id | null;
}

/** Batches and serial numbers that a request may move, at every place it may move them: asked before it is decided. */
function askedBy({ kind, draft, transit, mirrorOf }: CheckedRequest): PostingRequest[] {
  if (mirrorOf) return mirrorOf.movements.flatMap(partsMoved).map((m) => ({ ...m, source: null }));
  const { stock } = kindOf(kind);
  const travels = stock.effect === 'transferOut' || stock.effect === 'transferIn';
  const places = [draft.location, draft.toLocation, travels ? transit : undefined].filter(
    (p): p is Id => p !== undefined,
  );
  return draft.lines.flatMap(({ item, batches = [], serials = [], source }) => {
    if (item === undefined) return [];
    const parts = [
      ...batches.map((b) => ({ sort: 'batch' as const, part: partName(b.batch) })),
      ...serials.map((s) => ({ sort: 'serial' as const, part: partName(s) })),
    ];
    return parts.flatMap((part) =>
      places.map((location) => ({ ...part, item, location, source: source?.document ?? null })),
    );
  });
}

/** How they stand, locked after the stock balances; nothing is asked when no line names any. */
export async function loadParts(
  client: pg.PoolClient,
  requests: readonly CheckedRequest[],
): Promise<readonly PartStand[]> {
  const asked = requests.flatMap((request) => askedBy(request).map((part) => ({ ...part, date: request.draft.date })));
  if (asked.length === 0) return [];
  const column = <K extends keyof (typeof asked)[number]>(name: K) => asked.map((part) => part[name]);
  const { rows } = await client.query<{ stands: PartStand[] | null }>({
    name: 'parts',
    text: 'select part_facts($1, $2, $3, $4, $5, $6, $7) as stands',
    values: [
      requests[0]?.organisation,
      column('item'),
      column('sort'),
      column('part'),
      column('location'),
      column('date'),
      column('source'),
    ],
  });
  return rows[0]?.stands ?? [];
}

const movesOf = (decided: Decided): PartMove[] => decided.movements.flatMap(partsMoved);

/** Refuses what a batch or serial number does not bear, on this day or any later one, after what goes before in the same transaction. */
export function holdParts(one: Decided, before: readonly Decided[], stands: readonly PartStand[]): void {
  const moves = movesOf(one);
  if (moves.length === 0) return;
  const { request } = one;
  const kind = kindOf(request.kind);
  const isSale = kind.stock.effect === 'out' && kind.party.side === 'customer' && request.mirrorOf === undefined;
  const { items, switches } = request.facts;
  const keeping = switches?.shelfLife
    ? { keeps: (item: Id) => items.get(item)?.shelfLife, isReceipt: takesIn(kind) && request.mirrorOf === undefined }
    : undefined;
  const fault = partFault(stands, before.flatMap(movesOf), moves, request.draft.date, isSale, keeping);
  if (fault) throw refused(request, fault);
}

function refused(request: CheckedRequest, { move, what, quantity, expiry }: PartFault): Error {
  const { part, sort } = move;
  const facts = {
    part,
    item: request.names.item(move.item),
    location: request.names.location(move.location),
    date: request.draft.date,
  };
  if (what === 'short' && sort === 'batch')
    return new Refusal('batchShort', { ...facts, quantity: quantityText(quantity) });
  if (what === 'short') return new Refusal('serialAway', facts);
  if (what === 'twice') return new Refusal('serialTwice', facts);
  const life = request.facts.items.get(move.item)?.shelfLife;
  const day = expiry === null ? '' : dayInWords(expiry);
  const messages = {
    tooOld: say('Batch {{part}} expires on {{day}}: {{left}} days are left of the {{least}} that a buyer is to have', {
      part,
      day,
      left: daysBetween(request.draft.date, expiry ?? request.draft.date),
      least: life?.least ?? 0,
    }),
    undated: life?.days
      ? say('Enter the day that batch {{part}} was made, or the day it expires', { part })
      : say('Enter the day that batch {{part}} expires', { part }),
    expired: say('Batch {{part}} expired on {{day}}', { part, day }),
    otherExpiry: say('Batch {{part}} is known to expire on {{day}}', { part, day }),
    notSold: say('{{part}} was not delivered with the document that is returned', { part }),
  };
  return new Problems([
    { field: sort === 'batch' ? 'lines.batches' : 'lines.serials', row: move.line - 1, ...messages[what] },
  ]);
}
