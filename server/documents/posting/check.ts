import type { Checked } from '../../../domain/document/check.ts';
import type { Draft } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import type { Booked, Facts } from '../../../domain/document/resolve.ts';
import { type SourceDocument, withSources } from '../../../domain/document/sources.ts';
import { withExpiries } from '../../../domain/stock/shelf-life.ts';
import { adjustedIn, withAdvance } from '../../../domain/tax/advances.ts';
import { withCreditReversed } from '../../../domain/tax/credit-lost.ts';
import { isRegular } from '../../../domain/tax/gst/registration/registered.ts';
import { tdsOfPayment, withTdsOfPayment } from '../../../domain/tax/withheld.ts';
import { Problems } from '../../kit/problems.ts';
import { checkedWithLedgers } from './checks/checked-with-ledgers.ts';
import { assembledFacts } from './facts/assembled-facts.ts';
import { type Found, financialYearLabel, foundFor } from './facts/facts.ts';
import { type Loaded, sourcesOf } from './load.ts';
import { bookSettings, type OrganisationSnapshot } from './snapshot.ts';
import { documentsFor, type Sources, sourcesSeen } from './sources/sources.ts';
import type { CheckedRequest, PostingRequest } from './types.ts';

/** The step "check" of a posting: the document with all it refers to, as it was locked and loaded. Throws its problems. */
export function checkRequest(
  asked: PostingRequest,
  snapshot: OrganisationSnapshot,
  loaded: Loaded,
  booked?: Booked,
): CheckedRequest {
  const check = asked.mirrorOf ? checkedCancellation : checkedDocument;
  const { draft, found, facts, warnings, added } = check(asked, snapshot, loaded, booked);
  return {
    facts,
    ledgers: snapshot.ledgers,
    locks: snapshot.locks,
    settings: bookSettings(snapshot),
    series: found.series(),
    financialYear: financialYearLabel(draft.date),
    transit: snapshot.transit,
    einvoice: found.einvoice,
    names: {
      item: (id) => facts.items.get(id)?.name ?? 'this item',
      location: (id) => snapshot.locations.get(id)?.name ?? 'the other location',
    },
    warnings,
    ...(added && { added }),
    ...(draft === asked.draft ? asked : { ...asked, draft }),
  };
}

interface CheckedDraft extends Pick<Checked, 'warnings' | 'added'> {
  /** The draft as it is posted: with what it takes from its sources and its advance, and what is worked out. */
  readonly draft: Draft;
  readonly found: Found;
  readonly facts: Facts;
}

function checkedDocument(
  asked: PostingRequest,
  snapshot: OrganisationSnapshot,
  loaded: Loaded,
  booked: Booked | undefined,
): CheckedDraft {
  const { id, today, prices, limits } = asked;
  const { advances = [], tdsBefore } = loaded;
  const kind = kindOf(asked.kind);
  const sources = sourcesIn(asked, loaded);
  const dated = withShelfLives(asked, snapshot, loaded);
  const advance = advances.find(({ document }) => document === dated.against);
  const completed = withSources(kind, withAdvance(kind, dated, advance), sources);
  const found = foundFor(snapshot, loaded.found, asked.locations, asked.kind, completed);
  const facts = assembledFacts(asked.kind, completed, found, sources, {
    ...{ today, prices, advances, booked, limits },
    tdsBefore: tdsBefore?.get(id),
    adjusted: adjustedBy(asked, loaded),
  });
  const bought = isRegular(facts.own.kind) ? booked?.bought : undefined;
  const draft = withCreditReversed(kind, withTdsOfPayment(kind, completed, facts), facts.items, bought);
  const { problems, warnings, added } = checkedWithLedgers(asked.kind, draft, found, facts, today);
  if (problems.length > 0) throw new Problems(problems);
  const tdsOfMoney = tdsOfPayment(kind, completed, facts);
  return {
    ...{ draft, found, warnings },
    facts: tdsOfMoney ? { ...facts, tdsOfPayment: tdsOfMoney } : facts,
    ...(added && { added }),
  };
}

/** A cancellation posts what its document posted, on the other side: that was checked, and nothing is added to it. */
function checkedCancellation(
  asked: PostingRequest,
  snapshot: OrganisationSnapshot,
  loaded: Loaded,
  booked: Booked | undefined,
): CheckedDraft {
  const { kind, draft, locations, today, prices } = asked;
  const found = foundFor(snapshot, loaded.found, locations, kind, draft, true);
  const facts = assembledFacts(kind, draft, found, sourcesIn(asked, loaded), { today, prices, booked });
  return { draft, found, facts, warnings: [] };
}

/** The sources of one document, out of those of its batch, as far as its user may see them. */
function sourcesIn(asked: PostingRequest, { sources = [], sourceDocuments = [] }: Loaded): Sources {
  const ids = new Set(sourcesOf(asked));
  return sourcesSeen(
    kindOf(asked.kind),
    sources.filter(({ document }) => ids.has(document)),
    sourceDocuments.filter(({ id }) => ids.has(id)),
    asked.mayName,
  );
}

/** The draft with the days on which its batches expire, by the shelf life of their items. */
const withShelfLives = (
  { kind, draft }: PostingRequest,
  { switches }: OrganisationSnapshot,
  { found }: Loaded,
): Draft =>
  switches.shelfLife ? withExpiries(kindOf(kind), draft, (item) => found.items.get(item)?.shelfLife) : draft;

/** The documents that the advance of a draft is set against, as far as its user may see them. */
function adjustedBy({ kind, draft, mayName }: PostingRequest, { adjusted = [] }: Loaded): SourceDocument[] {
  const ids = new Set(adjustedIn(kindOf(kind), draft));
  if (ids.size === 0) return [];
  const named = adjusted.filter(({ id }) => ids.has(id));
  return [...documentsFor(named, mayName).values()];
}
