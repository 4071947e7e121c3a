import type pg from 'pg';
import { withReasons } from '../../../domain/document/checks/index.ts';
import type { Day, Id } from '../../../domain/document/document.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { heldLayers } from '../../../domain/stock/valuation.ts';
import { needsIrn } from '../../../domain/tax/gst/portal/irn.ts';
import { newId } from '../../kit/ids.ts';
import type { StockBalances } from '../stock/balances.ts';
import { authorOf, type Decided, type Posted, type StockBalance } from './types.ts';

type Value = string | number | boolean | null | undefined;

/** A cancellation mirrors its document; at the portal the IRN is cancelled. */
const wantsIrn = ({ request, priced }: Decided): boolean =>
  request.mirrorOf === undefined &&
  needsIrn(
    kindOf(request.kind).gst.irp,
    request.einvoice,
    request.facts.party?.gstin,
    priced,
    request.draft.withoutTax,
  );

const PLAIN = /^[\w:./-]+$/;
const quoted = (text: string): string => text.replace(/["\\]/g, '\\$&');

/** A field of a row of the database as text, as it stands in an array of rows: quoted, twice, where it could be misread. */
const field = (value: Value): string => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return value === true ? 't' : value === false ? 'f' : String(value);
  return PLAIN.test(value) ? value : quoted(`"${quoted(value)}"`);
};
const rowText = (values: readonly Value[]): string => `"(${values.map(field).join(',')})"`;
const rowsText = (rows: readonly (readonly Value[])[]): string => `{${rows.map(rowText).join(',')}}`;

/** An approval has its own key, not that of the author's request: `approval.ts` stores it. */
const keyOf = ({ approves, key, digest }: Decided['request']): (string | undefined)[] =>
  approves ? [undefined, undefined] : [key, digest?.toString('hex')];

const documentRow = ({ request, priced, opens, placeOfSupply }: Decided): Value[] => {
  const { draft, facts, series, number, mirrorOf } = request;
  const kind = kindOf(request.kind);
  return [
    request.id,
    authorOf(request),
    request.kind,
    kind.numbering.family,
    kind.numbering.gst && facts.own.kind !== 'unregistered',
    draft.registration,
    draft.location,
    draft.toLocation,
    request.financialYear,
    series?.id,
    series?.period,
    series?.prefix,
    series?.suffix,
    series?.padding,
    series?.start,
    number,
    draft.date,
    opens.find((o) => o.line === 0)?.due ?? draft.dueDate,
    draft.party,
    facts.party?.name ?? draft.partyName ?? '',
    facts.party?.gstin,
    facts.party?.state,
    facts.party?.category,
    placeOfSupply,
    priced.supplyType,
    draft.reverseCharge ?? false,
    draft.currency,
    draft.exchangeRate,
    priced.taxable,
    priced.cgst,
    priced.sgst,
    priced.igst,
    priced.cess,
    priced.tcs,
    priced.tds,
    priced.roundOff,
    priced.total,
    priced.payable,
    priced.foreignTotal,
    draft.reference,
    mirrorOf?.document,
    ...keyOf(request),
  ];
};

/** What of the party no column has, kept for papers, portals and corrections made after the party has moved. */
const thenOf = ({ request: { kind, facts } }: Decided): object => {
  const { gst, stock, party } = kindOf(kind);
  if (!facts.party || party.side === 'none' || (gst.tax === 'none' && stock.effect === 'none')) return {};
  const { country, address = null } = facts.party;
  return { partyThen: { country, address } };
};

/** A cancellation finds the late costs in the body of the document that it cancels, under the key that they always had. */
const lateCostsOf = ({ request, movements }: Decided): object => {
  const lateCost = movements.flatMap((m) => (m.lateCost && !request.mirrorOf ? [[m.line, m.lateCost] as const] : []));
  return lateCost.length > 0 ? { behind: Object.fromEntries(lateCost) } : {};
};

/** The ledger of its own of each line, null where it has none; empty where none of them has one. */
const ownLedgersOf = ({ request, priced }: Decided): (Id | null)[] => {
  const isBought = kindOf(request.kind).gst.tax === 'input';
  const own = priced.lines.map((l) => (isBought ? (l.ledger ?? l.expenseLedger) : l.incomeLedger) ?? null);
  return own.some((ledger) => ledger !== null) ? own : [];
};

/** On what, and at which rate, the tax deducted was worked out: statements name both. Nothing where it was typed. */
const tdsTakenOf = ({ request: { draft, facts } }: Decided) => {
  const taken = facts.tdsOfPayment ?? (draft.tdsAmount === undefined ? facts.tds : undefined);
  return taken && { tdsBase: taken.base, tdsRate: taken.rate };
};

/** What is only shown and printed: the draft as it was posted, whole numbers and all. */
const bodyOf = (d: Decided) => ({
  draft: d.request.draft,
  ...(d.request.token && { token: d.request.token }),
  supply: d.priced.supply,
  ...thenOf(d),
  taxCharged: d.priced.taxCharged,
  charges: d.priced.charges,
  discount: d.priced.discount,
  chargeTotal: d.priced.chargeTotal,
  gross: d.priced.gross,
  value: d.priced.value,
  ...(d.priced.vat && { vat: d.priced.vat }),
  ...(d.priced.atCost && { atCost: true }),
  // by line: goods that go back at their own cost, and duty on goods that came in before it
  ...(d.givenBack?.size && { givenBack: Object.fromEntries(d.givenBack) }),
  // by line: which stretches of the goods of its source came or went back, for what they cost
  ...(d.costSpans?.size && { costSpans: Object.fromEntries(d.costSpans) }),
  ...(d.landed?.size && { landed: Object.fromEntries(d.landed) }),
  // by line: the goods whose layers it goes on, as far as they are still there
  ...lateCostsOf(d),
  ...(d.priced.tcsBack && { tcsBack: d.priced.tcsBack }),
  ...(d.priced.adjustments && { adjustments: d.priced.adjustments }),
  ...tdsTakenOf(d),
  ...(d.request.facts.tds?.covered && { tdsCovered: d.request.facts.tds.covered }),
  ...(d.request.warnings.length > 0 && { warnings: withReasons(d.request.draft, d.request.warnings) }),
  ...(d.priced.lines.some((l) => l.cessRate > 0) && { cessRates: d.priced.lines.map((l) => l.cessRate) }),
  // what is made from its lines bears the same cess and retail price, and takes its part of the foreign amount
  ...(d.priced.lines.some((l) => l.cessPerUnit > 0) && { cessPerUnits: d.priced.lines.map((l) => l.cessPerUnit) }),
  ...(d.priced.lines.some((l) => l.retailPrice !== undefined) && {
    retailPrices: d.priced.lines.map((l) => l.retailPrice ?? null),
  }),
  // a return may leave them with the seller
  ...(d.priced.lines.some((l) => l.chargeShare > 0) && { chargeShares: d.priced.lines.map((l) => l.chargeShare) }),
  // what corrects a line is booked where the line was, whatever its item says by then
  ...(d.priced.lines.length > 0 && { ownLedgers: ownLedgersOf(d) }),
  ...(d.request.draft.currency !== 'INR' && { foreignValues: d.priced.lines.map((l) => l.foreignValue) }),
});

const lineRows = (d: Decided): Value[][] => {
  const { id, draft } = d.request;
  // a priced line stands where its draft line stood; only returns carry their source through the price
  if (d.priced.lines.length > 0)
    return d.priced.lines.map((l, i) => {
      const source = l.source ?? draft.lines[i]?.source;
      return [
        id,
        i + 1,
        l.item,
        l.ledger,
        null,
        l.description,
        l.hsn,
        l.unit,
        l.service,
        l.quantity,
        l.baseQuantity,
        l.rate,
        l.treatment,
        l.gstRate,
        l.discountAmount + l.documentDiscount,
        l.taxable,
        l.value,
        l.cgst,
        l.sgst,
        l.igst,
        l.cess,
        source?.document,
        source?.line,
      ];
    });
  return draft.lines
    .filter((l) => l.ledger !== undefined)
    .map((l, i) => [
      id,
      i + 1,
      l.item,
      l.ledger,
      l.party,
      l.description ?? '',
      l.hsn ?? '',
      l.unit ?? '',
      true,
      0,
      0,
      0,
      l.treatment ?? 'taxable',
      0,
      0,
      0,
      l.debit ?? 0,
      0,
      0,
      0,
      0,
      l.source?.document,
      l.source?.line,
    ]);
};

const entryRows = ({ request: { id, draft }, entries }: Decided): Value[][] =>
  entries.map((e, i) => [
    id,
    i + 1,
    draft.date,
    e.ledger,
    e.party,
    draft.registration,
    draft.location,
    e.costCentre,
    e.currency,
    e.foreign,
    e.exchangeRate,
    e.debit,
    e.credit,
  ]);

const movementRows = ({ request: { id, draft }, movements }: Decided): Value[][] =>
  movements.map((m, i) => [
    id,
    i + 1,
    m.line,
    draft.date,
    m.item,
    m.location,
    m.quantity,
    m.value,
    m.room,
    m.cost,
    m.batches && JSON.stringify(m.batches),
    m.serials && `{${m.serials.map((serial) => `"${serial.replace(/["\\]/g, '\\$&')}"`).join(',')}}`,
  ]);

