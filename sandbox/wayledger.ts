import { type Connection, type Portal, row, rows } from './portal.ts';
import { endOfDay, financialYear, isoDay } from './times.ts';
import type { WayBody, WayTransport } from './waybill.ts';
import { isPartAOnly, validDays } from './wayrules.ts';

export interface StoredWayBill {
  readonly number: string;
  readonly irn: string | null;
  readonly generator: string;
  readonly transporter: string | null;
  readonly made_at: Date;
  readonly distance: number;
  readonly part_b_at: Date | null;
  readonly part_b_by: string | null;
  readonly valid_until: Date | null;
  readonly extended: number;
  readonly rejected_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly body: WayBody;
}

export interface NewWayBill {
  readonly body: WayBody;
  readonly generator: string;
  readonly irn: string | null;
  readonly distance: number;
  readonly now: Date;
}

/** Stores a bill, with its Part B when the transport is known. Undefined: the document, or its IRN, has a live bill already. */
export async function storeWayBill(connection: Connection, made: NewWayBill): Promise<StoredWayBill | undefined> {
  const { body, generator, irn, distance, now } = made;
  const hasPartB = !isPartAOnly(body, body.transporterId);
  const until = hasPartB ? endOfDay(now, validDays(distance, body)) : null;
  const stored = await row<StoredWayBill>(
    connection,
    `
      insert into sandbox.way_bills (
        number, irn, generator, doc_type, doc_number, financial_year, transporter, made_at, distance,
        part_b_at, part_b_by, valid_until, body
      )
      values (nextval('sandbox.way_numbers'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      on conflict do nothing
      returning *
    `,
    [
      irn,
      generator,
      body.docType,
      body.docNo.toUpperCase(),
      financialYear(isoDay(body.docDate) ?? ''),
      body.transporterId || null,
      now,
      distance,
      hasPartB ? now : null,
      hasPartB ? generator : null,
      until,
      JSON.stringify(body),
    ],
  );
  if (stored && hasPartB)
    await storeVehicle(connection, stored.number, generator, now, {
      ...body,
      fromPlace: body.fromPlace ?? '',
      fromState: body.actFromStateCode,
    });
  return stored;
}

export interface Vehicle extends WayTransport {
  readonly fromPlace: string;
  readonly fromState: number;
}
interface StoredVehicle {
  readonly entered_at: Date;
  readonly entered_by: string;
  readonly details: Vehicle;
}

export async function storeVehicle(
  connection: Connection,
  number: string,
  by: string,
  now: Date,
  vehicle: Vehicle,
): Promise<void> {
  const { transMode, transDocNo, transDocDate, vehicleNo, vehicleType, fromPlace, fromState } = vehicle;
  const details = {
    transMode: String(transMode ?? ''),
    transDocNo,
    transDocDate,
    vehicleNo: vehicleNo?.toUpperCase(),
    vehicleType,
    fromPlace,
    fromState,
  };
  await connection.query(
    `insert into sandbox.way_vehicles (number, place, entered_at, entered_by, details)
     select $1, coalesce(max(place), 0) + 1, $2, $3, $4 from sandbox.way_vehicles where number = $1`,
    [number, now, by, JSON.stringify(details)],
  );
}

export const vehiclesOf = ({ database }: Portal, number: string): Promise<StoredVehicle[]> =>
  rows<StoredVehicle>(database, 'select * from sandbox.way_vehicles where number = $1 order by place desc', [number]);

export const wayBill = (connection: Connection, number: string, lock = false): Promise<StoredWayBill | undefined> =>
  row<StoredWayBill>(connection, `select * from sandbox.way_bills where number = $1${lock ? ' for update' : ''}`, [
    number,
  ]);

export const liveWayBillOf = (connection: Connection, irn: string): Promise<StoredWayBill | undefined> =>
  row<StoredWayBill>(connection, 'select * from sandbox.way_bills where irn = $1 and cancelled_at is null', [irn]);

export const liveWayBillFor = (
  connection: Connection,
  generator: string,
  body: Pick<WayBody, 'docType' | 'docNo' | 'docDate'>,
): Promise<StoredWayBill | undefined> =>
  row<StoredWayBill>(
    connection,
    `
      select *
      from sandbox.way_bills
      where generator = $1 and doc_type = $2 and financial_year = $3 and doc_number = $4 and cancelled_at is null
    `,
    [generator, body.docType, financialYear(isoDay(body.docDate) ?? ''), body.docNo.toUpperCase()],
  );

/** Numbers are 12 digits; anything else is no number. */
export const readWayNumber = (value: unknown): string | undefined =>
  /^\d{12}$/.test(String(value ?? '')) ? String(value) : undefined;
