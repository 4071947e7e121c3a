import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { daysBetween } from '../../domain/base/dates.ts';
import type { Millionths, Percent } from '../../domain/base/decimal.ts';
import { type Paise, paise, sum } from '../../domain/base/money.ts';
import type {
  Draft,
  DraftLine,
  GstCategory,
  Id,
  RegistrationKind,
  SupplyType,
  Treatment,
} from '../../domain/document/document.ts';
import { isKind, kindCalled, kindOf } from '../../domain/document/kinds/index.ts';
import { typedOriginal } from '../../domain/document/originals.ts';
import { addressThen } from '../../domain/document/party-then.ts';
import { importedGoods } from '../../domain/tax/gst/portal/imported.ts';
import { type IrnType, irnTextOn, needsIrn } from '../../domain/tax/gst/portal/irn.ts';
import { addressAbroad, type IrpDocument, type IrpLine } from '../../domain/tax/gst/portal/irp.ts';
import { portName } from '../../domain/tax/gst/portal/ports.ts';
import { uqcOf } from '../../domain/tax/gst/portal/uqc.ts';
import {
  addressOf,
  dispatchedFrom,
  type OwnAddress,
  receivedAt,
} from '../../domain/tax/gst/registration/own-places.ts';
import { isRegular, type Stop } from '../../domain/tax/gst/registration/registered.ts';
import type { Executor } from '../kit/database/sql.ts';
import type { EinvoiceState } from './states.ts';

interface LineRow {
  description: string;
  hsn: string;
  unit: string;
  uqc: string | null;
  service: boolean;
  quantity: number;
  treatment: Treatment;
  rate: number;
  discount: number;
  value: number;
  taxable: number;
  igst: number;
  cgst: number;
  sgst: number;
  cess: number;
}
interface Place extends OwnAddress {
  readonly type?: string;
  readonly gstin?: string;
}
interface Row {
  kind: string;
  location: Id;
  number: string;
  date: string;
  due_date: string | null;
  category: GstCategory | null;
  author: Id;
  registration: Id;
  supply_type: SupplyType;
  reverse_charge: boolean;
  place_of_supply: string | null;
  party_name: string;
  party_gstin: string | null;
  party_state: string | null;
  currency: string;
  tcs: string;
  round_off: string;
  total: string;
  foreign_total: string;
  body: {
    draft: Draft;
    taxCharged?: boolean;
    cessRates?: readonly number[];
    adjustments?: readonly { amount: number }[];
    partyThen?: { readonly country: string; readonly address: Place | null };
  };
  state: EinvoiceState | null;
  irn: string | null;
  ack_no: string | null;
  ack_date: string | null;
  cancel_asked: CancelAsked | null;
  cancel_asked_ago: number | null;
  signed_invoice: string | null;
  document_cancelled: boolean;
  sent_ago: number;
  own: {
    kind: RegistrationKind;
    gstin: string | null;
    state: string;
    legal_name: string;
    trade_name: string;
    body: Place & { einvoice?: boolean; einvoiceFrom?: string; stops?: readonly Stop[] };
  };
  place: { name: string; body: Place };
  party: {
    body: { tradeName?: string; addresses?: readonly Place[]; country?: string };
    state: string;
    country: string;
    gstin: string | null;
  } | null;
  /** The place of ours that goods are sent to, and its registration. */
  other: {
    kind: string;
    legal_name: string;
    trade_name: string;
    gstin: string | null;
    state: string;
    body: Place;
    place: string;
    at: Place;
  } | null;
  reference: string | null;
  lines: readonly LineRow[] | null;
  sources: readonly { number: string; date: string }[] | null;
}

/** What the portal was asked when it was to cancel an IRN. */
export interface CancelAsked {
  readonly reason: string;
  readonly remark: string;
  readonly by: Id;
}

