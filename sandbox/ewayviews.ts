import { type Answer, refuse } from './answers.ts';
import { mayRead } from './eway.ts';
import { wayErrorList } from './facts.ts';
import { isGstin } from './gstin.ts';
import type { Call } from './irp.ts';
import { row, rows } from './portal.ts';
import { taxpayer } from './taxpayers.ts';
import { dayOf, isoDay, wayTime } from './times.ts';
import { readWayNumber, type StoredWayBill, vehiclesOf, wayBill } from './wayledger.ts';
import { validDays } from './wayrules.ts';

const status = (bill: StoredWayBill) => (bill.cancelled_at ? 'CNL' : 'ACT');

async function whole({ portal }: Call, bill: StoredWayBill): Promise<object> {
  const { itemList, transMode, transDocNo, transDocDate, vehicleNo, vehicleType, transDistance, ...part } = bill.body;
  const vehicles = await vehiclesOf(portal, bill.number);
  return {
    ewbNo: Number(bill.number),
    ewayBillDate: wayTime(bill.made_at),
    genMode: 'API',
    userGstin: bill.generator,
    ...part,
    transporterId: bill.transporter ?? '',
    status: status(bill),
    actualDist: bill.distance,
    noValidDays: bill.valid_until ? validDays(bill.distance, bill.body) : 0,
    validUpto: bill.valid_until && wayTime(bill.valid_until),
    extendedTimes: bill.extended,
    rejectStatus: bill.rejected_at ? 'Y' : 'N',
    vehicleType: vehicleType ?? '',
    itemList: itemList.map((line, place) => ({ itemNo: place + 1, productId: 0, ...line })),
    VehiclListDetails: vehicles.map(({ details, entered_at, entered_by }) => ({
      updMode: 'API',
      vehicleNo: details.vehicleNo ?? '',
      fromPlace: details.fromPlace,
      fromState: details.fromState,
      tripshtNo: 0,
      userGSTINTransin: entered_by,
      enteredDate: wayTime(entered_at),
      transMode: details.transMode,
      transDocNo: details.transDocNo ?? '',
      transDocDate: details.transDocDate ?? null,
      groupNo: '0',
    })),
  };
}

export async function getBill(call: Call): Promise<Answer> {
  const number = readWayNumber(call.query['ewbNo']);
  const bill = number && (await wayBill(call.portal.database, number));
  if (!bill) return refuse('301');
  return mayRead(bill, call.session.gstin) ? { data: await whole(call, bill) } : refuse('312');
}

/** Bills that the caller has made on a day of dd/MM/yyyy. */
export async function getBillsOfDay({ portal, session, query }: Call): Promise<Answer> {
  const day = isoDay(query['date'] ?? '');
  if (day === undefined) return refuse('601');
  const made = await rows<StoredWayBill>(
    portal.database,
    'select * from sandbox.way_bills where generator = $1 order by number',
    [session.gstin],
  );
  const found = made.filter((bill) => dayOf(bill.made_at) === day);
  if (found.length === 0) return refuse('418');
  return {
    data: found.map((bill) => ({
      ewbNo: Number(bill.number),
      ewayBillDate: wayTime(bill.made_at),
      status: status(bill),
      genGstin: bill.generator,
      docNo: bill.body.docNo,
      docDate: bill.body.docDate,
      delPinCode: bill.body.toPincode,
      delStateCode: bill.body.actToStateCode,
      delPlace: bill.body.toPlace ?? '',
      validUpto: bill.valid_until && wayTime(bill.valid_until),
      extendedTimes: bill.extended,
      rejectStatus: bill.rejected_at ? 'Y' : 'N',
    })),
  };
}

/** The latest bill of a document of the caller: how a client looks after a time-out. */
export async function getBillOfDocument({ portal, session, query }: Call): Promise<Answer> {
  const bill = await row<StoredWayBill>(
    portal.database,
    'select * from sandbox.way_bills where generator = $1 and doc_type = $2 and doc_number = $3 order by number desc limit 1',
    [session.gstin, query['docType'] ?? '', (query['docNo'] ?? '').toUpperCase()],
  );
  if (!bill) return refuse('325');
  return {
    data: {
      ewayBillNo: Number(bill.number),
      ewayBillDate: wayTime(bill.made_at),
      validUpto: bill.valid_until && wayTime(bill.valid_until),
      status: status(bill),
    },
  };
}

export function getTaxpayer({ query }: Call): Promise<Answer> {
  const gstin = (query['gstin'] ?? '').toUpperCase();
  const details = isGstin(gstin) ? taxpayer(gstin)?.details : undefined;
  if (!details) return Promise.resolve(refuse('326'));
  const data = {
    gstin,
    tradeName: details.TradeName,
    legalName: details.LegalName,
    address1: `${details.AddrBno} ${details.AddrSt}`,
    address2: details.AddrLoc,
    stateCode: String(details.StateCode).padStart(2, '0'),
    pinCode: String(details.AddrPncd),
    txpType: details.TxpType,
    status: details.Status,
    blkStatus: details.BlkStatus,
  };
  return Promise.resolve({ data, wrapped: true });
}

export const getErrorList = (): Promise<Answer> => Promise.resolve({ data: wayErrorList, wrapped: true });
