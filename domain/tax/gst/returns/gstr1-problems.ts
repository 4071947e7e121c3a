import { monthEnd } from '../../../base/dates.ts';
import type { Id } from '../../../document/document.ts';
import { isPortalRate } from '../rates/rates.ts';
import { gstinProblem } from '../registration/gstin.ts';
import type { AdvanceVoucher } from './advances.ts';
import { isExported, isNote, isPaidByOperator, isRegistered, type ReturnDocument } from './return-document.ts';
import { FIRST_DAY_OF_GST } from './tax-period.ts';

/** What the portal would refuse about a document, in words for the screen. */
export interface ReturnProblem {
  readonly document: Id;
  readonly message: string;
}

/** What blocks filing: the checks of the portal's upload, document by document. */
export function gstr1Problems(gstin: string, period: string, documents: readonly ReturnDocument[]): ReturnProblem[] {
  const last = monthEnd(`${period.slice(2)}-${period.slice(0, 2)}-01`);
  return documents
    .filter((d) => !d.cancelled)
    .flatMap((d) =>
      problemsOf(d, gstin, last).map((message) => ({ document: d.id, message: `${d.number}: ${message}` })),
    );
}

/** The same of the vouchers of advances: they have no goods and no recipient in the file, only rates. */
export const advanceProblems = (vouchers: readonly AdvanceVoucher[]): ReturnProblem[] =>
  vouchers
    .filter((v) => !v.cancelled && v.lines.some((line) => !isPortalRate(line.rate)))
    .map((v) => ({ document: v.id, message: `${v.number}: the advance has a rate that the return does not know` }));

/** What was furnished before the quarter's return and is cancelled since stays due until it is corrected at the portal. */
export const furnishedProblems = (
  documents: readonly ReturnDocument[],
  furnished: ReadonlyMap<Id, string>,
): ReturnProblem[] =>
  documents
    .filter((d) => d.cancelled && furnished.has(d.id))
    .map((d) => {
      const month = furnished.get(d.id) ?? '';
      const table = isNote(d) ? '9C' : '9A';
      const told = `${d.number}: furnished in the IFF of ${month.slice(5)}-${month.slice(0, 4)} and cancelled since`;
      return { document: d.id, message: `${told}: amend it to nothing at the portal (table ${table})` };
    });

function problemsOf(d: ReturnDocument, gstin: string, last: string): string[] {
  const problems: string[] = [];
  const { party, lines, shippingBill } = d;
  if (!/^[A-Z0-9/-]{1,16}$/i.test(d.number) || /^[0/-]+$/.test(d.number))
    problems.push('the number is not one the portal takes');
  if (d.date > last) problems.push('dated after the end of the period');
  if (d.date < FIRST_DAY_OF_GST) problems.push('dated before GST began');
  if (d.supplyType === 'NONE' || d.withoutTax) return problems;
  if (party.gstin === gstin) problems.push('the recipient is this registration itself');
  else if (party.gstin !== undefined && gstinProblem(party.gstin)) problems.push(gstinProblem(party.gstin) ?? '');
  if (lines.some((line) => line.treatment !== 'nonGst' && !/^(\d{4}|\d{6}|\d{8})$/.test(line.hsn)))
    problems.push('a line has no HSN or SAC of 4, 6 or 8 digits');
  if (lines.some((line) => !isPortalRate(line.rate))) problems.push('a line has a rate that the return does not know');
  if (d.reverseCharge && !isPaidByOperator(d) && (!isRegistered(d) || isExported(d)))
    problems.push('only a supply to a registered person bears reverse charge');
  if (d.supplyType === 'DEXP' && d.reverseCharge) problems.push('a deemed export bears no reverse charge');
  if (isExported(d) && shippingBill && !/^\d{3,7}$/.test(shippingBill.number))
    problems.push('a shipping bill number has 3 to 7 digits');
  return problems;
}
