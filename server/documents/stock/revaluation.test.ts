import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import {
  costsOf,
  itemLine,
  manyBooks,
  receive,
  stockBalance,
  type TestBooks,
  TODAY,
} from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';
import { closingHandlers } from '../../closing/index.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { rebuildProjections } from '../../kit/database/rebuild.ts';
import { masterHandlers } from '../../masters/index.ts';
import { reportHandlers } from '../../reports/index.ts';
import { editorFacts } from '../drafts/editor-facts.ts';
import { poster } from '../posting/queue.ts';
import { prepare } from '../posting/request/prepare.ts';
import { abandonedRevaluations, revalueStock } from './revaluation.ts';

let db: TestDatabase;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
});
afterAll(close);

/** Posts where a transaction values no more than two later movements again. */
const postFew = async (books: TestBooks, draft: Draft) =>
  poster(books.books.pool, { most: 2 }).post(await prepare(books.context(), draft));
const bill = (books: TestBooks, date: string, lines: Draft['lines']) =>
  books.draft('purchaseBill', { party: books.supplier, date, reference: 'M-1', referenceDate: date, lines });
const invoice = (books: TestBooks, date: string, lines: Draft['lines']) =>
  books.draft('saleInvoice', { party: books.customer, date, lines });
const marked = async (books: TestBooks): Promise<Id[]> =>
  (
    await db.owner.query<{ item: Id }>('select item from revaluations where organisation = $1 order by item', [
      books.organisation,
    ])
  ).rows.map((r) => r.item);
const jobs = async (books: TestBooks): Promise<{ organisation: number; document: Id }[]> =>
  (
    await db.owner.query(
      `delete from outbox where organisation = $1 and task = 'revalueStock' returning payload as job`,
      [books.organisation],
    )
  ).rows.map((r) => r.job);
const work = async (books: TestBooks) => {
  for (const job of await jobs(books)) await revalueStock({ pool: books.books.pool, changed: () => undefined })(job);
};
const revisions = async (books: TestBooks) =>
  (
    await db.owner.query<{ total: number; causes: number }>(
      `
        select
          d.total::int as total,
          (
            select count(*)::int
            from document_links k
            where k.organisation = d.organisation and k.source = d.id and k.role = 'revision'
          ) as causes
        from documents d
        where d.organisation = $1 and d.kind = 'costRevision'
        order by d.number
      `,
      [books.organisation],
    )
  ).rows;

/** Ten at 100 on the first, then three sales of one on the tenth and the eleventh. */
const sold = async (books: TestBooks, item: Id | undefined) => {
  await receive(books, item, 10, 100, '2026-05-01');
  await books.post(invoice(books, '2026-05-10', [itemLine(item, 1, 300), itemLine(item, 1, 300)]));
  return books.post(invoice(books, '2026-05-11', [itemLine(item, 1, 300)]));
};

describe.each(['average', 'fifo'] as const)('more later movements than one posting values again: %s', (valuation) => {
  test('what the job revises in a register that is locked is on the first open day after it', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    await sold(books, item);
    await closingHandlers.SaveLock(
      { register: 'sales', through: '2026-05-10', reason: 'settled' },
      books.context({ grants: new Map([['General Configuration', 5003]]) }),
    );
    await postFew(books, bill(books, '2026-04-20', [itemLine(item, 10, 200)]));
    await work(books);
    const { rows } = await db.owner.query(
      `select distinct e.date::text as date from documents d join entries e on e.organisation = d.organisation and e.document = d.id
        where d.organisation = $1 and d.kind = 'costRevision'`,
      [books.organisation],
    );
    expect(rows).toEqual([{ date: '2026-05-11' }]);
    expect(await brokenInvariants(db.owner)).toEqual([]);
  });

  test('it is posted, its item is being revalued, and a job writes one revision', async () => {
    const books = await more({ valuation });
    const [item] = books.items;
    const last = await sold(books, item);
    const cause = await postFew(books, bill(books, '2026-04-20', [itemLine(item, 10, 200)]));
    expect(await marked(books)).toEqual([item]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 17, value: 270000 });
    expect(await costsOf(db, books, last.id)).toEqual([-10000]);
    expect(await brokenInvariants(db.owner)).toEqual([]);
    const [known] = (
      await editorFacts(
        { parties: [], items: [item ?? ''], ledgers: [], documents: [], date: '2026-05-11' },
        { ...books.context(), grants: new Map([[1, 5003]]) as never },
      )
    ).items;
    expect(known?.revaluing).toBe(true);
    const opened = await masterHandlers.GetMaster({ master: 'item', id: item ?? '' }, books.context());
    expect(opened.notices).toEqual(['Being revalued: a document dated 20 Apr 2026 changes what later movements cost']);
    const report = { report: 'stockOnHand', filters: { asOf: TODAY } };
    expect((await reportHandlers.RunReport(report, books.context())).rows[0]?.state).toBe('Being revalued');
    // books are not locked over a day that waits
    const lock = () => closingHandlers.SaveLock({ through: '2026-04-30', reason: '' }, books.context());
    await expect(lock()).rejects.toMatchObject({ code: 'beingRevalued', details: { date: '2026-04-20' } });

    await work(books);
    const each = valuation === 'average' ? 15000 : 20000;
    expect(await marked(books)).toEqual([]);
    expect(await costsOf(db, books, last.id)).toEqual([-each]);
    expect(await stockBalance(db, books, item)).toEqual({ quantity: 17, value: 300000 - 3 * each });
    expect(await revisions(books)).toEqual([{ total: 3 * (each - 10000), causes: 1 }]);
    expect(await costsOf(db, books, cause.id)).toEqual([200000]);
    await lock();
    expect(await brokenInvariants(db.owner)).toEqual([]);
  });

  test('what is posted meanwhile, late or back-dated, is valued with it; two causes share the revision', async () => {
    const books = await more({ valuation });
    const [item, second] = books.items;
    await sold(books, item);
    await sold(books, second);
    await postFew(books, bill(books, '2026-04-20', [itemLine(item, 10, 200)]));
    await books.post(invoice(books, '2026-05-12', [itemLine(item, 2, 300)]));
    // with the limit that everybody has, but its item waits already
    await books.post(bill(books, '2026-04-10', [itemLine(item, 1, 50), itemLine(second, 1, 400)]));
    expect(await marked(books)).toEqual([item, item, second].sort());
    await rebuildProjections(db.owner);
    expect(await brokenInvariants(db.owner)).toEqual([]);
    await work(books);
    expect(await marked(books)).toEqual([]);
    expect((await revisions(books)).map((r) => r.causes)).toEqual([2]);
  });
});

