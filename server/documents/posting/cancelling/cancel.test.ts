import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../../contract/errors.ts';
import { millionths } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import { kindLabel } from '../../../../domain/document/kinds/index.ts';
import { manyBooks, openOf, receive, sell, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { allowRows } from '../../../access/check.ts';
import { rules } from '../../../access/rules.ts';
import { closingHandlers } from '../../../closing/index.ts';
import { documentHandlers } from '../../index.ts';
import { prepareCancel } from './cancel.ts';

let db: TestDatabase;
let books: TestBooks;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
  books = await more({});
  await receive(books, books.items[0], 1000, 60, '2026-04-01');
});
afterAll(close);

const cancel = (id: string, more: object = {}, by = books) =>
  documentHandlers(by.poster).CancelTransaction(
    { TransactionIds: [id], TransactionType: '', reason: 'entered twice', ...more },
    by.context(),
  );
const dateOf = async (id: string) =>
  (await db.owner.query<{ date: string }>('select date::text as date from documents where id = $1', [id])).rows[0]
    ?.date;
const lock = (register: 'sales' | 'money' | 'purchases' | 'journals' | undefined, through: string | null, by = books) =>
  closingHandlers.SaveLock(
    { ...(register && { register }), through, reason: 'settled' },
    by.context({ grants: new Map([['General Configuration', 5003]]) }),
  );

describe('a document with settlements', () => {
  const receipt = async (invoice: string, amount = 5900, date = TODAY) =>
    books.post(
      books.draft('saleReceipt', {
        party: books.customer,
        date,
        amount: paise(amount),
        moneyLedger: await books.ledger('1121'),
        allocations: [{ document: invoice, amount: paise(amount) }],
      }),
    );

  test('it is refused with their list, and cancelled when they are to be freed: the answer names them', async () => {
    const invoice = await sell(books, books.items[0], 1);
    const [one, two] = [await receipt(invoice.id), await receipt(invoice.id)];
    await expect(cancel(invoice.id)).rejects.toMatchObject({
      code: 'settled',
      message: expect.stringContaining(`${one.number} (₹59.00), ${two.number} (₹59.00)`),
    });
    // so is a receipt that settles
    await expect(cancel(one.id)).rejects.toMatchObject({
      code: 'settled',
      message: expect.stringContaining(`${invoice.number} (₹59.00)`),
    });
    expect(await cancel(one.id, { frees: true })).toMatchObject({
      cancelled: [{ freed: [{ id: invoice.id, number: invoice.number, amount: '59.00' }] }],
    });
    expect(await openOf(db, invoice.id)).toBe(5900);
    expect(await cancel(invoice.id, { frees: true })).toMatchObject({
      cancelled: [{ freed: [{ id: two.id, number: two.number, amount: '59.00' }] }],
    });
    expect(await openOf(db, two.id)).toBe(5900);
    expect(await cancel(two.id)).toMatchObject({ cancelled: [{ freed: [] }] });
  });

  test('what is freed is freed on the day it was settled, and stays where receipts and payments are locked', async () => {
    const date = '2026-10-05';
    const sold = await sell(books, books.items[0], 1, date);
    const paid = await receipt(sold.id, 11800, '2026-10-20');
    await lock('money', '2026-10-31');
    await expect(cancel(sold.id, { frees: true })).rejects.toMatchObject({ code: 'registerLocked' });
    await lock('money', null);
    const { cancelled } = await cancel(sold.id, { frees: true });
    expect(await dateOf(cancelled[0]?.reversal ?? '')).toBe(date);
    const { rows } = await db.owner.query(
      'select amount::int, date::text as date from allocations where credit_document = $1 order by amount desc',
      [paid.id],
    );
    expect(rows).toEqual([
      { amount: 11800, date: '2026-10-20' },
      { amount: -11800, date: '2026-10-20' },
    ]);
  });
});

