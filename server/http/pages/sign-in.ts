import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type pg from 'pg';
import { type Said, say } from '../../../domain/base/say.ts';
import { codePage, sentencePage, signInPage } from '../../identity/pages.ts';
import { checkPassword } from '../../identity/password.ts';
import { CLIENT } from '../../identity/provider.ts';
import { hasSecondFactor, personOfProof, proofOf, takeCode } from '../../identity/second-factor.ts';
import type { Clock } from '../../kit/clock.ts';
import { DEMO_PASSWORD, DEMO_PERSON } from '../../kit/secrets/new-password.ts';
import type { Vault } from '../../kit/secrets/secrets.ts';
import type { PostOffice } from '../../mail/index.ts';
import type { Flow, Sessions, SignInClient } from '../../session/index.ts';
import { cookieName } from '../handle.ts';
import { policy } from './page-policy.ts';

export interface SignInPages {
  readonly client: SignInClient;
  readonly vault: Vault;
  readonly sessions: Sessions;
  readonly books: { readonly pool: pg.Pool };
  readonly clock: Clock;
  /** Passwords are kept here, and the issuer is ours. */
  readonly embedded: boolean;
  readonly provider: () => Promise<Provider>;
  readonly canMail: boolean;
  /** Whether anybody may found an organisation. */
  readonly signUp: PostOffice | undefined;
  /** Whether this installation has the demo organisations. */
  readonly demo: boolean;
  readonly publicUrl: string;
  /** The name of the cookie of sessions. */
  readonly cookie: string;
  readonly log: (message: string, details: object) => void;
}

/** Signing in: to the issuer and back, and the issuer's own pages where it is ours. */
export function mountSignIn(app: FastifyInstance, pages: SignInPages): void {
  mountFlow(app, pages);
  if (pages.embedded) mountPasswordPages(app, pages);
}

/** What was kept in the browser when it left for the issuer; undefined when it is gone or not ours. */
function flowOf(vault: Vault, sealed: string | undefined): Flow | undefined {
  try {
    return sealed ? (JSON.parse(vault.open(Buffer.from(sealed, 'base64url'), 'flow')) as Flow) : undefined;
  } catch {
    return undefined;
  }
}

/** The way to the issuer and back, with a session at its end. */
function mountFlow(
  app: FastifyInstance,
  { client, vault, sessions, embedded, demo, publicUrl, cookie, log }: SignInPages,
): void {
  const secure = publicUrl.startsWith('https:');
  const kept = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const FLOW = cookieName(publicUrl, 'flow');
  const sorry = (reply: FastifyReply, status: number, text: Said) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .status(status)
      .clearCookie(FLOW, kept)
      .header('Content-Security-Policy', policy(nonce, ''))
      .type('text/html')
      .send(sentencePage(say('Sign-in did not work'), text, ['/', say('Back to the start')], nonce));
  };
  app.get<{ Querystring: { readonly demo?: string } }>('/api/session/SignIn', async ({ query }, reply) => {
    const begun = await client
      .begin(demo && query.demo !== undefined ? DEMO_PERSON : undefined)
      .catch((error: unknown) => void log('the issuer cannot be asked', { error: String(error) }));
    if (!begun) return sorry(reply, 503, say('The sign-in service does not answer: try again in a moment.'));
    return reply
      .setCookie(FLOW, vault.seal(JSON.stringify(begun.flow), 'flow').toString('base64url'), { ...kept, maxAge: 600 })
      .redirect(begun.url);
  });
  app.get('/callback', async (request, reply) => {
    const flow = flowOf(vault, request.cookies[FLOW]);
    // opened by itself it leads to the sign-in; an answer without its question is no sign-in, and asking again would go round
    const { code, error } = request.query as { readonly code?: string; readonly error?: string };
    if (!flow && code === undefined && error === undefined) return reply.redirect('/api/session/SignIn');
    if (!flow) return sorry(reply, 403, say('The sign-in page was open too long.'));
    // the issuer says no, or what came back is not what was sent out
    const finished = await client
      .finish(new URL(request.url, publicUrl), flow)
      .catch((error: unknown) => void log('a sign-in was not finished', { error: String(error) }));
    if (!finished) return sorry(reply, 403, say('The sign-in could not be finished.'));
    const session = await sessions.begin(
      finished.identity,
      finished.tokens,
      embedded,
      String(request.headers['user-agent'] ?? ''),
      request.ip,
    );
    if (!session) return sorry(reply, 403, say('No organisation has invited you yet.'));
    return reply
      .clearCookie(FLOW, kept)
      .setCookie(cookie, session, { ...kept, maxAge: 12 * 3600 })
      .redirect('/layout/Home');
  });
}

