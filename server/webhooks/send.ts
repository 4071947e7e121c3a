import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { BadAddress, targetOf } from './address.ts';

/** Milliseconds for a whole attempt. */
const PATIENCE = 8000;

export interface Letter {
  readonly address: string;
  readonly secret: string;
  readonly id: string;
  readonly event: string;
  readonly body: string;
  /** Seconds since 1970. */
  readonly at: number;
  readonly trial: boolean;
  readonly patience?: number;
}
export interface Answer {
  readonly status: number | null;
  /** Null: it was taken. */
  readonly error: string | null;
}

/** The signature of a body: HMAC-SHA256 over the time, a dot and the body. */
export const signatureOf = (secret: string, at: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

/** Sends once. No redirect is followed, and of the answer only the status is read. */
export async function sendOnce(letter: Letter): Promise<Answer> {
  try {
    const status = await post(letter);
    const taken = status >= 200 && status < 300;
    return { status, error: taken ? null : `The receiver answered with the status ${status}` };
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof BadAddress || error instanceof TooLate) return error.message;
  const { code = 'unknown' } = error as { code?: string };
  return `The receiver could not be reached (${code})`;
};

class TooLate extends Error {}

async function post({ address, secret, id, event, body, at, trial, patience = PATIENCE }: Letter): Promise<number> {
  const { url, ip } = await targetOf(address, trial);
  const family = net.isIPv6(ip) ? 6 : 4;
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method: 'POST',
      agent: false,
      lookup: (_host, options, done) => (options.all ? done(null, [{ address: ip, family }]) : done(null, ip, family)),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Bahi-Webhooks',
        'bahi-event': event,
        'bahi-delivery': id,
        'bahi-timestamp': String(at),
        'bahi-signature': signatureOf(secret, at, body),
      },
    });
    const late = setTimeout(
      () => sending.destroy(new TooLate(`The receiver did not answer within ${patience / 1000} seconds`)),
      patience,
    );
    sending.on('close', () => clearTimeout(late));
    sending.on('error', reject);
    sending.on('response', (answer) => {
      // the body is not asked for, however long it is
      answer.on('error', () => undefined);
      resolve(answer.statusCode ?? 0);
      sending.destroy();
    });
    sending.end(body);
  });
}
