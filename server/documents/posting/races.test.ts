import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paise } from '../../../domain/base/money.ts';
import type { Draft, Id } from '../../../domain/document/document.ts';
import {
  itemLine,
  manyBooks,
  openOf,
  receive,
  sell,
  stockBalance,
  type TestBooks,
  TODAY,
} from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';
import { closingHandlers } from '../../closing/index.ts';
import { documentHandlers } from '../index.ts';
import { draftText } from '../read/wire.ts';
import { prepareCancel } from './cancelling/cancel.ts';
import { type Poster, poster } from './queue.ts';
import { prepare } from './request/prepare.ts';

let db: TestDatabase;
let books: TestBooks;
/** Another process on the same books. */
let second: Poster;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  db = await open();
  books = await more({});
  second = poster(books.books.pool);
  await receive(books, books.items[0], 1000, 60, '2026-04-01');
});
afterAll(close);

/** Each pair runs so often: who is first is a matter of chance, and what holds must hold either way. */
const TIMES = 12;

const postBy = async (by: Poster, draft: Draft) => by.post(await prepare(books.context(), draft));
const cancelBy = async (by: Poster, id: Id) => by.post(await prepareCancel(books.context(), id, 'typed twice'));

/** What became of several that went off at the same moment: 'done', or the code of the refusal. */
async function together(...work: readonly (() => Promise<unknown>)[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(work.map((one) => one()));
  return outcomes.map((o) =>
    o.status === 'fulfilled' ? 'done' : String(o.reason.code ?? o.reason.problems?.[0]?.field),
  );
}
const each = (times: number, work: (n: number) => Promise<void>) =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));

