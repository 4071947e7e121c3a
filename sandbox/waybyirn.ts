import { type Answer, refuse } from './answers.ts';
import { settleDistance } from './distance.ts';
import invoiceSchema from './facts/einvoice.schema.json' with { type: 'json' };
import { fitting } from './fitting.ts';
import { type Invoice, isExport, type Place, type Transport } from './invoice.ts';
import type { StoredInvoice } from './ledger.ts';
import { type Portal, row, together } from './portal.ts';
import { dayOf, daysBetween, isoDay, portalTime } from './times.ts';
import type { WayBody } from './waybill.ts';
import { liveWayBillFor, liveWayBillOf, type StoredWayBill, storeWayBill } from './wayledger.ts';
import { transportCodes, transportFindings } from './wayrules.ts';

type Where = Omit<Place, 'Pin'> & { readonly Pin: number };
export interface WayRequest extends Transport {
  readonly Irn: string;
  readonly ExpShipDtls?: Where | null;
  readonly DispDtls?: (Where & { readonly Nm: string }) | null;
}

const { EwbDtls, DispDtls, ShipDtls } = invoiceSchema.properties;
const shipProperties = Object.fromEntries(
  Object.entries(ShipDtls.properties).filter(([name]) => /^(Addr|Loc|Pin|Stcd)/.test(name)),
);
const requestCheck = fitting<WayRequest>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['Irn', 'Distance'],
    properties: {
      ...EwbDtls.properties,
      Irn: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
      ExpShipDtls: {
        type: ['object', 'null'],
        additionalProperties: false,
        required: ['Addr1', 'Loc', 'Pin', 'Stcd'],
        properties: shipProperties,
      },
      DispDtls,
    },
  },
  { strict: false },
);

