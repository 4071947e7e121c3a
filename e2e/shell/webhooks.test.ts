import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';
import { signIn } from '../kit/shop.ts';

interface Got {
  readonly body: { readonly event: string; readonly document?: { readonly number: string } };
  readonly isSigned: boolean;
}
let desk: Desk;
let receiver: http.Server;
let address = '';
let secret = '';
let status = 200;
const got: Got[] = [];
beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const signed = createHmac('sha256', secret).update(`${request.headers['bahi-timestamp']}.${text}`).digest('hex');
      got.push({ body: JSON.parse(text), isSigned: request.headers['bahi-signature'] === `v1=${signed}` });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  desk = await openDesk({}, { portal: true });
});
afterAll(async () => {
  await desk?.stop();
  receiver.close();
});

const open = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Webhooks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Webhooks' });
  await dialog.getByLabel('Name').waitFor();
  return dialog;
};

test('a webhook is added by keyboard, notified of what is posted, and its deliveries are listed and sent again', async () => {
  const { page, shop } = desk;
  const dialog = await open(page);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByText('Name is required').waitFor();
  await dialog.getByLabel('Name').focus();
  await page.keyboard.type('Warehouse');
  await page.keyboard.press('Tab');
  await page.keyboard.type(address);
  await dialog.getByRole('combobox', { name: 'Kinds of document' }).selectOption('saleInvoice');
  await dialog.getByRole('button', { name: 'Remove Sale invoice' }).waitFor();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const shown = dialog.getByLabel('Secret of Warehouse');
  await shown.waitFor();
  secret = await shown.inputValue();
  expect(secret).toMatch(/^bahiwh_/);
  await dialog.getByRole('button', { name: 'Send a test to Warehouse' }).click();
  await expect.poll(() => got.at(-1)).toMatchObject({ body: { event: 'test' }, isSigned: true });
  await desk.cleanAtBoth('webhooks');

  const posted = await shop.post({
    ...{ kind: 'saleInvoice', party: shop.customer },
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  await expect
    .poll(() => got.at(-1))
    .toMatchObject({
      body: { event: 'documentPosted', document: { number: posted.TransactionNumber } },
      isSigned: true,
    });
  await dialog.getByRole('button', { name: 'Deliveries to Warehouse' }).click();
  const deliveries = dialog.getByRole('list', { name: 'Deliveries to Warehouse' });
  await deliveries.getByText('Document posted').waitFor();
  await expect.poll(() => deliveries.getByRole('listitem').first().innerText()).toMatch(/sent, one attempt/);
  await desk.cleanAtBoth('webhook-deliveries');
  const before = got.length;
  await deliveries.getByRole('button', { name: 'Send again' }).first().click();
  await expect.poll(() => got.length).toBe(before + 1);

  status = 500;
  await dialog.getByRole('button', { name: 'Send a test to Warehouse' }).click();
  await deliveries
    .getByText(/status 500/)
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Pause Warehouse' }).click();
  await dialog.getByText(/^paused/).waitFor();
  await dialog.getByRole('button', { name: 'Delete Warehouse' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await dialog.getByText('There is none yet.').waitFor();
  await page.keyboard.press('Escape');
});

test('who may not change settings has no webhooks', async () => {
  const viewer = await (await desk.browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  await signIn(viewer, desk.server.url, 'viewer@sharma.demo');
  await viewer.getByRole('button', { name: /^User menu/ }).click();
  await viewer.getByRole('menuitem', { name: 'Access tokens' }).waitFor();
  expect(await viewer.getByRole('menuitem', { name: 'Webhooks' }).count()).toBe(0);
  await viewer.context().close();
});