describe('at the same moment, from two processes,', () => {
  test('an invoice is cancelled and its receipt comes in: one of the two', async () => {
    const moneyLedger = await books.ledger('1121');
    const seen = new Set<string>();
    const taken: Id[] = [];
    await each(TIMES, async () => {
      const { id } = await sell(books, books.items[0], 1);
      const receipt = books.draft('saleReceipt', {
        party: books.customer,
        amount: paise(11800),
        moneyLedger,
        allocations: [{ document: id, amount: paise(11800) }],
      });
      const outcome = await together(
        () => cancelBy(books.poster, id),
        async () => taken.push((await postBy(second, receipt)).id),
      );
      seen.add(outcome.join(' '));
      expect([
        ['done', 'overAllocated'],
        ['settled', 'done'],
      ]).toContainEqual(outcome);
      expect(await openOf(db, id)).toBe(0);
    });
    // no receipt that was taken has lost its invoice
    const { rows } = await db.owner.query(
      `select count(*)::int as n from open_items where document = any($1::uuid[]) and open <> 0`,
      [taken],
    );
    expect(rows).toEqual([{ n: 0 }]);
    expect(seen.size).toBeGreaterThan(0);
  });

  test('an invoice is cancelled with what settles it: a receipt that comes in meanwhile is refused or named as freed', async () => {
    const moneyLedger = await books.ledger('1121');
    const { CancelTransaction } = documentHandlers(books.poster);
    await each(TIMES, async () => {
      const { id } = await sell(books, books.items[0], 1);
      const receipt = books.draft('saleReceipt', {
        party: books.customer,
        amount: paise(11800),
        moneyLedger,
        allocations: [{ document: id, amount: paise(11800) }],
      });
      const [gone, paid] = await Promise.allSettled([
        CancelTransaction(
          { TransactionIds: [id], TransactionType: 'saleInvoice', reason: 'twice', frees: true },
          books.context(),
        ),
        postBy(second, receipt),
      ]);
      if (gone.status === 'rejected') throw gone.reason;
      const freed = gone.value.cancelled[0]?.freed;
      if (paid.status === 'fulfilled')
        expect(freed).toEqual([{ id: paid.value.id, number: paid.value.number, amount: '118.00' }]);
      else expect([paid.reason.code, freed]).toEqual(['overAllocated', []]);
      expect(await openOf(db, id)).toBe(0);
    });
  });

  test('a document is cancelled and another is made from it: one of the two', async () => {
    const line = itemLine(books.items[0], 1, 100);
    await each(TIMES, async (n) => {
      const order = n % 2 === 0;
      const source = await books.post(
        books.draft(order ? 'saleOrder' : 'saleInvoice', { party: books.customer, lines: [line] }),
      );
      const next = books.draft(order ? 'saleInvoice' : 'saleReturn', {
        party: books.customer,
        ...(!order && { against: source.id, reason: '01' }),
        lines: [{ ...line, source: { document: source.id, line: 1 } }],
      });
      const outcome = await together(
        () => cancelBy(books.poster, source.id),
        () => postBy(second, next),
      );
      expect([
        ['done', 'alreadyCancelled'],
        ['notCancellable', 'done'],
        // what came back is set against the invoice
        ['settled', 'done'],
      ]).toContainEqual(outcome);
    });
  });

  test('a bill is cancelled and its goods are sold: one of the two', async () => {
    await each(9, async (n) => {
      const item = books.items[1 + n];
      // one item for each: nobody else moves it
      const bill = await receive(books, item, 1, 60, TODAY);
      const sale = books.draft('saleInvoice', { party: books.customer, lines: [itemLine(item, 1, 100)] });
      const outcome = await together(
        () => cancelBy(books.poster, bill.id),
        () => postBy(second, sale),
      );
      expect(outcome.toSorted()).toEqual(['done', 'stockShort']);
    });
    for (const item of books.items.slice(1)) expect((await stockBalance(db, books, item)).quantity).toBe(0);
  });

  test('two receipts for one invoice, and a credit given away twice: no more than there is', async () => {
    const moneyLedger = await books.ledger('1121');
    const money = (kind: string, allocations: Draft['allocations']) =>
      books.draft(kind, {
        party: books.customer,
        amount: paise(11800),
        moneyLedger,
        ...(allocations && { allocations }),
      });
    await each(TIMES, async () => {
      const { id } = await sell(books, books.items[0], 1);
      const receipt = money('saleReceipt', [{ document: id, amount: paise(11800) }]);
      const outcome = await together(
        () => postBy(books.poster, receipt),
        () => postBy(second, receipt),
      );
      expect(outcome.sort()).toEqual(['done', 'overAllocated']);
      expect(await openOf(db, id)).toBe(0);
      const credit = await books.post(money('saleReceipt', undefined));
      const refund = money('refund', [{ document: credit.id, amount: paise(11800) }]);
      const given = await together(
        () => postBy(books.poster, refund),
        () => postBy(second, refund),
      );
      expect(given.sort()).toEqual(['done', 'overAllocated']);
      expect(await openOf(db, credit.id)).toBe(0);
    });
  });

  test('two tabs change one draft, whole or by its lines: one is saved, the other refused', async () => {
    const handlers = documentHandlers(books.poster);
    const context = books.context();
    const kind = 'saleInvoice';
    await each(TIMES, async (n) => {
      const { TransactionId, version } = await handlers.AddTransactionDetails({ kind, body: { kind } }, context);
      const [first, other] = [
        () =>
          handlers.AddTransactionDetails({ kind, id: TransactionId, version, body: { kind, narration: 'a' } }, context),
        () => handlers.AddtransactionItemDetails({ TransactionId, version, lines: [] }, context),
      ];
      const outcome = await together(...(n % 2 ? [first, other, first] : [other, first, other]));
      expect(outcome.sort()).toEqual(['done', 'stale', 'stale']);
    });
  });

  test('a draft is saved or deleted while it is posted: one of the two, and no text is lost', async () => {
    const [handlers, others] = [documentHandlers(books.poster), documentHandlers(second)];
    const context = books.context();
    const kind = 'saleInvoice';
    const body = (narration: string) =>
      draftText(books.draft(kind, { party: books.customer, narration, lines: [itemLine(books.items[0], 1, 100)] }));
    const seen = new Set<string>();
    for (let n = 0; n < 4; n++)
      await each(TIMES, async (turn) => {
        const { TransactionId: id, version } = await handlers.AddTransactionDetails(
          { kind, body: body('first') as never },
          context,
        );
        const work = {
          save: () =>
            others.AddTransactionDetails({ kind, id, version, body: body('second') as never }, books.context()),
          parts: () => others.AddtransactionItemDetails({ TransactionId: id, version, lines: [] }, books.context()),
          remove: () =>
            others.DeleteMultipleTransaction({ TransactionIds: [id], versions: [version] }, books.context()),
        };
        const other = (['save', 'remove', 'parts'] as const)[turn % 3] ?? 'save';
        const post = () => handlers.PostTransactionCalls({ TransactionId: id, version }, books.context());
        const [posted, done] = await together(...[post, work[other]]);
        seen.add(`${other}: ${posted} ${done}`);
        const { rows } = await db.owner.query(
          `select (select body -> 'draft' ->> 'narration' from documents where id = $1) as posted,
                  (select version from drafts where id = $1) as version`,
          [id],
        );
        if (posted === 'done') {
          expect(done).toBe('alreadyPosted');
          expect(rows).toEqual([{ posted: 'first', version: null }]);
        } else {
          expect([posted, done]).toEqual([other === 'remove' ? 'notFound' : 'stale', 'done']);
          expect(rows).toEqual([{ posted: null, version: other === 'remove' ? null : version + 1 }]);
        }
      });
    expect(seen.size).toBeGreaterThan(2);
  });

  test('a draft is saved and deleted at the same moment: what was saved is not deleted unseen', async () => {
    const [handlers, others] = [documentHandlers(books.poster), documentHandlers(second)];
    const context = books.context();
    const kind = 'saleInvoice';
    const body = (narration: string) =>
      draftText(books.draft(kind, { party: books.customer, narration, lines: [itemLine(books.items[0], 1, 100)] }));
    await each(TIMES, async () => {
      const keep = (narration: string) =>
        handlers.AddTransactionDetails({ kind, body: body(narration) as never }, context);
      const [first, other] = [await keep('first'), await keep('other')];
      const { TransactionId: id, version } = first;
      const asked = { TransactionIds: [other.TransactionId, id], versions: [other.version, version] };
      const [saved, deleted] = await together(
        () => handlers.AddTransactionDetails({ kind, id, version, body: body('second') as never }, context),
        () => others.DeleteMultipleTransaction(asked, books.context()),
      );
      const { rows } = await db.owner.query('select id, version from drafts where id = any($1::uuid[])', [
        asked.TransactionIds,
      ]);
      if (deleted === 'done') {
        expect([saved, rows]).toEqual(['notFound', []]);
      } else {
        // all or none: the other one, whose version is right, stays too
        expect([saved, deleted, rows.length]).toEqual(['done', 'stale', 2]);
        await expect(handlers.DeleteMultipleTransaction(asked, context)).rejects.toMatchObject({ code: 'stale' });
        const versions = [other.version, version + 1];
        expect(await handlers.DeleteMultipleTransaction({ ...asked, versions }, context)).toEqual({ deleted: 2 });
      }
    });
  });

  test('a draft is posted twice: the second answer names the number of the first', async () => {
    const [handlers, others] = [documentHandlers(books.poster), documentHandlers(second)];
    const kind = 'saleInvoice';
    const body = draftText(books.draft(kind, { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] }));
    await each(TIMES, async () => {
      const { TransactionId, version } = await handlers.AddTransactionDetails(
        { kind, body: body as never },
        books.context(),
      );
      const posts = await Promise.allSettled(
        [handlers, others].map((by) => by.PostTransactionCalls({ TransactionId, version }, books.context())),
      );
      const [won] = posts.filter((one) => one.status === 'fulfilled').map((one) => one.value.TransactionNumber);
      const [lost] = posts.filter((one) => one.status === 'rejected').map((one) => one.reason);
      expect(lost).toMatchObject({ code: 'alreadyPosted', details: { number: won } });
    });
  });

  test('an order is cancelled and said to be carried out: no cancelled order is carried out', async () => {
    const handlers = documentHandlers(books.poster);
    const line = itemLine(books.items[0], 1, 100);
    await each(TIMES, async () => {
      const order = await books.post(books.draft('saleOrder', { party: books.customer, lines: [line] }));
      const sale = await sell(books, books.items[0], 1);
      const outcome = await together(
        () => cancelBy(books.poster, order.id),
        () => handlers.UpdateOrderStatus({ OrderId: order.id, InvoiceId: sale.id }, books.context()),
      );
      expect([
        ['done', 'alreadyCancelled'],
        ['notCancellable', 'done'],
      ]).toContainEqual(outcome);
    });
  });

  test('the books are locked while documents are posted: nothing is posted into days that were locked meanwhile', async () => {
    const day = '2026-05-10';
    const sale = books.draft('saleInvoice', {
      party: books.customer,
      date: day,
      lines: [itemLine(books.items[0], 1, 100)],
    });
    const lock = () => closingHandlers.SaveLock({ through: day, reason: 'counted' }, books.context());
    const outcome = await together(
      ...Array.from({ length: 20 }, (_, n) => () => postBy(n % 2 ? second : books.poster, sale)),
      lock,
      ...Array.from({ length: 20 }, (_, n) => () => postBy(n % 2 ? second : books.poster, sale)),
    );
    expect(outcome.filter((o) => o !== 'done' && o !== 'periodLocked')).toEqual([]);
    expect(await together(() => postBy(second, sale))).toEqual(['periodLocked']);
  });

  test('200 sales of the same eight items, each in an order of its own, through four processes: all are posted', async () => {
    const items = books.items.slice(2, 10);
    for (const item of items) await receive(books, item, 200, 60, TODAY);
    const held = async (item: Id) => (await stockBalance(db, books, item)).quantity;
    const before = new Map<Id, number>();
    for (const item of items) before.set(item, await held(item));
    const posters = [1, 2, 3, 4].map(() => poster(books.books.pool));
    // a shuffle that is the same every time: each sale sorts the items by its own multiples
    const order = (n: number) =>
      items.toSorted(
        (a, b) => (((items.indexOf(a) + 1) * (2 * n + 7)) % 17) - (((items.indexOf(b) + 1) * (2 * n + 7)) % 17),
      );
    const outcome = await together(
      ...Array.from({ length: 200 }, (_, n) => () => {
        const lines = order(n).map((item) => itemLine(item, 1, 100));
        return postBy(posters[n % 4] as Poster, books.draft('saleInvoice', { party: books.customer, lines }));
      }),
    );
    expect(outcome.filter((o) => o !== 'done')).toEqual([]);
    for (const item of items) expect(await held(item)).toBe((before.get(item) ?? 0) - 200);
  });
});
