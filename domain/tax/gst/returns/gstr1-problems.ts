import { monthEnd } from '../../../base/dates.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Id } from '../../../document/document.ts';
import { isPortalRate } from '../rates/rates.ts';
import { gstinProblem } from '../registration/gstin.ts';
import type { AdvanceVoucher } from './advances.ts';
import { isExported, isNote, isPaidByOperator, isRegistered, type ReturnDocument } from './return-document.ts';
import { FIRST_DAY_OF_GST } from './tax-period.ts';

/** What the portal would refuse about a document, in words for the screen. */
export interface ReturnProblem extends Said {
  readonly document: Id;
}

/** What blocks filing: the checks of the portal's upload, document by document. */
export function gstr1Problems(gstin: string, period: string, documents: readonly ReturnDocument[]): ReturnProblem[] {
  const last = monthEnd(`${period.slice(2)}-${period.slice(0, 2)}-01`);
  return documents
    .filter((d) => !d.cancelled)
    .flatMap((d) =>
      problemsOf(d, gstin, last).map((message) => ({
        document: d.id,
        ...say('{{number}}: {{message}}', { number: d.number, message }),
      })),
    );
}

/** The same of the vouchers of advances: they have no goods and no recipient in the file, only rates. */
export const advanceProblems = (vouchers: readonly AdvanceVoucher[]): ReturnProblem[] =>
  vouchers
    .filter((v) => !v.cancelled && v.lines.some((line) => !isPortalRate(line.rate)))
    .map((v) => ({
      document: v.id,
      ...say('{{number}}: the advance has a rate that the return does not know', { number: v.number }),
    }));

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
      const cancelledSince = say('{{number}}: furnished in the IFF of {{month}}-{{year}} and cancelled since', {
        number: d.number,
        month: month.slice(5),
        year: month.slice(0, 4),
      });
      return {
        document: d.id,
        ...say('{{cancelledSince}}: amend it to nothing at the portal (table {{table}})', { cancelledSince, table }),
      };
    });

function problemsOf(d: ReturnDocument, gstin: string, last: string): Said[] {
  const problems: Said[] = [];
  const { party, lines, shippingBill } = d;
  if (!/^[A-Z0-9/-]{1,16}$/i.test(d.number) || /^[0/-]+$/.test(d.number))
    problems.push(say('the number is not one the portal takes'));
  if (d.withoutIrn) problems.push(say('its IRN is cancelled, so it is no invoice: cancel the document'));
  if (d.date > last) problems.push(say('dated after the end of the period'));
  if (d.date < FIRST_DAY_OF_GST) problems.push(say('dated before GST began'));
  if (d.supplyType === 'NONE' || d.withoutTax) return problems;
  if (party.gstin === gstin) problems.push(say('the recipient is this registration itself'));
  else if (party.gstin !== undefined) problems.push(...[gstinProblem(party.gstin) ?? []].flat());
  if (lines.some((line) => line.treatment !== 'nonGst' && !/^(\d{4}|\d{6}|\d{8})$/.test(line.hsn)))
    problems.push(say('a line has no HSN or SAC of 4, 6 or 8 digits'));
  if (lines.some((line) => !isPortalRate(line.rate)))
    problems.push(say('a line has a rate that the return does not know'));
  if (d.reverseCharge && !isPaidByOperator(d) && (!isRegistered(d) || isExported(d)))
    problems.push(say('reverse charge applies only to a supply to a registered person'));
  if (d.supplyType === 'DEXP' && d.reverseCharge)
    problems.push(say('reverse charge does not apply to a deemed export'));
  if (isExported(d) && shippingBill && !/^\d{3,7}$/.test(shippingBill.number))
    problems.push(say('a shipping bill number has 3 to 7 digits'));
  return problems;
}
