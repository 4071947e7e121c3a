import cluster from 'node:cluster';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { PortalPlace } from '../einvoice/index.ts';
import { serveCaughtMail } from '../http/pages/caught-mail.ts';
import { setupLink } from '../http/pages/setup.ts';
import { newSigningKey } from '../identity/provider.ts';
import { prepareJobs } from '../jobs/index.ts';
import { systemClock } from '../kit/clock.ts';
import { refuseOtherEncoding, refuseUnsafeDatabase, unreachableDatabase, warningsOf } from '../kit/database/durable.ts';
import type { Beginning } from '../kit/database/embedded-database.ts';
import { type Checkpoints, lostCheckpoints, openCheckpoints, restoredBefore } from '../kit/secrets/checkpoints.ts';
import { vault } from '../kit/secrets/secrets.ts';
import { type Catcher, catchMail } from '../mail/index.ts';
import { DEMO_PASSWORD } from '../organisation/demo.ts';
import { upgrade } from '../organisation/index.ts';
import { lockDemoAccounts, makeDemoBooks, openDemoAccounts } from './demo-books.ts';
import { type Log, makeLog } from './log.ts';
import { type ServerOptions, startServer } from './server.ts';
import { openKeyFile, type Settings } from './settings.ts';
import { startWorkers } from './workers.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Where the database is, and the process of ours that serves it when it is the embedded one. */
export interface Opened {
  readonly url: string;
  readonly ownerUrl: string;
  readonly folder: string;
  /** The master key. */
  readonly key: Buffer;
  readonly database: Beginning | undefined;
}

/** The portal that is named, with its keys as files, for it publishes none; the stand-in where that is asked for; or none. */
function portalOf({ irp, sandbox }: Settings): 'sandbox' | PortalPlace | undefined {
  if (!irp) return sandbox ? 'sandbox' : undefined;
  const { url, loginKeyFile, signingKeysFile, way, headers } = irp;
  const key = (file: string) => async () => fs.promises.readFile(file, 'utf8');
  return {
    url,
    headers,
    way: { url: way.url, loginKey: key(way.loginKeyFile) },
    loginKey: key(loginKeyFile),
    signingKeys: async () => JSON.parse(await fs.promises.readFile(signingKeysFile, 'utf8')).keys,
  };
}

/** The settings of a worker: addresses of everything that this process has opened or made. */
const asWorker = (
  settings: Settings,
  opened: { readonly url: string; readonly ownerUrl: string; readonly folder: string },
  key: Buffer,
  caught: { readonly smtpUrl: string; readonly url: string } | undefined,
) => ({
  WORKERS: '1',
  DATABASE_URL: opened.url,
  DATABASE_OWNER_URL: opened.ownerUrl,
  DATA_DIR: opened.folder,
  MASTER_KEY: key.toString('hex'),
  MASTER_KEY_FILE: '',
  BAHI_DEMO: '0',
  PUBLIC_URL: settings.publicUrl,
  SANDBOX: settings.sandbox ? '1' : '0',
  SIGN_UP: settings.signUp,
  BAHI_TRIED_OUT: settings.triedOut ? '1' : '',
  BAHI_DEMO_HERE: settings.demo ? '1' : '',
  ...(caught && { SMTP_URL: caught.smtpUrl, BAHI_CAUGHT_AT: caught.url }),
});

/** What is pretended here or lacking, a line each: the start prints them. */
export function pretended({ publicUrl, sandbox, irp, catchMail, smtpUrl, signUp }: Settings): readonly string[] {
  return [
    ...(sandbox ? ['Portals and payments are stand-ins: no IRN, e-way bill or payment made here is real'] : []),
    ...(sandbox || irp
      ? []
      : ['There is no invoice portal (IRP_URL): invoices get no IRN, and there are no e-way bills']),
    ...(catchMail
      ? [
          `Mail goes nowhere, it is caught at ${publicUrl}/dev/mail: every account of this machine can read it, links for passwords too`,
        ]
      : []),
    ...(catchMail || smtpUrl ? [] : ['There is no mail server (SMTP_URL): nothing is mailed']),
    ...(signUp === 'open' ? ['Anybody with a confirmed e-mail address may found an organisation (SIGN_UP=open)'] : []),
  ];
}

