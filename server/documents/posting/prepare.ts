import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import { millionths, ONE, rupeesText } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import { accountEffect, accountSide } from '../../../domain/books/accounts.ts';
import { effects } from '../../../domain/books/effects.ts';
import { moneySettled } from '../../../domain/books/posting.ts';
import { type Checked, checked } from '../../../domain/document/check.ts';
import { unaccepted } from '../../../domain/document/checks/index.ts';
import { givesDiscount } from '../../../domain/document/checks/limits.ts';
import type { Day, Draft, Id, Problem } from '../../../domain/document/document.ts';
import { type Kind, type KindName, kindByCode, kindLabel, kindOf } from '../../../domain/document/kinds/index.ts';
import { withPartyThen } from '../../../domain/document/party-then.ts';
import { accountOfParty, type Booked, type Facts, type PartyFacts } from '../../../domain/document/resolve.ts';
import {
  rateOfSources,
  type SourceDocument,
  sourceIds,
  takesRateOfSources,
  withSources,
} from '../../../domain/document/sources.ts';
import type { ReceivedLine } from '../../../domain/stock/landing.ts';
import { withExpiries } from '../../../domain/stock/shelf-life.ts';
import { type AdvanceFacts, adjustedIn, withAdvance } from '../../../domain/tax/advances.ts';
import { withCreditReversed } from '../../../domain/tax/credit-lost.ts';
import { coveredLines, coverProblems } from '../../../domain/tax/customs.ts';
import { isRegular } from '../../../domain/tax/gst/registered.ts';
import { type TdsBefore, withheld, withTdsOfPayment } from '../../../domain/tax/withheld.ts';
import type { Context } from '../../context.ts';
import type { Executor } from '../../kit/database/sql.ts';
import { newId } from '../../kit/ids.ts';
import { decimalsProblems } from '../../kit/measures.ts';
import { Problems } from '../../kit/problems.ts';
import { type Named, nameable, type Seer } from '../read/may-read.ts';
import { movementKey } from '../stock/shelves.ts';
import { entryGoods } from './assessed.ts';
import { bookedFor } from './booked.ts';
import { documentsFor, sourcesFor } from './decide.ts';
import { needsEnriching, stated } from './enrich.ts';
import { type Found, financialYearLabel, foundFor, itemsIn, lookUp } from './facts.ts';
import {
  advanceOf,
  advanceUsers,
  type Loaded,
  type LoadedDocument,
  type LoadedSource,
  ledgersOf,
  sourcesOf as sourcesIn,
} from './load.ts';
import { pricesFor, unrated } from './price-lists.ts';
import { settledBy } from './settled-by.ts';
import { type OrganisationSnapshot, seenIn } from './snapshot.ts';
import { payeeAt, tdsBefore } from './tds-before.ts';
import type { BookSettings, CheckedRequest, PostingRequest, ReleasedAllocation } from './types.ts';

export function kindAsked(name: string): KindName {
  const kind = kindByCode(name);
  if (!kind) throw new Refusal('notFound');
  return kind;
}

/** The reasons that somebody gives for warnings of what they post, in their name; nothing without reasons. */
export const reasonsOf = (
  { user }: Pick<Context, 'user'>,
  accepted: Draft['accepted'] = [],
): { readonly accepted?: NonNullable<Draft['accepted']> } =>
  accepted.length > 0 ? { accepted: accepted.map((each) => ({ ...each, by: user })) } : {};

/** Who is shown what is wrong with a draft. */
type Judging = Seer & Pick<Context, 'today'> & Partial<Pick<Context, 'limits'>>;

/** The facts a draft refers to. Without a party or an item there are fewer facts, and `check` says so. */
export async function factsOf(run: Executor, context: Judging, draft: Draft): Promise<Facts> {
  return (await foundOf(run, context, draft)).facts;
}

async function foundOf(
  run: Executor,
  context: Judging,
  typed: Draft,
): Promise<{ readonly found: Found; readonly facts: Facts }> {
  const kind = kindAsked(typed.kind);
  const from = await sourcesOf(run, context, kind, typed);
  const draft = withSources(kindOf(kind), typed, from);
  const found = await lookUp(run, context, kind, draft, ledgersOf(draft));
  const booked = await bookedFor(run, context.organisation, kind, draft, found, context.today, nameable(context));
  const comparesPrices = context.limits?.discount != null && givesDiscount(kindOf(kind));
  const adjusted = await namedDocuments(run, context, adjustedIn(kindOf(kind), draft));
  return {
    found,
    facts: factsFrom(
      kind,
      draft,
      found,
      from,
      await pricesFor(run, context.organisation, kindOf(kind), draft, comparesPrices),
      {
        today: context.today,
        advances: await advancesOf(run, context.organisation, advanceOf({ kind, draft })),
        tdsBefore: await tdsBeforeOf(run, found.snapshot, kind, draft),
        booked,
        adjusted,
        limits: context.limits,
      },
    ),
  };
}

