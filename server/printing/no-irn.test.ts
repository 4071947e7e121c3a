import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { itemLine, manyBooks, type TestBooks } from '../../tools/testing/books.ts';
import type { TestDatabase } from '../../tools/testing/database.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type Paper, printPaper } from '../paper/index.ts';
import { withArabic } from './arabic.ts';
import { paperOf, printHandlers, WITHOUT_IRN } from './index.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
let books: TestBooks;
/** An invoice that the law asks an IRN for, which no portal has given. */
let waiting = '';
let counter = '';
beforeAll(async () => {
  db = await open();
  books = await more({ trackInventory: false });
  await db.owner.query(
    `update registrations
        set body = body || '{"einvoice": true, "einvoiceFrom": "2020-10-01"}'
      where organisation = $1`,
    [books.organisation],
  );
  const address = { line1: '4 Temple Street', city: 'Bengaluru', state: '29', pincode: '560001' };
  await db.owner.query(`update parties set category = 'registered', body = body || $2 where organisation = $1`, [
    books.organisation,
    JSON.stringify({ addresses: [address] }),
  ]);
  const lines = [itemLine(books.items[0], 1, 100)];
  waiting = (await books.post(books.draft('saleInvoice', { party: books.customer, lines }))).id;
  counter = (await books.post(books.draft('cashSale', { moneyLedger: await books.ledger('1110'), lines }))).id;
});
afterAll(close);

/** The words of a paper; `SHOTS` names a folder that gets it too. */
async function wordsOf(name: string, paper: Paper): Promise<string> {
  const bytes = Buffer.from(await printPaper(paper));
  if (process.env.SHOTS) writeFileSync(`${process.env.SHOTS}/${name}.pdf`, bytes);
  return textOfPdf(bytes).replace(/\s+/g, ' ');
}

test('an invoice without the IRN that the law asks for says that it is no valid tax invoice', async () => {
  const paper = await paperOf(books.context(), waiting, 'original');
  expect(paper).toMatchObject({
    watermark: 'Not a valid tax invoice: no IRN',
    notices: expect.arrayContaining([WITHOUT_IRN]),
  });
  expect(await wordsOf('no-irn', paper)).toContain('no IRN (rule 48(5)');
  // what needs none says nothing
  const plain = await paperOf(books.context(), counter, 'original');
  expect(plain.watermark).toBeUndefined();
  expect(plain.notices).not.toContain(WITHOUT_IRN);
});

test('the second language of a paper says it too, and a roll has it above its title', async () => {
  const paper = await paperOf(books.context(), waiting, 'original');
  const inBoth = withArabic(paper);
  expect(inBoth.also?.[WITHOUT_IRN]).toMatch(/فاتورة/);
  await wordsOf('no-irn-arabic', inBoth);
  const style = { size: 'roll', colour: '#000000', signatory: '', footer: '' } as const;
  expect(await wordsOf('no-irn-roll', { ...paper, style })).toContain('Not a valid tax invoice: no IRN');
});

test('where the portals are stand-ins every paper says Trial', async () => {
  const invoice = await paperOf(books.context(), waiting, 'original', undefined, true);
  expect(invoice.watermark).toBe('Not a valid tax invoice: no IRN · Trial');
  const plain = await paperOf(books.context(), counter, 'original', undefined, true);
  expect(plain.watermark).toBe('Trial');
  expect(await wordsOf('trial', plain)).toContain('Trial: the portals of this installation are stand-ins');
  for (const [portal, says] of [
    ['standIn', true],
    ['real', false],
    ['none', false],
  ] as const) {
    const { content } = await printHandlers(portal).PrintDocument({ id: counter, copy: 'original' }, books.context());
    expect([portal, textOfPdf(Buffer.from(content, 'base64')).includes('Trial')]).toEqual([portal, says]);
  }
});

test('the tax of a sale under reverse charge stands below the total, of which it is no part', async () => {
  // cashew nuts in shell (notification 4/2017-CT(R))
  await db.owner.query(`update items set hsn = '08013100' where organisation = $1 and id = $2`, [
    books.organisation,
    books.items[1],
  ]);
  const lines = [itemLine(books.items[1], 1, 100)];
  const { id } = await books.post(books.draft('saleInvoice', { party: books.customer, reverseCharge: true, lines }));
  const { sums } = await paperOf(books.context(), id, 'original');
  const due = ' payable by recipient under reverse charge';
  expect(sums.map(({ label, amount }) => [label, amount])).toEqual([
    ['Taxable value', '100.00'],
    ['Total ₹', '100.00'],
    [`CGST${due}`, '9.00'],
    [`SGST${due}`, '9.00'],
  ]);
});
