import { type Answer, refuse } from './answers.ts';
import { settleDistance } from './distance.ts';
import { isState, pinFits } from './facts.ts';
import { isGstin } from './gstin.ts';
import type { Call } from './irp.ts';
import { type Connection, row, together } from './portal.ts';
import { readWayBill } from './schema.ts';
import { taxpayer } from './taxpayers.ts';
import { dayOf, endOfDay, financialYear, isoDay, wayTime } from './times.ts';
import type { Code, WayBody, WayTransport } from './waybill.ts';
import { readWayNumber, type StoredWayBill, storeVehicle, storeWayBill, type Vehicle, wayBill } from './wayledger.ts';
import { partBFindings, transportCodes, validDays, wayCodes } from './wayrules.ts';

const HOUR = 3_600_000;
const LIFE_DAYS = 360;
const distanceCodes = { samePin: '721', unknown: '721', tooFar: '702' } as const;

interface Asked extends WayTransport {
  readonly ewbNo?: Code;
  readonly fromPlace?: string;
  readonly fromState?: Code;
  readonly fromPincode?: Code;
  readonly remainingDistance?: Code;
  readonly reasonCode?: Code;
  readonly reasonRem?: string;
  readonly cancelRsnCode?: Code;
  readonly cancelRmrk?: string;
  readonly extnRsnCode?: Code;
  readonly extnRemarks?: string;
  readonly consignmentStatus?: string;
  readonly transitType?: string;
  readonly addressLine1?: string;
  readonly addressLine2?: string;
  readonly addressLine3?: string;
  readonly transporterId?: string;
}
const asked = (payload: unknown): Asked => Object(payload) as Asked;
const text = (value: unknown) => String(value ?? '');

const liveIrn = (connection: Connection, body: WayBody) =>
  row<{ irn: string }>(
    connection,
    `
      select irn
      from sandbox.invoices
      where gstin = $1 and financial_year = $2 and type = $3 and number = $4 and cancelled_at is null
      for update
    `,
    [body.fromGstin, financialYear(isoDay(body.docDate) ?? ''), body.docType, body.docNo.toUpperCase()],
  );

const validUntil = (bill: StoredWayBill) => bill.valid_until && wayTime(bill.valid_until);

/** GENEWAYBILL. A bill for a registered document is kept with its IRN, which then cannot be cancelled before the bill. */
async function generateBill({ portal, session, payload }: Call): Promise<Answer> {
  const read = readWayBill(payload);
  if ('codes' in read) return refuse(...read.codes);
  const { body } = read;
  const now = portal.clock();
  return together(portal.database, async (connection): Promise<Answer> => {
    const registered = await liveIrn(connection, body);
    const context = { today: dayOf(now), caller: session.gstin, taxpayer, isRegistered: registered !== undefined };
    const codes = wayCodes(body, context);
    if (codes.length > 0) return refuse(...codes);
    const distance = settleDistance(body.fromPincode, body.toPincode, Number(body.transDistance));
    if (typeof distance === 'string') return refuse(distanceCodes[distance]);
    const bill = await storeWayBill(connection, {
      body,
      generator: session.gstin,
      irn: registered?.irn ?? null,
      distance: distance.km,
      now,
    });
    if (!bill) return refuse('604');
    const alert = distance.known === undefined ? '' : `, Distance between these two pincodes is ${distance.known}, `;
    return {
      data: {
        ewayBillNo: Number(bill.number),
        ewayBillDate: wayTime(bill.made_at),
        validUpto: validUntil(bill),
        alert,
      },
    };
  });
}

type Work = (bill: StoredWayBill, wanted: Asked, now: Date, connection: Connection) => Promise<Answer> | Answer;
/** Runs on a locked bill that is found, by its number. */
const onBill =
  (work: (call: Call) => Work) =>
  async (call: Call): Promise<Answer> => {
    const wanted = asked(call.payload);
    const number = readWayNumber(wanted.ewbNo);
    if (!number) return refuse('301');
    return together(call.portal.database, async (connection): Promise<Answer> => {
      const bill = await wayBill(connection, number, true);
      return bill ? work(call)(bill, wanted, call.portal.clock(), connection) : refuse('301');
    });
  };

