import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type pg from 'pg';
import { type Said, say } from '../../../domain/base/say.ts';
import { signUpLetter } from '../../identity/letters.ts';
import { digestOf } from '../../identity/links.ts';
import { openingPage, page, sentencePage, wayOn } from '../../identity/pages.ts';
import { hashPassword } from '../../identity/password.ts';
import { html } from '../../kit/html.ts';
import { newId } from '../../kit/ids.ts';
import type { PostOffice } from '../../mail/index.ts';
import { foundAnother, readFirst } from '../../organisation/index.ts';
import { formPage, readyPage, type Typed } from './setup.ts';

export interface SignUpPages {
  /** The owner's rights: a new organisation has no members yet. */
  readonly owner: pg.Pool;
  readonly post: PostOffice;
  readonly publicUrl: string;
  /** Passwords are kept here. */
  readonly embedded: boolean;
  readonly policy: (nonce: string) => string;
  readonly log: (message: string, details: object) => void;
}

const isAddress = (text: string): boolean => /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254;

type Draw = (nonce: string) => string;

/**
 * Where anybody may found an organisation: the address is confirmed first, by a link that is mailed there. Who signs in here
 * already founds further ones from the menu. The same is answered for whatever address, so that nobody learns who exists.
 */
export function mountSignUp(app: FastifyInstance, pages: SignUpPages): void {
  const show = (reply: FastifyReply, status: number, draw: Draw) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .status(status)
      .header('Content-Security-Policy', pages.policy(nonce))
      .header('Cache-Control', 'no-store')
      .type('text/html')
      .send(draw(nonce));
  };
  const limited = (max: number) => ({ config: { rateLimit: { max, timeWindow: '1 minute' } } });

  app.get('/sign-up', async (_request, reply) => show(reply, 200, (nonce) => askPage(nonce, '', undefined)));
  app.post<{ Body: Typed | undefined }>('/sign-up', limited(5), async (request, reply) => {
    const email = String(request.body?.email ?? '').trim();
    if (!isAddress(email))
      return show(reply, 422, (nonce) => askPage(nonce, email, say('This is not an e-mail address')));
    await mailLink(pages, email);
    return show(reply, 200, mailedPage);
  });

  app.get('/sign-up/open', async (_request, reply) =>
    show(reply, 200, (nonce) => openingPage(say('New organisation'), '/sign-up/open', nonce)),
  );
  app.post<{ Body: Typed | undefined }>('/sign-up/open', limited(20), async (request, reply) => {
    const { status, draw } = await openLink(pages, request.body ?? {});
    return show(reply, status, draw);
  });
}

/** Mails a link to the address, at most one in two minutes. */
async function mailLink({ owner, post, publicUrl, log }: SignUpPages, email: string): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const { rows } = await owner.query<{ expires_at: Date }>(
    `insert into sign_in_links (digest, purpose, email, expires_at)
     select $1, 'signUp', $2, now() + interval '1 day'
      where not exists (
        select from sign_in_links l
         where l.purpose = 'signUp' and lower(l.email) = lower($2) and l.made_at > now() - interval '2 minutes')
     returning expires_at`,
    [digestOf(token), email],
  );
  if (!rows[0]) return;
  const letter = signUpLetter(`${publicUrl}/sign-up/open#${token}`, rows[0].expires_at.toISOString());
  const sent = { id: newId(), senderName: 'Bahi', replyTo: undefined, to: [email], cc: [], papers: [], ...letter };
  await post.send(sent).catch(async (error: unknown) => {
    log('a link to sign up could not be mailed', { error: String(error) });
    await owner.query('delete from sign_in_links where digest = $1', [digestOf(token)]);
  });
}

/** The address of a link that still opens, and whether somebody signs in by it already. */
async function addressOf(
  owner: pg.Pool,
  link: Buffer,
): Promise<{ readonly email: string; readonly known: boolean } | undefined> {
  const { rows } = await owner.query<{ email: string; known: boolean }>(
    `
      select
        l.email,
        exists (
          select from people p
          where lower(p.email) = lower(l.email) and (p.password_hash is not null or p.subject is not null)
        ) as known
      from sign_in_links l
      where l.digest = $1 and l.purpose = 'signUp' and l.used_at is null and l.expires_at > now()
    `,
    [link],
  );
  return rows[0];
}

/** What a link opens: the form of the new organisation, then, once that is filled in, the organisation itself. */
async function openLink(
  { owner, embedded }: SignUpPages,
  given: Typed,
): Promise<{ readonly status: number; readonly draw: Draw }> {
  const link = digestOf(String(given.token ?? ''));
  const open = await addressOf(owner, link);
  if (!open) return { status: 404, draw: nothingPage };
  const { email } = open;
  if (open.known) return { status: 200, draw: (nonce) => knownPage(nonce, email) };
  const typed: Typed = { ...given, email };
  const form = { title: say('New organisation'), action: '/sign-up/open', asksPassword: embedded, email };
  if (given.name === undefined) return { status: 200, draw: (nonce) => formPage(nonce, typed, [], form) };
  const first = readFirst(typed, embedded);
  if (!('name' in first)) return { status: 422, draw: (nonce) => formPage(nonce, typed, first, form) };
  const made = await foundAnother(owner, first, {
    name: first.person,
    email,
    accepted: true,
    passwordHash: embedded ? await hashPassword(first.password) : null,
    link,
  });
  const taken = [{ field: 'code', ...say('This code is taken: choose another') }];
  if (!made) return { status: 422, draw: (nonce) => formPage(nonce, typed, taken, form) };
  return { status: 200, draw: (nonce) => readyPage(nonce, first.name, email, embedded) };
}

const mailedPage: Draw = (nonce) =>
  sentencePage(
    say('Look into your mail'),
    say('A link to make your organisation is on its way there. It opens once, within a day.'),
    ['/', say('To the start')],
    nonce,
  );

const nothingPage: Draw = (nonce) =>
  sentencePage(
    say('This link opens nothing'),
    say('It was used already, or is older than a day.'),
    ['/sign-up', say('Ask for another')],
    nonce,
  );

const knownPage = (nonce: string, email: string): string =>
  sentencePage(
    say('You sign in here already'),
    say('Sign in as {{email}}, and choose “New organisation” in the user menu.', { email }),
    ['/api/session/SignIn', say('Sign in')],
    nonce,
  );

const askPage = (nonce: string, typed: string, wrong: Said | undefined): string =>
  page(
    say('New organisation'),
    html`
<p>${say('We mail a link to your address, with which you make the organisation.')}</p>
<form method="post" action="/sign-up">
  <label for="email">${say('Email')}</label>
  <input id="email" name="email" type="email" autocomplete="username" required autofocus maxlength="254"
    value="${typed}"${wrong && html` aria-invalid="true" aria-describedby="email-wrong"`}>
  ${wrong && html`<div class="bad" id="email-wrong">${wrong}</div>`}
  <button type="submit">${say('Mail the link')}</button>
</form>
${wayOn('/', say('To the start'))}`,
    nonce,
  );
