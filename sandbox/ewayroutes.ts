import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Answer } from './answers.ts';
import { openJson, seal, wrap } from './cipher.ts';
import { actions, isAction } from './eway.ts';
import { getBill, getBillOfDocument, getBillsOfDay, getErrorList, getTaxpayer } from './ewayviews.ts';
import type { Fault, Operation } from './faults.ts';
import type { Call } from './irp.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  dropSession,
  findSession,
  type LoginFault,
  logIn,
  readLogin,
  type Session,
} from './logins.ts';
import type { Portal } from './portal.ts';
import { type Holds, header, type Produced, serve } from './serve.ts';

/** A refusal: codes only, in base64; the client knows their texts. */
function failure(codes: readonly string[]): Produced {
  const errorCodes = codes.join(',');
  return {
    code: errorCodes,
    body: { status: '0', error: Buffer.from(JSON.stringify({ errorCodes })).toString('base64') },
  };
}

const loginCodes: Readonly<Record<LoginFault, string>> = {
  unreadable: '109',
  user: '101',
  password: '102',
  appKey: '109',
  gstin: '111',
  inactive: '111',
};

function clientCode(request: FastifyRequest): string | undefined {
  const [id, secret] = [header(request, 'client_id'), header(request, 'client_secret')];
  if (id !== CLIENT_ID) return '103';
  if (secret !== CLIENT_SECRET) return '110';
  return header(request, 'gstin') ? undefined : '227';
}

const fields = (request: FastifyRequest): ReadonlyMap<string, unknown> => new Map(Object.entries(Object(request.body)));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

async function login(portal: Portal, request: FastifyRequest): Promise<Produced> {
  const wrong = clientCode(request);
  if (wrong) return failure([wrong]);
  const data = textOf(fields(request).get('Data') ?? fields(request).get('data'));
  const credentials = await readLogin(portal, header(request, 'gstin').toUpperCase(), data);
  const result = credentials ? await logIn(portal, credentials) : 'unreadable';
  if (typeof result === 'string') return failure([loginCodes[result]]);
  return { code: 'ok', body: { status: '1', authtoken: result.session.token, sek: result.sek } };
}

function enveloped(answer: Answer, session: Session): Produced {
  if ('refused' in answer) return failure(answer.refused.map(({ code }) => code));
  const text = JSON.stringify(answer.data);
  if (answer.wrapped) return { code: 'ok', body: { status: '1', ...wrap(session.key, randomBytes(32), text) } };
  return { code: 'ok', body: { status: '1', data: seal(session.key, Buffer.from(text)), alert: answer.alert ?? '' } };
}

async function business(
  portal: Portal,
  request: FastifyRequest,
  fault: Fault | undefined,
  work: (call: Call) => Promise<Answer>,
): Promise<Produced> {
  if (fault?.mode === 'code') return failure([fault.options.code ?? '240']);
  const token = header(request, 'authtoken');
  if (fault?.mode === 'expiredToken') await dropSession(portal, token);
  const wrong = clientCode(request);
  if (wrong) return failure([wrong]);
  const session = await findSession(portal, token);
  if (session?.gstin !== header(request, 'gstin').toUpperCase()) return failure(['238']);
  const sealed = textOf(fields(request).get('data'));
  let payload: unknown;
  try {
    payload = request.method === 'POST' ? openJson(session.key, sealed) : undefined;
  } catch {
    return failure(['109']);
  }
  const query = request.query as Record<string, string | undefined>;
  return enveloped(await work({ portal, session, payload, params: {}, query }), session);
}

/** The routes of the e-way-bill portal. */
export function wayBillPortal(app: FastifyInstance, portal: Portal, waits: Holds): void {
  const base = '/ewaybillapi/v1.03';
  app.post(`${base}/auth`, (request, reply) =>
    serve(portal, waits, request, reply, 'ewayAuth', (fault) =>
      fault?.mode === 'code' ? Promise.resolve(failure([fault.options.code ?? '240'])) : login(portal, request),
    ),
  );
  app.post(`${base}/ewayapi`, (request, reply) => {
    const action = fields(request).get('action');
    if (!isAction(action)) return reply.send(failure(['239']).body);
    return serve(portal, waits, request, reply, action, (fault) => business(portal, request, fault, actions[action]));
  });
  const route = (url: string, operation: Operation, work: (call: Call) => Promise<Answer>) =>
    app.get(`${base}${url}`, (request, reply) =>
      serve(portal, waits, request, reply, operation, (fault) => business(portal, request, fault, work)),
    );
  route('/ewayapi/GetEwayBill', 'ewayGet', getBill);
  route('/ewayapi/GetEwayBillsByDate', 'ewayGet', getBillsOfDay);
  route('/ewayapi/GetEwayBillGeneratedByConsigner', 'ewayGet', getBillOfDocument);
  route('/Master/GetGSTINDetails', 'ewayMaster', getTaxpayer);
  route('/Master/GetErrorList', 'ewayMaster', getErrorList);
}
