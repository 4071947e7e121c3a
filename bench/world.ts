import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { todayIn } from '../domain/base/dates.ts';
import { hashPassword } from '../server/identity/password.ts';
import { type Database, startDatabase } from '../server/kit/database/embedded-database.ts';
import { migrate, root } from '../server/kit/database/migrate.ts';
import { openPool } from '../server/kit/database/sql.ts';
import { newId } from '../server/kit/ids.ts';
import { DEMO_PASSWORD } from '../server/organisation/demo.ts';
import { foundOrganisation } from '../server/organisation/found.ts';
import { serverFlags } from '../tools/flags.mjs';
import { freePort } from '../tools/testing/ports.ts';
import { visit } from '../tools/testing/server.ts';
import { detailsOf, type Line, openLine } from './wire.ts';

export interface World {
  readonly home: string;
  readonly database: Database;
  readonly owner: pg.Pool;
  /** A client that no guard holds: for filling books without posting. */
  readonly superuser: pg.Client;
  stop(): Promise<void>;
}

/** A database of our own in a temporary folder, migrated. */
export async function openWorld(): Promise<World> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-bench-'));
  fs.chmodSync(home, 0o755);
  const database = await startDatabase({ home });
  await migrate(database.ownerUrl);
  const owner = openPool({ connectionString: database.ownerUrl, max: 2 }); // its last connections may end with the database
  const superuser = new pg.Client({ connectionString: database.ownerUrl.replace('bahi_owner', 'postgres') });
  await superuser.connect();
  return {
    home,
    database,
    owner,
    superuser,
    stop: async () => {
      await Promise.all([owner.end(), superuser.end()]);
      await database.stop();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

export interface Books {
  readonly organisation: number;
  readonly email: string;
  readonly place: { readonly registration: string; readonly location: string };
  readonly items: readonly string[];
  readonly parties: readonly string[];
}

const address = { line1: '1 Market Road', city: 'Bengaluru', pincode: '560001' };

/** An organisation that e-invoicing applies to, with items at 18 % and registered customers. */
export async function foundBooks(
  { owner }: World,
  code: string,
  items: number,
  parties: number,
  einvoice: boolean,
): Promise<Books> {
  const email = `${code.toLowerCase()}@books.example`;
  const client = await owner.connect();
  await client.query('begin');
  const { organisation, registrations, locations } = await foundOrganisation(client, {
    code,
    name: code,
    registrations: [
      {
        key: 'KA',
        gstin: '29AAGCS4821F1ZB',
        state: '29',
        legalName: code,
        kind: 'regular',
        einvoice,
        address,
        mark: '',
      },
    ],
    locations: [{ key: 'A', code: 'A', name: 'Shop', registration: 'KA', isTax: true, isPhysical: true, address }],
    settings: {},
    people: [{ email, name: 'Owner', passwordHash: await hashPassword(DEMO_PASSWORD), role: 'Owner' }],
  });
  const ids = (count: number) => Array.from({ length: count }, () => newId());
  const made = { items: ids(items), parties: ids(parties) };
  await client.query(
    `
      insert into parties (organisation, id, code, name, side, category, gstin, pan, state, search, body)
      select
        $1, id, 'C' || n, words.name, case when n = 1 then 'both' else 'customer' end, 'registered',
        '29AAACA1111A1Z5', 'AAACA1111A', '29', lower('C' || n || ' ' || words.name),
        jsonb_build_object('addresses', jsonb_build_array(jsonb_build_object(
          'type', 'billing', 'line1', n || ' Market Road', 'city', 'Bengaluru', 'state', '29', 'pincode', '560001'
        )))
      from
        unnest($2::uuid[]) with ordinality t(id, n),
        lateral (
          select (
            array['Asha', 'Bharat', 'Chandra', 'Deepak', 'Ekta', 'Ganesh', 'Hari', 'Indira', 'Jaya', 'Kiran']
          )[1 + n % 10] || ' ' || (
            array['Traders', 'Mills', 'Stores', 'Textiles', 'Agencies', 'Motors', 'Foods']
          )[1 + n % 7] || ' ' || n as name
        ) words
    `,
    [organisation, made.parties],
  );
  await client.query(
    `
      insert into items (
        organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, sale_rate,
        purchase_rate, search
      )
      select
        $1, id, 'SKU' || n, 'Item ' || n, false, true, '84713010', 'NOS', 'taxable', 180000, 100000000,
        60000000, lower('SKU' || n || ' item ' || n)
      from unnest($2::uuid[]) with ordinality t(id, n)
    `,
    [organisation, made.items],
  );
  await client.query('commit');
  client.release();
  const place = { registration: registrations.KA ?? '', location: locations.A ?? '' };
  return { organisation, email, place, ...made };
}

export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  /** A signed-in connection of the books' owner. */
  open(books: Books): Promise<Line>;
  cookieOf(books: Books): Promise<string>;
  stop(): Promise<void>;
}

/** Runs a built program as the product is run, on a free port, until it answers. */
export async function serve(
  program: string,
  urls: Pick<Database, 'url' | 'ownerUrl'>,
  dataDir: string,
): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    DATABASE_URL: urls.url,
    DATABASE_OWNER_URL: urls.ownerUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    BAHI_DEMO: '0',
    POSTING_CACHE: process.env.POSTING_CACHE ?? '1',
    SANDBOX: '1',
    MASTER_KEY: '07'.repeat(32),
  };
  const child = spawn(process.execPath, [...serverFlags, path.join(root(), program)], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // a measurement that failed leaves no server behind
  process.once('exit', () => child.kill('SIGKILL'));
  await answering(`${url}/readyz`, child);
  const cookies = new Map<string, Promise<string>>();
  const cookieOf = (books: Books): Promise<string> => {
    const known = cookies.get(books.email) ?? visit(url, books.email, DEMO_PASSWORD, []).then(({ cookie }) => cookie);
    cookies.set(books.email, known);
    return known;
  };
  return {
    url,
    process: child,
    cookieOf,
    open: async (books) => openLine(url, await cookieOf(books)),
    stop: () =>
      new Promise((stopped) => {
        child.once('exit', () => stopped());
        child.kill('SIGTERM');
      }),
  };
}

/** Waits until a page answers 200; fails when its program has ended. */
export async function answering(url: string, child: ChildProcess): Promise<void> {
  for (const patience = Date.now() + 120_000; Date.now() < patience; ) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const isThere = await fetch(url).then(
      (r) => r.ok,
      () => false,
    );
    if (isThere) return;
    await new Promise((again) => setTimeout(again, 10));
  }
  throw new Error(`${url} does not answer`);
}

/** Asks the server to post a document of the books, today. */
export async function postOne(
  line: Line,
  books: Books,
  document: Record<string, unknown>,
): Promise<{ readonly id: string; readonly number: string }> {
  const sent = { date: today(), lines: [], ...books.place, ...document };
  const { TransactionId: id, TransactionNumber: number } = detailsOf<{
    TransactionId: string;
    TransactionNumber: string;
  }>(await line.ask('PostTransactionCalls', { document: sent } as never));
  return { id, number };
}

/** The day in India. */
export const today = (): string => todayIn(Date.now());
