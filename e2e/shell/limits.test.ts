import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import type { Visitor } from '../../tools/testing/server.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { goTo } from '../kit/go.ts';
import { signIn } from '../kit/shop.ts';

let desk: Desk;
/** The owner settles the limits; Meena keeps to them. */
let page: Page;
let meena: Page;
let today: string;
const bugs: string[] = [];
type Fields = Readonly<Record<string, unknown>>;
interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Fields;
}
const ask = async <T>(name: string, input: object, by: Visitor = desk.shop.owner) =>
  (await by.ask(name as 'GetSession', input as never)) as T;
const named = async (master: string, key: string, value: string) =>
  (await ask<{ rows: Kept[] }>('ListMasters', { master, limit: 200 })).rows.find(
    ({ values }) => values[key] === value,
  ) as Kept;
const save = (master: string, values: Fields, known?: Kept) =>
  ask<Kept>('SaveMaster', { master, values, ...(known && { id: known.id, version: known.version }) });

beforeAll(async () => {
  desk = await openDesk();
  page = desk.page;
  ({ today } = await ask<{ today: string }>('GetSession', {}));
  const levels = { 'Sale Invoice': 5003, 'Sale Receipt': 5001 };
  const { id } = await save('role', { name: 'Counter', levels });
  const user = await named('user', 'email', 'accountant@sharma.demo');
  await save('user', { ...user.values, roles: [id] }, user);
});
afterAll(async () => {
  expect(bugs).toEqual([]);
  expect(desk.server.failures).toEqual([]);
  await desk.stop();
});
const meenas = async () => {
  const context = await desk.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const made = await context.newPage();
  made.setDefaultTimeout(15_000);
  await signIn(made, desk.server.url, 'accountant@sharma.demo');
  for (const each of [page, made]) each.on('pageerror', (error) => bugs.push(error.message));
  return made;
};
const draft = async (more: Fields, line: Fields = {}) => {
  const lines = [{ item: desk.shop.item, quantity: '1', rate: '95', ...line }];
  const body = { kind: 'saleInvoice', date: today, ...desk.shop.place, party: desk.shop.customer, lines, ...more };
  const by = await desk.server.signIn('accountant@sharma.demo');
  const { TransactionId } = await ask<{ TransactionId: string }>(
    'AddTransactionDetails',
    { kind: 'saleInvoice', body },
    by,
  );
  await goTo(meena, `${desk.server.url}/layout/Create%20Invoice?id=${TransactionId}`);
  await meena.getByLabel('Quantity, line 1').waitFor();
};
const post = () => meena.getByRole('button', { name: 'Post sale invoice' });
const send = () => meena.getByRole('button', { name: 'Send for approval' });

test('limits are set on the screen of a role, and its history says so by their labels', async () => {
  const role = await named('role', 'name', 'Counter');
  await desk.go('Manage Role New', `?id=${role.id}`);
  await page.getByLabel(/^Highest discount %/).fill('101');
  await page.getByLabel(/^Days back/).fill('2');
  await page.getByLabel(/^Sees the cost of goods/).selectOption({ label: 'No' });
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.getByText(/100/).first().waitFor();
  await page.getByLabel(/^Highest discount %/).fill('10');
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.waitForURL(/Manage%20Role(\?|$)/);
  expect((await named('role', 'name', 'Counter')).values).toMatchObject({
    ...{ discountLimit: '10', backDays: 2, seesCost: 'no' },
  });
  const history = JSON.stringify(await ask('GetHistory', { master: 'role', id: role.id }));
  for (const label of ['Highest discount %', 'Days back', 'Sees the cost of goods']) expect(history).toContain(label);
});

test('a discount beyond the limit is a problem at its field, and is sent for approval', async () => {
  meena = await meenas();
  await draft({}, { discount: { percent: '20' } });
  await send().waitFor();
  const field = meena.getByLabel(/^Discount.*, line 1/).first();
  await field.fill('25%');
  await field.press('Tab');
  await meena.getByLabel('Quantity, line 1').press('Tab');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await meena
    .getByText(/your roles allow 10 %/)
    .first()
    .waitFor();
  await field.fill('10%');
  await field.press('Tab');
  await post().waitFor();
  await field.fill('25%');
  await field.press('Tab');
  await send().click();
  await meena
    .locator('.approval-bar')
    .getByText(/^Waiting for approval/)
    .waitFor();
});

test('a date beyond the limit is a problem at its field, and is sent for approval', async () => {
  await draft({ date: addDays(today, -3) });
  await send().waitFor();
  await draft({ date: addDays(today, -2) });
  await post().waitFor();
  const date = meena.getByLabel(/^Date/).first();
  await date.fill(addDays(today, -3).split('-').toReversed().join('/'));
  await date.press('Tab');
  await meena
    .getByText(/Your roles allow dates from/)
    .first()
    .waitFor();
  await send().click();
  await meena
    .locator('.approval-bar')
    .getByText(/^Waiting for approval/)
    .waitFor();
});

test('a cancellation that hidden settlements bar does not offer to free the money', async () => {
  const { shop } = desk;
  const invoice = await shop.post({
    ...{ kind: 'saleInvoice', party: shop.customer, lines: [{ item: shop.item, quantity: '1', rate: '95' }] },
  });
  const location = desk.server.organisations[0]?.locations['BLR2'];
  await shop.post({
    ...{ kind: 'saleReceipt', party: shop.customer, location, amount: '50', moneyLedger: await shop.ledger('1110') },
    allocations: [{ document: invoice.TransactionId, amount: '50' }],
  });
  const user = await named('user', 'email', 'accountant@sharma.demo');
  const cancel = async () => {
    await goTo(meena, `${desk.server.url}/layout/saleview?id=${invoice.TransactionId}`);
    await meena.getByRole('button', { name: 'Cancel document' }).click();
    const dialog = meena.getByRole('dialog');
    await dialog.getByLabel(/^Reason/).fill('Typed twice');
    return dialog;
  };
  const free = (dialog: Awaited<ReturnType<typeof cancel>>) =>
    dialog.getByRole('button', { name: 'Cancel and free the money' });
  await free(await cancel()).waitFor();
  await save('user', { ...user.values, locations: [shop.place.location] }, user);
  await meena.reload();
  const dialog = await cancel();
  await dialog.getByRole('button', { name: `Cancel ${invoice.TransactionNumber}` }).click();
  await dialog.getByText(/you may not see/).waitFor();
  expect(await free(dialog).count()).toBe(0);
  await desk.clean(meena);
});
