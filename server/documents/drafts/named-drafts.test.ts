import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draftBody } from '../../../contract/documents.ts';
import type { Id } from '../../../domain/document/document.ts';
import { digestOf, itemLine, manyBooks, receive, type TestBooks } from '../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../tools/testing/database.ts';
import { newId } from '../../kit/ids.ts';
import { documentHandlers } from '../index.ts';
import { draftText } from '../read/wire.ts';

// A draft is named beside a document or in it. One of another organisation, of another kind or in the books already is none.
const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
let other: TestBooks;
let own: Id;
beforeAll(async () => {
  db = await all.open();
  b = await all.more();
  other = await all.more();
  for (const books of [b, other]) await receive(books, books.items[0], 100, 60, '2026-04-01');
});
afterAll(() => all.close());

const bodyOf = (books: TestBooks, kind: string, more: object = {}) => ({
  ...draftText(books.draft(kind, { party: books.customer, lines: [itemLine(books.items[0], 1, 100)] })),
  ...more,
});
const calls = (books: TestBooks) => documentHandlers(books.poster);
const keep = async (books: TestBooks, kind: string, input: object = {}) =>
  calls(books).AddTransactionDetails({ kind, body: bodyOf(books, kind), ...input } as never, books.context());
/** As the call reads it: the text of a document becomes amounts. */
const read = ({ document, ...input }: { readonly document?: object }) =>
  document ? { ...input, document: draftBody.parse(document) } : input;
const post = async (books: TestBooks, input: object) =>
  calls(books).PostTransactionCalls(read(input) as never, books.context({ key: newId(), digest: digestOf('one') }));
/** The code of a refusal, or the fields of the problems. */
const refusedWith = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string; problems?: readonly { field: string }[] }) =>
      error.problems?.map(({ field }) => field) ?? error.code ?? String(error),
  );
/** All documents and drafts of both organisations. */
const kept = async (): Promise<unknown> => {
  const { rows } = await db.owner.query(
    `select organisation, id, kind, number, body::text as body, 0 as version from documents
     union all
     select organisation, id, kind, null, body::text, version from drafts
     order by 1, 2`,
  );
  return rows;
};

/** Records that are no draft of a quotation of this organisation, with how that is refused. */
const named: readonly (readonly [string, string, () => Promise<Id>])[] = [
  ['a draft of another organisation', 'notFound', async () => (await keep(other, 'quotation')).TransactionId],
  [
    'a document of another organisation',
    'notFound',
    async () => (await other.post(other.draft('quotation', quotation(other)))).id,
  ],
  ['a draft of another kind', 'notFound', async () => (await keep(b, 'saleOrder')).TransactionId],
  ['a document of another kind', 'notFound', async () => (await b.post(b.draft('saleInvoice', quotation(b)))).id],
  ['nothing', 'notFound', async () => newId()],
  ['a posted document', 'alreadyPosted', async () => (await b.post(b.draft('quotation', quotation(b)))).id],
  [
    'a cancelled document',
    'alreadyPosted',
    async () => {
      const { id } = await b.post(b.draft('quotation', quotation(b)));
      await b.cancel(id);
      return id;
    },
  ],
];
const quotation = (books: TestBooks) => ({ party: books.customer, lines: [itemLine(books.items[0], 1, 100)] });

beforeEach(async () => {
  own = (await keep(b, 'quotation')).TransactionId;
});

describe.each(named)('%s', (_what, code, make) => {
  test('is not posted, and takes no document in its place', async () => {
    const id = await make();
    const before = await kept();
    const document = bodyOf(b, 'quotation');
    for (const input of [{ TransactionId: id, version: 1, document }, { document: { ...document, id, version: 1 } }])
      expect([input, await refusedWith(post(b, input))]).toEqual([input, code]);
    // a draft is named in the version that was seen
    for (const input of [{ TransactionId: id, document }, { document: { ...document, id } }])
      expect([input, await refusedWith(post(b, input))]).toEqual([input, ['version']]);
    expect(await kept()).toEqual(before);
  });
  test('takes no text of a draft', async () => {
    const id = await make();
    const before = await kept();
    const body = bodyOf(b, 'quotation');
    for (const input of [{ id, version: 1 }, { body: { ...body, id } }, { body: { ...body, id, version: 1 } }])
      expect([input, await refusedWith(keep(b, 'quotation', input))]).toEqual([input, code]);
    expect(await kept()).toEqual(before);
  });
  test('is not named in a document beside the draft that is meant', async () => {
    const id = await make();
    const before = await kept();
    const text = bodyOf(b, 'quotation', { id });
    expect(await refusedWith(post(b, { TransactionId: own, version: 1, document: text }))).toEqual(['document.id']);
    expect(await refusedWith(keep(b, 'quotation', { id: own, version: 1, body: text }))).toEqual(['body.id']);
    expect(await kept()).toEqual(before);
  });
});

test('a draft that a document names by its id is kept again, and posted under it, once', async () => {
  const body = bodyOf(b, 'quotation', { id: own, version: 1 });
  expect(await keep(b, 'quotation', { body })).toEqual({ TransactionId: own, version: 2 });
  expect(await refusedWith(keep(b, 'quotation', { body }))).toBe('stale');
  expect(await refusedWith(post(b, { document: body }))).toBe('stale');
  expect(await post(b, { document: { ...body, version: 2 } })).toMatchObject({ TransactionId: own });
  expect(await refusedWith(post(b, { document: { ...body, version: 2 } }))).toBe('alreadyPosted');
  const { rows } = await db.owner.query(
    `select d.body -> 'draft' ? 'id' as named, (select count(*)::int from drafts where id = $2) as drafts
       from documents d
      where d.organisation = $1 and d.id = $2`,
    [b.organisation, own],
  );
  expect(rows).toEqual([{ named: false, drafts: 0 }]);
});

test('a draft is of one kind: its body says no other, and its id is one', async () => {
  const before = await kept();
  expect(await refusedWith(keep(b, 'quotation', { body: bodyOf(b, 'saleInvoice') }))).toEqual(['body.kind']);
  expect(await refusedWith(keep(b, 'quotation', { body: bodyOf(b, 'quotation', { id: 'x' }) }))).toEqual(['body.id']);
  expect(await kept()).toEqual(before);
});
