import { type KeyPair, makeKey } from './cipher.ts';

/** As much of PostgreSQL's client as the stand-in needs; a `pg.Pool` of the owner fits. */
export interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}
export interface Database extends Connection {
  connect(): Promise<Connection & { release(): void }>;
}

/** What every part of the stand-in is handed. */
export interface Portal {
  readonly database: Database;
  readonly clock: () => Date;
  /** Days within which a registered invoice is served again. */
  readonly fetchDays: number;
}

export async function rows<Row>(connection: Connection, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await connection.query(text, values)).rows as Row[];
}

export async function row<Row>(connection: Connection, text: string, values: unknown[] = []): Promise<Row | undefined> {
  return (await rows<Row>(connection, text, values))[0];
}

/** All or nothing: one transaction around the work. */
export async function together<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await database.connect();
  try {
    await connection.query('begin');
    const result = await work(connection);
    await connection.query('commit');
    return result;
  } catch (error) {
    await connection.query('rollback');
    throw error;
  } finally {
    connection.release();
  }
}

export type Purpose = 'login' | 'signing';
interface StoredKey {
  readonly kid: string;
  readonly private_key: string;
  readonly public_key: string;
}
const asKey = (stored: StoredKey): KeyPair => ({
  kid: stored.kid,
  privateKey: stored.private_key,
  publicKey: stored.public_key,
});

/** All keys of a purpose, the one in use first; the first question makes the first key, once among all processes. */
export async function keysFor({ database }: Portal, purpose: Purpose): Promise<readonly KeyPair[]> {
  const read = (connection: Connection) =>
    rows<StoredKey>(connection, 'select * from sandbox.keys where purpose = $1 order by place desc', [purpose]);
  const known = await read(database);
  if (known.length > 0) return known.map(asKey);
  return together(database, async (connection) => {
    await connection.query('lock table sandbox.keys in exclusive mode');
    if ((await read(connection)).length === 0) await addKey(connection, purpose);
    return (await read(connection)).map(asKey);
  });
}

/** A new key for a purpose; from now on it is the one in use. */
export async function addKey(connection: Connection, purpose: Purpose): Promise<void> {
  const { kid, privateKey, publicKey } = makeKey();
  await connection.query('insert into sandbox.keys (kid, purpose, private_key, public_key) values ($1, $2, $3, $4)', [
    kid,
    purpose,
    privateKey,
    publicKey,
  ]);
}

export async function keyFor(portal: Portal, purpose: Purpose): Promise<KeyPair> {
  const [current] = await keysFor(portal, purpose);
  if (!current) throw new Error(`There is no key for ${purpose}.`);
  return current;
}