const openRows = ({ request: { id }, opens }: Decided): Value[][] =>
  opens.map((o) => [id, o.party, o.side, o.date, o.due, o.currency, o.original, o.line, o.reference]);

const balanceRow = (s: StockBalance): Value[] => [
  s.item,
  s.location,
  s.quantity,
  s.value,
  `{${heldLayers(s.layers)
    .flatMap((l) => [l.quantity, l.value])
    .join(',')}}`,
  s.lastDate,
];

/** What few documents have. Absent parts are not touched at all. */
function rest(all: readonly Decided[]): string | null {
  const parts = {
    revisions: all.flatMap(({ request, revisions }) => revisions.map((r) => ({ ...r, cause: request.id }))),
    allocations: all.flatMap(({ request, allocations }) =>
      allocations.map((a) => ({
        ...a,
        id: newId(),
        date: request.draft.date,
        cause: request.id,
        author: authorOf(request),
      })),
    ),
    links: all.flatMap(({ request, links }) => links.map((l) => ({ ...l, target: request.id }))),
    cancelled: all.flatMap(({ request: { id, user, mirrorOf } }) =>
      mirrorOf ? [{ document: mirrorOf.document, reversal: id, reason: mirrorOf.reason, author: user }] : [],
    ),
    drafts: all.flatMap(({ request: { id, draftVersion } }) =>
      typeof draftVersion === 'number' ? [{ id, version: draftVersion }] : [],
    ),
    undrafted: all.flatMap(({ request: { id, draftVersion } }) => (draftVersion === null ? [id] : [])),
    tasks: all.filter(wantsIrn).map(({ request }) => ({ document: request.id, author: authorOf(request) })),
  };
  const present = Object.entries(parts).filter(([, rows]) => rows.length > 0);
  return present.length > 0 ? JSON.stringify(Object.fromEntries(present)) : null;
}

