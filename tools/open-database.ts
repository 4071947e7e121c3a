import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { dataFolder, startDatabase } from '../server/kit/database/embedded-database.ts';
import { root } from '../server/kit/database/migrate.ts';

/** The database of an installation, for a tool beside its server. */
export interface OpenedDatabase {
  /** The address of the owner's role. */
  readonly url: string;
  /** The folder beside which everything else is kept. */
  readonly home: string;
  close(): Promise<void>;
}

const nothing = async () => undefined;

/**
 * Opens the database at the address given, else of DATABASE_OWNER_URL (also in `.env`), else the embedded one of DATA_DIR, whether
 * its server runs or not. Fails when there is none yet.
 */
export async function openDatabase(address?: string): Promise<OpenedDatabase> {
  const env = path.join(root(), '.env');
  if (fs.existsSync(env)) process.loadEnvFile(env);
  const given = address ?? process.env.DATABASE_OWNER_URL;
  const data = path.resolve(root(), process.env.DATA_DIR ?? '.data');
  if (given) return { url: given, home: data, close: nothing };
  const home = dataFolder(data, process.env.DATA_DIR !== undefined);
  if (!fs.existsSync(`${home}/data/PG_VERSION`)) throw new Error(`There is no database in ${home} yet: start once.`);
  const running = await runningAt(`${home}/data/postmaster.pid`);
  if (running) return { url: running, home, close: nothing };
  const database = await startDatabase({ home });
  return { url: database.ownerUrl, home, close: () => database.stop() };
}

/** The address of a server that is at work in this folder: it writes its port and socket's folder down. */
async function runningAt(file: string): Promise<string | undefined> {
  if (!fs.existsSync(file)) return undefined;
  const [, , , port, folder] = fs.readFileSync(file, 'utf8').split('\n');
  const url = `postgresql:///bahi?host=${encodeURIComponent(folder ?? '')}&port=${port}&user=bahi_owner`;
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return url;
  } catch {
    return undefined; // left over from a server that was killed
  }
}
