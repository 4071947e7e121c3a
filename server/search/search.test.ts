import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Details } from '../../contract/contract.ts';
import type { findCalls } from '../../contract/finding.ts';
import { type Screen, type ScreenName, screens } from '../../contract/screens.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { dayNow } from '../../tools/testing/year.ts';
import { parentsOfKind, parentsOfMaster } from '../access/index.ts';

type Found = Details<(typeof findCalls)['FindAnything']>;

let server: TestServer;
let shop: Shop;
/** An invoice of ₹ 12,345.00 to Bharat Electricals, goods worth ₹ 50,000.00, and a bill of Kaveri Mills. */
let invoice: { TransactionId: string; TransactionNumber: string };
let opening: { TransactionId: string; TransactionNumber: string };
let bill: { TransactionId: string; TransactionNumber: string };
let ids: Readonly<Record<'bharat' | 'kaveri' | 'sharma' | 'ganesh' | 'fan', string>>;

const find = async (search: string, by: Visitor = shop.owner): Promise<Found> =>
  (await by.ask('FindAnything', { search })) as Found;
const documentsOf = async (search: string, by?: Visitor) => (await find(search, by)).documents.map(({ id }) => id);
const partiesOf = async (search: string, by?: Visitor) => (await find(search, by)).parties.map(({ id }) => id);
const itemsOf = async (search: string, by?: Visitor) => (await find(search, by)).items.map(({ id }) => id);

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const save = async (master: string, values: Record<string, unknown>) =>
    ((await shop.owner.ask('SaveMaster', { master, values })) as { id: string }).id;
  const address = { line1: '9 Ring Road', city: 'Bengaluru', state: '29', pincode: '560058' };
  const party = { category: 'registered', state: '29', addresses: [address] };
  const unregistered = { ...party, category: 'unregistered' };
  ids = {
    bharat: await save('customer', {
      ...{ ...party, name: 'Bharat Electricals', gstin: '29AABCB1234F1Z4', phone: '+91 98450 12345' },
    }),
    kaveri: await save('supplier', { ...party, name: 'Kaveri Mills', gstin: '29AABCK1234F1ZV' }),
    sharma: await save('customer', { ...unregistered, name: 'शर्मा ट्रेडर्स' }),
    ganesh: await save('customer', { ...unregistered, name: 'ಗಣೇಶ ಸ್ಟೋರ್ಸ್' }),
    fan: await save('item', {
      ...{ sku: 'FAN-48', name: 'Ceiling fan 48 inch', type: 'stock', unit: 'NOS', hsn: '84145120' },
      ...{ treatment: 'taxable', gstRate: '0', saleRate: '1500.00', purchaseRate: '1000.00', barcode: '8901234567890' },
    }),
  };
  opening = await shop.post({ kind: 'openingStock', lines: [{ item: ids.fan, quantity: '50', rate: '1000' }] });
  const line = (rate: string) => ({ item: ids.fan, quantity: '1', rate });
  invoice = await shop.post({ kind: 'saleInvoice', party: ids.bharat, lines: [line('12345')] });
  bill = await shop.post({
    ...{ kind: 'purchaseBill', party: ids.kaveri, reference: 'KM/2026/881', referenceDate: dayNow },
    lines: [line('640')],
  });
}, 120_000);
afterAll(() => server?.stop());

/** The approver with these levels and none besides, at all places; whether the role shows what goods cost. */
async function holding(
  levels: Readonly<Partial<Record<string, number>>>,
  { cost = null }: { readonly cost?: 'no' | null } = {},
): Promise<Visitor> {
  const { owner } = server.database;
  await owner.query('delete from user_locations where organisation = 1');
  await owner.query(`update roles set sees_cost = $1 where organisation = 1 and name = 'Approver'`, [cost]);
  const role = `(select id from roles where organisation = 1 and name = 'Approver')`;
  await owner.query(`delete from role_grants where organisation = 1 and role = ${role}`);
  for (const [parent, level] of Object.entries(levels))
    await owner.query(
      `insert into role_grants (organisation, role, screen, level) select 1, ${role}, $1::int, $2::int`,
      [(screens[parent as ScreenName] as Screen).id, level],
    );
  return server.signIn('approver@sharma.demo');
}
const onKind = (kind: string, level = 5000) => Object.fromEntries(parentsOfKind(kind).map((each) => [each, level]));
const onMaster = (master: string) => Object.fromEntries(parentsOfMaster(master).map((each) => [each, 5000]));

