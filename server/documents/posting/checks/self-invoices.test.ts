import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, money, percentage } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { itemLine, manyBooks, type TestBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { Problems } from '../../../kit/problems.ts';
import { convert } from '../../drafts/convert.ts';
import { viewDocument } from '../../read/view.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
let carter: Id;
let bank: Id;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({ isAllowNegative: true });
  carter = newId();
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, search)
     values ($1, $2, 'CARTER', 'Carter', 'supplier', 'unregistered', '29', 'carter')`,
    [b.organisation, carter],
  );
  bank = await b.ledger('1121');
});
afterAll(() => all.close());

const outcome = (draft: Draft): Promise<unknown> =>
  b.post(draft).then(
    () => 'posted',
    (error) => (error instanceof Problems ? error.problems.map(({ field }) => field) : error.code),
  );
let papers = 0;
const buy = async (party: Id, more: Partial<Draft> = {}): Promise<Id> => {
  const lines = [{ ...itemLine(b.items[0], 10, 1000), discount: { percent: percentage('5') } }];
  const accepted = ['reverseChargeOfGoodsBought', 'reverseChargeOfServicesBought'].map((warning) => ({
    warning,
    reason: 'As the supplier wrote it',
  }));
  return (await b.post(b.draft('purchaseBill', { party, reference: `B-${++papers}`, lines, accepted, ...more }))).id;
};
const invoice = (party: Id, document: Id, quantity: number, rate = 1000, more: object = {}): Draft =>
  b.draft('selfInvoice', {
    ...{ party, against: document, reverseCharge: true },
    lines: [{ ...itemLine(b.items[0], quantity, rate), source: { document, line: 1 }, ...more }],
  });
const totalOf = async (document: Id) =>
  (await db.owner.query<{ taxable: number }>('select taxable::int from documents where id = $1', [document])).rows[0]
    ?.taxable;

describe('a self-invoice', () => {
  test('is for a supply under reverse charge from somebody unregistered (section 31(3)(f))', async () => {
    expect(await outcome(invoice(b.supplier, await buy(b.supplier), 10))).toEqual(
      expect.arrayContaining(['reverseCharge', 'party']),
    );
    expect(await outcome(invoice(carter, await buy(carter), 10))).toEqual(['reverseCharge']);
    expect(await outcome(invoice(b.supplier, await buy(b.supplier, { reverseCharge: true }), 10))).toEqual(['party']);
    const alone = { reverseCharge: true, lines: [itemLine(b.items[0], 1, 100)] };
    expect(await outcome(b.draft('selfInvoice', { party: b.supplier, ...alone }))).toEqual(['party', 'against']);
  });

  test('is made from the lines of what was bought under reverse charge: that posts the tax and stands in the returns', async () => {
    const lines = [itemLine(b.items[0], 1, 100)];
    const alone = { party: carter, reverseCharge: true, lines };
    expect(await outcome(b.draft('selfInvoice', alone))).toEqual(['against']);
    const bill = await buy(carter, { reverseCharge: true });
    const [{ rate: _, source: __, ...line } = itemLine('', 0, 0)] = invoice(carter, bill, 10).lines;
    // lines that name none are those of the bill, once
    expect(await outcome(b.draft('selfInvoice', { ...alone, against: bill, lines: [line] }))).toBe('posted');
    expect(await outcome(invoice(carter, bill, 10))).toEqual(['lines.quantity']);
  });

  test('has the rate and the discount of its source', async () => {
    const bill = await buy(carter, { reverseCharge: true });
    expect(await outcome(invoice(carter, bill, 10, 999))).toEqual(['lines.rate']);
    expect(await outcome(invoice(carter, bill, 10, 1000, { discount: { percent: percentage('4') } }))).toEqual([
      'lines.discount',
    ]);
    const { lines, ...head } = invoice(carter, bill, 4);
    const [{ rate: _, ...line } = itemLine('', 0, 0)] = lines;
    // what is left out is taken over
    const made = await b.post({ ...head, lines: [line] });
    expect(await totalOf(made.id)).toBe(380_000);
  });

  test('is for what did not go back, once', async () => {
    const bill = await buy(carter, { reverseCharge: true });
    const { rate: _, ...back } = itemLine(b.items[0], 5, 0);
    const source = { document: bill, line: 1 };
    const away = { party: carter, against: bill, reason: '01', reverseCharge: true, lines: [{ ...back, source }] };
    await b.post(b.draft('purchaseReturn', away));
    expect(await outcome(invoice(carter, bill, 6))).toEqual(['lines.quantity']);
    expect(await outcome(invoice(carter, bill, 3))).toBe('posted');
    expect(await outcome(invoice(carter, bill, 3))).toEqual(['lines.quantity']);
    expect(await outcome(invoice(carter, bill, 2))).toBe('posted');
  });
});

test('a self-invoice that is dated more than 30 days after the receipt says so (rule 47A)', async () => {
  const bill = await buy(carter, { reverseCharge: true, date: '2026-10-01' });
  const warned = async (date: string) => {
    const { id } = await b.post({ ...invoice(carter, bill, 1), date });
    const { rows } = await db.owner.query(`select body -> 'warnings' as warnings from documents where id = $1`, [id]);
    const all = (rows[0]?.warnings ?? []) as { code: string; message: string }[];
    return all.filter(({ code }) => code === 'selfInvoiceLate').map(({ message }) => message);
  };
  expect(await warned('2026-10-31')).toEqual([]);
  expect(await warned('2026-11-01')).toEqual([
    'A self-invoice is written within 30 days of the receipt (rule 47A), here by 31 Oct 2026',
  ]);
});

describe('a self-invoice for services from abroad', () => {
  let studio: Id;
  beforeAll(async () => {
    studio = newId();
    await db.owner.query(
      `insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
       values ($1, $2, 'STUDIO', 'Studio GmbH', 'supplier', 'overseas', '96', 'DE', 'USD', 'studio')`,
      [b.organisation, studio],
    );
    const [item] = b.items;
    await db.owner.query('update items set service = true, stocked = false where id = $1', [item]);
  });
  const dollars = { currency: 'USD', exchangeRate: millionths(80_000_000) };
  const booked = async (more: Partial<Draft> = {}) =>
    (
      await b.post(
        b.draft('overseasPurchase', {
          ...{ party: studio, reference: `S-${++papers}`, reverseCharge: true, ...dollars },
          accepted: [{ warning: 'abroadWithoutSection', reason: 'Treaty with Germany, article 12' }],
          lines: [itemLine(b.items[0], 1, 100)],
          ...more,
        }),
      )
    ).id;

  test('is made from their bill, in its currency and at its rate, with the integrated tax that is paid on it', async () => {
    const bill = await booked();
    const { draft } = await convert({ from: bill, kind: 'selfInvoice' }, b.context());
    expect(draft).toMatchObject({ party: studio, against: bill, currency: 'USD', exchangeRate: '80.00' });
    const made = await b.post({ ...invoice(studio, bill, 1, 100), ...dollars });
    const { rows } = await db.owner.query('select taxable::int, igst::int, supply_type from documents where id = $1', [
      made.id,
    ]);
    expect(rows).toMatchObject([{ taxable: 800_000, igst: 144_000 }]);
    expect(await outcome({ ...invoice(studio, bill, 1, 100), ...dollars })).toEqual(['lines.quantity']);
  });

  test('is offered at a bill under reverse charge only, and not for goods, whose tax is paid at customs', async () => {
    const offered = async (id: Id) => (await viewDocument(b.context(), { id })).next.map(({ kind }) => kind);
    expect(await offered(await booked())).toContain('selfInvoice');
    const goods = { reverseCharge: false, lines: [itemLine(b.items[1], 1, 100)] };
    expect(await offered(await booked(goods))).not.toContain('selfInvoice');
    expect(await offered(await buy(b.supplier, { reverseCharge: true }))).not.toContain('selfInvoice');
  });

  test('is in the currency and at the rate of that bill', async () => {
    const bill = await booked();
    const typed = invoice(studio, bill, 1, 100);
    expect(await outcome(typed)).toContain('currency');
    expect(await outcome({ ...typed, ...dollars, exchangeRate: millionths(81_000_000) })).toEqual(['exchangeRate']);
  });
});

test('vouchers say of a payment at most what was paid, also two at once', async () => {
  const paid = await b.post(b.draft('payment', { party: carter, moneyLedger: bank, amount: money('100') }));
  const voucher = (amount: string) =>
    b.draft('paymentVoucher', { party: carter, against: paid.id, amount: money(amount) });
  expect(await outcome(voucher('1000000'))).toEqual(['amount']);
  expect(await outcome(voucher('100.01'))).toEqual(['amount']);
  expect(await outcome(voucher('40'))).toBe('posted');
  const both = await Promise.all([outcome(voucher('60')), outcome(voucher('60'))]);
  expect(both).toContainEqual('posted');
  expect(both).toContainEqual(['amount']);
});

test('a refund that names no credit, or too little of one, needs a reason', async () => {
  const refund = (more: Partial<Draft>) =>
    b.draft('refund', { party: b.customer, moneyLedger: bank, amount: paise(10_000), ...more });
  const accepted = [{ warning: 'refundWithoutCredit', reason: 'Deposit from before these books' }];
  for (const party of [b.customer, b.supplier]) expect(await outcome(refund({ party }))).toEqual(['allocations']);
  expect(await outcome(refund({ accepted }))).toBe('posted');
  const credit = await b.post(b.draft('saleReceipt', { party: b.customer, moneyLedger: bank, amount: paise(9_000) }));
  const part = { allocations: [{ document: credit.id, amount: paise(9_000) }] };
  expect(await outcome(refund(part))).toEqual(['allocations']);
  expect(await outcome(refund({ ...part, amount: paise(9_000) }))).toBe('posted');
});
