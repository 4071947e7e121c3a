import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { taxCalls } from '../../contract/withheld.ts';
import type { Context } from '../context.ts';
import type { Poster } from '../documents/index.ts';
import { queuePaper } from '../mail/index.ts';
import { certificateRow, listTaxCertificates, saveTaxCertificate } from './certificates.ts';
import { getTaxWithheld, listTaxChallans, listTaxDeductions, postTaxChallan, saveChallanDetails } from './challans.ts';
import { taxCertificate } from './paper.ts';

export { deductorOf } from './certificates.ts';
export { type Deduction, type DepositedPart, deductions, deposits } from './deductions.ts';

/**
 * The calls about tax deducted and collected at source; `canMail` says whether this installation has a mail server, `trial`
 * whether its portals are stand-ins.
 */
export const taxHandlers = (poster: Poster, canMail: boolean, trial = false): Handlers<typeof taxCalls, Context> => ({
  GetTaxWithheld: getTaxWithheld,
  ListTaxDeductions: listTaxDeductions,
  ListTaxChallans: listTaxChallans,
  PostTaxChallan: (asked, context) => postTaxChallan(poster, asked, context),
  SaveChallanDetails: saveChallanDetails,
  ListTaxCertificates: listTaxCertificates,
  SaveTaxCertificate: saveTaxCertificate,
  PrintTaxCertificate: async (asked, context) => {
    const { name, bytes } = await taxCertificate(asked, context, trial);
    return { name, type: 'application/pdf', content: bytes.toString('base64') };
  },
  MailTaxCertificate: async ({ to, cc, subject, message, ...asked }, context) => {
    if (!canMail) throw new Refusal('noMail');
    const paper = await taxCertificate(asked, context, trial);
    const made = {
      ...paper,
      certificate: (trx: Parameters<typeof certificateRow>[0]) => certificateRow(trx, context, asked),
    };
    return queuePaper({ to, cc, subject, message }, made, context);
  },
});
