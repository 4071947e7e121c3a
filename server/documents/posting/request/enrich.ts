import { millionths, ONE } from '../../../../domain/base/decimal.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import type { DraftReader } from '../facts/draft-facts.ts';
import { kindAsked } from '../kinds.ts';
import { withCertificate } from './certificates.ts';
import { withRateOfDay, withRateOfSources } from './exchange-rates.ts';
import { lookUpFor, type Requester } from './requester.ts';

/** The draft that somebody posts, with what the server knows: most drafts need nothing, and then the database is not asked. */
export async function enriched(requester: Requester, typed: Draft): Promise<Draft> {
  const draft = inRupees(typed);
  if (!needsEnriching(draft)) return draft;
  return lookUpFor(requester, 'its rate', (trx) => enrichedDraft(trx, requester, draft));
}

/** The draft with its rate of exchange and where that is from, and with the certificate by which less tax is deducted. */
export async function enrichedDraft(run: Executor, context: DraftReader, typed: Draft): Promise<Draft> {
  const draft = await withRateOfSources(run, context, inRupees(typed));
  if (!needsEnriching(draft)) return draft;
  // where the rate is from and which certificate applies is found anew each time
  const { exchangeSource: _source, tdsLower: _lower, ...bare } = draft;
  const rated = await withRateOfDay(run, context, { ...bare, kind: kindAsked(draft.kind) });
  return withCertificate(run, context, rated);
}

const needsEnriching = ({ currency, tdsSection, party }: Draft): boolean =>
  currency !== 'INR' || (tdsSection !== undefined && party !== undefined);

/** A draft in rupees has the rate 1, which nobody types. */
const inRupees = (draft: Draft): Draft =>
  draft.currency === 'INR' && draft.exchangeRate === 0 ? { ...draft, exchangeRate: millionths(ONE) } : draft;