describe('a document that another was made from between asking and cancelling', () => {
  const line = () => ({ item: books.items[0] ?? '', quantity: millionths(1_000_000) });
  /** Makes it with what is made from it, after its cancellation was prepared. */
  const late = {
    'a return, which the database finds': async (prepared: (id: string) => Promise<void>) => {
      const { id } = await sell(books, books.items[0], 1);
      await prepared(id);
      return books.post(
        books.draft('saleReturn', {
          ...{ party: books.customer, against: id, reason: 'damaged' },
          lines: [{ ...line(), source: { document: id, line: 1 } }],
        }),
      );
    },
    'an invoice, which is found under lock': async (prepared: (id: string) => Promise<void>) => {
      const order = books.draft('saleOrder', {
        party: books.customer,
        lines: [{ ...line(), rate: millionths(100_000_000) }],
      });
      const { id } = await books.post(order);
      await prepared(id);
      const lines = [{ ...line(), rate: millionths(100_000_000), source: { document: id, line: 1 } }];
      return books.post(books.draft('saleInvoice', { party: books.customer, lines }));
    },
    'a challan, which the database finds': async (prepared: (id: string) => Promise<void>) => {
      const { id } = await books.post(
        books.draft('purchaseBill', {
          ...{ party: books.supplier, reference: 'LATE-1', tdsSection: '194C', tdsAmount: paise(200) },
          lines: [{ ...line(), rate: millionths(100_000_000) }],
        }),
      );
      await prepared(id);
      return books.post(
        books.draft('manualJournal', {
          lines: [
            { ledger: await books.ledger('2231'), debit: paise(200) },
            { ledger: await books.ledger('1121'), credit: paise(200) },
          ],
          challan: {
            ...{ tax: 'tds', section: '194C', head: '0020', interest: paise(0), fee: paise(0) },
            parts: [{ document: id, amount: paise(200) }],
          },
        }),
      );
    },
  } as const;
  test.each(Object.entries(late))('%s: the refusal names it to who may see it', async (_, make) => {
    const prepared: Awaited<ReturnType<typeof prepareCancel>>[] = [];
    const { number } = await make(async (id) => {
      prepared.push(await prepareCancel(books.context(), id, 'typed twice'));
    });
    const [request] = prepared;
    if (!request) throw new Error('nothing was prepared');
    await expect(books.poster.post(request)).rejects.toMatchObject({
      code: 'notCancellable',
      message: expect.stringMatching(new RegExp(`[A-Z][a-z ]+ ${number.replaceAll('/', '.')}.*cancel that first`, 'i')),
    });
    const hidden = await books.poster.post({ ...request, mayName: () => false }).catch((error: Error) => error);
    expect(hidden).toMatchObject({ code: 'notCancellable', message: expect.stringContaining('another document') });
    expect((hidden as Error).message).not.toContain(number);
  });
});

describe('a document whose day is not open', () => {
  test('an invoice is refused with the notes that correct it, also on today', async () => {
    const invoice = await sell(books, books.items[0], 1, '2026-09-05');
    await expect(cancel(invoice.id, { today: true })).rejects.toMatchObject({ code: 'dayOpen' });
    await lock(undefined, '2026-09-30');
    await expect(cancel(invoice.id)).rejects.toMatchObject({
      code: 'periodLocked',
      message: 'The books are locked up to 30 Sep 2026: make a sale return or sale credit note dated today instead',
    });
    await expect(cancel(invoice.id, { today: true })).rejects.toMatchObject({ code: 'notReversible' });
    await lock(undefined, null);
  });

  test('what no note corrects is reversed today: its own day keeps its entries', async () => {
    const [bank, cash] = [await books.ledger('1121'), await books.ledger('1110')];
    const lines = [
      { ledger: bank, debit: paise(100) },
      { ledger: cash, credit: paise(100) },
    ];
    const journal = await books.post(books.draft('manualJournal', { date: '2026-09-05', lines }));
    await lock('journals', '2026-09-30');
    await expect(cancel(journal.id)).rejects.toMatchObject({
      code: 'registerLocked',
      message: 'Journals are locked up to 30 Sep 2026: reverse it with a document dated today instead',
    });
    const { cancelled } = await cancel(journal.id, { today: true });
    expect(await dateOf(cancelled[0]?.reversal ?? '')).toBe(TODAY);
    await expect(cancel(journal.id, { today: true })).rejects.toMatchObject({ code: 'alreadyCancelled' });
    await lock('journals', null);
  });

  test('goods of an adjustment come back today at what they cost', async () => {
    const item = books.items[1];
    await receive(books, item, 10, 60, '2026-09-01');
    const lost = await books.post(
      books.draft('inventoryAdjustment', {
        date: '2026-09-05',
        fields: { adjustmentReason: 'Count' },
        lines: [{ item: item ?? '', delta: millionths(-4_000_000) }],
      }),
    );
    await lock(undefined, '2026-09-30');
    const { cancelled } = await cancel(lost.id, { today: true });
    const { rows } = await db.owner.query(
      'select date::text as date, quantity::int from movements where document = $1',
      [cancelled[0]?.reversal],
    );
    expect(rows).toEqual([{ date: TODAY, quantity: 4_000_000 }]);
    await lock(undefined, null);
  });
});