test('negative stock on any day is refused', async () => {
  const books = await more();
  const [item] = books.items;
  await receive(books, item, 2, 100, '2026-05-01');
  await books.post(invoice(books, '2026-05-10', [itemLine(item, 1, 300), itemLine(item, 1, 300)]));
  await receive(books, item, 5, 100, '2026-05-20');
  await expect(postFew(books, invoice(books, '2026-05-05', [itemLine(item, 1, 300)]))).rejects.toMatchObject({
    code: 'stockShort',
    details: { quantity: '1', date: '2026-05-10' },
  });
  expect(await marked(books)).toEqual([]);
});

test('a job whose process died is put back into the outbox, and done twice it writes one revision', async () => {
  const books = await more();
  const [item] = books.items;
  await sold(books, item);
  const cause = await postFew(books, bill(books, '2026-04-20', [itemLine(item, 10, 200)]));
  const [lost] = await jobs(books);
  expect(lost).toEqual({ organisation: books.organisation, document: cause.id });
  await db.owner.query(abandonedRevaluations);
  expect(await jobs(books)).toEqual([]);
  await db.owner.query(`update revaluations set at = now() - interval '2 minutes' where organisation = $1`, [
    books.organisation,
  ]);
  await db.owner.query(abandonedRevaluations);
  await db.owner.query(abandonedRevaluations);
  const [again, ...others] = await jobs(books);
  expect([again, others]).toEqual([lost, []]);
  const run = revalueStock({ pool: books.books.pool, changed: () => undefined });
  await Promise.all([run(again), run(again)]);
  await run(again);
  expect(await revisions(books)).toEqual([{ total: 15000, causes: 1 }]);
});

test('a cancellation far back waits too, and the books end as if the document had never been', async () => {
  const books = await more();
  const [item] = books.items;
  const first = await receive(books, item, 10, 200, '2026-04-20');
  const last = await sold(books, item);
  const { prepareCancel } = await import('../posting/cancelling/cancel.ts');
  await poster(books.books.pool, { most: 2 }).post(await prepareCancel(books.context(), first.id, 'entered twice'));
  expect(await marked(books)).toEqual([item]);
  await work(books);
  expect(await costsOf(db, books, last.id)).toEqual([-10000]);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 7, value: 70000 });
});

test('goods sent to the other place are valued there too', async () => {
  const books = await more();
  const [item] = books.items;
  await sold(books, item);
  const sent = await books.post(
    books.draft('branchTransfer', {
      date: '2026-05-12',
      toLocation: books.other,
      toRegistration: books.registration,
      lines: [itemLine(item, 4, 0)],
    }),
  );
  await books.post(
    books.draft('transferReceipt', {
      date: '2026-05-13',
      toLocation: books.other,
      against: sent.id,
      lines: [{ item: item ?? '', quantity: millionths(4 * ONE), source: { document: sent.id, line: 1 } }],
    }),
  );
  await postFew(books, bill(books, '2026-04-20', [itemLine(item, 10, 200)]));
  await work(books);
  expect(await stockBalance(db, books, item, books.other)).toEqual({ quantity: 4, value: 60000 });
});

test('first in, first out: what a note on a price adds to stock is found again by the job, also when it came meanwhile', async () => {
  const books = await more({ valuation: 'fifo' });
  const [item] = books.items;
  const bought = await receive(books, item, 10, 100, '2026-05-01');
  await receive(books, item, 10, 150, '2026-05-02');
  await books.post(invoice(books, '2026-05-10', [itemLine(item, 1, 300), itemLine(item, 1, 300)]));
  const note = (date: string, reference: string) =>
    books.post(
      books.draft('purchaseCreditNote', {
        ...{ date, party: books.supplier, against: bought.id, reason: '02', reference, referenceDate: date },
        lines: [{ ...itemLine(item, 10, 10), source: { document: bought.id, line: 1 } }],
      }),
    );
  const first = await note('2026-05-11', 'N-1');
  expect(await costsOf(db, books, first.id)).toEqual([-8000]);
  await postFew(books, bill(books, '2026-04-20', [itemLine(item, 10, 50)]));
  expect(await marked(books)).toEqual([item]);
  expect(await costsOf(db, books, first.id)).toEqual([-8000]);
  const meanwhile = await note('2026-05-12', 'N-2');
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await work(books);
  expect(await costsOf(db, books, first.id)).toEqual([-10000]);
  expect(await costsOf(db, books, meanwhile.id)).toEqual([-10000]);
  expect(await stockBalance(db, books, item)).toEqual({ quantity: 28, value: 40000 + 80000 + 150000 });
  expect(await brokenInvariants(db.owner)).toEqual([]);
});
