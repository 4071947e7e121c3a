import { fitting } from './fitting.ts';
import { type Portal, row, rows } from './portal.ts';

export const logins = ['auth', 'ewayAuth'] as const;
export const calls = [
  'generate',
  'cancel',
  'getByIrn',
  'getByDocument',
  'gstin',
  'syncGstin',
  'ewbByIrn',
  'getEwbByIrn',
  'GENEWAYBILL',
  'VEHEWB',
  'CANEWB',
  'EXTENDVALIDITY',
  'UPDATETRANSPORTER',
  'REJEWB',
  'ewayGet',
  'ewayMaster',
] as const;
export type Operation = (typeof logins)[number] | (typeof calls)[number];

const signed: readonly Operation[] = ['generate', 'getByIrn', 'getByDocument'];
interface Mode {
  /** Whether the call is carried out before the answer goes wrong. */
  readonly accepts: boolean;
  readonly on: readonly Operation[];
  readonly what: string;
}

/** All the ways the stand-in can misbehave. */
export const modes = {
  timeoutAfterAccepting: {
    accepts: true,
    on: calls,
    what: 'carries the call out, then holds the answer for delayMs (two minutes)',
  },
  timeoutBeforeAccepting: {
    accepts: false,
    on: calls,
    what: 'does nothing and holds for delayMs (two minutes), then 504',
  },
  dropAfterAccepting: { accepts: true, on: calls, what: 'carries the call out, then cuts the connection' },
  dropBeforeAccepting: { accepts: false, on: calls, what: 'cuts the connection' },
  serverError: { accepts: false, on: calls, what: 'answers a page of HTML with the status (503)' },
  serverErrorAfterAccepting: {
    accepts: true,
    on: calls,
    what: 'carries the call out, then answers a page of HTML with the status (504)',
  },
  garbage: { accepts: true, on: calls, what: 'carries the call out; the body is html, truncated or huge, with 200' },
  garbageBeforeAccepting: {
    accepts: false,
    on: calls,
    what: 'does nothing; the body is html, truncated or huge, with 200',
  },
  slow: { accepts: true, on: calls, what: 'answers properly after delayMs (three seconds)' },
  expiredToken: { accepts: true, on: calls, what: 'drops the session first, so that the call is refused' },
  duplicate: {
    accepts: true,
    on: ['generate'],
    what: 'registers if need be and answers 2150; shape says where DUPIRN stands: first, last, absent, object',
  },
  wrongSignature: { accepts: true, on: signed, what: 'signs with another key under the published kid' },
  unknownKey: { accepts: true, on: signed, what: 'signs with another key under a kid that is not published' },
  changedPayload: {
    accepts: true,
    on: signed,
    what: 'signs rightly, but another total; or with changes by path: invoice, qr, and answer for the rest of the answer',
  },
  base64Errors: { accepts: true, on: calls, what: 'sends ErrorDetails as base64 of the list' },
  code: { accepts: false, on: calls, what: 'does nothing and refuses with the code given' },
} as const satisfies Readonly<Record<string, Mode>>;
export type ModeName = keyof typeof modes;

export interface FaultOptions {
  readonly delayMs?: number;
  readonly status?: number;
  readonly code?: string;
  readonly shape?: 'first' | 'last' | 'absent' | 'object';
  readonly body?: 'html' | 'truncated' | 'huge';
  /** What is signed, or answered around it, otherwise: values by their path. */
  readonly invoice?: Changes;
  readonly qr?: Changes;
  readonly answer?: Changes;
}
export type Changes = Readonly<Record<string, string | number>>;
export interface Fault {
  readonly id: number;
  readonly mode: ModeName;
  readonly operations: readonly Operation[];
  readonly gstin: string | null;
  readonly remaining: number | null;
  readonly options: FaultOptions;
}

interface Order extends FaultOptions {
  readonly mode: ModeName;
  readonly times?: number | 'always';
  readonly operations?: readonly Operation[];
  readonly gstin?: string;
}

const changes = { type: 'object', additionalProperties: { type: ['string', 'number'] }, required: [] } as const;

const orderCheck = fitting<Order>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['mode'],
    properties: {
      mode: { enum: Object.keys(modes) },
      times: { anyOf: [{ type: 'integer', minimum: 1, maximum: 100_000 }, { const: 'always' }] },
      operations: { type: 'array', minItems: 1, items: { enum: [...logins, ...calls] } },
      gstin: { type: 'string', minLength: 15, maxLength: 15 },
      delayMs: { type: 'integer', minimum: 0, maximum: 600_000 },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      code: { type: 'string', pattern: '^[0-9]{3,4}$' },
      shape: { enum: ['first', 'last', 'absent', 'object'] },
      body: { enum: ['html', 'truncated', 'huge'] },
      ...{ invoice: changes, qr: changes, answer: changes },
    },
    if: { required: ['mode'], properties: { mode: { const: 'code' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['mode', 'code'] },
  },
  { allowUnionTypes: true },
);

/** Takes an order for misbehaviour; answers what is wrong with it, or the fault that now lies in wait. */
export async function orderFault(
  { database }: Portal,
  order: unknown,
): Promise<{ fault: Fault } | { wrong: string[] }> {
  const fits = orderCheck();
  if (!fits(order))
    return { wrong: (fits.errors ?? []).map((one) => `${one.instancePath || '/'} ${one.message ?? ''}`) };
  const { mode, times = 1, operations = modes[mode].on, gstin = null, ...options } = order;
  const fault = await row<Fault>(
    database,
    'insert into sandbox.faults (mode, operations, gstin, remaining, options) values ($1, $2, $3, $4, $5) returning *',
    [mode, operations, gstin, times === 'always' ? null : times, JSON.stringify(options)],
  );
  if (!fault) throw new Error('An order for misbehaviour was not kept.');
  return { fault };
}

/** The oldest fault that waits for such a call, one use of it taken; each use goes to one call, whatever process serves it. */
export async function takeFault({ database }: Portal, operation: Operation, gstin: string): Promise<Fault | undefined> {
  return row<Fault>(
    database,
    `update sandbox.faults set remaining = remaining - 1 where id = (
       select id from sandbox.faults where coalesce(remaining, 1) > 0 and $1 = any(operations) and (gstin is null or gstin = $2)
        order by id limit 1 for update) and coalesce(remaining, 1) > 0 returning *`,
    [operation, gstin],
  );
}

export const waitingFaults = ({ database }: Portal): Promise<Fault[]> =>
  rows<Fault>(database, 'select * from sandbox.faults where coalesce(remaining, 1) > 0 order by id');
