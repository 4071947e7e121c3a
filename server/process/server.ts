import type { FastifyInstance } from 'fastify';
import type Provider from 'oidc-provider';
import type pg from 'pg';
import { todayIn } from '../../domain/base/dates.ts';
import { type Keys, mountSandbox } from '../../sandbox/index.ts';
import {
  abandonedRevaluations,
  type Poster,
  poster,
  postingCache,
  revalueStock,
  withoutCache,
} from '../documents/index.ts';
import { ABANDONED, noPortal, type PortalPlace, portalAt, registerInvoice, signingKeysOf } from '../einvoice/index.ts';
import { makeWayBill, noWayPortal, ABANDONED as WAY_ABANDONED, type WayDesk, wayPortalAt } from '../eway/index.ts';
import { makeApp } from '../http/app.ts';
import { allHandlers } from '../http/calls.ts';
import { type Change, hub } from '../http/events.ts';
import { cookieName } from '../http/handle.ts';
import { type Limits, limits, pacer } from '../http/load.ts';
import { forgottenPassword } from '../identity/index.ts';
import { CLIENT, issuer, issuerKeys } from '../identity/provider.ts';
import { abandonedImports, workOnImport } from '../imports/index.ts';
import { type Jobs, startJobs, type Tasks } from '../jobs/index.ts';
import { type Clock, moment } from '../kit/clock.ts';
import { refuseWeakRole } from '../kit/database/application-role.ts';
import { watchDatabase } from '../kit/database/durable.ts';
import { openBooks, openPool } from '../kit/database/sql.ts';
import { sweepEachHour } from '../kit/database/sweep.ts';
import { Later } from '../kit/later.ts';
import { isNear } from '../kit/near.ts';
import { type Checkpoints, dailyCheckpoints } from '../kit/secrets/checkpoints.ts';
import { proveKey, renewSecrets } from '../kit/secrets/renew.ts';
import { type Vault, vault } from '../kit/secrets/secrets.ts';
import { securityLog } from '../kit/secrets/security-log.ts';
import { abandonedMails, type Catcher, mailTask, type PostOffice, postOffice } from '../mail/index.ts';
import { abandonedPayments, type PaymentDesk, receivePayment, sandboxPayments } from '../payments/index.ts';
import { dueRecurring, makeRecurring } from '../recurring/index.ts';
import { sessions, signInClient } from '../session/index.ts';
import { dueWebhooks, oldDeliveries, sendWebhook } from '../webhooks/index.ts';
import { type Bus, startBus } from './bus.ts';
import { drain } from './drain.ts';
import type { Log } from './log.ts';
import type { SignUp } from './settings.ts';

export interface ServerOptions {
  readonly url: string;
  readonly ownerUrl: string;
  /** When the database has its tables; without it, it has them. What needs none is made meanwhile. */
  readonly prepared?: Promise<void>;
  readonly masterKey: Buffer;
  /** Keys that were the master key before: what is sealed under them is sealed anew. */
  readonly formerKeys?: readonly Buffer[];
  readonly publicUrl: string;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly oidc: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | undefined;
  /** Where a signing key of the embedded issuer comes from that is not there yet, when it was begun before. */
  readonly signingKey?: (() => Promise<string>) | undefined;
  readonly organisationClaim: string;
  /** The invoice portal: the stand-in that is mounted under /sandbox, or another with its keys; without it nothing is registered. */
  readonly irp: 'sandbox' | PortalPlace | undefined;
  /** Whether programs of this machine may see the stand-in's keys and order misbehaviour of it. */
  readonly sandboxControls?: boolean;
  /** Who may found an organisation; left out: whoever belongs to one. */
  readonly signUp?: SignUp;
  /** Whether the demo organisations are here. */
  readonly demo?: boolean;
  /** Addresses and networks whose X-Forwarded-For counts; without a list no such header counts. */
  readonly trustProxy?: readonly string[];
  /** What a reader of /metrics proves itself by; without it only this machine reads them, and nobody when there is a proxy. */
  readonly metricsToken?: string | undefined;
  /** How long it still answers after the signal to stop, while /readyz says that it is stopping. */
  readonly drainSeconds?: number;
  /** `false` posts every document without the cache of postings. */
  readonly postingCache?: boolean;
  /** Whether it is asked again and again that the database loses nothing, each so many milliseconds where that is said. */
  readonly watchDatabase?: boolean | number;
  /** Milliseconds after which the stand-in's answer is given up; tests wait less. */
  readonly patience?: number;
  /** Whether this process runs the jobs; without them nothing goes to the outside world. */
  readonly jobs: boolean;
  /** The most connections for calls, when several processes share what the database allows. */
  readonly connections?: number;
  /** Where mail goes, or who catches it and shows it at /dev/mail. With neither there is no mail. */
  readonly smtpUrl?: string | undefined;
  readonly catcher?: Catcher | undefined;
  /** Where another process of this installation shows what it caught for all of them. */
  readonly caughtAt?: string | undefined;
  /** Where the edit log is signed once a day; without it nothing is signed. */
  readonly checkpoints?: Checkpoints;
  /** Other limits of what may be asked at a time than the product's own. */
  readonly limits?: Limits;
  readonly checkAnswers: boolean;
  readonly log: (message: string, details: object) => void;
  /** One line a request, when somebody listens. */
  readonly answered?: Log['answered'];
}

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** What is made while the server starts, after what refers to it. */
interface Started {
  keys?: Awaited<ReturnType<typeof issuerKeys>> | undefined;
  bus?: Bus;
  jobs?: Jobs;
  sandboxKeys?: Keys;
}

