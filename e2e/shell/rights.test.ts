import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../server/identity/totp.ts';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { makeOperator } from '../../tools/testing/database.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
const bugs: string[] = [];
const pictures = process.env['BAHI_PICTURES'];
const look = async (name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
};

beforeAll(async () => {
  server = await testServer();
  await makeOperator(server.database, 'owner@sharma.demo');
  await server.database.owner.query('delete from subscriptions where organisation = 1');
  browser = await openBrowser();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.on('pageerror', (error) => bugs.push(error.message));
  page.setDefaultTimeout(15_000);
  await signIn(page, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
const open = (path: string) => goTo(page, `${server.url}${path}`);
const pick = async (label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).first().fill(text);
  await page.getByRole('option').filter({ hasText: text }).first().click();
};

test('a group is made, its member may what it gives, and the form says why', async () => {
  await open('/layout/groupsedit?id=new');
  await page.getByLabel(/^Name/).fill('Pune desk');
  await pick('Roles', 'Viewer');
  await pick('Members', 'Arun');
  await page.getByRole('button', { name: 'Save group' }).click();
  await page.getByRole('grid').getByText('Pune desk').waitFor();
  await look('groups');
  await open('/layout/Users%20List');
  await page.getByRole('grid').getByText('Arun Das').click();
  await pick('Screen', 'Create Invoice');
  await page.getByText('Cannot open').waitFor();
  await page.getByText('Role Viewer, by the group Pune desk').waitFor();
  await page.getByText('PostTransactionCalls', { exact: true }).waitFor();
  await look('why');
  expect(await axe(page)).toEqual([]);
  await open('/layout/ClientUsers');
  await page.getByText('Pune desk').first().waitFor();
  await look('directory');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'Security log' }).click();
  await page.getByRole('heading', { name: 'Security log', level: 1 }).waitFor();
});

