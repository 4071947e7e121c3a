import { lacksIrn, WITHOUT_IRN } from './irn.ts';
import { endorsements, type Printed } from './nature.ts';

const TRIAL = 'Trial: the portals of this installation are stand-ins. This paper is not valid.';

const trialNotice = ({ einvoice }: Printed['view'], trial: boolean): string | undefined => {
  if (einvoice?.pretended)
    return 'Trial: this IRN and QR code come from a stand-in of the invoice portal. This is not a valid e-invoice.';
  return trial ? TRIAL : undefined;
};

const reverseCharge = ({ draft }: Printed): string | undefined => {
  if (!draft.reverseCharge) return undefined;
  return draft.fields?.ecommerceGstin
    ? 'Tax is payable by the e-commerce operator (section 9(5) of the CGST Act)'
    : 'Tax is payable on reverse charge';
};

/** What the law has a paper say in words. `trial`: the portals of this installation are stand-ins. */
export function noticesOf(printed: Printed, trial: boolean): string[] {
  const { view, draft, kind, around, nature } = printed;
  const notices = [
    view.priced && endorsements[view.priced.supplyType],
    nature.charged && 'Tax is inside the retail sale price (rule 31D)',
    draft.withoutTax && 'Without GST: this note changes no taxable value and no tax',
    draft.keepsCharges && 'Goods alone: freight and charges are not given back',
    nature.supplied && around.composition && 'Composition taxable person, not eligible to collect tax on supplies',
    reverseCharge(printed),
    view.einvoice?.state === 'registered' &&
      view.einvoice.signedQr === null &&
      'The signed QR code of this e-invoice is missing',
    kind.paper.form === 'taxInvoice' &&
      kind.gst.tax === 'input' &&
      'Issued by the recipient under section 31(3)(f) of the CGST Act',
    lacksIrn(view) && WITHOUT_IRN,
    trialNotice(view, trial),
  ];
  return notices.filter((notice): notice is string => Boolean(notice));
}
