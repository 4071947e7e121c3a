import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startDatabase } from '../../server/kit/database/embedded-database.ts';
import { migrate, root } from '../../server/kit/database/migrate.ts';

interface Running {
  readonly ownerUrl: string;
  readonly url: string;
  end(): Promise<void>;
}

// the projects of one run share one server: each project runs this file in the same process
const shared = globalThis as typeof globalThis & {
  bahiTestServer?: { starting: Promise<Running>; users: number } | undefined;
};

const MEMORY = '/dev/shm';
/** A run makes and drops more than a hundred databases of 13 MB, at most a few at a time, and may not fill the memory. */
const ROOM = 6 * 1024 ** 3;

/** In memory, where there is enough of it: a database is cloned there in a fifth of the time. Else on the disk. */
function folder(): string {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    fs.accessSync(MEMORY, fs.constants.W_OK);
    if (bavail * bsize > ROOM && os.freemem() > ROOM) return MEMORY;
  } catch {
    // there is none
  }
  return os.tmpdir();
}

/** Whether a run that was killed has left this: its database has ended, or was never begun. */
function isLeft(home: string): boolean {
  try {
    const pid = Number(fs.readFileSync(`${home}/data/postmaster.pid`, 'utf8').split('\n')[0]);
    return !fs.existsSync(`/proc/${pid}`);
  } catch {
    return Date.now() - fs.statSync(home).mtimeMs > 600_000; // or it may just be made
  }
}

/** Takes what killed runs have left out of the memory. */
function clearAway(): void {
  if (folder() !== MEMORY) return;
  for (const name of fs.readdirSync(MEMORY).filter((each) => each.startsWith('bahi-test-'))) {
    const home = path.join(MEMORY, name);
    try {
      if (isLeft(home)) fs.rmSync(home, { recursive: true, force: true });
    } catch {
      // another account has left it, or another run was faster
    }
  }
}

/** Builds what has changed, as it is built for people: what the tests' own process is set to would make another product of it. */
function built(): void {
  const { NODE_ENV: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root(), 'tools/build.mjs')], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The product could not be built: ${stdout}${stderr}`);
}

async function start(): Promise<Running> {
  clearAway();
  built(); // programs and pages are tried as they ship
  const home = fs.mkdtempSync(path.join(folder(), 'bahi-test-'));
  fs.chmodSync(home, 0o755);
  const database = await startDatabase({ home, durable: false });
  const end = async () => {
    await database.stop();
    fs.rmSync(home, { recursive: true, force: true });
  };
  try {
    await migrate(database.ownerUrl);
    const client = new pg.Client({ connectionString: database.ownerUrl.replace('/bahi?', '/template1?') });
    await client.connect();
    await client.query('create database template_bahi template bahi strategy wal_log');
    await client.end();
  } catch (error) {
    await end();
    throw error;
  }
  return { ...database, end };
}

/** One PostgreSQL for the run, with one migrated template that every test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.bahiTestServer ??= { starting: start(), users: 0 };
  const mine = shared.bahiTestServer;
  mine.users += 1;
  const running = await mine.starting;
  project.provide('ownerUrl', running.ownerUrl);
  project.provide('appUrl', running.url);
  return async () => {
    mine.users -= 1;
    if (mine.users > 0) return;
    shared.bahiTestServer = undefined;
    await running.end();
  };
}
