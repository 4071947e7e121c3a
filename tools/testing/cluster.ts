import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Database, startDatabase } from '../../server/kit/database/embedded-database.ts';
import { migrate } from '../../server/kit/database/migrate.ts';
import type { TestDatabase } from './database.ts';

/** A PostgreSQL of a test's own, that waits for the disk as the product's does: it may be killed, filled, copied and broken. */
export interface Cluster extends TestDatabase {
  readonly home: string;
  /** Kills every process of it, as a machine that loses its power but keeps what is in the memory of the system. */
  kill(): void;
  /** Asks as who may everything. */
  asSuperuser<T extends pg.QueryResultRow>(text: string): Promise<T[]>;
  stop(): Promise<void>;
}

export const newHome = (): string => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-cluster-'));
  fs.chmodSync(home, 0o755);
  return home;
};

/** One question on a connection of its own. */
export async function askAt<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts what lies there, or makes it. The folder stays: whoever made it clears it away. */
export async function cluster(home: string): Promise<Cluster> {
  const database: Database = await startDatabase({ home });
  await migrate(database.ownerUrl);
  const pool = (url: string, max: number) => {
    const made = new pg.Pool({ connectionString: url, max });
    made.on('error', () => undefined);
    made.on('connect', (client) => client.on('error', () => undefined));
    return made;
  };
  const [owner, app] = [pool(database.ownerUrl, 4), pool(database.url, 4)];
  const stop = async () => {
    await Promise.all([owner.end(), app.end()]);
    await database.stop();
  };
  return {
    ...{ home, owner, app, stop, url: database.url, ownerUrl: database.ownerUrl },
    drop: stop,
    kill: () => {
      const file = `${home}/data/postmaster.pid`;
      const postmaster = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : 0;
      if (postmaster === 0) return;
      const isOurs = (pid: string) => {
        try {
          return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[3] === String(postmaster);
        } catch {
          return false;
        }
      };
      const said = (pid: number): string => {
        try {
          return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      };
      // the number of a process that has ended is given to another one later
      if (!said(postmaster).includes(`${home}/data`)) return;
      const children = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name));
      for (const pid of [postmaster, ...children.map(Number)]) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // it has just ended by itself
        }
      }
    },
    asSuperuser: (text) => askAt(database.ownerUrl.replace('bahi_owner', 'postgres'), text),
  };
}
