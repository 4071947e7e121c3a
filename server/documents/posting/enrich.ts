import { sql } from 'kysely';
import { HUNDRED_PERCENT, millionths } from '../../../domain/base/decimal.ts';
import { type Paise, paise, scale } from '../../../domain/base/money.ts';
import type { RatePurpose } from '../../../domain/books/exchange.ts';
import { moneySettled } from '../../../domain/books/posting.ts';
import type { Day, Draft, Id } from '../../../domain/document/document.ts';
import { type Kind, kindCalled } from '../../../domain/document/kinds/index.ts';
import { price } from '../../../domain/document/price.ts';
import { type Facts, resolve } from '../../../domain/document/resolve.ts';
import { sourceIds, takesRateOfSources } from '../../../domain/document/sources.ts';
import { type Certificate, lowerOf, tdsRate } from '../../../domain/tax/withheld.ts';
import type { Context } from '../../context.ts';
import type { Executor } from '../../kit/database/sql.ts';
import { partyFacts } from './facts.ts';

type Where = Pick<Context, 'organisation'>;
type FactsOf = (draft: Draft) => Promise<Facts>;

/** Whether the server has something to say to a draft: its rate of exchange and where that is from, or a certificate. */
export const needsEnriching = ({ currency, tdsSection, party }: Draft): boolean =>
  currency !== 'INR' || (tdsSection !== undefined && party !== undefined);

/** The draft with its rate and where it comes from, and with the certificate by which less tax is deducted. */
export async function stated(run: Executor, where: Where, draft: Draft, factsOf: FactsOf): Promise<Draft> {
  const { exchangeSource: _source, tdsLower: _lower, ...bare } = draft;
  return lowered(run, where, await rated(run, where, bare), factsOf);
}

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

/**
 * Nothing said: the books' rate of the day. What was said keeps where it is from: the table, the document it follows,
 * or whoever typed it.
 */
async function rated(run: Executor, { organisation }: Where, draft: Draft): Promise<Draft> {
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
  const named = sourceIds(draft);
  const { rows } =
    named.length > 0
      ? await sql<{
          number: string;
        }>`
          select number
          from documents
          where organisation = ${organisation}
            and id = any(${named}::uuid[])
            and currency = ${currency}
            and exchange_rate = ${exchangeRate}
          order by number
          limit 1
        `.execute(run)
      : { rows: [] };
  return { ...draft, exchangeSource: rows[0] ? `As ${rows[0].number}` : 'Typed' };
}

export const sourceText = ({ source, since }: RateOfDay): string =>
  `${source}, ${since.split('-').reverse().join('-')}`;

/** Certificates of a party with what is left of each. */
export async function certificatesOf(run: Executor, organisation: number, party: Id): Promise<Certificate[]> {
  const { rows } = await sql<Omit<Certificate, 'left'> & { left: string }>`
    select
      id, number, section, rate, valid_from as "from", valid_to as "to",
      greatest(limit_amount - certificate_used(organisation, id), 0) as left
    from tds_certificates
    where organisation = ${organisation} and party = any(party_family(${organisation}, ${party}::uuid)) and active
    order by valid_from, number
  `.execute(run);
  return rows.map((row) => ({ ...row, left: paise(Number(row.left)) }));
}

/**
 * Tax is deducted by the certificate as far as it goes. Where the amount of the tax was typed, it is used when that is
 * less than the section asks for.
 */
async function lowered(run: Executor, where: Where, draft: Draft, factsOf: FactsOf): Promise<Draft> {
  const { tdsSection: section, party, date } = draft;
  const kind = kindCalled(draft.kind);
  if (!section || !party || !kind?.fields.includes('tdsSection')) return draft;
  const certificates = await certificatesOf(run, where.organisation, party);
  if (certificates.length === 0 || !(await partyFacts(run, where.organisation, party))?.hasPan) return draft;
  const worked = kind.lines.of === 'none' && draft.tdsAmount === undefined;
  const paid = kind.lines.of === 'none' ? moneySettled({ draft }) : undefined;
  // of what is worked out, the tax comes on top of what is paid out: never as much again
  const amount = paid === undefined ? deductedFrom(kind, draft, await factsOf(draft)) : worked ? paise(2 * paid) : paid;
  const tdsLower = lowerOf(certificates, section, date, amount);
  return tdsLower && !isUsual(draft, section, amount) ? { ...draft, tdsLower } : draft;
}

/** What of a document bears the deduction; where its amount was typed, all of it. */
const deductedFrom = (kind: Kind, draft: Draft, facts: Facts): Paise =>
  draft.tdsAmount === undefined && facts.tds ? facts.tds.base : price(resolve(kind, draft, facts)).value;

/** As much was typed as the section asks for: no certificate was used. */
function isUsual({ tdsAmount, date }: Draft, section: string, amount: Paise): boolean {
  if (tdsAmount === undefined) return false;
  const rate = tdsRate(section, date);
  return rate !== undefined && tdsAmount >= scale(scale(scale(amount, rate, HUNDRED_PERCENT), 1, 100), 100, 1);
}
