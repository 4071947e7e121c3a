import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let today: string;
beforeAll(async () => {
  server = await testServer({ isAllowNegative: true });
  shop = await openShop(server);
  ({ today } = (await shop.owner.ask('GetSession', {})) as { today: string });
});
afterAll(() => server.stop());

const line = (quantity: string) => ({ item: shop.item, quantity, rate: '95' });
const orders = async (StartDate: string, EndDate: string) =>
  (await shop.owner.ask('GetOrdersDashboardData', { StartDate, EndDate })) as {
    orderData: { title: string; total: string; amount: string }[];
    periodicData: { orderType: string; orderDay: string; orderCount: number }[];
  };
const stock = async (StartDate: string, EndDate: string) =>
  (await shop.owner.ask('GetInventoryDashboradData', { StartDate, EndDate })) as {
    title: string;
    total: string;
    dashboardViewList: { itemSKU: string; quantity: string }[];
  }[];

test('the cards count what was posted in the period; cash sales and till bills are sales; what is cancelled is not counted', async () => {
  const yesterday = addDays(today, -1);
  const sold = await shop.post({ kind: 'saleInvoice', date: yesterday, party: shop.customer, lines: [line('10')] });
  await shop.post({ kind: 'cashSale', lines: [line('2')] });
  await shop.post({ kind: 'posSale', lines: [line('1')] });
  await shop.post({ kind: 'saleOrder', party: shop.customer, lines: [line('7')] });
  const back = { ...line('4'), source: { document: sold.TransactionId, line: 1 } };
  await shop.post({
    kind: 'saleReturn',
    party: shop.customer,
    against: sold.TransactionId,
    reason: 'damaged',
    lines: [back],
  });
  const wrong = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines: [line('50')] });
  await shop.owner.ask('CancelTransaction', {
    TransactionIds: [wrong.TransactionId],
    TransactionType: 'saleInvoice',
    reason: 'typed twice',
  });

  const { orderData, periodicData } = await orders(yesterday, today);
  // each total is rounded to the rupee, as the demo's organisation has chosen: 1,121.00, 224.20 and 112.10 make 1,457
  expect(orderData).toEqual([
    { title: 'Purchase Orders', total: '0', amount: '0.00' },
    { title: 'Purchase Bills', total: '0', amount: '0.00' },
    { title: 'Purchase Returns', total: '0', amount: '0.00' },
    { title: 'Sale Orders', total: '1', amount: '785.00' },
    { title: 'Sale Invoices', total: '3', amount: '1457.00' },
    { title: 'Sale Returns', total: '1', amount: '448.00' },
  ]);
  expect(periodicData).toEqual([
    { orderType: 'SaleOrder', orderDay: today, orderCount: 1 },
    { orderType: 'Sale', orderDay: yesterday, orderCount: 1 },
    { orderType: 'Sale', orderDay: today, orderCount: 2 },
    { orderType: 'Salereturn', orderDay: today, orderCount: 1 },
  ]);
  expect((await orders(today, today)).orderData[4]).toEqual({ title: 'Sale Invoices', total: '2', amount: '336.00' });
  expect((await orders(addDays(today, -9), addDays(today, -2))).periodicData).toEqual([]);

  const [held, ordered, invoiced] = await stock(yesterday, today);
  expect(held?.dashboardViewList).toMatchObject([{ itemSKU: 'LED-9W', quantity: '91' }]);
  expect(ordered).toMatchObject({ title: 'Sale Orders', total: '7' });
  expect(invoiced).toMatchObject({ title: 'Sale Invoices', total: '13' });
});

test('another organisation has dashboards of its own', async () => {
  const nova = await server.signIn('owner@nova.demo');
  const answer = (await nova.ask('GetOrdersDashboardData', { StartDate: addDays(today, -30), EndDate: today })) as {
    orderData: { total: string }[];
  };
  expect(answer.orderData.map((c) => c.total)).toEqual(['0', '0', '0', '0', '0', '0']);
});