/** Who may write Part B: the generator while no transporter is named or has written it, and the transporter. */
function holderCode(bill: StoredWayBill, gstin: string): string | undefined {
  if (gstin === bill.transporter) return undefined;
  if (gstin !== bill.generator) return '636';
  return bill.transporter && bill.part_b_by === bill.transporter ? '637' : undefined;
}

function* vehicleCodes(bill: StoredWayBill, wanted: Asked, now: Date): Generator<string> {
  if (bill.cancelled_at) return yield '343';
  if (bill.valid_until && bill.valid_until < now) yield '311';
  if (!text(wanted.fromPlace)) yield '305';
  if (!isState(text(wanted.fromState).padStart(2, '0'))) yield '306';
  if (!/^[1-4]$/.test(text(wanted.reasonCode))) yield '307';
  if (text(wanted.reasonRem).length > 50) yield '308';
  if (!/^[1-4]$/.test(text(wanted.transMode))) return yield '302';
  const context = { documentDay: isoDay(bill.body.docDate) ?? '', today: dayOf(now), typeNeeded: false };
  for (const finding of partBFindings(wanted, context)) yield transportCodes[finding].direct;
}

const vehicleOf = (wanted: Asked): Vehicle => ({
  ...wanted,
  fromPlace: text(wanted.fromPlace),
  fromState: Number(wanted.fromState),
});

/** VEHEWB: Part B, or a new vehicle. The first one starts the validity; later ones leave it. */
const updateVehicle = onBill(({ session }) => async (bill, wanted, now, connection) => {
  const holder = holderCode(bill, session.gstin);
  if (holder) return refuse(holder);
  const codes = [...new Set(vehicleCodes(bill, wanted, now))];
  if (codes.length > 0) return refuse(...codes);
  const until = bill.valid_until ?? endOfDay(now, validDays(bill.distance, wanted));
  await connection.query(
    'update sandbox.way_bills set part_b_at = coalesce(part_b_at, $2), part_b_by = $3, valid_until = $4 where number = $1',
    [bill.number, now, session.gstin, until],
  );
  await storeVehicle(connection, bill.number, session.gstin, now, vehicleOf(wanted));
  return { data: { vehUpdDate: wayTime(now), validUpto: wayTime(until) } };
});

/** CANEWB: by the generator within 24 hours. Reason 1 duplicate, 2 order cancelled, 3 data entry mistake, 4 others. */
const cancelBill = onBill(({ session }) => async (bill, wanted, now, connection) => {
  if (bill.generator !== session.gstin || bill.cancelled_at) return refuse('312');
  if (!/^[1-4]$/.test(text(wanted.cancelRsnCode))) return refuse('307');
  if (text(wanted.cancelRmrk).length > 50) return refuse('308');
  if (text(wanted.cancelRsnCode) === '4' && !wanted.cancelRmrk) return refuse('659');
  if (now.getTime() - bill.made_at.getTime() > 24 * HOUR) return refuse('315');
  await connection.query('update sandbox.way_bills set cancelled_at = $2 where number = $1', [bill.number, now]);
  return { data: { ewayBillNo: Number(bill.number), cancelDate: wayTime(now) } };
});

/** On the move: status M and nothing of transit. Held in transit (mode 5): status T, what kind of place and where. */
function* transitCodes(wanted: Asked): Generator<string> {
  if (text(wanted.transMode) !== '5') {
    if (wanted.consignmentStatus !== 'M') yield '711';
    if (wanted.transitType) yield '712';
    if (wanted.addressLine1 || wanted.addressLine2 || wanted.addressLine3) yield '713';
    return;
  }
  if (wanted.consignmentStatus !== 'T') yield '711';
  if (!/^[RWO]$/.test(text(wanted.transitType))) yield '705';
  if (!wanted.addressLine1) yield '706';
  if (!wanted.addressLine2) yield '707';
  if (!wanted.addressLine3) yield '708';
}

