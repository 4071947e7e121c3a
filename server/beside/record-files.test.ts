import { afterAll, beforeAll, expect, test } from 'vitest';
import { manyBooks, type TestBooks } from '../../tools/testing/books.ts';
import { recordFileHandlers } from './record-files.ts';

let books: TestBooks;
const { open, more, close } = manyBooks();
beforeAll(async () => {
  await open();
  books = await more({});
});
afterAll(close);

const { GetRecordFiles, AttachToRecord, GetRecordFile, RemoveRecordFile } = recordFileHandlers;
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('files of a party and of an item are attached, read and taken away', async () => {
  const context = books.context();
  for (const [master, id] of [
    ['customer', books.customer],
    ['supplier', books.supplier],
    ['item', books.items[0] ?? ''],
  ] as const) {
    const record = { master, id };
    expect(await GetRecordFiles(record, context)).toEqual([]);
    await AttachToRecord({ ...record, name: 'terms.txt', content: base64('30 days') }, context);
    expect(await AttachToRecord({ ...record, name: 'more.csv', content: base64('a,b') }, context)).toMatchObject([
      { record: id, number: 2, name: 'more.csv', type: 'text/csv', size: 3 },
      { record: id, number: 1, name: 'terms.txt' },
    ]);
    expect(await GetRecordFile({ ...record, number: 1 }, context)).toMatchObject({ content: base64('30 days') });
    expect(await RemoveRecordFile({ ...record, number: 1 }, context)).toMatchObject([{ number: 2 }]);
    await expect(GetRecordFile({ ...record, number: 1 }, context)).rejects.toMatchObject({ code: 'notFound' });
  }
});

test('files are not attached to records of other organisations, or of masters that take none', async () => {
  const other = await more({});
  const file = { name: 'terms.txt', content: base64('30 days') };
  for (const record of [
    { master: 'customer', id: other.customer },
    { master: 'item', id: other.items[0] ?? '' },
    { master: 'customer', id: books.supplier },
    { master: 'location', id: books.location },
  ])
    await expect(AttachToRecord({ ...record, ...file }, books.context())).rejects.toMatchObject({ code: 'notFound' });
});

test('a file of a type that is not taken is refused', async () => {
  const program = { master: 'item', id: books.items[0] ?? '', name: 'run.exe', content: base64('MZ') };
  await expect(AttachToRecord(program, books.context())).rejects.toMatchObject({ code: 'fileRefused' });
});
