import type { z } from 'zod';
import type { documents, documentView } from '../../contract/documents.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { heldOf } from '../../domain/document/holds.ts';
import { kindOf } from '../../domain/document/kinds/index.ts';
import type { CaseFile, CaseItem, CaseStep, WorkedCase } from '../../domain/facts/cases.ts';
import { pincodePrefixes } from '../../domain/facts/pincodes.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { draftText } from '../../server/documents/read/wire.ts';
import type { TestServer, Visitor } from './server.ts';

export type PricedAnswer = z.output<(typeof documents)['GetTaxCalculation']['details']>;
export type ViewAnswer = z.output<typeof documentView>;
export interface PostedStep {
  readonly step: CaseStep;
  readonly id: Id;
  /** What the calculation said before anything was kept. */
  readonly calculated: PricedAnswer | undefined;
  readonly view: ViewAnswer;
}

/** A worked case as a sequence of the product's calls, in an organisation that the visitor owns. */
export interface CaseBooks {
  readonly registration: Id;
  readonly location: Id;
  readonly items: ReadonlyMap<string, Id>;
  post(step: CaseStep): Promise<PostedStep>;
}

interface Record_ {
  readonly id: Id;
  readonly values: Readonly<Record<string, string>>;
}

let counted = 0;
/** A GSTIN of its own with a right check digit. */
const freshGstin = (state: string): string => {
  counted += 1;
  const body = `${state}AAACT${String(counted).padStart(4, '0')}R1Z`;
  return `${body}${gstinCheckDigit(body)}`;
};

const save = async (by: Visitor, master: string, values: Readonly<Record<string, unknown>>): Promise<Id> =>
  ((await by.ask('SaveMaster', { master, values })) as Record_).id;

/** The ids of all ledgers by their code, page by page. */
export async function ledgerIds(by: Visitor): Promise<ReadonlyMap<string, Id>> {
  const ids = new Map<string, Id>();
  for (let after: string | null = ''; after !== null; ) {
    const page = (await by.ask('ListMasters', { master: 'ledger', limit: 200, ...(after && { after }) })) as {
      readonly rows: readonly Record_[];
      readonly after: string | null;
    };
    for (const row of page.rows) ids.set(row.values.code ?? '', row.id);
    after = page.after;
  }
  return ids;
}

const gstinOf = (category: string, state: string) =>
  category === 'registered' || category === 'sezUnit' ? { gstin: freshGstin(state) } : {};

const itemValues = (
  item: CaseItem,
  sku: string,
  ledgers: ReadonlyMap<string, Id>,
): Readonly<Record<string, unknown>> => ({
  sku,
  name: `${sku} of a worked case`,
  type: item.service ? 'service' : item.stocked ? 'stock' : 'nonStock',
  // some cases have parts of a unit
  unit: 'KGS',
  // rule 31D is for pan masala and tobacco
  hsn: item.hsn ?? (item.service ? '998313' : item.retailPrice === undefined ? '847130' : '21069020'),
  treatment: item.treatment,
  gstRate: item.gstRate,
  cessRate: item.cessRate,
  cessPerUnit: item.cessPerUnit,
  ...(item.retailPrice !== undefined && { retailPrice: item.retailPrice }),
  ...(item.scrap && { scrap: true }),
  ...(item.creditBlocked && { creditBlocked: true }),
  ...(item.expenseLedger && { expenseLedger: ledgers.get(item.expenseLedger) }),
});

/** An address in the state, for what goes to the portals. */
const addressIn = (state: string) => ({
  line1: '1 Case Street',
  city: 'Anywhere',
  pincode: `${pincodePrefixes[state]?.[0]?.[0] ?? 400}001`,
});

const letters = '123456789ABEFGHIJ';
/** The same with the PAN of an organisation: its registrations share it. */
const ownGstin = (state: string, pan: string): string => {
  counted += 1;
  const body = `${state}${pan}${letters[Math.floor(counted / letters.length)]}${letters[counted % letters.length]}`;
  return `${body}${gstinCheckDigit(body)}`;
};

