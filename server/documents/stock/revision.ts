import type pg from 'pg';
import { paise } from '../../../domain/base/money.ts';
import { costEffect } from '../../../domain/books/posting.ts';
import { firstOpenDay } from '../../../domain/books/registers.ts';
import type { Day, Id } from '../../../domain/document/document.ts';
import { type KindName, kindCalled, kindFor, kindOf } from '../../../domain/document/kinds/index.ts';
import { newId } from '../../kit/ids.ts';
import { chosen, financialYearLabel } from '../posting/facts/facts.ts';
import { type OrganisationSnapshot, seriesAt } from '../posting/snapshot.ts';
import type { CheckedRequest, CostRevision, DatedEntry, MovedCost } from '../posting/types.ts';
import type { Revised } from './balances.ts';

/** A difference of cost: so much more (or less) is in stock than the entries of that day and place say. */
export interface Difference {
  readonly date: string;
  readonly registration: Id;
  readonly location: Id;
  readonly costCentre: Id | null;
  /** Kind of the document whose cost it is; its entries say where the rest of the cost went. */
  readonly kind: string;
  readonly amount: number;
}

export const differenceOf = (r: Revised): Difference => ({
  date: r.date,
  registration: r.registration,
  location: r.location,
  costCentre: r.costCentre,
  kind: r.kind,
  amount: r.now - r.cost,
});

/** What a cost revision depends on besides the differences: settings, ledgers, and which days are locked. */
export interface RevisionBooks extends Pick<CheckedRequest, 'settings' | 'ledgers' | 'locks'> {
  readonly lockedThrough: string | null;
}

/**
 * The cost revision that one cause makes necessary: for each day and place, stock against where the cost of those documents
 * went. A day that is locked, in the books, in the register of stock or in one of the revised document, keeps its figures:
 * the entry is dated on the first open day after it. What only moves between places changes no ledger.
 */
export function costRevision(books: RevisionBooks, differences: readonly Difference[]): CostRevision | undefined {
  if (!books.settings.perpetual) return undefined;
  const { stock } = books.ledgers;
  const gathered = new Map<string, { readonly at: DatedEntry; amount: number }>();
  const moved: MovedCost[] = [];
  for (const d of differences) {
    const ledger = books.ledgers[costEffect(kindCalled(d.kind))];
    if (ledger === stock) continue;
    const date = firstOpenDay(
      [kindFor('costRevision'), d.kind],
      d.date,
      books.locks,
      books.lockedThrough,
      d.registration,
    );
    if (date !== d.date && d.amount !== 0) moved.push({ from: d.date, to: date, amount: d.amount });
    const at: DatedEntry = {
      date,
      ledger,
      debit: paise(0),
      credit: paise(0),
      registration: d.registration,
      location: d.location,
      ...(d.costCentre && { costCentre: d.costCentre }),
    };
    const key = [date, ledger, d.registration, d.location, d.costCentre].join('|');
    const sum = gathered.get(key) ?? { at, amount: 0 };
    sum.amount += d.amount;
    gathered.set(key, sum);
  }
  const entries = [...gathered.values()]
    .sort((a, b) => (a.at.date < b.at.date ? -1 : a.at.date > b.at.date ? 1 : 0))
    .flatMap(({ at, amount }): DatedEntry[] => {
      if (amount === 0) return [];
      const size = paise(Math.abs(amount));
      const { costCentre: _, ...place } = at;
      const [more, less] = [{ debit: size }, { credit: size }];
      // a movement has its cost with its sign: what rises in cost came in dearer or went out cheaper
      return amount > 0
        ? [
            { ...place, ledger: stock, ...more },
            { ...at, ...less },
          ]
        : [
            { ...at, ...more },
            { ...place, ledger: stock, ...less },
          ];
    });
  const [first] = entries;
  return first && { id: newId(), date: first.date, entries, moved };
}

/** Whose books, who caused it, and where. */
export interface RevisionCause extends Pick<CheckedRequest, 'organisation' | 'user'> {
  readonly draft: Pick<CheckedRequest['draft'], 'registration' | 'location'>;
}

/** Writes the revision before its cause, in the same transaction, under its own numbers. */
export const writeRevision = (
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  { organisation, user, draft }: RevisionCause,
  revision: CostRevision,
): Promise<string> =>
  writeSystemDocument(
    (text, values) => client.query<{ number: string }>({ name: 'write-system', text, values }),
    snapshot,
    { organisation, user },
    { ...revision, kind: kindFor('costRevision'), registration: draft.registration, location: draft.location },
  );

/** A document that the product itself makes: no tax, entries that each have a day and a place. */
export interface SystemDocument {
  readonly id: Id;
  readonly kind: KindName;
  readonly date: Day;
  readonly registration: Id;
  readonly location: Id;
  readonly entries: readonly DatedEntry[];
  readonly narration?: string;
  /** Costs that are booked on a later day than that of their goods. */
  readonly moved?: readonly MovedCost[];
  /** The document whose entries it takes back. */
  readonly reverses?: Id;
}

/** Asks the database, by whichever way the transaction is held. */
export type Ask = (
  text: string,
  values: unknown[],
) => Promise<{ readonly rows: readonly { readonly number: string }[] }>;

/** Writes it under the next number of its kind, the lock that is taken last; answers the number. Locks of periods are the caller's. */
export async function writeSystemDocument(
  ask: Ask,
  snapshot: OrganisationSnapshot,
  { organisation, user }: Pick<CheckedRequest, 'organisation' | 'user'>,
  document: SystemDocument,
): Promise<string> {
  const { id, kind, date, registration, location, entries, narration, moved = [], reverses } = document;
  const series = chosen(
    seriesAt(snapshot, kind, registration, location),
    kind,
    snapshot.locations.get(location)?.code ?? '',
    date,
  );
  const total = entries.reduce((t, e) => t + e.debit, 0);
  const written = {
    kind,
    date,
    registration,
    location,
    currency: 'INR',
    exchangeRate: 1_000_000,
    lines: entries.map(({ ledger, party, debit, credit }) => ({
      ledger,
      ...(party !== undefined && { party }),
      ...(debit ? { debit } : { credit }),
    })),
    ...(narration && { narration }),
  };
  const body = {
    draft: written,
    supply: 'none',
    taxCharged: false,
    charges: [],
    discount: 0,
    chargeTotal: 0,
    gross: 0,
    value: 0,
    ...(moved.length > 0 && { moved }),
  };
  const column = (pick: (e: DatedEntry) => unknown) => entries.map(pick);
  const values = [
    organisation,
    user,
    id,
    kind,
    kindOf(kind).numbering.family,
    registration,
    location,
    financialYearLabel(date),
    date,
    series.id,
    series.period,
    series.prefix,
    series.suffix,
    series.padding,
    series.start,
    total,
    JSON.stringify(body),
    reverses ?? null,
    column((e) => e.date),
    column((e) => e.ledger),
    column((e) => e.registration),
    column((e) => e.location),
    column((e) => e.costCentre ?? null),
    column((e) => e.debit),
    column((e) => e.credit),
    column((e) => e.party ?? null),
  ];
  const { rows } = await ask(
    `select write_system_document(${values.map((_, i) => `$${i + 1}`).join(', ')}) as number`,
    values,
  );
  return rows[0]?.number ?? '';
}
