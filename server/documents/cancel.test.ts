import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manyBooks, receive, sell, type TestBooks } from '../../tools/testing/books.ts';
import { documentHandlers } from './index.ts';

let books: TestBooks;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  await open();
  books = await more({});
  await receive(books, books.items[0], 1000, 60, '2026-04-01');
});
afterAll(close);

describe('a document of a location that the user may not use', () => {
  const unknown = '01930000-0000-7000-8000-000000000000';
  /** What a user limited to the other location is told. */
  const told = async (work: (by: ReturnType<TestBooks['context']>) => Promise<unknown>) => {
    const answer = await work(books.context({ locations: [books.other], user: books.user })).catch((e: unknown) => e);
    return (answer as { code?: string }).code;
  };

  test('cancelling answers as for an unknown id, whatever stands in the way', async () => {
    const { CancelTransaction } = documentHandlers(books.poster);
    const cancel = (id: string) =>
      told((by) => CancelTransaction({ TransactionIds: [id], TransactionType: 'saleInvoice', reason: '' }, by));
    const live = await sell(books, books.items[0], 1);
    const gone = await sell(books, books.items[0], 1);
    await books.cancel(gone.id);
    for (const id of [live.id, gone.id, unknown]) expect(await cancel(id)).toBe('notFound');
  });

  test('its number is not told by a call about drafts', async () => {
    const { AddTransactionDetails, DeleteMultipleTransaction, PostTransactionCalls } = documentHandlers(books.poster);
    const posted = await sell(books, books.items[0], 1);
    const kind = 'saleInvoice';
    const stranger = { user: unknown };
    for (const id of [posted.id, unknown]) {
      const which = { TransactionId: id, version: 1 };
      const answers = [
        await told((by) => PostTransactionCalls(which, { ...by, ...stranger })),
        await told((by) => DeleteMultipleTransaction({ TransactionIds: [id] }, { ...by, ...stranger })),
        await told((by) => AddTransactionDetails({ kind, id, version: 1, body: { kind } }, { ...by, ...stranger })),
      ];
      expect(answers).toEqual(['notFound', 'notFound', 'notFound']);
    }
  });
});
