import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Answer, Refusal } from './answers.ts';
import { type KeyPair, makeKey, openJson, seal, sign } from './cipher.ts';
import { invoiceMeaning } from './facts.ts';
import type { Changes, Fault, Operation } from './faults.ts';
import {
  type Call,
  cancel,
  generate,
  getByDocument,
  getByIrn,
  getWayBillOfIrn,
  gstinDetails,
  syncGstin,
  wayBillForIrn,
} from './irp.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  dropSession,
  findSession,
  type LoginFault,
  logIn,
  readLogin,
  type Session,
  userOf,
} from './logins.ts';
import { keyFor, type Portal } from './portal.ts';
import { type Holds, header, type Produced, serve } from './serve.ts';
import { portalTime } from './times.ts';

const list = (refused: readonly Refusal[]) =>
  refused.map(({ code, text, n }) => ({ ErrorCode: code, ErrorMessage: text ?? invoiceMeaning(code, n) }));

function failure(refused: readonly Refusal[], info: unknown, fault?: Fault): Produced {
  const details = list(refused);
  const ErrorDetails =
    fault?.mode === 'base64Errors' ? Buffer.from(JSON.stringify(details)).toString('base64') : details;
  return {
    code: refused.map(({ code }) => code).join(','),
    body: { Status: 0, Data: null, ErrorDetails, InfoDtls: info ?? null },
  };
}

const loginCodes: Readonly<Record<LoginFault, string>> = {
  unreadable: '1020',
  user: '1017',
  password: '1019',
  appKey: '1016',
  gstin: '1015',
  inactive: '1014',
};

/** Who the client is: client id, secret, their pair, GSTIN. Undefined when all is well. */
function clientCode(request: FastifyRequest): string | undefined {
  const [id, secret] = [header(request, 'client_id'), header(request, 'client_secret')];
  if (!id) return '1011';
  if (!secret) return '1012';
  if (id !== CLIENT_ID || secret !== CLIENT_SECRET) return '1010';
  return header(request, 'gstin') ? undefined : '1004';
}

async function admit(portal: Portal, request: FastifyRequest): Promise<Session | string> {
  const wrong = clientCode(request);
  if (wrong) return wrong;
  const [user, token] = [header(request, 'user_name') || header(request, 'username'), header(request, 'authtoken')];
  if (!user) return '1006';
  const session = await findSession(portal, token);
  const gstin = header(request, 'gstin').toUpperCase();
  if (session?.gstin !== gstin || user.toLowerCase() !== userOf(gstin).toLowerCase()) return '1005';
  return /^(|NIC1|NIC2)$/i.test(header(request, 'irp')) ? session : '3098';
}

const bodyText = (request: FastifyRequest, name: string): string => {
  const body: unknown = request.body;
  const value = new Map(Object.entries(Object(body))).get(name);
  return typeof value === 'string' ? value : '';
};

async function login(portal: Portal, request: FastifyRequest): Promise<Produced> {
  const wrong = clientCode(request);
  if (wrong) return failure([{ code: wrong }], null);
  const data = bodyText(request, 'Data');
  if (!data) return failure([{ code: '5003' }], null);
  const credentials = await readLogin(portal, header(request, 'gstin').toUpperCase(), data);
  const result = credentials ? await logIn(portal, credentials) : 'unreadable';
  if (typeof result === 'string') return failure([{ code: loginCodes[result] }], null);
  const { session, sek } = result;
  const Data = {
    ClientId: CLIENT_ID,
    UserName: session.user,
    AuthToken: session.token,
    Sek: sek,
    TokenExpiry: portalTime(session.expires),
  };
  return { code: 'ok', body: { Status: 1, Data, ErrorDetails: null, InfoDtls: null } };
}

const stranger: { key?: KeyPair } = {};
/** A key that belongs to nobody, made once a process. */
const strangersKey = (): KeyPair => {
  stranger.key ??= makeKey();
  return stranger.key;
};

const dataOf = (jws: string): Record<string, unknown> => {
  const outer: { data: string } = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return JSON.parse(outer.data);
};

/** Sets values by their paths, as 'ItemList.0.HsnCd'. */
function change(whole: Record<string, unknown>, changes: Changes = {}): void {
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const inner = names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), whole);
    Reflect.set(Object(inner), last, value);
  }
}

/** The signed texts, spoiled as the fault has it: by another key, under another kid, or with another total. */
async function forged(portal: Portal, data: object, { mode, options }: Fault): Promise<object> {
  const fields = { ...data } as Record<string, unknown>;
  const { SignedInvoice: invoice, SignedQRCode: qr } = fields;
  if (typeof invoice !== 'string' || typeof qr !== 'string') return data;
  const real = await keyFor(portal, 'signing');
  const other = strangersKey();
  const key = { wrongSignature: { ...other, kid: real.kid }, unknownKey: other, changedPayload: real }[mode as string];
  if (!key) return data;
  const [whole, facts] = [dataOf(invoice), dataOf(qr)];
  if (mode === 'changedPayload') {
    const total = Number(facts['TotInvVal']) + 1;
    const asked = options.invoice ?? options.qr ?? options.answer;
    change(whole, asked ? options.invoice : { 'ValDtls.TotInvVal': total });
    change(facts, asked ? options.qr : { TotInvVal: total });
    change(fields, options.answer);
  }
  return { ...fields, SignedInvoice: sign(key, whole), SignedQRCode: sign(key, facts) };
}

