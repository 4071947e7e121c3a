import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { itemLine, receive, type TestBooks, TODAY, testBooks } from '../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { standings } from './stands.ts';

let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db);
  for (const item of books.items) await receive(books, item, 10_000, 60, TODAY);
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

/** An order of the model: what is still held on it, and what was delivered on it. */
interface Order {
  readonly id: string;
  readonly ordered: number;
  delivered: { readonly id: string; readonly quantity: number; cancelled: boolean }[];
  state: 'open' | 'freed' | 'closed' | 'cancelled';
}
const left = ({ ordered, delivered, state }: Order): number =>
  state === 'open' ? ordered - delivered.reduce((sum, d) => sum + (d.cancelled ? 0 : d.quantity), 0) : 0;

const step = fc.record({
  what: fc.constantFrom('order', 'deliver', 'deliver', 'takeBack', 'free', 'close', 'cancel'),
  which: fc.nat(20),
  quantity: fc.integer({ min: 1, max: 9 }),
});

test('INV-23: whatever happens to orders, what they hold is what is ordered and not delivered; closed ones hold nothing', async () => {
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const item = books.items[turn++ % books.items.length];
      const orders: Order[] = [];
      const context = books.context();
      const reserved = async () => {
        const [found] = await context.inTransaction((trx) => standings(trx, context, [item ?? ''], [books.location]));
        return Number(found?.reserved);
      };
      const before = await reserved();
      for (const { what, which, quantity } of steps) {
        const order = orders[which % Math.max(1, orders.length)];
        if (what === 'order' || !order) {
          const draft = books.draft('saleOrder', { party: books.customer, lines: [itemLine(item, quantity, 100)] });
          orders.push({ id: (await books.post(draft)).id, ordered: quantity, delivered: [], state: 'open' });
        } else if (what === 'deliver' && left(order) > 0) {
          const some = Math.min(quantity, left(order));
          const lines = [{ ...itemLine(item, some, 100), source: { document: order.id, line: 1 } }];
          const { id } = await books.post(books.draft('saleInvoice', { party: books.customer, lines }));
          order.delivered.push({ id, quantity: some, cancelled: false });
        } else if (what === 'takeBack') {
          const one = order.delivered.find((d) => !d.cancelled);
          if (one) await books.cancel(one.id);
          if (one) one.cancelled = true;
        } else if (what === 'free' && order.state === 'open') {
          await db.owner.query('insert into freed_orders (organisation, document, by) values ($1, $2, $3)', [
            ...[books.organisation, order.id, books.user],
          ]);
          order.state = 'freed';
        } else if (what === 'close' && order.state === 'open') {
          await db.owner.query(
            `insert into closed_lines (organisation, document, line, reason, by) values ($1, $2, 1, 'Not made any more', $3)`,
            [books.organisation, order.id, books.user],
          );
          order.state = 'closed';
        } else if (what === 'close' && order.state === 'closed') {
          await db.owner.query('delete from closed_lines where organisation = $1 and document = $2', [
            ...[books.organisation, order.id],
          ]);
          order.state = 'open';
        } else if (what === 'cancel' && order.state !== 'cancelled' && order.delivered.every((d) => d.cancelled)) {
          await books.cancel(order.id);
          order.state = 'cancelled';
        }
        expect(await reserved()).toBe(before + orders.reduce((sum, each) => sum + left(each), 0));
      }
    }),
    { numRuns: 12 },
  );
  expect(await brokenInvariants(db.owner)).toEqual([]);
}, 60_000);
