import { indianMoment } from '../../../base/dates.ts';
import type { IrpPayload } from './irp.ts';

/** A figure or word that the portal has otherwise than the document. */
export interface Difference {
  readonly what: string;
  readonly ours: string;
  readonly theirs: string;
}

type As = 'text' | 'capitals' | 'state' | 'number';
type Compared = readonly [what: string, path: string, as: As];

/** What has to agree of an invoice: who, when, what kind of supply, and every sum. Names and addresses may be written otherwise. */
const head: readonly Compared[] = [
  ['type', 'DocDtls.Typ', 'text'],
  ['number', 'DocDtls.No', 'capitals'],
  ['date', 'DocDtls.Dt', 'text'],
  ['kind of supply', 'TranDtls.SupTyp', 'text'],
  ['reverse charge', 'TranDtls.RegRev', 'text'],
  ['seller', 'SellerDtls.Gstin', 'text'],
  ['buyer', 'BuyerDtls.Gstin', 'text'],
  ['place of supply', 'BuyerDtls.Pos', 'state'],
  ['taxable value', 'ValDtls.AssVal', 'number'],
  ['CGST', 'ValDtls.CgstVal', 'number'],
  ['SGST', 'ValDtls.SgstVal', 'number'],
  ['IGST', 'ValDtls.IgstVal', 'number'],
  ['cess', 'ValDtls.CesVal', 'number'],
  ['state cess', 'ValDtls.StCesVal', 'number'],
  ['discount', 'ValDtls.Discount', 'number'],
  ['other charges', 'ValDtls.OthChrg', 'number'],
  ['round-off', 'ValDtls.RndOffAmt', 'number'],
  ['total', 'ValDtls.TotInvVal', 'number'],
];
const line: readonly Compared[] = [
  ['HSN', 'HsnCd', 'text'],
  ['service', 'IsServc', 'text'],
  ['quantity', 'Qty', 'number'],
  ['unit price', 'UnitPrice', 'number'],
  ['amount', 'TotAmt', 'number'],
  ['discount', 'Discount', 'number'],
  ['taxable value', 'AssAmt', 'number'],
  ['rate', 'GstRt', 'number'],
  ['IGST', 'IgstAmt', 'number'],
  ['CGST', 'CgstAmt', 'number'],
  ['SGST', 'SgstAmt', 'number'],
  ['cess', 'CesAmt', 'number'],
  ['specific cess', 'CesNonAdvlAmt', 'number'],
  ['value', 'TotItemVal', 'number'],
];

const valueAt = (from: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (value !== null && typeof value === 'object' ? Reflect.get(value, key) : undefined),
      from,
    );

const written: Readonly<Record<As, (value: unknown) => string>> = {
  text: (value) => String(value ?? '').trim(),
  capitals: (value) =>
    String(value ?? '')
      .trim()
      .toUpperCase(),
  state: (value) =>
    String(value ?? '')
      .trim()
      .padStart(2, '0'),
  // at most three decimals are sent: what is nearer than a thousandth is the same; what is left out is nothing
  number: (value) => String(Math.round(Number(value ?? 0) * 1000) / 1000),
};

const compared = (rows: readonly Compared[], ours: unknown, theirs: unknown, of = ''): Difference[] =>
  rows.flatMap(([what, path, as]) => {
    const [our, their] = [written[as](valueAt(ours, path)), written[as](valueAt(theirs, path))];
    return our === their ? [] : [{ what: `${what}${of}`, ours: our, theirs: their }];
  });

/** What a signed invoice says otherwise than the document that was sent; nothing when it is ours. */
export function signedDifferences(sent: IrpPayload, signed: Readonly<Record<string, unknown>>): Difference[] {
  const lines = Array.isArray(signed['ItemList']) ? (signed['ItemList'] as readonly unknown[]) : [];
  const count =
    lines.length === sent.ItemList.length
      ? []
      : [{ what: 'number of lines', ours: String(sent.ItemList.length), theirs: String(lines.length) }];
  return [
    ...compared(head, sent, signed),
    ...count,
    ...sent.ItemList.flatMap((item, at) =>
      at < lines.length ? compared(line, item, lines[at], ` of line ${at + 1}`) : [],
    ),
  ];
}