test('a document is found by its number: whole, without signs, in small letters, and by how it begins', async () => {
  const number = invoice.TransactionNumber;
  for (const typed of [number, number.toLowerCase(), number.replaceAll(/[^\dA-Z]/gi, ''), ` ${number} `])
    expect([typed, (await find(typed)).documents[0]?.id]).toEqual([typed, invoice.TransactionId]);
  expect(await documentsOf(number.slice(0, -1))).toContain(invoice.TransactionId);
});

test('a number without what its series puts around it finds the document', async () => {
  const counter = /(\d+)$/.exec(invoice.TransactionNumber)?.[1] ?? '';
  for (const typed of [counter, String(Number(counter)), `INV ${Number(counter)}`])
    expect([typed, await documentsOf(typed)]).toEqual([typed, expect.arrayContaining([invoice.TransactionId])]);
  // the series that was typed is that of no such number
  expect(await documentsOf(`ZZZ/${Number(counter)}`)).toEqual([]);
});

test('the counter of a number is known from its financial year, wherever the series writes that', async () => {
  const of = async (number: string) =>
    (
      await server.database.owner.query<{ counter: string }>(`select number_counter($1, '2026-27') as counter`, [
        number,
      ])
    ).rows[0]?.counter;
  const counters = {
    'SI/26-27/00123': '123',
    'SI/2026-27/00123': '123',
    INV26270012: '12',
    'INV/2627/0012': '12',
    '0012/26-27': '12',
    'INV/26-27/12627': '12627',
    'INV/26-27/2627': '2627',
    'INV/2627': '2627',
    'KM-7A': '7',
  };
  for (const [number, counter] of Object.entries(counters))
    expect([number, await of(number)]).toEqual([number, counter]);
});

test('a document is found by its reference, also without signs and by how it begins', async () => {
  for (const typed of ['KM/2026/881', 'km2026881', 'km/2026'])
    expect([typed, await documentsOf(typed)]).toEqual([typed, [bill.TransactionId]]);
  expect((await find('km/2026/881')).documents[0]).toMatchObject({ meant: 'reference', reference: 'KM/2026/881' });
});

test('a document is found by its total as people write it', async () => {
  for (const typed of ['12,345.00', '12345.0', '12345.00', '₹12,345', '₹ 12,345.00', '12345', 'Rs 12345'])
    expect([typed, await documentsOf(typed)]).toEqual([typed, expect.arrayContaining([invoice.TransactionId])]);
  const [bank, capital] = [await shop.ledger('1121'), await shop.ledger('3110')];
  const lines = [
    { ledger: bank, debit: '777.25' },
    { ledger: capital, credit: '777.25' },
  ];
  const journal = await shop.post({ kind: 'manualJournal', lines });
  // paise that were not typed may be any
  for (const typed of ['777.25', '777.2', '₹777', '777'])
    expect([typed, await documentsOf(typed)]).toEqual([typed, expect.arrayContaining([journal.TransactionId])]);
  expect((await find('777.25')).documents[0]).toMatchObject({ meant: 'amount', total: '777.25' });
  for (const other of ['12,345.01', '777.26', '777.3']) expect([other, await documentsOf(other)]).toEqual([other, []]);
});

test('documents of a party are found by its name, GSTIN and telephone', async () => {
  for (const typed of ['bharat electricals', 'bhar elec', '29aabcb1234f1z4', '9845012345'])
    expect([typed, await documentsOf(typed)]).toEqual([typed, [invoice.TransactionId]]);
  expect((await find('bharat')).documents[0]).toMatchObject({ meant: 'party', party: 'Bharat Electricals' });
});

