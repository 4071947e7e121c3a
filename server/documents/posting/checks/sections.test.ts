import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Draft } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, receive, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { Problems } from '../../../kit/problems.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
let books: TestBooks;
beforeAll(async () => {
  db = await open();
  books = await more({ tdsadjustments: true });
});
afterAll(close);

const posted = (kind: string, typed: Partial<Draft>, own = books) =>
  own.post(own.draft(kind, { date: TODAY, ...typed })).then(
    () => 'posted',
    (error) => {
      if (!(error instanceof Problems)) throw error;
      return error.problems.map(({ field, code }) => [field, code]);
    },
  );

// the PAN of the supplier is that of a company
test('the PAN of a supplier says which section is for others', async () => {
  const bill = { party: books.supplier, reference: 'P-1', lines: [itemLine(books.items[0], 1, 100)] };
  await db.owner.query(`update items set service = true, stocked = false, hsn = '998599' where id = $1`, [
    books.items[0],
  ]);
  expect(await posted('purchaseBill', { ...bill, tdsSection: '194C-individual' })).toEqual([['tdsSection', undefined]]);
  expect(await posted('purchaseBill', { ...bill, tdsSection: '194-IB' })).toEqual([['tdsSection', undefined]]);
  expect(await posted('purchaseBill', { ...bill, tdsSection: '194C' })).toBe('posted');
});

test('a bill whose SAC leaves no choice of the section asks for it above the threshold of the year', async () => {
  const own = await more({ tdsadjustments: true });
  await db.owner.query(`update items set service = true, stocked = false, hsn = '998221' where id = $1`, [
    own.items[1],
  ]);
  const bill = (rate: number) => ({
    party: own.supplier,
    reference: `A-${rate}`,
    lines: [itemLine(own.items[1], 1, rate)],
  });
  expect(await posted('purchaseBill', { ...bill(50_001), accepted: [] }, own)).toEqual([
    ['tdsSection', 'impliedSectionMissing'],
  ]);
  expect(await posted('purchaseBill', bill(49_999), own)).toBe('posted');
});

test('goods for another registration of ours: a value of 0, or one far from what they cost here, needs a reason', async () => {
  const [pune, store] = [newId(), newId()];
  await db.owner.query(
    `
      insert into registrations (organisation, id, gstin, legal_name, state, kind)
      values ($1, $2, '27AAGCS4821F1ZF', 'Test books', '27', 'regular')
    `,
    [books.organisation, pune],
  );
  await db.owner.query(
    `
      insert into locations (organisation, id, code, name, registration, is_tax, is_physical)
      values ($1, $2, 'P', 'Pune', $3, true, true)
    `,
    [books.organisation, store, pune],
  );
  await receive(books, books.items[2], 10, 40, TODAY);
  const sent = (rate: number, accepted: Draft['accepted'] = []) =>
    posted('branchTransfer', {
      ...{ toLocation: store, toRegistration: pune, accepted },
      lines: [itemLine(books.items[2], 1, rate)],
    });
  const asked = [['lines.rate', 'transferValue']];
  expect([await sent(0), await sent(19), await sent(81)]).toEqual([asked, asked, asked]);
  expect([await sent(20), await sent(80)]).toEqual(['posted', 'posted']);
  expect(await sent(0, [{ warning: 'transferValue', reason: 'A sample without value' }])).toBe('posted');
});
