import { afterAll, beforeAll, expect, test } from 'vitest';
import { importableOf } from '../../contract/importable.ts';
import { columnsOf } from '../../domain/imports/sheet.ts';
import { tallyOrder } from '../../domain/imports/tally/order.ts';
import { tallySheet } from '../../domain/imports/tally/sheets.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { envelope, master, smallCompany } from '../../tools/testing/tally.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { readFile } from './read/index.ts';

const rowsOf = async (name: string, bytes: Buffer, size = bytes.length): Promise<(readonly string[])[]> => {
  const { plural = '', fields = {} } = importableOf(name) ?? {};
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const rows: (readonly string[])[] = [];
  for await (const { cells } of readFile(pieces, { name, plural, fields })) rows.push(cells);
  return rows;
};
const refusal = (name: string, bytes: Buffer) =>
  rowsOf(name, bytes).then(
    () => 'read',
    (error: Error) => error.message,
  );

test('every column that is filled is one of the form', () => {
  for (const name of tallyOrder) {
    const { columns = [] } = tallySheet(name) ?? {};
    const known = columnsOf(importableOf(name)?.fields ?? {}).map(({ target }) => target);
    expect(known, name).toEqual(expect.arrayContaining([...columns]));
  }
});

test('a file is read in pieces of any size, with the references that XML forbids', async () => {
  const file = envelope(smallCompany);
  const whole = await rowsOf('customer', file);
  for (const size of [7, 61, 1000]) expect(await rowsOf('customer', file, size)).toEqual(whole);
  expect(whole).toHaveLength(2);
});

test('what is no export of masters, or has nothing of what is asked for, is refused in a sentence', async () => {
  const file = envelope(smallCompany);
  expect(await refusal('priceList', file)).toBe(
    'Price lists are not read from a Tally file: choose another sort of record',
  );
  expect(await refusal('costCentre', file)).toContain('There are no cost centres in this file');
  expect(await refusal('ledger', file.subarray(0, 3000))).toContain('damaged or not complete');
  const bomb = '<ENVELOPE><!DOCTYPE a [<!ENTITY b "c">]><LEDGER NAME="A"/></ENVELOPE>';
  expect(await refusal('ledger', Buffer.from(bomb))).toContain('damaged or not complete');
  const long = envelope([master('LEDGER', 'A', { NARRATION: 'x'.repeat(4_100_000) })]);
  expect(await refusal('ledger', long)).toContain('damaged or not complete');
});

interface Import {
  id: string;
  state: string;
  version: number;
  columns: (string | null)[];
  counts: Record<string, number>;
  problem: { message: string } | null;
}

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer({}, { portal: true });
  owner = await server.signIn('owner@sharma.demo');
  const address = { line1: '4 Temple Street', city: 'Bengaluru', pincode: '560001' };
  await owner.ask('FoundOrganisation', {
    name: 'Meena Traders',
    code: 'MEENA',
    gstin: `29AABCM1234C1Z${gstinCheckDigit('29AABCM1234C1Z')}`,
    ...address,
  } as never);
  await owner.ask('SwitchOrganisation', { OrgCode: 'MEENA' });
}, 60_000);
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

const settled = async (name: string, id: string): Promise<Import> => {
  let found = {} as Import;
  await expect
    .poll(
      async () => {
        found = await owner.ask('GetImport', { master: name, id });
        return found.state;
      },
      { timeout: 30_000, interval: 100 },
    )
    .not.toMatch(/ing$(?<!mapping)/);
  return found;
};
const bringIn = async (name: string, bytes: Buffer): Promise<Record<string, number>> => {
  const { id }: Import = await owner.ask('BeginImport', { master: name, name: 'Master.xml', size: bytes.length });
  await owner.ask('SendImportPiece', { master: name, id, part: 1, content: bytes.toString('base64') });
  await owner.ask('ReadImport', { master: name, id });
  const { version, columns } = await settled(name, id);
  await owner.ask('MapImport', { master: name, id, version, columns, existing: 'keep' });
  await settled(name, id);
  const { rows } = (await owner.ask('ListImportRows', { master: name, id, outcome: 'refused' })) as {
    rows: { cells: string[]; problems: { message: string }[] }[];
  };
  expect(rows.map(({ cells, problems }) => [cells[0], ...problems.map(({ message }) => message)])).toEqual([]);
  await owner.ask('RunImport', { master: name, id, reason: 'Moved from Tally' });
  return (await settled(name, id)).counts;
};