/** Where DUPIRN stands in the remarks of a duplicate. */
function shaped(duplicate: object, shape: Fault['options']['shape']): unknown {
  const remark = { InfCd: 'EWBPPD', Desc: 'Pin-Pin calc distance: 0KM' };
  return { first: [duplicate, remark], last: [remark, duplicate], absent: [remark], object: duplicate }[
    shape ?? 'last'
  ];
}

function asDuplicate(answer: Answer, fault: Fault): Produced | undefined {
  const data = 'data' in answer ? (answer.data as Record<string, unknown>) : undefined;
  const known = 'refused' in answer ? answer.info?.find((one) => one.InfCd === 'DUPIRN') : undefined;
  const fields = data && { AckNo: data['AckNo'], AckDt: data['AckDt'], Irn: data['Irn'] };
  const duplicate = known ?? (fields && { InfCd: 'DUPIRN', Desc: fields });
  return duplicate && failure([{ code: '2150' }], shaped(duplicate, fault.options.shape), fault);
}

async function enveloped(
  portal: Portal,
  answer: Answer,
  session: Session,
  fault: Fault | undefined,
): Promise<Produced> {
  const changed = fault?.mode === 'duplicate' ? asDuplicate(answer, fault) : undefined;
  if (changed) return changed;
  const info = answer.info?.length ? answer.info : null;
  if ('refused' in answer) return failure(answer.refused, info, fault);
  const data = fault ? await forged(portal, answer.data, fault) : answer.data;
  const Data = seal(session.key, Buffer.from(JSON.stringify(data)));
  return { code: 'ok', body: { Status: 1, Data, ErrorDetails: null, InfoDtls: info } };
}

function payloadOf(request: FastifyRequest, session: Session): { payload: unknown } | string {
  if (request.method !== 'POST') return { payload: undefined };
  const data = bodyText(request, 'Data');
  if (!data) return '5003';
  try {
    return { payload: openJson(session.key, data) };
  } catch {
    return '5002';
  }
}

async function business(
  portal: Portal,
  request: FastifyRequest,
  fault: Fault | undefined,
  work: (call: Call) => Promise<Answer>,
): Promise<Produced> {
  if (fault?.mode === 'code')
    return failure([{ code: fault.options.code ?? '5001', n: portal.fetchDays }], null, fault);
  if (fault?.mode === 'expiredToken') await dropSession(portal, header(request, 'authtoken'));
  const session = await admit(portal, request);
  if (typeof session === 'string') return failure([{ code: session }], null, fault);
  const read = payloadOf(request, session);
  if (typeof read === 'string') {
    const text = read === '5002' ? 'The payload cannot be decrypted, or is no JSON' : undefined;
    return failure([{ code: read, text }], null, fault);
  }
  const call: Call = {
    portal,
    session,
    payload: read.payload,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | undefined>,
  };
  return enveloped(portal, await work(call), session, fault);
}

/** The routes of the invoice portal. */
export function invoicePortal(app: FastifyInstance, portal: Portal, waits: Holds): void {
  const route = (method: 'GET' | 'POST', url: string, operation: Operation, work: (call: Call) => Promise<Answer>) =>
    app.route({
      method,
      url,
      handler: (request, reply) =>
        serve(portal, waits, request, reply, operation, (fault) => business(portal, request, fault, work)),
    });
  app.post('/eivital/v1.04/auth', (request, reply) =>
    serve(portal, waits, request, reply, 'auth', (fault) =>
      fault?.mode === 'code'
        ? Promise.resolve(failure([{ code: fault.options.code ?? '5001' }], null, fault))
        : login(portal, request),
    ),
  );
  app.get('/eivital/v1.03/health', async () => ({ Status: 1 }));
  route('POST', '/eicore/v1.03/Invoice', 'generate', generate);
  route('POST', '/eicore/v1.03/Invoice/Cancel', 'cancel', cancel);
  route('POST', '/eicore/v1.03/Cancel', 'cancel', cancel);
  route('GET', '/eicore/v1.03/Invoice/irn/:irn', 'getByIrn', getByIrn);
  route('GET', '/eicore/v1.03/Invoice/irnbydocdetails', 'getByDocument', getByDocument);
  for (const version of ['v1.03', 'v1.04']) {
    route('GET', `/eivital/${version}/Master/gstin/:gstin`, 'gstin', gstinDetails);
    route('GET', `/eivital/${version}/Master/syncgstin/:gstin`, 'syncGstin', syncGstin);
  }
  route('POST', '/eiewb/v1.03/ewaybill', 'ewbByIrn', wayBillForIrn);
  route('GET', '/eiewb/v1.03/ewaybill/irn/:irn', 'getEwbByIrn', getWayBillOfIrn);
}

/** The answer to a request that is no JSON, or to a bug of the stand-in. */
export const unreadable = (code: string, text: string): object => failure([{ code, text }], null).body;
