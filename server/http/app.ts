import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import serveStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { Refusal } from '../../contract/errors.ts';
import { preferences } from '../../contract/session.ts';
import { MOST_BYTES } from '../../contract/size.ts';
import { root } from '../kit/database/migrate.ts';
import { isNear } from '../kit/near.ts';
import { knocksIn } from '../kit/secrets/knocks.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import type { Catcher, PostOffice } from '../mail/index.ts';
import type { PaymentDesk } from '../payments/index.ts';
import type { Drain } from '../process/drain.ts';
import type { Log } from '../process/log.ts';
import { isLoopback } from '../process/settings.ts';
import { metricsOf } from '../process/workers.ts';
import type { SignInClient } from '../session/index.ts';
import { MOST_HELD, mountBodies, mountTexts } from './bodies.ts';
import type { Hub } from './events.ts';
import { mountCalls, mountRefusals, type Serving, sendRefusal, whoAsks } from './handle.ts';
import { mountCaughtMail, relayCaughtMail } from './pages/caught-mail.ts';
import { mountInvitation } from './pages/invitation.ts';
import { policy } from './pages/page-policy.ts';
import { mountPay } from './pages/pay.ts';
import { mountSetup } from './pages/setup.ts';
import { mountSignIn } from './pages/sign-in.ts';
import { mountSignUp } from './pages/sign-up.ts';

export interface AppOptions extends Omit<Serving, 'troubled'> {
  readonly publicUrl: string;
  /** Addresses and networks whose X-Forwarded-For counts. */
  readonly trustProxy: readonly string[];
  readonly metricsToken: string | undefined;
  /** The owner's rights: making the first organisation needs them. */
  readonly owner: pg.Pool;
  /** The embedded issuer, where there is one: its keys lie in the database, so it is there when the server listens, and not before. */
  readonly provider: () => Promise<Provider>;
  /** Where people sign in; forms may lead there. */
  readonly issuer: string;
  readonly client: SignInClient;
  readonly vault: Vault;
  readonly payments: PaymentDesk;
  /** Something was left for the jobs by another way than a call. */
  readonly woken: () => void;
  /** How addresses are confirmed of whoever founds an organisation; undefined: not anybody may. */
  readonly signUp: PostOffice | undefined;
  /** Whether this installation has the demo organisations. */
  readonly demo: boolean;
  /** Whether there is a mail server to send through. */
  readonly canMail: boolean;
  readonly ready: () => Promise<boolean>;
  readonly hub: Hub;
  readonly drain: Drain;
  readonly answered: Log['answered'];
  /** The mail catcher of a local installation: its mails are shown at /dev/mail. */
  readonly catcher: Catcher | undefined;
  /** Where another process of this installation shows what it caught. */
  readonly caughtAt: string | undefined;
}

/**
 * Who sends slowly, or nothing, holds no connection for long; a head is at most 16 KB. A proxy that keeps connections
 * for a minute never finds one closed.
 */
const PATIENCE: http.ServerOptions = {
  keepAliveTimeout: 72_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  maxHeaderSize: 16 * 1024,
};

