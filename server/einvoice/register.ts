import { todayIn } from '../../domain/base/dates.ts';
import { portalProblems } from '../../domain/document/checks/index.ts';
import type { Id } from '../../domain/document/document.ts';
import { irpPayload } from '../../domain/tax/gst/portal/irp.ts';
import {
  ackProblem,
  differencesText,
  qrDifferences,
  signedDifferences,
} from '../../domain/tax/gst/portal/irp-answer.ts';
import { stopOn, stopText } from '../../domain/tax/gst/registration/registered.ts';
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

/** One document at the portal: what is sent of it, and as whom. */
interface Talk {
  readonly desk: PortalDesk;
  readonly errand: Errand;
  readonly doc: Reported;
  readonly as: Credentials;
  readonly payload: ReturnType<typeof irpPayload>;
}
type Facts = Readonly<Record<string, unknown>>;
interface Noted {
  readonly errors?: readonly PortalError[];
  readonly message?: string | undefined;
  readonly request?: object | undefined;
  readonly response?: object;
}

/** The exchanges with the portal about one document; each is kept as an attempt before anything follows from it. */
function exchanges(desk: PortalDesk, errand: Errand, doc: Reported, as: Credentials): Exchanges<Verdict> {
  const talk: Talk = { desk, errand, doc, as, payload: irpPayload(doc.facts) };
  const askCancelled = () => askAfterCancelling(talk);
  return doc.cancelAsked
    ? { ask: askCancelled, send: askCancelled }
    : { ask: () => ask(talk), send: () => register(talk) };
}

const note = ({ desk, errand, doc }: Talk, what: 'register' | 'ask', outcome: string, more: Noted): Promise<unknown> =>
  noteAttempt(desk.books, errand.organisation, doc, {
    what,
    outcome,
    code: more.errors?.map((e) => e.code).join(', ') ?? null,
    message: more.message ?? more.errors?.map((e) => e.message).join('; ') ?? null,
    request: more.request ? JSON.stringify(more.request) : null,
    response: more.response ? JSON.stringify(more.response) : null,
  });

/** An exchange; one without an answer is kept as such. */
const trying = (talk: Talk, what: 'register' | 'ask', work: () => Promise<Reply>, request?: object): Promise<Reply> =>
  heard(work, (message) => note(talk, what, 'unclear', { message, request }));

const refused = ({ desk, errand }: Talk, errors: readonly PortalError[]): Promise<Verdict> =>
  refusedBy(desk, errand, errors);

const has = (errors: readonly PortalError[], ...codes: readonly string[]): boolean =>
  errors.some(({ code }) => codes.includes(code));

/** Whether the portal has the document. Undefined: it has not, and the document may be sent. */
async function ask(talk: Talk): Promise<Verdict | undefined> {
  const { desk, doc, as } = talk;
  const { type, number } = doc.facts;
  const date = `${doc.facts.date.slice(8)}/${doc.facts.date.slice(5, 7)}/${doc.facts.date.slice(0, 4)}`;
  const reply = await trying(talk, 'ask', () => desk.portal.byDocument(as, { type, number, date }));
  if (reply.ok) return adopt(talk, 'ask', reply.facts);
  const gone = has(reply.errors, ...missing);
  await note(talk, 'ask', gone ? 'missing' : 'refused', { errors: reply.errors });
  // too old to be read back: sending it again answers with its IRN when it is there
  if (gone || has(reply.errors, TOO_OLD)) return undefined;
  // until it is known that the portal has none, it is not sent again
  return stillUnclear(await refused(talk, reply.errors));
}

/** What the portal would refuse: the checks of posting on what is sent, for a master may have changed since. */
function problemsBeforeSending({ desk, doc }: Talk): readonly { readonly row?: number; readonly message: string }[] {
  const stop = stopOn(doc.stops, todayIn(desk.now()));
  return [
    ...(stop ? [{ message: `${stopText(doc.gstin, stop).message}: the invoice portal registers nothing for it` }] : []),
    ...portalProblems(doc.facts),
  ];
}

async function register(talk: Talk, mayAskRegister = true): Promise<Verdict> {
  const { desk, doc, as, payload } = talk;
  const problems = problemsBeforeSending(talk);
  if (problems.length > 0) return { state: 'failed', code: 'checks', message: inWords(problems) };
  const reply = await trying(talk, 'register', () => desk.portal.register(as, payload), payload);
  if (reply.ok) return adopt(talk, 'register', reply.facts, payload);
  await note(talk, 'register', 'refused', { errors: reply.errors, request: payload, response: reply.info });
  if (has(reply.errors, DUPLICATE)) return adoptDuplicate(talk, reply.info);
  if (mayAskRegister && doc.facts.buyer.gstin && has(reply.errors, ...unknownBuyer)) {
    const synced = await desk.portal.syncTaxpayer(as, doc.facts.buyer.gstin);
    if (synced.ok) return register(talk, false);
  }
  return refused(talk, reply.errors);
}

