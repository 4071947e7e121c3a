import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let today: string;
let other: string;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  ({ today } = (await shop.owner.ask('GetSession', {})) as { today: string });
  const addresses = [{ line1: '1 Hill Road', city: 'Chennai', state: '33', pincode: '600001' }];
  const values = { name: 'Tamil Stores', category: 'unregistered', state: '33', addresses };
  other = ((await shop.owner.ask('SaveMaster', { master: 'customer', values })) as { id: string }).id;
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

interface Kept {
  readonly TransactionId: string;
  readonly version: number;
}
interface View {
  readonly status: string;
  readonly body: Record<string, unknown>;
  readonly entries: readonly { readonly code: string; readonly debit: string; readonly credit: string }[];
  readonly priced: { readonly total: string };
}
const ask = async <T>(name: CallName, input: object, key?: string) =>
  (await shop.owner.ask(name as 'GetSession', input as never, key)) as unknown as T;
const answer = (name: CallName, input: object, by: Visitor = shop.owner) =>
  by.call(name as 'GetSession', input as never);
const view = (id: string) => ask<View>('GetTransactionDetailForInvoice', { TransactionId: id });

const head = (kind: string) => ({ kind, date: today, ...shop.place, reference: 'PO-7' });
const lines = () => [
  { item: shop.item, quantity: '10', rate: '95.00', discount: { percent: '5' } },
  { item: shop.item, quantity: '5', rate: '45' },
];
const party = () => ({ party: shop.customer, placeOfSupply: '29' });
const sums = {
  discount: { amount: '10.00' },
  charges: [{ name: 'Freight', amount: '50.00', apportion: 'value' }],
  narration: 'By road',
};
const begin = (kind = 'saleInvoice') => ask<Kept>('AddTransactionDetails', { kind, body: head(kind) });
const post = ({ TransactionId, version }: Kept) =>
  ask<{ TransactionId: string; total: string }>('PostTransactionCalls', { TransactionId, version }, randomUUID());

describe('a document in four parts', () => {
  test('is the same document as in one call', async () => {
    let draft = await begin();
    draft = await ask('AddtransactionItemDetails', { ...draft, lines: lines() });
    draft = await ask('AddInvoicePartyMappingDetails', { ...draft, ...party() });
    const { priced, ...kept } = await ask<Kept & { priced: { total: string; cgst: string } }>(
      'AddInvoiceSummaryDetails',
      { ...draft, ...sums, figures: { total: '1378.00', cgst: '105.08', taxable: '1167.50' } },
    );
    const parts = await post(kept);
    const whole = await shop.post({ ...head('saleInvoice'), ...party(), ...sums, lines: lines() });
    const [one, two] = [await view(parts.TransactionId), await view(whole.TransactionId)];
    expect({ ...one.body, lines: undefined }).toEqual({ ...two.body, lines: undefined });
    expect([one.entries, one.priced, one.body.lines]).toEqual([two.entries, two.priced, two.body.lines]);
    expect(one.priced.total).toBe(priced.total);
    expect(parts.TransactionId).toBe(draft.TransactionId);
  });

  test('takes its parts in any order; each replaces what the part was, and nothing else', async () => {
    const kept = ({ TransactionId, version }: Kept): Kept => ({ TransactionId, version });
    let draft = await begin();
    draft = kept(await ask('AddInvoiceSummaryDetails', { ...draft, ...sums }));
    draft = await ask('AddInvoicePartyMappingDetails', { ...draft, party: other, partyName: 'Tamil Stores, Egmore' });
    draft = await ask('AddtransactionItemDetails', { ...draft, lines: lines() });
    draft = await ask('AddInvoicePartyMappingDetails', { ...draft, ...party() });
    draft = kept(await ask('AddInvoiceSummaryDetails', { ...draft, narration: 'By rail' }));
    // the head sent again is no new document: its parts stay
    draft = await ask('AddTransactionDetails', {
      id: draft.TransactionId,
      version: draft.version,
      kind: 'saleInvoice',
      body: { ...head('saleInvoice'), reference: 'PO-8' },
    });
    const { body } = await view(draft.TransactionId);
    expect(body).toMatchObject({ reference: 'PO-8', party: shop.customer, narration: 'By rail' });
    expect(body).not.toHaveProperty('partyName');
    expect(body).not.toHaveProperty('charges');
    expect(body.lines).toHaveLength(2);
    expect((await post(draft)).total).toBe('1330.00');
  });

  test('keeps no summary whose figures are not those of the books, and says which', async () => {
    let draft = await begin();
    draft = await ask('AddtransactionItemDetails', {
      ...draft,
      lines: [{ item: shop.item, quantity: '1', rate: '100' }],
    });
    draft = await ask('AddInvoicePartyMappingDetails', { ...draft, ...party() });
    const wrong = { ...draft, narration: 'Kept?', figures: { taxable: '100.00', cgst: '9.01', total: '118.02' } };
    expect(await answer('AddInvoiceSummaryDetails', wrong)).toMatchObject({
      status: 422,
      details: {
        problems: [
          { field: 'figures.cgst', message: 'The books make it ₹9.00' },
          { field: 'figures.total', message: 'The books make it ₹118.00' },
        ],
      },
    });
    expect((await view(draft.TransactionId)).body).not.toHaveProperty('narration');
    // the version is still the one that was answered last
    draft = await ask('AddInvoiceSummaryDetails', { ...draft, figures: { total: '118.00' } });
    expect((await post(draft)).total).toBe('118.00');
  });

  test('compares nothing while the head is not complete, and says what is missing', async () => {
    const draft = await ask<Kept>('AddTransactionDetails', { kind: 'saleInvoice', body: { kind: 'saleInvoice' } });
    expect(await answer('AddInvoiceSummaryDetails', { ...draft, figures: { total: '1.00' } })).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'date' }, { field: 'registration' }, { field: 'location' }] },
    });
    expect(await ask('AddInvoiceSummaryDetails', { ...draft, ...sums })).toMatchObject({ version: 2, priced: null });
  });

  test('is changed by its author only, in the version they have seen, and not after it is posted', async () => {
    const accountant = await server.signIn('accountant@sharma.demo');
    const draft = await begin();
    const parts = [
      ['AddtransactionItemDetails', { lines: lines() }],
      ['AddInvoicePartyMappingDetails', party()],
      ['AddInvoiceSummaryDetails', sums],
    ] as const;
    for (const [name, part] of parts) {
      expect(await answer(name, { ...draft, ...part }, accountant)).toMatchObject({ status: 404 });
      expect(await answer(name, { ...draft, version: 7, ...part })).toMatchObject({
        status: 409,
        details: { code: 'stale' },
      });
    }
    const bad = { ...draft, lines: [{ item: shop.item, quantity: 'ten' }] };
    expect(await answer('AddtransactionItemDetails', bad)).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'lines.quantity', row: 0 }] },
    });
    let whole = await ask<Kept>('AddtransactionItemDetails', { ...draft, lines: lines() });
    whole = await ask('AddInvoicePartyMappingDetails', { ...whole, ...party() });
    await post(whole);
    for (const [name, part] of parts)
      expect(await answer(name, { ...whole, ...part })).toMatchObject({
        status: 409,
        details: { code: 'alreadyPosted' },
      });
  });
});
