import { sql } from 'kysely';
import type { Draft, Id, Problem } from '../../../../domain/document/document.ts';
import { type KindName, kindOf } from '../../../../domain/document/kinds/index.ts';
import type { Facts } from '../../../../domain/document/resolve.ts';
import { withSources } from '../../../../domain/document/sources.ts';
import { type AdvanceFacts, adjustedIn, withAdvance } from '../../../../domain/tax/advances.ts';
import { type TdsBefore, withTdsOfPayment } from '../../../../domain/tax/withheld.ts';
import type { Context } from '../../../context.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { nameable, type Seer } from '../../read/may-read.ts';
import { bookedFor } from '../checks/booked.ts';
import { checkedWithLedgers } from '../checks/checked-with-ledgers.ts';
import { kindAsked } from '../kinds.ts';
import { advanceOf, advanceUsers, ledgersOf } from '../load.ts';
import type { OrganisationSnapshot } from '../snapshot.ts';
import { namedDocuments, readSources } from '../sources/sources.ts';
import { assembledFacts } from './assembled-facts.ts';
import { type Found, lookUp } from './facts.ts';
import { comparesPrices, pricesFor } from './price-lists.ts';
import { payeeAt, tdsBefore } from './tds-before.ts';

/*
 * The facts of a draft that is saved, priced or sent for approval, read without locks. check.ts makes the same facts of what a
 * posting has locked.
 */

/** Who reads a draft: their rights and limits decide what they see and what is wrong with it. */
export type DraftReader = Seer & Pick<Context, 'today'> & Partial<Pick<Context, 'limits'>>;

/** The facts that a draft refers to. Without a party or an item there are fewer, and `checked` says what is missing. */
export async function factsOf(run: Executor, context: DraftReader, draft: Draft): Promise<Facts> {
  return (await foundOf(run, context, draft)).facts;
}

/** The facts of a draft with all that is wrong with it: posting finds the same as long as nothing changes. */
export async function judged(
  run: Executor,
  context: DraftReader,
  draft: Draft,
): Promise<{ readonly facts: Facts; readonly problems: readonly Problem[] }> {
  const { found, facts } = await foundOf(run, context, draft);
  const { problems } = checkedWithLedgers(kindAsked(draft.kind), draft, found, facts, context.today);
  return { facts, problems };
}

/** The draft with what posting takes from its advance and its sources, and with the tax deducted of what is paid. */
export function withFacts(draft: Draft, facts: Facts): Draft {
  const kind = kindOf(kindAsked(draft.kind));
  return withTdsOfPayment(kind, withSources(kind, withAdvance(kind, draft, facts.advance), facts), facts);
}

async function foundOf(
  run: Executor,
  context: DraftReader,
  typed: Draft,
): Promise<{ readonly found: Found; readonly facts: Facts }> {
  const { organisation, today, limits } = context;
  const name = kindAsked(typed.kind);
  const kind = kindOf(name);
  const sources = await readSources(run, context, name, typed);
  const draft = withSources(kind, typed, sources);
  const found = await lookUp(run, context, name, draft, ledgersOf(draft));
  const booked = await bookedFor(run, organisation, name, draft, found, today, nameable(context));
  const adjusted = await namedDocuments(run, context, adjustedIn(kind, draft));
  const prices = await pricesFor(run, organisation, kind, draft, comparesPrices(kind, limits));
  const advances = await advancesOf(run, organisation, advanceOf({ kind: name, draft }));
  const before = await tdsBeforeOf(run, found.snapshot, name, draft);
  const more = { today, prices, advances, tdsBefore: before, booked, adjusted, limits };
  return { found, facts: assembledFacts(name, draft, found, sources, more) };
}

/** Advances as they were taxed, with what is left of them. */
export async function advancesOf(
  run: Executor,
  organisation: number,
  ids: readonly Id[],
): Promise<readonly AdvanceFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    advances: AdvanceFacts[] | null;
  }>`select advance_facts(${organisation}, ${[...ids]}::uuid[], ${[...advanceUsers]}::text[]) as advances`.execute(run);
  return rows[0]?.advances ?? [];
}

async function tdsBeforeOf(
  run: Executor,
  snapshot: OrganisationSnapshot,
  kind: KindName,
  draft: Draft,
): Promise<TdsBefore | undefined> {
  const payee = payeeAt(snapshot, { draft, kind });
  return payee === undefined ? undefined : tdsBefore(run, snapshot.organisation, payee, draft.date);
}
