import { formatDecimal } from '../../domain/decimal.ts';
import type { Id } from '../../domain/document.ts';
import { irpPayload } from '../../domain/gst/irp.ts';
import { Later } from '../kit/later.ts';
import type { Vault } from '../kit/secrets.ts';
import type { Books } from '../kit/sql.ts';
import { keyIdOf, type SigningKey, signedFacts } from './cipher.ts';
import { credentialsOf, rememberSignIn } from './credentials.ts';
import { Unclear } from './exchange.ts';
import type { Reported } from './facts.ts';
import type { Credentials, Portal, PortalError, Reply } from './portal.ts';
import { claim, conclude, noteAttempt, type Verdict } from './record.ts';

export interface PortalDesk {
  readonly books: Books;
  readonly vault: Vault;
  readonly portal: Portal;
  /** The portal's signing keys; `fresh` asks it again. */
  readonly signingKeys: (fresh: boolean) => Promise<readonly SigningKey[]>;
  /** Tells the open pages of an organisation that something has changed. */
  readonly changed: (organisation: number) => void;
}

export interface RegisterPayload {
  readonly organisation: number;
  readonly document: Id;
}

/** The portal knows no such document. */
const missing = ['2154', '2148', '2143'];
/** Too busy, or too many calls just now: the same document is taken later. */
export const passing: readonly string[] = ['3095', '3096', '3108'];
/** The buyer's registration is not, or not rightly, in the portal's copy of the register. */
const unknownBuyer = ['3028', '3029'];
const DUPLICATE = '2150';
/** Something is wrong with who we are, not with the document. */
export const credentialTrouble: readonly string[] = [
  '1004',
  '1006',
  '1010',
  '1011',
  '1012',
  '1013',
  '1014',
  '1015',
  '1016',
  '1017',
  '1019',
  '1020',
];

/**
 * Registers a posted document at the invoice portal, exactly once: what was sent without a readable answer is asked for
 * before it is sent again. Throws `Later` when it is to be tried again; every exchange is kept as an attempt.
 */
export const registerInvoice =
  (desk: PortalDesk) =>
  async ({ organisation, document }: RegisterPayload): Promise<void> => {
    const claimed = await claim(desk.books, organisation, document);
    if (!claimed) return;
    const { doc, mayBeKnown } = claimed;
    desk.changed(organisation);
    const verdict = await verdictOn(desk, organisation, doc, mayBeKnown);
    await conclude(desk.books, organisation, doc, verdict);
    desk.changed(organisation);
    if (verdict.state === 'unclear' || verdict.state === 'queued') throw new Later(verdict.message);
  };

async function verdictOn(desk: PortalDesk, organisation: number, doc: Reported, mayBeKnown: boolean): Promise<Verdict> {
  const as = await desk.books.inTransaction({ organisation, user: doc.author }, (trx) =>
    credentialsOf(trx, desk.vault, organisation, doc.registration),
  );
  if (!as)
    return {
      state: 'failed',
      code: 'credentials',
      message: `There are no portal credentials for ${doc.gstin}: enter them under E-invoice credentials`,
    };
  const exchange = exchanger(desk, organisation, doc, as);
  try {
    const asked = mayBeKnown ? await exchange.ask() : undefined;
    return asked ?? (await exchange.register());
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    return { state: 'unclear', message: error.message };
  }
}

/** The exchanges with the portal about one document; each is kept as an attempt before anything follows from it. */
function exchanger(desk: PortalDesk, organisation: number, doc: Reported, as: Credentials) {
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
    noteAttempt(desk.books, organisation, doc, {
      what,
      outcome,
      code: more.errors?.map((e) => e.code).join(', ') ?? null,
      message: more.message ?? more.errors?.map((e) => e.message).join('; ') ?? null,
      request: more.request ? JSON.stringify(more.request) : null,
      response: more.response ? JSON.stringify(more.response) : null,
    });
  const unclear = async (what: 'register' | 'ask', work: () => Promise<Reply>, request?: object): Promise<Reply> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unclear)
        await note(what, 'unclear', { message: error.message, ...(request && { request }) });
      throw error;
    }
  };

  async function ask(): Promise<Verdict | undefined> {
    const { type, number } = doc.facts;
    const date = `${doc.facts.date.slice(8)}/${doc.facts.date.slice(5, 7)}/${doc.facts.date.slice(0, 4)}`;
    const reply = await unclear('ask', () => desk.portal.byDocument(as, { type, number, date }));
    if (reply.ok) return adopt('ask', reply.facts);
    const gone = reply.errors.some((e) => missing.includes(e.code));
    await note('ask', gone ? 'missing' : 'refused', { errors: reply.errors });
    // too old to be read back: sending it again answers with its IRN when it is there
    return gone || reply.errors.some((e) => e.code === '2283') ? undefined : refused(reply.errors);
  }

  async function register(mayAskRegister = true): Promise<Verdict> {
    const reply = await unclear('register', () => desk.portal.register(as, payload), payload);
    if (reply.ok) return adopt('register', reply.facts, payload);
    await note('register', 'refused', { errors: reply.errors, request: payload, response: reply.info });
    if (reply.errors.some((e) => e.code === DUPLICATE)) return adoptDuplicate(reply.info, reply.errors);
    if (mayAskRegister && doc.facts.buyer.gstin && reply.errors.some((e) => unknownBuyer.includes(e.code))) {
      const synced = await desk.portal.syncTaxpayer(as, doc.facts.buyer.gstin);
      if (synced.ok) return register(false);
    }
    return refused(reply.errors);
  }

  async function refused(errors: readonly PortalError[]): Promise<Verdict> {
    const message = errors.map((e) => e.message).join('; ');
    const code = errors.map((e) => e.code).join(', ');
    if (errors.some((e) => passing.includes(e.code))) return { state: 'queued', code, message };
    if (errors.some((e) => credentialTrouble.includes(e.code)))
      await desk.books.inTransaction({ organisation, user: doc.author }, (trx) =>
        rememberSignIn(trx, organisation, doc.registration, `${code}: ${message}`),
      );
    return { state: 'failed', code, message };
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
    const reply = await unclear('ask', () => desk.portal.byIrn(as, doc.irn));
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

  return { ask, register };
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
