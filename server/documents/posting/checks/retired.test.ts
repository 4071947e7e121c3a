import { afterAll, beforeAll, expect, test } from 'vitest';
import { paise } from '../../../../domain/base/money.ts';
import { references } from '../../../../domain/document/checks/retired.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { itemLine, receive, type TestBooks, TODAY, testBooks } from '../../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../../tools/testing/database.ts';
import { brokenInvariants } from '../../../kit/database/invariants.ts';
import { newId } from '../../../kit/ids.ts';

let db: TestDatabase;
let books: TestBooks;
let freight: Id;
let deposit: Id;
let bank: Id;
let cash: Id;
let north: Id;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { otherAdjustments: true });
  await receive(books, books.items[0], 500, 60, TODAY);
  await receive(books, books.items[1], 500, 60, TODAY);
  [freight, deposit, bank, cash] = [
    await books.ledger('6210'),
    await books.ledger('6410'),
    await books.ledger('1121'),
    await books.ledger('1110'),
  ];
  north = newId();
  await db.owner.query(`insert into cost_centres (organisation, id, code, name) values ($1, $2, 'N', 'North')`, [
    books.organisation,
    north,
  ]);
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const sale = (more: Partial<Draft> = {}): Draft =>
  books.draft('saleInvoice', { party: books.customer, lines: [itemLine(books.items[0], 1, 100)], ...more });
const journal = (more: object): Draft =>
  books.draft('manualJournal', {
    lines: [
      { ledger: freight, debit: paise(100), ...more },
      { ledger: deposit, credit: paise(100) },
    ],
  });

/** For each field that names a record: the table of the record, the record, and a document that names it. */
const cases: Readonly<Record<string, () => readonly [table: string, id: Id, draft: Draft]>> = {
  party: () => ['parties', books.customer, sale()],
  'lines.party': () => ['parties', books.supplier, journal({ party: books.supplier })],
  'lines.item': () => ['items', books.items[0] ?? '', sale()],
  'lines.ledger': () => ['ledgers', freight, journal({})],
  moneyLedger: () => [
    'ledgers',
    bank,
    books.draft('saleReceipt', { party: books.customer, amount: paise(100), moneyLedger: bank }),
  ],
  'tenders.ledger': () => [
    'ledgers',
    cash,
    books.draft('cashSale', {
      lines: [itemLine(books.items[0], 1, 100)],
      tenders: [{ ledger: cash, amount: paise(11_800) }],
    }),
  ],
  'charges.ledger': () => [
    'ledgers',
    freight,
    sale({ charges: [{ name: 'Freight', ledger: freight, amount: paise(100), apportion: 'value' }] }),
  ],
  'adjustments.ledger': () => [
    'ledgers',
    deposit,
    sale({ adjustments: [{ name: 'Deposit', ledger: deposit, amount: paise(100), sign: 'add' }] }),
  ],
  toLocation: () => [
    'locations',
    books.other,
    books.draft('branchTransfer', {
      toLocation: books.other,
      toRegistration: books.registration,
      lines: [itemLine(books.items[0], 1, 0)],
    }),
  ],
  costCentre: () => ['cost_centres', north, sale({ costCentre: north })],
  'lines.costCentre': () => ['cost_centres', north, journal({ costCentre: north })],
};

const retire = (table: string, id: Id, active = false) =>
  db.owner.query(`update ${table} set active = $3 where organisation = $1 and id = $2`, [
    books.organisation,
    id,
    active,
  ]);
const whileRetired = async (table: string, id: Id, work: () => Promise<unknown>): Promise<void> => {
  await retire(table, id);
  try {
    await work();
  } finally {
    await retire(table, id, true);
  }
};
const problem = (field: string, message = 'is retired: restore it, or choose another') => ({
  problems: expect.arrayContaining([expect.objectContaining({ field, message: expect.stringContaining(message) })]),
});

test.each(references.map(({ field }) => field))('%s: a new document names none that is retired', async (field) => {
  const made = cases[field]?.();
  if (!made) throw new Error(`${field} needs a case`);
  const [table, id, draft] = made;
  await books.post(draft);
  await whileRetired(table, id, async () => {
    await expect(books.post(draft)).rejects.toMatchObject(problem(field));
  });
  // and one that was restored is named again
  await books.post(draft);
});

