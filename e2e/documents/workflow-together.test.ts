import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawn } from '../../tools/testing/browser.ts';
import { flowsOf, type Saved } from '../../tools/testing/flows.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { signIn } from '../kit/shop.ts';

let desk: Desk;
/** Two owners, who write the same workflow. */
let page: Page;
let meena: Page;
const bugs: string[] = [];
const saleOrders = 'isSaleOrderWfenabled';

beforeAll(async () => {
  desk = await openDesk({ [saleOrders]: true });
  page = desk.page;
  // the accountant becomes an owner, who writes workflows as well
  await desk.server.database.owner.query(
    `insert into user_roles (organisation, "user", role) select u.organisation, u.id, r.id from users u join roles r using (organisation)
      where u.organisation = 1 and u.name = 'Meena Iyer' and r.name = 'Owner'`,
  );
  meena = await (await desk.browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  meena.setDefaultTimeout(15_000);
  await signIn(meena, desk.server.url, 'accountant@sharma.demo');
  for (const each of [page, meena]) each.on('pageerror', (error) => bugs.push(error.message));
});
afterAll(async () => {
  expect(bugs).toEqual([]);
  expect(desk.server.failures).toEqual([]);
  await desk.stop();
});

const { definition } = flowsOf(() => ({ server: desk.server, owner: desk.shop.owner }));
const ask = <T>(name: string, input: object) =>
  desk.shop.owner.ask(name as 'GetSession', input as never, crypto.randomUUID()) as unknown as Promise<T>;
const open = async (id: string, on: Page) => {
  await on.goto(`${desk.server.url}/layout/Workflow?id=${id}`);
  await on.getByRole('heading', { level: 1 }).waitFor();
};
const stage = (row: number, on: Page) => on.getByRole('group', { name: `Stage ${row}`, exact: true });
const nameOf = (row: number, on: Page) => stage(row, on).getByLabel(/^Stage/);
const hoursOf = (row: number, on: Page) => stage(row, on).getByLabel('Due after (hours)');
/** Presses Update; what was kept is what the button says then: there is nothing to be kept. */
const update = async (on: Page) => {
  await on.getByRole('button', { name: 'Update' }).click();
  await on.locator('button:disabled', { hasText: 'Update' }).waitFor();
};
/** At both widths, light and dark, for who asks for pictures of it. */
const look = async (name: string, on = page) => {
  if (!process.env.SHOTS) return;
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await on.setViewportSize({ width, height });
      await on.emulateMedia({ colorScheme });
      await drawn(on);
      await on.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png` });
    }
  await on.emulateMedia({ colorScheme: 'light' });
  await on.setViewportSize({ width: 1440, height: 900 });
};
/** The same, and nothing wrong with it at 390 and 1440. */
const cleanLook = async (name: string) => {
  await look(name);
  // from its top: what is half under the bar of actions is no target
  await page.locator('.shell-main').evaluate((main) => main.scrollTo(0, 0));
  await desk.cleanAtBoth(`${name}-whole`);
};

test('two people change different parts of a draft: both are kept', async () => {
  const draft = await ask<Saved>('SaveWorkflow', await definition('SO', 'pick-pack-ship', 'Approver'));
  await open(draft.id, page);
  await open(draft.id, meena);
  const second = await nameOf(2, page).inputValue();
  await hoursOf(1, page).fill('36');
  await nameOf(2, meena).fill('Checked');
  await meena
    .getByRole('group', { name: 'Action 1', exact: true })
    .getByLabel(/^Action/)
    .fill('Agree');
  await update(meena);
  await page.getByRole('button', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog', { name: 'Meena Iyer has changed this record since you opened it' });
  await dialog.getByText('both changes are kept').waitFor();
  await dialog.getByText(`Stage “${second}”: name`).waitFor();
  await dialog.getByText(`${second} → Checked`).waitFor();
  await cleanLook('workflow-both');
  await dialog.getByRole('button', { name: 'Merge changes' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => nameOf(2, page).inputValue()).toBe('Checked');
  await update(page);
  const { stages, actions } = await ask<{ stages: { name: string; slaHours: number }[]; actions: { label: string }[] }>(
    'GetWorkFlowDefinitionById',
    { id: draft.id },
  );
  expect([stages[0]?.slaHours, stages[1]?.name, actions[0]?.label]).toEqual([36, 'Checked', 'Agree']);
});

test('of the same field one chooses; nothing that is typed is lost when there is no draft any more', async () => {
  const id = new URL(page.url()).searchParams.get('id') ?? '';
  await open(id, meena);
  await expect.poll(() => hoursOf(1, meena).inputValue()).toBe('36');
  await nameOf(1, meena).fill('Received');
  await nameOf(2, meena).fill('Looked through');
  // an untouched form follows what is saved: the first person types before the second saves
  await nameOf(1, page).fill('Taken in');
  await nameOf(2, page).fill('Seen');
  await update(meena);
  await page.getByRole('button', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog', { name: 'Meena Iyer has changed this record since you opened it' });
  await dialog.getByLabel('Take theirs: Received').check();
  await cleanLook('workflow-same');
  await dialog.getByRole('button', { name: 'Merge changes' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const typed = async () => [await nameOf(1, page).inputValue(), await nameOf(2, page).inputValue()];
  await expect.poll(typed).toEqual(['Received', 'Seen']);
  // the second person publishes before that is saved
  await open(id, meena);
  await meena.getByRole('button', { name: 'Publish' }).click();
  await meena.getByText('Published by Meena Iyer').waitFor();
  await page.getByRole('button', { name: 'Update' }).click();
  await dialog.getByRole('button', { name: 'Merge changes' }).click();
  await page.getByText('Version 1 is no longer a draft (published): your changes become a new version.').waitFor();
  await look('workflow-anew');
  await page.getByRole('button', { name: 'Save as Draft' }).click();
  await page.getByText('Version 2 is kept as a draft').waitFor();
  await expect.poll(() => nameOf(2, page).inputValue()).toBe('Seen');
  await page.getByText('Sale orders · version 2').waitFor();
});

test('long names and amounts of crores have their place', async () => {
  const words = 'Waits for the approval of the head office';
  const long = (name: string) => `${name}: ${words}`.slice(0, 40);
  const roleName = 'Regional commercial manager for the south and west';
  await ask('SaveMaster', { master: 'role', values: { name: roleName, levels: {} } });
  const [draft] = await ask<{ id: string; status: string; revision: number }[]>('GetWorkFlows', {});
  if (draft?.status === 'draft') await ask('CancelWorkflow', { id: draft.id, revision: draft.revision });
  const usual = await definition('SO', 'pick-pack-ship', 'Owner');
  const named = {
    ...usual,
    name: 'Approval, packing and dispatch of large orders abroad',
    stages: usual.stages.map((each, row) => ({ ...each, name: long(String(row + 1)) })),
    actions: usual.actions.map((each, row) => ({ ...each, label: long(`${row + 1} To`) })),
  };
  const made = await ask<Saved>('SaveWorkflow', named);
  await open(made.id, page);
  await page
    .getByRole('group', { name: 'Action 1', exact: true })
    .getByLabel(/^Roles that may/)
    .first()
    .fill('Regional');
  await page.getByRole('option', { name: /Regional/ }).click();
  await page.getByRole('button', { name: `Remove ${roleName}` }).waitFor();
  await cleanLook('workflow-long-form');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published by Ravi Sharma').waitFor();
  await cleanLook('workflow-long-published');
  const party = await ask<{ id: string }>('SaveMaster', {
    master: 'customer',
    values: {
      name: 'Sri Venkateshwara Electricals and Home Appliances Distributors Private Limited',
      category: 'unregistered',
      state: '29',
    },
  });
  const order = await desk.shop.post({
    kind: 'saleOrder',
    party: party.id,
    lines: [{ item: desk.shop.item, quantity: '99999', rate: '99999.95' }],
  });
  await desk.go('SaleOrderView', `?id=${order.TransactionId}`);
  await page.getByRole('region', { name: 'Stage', exact: true }).getByRole('button').first().waitFor();
  await cleanLook('workflow-long-order');
  await desk.go('Sale Order');
  await page
    .getByRole('grid')
    .getByText(named.stages[0]?.name ?? '')
    .waitFor();
  await cleanLook('workflow-long-list');
  await desk.go('Workflow Management');
  await page.getByRole('grid').getByText(named.name).waitFor();
  await cleanLook('workflow-long-versions');
});
