import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from './desk.ts';
import { signIn } from './shop.ts';

let desk: Desk;
/** The owner settles the rules; Meena writes and may not approve, another approves and may not write. */
let page: Page;
let meena: Page;
let approver: Page;
const bugs: string[] = [];

beforeAll(async () => {
  desk = await openDesk();
  page = desk.page;
  const beside = async (email: string) => {
    const context = await desk.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    const other = await context.newPage();
    other.setDefaultTimeout(15_000);
    await signIn(other, desk.server.url, email);
    return other;
  };
  meena = await beside('accountant@sharma.demo');
  approver = await beside('approver@sharma.demo');
  for (const each of [page, meena, approver]) each.on('pageerror', (error) => bugs.push(error.message));
});
afterAll(async () => {
  expect(bugs).toEqual([]);
  expect(desk.server.failures).toEqual([]);
  await desk.stop();
});

const bar = (on: Page) => on.locator('.approval-bar');
const toasted = (on: Page, text: RegExp) => on.getByText(text).first().waitFor();

test('somebody settles which documents need approval', async () => {
  await desk.go('General Configuration', '?tab=additional');
  const panel = page.getByRole('region', { name: 'Approval of documents' });
  await panel.getByLabel('Document').selectOption({ label: 'Journal voucher' });
  await panel.getByLabel(/Needs approval from/).fill('500');
  await panel.getByRole('button', { name: 'Ask for approval' }).click();
  await panel.getByText('Journal voucher: from ₹').waitFor();
  await desk.cleanAtBoth('approval-settings');
  await panel.getByLabel('Document').selectOption({ label: 'Sale invoice' });
  await panel.getByLabel(/Needs approval from/).fill('1000');
  await panel.getByRole('button', { name: 'Ask for approval' }).click();
  await panel.getByText('Sale invoice: from ₹').waitFor();
  await panel.getByRole('button', { name: 'Remove Journal voucher' }).click();
  await panel.getByText('Journal voucher: from ₹').waitFor({ state: 'detached' });
});

/** A draft of so many bulbs at ₹95 with tax, kept for Meena. */
const kept = async (quantity: string) => {
  const by = await desk.server.signIn('accountant@sharma.demo');
  const { today: date } = (await by.ask('GetSession', {})) as { today: string };
  const lines = [{ item: desk.shop.item, quantity, rate: '95' }];
  const body = { kind: 'saleInvoice', date, ...desk.shop.place, party: desk.shop.customer, lines };
  const { TransactionId } = await by.ask('AddTransactionDetails', { kind: 'saleInvoice', body } as never);
  return TransactionId as string;
};
const edit = async (id: string) => {
  await meena.goto(`${desk.server.url}/layout/Create%20Invoice?id=${id}`);
  await meena.locator('h1').first().waitFor();
};

test('an invoice is sent by the keyboard, rejected, mended, sent again and approved by another', async () => {
  const id = await kept('10');
  await edit(id);
  await meena.getByRole('button', { name: 'Send for approval' }).waitFor();
  await meena.locator('form input').first().focus();
  await meena.keyboard.press('Control+Enter');
  await bar(meena)
    .getByText(/^Waiting for approval since .* sent by Meena Iyer$/)
    .waitFor();
  await meena.getByRole('button', { name: 'Withdraw' }).waitFor();
  expect(await meena.getByRole('button', { name: 'Approve and post' }).count()).toBe(0);
  await desk.cleanAtBoth('approval-author', meena);

  // who approves hears of it, and goes there from the bell
  await approver.reload();
  await approver.getByRole('button', { name: /^Notifications, / }).click();
  const told = approver
    .getByRole('listitem')
    .filter({ hasText: 'Meena Iyer asks for approval: Sale invoice for Asha Traders' });
  await told.getByRole('button', { name: 'Link' }).click();
  await approver.getByRole('button', { name: 'Approve and post' }).waitFor();
  await approver.getByText('LED bulb 9 W').first().waitFor();
  await desk.cleanAtBoth('approval-approver', approver);
  await approver.getByRole('button', { name: 'Reject…' }).click();
  await approver.getByRole('dialog').getByLabel('Comment').fill('Nine only');
  await approver.keyboard.press('Control+Enter');
  await toasted(approver, /is rejected: Meena Iyer hears of it/);

  await edit(id);
  await bar(meena)
    .getByText(/^Rejected by .*: Nine only$/)
    .waitFor();
  await desk.cleanAtBoth('approval-rejected', meena);
  await meena.getByLabel('Quantity, line 1').fill('9');
  await meena.keyboard.press('Control+s');
  await meena.keyboard.press('Control+Enter');
  await bar(meena)
    .getByText(/^Waiting for approval/)
    .waitFor();

  await approver.goto(`${desk.server.url}/layout/Sale%20Invoice?status=pendingApproval`);
  await approver.getByText('Pending approval').last().waitFor();
  await approver.goto(`${desk.server.url}/layout/saleview?id=${id}`);
  await approver.getByRole('button', { name: 'Approve and post' }).waitFor();
  await approver.keyboard.press('Control+Enter');
  await toasted(approver, /is approved and posted/);
  await bar(approver)
    .getByText(/^Sent by Meena Iyer, approved by /)
    .waitFor();
});

test('what is withdrawn is a draft again; under the amount it is posted as ever', async () => {
  const id = await kept('20');
  await edit(id);
  await meena.getByRole('button', { name: 'Send for approval' }).click();
  await meena.getByRole('button', { name: 'Withdraw' }).click();
  await meena.getByRole('button', { name: 'Send for approval' }).waitFor();
  await meena.getByLabel('Quantity, line 1').fill('1');
  await meena.getByRole('button', { name: 'Post sale invoice' }).click();
  await toasted(meena, /^Sale invoice .* is posted/);
});