describe('the type of document that is sent with the ids', () => {
  const typed = (ids: string[], TransactionType: string) =>
    documentHandlers(books.poster).CancelTransaction(
      { TransactionIds: ids, TransactionType, reason: 'entered twice' },
      books.context(),
    );
  const at = (message: string) => ({ problems: [{ field: 'TransactionType', message }] });

  test('another type than that of a document is a problem there, and nothing is cancelled', async () => {
    const [one, two] = [await sell(books, books.items[0], 1), await receive(books, books.items[0], 1, 60, TODAY)];
    const wrong = at(`${two.number} is a purchase bill, not a sale invoice: cancel it from its own list`);
    await expect(typed([two.id], 'saleInvoice')).rejects.toMatchObject(wrong);
    await expect(typed([one.id, two.id], 'SI')).rejects.toMatchObject(wrong);
    const { rowCount } = await db.owner.query('select from cancellations where document = any($1::uuid[])', [
      [one.id, two.id],
    ]);
    expect(rowCount).toBe(0);
    await typed([one.id], 'SI');
    await typed([two.id], 'purchaseBill');
  });

  test('a type that there is not is a problem there', async () => {
    const { id } = await sell(books, books.items[0], 1);
    await expect(typed([id], 'nothing')).rejects.toMatchObject(at('There is no type of document called “nothing”'));
    await typed([id], 'saleInvoice');
  });
});

test('several are cancelled or none: what blocks the last is known before the first', async () => {
  const { CancelTransaction } = documentHandlers(books.poster);
  const several = (ids: string[]) =>
    CancelTransaction({ TransactionIds: ids, TransactionType: '', reason: 'entered twice' }, books.context());
  const left = async (ids: string[]) =>
    (await db.owner.query('select from cancellations where document = any($1::uuid[])', [ids])).rowCount;
  const [free, paid, early] = [
    await sell(books, books.items[0], 1),
    await sell(books, books.items[0], 1),
    await sell(books, books.items[0], 1, '2026-09-05'),
  ];
  const receipt = await books.post(
    books.draft('saleReceipt', {
      party: books.customer,
      amount: paise(5900),
      moneyLedger: await books.ledger('1121'),
      allocations: [{ document: paid.id, amount: paise(5900) }],
    }),
  );
  await expect(several([free.id, paid.id])).rejects.toMatchObject({ code: 'settled' });
  await lock('sales', '2026-09-30');
  await expect(several([free.id, early.id])).rejects.toMatchObject({ code: 'registerLocked' });
  await lock('sales', null);
  expect(await left([free.id, paid.id, early.id])).toBe(0);
  // one that is named twice is cancelled once
  expect((await several([free.id, early.id, free.id])).cancelled).toHaveLength(2);
  expect(await left([free.id, early.id])).toBe(2);
  expect(await left([receipt.id, paid.id])).toBe(0);
});

test('a bill whose goods are gone is refused with the names of item and location', async () => {
  const [, , item] = books.items;
  const bill = await receive(books, item, 1, 60, TODAY);
  await sell(books, item, 1);
  await expect(cancel(bill.id)).rejects.toMatchObject({
    code: 'stockShort',
    message: 'Not enough stock of Item 3 at Shop: short by 1 on 20 Nov 2026',
  });
});