/** The facts of a draft with all that is wrong with it: posting finds the same as long as nothing changes. */
export async function judged(
  run: Executor,
  context: Judging,
  draft: Draft,
): Promise<{ readonly facts: Facts; readonly problems: readonly Problem[] }> {
  const { found, facts } = await foundOf(run, context, draft);
  const { problems, warnings } = checked(kindOf(kindAsked(draft.kind)), draft, facts, context.today);
  return { facts, problems: [...problems, ...ledgerProblems(draft, found, problems), ...unaccepted(draft, warnings)] };
}

/** The draft with what posting takes from its advance and its sources, and with the tax deducted of what is paid. */
export function withFacts(draft: Draft, facts: Facts): Draft {
  const kind = kindOf(kindAsked(draft.kind));
  return withTdsOfPayment(kind, withSources(kind, withAdvance(kind, draft, facts.advance), facts), facts);
}

/** Where the account of a party stands that a line names on a ledger of accounts. */
function accountNamed(
  { ledgers }: OrganisationSnapshot,
  party: PartyFacts | undefined,
  named: Id,
): ReturnType<NonNullable<Facts['accountOf']>> {
  const side = accountSide(ledgers, named);
  if (!party || !side) return undefined;
  const effect = accountEffect(side, accountOfParty(party));
  return {
    ledger: ledgers[effect],
    says: say('The account of {{party}} stands on another ledger ({{ledger}}): choose that one', {
      party: party.name,
      ledger: effects[effect][0],
    }),
  };
}

type From = Pick<Facts, 'sources'> & Required<Pick<Facts, 'documents'>>;

function factsFrom(
  kind: KindName,
  draft: Draft,
  { snapshot, own, party, parties, items, retiredLedgers, ends, other, einvoice }: Found,
  from: From,
  prices: Facts['prices'],
  {
    today,
    advances = [],
    tdsBefore = nothingPaid,
    booked,
    adjusted = [],
    limits,
  }: {
    readonly today: Day;
    readonly advances?: readonly AdvanceFacts[];
    readonly tdsBefore?: TdsBefore | undefined;
    readonly booked?: Booked | undefined;
    readonly adjusted?: readonly SourceDocument[];
    readonly limits?: Facts['limits'] | undefined;
  },
): Facts {
  const advance = advances.find(({ document }) => document === draft.against);
  const plain: Facts = {
    today,
    own,
    party,
    parties,
    items,
    retiredLedgers,
    ...from,
    ...(adjusted.length > 0 && {
      documents: new Map([...adjusted.map((d) => [d.id, d] as const), ...from.documents]),
    }),
    places: snapshot.places,
    costCentres: snapshot.costCentres,
    roundTotal: snapshot.settings.autoRoundOffTotals,
    switches: snapshot.switches,
    controlled: snapshot.controlled,
    accountOf: (id, ledger) => accountNamed(snapshot, parties.get(id), ledger),
    units: snapshot.units,
    ...(booked && { booked }),
    currencies: snapshot.currencies,
    isMoney: (id) => snapshot.money.has(id),
    isCash: (id) => snapshot.cash.has(id),
    unspent: snapshot.unspent,
    ledgerSeen: (id) => seenIn(snapshot, id),
    locks: snapshot.locks,
    ledgers: snapshot.ledgers,
    einvoice,
    ends,
    ...(other && { other }),
    ...(prices && { prices }),
    ...(limits && { limits }),
    ...(advance && { advance }),
    tdsBefore,
  };
  const then = withPartyThen(kindOf(kind), draft, plain);
  return { ...then, ...withheld(kindOf(kind), draft, then) };
}

/** The documents that a draft names, as far as its user may see them, with the lines of those that lines come from. */
const fromLoaded = (
  kind: Kind,
  lines: readonly LoadedSource[],
  documents: readonly LoadedDocument[],
  sees: (document: LoadedDocument) => boolean,
): From => {
  const seen = documentsFor(documents, sees);
  return { documents: seen, sources: sourcesFor(kind, { sources: lines.filter((l) => seen.has(l.document)) }) };
};