/** Progress on one line of a terminal; in a file one line a month. */
function showProgress(): (done: string) => void {
  if (process.stdout.isTTY) return (done) => void process.stdout.write(`\rMaking the demo books: ${done}`);
  let shown = '';
  return (done) => {
    const month = done.slice(0, -5);
    if (month !== shown) say(`Making the demo books: ${month.trim()}`);
    shown = month;
  };
}

/** Fails at once where another program has the port. */
const proveFree = ({ host, port }: Settings): Promise<void> =>
  new Promise((free, failed) => {
    const probe = net.createServer();
    probe.once('error', failed);
    probe.listen({ host, port }, () => probe.close(() => free()));
  });

/** What asks the database first says it when that cannot be reached. */
const reached = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    const said = unreachableDatabase(error);
    throw said === undefined ? error : new Error(said, { cause: error });
  });

/** Milliseconds that a worker has for the end beside the seconds in which it still answers. */
const STOPPING = 30_000;

/** What is found or made while the database is prepared. */
interface Preparation {
  /** A first start will need a key: it is made while the database migrates. */
  signing?: Promise<string>;
  /** Demo accounts that are locked because other machines reach this server. */
  locked: readonly string[];
  /** What is wrong when the database was restored to a state before the last checkpoint. */
  older?: string | undefined;
}

/** Tests alone have a database that waits for no disk. */
const mayNotLose = (): boolean => process.env.BAHI_UNSAFE_DATABASE !== '1';

/** Brings the database to the present schema, and makes what a first start makes. A worker finds all that done. */
async function prepare(
  settings: Settings,
  { url, ownerUrl, key, database }: Opened,
  { checkpoints, log, prepared }: { checkpoints: Checkpoints; log: Log['failed']; prepared: Preparation },
): Promise<void> {
  const isFirst = !cluster.isWorker;
  await database?.running;
  if (database?.fresh && settings.workers === 1 && !settings.oidc) prepared.signing = newSigningKey();
  if (settings.databaseUrl && isFirst) await reached(() => refuseOtherEncoding(ownerUrl));
  if (isFirst && mayNotLose()) await refuseUnsafeDatabase(url, ownerUrl);
  if (isFirst) await Promise.all([upgrade(ownerUrl), prepareJobs(ownerUrl, log)]);
  // before anything is written: what is sealed from here on could reach past the checkpoints
  if (isFirst) prepared.older = await restoredBefore(ownerUrl, checkpoints);
  await database?.onDisk;
  if (settings.demo) await makeDemoBooks({ url, ownerUrl, vault: vault(key), progress: showProgress() });
  if (settings.reachable && isFirst) prepared.locked = await lockDemoAccounts(ownerUrl);
}

/** Lines that the start prints once the product answers. */
async function announce(
  settings: Settings,
  { ownerUrl, folder }: Opened,
  checkpoints: Checkpoints,
  { locked, older }: Preparation,
): Promise<void> {
  say(`\n  Bahi is ready at ${settings.publicUrl}`);
  const demo = settings.demo ? await openDemoAccounts(ownerUrl) : [];
  if (demo.length > 0) say(`  Sign in as ${demo.join(', ')} with the password ${DEMO_PASSWORD}`);
  if (locked[0])
    say(
      `  The demo accounts (${locked.join(', ')}) are locked, for their password is published and other machines reach ` +
        `this server: to use one with a password of its own, run: npm run operator -- --password-link ${locked[0]}`,
    );
  for (const line of pretended(settings)) say(`  ${line}`);
  const warnings = [
    ...(settings.databaseUrl ? await warningsOf(ownerUrl) : []),
    openKeyFile(settings, folder),
    await lostCheckpoints(ownerUrl, checkpoints),
    older,
  ];
  for (const warning of warnings) if (warning) say(`  Warning: ${warning}`);
  const first = await setupLink(ownerUrl, settings.publicUrl);
  if (first) say(`  There is no organisation yet. This link makes the first one, once, within 24 hours:\n  ${first}`);
  say(`  Data: ${settings.databaseUrl ? 'the database of DATABASE_URL' : folder}\n`);
}

