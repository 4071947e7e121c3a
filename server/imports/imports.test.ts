import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer({}, { portal: true });
  owner = await server.signIn('owner@sharma.demo');
}, 60_000);
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

type Import = {
  id: string;
  state: string;
  version: number;
  headings: string[];
  columns: (string | null)[];
  remembered: boolean;
  counts: Record<string, number>;
  rows: number;
  problem: { message: string } | null;
};
type Row = { row: number; cells: string[]; outcome: string; problems: { target: string | null; message: string }[] };
type File = { name: string; content: string };

const settled = async (master: string, id: string, by = owner, patience = 30_000): Promise<Import> => {
  let found = {} as Import;
  await expect
    .poll(
      async () => {
        found = await by.ask('GetImport', { master, id });
        return found.state;
      },
      { timeout: patience, interval: 100 },
    )
    .not.toMatch(/ing$(?<!mapping)/);
  return found;
};
/** Sends a file and waits until its columns are recognised. */
const send = async (master: string, bytes: Buffer, name = 'sheet.csv', by = owner): Promise<Import> => {
  const { id }: Import = await by.ask('BeginImport', { master, name, size: bytes.length });
  for (let at = 0, part = 1; at < bytes.length; at += 100_000, part += 1)
    await by.ask('SendImportPiece', {
      ...{ master, id, part },
      content: bytes.subarray(at, at + 100_000).toString('base64'),
    });
  await by.ask('ReadImport', { master, id });
  return settled(master, id, by);
};
const check = async (master: string, found: Import, existing: 'keep' | 'change' = 'keep', by = owner) => {
  const { id, version, columns } = found;
  await by.ask('MapImport', { master, id, version, columns, existing });
  return settled(master, id, by, 240_000);
};
const run = async (master: string, id: string, by = owner) => {
  await by.ask('RunImport', { master, id });
  return settled(master, id, by, 240_000);
};
const rowsOf = async (master: string, id: string): Promise<Row[]> =>
  ((await owner.ask('ListImportRows', { master, id })) as { rows: Row[] }).rows;
const countOf = async (table: string): Promise<number> =>
  Number(
    (await server.database.owner.query<{ n: string }>(`select count(*) as n from ${table} where active`)).rows[0]?.n,
  );

const messy = `Sharma Electricals,,,,,,,\r
List of ledgers,,,,,,,\r
\r
Party Name,GSTIN/UIN,Phone No.,Billing Address,City,State,Pin Code,Credit Limit\r
Kaveri Agencies,29AABCA1234F1Z5,98450 12345,"12, MG Road",Bengaluru,,560001,"1,00,000.00"\r
Asha Stores,,9845099999,5 Market,Mysuru,karnataka,570001,\r
Bad State,,,,,Atlantis,,\r
,,,,,,,500\r
Kaveri Agencies,29AABCA1234F1Z5,,,,,,\r
Wrong GSTIN,29AABCA1234F1ZX,,,,,,\r
`;