test('a party is found by name, parts of it, code, GSTIN and telephone in any form', async () => {
  const code = (await find('Bharat Electricals')).parties[0]?.code ?? '';
  const typed = [
    ...['Bharat Electricals', 'bharat', 'elec bha', 'lectrical', 'M/s Bharat'],
    ...['29AABCB1234F1Z4', '29aabcb1234f1z4', '29aabcb1', 'aabcb1234f', code, code.toLowerCase()],
    ...['9845012345', '+91 98450 12345', '098450-12345', '+91-9845012345', '98450', '+91 9845'],
  ];
  for (const text of typed) expect([text, (await partiesOf(text))[0]]).toEqual([text, ids.bharat]);
});

test('one or two typing errors in a name still find the party', async () => {
  const typed = ['Bharta Electricals', 'Bahrat', 'Bharet Electrcals', 'electrcls', 'Kavri', 'kaveri mlils', 'Kaaveri'];
  for (const text of typed)
    expect([text, (await partiesOf(text))[0]]).toEqual([
      text,
      text.toLowerCase().startsWith('k') ? ids.kaveri : ids.bharat,
    ]);
});

test('names in Hindi and Kannada are found, by how a word begins and with an error too', async () => {
  for (const text of ['शर्मा ट्रेडर्स', 'शर्मा', 'ट्रेड', 'शरमा', 'शर्मा ट्रेडरस'])
    expect([text, await partiesOf(text)]).toEqual([text, [ids.sharma]]);
  for (const text of ['ಗಣೇಶ', 'ಗಣೇಶ ಸ್ಟೋರ್ಸ್', 'ಸ್ಟೋರ್', 'ಗಣೆಶ'])
    expect([text, await partiesOf(text)]).toEqual([text, [ids.ganesh]]);
});

test('an item is found by name, SKU and barcode, and with a typing error', async () => {
  for (const text of ['Ceiling fan 48 inch', 'fan ceil', 'FAN-48', 'fan48', 'fan 48', '8901234567890', 'cieling fan'])
    expect([text, (await itemsOf(text))[0]]).toEqual([text, ids.fan]);
});

test('what was changed is found as it is now, and what was merged as the party that stays', async () => {
  const name = async (text: string) =>
    (await shop.owner.ask('SaveMaster', {
      master: 'customer',
      values: { name: text, category: 'unregistered', state: '29', addresses: [] },
    })) as { id: string; version: number };
  const [stays, goes] = [await name('Nandi Hardware'), await name('Nandhi Ironmongers')];
  await shop.owner.ask('SaveMaster', {
    master: 'customer',
    id: stays.id,
    version: stays.version,
    values: { name: 'Vrindavan Hardware', category: 'unregistered', state: '29', addresses: [] },
  } as never);
  expect(await partiesOf('Vrindavan')).toEqual([stays.id]);
  expect(await partiesOf('Nandi')).not.toContain(stays.id);
  const sold = await shop.post({
    ...{ kind: 'saleInvoice', party: goes.id },
    lines: [{ item: ids.fan, quantity: '1', rate: '100' }],
  });
  await shop.owner.ask('MergeParties', {
    ...{ stays: stays.id, staysVersion: stays.version + 1, goes: goes.id, goesVersion: goes.version },
  } as never);
  expect(await partiesOf('Nandhi Ironmongers')).toEqual([stays.id]);
  expect(await documentsOf('Vrindavan')).toContain(sold.TransactionId);
});

test('a cancelled document is found and said to be cancelled', async () => {
  const sold = await shop.post({
    ...{ kind: 'cashSale', partyName: 'Walk-in Joseph' },
    lines: [{ item: ids.fan, quantity: '1', rate: '4321' }],
  });
  expect((await find('walk-in jos')).documents[0]).toMatchObject({
    id: sold.TransactionId,
    meant: 'buyer',
    cancelled: false,
  });
  await shop.owner.ask('CancelTransaction', {
    ...{ TransactionIds: [sold.TransactionId], TransactionType: 'cashSale', reason: 'typed twice' },
  });
  expect((await find(sold.TransactionNumber)).documents[0]).toMatchObject({ id: sold.TransactionId, cancelled: true });
});

test('nothing and a single letter find nothing; signs of patterns mean themselves', async () => {
  const nothing = { documents: [], parties: [], items: [] };
  for (const text of ['', ' ', 'b', '%', '%%', '__', "'; --", '(('])
    expect([text, await find(text)]).toEqual([text, nothing]);
  expect((await shop.owner.call('FindAnything', { search: 'a'.repeat(101) })).status).toBe(422);
});