async function sourcesOf(run: Executor, context: Seer, kind: KindName, draft: Draft): Promise<From> {
  const ids = sourcesIn({ kind, draft });
  if (ids.length === 0) return { sources: new Map(), documents: new Map() };
  const { rows } = await sql<{ sources: LoadedSource[]; documents: LoadedDocument[] }>`
    select
      source_lines(${context.organisation}, ${ids}::uuid[]) as sources,
      source_documents(${context.organisation}, ${ids}::uuid[]) as documents
  `.execute(run);
  return fromLoaded(kindOf(kind), rows[0]?.sources ?? [], rows[0]?.documents ?? [], nameable(context));
}

/** Those of the documents that exist and that the user may name, as far as a draft has to agree with them. */
export async function namedDocuments(
  run: Executor,
  context: Seer,
  ids: readonly Id[],
): Promise<readonly SourceDocument[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    documents: LoadedDocument[];
  }>`select source_documents(${context.organisation}, ${[...ids]}::uuid[]) as documents`.execute(run);
  return [...documentsFor(rows[0]?.documents ?? [], nameable(context)).values()];
}

/** Somebody who is not on record was paid nothing before. */
const nothingPaid: TdsBefore = { deductee: 'other', standings: [] };
const tdsBeforeOf = async (
  run: Executor,
  snapshot: OrganisationSnapshot,
  kind: KindName,
  draft: Draft,
): Promise<TdsBefore | undefined> => {
  const payee = payeeAt(snapshot, { draft, kind });
  return payee === undefined ? undefined : tdsBefore(run, snapshot.organisation, payee, draft.date);
};

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

/** Who posts, where, under which key and within which limits: a call, or a job in somebody's name. */
export type Asker = Pick<Context, 'user' | 'key' | 'digest' | 'today' | 'limits'> &
  Seer &
  Partial<Pick<Context, 'inTransaction'>>;

/** What the server knows of a draft by itself; most drafts need nothing, and are asked nothing. */
async function withStated(context: Asker, typed: Draft): Promise<Draft> {
  const draft = inRupees(typed);
  if (!needsEnriching(draft)) return draft;
  if (!context.inTransaction) throw new Error('who posts this must be able to look up its rate');
  const { inTransaction } = context;
  return inTransaction((trx) => enrichedDraft(trx, context, draft));
}

/** A rupee is one rupee; nobody says so. */
const inRupees = (draft: Draft): Draft =>
  draft.currency === 'INR' && draft.exchangeRate === 0 ? { ...draft, exchangeRate: millionths(ONE) } : draft;

/** The draft with what the server knows of it by itself. */
export const enrichedDraft = async (run: Executor, context: Judging, typed: Draft): Promise<Draft> => {
  const draft = await atSourceRate(run, context, inRupees(typed));
  return needsEnriching(draft)
    ? stated(run, context, { ...draft, kind: kindAsked(draft.kind) }, (known) => factsOf(run, context, known))
    : draft;
};

/** What a correction in another currency leaves out is the rate of what it corrects; where that has several, nobody says one. */
async function atSourceRate(run: Executor, context: Seer, draft: Draft): Promise<Draft> {
  const kind = kindOf(kindAsked(draft.kind));
  if (draft.exchangeRate !== 0 || !takesRateOfSources(kind, draft)) return draft;
  const documents = new Map((await namedDocuments(run, context, sourceIds(draft))).map((d) => [d.id, d]));
  return { ...draft, exchangeRate: rateOfSources(kind, draft, { documents }) ?? draft.exchangeRate };
}