/** A document that is to be, or is, known to the portal, with where that stands. */
export interface Reported {
  readonly document: Id;
  readonly author: Id;
  readonly registration: Id;
  readonly gstin: string;
  readonly irn: string;
  readonly state: EinvoiceState;
  /** Days on which the GSTIN is suspended or cancelled. */
  readonly stops: readonly Stop[];
  /** Whether the document itself was cancelled in the books. */
  readonly cancelled: boolean;
  /** When the portal acknowledged it, in the portal's writing; null before that. */
  readonly ackDate: string | null;
  /** The portal was asked to cancel its IRN, and what has become of that is not known. */
  readonly cancelAsked?: CancelAsked;
  /** Seconds since it was asked; null when nobody waits for the answer any more. */
  readonly cancelAskedAgo: number | null;
  /** Seconds since the row last changed. */
  readonly age: number;
  readonly facts: IrpDocument;
}

/** Amounts out of the database's JSON are whole paise already. */
const whole = (n: number): Paise => paise(n);

/** What the portal is to know of a posted document; undefined when none was asked for. */
export async function reported(run: Executor, organisation: number, document: Id): Promise<Reported | undefined> {
  const row = await rowOf(run, organisation, document);
  const type = row && isKind(row.kind) ? kindOf(row.kind).gst.irp : undefined;
  if (!row || row.state === null || !type || !row.own.gstin) return undefined;
  const { gstin } = row.own;
  const irn = createHash('sha256')
    .update(irnTextOn(gstin, row.date, type, row.number))
    .digest('hex');
  return {
    document,
    author: row.author,
    registration: row.registration,
    gstin,
    irn,
    state: row.state,
    stops: row.own.body.stops ?? [],
    cancelled: row.document_cancelled,
    ackDate: row.ack_date,
    ...(row.cancel_asked && { cancelAsked: row.cancel_asked }),
    cancelAskedAgo: row.cancel_asked_ago,
    age: row.sent_ago,
    facts: documentOf(row, gstin, type),
  };
}

/** A posted document as the portals know it, whether or not it has to do with an IRN. */
export interface PortalDocument {
  readonly document: Id;
  readonly kind: string;
  readonly author: Id;
  readonly registration: Id;
  readonly location: Id;
  readonly gstin: string | null;
  /** Days on which the GSTIN is suspended or cancelled. */
  readonly stops: readonly Stop[];
  readonly cancelled: boolean;
  /** The law asks for an IRN of it, whether or not it was sent to the invoice portal. */
  readonly needsIrn: boolean;
  /** Where its IRN stands; null when none was asked for. */
  readonly einvoice: { readonly state: EinvoiceState; readonly irn: string | null } | null;
  /** What the user has typed of the transport and the like. */
  readonly fields: Readonly<Record<string, string>>;
  readonly composition: boolean;
  /** The party is a SEZ unit or developer. */
  readonly withSez: boolean;
  /** The number and day of the other side's paper, where they were typed. */
  readonly theirPaper?: { readonly number: string; readonly date: string };
  readonly facts: IrpDocument;
}

/** What the portals get of a posted document; undefined when there is no such document. */
export async function portalDocument(
  run: Executor,
  organisation: number,
  document: Id,
): Promise<PortalDocument | undefined> {
  const row = await rowOf(run, organisation, document);
  if (!row) return undefined;
  const { draft } = row.body;
  const bill =
    kindCalled(row.kind)?.gst.eway?.on === 'entry' && draft.against
      ? await rowOf(run, organisation, draft.against)
      : undefined;
  const facts = documentOf(row, row.own.gstin ?? '', 'INV');
  return {
    document,
    kind: row.kind,
    needsIrn: lawAsks(row, facts),
    author: row.author,
    registration: row.registration,
    location: row.location,
    gstin: row.own.gstin,
    stops: row.own.body.stops ?? [],
    cancelled: row.document_cancelled,
    einvoice: row.state && { state: row.state, irn: row.irn },
    fields: row.body.draft.fields ?? {},
    composition: row.own.kind === 'composition',
    withSez: sez.includes(row.category) || row.other?.kind === 'sez',
    ...(row.reference && { theirPaper: { number: row.reference, date: draft.referenceDate ?? row.date } }),
    facts: bill && draft.customs ? imported(facts, documentOf(bill, row.own.gstin ?? '', 'INV'), draft) : facts,
  };
}