/** Wires the modules by hand and listens; the only place that knows them all. */
export async function startServer(options: ServerOptions): Promise<Running> {
  const now = () => options.clock.now();
  const books = openBooks(options.url, options.connections);
  const owner = openPool({ connectionString: options.ownerUrl, max: 2 });
  const keeper: Vault = vault(options.masterKey, options.formerKeys);
  const started: Started = {};
  const embedded = options.oidc === undefined;
  const issuerUrl = options.oidc?.issuer ?? `${options.publicUrl}/identity`;
  const client = signInOf(options, started, issuerUrl);
  const all = sessions(books, keeper, client, options.clock);
  const watch = options.watchDatabase
    ? watchDatabase(options, options.log, options.watchDatabase === true ? undefined : options.watchDatabase)
    : undefined;
  const isSafe = () => watch?.isSafe() !== false;
  const live = hub();
  const going = drain();
  // who may do what, and where, holds from the next call on
  const received: Announce = (organisation, what) => {
    if (what.session) all.forgetEveryone();
    live.publish(organisation, what);
  };
  const announce: Announce = (organisation, what) => {
    received(organisation, what);
    there(started.bus).tell(organisation, what);
  };
  const changed = (organisation: number) => announce(organisation, { changed: true });
  const mailUrl = options.smtpUrl ?? options.catcher?.url;
  const post = mailUrl === undefined ? undefined : postOffice(mailUrl, options.publicUrl);
  const { installed, ...portals } = portalsOf(options, started);
  const desk: WayDesk = { books, vault: keeper, installed, ...portals, changed, now };
  const { publicUrl } = options;
  const payments: PaymentDesk = { books, vault: keeper, providers: paymentProviders(options), publicUrl, now, changed };
  const posting = poster(books.pool, { cache: options.postingCache === false ? withoutCache : postingCache() });
  const handlers = allHandlers({
    sessions: all,
    client,
    poster: posting,
    desk,
    payments,
    factors: { books, vault: keeper, now },
    publicUrl: options.publicUrl,
    embedded,
    post,
    checkpoints: options.checkpoints,
    installation: { portal: installed, demo: options.demo === true },
    founding: { owner, signUp: options.signUp ?? 'members' },
  });
  let provider: Promise<Provider> | undefined;
  const app = await makeApp({
    hub: live,
    drain: going,
    trustProxy: options.trustProxy ?? [],
    metricsToken: options.metricsToken,
    catcher: options.catcher,
    caughtAt: options.caughtAt,
    canMail: post !== undefined,
    signUp: options.signUp === 'open' ? post : undefined,
    demo: options.demo === true,
    payments,
    woken: () => started.jobs?.wake(),
    announce: (organisation, what) => {
      announce(organisation, what);
      started.jobs?.wake();
    },
    embedded,
    paced: pacer(options.limits ?? limits, now),
    tell: securityLog(books, now, options.log),
    books,
    owner,
    sessions: all,
    clock: options.clock,
    origin: new URL(options.publicUrl).origin,
    handlers,
    checkAnswers: options.checkAnswers,
    log: options.log,
    answered: options.answered ?? (() => undefined),
    publicUrl: options.publicUrl,
    cookie: cookieName(options.publicUrl),
    issuer: issuerUrl,
    provider: () => (provider ??= issuer(books.pool, options.publicUrl, there(started.keys), options.log)),
    client,
    vault: keeper,
    isSafe,
    ready: async () => !going.isGoing() && isSafe() && jobsRun(options, started) && (await answers(books.pool)),
  });
  const sandboxPool = options.irp === 'sandbox' ? await openSandbox(app, options, started) : undefined;
  await options.prepared;
  await provePrepared(options, owner, keeper);
  [started.keys, started.bus] = await Promise.all([
    embedded ? issuerKeys(books.pool, keeper, options.signingKey) : undefined,
    startBus(options.url, received, options.log),
  ]);
  await app.listen({ host: options.host, port: options.port });
  if (options.jobs)
    started.jobs = await startJobs({
      ownerUrl: options.ownerUrl,
      tasks: whileSafe(isSafe, tasksOf(options, { desk, payments, posting, post })),
      sweep: (pool) => due(pool, todayIn(now())),
      log: options.log,
    });
  const checkpoints = options.checkpoints && dailyCheckpoints(owner, options.checkpoints, now);
  const sealer = sealEachSecond(owner, options.log, checkpoints);
  const sweeper = sweepEachHour(owner, options.log);
  return {
    url: options.publicUrl,
    stop: async () => {
      // what has been posted is answered first; then nobody leaves work for the jobs any more, nor for the seal
      await going.begin(app.server, options.drainSeconds ?? 0, () => live.end());
      app.server.closeIdleConnections();
      setTimeout(() => app.server.closeAllConnections(), 1000).unref();
      await app.close();
      await started.jobs?.stop();
      await Promise.all([sealer.stop(), sweeper.stop()]);
      watch?.stop();
      await started.bus?.stop();
      await Promise.all([books.end(), owner.end(), sandboxPool?.end()]);
    },
  };
}

