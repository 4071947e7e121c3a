import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREATE_AND_APPROVE, type Held, levels } from '../../../../contract/levels.ts';
import { percent } from '../../../../domain/base/decimal.ts';
import type { Draft } from '../../../../domain/document/document.ts';
import {
  costsOf,
  itemLine,
  manyBooks,
  receive,
  stockBalance,
  type TestBooks,
} from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { permitted } from '../../../../tools/testing/permitted.ts';
import { newId } from '../../../kit/ids.ts';
import { paperOf } from '../../../printing/index.ts';
import { acceptedWarnings } from '../../../reports/accepted.ts';
import { documentHandlers, viewDocument } from '../../index.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({});
  for (const item of b.items.slice(0, 3)) await receive(b, item, 10, 60, '2026-04-01');
});
afterAll(() => all.close());

const why = 'Sold in the old shop, before these books';
const accepted = [{ warning: 'returnWithoutSource', reason: why }];
const fields = { originalNumber: 'OLD/77', originalDate: '2026-03-10' };
const screens = { saleReturn: 'Sale Return', purchaseReturn: 'Purchase Return' } as const;
type Name = keyof typeof screens;
const names = Object.keys(screens) as Name[];
const back = (kind: Name, more: Partial<Draft> = {}): Draft =>
  b.draft(kind, {
    party: kind === 'saleReturn' ? b.customer : b.supplier,
    lines: [itemLine(b.items[0], 2, 100)],
    fields,
    accepted,
    ...more,
  });
/** Posts as somebody with this level on the screen of the kind. */
const post = async (document: Draft, level: Held = levels.full) => {
  const grants = new Map([[screens[document.kind as Name] ?? '', level]]);
  const asked = { document: document as never };
  const context = await permitted('PostTransactionCalls', asked, b.context({ grants }));
  return documentHandlers(b.poster).PostTransactionCalls(asked, context);
};
const found = (document: Draft) => post(document).then(String, (error) => error.problems ?? error.code);

describe.each(names)('%s of goods that no document names', (kind) => {
  test('needs full access', async () => {
    await expect(post(back(kind), levels.create)).rejects.toMatchObject({ code: 'returnWithoutSource' });
    await expect(post(back(kind), CREATE_AND_APPROVE)).rejects.toMatchObject({ code: 'returnWithoutSource' });
    // who only approves writes no document at all
    await expect(post(back(kind), levels.approve)).rejects.toMatchObject({ code: 'noAccess' });
  });

  test('needs a reason, and number and date of the original', async () => {
    const { accepted: _, ...unsaid } = back(kind);
    expect(await found(unsaid)).toMatchObject([{ field: 'against', code: 'returnWithoutSource' }]);
    expect(await found(back(kind, { fields: {} }))).toMatchObject([
      { field: 'originalNumber' },
      { field: 'originalDate' },
    ]);
  });

  test('the rate is that of the day of the original', async () => {
    const [line] = back(kind).lines;
    const old = { fields: { originalNumber: 'OLD/1', originalDate: '2026-03-10' } };
    const lines = [{ ...line, gstRate: 120_000 as never }];
    const wrong = await found(back(kind, { ...old, lines }));
    expect(wrong).toMatchObject([{ field: 'lines.gstRate' }]);
  });

  test('beside a line that comes from a document it is refused: a return is of one sort', async () => {
    const source = { document: (await receive(b, b.items[2], 1, 60, '2026-05-01')).id, line: 1 };
    const lines = [itemLine(b.items[0], 1, 100), { ...itemLine(b.items[2], 1, 60), source }];
    const { fields: _, ...bare } = back(kind, { lines });
    expect(await found(bare)).toContainEqual(expect.objectContaining({ field: 'against' }));
  });

  test('its reason is kept, shown, printed and reported', async () => {
    const made = await post(back(kind));
    const context = b.context();
    const view = await viewDocument(context, { id: made.TransactionId });
    expect(JSON.stringify(view.timeline)).toContain(why);
    const paper = await paperOf(context, made.TransactionId, 'original');
    expect(paper.facts).toContainEqual({ label: 'No document, because', value: why });
    expect(paper.facts).toContainEqual({ label: 'Against', value: expect.stringContaining('OLD/77') });
    const { rows } = await b.books.inTransaction({ organisation: b.organisation, user: b.user }, (db) =>
      acceptedWarnings(
        db as never,
        {
          organisation: b.organisation,
          filters: { from: '2026-11-01', to: '2026-11-30' },
          limit: 10,
          places: [],
        } as never,
      ),
    );
    expect(rows).toContainEqual(expect.objectContaining({ document: made.TransactionId, kind, reason: why }));
  });
});

test('goods go back to a supplier who charges no GST: a rate that is typed is refused, as on a bill', async () => {
  const supplier = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, search)
     values ($1, $2, 'U1', 'Weaver', 'supplier', 'unregistered', '29', 'weaver')`,
    [b.organisation, supplier],
  );
  const lines = [{ ...itemLine(b.items[0], 1, 60), gstRate: percent(50_000) }];
  expect(await found(back('purchaseReturn', { party: supplier, lines }))).toMatchObject([
    { field: 'lines.gstRate', row: 0, message: expect.stringMatching(/^Weaver charges no GST/) },
  ]);
  expect(await found(back('purchaseReturn', { party: supplier, lines: [itemLine(b.items[0], 1, 60)] }))).toContain(
    'object',
  );
});

describe('what the goods cost', () => {
  test('goods that come back cost what the same goods cost by now, not what they were sold for', async () => {
    const item = b.items[1];
    const { TransactionId } = await post(back('saleReturn', { lines: [itemLine(item, 3, 100)] }));
    expect(await costsOf(db, b, TransactionId)).toEqual([18_000]);
    expect(await stockBalance(db, b, item)).toEqual({ quantity: 13, value: 78_000 });
  });

  test('none are held: what the item is bought for', async () => {
    const item = b.items[5];
    const { TransactionId } = await post(back('saleReturn', { lines: [itemLine(item, 2, 100)] }));
    expect(await costsOf(db, b, TransactionId)).toEqual([12_000]);
  });

  test('nothing says it: a problem at the line', async () => {
    const item = b.items[6];
    await db.owner.query('update items set purchase_rate = null where organisation = $1 and id = $2', [
      b.organisation,
      item,
    ]);
    expect(await found(back('saleReturn', { lines: [itemLine(item, 2, 100)] }))).toMatchObject([
      { field: 'lines.item', row: 0 },
    ]);
  });
});
