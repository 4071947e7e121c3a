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
import { lostCheckpoints, openCheckpoints, restoredBefore } from '../kit/secrets/checkpoints.ts';
import { vault } from '../kit/secrets/secrets.ts';
import { type Catcher, catchMail } from '../mail/index.ts';
import { DEMO_PASSWORD } from '../organisation/demo.ts';
import { upgrade } from '../organisation/index.ts';
import { lockDemoAccounts, makeDemoBooks, openDemoAccounts } from './demo-books.ts';
import { makeLog } from './log.ts';
import { startServer } from './server.ts';
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

/** Progress on one line of a terminal; in a file only that it goes on. */
function telling(): (done: string) => void {
  if (process.stdout.isTTY) return (done) => void process.stdout.write(`\rMaking the demo books: ${done}`);
  let told = '';
  return (done) => {
    const month = done.slice(0, -5);
    if (month !== told) say(`Making the demo books: ${month.trim()}`);
    told = month;
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

/** Runs the product on a database that answers: migrates, makes what a first start makes, listens, and says so. */
export async function run(settings: Settings, opened: Opened): Promise<void> {
  const log = makeLog(settings.logLevel);
  // tests alone have a database that waits for no disk
  const mayNotLose = process.env.BAHI_UNSAFE_DATABASE !== '1';
  let stopping = false;
  let running: { stop(): Promise<void> } | undefined;
  let catcher: Catcher | undefined;
  let pages: { readonly url: string; stop(): Promise<void> } | undefined;
  const ended = async () => {
    const database = await opened.database?.running.catch(() => undefined);
    await database?.stop();
  };
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await running?.stop();
    await pages?.stop();
    await catcher?.stop();
    await ended();
    process.exit(0);
  };
  // a terminal that is gone, or a disk for the log that is full: the books go on
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop());
  try {
    const { key } = opened;
    // a first start will need a key: it is made while the database migrates
    let signing: Promise<string> | undefined;
    let locked: readonly string[] = [];
    let older: string | undefined;
    const prepare = async () => {
      await opened.database?.running;
      if (opened.database?.fresh && settings.workers === 1 && !settings.oidc) signing = newSigningKey();
      if (settings.databaseUrl && !cluster.isWorker) await reached(() => refuseOtherEncoding(opened.ownerUrl));
      if (!cluster.isWorker && mayNotLose) await refuseUnsafeDatabase(opened.url, opened.ownerUrl);
      if (!cluster.isWorker) await Promise.all([upgrade(opened.ownerUrl), prepareJobs(opened.ownerUrl, log.failed)]);
      // before anything is written: what is sealed from here on could reach past the checkpoints
      if (!cluster.isWorker) older = await restoredBefore(opened.ownerUrl, checkpoints);
      await opened.database?.onDisk;
      if (settings.demo)
        await makeDemoBooks({ url: opened.url, ownerUrl: opened.ownerUrl, vault: vault(key), progress: telling() });
      if (settings.reachable && !cluster.isWorker) locked = await lockDemoAccounts(opened.ownerUrl);
    };
    if (!cluster.isWorker) await proveFree(settings); // the demo books take a while to make
    const prepared = prepare();
    prepared.catch(() => undefined); // told to whoever waits for it
    const checkpoints = openCheckpoints(
      settings.checkpointFolder ?? path.join(opened.folder, 'checkpoints'),
      settings.checkpointKeyFile ?? path.join(opened.folder, 'checkpoint.key'),
    );
    catcher = settings.catchMail ? await catchMail(systemClock) : undefined;
    pages = catcher && settings.workers > 1 ? await serveCaughtMail(catcher, settings.publicUrl) : undefined;
    if (settings.workers > 1) await prepared;
    running =
      settings.workers > 1
        ? await startWorkers(
            settings.workers,
            asWorker(settings, opened, key, catcher && pages && { smtpUrl: catcher.url, url: pages.url }),
            settings.drainSeconds * 1000 + STOPPING,
          )
        : await startServer({
            url: opened.url,
            ownerUrl: opened.ownerUrl,
            prepared,
            masterKey: key,
            formerKeys: settings.formerKeys,
            publicUrl: settings.publicUrl,
            host: settings.host,
            port: settings.port,
            clock: systemClock,
            oidc: settings.oidc,
            organisationClaim: settings.organisationClaim,
            watchDatabase: mayNotLose,
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
            catcher,
            signingKey: () => signing ?? newSigningKey(),
            caughtAt: settings.caughtAt,
            checkpoints,
            checkAnswers: process.env.NODE_ENV === 'development',
            log: log.failed,
            answered: log.answered,
            ...(cluster.isWorker && { connections: 8 }),
          });
    if (cluster.isWorker) return void process.send?.({ ready: true });
    say(`\n  Bahi is ready at ${settings.publicUrl}`);
    const demo = settings.demo ? await openDemoAccounts(opened.ownerUrl) : [];
    if (demo.length > 0) say(`  Sign in as ${demo.join(', ')} with the password ${DEMO_PASSWORD}`);
    if (locked[0])
      say(
        `  The demo accounts (${locked.join(', ')}) are locked, for their password is published and other machines reach this server: to use one with a password of its own, run: npm run operator -- --password-link ${locked[0]}`,
      );
    for (const line of pretended(settings)) say(`  ${line}`);
    if (settings.databaseUrl) for (const warning of await warningsOf(opened.ownerUrl)) say(`  Warning: ${warning}`);
    const openKey = openKeyFile(settings, opened.folder);
    if (openKey) say(`  Warning: ${openKey}`);
    const lost = await lostCheckpoints(opened.ownerUrl, checkpoints);
    if (lost) say(`  Warning: ${lost}`);
    if (older) say(`  Warning: ${older}`);
    const first = await setupLink(opened.ownerUrl, settings.publicUrl);
    if (first) say(`  There is no organisation yet. This link makes the first one, once, within 24 hours:\n  ${first}`);
    say(`  Data: ${settings.databaseUrl ? 'the database of DATABASE_URL' : opened.folder}\n`);
  } catch (error) {
    await ended();
    throw error;
  }
}