/** Registrations, locations, series, party and items of a case, made by calls; the clock stands at its last date. */
export async function caseBooks(
  server: TestServer,
  owner: Visitor,
  file: CaseFile,
  world: WorkedCase,
): Promise<CaseBooks> {
  const mark = `C${file.id.slice(0, 2)}`;
  const last =
    world.steps
      .map((s) => s.draft.date)
      .sort()
      .at(-1) ?? '';
  server.clock.at = Date.parse(`${last}T12:00:00+05:30`);
  await owner.ask('SaveGeneralConfigDetails', {
    values: {
      autoRoundOffTotals: world.roundTotal,
      ...(world.valuation && { stockAccounting: 'perpetual', valuation: world.valuation }),
    },
  });
  const ledgers = await ledgerIds(owner);
  const found = async (name: string, at: WorkedCase['own']): Promise<readonly [registration: Id, location: Id]> => {
    // cases share an organisation, whose registrations are all under composition or none is: those of earlier ones are over
    const earlier = `update registrations set active = false where kind = 'composition'`;
    await server.database.owner.query(earlier);
    const { registrations } = (await owner.ask('GetSession', {})) as { registrations: { gstin: string | null }[] };
    const registration = await save(owner, 'registration', {
      legalName: `${mark} ${name}`,
      state: at.state,
      kind: at.kind === 'composition' ? 'regular' : at.kind,
      gstin: ownGstin(at.state, registrations[0]?.gstin?.slice(2, 12) ?? ''),
      ...addressIn(at.state),
    });
    const kept = 'update registrations set kind = $2 where id = $1';
    await server.database.owner.query(kept, [registration, at.kind]);
    const place = { code: `${mark}-${name}`, name: `${mark} ${name}`, registration, isTax: true, isPhysical: true };
    const location = await save(owner, 'location', { ...place, ...addressIn(at.state) });
    const kinds = new Set(world.steps.map((s) => s.kind));
    for (const kind of kinds)
      await save(owner, 'numberSeries', {
        name: `${mark} ${name} ${kindOf(kind).code}`.replaceAll(/[^A-Za-z0-9 ]/g, ' '),
        kind,
        registration,
        prefix: kindOf(kind).numbering.prefix,
        padding: 4,
        start: 1,
        reset: 'year',
      });
    return [registration, location];
  };
  const own = await found('own', world.own);
  const other = world.other && (await found('other', world.other));
  const { category, state, country } = world.party;
  const sides = new Set(world.steps.map((s) => kindOf(s.kind).party.side).filter((side) => side !== 'none'));
  if (world.steps.some((s) => s.draft.lines.some((l) => l.party)) && sides.size === 0) sides.add('customer');
  const parties = new Map<string, Id>();
  for (const side of sides)
    parties.set(
      side,
      await save(owner, side, { name: `${mark} party`, category, state, country, ...gstinOf(category, state) }),
    );
  const items = new Map<string, Id>();
  for (const item of world.items)
    items.set(item.sku, await save(owner, 'item', itemValues(item, `${mark}-${item.sku}`, ledgers)));
  const posted = new Map<string, Id>();
  const names: Readonly<Record<string, Id | undefined>> = {
    own: own[0],
    here: own[1],
    other: other?.[0],
    there: other?.[1] ?? own[1],
  };
  const named = (symbol: string): Id => names[symbol] ?? '';
  const partyOf = (step: CaseStep): Id => parties.get(kindOf(step.kind).party.side) ?? [...parties.values()][0] ?? '';
  return {
    registration: own[0],
    location: own[1],
    items,
    post: async (step) => {
      // a case says where every supply is; most kinds know it themselves and have no field for it
      const document = heldOf(kindOf(step.kind), {
        ...withIds(step, { named, party: partyOf(step), items, ledgers, posted }),
        ...papers(step, mark),
        // a case that brings in stock or balances late, or imports at figures of its own, is a lawful one
        accepted: [
          'openingLate',
          'foundRateFar',
          'openedTwice',
          'abroadWithoutSection',
          'customsAsAssessed',
          'transferValue',
          'gstTdsOfDeductor',
          'placeOfPurchaseChosen',
        ].map((warning) => ({
          warning,
          reason: 'As the case says',
        })),
      });
      const calculated = step.figures && ((await owner.ask('GetTaxCalculation', { draft: document })) as PricedAnswer);
      const answer = (await owner.ask(
        'PostTransactionCalls',
        step.figures ? await kept(owner, document) : { document },
      )) as {
        readonly TransactionId: Id;
      };
      posted.set(step.key, answer.TransactionId);
      const view = (await owner.ask('GetTransactionDetailForInvoice', {
        TransactionId: answer.TransactionId,
      })) as ViewAnswer;
      return { step, id: answer.TransactionId, calculated: calculated || undefined, view };
    },
  };
}

type Document = ReturnType<typeof draftText>;

/** The way over a draft: kept by one call, posted by its id with another. */
async function kept(
  owner: Visitor,
  document: Document,
): Promise<{ readonly TransactionId: Id; readonly version: number }> {
  return owner.ask('AddTransactionDetails', {
    kind: document.kind,
    body: document as unknown as Record<string, unknown>,
  });
}

/** A bill that the supplier wrote has the supplier's number. */
const papers = (step: CaseStep, mark: string) =>
  kindOf(step.kind).gst.tax === 'input' ? { reference: `${mark}-${step.key}`, referenceDate: step.draft.date } : {};

interface Names {
  readonly named: (symbol: string) => Id;
  readonly party: Id;
  readonly items: ReadonlyMap<string, Id>;
  readonly ledgers: ReadonlyMap<string, Id>;
  readonly posted: ReadonlyMap<string, Id>;
}

/** The draft of a step with the ids of what its symbols name. */
function withIds({ draft: { toRegistration, toLocation, ...draft } }: CaseStep, names: Names): Document {
  const { named, party, items, ledgers, posted } = names;
  const document = (key: string): Id => posted.get(key) ?? '';
  const ledger = (code: string): Id => ledgers.get(code) ?? '';
  const real: Draft = {
    ...draft,
    registration: named(draft.registration),
    location: named(draft.location),
    ...(toRegistration && { toRegistration: named(toRegistration) }),
    ...(toLocation && { toLocation: named(toLocation) }),
    ...(draft.party && { party }),
    ...(draft.against && { against: document(draft.against) }),
    ...(draft.moneyLedger && { moneyLedger: ledger(draft.moneyLedger) }),
    ...(draft.tenders && { tenders: draft.tenders.map((t) => ({ ...t, ledger: ledger(t.ledger) })) }),
    ...(draft.allocations && { allocations: draft.allocations.map((a) => ({ ...a, document: document(a.document) })) }),
    lines: draft.lines.map((line) => ({
      ...line,
      ...(line.item && { item: items.get(line.item) ?? '' }),
      ...(line.ledger && { ledger: ledger(line.ledger) }),
      ...(line.party && { party }),
      ...(line.source && { source: { ...line.source, document: document(line.source.document) } }),
    })),
  };
  return draftText(real);
}
