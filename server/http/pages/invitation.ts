import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { say } from '../../../domain/base/say.ts';
import { forgotPassword } from '../../identity/forgotten.ts';
import { openLink, takeUpLink } from '../../identity/links.ts';
import { forgottenPage, linkPage, openingPage, sentencePage } from '../../identity/pages.ts';
import type { Books } from '../../kit/database/sql.ts';

interface Typed {
  readonly token?: string;
  readonly password?: string;
  readonly again?: string;
}

/** The pages of a one-time link. Reading one uses nothing up: mail programs look at links before people do. */
export function mountInvitation(
  app: FastifyInstance,
  {
    books,
    canMail,
    policy,
  }: { readonly books: Books; readonly canMail: boolean; readonly policy: (nonce: string) => string },
): void {
  const show = (reply: FastifyReply, status: number, draw: (nonce: string) => string) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .status(status)
      .header('Content-Security-Policy', policy(nonce))
      .header('Cache-Control', 'no-store')
      .type('text/html')
      .send(draw(nonce));
  };
  app.get('/invitation', async (_request, reply) =>
    show(reply, 200, (nonce) => openingPage(say('Sign-in link'), '/invitation', nonce)),
  );
  app.post<{ Body: Typed }>(
    '/invitation',
    { config: { rateLimit: { max: 20, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const token = String(request.body?.token ?? '');
      const link = token ? await openLink(books, token) : undefined;
      if (!link)
        return show(reply, 404, (nonce) =>
          sentencePage(
            say('This link opens nothing'),
            say('It was used already, is too old, or a newer one was made: ask your administrator for another.'),
            ['/', say('To the start')],
            nonce,
          ),
        );
      const { password, again } = request.body;
      if (password === undefined) return show(reply, 200, (nonce) => linkPage(nonce, token, link, undefined));
      const wrong = await takeUpLink(books, token, link, String(password), String(again ?? ''));
      if (wrong) return show(reply, 422, (nonce) => linkPage(nonce, token, link, wrong));
      return show(reply, 200, (nonce) =>
        sentencePage(
          say('All is set'),
          say('Sign in as {{email}} with your password.', { email: link.email }),
          ['/api/session/SignIn', say('Sign in')],
          nonce,
        ),
      );
    },
  );
  if (!canMail) return;
  app.get('/forgotten', async (_request, reply) => show(reply, 200, forgottenPage));
  app.post<{ Body: { readonly email?: string } }>(
    '/forgotten',
    { config: { rateLimit: { max: 5, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const email = String(request.body?.email ?? '')
        .trim()
        .slice(0, 254);
      await forgotPassword(books, email);
      return show(reply, 200, (nonce) =>
        sentencePage(
          say('Look into your mail'),
          say(
            'When somebody signs in with this e-mail, a link to set a new password is on its way there. It opens once, within a day.',
          ),
          ['/', say('To the start')],
          nonce,
        ),
      );
    },
  );
}