test('modules are asked for, taken through its steps on the operator’s page, and everybody gets an announcement', async () => {
  await open('/layout/subscriptions');
  await page.getByRole('checkbox', { name: /^Barcode/ }).check();
  await page.getByLabel('For').selectOption('12');
  await page.getByText(/₹\s3,588\.00/).waitFor();
  await page.getByRole('button', { name: 'Request subscription' }).click();
  await page.getByRole('status').filter({ hasText: 'finance team' }).first().waitFor();
  await look('subscription');
  expect(await axe(page)).toEqual([]);
  const waiting = await (await browser.newContext()).newPage();
  await signIn(waiting, server.url, 'accountant@sharma.demo');
  await open('/operator');
  await page.getByRole('button', { name: 'Payment received' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Completed').waitFor();
  await page.getByRole('textbox', { name: /^Title/ }).fill('Tonight');
  await page.getByLabel(/^Valid to/).fill('2099-01-01T10:00');
  await page.getByRole('textbox', { name: /^Message/ }).fill('Away from ten to eleven');
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.getByRole('button', { name: 'Take back Tonight' }).waitFor();
  // it comes up on a page that is open
  await waiting.getByRole('dialog', { name: 'Tonight' }).getByText('Away from ten to eleven').waitFor();
  await waiting.context().close();
  await look('operator');
  expect(await axe(page)).toEqual([]);
  await open('/layout/subscriptions');
  await page.getByRole('dialog', { name: 'Tonight' }).getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('The modules are yours').waitFor();
  expect(bugs).toEqual([]);
});

test('an ended pack stops the shell until one chooses how to go on: the free core, and its modules to read', async () => {
  await goTo(page, `${server.url}/layout/General%20Configuration?tab=items`);
  await page.getByRole('checkbox', { name: 'Barcodes' }).check();
  await page.keyboard.press('Control+s');
  await page.getByText('The configuration is saved').first().waitFor();
  await server.database.owner.query(
    `update subscriptions set starts_on = '2020-01-01', ends_on = '2020-03-31' where organisation = 1`,
  );
  const asked: string[] = [];
  const heard = (request: { url(): string }) => asked.push(request.url());
  await page.waitForTimeout(2200); // what is known of a session lives for two seconds
  page.on('request', heard);
  await open('/layout/BarcodeList');
  const dialog = page.getByRole('dialog', { name: 'Your pack is expired.' });
  await dialog.getByText('If you want contiune services please extend your subcription').waitFor();
  await dialog.getByText('The records of Barcode can be read but no longer changed.').waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  expect(asked.filter((url) => url.includes('ListBarcodes'))).toEqual([]);
  await look('pack-expired');
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Go on without it' }).click();
  await page.getByRole('heading', { name: 'Barcodes', level: 1 }).waitFor();
  await expect.poll(() => asked.filter((url) => url.includes('ListBarcodes')).length).toBe(1);
  page.off('request', heard);
  await open('/layout/Home');
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
  expect(await dialog.count()).toBe(0);
  await page.getByRole('button', { name: 'Your pack is expired' }).click();
  await dialog.getByRole('button', { name: 'Extend subscription' }).click();
  await page.getByRole('heading', { name: 'Subscription', level: 1 }).waitFor();
  await look('pack-extend');
  await server.database.owner.query('update subscriptions set ends_on = null where organisation = 1');
});

test('a page of who is disabled says so within five seconds, without a hand on it', async () => {
  const own = await (await browser.newContext()).newPage();
  await signIn(own, server.url, 'approver@sharma.demo');
  await own.getByRole('dialog', { name: 'Tonight' }).getByRole('button', { name: 'Close' }).last().click();
  await open('/layout/Users%20List');
  await page.getByRole('grid').getByText('Joseph Thomas').click();
  await page.getByRole('button', { name: 'Deactivate user' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await own
    .getByRole('dialog', { name: 'Your session has expired, please login again' })
    .waitFor({ state: 'visible', timeout: 5000 });
});

test('a form that somebody else has saved meanwhile says who and what, and both changes are kept', async () => {
  const other = await server.signIn('owner@sharma.demo');
  const { rows } = (await other.ask('ListMasters', { master: 'role' })) as {
    rows: { id: string; version: number; values: { name: string; levels: Record<string, number> } }[];
  };
  const role = rows.find(({ values }) => values.name === 'Viewer');
  if (!role) throw new Error('there is no role Viewer');
  await open(`/layout/Manage%20Role%20New?id=${role.id}`);
  await page.getByLabel(/^Name/).fill('Reader');
  await other.ask('SaveMaster', {
    master: 'role',
    id: role.id,
    version: role.version,
    values: { ...role.values, levels: { ...role.values.levels, 'Sale Invoice': 5001 } },
  });
  await page.getByRole('button', { name: 'Save role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ravi Sharma has changed this record since you opened it' });
  await dialog.getByText('You changed different fields').waitFor();
  await dialog.getByRole('region', { name: 'Changed by them' }).getByText('Sale invoices: Create and edit').waitFor();
  await look('stale');
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Merge changes' }).click();
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.getByRole('grid').getByText('Reader').waitFor();
  expect(await other.ask('GetMaster', { master: 'role', id: role.id })).toMatchObject({
    values: { name: 'Reader', levels: { 'Sale Invoice': 5001 } },
  });
});

test('a logo is drawn anew and is in the top bar; what is no picture is refused', async () => {
  await open('/layout/Orgedit');
  const file = page.getByLabel('Logo file');
  await file.setInputFiles({ name: 'bad.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await page.getByText('This file cannot be read as a picture').waitFor();
  const jpeg = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1600, 400];
    const brush = canvas.getContext('2d');
    if (brush) brush.fillStyle = '#b91c1c';
    brush?.fillRect(0, 0, 1600, 400);
    return canvas.toDataURL('image/jpeg').replace(/^data:[^,]*,/, '');
  });
  await file.setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg, 'base64') });
  await page.getByAltText('Logo of Sharma Traders Private Limited').waitFor();
  await expect.poll(() => page.locator('.logo img').getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  await look('logo');
  expect(await axe(page)).toEqual([]);
});

test('the second factor is turned on with its codes and asked for at the next sign-in', async () => {
  const own = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  ).newPage();
  own.on('pageerror', (error) => bugs.push(error.message));
  await signIn(own, server.url, 'viewer@sharma.demo');
  await own.getByRole('dialog', { name: 'Tonight' }).getByRole('button', { name: 'Close' }).last().click();
  await own.getByRole('button', { name: /^User menu/ }).click();
  await own.getByRole('menuitem', { name: 'Password and sessions' }).click();
  await own.getByRole('button', { name: 'Turn on second factor' }).click();
  const key = ((await own.locator('.secret-key').textContent()) ?? '').replaceAll(' ', '');
  const bits = [...key].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  await own.getByAltText('QR code of the key').waitFor();
  if (pictures) await own.screenshot({ path: `${pictures}/factor.png` });
  await own.getByLabel('Code').fill(codeAt(secret, stepAt(Date.now())));
  await own.getByRole('button', { name: 'Turn on', exact: true }).click();
  const code =
    (await own.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first().textContent()) ?? '';
  if (pictures) await own.screenshot({ path: `${pictures}/codes.png` });
  expect(await axe(own)).toEqual([]);
  const next = await (await browser.newContext()).newPage();
  await signIn(next, server.url, 'viewer@sharma.demo', '**/sign-in/*');
  await next.getByRole('heading', { name: 'Second factor' }).waitFor();
  if (pictures) await next.screenshot({ path: `${pictures}/code-page.png` });
  await next.getByLabel('Code').fill(code);
  await next.getByRole('button', { name: 'Sign in' }).click();
  await next.waitForURL('**/layout/Home');
  expect(bugs).toEqual([]);
});