/** What is asked of the queue: a kind that people may post, under its own id or its draft's. */
export async function prepare(
  context: Asker,
  draft: Draft,
  {
    id,
    number,
    ...how
  }: { readonly id?: Id; readonly number?: string } & Pick<
    PostingRequest,
    'approves' | 'skipsApproval' | 'draftVersion'
  > = {},
): Promise<PostingRequest> {
  const kind = kindAsked(draft.kind);
  if (kindOf(kind).system) throw new Refusal('notFound');
  const stated = await withStated(context, draft);
  const landing =
    // a note without GST is a discount that was received: the goods keep their cost (ADR 72)
    kindOf(kind).stock !== 'worth' || sourceIds(draft).length === 0 || draft.withoutTax
      ? {}
      : kindOf(kind).lines === 'items'
        ? { repriced: await broughtIn(context, draft) }
        : draft.against
          ? { landing: await receivedBy(context, kind, draft.against, draft.customs) }
          : {};
  const comparesPrices = context.limits?.discount != null && givesDiscount(kindOf(kind));
  const prices =
    (comparesPrices || unrated(stated).length > 0) && context.inTransaction
      ? await context.inTransaction((trx) => pricesFor(trx, context.organisation, kindOf(kind), stated, comparesPrices))
      : undefined;
  const frees = kindOf(kind).undoes ? { frees: await undone(context, kind, stated) } : {};
  return {
    id: id ?? newId(),
    number,
    ...how,
    ...asking(context, kind, stated),
    ...landing,
    ...frees,
    ...(prices && { prices }),
  };
}

/** What a document settles that is taken back whole: as it stands, each credit with each due. */
async function undone(context: Asker, kind: KindName, draft: Draft): Promise<ReleasedAllocation[]> {
  if (!context.inTransaction) throw new Error('who posts this must be able to look up what it takes back');
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      kind: string;
      location: Id;
      author: Id;
      number: string;
      original: string | null;
      cancelled: boolean;
      party: Id | null;
      draft: Draft;
    }>`
      select
        d.kind, d.location, d.author, d.number, o.original, o.party, d.body -> 'draft' as draft,
        exists (
          select from cancellations c where c.organisation = d.organisation and c.document = d.id
        ) as cancelled
      from documents d
      left join open_items o on o.organisation = d.organisation and o.document = d.id and o.line = 0
      where d.organisation = ${context.organisation} and d.id = ${draft.against ?? null}::uuid
    `.execute(trx);
    const [found] = rows;
    const { label, undoes } = kindOf(kind);
    if (!found || !nameable(context)(found) || found.kind !== undoes)
      throw new Problems([
        {
          field: 'against',
          ...say('A {{label}} is made from a {{undoes}}', {
            label: label.toLowerCase(),
            undoes: kindLabel(undoes ?? '').toLowerCase(),
          }),
        },
      ]);
    if (found.cancelled) throw new Refusal('alreadyCancelled', { number: found.number });
    if (found.party !== (draft.party ?? null))
      throw new Problems([{ field: 'party', ...say('{{number}} is of another party', { number: found.number }) }]);
    if (moneySettled({ draft }) !== Number(found.original))
      throw new Problems([
        { field: 'amount', ...say('All of {{number}} comes back, or nothing', { number: found.number }) },
      ]);
    // each part as it came: a discount that was given is no money that the bank takes back
    const parts = (['amount', 'tdsAmount', 'gstTdsAmount', 'discountAmount', 'writeOff'] as const)
      .filter((field) => (draft[field] ?? 0) !== (found.draft[field] ?? 0))
      .map((field) => ({
        field,
        ...say('{{number}} has {{draft}} here: enter the same', {
          number: found.number,
          draft: rupeesText(found.draft[field] ?? 0),
        }),
      }));
    if (parts.length > 0) throw new Problems(parts);
    const pairs = await sql<{
      invoice: Id;
      line: number;
      amount: string;
      invoice_worth: string | null;
      credit_worth: string | null;
      undone: boolean;
      settled: Named;
    }>`
      select
        a.invoice_document as invoice, a.invoice_line as line, sum(a.amount) as amount,
        sum(a.invoice_worth) as invoice_worth, sum(a.credit_worth) as credit_worth,
        i.kind = ${kind} as undone,
        jsonb_build_object(
          'number', i.number, 'kind', i.kind, 'location', i.location, 'toLocation', i.to_location, 'author', i.author
        ) as settled
      from allocations a
      join documents i on i.organisation = a.organisation and i.id = a.invoice_document
      where a.organisation = ${context.organisation} and a.credit_document = ${draft.against ?? null}::uuid
      group by 1, 2, i.organisation, i.id
      having sum(a.amount) <> 0
      order by 1, 2
    `.execute(trx);
    if (pairs.rows.some((p) => p.undone))
      throw new Problems([{ field: 'against', ...say('{{number}} was taken back already', { number: found.number }) }]);
    const mayName = nameable(context);
    if (!pairs.rows.every(({ settled }) => mayName(settled)))
      throw settledBy(
        pairs.rows.map(({ invoice, amount, settled }) => ({ document: invoice, amount, ...settled })),
        { locations: context.locations, mayName },
        found.number,
      );
    return pairs.rows.map((p) => ({
      credit: draft.against ?? '',
      creditLine: 0,
      invoice: p.invoice,
      invoiceLine: p.line,
      amount: Number(p.amount),
      ...(p.invoice_worth !== null && { invoiceWorth: Number(p.invoice_worth), creditWorth: Number(p.credit_worth) }),
    }));
  });
}

