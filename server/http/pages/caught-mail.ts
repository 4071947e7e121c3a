import { randomBytes } from 'node:crypto';
import http from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Said, say } from '../../../domain/base/say.ts';
import { page } from '../../identity/pages.ts';
import { type Html, html } from '../../kit/html.ts';
import { isNear } from '../../kit/near.ts';
import type { Catcher, Caught } from '../../mail/index.ts';

const style = `main{width:min(980px,calc(100vw - 24px));margin:24px 0}table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:8px 10px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-size:12px;color:var(--muted);white-space:nowrap}
body{place-items:start center}.scroll{overflow-x:auto}td.when{white-space:nowrap;font-variant-numeric:tabular-nums}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:16px 0;padding:16px;border:1px solid var(--line);border-radius:6px}
a{color:inherit;display:inline-block;min-height:24px}ul{list-style:none;margin:0;padding:0}
h2{font-size:15px;margin:0 0 8px}
@media(max-width:600px){main{padding:20px}.scroll thead{position:absolute;clip-path:inset(50%)}
.scroll tr{display:block;padding:8px 0;border-bottom:1px solid var(--line)}
.scroll td{display:block;padding:2px 0;border:0}.when{color:var(--muted)}}`;
const policy = (nonce: string) =>
  `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const moment = new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', dateStyle: 'medium', timeStyle: 'medium' });

/**
 * The mails that were caught, on pages without scripts, for who asks on this machine itself: what a proxy passes on is refused, and
 * so is another site that makes its name point here.
 */
export function mountCaughtMail(app: FastifyInstance, catcher: Catcher, publicUrl: string): void {
  const { host } = new URL(publicUrl);
  const show = (reply: FastifyReply, title: Said | string, body: Html, status = 200) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .status(status)
      .header('Content-Security-Policy', policy(nonce))
      .header('Cache-Control', 'no-store')
      .type('text/html')
      .send(page(title, body, nonce, style));
  };
  const gone = (reply: FastifyReply) =>
    show(
      reply,
      say('There is no such mail'),
      html`
<p>${say('It may be one of the older ones, which are no longer kept.')}</p>
${allMails()}`,
      404,
    );
  const find = ({ number }: { readonly number: string }) =>
    catcher.mails().find((mail) => String(mail.number) === number);
  const guard = async (request: FastifyRequest, reply: FastifyReply) => {
    return isNear(request) && request.headers.host === host ? undefined : gone(reply);
  };
  app.get('/dev/mail', { preHandler: guard }, async (_request, reply) =>
    show(reply, say('Caught mail'), list(catcher.mails())),
  );
  app.get<{ Params: { number: string } }>('/dev/mail/:number', { preHandler: guard }, async (request, reply) => {
    const mail = find(request.params);
    return mail ? show(reply, mail.message.header('subject') || say('(no subject)'), one(mail)) : gone(reply);
  });
  app.get<{ Params: { number: string; place: string } }>(
    '/dev/mail/:number/:place',
    { preHandler: guard },
    async (request, reply) => {
      const file = find(request.params)?.message.attachments[Number(request.params.place) - 1];
      if (!file) return gone(reply);
      return reply
        .header('Content-Security-Policy', policy('none'))
        .header('Cache-Control', 'no-store')
        .header('Cross-Origin-Resource-Policy', 'same-origin')
        .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
        .type(file.type === 'application/pdf' ? file.type : 'application/octet-stream')
        .send(file.bytes);
    },
  );
}

/** The same pages on a port of this machine, for the processes of an installation to show. Answers its address. */
export async function serveCaughtMail(
  catcher: Catcher,
  publicUrl: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const app = Fastify();
  mountCaughtMail(app, catcher, publicUrl);
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() };
}

/**
 * Shows the pages that another process of this installation serves, to the same requests; the name under which they
 * were asked for goes along.
 */
export function relayCaughtMail(app: FastifyInstance, at: string): void {
  const relay = (request: FastifyRequest, reply: FastifyReply) =>
    new Promise<FastifyReply>((answered, failed) => {
      http
        .get(new URL(request.url, at), { headers: { host: request.headers.host ?? '' } }, (answer) => {
          answered(
            reply
              .status(answer.statusCode ?? 502)
              .headers(answer.headers)
              .send(answer),
          );
        })
        .once('error', failed);
    });
  const guard = async (request: FastifyRequest, reply: FastifyReply) =>
    isNear(request) ? undefined : reply.callNotFound();
  for (const path of ['/dev/mail', '/dev/mail/:number', '/dev/mail/:number/:place'])
    app.get(path, { preHandler: guard }, relay);
}

const allMails = (): Html => html`<p><a href="/dev/mail">${say('All mails')}</a></p>`;

const files = (count: number): Said | undefined =>
  count === 0 ? undefined : count === 1 ? say('1 file') : say('{{count}} files', { count });

const row = ({ number, at, recipients, message }: Caught): Html => html`
<tr>
  <td class="when">${moment.format(at)}</td>
  <td>${recipients.join(', ')}</td>
  <td><a href="/dev/mail/${number}">${message.header('subject') || say('(no subject)')}</a></td>
  <td>${files(message.attachments.length)}</td>
</tr>`;

function list(mails: readonly Caught[]): Html {
  const rule = say('Mails of the product are kept here and not sent; they are deleted when the product stops.');
  if (mails.length === 0) return html`<p>${say('No mail yet.')} ${rule}</p>`;
  return html`
<p>${rule}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${say('Mails')}">
<table>
<thead>
  <tr>
    <th scope="col">${say('Caught')}</th>
    <th scope="col">${say('To')}</th>
    <th scope="col">${say('Subject')}</th>
    <th scope="col">${say('Files')}</th>
  </tr>
</thead>
<tbody>${mails.map(row)}</tbody>
</table>
</div>`;
}

function one({ number, recipients, message }: Caught): Html {
  const heads = (['From', 'To', 'Cc', 'Reply-To', 'Date', 'Message-ID'] as const)
    .map((name) => [name, message.header(name)] as const)
    .filter(([, value]) => value !== '');
  const rows = [...heads, [say('Handed to'), recipients.join(', ')] as const].map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  );
  const attached = message.attachments.map(
    ({ name, bytes }, at) =>
      html`<li><a href="/dev/mail/${number}/${at + 1}">${name}</a> ${Math.ceil(bytes.length / 1024)} kB</li>`,
  );
  return html`
${allMails()}
<table><tbody>${rows}</tbody></table>
<pre>${message.text}</pre>
${attached.length > 0 && html`<h2>${say('Attached')}</h2><ul>${attached}</ul>`}`;
}
