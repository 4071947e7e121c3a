import type { Id } from '../../domain/document/document.ts';
import { isPartA, wayPayload } from '../../domain/tax/gst/portal/eway.ts';
import { type IrpTransport, wayTransport } from '../../domain/tax/gst/portal/irp.ts';
import {
  type Credentials,
  credentialTrouble,
  type Errand,
  type Exchanges,
  heard,
  type PortalDesk,
  type PortalError,
  passing,
  type Reply,
  refusedBy,
  sendOnce,
  stillUnclear,
  wordsOf,
} from '../einvoice/index.ts';
import { asWayDocument, type Claimed, claim, conclude, noteAttempt, type Verdict } from './record.ts';
import { kilometresIn, portalMoment } from './times.ts';
import type { WayPortal } from './wayportal.ts';

export interface WayDesk extends PortalDesk {
  readonly ways: WayPortal;
}

export interface WayPayload {
  readonly organisation: number;
  readonly document: Id;
  readonly bill: number;
}

/** The document has a bill already: ours from an earlier attempt. */
const known: readonly string[] = ['4002', '4026', '604'];
/** Neither portal knows a bill of it. */
const missing: readonly string[] = ['4005', '325'];
/** Of the e-way-bill portal: too many calls, or the same at the same moment; and who we are. */
const busy: readonly string[] = [...passing, '4062', '658', '813'];
const stranger: readonly string[] = [...credentialTrouble, '101', '102', '103', '104', '109', '110', '111', '227'];

/** Makes the e-way bill of a posted document, exactly once; every exchange is kept as an attempt. */
export const makeWayBill =
  (desk: WayDesk) =>
  async ({ organisation, document, bill }: WayPayload): Promise<void> => {
    const claimed = await claim(desk.books, organisation, document, bill);
    if (!claimed) return;
    const { registration, gstin, facts } = claimed.doc;
    const { author } = claimed.bill;
    const errand: Errand = { organisation, author, registration, gstin, mayBeKnown: claimed.mayBeKnown };
    await sendOnce<Verdict>(
      desk,
      errand,
      (as) => exchanges(desk, errand, claimed, as),
      (verdict) => conclude(desk.books, organisation, { document, bill, author }, facts.number, verdict),
    );
  };

/** The road that a bill goes: what is sent and how it is found again. */
interface Road {
  readonly payload: object;
  make(): Promise<Reply>;
  find(): Promise<Reply>;
}

/** By the IRN the invoice portal takes the document as it has it; Part A stands alone there. */
const byIrn = (desk: WayDesk, { doc, bill }: Claimed, as: Credentials): Road => {
  const irn = doc.einvoice?.irn ?? '';
  const { transporter, distance } = bill.transport;
  const transport: IrpTransport = isPartA(bill.transport)
    ? { distance, ...(transporter && { transporter }) }
    : bill.transport;
  const payload = { Irn: irn, ...wayTransport(transport) };
  return { payload, make: () => desk.portal.wayBill(as, payload), find: () => desk.portal.wayBillOf(as, irn) };
};

/** A number may come again in another year, and may have had a bill that was cancelled: what is found is looked at. */
const direct = (desk: WayDesk, { doc, bill, former }: Claimed, as: Credentials): Road => {
  const payload = wayPayload(asWayDocument(doc), bill.transport);
  const none: Reply = { ok: false, errors: [{ code: '325', message: 'It has no bill that lives' }], info: [] };
  const find = async (): Promise<Reply> => {
    const found = await desk.ways.byDocument(as, { type: payload.docType, number: payload.docNo });
    if (!found.ok) return found;
    const number = String(found.facts['ewayBillNo'] ?? '');
    if (found.facts['status'] === 'CNL' || former.includes(number)) return none;
    const whole = await desk.ways.byNumber(as, number);
    return whole.ok && whole.facts['docDate'] !== payload.docDate ? none : whole;
  };
  return { payload, make: () => desk.ways.make(as, payload), find };
};

/** The exchanges with a portal about one bill; each is kept as an attempt before anything follows from it. */
function exchanges(desk: WayDesk, errand: Errand, claimed: Claimed, as: Credentials): Exchanges<Verdict> {
  const { doc, bill } = claimed;
  const about = { document: doc.document, bill: bill.bill, author: bill.author };
  const road = bill.route === 'irn' ? byIrn(desk, claimed, as) : direct(desk, claimed, as);
  const note = (what: string, outcome: string, errors: readonly PortalError[], more: object = {}) =>
    noteAttempt(desk.books, errand.organisation, about, { what, outcome, ...wordsOf(errors), ...more });
  const trying = (what: string, work: () => Promise<Reply>, request?: object): Promise<Reply> =>
    heard(work, (message) => note(what, 'unclear', [], { message, request }));
  const refused = (errors: readonly PortalError[]): Promise<Verdict> =>
    refusedBy(desk, errand, errors, { busy, stranger });

  async function ask(): Promise<Verdict | undefined> {
    const reply = await trying('ask', road.find);
    if (reply.ok) return adopt('ask', reply);
    const gone = reply.errors.some((e) => missing.includes(e.code));
    await note('ask', gone ? 'missing' : 'refused', reply.errors);
    // until it is known that the portal has none, it is not made again
    return gone ? undefined : stillUnclear(await refused(reply.errors));
  }

  async function make(): Promise<Verdict> {
    const reply = await trying('make', road.make, road.payload);
    if (reply.ok) return adopt('make', reply);
    await note('make', 'refused', reply.errors, { request: road.payload });
    if (!reply.errors.some((e) => known.includes(e.code))) return refused(reply.errors);
    return (await ask()) ?? refused(reply.errors);
  }

  async function adopt(what: 'make' | 'ask', { facts, info }: Reply & { readonly ok: true }): Promise<Verdict> {
    const number = String(facts['EwbNo'] ?? facts['ewayBillNo'] ?? facts['ewbNo'] ?? '');
    const more = { response: facts, ...(what === 'make' && { request: road.payload }) };
    const isNumber = /^\d{12}$/.test(number);
    const message = isNumber ? null : 'The portal answered without a number';
    await note(what, isNumber ? (what === 'ask' ? 'found' : 'accepted') : 'unclear', [], { ...more, message });
    if (!isNumber) return { state: 'unclear', message: message ?? '' };
    const said = info.find((i) => i.InfCd === 'EWBPPD')?.Desc ?? facts['alert'];
    return {
      state: 'made',
      number,
      madeAt: portalMoment(facts['EwbDt'] ?? facts['ewayBillDate']) ?? '',
      validUntil: portalMoment(facts['EwbValidTill'] ?? facts['validUpto']),
      distance: kilometresIn(said) ?? kilometresIn(facts['actualDist']) ?? (bill.transport.distance || null),
    };
  }

  return { ask, send: make };
}