/** Where the goods of these items came in by the documents that a draft corrects in the end. What may not be seen is refused later. */
async function broughtIn(context: Asker, draft: Draft): Promise<NonNullable<PostingRequest['repriced']>> {
  if (!context.inTransaction) throw new Error('who posts this must be able to look up its bill');
  const { rows } = await context.inTransaction((trx) =>
    sql<{ item: Id; location: Id }>`
      select distinct m.item, m.location
      from document_lines l
      cross join lateral note_root(l.organisation, l.document, l.line) r
      join movements m on m.organisation = l.organisation and m.document = r.document and m.line = r.line
      where l.organisation = ${context.organisation}
        and l.document = any(${sourceIds(draft)}::uuid[])
        and m.item = any(${itemsIn(draft)}::uuid[])
        and m.quantity > 0
    `.execute(trx),
  );
  return rows;
}

/**
 * What came in through a bill, line by line, as far as this document covers it: it was posted, so it stays as it is. A bill
 * that may not be seen does not exist.
 */
async function receivedBy(
  context: Asker,
  kind: KindName,
  bill: Id,
  customs: Draft['customs'],
): Promise<readonly ReceivedLine[]> {
  if (!context.inTransaction) throw new Error('who posts this must be able to look up its bill');
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      kind: string;
      location: Id;
      author: Id;
      line: number | null;
      taxable: string | null;
      item: Id | null;
      shelf: Id | null;
      quantity: string | null;
      number: number | null;
    }>`
      -- what is paid for it: under rule 31D its tax is on something else
      select
        d.kind, d.location, d.author, l.line, l.value as taxable, m.item, m.location as shelf, m.quantity, m.number
      from documents d
      left join document_lines l on l.organisation = d.organisation and l.document = d.id
      left join movements m
        on m.organisation = l.organisation and m.document = l.document and m.line = l.line and m.quantity > 0
      where d.organisation = ${context.organisation} and d.id = ${bill}
      order by l.line
    `.execute(trx);
    const [first] = rows;
    if (!first || !nameable(context)(first))
      throw new Problems([{ field: 'against', ...say('This document does not exist any more') }]);
    if (!kindOf(kind).from.includes(first.kind))
      throw new Problems([
        {
          field: 'against',
          ...say('A {{kind}} is not made from this document', { kind: kindLabel(kind).toLowerCase() }),
        },
      ]);
    const goods = await entryGoods(trx, context.organisation, bill);
    const units = new Map(goods.map((each) => [each.line, each.unit]));
    const covered = Object.entries(customs?.covers ?? {}).map(([line, quantity]) => ({
      quantity,
      unit: units.get(Number(line)),
      at: { field: `customs.covers.${line}` },
    }));
    const problems = customs
      ? [...coverProblems(customs.covers, goods), ...(await decimalsProblems(trx, context.organisation, covered))]
      : [];
    if (problems.length > 0) throw new Problems(problems);
    const received: readonly ReceivedLine[] = rows.flatMap((r) =>
      r.line === null
        ? []
        : [
            {
              line: r.line,
              taxable: paise(Number(r.taxable)),
              ...(r.item &&
                r.shelf &&
                r.number !== null && {
                  received: {
                    item: r.item,
                    location: r.shelf,
                    quantity: millionths(Number(r.quantity)),
                    of: movementKey(bill, r.number),
                  },
                }),
            },
          ],
    );
    return coveredLines(received, customs?.covers, goods);
  });
}

/** Who asks, for a cancellation too. */
export const asking = (asker: Asker, kind: KindName, draft: Draft): Omit<PostingRequest, 'id' | 'number'> => {
  const { organisation, user, key, digest, today, locations, limits } = asker;
  return {
    ...{ organisation, user, key, digest, kind, draft, today, locations },
    ...(limits && { limits }),
    mayName: nameable(asker),
  };
};