/** The request, or what the schema has against it. */
export function readWayRequest(payload: unknown): { request: WayRequest } | { wrong: string[] } {
  const fits = requestCheck();
  if (fits(payload)) return { request: payload };
  return { wrong: (fits.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? ''}`) };
}

const kinds = { both: 4, dispatch: 3, ship: 2, regular: 1 } as const;

/** The e-way bill that an invoice stands for: from where it is dispatched to where it is shipped, its goods only. */
export function wayBodyOf(invoice: Invoice, asked: Omit<WayRequest, 'Irn'>): WayBody {
  const { SellerDtls: seller, BuyerDtls: buyer, ValDtls: sums } = invoice;
  const dispatch = asked.DispDtls ?? invoice.DispDtls;
  const ship = asked.ExpShipDtls ?? invoice.ShipDtls;
  const from = dispatch ?? seller;
  const to = ship ?? buyer;
  return {
    supplyType: 'O',
    subSupplyType: isExport(invoice) ? '3' : '1',
    docType: 'INV',
    docNo: invoice.DocDtls.No,
    docDate: invoice.DocDtls.Dt,
    transactionType: kinds[dispatch && ship ? 'both' : dispatch ? 'dispatch' : ship ? 'ship' : 'regular'],
    fromGstin: seller.Gstin,
    fromTrdName: seller.TrdNm ?? seller.LglNm,
    fromPlace: from.Loc,
    fromPincode: from.Pin,
    fromStateCode: Number(seller.Stcd),
    actFromStateCode: Number(from.Stcd),
    toGstin: buyer.Gstin,
    toTrdName: buyer.TrdNm ?? buyer.LglNm,
    toPlace: to.Loc,
    toPincode: to.Pin ?? 0,
    toStateCode: Number(buyer.Stcd),
    actToStateCode: Number(to.Stcd),
    shipToGSTIN: invoice.ShipDtls?.Gstin ?? null,
    totalValue: sums.AssVal,
    cgstValue: sums.CgstVal ?? 0,
    sgstValue: sums.SgstVal ?? 0,
    igstValue: sums.IgstVal ?? 0,
    cessValue: sums.CesVal ?? 0,
    cessNonAdvolValue: 0,
    otherValue: (sums.OthChrg ?? 0) - (sums.Discount ?? 0),
    totInvValue: sums.TotInvVal,
    transporterId: asked.TransId ?? null,
    transporterName: asked.TransName ?? null,
    transDistance: asked.Distance,
    transMode: asked.TransMode ?? null,
    transDocNo: asked.TransDocNo ?? null,
    transDocDate: asked.TransDocDt ?? null,
    vehicleNo: asked.VehNo ?? null,
    vehicleType: asked.VehType ?? null,
    itemList: invoice.ItemList.filter((line) => line.IsServc === 'N').map((line) => ({
      productName: line.PrdDesc ?? '',
      productDesc: line.PrdDesc ?? '',
      hsnCode: line.HsnCd,
      quantity: line.Qty ?? 0,
      qtyUnit: line.Unit ?? '',
      taxableAmount: line.AssAmt,
      cgstRate: line.CgstAmt ? line.GstRt / 2 : 0,
      sgstRate: line.SgstAmt ? line.GstRt / 2 : 0,
      igstRate: line.IgstAmt ? line.GstRt : 0,
      cessRate: line.CesRt ?? 0,
      cessNonAdvol: line.CesNonAdvlAmt ?? 0,
    })),
  };
}

const distanceCodes = { samePin: '4029', unknown: '4030', tooFar: '4013' } as const;

function* bodyCodes(invoice: Invoice, asked: Omit<WayRequest, 'Irn'>, body: WayBody, today: string): Generator<string> {
  const documentDay = isoDay(body.docDate) ?? '';
  if (invoice.DocDtls.Typ !== 'INV') return yield '4010';
  if (body.itemList.length === 0) return yield '4009';
  if (isExport(invoice) && !asked.ExpShipDtls && !invoice.ShipDtls) return yield '4031';
  if (body.actToStateCode === 96) yield '4032';
  if (body.toPincode === 999_999) yield '4033';
  if (body.actFromStateCode === 96) yield '4035';
  if (body.fromPincode === 999_999) yield '4036';
  if (documentDay < today && daysBetween(documentDay, today) > 180) yield '4043';
  for (const finding of transportFindings(body, { documentDay, today, typeNeeded: true }))
    yield transportCodes[finding].byIrn;
}

export type WayResult =
  | { readonly bill: StoredWayBill; readonly known: number | undefined }
  | { readonly codes: readonly string[] };

/** Makes the e-way bill of a registered invoice, once; the invoice is locked so that it is not cancelled meanwhile. */
export function wayBillByIrn(
  portal: Portal,
  irn: string,
  asked: Omit<WayRequest, 'Irn'>,
  caller: string,
): Promise<WayResult> {
  const now = portal.clock();
  return together<WayResult>(portal.database, async (connection) => {
    const stored = await row<StoredInvoice>(connection, 'select * from sandbox.invoices where irn = $1 for update', [
      irn.toLowerCase(),
    ]);
    if (!stored) return { codes: ['4003'] };
    if (caller !== stored.gstin && caller !== stored.caller) return { codes: ['4037'] };
    if (stored.cancelled_at) return { codes: ['4000'] };
    if (await liveWayBillOf(connection, stored.irn)) return { codes: ['4002'] };
    const body = wayBodyOf(stored.payload, asked);
    if (await liveWayBillFor(connection, stored.gstin, body)) return { codes: ['4026'] };
    const codes = [...new Set(bodyCodes(stored.payload, asked, body, dayOf(now)))];
    if (codes.length > 0) return { codes };
    const distance = settleDistance(body.fromPincode, body.toPincode, asked.Distance);
    if (typeof distance === 'string') return { codes: [distanceCodes[distance]] };
    const bill = await storeWayBill(connection, {
      body,
      generator: stored.gstin,
      irn: stored.irn,
      distance: distance.km,
      now,
    });
    return bill ? { bill, known: distance.known } : { codes: ['4002'] };
  });
}

/** The three facts of a bill as the invoice portal shows them. */
export const wayFacts = (bill: StoredWayBill): { EwbNo: number; EwbDt: string; EwbValidTill: string | null } => ({
  EwbNo: Number(bill.number),
  EwbDt: portalTime(bill.made_at),
  EwbValidTill: bill.valid_until && portalTime(bill.valid_until),
});

/** The remark on a distance that the portal has reckoned itself. */
export const distanceInfo = (known: number) => ({ InfCd: 'EWBPPD', Desc: `Pin-Pin calc distance: ${known}KM` });

export function wayAnswer(result: WayResult): Answer {
  if ('codes' in result) return refuse(...result.codes);
  const data = { ...wayFacts(result.bill), Remarks: null };
  return result.known === undefined ? { data } : { data, info: [distanceInfo(result.known)] };
}
