import { randomBytes } from 'node:crypto';
import { Refusal } from '../../contract/errors.ts';
import { indianMoment } from '../../domain/base/dates.ts';
import type { Clock } from '../kit/clock.ts';
import { openBody, type SigningKey, sealBody, sealLogin } from './cipher.ts';
import { exchange, type Line, Unclear } from './exchange.ts';

/** Where the portal is and how its keys are got: the sandbox publishes them, the real one hands out files. */
export interface PortalPlace extends Line {
  /** PEM of the key that login facts are sealed with. */
  readonly loginKey: () => Promise<string>;
  /** Keys that sign invoices, by id; asked again when a text names one that is not known. */
  readonly signingKeys: () => Promise<readonly SigningKey[]>;
  /** The e-way-bill portal, where it has an address or a login key of its own. */
  readonly way?: { readonly url: string; readonly loginKey: () => Promise<string> };
}

/** What a registration signs in with. */
export interface Credentials {
  readonly gstin: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userName: string;
  readonly password: string;
}

export interface PortalError {
  readonly code: string;
  readonly message: string;
}

/** The portal answered: with facts, or with its refusals. `info` is what it says beside them (DUPIRN and the like). */
export type Reply =
  | { readonly ok: true; readonly facts: Readonly<Record<string, unknown>>; readonly info: readonly PortalInfo[] }
  | { readonly ok: false; readonly errors: readonly PortalError[]; readonly info: readonly PortalInfo[] };

export interface PortalInfo {
  readonly InfCd?: string;
  readonly Desc?: unknown;
}

export interface Portal {
  register(as: Credentials, payload: object): Promise<Reply>;
  byDocument(
    as: Credentials,
    document: { readonly type: string; readonly number: string; readonly date: string },
  ): Promise<Reply>;
  byIrn(as: Credentials, irn: string): Promise<Reply>;
  cancel(
    as: Credentials,
    cancelled: { readonly irn: string; readonly reason: string; readonly remark: string },
  ): Promise<Reply>;
  /** Makes the e-way bill of an IRN. */
  wayBill(as: Credentials, request: object): Promise<Reply>;
  /** The e-way bill that an IRN has now. */
  wayBillOf(as: Credentials, irn: string): Promise<Reply>;
  /** What the portal's copy of the common register has of a GSTIN. */
  taxpayer(as: Credentials, gstin: string): Promise<Reply>;
  /** Has the portal fetch a taxpayer anew from the common register. */
  syncTaxpayer(as: Credentials, gstin: string): Promise<Reply>;
  /** Signs in anew, whatever is kept. */
  signIn(as: Credentials): Promise<Reply>;
}

interface Entry {
  readonly token: string;
  readonly key: Buffer;
  readonly expires: number;
}

interface Envelope {
  readonly Status?: number | string;
  readonly Data?: unknown;
  readonly ErrorDetails?: unknown;
  readonly InfoDtls?: unknown;
}

/** Codes of a token that is not, or no longer, the portal's. */
const STALE_TOKEN = '1005';
/** A token is given up this long before its end. */
const MARGIN = 5 * 60_000;

const refusing = async (): Promise<never> => {
  throw new Refusal('noPortal');
};

/** Where no portal is set up: whatever would be asked of it is refused. */
export const noPortal: Portal = {
  register: refusing,
  byDocument: refusing,
  byIrn: refusing,
  cancel: refusing,
  wayBill: refusing,
  wayBillOf: refusing,
  taxpayer: refusing,
  syncTaxpayer: refusing,
  signIn: refusing,
};