/** What the snapshot has settled about its books. */
export const bookSettings = ({ settings }: OrganisationSnapshot): BookSettings => ({
  perpetual: settings.stockAccounting === 'perpetual',
  method: settings.valuation,
  allowNegative: settings.isAllowNegative,
  trackInventory: settings.trackInventory,
});

/** Checks a draft with all it refers to, as it is in the transaction that posts it; throws its problems. */
export function ready(
  asked: PostingRequest,
  snapshot: OrganisationSnapshot,
  loaded: Loaded,
  booked?: Booked,
): CheckedRequest {
  const { kind, mirrorOf } = asked;
  const { items } = loaded.found;
  const { advances = [] } = loaded;
  const typed =
    snapshot.switches.shelfLife && !mirrorOf
      ? withExpiries(kindOf(kind), asked.draft, (item) => items.get(item)?.shelfLife)
      : asked.draft;
  const ids = new Set(sourcesIn(asked));
  const from = fromLoaded(
    kindOf(kind),
    (loaded.sources ?? []).filter((s) => ids.has(s.document)),
    (loaded.sourceDocuments ?? []).filter((d) => ids.has(d.id)),
    asked.mayName,
  );
  const taking = mirrorOf
    ? typed
    : withAdvance(
        kindOf(kind),
        typed,
        advances.find(({ document }) => document === typed.against),
      );
  const completed = mirrorOf ? typed : withSources(kindOf(kind), taking, from);
  const found = foundFor(snapshot, loaded.found, asked.locations, kind, completed, mirrorOf !== undefined);
  const facts = factsFrom(
    kind,
    completed,
    found,
    from,
    asked.prices,
    mirrorOf
      ? { today: asked.today, booked }
      : {
          ...{ today: asked.today, advances, tdsBefore: loaded.tdsBefore?.get(asked.id), booked },
          adjusted: adjustedBy(asked, loaded),
          limits: asked.limits,
        },
  );
  const draft = mirrorOf
    ? completed
    : withCreditReversed(
        kindOf(kind),
        withTdsOfPayment(kindOf(kind), completed, facts),
        facts.items,
        isRegular(facts.own.kind) ? booked?.bought : undefined,
      );
  const { problems, warnings, added }: Checked = mirrorOf
    ? { problems: [], warnings: [] }
    : checked(kindOf(kind), draft, facts, asked.today);
  const all = mirrorOf
    ? problems
    : [...problems, ...ledgerProblems(draft, found, problems), ...unaccepted(draft, warnings)];
  if (all.length > 0) throw new Problems(all);
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

/** What the advance of a draft is set against, as far as its user may see it. */
const adjustedBy = ({ kind, draft, mayName }: PostingRequest, { adjusted = [] }: Loaded): SourceDocument[] => {
  const ids = new Set(adjustedIn(kindOf(kind), draft));
  return ids.size === 0
    ? []
    : [
        ...documentsFor(
          adjusted.filter(({ id }) => ids.has(id)),
          mayName,
        ).values(),
      ];
};

const namedLedgers = (draft: Draft): (Omit<Problem, keyof Said> & { readonly id: Id })[] => [
  ...draft.lines.flatMap((l, row) => (l.ledger ? [{ id: l.ledger, field: 'lines.ledger', row }] : [])),
  ...(draft.moneyLedger ? [{ id: draft.moneyLedger, field: 'moneyLedger' }] : []),
  ...(draft.tenders ?? []).map((t, row) => ({ id: t.ledger, field: 'tenders.ledger', row })),
  ...(draft.charges ?? []).flatMap((c, row) => (c.ledger ? [{ id: c.ledger, field: 'charges.ledger', row }] : [])),
  ...(draft.adjustments ?? []).flatMap((a, row) =>
    a.ledger ? [{ id: a.ledger, field: 'adjustments.ledger', row }] : [],
  ),
];

/**
 * Ledgers named by a draft exist and are no groups (INV-10). Of retired ones `domain/document/checks/retired.ts` speaks; a field that has a
 * problem already gets no second one.
 */
const ledgerProblems = (draft: Draft, found: Found, said: readonly Problem[]): Problem[] =>
  namedLedgers(draft)
    .filter(({ id, field, row }) => {
      const isSaid = said.some((one) => one.field === field && one.row === row);
      return !isSaid && !found.takes.has(id) && !found.retiredLedgers.has(id);
    })
    .map(({ id: _, ...at }) => ({ ...at, ...say('This ledger takes no entries') }));
