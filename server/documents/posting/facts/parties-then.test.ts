import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, money, percentage } from '../../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { type Kind, type KindName, kindNames, kindOf } from '../../../../domain/document/kinds/index.ts';
import { bearsTaxOf } from '../../../../domain/document/sources.ts';
import { itemLine, manyBooks, receive, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { portalDocument } from '../../../einvoice/facts.ts';
import { newId } from '../../../kit/ids.ts';
import { around } from '../../../printing/around.ts';
import { reportHandlers } from '../../../reports/index.ts';
import { viewDocument } from '../../read/view.ts';
import { moveAccount } from '../settling/accounts.ts';
import { factsOf } from './draft-facts.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({ isAllowNegative: true });
  await receive(b, b.items[0], 1000, 60, '2026-04-01');
});
afterAll(() => all.close());

const then = { name: 'Nila Stores', gstin: '29AAACN1111A1Z7', state: '29', category: 'registered' };
type Known = Omit<typeof then, 'gstin'> & { readonly gstin: string | null };
/** What became of the party since. */
const since = {
  'is not registered any more': { ...then, gstin: null, category: 'unregistered' },
  'has a GSTIN of another state': { ...then, name: 'Nila Stores Pune', gstin: '27AAACN1111A1ZB', state: '27' },
  'is abroad': { ...then, gstin: null, state: '96', category: 'overseas' },
} satisfies Record<string, Known>;

