import fs from 'node:fs';
import { beginDatabase, dataFolder, isMade } from '../kit/database/embedded-database.ts';
import { nameSources } from '../kit/stacks.ts';
import type { Opened } from './run.ts';
import { dotEnv, masterKey, readSettings, type Settings } from './settings.ts';

/** Reads `.env` beside the package when there is one; what the environment says wins. */
const envFile = () => (fs.existsSync('.env') ? dotEnv(fs.readFileSync('.env', 'utf8')) : {});

function open(settings: Settings): Opened {
  if (settings.databaseUrl && settings.ownerUrl)
    return {
      ...{ url: settings.databaseUrl, ownerUrl: settings.ownerUrl, folder: settings.dataDir, database: undefined },
      key: masterKey(settings, settings.dataDir),
    };
  const folder = dataFolder(settings.dataDir, settings.dataDirGiven);
  const key = masterKey(settings, folder, isMade(`${folder}/data`)); // before anything is made or begun
  const database = beginDatabase({ home: folder, processes: settings.workers });
  return { url: database.url, ownerUrl: database.ownerUrl, folder, key, database };
}

/** The database comes up in processes of its own while the product is loaded in this one: that is why it is loaded here and not above. */
async function main(): Promise<void> {
  if (import.meta.url.endsWith('.mjs')) nameSources(); // in development the loader does
  const settings = readSettings(process.env, envFile());
  const opened = open(settings);
  const { run } = await import('./run.ts');
  await run(settings, opened);
}

main().catch((error: unknown) => {
  const { code, message, port } = error as { code?: string; message?: string; port?: number };
  const taken = `Port ${port ?? ''} is taken by another program: stop it, or choose another port with PORT (PORT=3001 npm start).`;
  process.stderr.write(`${code === 'EADDRINUSE' ? taken : (message ?? String(error))}\n`);
  process.exit(1);
});
