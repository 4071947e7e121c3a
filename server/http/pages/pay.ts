import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { moneyText } from '../../../domain/base/decimal.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import { openingPage, page, sentencePage } from '../../identity/pages.ts';
import { html } from '../../kit/html.ts';
import {
  type Due,
  digestOf,
  dueOf,
  gatewayOf,
  hear,
  NoAnswer,
  type PaymentDesk,
  webhookOf,
} from '../../payments/index.ts';

interface Typed {
  readonly token?: string;
}
interface Opened {
  readonly organisation: number;
  readonly id: string;
  readonly made_by: string;
  readonly code: string;
  readonly document: string;
  readonly due: Due;
}

/** Indian grouping: 12,34,567.50. */
const grouped = (text: string): string => text.replace(/(\d)(?=(\d\d)+\d(\.|$))/g, '$1,');

/** What a link opens: nothing when it was taken back or never was. */
async function opened({ books }: PaymentDesk, token: string): Promise<Opened | undefined> {
  const { rows } = await books.pool.query<{ organisation: number; id: string; made_by: string }>(
    'select organisation, id, made_by from payment_link_called($1)',
    [digestOf(token)],
  );
  const [link] = rows;
  if (!link) return undefined;
  return books.inTransaction({ organisation: link.organisation, user: link.made_by }, async (trx) => {
    const { rows: found } = await sql<{
      code: string;
      document: string;
    }>`
      select o.code, l.document
      from payment_links l
      join organisations o using (organisation)
      where l.organisation = ${link.organisation} and l.id = ${link.id}::uuid
    `.execute(trx);
    const [more] = found;
    const due = more && (await dueOf(trx, link.organisation, more.document));
    return more && due && { ...link, ...more, due };
  });
}

/** The page behind a payment link, for whoever has it and without a session, and the address to which the gateway reports payments. */
export function mountPay(
  app: FastifyInstance,
  desk: PaymentDesk,
  woken: () => void,
  policy: (nonce: string, elsewhere: string) => string,
): void {
  const show = (reply: FastifyReply, status: number, draw: (nonce: string) => string) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .status(status)
      .header('Content-Security-Policy', policy(nonce, ''))
      .header('Cache-Control', 'no-store')
      .type('text/html')
      .send(draw(nonce));
  };
  const tell = (reply: FastifyReply, status: number, title: Said | string, text: Said) =>
    show(reply, status, (nonce) => page(title, html`<p>${text}</p>`, nonce));
  const nothing = (reply: FastifyReply) =>
    tell(
      reply,
      404,
      say('This link opens nothing'),
      say('It was withdrawn, or a part of it is missing: ask the sender.'),
    );
  const patience = { config: { rateLimit: { max: 30, timeWindow: '1 minute' } } };
  app.get('/pay', async (_request, reply) => show(reply, 200, (nonce) => openingPage(say('Payment'), '/pay', nonce)));
  app.get('/pay/done', async (_request, reply) =>
    tell(
      reply,
      200,
      say('Thank you'),
      say('As soon as the payment is confirmed it is booked. You can close this page.'),
    ),
  );
  app.post<{ Body: Typed }>('/pay', patience, async (request, reply) => {
    const token = String(request.body?.token ?? '');
    const link = await opened(desk, token);
    if (!link) return nothing(reply);
    const { number, open, cancelled, irnCancelled } = link.due;
    if (cancelled || irnCancelled)
      return tell(reply, 200, number, say('This invoice is cancelled: there is nothing to pay.'));
    if (open === 0) return tell(reply, 200, number, say('This invoice is paid. Thank you.'));
    const sum = `₹ ${grouped(moneyText(open))}`;
    const form = html`
<p>${say('To be paid')}</p>
<p><strong>${sum}</strong></p>
<form method="post" action="/pay/now">
  <input type="hidden" name="token" value="${token}">
  <button type="submit">${say('Pay {{sum}}', { sum })}</button>
</form>`;
    // the form leads on to the gateway, wherever that is
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('Content-Security-Policy', policy(nonce, '').replace(/form-action [^;]*/, "form-action 'self' https:"))
      .header('Cache-Control', 'no-store')
      .type('text/html')
      .send(page(number, form, nonce));
  });
  app.post<{ Body: Typed }>('/pay/now', patience, async (request, reply) => {
    const link = await opened(desk, String(request.body?.token ?? ''));
    if (!link) return nothing(reply);
    const { number, open, cancelled, irnCancelled } = link.due;
    if (cancelled || irnCancelled || open === 0)
      return tell(reply, 200, number, say('There is nothing to pay any more.'));
    const way = await gatewayPage(desk, link);
    if (way === 'none') return nothing(reply);
    return way === 'noAnswer' ? show(reply, 503, noAnswerPage) : reply.redirect(way.address, 303);
  });
  mountWebhook(app, desk, woken);
}

const noAnswerPage = (nonce: string): string =>
  sentencePage(
    say('Not just now'),
    say('The payment service does not answer. Nothing was paid: please try again in a moment.'),
    ['/pay', say('Back')],
    nonce,
  );

/** Where the gateway takes the payment of a link. */
async function gatewayPage(
  desk: PaymentDesk,
  { organisation, made_by, id, code, due }: Opened,
): Promise<{ readonly address: string } | 'none' | 'noAnswer'> {
  const gateway = await desk.books.inTransaction({ organisation, user: made_by }, (trx) =>
    gatewayOf(desk, trx, organisation),
  );
  if (!gateway) return 'none';
  const asked = {
    reference: id,
    amount: due.open,
    description: due.number,
    methods: gateway.methods,
    returnTo: `${desk.publicUrl}/pay/done`,
    notify: webhookOf(desk, code),
  };
  try {
    return { address: await gateway.provider.pageFor(gateway.keys, asked) };
  } catch (error) {
    if (error instanceof NoAnswer) return 'noAnswer';
    throw error;
  }
}

/** Where the gateway reports payments. */
function mountWebhook(app: FastifyInstance, desk: PaymentDesk, woken: () => void): void {
  void app.register(async (scope) => {
    // the signature is over the very bytes
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: 64 * 1024 },
      (_request, body, done) => done(null, String(body)),
    );
    scope.post<{ Params: { code: string }; Body: string }>(
      '/webhooks/payments/:code',
      { config: { rateLimit: { max: 600, timeWindow: '1 minute' } } },
      async ({ params, headers, body }, reply) => {
        const heard = await hear(desk, params.code, { headers, body: typeof body === 'string' ? body : '' });
        if (heard === 'taken') woken();
        return reply.status(heard === 'taken' ? 200 : 401).send({ taken: heard === 'taken' });
      },
    );
  });
}
