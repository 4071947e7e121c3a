import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../domain/base/money.ts';
import { type Effect, effectNames, effects } from '../../domain/books/effects.ts';
import { effectUses } from '../../domain/books/ledger-uses.ts';
import { itemLine, receive, type TestBooks, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { Problems } from '../kit/problems.ts';
import { masterHandlers as masters } from './index.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, message }) => `${field}: ${message}`);
    },
  );
const pointed = async (effect: Effect, where = books): Promise<string> =>
  String((await masters.GetMaster({ master: 'ledgerPosting', id: effect }, where.context())).values['ledger']);
async function point(effect: Effect, ledger: string, where = books): Promise<unknown> {
  const { version } = await masters.GetMaster({ master: 'ledgerPosting', id: effect }, where.context());
  const values = { ledger };
  return outcome(masters.SaveMaster({ master: 'ledgerPosting', id: effect, version, values }, where.context()));
}
const groupOf = async (code: string, where = books): Promise<string> =>
  (
    await db.owner.query(`select id from ledgers where organisation = $1 and is_group and code = $2`, [
      where.organisation,
      code,
    ])
  ).rows[0].id;
const add = async (code: string, group: string, more: object = {}, where = books) =>
  masters.SaveMaster(
    { master: 'ledger', values: { code, name: `Own ${code}`, group: await groupOf(group, where), ...more } },
    where.context(),
  );
/** Somebody with a grant: names of ledgers are for those who work with them. */
const at = () => ({
  ...books.context(),
  grants: new Map([['Sales', 5001]]) as ReturnType<TestBooks['context']>['grants'],
});
const maps = async () =>
  (await brokenInvariants(db.owner)).filter(({ organisation }) => organisation === books.organisation);

test.each([
  ['stock', '6485', 'Choose a ledger of assets'],
  ['stock', '1121', 'This is a bank or cash ledger: choose another'],
  ['receivable', '4110', 'Choose a ledger of assets'],
  ['outputCgst', '6485', 'Choose a ledger of liabilities'],
  ['salesGoods', '1210', 'Choose a ledger of income'],
  ['roundOff', '1310', 'Choose a ledger of income or expenses'],
  ['inputCgst', '1412', 'This ledger is kept for “Input SGST/UTGST”: choose another'],
  ['advanceCustomer', '2120', 'This ledger is kept for “Trade payables”: choose another'],
  ['payable', '2340', 'done'],
] as const)('%s to %s: %s', async (effect, code, message) => {
  const before = await pointed(effect);
  const ledger = await books.ledger(code);
  expect(await point(effect, ledger)).toEqual(message === 'done' ? 'done' : [`ledger: ${message}`]);
  if (message === 'done') await point(effect, before);
  expect(await pointed(effect)).toBe(before);
});

test('the list of ledgers for an effect holds those that it takes, and a save agrees with it', async () => {
  const ids = (
    await db.owner.query(`select id from ledgers where organisation = $1 and not is_group and active`, [
      books.organisation,
    ])
  ).rows.map(({ id }) => id as string);
  for (const effect of ['stock', 'receivable', 'outputIgst', 'roundOff', 'bank', 'salesGoods'] as const) {
    const before = await pointed(effect);
    const offered: string[] = [];
    for (const letter of '123456') {
      const { rows } = await masters.Pick({ master: 'ledger', use: effect, search: letter }, at());
      offered.push(...rows.map(({ id }) => id));
    }
    expect(offered).toContain(before);
    for (const id of ids.filter((_, at) => at % 9 === 0)) {
      const done = (await point(effect, id)) === 'done';
      if (done) await point(effect, before);
      expect([effect, id, done]).toEqual([effect, id, offered.includes(id)]);
    }
  }
  expect(await outcome(masters.Pick({ master: 'ledger', use: 'nothing', search: '' }, at()))).toEqual([
    'use: There is no use of ledgers called “nothing”',
  ]);
});

test('a retired ledger, and one in another currency, is refused', async () => {
  const { id, version } = await add('6901', '6400');
  await masters.RetireMaster({ master: 'ledger', id, version, active: false }, books.context());
  expect(await point('roundOff', id)).toEqual(['ledger: Own 6901 is retired: restore it, or choose another ledger']);
  const dollars = await add('1198', '1100', { isBank: true, currency: 'USD' });
  expect(await point('bank', dollars.id)).toEqual([
    'ledger: This ledger is kept in USD: choose one that is kept in rupees',
  ]);
});

