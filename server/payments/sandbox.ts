import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { paise } from '../../domain/base/money.ts';
import { fetchLimited } from '../kit/outgoing.ts';
import { type GatewayKeys, type Heard, NoAnswer, type PaymentProvider } from './provider.ts';

/** A word of the gateway is taken for this long after it was signed: who has overheard one cannot use it later. */
const FRESH = 300_000;
const PATIENCE = 10_000;

const word = z.object({
  id: z.string().min(1).max(100),
  type: z.enum(['payment.paid', 'payment.failed']),
  at: z.int(),
  data: z.object({
    reference: z.uuid(),
    payment: z.string().min(1).max(100),
    amount: z.int().positive().max(9_999_999_999_999),
    fee: z.int().nonnegative().default(0),
    method: z.string().max(40).default(''),
    reason: z.string().max(200).default(''),
  }),
});

/** The sandbox gateway: `api` is where the server reaches it, `pages` where a payer's browser does. */
export const sandboxPayments = (api: string, pages: string): PaymentProvider => ({
  label: 'Sandbox (no real money)',
  test: async (keys) => {
    const { status } = await ask(`${api}/account`, keys);
    return status === 200 ? null : 'The gateway does not know this key id and secret';
  },
  pageFor: async (keys, { reference, amount, description, methods, returnTo, notify }) => {
    const { status, body } = await ask(`${api}/links`, keys, {
      reference,
      amount,
      description,
      methods,
      returnTo,
      notify,
    });
    const made = z.object({ id: z.string() }).safeParse(body);
    if (status !== 201 || !made.success) throw new NoAnswer(`The gateway answered ${status}`);
    return `${pages}/pay?link=${made.data.id}`;
  },
  read: (keys, heard) => {
    if (!isSigned(keys, heard)) return undefined;
    const read = word.safeParse(parsed(heard.body));
    if (!read.success || read.data.data.fee >= read.data.data.amount) return undefined;
    const { id, type, at, data } = read.data;
    const amounts = { amount: paise(data.amount), fee: paise(data.fee) };
    return { ...data, ...amounts, event: id, kind: type === 'payment.paid' ? 'paid' : 'failed', at };
  },
});

/** The header `x-payment-signature: t=<milliseconds>,v1=<hex>`, over the moment and the very bytes. */
function isSigned({ webhookSecret }: GatewayKeys, { headers, body, now }: Heard): boolean {
  const [, at = '', given = ''] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(String(headers['x-payment-signature'])) ?? [];
  if (given === '' || Math.abs(now - Number(at)) > FRESH) return false;
  const right = createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest();
  return timingSafeEqual(right, Buffer.from(given, 'hex'));
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

async function ask(
  url: string,
  { keyId, secret }: GatewayKeys,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetchLimited(
      url,
      {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      { patience: PATIENCE },
    );
    return { status: answer.status, body: parsed(await answer.text()) };
  } catch {
    throw new NoAnswer('The payment gateway could not be reached');
  }
}
