import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, percent } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, openOf, receive, type TestBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { convert } from '../../drafts/convert.ts';
import { editorFacts } from '../../drafts/editor-facts.ts';
import { viewDocument } from '../../index.ts';

const many = manyBooks();
let db: TestDatabase;
let b: TestBooks;
let deposits: string;

beforeAll(async () => {
  db = await many.open();
  b = await many.more({ otherAdjustments: true });
  deposits = await b.ledger('2340');
  await receive(b, b.items[0], 100, 60, '2026-04-01');
});
afterAll(() => many.close());

const entriesOf = async (id: string) =>
  (
    await db.owner.query(
      `
        select l.code, e.debit::int as debit, e.credit::int as credit
        from entries e
        join ledgers l on l.organisation = e.organisation and l.id = e.ledger
        where e.document = $1
        order by e.leg
      `,
      [id],
    )
  ).rows.map(({ code, debit, credit }) => [code, debit - credit]);
const net = (...all: readonly (readonly (readonly [string, number])[])[]) => {
  const sums = new Map<string, number>();
  for (const [code, amount] of all.flat()) sums.set(code, (sums.get(code) ?? 0) + amount);
  return [...sums].filter(([, amount]) => amount !== 0);
};
const deposit = (rupees: number, sign: 'add' | 'less' = 'add') => ({
  ...{ name: 'Crate deposit', sign, amount: paise(rupees * 100) },
  ledger: deposits,
});
const accepted = [{ warning: 'addedAfterTax', reason: 'Crates come back' }];
const sale = (more: Partial<Draft> = {}) =>
  b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 2, 100)], accepted, ...more });

test('an adjustment after tax goes to its ledger and is due, and is no part of the taxed value', async () => {
  const posted = await b.post(sale({ adjustments: [deposit(50), { ...deposit(10, 'less'), name: 'Crates back' }] }));
  expect(posted.total).toBe(23600 + 5000 - 1000);
  expect(await openOf(db, posted.id)).toBe(27600);
  const entries = await entriesOf(posted.id);
  expect(entries).toEqual(
    expect.arrayContaining([
      ['1210', 27600],
      ['4110', -20000],
      ['2211', -1800],
      ['2340', -5000],
      ['2340', 1000],
    ]),
  );
  const view = await viewDocument(b.context(), { id: posted.id });
  expect(view.priced).toMatchObject({
    taxable: '200.00',
    roundOff: '0.00',
    adjustments: [
      { name: 'Crate deposit', amount: '50.00' },
      { name: 'Crates back', amount: '-10.00' },
    ],
  });
  const undone = await b.cancel(posted.id);
  expect(net(entries as [string, number][], (await entriesOf(undone.id)) as [string, number][])).toEqual([]);
});

test('it goes back with a return of all that was sold, and is left out when only a part comes back', async () => {
  const posted = await b.post(sale({ adjustments: [deposit(50)] }));
  const { draft } = await convert({ from: posted.id, kind: 'saleReturn' }, b.context());
  expect(draft.adjustments).toMatchObject([{ name: 'Crate deposit', sign: 'add', amount: '50.00', ledger: deposits }]);
  const against = { party: b.customer, against: posted.id, reason: 'Sales return' };
  const source = { document: posted.id, line: 1 };
  const part = await b.post(
    b.draft('saleReturn', { ...against, lines: [{ ...itemLine(b.items[0], 1, 100), source }] }),
  );
  expect(part.total).toBe(11800);
  const rest = await convert({ from: posted.id, kind: 'saleReturn' }, b.context());
  expect(rest.draft.adjustments).toBeUndefined();
  const back = await b.post(
    b.draft('saleReturn', {
      ...against,
      lines: [{ ...itemLine(b.items[0], 1, 100), source }],
      adjustments: [deposit(50)],
    }),
  );
  expect(back.total).toBe(16800);
  expect(await entriesOf(back.id)).toEqual(
    expect.arrayContaining([
      ['2340', 5000],
      ['1210', -16800],
    ]),
  );
  expect(await openOf(db, posted.id)).toBe(0);
});

