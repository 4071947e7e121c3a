import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What every organisation signs in with here: no money is behind it. */
export const PAYMENT_KEY_ID = 'bahi_test_key';
export const PAYMENT_SECRET = 'bahi-test-secret';
export const PAYMENT_WEBHOOK_SECRET = 'bahi-test-webhook';

/** Two in a hundred, as gateways ask. */
const FEE = 50;

interface Link {
  readonly reference: string;
  /** Whole paise. */
  readonly amount: number;
  readonly description: string;
  /** By what means it may be paid. */
  readonly methods: readonly string[];
  readonly returnTo: string;
  readonly notify: string;
}

const signed = (text: string): string =>
  createHmac('sha256', PAYMENT_SECRET).update(text).digest('base64url').slice(0, 32);

/** A link holds all that is to be known of it, signed: the stand-in remembers nothing, and any of its processes serves it. */
const idOf = (link: Link): string => {
  const text = Buffer.from(JSON.stringify(link)).toString('base64url');
  return `${text}.${signed(text)}`;
};

function linkOf(id: string): Link | undefined {
  const [text = '', mark = ''] = id.split('.');
  if (mark.length !== 32 || !timingSafeEqual(Buffer.from(signed(text)), Buffer.from(mark))) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Link;
}

const isLetIn = ({ headers }: FastifyRequest): boolean =>
  headers.authorization === `Basic ${Buffer.from(`${PAYMENT_KEY_ID}:${PAYMENT_SECRET}`).toString('base64')}`;

/** By what one pays here. */
const means: Readonly<Record<string, string>> = {
  ...{ upi: 'UPI', card: 'Card', netbanking: 'Net banking', wallet: 'Wallet' },
};

const isLink = (given: unknown): given is Link => {
  const { amount, methods, ...texts } = Object(given) as Record<string, unknown>;
  if (!Array.isArray(methods) || methods.length === 0 || !methods.every((one) => Object.hasOwn(means, String(one))))
    return false;
  const names = ['reference', 'description', 'returnTo', 'notify'];
  return Number.isSafeInteger(amount) && Number(amount) > 0 && names.every((name) => typeof texts[name] === 'string');
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** How a payment can end here; `twice` sends its webhook two times, as happens when an answer is lost on the way. */
const endings = { paid: 'Pay', twice: 'Pay, reported twice', failed: 'Be declined' } as const;
type Ending = keyof typeof endings;

const page = (id: string, { amount, description, methods }: Link, nonce: string): string => {
  const sum = `₹ ${(amount / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 })}`;
  const buttons = Object.entries(endings).map(
    ([ending, label]) => `<button name="ending" value="${ending}">${label}</button>`,
  );
  const choices = methods.map((one) => `<option value="${one}">${means[one]}</option>`);
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <title>Sandbox payment</title>
  <style nonce="${nonce}">
    :root{color-scheme:light dark}
    body{font:16px/1.5 system-ui,sans-serif;max-width:360px;margin:48px auto;padding:0 16px}
    button,select{display:block;width:100%;min-height:44px;margin:12px 0;font:inherit}
  </style>
</head>
<body>
<main>
  <h1>Sandbox payment</h1>
  <p>No real money moves here.</p>
  <p>${escaped(description)}: <strong>${sum}</strong></p>
  <form method="post" action="pay?link=${id}">
    <label>Pay by <select name="method">${choices.join('')}</select></label>
    ${buttons.join('')}
  </form>
</main>
</body>
</html>`;
};

/** Sends the merchant the signed report of the gateway. */
async function tell(
  { notify, reference, amount }: Link,
  ending: Ending,
  method: string,
  payment: string,
  now: number,
): Promise<void> {
  const failed = ending === 'failed';
  const type = failed ? 'payment.failed' : 'payment.paid';
  const reason = failed ? 'The bank of the payer has declined' : '';
  const fee = Math.floor(amount / FEE);
  const data = { reference, payment, amount, fee, method: means[method], reason };
  const body = JSON.stringify({
    id: `evt_${createHash('sha256')
      .update(payment + type)
      .digest('hex')
      .slice(0, 24)}`,
    type,
    at: now,
    data,
  });
  const mark = createHmac('sha256', PAYMENT_WEBHOOK_SECRET).update(`${now}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-payment-signature': `t=${now},v1=${mark}` };
  for (let times = ending === 'twice' ? 2 : 1; times > 0; times--)
    await fetch(notify, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) });
}

/** A payment gateway, pretended: links, a page on which one pays or is declined, and what it then tells. */
export function paymentGateway(app: FastifyInstance, clock: () => Date): void {
  app.get('/payments/account', async (request, reply) =>
    isLetIn(request) ? { account: 'sandbox' } : reply.status(401).send({ error: 'unknown key' }),
  );
  app.post('/payments/links', async (request, reply) => {
    if (!isLetIn(request)) return reply.status(401).send({ error: 'unknown key' });
    if (!isLink(request.body)) return reply.status(400).send({ error: 'not a link' });
    const { reference, amount, description, methods, returnTo, notify } = request.body;
    return reply.status(201).send({ id: idOf({ reference, amount, description, methods, returnTo, notify }) });
  });
  app.get<{ Querystring: { link?: string } }>('/payments/pay', async ({ query: { link: id = '' } }, reply) => {
    const link = linkOf(id);
    if (!link) return reply.status(404).send({ error: 'no such link' });
    const nonce = randomBytes(16).toString('base64');
    reply.header('Content-Security-Policy', `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'`);
    return reply.type('text/html').send(page(id, link, nonce));
  });
  app.post<{ Querystring: { link?: string }; Body: { readonly ending?: string; readonly method?: string } }>(
    '/payments/pay',
    async ({ query: { link: id = '' }, body }, reply) => {
      const link = linkOf(id);
      const ending = body?.ending ?? '';
      const method = body?.method ?? link?.methods[0] ?? '';
      // what the merchant does not take cannot be paid by
      if (link && !link.methods.includes(method)) return reply.status(400).send({ error: 'not by this means' });
      if (!link || !Object.hasOwn(endings, ending)) return reply.status(404).send({ error: 'no such link' });
      // a link is paid once: paying it again is the same payment
      const payment = `pay_${createHash('sha256').update(id).digest('hex').slice(0, 20)}`;
      await tell(link, ending as Ending, method, payment, clock().getTime()).catch(() => undefined);
      return reply.redirect(link.returnTo, 303);
    },
  );
}
