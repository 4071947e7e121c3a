import { whole } from './amounts.ts';
import { pinFits, unitCodes } from './facts.ts';
import { isGstin } from './gstin.ts';
import type { Taxpayer } from './taxpayers.ts';
import { daysBetween, isoDay } from './times.ts';
import type { Code, WayBody, WayTransport } from './waybill.ts';

/** What can be wrong with a transport: the code of the e-way-bill portal and the one of the invoice portal. */
export const transportCodes = {
  transporterMissing: { direct: '619', byIrn: '4019' },
  transporterInvalid: { direct: '222', byIrn: '4018' },
  modeMissingForVehicle: { direct: '621', byIrn: '4028' },
  modeMissingForDocument: { direct: '622', byIrn: '4028' },
  vehicleMissing: { direct: '303', byIrn: '4011' },
  vehicleInvalid: { direct: '225', byIrn: '4014' },
  vehicleTypeMissing: { direct: '361', byIrn: '4022' },
  documentMissing: { direct: '394', byIrn: '4012' },
  documentDateMissing: { direct: '385', byIrn: '4023' },
  documentDateEarly: { direct: '362', byIrn: '4021' },
  documentDateLate: { direct: '224', byIrn: '4016' },
  oversizeMode: { direct: '634', byIrn: '4024' },
  shipRegular: { direct: '726', byIrn: '4039' },
  shipEmpty: { direct: '226', byIrn: '4040' },
} as const;
export type TransportFinding = keyof typeof transportCodes;

const vehicles =
  /^(?:[A-Z]{2}\d{2}[A-Z]{0,3}\d{4}|[A-Z]{3}\d{4}|[A-Z]{2}\d{3}[A-Z]\d{4}|(?:DF|TM|BP|NP)[A-Z0-9]{5,13})$/;
export const isVehicle = (number: string): boolean => number.length <= 15 && vehicles.test(number.toUpperCase());

const text = (code: Code): string => String(code ?? '');
/** Rail, air: a document with its date and no vehicle. Ship: either, and nothing regular. Road: a vehicle. */
function* modeFindings(transport: WayTransport, typeNeeded: boolean): Generator<TransportFinding> {
  const { transDocNo, transDocDate, vehicleNo, vehicleType } = transport;
  switch (text(transport.transMode)) {
    case '1':
      if (!vehicleNo) yield 'vehicleMissing';
      else if (!vehicleType && typeNeeded) yield 'vehicleTypeMissing';
      break;
    case '4':
      if (!vehicleNo && !transDocNo) yield 'shipEmpty';
      if (vehicleType !== 'O') yield 'shipRegular';
      break;
    default:
      if (!transDocNo) yield 'documentMissing';
      if (!transDocDate) yield 'documentDateMissing';
      if (vehicleType === 'O') yield 'oversizeMode';
  }
}

export interface TransportContext {
  /** Day of the document and of the call, YYYY-MM-DD. */
  readonly documentDay: string;
  readonly today: string;
  /** The call by IRN insists on the type of a vehicle; the direct one takes a regular one for granted. */
  readonly typeNeeded: boolean;
}

/** What is wrong with a Part B. */
export function* partBFindings(transport: WayTransport, context: TransportContext): Generator<TransportFinding> {
  const { transMode, transDocDate, transDocNo, vehicleNo } = transport;
  if (!text(transMode)) yield vehicleNo || !transDocNo ? 'modeMissingForVehicle' : 'modeMissingForDocument';
  else yield* modeFindings(transport, context.typeNeeded);
  if (vehicleNo && !isVehicle(vehicleNo)) yield 'vehicleInvalid';
  const day = transDocDate ? isoDay(transDocDate) : undefined;
  if (transDocDate && (day === undefined || day > context.today)) yield 'documentDateLate';
  if (day && day < context.documentDay) yield 'documentDateEarly';
}

/** Whether only Part A is given: no vehicle, no document; road alone, with a transporter, promises the vehicle for later. */
export const isPartAOnly = (transport: WayTransport, transporter: string | null | undefined): boolean =>
  !transport.vehicleNo &&
  !transport.transDocNo &&
  (!text(transport.transMode) || (text(transport.transMode) === '1' && Boolean(transporter)));