function* extensionCodes(bill: StoredWayBill, wanted: Asked, now: Date): Generator<string> {
  if (bill.cancelled_at) return yield '379';
  if (!bill.valid_until) return yield '381';
  if (Math.abs(now.getTime() - bill.valid_until.getTime()) > 8 * HOUR) yield '382';
  if (now > endOfDay(bill.made_at, LIFE_DAYS)) yield '380';
  if (!/^(1|2|4|5|99)$/.test(text(wanted.extnRsnCode)) || !wanted.extnRemarks) yield '386';
  if (!/^[1-9]\d*$/.test(text(wanted.remainingDistance))) yield '389';
  else if (Number(wanted.remainingDistance) > bill.distance) yield '390';
  if (!text(wanted.fromPlace)) yield '305';
  if (!isState(text(wanted.fromState).padStart(2, '0'))) yield '306';
  else if (!pinFits(Number(wanted.fromPincode), text(wanted.fromState).padStart(2, '0'))) yield '710';
  if (!/^[1-5]$/.test(text(wanted.transMode))) yield '302';
  else yield* transitCodes(wanted);
  if (!/^[1-4]$/.test(text(wanted.transMode))) return;
  const context = { documentDay: isoDay(bill.body.docDate) ?? '', today: dayOf(now), typeNeeded: false };
  for (const finding of partBFindings(wanted, context)) yield transportCodes[finding].direct;
}

/** EXTENDVALIDITY: 8 hours before to 8 hours after the end, by what is left to go, never past 360 days. */
const extendBill = onBill(({ session }) => async (bill, wanted, now, connection) => {
  if (session.gstin !== (bill.transporter ?? bill.generator)) return refuse('384');
  const codes = [...new Set(extensionCodes(bill, wanted, now))];
  if (codes.length > 0 || !bill.valid_until) return refuse(...codes);
  const cap = endOfDay(bill.made_at, LIFE_DAYS);
  const wished = endOfDay(bill.valid_until, validDays(Number(wanted.remainingDistance), { ...bill.body, ...wanted }));
  const until = wished < cap ? wished : cap;
  await connection.query('update sandbox.way_bills set valid_until = $2, extended = extended + 1 where number = $1', [
    bill.number,
    until,
  ]);
  await storeVehicle(connection, bill.number, session.gstin, now, vehicleOf(wanted));
  return { data: { ewayBillNo: Number(bill.number), updatedDate: wayTime(now), validUpto: wayTime(until) } };
});

/** UPDATETRANSPORTER: by the generator or the present transporter, until that one has written Part B. */
const changeTransporter = onBill(({ session }) => async (bill, wanted, now, connection) => {
  const transporter = text(wanted.transporterId);
  if (bill.cancelled_at) return refuse('343');
  if (session.gstin !== bill.generator && session.gstin !== bill.transporter) return refuse('339');
  if (!isGstin(transporter)) return refuse('222');
  if (bill.transporter && bill.part_b_by === bill.transporter) return refuse('338');
  await connection.query('update sandbox.way_bills set transporter = $2 where number = $1', [bill.number, transporter]);
  return { data: { ewayBillNo: Number(bill.number), transporterId: transporter, transUpdateDate: wayTime(now) } };
});

/** REJEWB: by the other party, within 72 hours, once there is a Part B. */
const rejectBill = onBill(({ session }) => async (bill, _wanted, now, connection) => {
  const { fromGstin, toGstin } = bill.body;
  if (bill.cancelled_at) return refuse('343');
  if (session.gstin === bill.generator) return refuse('341');
  if (session.gstin !== fromGstin && session.gstin !== toGstin) return refuse('342');
  if (!bill.part_b_at) return refuse('348');
  if (now.getTime() - bill.made_at.getTime() > 72 * HOUR) return refuse('346');
  await connection.query('update sandbox.way_bills set rejected_at = $2 where number = $1', [bill.number, now]);
  return { data: { ewayBillNo: Number(bill.number), ewbRejectedDate: wayTime(now) } };
});

/** The actions of the one address of this portal. */
export const actions = {
  GENEWAYBILL: generateBill,
  VEHEWB: updateVehicle,
  CANEWB: cancelBill,
  EXTENDVALIDITY: extendBill,
  UPDATETRANSPORTER: changeTransporter,
  REJEWB: rejectBill,
} as const;
export type Action = keyof typeof actions;
export const isAction = (name: unknown): name is Action => typeof name === 'string' && Object.hasOwn(actions, name);

export const mayRead = (bill: StoredWayBill, gstin: string): boolean =>
  [bill.generator, bill.transporter, bill.body.fromGstin, bill.body.toGstin].includes(gstin);
