// biome-ignore-all format: rows
import cluster from 'node:cluster';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { serveCaughtMail } from './caught-mail.ts';
import { makeDemoBooks } from './demo-books.ts';
import type { PortalPlace } from './einvoice/index.ts';
import { newSigningKey } from './identity/provider.ts';
import { prepareJobs } from './jobs/index.ts';
import { openCheckpoints } from './kit/checkpoints.ts';
import { systemClock } from './kit/clock.ts';
import type { Beginning } from './kit/embedded-database.ts';
import { migrate } from './kit/migrate.ts';
import { vault } from './kit/secrets.ts';
import { makeLog } from './log.ts';
import { type Catcher, catchMail } from './mail/index.ts';
import { DEMO_PASSWORD } from './organisation/demo.ts';
import { startServer } from './server.ts';
import { masterKey, type Settings } from './settings.ts';
import { setupLink } from './setup.ts';
import { startWorkers } from './workers.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Where the database is, and the process of ours that serves it when it is the embedded one. */
export interface Opened {
  readonly url: string;
  readonly ownerUrl: string;
  readonly folder: string;
  readonly database: Beginning | undefined;
}

/** What a database must have so that what was acknowledged is there after a crash, and a broken page is found. */
const SAFE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', data_sync_retry: 'off' } as const;

/** A database that may lose what it has acknowledged is refused: the books would be right until the power fails. */
export async function refuseUnsafeDatabase(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: keyof typeof SAFE; setting: string }>('select name, setting from pg_settings where name = any($1)', [Object.keys(SAFE)]);
    const isSafe = ({ name, setting }: (typeof rows)[number]) => setting === SAFE[name] || (name === 'synchronous_commit' && ['remote_write', 'remote_apply'].includes(setting));
    const wrong = rows.filter((row) => !isSafe(row)).map(({ name, setting }) => `${name} is ${setting}, not ${SAFE[name]}`);
    if (wrong.length > 0) throw new Error(`The database of DATABASE_URL may lose what it has acknowledged: ${wrong.join(', ')}.`);
  } finally {
    await client.end();
  }
}

/** The sandbox, unless another portal is named; its keys are files, for it publishes none. */
function portalOf({ irp }: Settings): 'sandbox' | PortalPlace {
  if (!irp) return 'sandbox';
  const { url, loginKeyFile, signingKeysFile, way, headers } = irp;
  const key = (file: string) => async () => fs.promises.readFile(file, 'utf8');
  return { url, headers, way: { url: way.url, loginKey: key(way.loginKeyFile) }, loginKey: key(loginKeyFile), signingKeys: async () => JSON.parse(await fs.promises.readFile(signingKeysFile, 'utf8')).keys };
}

/** What a worker is told: everything that this process has opened or made stands in its settings. */
const asWorker = (settings: Settings, opened: { readonly url: string; readonly ownerUrl: string; readonly folder: string }, key: Buffer, caught: { readonly smtpUrl: string; readonly url: string } | undefined) => ({
  WORKERS: '1', DATABASE_URL: opened.url, DATABASE_OWNER_URL: opened.ownerUrl, DATA_DIR: opened.folder, MASTER_KEY: key.toString('hex'), MASTER_KEY_FILE: '', BAHI_DEMO: '0', PUBLIC_URL: settings.publicUrl,
  ...(caught && { SMTP_URL: caught.smtpUrl, BAHI_CAUGHT_AT: caught.url }),
});

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

/** Runs the product on a database that answers: migrates, makes what a first start makes, listens, and says so. */
export async function run(settings: Settings, opened: Opened): Promise<void> {
  const log = makeLog(settings.logLevel);
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
    const key = masterKey(settings, opened.folder);
    // a first start will need a key: it is made while the database migrates
    let signing: Promise<string> | undefined;
    const prepare = async () => {
      await opened.database?.running;
      if (opened.database?.fresh && settings.workers === 1 && !settings.oidc) signing = newSigningKey();
      if (settings.databaseUrl && !cluster.isWorker && process.env.BAHI_UNSAFE_DATABASE !== '1') await refuseUnsafeDatabase(opened.ownerUrl);
      if (!cluster.isWorker) await Promise.all([migrate(opened.ownerUrl), prepareJobs(opened.ownerUrl, log.failed)]);
      await opened.database?.onDisk;
      if (settings.demo) await makeDemoBooks({ url: opened.url, ownerUrl: opened.ownerUrl, vault: vault(key), progress: telling() });
    };
    const prepared = prepare();
    prepared.catch(() => undefined); // told to whoever waits for it
    const checkpoints = openCheckpoints(settings.checkpointFolder ?? path.join(opened.folder, 'checkpoints'), settings.checkpointKeyFile ?? path.join(opened.folder, 'checkpoint.key'));
    catcher = settings.catchMail ? await catchMail(systemClock) : undefined;
    pages = catcher && settings.workers > 1 ? await serveCaughtMail(catcher, settings.publicUrl) : undefined;
    if (settings.workers > 1) await prepared;
    running = settings.workers > 1
      ? await startWorkers(settings.workers, asWorker(settings, opened, key, catcher && pages && { smtpUrl: catcher.url, url: pages.url }))
      : await startServer({
        url: opened.url, ownerUrl: opened.ownerUrl, prepared, masterKey: key, formerKeys: settings.formerKeys, publicUrl: settings.publicUrl, host: settings.host, port: settings.port, clock: systemClock, oidc: settings.oidc,
        organisationClaim: settings.organisationClaim, irp: portalOf(settings), jobs: true, smtpUrl: settings.smtpUrl, catcher, signingKey: () => signing ?? newSigningKey(), caughtAt: settings.caughtAt, checkpoints, checkAnswers: process.env.NODE_ENV === 'development', log: log.failed, answered: log.answered,
        ...(cluster.isWorker && { connections: 8 }),
      });
    if (cluster.isWorker) return void process.send?.({ ready: true });
    say(`\n  Bahi is ready at ${settings.publicUrl}`);
    if (settings.demo) say(`  Sign in as owner@sharma.demo, accountant@sharma.demo, viewer@sharma.demo or owner@nova.demo, password ${DEMO_PASSWORD}`);
    if (catcher) say(`  Mail goes nowhere, it is caught at ${settings.publicUrl}/dev/mail`);
    const first = await setupLink(opened.ownerUrl, settings.publicUrl);
    if (first) say(`  There is no organisation yet. This link makes the first one, once, within 24 hours:\n  ${first}`);
    say(`  Data: ${settings.databaseUrl ? 'the database of DATABASE_URL' : opened.folder}\n`);
  } catch (error) {
    await ended();
    throw error;
  }
}