/** The columns of a batch, as the functions of posting take them. */
function columnsOf(all: readonly Decided[], stockBalances: StockBalances): (string | string[] | null)[] {
  const touched = [...stockBalances.values()].filter((s) => s.touched);
  return [
    rowsText(all.map(documentRow)),
    all.map((d) => JSON.stringify(bodyOf(d))),
    rowsText(all.flatMap(lineRows)),
    rowsText(all.flatMap(entryRows)),
    rowsText(all.flatMap(movementRows)),
    rowsText(touched.map(balanceRow)),
    rowsText(all.flatMap(openRows)),
    rest(all),
  ];
}

const TEXT = `
  select id, number
  from write_documents(
    $1, $2, $3, $4, $5::writing_balance[], $6::writing_document[], $7::jsonb[], $8::writing_line[],
    $9::writing_entry[], $10::writing_movement[], $11::writing_balance[], $12::writing_open[], $13::jsonb
  )
`;

async function send(
  client: pg.PoolClient,
  all: readonly Decided[],
  stockBalances: StockBalances,
  proof:
    | {
        readonly version: string;
        readonly lockedThrough: Day | null | undefined;
        readonly was: readonly StockBalance[];
      }
    | undefined,
): Promise<Posted[]> {
  const { organisation, user } = all[0]?.request ?? {};
  const proved = proof ? [proof.version, proof.lockedThrough, rowsText(proof.was.map(balanceRow))] : [null, null, null];
  const { rows } = await client.query<{ id: string; number: string }>({
    name: 'write',
    text: TEXT,
    values: [organisation, user, ...proved, ...columnsOf(all, stockBalances)],
  });
  return rows.map(({ id, number }, i) => ({
    id,
    number,
    total: all[i]?.priced.total ?? 0,
    ...(all[i]?.request.warnings.length && { warnings: all[i]?.request.warnings }),
  }));
}

/** Writes decided documents in one round trip; the numbers are taken inside, last of all locks. */
export const write = (
  client: pg.PoolClient,
  all: readonly Decided[],
  stockBalances: StockBalances,
): Promise<Posted[]> => send(client, all, stockBalances, undefined);

/** The same as a transaction of its own, when all it was decided from is still so; answers nothing, and writes nothing, when it is not. */
export function writeIfUnchanged(
  client: pg.PoolClient,
  all: readonly Decided[],
  stockBalances: StockBalances,
  { version, lockedThrough }: { readonly version: string; readonly lockedThrough: Day | null | undefined },
  known: StockBalances,
): Promise<Posted[]> {
  const taken = [...known]
    .filter(([key]) => stockBalances.get(key)?.touched)
    .sort(([, a], [, b]) => (a.item === b.item ? (a.location < b.location ? -1 : 1) : a.item < b.item ? -1 : 1));
  const was = taken.map(([, stockBalance]) => stockBalance);
  return send(client, all, new Map(taken.map(([key, stockBalance]) => [key, stockBalances.get(key) ?? stockBalance])), {
    version,
    lockedThrough,
    was,
  });
}