/** The portal has this number already: ours from an earlier attempt, or another document's. */
async function adoptDuplicate(
  talk: Talk,
  info: readonly { readonly InfCd?: string; readonly Desc?: unknown }[],
): Promise<Verdict> {
  const { desk, doc, as } = talk;
  const known = info.find((i) => i.InfCd === 'DUPIRN')?.Desc as
    | { Irn?: string; AckNo?: number; AckDt?: string }
    | undefined;
  const unclear = (message: string): Verdict => ({ state: 'unclear', code: DUPLICATE, message });
  // a duplicate has our type, number and year, and so our IRN: another one is no answer to this
  if (known?.Irn !== doc.irn) return (await ask(talk)) ?? unclear('The portal named the IRN of another document');
  const reply = await trying(talk, 'ask', () => desk.portal.byIrn(as, doc.irn));
  if (reply.ok) return adopt(talk, 'ask', reply.facts);
  await note(talk, 'ask', 'refused', { errors: reply.errors });
  if (!has(reply.errors, TOO_OLD)) return stillUnclear(await refused(talk, reply.errors));
  // no longer read back after some days; the IRN is the hash of our own document, so it is ours
  const ack = { number: String(known.AckNo ?? ''), date: known.AckDt ?? '' };
  const wrong = ackProblem(ack, doc.facts.date, desk.now());
  if (wrong) return unclear(wrong);
  return { state: 'registered', ackNo: ack.number, ackDate: ack.date, signedInvoice: null, signedQr: null };
}

/** What the portal has signed is compared with the document before any of it is kept. */
async function adopt(talk: Talk, what: 'register' | 'ask', facts: Facts, request?: object): Promise<Verdict> {
  const { desk, doc, payload } = talk;
  const response = { ...facts };
  const { SignedInvoice: invoice, SignedQRCode: qr } = facts as { SignedInvoice?: string; SignedQRCode?: string };
  const unclear = async (message: string): Promise<Verdict> => {
    await note(talk, what, 'unclear', { message, response, request });
    return { state: 'unclear', message };
  };
  const keys = await knownKeys(desk, invoice ?? '');
  const signed = invoice && qr ? signedFacts(invoice, keys) : undefined;
  const code = qr ? signedFacts(qr, keys) : undefined;
  if (!signed || !code) return unclear("The signature of the portal's answer does not hold");
  if (signed['Irn'] !== doc.irn || (facts['Irn'] ?? doc.irn) !== doc.irn)
    return unclear('The portal answered with the IRN of another document');
  const differences = signedDifferences(payload, signed);
  if (differences.length > 0) return adoptOther(talk, what, facts, differencesText(differences), request);
  const ack = { number: String(signed['AckNo'] ?? ''), date: String(signed['AckDt'] ?? '') };
  const fault = faultOf(talk, facts, ack, code);
  if (fault) return unclear(fault);
  await note(talk, what, what === 'ask' ? 'found' : 'accepted', { response, request });
  if (facts['Status'] === 'CNL') return { state: 'cancelled', message: 'It was cancelled at the portal' };
  return {
    state: 'registered',
    ackNo: ack.number,
    ackDate: ack.date,
    signedInvoice: invoice ?? null,
    signedQr: qr ?? null,
  };
}

/** The portal has the number for another invoice: spent where that was cancelled, or taken. */
async function adoptOther(
  talk: Talk,
  what: 'register' | 'ask',
  facts: Facts,
  differences: string,
  request?: object,
): Promise<Verdict> {
  const response = { ...facts };
  if (facts['Status'] === 'CNL') {
    const message = 'The portal had this number for another invoice, whose IRN is cancelled';
    await note(talk, what, 'found', { message, response });
    return { state: 'cancelled', message };
  }
  const message = `The portal has this number for another invoice: ${differences}`;
  await note(talk, what, 'refused', { message, response, request });
  return { state: 'failed', code: DIFFERS, message };
}

/** What of the portal's answer contradicts its own signature, or is not of this invoice. */
function faultOf(
  { desk, doc, payload }: Talk,
  facts: Facts,
  ack: { readonly number: string; readonly date: string },
  code: NonNullable<ReturnType<typeof signedFacts>>,
): string | undefined {
  if (String(facts['AckNo'] ?? ack.number) !== ack.number || String(facts['AckDt'] ?? ack.date) !== ack.date)
    return 'The portal answered with another acknowledgement than it has signed';
  const wrong = ackProblem(ack, doc.facts.date, desk.now());
  if (wrong) return wrong;
  const inCode = qrDifferences(payload, doc.irn, ack.date, code);
  return inCode.length > 0 ? `The portal's QR code is of another invoice: ${differencesText(inCode)}` : undefined;
}

/** After a cancellation without an answer: whether the portal has the IRN as active or cancelled. Nothing is sent. */
async function askAfterCancelling(talk: Talk): Promise<Verdict> {
  const { desk, doc, as } = talk;
  const reply = await trying(talk, 'ask', () => desk.portal.byIrn(as, doc.irn));
  if (!reply.ok) {
    await note(talk, 'ask', 'refused', { errors: reply.errors });
    return stillUnclear(await refused(talk, reply.errors));
  }
  const state = { ACT: 'registered', CNL: 'cancelled' }[String(reply.facts['Status'])];
  const isOurs = reply.facts['Irn'] === doc.irn;
  const message = isOurs && state ? undefined : 'The portal does not say whether the IRN is cancelled';
  await note(talk, 'ask', message ? 'unclear' : 'found', { response: reply.facts, message });
  if (message) return { state: 'unclear', message };
  return state === 'cancelled'
    ? { state: 'cancelled', message: 'It was cancelled at the portal' }
    : { state: 'registered', ackNo: null, ackDate: null, signedInvoice: null, signedQr: null };
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
