import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, money, percentage } from '../../domain/base/decimal.ts';
import type { Draft, Id } from '../../domain/document/document.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { type Tables, taxDue, taxMoved } from '../../tools/testing/gstr3b.ts';
import { openTraders, traits } from '../../tools/testing/machine/categories.ts';
import { newId } from '../kit/ids.ts';
import { drawReturn } from './index.ts';

const all = manyBooks();
let db: TestDatabase;
beforeAll(async () => {
  db = await all.open();
});
afterAll(() => all.close());

const TODAY = '2026-11-20';
const drawn = async (books: TestBooks, period = '2026-09'): Promise<Tables> => {
  const { tables } = await books
    .context()
    .inTransaction((trx) => drawReturn(trx, books.organisation, books.registration, 'GSTR-3B', period, TODAY));
  return Object.fromEntries(tables.map(({ name, ...amounts }) => [name, { ...amounts }]));
};
const party = async (books: TestBooks, category: string, state: string, country: string): Promise<Id> => {
  const id = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
     values ($1, $2, $3, $3, 'both', $4, $5, $6, $7, 'party')`,
    [books.organisation, id, `P-${id.slice(-8)}`, category, state, country, country === 'IN' ? 'INR' : 'USD'],
  );
  return id;
};

test('GSTR-3B has the figures of its tables, and they are what the ledgers of tax moved by', async () => {
  const books = await all.more();
  const [item] = books.items;
  const date = '2026-09-10';
  const post = (kind: string, more: Partial<Draft>) =>
    books.post(books.draft(kind, { date, ...more })).catch((error) => {
      throw new Error(`${kind} ${JSON.stringify(error.problems ?? error)}`);
    });
  const abroad = await party(books, 'overseas', '96', 'US');
  const far = await party(books, 'unregistered', '33', 'IN');
  const bank = await books.ledger('1121');
  const rent = await books.ledger('6410');
  const bill = await receive(books, item, 100, 60, '2026-09-01');
  const sold = await sell(books, item, 2, '2026-09-05');
  // a note without GST changes no supply
  await post('saleCreditNote', {
    ...{ party: books.customer, against: sold.id, reason: '03', withoutTax: true },
    lines: [{ ...itemLine(item, 1, 10), source: { document: sold.id, line: 1 } }],
  });
  await post('saleInvoice', { party: far, placeOfSupply: '33', lines: [itemLine(item, 1, 100)] });
  // blocked credit passes through 4(A)(5) and out by 4(B)(1)
  await post('purchaseBill', {
    ...{ party: books.supplier, reference: 'BL-1', referenceDate: date },
    lines: [{ ...itemLine(books.items[1], 1, 1000), creditBlocked: true }],
  });
  const bought = await post('overseasPurchase', {
    ...{ party: abroad, reference: 'US-1', referenceDate: date, currency: 'USD', exchangeRate: millionths(80_000_000) },
    lines: [itemLine(item, 1, 100)],
  });
  await post('billOfEntry', {
    ...{ against: bought.id, reference: '1234567', referenceDate: date },
    fields: { port: 'INMAA1' },
    customs: { assessable: money('8000'), basic: money('0'), surcharge: money('0'), igst: money('1440') },
  });
  // under reverse charge
  await post('expense', {
    ...{ party: books.supplier, reverseCharge: true, reference: 'RC-1', referenceDate: date },
    lines: [
      { ledger: rent, quantity: millionths(1_000_000), rate: millionths(500_000_000), gstRate: percentage('18') },
    ],
  });
  await post('saleReceipt', {
    ...{ party: books.customer, moneyLedger: bank, amount: money('200'), allocations: [] },
    ...{ bankCharges: money('50'), bankChargesGstRate: percentage('18') },
  });
  await post('inventoryAdjustment', {
    fields: { adjustmentReason: 'Theft' },
    lines: [{ item: item ?? '', delta: millionths(-10_000_000) }],
  });
  const [output, input] = [await books.ledger('2211'), await books.ledger('1411')];
  const written = (kind: string, debit: Id, credit: Id, amount: string, more: Partial<Draft> = {}) =>
    post(kind, {
      lines: [
        { ledger: debit, debit: money(amount) },
        { ledger: credit, credit: money(amount) },
      ],
      ...more,
    });
  await written('gstAdjustment', output, input, '5');
  const accepted = [{ warning: 'taxByHand', reason: 'A reversal by hand' }];
  await written('journalVoucher', await books.ledger('6520'), input, '7', { narration: 'Rule 42', accepted });
  await written('journalVoucher', await books.ledger('6520'), input, '9', {
    narration: 'Rule 37: not paid in 180 days',
    accepted,
  });

  const tables = await drawn(books);
  expect(tables).toMatchObject({
    '3.1(a)': { taxable: 300_00, cgst: 18_00, igst: 18_00 },
    '3.1(d)': { taxable: 500_00, cgst: 45_00 },
    '4(A)(1)': { taxable: 8000_00, igst: 1440_00 },
    '4(A)(3)': { taxable: 500_00, cgst: 45_00 },
    '4(A)(5)': { cgst: 540_00 + 90_00 + 4_50 },
    // the stolen goods are of 100 bought with 540.00 of each tax, and of one with 1,440.00 at customs
    '4(B)(1)': { cgst: 90_00 + 53_47 + 7_00, igst: 142_57 },
    '4(B)(2)': { cgst: 9_00 },
    '3.2 unregistered, place of supply 33': { taxable: 100_00, igst: 18_00 },
  });
  expect(taxDue(tables)).toEqual(await taxMoved(db.owner, books.registration, '2026-09-01', '2026-09-30'));
  expect(bill.total).toBeGreaterThan(0);
});

test('3.2 has what went to other states and to nobody registered, composition dealers or holders of a UIN, and nothing else', async () => {
  const books = await all.more();
  const [item] = books.items;
  await receive(books, item, 1000, 60, '2026-08-01');
  const customers = (await openTraders(db.owner, books.organisation)).filter(({ side }) => side === 'customer');
  const [pune, store] = [newId(), newId()];
  await db.owner.query(
    `insert into registrations (organisation, id, gstin, legal_name, state, kind)
     values ($1, $2, '27AAGCS4821F1ZF', 'Test books', '27', 'regular')`,
    [books.organisation, pune],
  );
  await db.owner.query(
    `insert into locations (organisation, id, code, name, registration, is_tax, is_physical)
     values ($1, $2, 'P', 'Pune', $3, true, true)`,
    [books.organisation, store, pune],
  );
  const said = { composition: 'composition', uinHolder: 'UIN holders' } as Readonly<Record<string, string>>;
  const expected: Record<string, number> = {};
  let outward = 0;
  // -1 is another registration of ours; a buyer abroad has the goods delivered here
  const supply = fc.record({
    to: fc.integer({ min: -1, max: customers.length - 1 }),
    rate: fc.integer({ min: 50, max: 500 }),
  });
  const rest = fc.sample(supply, { seed: 3, numRuns: 20 });
  for (const { to, rate } of [
    ...customers.map((_, at) => ({ to: at, rate: 100 + at })),
    { to: -1, rate: 77 },
    ...rest,
  ]) {
    const date = '2026-09-10';
    const customer = customers[to];
    const lines = [itemLine(item, 1, rate)];
    if (!customer) {
      await books.post(books.draft('branchTransfer', { date, toLocation: store, toRegistration: pune, lines }));
      outward += rate * 100;
      continue;
    }
    const place = customer.state === '96' ? '27' : customer.state;
    await books.post(books.draft('saleInvoice', { date, party: customer.id, placeOfSupply: place, lines }));
    const { registered, sez } = traits[customer.category];
    if (!sez) outward += rate * 100;
    const name = registered ? said[customer.category] : 'unregistered';
    if (place === '29' || name === undefined) continue;
    const table = `3.2 ${name}, place of supply ${place}`;
    expected[table] = (expected[table] ?? 0) + rate * 100;
  }
  const tables = await drawn(books);
  expect(tables['3.1(a)']?.['taxable']).toBe(outward);
  expect(
    Object.fromEntries(
      Object.entries(tables).flatMap(([name, of]) => (name.startsWith('3.2') ? [[name, of['taxable']]] : [])),
    ),
  ).toEqual(expected);
});
