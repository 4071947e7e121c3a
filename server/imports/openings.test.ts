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

interface Import {
  id: string;
  state: string;
  version: number;
  columns: (string | null)[];
  counts: Record<string, number>;
  asks: number;
}
interface Row {
  row: number;
  outcome: string;
  problems: { target: string | null; message: string }[];
}

const settled = async (master: string, id: string, by = owner): Promise<Import> => {
  let found = {} as Import;
  await expect
    .poll(
      async () => {
        found = await by.ask('GetImport', { master, id });
        return found.state;
      },
      { timeout: 30_000, interval: 100 },
    )
    .not.toMatch(/ing$(?<!mapping)/);
  return found;
};
/** Sends a sheet with the columns that are recognised, and has its rows checked. */
const check = async (master: string, sheet: string, by = owner): Promise<Import> => {
  const bytes = Buffer.from(sheet);
  const { id }: Import = await by.ask('BeginImport', { master, name: 'sheet.csv', size: bytes.length });
  await by.ask('SendImportPiece', { master, id, part: 1, content: bytes.toString('base64') });
  await by.ask('ReadImport', { master, id });
  const { version, columns } = await settled(master, id, by);
  await by.ask('MapImport', { master, id, version, columns, existing: 'keep' });
  return settled(master, id, by);
};
const run = async (master: string, id: string, reason?: string): Promise<Import> => {
  await owner.ask('RunImport', { master, id, ...(reason && { reason }) });
  return settled(master, id);
};
const undo = async (master: string, id: string): Promise<Import> => {
  await owner.ask('UndoImport', { master, id });
  return settled(master, id);
};
const rowsOf = async (master: string, id: string): Promise<Row[]> =>
  ((await owner.ask('ListImportRows', { master, id })) as { rows: Row[] }).rows;
const problemsOf = async (master: string, id: string) =>
  (await rowsOf(master, id)).flatMap(({ row, problems }) =>
    problems.map(({ target, message }) => [row, target, message] as const),
  );
const query = async <R extends object>(text: string): Promise<R[]> => (await server.database.owner.query<R>(text)).rows;
const documents = () =>
  query<{ n: number }>(
    `select count(*)::int as n from documents d
      where d.reverses is null and d.kind like 'opening%'
        and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)`,
  );
/** Debits less credits of a ledger of the first organisation, in paise. */
const balance = async (code: string): Promise<number> =>
  (
    await query<{ sum: number }>(
      `select coalesce(sum(e.debit - e.credit), 0)::float8 as sum from entries e
         join ledgers l on l.organisation = e.organisation and l.id = e.ledger where l.code = '${code}'`,
    )
  )[0]?.sum ?? 0;

test('ledgers: problems at their cells, mended, posted as one document, the same file again changes nothing, undone', async () => {
  const sheet =
    'Account,Location,Dr,Cr\n1110,BLR,"25,000.00",0\nAtlantis,BLR,500,\n1710,BLR,,1000\n1720,BLR,5,5\n1210,BLR,70,\n1110,BLR,10,\n';
  const checked = await check('openingLedgers', sheet);
  expect(checked.columns).toEqual(['ledger', 'location', 'debit', 'credit']);
  expect(await problemsOf('openingLedgers', checked.id)).toEqual([
    [3, 'ledger', 'There is no ledger “Atlantis”'],
    [5, 'debit', 'Either a debit or a credit'],
    [6, null, 'Choose the customer: this ledger holds one account each'],
    [7, null, 'It is in row 2 already'],
  ]);
  expect(checked.counts).toEqual({ add: 2, refused: 4 });
  expect(await documents()).toEqual([{ n: 0 }]);
  await owner.ask('MendImportRow', {
    ...{ master: 'openingLedgers', id: checked.id, row: 3 },
    cells: ['1720', 'BLR', '500', ''],
  });
  const done = await run('openingLedgers', checked.id);
  expect(done.counts).toEqual({ added: 3, refused: 3 });
  expect(await documents()).toEqual([{ n: 1 }]);
  expect([await balance('1110'), await balance('1710'), await balance('1720')]).toEqual([2500000, -100000, 50000]);
  const again = await check('openingLedgers', sheet);
  expect(again.counts).toEqual({ kept: 4, refused: 2 });
  expect((await problemsOf('openingLedgers', again.id))[0]?.[2]).toMatch(
    /^Its opening is in OB\/.* of 1 Apr 2026 already$/,
  );
  expect((await undo('openingLedgers', checked.id)).counts).toEqual({ undone: 3, refused: 3 });
  expect(await balance('1110')).toBe(0);
  expect((await check('openingLedgers', sheet)).counts).toEqual({ add: 2, refused: 4 });
});

/** A customer and a supplier, by name. */
const keep = async (master: string, values: Record<string, unknown>): Promise<string> =>
  ((await owner.ask('SaveMaster', { master, values })) as { id: string }).id;

