import { amountCodes } from './amounts.ts';
import {
  currencyCodes,
  gstRates,
  isPlaceOfSupply,
  isState,
  pinExists,
  pinFits,
  portCodes,
  stateName,
  unitCodes,
} from './facts.ts';
import { type Invoice, isExport, isSez } from './invoice.ts';
import type { Taxpayer } from './taxpayers.ts';
import { daysBetween, isoDay } from './times.ts';

export interface RuleContext {
  /** Day in India, YYYY-MM-DD. */
  readonly today: string;
  /** GSTIN of the request's header. */
  readonly caller: string;
  /** Turnover of the supplier in crore; undefined takes what the portal knows of it. */
  readonly turnover?: number | undefined;
  readonly taxpayer: (gstin: string) => Taxpayer | undefined;
}

const EARLIEST = '2025-04-01';
/** Supplies of goods by carriers: the place of supply may be abroad although the recipient is here. */
const carriage = /^996[58]/;

function* dateCodes(invoice: Invoice, context: RuleContext): Generator<string> {
  const day = isoDay(invoice.DocDtls.Dt);
  if (day === undefined) return yield '2292';
  if (day > context.today) yield '2163';
  if (day < EARLIEST) yield '2284';
  const turnover = context.turnover ?? context.taxpayer(invoice.SellerDtls.Gstin)?.turnover ?? 0;
  if (turnover >= 10 && daysBetween(day, context.today) > 30) yield '2305';
}

function* callerCodes(invoice: Invoice, { caller, taxpayer }: RuleContext): Generator<string> {
  const operator = invoice.TranDtls.EcmGstin || undefined;
  const type = taxpayer(caller)?.details.TxpType;
  if (caller === invoice.SellerDtls.Gstin) {
    if (operator !== undefined) yield '2299';
  } else if (operator === undefined) {
    yield type === 'TCS' ? '2301' : '2169';
  } else if (operator !== caller) {
    yield '2169';
  } else if (type !== 'TCS') {
    yield '2195';
  }
}

/** Of a cancelled registration the portal still takes documents dated within its life. */
function lifeCode(party: Taxpayer, day: string): string | undefined {
  const { Status, DtReg, DtDReg } = party.details;
  if (Status === 'CNL') {
    if (DtDReg === null) return '3075';
    if (day > DtDReg) return '3074';
    return day < DtReg ? '3077' : undefined;
  }
  if (Status === 'INA') return '3076';
  return day < DtReg ? '3079' : undefined;
}

function* supplierCodes(invoice: Invoice, { taxpayer }: RuleContext): Generator<string> {
  const { Gstin, Stcd, Pin } = invoice.SellerDtls;
  const supplier = taxpayer(Gstin);
  if (!supplier || supplier.needsSync) yield '3028';
  else if (supplier.details.Status !== 'ACT') yield '3029';
  else if (supplier.details.TxpType === 'SEZ') yield '2231';
  else if (supplier.details.TxpType !== 'REG') yield '2300';
  else if (!supplier.enabled) yield '3026';
  if (!isState(Stcd.padStart(2, '0')) && Stcd !== '97') yield '2259';
  else if (Gstin.slice(0, 2) !== Stcd.padStart(2, '0')) yield '2258';
  if (Pin === 999_999 && Stcd !== '97') yield '2276';
  else yield* pinCodes(Pin, Stcd);
}

function* pinCodes(pin: number, state: string): Generator<string> {
  if (pinFits(pin, state.padStart(2, '0'))) return;
  yield pin !== 999_999 && !pinExists(pin) ? '3038' : '3039';
}

function* recipientCodes(invoice: Invoice, { taxpayer }: RuleContext): Generator<string> {
  const { Gstin } = invoice.BuyerDtls;
  if (isExport(invoice)) {
    if (Gstin !== 'URP') yield '2248';
    return;
  }
  if (Gstin === 'URP') return yield '2212';
  if (Gstin === invoice.SellerDtls.Gstin) return yield '2211';
  const recipient = taxpayer(Gstin);
  if (!recipient || recipient.needsSync) return yield '3028';
  const day = isoDay(invoice.DocDtls.Dt);
  const life = day && lifeCode(recipient, day);
  if (life) yield life;
  const { TxpType } = recipient.details;
  if (TxpType === 'SEZ' && !isSez(invoice)) yield '2246';
  if (TxpType !== 'SEZ' && isSez(invoice)) yield '2247';
  if (TxpType === 'COM' && invoice.TranDtls.SupTyp === 'DEXP') yield '2298';
  if (TxpType === 'ISD' && invoice.TranDtls.RegRev === 'Y') yield '2297';
}

