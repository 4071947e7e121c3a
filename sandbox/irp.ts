import { type Answer, type Info, refuse } from './answers.ts';
import { invoiceMeaning } from './facts.ts';
import { isGstin } from './gstin.ts';
import { byIrn, type CancelFault, cancelInvoice, duplicateInfo, register, type StoredInvoice } from './ledger.ts';
import type { Session } from './logins.ts';
import { type Portal, row } from './portal.ts';
import { invoiceCodes } from './rules.ts';
import { readInvoice } from './schema.ts';
import { type Taxpayer, taxpayer } from './taxpayers.ts';
import { dayOf, financialYear, isoDay, portalTime } from './times.ts';
import { distanceInfo, readWayRequest, wayAnswer, wayBillByIrn, wayFacts } from './waybyirn.ts';
import { liveWayBillOf } from './wayledger.ts';

export interface Call {
  readonly portal: Portal;
  readonly session: Session;
  readonly payload: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
}

const schemaRefusal = (wrong: readonly string[]): Answer => ({
  refused: wrong.map((text) => ({ code: '5002', text })),
});

/** Taxpayers as the portal's copy of the register has them: some appear only after a sync. */
async function copyOf(portal: Portal, gstins: readonly string[]): Promise<(gstin: string) => Taxpayer | undefined> {
  const { rows } = await portal.database.query('select gstin from sandbox.synced where gstin = any($1)', [gstins]);
  const synced = new Set((rows as { gstin: string }[]).map((one) => one.gstin));
  return (gstin) => {
    const party = taxpayer(gstin);
    return party && synced.has(gstin) ? { ...party, needsSync: false } : party;
  };
}

async function shown(portal: Portal, stored: StoredInvoice): Promise<Record<string, unknown>> {
  const bill = await liveWayBillOf(portal.database, stored.irn);
  return {
    AckNo: Number(stored.ack_no),
    AckDt: portalTime(stored.acked_at),
    Irn: stored.irn,
    SignedInvoice: stored.signed_invoice,
    SignedQRCode: stored.signed_qr,
    Status: stored.cancelled_at ? 'CNL' : 'ACT',
    ...(bill ? wayFacts(bill) : { EwbNo: null, EwbDt: null, EwbValidTill: null }),
    Remarks: null,
  };
}

/** Registers an invoice: schema, rules, IRN, signature, and the e-way bill when transport is given; that one never fails the IRN. */
export async function generate({ portal, session, payload }: Call): Promise<Answer> {
  const read = readInvoice(payload);
  if ('wrong' in read) return schemaRefusal(read.wrong);
  const { invoice } = read;
  const known = await copyOf(portal, [invoice.SellerDtls.Gstin, invoice.BuyerDtls.Gstin]);
  const codes = invoiceCodes(invoice, { today: dayOf(portal.clock()), caller: session.gstin, taxpayer: known });
  if (codes.length > 0) return { refused: codes.map((code) => ({ code, n: 30 })) };
  const { stored, isNew } = await register(portal, invoice, session.gstin);
  if (stored.cancelled_at) return refuse('2278');
  if (!isNew) return { ...refuse('2150'), info: [duplicateInfo(stored)] };
  const info: Info[] = [];
  if (invoice.EwbDtls) {
    const result = await wayBillByIrn(portal, stored.irn, invoice.EwbDtls, session.gstin);
    if ('codes' in result) {
      const Desc = result.codes.map((code) => ({ ErrorCode: code, ErrorMessage: invoiceMeaning(code, 180) }));
      info.push({ InfCd: 'EWBERR', Desc });
    } else if (result.known !== undefined) {
      info.push(distanceInfo(result.known));
    }
  }
  return { data: await shown(portal, stored), info };
}

const cancelCodes: Readonly<Record<CancelFault, string>> = {
  unknown: '2148',
  foreign: '2143',
  cancelled: '9999',
  late: '2270',
  wayBill: '2230',
};

