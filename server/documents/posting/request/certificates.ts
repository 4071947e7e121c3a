import { sql } from 'kysely';
import { HUNDRED_PERCENT } from '../../../../domain/base/decimal.ts';
import { type Paise, paise, scale } from '../../../../domain/base/money.ts';
import { moneySettled } from '../../../../domain/books/posting.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { type Kind, kindCalled } from '../../../../domain/document/kinds/index.ts';
import { price } from '../../../../domain/document/price.ts';
import { type Facts, resolve } from '../../../../domain/document/resolve.ts';
import { type Certificate, lowerOf, tdsRate } from '../../../../domain/tax/withheld.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import { type DraftReader, factsOf } from '../facts/draft-facts.ts';
import { partyFacts } from '../facts/facts.ts';

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
export async function withCertificate(run: Executor, context: DraftReader, draft: Draft): Promise<Draft> {
  const { tdsSection: section, party, date } = draft;
  const kind = kindCalled(draft.kind);
  if (!section || !party || !kind?.fields.includes('tdsSection')) return draft;
  const certificates = await certificatesOf(run, context.organisation, party);
  if (certificates.length === 0 || !(await partyFacts(run, context.organisation, party))?.hasPan) return draft;
  const worked = kind.lines.of === 'none' && draft.tdsAmount === undefined;
  const paid = kind.lines.of === 'none' ? moneySettled({ draft }) : undefined;
  // of what is worked out, the tax comes on top of what is paid out: never as much again
  const amount =
    paid === undefined
      ? deductedFrom(kind, draft, await factsOf(run, context, draft))
      : worked
        ? paise(2 * paid)
        : paid;
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