test('an order hands it on, once; a bill of a supplier bears it on the other side', async () => {
  const order = await b.post(
    b.draft('saleOrder', { party: b.customer, lines: [itemLine(b.items[0], 2, 100)], adjustments: [deposit(50)] }),
  );
  expect(order.total).toBe(28600);
  const { draft } = await convert({ from: order.id, kind: 'saleInvoice' }, b.context());
  expect(draft.adjustments).toHaveLength(1);
  const bill = await b.post(
    b.draft('purchaseBill', {
      ...{ party: b.supplier, reference: 'M-77', lines: [itemLine(b.items[1], 1, 100)] },
      adjustments: [deposit(50), deposit(20, 'less')],
    }),
  );
  expect(bill.total).toBe(14800);
  expect(await entriesOf(bill.id)).toEqual(
    expect.arrayContaining([
      ['2120', -14800],
      ['2340', 5000],
      ['2340', -2000],
    ]),
  );
});

const extra = (ledger: string, sign: 'add' | 'less' = 'add') => ({ ...deposit(100, sign), name: 'Extra', ledger });
const messagesOf = async (draft: Draft): Promise<string[]> =>
  b.post(draft).then(
    () => [],
    (error: { problems?: readonly { field: string; message: string }[] }) =>
      error.problems?.map(({ field, message }) => `${field}: ${message}`) ?? [String(error)],
  );

test('a sale takes no income, no capital and no ledger of the product after its tax', async () => {
  const drafts = (sign: 'add' | 'less', ledger: string) => [
    sale({ adjustments: [extra(ledger, sign)] }),
    b.draft('saleOrder', {
      ...{ party: b.customer, lines: [itemLine(b.items[0], 2, 100)], adjustments: [extra(ledger, sign)] },
    }),
  ];
  const refused: [string, RegExp][] = [
    ...['4110', '4111', '4120', '4130', '4140', '4150', '4210'].map((code): [string, RegExp] => [
      code,
      /is (an income ledger|income)/,
    ]),
    ...['3110', '3120', '3230'].map((code): [string, RegExp] => [code, /is equity/]),
    ...['6990', '6495', '5310'].map((code): [string, RegExp] => [code, /by itself/]),
    ['5110', /for purchases/],
  ];
  for (const [code, message] of refused)
    for (const sign of ['add', 'less'] as const)
      for (const draft of drafts(sign, await b.ledger(code)))
        expect([code, sign, await messagesOf(draft)]).toEqual([code, sign, [expect.stringMatching(message)]]);
  for (const [code, sign] of [
    ['4190', 'less'],
    ['6490', 'less'],
    ['2340', 'add'],
    ['6410', 'add'],
  ] as const)
    expect([code, await messagesOf(sale({ adjustments: [extra(await b.ledger(code), sign)] }))]).toEqual([code, []]);
});

test('a bill takes no ledger of sales or capital after its tax, and asks for a reason where most of it is taken off', async () => {
  const bill = (more: Partial<Draft>) =>
    b.draft('purchaseBill', {
      ...{ party: b.supplier, reference: `B-${newId()}`, lines: [itemLine(b.items[1], 10, 100)], ...more },
    });
  for (const code of ['4110', '3110'])
    expect(await messagesOf(bill({ adjustments: [extra(await b.ledger(code))] }))).toHaveLength(1);
  // the supplier rounded the total
  expect(await messagesOf(bill({ adjustments: [extra(await b.ledger('6990'), 'less')] }))).toEqual([]);
  expect(await messagesOf(bill({ adjustments: [extra(await b.ledger('4220'), 'less')] }))).toEqual([]);
  const most = { adjustments: [{ ...deposit(1000, 'less'), ledger: await b.ledger('4220') }] };
  expect(await messagesOf(bill(most))).toEqual([
    expect.stringMatching(/^adjustments\.amount: ₹1,000\.00 of ₹1,180\.00/),
  ]);
  const accepted = [{ warning: 'adjustedBill', reason: 'The supplier lets us off the rest' }];
  expect(await messagesOf(bill({ ...most, accepted }))).toEqual([]);
});

