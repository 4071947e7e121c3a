import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal, type RefusalCode, refusals } from '../../contract/errors.ts';
import { mustBeReadable } from '../kit/readable.ts';

/** Bytes that a body may have of whom nobody knows, and of whatever is no call. */
export const STRANGERS = 64 * 1024;
/** Bytes of bodies that a process holds at a time, of all requests together: ten of the largest. */
export const MOST_HELD = 128 * 1024 * 1024;
/** Of these, what large bodies may take: small ones, a till's bill among them, go on coming in. */
const FOR_LARGE = 3 / 4;

export interface Bodies {
  readonly most: number;
  /** Whether somebody is signed in whose request this is. */
  readonly isKnown: (request: FastifyRequest) => Promise<boolean>;
}

/** A refusal that comes while a body is still being sent. */
const refused = (code: RefusalCode): Error => Object.assign(new Refusal(code), { statusCode: refusals[code][0] });

const isCall = ({ url }: FastifyRequest): boolean => url.startsWith('/api/');
/** The stand-in of the portals has bodies and limits of its own. */
const isSandbox = ({ url }: FastifyRequest): boolean => url.startsWith('/sandbox/');

/** Bytes that are said to come; undefined: as many as come. */
const saidLength = ({ headers }: FastifyRequest): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/**
 * Counts what bodies hold from when they come in until they are answered, over all requests in flight: what is beyond `most`
 * is refused with when to come again. Of a stranger a body is small, and known to be that before it is read.
 */
export function mountBodies(app: FastifyInstance, { most, isKnown }: Bodies): void {
  let inFlight = 0;
  app.addHook('preParsing', async (request, reply, payload) => {
    const length = saidLength(request);
    if (length === 0) return payload;
    const isSmall = length !== undefined && length <= STRANGERS;
    const isLarge = !isSmall && (isSandbox(request) || (isCall(request) && (await isKnown(request))));
    const tooMuch = isCall(request) ? 'sessionExpired' : 'tooLarge';
    if (!isLarge && length !== undefined && length > STRANGERS) throw refused(tooMuch);
    const room = isLarge ? most * FOR_LARGE : most;
    let held = 0;
    reply.raw.once('close', () => {
      inFlight -= held;
    });
    const counted = new Transform({
      transform: (part: Buffer, _, done) => {
        if (!isLarge && held + part.length > STRANGERS) return done(refused(tooMuch));
        if (inFlight + part.length > room) return done(refused('bodiesFull'));
        held += part.length;
        inFlight += part.length;
        done(null, part);
      },
    });
    // the reader of the body gets the error; where nobody reads it any more (it was refused, or its sender has gone), nobody has to
    counted.on('error', () => counted.destroy());
    payload.on('error', (error) => counted.destroy(error));
    payload.once('close', () => {
      if (!payload.readableEnded) counted.destroy(new Error('the body ended too early'));
    });
    return payload.pipe(counted);
  });
}

/**
 * What is no call takes texts that can be kept, and nothing else: an address or a form with NUL is refused, and so is what is
 * no form. Calls say at which field it is.
 */
export function mountTexts(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const [path = ''] = request.url.split('?');
    if (/%00/.test(isCall(request) ? path : request.url)) throw refused('unreadable');
  });
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'POST' || isCall(request) || isSandbox(request)) return;
    const { body } = request;
    // whatever signs its own bytes is read where they are
    const isForm = typeof body === 'object' && body !== null && !Array.isArray(body);
    const texts: readonly unknown[] = isForm ? Object.values(body) : [body];
    if (!texts.every((text) => typeof text === 'string')) throw refused('unreadable');
    try {
      mustBeReadable(body);
    } catch {
      throw refused('unreadable');
    }
  });
}