describe('a document of a location that the user may not use', () => {
  const unknown = '01930000-0000-7000-8000-000000000000';
  /** The answer to a user limited to the other location. */
  const refusal = async (work: (by: ReturnType<TestBooks['context']>) => Promise<unknown>) => {
    const answer = await work(books.context({ locations: [books.other], user: books.user })).catch((e: unknown) => e);
    return (answer as { code?: string }).code;
  };

  test('cancelling answers as for an unknown id, whatever blocks it', async () => {
    const { CancelTransaction } = documentHandlers(books.poster);
    const asked = (id: string) =>
      refusal(async (by) => {
        const input = { TransactionIds: [id], TransactionType: 'saleInvoice', reason: '' };
        await allowRows(by, rules.CancelTransaction, input);
        return CancelTransaction(input, by);
      });
    const live = await sell(books, books.items[0], 1);
    const gone = await sell(books, books.items[0], 1);
    await books.cancel(gone.id);
    for (const id of [live.id, gone.id, unknown]) expect(await asked(id)).toBe('notFound');
  });

  test('its number is not given by a call about drafts', async () => {
    const { AddTransactionDetails, DeleteMultipleTransaction, PostTransactionCalls } = documentHandlers(books.poster);
    const posted = await sell(books, books.items[0], 1);
    const kind = 'saleInvoice';
    const stranger = { user: unknown };
    for (const id of [posted.id, unknown]) {
      const which = { TransactionId: id, version: 1 };
      const answers = [
        await refusal((by) => PostTransactionCalls(which, { ...by, ...stranger })),
        await refusal((by) =>
          DeleteMultipleTransaction({ TransactionIds: [id], versions: [1] }, { ...by, ...stranger }),
        ),
        await refusal((by) => AddTransactionDetails({ kind, id, version: 1, body: { kind } }, { ...by, ...stranger })),
      ];
      expect(answers).toEqual(['notFound', 'notFound', 'notFound']);
    }
  });
});

