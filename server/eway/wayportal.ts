import { randomBytes } from 'node:crypto';
import { Refusal } from '../../contract/errors.ts';
import {
  type Credentials,
  exchange,
  factsOf,
  openBody,
  type PortalPlace,
  type Reply,
  sealBody,
  sealLogin,
  Unclear,
} from '../einvoice/index.ts';
import type { Clock } from '../kit/clock.ts';
import { meaningOf } from './codes.ts';

/** The portal of e-way bills. It answers refusals with codes alone; their meaning is ours to know. */
export interface WayPortal {
  make(as: Credentials, payload: object): Promise<Reply>;
  vehicle(as: Credentials, request: object): Promise<Reply>;
  cancel(as: Credentials, request: object): Promise<Reply>;
  byNumber(as: Credentials, number: string): Promise<Reply>;
  /** The latest bill of a document of ours. */
  byDocument(as: Credentials, document: { readonly type: string; readonly number: string }): Promise<Reply>;
}

const refusing = async (): Promise<never> => {
  throw new Refusal('noPortal');
};

/** Where no portal is set up: whatever would be asked of it is refused. */
export const noWayPortal: WayPortal = {
  make: refusing,
  vehicle: refusing,
  cancel: refusing,
  byNumber: refusing,
  byDocument: refusing,
};

interface Entry {
  readonly token: string;
  readonly key: Buffer;
  readonly until: number;
}
type Envelope = Readonly<Record<string, unknown>>;

const BASE = '/ewaybillapi/v1.03';
/** A token lives six hours from its first login; it is given up a little before, and when the portal says so. */
const LIFE = 350 * 60_000;
const staleToken: readonly string[] = ['105', '106', '238'];

/** A client of the e-way-bill portal; tokens are kept per user, for it takes only a few logins in a quarter of an hour. */
export function wayPortalAt(place: PortalPlace, clock: Clock): WayPortal {
  const entries = new Map<string, Entry>();
  const line = { ...place, url: place.way?.url ?? place.url };
  const loginKey = place.way?.loginKey ?? place.loginKey;
  const nameOf = (as: Credentials) => `${as.gstin}/${as.clientId}/${as.userName}`;

  async function send(path: string, headers: Record<string, string>, body?: object): Promise<Envelope> {
    const read = await exchange(line, `${BASE}${path}`, headers, body);
    if (read['status'] === undefined) throw new Unclear('The portal answered with something that is no answer');
    return read;
  }

  async function signIn(as: Credentials): Promise<Reply> {
    entries.delete(nameOf(as));
    const appKey = randomBytes(32);
    const facts = {
      action: 'ACCESSTOKEN',
      username: as.userName,
      password: as.password,
      app_key: appKey.toString('base64'),
    };
    const key = await loginKey().catch(() => {
      throw new Unclear('The portal could not be reached');
    });
    const envelope = await send('/auth', headersOf(as), { Data: sealLogin(key, facts) });
    if (String(envelope['status']) !== '1') return refusals(envelope);
    const sessionKey = openBody(appKey, String(envelope['sek']));
    entries.set(nameOf(as), { token: String(envelope['authtoken']), key: sessionKey, until: clock.now() + LIFE });
    return { ok: true, facts: {}, info: [] };
  }

  async function call(as: Credentials, path: string, action?: string, payload?: object, again = true): Promise<Reply> {
    let entry = entries.get(nameOf(as));
    if (!entry || entry.until < clock.now()) {
      const entered = await signIn(as);
      if (!entered.ok) return entered;
      entry = entries.get(nameOf(as)) as Entry;
    }
    const body = payload && { action, data: sealBody(entry.key, JSON.stringify(payload)) };
    const envelope = await send(path, { ...headersOf(as), authtoken: entry.token }, body);
    if (String(envelope['status']) === '1') return { ok: true, facts: opened(entry.key, envelope), info: [] };
    const refused = refusals(envelope);
    const stale = !refused.ok && refused.errors.some((e) => staleToken.includes(e.code));
    if (!stale || !again) return refused;
    entries.delete(nameOf(as));
    return call(as, path, action, payload, false);
  }

  const act = (as: Credentials, action: string, payload: object) => call(as, '/ewayapi', action, payload);
  return {
    make: (as, payload) => act(as, 'GENEWAYBILL', payload),
    vehicle: (as, request) => act(as, 'VEHEWB', request),
    cancel: (as, request) => act(as, 'CANEWB', request),
    byNumber: (as, number) => call(as, `/ewayapi/GetEwayBill?${new URLSearchParams({ ewbNo: number })}`),
    byDocument: (as, { type, number }) =>
      call(as, `/ewayapi/GetEwayBillGeneratedByConsigner?${new URLSearchParams({ docType: type, docNo: number })}`),
  };
}

const headersOf = (as: Credentials) => ({
  'client-id': as.clientId,
  'client-secret': as.clientSecret,
  gstin: as.gstin,
});

/** Some answers come under a key of their own, itself under the session's, as base64 of the JSON. */
function opened(key: Buffer, envelope: Envelope): Readonly<Record<string, unknown>> {
  const own = envelope['rek'];
  if (typeof own !== 'string') return factsOf(key, envelope['data']);
  try {
    const text = openBody(openBody(key, own), String(envelope['data'])).toString('utf8');
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Record<string, unknown>;
  } catch {
    throw new Unclear('The answer of the portal could not be opened');
  }
}

/** Codes come as base64 of JSON, or as the plain object; several in one text. */
function refusals(envelope: Envelope): Reply {
  const given = envelope['error'];
  let read: unknown = given;
  if (typeof given === 'string')
    try {
      read = JSON.parse(given.trim().startsWith('{') ? given : Buffer.from(given, 'base64').toString('utf8'));
    } catch {
      throw new Unclear('The portal refused without saying why');
    }
  const text = String((read as { errorCodes?: string | number } | null)?.errorCodes ?? '');
  const codes = text.split(',').map((code) => code.trim());
  const errors = codes.filter(Boolean).map((code) => ({ code, message: meaningOf(code) }));
  if (errors.length === 0) throw new Unclear('The portal refused without saying why');
  return { ok: false, errors, info: [] };
}