test('before the first posting an effect moves to a ledger of its own; a ledger with entries is not taken', async () => {
  const own = await testBooks(db);
  const { id, version, values } = await add('1319', '1300', {}, own);
  expect(await point('stock', id, own)).toBe('done');
  // what it is kept for now binds its group, and that it is no bank
  const change = (more: object) =>
    outcome(masters.SaveMaster({ master: 'ledger', id, version, values: { ...values, ...more } }, own.context()));
  expect(await change({ group: await groupOf('6400', own) })).toEqual([
    'group: “Stock-in-trade” is posted to this ledger (Ledger postings): choose a group of assets',
  ]);
  expect(await change({ isBank: true })).toEqual([
    'isBank: “Stock-in-trade” is posted to this ledger (Ledger postings): it is no bank or cash',
  ]);
  await receive(own, own.items[0], 5, 100, '2026-11-01');
  expect(await point('stock', await own.ledger('1310'), own)).toEqual([
    'ledger: Ledger cannot be changed any more: amounts are posted to 1319 Own 1319 (balance ₹500.00 Dr). To show it otherwise, ' +
      'change the name or group of that ledger',
  ]);
  const used = await add('2291', '2200', {}, own);
  const lines = [
    { ledger: await own.ledger('6410'), debit: paise(100) },
    { ledger: used.id, credit: paise(100) },
  ];
  await own.post(own.draft('manualJournal', { lines }));
  expect(await point('outputCgst', used.id, own)).toEqual([
    'ledger: This ledger has entries already: choose one without entries, so that it shows nothing else',
  ]);
  // what is only where something goes may be moved at any time
  expect(await point('cogs', await own.ledger('5110'), own)).toBe('done');
  expect((await brokenInvariants(db.owner)).filter(({ organisation }) => organisation === own.organisation)).toEqual(
    [],
  );
  await own.end();
});

test('a posting that comes while an effect is moved goes to the one ledger or the other, and its cost with it', async () => {
  const own = await testBooks(db);
  await receive(own, own.items[0], 50, 100, '2026-11-01');
  const { id } = await add('2219', '2200', {}, own);
  const sale = () =>
    own.post(own.draft('saleInvoice', { party: own.customer, lines: [itemLine(own.items[0], 1, 200)] }));
  const results = await Promise.all([sale(), point('outputCgst', id, own), sale(), sale()]);
  const now = await pointed('outputCgst', own);
  expect(now === id).toBe(results[1] === 'done');
  const { rows } = await db.owner.query(
    `
      select distinct l.code
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.organisation = $1 and l.code in ('2211', '2219')
    `,
    [own.organisation],
  );
  expect(rows).toEqual([{ code: now === id ? '2219' : '2211' }]);
  await own.end();
});

test('two who point two effects at the same ledger: one does', async () => {
  const own = await testBooks(db);
  const { id } = await add('2218', '2200', {}, own);
  const results = await Promise.all([point('outputCgst', id, own), point('outputSgst', id, own)]);
  expect(results.filter((result) => result === 'done')).toHaveLength(1);
  await own.end();
});

test('usual ledgers of items, charges and bank accounts obey the same rule', async () => {
  const [output, bank, rent] = await Promise.all(['2211', '1121', '6410'].map((code) => books.ledger(code)));
  const item = {
    sku: 'X',
    name: 'X',
    type: 'service',
    unit: 'NOS',
    hsn: '998311',
    treatment: 'taxable',
    gstRate: '18',
  };
  const save = (master: string, values: Record<string, unknown>) =>
    outcome(masters.SaveMaster({ master, values }, books.context()));
  expect(await save('item', { ...item, incomeLedger: output, expenseLedger: bank })).toEqual([
    'incomeLedger: This ledger is kept for “Output CGST”: choose another',
    'expenseLedger: This is a bank or cash ledger: choose another',
  ]);
  const charge = { code: 'C', name: 'C', sort: 'less', usedOn: 'both' };
  expect(await save('adjustment', { ...charge, ledger: bank })).toEqual([
    'ledger: This is a bank or cash ledger: choose another',
  ]);
  const account = { code: 'B', bankName: 'B', accountNumber: '1', ifsc: 'HDFC0000001' };
  expect(await save('bank', { ...account, ledger: rent })).toEqual(['ledger: Choose a bank or cash ledger']);
  expect(await save('adjustment', { ...charge, ledger: rent })).toBe('done');
});

test('every map of the default chart is lawful, and one that breaks the rule is found', async () => {
  expect(await maps()).toEqual([]);
  const set = (effect: Effect, ledger: string) =>
    db.owner.query('update posting_map set ledger = $3 where organisation = $1 and effect = $2', [
      ...[books.organisation, effect, ledger],
    ]);
  for (const [effect, code] of [
    ['stock', '6485'],
    ['receivable', '1121'],
    ['roundOff', '1411'],
    ['bank', '1510'],
  ] as const) {
    const before = await pointed(effect);
    await set(effect, await books.ledger(code));
    expect([effect, (await maps()).map(({ id }) => id)]).toEqual([effect, expect.arrayContaining(['INV-95'])]);
    await set(effect, before);
  }
  expect(await maps()).toEqual([]);
  expect(effectNames.filter((name) => effectUses[name] === undefined || effects[name] === undefined)).toEqual([]);
});
