import { sql } from 'kysely';
import { millionths } from '../../../../domain/base/decimal.ts';
import type { RatePurpose } from '../../../../domain/books/exchange.ts';
import type { Day, Draft } from '../../../../domain/document/document.ts';
import { kindCalled, kindOf } from '../../../../domain/document/kinds/index.ts';
import { rateOfSources, sourceIds, takesRateOfSources } from '../../../../domain/document/sources.ts';
import type { Context } from '../../../context.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import type { Seer } from '../../read/may-read.ts';
import { kindAsked } from '../kinds.ts';
import { namedDocuments } from '../sources/sources.ts';

export interface RateOfDay {
  readonly rate: number;
  readonly source: string;
  readonly since: Day;
}

/** The rate of a currency on a day; undefined where none is kept. */
export async function rateOn(
  run: Executor,
  organisation: number,
  currency: string,
  purpose: RatePurpose,
  day: Day,
): Promise<RateOfDay | undefined> {
  const { rows } = await sql<{
    rate: string;
    source: string;
    since: Day;
  }>`select rate, source, since from exchange_rate_on(${organisation}, ${currency}, ${purpose}, ${day}::date)`.execute(
    run,
  );
  return rows[0] && { ...rows[0], rate: Number(rows[0].rate) };
}

/** A correction in another currency has the rate of the document that it corrects. Where those have several rates, it gets none. */
export async function withRateOfSources(run: Executor, context: Seer, draft: Draft): Promise<Draft> {
  const kind = kindOf(kindAsked(draft.kind));
  if (draft.exchangeRate !== 0 || !takesRateOfSources(kind, draft)) return draft;
  const documents = new Map((await namedDocuments(run, context, sourceIds(draft))).map((d) => [d.id, d]));
  return { ...draft, exchangeRate: rateOfSources(kind, draft, { documents }) ?? draft.exchangeRate };
}

/**
 * A draft without a rate gets the books' rate of the day. A rate that was typed is kept, with where it is from: the table of
 * rates, a document that the draft is made from, or nowhere ("Typed").
 */
export async function withRateOfDay(
  run: Executor,
  { organisation }: Pick<Context, 'organisation'>,
  draft: Draft,
): Promise<Draft> {
  const { currency, exchangeRate, date } = draft;
  const kind = kindCalled(draft.kind);
  if (currency === 'INR' || (exchangeRate === 0 && kind && takesRateOfSources(kind, draft))) return draft;
  const kept = [
    await rateOn(run, organisation, currency, 'book', date),
    await rateOn(run, organisation, currency, 'customs', date),
  ];
  if (exchangeRate === 0)
    return kept[0] ? { ...draft, exchangeRate: millionths(kept[0].rate), exchangeSource: sourceText(kept[0]) } : draft;
  const same = kept.find((each) => each?.rate === exchangeRate);
  if (same) return { ...draft, exchangeSource: sourceText(same) };
  const source = await documentOfRate(run, organisation, draft);
  return { ...draft, exchangeSource: source === undefined ? 'Typed' : `As ${source}` };
}

/** The number of a document that the draft is made from and that has the same rate. */
async function documentOfRate(run: Executor, organisation: number, draft: Draft): Promise<string | undefined> {
  const named = sourceIds(draft);
  if (named.length === 0) return undefined;
  const { rows } = await sql<{ number: string }>`
    select number
    from documents
    where organisation = ${organisation}
      and id = any(${named}::uuid[])
      and currency = ${draft.currency}
      and exchange_rate = ${draft.exchangeRate}
    order by number
    limit 1
  `.execute(run);
  return rows[0]?.number;
}

const sourceText = ({ source, since }: RateOfDay): string => `${source}, ${since.split('-').reverse().join('-')}`;