/** Cancels an IRN: reason 1 duplicate, 2 data entry mistake, 3 order cancelled, 4 others. Field names in any case. */
export async function cancel({ portal, session, payload }: Call): Promise<Answer> {
  const fields = new Map(
    Object.entries(Object(payload)).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]),
  );
  const [irn = '', reason = '', remarks = ''] = ['irn', 'cnlrsn', 'cnlrem'].map((name) => fields.get(name) ?? '');
  const wrong: string[] = [];
  if (!/^[0-9a-f]{64}$/i.test(irn)) wrong.push('/Irn must be 64 hexadecimal digits');
  if (!/^[1-4]$/.test(reason)) wrong.push('/CnlRsn must be 1, 2, 3 or 4');
  if (remarks.length < 1 || remarks.length > 100) wrong.push('/CnlRem must have 1 to 100 characters');
  if (wrong.length > 0) return schemaRefusal(wrong);
  const result = await cancelInvoice(portal, { irn, reason, remarks, gstin: session.gstin });
  return typeof result === 'string'
    ? refuse(cancelCodes[result])
    : { data: { Irn: irn.toLowerCase(), CancelDate: portalTime(result) } };
}

async function served({ portal, session }: Call, stored: StoredInvoice | undefined): Promise<Answer> {
  if (!stored) return refuse('2154');
  if (session.gstin !== stored.gstin && session.gstin !== stored.caller) return refuse('2226');
  const age = portal.clock().getTime() - stored.acked_at.getTime();
  if (age > portal.fetchDays * 86_400_000) return { refused: [{ code: '2283', n: portal.fetchDays }] };
  return { data: await shown(portal, stored) };
}

export async function getByIrn(call: Call): Promise<Answer> {
  return served(call, await byIrn(call.portal.database, call.params['irn'] ?? ''));
}

/** By type, number (in any case) and date; the financial year of the date decides, as it does for the IRN. */
export async function getByDocument(call: Call): Promise<Answer> {
  const { doctype = '', docnum = '', docdate = '' } = call.query;
  const day = isoDay(docdate);
  if (!/^(INV|CRN|DBN)$/.test(doctype)) return refuse('2280');
  if (!/^[a-zA-Z1-9][a-zA-Z0-9/-]{0,15}$/.test(docnum)) return refuse('2281');
  if (day === undefined) return refuse('2282');
  const stored = await row<StoredInvoice>(
    call.portal.database,
    `
      select *
      from sandbox.invoices
      where (gstin = $1 or caller = $1) and financial_year = $2 and type = $3 and number = $4
      order by gstin <> $1
      limit 1
    `,
    [call.session.gstin, financialYear(day), doctype, docnum.toUpperCase()],
  );
  return served(call, stored);
}

export async function gstinDetails({ portal, params }: Call): Promise<Answer> {
  const gstin = (params['gstin'] ?? '').toUpperCase();
  const party = (await copyOf(portal, [gstin]))(gstin);
  if (!isGstin(gstin) || !party || party.needsSync) return refuse('3028');
  return { data: party.details };
}

/** Fetches a GSTIN anew from the register; from then on the portal's copy has it. */
export async function syncGstin(call: Call): Promise<Answer> {
  const gstin = (call.params['gstin'] ?? '').toUpperCase();
  if (!taxpayer(gstin)) return refuse('3028');
  await call.portal.database.query('insert into sandbox.synced (gstin) values ($1) on conflict do nothing', [gstin]);
  return gstinDetails(call);
}

export async function wayBillForIrn({ portal, session, payload }: Call): Promise<Answer> {
  const read = readWayRequest(payload);
  if ('wrong' in read) return schemaRefusal(read.wrong);
  const { Irn, ...asked } = read.request;
  return wayAnswer(await wayBillByIrn(portal, Irn, asked, session.gstin));
}

export async function getWayBillOfIrn({ portal, session, params }: Call): Promise<Answer> {
  const stored = await byIrn(portal.database, params['irn'] ?? '');
  if (!stored) return refuse('4003');
  if (session.gstin !== stored.gstin && session.gstin !== stored.caller) return refuse('4037');
  const bill = await liveWayBillOf(portal.database, stored.irn);
  return bill ? { data: { ...wayFacts(bill), Status: 'ACT', GenGstin: bill.generator } } : refuse('4005');
}