describe('what blocks a cancellation, where the user may not see it', () => {
  const elsewhere = () => ({ location: books.other });
  const money = async () => ({ moneyLedger: await books.ledger('1121'), amount: paise(5900) });
  const note = (invoice: string) =>
    books.post(
      books.draft('saleReturn', {
        ...elsewhere(),
        party: books.customer,
        against: invoice,
        reason: 'damaged',
        lines: [
          { item: books.items[0] ?? '', quantity: millionths(1_000_000), source: { document: invoice, line: 1 } },
        ],
      }),
    );
  /** Makes a document here and another elsewhere that keeps it from being cancelled. */
  const cases: Readonly<Record<string, () => Promise<readonly [id: string, hidden: string]>>> = {
    'a return that was made from it': async () => {
      const { id } = await sell(books, books.items[0], 2);
      return [id, (await note(id)).number];
    },
    'a receipt that settles it': async () => {
      const { id } = await sell(books, books.items[0], 1);
      const allocations = [{ document: id, amount: paise(5900) }];
      const paid = { ...elsewhere(), ...(await money()), party: books.customer, allocations };
      return [id, (await books.post(books.draft('saleReceipt', paid))).number];
    },
    'an advance adjustment that uses it': async () => {
      const { id: invoice } = await sell(books, books.items[0], 1);
      const own = { party: books.customer, ...(await money()) };
      const { id } = await books.post(books.draft('advanceReceipt', own));
      const used = { ...elsewhere(), party: books.customer, amount: paise(5900), against: id };
      const allocations = [{ document: invoice, amount: paise(5900) }];
      return [id, (await books.post(books.draft('allocationVoucher', { ...used, allocations }))).number];
    },
    'a challan that deposited its tax': async () => {
      const { id } = await sell(books, books.items[0], 1);
      const { number, id: challan } = await books.post(
        books.draft('saleReceipt', { ...elsewhere(), party: books.customer, ...(await money()) }),
      );
      await db.owner.query(
        `with t as (
           insert into tax_challans (organisation, id, tax, section, head, date, amount, interest, fee)
           values ($1, $2, 'tds', '194C', '0020', $3, 1, 0, 0)
         )
         insert into tax_challan_parts (organisation, challan, document, amount) values ($1, $2, $4, 1)`,
        [books.organisation, challan, TODAY, id],
      );
      return [id, number];
    },
  };
  const unseen: Readonly<Record<string, () => Parameters<TestBooks['context']>[0]>> = {
    'another place': () => ({ locations: [books.location] }),
    'no grant on its kind': () => ({
      user: '01930000-0000-7000-8000-000000000000',
      may: (action) => action !== 'view',
    }),
    'only their own': () => ({ user: '01930000-0000-7000-8000-000000000000', sees: () => 'own' }),
  };
  const said = async (id: string, more: Parameters<TestBooks['context']>[0]) => {
    const { CancelTransaction } = documentHandlers(books.poster);
    const asked = { TransactionIds: [id], TransactionType: '', reason: 'typed twice' };
    const answer: unknown = await CancelTransaction(asked, books.context(more)).catch((error: unknown) => error);
    return answer instanceof Refusal ? answer : undefined;
  };

  test('a refusal names the document that stands in the way by its kind, and says what to do first', async () => {
    const kinds = {
      'a return that was made from it': 'saleReturn',
      'an advance adjustment that uses it': 'allocationVoucher',
    };
    for (const [name, kind] of Object.entries(kinds)) {
      const [id, number] = (await cases[name]?.()) ?? ['', ''];
      const message = (await said(id, {}))?.message;
      expect(message).toContain(`${kindLabel(kind)} ${number}`);
      expect(message).toContain('cancel that first');
    }
  });
  test.each(Object.keys(cases))('%s is named to who may see it, and to nobody else', async (name) => {
    const [id, hidden] = (await cases[name]?.()) ?? ['', ''];
    const seen = await said(id, {});
    expect(seen?.message).toContain(hidden);
    for (const [limit, more] of Object.entries(unseen)) {
      const refusal = await said(id, more());
      // a settlement that is hidden is not offered to be freed: its refusal has a code of its own
      expect([limit, refusal?.code]).toEqual([limit, seen?.code === 'settled' ? 'settledElsewhere' : seen?.code]);
      expect([limit, refusal?.message]).toEqual([limit, expect.stringMatching(/another (location|document)/)]);
      expect(JSON.stringify([refusal?.message, refusal?.details])).not.toContain(hidden);
    }
    // no journal paid the challan of these books
    await db.owner.query('with p as (delete from tax_challan_parts) delete from tax_challans');
  });

  const freeing = async (id: string, by: Parameters<TestBooks['context']>[0]) =>
    documentHandlers(books.poster)
      .CancelTransaction(
        { TransactionIds: [id], TransactionType: '', reason: 'typed twice', frees: true },
        books.context(by),
      )
      .catch((error: unknown) => error);

  test.each(Object.keys(unseen))('no settlement that is hidden by %s is freed', async (limit) => {
    const by = unseen[limit]?.();
    const { id } = await sell(books, books.items[0], 1);
    const allocations = [{ document: id, amount: paise(2000) }];
    const paid = { ...elsewhere(), ...(await money()), party: books.customer, allocations };
    const hidden = await books.post(books.draft('saleReceipt', paid));
    const before = [await openOf(db, id), await openOf(db, hidden.id)];
    const refusal = await freeing(id, by);
    expect(refusal).toMatchObject({
      code: 'settledElsewhere',
      message: expect.stringContaining('a user who may see all of them'),
    });
    expect(JSON.stringify([(refusal as Refusal).message, (refusal as Refusal).details])).not.toContain(hidden.number);
    expect([await openOf(db, id), await openOf(db, hidden.id)]).toEqual(before);
    // who may see both frees them
    expect(await freeing(id, {})).toMatchObject({ cancelled: [{ freed: [{ id: hidden.id, number: hidden.number }] }] });
    expect(await openOf(db, hidden.id)).toBe(5900);
  });

  test('an adjustment of hidden documents is not cancelled, with frees or without', async () => {
    const { id: invoice } = await sell(books, books.items[0], 1);
    const own = { party: books.customer, ...(await money()) };
    const { id } = await books.post(books.draft('advanceReceipt', { ...own, ...elsewhere() }));
    const used = { party: books.customer, amount: paise(5900), against: id };
    const allocations = [{ document: invoice, amount: paise(5900) }];
    const voucher = await books.post(books.draft('allocationVoucher', { ...used, allocations }));
    const by = { locations: [books.location] };
    expect(await freeing(voucher.id, by)).toMatchObject({ code: 'settledElsewhere' });
    expect(await said(voucher.id, by)).toMatchObject({ code: 'settledElsewhere' });
    expect(await openOf(db, invoice)).toBe(5900);
    expect(await said(voucher.id, {})).toBeUndefined();
    expect(await openOf(db, invoice)).toBe(11800);
  });

  test('a cheque that settled a hidden invoice is not returned by who may not see it', async () => {
    const { id: invoice, number } = await sell(books, books.items[0], 1);
    const paid = await books.post(
      books.draft('saleReceipt', {
        ...elsewhere(),
        ...(await money()),
        party: books.customer,
        allocations: [{ document: invoice, amount: paise(5900) }],
      }),
    );
    const returned = books.draft('bouncedReceipt', {
      ...elsewhere(),
      ...(await money()),
      party: books.customer,
      against: paid.id,
    });
    const refusal = await books.post(returned, { locations: [books.other] }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'settledElsewhere' });
    expect((refusal as Refusal).message).not.toContain(number);
    expect(await openOf(db, invoice)).toBe(5900);
    await books.post(returned);
    expect(await openOf(db, invoice)).toBe(11800);
  });
});