/** What is wrong with the transport of a new bill, its transporter included. */
export function* transportFindings(
  transport: WayTransport & { readonly transporterId?: string | null | undefined },
  context: TransportContext,
): Generator<TransportFinding> {
  const { transporterId } = transport;
  if (transporterId && !isGstin(transporterId)) yield 'transporterInvalid';
  if (!isPartAOnly(transport, context.typeNeeded ? undefined : transporterId)) yield* partBFindings(transport, context);
  else if (!transporterId) yield 'transporterMissing';
}

interface Movement {
  readonly documents: readonly string[];
  /** Both ends are the same registration. */
  readonly self?: true;
}
const movements: Readonly<Record<'O' | 'I', Readonly<Record<string, Movement>>>> = {
  O: {
    '1': { documents: ['INV', 'BIL'] },
    '3': { documents: ['INV', 'BIL'] },
    '4': { documents: ['CHL'] },
    '9': { documents: ['INV', 'BIL', 'CHL'] },
    '11': { documents: ['CHL', 'OTH'], self: true },
    '5': { documents: ['CHL'], self: true },
    '12': { documents: ['CHL'], self: true },
    '10': { documents: ['CHL'], self: true },
    '8': { documents: ['CHL', 'OTH'] },
  },
  I: {
    '1': { documents: ['INV', 'BIL'] },
    '2': { documents: ['BOE'] },
    '9': { documents: ['BOE', 'INV', 'BIL', 'CHL'] },
    '6': { documents: ['CHL'] },
    '7': { documents: ['CHL'] },
    '12': { documents: ['CHL'], self: true },
    '5': { documents: ['CHL'], self: true },
    '8': { documents: ['CHL', 'OTH'] },
  },
};

export interface WayContext {
  readonly today: string;
  readonly caller: string;
  readonly taxpayer: (gstin: string) => Taxpayer | undefined;
  /** The document has an active IRN: then a supplier who must register invoices may use the direct call. */
  readonly isRegistered: boolean;
}

function* kindCodes(body: WayBody): Generator<string> {
  const movement = movements[body.supplyType][text(body.subSupplyType)];
  if (!movement) return yield '203';
  if (!movement.documents.includes(body.docType)) yield '205';
  if (movement.self && body.fromGstin !== body.toGstin) yield body.supplyType === 'O' ? '360' : '359';
  const isSupplyAbroad = body.supplyType === 'O' && text(body.subSupplyType) === '3';
  const isImport = body.supplyType === 'I' && text(body.subSupplyType) === '2';
  if (isSupplyAbroad && body.toStateCode !== 96) yield '373';
  if (isSupplyAbroad && body.toPincode !== 999_999) yield '374';
  if (isImport && body.fromStateCode !== 96) yield '375';
  if (isImport && body.fromPincode !== 999_999) yield '376';
}

function* partyCodes(body: WayBody, { caller, taxpayer, isRegistered }: WayContext): Generator<string> {
  if (body.supplyType === 'O' && body.fromGstin !== caller) yield '359';
  if (body.supplyType === 'I' && body.toGstin !== caller) yield '360';
  for (const [gstin, unknown, blocked] of [
    [body.fromGstin, '208', '715'],
    [body.toGstin, '212', '716'],
  ] as const) {
    const party = gstin === 'URP' ? undefined : taxpayer(gstin);
    if (gstin !== 'URP' && !party) yield unknown;
    if (party?.details.BlkStatus === 'B') yield blocked;
  }
  const mustRegister =
    body.supplyType === 'O' && body.docType === 'INV' && (body.toGstin !== 'URP' || text(body.subSupplyType) === '3');
  if (mustRegister && !isRegistered && taxpayer(body.fromGstin)?.enabled) yield '720';
}

