import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { DraftLine, Id } from '../../../domain/document/document.ts';
import { itemLine, type TestBooks, TODAY, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { newId } from '../../kit/ids.ts';
import { paperOf } from '../../printing/index.ts';
import { editorFacts } from '../drafts/editor-facts.ts';
import { listDocuments } from '../read/list.ts';
import { viewDocument } from '../read/view.ts';

let db: TestDatabase;
let books: TestBooks;
const rooms: Record<string, Id> = {};
const room = async (of: TestBooks, name: string, location: Id, active = true): Promise<Id> => {
  const id = newId();
  await db.owner.query(
    `insert into masters (organisation, id, master, code, name, body, active) values ($1, $2, 'warehouse', $3, $3, $4, $5)`,
    [of.organisation, id, name, { location }, active],
  );
  return id;
};
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { isWarehouse: true });
  rooms.front = await room(books, 'Front', books.location);
  rooms.back = await room(books, 'Back', books.location);
  rooms.away = await room(books, 'Away', books.other);
  rooms.closed = await room(books, 'Closed', books.location, false);
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});

const line = (item: Id | undefined, quantity: number, at: Id | undefined): DraftLine => ({
  ...itemLine(item, quantity, 100),
  ...(at && { room: at }),
});
const buy = (date: string, ...lines: DraftLine[]) =>
  books.post(books.draft('purchaseBill', { party: books.supplier, date, reference: 'M', lines }));
const sale = (date: string, ...lines: DraftLine[]) =>
  books.post(books.draft('saleInvoice', { party: books.customer, date, lines }));
const wrong = (message: RegExp, row = 0) => ({
  problems: [{ field: 'lines.room', row, message: expect.stringMatching(message) }],
});

test('a room never gives what is not in it, on any day, however much is at the place', async () => {
  const [item] = books.items;
  await buy('2026-05-01', line(item, 5, rooms.front), line(item, 5, rooms.back));
  await sale('2026-05-20', line(item, 4, rooms.front));
  await expect(sale('2026-05-21', line(item, 2, rooms.front))).rejects.toMatchObject(wrong(/Front has 1 of Item 1/));
  // two are there on the tenth, but four leave later
  await expect(sale('2026-05-10', line(item, 2, rooms.front))).rejects.toMatchObject(wrong(/Front has 1/));
  await expect(sale('2026-05-21', line(item, 1, rooms.front), line(item, 1, rooms.front))).rejects.toMatchObject(
    wrong(/Front has 0/, 1),
  );
  await sale('2026-05-21', line(item, 1, rooms.front), line(item, 5, rooms.back));
});

test('it is a room of the place, in use, and the organisation’s own', async () => {
  const [, item] = books.items;
  const other = await testBooks(db);
  const foreign = await room(other, 'Foreign', other.location);
  await other.end();
  await expect(buy(TODAY, line(item, 1, rooms.away))).rejects.toMatchObject(wrong(/Away is not at Shop/));
  await expect(buy(TODAY, line(item, 1, rooms.closed))).rejects.toMatchObject(wrong(/is retired: restore it/));
  await expect(buy(TODAY, line(item, 1, foreign))).rejects.toMatchObject(wrong(/does not exist/));
  await expect(buy(TODAY, line(item, 1, newId()))).rejects.toMatchObject(wrong(/does not exist/));
});

test('a receipt is not cancelled when its room has given the goods away', async () => {
  const [, , item] = books.items;
  const came = await buy('2026-05-01', line(item, 5, rooms.front));
  await buy('2026-05-02', line(item, 9, rooms.back));
  await sale('2026-05-03', line(item, 5, rooms.front));
  await expect(books.cancel(came.id)).rejects.toMatchObject(wrong(/Front has 0/));
});

test('goods on their way are in no room and arrive in one of the other place', async () => {
  const [, , , item] = books.items;
  await buy('2026-05-01', line(item, 5, rooms.front));
  const sent = await books.post(
    books.draft('branchTransfer', { date: '2026-05-02', toLocation: books.other, lines: [line(item, 2, rooms.front)] }),
  );
  await books.post(
    books.draft('transferReceipt', {
      date: '2026-05-03',
      location: books.other,
      toRegistration: books.registration,
      against: sent.id,
      lines: [
        {
          item: item ?? '',
          quantity: millionths(2 * ONE),
          room: rooms.away ?? '',
          source: { document: sent.id, line: 1 },
        },
      ],
    }),
  );
  const { rows } = await db.owner.query<{ room: Id; held: number }>(
    `
      select room, (sum(quantity) / 1000000)::int as held
      from movements
      where organisation = $1 and item = $2 and room is not null
      group by room
    `,
    [books.organisation, item],
  );
  expect(Object.fromEntries(rows.map((r) => [r.room, r.held]))).toEqual({
    [rooms.front ?? '']: 3,
    [rooms.away ?? '']: 2,
  });
  const facts = await editorFacts(
    { parties: [], items: [item ?? ''], ledgers: [], documents: [], date: TODAY, location: books.location },
    { ...books.context(), grants: new Map([[1, 5003]]) as never },
  );
  expect(facts.items[0]?.rooms).toEqual([
    { id: rooms.back, name: 'Back', quantity: '0' },
    { id: rooms.front, name: 'Front', quantity: '3' },
  ]);
});

test('a document shows and prints the room that its goods moved in, and where goods go that stay our own', async () => {
  const [, item] = books.items;
  const bill = await buy('2026-05-01', line(item, 5, rooms.front), line(item, 5, undefined));
  const context = books.context();
  const view = await viewDocument(context, { id: bill.id });
  expect([view.destination, view.lines.map((l) => l.room)]).toEqual([null, ['Front', null]]);
  const paper = await paperOf(context, bill.id, 'original');
  expect(paper.table?.rows.map((row) => row[1]?.includes('Room Front'))).toEqual([true, false]);
  const sent = await books.post(
    books.draft('branchTransfer', {
      toLocation: books.other,
      toRegistration: books.registration,
      lines: [line(item, 2, rooms.front)],
    }),
  );
  expect(await viewDocument(context, { id: sent.id })).toMatchObject({
    location: { name: 'Shop' },
    destination: { name: 'Store' },
    lines: [{ room: 'Front' }],
  });
  const { rows } = await listDocuments({ Type: 'branchTransfer' }, context);
  expect(rows.find((r) => r.id === sent.id)?.destination).toBe('Store');
});
