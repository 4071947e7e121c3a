import { formatDecimal } from '../../domain/decimal.ts';
import type { Id } from '../../domain/document.ts';
import { irpPayload } from '../../domain/gst/irp.ts';
import { keyIdOf, type SigningKey, signedFacts } from './cipher.ts';
import { Unclear } from './exchange.ts';
import type { Reported } from './facts.ts';
import type { Credentials, PortalError, Reply } from './portal.ts';
import { claim, conclude, noteAttempt, type Verdict } from './record.ts';
import { type Errand, type Exchanges, heard, type PortalDesk, refusedBy, sendOnce } from './sending.ts';

export interface RegisterPayload {
  readonly organisation: number;
  readonly document: Id;
}

/** The portal knows no such document. */
const missing = ['2154', '2148', '2143'];
/** The buyer's registration is not, or not rightly, in the portal's copy of the register. */
const unknownBuyer = ['3028', '3029'];
const DUPLICATE = '2150';
/** Registers a posted document at the invoice portal, exactly once; every exchange is kept as an attempt. */
export const registerInvoice =
  (desk: PortalDesk) =>
  async ({ organisation, document }: RegisterPayload): Promise<void> => {
    const claimed = await claim(desk.books, organisation, document);
    if (!claimed) return;
    const { doc, mayBeKnown } = claimed;
    const { author, registration, gstin } = doc;
    const errand: Errand = { organisation, author, registration, gstin, mayBeKnown };
    await sendOnce<Verdict>(
      desk,
      errand,
      (as) => exchanges(desk, errand, doc, as),
      (verdict) => conclude(desk.books, organisation, doc, verdict),
    );
  };

/** The exchanges with the portal about one document; each is kept as an attempt before anything follows from it. */
function exchanges(desk: PortalDesk, errand: Errand, doc: Reported, as: Credentials): Exchanges<Verdict> {
  const payload = irpPayload(doc.facts);
  const note = (
    what: 'register' | 'ask',
    outcome: string,
    more: {
      readonly errors?: readonly PortalError[];
      readonly message?: string;
      readonly request?: object;
      readonly response?: object;
    },
  ) =>
    noteAttempt(desk.books, errand.organisation, doc, {
      what,
      outcome,
      code: more.errors?.map((e) => e.code).join(', ') ?? null,
      message: more.message ?? more.errors?.map((e) => e.message).join('; ') ?? null,
      request: more.request ? JSON.stringify(more.request) : null,
      response: more.response ? JSON.stringify(more.response) : null,
    });
  const trying = (what: 'register' | 'ask', work: () => Promise<Reply>, request?: object): Promise<Reply> =>
    heard(work, (message) => note(what, 'unclear', { message, ...(request && { request }) }));
  const refused = (errors: readonly PortalError[]): Promise<Verdict> => refusedBy(desk, errand, errors);

  async function ask(): Promise<Verdict | undefined> {
    const { type, number } = doc.facts;
    const date = `${doc.facts.date.slice(8)}/${doc.facts.date.slice(5, 7)}/${doc.facts.date.slice(0, 4)}`;
    const reply = await trying('ask', () => desk.portal.byDocument(as, { type, number, date }));
    if (reply.ok) return adopt('ask', reply.facts);
    const gone = reply.errors.some((e) => missing.includes(e.code));
    await note('ask', gone ? 'missing' : 'refused', { errors: reply.errors });
    // too old to be read back: sending it again answers with its IRN when it is there
    return gone || reply.errors.some((e) => e.code === '2283') ? undefined : refused(reply.errors);
  }

  async function register(mayAskRegister = true): Promise<Verdict> {
    const reply = await trying('register', () => desk.portal.register(as, payload), payload);
    if (reply.ok) return adopt('register', reply.facts, payload);
    await note('register', 'refused', { errors: reply.errors, request: payload, response: reply.info });
    if (reply.errors.some((e) => e.code === DUPLICATE)) return adoptDuplicate(reply.info, reply.errors);
    if (mayAskRegister && doc.facts.buyer.gstin && reply.errors.some((e) => unknownBuyer.includes(e.code))) {
      const synced = await desk.portal.syncTaxpayer(as, doc.facts.buyer.gstin);
      if (synced.ok) return register(false);
    }
    return refused(reply.errors);
  }

  /** The portal has this number already: ours from an earlier attempt, or another document's. */
  async function adoptDuplicate(
    info: readonly { readonly InfCd?: string; readonly Desc?: unknown }[],
    errors: readonly PortalError[],
  ): Promise<Verdict> {
    const known = info.find((i) => i.InfCd === 'DUPIRN')?.Desc as
      | { Irn?: string; AckNo?: number; AckDt?: string }
      | undefined;
    if (known?.Irn !== doc.irn) return refused(errors);
    const reply = await trying('ask', () => desk.portal.byIrn(as, doc.irn));
    if (reply.ok) return adopt('ask', reply.facts);
    await note('ask', 'refused', { errors: reply.errors });
    // no longer read back after some days; the IRN is the hash of our own document, so it is ours
    return {
      state: 'registered',
      ackNo: String(known.AckNo ?? ''),
      ackDate: known.AckDt ?? '',
      signedInvoice: null,
      signedQr: null,
    };
  }

  async function adopt(
    what: 'register' | 'ask',
    facts: Readonly<Record<string, unknown>>,
    request?: object,
  ): Promise<Verdict> {
    const response = { ...facts };
    const { SignedInvoice: invoice, SignedQRCode: qr } = facts as { SignedInvoice?: string; SignedQRCode?: string };
    const keys = await knownKeys(desk, invoice ?? '');
    const signed = invoice && qr ? signedFacts(invoice, keys) : undefined;
    if (!signed || !signedFacts(qr ?? '', keys)) {
      const message = "The signature of the portal's answer does not hold";
      await note(what, 'unclear', { message, response, ...(request && { request }) });
      return { state: 'unclear', message };
    }
    const difference = differs(signed, doc);
    await note(what, difference ? 'refused' : what === 'ask' ? 'found' : 'accepted', {
      response,
      ...(request && { request }),
      ...(difference && { message: difference }),
    });
    if (difference) return { state: 'failed', code: 'differs', message: difference };
    if (facts['Status'] === 'CNL') return { state: 'cancelled', message: 'It was cancelled at the portal' };
    return {
      state: 'registered',
      ackNo: String(facts['AckNo'] ?? ''),
      ackDate: String(facts['AckDt'] ?? ''),
      signedInvoice: invoice ?? null,
      signedQr: qr ?? null,
    };
  }

  return { ask, send: register };
}