/** Whether an IRN is needed: e-invoicing applied to the registration on that day, and the document is of a kind that is registered. */
function lawAsks({ kind, date, own, body }: Row, { supplyType, buyer, lines }: IrpDocument): boolean {
  const applies = own.body.einvoice === true && isRegular(own.kind) && (own.body.einvoiceFrom || date) <= date;
  return needsIrn(
    kindCalled(kind)?.gst.irp,
    applies ? own.gstin : null,
    buyer.gstin,
    { supplyType, lines },
    body.draft.withoutTax,
  );
}

async function rowOf(run: Executor, organisation: number, document: Id): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select
      d.kind, d.location, d.number, d.date, d.due_date, d.category, d.author, d.registration,
      d.supply_type, d.reverse_charge, d.place_of_supply, d.party_name, d.party_gstin, d.party_state,
      d.reference,
      d.currency, d.tcs, d.round_off, d.total, d.foreign_total, d.body, e.state, e.irn, e.ack_no,
      e.ack_date, e.signed_invoice, e.cancel_asked,
      extract(epoch from now() - e.cancel_asked_at)::int as cancel_asked_ago,
      extract(epoch from now() - e.updated_at)::int as sent_ago,
      exists (
        select from cancellations c where c.organisation = d.organisation and c.document = d.id
      ) as document_cancelled,
      jsonb_build_object(
        'kind', registration_status(d.organisation, d.registration, d.date), 'gstin', r.gstin, 'state',
        r.state, 'legal_name', r.legal_name, 'trade_name', r.trade_name, 'body', r.body
      ) as own,
      jsonb_build_object('name', l.name, 'body', l.body) as place,
      (
        select jsonb_build_object(
          'kind', registration_status(d.organisation, b.id, d.date), 'legal_name', b.legal_name, 'trade_name',
          b.trade_name, 'gstin', b.gstin, 'state', b.state, 'body', b.body, 'place', t.name, 'at', t.body
        )
        from locations t
        join registrations b on b.organisation = t.organisation and b.id = t.registration
        where t.organisation = d.organisation and t.id = d.to_location
      ) as other,
      (
        select jsonb_build_object('body', p.body, 'state', p.state, 'country', p.country, 'gstin', p.gstin)
        from parties p
        where p.organisation = d.organisation and p.id = d.party
      ) as party,
      (
        select jsonb_agg(
          jsonb_build_object(
            'description', x.description, 'hsn', x.hsn, 'unit', x.unit, 'uqc', u.body ->> 'uqc', 'service',
            x.service, 'quantity', x.quantity, 'treatment', x.treatment, 'rate', x.gst_rate, 'discount',
            x.discount, 'value', x.value, 'taxable', x.taxable, 'igst', x.igst, 'cgst', x.cgst, 'sgst', x.sgst,
            'cess', x.cess
          )
          order by x.line
        )
        from document_lines x
        left join masters u
          on u.organisation = x.organisation and u.master = 'unit' and upper(u.code) = upper(x.unit)
        where x.organisation = d.organisation and x.document = d.id
      ) as lines,
      (
        select jsonb_agg(distinct jsonb_build_object('number', s.number, 'date', s.date))
        from documents s
        where s.organisation = d.organisation
          and (
            s.id = (d.body -> 'draft' ->> 'against')::uuid
              or s.id in (
                select x.source_document
                from document_lines x
                where x.organisation = d.organisation and x.document = d.id
              )
          )
      ) as sources
    from documents d
    left join einvoices e on e.organisation = d.organisation and e.document = d.id
    join registrations r on r.organisation = d.organisation and r.id = d.registration
    join locations l on l.organisation = d.organisation and l.id = d.location
    where d.organisation = ${organisation} and d.id = ${document}::uuid
  `.execute(run);
  return rows[0];
}

/** Goods from abroad, as the bill of entry has them: their sender has no registration here, and they leave from the port. */
function imported(entry: IrpDocument, bill: IrpDocument, { customs, fields }: Draft): IrpDocument {
  const lines = customs ? importedGoods(bill.lines, customs) : [];
  const abroad = { state: ABROAD, pincode: NO_PIN };
  const { address } = bill.buyer;
  const port = fields?.['port'] ?? '';
  const at = portName(port) ?? port;
  return {
    ...entry,
    lines,
    tcs: paise(0),
    roundOff: paise(0),
    total: sum(lines.map((line) => line.total)),
    buyer: {
      legalName: bill.buyer.legalName,
      address: {
        ...address,
        ...abroad,
        line1: address.line1 || bill.buyer.legalName,
        city: address.city || address.country,
      },
    },
    ...(port && {
      shipTo: { name: at, line1: at === port ? port : `${at} (${port})`, city: at, country: 'IN', ...abroad },
    }),
  };
}
/** What the portal writes where an Indian state and PIN code stand otherwise. */
const ABROAD = '96';
const NO_PIN = '999999';

/** Who the document is to: as it has them, with the trade name of today as long as the GSTIN is the same. */
function partyOf({ party, party_gstin: gstin, party_state, body }: Row): {
  readonly state: string;
  readonly country: string;
  readonly tradeName?: string | undefined;
  readonly address: Place | undefined;
} {
  const { country = null, address = null } = body.partyThen ?? {};
  const state = party_state ?? party?.state ?? '';
  const all = party?.body.addresses ?? [];
  const today = { gstin: null, state, ...party, address: all.find((a) => a.type !== 'shipping') ?? all[0] };
  return {
    state,
    country: country ?? party?.country ?? '',
    ...(today.gstin === gstin && { tradeName: party?.body.tradeName }),
    address: addressThen({ gstin, state, address }, today) ?? undefined,
  };
}

function documentOf(row: Row, gstin: string, type: IrnType): IrpDocument {
  const { draft } = row.body;
  const fields = draft.fields ?? {};
  const charged = row.body.taxCharged ?? !row.reverse_charge;
  const party = partyOf(row);
  const billing = draft.billTo ?? party.address;
  const overseas = row.supply_type.startsWith('EXP');
  const foreign = row.currency !== 'INR';
  const here = dispatchedFrom({
    registration: { legalName: row.own.legal_name, state: row.own.state, address: row.own.body },
    place: { name: row.place.name, address: row.place.body },
  });
  const { shipTo } = draft;
  return {
    type,
    number: row.number,
    date: row.date,
    supplyType: row.supply_type as IrpDocument['supplyType'],
    reverseCharge: row.reverse_charge,
    placeOfSupply: row.place_of_supply ?? row.own.state,
    seller: {
      gstin,
      legalName: row.own.legal_name,
      ...(row.own.trade_name && { tradeName: row.own.trade_name }),
      address: addressOf(row.own.body, row.own.state),
    },
    buyer: row.other
      ? {
          legalName: row.other.legal_name,
          ...(row.other.trade_name && { tradeName: row.other.trade_name }),
          ...(row.other.gstin && { gstin: row.other.gstin }),
          address: addressOf(row.other.body, row.other.state),
        }
      : {
          legalName: row.party_name,
          ...(row.party_gstin && { gstin: row.party_gstin }),
          ...(party.tradeName && { tradeName: party.tradeName }),
          // abroad the name of the country is better than an empty line
          address: {
            ...addressOf(billing, party.state),
            ...(overseas && { country: party.country }),
            ...(overseas && !billing && addressAbroad({ name: row.party_name, country: party.country })),
          },
        },
    ...(here && { dispatchFrom: here }),
    ...shippedTo(row),
    ...(shipTo && {
      shipTo: {
        ...shipTo,
        name: shipTo.name ?? row.party_name,
        ...(isSameName(shipTo.name, row.party_name) && party.tradeName && { tradeName: party.tradeName }),
      },
    }),
    lines: (row.lines ?? []).map((line, index) =>
      lineOf(line, charged, row.body.cessRates?.[index] ?? 0, draft.lines[index]),
    ),
    tcs: whole(Number(row.tcs)),
    ...adjustedOf(row.body.adjustments),
    roundOff: whole(Number(row.round_off)),
    total: whole(Number(row.total)),
    currency: row.currency,
    ...(foreign && { foreignTotal: whole(Number(row.foreign_total)) }),
    ...paymentOf(row),
    ...(draft.narration && { remarks: draft.narration }),
    ...(type !== 'INV' && precedingOf(row)),
    ...(draft.reference &&
      type === 'INV' && {
        order: { number: draft.reference, ...(draft.referenceDate && { date: draft.referenceDate }) },
      }),
    ...(fields['shippingBill'] &&
      fields['shippingBillDate'] && {
        shippingBill: { number: fields['shippingBill'], date: fields['shippingBillDate'] },
      }),
    ...(fields['port'] && { port: fields['port'] }),
  };
}

/** The documents that a note corrects: those in the books, or the one from before them whose number and date were typed. */
function precedingOf({ sources, body: { draft } }: Row): Pick<IrpDocument, 'preceding'> {
  const original = typedOriginal(draft);
  if (sources) return { preceding: sources };
  return original ? { preceding: [original] } : {};
}

/** Goods that go to the buyer under the buyer's own name. */
const isSameName = (name: string | undefined, party: string): boolean => name === undefined || name.trim() === party;

/** Additions and deductions are summed apart. */
const adjustedOf = (adjustments: Row['body']['adjustments'] = []): Pick<IrpDocument, 'added' | 'takenOff'> => {
  const of = (sign: 1 | -1) => whole(adjustments.reduce((total, { amount }) => total + Math.max(0, sign * amount), 0));
  return adjustments.length === 0 ? {} : { added: of(1), takenOff: of(-1) };
};

const shippedTo = ({ other }: Row): Pick<IrpDocument, 'shipTo'> => {
  const at =
    other &&
    receivedAt({
      registration: { legalName: other.legal_name, state: other.state, address: other.body },
      place: { name: other.place, address: other.at },
    });
  return at ? { shipTo: at } : {};
};

/** How it is paid, of an invoice to a party: on credit until its due date, or on the spot. */
function paymentOf({ kind, date, due_date: due, total, party_name: name }: Row): Pick<IrpDocument, 'payment'> {
  const { gst, books } = kindCalled(kind) ?? {};
  if (gst?.irp !== 'INV' || name === '') return {};
  const all = whole(Number(total));
  if (books?.opens !== 'receivable') return { payment: { paid: all } };
  return due ? { payment: { creditDays: Math.max(0, daysBetween(date, due)), due: all } } : {};
}

const sez: readonly (GstCategory | null)[] = ['sezUnit', 'sezDeveloper'];

/** One batch is named; of several the portal has no room for more than one, so none is. */
const batchOf = ({ batches = [] }: DraftLine): Pick<IrpLine, 'batch'> => {
  const [only, ...more] = batches;
  return only && more.length === 0 ? { batch: { name: only.batch, ...(only.expiry && { expiry: only.expiry }) } } : {};
};

const lineOf = (line: LineRow, charged: boolean, cessRate: number, typed?: DraftLine): IrpLine => {
  const tax = charged ? line.igst + line.cgst + line.sgst + line.cess : 0;
  return {
    description: line.description,
    hsn: line.hsn,
    service: line.service,
    uqc: line.uqc ?? uqcOf(line.unit),
    quantity: line.quantity as Millionths,
    discount: whole(line.discount),
    value: whole(line.value),
    treatment: line.treatment,
    rate: line.rate as Percent,
    cessRate: cessRate as Percent,
    igst: whole(line.igst),
    cgst: whole(line.cgst),
    sgst: whole(line.sgst),
    cess: whole(line.cess),
    total: whole(line.value + tax),
    ...(typed?.freeQuantity && { freeQuantity: typed.freeQuantity }),
    ...(typed && batchOf(typed)),
  };
};