test('another organisation finds nothing of these books', async () => {
  const nova = await server.signIn('owner@nova.demo');
  for (const text of [invoice.TransactionNumber, '12,345.00', 'bharat', '29AABCB1234F1Z4', 'KM/2026/881', 'FAN-48']) {
    const found = JSON.stringify(await find(text, nova));
    for (const id of [invoice.TransactionId, bill.TransactionId, ...Object.values(ids)])
      expect(found).not.toContain(id);
  }
});

test('somebody without any grant is refused', async () => {
  const none = await server.signIn('none@sharma.demo');
  expect((await none.call('FindAnything', { search: 'bharat' })).status).toBe(403);
});

test('of each kind and master somebody finds what they may open, and no more', async () => {
  const sales = await holding(onKind('saleInvoice'));
  expect(await find('bharat', sales)).toMatchObject({
    documents: [{ id: invoice.TransactionId }],
    parties: [],
    items: [],
  });
  expect(await documentsOf('KM/2026/881', sales)).toEqual([]);
  expect(await documentsOf('kaveri', sales)).toEqual([]);
  expect(await itemsOf('FAN-48', sales)).toEqual([]);
  const customers = await holding(onMaster('customer'));
  expect(await partiesOf('bharat', customers)).toEqual([ids.bharat]);
  expect(await partiesOf('kaveri', customers)).toEqual([]);
  expect(await documentsOf('bharat', customers)).toEqual([]);
  const items = await holding(onMaster('item'));
  expect(await itemsOf('FAN-48', items)).toEqual([ids.fan]);
});

test('people limited to a place find documents of that place alone', async () => {
  await holding(onKind('saleInvoice'));
  const there = server.organisations[0]?.locations['PUN'];
  await server.database.owner.query(
    `insert into user_locations (organisation, "user", location)
     select organisation, id, $1 from users where organisation = 1 and email = 'approver@sharma.demo'`,
    [there],
  );
  const limited = await server.signIn('approver@sharma.demo');
  for (const text of [invoice.TransactionNumber, '12,345.00', 'bharat electricals'])
    expect([text, await documentsOf(text, limited)]).toEqual([text, []]);
});

test('whoever sees only what they made themselves finds only that', async () => {
  const debit = { ledger: await shop.ledger('5110'), debit: '11' };
  const credit = { ledger: await shop.ledger('3110'), credit: '11' };
  const balance = {
    ...{ kind: 'openingBalance', narration: 'Rent paid before', lines: [debit, credit] },
  };
  const others = await shop.post(balance);
  const keeper = await holding({ 'Opening Balance': 5001 });
  expect(await documentsOf(others.TransactionNumber, keeper)).toEqual([others.TransactionId]);
  const accepted = ['openingLate', 'openedTwice'].map((warning) => ({ warning, reason: 'A test' }));
  const own = (await keeper.ask(
    'PostTransactionCalls',
    { document: { date: dayNow, ...shop.place, accepted, ...balance } } as never,
    randomUUID(),
  )) as { TransactionId: string; TransactionNumber: string };
  // the screen of opening balances is open to everybody, and without a grant it shows one's own
  const bare = await holding(onMaster('item'));
  expect(await documentsOf(others.TransactionNumber, bare)).toEqual([]);
  expect(await documentsOf(own.TransactionNumber, bare)).toEqual([own.TransactionId]);
});

test('a role that shows no cost finds nothing by what goods cost', async () => {
  const levels = { ...onKind('openingStock', 5003), ...onKind('saleInvoice') };
  const seen = await find('50,000.00', await holding(levels));
  expect(seen.documents).toMatchObject([{ id: opening.TransactionId, total: '50000.00', meant: 'amount' }]);
  const blind = await holding(levels, { cost: 'no' });
  expect(await documentsOf('50,000.00', blind)).toEqual([]);
  expect((await find(opening.TransactionNumber, blind)).documents).toMatchObject([
    { id: opening.TransactionId, total: null },
  ]);
  expect(await documentsOf('12,345.00', blind)).toContain(invoice.TransactionId);
});

