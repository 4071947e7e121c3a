import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { todayIn } from '../../../domain/base/dates.ts';
import { makeFolder } from '../database/folders.ts';

/**
 * Once a day the newest seal of each organisation is signed and written where the database does not reach. Whoever holds
 * the database with every right can make a chain anew that is whole in itself; what was signed before it cannot hold.
 */
export interface Checkpoints {
  readonly folder: string;
  readonly key: KeyObject;
  /** Opens the signatures: PEM, also beside the checkpoints. */
  readonly publicKey: string;
  /** Nothing that was signed lay there when it was opened. */
  readonly fresh: boolean;
}

/** One line of an organisation's file: the signed text is a JSON list, kept as it was signed. */
interface Line {
  readonly text: string;
  readonly signature: string;
}
export interface Checkpoint {
  readonly organisation: number;
  /** The day of India on which it was signed. */
  readonly day: string;
  readonly sequence: number;
  /** Hexadecimal. */
  readonly seal: string;
  /** The signature of the checkpoint before it, so that none can be left out between two. */
  readonly previous: string;
  readonly signature: string;
}

const PUBLIC = 'public-key.pem';
const fileOf = (folder: string, organisation: number): string =>
  path.join(folder, `organisation-${organisation}.ndjson`);

/** Organisations of which something was signed here. */
const signedIn = (folder: string): readonly number[] =>
  fs
    .readdirSync(folder)
    .flatMap((name) => /^organisation-(\d+)\.ndjson$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((organisation) => checkpointLines(folder, organisation).length > 0);

/**
 * Makes folder and key where they are not there yet. Throws a sentence for whoever starts the product, also when another key has
 * signed what lies there.
 */
export function openCheckpoints(folder: string, keyFile: string): Checkpoints {
  let signed: readonly number[] = [];
  const refused = (what: string, instead: string) =>
    new Error(
      `The key ${keyFile} (CHECKPOINT_KEY_FILE) ${what} the checkpoints in ${folder}: ${instead}, or move ${folder} away to begin with another key.`,
    );
  try {
    makeFolder(folder);
    fs.accessSync(folder, fs.constants.W_OK);
    signed = signedIn(folder);
  } catch (error) {
    throw new Error(
      `The checkpoints of the edit log cannot be kept in ${folder} (CHECKPOINT_DIR): ${(error as Error).message}.`,
    );
  }
  if (!fs.existsSync(keyFile)) {
    if (signed.length > 0) throw refused('does not exist, and one has signed', 'copy it there from the back-up');
    makeKey(keyFile);
  }
  const key = readKey(keyFile);
  const publicKey = String(createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  const kept = path.join(folder, PUBLIC);
  const known = fs.existsSync(kept) ? fs.readFileSync(kept, 'utf8') : undefined;
  const isOurs =
    known !== undefined
      ? known === publicKey
      : signed.some((organisation) => {
          const line = checkpointLines(folder, organisation).at(-1);
          return line !== undefined && read(line, createPublicKey(key)) !== undefined;
        });
  if (signed.length > 0 && !isOurs) throw refused('is not the one that signed', 'name the right one');
  if (known !== publicKey) writeWhole(kept, publicKey, 0o644, 'rename');
  return { folder, key, publicKey, fresh: signed.length === 0 };
}

function makeKey(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    writeWhole(file, String(privateKey.export({ type: 'pkcs8', format: 'pem' })), 0o600, 'link');
  } catch (error) {
    throw new Error(`The key ${file} (CHECKPOINT_KEY_FILE) cannot be made: ${(error as Error).message}.`);
  }
}

/**
 * Writes a file that is whole from the first moment another process can see it: several processes of one server start at
 * once. With `link` the first one makes the file, with `rename` the last one.
 */
function writeWhole(file: string, content: string, mode: number, how: 'link' | 'rename'): void {
  const making = `${file}.${randomUUID()}`;
  fs.writeFileSync(making, content, { mode, flag: 'wx' });
  if (how === 'rename') {
    fs.renameSync(making, file);
    return;
  }
  try {
    fs.linkSync(making, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    fs.unlinkSync(making);
  }
}

function readKey(file: string): KeyObject {
  try {
    return createPrivateKey(fs.readFileSync(file));
  } catch (error) {
    throw new Error(`The key ${file} (CHECKPOINT_KEY_FILE) cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * What has to be reported at the start: nothing that was signed lies in the folder, and the edit log is older than a day. Undefined
 * when all is well.
 */
export async function lostCheckpoints(ownerUrl: string, { folder, fresh }: Checkpoints): Promise<string | undefined> {
  if (!fresh) return undefined;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ since: string | null }>(`
      select to_char(min(at) at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as since
      from seals
      where at < now() - interval '1 day'
    `);
    const since = rows[0]?.since;
    return since
      ? `The edit log goes back to ${since}, and ${folder} (CHECKPOINT_DIR) holds nothing that was signed of it: if the checkpoints lie elsewhere, stop, name that folder and start again`
      : undefined;
  } finally {
    await client.end();
  }
}

/** The lines of an organisation's file. What has no end of line was being written when the machine stopped: it was never there. */
export function checkpointLines(folder: string, organisation: number): string[] {
  const file = fileOf(folder, organisation);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** What a line says; undefined when its signature does not hold. */
function read(line: string, publicKey: KeyObject): Checkpoint | undefined {
  try {
    const { text, signature } = JSON.parse(line) as Line;
    if (!verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))) return undefined;
    const [organisation, day, sequence, seal, previous] = JSON.parse(text) as [number, string, number, string, string];
    return { organisation, day, sequence, seal, previous, signature };
  } catch {
    return undefined;
  }
}

/** On the disk when it returns, not in a buffer; what a torn write left is cut off. */
function append(file: string, kept: readonly string[], line: string): void {
  const whole = Buffer.byteLength(kept.map((each) => `${each}\n`).join(''));
  const handle = fs.openSync(file, fs.existsSync(file) ? 'r+' : 'w', 0o644);
  try {
    fs.ftruncateSync(handle, whole);
    fs.writeSync(handle, `${line}\n`, whole);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Signs the newest seal of every organisation that has something new and nothing signed on this day; answers of how many.
 * A log that no longer continues the last checkpoint is never signed: that is reported instead.
 */
export async function writeCheckpoints(
  owner: pg.Pool,
  { folder, key }: Checkpoints,
  today: string,
  done: Set<number> = new Set(),
): Promise<number> {
  const client = await owner.connect();
  try {
    await client.query('begin');
    // the file is read and continued by one process at a time
    await client.query('select pg_advisory_xact_lock(62616)');
    const { rows } = await client.query<{ organisation: number; sequence: string; seal: string }>(
      `select o.organisation, l.sequence, encode(l.seal, 'hex') as seal from organisations o
         cross join lateral (select sequence, seal from seals s where s.organisation = o.organisation order by sequence desc limit 1) l
        where o.organisation <> all($1::int[])`,
      [[...done]],
    );
    const publicKey = createPublicKey(key);
    let written = 0;
    for (const { organisation, sequence, seal } of rows) {
      const lines = checkpointLines(folder, organisation);
      const newest = lines.at(-1);
      const last = newest === undefined ? undefined : read(newest, publicKey);
      if (newest !== undefined && !last)
        throw new Error(`the last checkpoint of organisation ${organisation} is not signed with our key`);
      if (last && last.sequence > Number(sequence))
        throw new Error(`organisation ${organisation}: ${older(Number(sequence), last.sequence)}`);
      if (last && last.day !== today && last.sequence < Number(sequence) && !(await holds(client, last)))
        throw new Error(
          `the edit log of organisation ${organisation} does not hold what was signed on ${last.day}; if another database was put in its place on purpose, move ${folder} away`,
        );
      if (!last || (last.day !== today && last.sequence < Number(sequence))) {
        const text = JSON.stringify([organisation, today, Number(sequence), seal, last?.signature ?? '']);
        const signature = sign(null, Buffer.from(text), key).toString('base64');
        append(fileOf(folder, organisation), lines, JSON.stringify({ text, signature } satisfies Line));
        written += 1;
        done.add(organisation);
      } else if (last.day === today) done.add(organisation);
    }
    await client.query('commit');
    return written;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const holds = async (client: pg.ClientBase, { organisation, sequence, seal }: Checkpoint): Promise<boolean> =>
  (
    await client.query(`select from seals where organisation = $1 and sequence = $2 and seal = decode($3, 'hex')`, [
      organisation,
      sequence,
      seal,
    ])
  ).rowCount === 1;

/** Milliseconds after a failure. */
const PAUSE = 300_000;

/** Signs after the first change of a day, and at the turn of the day what came after it. */
export function dailyCheckpoints(
  owner: pg.Pool,
  checkpoints: Checkpoints,
  now: () => number,
): (sealed: number) => Promise<void> {
  let day = '';
  let done = new Set<number>();
  let quietUntil = 0;
  return async (sealed) => {
    const today = todayIn(now());
    if ((today === day && sealed === 0) || now() < quietUntil) return;
    if (today !== day) done = new Set();
    // a failure is reported, and tried again in a while, not each second
    quietUntil = now() + PAUSE;
    await writeCheckpoints(owner, checkpoints, today, done);
    [day, quietUntil] = [today, 0];
  };
}

export interface Proven {
  readonly organisation: number;
  /**
   * The last seal in the database that was signed, its day, the day of the oldest signature, and the key: a folder and a key that were made
   * anew have a young one. Null: nothing was signed.
   */
  readonly signed: {
    readonly sequence: number;
    readonly day: string;
    readonly first: string;
    readonly key: string;
  } | null;
  /** Rows of the log after it, and since when they stand there: whoever holds the database could make them anew. */
  readonly unsigned: number;
  readonly since: string | null;
}

/** Up to where the chain of each organisation is proven. */
export async function provenOf(
  client: pg.Pool | pg.ClientBase,
  folder: string | undefined,
): Promise<readonly Proven[]> {
  const ends = await endsOf(client);
  const proven: Proven[] = [];
  for (const organisation of ends.keys()) {
    const lines = folder === undefined ? [] : checkpointLines(folder, organisation);
    const key = folder !== undefined && lines.length > 0 ? fs.readFileSync(path.join(folder, PUBLIC)) : undefined;
    const points = key ? lines.flatMap((line) => read(line, createPublicKey(key)) ?? []) : [];
    const [first] = points;
    const end = ends.get(organisation) ?? 0;
    const point = points.findLast(({ sequence }) => sequence <= end);
    const { rows: unsigned } = await client.query<{ n: number; since: string | null }>(
      `select count(*)::int as n,
              to_char(min(l.at) at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI') as since
         from edit_log l
         left join seals s on s.organisation = l.organisation and s.log = l.id
        where l.organisation = $1 and coalesce(s.sequence > $2, true)`,
      [organisation, point?.sequence ?? 0],
    );
    proven.push({
      organisation,
      signed:
        point && key
          ? {
              sequence: point.sequence,
              day: point.day,
              first: first?.day ?? point.day,
              key: createHash('sha256').update(key).digest('hex').slice(0, 16),
            }
          : null,
      unsigned: unsigned[0]?.n ?? 0,
      since: unsigned[0]?.since ?? null,
    });
  }
  return proven;
}

const older = (end: number, known: number): string =>
  `the database ends at seal ${end}, checkpoints are known up to ${known}: it is older than its checkpoints (restored from a back-up?)`;

/** Of each organisation its newest seal; 0 where it has none. */
async function endsOf(client: pg.Pool | pg.ClientBase): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ organisation: number; last: string }>(`
    select o.organisation, coalesce(max(s.sequence), 0) as last
    from organisations o
    left join seals s on s.organisation = o.organisation
    group by 1
    order by 1
  `);
  return new Map(rows.map(({ organisation, last }) => [organisation, Number(last)]));
}

/** Organisations whose chain ends before what was signed of it: the database was restored, or rows were removed. */
export async function olderThanCheckpoints(
  client: pg.Pool | pg.ClientBase,
  folder: string,
): Promise<readonly { readonly organisation: number; readonly what: string }[]> {
  const kept = path.join(folder, PUBLIC);
  if (!fs.existsSync(kept)) return [];
  const publicKey = createPublicKey(fs.readFileSync(kept));
  return [...(await endsOf(client))].flatMap(([organisation, end]) => {
    const newest = checkpointLines(folder, organisation).at(-1);
    const point = newest === undefined ? undefined : read(newest, publicKey);
    return point && point.sequence > end ? [{ organisation, what: older(end, point.sequence) }] : [];
  });
}

/** For the start: what `olderThanCheckpoints` finds, in a sentence with what to do. */
export async function restoredBefore(ownerUrl: string, { folder }: Checkpoints): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const found = await olderThanCheckpoints(client, folder);
    if (found.length === 0) return undefined;
    const organisations = found.map(({ organisation, what }) => `Organisation ${organisation}: ${what}`).join('. ');
    return (
      `${organisations}. After a restore stop, move ${folder} (CHECKPOINT_DIR) away, keep it, and start again; ` +
      'if nobody has restored a back-up, rows were removed'
    );
  } finally {
    await client.end();
  }
}

/** What of the chain in the database is not as it was signed, and what should have been signed and was not. */
export async function brokenCheckpoints(
  client: pg.ClientBase,
  folder: string,
): Promise<readonly { readonly organisation: number; readonly what: string }[]> {
  const publicKey = createPublicKey(fs.readFileSync(path.join(folder, PUBLIC)));
  const broken: { organisation: number; what: string }[] = [];
  const { rows } = await client.query<{ organisation: number; before: string | null }>(
    // a day and what is left of the one before it may wait for the next signature, no more
    `
      select
        organisation,
        (
          select max(sequence)
          from seals s
          where s.organisation = o.organisation
            and s.at < (select max(at) from seals n where n.organisation = o.organisation) - interval '2 days'
        ) as before
      from organisations o
      order by 1
    `,
  );
  const ends = await endsOf(client);
  const known = new Set(rows.map((row) => row.organisation));
  const filed = fs.readdirSync(folder).flatMap((name) => /^organisation-(\d+)\.ndjson$/.exec(name)?.[1] ?? []);
  for (const gone of filed.map(Number).filter((organisation) => !known.has(organisation)))
    broken.push({ organisation: gone, what: 'what was signed is of an organisation that is not there' });
  for (const { organisation, before } of rows) {
    let previous: Checkpoint | undefined;
    for (const [at, line] of checkpointLines(folder, organisation).entries()) {
      const point = read(line, publicKey);
      const what = await wrongWith(client, organisation, point, previous, ends.get(organisation) ?? 0);
      if (what) broken.push({ organisation, what: `checkpoint ${at + 1} ${what}` });
      if (!point) break;
      previous = point;
    }
    const end = ends.get(organisation) ?? 0;
    if (previous && previous.sequence > end) broken.push({ organisation, what: older(end, previous.sequence) });
    if (before !== null && Number(before) > (previous?.sequence ?? 0))
      broken.push({ organisation, what: `seal ${before} is more than two days old and nothing after it is signed` });
  }
  return broken;
}

async function wrongWith(
  client: pg.ClientBase,
  organisation: number,
  point: Checkpoint | undefined,
  previous: Checkpoint | undefined,
  end: number,
): Promise<string | undefined> {
  if (!point) return 'is not signed with the key of this installation';
  if (point.organisation !== organisation) return `is of organisation ${point.organisation}`;
  if (point.previous !== (previous?.signature ?? '') || point.sequence <= (previous?.sequence ?? 0))
    return 'does not follow the one before it';
  // behind the end of the database there is nothing to compare: that is reported once
  return point.sequence > end || (await holds(client, point))
    ? undefined
    : `of ${point.day}: seal ${point.sequence} is not what was signed, the chain was made anew`;
}
