import { todayIn } from '../../domain/base/dates.ts';
import { portalProblems } from '../../domain/document/checks/index.ts';
import type { Id } from '../../domain/document/document.ts';
import { irpPayload } from '../../domain/tax/gst/irp.ts';
import { ackProblem, differencesText, qrDifferences, signedDifferences } from '../../domain/tax/gst/irp-answer.ts';
import { stopOn, stopText } from '../../domain/tax/gst/registered.ts';
import { keyIdOf, type SigningKey, signedFacts } from './cipher.ts';
import { Unclear } from './exchange.ts';
import type { Reported } from './facts.ts';
import type { Credentials, PortalError, Reply } from './portal.ts';
import { claim, conclude, noteAttempt, type Verdict } from './record.ts';
import { type Errand, type Exchanges, heard, type PortalDesk, refusedBy, sendOnce, stillUnclear } from './sending.ts';
import { DIFFERS } from './states.ts';

export interface RegisterPayload {
  readonly organisation: number;
  readonly document: Id;
}

/** The portal knows no such document. */
const missing = ['2154', '2148', '2143'];
/** The buyer's registration is not, or not rightly, in the portal's copy of the register. */
const unknownBuyer = ['3028', '3029'];
const DUPLICATE = '2150';
/** Registered too long ago to be read back. */
const TOO_OLD = '2283';
const inWords = (problems: readonly { readonly row?: number; readonly message: string }[]): string =>
  problems.map(({ row, message }) => (row === undefined ? message : `Line ${row + 1}: ${message}`)).join('; ');

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
    if (gone || reply.errors.some((e) => e.code === TOO_OLD)) return undefined;
    // until it is known that the portal has none, it is not sent again
    return stillUnclear(await refused(reply.errors));
  }

  async function register(mayAskRegister = true): Promise<Verdict> {
    // the checks of posting on what is sent: a master may have changed since
    const stop = stopOn(doc.stops, todayIn(desk.now()));
    const problems = [
      ...(stop ? [{ message: `${stopText(doc.gstin, stop)}: the invoice portal registers nothing for it` }] : []),
      ...portalProblems(doc.facts),
    ];
    if (problems.length > 0) return { state: 'failed', code: 'checks', message: inWords(problems) };
    const reply = await trying('register', () => desk.portal.register(as, payload), payload);
    if (reply.ok) return adopt('register', reply.facts, payload);
    await note('register', 'refused', { errors: reply.errors, request: payload, response: reply.info });
    if (reply.errors.some((e) => e.code === DUPLICATE)) return adoptDuplicate(reply.info);
    if (mayAskRegister && doc.facts.buyer.gstin && reply.errors.some((e) => unknownBuyer.includes(e.code))) {
      const synced = await desk.portal.syncTaxpayer(as, doc.facts.buyer.gstin);
      if (synced.ok) return register(false);
    }
    return refused(reply.errors);
  }

  /** The portal has this number already: ours from an earlier attempt, or another document's. */
  async function adoptDuplicate(
    info: readonly { readonly InfCd?: string; readonly Desc?: unknown }[],
  ): Promise<Verdict> {
    const known = info.find((i) => i.InfCd === 'DUPIRN')?.Desc as
      | { Irn?: string; AckNo?: number; AckDt?: string }
      | undefined;
    const unclear = (message: string): Verdict => ({ state: 'unclear', code: DUPLICATE, message });
    // a duplicate has our type, number and year, and so our IRN: another one is no answer to this
    if (known?.Irn !== doc.irn) return (await ask()) ?? unclear('The portal named the IRN of another document');
    const reply = await trying('ask', () => desk.portal.byIrn(as, doc.irn));
    if (reply.ok) return adopt('ask', reply.facts);
    await note('ask', 'refused', { errors: reply.errors });
    if (!reply.errors.some((e) => e.code === TOO_OLD)) return stillUnclear(await refused(reply.errors));
    // no longer read back after some days; the IRN is the hash of our own document, so it is ours
    const ack = { number: String(known.AckNo ?? ''), date: known.AckDt ?? '' };
    const wrong = ackProblem(ack, doc.facts.date, desk.now());
    if (wrong) return unclear(wrong);
    return { state: 'registered', ackNo: ack.number, ackDate: ack.date, signedInvoice: null, signedQr: null };
  }

  /** What the portal has signed is compared with the document before any of it is kept. */
  async function adopt(
    what: 'register' | 'ask',
    facts: Readonly<Record<string, unknown>>,
    request?: object,
  ): Promise<Verdict> {
    const response = { ...facts };
    const { SignedInvoice: invoice, SignedQRCode: qr } = facts as { SignedInvoice?: string; SignedQRCode?: string };
    const unclear = async (message: string): Promise<Verdict> => {
      await note(what, 'unclear', { message, response, ...(request && { request }) });
      return { state: 'unclear', message };
    };
    const keys = await knownKeys(desk, invoice ?? '');
    const signed = invoice && qr ? signedFacts(invoice, keys) : undefined;
    const code = qr ? signedFacts(qr, keys) : undefined;
    if (!signed || !code) return unclear("The signature of the portal's answer does not hold");
    if (signed['Irn'] !== doc.irn || (facts['Irn'] ?? doc.irn) !== doc.irn)
      return unclear('The portal answered with the IRN of another document');
    const differences = signedDifferences(payload, signed);
    // the other invoice was cancelled there: the number is spent, and nothing at the portal stands for this document
    if (differences.length > 0 && facts['Status'] === 'CNL') {
      const message = 'The portal had this number for another invoice, whose IRN is cancelled';
      await note(what, 'found', { message, response });
      return { state: 'cancelled', message };
    }
    if (differences.length > 0) {
      const message = `The portal has this number for another invoice: ${differencesText(differences)}`;
      await note(what, 'refused', { message, response, ...(request && { request }) });
      return { state: 'failed', code: DIFFERS, message };
    }
    const ack = { number: String(signed['AckNo'] ?? ''), date: String(signed['AckDt'] ?? '') };
    if (String(facts['AckNo'] ?? ack.number) !== ack.number || String(facts['AckDt'] ?? ack.date) !== ack.date)
      return unclear('The portal answered with another acknowledgement than it has signed');
    const wrong = ackProblem(ack, doc.facts.date, desk.now());
    if (wrong) return unclear(wrong);
    const inCode = qrDifferences(payload, doc.irn, ack.date, code);
    if (inCode.length > 0) return unclear(`The portal's QR code is of another invoice: ${differencesText(inCode)}`);
    await note(what, what === 'ask' ? 'found' : 'accepted', { response, ...(request && { request }) });
    if (facts['Status'] === 'CNL') return { state: 'cancelled', message: 'It was cancelled at the portal' };
    return {
      state: 'registered',
      ackNo: ack.number,
      ackDate: ack.date,
      signedInvoice: invoice ?? null,
      signedQr: qr ?? null,
    };
  }

  /** After a cancellation without an answer: whether the portal has the IRN as active or cancelled. Nothing is sent. */
  async function askAfterCancelling(): Promise<Verdict> {
    const reply = await trying('ask', () => desk.portal.byIrn(as, doc.irn));
    if (!reply.ok) {
      await note('ask', 'refused', { errors: reply.errors });
      return stillUnclear(await refused(reply.errors));
    }
    const stands = { ACT: 'registered', CNL: 'cancelled' }[String(reply.facts['Status'])];
    const isOurs = reply.facts['Irn'] === doc.irn;
    const message = isOurs && stands ? undefined : 'The portal does not say whether the IRN is cancelled';
    await note('ask', message ? 'unclear' : 'found', { response: reply.facts, ...(message && { message }) });
    if (message) return { state: 'unclear', message };
    return stands === 'cancelled'
      ? { state: 'cancelled', message: 'It was cancelled at the portal' }
      : { state: 'registered', ackNo: null, ackDate: null, signedInvoice: null, signedQr: null };
  }

  return doc.cancelAsked ? { ask: askAfterCancelling, send: askAfterCancelling } : { ask, send: register };
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