test('the answer is bounded, however many records a text means', async () => {
  const { owner } = server.database;
  await owner.query(`
    insert into parties (organisation, id, code, name, search, side, category, state)
    select 1, gen_random_uuid(), 'M' || n, 'Moreover ' || n, 'm' || n || ' moreover ' || n, 'customer', 'unregistered', '29'
    from generate_series(1, 300) n
  `);
  await owner.query(`
    insert into items (
      organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, sale_rate, purchase_rate, search
    )
    select
      1, gen_random_uuid(), 'M' || n, 'Moreover ' || n, false, true, '84713010', 'NOS', 'taxable', 0, 0, 0,
      'm' || n || ' moreover ' || n
    from generate_series(1, 300) n
  `);
  for (let n = 0; n < 15; n++)
    await shop.post({
      ...{ kind: 'cashSale', partyName: `Moreover ${n}` },
      lines: [{ item: ids.fan, quantity: '1', rate: '31' }],
    });
  for (const text of ['moreover', 'moreovr', 'more']) {
    const { documents, parties, items } = await find(text);
    expect([text, documents.length <= 10, parties.length, items.length]).toEqual([text, true, 5, 5]);
  }
  expect((await find('moreover')).documents.length).toBeGreaterThan(3);
});

test('whoever is not shown what a document is worth does not find it by that', async () => {
  const adjusted = await shop.post({
    ...{ kind: 'inventoryAdjustment', fields: { adjustmentReason: 'Count' } },
    lines: [{ item: ids.fan, delta: '-1' }],
  });
  const found = (await find(adjusted.TransactionNumber)).documents.find(({ id }) => id === adjusted.TransactionId);
  expect(found).toMatchObject({ total: null });
  for (const amount of ['1,000.00', '1000.00']) expect(await documentsOf(amount)).not.toContain(adjusted.TransactionId);
});

test('every party and item is found by its own name or code, and every document by its own number, among the first', async () => {
  const { rows } = await server.database.owner.query<{ id: string; text: string; group: keyof Found }>(`
    select id, unnest(array[name, code]) as text, 'parties' as group
    from parties
    where organisation = 1 and merged_into is null
    union all
    select id, unnest(array[name, sku]), 'items' from items where organisation = 1
    union all
    select id, number, 'documents' from documents where organisation = 1
  `);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...rows), fc.boolean(), async ({ id, text, group }, isSmall) => {
      const found = await find(isSmall ? text.toLowerCase() : text);
      expect([text, found[group].map((row) => row.id)]).toEqual([text, expect.arrayContaining([id])]);
    }),
    { numRuns: 60 },
  );
});

test('a name with one typing error finds its party among the first, whatever the name and the error', async () => {
  const { owner } = server.database;
  const letters = 'abdeghiklmnoprstuvअकगतनपमरलसಕಗತನಪಮರಲ';
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 4, maxLength: 10 });
  const error = fc.record({
    how: fc.constantFrom('left out', 'added', 'wrong', 'exchanged'),
    at: fc.nat(),
    letter: fc.constantFrom(...letters),
  });
  await fc.assert(
    fc.asyncProperty(word, word, error, async (first, second, { how, at, letter }) => {
      const name = `${first} ${second}`;
      const { rows } = await owner.query<{ id: string }>(
        `insert into parties (organisation, id, code, name, search, side, category, state)
         select 1, gen_random_uuid(), 'E' || count(*), $1, $2, 'customer', 'unregistered', '29' from parties
         returning id`,
        [name, name],
      );
      const of = Array.from(first);
      const n = at % of.length;
      if (how === 'left out') of.splice(n, 1);
      if (how === 'added') of.splice(n, 0, letter);
      if (how === 'wrong') of.splice(n, 1, letter);
      if (how === 'exchanged') of.splice(n, 2, ...of.slice(n, n + 2).reverse());
      const typed = `${of.join('')} ${second}`;
      expect([name, typed, await partiesOf(typed)]).toEqual([name, typed, expect.arrayContaining([rows[0]?.id])]);
    }),
    { numRuns: 60 },
  );
});