interface Typed {
  readonly email?: string;
  readonly password?: string;
  readonly proof?: string;
  readonly code?: string;
}
/** What follows from a form: a page is drawn, or the person enters, by these methods (RFC 8176). */
type Outcome =
  | { readonly status: number; readonly draw: (nonce: string) => string }
  | { readonly person: string; readonly methods: string[] };

/** The pages of the embedded issuer: password, then the code of the second factor. */
function mountPasswordPages(app: FastifyInstance, pages: SignInPages): void {
  const { provider } = pages;
  const interactionOf = async (request: FastifyRequest, reply: FastifyReply) =>
    (await provider()).interactionDetails(request.raw, reply.raw).catch(() => undefined);
  const show = (reply: FastifyReply, status: number, draw: (nonce: string) => string) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .status(status)
      .header('Content-Security-Policy', policy(nonce, ''))
      .type('text/html')
      .send(draw(nonce));
  };
  app.get<{ Params: { uid: string } }>('/sign-in/:uid', async (request, reply) => {
    const details = await interactionOf(request, reply);
    if (!details) return reply.redirect('/');
    const { login_hint: proposed } = details.params;
    return show(
      reply,
      200,
      passwordForm(pages, details.uid, pages.demo && proposed === DEMO_PERSON ? DEMO_PERSON : ''),
    );
  });
  app.post<{ Params: { uid: string }; Body: Typed }>('/sign-in/:uid', async (request, reply) => {
    const details = await interactionOf(request, reply);
    if (!details || details.params.client_id !== CLIENT) return reply.redirect('/');
    const { uid } = details;
    const outcome =
      request.body.proof === undefined
        ? await passwordGiven(pages, uid, request.body, request.ip)
        : await codeGiven(pages, uid, request.body, request.ip);
    if ('draw' in outcome) return show(reply, outcome.status, outcome.draw);
    const login = { accountId: outcome.person, amr: outcome.methods };
    return reply.redirect(await (await provider()).interactionResult(request.raw, reply.raw, { login }), 303);
  });
}

const passwordForm =
  ({ canMail, signUp, demo }: SignInPages, uid: string, email: string, wrong?: Said) =>
  (nonce: string): string => {
    const isDemo = demo && email === DEMO_PERSON && wrong === undefined;
    return signInPage(uid, nonce, {
      ...{ email, wrong, canMail, mayFound: signUp !== undefined },
      ...(isDemo && { demoPassword: DEMO_PASSWORD }),
    });
  };

const factorsOf = ({ books, vault, clock }: SignInPages) => ({ books, vault, now: () => clock.now() });

async function passwordGiven(
  pages: SignInPages,
  uid: string,
  { email: typed = '', password = '' }: Typed,
  from: string,
): Promise<Outcome> {
  const { pool } = pages.books;
  const email = String(typed).trim();
  const result = await checkPassword(pool, email, String(password), from);
  if (!('person' in result)) return { status: 401, draw: passwordForm(pages, uid, email, result.wrong) };
  const { person } = result;
  if (!(await hasSecondFactor(pool, person))) return { person, methods: ['pwd'] };
  const proof = proofOf(factorsOf(pages), person, uid);
  return { status: 200, draw: (nonce) => codePage(uid, nonce, proof, undefined) };
}

async function codeGiven(pages: SignInPages, uid: string, { proof, code = '' }: Typed, from: string): Promise<Outcome> {
  const factors = factorsOf(pages);
  const person = personOfProof(factors, String(proof), uid);
  if (!person) {
    const wrong = say('The password was typed too long ago: please type it again.');
    return { status: 401, draw: passwordForm(pages, uid, '', wrong) };
  }
  const wrong = await takeCode(factors, person, String(code), from);
  return wrong
    ? { status: 401, draw: (nonce) => codePage(uid, nonce, String(proof), wrong) }
    : { person, methods: ['pwd', 'otp'] };
}