test('nothing new is made at a retired location, or for a retired registration', async () => {
  await whileRetired('locations', books.location, () =>
    expect(books.post(sale())).rejects.toMatchObject(problem('location')),
  );
  await whileRetired('registrations', books.registration, () =>
    expect(books.post(sale())).rejects.toMatchObject(problem('registration')),
  );
});

test('a cost centre that does not exist, is another organisation’s or is another record is a problem at its field', async () => {
  const other = await testBooks(db);
  const theirs = newId();
  await db.owner.query(`insert into cost_centres (organisation, id, code, name) values ($1, $2, 'T', 'Theirs')`, [
    other.organisation,
    theirs,
  ]);
  for (const id of [newId(), theirs, freight]) {
    await expect(books.post(sale({ costCentre: id }))).rejects.toMatchObject(problem('costCentre', 'does not exist'));
    await expect(books.post(journal({ costCentre: id }))).rejects.toMatchObject(
      problem('lines.costCentre', 'does not exist'),
    );
  }
  const { id } = await books.post(sale({ costCentre: north }));
  const { rows } = await db.owner.query('select distinct cost_centre from entries where document = $1', [id]);
  expect(rows).toEqual([{ cost_centre: north }]);
  await other.end();
});

test('a cost centre of this moment is known to the next posting, and one that was retired is not taken from memory', async () => {
  const south = newId();
  await books.post(sale());
  await db.owner.query(`insert into cost_centres (organisation, id, code, name) values ($1, $2, 'S', 'South')`, [
    books.organisation,
    south,
  ]);
  for (let turn = 0; turn < 3; turn++) await books.post(sale({ costCentre: south }));
  await whileRetired('cost_centres', south, () =>
    expect(books.post(sale({ costCentre: south }))).rejects.toMatchObject(problem('costCentre')),
  );
});

test('what goes on with a document that exists may name what that one names', async () => {
  const { id } = await books.post(sale({ lines: [itemLine(books.items[1], 4, 100)] }));
  const due = await books.post(sale({ lines: [itemLine(books.items[1], 1, 100)] }));
  const wrong = await books.post(sale());
  const back = (kind: string) =>
    books.draft(kind, {
      party: books.customer,
      against: id,
      reason: '01',
      lines: [{ ...itemLine(books.items[1], 1, kind === 'saleReturn' ? 100 : 10), source: { document: id, line: 1 } }],
    });
  const receipt = (more: Partial<Draft> = {}) =>
    books.draft('saleReceipt', { party: books.customer, amount: paise(11_800), moneyLedger: bank, ...more });
  await whileRetired('parties', books.customer, () =>
    whileRetired('items', books.items[1] ?? '', async () => {
      await books.post(back('saleReturn'));
      await books.post(back('saleCreditNote'));
      await books.post(receipt({ allocations: [{ document: due.id, amount: paise(11_800) }] }));
      await books.cancel(wrong.id);
      // money on account is something new
      await expect(books.post(receipt())).rejects.toMatchObject(problem('party'));
      // another item than that of the source is, too
      await expect(
        books.post({
          ...back('saleCreditNote'),
          lines: [itemLine(books.items[2], 1, 10)],
        }),
      ).rejects.toMatchObject({ problems: expect.anything() });
    }),
  );
  await whileRetired('items', books.items[0] ?? '', () =>
    expect(books.post({ ...back('saleReturn'), lines: [itemLine(books.items[0], 1, 100)] })).rejects.toMatchObject(
      problem('lines.item'),
    ),
  );
});

test('an order has moved nothing yet: an invoice for it is something new', async () => {
  const order = await books.post(
    books.draft('saleOrder', { party: books.customer, lines: [itemLine(books.items[0], 2, 100)] }),
  );
  const invoice = sale({
    lines: [{ ...itemLine(books.items[0], 1, 100), source: { document: order.id, line: 1 } }],
  });
  await whileRetired('parties', books.customer, () =>
    expect(books.post(invoice)).rejects.toMatchObject(problem('party')),
  );
  await books.post({ ...invoice, date: TODAY });
});

test('a cancellation is made where its document was, retired or not', async () => {
  const { id } = await books.post(sale());
  await whileRetired('locations', books.location, () => books.cancel(id));
});