test('a messy sheet: titles, other headings, problems at their cells, mended, imported, the same again, undone', async () => {
  const sent = await send('customer', Buffer.from(messy));
  expect(sent).toMatchObject({ state: 'mapping', problem: null });
  expect(sent.columns).toEqual([
    ...['name', 'gstin', 'phone', 'addresses.billing.line1', 'addresses.1.city', 'state', 'addresses.1.pincode'],
    'creditLimit',
  ]);
  const columns = sent.columns.map((target) => target?.replace('addresses.1', 'addresses.billing') ?? null);
  const checked = await check('customer', { ...sent, columns });
  expect(checked.counts).toEqual({ add: 2, same: 1, refused: 3 });
  const problems = (await rowsOf('customer', sent.id)).flatMap(({ row, problems: all }) =>
    all.map(({ target, message }) => ({ row, target, message })),
  );
  expect(problems).toContainEqual({
    ...{ row: 7, target: 'state' },
    message: '“Atlantis” is not a state: write its name or its code',
  });
  expect(problems).toContainEqual({ row: 8, target: 'name', message: 'Name is required' });
  expect(problems.find(({ row }) => row === 10)?.target).toBe('gstin');
  // nothing was written yet
  expect(await countOf('parties')).toBe(0);
  const mended = (await owner.ask('MendImportRow', {
    ...{ master: 'customer', id: sent.id, row: 7 },
    cells: ['Good State', '', '', '', '', 'Goa', '', ''],
  })) as { row: Row; counts: object };
  expect(mended).toMatchObject({ row: { outcome: 'add', mended: true }, counts: { add: 3, refused: 2 } });
  const done = await run('customer', sent.id);
  expect(done).toMatchObject({ state: 'done', counts: { added: 3, same: 1, refused: 2 } });
  const { rows } = await server.database.owner.query(
    'select name, gstin, state, credit_limit::int, body -> $1 as addresses from parties order by code',
    ['addresses'],
  );
  expect(rows).toMatchObject([
    {
      ...{ name: 'Kaveri Agencies', gstin: '29AABCA1234F1Z5', state: '29', credit_limit: 10000000 },
      addresses: [{ type: 'billing', line1: '12, MG Road', city: 'Bengaluru', state: '29', pincode: '560001' }],
    },
    { name: 'Asha Stores', state: '29' },
    { name: 'Good State', state: '30', addresses: null },
  ]);
  // the columns are remembered, and the same file changes nothing
  const again = await send('customer', Buffer.from(messy));
  expect(again).toMatchObject({ remembered: true, columns });
  const logged = () =>
    server.database.owner.query(`select count(*)::int as n from edit_log where relation = 'parties'`);
  const before = (await logged()).rows;
  expect((await check('customer', again)).counts).toEqual({ same: 3, refused: 3 });
  expect((await run('customer', again.id)).counts).toEqual({ same: 3, refused: 3 });
  expect((await logged()).rows).toEqual(before);
  const refused = (await owner.ask('GetRefusedRows', { master: 'customer', id: again.id })) as File;
  const text = Buffer.from(refused.content, 'base64').toString();
  expect(text).toContain('Credit Limit,Why it was refused\r\n');
  expect(text).toContain('Bad State,,,,,Atlantis,,,“Atlantis” is not a state');
  await owner.ask('UndoImport', { master: 'customer', id: sent.id });
  expect((await settled('customer', sent.id)).counts).toEqual({ undone: 3, same: 1, refused: 2 });
  expect(await countOf('parties')).toBe(0);
  // what was taken away by it comes back by it
  const third = await send('customer', Buffer.from(messy));
  await check('customer', third);
  expect((await run('customer', third.id)).counts).toEqual({ changed: 2, same: 1, refused: 3 });
  expect(await countOf('parties')).toBe(2);
});

test('what is there is changed only when that is chosen, and undone to what it was unless somebody changed it since', async () => {
  const sheet = (rate: string) =>
    Buffer.from(
      `Item Name\tHSN/SAC\tSale Price\tTax %\tUnit\nCeiling fan\t841451\t${rate}\t18\tNOS\nTable fan\t841451\t${rate}\t18\tNOS\n`,
    );
  const first = await send('item', sheet('1,200'));
  await check('item', first);
  expect((await run('item', first.id)).counts).toEqual({ added: 2 });
  const kept = await send('item', sheet('1300'));
  expect((await check('item', kept)).counts).toEqual({ kept: 2 });
  expect((await rowsOf('item', kept.id))[0]?.problems[0]?.message).toBe(
    'It is there already with another value of: Sale rate (₹)',
  );
  expect((await check('item', await owner.ask('GetImport', { master: 'item', id: kept.id }), 'change')).counts).toEqual(
    {
      change: 2,
    },
  );
  expect((await run('item', kept.id)).counts).toEqual({ changed: 2 });
  const listed = (await owner.ask('ListMasters', { master: 'item', search: 'fan' })) as {
    rows: { id: string; version: number; values: Record<string, unknown> }[];
  };
  expect(listed.rows.map(({ values }) => values.sku)).toEqual(['CEILING-FAN', 'TABLE-FAN']);
  expect(listed.rows.map(({ values }) => values.saleRate)).toEqual(['1300.00', '1300.00']);
  const [fan] = listed.rows;
  await owner.ask('SaveMaster', {
    ...{ master: 'item', id: fan?.id ?? '', version: fan?.version ?? 0 },
    values: { ...fan?.values, saleRate: '1400' },
  });
  await owner.ask('UndoImport', { master: 'item', id: kept.id });
  expect((await settled('item', kept.id)).counts).toEqual({ undone: 1, stays: 1 });
  const { rows } = await server.database.owner.query<{ rate: string }>(
    `select sale_rate as rate from items where name like '%fan' order by name`,
  );
  expect(rows.map(({ rate }) => Number(rate) / 1e6)).toEqual([1400, 1200]);
});

test('export and import of every master: the round trip changes nothing', async () => {
  for (const master of [
    'customer',
    'item',
    'ledger',
    'accountGroup',
    'unit',
    'location',
    'registration',
    'numberSeries',
  ])
    for (const format of ['csv', 'xlsx'] as const) {
      const { content } = (await owner.ask('ExportMaster', { master, format })) as File;
      const sent: Import = await send(master, Buffer.from(content, 'base64'), `sheet.${format}`);
      const { counts } = await check(master, sent, 'change');
      expect({ master, format, counts, rows: sent.rows }).toEqual({
        ...{ master, format, rows: sent.rows },
        counts: { same: sent.rows },
      });
    }
}, 120_000);

