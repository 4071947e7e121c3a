// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { check } from '../../domain/check.ts';
import type { Draft, Id, Problem } from '../../domain/document.ts';
import { type KindName, kindByCode, kindOf } from '../../domain/kinds/index.ts';
import type { Facts } from '../../domain/resolve.ts';
import { withheld } from '../../domain/withheld.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import type { Executor } from '../kit/sql.ts';
import { sourcesFor } from './decide.ts';
import { type Found, financialYearLabel, lookUp } from './facts.ts';
import type { LoadedSource } from './load.ts';
import type { PostRequest } from './types.ts';

export function kindAsked(name: string): KindName {
  const kind = kindByCode(name);
  if (!kind) throw new Refusal('notFound');
  return kind;
}

/** The facts a draft refers to. Without a party or an item there are fewer facts, and `check` says so. */
export async function factsOf(run: Executor, context: Context, draft: Draft): Promise<{ readonly facts: Facts; readonly found: Found }> {
  const found = await lookUp(run, context, kindAsked(draft.kind), draft, namedLedgers(draft).map((n) => n.id));
  const plain: Facts = { own: found.own, party: found.party, items: found.items, sources: await sourcesOf(run, context, draft), roundTotal: found.settings.autoRoundOffTotals, ...(found.other && { other: found.other }) };
  return { facts: { ...plain, ...withheld(kindOf(kindAsked(draft.kind)), draft, plain) }, found };
}

async function sourcesOf(run: Executor, context: Context, draft: Draft): Promise<Facts['sources']> {
  const ids = [...new Set(draft.lines.flatMap((l) => (l.source ? [l.source.document] : [])))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ sources: LoadedSource[] | null }>`select load_for_posting(${context.organisation}, ${context.user}, '{}', '{}', '{}', '{}', ${ids}::uuid[], '{}', '{}') -> 'sources' as sources`.execute(run);
  return sourcesFor(kindOf(kindAsked(draft.kind)), { sources: rows[0]?.sources ?? [] });
}

/** Checks a draft and looks up all it refers to; throws its problems. */
export async function prepare(context: Context, draft: Draft, options: { readonly draftId?: Id; readonly number?: string } = {}): Promise<PostRequest> {
  const kind = kindAsked(draft.kind);
  if (kindOf(kind).system) throw new Refusal('notFound');
  const { facts, found } = await factsOf(context.books.kysely, context, draft);
  const problems = check(kindOf(kind), draft, facts, context.today);
  problems.push(...ledgerProblems(draft, found));
  if (problems.length > 0) throw new Problems(problems);
  return { ...common(context, kind, draft, facts, found), fromDraft: options.draftId !== undefined, id: options.draftId ?? newId(), number: options.number };
}

const namedLedgers = (draft: Draft): (Omit<Problem, 'message'> & { readonly id: Id })[] => [
  ...draft.lines.flatMap((l, row) => (l.ledger ? [{ id: l.ledger, field: 'lines.ledger', row }] : [])),
  ...(draft.moneyLedger ? [{ id: draft.moneyLedger, field: 'moneyLedger' }] : []),
  ...(draft.tenders ?? []).map((t, row) => ({ id: t.ledger, field: 'tenders.ledger', row })),
];

/** Ledgers named by a draft exist, are active and are no groups (INV-10). */
const ledgerProblems = (draft: Draft, found: Found): Problem[] =>
  namedLedgers(draft).filter((n) => !found.takes.has(n.id)).map(({ id: _, ...at }) => ({ ...at, message: 'This ledger takes no entries' }));

/** What every posting of the organisation shares, a cancellation too. */
export function common(context: Context, kind: KindName, draft: Draft, facts: Facts, found: Found): Omit<PostRequest, 'fromDraft' | 'id' | 'number'> {
  const { settings } = found;
  return {
    organisation: context.organisation,
    user: context.user,
    key: context.key,
    digest: context.digest,
    kind,
    draft,
    facts,
    ledgers: found.ledgers,
    settings: { perpetual: settings.stockAccounting === 'perpetual', method: settings.valuation, allowNegative: settings.isAllowNegative, trackInventory: settings.trackInventory },
    series: found.series(),
    financialYear: financialYearLabel(draft.date),
    transit: found.transit,
    einvoice: found.einvoice ? found.gstin : null,
    names: { item: (id) => facts.items.get(id)?.name ?? 'this item', location: (id) => (id === draft.location ? found.locationName : (found.other?.locationName ?? 'the other location')) },
  };
}
