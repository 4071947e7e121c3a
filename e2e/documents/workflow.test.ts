import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, launchBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

let server: TestServer;
let shop: Shop;
let browser: Browser;
/** The owner, who packs, and the one who approves. */
let page: Page;
let approver: Page;
const bugs: string[] = [];
const pictures = process.env['BAHI_PICTURES'];
/** At both widths, light and dark, for who looks at them. */
const look = async (name: string, on = page) => {
  if (!pictures) return;
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const dark of [false, true]) {
      await on.setViewportSize({ width, height });
      await on.evaluate((is) => document.documentElement.toggleAttribute('data-dark', is), dark);
      await on.waitForTimeout(250);
      await on.screenshot({ path: `${pictures}/${name}-${width}${dark ? '-dark' : ''}.png`, fullPage: width < 500 });
    }
  await on.evaluate(() => document.documentElement.toggleAttribute('data-dark', false));
  await on.setViewportSize({ width: 1440, height: 900 });
  await on.waitForTimeout(400);
};

const visit = async (email?: string): Promise<Page> => {
  const visitor = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  visitor.on('pageerror', (error) => bugs.push(error.message));
  visitor.setDefaultTimeout(15_000);
  await signIn(visitor, server.url, email);
  return visitor;
};
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  browser = await launchBrowser();
  page = await visit();
  approver = await visit('approver@sharma.demo');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
const open = (screen: string, query = '', on = page) =>
  goTo(on, `${server.url}/layout/${encodeURIComponent(screen)}${query}`);
const clean = async (on = page) => {
  expect(await axe(on)).toEqual([]);
  expect(await tooWide(on)).toEqual([]);
};
const order = (more: object = {}) =>
  shop.post({
    kind: 'saleOrder',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '5', rate: '95' }],
    ...more,
  });

/** Gives a role to an action of the workflow that is written. */
const give = async (row: number, role: string) => {
  const action = page.getByRole('group', { name: `Action ${row}`, exact: true });
  await action
    .getByLabel(/^Roles that may/)
    .first()
    .fill(role);
  await page.getByRole('option').filter({ hasText: role }).first().click();
  await action.getByRole('button', { name: `Remove ${role}` }).waitFor();
};

test('the four switches are in the general configuration', async () => {
  await open('General Configuration');
  await page.getByRole('heading', { name: 'Orders that go through stages' }).waitFor();
  for (const name of ['Sale orders', 'Sale return orders', 'Purchase orders', 'Purchase return orders'])
    await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check();
  await look('switches');
  await page.getByRole('button', { name: 'Save configuration' }).click();
  await page.getByText('The configuration is saved').waitFor();
});

test('a workflow begins with a template, is kept as a draft, mended and published', async () => {
  await open('Workflow Management');
  await page.getByText('No workflow yet').waitFor();
  await clean();
  await page.keyboard.press('Alt+n');
  const dialog = page.getByRole('dialog', { name: 'For which orders is the workflow?' });
  await dialog.getByLabel('Begin with').selectOption({ label: 'Approve, pack, dispatch' });
  await look('new-workflow');
  await clean();
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Approve, pack, dispatch', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Save as Draft' }).click();
  await page.getByText('Version 1 is kept as a draft').waitFor();
  // nobody could do anything yet: each action says so, and nothing is published
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect.poll(() => page.getByText('Say which roles may do it').count()).toBe(5);
  await look('no-roles');
  await clean();
  // what is mended says nothing any more, and the other actions still do
  await give(1, 'Approver');
  await expect.poll(() => page.getByText('Say which roles may do it').count()).toBe(4);
  for (const row of [2, 4]) await give(row, 'Approver');
  for (const row of [3, 5]) await give(row, 'Owner');
  await page
    .getByRole('group', { name: 'Stage 1', exact: true })
    .getByLabel(/^Stage/)
    .fill('Placed');
  // a look at another screen loses nothing of it
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await trail.getByRole('link', { name: 'Workflow management' }).click();
  await page.getByRole('grid').getByText('Approve, pack, dispatch').click();
  await page.getByText('Your unsaved changes are open again').waitFor();
  const last = page.getByRole('group', { name: 'Action 5', exact: true });
  await last.getByRole('button', { name: 'Remove Owner' }).waitFor();
  await look('draft');
  // what was kept is read again for a while: until then the buttons say that they take no press, so that none is lost
  const reading = '**/api/workflow/GetWorkFlowDefinitionById**';
  await page.route(reading, async (route) => {
    await new Promise((read) => setTimeout(read, 1500));
    await route.continue();
  });
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByRole('button', { name: 'Publish', disabled: true }).waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('sale orders follow it from now on').waitFor();
  await page.getByText('Published by Ravi Sharma').waitFor();
  await page.unroute(reading);
  await look('published');
  await clean();
  await open('Workflow Management');
  await page.getByRole('grid').getByText('Published', { exact: true }).first().waitFor();
  await look('workflows');
  await clean();
});

