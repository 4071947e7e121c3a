import type { Info } from './answers.ts';
import { irnOf, sign } from './cipher.ts';
import type { Invoice } from './invoice.ts';
import { type Connection, keyFor, type Portal, row, rows, together } from './portal.ts';
import { financialYear, isoDay, portalTime } from './times.ts';

export interface StoredInvoice {
  readonly irn: string;
  readonly gstin: string;
  readonly caller: string;
  readonly ack_no: string;
  readonly acked_at: Date;
  readonly cancelled_at: Date | null;
  readonly payload: Invoice;
  readonly signed_invoice: string;
  readonly signed_qr: string;
}

export const irnFor = (invoice: Invoice): string => {
  const { Typ, No, Dt } = invoice.DocDtls;
  return irnOf(invoice.SellerDtls.Gstin, financialYear(isoDay(Dt) ?? ''), Typ, No);
};

/** The HSN code of the line with the highest taxable value, the earlier one of equals. */
const mainHsn = (invoice: Invoice): string =>
  invoice.ItemList.reduce((main, line) => (line.AssAmt > main.AssAmt ? line : main)).HsnCd;

export interface Acknowledgement {
  readonly irn: string;
  readonly number: number;
  readonly at: string;
}

/** What the portal signs of an invoice: the whole of it, and the facts of the QR code in their order. */
export function signedTexts(invoice: Invoice, { irn, number, at }: Acknowledgement): { invoice: object; qr: object } {
  const lines = invoice.ItemList.map((line, place) => ({ ItemNo: place, ...line }));
  return {
    invoice: { AckNo: number, AckDt: at, Irn: irn, ...invoice, ItemList: lines },
    qr: {
      SellerGstin: invoice.SellerDtls.Gstin,
      BuyerGstin: invoice.BuyerDtls.Gstin,
      DocNo: invoice.DocDtls.No,
      DocTyp: invoice.DocDtls.Typ,
      DocDt: invoice.DocDtls.Dt,
      TotInvVal: invoice.ValDtls.TotInvVal,
      ItemCnt: invoice.ItemList.length,
      MainHsnCode: mainHsn(invoice),
      Irn: irn,
      IrnDt: at,
    },
  };
}

/** Registers once: of two equal requests at the same moment the second gets what the first has stored. */
export async function register(
  portal: Portal,
  invoice: Invoice,
  caller: string,
): Promise<{ stored: StoredInvoice; isNew: boolean }> {
  const { database } = portal;
  const irn = irnFor(invoice);
  const before = await byIrn(database, irn);
  if (before) return { stored: before, isNew: false };
  const now = portal.clock();
  const next = await row<{ n: string }>(database, `select nextval('sandbox.acknowledgements') as n`);
  const texts = signedTexts(invoice, { irn, number: Number(next?.n), at: portalTime(now) });
  const key = await keyFor(portal, 'signing');
  const { Typ, No, Dt } = invoice.DocDtls;
  const made = await row<StoredInvoice>(
    database,
    `insert into sandbox.invoices (irn, gstin, caller, financial_year, type, number, ack_no, acked_at, payload, signed_invoice, signed_qr)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning *`,
    [
      irn,
      invoice.SellerDtls.Gstin,
      caller,
      financialYear(isoDay(Dt) ?? ''),
      Typ,
      No.toUpperCase(),
      next?.n,
      now,
      JSON.stringify(invoice),
      sign(key, texts.invoice),
      sign(key, texts.qr),
    ],
  );
  const stored = made ?? (await byIrn(database, irn));
  if (!stored) throw new Error('An invoice was neither stored nor found.');
  return { stored, isNew: made !== undefined };
}

export const byIrn = (connection: Connection, irn: string): Promise<StoredInvoice | undefined> =>
  row<StoredInvoice>(connection, 'select * from sandbox.invoices where irn = $1', [irn.toLowerCase()]);

/** The answer to a duplicate: details of the first one. */
export const duplicateInfo = (stored: StoredInvoice): Info => ({
  InfCd: 'DUPIRN',
  Desc: { AckNo: Number(stored.ack_no), AckDt: portalTime(stored.acked_at), Irn: stored.irn },
});

export type CancelFault = 'unknown' | 'foreign' | 'cancelled' | 'late' | 'wayBill';

/** Cancels within 24 hours of the acknowledgement, the last moment included, and never below a live e-way bill. */
export function cancelInvoice(
  portal: Portal,
  asked: { irn: string; reason: string; remarks: string; gstin: string },
): Promise<Date | CancelFault> {
  const now = portal.clock();
  return together(portal.database, async (connection) => {
    const [stored] = await rows<StoredInvoice>(connection, 'select * from sandbox.invoices where irn = $1 for update', [
      asked.irn.toLowerCase(),
    ]);
    if (!stored) return 'unknown';
    if (asked.gstin !== stored.gstin && asked.gstin !== stored.caller) return 'foreign';
    if (stored.cancelled_at) return 'cancelled';
    const live = await rows(connection, 'select 1 from sandbox.way_bills where irn = $1 and cancelled_at is null', [
      stored.irn,
    ]);
    if (live.length > 0) return 'wayBill';
    if (now.getTime() - stored.acked_at.getTime() > 24 * 3_600_000) return 'late';
    await connection.query(
      'update sandbox.invoices set cancelled_at = $2, cancel_reason = $3, cancel_remarks = $4 where irn = $1',
      [stored.irn, now, asked.reason, asked.remarks],
    );
    return now;
  });
}
