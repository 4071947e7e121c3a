import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { screens } from '../../contract/screens.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { signIn } from '../kit/shop.ts';

let desk: Desk;
let invoice: { TransactionId: string; TransactionNumber: string };
let customer: string;
beforeAll(async () => {
  desk = await openDesk(
    {},
    {
      prepare: async (shop) => {
        const saved = (await shop.owner.ask('SaveMaster', {
          master: 'customer',
          values: {
            ...{ name: 'Bharat Electricals', gstin: '29AABCB1234F1Z4', category: 'registered', state: '29' },
            ...{ phone: '+91 98450 12345' },
            addresses: [{ line1: '9 Ring Road', city: 'Bengaluru', state: '29', pincode: '560058' }],
          },
        } as never)) as { id: string };
        customer = saved.id;
        const line = { item: shop.item, quantity: '1', rate: '100000' };
        invoice = await shop.post({ kind: 'saleInvoice', party: customer, reference: 'PO/881', lines: [line] });
      },
    },
  );
}, 120_000);
afterAll(() => desk?.stop());

const box = (on = desk.page) => on.getByRole('textbox', { name: 'Search or jump to' });
/** Opens the search by its key, and types into it. */
const type = async (text: string, on = desk.page) => {
  await on.keyboard.press('Control+k');
  await box(on).waitFor();
  await on.keyboard.type(text);
};
const group = (name: string, on = desk.page) => on.getByRole('dialog').getByRole('group', { name });

beforeEach(() => desk.go('Home'));

test('a part of the number, and Enter opens the document', async () => {
  const { page } = desk;
  const counter = String(Number(/(\d+)$/.exec(invoice.TransactionNumber)?.[1]));
  await type(counter);
  await group('Documents').getByRole('button', { name: invoice.TransactionNumber }).waitFor();
  await page.keyboard.press('Escape');
  await box().waitFor({ state: 'detached' });
  // Enter waits for the answer to what was typed
  await type(invoice.TransactionNumber.slice(0, -1));
  await page.keyboard.type(invoice.TransactionNumber.slice(-1));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search.includes(invoice.TransactionId));
  await page.getByRole('heading', { name: invoice.TransactionNumber }).first().waitFor();
  await box().waitFor({ state: 'detached' });
});

test('the arrows go from screens to records and from group to group, and an amount names its documents', async () => {
  const { page } = desk;
  await type('1,18,000.00'); // with 18 % GST
  await group('Documents').getByRole('button', { name: invoice.TransactionNumber }).waitFor();
  await expect
    .poll(() => page.getByRole('dialog').locator('mark').allTextContents())
    .toEqual([expect.stringMatching(/^₹\s1,18,000\.00$/)]);
  await page.keyboard.press('Escape');
  await type('bharat');
  const document = group('Documents').getByRole('button', { name: invoice.TransactionNumber });
  const party = group('Parties').getByRole('button', { name: 'Bharat Electricals' });
  await party.waitFor();
  expect(await document.getAttribute('data-selected')).toBe('true');
  while ((await party.getAttribute('data-selected')) === null) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search.includes(customer));
});

test('another text begins at its first row, also when the row that was chosen is among its rows', async () => {
  const { page } = desk;
  const line = { item: desk.shop.item, quantity: '1', rate: '500' };
  const later = await desk.shop.post({ kind: 'saleInvoice', party: customer, lines: [line] });
  const row = (number: string) => group('Documents').getByRole('button', { name: number });
  const selected = () => page.getByRole('dialog').locator('[data-selected]').allTextContents();
  const isOf = (number: string) => [expect.stringContaining(number)];
  await type('PO/881');
  await expect.poll(selected, { timeout: 10_000 }).toEqual(isOf(invoice.TransactionNumber));
  await box().press('ControlOrMeta+a');
  await page.keyboard.type('bharat', { delay: 60 });
  await row(later.TransactionNumber).waitFor();
  await row(invoice.TransactionNumber).waitFor();
  await expect.poll(selected, { timeout: 10_000 }).toEqual(isOf(later.TransactionNumber));
  await page.keyboard.press('Escape');
});

test('a party by its telephone, and an item with a typing error', async () => {
  const { page } = desk;
  await type('98450 12345');
  await group('Parties').getByRole('button', { name: 'Bharat Electricals' }).waitFor();
  await page.keyboard.press('Escape');
  await type('led blub');
  await group('Items').getByRole('button', { name: 'LED bulb 9 W' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search.includes(desk.shop.item));
});

test('what is called exactly so comes before a screen that is only nearly called so', async () => {
  const { page } = desk;
  await type('Led bulb 9 W');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search.includes(desk.shop.item));
  await desk.go('Home');
  // at once, while the dialog of before still fades: its text is gone
  await type('trail balence');
  await page.getByRole('button', { name: 'Trial balance' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Trial balance', level: 1 }).waitFor();
});

test('nothing found is said, also to who hears it; the search that failed as well', async () => {
  const { page } = desk;
  await type('zzyzx quux');
  await page.getByRole('dialog').getByText('Nothing matches').waitFor();
  await desk.cleanAtBoth('find-nothing');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await page.route('**/FindAnything*', (route) => route.abort());
  await type('qwertyuiop');
  await page.getByText('Documents, parties and items could not be searched. Try again.').waitFor();
  await page.unroute('**/FindAnything*');
  await page.keyboard.press('Escape');
});

test('the list is clean at both widths', async () => {
  const { page } = desk;
  await type('bharat');
  await group('Parties').getByRole('button').first().waitFor();
  await desk.cleanAtBoth('find');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('somebody is shown what they may open', async () => {
  const { server, browser } = desk;
  const { owner } = server.database;
  const role = `(select id from roles where organisation = 1 and name = 'Approver')`;
  await owner.query(`delete from role_grants where organisation = 1 and role = ${role}`);
  await owner.query(`insert into role_grants (organisation, role, screen, level) select 1, ${role}, $1::int, 5000`, [
    screens['Party Master'].id,
  ]);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.setDefaultTimeout(15_000);
  await signIn(page, server.url, 'approver@sharma.demo');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await type('bharat', page);
  await group('Parties', page).getByRole('button', { name: 'Bharat Electricals' }).waitFor();
  expect(await group('Documents', page).count()).toBe(0);
  await box(page).fill(invoice.TransactionNumber);
  await page.getByRole('dialog').getByText('Nothing matches').waitFor();
  await box(page).fill('LED bulb');
  await page.getByRole('dialog').getByText('Nothing matches').waitFor();
  await page.context().close();
});