test('a template is read by the import it is for', async () => {
  for (const format of ['csv', 'xlsx'] as const) {
    const { content } = (await owner.ask('GetImportTemplate', { master: 'supplier', format })) as File;
    const sent = await send('supplier', Buffer.from(content, 'base64'));
    expect(sent.columns).not.toContain(null);
    const { counts } = await check('supplier', sent);
    expect(counts, JSON.stringify(await rowsOf('supplier', sent.id))).toEqual({ add: 1 });
  }
});

test('files that cannot be read fail with what to do', async () => {
  expect(await send('customer', Buffer.from('%PDF-1.7 …'))).toMatchObject({
    state: 'failed',
    problem: { message: 'This is a PDF: a file of kind XLSX or CSV can be imported' },
  });
  expect(await send('customer', Buffer.from('Name,City\n'))).toMatchObject({
    state: 'failed',
    problem: { message: 'There is nothing below the headings of this file' },
  });
  const { id }: Import = await owner.ask('BeginImport', { master: 'customer', name: 'half.csv', size: 100 });
  await owner.ask('SendImportPiece', { master: 'customer', id, part: 1, content: 'TmFtZQ==' });
  expect(await owner.call('ReadImport', { master: 'customer', id })).toMatchObject({ status: 422 });
});

test('an import of another organisation is unknown, who may not write the master is refused, and people are invited', async () => {
  const sent = await send('customer', Buffer.from('Name,Phone\nA,1\n'));
  const nova = await server.signIn('owner@nova.demo');
  for (const call of ['GetImport', 'RunImport', 'UndoImport', 'ListImportRows', 'GetRefusedRows'] as const)
    expect(await nova.call(call, { master: 'customer', id: sent.id })).toMatchObject({ status: 404 });
  const viewer = await server.signIn('viewer@sharma.demo');
  expect(await viewer.call('GetImport', { master: 'customer', id: sent.id })).toMatchObject({ status: 403 });
  expect(await owner.call('GetImport', { master: 'supplier', id: sent.id })).toMatchObject({ status: 404 });
  expect(await owner.call('BeginImport', { master: 'user', name: 'x', size: 1 })).toMatchObject({
    status: 409,
  });
});

test('imports of one moment are listed a page after the other, each once; what is no import is no place in the list', async () => {
  const { id }: Import = await owner.ask('BeginImport', { master: 'customer', name: 'many.csv', size: 1 });
  await server.database.owner.query(
    `insert into imports
     select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'at', i.at + n * interval '1 microsecond'))).*
       from imports i, generate_series(1, 120) n
      where i.id = $1`,
    [id],
  );
  type Page = { rows: { id: string; name: string }[]; after: string | null };
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page: Page = await owner.ask('ListImports', after ? { after } : {});
    seen.push(...page.rows.filter(({ name }) => name === 'many.csv').map((row) => row.id));
    after = page.after;
  }
  expect(seen).toHaveLength(121);
  expect(new Set(seen).size).toBe(121);
  expect(await owner.ask('ListImports', { after: '01a22608-0cff-7000-afb8-cef6dcb158cc' })).toEqual({
    rows: [],
    after: null,
  });
  for (const after of ['1735886f-640b-429c-a69d', '2026-11-29T06:00:00Z nobody', ''])
    expect((await owner.call('ListImports', { after })).status).toBe(422);
});

test('very many rows: paused, gone on with, and each written once; with `BAHI_ALL` ten thousand', async () => {
  const lines = Array.from(
    { length: process.env['BAHI_ALL'] === '1' ? 10_000 : 2000 },
    (_, n) => `P${n},Supplier ${n},9845${String(n).padStart(6, '0')}`,
  );
  const sent = await send('supplier', Buffer.from(`Code,Vendor Name,Mobile\n${lines.join('\n')}\n`));
  expect((await check('supplier', sent)).counts).toEqual({ add: lines.length });
  await owner.ask('RunImport', { master: 'supplier', id: sent.id });
  await expect
    .poll(
      async () => ((await owner.ask('GetImport', { master: 'supplier', id: sent.id })) as Import).counts['added'] ?? 0,
    )
    .toBeGreaterThan(0);
  await owner.ask('StopImport', { master: 'supplier', id: sent.id, how: 'pause' });
  const paused = await settled('supplier', sent.id);
  expect(paused.state).toBe('paused');
  const done = await run('supplier', sent.id);
  expect(done.counts).toEqual({ added: lines.length });
}, 600_000);