function* exportPlaceCodes({ BuyerDtls: buyer, ExpDtls: details }: Invoice): Generator<string> {
  if (buyer.Pos !== '96') yield '2232';
  if (buyer.Stcd !== '96') yield '2261';
  if (buyer.Pin !== 999_999) yield '2275';
  if (details?.Port && !portCodes.has(details.Port.toUpperCase())) yield '2201';
  if (details?.ForCur && !currencyCodes.has(details.ForCur.toUpperCase())) yield '2203';
}

function* homePlaceCodes({ BuyerDtls: buyer, ItemList: lines }: Invoice): Generator<string> {
  const state = buyer.Stcd.padStart(2, '0');
  const place = buyer.Pos.padStart(2, '0');
  if (!isPlaceOfSupply(place)) yield '2243';
  else if (place === '96' && !lines.every((line) => carriage.test(line.HsnCd))) yield '2242';
  if (state === '96') return yield '2269';
  if (stateName(state) === undefined) yield '2260';
  else if (buyer.Gstin !== 'URP' && buyer.Gstin.slice(0, 2) !== state) yield '2265';
  if (buyer.Pin === null || buyer.Pin === undefined) yield '2244';
  else if (buyer.Pin === 999_999 && state !== '97') yield '2274';
  else yield* pinCodes(buyer.Pin, state);
}

function* otherPlaceCodes(invoice: Invoice): Generator<string> {
  const { DispDtls: dispatch, ShipDtls: ship } = invoice;
  for (const place of [dispatch, ship]) if (place && stateName(place.Stcd.padStart(2, '0')) === undefined) yield '2200';
  if (dispatch?.Pin === 999_999) yield '2273';
  else if (dispatch) yield* pinCodes(dispatch.Pin, dispatch.Stcd);
  if (ship?.Pin === 999_999) yield* isExport(invoice) || ship.Stcd === '97' ? [] : ['2272'];
  else if (ship) yield* pinCodes(ship.Pin, ship.Stcd);
}

function* transactionCodes(invoice: Invoice): Generator<string> {
  const { RegRev, IgstOnIntra, SupTyp } = invoice.TranDtls;
  if (RegRev === 'Y' && !isSez(invoice) && SupTyp !== 'B2B') yield '2162';
  if (IgstOnIntra !== 'Y') return;
  if (isExport(invoice) || isSez(invoice)) yield '2268';
  else if (invoice.SellerDtls.Gstin.slice(0, 2) !== invoice.BuyerDtls.Pos.padStart(2, '0')) yield '2262';
  if (RegRev !== 'Y') yield '2294';
}

/** Chapters 00 and 77 are empty; six digits are the least, since the mandate starts where six are asked for. */
const isHsn = (code: string) => code.length >= 6 && !/^(00|77)/.test(code);

function* itemCodes({ ItemList: lines }: Invoice): Generator<string> {
  if (new Set(lines.map((line) => line.SlNo)).size < lines.length) yield '2233';
  for (const line of lines) {
    const service = line.HsnCd.startsWith('99');
    if (!isHsn(line.HsnCd)) yield '2176';
    if (line.IsServc === 'Y' && !service) yield '3048';
    if (line.IsServc === 'N' && service) yield '3047';
    if (line.Unit && !unitCodes.has(line.Unit)) yield '2177';
    if (line.IsServc === 'N' && (line.Qty ?? undefined) === undefined) yield '2238';
    if (line.IsServc === 'N' && !line.Unit) yield '2239';
    if (!gstRates.has(line.GstRt)) yield '2240';
  }
}

/** The business rules of the invoice portal on a payload that fits the schema: the codes it refuses with, each once, in order. */
export function invoiceCodes(invoice: Invoice, context: RuleContext): string[] {
  const places = isExport(invoice) ? exportPlaceCodes(invoice) : homePlaceCodes(invoice);
  const found = [
    ...callerCodes(invoice, context),
    ...dateCodes(invoice, context),
    ...transactionCodes(invoice),
    ...supplierCodes(invoice, context),
    ...recipientCodes(invoice, context),
    ...places,
    ...otherPlaceCodes(invoice),
    ...itemCodes(invoice),
    ...amountCodes(invoice),
  ];
  return [...new Set(found)].sort();
}