/** Tells pages and processes what has changed, in one organisation or in all. */
type Announce = (organisation: number | undefined, what: Change) => void;

/** The client of the issuer that signs people in: the embedded one, or that of the settings. */
const signInOf = (options: ServerOptions, started: Started, issuerUrl: string) =>
  signInClient({
    issuer: issuerUrl,
    askedAt: options.oidc ? undefined : `${ownAddress(options)}/identity`,
    clientId: options.oidc?.clientId ?? CLIENT,
    clientSecret: () => options.oidc?.clientSecret ?? there(started.keys).secret,
    publicUrl: options.publicUrl,
    claim: options.organisationClaim,
    now: () => options.clock.now(),
  });

/** The database has a safe role for us, and the master key is the one that sealed what is in it. */
async function provePrepared(options: ServerOptions, owner: pg.Pool, keeper: Vault): Promise<void> {
  await refuseWeakRole(options.url);
  await proveKey(owner, keeper);
  if (options.formerKeys?.length) await renewSecrets(owner, keeper);
}

const jobsRun = (options: ServerOptions, started: Started): boolean => !options.jobs || started.jobs?.alive() === true;

const answers = async (pool: pg.Pool): Promise<boolean> => (await pool.query('select 1')).rowCount === 1;

/** The invoice portal and the e-way bill portal: the stand-ins, real ones, or none. */
function portalsOf(
  options: ServerOptions,
  started: Started,
): Pick<WayDesk, 'installed' | 'portal' | 'ways' | 'signingKeys'> {
  const { irp, clock } = options;
  const place = irp === 'sandbox' ? sandboxAt(options, () => there(started.sandboxKeys)) : irp;
  if (!place) return { installed: 'none', portal: noPortal, ways: noWayPortal, signingKeys: async () => [] };
  return {
    installed: irp === 'sandbox' ? 'standIn' : 'real',
    portal: portalAt(place, clock),
    ways: wayPortalAt(place, clock),
    signingKeys: signingKeysOf(place),
  };
}

const paymentProviders = (options: ServerOptions): PaymentDesk['providers'] =>
  options.irp === 'sandbox'
    ? { sandbox: sandboxPayments(`${ownAddress(options)}/sandbox/payments`, `${options.publicUrl}/sandbox/payments`) }
    : {};

/** The stand-ins answer in this server, with connections of their own. */
async function openSandbox(app: FastifyInstance, options: ServerOptions, started: Started): Promise<pg.Pool> {
  const pool = openPool({ connectionString: options.ownerUrl, max: 4 });
  started.sandboxKeys = await mountSandbox(app, {
    database: pool,
    clock: () => moment(options.clock),
    opens: (request) => options.sandboxControls === true && isNear(request),
  });
  return pool;
}

