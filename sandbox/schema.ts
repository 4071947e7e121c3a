import type { ErrorObject } from 'ajv';
import invoiceSchema from './facts/einvoice.schema.json' with { type: 'json' };
import waySchema from './facts/ewaybill.schema.json' with { type: 'json' };
import { fitting } from './fitting.ts';
import type { Invoice } from './invoice.ts';
import type { WayBody } from './waybill.ts';

const invoiceCheck = fitting<Invoice>(invoiceSchema, { strict: false });
const wayBillCheck = fitting<WayBody>(waySchema, { strict: false });

const problemOf = ({ instancePath, message }: ErrorObject) => `${instancePath || '/'} ${message ?? 'is not valid'}`;

/** The payload as an invoice, or what the schema has against it. */
export function readInvoice(payload: unknown): { invoice: Invoice } | { wrong: string[] } {
  const fits = invoiceCheck();
  return fits(payload) ? { invoice: payload } : { wrong: [...new Set((fits.errors ?? []).map(problemOf))].sort() };
}

/** What is refused when a field of an e-way bill breaks the schema. */
const fieldCodes: Readonly<Record<string, string>> = {
  supplyType: '201',
  subSupplyType: '202',
  subSupplyDesc: '377',
  docType: '204',
  docNo: '206',
  docDate: '207',
  transactionType: '612',
  fromGstin: '208',
  fromAddr1: '209',
  fromPincode: '210',
  fromStateCode: '211',
  actFromStateCode: '371',
  fromTrdName: '229',
  fromPlace: '230',
  toGstin: '212',
  toAddr1: '213',
  toPincode: '214',
  toStateCode: '215',
  actToStateCode: '372',
  toTrdName: '231',
  toPlace: '232',
  totInvValue: '628',
  totalValue: '627',
  igstValue: '629',
  cgstValue: '630',
  sgstValue: '631',
  cessValue: '632',
  cessNonAdvolValue: '633',
  transporterId: '222',
  transMode: '220',
  transDistance: '221',
  transDocNo: '223',
  transDocDate: '224',
  vehicleNo: '225',
  vehicleType: '361',
  shipToGSTIN: '609',
  dispatchFromGSTIN: '610',
  itemList: '233',
  hsnCode: '216',
  qtyUnit: '217',
  taxableAmount: '234',
  cgstRate: '252',
  sgstRate: '253',
  igstRate: '254',
  cessRate: '255',
  cessNonAdvol: '256',
};
const missingCodes: Readonly<Record<string, string>> = { transactionType: '614', totInvValue: '640' };

function wayCode(error: ErrorObject): string {
  const missing: unknown = error.params['missingProperty'];
  if (typeof missing === 'string') return missingCodes[missing] ?? fieldCodes[missing] ?? '100';
  if (error.schemaPath.startsWith('#/allOf/1')) return '303';
  const field =
    error.instancePath
      .split('/')
      .filter((part) => !/^\d*$/.test(part))
      .at(-1) ?? '';
  return fieldCodes[field] ?? '100';
}

/** The payload as an e-way bill, or the codes that the portal answers. */
export function readWayBill(payload: unknown): { body: WayBody } | { codes: string[] } {
  const fits = wayBillCheck();
  if (fits(payload)) return { body: payload };
  const shown = (fits.errors ?? []).filter((error) => error.keyword !== 'if');
  const own = shown.filter((error) => !error.schemaPath.startsWith('#/allOf/1'));
  return { codes: [...new Set((own.length > 0 ? own : shown).map(wayCode))].sort() };
}