test('bills: parties by GSTIN, code and name, on the ledger of their account, open by their dates; an unknown party is not found', async () => {
  await keep('customer', {
    ...{ name: 'Asha Traders', code: 'ASHA', gstin: '29AABCA1234F1Z5', category: 'registered', state: '29' },
  });
  await keep('customer', { name: 'Ravi', code: 'RAVI', category: 'unregistered', state: '29' });
  await keep('supplier', { name: 'Mills', code: 'MILLS', category: 'unregistered', state: '29', microSmall: true });
  const nova = await server.signIn('owner@nova.demo');
  await nova.ask('SaveMaster', {
    ...{ master: 'customer', values: { name: 'Nova only', category: 'unregistered', state: '27' } },
  });
  const sheet =
    'Party Name,Invoice No,Invoice Date,Due Date,Outstanding,Place\n' +
    '29AABCA1234F1Z5,INV-7,10/03/2026,09/04/2026,"1,180.00",BLR\n' +
    'ravi,R-1,20/03/2026,,500,BLR\n' +
    'MILLS,B/9,15/03/2026,14/04/2026,2500,BLR\n' +
    'Asha Traders,ADV,25/03/2026,,-300,BLR\n' +
    'Nova only,N-1,01/03/2026,,100,BLR\n' +
    'RAVI,R-2,20/05/2026,,40,BLR\n' +
    'RAVI,R-3,20/03/2026,,,BLR\n' +
    'RAVI,r-1,20/03/2026,,60,BLR\n';
  const checked = await check('openingBills', sheet);
  expect(checked.columns).toEqual(['party', 'reference', 'referenceDate', 'dueDate', 'amount', 'location']);
  expect(await problemsOf('openingBills', checked.id)).toEqual([
    [6, 'party', 'There is no party “Nova only”'],
    [7, 'referenceDate', 'The bill is not dated after the opening'],
    [8, 'amount', 'Enter the amount'],
    [9, null, 'It is in row 3 already'],
  ]);
  expect(checked.counts).toEqual({ add: 4, refused: 4 });
  expect((await run('openingBills', checked.id)).counts).toEqual({ added: 4, refused: 4 });
  expect([await balance('1210'), await balance('1212'), await balance('2110')]).toEqual([88000, 50000, -250000]);
  expect(
    await query(
      `select reference, side, date::text, due_date::text as due, open::int from open_items where open > 0 order by reference`,
    ),
  ).toEqual([
    { reference: 'ADV', side: 'customerCredit', date: '2026-03-25', due: null, open: 30000 },
    { reference: 'B/9', side: 'payable', date: '2026-03-15', due: '2026-04-14', open: 250000 },
    { reference: 'INV-7', side: 'receivable', date: '2026-03-10', due: '2026-04-09', open: 118000 },
    { reference: 'R-1', side: 'receivable', date: '2026-03-20', due: '2026-03-20', open: 50000 },
  ]);
  expect((await check('openingBills', sheet)).counts).toEqual({ kept: 5, refused: 3 });
});

test('stock: batches, serial numbers, value instead of a rate; a reason is asked for once and kept with each document', async () => {
  const goods = { type: 'stock', unit: 'NOS', hsn: '85395000', treatment: 'taxable', gstRate: '18' };
  const { version } = (await owner.ask('GetGeneralConfigDetails', {})) as { version: number };
  await owner.ask('SaveGeneralConfigDetails', { version, values: { enableBatch: true, enableSerialization: true } });
  // a session caches the settings of the organisation for two seconds
  server.clock.at = Date.now() + 5000;
  await keep('item', { ...goods, sku: 'BULB', name: 'Bulb' });
  await keep('item', { ...goods, sku: 'FAN', name: 'Fan', serialised: true });
  await keep('item', { ...goods, sku: 'LAMP', name: 'Lamp', batched: true });
  const sheet =
    'Item,Qty,Rate,Value,Batch No,Expiry,Serial No,Branch\nBULB,30,,1000,,,,BLR\nLAMP,5,20,,L-1,31/03/2027,,BLR\nLAMP,7,21,,L-2,,,BLR\nGhost,1,1,,,,,BLR\nBULB,-4,10,,,,,BLR\nFAN,2,1000,,,,S1; S2,BLR\nFAN,2,1000,,,,S3,BLR\n';
  const checked = await check('openingItems', sheet);
  expect(checked.columns).toEqual(['item', 'quantity', 'rate', 'value', 'batch', 'expiry', 'serials', 'location']);
  expect((await problemsOf('openingItems', checked.id)).map(([row, target]) => [row, target])).toEqual([
    [5, 'item'],
    [6, 'quantity'],
    [8, 'serials'],
  ]);
  expect(checked).toMatchObject({ counts: { add: 4, refused: 3 }, asks: 0 });
  expect((await run('openingItems', checked.id)).counts).toEqual({ added: 4, refused: 3 });
  const stock = () =>
    query(
      `select i.sku, b.quantity::float8 / 1e6 as quantity, b.value::int from item_balances b
         join items i on i.organisation = b.organisation and i.id = b.item order by i.sku`,
    );
  expect(await stock()).toEqual([
    { sku: 'BULB', quantity: 30, value: 100000 },
    { sku: 'FAN', quantity: 2, value: 200000 },
    { sku: 'LAMP', quantity: 12, value: 24700 },
  ]);
  expect((await check('openingItems', sheet)).counts).toEqual({ kept: 5, refused: 2 });
  // later stock at a rate far from it, in another batch
  const far = 'Item,Qty,Rate,Batch,Branch\nLAMP,1,900,L-9,BLR\n';
  const asking = await check('openingItems', far);
  expect(asking).toMatchObject({ counts: { add: 1 }, asks: 1 });
  expect((await problemsOf('openingItems', asking.id))[0]).toMatchObject([
    2,
    'rate',
    expect.stringContaining('far from'),
  ]);
  expect(await owner.call('RunImport', { master: 'openingItems', id: asking.id })).toMatchObject({ status: 422 });
  expect((await run('openingItems', asking.id, 'A rare edition')).counts).toEqual({ added: 1 });
  expect(
    await query(`select body -> 'warnings' -> 0 ->> 'reason' as reason from documents where body::text like '%L-9%'`),
  ).toEqual([{ reason: 'A rare edition' }]);
  expect((await undo('openingItems', asking.id)).counts).toEqual({ undone: 1 });
  expect((await undo('openingItems', checked.id)).counts).toEqual({ undone: 4, refused: 3 });
  expect(await stock()).toEqual([
    { sku: 'BULB', quantity: 0, value: 0 },
    { sku: 'FAN', quantity: 0, value: 0 },
    { sku: 'LAMP', quantity: 0, value: 0 },
  ]);
});