/** What jobs do, by the name of the task. */
function tasksOf(
  { clock, publicUrl, irp }: ServerOptions,
  {
    desk,
    payments,
    posting,
    post,
  }: {
    readonly desk: WayDesk;
    readonly payments: PaymentDesk;
    readonly posting: Poster;
    readonly post: PostOffice | undefined;
  },
): Tasks {
  const { books, changed } = desk;
  // a mail that waits while there is no mail server goes out once there is one: nobody takes a job without a task
  const mailTasks = post && {
    mail: mailTask({ books, post, clock, trial: irp === 'sandbox', changed }),
    forgottenPassword: forgottenPassword({ books, post, publicUrl }),
  };
  return {
    registerInvoice: registerInvoice(desk),
    makeWayBill: makeWayBill(desk),
    revalueStock: revalueStock({ pool: books.pool, changed }),
    makeRecurring: makeRecurring({ books, poster: posting, clock, changed }),
    receivePayment: receivePayment({ ...payments, poster: posting }),
    workOnImport: workOnImport({ books, clock, changed }),
    sendWebhook: sendWebhook({ books, vault: desk.vault, clock, trial: irp === 'sandbox', changed }),
    ...mailTasks,
  };
}

/** What is made before the server listens, and asked for only afterwards. */
function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('asked for before the server listens');
  return value;
}

/** Where this server reaches itself: never over PUBLIC_URL, which may lead to a proxy elsewhere, or nowhere from here. */
function ownAddress({ host, port }: Pick<ServerOptions, 'host' | 'port'>): string {
  const near = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`;
}

/** The stand-in, as seen from this very machine. */
function sandboxAt(options: ServerOptions, keys: () => Keys): PortalPlace {
  const { patience } = options;
  return {
    url: `${ownAddress(options)}/sandbox`,
    loginKey: () => keys().loginKey(),
    signingKeys: () => keys().signingKeys(),
    ...(patience && { patience }),
  };
}

/** Nothing is written by jobs while the database may lose it: they wait. */
const whileSafe = (isSafe: () => boolean, tasks: Tasks): Tasks =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload: never) => {
        if (!isSafe()) throw new Later('the database may lose what it acknowledges');
        await task(payload);
      },
    ]),
  );

/** What was abandoned, and what has come due. */
async function due(owner: pg.Pool, today: string): Promise<void> {
  await abandoned(owner);
  await owner.query(dueRecurring, [today]);
}

/** What a process left on its way to a portal, and mails on theirs, when it died: another one takes it up. */
async function abandoned(owner: pg.Pool): Promise<void> {
  await owner.query(abandonedMails);
  await owner.query(abandonedRevaluations);
  await owner.query(abandonedPayments);
  await owner.query(abandonedImports);
  await owner.query(dueWebhooks);
  await owner.query(oldDeliveries);
  await owner.query(
    `
      insert into outbox (organisation, task, payload, key)
      select
        organisation, 'registerInvoice',
        jsonb_build_object('organisation', organisation, 'document', document), document::text
      from einvoices
      where state = 'sending' and updated_at < now() - make_interval(secs => $1)
    `,
    [ABANDONED],
  );
  await owner.query(
    `
      insert into outbox (organisation, task, payload, key)
      select
        organisation, 'makeWayBill',
        jsonb_build_object('organisation', organisation, 'document', document, 'bill', bill),
        document || '/' || bill
      from eway_bills
      where state = 'sending' and updated_at < now() - make_interval(secs => $1)
    `,
    [WAY_ABANDONED],
  );
}

/** The edit log is sealed about a second behind, by the owner; its callback gets the number of rows. */
function sealEachSecond(
  owner: pg.Pool,
  log: ServerOptions['log'],
  then: (sealed: number) => Promise<void> = async () => undefined,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let ended = false;
  const turn = () => {
    running = owner
      .query<{ sealed: number }>('select seal_finished() as sealed')
      .then(({ rows }) => then(rows[0]?.sealed ?? 0))
      .catch((error: unknown) => log('sealing failed', { error: String(error) }))
      .finally(() => {
        if (!ended) timer = setTimeout(turn, 1000);
      });
  };
  turn();
  return {
    stop: async () => {
      ended = true;
      clearTimeout(timer);
      await running;
    },
  };
}
