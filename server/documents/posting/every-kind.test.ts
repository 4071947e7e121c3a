import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../../domain/base/dates.ts';
import { millionths, ONE, percentage } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import { type KindName, kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import { itemLine, receive, sell, type TestBooks, TODAY, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { type RoleLimits, unlimited } from '../../access/index.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { newId } from '../../kit/ids.ts';

let db: TestDatabase;
let books: TestBooks;
/** Parties abroad. */
const [buyer, maker] = [newId(), newId()];
const made: Record<string, Id> = {};
const draftOf = (kind: string): Promise<Draft> => {
  const draft = drafts[kind];
  if (!draft) throw new Error(`no draft of ${kind}`);
  return draft();
};
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { autoRoundOffTotals: true });
  for (const [id, side, country] of [
    [buyer, 'customer', 'SA'],
    [maker, 'supplier', 'DE'],
  ])
    await db.owner.query(
      `
        insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
        values ($1, $2, $3, 'Abroad', $4, 'overseas', '96', $5, 'USD', 'abroad')
      `,
      [books.organisation, id, id?.slice(-8), side, country],
    );
  for (const item of books.items) await receive(books, item, 100, 60, '2026-04-01');
  made.sale = (await sell(books, books.items[0], 10)).id;
  made.bill = (await receive(books, books.items[1], 10, 70, TODAY)).id;
  made.cheque = (
    await books.post(
      of('saleReceipt', {
        party: books.customer,
        ...(await moneyOf({ amount: paise(40000), allocations: [{ document: made.sale, amount: paise(30000) }] })),
      }),
    )
  ).id;
  made.advance = (await books.post(await draftOf('advanceReceipt'))).id;
  made.paidAdvance = (await books.post(await draftOf('advancePayment'))).id;
  made.return = (await books.post(await draftOf('saleReturn'))).id;
  made.transfer = (await books.post(await draftOf('branchTransfer'))).id;
  made.imported = (await books.post(await draftOf('overseasPurchase'))).id;
  made.counter = (await books.post(await draftOf('posSale'))).id;
  made.session = await openedTill();
  made.order = (await books.post(await draftOf('saleOrder'))).id;
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

/** What is brought in after the first document has its reason. */
const late = ['openingLate', 'foundRateFar', 'openedTwice'].map((warning) => ({
  warning,
  reason: 'Forgotten at the start',
}));

/** What comes back at a till is paid from the drawer of one of its sessions. */
async function openedTill(): Promise<Id> {
  const { rows } = await db.owner.query<{ id: Id }>(
    `
      with till as (
        insert into masters (organisation, id, master, code, name, body)
        values ($1, gen_random_uuid(), 'till', 'T1', 'Till', '{}')
        returning id
      )
      insert into till_sessions (
        organisation, id, till, location, cash_ledger, opened_on, opened_by, opening, opening_count
      )
      select $1, gen_random_uuid(), till.id, $2, $3, $4, $5, 0, '{}'
      from till
      returning id
    `,
    [books.organisation, books.location, await books.ledger('1110'), TODAY, books.user],
  );
  return rows[0]?.id ?? '';
}

const of = (kind: string, more: Partial<Draft>) => books.draft(kind, more);
const line = (n = 0, quantity = 2) => itemLine(books.items[n], quantity, 100);
const bank = () => books.ledger('1121');
const customer = (more: Partial<Draft> = {}) => ({ party: books.customer, lines: [line()], ...more });
const supplier = (more: Partial<Draft> = {}) => ({
  party: books.supplier,
  reference: 'M-9',
  referenceDate: TODAY,
  lines: [line()],
  ...more,
});
/** The same without the day of the supplier's paper: there is none. */
const without = (more: Partial<Draft> = {}) => {
  const { referenceDate: _, ...rest } = supplier(more);
  return rest;
};
/** A self-invoice is written for a supplier who writes none. */
const unregistered = async (): Promise<Id> => {
  const id = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, search)
     values ($1, $2, $3, 'Carter', 'supplier', 'unregistered', '29', 'carter')`,
    [books.organisation, id, id.slice(-12)],
  );
  return id;
};
const from = (document: Id | undefined, n = 0) => ({ ...line(n, 1), source: { document: document ?? '', line: 1 } });
const moneyOf = async (more: Partial<Draft> = {}) => ({ amount: paise(50000), moneyLedger: await bank(), ...more });
const two = async () => [
  { ledger: await books.ledger('6230'), debit: paise(700) },
  { ledger: await bank(), credit: paise(700) },
];

/** A document of each kind that is typed. */
const drafts: Readonly<Record<string, () => Promise<Draft>>> = {
  saleInvoice: async () =>
    of(
      'saleInvoice',
      customer({
        discount: { percent: percentage('5') },
        charges: [{ name: 'Freight', amount: paise(12345), apportion: 'value' }],
      }),
    ),
  b2cInvoice: async () => of('b2cInvoice', customer({ taxInclusive: true })),
  cashSale: async () => of('cashSale', { lines: [line()] }),
  posSale: async () => of('posSale', { lines: [line()] }),
  overseasSale: async () =>
    of('overseasSale', customer({ party: buyer, currency: 'USD', exchangeRate: millionths(83_123_457) })),
  saudiInvoice: async () =>
    of('saudiInvoice', customer({ party: buyer, currency: 'SAR', exchangeRate: millionths(22_500_000) })),
  posReturn: async () =>
    of('posReturn', {
      ...{ against: made.counter ?? '', reason: '01', till: { session: made.session ?? '' } },
      lines: [from(made.counter)],
    }),
  saleReturn: async () =>
    of('saleReturn', customer({ against: made.sale ?? '', reason: '01', lines: [from(made.sale)] })),
  saleCreditNote: async () =>
    of(
      'saleCreditNote',
      customer({ against: made.sale ?? '', reason: '02', lines: [{ ...from(made.sale), rate: millionths(5 * ONE) }] }),
    ),
  saleDebitNote: async () => of('saleDebitNote', customer({ against: made.sale ?? '', reason: '03' })),
  quotation: async () => of('quotation', customer()),
  saleOrder: async () => of('saleOrder', customer()),
  workflowOrder: async () => of('workflowOrder', customer()),
  saleReturnOrder: async () => of('saleReturnOrder', customer({ against: made.sale ?? '', reason: '01' })),
  returnOrder: async () => of('returnOrder', customer({ reason: '01' })),
  deliveryChallan: async () => of('deliveryChallan', customer({ reason: 'job work' })),
  purchaseOrder: async () => of('purchaseOrder', without()),
  purchaseReturnOrder: async () =>
    of('purchaseReturnOrder', without({ against: made.bill ?? '', reason: '01', lines: [line(1)] })),
  purchaseBill: async () => of('purchaseBill', supplier({ lines: [line(), { ...line(1), creditBlocked: true }] })),
  overseasPurchase: async () =>
    of('overseasPurchase', supplier({ party: maker, currency: 'USD', exchangeRate: millionths(83_123_457) })),
  billOfEntry: async () =>
    of('billOfEntry', {
      reference: '4125873',
      against: made.imported ?? '',
      referenceDate: TODAY,
      customs: { assessable: paise(1000000), basic: paise(100000), surcharge: paise(10000), igst: paise(199800) },
    }),
  selfInvoice: async () => {
    const party = await unregistered();
    const accepted = [{ warning: 'reverseChargeOfGoodsBought', reason: 'As the supplier wrote it' }];
    const { id } = await books.post(
      of('purchaseBill', supplier({ party, reference: newId().slice(-12), reverseCharge: true, accepted })),
    );
    const lines = [{ ...line(), source: { document: id, line: 1 } }];
    return of('selfInvoice', without({ party, against: id, reverseCharge: true, lines }));
  },
  purchaseReturn: async () =>
    of(
      'purchaseReturn',
      without({
        against: made.bill ?? '',
        reason: '01',
        lines: [{ ...from(made.bill, 1), rate: millionths(70 * ONE) }],
      }),
    ),
  purchaseCreditNote: async () =>
    of(
      'purchaseCreditNote',
      supplier({ against: made.bill ?? '', reason: '02', lines: [{ ...line(1, 1), rate: millionths(5 * ONE) }] }),
    ),
  purchaseDebitNote: async () =>
    of('purchaseDebitNote', supplier({ against: made.bill ?? '', reason: '03', lines: [line(1)] })),
  expense: async () =>
    of(
      'expense',
      supplier({
        lines: [{ ledger: await books.ledger('6230'), rate: millionths(500 * ONE), gstRate: percentage('18') }],
      }),
    ),
  saleReceipt: async () =>
    of('saleReceipt', {
      party: books.customer,
      ...(await moneyOf({ allocations: [{ document: made.sale ?? '', amount: paise(30000) }] })),
    }),
  advanceReceipt: async () =>
    of('advanceReceipt', { party: books.customer, ...(await moneyOf({ advanceRate: percentage('18') })) }),
  allocationVoucher: async () =>
    of('allocationVoucher', {
      party: books.customer,
      against: made.advance ?? '',
      amount: paise(10000),
      allocations: [{ document: made.sale ?? '', amount: paise(10000) }],
    }),
  advanceRefund: async () =>
    of('advanceRefund', {
      party: books.customer,
      against: made.advance ?? '',
      ...(await moneyOf({ amount: paise(5000) })),
    }),
  bouncedReceipt: async () =>
    of('bouncedReceipt', {
      party: books.customer,
      against: made.cheque ?? '',
      ...(await moneyOf({ amount: paise(40000), bankCharges: paise(11800) })),
    }),
  refund: async () =>
    of('refund', {
      party: books.customer,
      ...(await moneyOf({ amount: paise(1000) })),
      accepted: [{ warning: 'refundWithoutCredit', reason: 'A deposit' }],
    }),
  payment: async () =>
    of('payment', {
      party: books.supplier,
      ...(await moneyOf({ allocations: [{ document: made.bill ?? '', amount: paise(20000) }] })),
    }),
  advancePayment: async () => of('advancePayment', { party: books.supplier, ...(await moneyOf()) }),
  supplierAllocation: async () =>
    of('supplierAllocation', {
      party: books.supplier,
      against: made.paidAdvance ?? '',
      amount: paise(10000),
      allocations: [{ document: made.bill ?? '', amount: paise(10000) }],
    }),
  paymentVoucher: async () => of('paymentVoucher', { party: books.supplier, amount: paise(1000) }),
  openingStock: async () => of('openingStock', { lines: [line()], accepted: late }),
  inventoryAdjustment: async () =>
    of('inventoryAdjustment', {
      fields: { adjustmentReason: 'count' },
      lines: [
        { item: books.items[0] ?? '', delta: millionths(-ONE) },
        { item: books.items[1] ?? '', delta: millionths(3 * ONE), rate: millionths(70 * ONE) },
      ],
    }),
  branchTransfer: async () =>
    of('branchTransfer', { toLocation: books.other, toRegistration: books.registration, lines: [line()] }),
  transferReceipt: async () =>
    of('transferReceipt', { location: books.other, against: made.transfer ?? '', lines: [from(made.transfer)] }),
  manualJournal: async () => of('manualJournal', { lines: await two() }),
  journalVoucher: async () => of('journalVoucher', { lines: await two() }),
  contra: async () =>
    of('contra', {
      lines: [
        { ledger: await books.ledger('1110'), debit: paise(700) },
        { ledger: await bank(), credit: paise(700) },
      ],
    }),
  openingBalance: async () => of('openingBalance', { lines: (await two()).slice(0, 1), accepted: late }),
  gstAdjustment: async () =>
    of('gstAdjustment', {
      lines: [
        { ledger: await books.ledger('6530'), debit: paise(700) },
        { ledger: await bank(), credit: paise(700) },
      ],
    }),
};

test('every kind that is typed has a document here', () => {
  expect(Object.keys(drafts).sort()).toEqual(kindNames.filter((k) => !kindOf(k).life.system).sort());
});

test.each(kindNames.filter((k) => !kindOf(k).life.system))(
  '%s posts and is cancelled, and the books hold',
  async (kind: KindName) => {
    const posted = await books.post(await draftOf(kind));
    expect(posted.number).not.toBe('');
    expect(await brokenInvariants(db.owner)).toEqual([]);
    await books.cancel(posted.id);
    expect(await brokenInvariants(db.owner)).toEqual([]);
  },
);

describe('limits of a role', () => {
  const typedKinds = kindNames.filter((k) => !kindOf(k).life.system);
  /** What is offered and sold. */
  const offers: readonly string[] = [
    ...['saleInvoice', 'b2cInvoice', 'cashSale', 'posSale', 'overseasSale', 'saudiInvoice', 'quotation', 'saleOrder'],
    'workflowOrder',
  ];
  const problemsOf = async (draft: Draft, limits: Partial<RoleLimits>) => {
    try {
      const { id, number } = await books.post(draft, { limits: { ...unlimited, ...limits } });
      // what names another document is posted once
      await books.cancel(id);
      return { number };
    } catch (error) {
      return (error as { problems?: readonly object[] }).problems ?? error;
    }
  };
  test.each(typedKinds)('%s is dated no further back than they let, whoever posts it', async (kind) => {
    const date = addDays(TODAY, -1);
    const draft = { ...(await draftOf(kind)), date };
    const beyond = { field: 'date', message: expect.stringContaining('Your roles allow dates') };
    expect(await problemsOf(draft, { days: 0 })).toContainEqual(beyond);
    const within = await problemsOf(draft, { days: 1 });
    if (Array.isArray(within)) expect(within).not.toContainEqual(beyond);
  });
  test.each(typedKinds)('%s gives no more discount than they let', async (kind) => {
    const draft = await draftOf(kind);
    const lines = draft.lines.map((line) => ({ ...line, discount: { percent: percentage('50') } }));
    const beyond = { field: 'lines.discount', row: 0, message: expect.stringContaining('below the list price') };
    const found = await problemsOf({ ...draft, lines }, { discount: percentage('49') });
    if (offers.includes(kind)) expect(found).toContainEqual(beyond);
    else if (Array.isArray(found)) expect(found).not.toContainEqual(beyond);
  });
});

describe('a GSTIN that is suspended or cancelled', () => {
  /** Kinds that make a supply with tax, or show tax that is due for one. */
  const stopped: readonly string[] = [
    ...['saleInvoice', 'b2cInvoice', 'cashSale', 'posSale', 'overseasSale', 'saudiInvoice', 'advanceReceipt'],
    ...['saleReturn', 'posReturn', 'saleCreditNote', 'saleDebitNote', 'selfInvoice', 'paymentVoucher'],
  ];
  const stops = (rows: readonly object[]) =>
    db.owner.query(
      `update registrations set body = body || jsonb_build_object('stops', $2::jsonb) where organisation = $1`,
      [books.organisation, JSON.stringify(rows)],
    );
  const tried = async (draft: Draft) => {
    try {
      return await books.cancel((await books.post(draft)).id);
    } catch (error) {
      return (error as { problems?: readonly { field: string; message: string }[] }).problems ?? error;
    }
  };

  describe.each(['suspended', 'cancelled'])('%s', (what) => {
    test.each(kindNames.filter((k) => !kindOf(k).life.system))('%s', async (kind) => {
      const draft = await draftOf(kind);
      await stops([{ what, from: TODAY, to: null }]);
      const found = await tried(draft);
      const message = expect.stringContaining(`GSTIN 29AAGCS4821F1ZB is ${what} from 20 Nov 2026: no `);
      if (stopped.includes(kind)) expect(found).toEqual([{ field: 'registration', message }]);
      else expect(found).toMatchObject({ number: expect.any(String) });
      // the day before it, and once it is over
      await stops([
        { what: 'suspended', from: '2026-11-21', to: null },
        { what: 'suspended', from: '2026-11-01', to: '2026-11-19' },
      ]);
      expect(await tried(draft)).toMatchObject({ number: expect.any(String) });
    });
  });

  test('goods that go to another GSTIN are a supply; within one they are none', async () => {
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
    const sent = of('branchTransfer', { toLocation: store, toRegistration: pune, lines: [line()] });
    await stops([{ what: 'cancelled', from: TODAY, to: null }]);
    expect(await tried(sent)).toMatchObject([{ field: 'registration' }]);
    expect(await tried(await draftOf('branchTransfer'))).toMatchObject({ number: expect.any(String) });
    await stops([]);
    expect(await tried(sent)).toMatchObject({ number: expect.any(String) });
  });

  test('what bears no GST is made all the same: exempt goods, a note without GST, an advance for goods', async () => {
    const money = { party: books.customer, ...(await moneyOf()) };
    const note = customer({
      against: made.sale ?? '',
      reason: '02',
      lines: [{ ...from(made.sale), rate: millionths(5 * ONE) }],
    });
    await stops([{ what: 'suspended', from: TODAY, to: null }]);
    const exempt = of('saleInvoice', customer({ lines: [line()] }));
    const treated = (treatment: string) =>
      db.owner.query('update items set treatment = $1 where id = $2', [treatment, exempt.lines[0]?.item]);
    await treated('exempt');
    for (const draft of [exempt, of('saleCreditNote', { ...note, withoutTax: true }), of('advanceReceipt', money)])
      expect(await tried(draft)).toMatchObject({ number: expect.any(String) });
    await treated('taxable');
    await stops([]);
  });
});
