import type { Paper } from '../paper/index.ts';
import type { View } from './around.ts';

/** What a paper without the IRN that the law asks for says; a second language has its words for the whole sentence. */
export const WITHOUT_IRN = 'Not a valid tax invoice: no IRN (rule 48(5) of the CGST Rules)';

/** The IRN as the portal has it now. Without its signed copy there is no QR code, and the paper says why. */
export const irnBlock = ({ einvoice }: View): Pick<Paper, 'einvoice'> =>
  einvoice?.state === 'registered' && einvoice.irn
    ? {
        einvoice: {
          irn: einvoice.irn,
          ackNo: einvoice.ackNo ?? '',
          ackDate: einvoice.ackDate ?? '',
          ...(einvoice.signedQr && { qr: einvoice.signedQr }),
        },
      }
    : {};

/** Whether the law asks for an IRN, and the portal has given none: no tax invoice is issued by that (rule 48(5)). */
export const lacksIrn = ({ einvoice, draft, cancelled }: View): boolean =>
  !draft && !cancelled && einvoice !== null && einvoice.irn === null && einvoice.state !== 'registered';

/** An invoice without IRN, or whose IRN is, or may be, cancelled is none (rule 48(5)): its paper says so. */
export const irnMark = (view: View): string =>
  lacksIrn(view)
    ? 'Not a valid tax invoice: no IRN'
    : view.einvoice?.irn == null || view.einvoice.state === 'registered'
      ? ''
      : view.einvoice.state === 'cancelled'
        ? 'IRN cancelled'
        : 'IRN not confirmed';