/** The web server: calls, sign-in, the embedded issuer, the web app's files, health and metrics. */
export async function makeApp(options: AppOptions): Promise<FastifyInstance> {
  const { embedded, publicUrl } = options;
  let answer: ReturnType<Provider['callback']> | undefined;
  const issuer = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    answer ??= (await options.provider()).callback();
    await answer(request, response);
  };
  const app = Fastify({
    bodyLimit: MOST_BYTES,
    trustProxy: options.trustProxy.length > 0 && [...options.trustProxy],
    // an address that is no text
    frameworkErrors: (_error, _request, reply) => sendRefusal(reply, new Refusal('unreadable')),
    routerOptions: { ignoreTrailingSlash: false },
    serverFactory: (handler) =>
      http.createServer(PATIENCE, (request, response) => {
        options.drain.sees(request, response);
        if (embedded && request.url?.startsWith('/identity/')) {
          if (request.url.includes('%00')) return refuseText(response);
          const incoming = request as typeof request & { originalUrl?: string };
          incoming.originalUrl = request.url;
          request.url = request.url.slice('/identity'.length);
          if (publicUrl.startsWith('https:')) request.headers['x-forwarded-proto'] = 'https';
          request.headers.host = new URL(publicUrl).host;
          issuer(request, response).catch((error: unknown) => {
            options.log('the issuer could not answer', { error: String(error) });
            response.destroy();
          });
        } else handler(request, response);
      }),
  });
  await app.register(cookie);
  // bodies that come packed are not unpacked: nobody could say how much they will hold
  await app.register(compress, { threshold: 1024, globalDecompression: false });
  await app.register(rateLimit, { global: false, store: knocksIn(options.books.pool) });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const typed = Object.fromEntries(new URLSearchParams(String(body)));
    const isReadable = !Object.entries(typed)
      .flat()
      .some((text) => text.includes('\0'));
    done(isReadable ? null : Object.assign(new Error('NUL in a form'), { statusCode: 400 }), typed);
  });
  app.addHook('onRequest', async (request, reply) => {
    const place = otherName(publicUrl, request);
    if (place !== undefined) await reply.redirect(place, 302);
  });
  app.addHook('onSend', async (request, reply) => {
    reply
      .header('X-Content-Type-Options', 'nosniff')
      .header('Referrer-Policy', 'same-origin')
      .header('Cross-Origin-Opener-Policy', 'same-origin')
      .header('Cross-Origin-Resource-Policy', 'same-origin')
      .header('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
    if (publicUrl.startsWith('https:')) reply.header('Strict-Transport-Security', 'max-age=31536000');
    // what is no file of the web app is kept by nobody, and is no page that could run anything
    if (request.url.startsWith('/assets/') && reply.statusCode === 200) return;
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
    if (!reply.hasHeader('Content-Security-Policy'))
      reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  });
  const serving: Serving = { ...options, troubled: meter(app, options) };
  mountTexts(app);
  mountBodies(app, { most: MOST_HELD, isKnown: async (request) => (await whoAsks(serving, request)) !== undefined });
  mountRefusals(app, serving);
  mountCalls(app, serving);
  options.hub.mount(app, options.sessions, options.cookie);
  mountSignIn(app, options);
  if (embedded)
    mountInvitation(app, { books: options.books, canMail: options.canMail, policy: (nonce) => policy(nonce, '') });
  mountSetup(app, { books: options.books, owner: options.owner, embedded, policy: (nonce) => policy(nonce, '') });
  if (options.signUp)
    mountSignUp(app, {
      owner: options.owner,
      post: options.signUp,
      publicUrl,
      embedded,
      policy: (nonce) => policy(nonce, ''),
      log: options.log,
    });
  mountPay(app, options.payments, options.woken, policy);
  if (options.catcher) mountCaughtMail(app, options.catcher, publicUrl);
  else if (options.caughtAt) relayCaughtMail(app, options.caughtAt);
  webApp(app, options);
  return app;
}

/**
 * Where a page is that was asked for at another name of this machine than that of PUBLIC_URL: sign-in goes by PUBLIC_URL, and a
 * browser lets no form lead from one name to another (form-action). Only loopback has several names; a proxy has one.
 */
export function otherName(
  publicUrl: string,
  { method, url, headers }: Pick<http.IncomingMessage, 'method' | 'url' | 'headers'>,
): string | undefined {
  const { host = '', accept = '' } = headers;
  if ((method !== 'GET' && method !== 'HEAD') || !accept.includes('text/html')) return undefined;
  const own = new URL(publicUrl);
  const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (!asked || asked.hostname === own.hostname || asked.port !== own.port) return undefined;
  if (!isLoopback(asked.hostname) || !isLoopback(own.hostname)) return undefined;
  // an address that begins with two slashes names another machine
  return `${own.origin}/${(url ?? '').replace(/^[/\\]+/, '')}`;
}

/** The issuer's answer to an address that holds what no text may. */
const refuseText = (response: http.ServerResponse): void => {
  response.writeHead(400, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ error: 'invalid_request', error_description: 'the address holds NUL' }));
};

