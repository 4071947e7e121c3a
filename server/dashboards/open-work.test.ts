import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMonths } from '../../domain/base/dates.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let today: string;
let [accountant, approver, viewer, none]: Visitor[] = [];
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  [accountant, approver, viewer, none] = await Promise.all(
    ['accountant', 'approver', 'viewer', 'none'].map((name) => server.signIn(`${name}@sharma.demo`)),
  );
  const approvals = [{ kind: 'saleInvoice', from: '0' }];
  await shop.owner.ask('SaveGeneralConfigDetails', { values: { approvals } } as never);
});
afterAll(() => server.stop());

const work = (by: Visitor | undefined, input: object = {}) => by?.ask('GetOpenWork', input as never);
const sendForApproval = async () => {
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const body = { kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer, lines };
  const key = randomUUID();
  const kept = await accountant?.ask('AddTransactionDetails', { kind: 'saleInvoice', body } as never, key);
  await accountant?.ask('SubmitForApproval', kept as never, randomUUID());
};

test('drafts wait for who may approve them, and not for who wrote them', async () => {
  expect(await work(approver)).toMatchObject({ approvals: 0 });
  await sendForApproval();
  await sendForApproval();
  expect(await work(approver)).toMatchObject({ approvals: 2 });
  expect(await work(shop.owner)).toMatchObject({ approvals: 2 });
  for (const by of [accountant, viewer, none]) expect(await work(by)).toMatchObject({ approvals: 0 });
});

test('e-invoices and e-way bills that need a hand are counted for who sees their documents', async () => {
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  await shop.owner.ask('SaveGeneralConfigDetails', { values: { approvals: [] } } as never);
  const { TransactionId: id } = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines });
  const { owner } = server.database;
  await owner.query(`delete from einvoices where document = $1`, [id]);
  await owner.query(
    `insert into einvoices (organisation, document, state) select organisation, id, 'failed' from documents where id = $1`,
    [id],
  );
  await owner.query(
    `
      insert into eway_bills (organisation, document, bill, route, state, author, transport)
      select organisation, id, 1, 'direct', 'failed', author, '{}' from documents where id = $1
    `,
    [id],
  );
  expect(await work(viewer)).toMatchObject({ einvoices: 1, wayBills: 1 });
  expect(await work(none)).toEqual({ approvals: 0, einvoices: 0, wayBills: 0 });
  // in the other organisation nothing of it is counted
  const nova = await server.signIn('owner@nova.demo');
  expect(await work(nova)).toEqual({ approvals: 0, einvoices: 0, wayBills: 0 });
  expect((await nova.call('GetOpenWork', { OrgCode: 'SHARMA' } as never)).status).toBe(404);
});

test('returns that are due follow what is marked as filed, and are those of this organisation', async () => {
  type Due = { registration: string; form: string; period: string; over: boolean };
  const { registration } = shop.place;
  const due = async () =>
    ((await shop.owner.ask('ListReturnsDue', {} as never)) as unknown as Due[]).filter(
      (each) => each.form === 'GSTR-1' && each.registration === registration,
    );
  expect(await due()).toMatchObject([{ period: today.slice(0, 7), over: false }]);
  const lastMonth = addMonths(`${today.slice(0, 7)}-01`, -1);
  await shop.owner.ask('SaveGeneralConfigDetails', { values: { isAllowNegative: true } } as never);
  await shop.post({
    ...{ kind: 'saleInvoice', date: lastMonth, party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const period = lastMonth.slice(0, 7);
  expect(await due()).toMatchObject([{ period, over: true }, { over: false }]);
  await shop.owner.ask('MarkFiled', {
    ...{ registration, form: 'GSTR-1', period, filedOn: today, arn: '' },
  } as never);
  expect(await due()).toMatchObject([{ period: today.slice(0, 7), over: false }]);
  const nova = await server.signIn('owner@nova.demo');
  expect((await nova.call('ListReturnsDue', { OrgCode: 'SHARMA' } as never)).status).toBe(404);
});