test('an order goes through two stages by two people; the wrong role has no button and is refused', async () => {
  const { TransactionId: id, TransactionNumber: number } = await order();
  await open('SaleOrderView', `?id=${id}`);
  const stage = page.getByRole('region', { name: 'Stage', exact: true });
  await stage.getByText('Placed', { exact: true }).waitFor();
  await stage.getByText('Waits for Approver: Approve, Reject').waitFor();
  expect(await stage.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Make sale invoice' }).count()).toBe(0);
  const refused = await shop.owner.call('SaveOrUpdateWorkflowStatus', { TransactionId: id, action: 'approve' });
  expect(refused).toMatchObject({ status: 409, details: { code: 'notYourStep' } });
  await look('waits');
  await clean();
  await open('SaleOrderView', `?id=${id}`, approver);
  await approver.getByRole('region', { name: 'Stage', exact: true }).getByRole('button', { name: 'Approve' }).click();
  await approver.getByText(`${number} is at “Approved”`).waitFor();
  await clean(approver);
  // the page of the other user is read again
  await stage.getByText('Approved', { exact: true }).waitFor();
  await stage.getByRole('button', { name: 'Mark as packed' }).click();
  await stage.getByText('Packed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Make sale invoice' }).waitFor();
  const history = page.getByRole('list', { name: 'Stages so far' });
  await history.getByText('Approve: Placed → Approved').waitFor();
  await history.getByText('Joseph Thomas').waitFor();
  await page.getByRole('button', { name: 'Enter delivery' }).click();
  await page.getByLabel(/^Carrier/).fill('Blue Dart Express Limited');
  await page.getByLabel('AWB or consignment number').fill('BD 4471 2201');
  await look('delivery');
  await clean();
  await page.getByRole('button', { name: 'Save delivery' }).click();
  await page.getByText('AWB BD 4471 2201').waitFor();
  await look('packed');
  await clean();
});

test('an order is turned away with the reason, and what is missing is said; the list shows the stages', async () => {
  const { TransactionId: id } = await order({ lines: [{ item: shop.item, quantity: '90000', rate: '9500' }] });
  await open('SaleOrderView', `?id=${id}`, approver);
  const stage = approver.getByRole('region', { name: 'Stage', exact: true });
  await stage.getByRole('button', { name: 'Approve' }).click();
  await stage.getByText('Approved', { exact: true }).waitFor();
  await open('SaleOrderView', `?id=${id}`);
  const packing = page.getByRole('region', { name: 'Stage', exact: true });
  await packing.getByText(/Not yet: stock is short by 89,9\d\d NOS of LED bulb 9 W/).waitFor();
  await expect.poll(() => packing.getByRole('button', { name: 'Mark as packed' }).isDisabled()).toBe(true);
  await look('blocked');
  await clean();
  await stage.getByRole('button', { name: 'Send back' }).click();
  const dialog = approver.getByRole('dialog', { name: /^Send back: / });
  await dialog.getByRole('button', { name: 'Send back' }).click();
  await dialog.getByText('Write why').waitFor();
  await look('comment', approver);
  await clean(approver);
  await dialog.getByLabel(/^Comment/).fill('More than we have');
  await dialog.getByRole('button', { name: 'Send back' }).click();
  await stage.getByText('Placed', { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Stages so far' }).getByText('More than we have').waitFor();
  await open('Sale Order');
  await page.getByRole('grid').getByText('Packed', { exact: true }).waitFor();
  await look('list');
  await page.getByLabel('Stage', { exact: true }).selectOption({ label: 'Placed' });
  await expect.poll(() => page.getByRole('grid').getByText('Packed', { exact: true }).count()).toBe(0);
  await page.getByRole('grid').getByText('Placed', { exact: true }).waitFor();
  await clean();
});

test('a published workflow is changed as a new version, and given up', async () => {
  await open('Workflow Management');
  await page.getByRole('grid').getByText('Approve, pack, dispatch').click();
  await page.getByRole('button', { name: 'Change as a new version' }).click();
  await page.getByRole('button', { name: 'Save as Draft' }).waitFor();
  await page
    .getByRole('group', { name: 'Stage 3', exact: true })
    .getByLabel(/^Stage/)
    .fill('Ready');
  await give(1, 'Owner');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('sale orders follow it from now on').waitFor();
  // the owner may approve now, but not their own entry: the button is off and says why
  const { TransactionId: own } = await order();
  await open('SaleOrderView', `?id=${own}`);
  const stage = page.getByRole('region', { name: 'Stage', exact: true });
  await stage.getByText('Not yet: Nobody approves their own document').waitFor();
  await expect.poll(() => stage.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  await look('own-order');
  await clean();
  await open('Workflow Management');
  await page.getByRole('grid').getByText('Retired', { exact: true }).waitFor();
  await page.getByRole('grid').getByText('Published', { exact: true }).first().waitFor();
  await page.getByRole('grid').getByText('Approve, pack, dispatch').first().click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel workflow' }).click();
  await page.getByRole('grid').getByText('Cancelled', { exact: true }).waitFor();
  const { TransactionId: id } = await order();
  await open('SaleOrderView', `?id=${id}`);
  await page.getByRole('button', { name: 'Make sale invoice' }).waitFor();
  expect(bugs).toEqual([]);
  expect(server.failures).toEqual([]);
});