/** The web app: hashed files are kept for ever, the page itself never; an unknown asset is not found. */
function webApp(app: FastifyInstance, { sessions, issuer, embedded, cookie, signUp, demo }: AppOptions): void {
  const folder = path.join(root(), 'dist/web');
  const assets = path.join(folder, 'assets');
  if (fs.existsSync(assets))
    void app.register(serveStatic, { root: assets, prefix: '/assets/', immutable: true, maxAge: '365d', index: false });
  // asked for anew each time, so that a new build is seen; it may fetch what it keeps, and nothing else
  app.get('/till-worker.js', async (_request, reply) => {
    const worker = path.join(folder, 'till-worker.js');
    if (!fs.existsSync(worker)) return sendRefusal(reply, new Refusal('nothingHere'));
    return reply
      .header('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
      .header('Cache-Control', 'no-cache')
      .type('text/javascript')
      .send(fs.readFileSync(worker));
  });
  let html: string | undefined;
  app.setNotFoundHandler(async (request, reply) => {
    const url = request.url.split('?')[0] ?? '';
    // a screen has no dot in its name; what has one is a file, and not here
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && /^\/(?!\/|(api|assets|identity|sandbox)\/)[^.]*$/.test(url);
    const file = path.join(folder, 'index.html');
    if (!isPage || !fs.existsSync(file))
      return sendRefusal(reply, new Refusal(url.startsWith('/api/') ? 'unknownCall' : 'nothingHere'));
    html ??= fs.readFileSync(file, 'utf8');
    const session = request.cookies[cookie];
    const member = session ? await sessions.find(session) : undefined;
    const nonce = randomBytes(16).toString('base64');
    const boot = JSON.stringify({
      preferences: member ? preferences.parse(member.preferences ?? {}) : null,
      offers: { signUp: signUp !== undefined, demo },
    }).replaceAll('<', '\\u003c');
    return reply
      .header('Content-Security-Policy', policy(nonce, embedded ? '' : issuer))
      .header('Cache-Control', 'no-store')
      .type('text/html')
      .send(html.replaceAll('__NONCE__', nonce).replaceAll('__BOOT__', () => boot));
  });
}

/** Milliseconds for which a server is not ready after the disk of its database was full: reading works on, so nothing else tells. */
const FULL_FOR = 10_000;

/** Health and figures; what it gives back counts a trouble of the database. */
function meter(
  app: FastifyInstance,
  { ready, answered, metricsToken, trustProxy, publicUrl }: AppOptions,
): Serving['troubled'] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const times = new Histogram({
    name: 'http_request_seconds',
    help: 'Time of requests by route',
    labelNames: ['route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const failures = new Counter({ name: 'bugs_total', help: 'Requests that failed by a bug', registers: [registry] });
  const troubles = new Counter({
    name: 'database_troubles_total',
    help: 'Requests that the database could not answer: full (no space left), broken (a disk that fails), away',
    labelNames: ['sort'],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    times.observe({ route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    answered({ method: request.method, route, status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime) });
    if (reply.statusCode === 500) failures.inc();
  });
  const metrics = metricsOf(registry);
  // the process is alive, whatever its database does: who starts it again mends nothing there
  app.get('/healthz', async () => ({ ok: true }));
  let fullUntil = 0;
  const takes = async () => performance.now() >= fullUntil && (await ready());
  app.get('/readyz', async (_request, reply) =>
    (await takes().catch(() => false)) ? { ok: true } : reply.status(503).send({ ok: false }),
  );
  // figures of the operation are for this machine; where a proxy may stand on it, only for who has the token: one that passes
  // on with no header of its own and with another Host looks like a program of this machine
  const isProxied = trustProxy.length > 0 || publicUrl.startsWith('https:');
  const mayRead = (request: FastifyRequest) =>
    metricsToken === undefined
      ? !isProxied && isNear(request)
      : sameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`);
  app.get('/metrics', async (request, reply) =>
    mayRead(request)
      ? reply.type(registry.contentType).send(await metrics())
      : sendRefusal(reply, new Refusal('nothingHere')),
  );
  return (sort) => {
    troubles.inc({ sort });
    if (sort === 'full') fullUntil = performance.now() + FULL_FOR;
  };
}

/** In equal time, whatever they hold. */
const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