/** What a signed QR code says otherwise. Of lines of equal value the portal may name the HSN of any. */
export function qrDifferences(
  sent: IrpPayload,
  irn: string,
  ackDate: string,
  qr: Readonly<Record<string, unknown>>,
): Difference[] {
  const most = Math.max(...sent.ItemList.map((item) => item.AssAmt));
  const codes = sent.ItemList.filter((item) => item.AssAmt === most).map((item) => item.HsnCd);
  const main = String(qr['MainHsnCode'] ?? '');
  const facts = {
    ...{ SellerGstin: sent.SellerDtls.Gstin, BuyerGstin: sent.BuyerDtls.Gstin, DocNo: sent.DocDtls.No },
    ...{ DocTyp: sent.DocDtls.Typ, DocDt: sent.DocDtls.Dt, TotInvVal: sent.ValDtls.TotInvVal },
    ...{ ItemCnt: sent.ItemList.length, MainHsnCode: codes.includes(main) ? main : (codes[0] ?? ''), Irn: irn },
    // codes of 2020 have no time
    IrnDt: qr['IrnDt'] === undefined ? undefined : ackDate,
  };
  return compared(qrFacts, facts, qr, ' in the QR code');
}
const qrFacts: readonly Compared[] = [
  ['seller', 'SellerGstin', 'text'],
  ['buyer', 'BuyerGstin', 'text'],
  ['number', 'DocNo', 'capitals'],
  ['type', 'DocTyp', 'text'],
  ['date', 'DocDt', 'text'],
  ['total', 'TotInvVal', 'number'],
  ['number of lines', 'ItemCnt', 'number'],
  ['main HSN', 'MainHsnCode', 'text'],
  ['IRN', 'Irn', 'text'],
  ['time', 'IrnDt', 'text'],
];

/** Differences in one sentence: the first few by name. */
export const differencesText = (all: readonly Difference[]): string => {
  const named = all
    .slice(0, 4)
    .map(({ what, ours, theirs }) => `${what} ${theirs || 'missing'}, here ${ours || 'none'}`);
  return `${named.join('; ')}${all.length > 4 ? ` and ${all.length - 4} more` : ''}`;
};

/** So far a clock of the portal may be ahead of ours. */
const AHEAD = 10 * 60_000;

/** What is wrong with an acknowledgement; undefined when nothing is. `now` in milliseconds, the day that of the document. */
export function ackProblem(
  { number, date }: { readonly number: string; readonly date: string },
  day: string,
  now: number,
): string | undefined {
  if (!/^\d{1,20}$/.test(number)) return 'The portal answered without an acknowledgement number';
  const at = indianMoment(date);
  if (at === undefined) return 'The portal answered without the time of its acknowledgement';
  if (at > now + AHEAD) return `The portal answered with an acknowledgement of the future: ${date}`;
  return date.slice(0, 10) < day
    ? `The portal answered with an acknowledgement older than the document: ${date}`
    : undefined;
}

/**
 * An IRN can be cancelled for so long after its acknowledgement, an e-way bill after it was made; afterwards for an
 * IRN a credit note is the way (portal code 2270).
 */
const CANCELLABLE = 24 * 3_600_000;

/**
 * Whether the time to cancel an IRN or an e-way bill, counted from a moment of the portal, is over; of a time that
 * cannot be read the portal decides.
 */
export const isCancelTimeOver = (ackDate: string, now: number): boolean => {
  const at = indianMoment(ackDate);
  return at !== undefined && now - at > CANCELLABLE;
};

/** What is said of a document that is registered without the copy that the portal signs. */
export const UNSIGNED =
  'The signed copy is missing: the portal no longer gave it out. Fetch it again, or download it at the portal and ' +
  'keep it with this document';