interface Balance {
  readonly ledger: string;
  readonly balance: string;
}
const query = async <R extends object>(text: string): Promise<R[]> => (await server.database.owner.query<R>(text)).rows;
const ofMeena = `(select organisation from organisations where code = 'MEENA')`;
/** The balance of every ledger that has one, in rupees: debits less credits. */
const trialBalance = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await query<Balance>(
        `select l.name as ledger, (sum(e.debit - e.credit) / 100)::numeric(20, 2)::text as balance
           from entries e
           join ledgers l on l.organisation = e.organisation and l.id = e.ledger
          where e.organisation = ${ofMeena}
          group by 1
         having sum(e.debit - e.credit) <> 0
          order by 1`,
      )
    ).map(({ ledger, balance }) => [ledger, balance]),
  );

test('a company moves in with all its masters and balances; its trial balance, stock and bills are those of the file', async () => {
  const file = envelope(smallCompany);
  await query(
    `insert into subscriptions (organisation, id, modules, starts_on)
     values (${ofMeena}, gen_random_uuid(), '{parts}', '2026-04-01')`,
  );
  await owner.ask('SaveGeneralConfigDetails', { values: { enableBatch: true } } as never);
  const names = tallyOrder.filter((name) => name !== 'costCentre');
  const counts: Record<string, Record<string, number>> = {};
  for (const name of names) counts[name] = await bringIn(name, file);
  expect(counts).toEqual({
    // the unit of pieces is there already
    unit: { added: 1, same: 1 },
    ledger: { added: 4 },
    customer: { added: 1 },
    supplier: { added: 1 },
    category: { added: 1 },
    item: { added: 2 },
    openingLedgers: { added: 6 },
    openingBills: { added: 4 },
    openingItems: { added: 3 },
  });
  const difference = await trialBalance();
  expect(difference).toEqual({
    'Capital of Meena': '-200000.00',
    'Cash in hand': '25000.00',
    'HDFC Bank': '150000.00',
    'Input CGST': '900.00',
    'Office equipment': '1000.00',
    'Stock-in-trade': '60000.00',
    'Surplus in statement of profit and loss (retained earnings)': '-35720.00',
    'Trade payables - others (control)': '-2360.00',
    'Trade receivables - domestic (control)': '1180.00',
  });
  expect(
    await query(
      `select i.name, i.hsn, (i.gst_rate / 10000.0)::float8 as rate, i.unit, sum(m.quantity)::float8 / 1000000 as quantity
         from items i
         join movements m on m.organisation = i.organisation and m.item = i.id
        where i.organisation = ${ofMeena}
        group by 1, 2, 3, 4
        order by 1`,
    ),
  ).toEqual([
    { name: 'Fan 48"', hsn: '84145110', rate: 18, unit: 'NOS', quantity: 20 },
    { name: 'Paracetamol', hsn: '3004', rate: 5, unit: 'STRIP', quantity: 300 },
  ]);
  // the same file once more changes nothing
  for (const name of ['ledger', 'supplier', 'openingLedgers', 'openingBills', 'openingItems'])
    expect(Object.keys(await bringIn(name, file)), name).not.toContain('added');
  expect(await trialBalance()).toEqual(difference);
}, 120_000);

test('each bill of a party has its number and days; what is of no bill is a balance of its own', async () => {
  const lines = await rowsOf('openingBills', envelope(smallCompany));
  expect(lines).toEqual([
    ['Party', 'Bill number', 'Bill date', 'Due date', 'Debit (₹)', 'Credit (₹)'],
    ['Acme & Sons', 'A/1', '2026-03-10', '2026-04-09', '1500.00', ''],
    ['Acme & Sons', 'ADV/7', '2026-03-20', '', '', '200.00'],
    ['Acme & Sons', '', '', '', '', '120.00'],
    ['Zenith Mills', '', '', '', '', '2360.00'],
  ]);
});

test('a party is read from the rows in force of the new lists, and from the older fields', async () => {
  const [headings = [], ...lines] = [
    ...(await rowsOf('customer', envelope(smallCompany))),
    ...(await rowsOf('supplier', envelope(smallCompany))).slice(1),
  ];
  const named = lines.map((cells) =>
    Object.fromEntries(headings.flatMap((heading, at) => (cells[at] ? [[heading, cells[at]]] : []))),
  );
  expect(named).toEqual([
    {
      Name: 'Acme & Sons',
      GSTIN: '29AAGCS4821F1ZB',
      'GST category': 'registered',
      State: 'Karnataka',
      'Credit days': '30',
      Phone: '9845012345',
      'Billing address line 1': '12 Brigade Road',
      'Billing city': 'Karnataka',
      'Billing state': 'Karnataka',
      'Billing PIN code': '560001',
    },
    {
      Name: 'Zenith Mills',
      GSTIN: '27AAGCS4821F1ZF',
      'GST category': 'registered',
      State: 'Maharashtra',
      'Billing address line 1': '4 Fort Road',
      'Billing city': 'Mumbai',
      'Billing state': 'Maharashtra',
      'Billing PIN code': '400001',
    },
  ]);
});
