import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

// The whole account of a party is on one ledger, whatever the party becomes.
let server: TestServer;
let shop: Shop;
let bank = '';
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  bank = await shop.ledger('1121');
});
afterAll(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

const gstinOf = (first: string): string => first + gstinCheckDigit(first);
interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}
type Master = 'customer' | 'supplier';
type Posted = { readonly TransactionId: string };
const addresses = [{ line1: '1 Market Road', city: 'Bengaluru', state: '29', pincode: '560001' }];
const consumer = { category: 'unregistered', state: '29', addresses };
const abroad = { category: 'overseas', state: '96', country: 'US', gstin: '' };
const save = async (master: Master, values: object, kept?: Kept) =>
  (await shop.owner.ask('SaveMaster', {
    master,
    values: { ...kept?.values, ...values },
    ...(kept && { id: kept.id, version: kept.version }),
  } as never)) as Kept;
const invoice = async (party: string) =>
  (await shop.post({
    kind: 'saleInvoice',
    party,
    lines: [{ item: shop.item, quantity: '10', rate: '100' }],
  })) as Posted;
const money = async (kind: string, party: string, amount: string, settles?: Posted) =>
  (await shop.post({
    ...{ kind, party, moneyLedger: bank, amount },
    ...(settles && { allocations: [{ document: settles.TransactionId, amount }] }),
  })) as Posted;
/** The balance of parties on each ledger, in rupees; ledgers with a zero balance are left out. */
const standing = async (...parties: string[]): Promise<Record<string, number>> => {
  const { rows } = await server.database.owner.query<{ code: string; amount: number }>(
    `select l.code, sum(e.debit - e.credit)::int / 100 as amount
       from entries e join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where e.party = any($1) group by 1 having sum(e.debit - e.credit) <> 0`,
    [parties],
  );
  return Object.fromEntries(rows.map(({ code, amount }) => [code, amount]));
};
const cancel = (document: Posted) =>
  shop.owner.ask('CancelTransaction', {
    ...{ TransactionIds: [document.TransactionId], TransactionType: 'saleReceipt', reason: 'entered twice' },
    frees: true,
  } as never);

test('a customer that goes abroad is paid where the invoice stands, and a cancelled receipt opens it there', async () => {
  const kept = await save('customer', { ...consumer, name: 'Meera Rao' });
  const sold = await invoice(kept.id);
  expect(await standing(kept.id)).toEqual({ 1212: 1180 });
  const moved = await save('customer', abroad, kept);
  expect(await standing(kept.id)).toEqual({ 1211: 1180 });
  const receipt = await money('saleReceipt', kept.id, '1180', sold);
  expect(await standing(kept.id)).toEqual({});
  await save('customer', { ...consumer, country: 'IN' }, moved);
  await cancel(receipt);
  expect(await standing(kept.id)).toEqual({ 1212: 1180 });
  await money('saleReceipt', kept.id, '1180', sold);
  expect(await standing(kept.id)).toEqual({});
});

test('the bills of a supplier that becomes a micro or small enterprise move to that ledger, and are paid from it', async () => {
  const kept = await save('supplier', { ...consumer, name: 'Hosur Castings' });
  const bought = (await shop.post({
    ...{ kind: 'purchaseBill', party: kept.id, reference: 'HC-1', referenceDate: '2026-04-01' },
    lines: [{ item: shop.item, quantity: '10', rate: '60' }],
  })) as Posted;
  expect(await standing(kept.id)).toEqual({ 2120: -600 });
  const small = await save('supplier', { microSmall: true }, kept);
  expect(await standing(kept.id)).toEqual({ 2110: -600 });
  await money('payment', kept.id, '600', bought);
  await money('payment', kept.id, '50');
  expect(await standing(kept.id)).toEqual({ 2110: 50 });
  await save('supplier', { phone: '9845012345' }, small);
  expect(await standing(kept.id)).toEqual({ 2110: 50 });
});

test('a merged party has its account with the one that it was merged into', async () => {
  const goes = await save('customer', { ...consumer, name: 'Sita Stores' });
  const stays = await save('customer', {
    ...consumer,
    name: 'Sita Stores Ltd',
    gstin: gstinOf('29AADCK5678L1Z'),
    category: 'registered',
  });
  const sold = await invoice(goes.id);
  await shop.owner.ask('MergeParties', {
    ...{ stays: stays.id, staysVersion: stays.version, goes: goes.id, goesVersion: goes.version },
  });
  expect(await standing(goes.id, stays.id)).toEqual({ 1210: 1180 });
  await money('saleReceipt', stays.id, '1180', sold);
  expect(await standing(goes.id, stays.id)).toEqual({});
});

test('a credit from before a customer was registered settles an invoice from after it', async () => {
  const kept = await save('customer', { ...consumer, name: 'Ravi Tools' });
  const credit = await money('saleReceipt', kept.id, '1180');
  await save('customer', { gstin: gstinOf('29AAACN1111A1Z'), category: 'registered' }, kept);
  const sold = await invoice(kept.id);
  const pair = { credit: credit.TransactionId, creditLine: 0, invoice: sold.TransactionId, invoiceLine: 0 };
  await shop.owner.ask('SavePartyCreditsAllocation', { party: kept.id, allocations: [{ ...pair, amount: '1180' }] });
  expect(await standing(kept.id)).toEqual({});
});

test('a journal names the ledger on which the account of its party stands', async () => {
  const kept = await save('customer', { ...consumer, name: 'Uma Nair' });
  const journal = async (code: string) =>
    shop.owner.call('PostTransactionCalls', {
      document: {
        ...{ kind: 'manualJournal', date: '2026-11-01', ...shop.place },
        lines: [
          { ledger: await shop.ledger(code), party: kept.id, debit: '100' },
          { ledger: await shop.ledger('6230'), credit: '100' },
        ],
      },
    } as never);
  expect(await journal('1210')).toMatchObject({
    details: {
      problems: [{ field: 'lines.ledger', row: 0, message: expect.stringContaining('retail customers') }],
    },
  });
});
