import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Fault, modes, type Operation, takeFault } from './faults.ts';
import { type Portal, row } from './portal.ts';

/** What an operation has made: its answer for the record (ok or codes), and the body as the portal would send it. */
export interface Produced {
  readonly code: string;
  readonly body: object;
}

const HOLD = 120_000;
const SLOW = 3_000;
const HUGE = 10 * 1024 * 1024;
const page = (status: number) =>
  `<html><head><title>${status}</title></head><body><h1>${status} The service is unavailable</h1></body></html>`;

/** A header under the names that clients use: client_id or client-id, in any case. */
export function header(request: FastifyRequest, name: string): string {
  const value =
    request.headers[name] ?? request.headers[name.replaceAll('_', '-')] ?? request.headers[name.replaceAll('_', '')];
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
}

/** Held answers: each waits for its time, or for the client to go, or for the server to close. */
export interface Holds {
  wait(milliseconds: number, reply: FastifyReply): Promise<void>;
  release(): void;
}

export function holds(): Holds {
  const waiting = new Set<() => void>();
  return {
    wait: (milliseconds, reply) =>
      new Promise((resolve) => {
        const go = () => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        };
        const timer = setTimeout(go, milliseconds);
        waiting.add(go);
        reply.raw.once('close', go);
      }),
    release: () => {
      for (const go of [...waiting]) go();
    },
  };
}

function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

const html = (reply: FastifyReply, status: number) => reply.status(status).type('text/html').send(page(status));

function garbage(reply: FastifyReply, fault: Fault, body: object | undefined) {
  switch (fault.options.body ?? 'html') {
    case 'truncated': {
      const text = JSON.stringify(body ?? { Status: 1, Data: 'AAAA' });
      return reply
        .status(200)
        .type('application/json')
        .send(text.slice(0, Math.ceil(text.length / 2)));
    }
    case 'huge':
      return reply
        .status(200)
        .type('application/json')
        .send(`{"Status":1,"Data":"${'A'.repeat(HUGE)}"}`);
    default:
      return html(reply, 200);
  }
}

/** Sends what was made, or spoils it. Without a body the call was not carried out. */
async function send(reply: FastifyReply, waits: Holds, fault: Fault | undefined, body: object | undefined) {
  const { delayMs, status } = fault?.options ?? {};
  switch (fault?.mode) {
    case 'timeoutAfterAccepting':
    case 'slow':
      await waits.wait(delayMs ?? (fault.mode === 'slow' ? SLOW : HOLD), reply);
      return reply.send(body);
    case 'timeoutBeforeAccepting':
      await waits.wait(delayMs ?? HOLD, reply);
      return html(reply, 504);
    case 'dropAfterAccepting':
    case 'dropBeforeAccepting':
      return drop(reply);
    case 'serverError':
      return html(reply, status ?? 503);
    case 'serverErrorAfterAccepting':
      return html(reply, status ?? 504);
    case 'garbage':
    case 'garbageBeforeAccepting':
      return garbage(reply, fault, body);
    default:
      return reply.send(body);
  }
}

/** Serves one call: notes it, lets a waiting fault have its way, and sends the answer. */
export async function serve(
  portal: Portal,
  waits: Holds,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  produce: (fault: Fault | undefined) => Promise<Produced>,
): Promise<FastifyReply> {
  const gstin = header(request, 'gstin').toUpperCase();
  const fault = await takeFault(portal, operation, gstin);
  const note = await row<{ id: string }>(
    portal.database,
    'insert into sandbox.requests (at, operation, gstin, fault) values ($1, $2, $3, $4) returning id',
    [portal.clock(), operation, gstin, fault?.mode ?? null],
  );
  const skipped = fault && fault.mode !== 'code' && !modes[fault.mode].accepts;
  const produced = skipped ? undefined : await produce(fault);
  await portal.database.query('update sandbox.requests set answer = $2 where id = $1', [
    note?.id,
    produced?.code ?? 'not carried out',
  ]);
  return send(reply, waits, fault, produced?.body);
}
