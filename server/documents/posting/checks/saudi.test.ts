import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, ONE } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, receive, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { textOfPdf } from '../../../../tools/testing/paper-text.ts';
import { newId } from '../../../kit/ids.ts';
import { Problems } from '../../../kit/problems.ts';
import { paperOf, printHandlers } from '../../../printing/index.ts';
import { convert } from '../../drafts/convert.ts';
import { viewDocument } from '../../read/view.ts';

const { open, more, close } = manyBooks();
let db: TestDatabase;
let books: TestBooks;
let buyer: Id;
beforeAll(async () => {
  db = await open();
  books = await more();
  buyer = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
     values ($1, $2, 'SA1', 'Najd Trading Est', 'customer', 'overseas', '96', 'SA', 'SAR', 'najd')`,
    [books.organisation, buyer],
  );
  await receive(books, books.items[0], 50, 60, '2026-10-01');
});
afterAll(close);

const VAT = '310122393500003';
const invoice = (more: Partial<Draft> = {}): Draft =>
  books.draft('saudiInvoice', {
    party: buyer,
    currency: 'SAR',
    exchangeRate: millionths(22_500_000),
    lines: [itemLine(books.items[0], 10, 20)],
    fields: { vatNumber: VAT, buyerVatNumber: '300000000000003' },
    ...more,
  });
const entries = async (id: Id): Promise<Record<string, number>> => {
  const { rows } = await db.owner.query(
    `
      select l.code, (e.debit - e.credit)::int as amount
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.document = $1 and l.code not in ('1310', '5310')
    `,
    [id],
  );
  return Object.fromEntries(rows.map((r) => [r.code, r.amount]));
};

test('VAT of 15 % is due on top of the export, on a ledger of its own, and is in the QR code and on the paper', async () => {
  const { id } = await books.post(invoice());
  expect(await entries(id)).toEqual({ '1211': 517500, '4112': -450000, '2264': -67500 });
  const view = await viewDocument(books.context(), { id });
  expect(view.priced).toMatchObject({
    total: '4500.00',
    foreignTotal: '200.00',
    payable: '5175.00',
    vat: { rate: '15', amount: '675.00', foreign: '30.00' },
  });
  expect(view.open).toBe('230.00');
  const said = Buffer.from(view.vatQr ?? '', 'base64').toString();
  for (const part of ['Test books', VAT, `${TODAY}T`, '230.00', '30.00']) expect(said).toContain(part);
  const paper = await paperOf(books.context(), id, 'original');
  expect(paper.code?.text).toBe(view.vatQr);
  expect(paper.sums.map(({ label, amount }) => [label, amount])).toEqual([
    ['Taxable value', '4,500.00'],
    ['Total ₹', '4,500.00'],
    ['Total SAR', '200.00'],
    ['VAT 15 % SAR', '30.00'],
    ['To pay SAR', '230.00'],
  ]);
  const { content } = await printHandlers('none').PrintDocument({ id, copy: 'original' }, books.context());
  const text = textOfPdf(Buffer.from(content, 'base64'));
  expect(text).toContain('300000000000003');
  // every label that the authority asks for is printed in Arabic too
  expect(paper.also).toMatchObject({
    'Tax invoice': 'فاتورة ضريبية',
    'VAT number, seller': 'الرقم الضريبي للبائع',
    'VAT 15 % SAR': 'ضريبة القيمة المضافة 15 % SAR',
    'To pay SAR': 'المبلغ المستحق SAR',
  });
  const untold = [...paper.facts, ...paper.sums, ...(paper.table?.columns ?? [])].map((each) => each.label);
  expect(untold.filter((label) => !paper.also?.[label] && label !== '#')).toEqual([]);
  expect(Buffer.from(content, 'base64').toString('latin1')).toContain('NotoSansArabic');
});

test('what comes back brings its VAT back; paid in two parts at other rates nothing is left', async () => {
  const { id } = await books.post(invoice());
  const { draft } = await convert({ from: id, kind: 'saleReturn' }, books.context());
  expect(draft).toMatchObject({ fields: { vatNumber: VAT } });
  const back = await books.post(
    books.draft('saleReturn', {
      party: buyer,
      against: id,
      reason: '01',
      currency: 'SAR',
      exchangeRate: millionths(22_500_000),
      fields: { vatNumber: VAT },
      lines: [{ item: books.items[0] ?? '', quantity: millionths(4 * ONE), source: { document: id, line: 1 } }],
    }),
  );
  const note = await paperOf(books.context(), back.id, 'original');
  expect(note.also?.[note.title]).toBe('إشعار دائن');
  expect(await entries(back.id)).toEqual({ '1211': -207000, '4180': 180000, '2264': 27000 });
  const pay = async (amount: number, rate: number) =>
    books.post(
      books.draft('saleReceipt', {
        party: buyer,
        currency: 'SAR',
        exchangeRate: millionths(rate),
        amount: paise(amount),
        moneyLedger: await books.ledger('1121'),
        allocations: [{ document: id, amount: paise(amount) }],
      }),
    );
  await pay(3333, 22_711_111);
  await pay(13800 - 3333, 22_399_999);
  const { rows } = await db.owner.query(
    `
      select (select open::int from open_items where document = $1) as open, sum(debit - credit)::int as rupees
      from entries
      where party = $2
        and document not in (select id from documents where date = $3 and id <> $1 and kind = 'saudiInvoice')
    `,
    [id, buyer, TODAY],
  );
  expect(rows[0]).toEqual({ open: 0, rupees: 0 });
});

test('without a number it is a plain export; a wrong number, buyer or currency is a problem at its field', async () => {
  const plain = await books.post(invoice({ fields: {} }));
  const view = await viewDocument(books.context(), { id: plain.id });
  expect([view.vatQr, view.priced?.vat]).toEqual([null, undefined]);
  expect((await paperOf(books.context(), plain.id, 'original')).also).toHaveProperty('Tax invoice');
  const fieldsOf = async (draft: Draft) => {
    const found = await books.post(draft).catch((error: unknown) => error);
    return found instanceof Problems ? found.problems.map((p) => p.field) : found;
  };
  expect(await fieldsOf(invoice({ fields: { vatNumber: '123' } }))).toEqual(['vatNumber']);
  expect(await fieldsOf(invoice({ currency: 'USD' }))).toEqual(['currency']);
  expect(await fieldsOf(invoice({ party: books.customer }))).toEqual(['party', 'vatNumber']);
});