/** The server of this process, as the settings say. */
const serverOptions = (
  settings: Settings,
  { url, ownerUrl, key }: Opened,
  log: Log,
): Omit<ServerOptions, 'prepared' | 'catcher' | 'signingKey' | 'checkpoints'> => ({
  url,
  ownerUrl,
  masterKey: key,
  formerKeys: settings.formerKeys,
  publicUrl: settings.publicUrl,
  host: settings.host,
  port: settings.port,
  clock: systemClock,
  oidc: settings.oidc,
  organisationClaim: settings.organisationClaim,
  watchDatabase: mayNotLose(),
  signUp: settings.signUp,
  irp: portalOf(settings),
  sandboxControls: settings.triedOut,
  demo: settings.demoHere,
  trustProxy: settings.trustProxy,
  metricsToken: settings.metricsToken,
  drainSeconds: settings.drainSeconds,
  postingCache: settings.postingCache,
  jobs: true,
  smtpUrl: settings.smtpUrl,
  caughtAt: settings.caughtAt,
  checkAnswers: process.env.NODE_ENV === 'development',
  log: log.failed,
  answered: log.answered,
  ...(cluster.isWorker && { connections: 8 }),
});

interface Stopped {
  stop(): Promise<void>;
}

/** What this process has started: a signal ends it, and the database after it. */
interface Started {
  running?: Stopped;
  pages?: Stopped | undefined;
  catcher?: Catcher | undefined;
}

async function stopDatabase({ database }: Opened): Promise<void> {
  const running = await database?.running.catch(() => undefined);
  await running?.stop();
}

function stopOnSignals(started: Started, opened: Opened): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    if (!cluster.isWorker) say('\n  Bahi is stopping: open requests are answered, then the database is closed');
    await started.running?.stop();
    await started.pages?.stop();
    await started.catcher?.stop();
    await stopDatabase(opened);
    if (!cluster.isWorker) say('  Bahi has stopped\n');
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop());
}

/** Runs the product on a database that answers: migrates, makes what a first start makes, listens, and says so. */
export async function run(settings: Settings, opened: Opened): Promise<void> {
  const log = makeLog(settings.logLevel);
  const started: Started = {};
  // a terminal that is gone, or a disk for the log that is full: the books go on
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  stopOnSignals(started, opened);
  try {
    if (!cluster.isWorker) await proveFree(settings); // the demo books take a while to make
    const checkpoints = openCheckpoints(
      settings.checkpointFolder ?? path.join(opened.folder, 'checkpoints'),
      settings.checkpointKeyFile ?? path.join(opened.folder, 'checkpoint.key'),
    );
    const preparation: Preparation = { locked: [] };
    const prepared = prepare(settings, opened, { checkpoints, log: log.failed, prepared: preparation });
    prepared.catch(() => undefined); // who waits for it gets the error
    const catcher = settings.catchMail ? await catchMail(systemClock) : undefined;
    started.catcher = catcher;
    if (settings.workers > 1) {
      const pages = catcher && (await serveCaughtMail(catcher, settings.publicUrl));
      started.pages = pages;
      await prepared;
      const caught = catcher && pages && { smtpUrl: catcher.url, url: pages.url };
      const patience = settings.drainSeconds * 1000 + STOPPING;
      started.running = await startWorkers(settings.workers, asWorker(settings, opened, opened.key, caught), patience);
    } else {
      started.running = await startServer({
        ...serverOptions(settings, opened, log),
        prepared,
        catcher,
        signingKey: () => preparation.signing ?? newSigningKey(),
        checkpoints,
      });
    }
    if (cluster.isWorker) return void process.send?.({ ready: true });
    await announce(settings, opened, checkpoints, preparation);
  } catch (error) {
    await stopDatabase(opened);
    throw error;
  }
}