let made = 0;
const partyOn = async (side: 'customer' | 'supplier', known: Known = then): Promise<Id> => {
  const id = newId();
  await db.owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, gstin, state, search, body)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 'nila', $9)
    `,
    [
      ...[b.organisation, id, `N${++made}`, known.name, side, known.category, known.gstin, known.state],
      { addresses: [{ line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' }] },
    ],
  );
  return id;
};
const becomes = async (party: Id, { name, gstin, state, category }: Known): Promise<void> => {
  await db.owner.query('update parties set name = $2, gstin = $3, state = $4, category = $5 where id = $1', [
    ...[party, name, gstin, state, category],
  ]);
  await b.context().inTransaction((trx) => moveAccount(trx, b.context(), party, null));
};

let papers = 0;
const original = async (side: 'customer' | 'supplier', party: Id, more: Partial<Draft> = {}): Promise<Id> => {
  const paper = { reference: `OLD-${++papers}`, referenceDate: TODAY };
  const lines = [itemLine(b.items[0], 10, 100)];
  const kind = side === 'customer' ? 'saleInvoice' : 'purchaseBill';
  return (await b.post(b.draft(kind, { party, lines, ...(side === 'supplier' && paper), ...more }))).id;
};
const correction = (kind: KindName, party: Id, against: Id, rate = 1): Draft => {
  const {
    fields,
    source: { givesPrice: pricedFromSource },
  }: Kind = kindOf(kind);
  const { rate: price, ...free } = itemLine(b.items[0], 1, rate);
  const source = { document: against, line: 1 };
  return b.draft(kind, {
    ...{ party, against, lines: [{ ...free, ...(!pricedFromSource && { rate: price }), source }] },
    ...(fields.includes('reason') && { reason: '01' }),
    ...(fields.includes('reference') && { reference: `NOTE-${++papers}` }),
    ...(fields.includes('referenceDate') && { referenceDate: TODAY }),
  });
};
const rowOf = async (id: Id) =>
  (
    await db.owner.query(
      `
        select party_name as name, party_gstin as gstin, party_state as state, category, supply_type, cgst > 0 as cgst
        from documents
        where id = $1
      `,
      [id],
    )
  ).rows[0];

/** The other way round: sold to a consumer, who has a GSTIN by now; or bought from somebody without one. */
const consumer = { ...then, gstin: null, category: 'unregistered' };
const corrections = kindNames.filter((name) => {
  const kind: Kind = kindOf(name);
  return bearsTaxOf(kind) && kind.party.side !== 'none' && !kind.life.till;
});
test('these kinds bear the tax of their source', () => {
  expect(corrections).toEqual(
    expect.arrayContaining(['saleReturn', 'saleCreditNote', 'saleDebitNote', 'purchaseReturn', 'purchaseCreditNote']),
  );
});

describe.each(corrections)('%s', (kind) => {
  const side = kindOf(kind).party.side === 'supplier' ? 'supplier' : 'customer';
  test.each(Object.entries(since))('is with the particulars of its source, when its party %s', async (_, known) => {
    const party = await partyOn(side);
    const source = await original(side, party);
    await becomes(party, known);
    const draft = correction(kind, party, source);
    const facts = await b.context().inTransaction((trx) => factsOf(trx, b.context(), draft));
    expect(facts.party).toMatchObject({ ...then, country: 'IN' });
    const { id } = await b.post(draft);
    expect(await rowOf(id)).toEqual({ ...then, supply_type: side === 'customer' ? 'B2B' : 'NONE', cgst: true });
  });

  test('is with the particulars of its source, when its party had no GSTIN then and has one now', async () => {
    const party = await partyOn(side, consumer);
    const source = await original(side, party);
    await becomes(party, since['has a GSTIN of another state']);
    const { id } = await b.post(correction(kind, party, source));
    const isSale = side === 'customer';
    expect(await rowOf(id)).toEqual({ ...consumer, supply_type: isSale ? 'B2CS' : 'NONE', cgst: isSale });
  });

  test('is made for each of the recipients, where its lines come from documents with several', async () => {
    const party = await partyOn(side, consumer);
    const first = await original(side, party);
    await becomes(party, then);
    const second = await original(side, party);
    const draft = correction(kind, party, first);
    const lines = [first, second].flatMap((document) =>
      draft.lines.map((line) => ({ ...line, source: { document, line: 1 } })),
    );
    const message = expect.stringContaining('has other GST particulars of the party than');
    await expect(b.post({ ...draft, lines })).rejects.toMatchObject({
      problems: [{ field: 'lines.source', row: 1, message }],
    });
  });

  test('is with the particulars of its source, when its party was merged into another', async () => {
    const [party, survivor] = [await partyOn(side), await partyOn(side, since['has a GSTIN of another state'])];
    const source = await original(side, party);
    await db.owner.query('update parties set merged_into = $2, active = false where id = $1', [party, survivor]);
    await db.owner.query('update open_items set party = $2 where party = $1', [party, survivor]);
    await b.context().inTransaction((trx) => moveAccount(trx, b.context(), survivor, null));
    const { id } = await b.post(correction(kind, survivor, source));
    expect(await rowOf(id)).toMatchObject(then);
  });
});

/** The notes that one recipient received, as the file of GSTR-1 has them. */
interface Receiver {
  readonly ctin: string;
  readonly nt: readonly { readonly nt_num: string }[];
}
test('GSTR-1 has the note with the GSTIN that received the invoice, and the portal is sent the same', async () => {
  const party = await partyOn('customer');
  const source = await original('customer', party);
  await becomes(party, since['has a GSTIN of another state']);
  const { id, number } = await b.post(correction('saleCreditNote', party, source));
  const filters = { registration: b.registration, period: `${TODAY.slice(5, 7)}${TODAY.slice(0, 4)}` };
  const file = await reportHandlers.ExportReport({ report: 'gstr1', filters, format: 'json' }, b.context());
  const { cdnr = [] } = JSON.parse(Buffer.from(file.content, 'base64').toString()) as { cdnr?: Receiver[] };
  const receivers = cdnr.filter(({ nt }) => nt.some((note) => note.nt_num === number));
  expect(receivers.map(({ ctin }) => ctin)).toEqual([then.gstin]);
  const sent = await b.context().inTransaction((trx) => portalDocument(trx, b.organisation, id));
  expect(sent?.facts.buyer).toMatchObject({
    ...{ legalName: then.name, gstin: then.gstin },
    address: { state: '29', pincode: '560001' },
  });
});

test('a small note on a large invoice to a consumer of another state is listed with it', async () => {
  const consumer = { name: 'Consumer', gstin: null, state: '27', category: 'unregistered' };
  const party = await partyOn('customer', consumer);
  const address = { line1: '1 Hill Road', city: 'Pune', state: '27', pincode: '411001', country: 'IN' };
  const lines = [itemLine(b.items[0], 10, 20_000)];
  const source = await original('customer', party, { lines, billTo: address });
  await becomes(party, { ...consumer, gstin: '27AAACN1111A1ZB', category: 'registered' });
  const { id } = await b.post(correction('saleCreditNote', party, source, 100));
  expect(await rowOf(id)).toMatchObject({ ...consumer, supply_type: 'B2CL' });
});

test('a note on a large and a small invoice to a consumer is made for each: they are in two tables', async () => {
  const party = await partyOn('customer', { name: 'Consumer', gstin: null, state: '27', category: 'unregistered' });
  const billTo = { line1: '1 Hill Road', city: 'Pune', state: '27', pincode: '411001', country: 'IN' };
  const large = await original('customer', party, { lines: [itemLine(b.items[0], 10, 20_000)], billTo });
  const small = await original('customer', party);
  const draft = correction('saleCreditNote', party, large);
  const lines = [large, small].flatMap((document) =>
    draft.lines.map((line) => ({ ...line, source: { document, line: 1 } })),
  );
  await expect(b.post({ ...draft, lines })).rejects.toMatchObject({
    problems: [{ field: 'lines.source', row: 1, message: expect.stringMatching(/B2CL.*B2CS/) }],
  });
});

test.each([
  ['sezUnit', { withPayment: false }, 'SEZWOP'],
  ['sezUnit', { withPayment: true }, 'SEZWP'],
  ['deemedExport', {}, 'DEXP'],
] as const)('a note on a supply to a customer that was %s then stays one: %j', async (category, more, type) => {
  const party = await partyOn('customer', { ...then, category });
  const source = await original('customer', party, more);
  await becomes(party, then);
  const { id } = await b.post({ ...correction('saleCreditNote', party, source), ...more });
  expect(await rowOf(id)).toMatchObject({ ...then, category, supply_type: type });
});

test('a note on an export stays one when the buyer has moved to India', async () => {
  const abroad = { name: 'Nila LLC', gstin: null, state: '96', category: 'overseas' };
  const party = await partyOn('customer', abroad);
  await db.owner.query(`update parties set country = 'AE' where id = $1`, [party]);
  const dollars = { currency: 'USD', exchangeRate: millionths(85_000_000) };
  const { id: source } = await b.post(
    b.draft('overseasSale', { ...{ party, ...dollars }, lines: [itemLine(b.items[0], 10, 100)] }),
  );
  await db.owner.query(`update parties set country = 'IN' where id = $1`, [party]);
  await becomes(party, then);
  const view = await viewDocument(b.context(), { id: source });
  expect(view.next.map(({ kind }) => kind)).toContain('saleCreditNote');
  const { id } = await b.post({ ...correction('saleCreditNote', party, source), ...dollars });
  expect(await rowOf(id)).toMatchObject({ ...abroad, supply_type: 'EXPWOP' });
  const sent = await b.context().inTransaction((trx) => portalDocument(trx, b.organisation, id));
  expect(sent?.facts.buyer).toMatchObject({ legalName: abroad.name, address: { country: 'AE' } });
  expect(sent?.facts.buyer).not.toHaveProperty('gstin');
});

test('a self-invoice on a purchase from somebody unregistered is made after they have registered', async () => {
  const party = await partyOn('supplier', consumer);
  const source = await original('supplier', party, { reverseCharge: true });
  await becomes(party, then);
  const draft = correction('selfInvoice', party, source, 100);
  const { id } = await b.post({ ...draft, reverseCharge: true });
  expect(await rowOf(id)).toMatchObject(consumer);
});

test('a correction of a sale without a party is to a consumer, whichever party it is credited to', async () => {
  const { id: source } = await b.post(b.draft('cashSale', { lines: [itemLine(b.items[0], 10, 100)] }));
  const party = await partyOn('customer', since['has a GSTIN of another state']);
  const { id } = await b.post(correction('saleReturn', party, source));
  expect(await rowOf(id)).toMatchObject({ gstin: null, state: '29', category: 'unregistered', supply_type: 'B2CS' });
});

test('goods come back at a till from a consumer who has a GSTIN by now', async () => {
  const party = await partyOn('customer', consumer);
  const { id: source } = await b.post(b.draft('posSale', { party, lines: [itemLine(b.items[0], 10, 100)] }));
  await becomes(party, then);
  const { rows } = await db.owner.query<{ id: Id }>(
    `
      with till as (
        insert into masters (organisation, id, master, code, name, body)
        values ($1, gen_random_uuid(), 'till', 'T1', 'Till', '{}')
        returning id
      )
      insert into till_sessions (
        organisation, id, till, location, cash_ledger, opened_on, opened_by, opening, opening_count
      )
      select $1, gen_random_uuid(), till.id, $2, $3, $4, $5, 0, '{}'
      from till
      returning id
    `,
    [b.organisation, b.location, await b.ledger('1110'), TODAY, b.user],
  );
  const { id } = await b.post({ ...correction('posReturn', party, source), till: { session: rows[0]?.id ?? '' } });
  expect(await rowOf(id)).toMatchObject({ ...consumer, supply_type: 'B2CS' });
});

test('an advance is given back and set off with the particulars of its receipt voucher (rule 51)', async () => {
  const party = await partyOn('customer', consumer);
  const bank = { moneyLedger: await b.ledger('1121') };
  const { id: against } = await b.post(
    b.draft('advanceReceipt', { party, ...bank, amount: money('2360'), advanceRate: percentage('18') }),
  );
  const invoice = await original('customer', party);
  await becomes(party, since['has a GSTIN of another state']);
  const amount = money('1180');
  for (const draft of [
    b.draft('advanceRefund', { party, ...bank, against, amount }),
    b.draft('allocationVoucher', { party, against, amount, allocations: [{ document: invoice, amount }] }),
  ])
    expect(await rowOf((await b.post(draft)).id)).toMatchObject({ ...consumer, cgst: true });
});

test('papers have the party as they were posted with', async () => {
  const party = await partyOn('customer', consumer);
  const source = await original('customer', party);
  await becomes(party, since['has a GSTIN of another state']);
  const { id: note } = await b.post(correction('saleCreditNote', party, source));
  for (const id of [source, note]) {
    const view = await viewDocument(b.context(), { id });
    const { parties } = await around(b.context(), view, kindOf(id === note ? 'saleCreditNote' : 'saleInvoice'));
    expect(parties[0]?.lines).toEqual(['Nila Stores', '1 Market Road', 'Bengaluru 560001', 'State 29 – Karnataka']);
  }
});

test('what names no source is with the party as it is today', async () => {
  const party = await partyOn('customer');
  await original('customer', party);
  const known = since['has a GSTIN of another state'];
  await becomes(party, known);
  const { id } = await b.post(
    b.draft('saleReturn', {
      ...{ party, reason: '01', lines: [itemLine(b.items[0], 1, 100)] },
      fields: { originalNumber: 'OLD/77', originalDate: '2026-10-10' },
      accepted: [{ warning: 'returnWithoutSource', reason: 'Sold before these books' }],
    }),
  );
  expect(await rowOf(id)).toMatchObject(known);
});
