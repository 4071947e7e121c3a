import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KindName } from '../../domain/document/kinds/index.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { goTo, holdAnswers } from '../kit/go.ts';
import { placeOf } from '../kit/kind-books.ts';
import { signIn } from '../kit/shop.ts';

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

/** What Meena has open while the rules are settled. */
let open = '';

test('an administrator chooses which documents need approval; an open editor shows it at once', async () => {
  await desk.go('General Configuration', '?tab=additional');
  const panel = page.getByRole('region', { name: 'Approval of documents' });
  await panel.getByLabel('Document').selectOption({ label: 'Journal voucher' });
  await panel.getByLabel(/Needs approval from/).fill('500');
  await panel.getByRole('button', { name: 'Ask for approval' }).click();
  await panel.getByText('Journal voucher: from ₹').waitFor();
  await desk.cleanAtBoth('approval-settings');
  open = await kept('10');
  await edit(open);
  await meena.getByRole('button', { name: 'Post sale invoice' }).waitFor();
  await panel.getByLabel('Document').selectOption({ label: 'Sale invoice' });
  await panel.getByLabel(/Needs approval from/).fill('1000');
  await panel.getByRole('button', { name: 'Ask for approval' }).click();
  await panel.getByText('Sale invoice: from ₹').waitFor();
  await panel.getByRole('button', { name: 'Remove Journal voucher' }).click();
  await panel.getByText('Journal voucher: from ₹').waitFor({ state: 'detached' });
  await meena.getByRole('button', { name: 'Send for approval' }).waitFor();
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
  await goTo(meena, `${desk.server.url}/layout/Create%20Invoice?id=${id}`);
  await meena.locator('h1').first().waitFor();
};

test('an invoice is sent by the keyboard, rejected, mended, sent again and approved by another', async () => {
  await meena.locator('form input').first().focus();
  await meena.keyboard.press('Control+Enter');
  await bar(meena)
    .getByText(/^Waiting for approval since .* sent by Meena Iyer$/)
    .waitFor();
  await meena.getByRole('button', { name: 'Withdraw' }).waitFor();
  expect(await meena.getByRole('button', { name: 'Approve and post' }).count()).toBe(0);
  await desk.cleanAtBoth('approval-author', meena);

  // the approver gets a notification, and opens the document from the bell
  await approver.reload();
  await approver.getByRole('button', { name: /^Notifications, / }).click();
  const notification = approver
    .getByRole('listitem')
    .filter({ hasText: 'Meena Iyer asks for approval: Sale invoice for Asha Traders' });
  await notification.getByRole('button', { name: 'Link' }).click();
  await approver.getByRole('button', { name: 'Approve and post' }).waitFor();
  await approver.getByText('LED bulb 9 W').first().waitFor();
  await desk.cleanAtBoth('approval-approver', approver);
  await approver.getByRole('button', { name: 'Reject…' }).click();
  await approver.getByRole('dialog').getByLabel('Comment').fill('Nine only');
  await approver.keyboard.press('Control+Enter');
  await toasted(approver, /is rejected: Meena Iyer gets a notification/);

  await edit(open);
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

  await goTo(approver, `${desk.server.url}/layout/Sale%20Invoice?status=pendingApproval`);
  await approver.getByText('Pending approval').last().waitFor();
  await goTo(approver, `${desk.server.url}/layout/saleview?id=${open}`);
  await approver.getByRole('button', { name: 'Approve and post' }).waitFor();
  await approver.keyboard.press('Control+Enter');
  await toasted(approver, /is approved and posted/);
  await bar(approver)
    .getByText(/^Sent by Meena Iyer, approved by /)
    .waitFor();
});

test('who is quicker than what the lines come to sends it for approval at the same key', async () => {
  const known = await holdAnswers(meena, 'GetEditorFacts');
  // over the amount with its tax only, which follows from what is known of the item
  const id = await kept('9');
  await edit(id);
  await meena.locator('form input').first().focus();
  await meena.keyboard.press('Control+Enter');
  known();
  await bar(meena)
    .getByText(/^Waiting for approval/)
    .waitFor();
  await meena.unrouteAll();
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

test('what has other figures than it was sent with is not approved: its screen says so, and offers to reject it', async () => {
  const by = await desk.server.signIn('accountant@sharma.demo');
  const ask = async <T>(name: string, input: object, who = by) =>
    (await who.ask(name as 'GetSession', input as never)) as T;
  const { today: date } = await ask<{ today: string }>('GetSession', {});
  const { shop } = desk;
  const lines = [{ item: shop.item, quantity: '20' }];
  const body = { kind: 'saleInvoice', date, ...shop.place, party: shop.customer, lines };
  const { TransactionId: id } = await ask<{ TransactionId: string }>(
    'SubmitForApproval',
    await ask<object>('AddTransactionDetails', { kind: 'saleInvoice', body }),
  );
  // without news of the change the screen still offers to approve: the answer of the server tells it
  await approver.route('**/api/events', (route) => route.abort());
  // loaded anew: a page that is open has its stream of news already
  await approver.goto(`${desk.server.url}/layout/saleview?id=${id}`);
  const post = approver.getByRole('button', { name: 'Approve and post' });
  await post.waitFor();
  const rated = async (saleRate: string) => {
    const which = { master: 'item', id: shop.item };
    const was = await ask<{ version: number; values: object }>('GetMaster', which, shop.owner);
    await ask('SaveMaster', { ...which, version: was.version, values: { ...was.values, saleRate } }, shop.owner);
  };
  await rated('0.95');
  await post.click();
  await bar(approver)
    .getByText(/^Its figures have changed since then: ₹2,242\.00 then, ₹22\.00 now\. Reject it, /)
    .waitFor();
  await post.waitFor({ state: 'detached' });
  await desk.cleanAtBoth('approval-changed', approver);
  await goTo(meena, `${desk.server.url}/layout/saleview?id=${id}`);
  await bar(meena)
    .getByText(/ Withdraw it, look at it and send it again\.$/)
    .waitFor();
  await rated('95.00');
  await approver.reload();
  await post.click();
  await toasted(approver, /is approved and posted/);
  await approver.unrouteAll();
});

test('a journal, a payment and goods adjusted away are shown to who decides as they would be posted', async () => {
  const by = await desk.server.signIn('accountant@sharma.demo');
  const ask = async <T>(name: string, input: object) => (await by.ask(name as 'GetSession', input as never)) as T;
  const { today: date } = await ask<{ today: string }>('GetSession', {});
  const { shop } = desk;
  const [cash, rent] = [await shop.ledger('1110'), await shop.ledger('6410')];
  const supplier = { name: 'Bright Lamps', category: 'unregistered', state: '29', addresses: [] };
  const { id: party } = (await shop.owner.ask('SaveMaster', { master: 'supplier', values: supplier } as never)) as {
    id: string;
  };
  const lines = [{ item: shop.item, quantity: '2', rate: '60' }];
  const bill = { kind: 'purchaseBill', party, reference: 'BL-7', referenceDate: date, lines };
  const { TransactionId: document, TransactionNumber: number } = await shop.post(bill);
  const kinds = ['manualJournal', 'payment', 'inventoryAdjustment', 'saleReceipt'];
  const approvals = kinds.map((kind) => ({ kind, from: '0' }));
  await shop.owner.ask('SaveGeneralConfigDetails', { values: { approvals } } as never);
  const sent = async (kind: string, body: object) => {
    const kept = await ask<object>('AddTransactionDetails', { kind, body: { kind, date, ...shop.place, ...body } });
    return (await ask<{ TransactionId: string }>('SubmitForApproval', kept)).TransactionId;
  };
  const go = async (kind: KindName, id: string, on = page) => {
    const [screen, query] = placeOf(kind, 'documentView') ?? ['', {}];
    await goTo(on, `${desk.server.url}/layout/${encodeURIComponent(screen)}?${new URLSearchParams({ ...query, id })}`);
    await bar(on)
      .getByText(/^Waiting for approval since .* sent by Meena Iyer$/)
      .waitFor();
  };
  const sheet = page.getByRole('article');

  const journal = await sent('manualJournal', {
    lines: [
      { ledger: rent, debit: '70' },
      { ledger: cash, credit: '70' },
    ],
  });
  await go('manualJournal', journal);
  await sheet.getByRole('row', { name: /Rent 70\.00/ }).waitFor();
  await desk.cleanAtBoth('approval-journal');

  // from which money, and what it settles
  const allocations = [{ document, amount: '50' }];
  const payment = await sent('payment', { party, moneyLedger: cash, amount: '50', lines: [], allocations });
  await go('payment', payment);
  await sheet.getByText('Cash in hand').waitFor();
  const about = page.getByRole('complementary', { name: 'About this document' });
  await about.getByText(`Is to settle Purchase bill ${number}`).waitFor();
  await desk.cleanAtBoth('approval-payment');

  // so much less, at what it costs
  const away = await sent('inventoryAdjustment', {
    fields: { adjustmentReason: 'Count' },
    lines: [{ item: shop.item, delta: '-3' }],
  });
  await go('inventoryAdjustment', away);
  await sheet.getByRole('row', { name: /−3 ?NOS −180\.00/ }).waitFor();
  await desk.cleanAtBoth('approval-adjustment');
  await page.getByRole('button', { name: 'Approve and post' }).click();
  await toasted(page, /is approved and posted/);
  await sheet.getByRole('row', { name: /−3 ?NOS −180\.00/ }).waitFor();

  // the button stands in the middle of its bar
  await go('payment', payment, meena);
  const [outer, inner] = await Promise.all([
    bar(meena).boundingBox(),
    meena.getByRole('button', { name: 'Withdraw' }).boundingBox(),
  ]);
  const middle = (box: typeof outer) => (box ? box.y + box.height / 2 : Number.NaN);
  expect(Math.abs(middle(outer) - middle(inner))).toBeLessThanOrEqual(1);
});

test('a line of a bank whose receipt waits says so, is made once, and is matched when the receipt is posted', async () => {
  const { shop } = desk;
  const by = await desk.server.signIn('accountant@sharma.demo');
  const { today } = (await by.ask('GetSession', {})) as { today: string };
  const ledger = await shop.ledger('1121');
  const day = today.split('-').reverse().join('/');
  const content = `Date,Narration,Amount\n${day},NEFT ASHA,400.00`;
  const format = { date: 'Date', order: 'dmy', text: 'Narration', amount: 'Amount' };
  await shop.owner.ask('ImportBankStatement', { ledger, content, format } as never);
  const { lines } = (await by.ask('GetReconciliation', { ledger } as never)) as { lines: { id: string }[] };
  const line = lines[0]?.id;
  await shop.owner.ask('SaveBankRule', { ledger, holds: 'ASHA', way: 'receipt', party: shop.customer } as never);
  const screen = `${desk.server.url}/layout/Bank%20Reconciliation?ledger=${ledger}`;
  const ruled = await holdAnswers(meena, 'ListBankRules');
  await meena.goto(screen);
  await meena.getByRole('button', { name: 'Accept 1' }).click();
  ruled();
  await toasted(meena, /1 kept as a draft that needs approval/);
  await meena.getByRole('grid').getByText('Receipt is a draft of Meena Iyer').waitFor();
  expect(await meena.getByRole('button', { name: /^Accept/ }).count()).toBe(0);
  await desk.cleanAtBoth('approval-bank', meena);
  const sent = (await by.ask('SubmitForApproval', { TransactionId: line, version: 1 } as never)) as object;
  await meena.reload();
  await meena.getByRole('grid').getByText('Receipt of Meena Iyer waits for approval').waitFor();
  await shop.owner.ask('PostTransactionCalls', sent as never, crypto.randomUUID());
  await meena.reload();
  await meena.getByRole('button', { name: 'Accept 1' }).click();
  await toasted(meena, /^1 matched$/);
});