/** A client of the invoice registration portal; tokens are kept per user, for the portal bars who signs in for every call. */
export function portalAt(place: PortalPlace, clock: Clock): Portal {
  const entries = new Map<string, Entry>();
  const nameOf = (as: Credentials) => `${as.gstin}/${as.clientId}/${as.userName}`;

  async function send(path: string, headers: Record<string, string>, body?: object): Promise<Envelope> {
    const read: Envelope = await exchange(place, path, headers, body);
    if (read.Status === undefined) throw new Unclear('The portal answered with something that is no answer');
    return read;
  }

  async function signIn(as: Credentials): Promise<Reply> {
    entries.delete(nameOf(as));
    const appKey = randomBytes(32);
    const facts = {
      UserName: as.userName,
      Password: as.password,
      AppKey: appKey.toString('base64'),
      ForceRefreshAccessToken: false,
    };
    const loginKey = await place.loginKey().catch(() => {
      throw new Unclear('The portal could not be reached');
    });
    const envelope = await send('/eivital/v1.04/auth', headersOf(as), { Data: sealLogin(loginKey, facts) });
    if (String(envelope.Status) !== '1') return refusals(envelope);
    const { AuthToken, Sek, TokenExpiry } = envelope.Data as { AuthToken: string; Sek: string; TokenExpiry: string };
    const expires = indianMoment(TokenExpiry) ?? clock.now() + 3_600_000;
    entries.set(nameOf(as), { token: AuthToken, key: openBody(appKey, Sek), expires });
    return { ok: true, facts: { expires: TokenExpiry }, info: [] };
  }

  async function call(as: Credentials, path: string, payload?: object, again = true): Promise<Reply> {
    let entry = entries.get(nameOf(as));
    if (!entry || entry.expires - MARGIN < clock.now()) {
      const entered = await signIn(as);
      if (!entered.ok) return entered;
      entry = entries.get(nameOf(as)) as Entry;
    }
    const headers = { ...headersOf(as), user_name: as.userName, AuthToken: entry.token };
    const body = payload && { Data: sealBody(entry.key, JSON.stringify(payload)) };
    const envelope = await send(path, headers, body);
    if (String(envelope.Status) === '1')
      return { ok: true, facts: factsOf(entry.key, envelope.Data), info: listOf(envelope.InfoDtls) ?? [] };
    const refused = refusals(envelope);
    const stale = !refused.ok && refused.errors.some((e) => e.code === STALE_TOKEN);
    if (!stale || !again) return refused;
    entries.delete(nameOf(as));
    return call(as, path, payload, false);
  }

  return {
    signIn,
    register: (as, payload) => call(as, '/eicore/v1.03/Invoice', payload),
    cancel: (as, { irn, reason, remark }) =>
      call(as, '/eicore/v1.03/Invoice/Cancel', { Irn: irn, CnlRsn: reason, CnlRem: remark }),
    byIrn: (as, irn) => call(as, `/eicore/v1.03/Invoice/irn/${irn}`),
    byDocument: (as, { type, number, date }) =>
      call(
        as,
        `/eicore/v1.03/Invoice/irnbydocdetails?${new URLSearchParams({ doctype: type, docnum: number, docdate: date })}`,
      ),
    wayBill: (as, request) => call(as, '/eiewb/v1.03/ewaybill', request),
    wayBillOf: (as, irn) => call(as, `/eiewb/v1.03/ewaybill/irn/${irn}`),
    taxpayer: (as, gstin) => call(as, `/eivital/v1.04/Master/gstin/${gstin}`),
    syncTaxpayer: (as, gstin) => call(as, `/eivital/v1.04/Master/syncgstin/${gstin}`),
  };
}

const headersOf = (as: Credentials) => ({ client_id: as.clientId, client_secret: as.clientSecret, Gstin: as.gstin });

/** What cannot be opened was not written for us: whether the portal acted is not known. */
export function factsOf(key: Buffer, sealed: unknown): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(openBody(key, String(sealed)).toString('utf8')) as Record<string, unknown>;
  } catch {
    throw new Unclear('The answer of the portal could not be opened');
  }
}

/** The portal gives its errors as a list, as JSON text of one, or as base64 of that. */
function refusals({ ErrorDetails, InfoDtls }: Envelope): Reply {
  const listed = listOf<{ ErrorCode?: string | number; ErrorMessage?: string }>(ErrorDetails);
  if (!listed || listed.length === 0) throw new Unclear('The portal refused without saying why');
  const errors = listed.map((e) => ({ code: String(e.ErrorCode ?? ''), message: String(e.ErrorMessage ?? '') }));
  return { ok: false, errors, info: listOf(InfoDtls) ?? [] };
}

function listOf<T>(given: unknown): readonly T[] | undefined {
  if (Array.isArray(given)) return given as T[];
  if (typeof given !== 'string') return given && typeof given === 'object' ? [given as T] : undefined;
  for (const text of [given, Buffer.from(given, 'base64').toString('utf8')]) {
    try {
      const read: unknown = JSON.parse(text);
      if (read && typeof read === 'object') return Array.isArray(read) ? (read as T[]) : [read as T];
    } catch {
      // the next reading
    }
  }
  return undefined;
}

/** The signing keys of a portal, kept until a text names one that is not among them. */
export function signingKeysOf(place: PortalPlace): (fresh: boolean) => Promise<readonly SigningKey[]> {
  let kept: readonly SigningKey[] | undefined;
  return async (fresh) => {
    if (!kept || fresh) kept = await place.signingKeys();
    return kept;
  };
}
