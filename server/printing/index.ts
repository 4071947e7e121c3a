import type { Handlers } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import type { Session } from '../../contract/session.ts';
import { upiLink } from '../../domain/banking/upi.ts';
import { shownDay } from '../../domain/base/dates.ts';
import { money } from '../../domain/base/decimal.ts';
import { amountInWords } from '../../domain/base/words.ts';
import type { Draft } from '../../domain/document/document.ts';
import { type Kind, type KindName, kindOf } from '../../domain/document/kinds/index.ts';
import { allowCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { viewDocument } from '../documents/index.ts';
import { type Paper, printPaper } from '../paper/index.ts';
import { withArabic } from './arabic.ts';
import { type Around, around, type View } from './around.ts';
import { factsOf } from './facts.ts';
import { irnBlock, irnMark } from './irn.ts';
import { natureOf, type Printed, titles } from './nature.ts';
import { noticesOf } from './notices.ts';
import { previewPaper } from './preview.ts';
import { moneyMoved, sumsOf } from './sums.ts';
import { tablesOf } from './tables.ts';
import { styleOf, templateFor } from './template.ts';

export { WITHOUT_IRN } from './irn.ts';

/** Rules 48 and 55. */
const copies = {
  original: 'Original for recipient',
  duplicate: 'Duplicate for transporter',
  triplicate: 'Triplicate for supplier',
  extra: 'Extra copy',
} as const;
const challanCopies: Readonly<Record<keyof typeof copies, string>> = {
  original: 'Original for consignee',
  duplicate: 'Duplicate for transporter',
  triplicate: 'Triplicate for consigner',
  extra: 'Extra copy',
};

/** A code with the exact amount that is open: what leaves a customer something to pay in rupees. */
function upiOf(view: View, kind: Kind, { upi, legalName }: Pick<Around, 'upi' | 'legalName'>): Pick<Paper, 'upi'> {
  const foreign = ((view.body as unknown as Draft).currency ?? 'INR') !== 'INR';
  if (
    !upi ||
    foreign ||
    view.draft ||
    view.cancelled ||
    view.einvoice?.state === 'cancelled' ||
    view.open === null ||
    kind.books.opens !== 'receivable' ||
    kind.gst.tax !== 'output'
  )
    return {};
  const link = upiLink({ id: upi, name: legalName, amount: money(view.open), reference: view.number });
  return link ? { upi: { link, id: upi } } : {};
}

/** A document as it is printed, with what surrounds it. */
async function printedOf(context: Context, id: string): Promise<Printed> {
  const view = await viewDocument(context, { id });
  // the paper of goods that move has to say what they are worth (rule 55)
  allowCost(context, view.kind);
  const kind = kindOf(view.kind as KindName);
  const facts = await around(context, view, kind);
  const draft = view.body as unknown as Draft;
  return {
    view,
    kind,
    draft,
    around: facts,
    nature: natureOf(view, draft, kind, facts),
    day: (text) => shownDay(text, context.settings.dateFormat),
  };
}

/** The paper of a document: rule 46 contents from what was posted. `trial`: the portals of this installation are stand-ins. */
export async function paperOf(
  context: Context,
  id: string,
  copy: keyof typeof copies,
  wanted?: string,
  trial = false,
): Promise<Paper> {
  const printed = await printedOf(context, id);
  const { view, kind, draft, around: facts, nature } = printed;
  const template = await templateFor(context, view.kind, wanted);
  const p = view.priced;
  const named = kind.paper.form === 'challan' && !nature.taxed ? challanCopies : copies;
  const terms = draft.terms || (nature.goods && template.terms);
  const paper: Paper = {
    title: titles[kind.paper.form](kind, nature),
    ...(kind.numbering.gst && !nature.plain && { copy: named[copy] }),
    notices: noticesOf(printed, trial),
    seller: facts.own,
    facts: factsOf(printed),
    parties: facts.parties,
    ...tablesOf(printed, template),
    sums: sumsOf(printed),
    ...(view.vatQr && { code: { text: view.vatQr, says: 'VAT in Saudi Arabia' } }),
    ...(p && { words: amountInWords(moneyMoved(kind, draft) ?? money(p.total)) }),
    ...(facts.bank && template.bank && kind.gst.tax === 'output' && { bank: facts.bank }),
    ...(template.upi && upiOf(view, kind, facts)),
    ...(terms && { terms }),
    style: await styleOf(context, template),
    ...(draft.narration && { narration: draft.narration }),
    signatory: facts.legalName,
    ...irnBlock(view),
    ...marked([view.draft ? 'Draft' : view.cancelled ? 'Cancelled' : irnMark(view), trial ? 'Trial' : '']),
  };
  // a note on an invoice that bears the tax of that country speaks its language too
  return kind.paper.secondLanguage === 'ar' || p?.vat ? withArabic(paper) : paper;
}

/** All that is said across a paper. */
const marked = (marks: readonly string[]): Pick<Paper, 'watermark'> => {
  const watermark = marks.filter(Boolean).join(' · ');
  return watermark ? { watermark } : {};
};

/** The calls that print; `portal` tells whether the portals of this installation are stand-ins, which their papers say. */
export const printHandlers = (
  portal: Session['installation']['portal'],
): Handlers<Pick<typeof documents, 'PrintDocument' | 'PreviewPaper'>, Context> => ({
  PreviewPaper: ({ values }, context) => previewPaper(context, values),
  PrintDocument: async ({ id, copy, template }, context) => {
    const paper = await paperOf(context, id, copy, template, portal === 'standIn');
    const bytes = await printPaper(paper);
    return {
      name: `${(paper.facts[0]?.value ?? 'document').replaceAll('/', '-')}.pdf`,
      type: 'application/pdf',
      content: Buffer.from(bytes).toString('base64'),
    };
  },
});