test('a bill in another currency takes it at its own rate', async () => {
  const abroad = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
     values ($1, $2, 'US', 'Hudson', 'supplier', 'overseas', '96', 'US', 'USD', 'hudson')`,
    [b.organisation, abroad],
  );
  const bill = await b.post(
    b.draft('overseasPurchase', {
      ...{ party: abroad, reference: 'US-1', currency: 'USD', exchangeRate: millionths(85_500_000) },
      lines: [itemLine(b.items[1], 1, 100)],
      adjustments: [deposit(1)],
    }),
  );
  const { rows } = await db.owner.query('select total::int, foreign_total::int from documents where id = $1', [
    bill.id,
  ]);
  expect(rows).toEqual([{ total: 863550, foreign_total: 10100 }]);
});

test('without a ledger or an amount, switched off, or on a document that takes none it is a problem at its field', async () => {
  const wrong = (draft: Draft, more = b) => expect(more.post(draft)).rejects;
  const { ledger: _ledger, ...bare } = deposit(0);
  await wrong(sale({ adjustments: [{ ...bare, name: ' ' }] })).toMatchObject({
    problems: [
      { field: 'adjustments.name', row: 0 },
      { field: 'adjustments.amount', row: 0 },
      { field: 'adjustments.ledger', row: 0 },
    ],
  });
  await wrong(sale({ adjustments: [{ ...deposit(50), ledger: await b.ledger('1210') }] })).toMatchObject({
    problems: [{ field: 'adjustments.ledger', row: 0 }],
  });
  await wrong(sale({ adjustments: [deposit(900, 'less')] })).toMatchObject({ problems: [{ field: 'adjustments' }] });
  const journal = b.draft('manualJournal', {
    lines: [
      { ledger: deposits, debit: paise(100) },
      { ledger: await b.ledger('1121'), credit: paise(100) },
    ],
    adjustments: [deposit(50)],
  });
  await wrong(journal).toMatchObject({ problems: [{ field: 'adjustments' }] });
  const off = await many.more();
  const typed = off.draft('saleInvoice', {
    party: off.customer,
    lines: [itemLine(off.items[0], 1, 100)],
    adjustments: [{ ...deposit(5), ledger: await off.ledger('2340') }],
  });
  await wrong(typed, off).toMatchObject({
    problems: [{ field: 'adjustments.name', row: 0, message: 'Adjustments are switched off in the configuration' }],
  });
});

test('a charge with a rate of its own is a line by itself, with its code, on its ledger; nothing waits for it', async () => {
  const freight = { name: 'Freight', amount: paise(10_000), apportion: 'value' as const };
  const own = { ...freight, gstRate: percent(50_000), hsn: '996511', ledger: await b.ledger('4140') };
  const posted = await b.post(sale({ charges: [freight, own] }));
  expect(posted.total).toBe(20000 + 10000 + 5400 + 10000 + 500);
  expect(await entriesOf(posted.id)).toEqual(expect.arrayContaining([['4140', -20000]]));
  const { lines } = await viewDocument(b.context(), { id: posted.id });
  expect(lines[1]).toMatchObject({
    description: 'Freight',
    hsn: '996511',
    gstRate: '5',
    taxable: '100.00',
    cgst: '2.50',
  });
  await expect(b.post(sale({ charges: [{ ...freight, gstRate: percent(50_000) }] }))).rejects.toMatchObject({
    problems: [
      { field: 'charges.hsn', row: 0 },
      { field: 'charges.ledger', row: 0 },
    ],
  });
  const order = await b.post(
    b.draft('saleOrder', { party: b.customer, lines: [itemLine(b.items[0], 2, 100)], charges: [own] }),
  );
  const { draft } = await convert({ from: order.id, kind: 'saleInvoice' }, b.context());
  expect([(draft.lines as unknown[]).length, draft.charges]).toMatchObject([
    1,
    [{ gstRate: '5', hsn: '996511', amount: '100.00' }],
  ]);
  await b.post(
    sale({ lines: [{ ...itemLine(b.items[0], 2, 100), source: { document: order.id, line: 1 } }], charges: [own] }),
  );
  const carried = await viewDocument(b.context(), { id: order.id });
  expect([carried.status, carried.lines.map((line) => line.openQuantity)]).toEqual(['fulfilled', ['0', '0']]);
});

test('the editor is offered the named ones of its side, those after tax only while they are switched on', async () => {
  const ledger = await b.ledger('4140');
  const row = (code: string, body: object) => [
    b.organisation,
    code,
    `${code} named`,
    { ledger, usedOn: 'both', ...body },
  ];
  for (const values of [
    row('FR', { sort: 'charge', amount: '250.00', gstRate: '5', hsn: '9965' }),
    row('DEP', { sort: 'add', usedOn: 'sale' }),
    row('OLD', { sort: 'less', usedOn: 'purchase' }),
  ])
    await db.owner.query(
      `insert into masters (organisation, master, id, code, name, body) values ($1, 'adjustment', gen_random_uuid(), $2, $3, $4)`,
      values,
    );
  const asked = { parties: [], items: [], ledgers: [], documents: [], date: '2026-11-20', kind: 'saleInvoice' };
  const { named } = await editorFacts(asked, b.context({ grants: new Map([['Sale Invoice', 5003]]) }));
  expect(named).toMatchObject([
    { code: 'DEP', sort: 'add', ledger, amount: '', gstRate: '' },
    {
      code: 'FR',
      sort: 'charge',
      ledgerName: expect.stringContaining('Freight'),
      amount: '250.00',
      gstRate: '5',
      hsn: '9965',
    },
  ]);
  const { settings } = b.context();
  const off = b.context({
    grants: new Map([['Sale Invoice', 5003]]),
    settings: { ...settings, otherAdjustments: false },
  });
  expect((await editorFacts(asked, off)).named?.map(({ code }) => code)).toEqual(['FR']);
});

const returnOf = (id: string, more: Partial<Draft>) =>
  b.draft('saleReturn', {
    ...{ party: b.customer, against: id, reason: 'Sales return' },
    lines: [{ ...itemLine(b.items[0], 1, 100), source: { document: id, line: 1 } }],
    ...more,
  });
const refusedAt = async (draft: Draft): Promise<string[]> =>
  b.post(draft).then(
    () => [],
    (error: { problems?: readonly { field: string }[] }) =>
      error.problems?.map(({ field }) => field) ?? [String(error)],
  );

test('an invoice without adjustments has none to give back', async () => {
  const { id } = await b.post(sale());
  for (const kind of ['saleReturn', 'saleCreditNote'])
    expect(await refusedAt({ ...returnOf(id, { adjustments: [deposit(1)] }), kind } as Draft)).toEqual([
      'adjustments.amount',
    ]);
});

test('what an invoice adds is given back once; a fee that is kept back leaves no more of it', async () => {
  const { id } = await b.post(sale({ adjustments: [deposit(50)], lines: [itemLine(b.items[0], 9, 100)] }));
  const back = (...adjustments: NonNullable<Draft['adjustments']>) => refusedAt(returnOf(id, { adjustments }));
  expect(await back(deposit(51))).toEqual(['adjustments.amount']);
  expect(await back(deposit(30))).toEqual([]);
  expect(await back(deposit(10, 'less'))).toEqual([]);
  expect(await back(deposit(21))).toEqual(['adjustments.amount']);
  // two of one moment: the second finds under its lock what the first has taken
  const both = await Promise.all([back(deposit(20)), back(deposit(20))]);
  expect(both.flat()).toEqual(['adjustments.amount']);
});

test('what is added after tax is part of the value of a supply, unless there is a reason: more than a tenth of it', async () => {
  const strict = (rupees: number) => sale({ adjustments: [deposit(rupees)], accepted: [] });
  expect(await messagesOf(strict(23))).toEqual([]);
  expect(await messagesOf(strict(24))).toEqual([
    expect.stringMatching(/^adjustments.amount: ₹24.00 is added after tax/),
  ]);
});