function* placeCodes(body: WayBody, { taxpayer }: WayContext): Generator<string> {
  const isSezBilled = (gstin: string, state: number) => state === 96 && taxpayer(gstin)?.details.TxpType === 'SEZ';
  const state = (code: number) => String(code).padStart(2, '0');
  if (!pinFits(body.fromPincode, state(body.actFromStateCode))) yield '437';
  if (!pinFits(body.toPincode, state(body.actToStateCode))) yield '436';
  const dispatchDiffers = Boolean(body.dispatchFromGSTIN && body.dispatchFromGSTIN !== body.fromGstin);
  const shipDiffers = Boolean(body.shipToGSTIN && body.shipToGSTIN !== body.toGstin);
  const type = text(body.transactionType);
  const mayDispatch = type === '3' || type === '4';
  const mayShip = type === '2' || type === '4';
  if (!mayDispatch && dispatchDiffers) yield '615';
  if (!mayShip && shipDiffers) yield '616';
  if (mayDispatch && body.dispatchFromGSTIN && body.dispatchFromGSTIN !== 'URP' && !dispatchDiffers) yield '617';
  if (mayShip && body.shipToGSTIN && body.shipToGSTIN !== 'URP' && !shipDiffers) yield '618';
  // a SEZ is billed as outside the states
  if (!mayDispatch && body.fromStateCode !== body.actFromStateCode && !isSezBilled(body.fromGstin, body.fromStateCode))
    yield '643';
  if (!mayShip && body.toStateCode !== body.actToStateCode && !isSezBilled(body.toGstin, body.toStateCode)) yield '644';
}

function* valueCodes(body: WayBody, { taxpayer }: WayContext): Generator<string> {
  const sums = [
    body.totalValue,
    body.cgstValue,
    body.sgstValue,
    body.igstValue,
    body.cessValue,
    body.cessNonAdvolValue,
  ];
  const other = whole(body.otherValue);
  const least = sums.reduce((sum, value) => sum + whole(value), other < 0n ? other : 0n);
  if (whole(body.totInvValue) + 100n < least) yield '620';
  const isSez = (gstin: string) => taxpayer(gstin)?.details.TxpType === 'SEZ';
  const special = isSez(body.fromGstin) || isSez(body.toGstin);
  // of a SEZ that is the caller itself nothing is known; the other side is billed under 96
  const own = isSez(body.supplyType === 'O' ? body.fromGstin : body.toGstin);
  const halves = whole(body.cgstValue) + whole(body.sgstValue) > 0n;
  if (special && halves) yield '378';
  else if (body.fromStateCode === body.toStateCode && !own && whole(body.igstValue) > 0n) yield '623';
  else if (body.fromStateCode !== body.toStateCode && halves) yield '624';
}

function* lineCodes({ itemList: lines }: WayBody): Generator<string> {
  for (const line of lines) {
    if (/^(0|77)/.test(String(line.hsnCode).padStart(2, '0')) && Number(line.hsnCode) < 100) yield '216';
    if (line.qtyUnit && !unitCodes.has(line.qtyUnit)) yield '217';
    if ((line.cgstRate ?? 0) !== (line.sgstRate ?? 0)) yield '251';
  }
  if (lines.every((line) => String(line.hsnCode).startsWith('99'))) yield '724';
}

function* dateCodes(body: WayBody, today: string): Generator<string> {
  const day = isoDay(body.docDate);
  // the direct call's code for documents older than 180 days is not published; the one for the date stands for it
  if (day === undefined || day > today || daysBetween(day, today) > 180) yield '207';
  if (day && day < '2017-07-01') yield '819';
}

/** The rules of the e-way-bill portal on a payload that fits the schema: the codes it refuses with, each once, in order. */
export function wayCodes(body: WayBody, context: WayContext): string[] {
  const findings = transportFindings(body, {
    documentDay: isoDay(body.docDate) ?? '',
    today: context.today,
    typeNeeded: false,
  });
  const found = [
    ...kindCodes(body),
    ...partyCodes(body, context),
    ...placeCodes(body, context),
    ...valueCodes(body, context),
    ...lineCodes(body),
    ...dateCodes(body, context.today),
    ...[...findings].map((finding) => transportCodes[finding].direct),
  ];
  return [...new Set(found)].sort();
}

/** Days a bill holds: one per 200 km or part of it, per 20 km for over-dimensional cargo and where a ship has a leg. */
export function validDays(kilometres: number, transport: WayTransport): number {
  const slow = transport.vehicleType === 'O' || text(transport.transMode) === '4';
  return Math.max(1, Math.ceil(kilometres / (slow ? 20 : 200)));
}
