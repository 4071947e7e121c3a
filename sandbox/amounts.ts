import { type Invoice, type InvoiceLine, isBetweenStates, isExport, isSez } from './invoice.ts';

const PAISE = 2;
const RATE = 3;

/** A JSON number as a whole count of its last decimal: 1234.5 with two decimals is 123450. Further decimals are cut off. */
export function whole(value: number | null | undefined, decimals = PAISE): bigint {
  const [, sign = '', units = '0', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value ?? 0)) ?? [];
  return BigInt(`${sign}${units}${rest.slice(0, decimals).padEnd(decimals, '0')}`);
}

/** A value of the portal's own reckoning: paise over a divisor, never rounded. */
interface Exact {
  readonly paise: bigint;
  readonly over: bigint;
}
const exact = (paise: bigint, over = 1n): Exact => ({ paise, over });
const floor = (top: bigint, under: bigint) => (top >= 0n ? top / under : -((-top + under - 1n) / under));

/** Every check tolerates a rupee around the reckoned value's whole rupees: floor − 1 to ceiling + 1. */
function agrees(passed: number | null | undefined, { paise, over }: Exact): boolean {
  const rupee = 100n * over;
  const given = whole(passed);
  return given >= (floor(paise, rupee) - 1n) * 100n && given <= (1n - floor(-paise, rupee)) * 100n;
}

const percentOf = (value: number, rate: number | null | undefined, share = 1n): Exact =>
  exact(whole(value) * whole(rate, RATE), 100_000n * share);
const total = (lines: readonly InvoiceLine[], of: (line: InvoiceLine) => bigint): Exact =>
  exact(lines.reduce((sum, line) => sum + of(line), 0n));

const taxes = (line: InvoiceLine) => whole(line.IgstAmt) + whole(line.CgstAmt) + whole(line.SgstAmt);
const cess = (line: InvoiceLine) => whole(line.CesAmt) + whole(line.CesNonAdvlAmt);
const stateCess = (line: InvoiceLine) => whole(line.StateCesAmt) + whole(line.StateCesNonAdvlAmt);

const retailValued = ['21069020', '2401', '2402', '2403', '24041100', '24041900'];
const isRetailValued = ({ DocDtls: { Dt } }: Invoice, { HsnCd }: InvoiceLine): boolean =>
  Dt.split('/').reverse().join('-') >= '2026-02-01' && retailValued.some((code) => HsnCd.startsWith(code));

/** Codes of a line's tax: nothing is compared with the rate on notes, and without payment of tax IGST is left alone. */
function* taxCodes(invoice: Invoice, line: InvoiceLine): Generator<string> {
  const between = isBetweenStates(invoice);
  const half = percentOf(line.AssAmt, line.GstRt, 2n);
  const hasHalves = whole(line.CgstAmt) + whole(line.SgstAmt) > 0n;
  const hasIgst = whole(line.IgstAmt) > 0n;
  if (between && hasHalves) yield '2174';
  if (!between && hasIgst) yield '2172';
  if (whole(line.CgstAmt) !== whole(line.SgstAmt)) yield '2227';
  if (invoice.DocDtls.Typ !== 'INV') return;
  // tax of pan masala and tobacco is inside their retail price from 1 February 2026: the portal leaves that comparison out
  if (isRetailValued(invoice, line)) return;
  const withoutPayment = invoice.TranDtls.SupTyp.endsWith('WOP') && !hasIgst;
  if (between && !hasHalves && !withoutPayment && !agrees(line.IgstAmt, percentOf(line.AssAmt, line.GstRt)))
    yield '2235';
  if (!between && !hasIgst && !(agrees(line.CgstAmt, half) && agrees(line.SgstAmt, half))) yield '2234';
  if (!agrees(line.CesAmt, percentOf(line.AssAmt, line.CesRt))) yield '2266';
  if (!agrees(line.StateCesAmt, percentOf(line.AssAmt, line.StateCesRt))) yield '2267';
}

/** Under reverse charge, and on exports with payment, the line's value may leave the tax out. */
function lineTotalAgrees(invoice: Invoice, line: InvoiceLine): boolean {
  const bare = whole(line.AssAmt) + whole(line.OthChrg);
  const tax = taxes(line) + cess(line) + stateCess(line);
  const mayLeaveOut = invoice.TranDtls.RegRev === 'Y' || (isExport(invoice) && !isSez(invoice));
  return agrees(line.TotItemVal, exact(bare + tax)) || (mayLeaveOut && agrees(line.TotItemVal, exact(bare)));
}

function* lineCodes(invoice: Invoice, line: InvoiceLine): Generator<string> {
  if (!agrees(line.AssAmt, exact(whole(line.TotAmt) - whole(line.Discount)))) yield '2193';
  yield* taxCodes(invoice, line);
  if (!isRetailValued(invoice, line) && !lineTotalAgrees(invoice, line)) yield '2194';
}

/** Codes of all sums that do not work out, each within the portal's tolerance. */
export function* amountCodes(invoice: Invoice): Generator<string> {
  const { ItemList: lines, ValDtls: sums } = invoice;
  for (const line of lines) yield* lineCodes(invoice, line);
  if (
    !agrees(
      sums.AssVal,
      total(lines, (line) => whole(line.AssAmt)),
    )
  )
    yield '2182';
  if (
    !agrees(
      sums.SgstVal,
      total(lines, (line) => whole(line.SgstAmt)),
    )
  )
    yield '2183';
  if (
    !agrees(
      sums.CgstVal,
      total(lines, (line) => whole(line.CgstAmt)),
    )
  )
    yield '2184';
  if (
    !agrees(
      sums.IgstVal,
      total(lines, (line) => whole(line.IgstAmt)),
    )
  )
    yield '2185';
  if (!agrees(sums.CesVal, total(lines, cess))) yield '2186';
  if (!agrees(sums.StCesVal, total(lines, stateCess))) yield '2187';
  const values = total(lines, (line) => whole(line.TotItemVal)).paise;
  const due = values - whole(sums.Discount) + whole(sums.OthChrg) + whole(sums.RndOffAmt);
  if (!agrees(sums.TotInvVal, exact(due))) yield '2189';
}
