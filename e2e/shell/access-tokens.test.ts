import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';
import { signIn } from '../kit/shop.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.stop());

const open = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Access tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Access tokens' });
  await dialog.getByLabel('Name').waitFor();
  return dialog;
};

/** Another program: it has the secret and nothing else. */
const program = (secret: string) => async (method: 'GET' | 'POST', call: string, input: object, key?: string) => {
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  const response = await fetch(`${desk.server.url}/api/${call}${query}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(method === 'POST' && { body: JSON.stringify(input) }),
  });
  const { details } = (await response.json()) as { details: Record<string, unknown> };
  return { status: response.status, details };
};

test('a token is made by keyboard, a program posts with it once, it is revoked and refused', async () => {
  const { page, shop } = desk;
  const dialog = await open(page);
  await dialog.getByLabel('Name').focus();
  await page.keyboard.type('Web shop');
  await page.keyboard.press('Tab');
  await page.keyboard.type('All');
  await page.keyboard.press('Tab');
  await page.keyboard.type('365');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const shown = dialog.getByLabel('Secret of the new token');
  await shown.waitFor();
  const secret = await shown.inputValue();
  expect(secret).toMatch(/^bahi_[\w-]{43}$/);
  await dialog.getByRole('button', { name: 'Copy Access token' }).waitFor();
  await dialog.getByRole('button', { name: 'Revoke Web shop' }).waitFor();
  expect(await dialog.getByRole('listitem').first().innerText()).toContain('All that I may do');
  await desk.cleanAtBoth('access-tokens');

  const call = program(secret);
  const customers = await call('GET', 'masters/ListMasters', { master: 'customer' });
  expect(customers).toMatchObject({ status: 200, details: { rows: [{ id: shop.customer }] } });
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const document = { kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer, lines: [line] };
  const key = randomUUID();
  const posted = await call('POST', 'transactions/PostTransactionCalls', { document }, key);
  expect(posted.status).toBe(200);
  expect(await call('POST', 'transactions/PostTransactionCalls', { document }, key)).toEqual(posted);
  const { rows }: { rows: unknown[] } = await shop.owner.ask('GetTransationsList', { Type: 'saleInvoice' });
  expect(rows).toHaveLength(1);

  await dialog.getByRole('button', { name: 'Revoke Web shop' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click();
  await dialog.getByText('revoked').waitFor();
  expect(await call('GET', 'masters/ListMasters', { master: 'customer' })).toMatchObject({
    status: 401,
    details: { code: 'tokenInvalid' },
  });
  await page.getByRole('dialog', { name: /^Revoke the access token/ }).waitFor({ state: 'hidden' });
  // the focus is at the list, and not lost with the button
  await page.locator('section:focus[aria-label="Existing tokens"]').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // the secret was shown once
  const again = await open(page);
  expect(await again.getByLabel('Secret of the new token').count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('a name is asked for, and whoever manages users revokes the token of another', async () => {
  const { browser, server, page } = desk;
  const viewer = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  await signIn(viewer, server.url, 'viewer@sharma.demo');
  const own = await open(viewer);
  await own.getByRole('button', { name: 'Make access token' }).click();
  await own.getByText('Name is required').waitFor();
  await own.getByLabel('Name').fill('Spreadsheet');
  await own.getByRole('button', { name: 'Make access token' }).click();
  const secret = await own.getByLabel('Secret of the new token').inputValue();
  expect(await own.getByText('Those of all users').count()).toBe(0);
  expect((await program(secret)('GET', 'session/GetSession', {})).status).toBe(200);

  const dialog = await open(page);
  expect(await dialog.getByText('Spreadsheet').count()).toBe(0);
  await dialog.getByLabel('Those of all users').check();
  await dialog.getByRole('button', { name: 'Revoke Spreadsheet' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click();
  await dialog.getByRole('button', { name: 'Revoke Spreadsheet' }).waitFor({ state: 'hidden' });
  expect((await program(secret)('GET', 'session/GetSession', {})).status).toBe(401);
  await viewer.context().close();
});