test('prices: rows of a price list by item and quantity, problems at their cells, the same again, set back', async () => {
  const goods = { type: 'stock', unit: 'NOS', hsn: '85395000', treatment: 'taxable', gstRate: '18' };
  const soap = await keep('item', { ...goods, sku: 'SOAP', name: 'Soap' });
  await keep('item', { ...goods, sku: 'BRUSH', name: 'Brush' });
  const list = await keep('priceList', {
    ...{ code: 'DEALER', name: 'Dealers', side: 'sale' },
    prices: [{ item: soap, rate: '40' }],
  });
  const prices = async () =>
    (
      ((await owner.ask('GetMaster', { master: 'priceList', id: list })) as { values: { prices: { rate: string }[] } })
        .values.prices ?? []
    ).map(({ rate }) => Number(rate));
  const sheet =
    'Price level,Item name,Qty from,Rate\nDealers,Soap,,40\nDEALER,SOAP,10,38.5\nDEALER,BRUSH,,12\nDEALER,Ghost,,1\nDEALER,BRUSH,5,\nDEALER,BRUSH,0,13\n';
  const checked = await check('listPrices', sheet);
  expect(checked.columns).toEqual(['record', 'item', 'from', 'rate']);
  expect((await problemsOf('listPrices', checked.id)).map(([row, target]) => [row, target])).toEqual([
    [5, 'item'],
    [6, 'rate'],
    [7, null],
  ]);
  expect(checked.counts).toEqual({ same: 1, add: 2, refused: 3 });
  expect((await run('listPrices', checked.id)).counts).toEqual({ same: 1, added: 2, refused: 3 });
  expect((await prices()).sort((a, b) => a - b)).toEqual([12, 38.5, 40]);
  expect((await check('listPrices', sheet)).counts).toEqual({ same: 3, kept: 1, refused: 2 });
  expect((await undo('listPrices', checked.id)).counts).toEqual({ same: 1, undone: 2, refused: 3 });
  expect(await prices()).toEqual([40]);
});

test('many bills are documents of 500 lines at most, and each is in one of them', async () => {
  const lines = Array.from({ length: 1100 }, (_, n) => `RAVI,M-${n},${n + 1},BLR`);
  const checked = await check('openingBills', `Party,Bill number,Amount,Location\n${lines.join('\n')}\n`);
  expect(checked.counts).toEqual({ add: 1100 });
  expect((await run('openingBills', checked.id)).counts).toEqual({ added: 1100 });
  expect(
    await query(
      `select jsonb_array_length(body #> '{draft,lines}') as lines from documents
        where body::text like '%"M-%' order by number`,
    ),
  ).toEqual([{ lines: 500 }, { lines: 500 }, { lines: 100 }]);
}, 60_000);

test('who may not write the documents is refused, and what cannot be undone is listed with its reason', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  const body = { master: 'openingLedgers', name: 'x.csv', size: 5 };
  expect(await viewer.call('BeginImport', body)).toMatchObject({ status: 403 });
  const checked = await check('openingLedgers', 'Ledger,Debit,Location\n1750,900,BLR\n');
  expect((await run('openingLedgers', checked.id)).counts).toEqual({ added: 1 });
  const nova = await server.signIn('owner@nova.demo');
  expect(await nova.call('UndoImport', { master: 'openingLedgers', id: checked.id })).toMatchObject({ status: 404 });
  await query(`insert into locks (organisation, locked_through) select organisation, '2026-04-30' from organisations
     on conflict (organisation) do update set locked_through = excluded.locked_through, at = clock_timestamp()`);
  expect((await undo('openingLedgers', checked.id)).counts).toEqual({ stays: 1 });
  expect((await problemsOf('openingLedgers', checked.id))[0]?.[2]).toMatch(/lock|closed/i);
});