/** Keys by id; a text that names an unknown one has them asked for once more, for keys are changed now and then. */
async function knownKeys(desk: PortalDesk, signed: string): Promise<readonly SigningKey[]> {
  try {
    const keys = await desk.signingKeys(false);
    return keys.some((k) => k.kid === keyIdOf(signed)) ? keys : await desk.signingKeys(true);
  } catch {
    throw new Unclear("The portal's keys could not be fetched");
  }
}

interface Signed {
  readonly Irn?: string;
  readonly DocDtls?: { readonly No?: string };
  readonly SellerDtls?: { readonly Gstin?: string };
  readonly BuyerDtls?: { readonly Gstin?: string };
  readonly ValDtls?: { readonly TotInvVal?: number };
}

/** What a signed invoice says otherwise than our document; undefined when it is ours. */
function differs(signed: Signed, doc: Reported): string | undefined {
  const { facts } = doc;
  if (signed.Irn !== doc.irn) return 'The portal answered with the IRN of another document';
  if (signed.SellerDtls?.Gstin !== doc.gstin || signed.DocDtls?.No?.toUpperCase() !== facts.number.toUpperCase())
    return 'The portal answered with another document';
  const total = signed.ValDtls?.TotInvVal ?? 0;
  const buyer = signed.BuyerDtls?.Gstin ?? '';
  const ours = facts.buyer.gstin ?? 'URP';
  const abroad = facts.supplyType.startsWith('EXP');
  if (total !== Number(formatDecimal(facts.total, 2)) || (!abroad && buyer !== ours))
    return `The portal has this number for another invoice: buyer ${buyer}, total ${total}`;
  return undefined;
}
