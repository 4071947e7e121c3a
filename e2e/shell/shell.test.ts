import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../server/kit/ids.ts';
import type { Founded } from '../../server/organisation/found.ts';
import { axe, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let shop: Shop;
const bugs: string[] = [];

const watched = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> => {
  const made = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  made.on('page', (each) => each.on('pageerror', (error) => bugs.push(`${each.url()}: ${error.message}`)));
  return made;
};

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  browser = await openBrowser();
  context = await watched();
  page = await context.newPage();
  await signIn(page, server.url);
});
beforeEach(() => {
  bugs.length = 0;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const go = async (screen: string, on = page) => {
  await on.goto(`${server.url}/layout/${encodeURIComponent(screen)}`);
  await on.locator('h1').first().waitFor();
  await on.waitForLoadState('networkidle');
};
const sound = async (on = page) => {
  expect(await axe(on)).toEqual([]);
  expect(await tooWide(on)).toEqual([]);
  expect(bugs).toEqual([]);
};

test('the pages before the sign-in: the way in, the form, and what it says of a wrong password', async () => {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const stranger = await watched({ viewport: size, colorScheme: size.width > 1000 ? 'light' : 'dark' });
    const own = await stranger.newPage();
    await own.goto(server.url);
    await own.getByRole('heading', { name: 'Bahi' }).waitFor();
    await sound(own);
    await own.getByRole('button', { name: 'Sign in' }).click();
    await own.getByLabel('Email').fill('owner@sharma.demo');
    await sound(own);
    await own.getByLabel('Password').fill('not the password');
    await own.getByRole('button', { name: 'Sign in' }).click();
    await own.getByRole('alert').waitFor();
    await sound(own);
    await stranger.close();
  }
});

test('landmarks, skip link, title and breadcrumb: the current screen is named in text and to screen readers', async () => {
  await go('Sale Invoice');
  expect(await page.title()).toBe('Sale invoices · Sharma Traders Private Limited');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await expect.poll(() => page.locator('h1').count()).toBe(1);
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect
    .poll(async () => (await trail.getByRole('listitem').allTextContents()).map((text) => text.trim()))
    .toEqual(['Sales', 'Sale invoices']);
  expect(await trail.getByRole('link', { name: 'Sale invoices' }).count()).toBe(0);
  await sound();
});

test('the menu holds what one may open: names cut at 20 with the whole name in the title', async () => {
  const areas = page.getByRole('navigation', { name: 'Areas' });
  await areas.getByRole('link', { name: 'Configuration' }).click();
  const general = page.getByTitle('General configuration');
  await general.waitFor();
  await expect.poll(() => general.textContent()).toBe('General configuratio…');
  const all = await areas.getByRole('link').allTextContents();
  expect(all).toContain('Reports');

  const other = await watched();
  const own = await other.newPage();
  await signIn(own, server.url, 'none@sharma.demo');
  await own.getByRole('navigation', { name: 'Areas' }).getByRole('link').first().waitFor();
  const less = await own.getByRole('navigation', { name: 'Areas' }).getByRole('link').allTextContents();
  expect(less.length).toBeLessThan(all.length);
  expect(await own.getByRole('link', { name: 'Trial balance' }).count()).toBe(0);
  await other.close();
});

test('Ctrl K finds screens and what can be made, and Enter goes there', async () => {
  await go('Home');
  await page.keyboard.press('Control+k');
  const box = page.getByRole('textbox', { name: 'Search or jump to' });
  await box.fill('trial');
  await page.getByRole('button', { name: 'Trial balance' }).waitFor();
  await sound();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Trial balance', level: 1 }).waitFor();
  await box.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await box.fill('new quotation');
  await page.getByRole('button', { name: 'New quotation' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New quotation' }).waitFor();
  // what is called exactly so comes before what only begins so
  await page.keyboard.press('Control+k');
  await box.fill('till');
  await page.getByRole('dialog').getByText('Till bills').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Till', exact: true, level: 1 }).waitFor();
});

test('what is typed right after Ctrl K goes to the search, on a page that was just opened and later on', async () => {
  await page.goto(`${server.url}/layout/Create%20Invoice`);
  const customer = page.getByLabel(/^Customer/);
  await customer.fill('Qwerty');
  const box = page.getByRole('textbox', { name: 'Search or jump to' });
  for (let round = 0; round < 2; round++) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('metro'); // without waiting between keys
    await expect.poll(() => box.inputValue()).toBe('metro');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    expect(await customer.inputValue()).toBe('Qwerty');
    await customer.focus();
  }
  await page.reload();
  await customer.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('day book');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Day book', level: 1 }).waitFor();
});

test('the theme is kept for the person and painted before anything else', async () => {
  await go('Sale Order');
  await page.getByRole('button', { name: 'Theme' }).click();
  const panel = page.getByRole('dialog', { name: 'Theme' });
  await sound();
  const kept = () => page.waitForResponse((answer) => answer.url().endsWith('/SavePreferences') && answer.ok());
  for (const choose of [
    () => panel.getByRole('button', { name: 'Dark' }).click(),
    () => panel.getByRole('button', { name: 'Teal' }).click(),
    () => panel.getByLabel('Font').selectOption('Raleway'),
  ])
    await Promise.all([kept(), choose()]);
  await sound();

  // elsewhere, in another browser: the page as the server sends it carries the choice, so nothing flashes
  const elsewhere = await watched();
  const own = await elsewhere.newPage();
  await signIn(own, server.url);
  const html = await (await own.request.get(`${server.url}/layout/Home`)).text();
  expect(html).toContain('"mode":"dark"');
  const look = await own.evaluate(() => {
    const root = document.documentElement;
    return [root.hasAttribute('data-dark'), root.style.getPropertyValue('--brand'), root.dataset['font']];
  });
  expect(look).toEqual([true, '#0f766e', 'Raleway']);
  await sound(own);
  await elsewhere.close();

  await Promise.all([kept(), panel.getByRole('button', { name: 'Default' }).click()]);
  await Promise.all([kept(), panel.getByRole('button', { name: 'Blue' }).click()]);
  await Promise.all([kept(), panel.getByLabel('Font').selectOption('SegoeUI')]);
  await page.keyboard.press('Escape');
});

test('notifications: a count at the bell, a link, one dismissed, all dismissed, and the words when none are left', async () => {
  const [sharma] = server.organisations as [Founded];
  const tell = (message: string, link: string | null) =>
    server.database.owner.query('insert into notifications (organisation, id, message, link) values ($1, $2, $3, $4)', [
      sharma.organisation,
      newId(),
      message,
      link,
    ]);
  await tell('The portal refused invoice INV/26-27/0042', '/layout/Sale%20Invoice');
  await tell('Three invoices are overdue', null);
  await go('Home');
  const bell = page.getByRole('button', { name: 'Notifications, 2 new' });
  await bell.click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByText('Three invoices are overdue').waitFor();
  await sound();
  await panel
    .getByRole('listitem')
    .filter({ hasText: 'Three invoices' })
    .getByRole('button', { name: 'Dismiss' })
    .click();
  await page.getByRole('button', { name: 'Notifications, 1 new' }).waitFor();
  await panel.getByRole('button', { name: 'Link' }).click();
  await page.waitForURL('**/layout/Sale%20Invoice');
  await page.getByRole('button', { name: 'Notifications, 1 new' }).click();
  await panel.getByRole('button', { name: 'Dismiss All' }).click();
  await panel.getByText('you are all caught up !').waitFor();
  await page.keyboard.press('Escape');
});

test('a link of action 1 opens the sale order that it names; a message comes by itself', async () => {
  const [sharma] = server.organisations as [Founded];
  const order = await shop.post({
    kind: 'saleOrder',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '2', rate: '95' }],
  });
  await go('Home');
  const link = `${order.TransactionId},${order.TransactionNumber},SHARMA,BLR,open`;
  await server.database.owner.query(
    `insert into notifications (organisation, id, message, link, action_type) values ($1, $2, 'An order was approved', $3, 1)`,
    [sharma.organisation, newId(), link],
  );
  // every change is announced to open pages; the bell reads what there is for this person
  await shop.owner.ask('SaveMaster', { master: 'category', values: { code: 'LIGHT', name: 'Lighting' } });
  await page.getByRole('button', { name: 'Notifications, 1 new' }).click();
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('button', { name: 'Link' }).click();
  await page.waitForURL(`**/layout/SaleOrderView?id=${order.TransactionId}`);
  await page.getByText(order.TransactionNumber).first().waitFor();
  expect(await page.title()).toBe('Sale order · Sharma Traders Private Limited');
  await page.getByRole('button', { name: 'Notifications, 1 new' }).click();
  await page.getByRole('button', { name: 'Dismiss All' }).click();
  await page.keyboard.press('Escape');
});

test('organisation and locations: the pickers are named, and what is chosen stays chosen', async () => {
  await go('Home');
  for (const name of ['Organisation', 'Tax Location', 'Physical Location'])
    await page.getByRole('combobox', { name, exact: true }).waitFor();
  const physical = page.getByRole('combobox', { name: 'Physical Location', exact: true });
  const before = await physical.inputValue();
  const others = await physical
    .locator('option')
    .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
  const next = others.find((value) => value !== before && value !== '') ?? '';
  expect(next).not.toBe('');
  // what is shown belongs to the place before: it hides until what belongs to the new one is there
  const main = page.locator('.shell-main');
  let reached: () => void = () => undefined;
  const chosen = new Promise<void>((done) => {
    reached = done;
  });
  await page.route('**/ChooseLocations', async (route) => {
    await chosen;
    await route.continue();
  });
  await physical.selectOption(next);
  await main.locator('h1').waitFor({ state: 'hidden' });
  await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/ChooseLocations') && answer.ok()),
    Promise.resolve(reached()),
  ]);
  await main.locator('h1').waitFor();
  await page.unroute('**/ChooseLocations');
  await go('Home');
  await expect.poll(() => physical.inputValue()).toBe(next);
});

test('the place chosen in the picker changes the figures of the dashboard and the rows of lists', async () => {
  const lines = [{ item: shop.item, quantity: '3', rate: '95' }];
  await shop.post({ kind: 'saleOrder', party: shop.customer, lines });
  const other = server.organisations[0]?.locations['PUN'] ?? '';
  const physical = page.getByRole('combobox', { name: 'Physical Location', exact: true });
  const main = page.locator('.shell-main');
  const figures = async (place: string) => {
    await go('OrderDashboard');
    if ((await physical.inputValue()) !== place)
      await Promise.all([
        page.waitForResponse((answer) => answer.url().includes('GetOrdersDashboardData') && answer.ok()),
        physical.selectOption(place),
      ]);
    const shown = main.locator('.figure-cards').or(main.getByText('No Data')).first();
    await shown.waitFor();
    return (await shown.innerText()).replace(/\s+/g, ' ');
  };
  const here = await figures(shop.place.location);
  const there = await figures(other);
  expect(here).toMatch(/Sale orders?\D*[1-9]/i);
  expect(there).not.toBe(here);
  expect(await figures(shop.place.location)).toBe(here);
  // lists ask for the places too
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'Asha Traders' });
  await go('Sale Order');
  await rows.first().waitFor();
  await physical.selectOption(other);
  await rows.first().waitFor({ state: 'detached' });
  await physical.selectOption('');
  await rows.first().waitFor();
});

test('an open picker asks again when the window gets the focus', async () => {
  await go('Create Invoice');
  await page.getByRole('combobox', { name: /^Customer/ }).fill('Zenith Newcomer');
  await page.getByRole('option', { name: /^Create customer/ }).waitFor();
  const values = { name: 'Zenith Newcomer', category: 'unregistered', state: '29', country: 'IN' };
  await shop.owner.ask('SaveMaster', { master: 'customer', values });
  expect(await page.getByRole('option', { name: /^Zenith Newcomer/ }).count()).toBe(0);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.getByRole('option', { name: /^Zenith Newcomer/ }).waitFor();
  await page.keyboard.press('Escape');
});

test('help: questions of the screen, the list of keys by ?, and the single letters switched off', async () => {
  await go('Sale Invoice');
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  const help = page.getByRole('dialog', { name: 'Help: Sale invoices' });
  await help.waitFor();
  await sound();
  await help.getByRole('button', { name: 'Edit help' }).click();
  await help.getByRole('button', { name: 'Add a question' }).click();
  await help
    .getByLabel(/^Question/)
    .last()
    .fill('Who signs invoices here?');
  await help
    .getByLabel(/^Answer/)
    .last()
    .fill('Ravi does.');
  await sound();
  await help.getByRole('button', { name: 'Save help' }).click();
  await help.getByText('Who signs invoices here?').click();
  await help.getByText('Ravi does.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByText('Find a screen, document, party or item').waitFor();
  await sound();
  await keys.getByLabel(/single keys/).uncheck();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  // the dialog of Ctrl K is loaded after the key was handled
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor();
  expect(await keys.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.evaluate(() => localStorage.removeItem('bahi.letters'));
});

test('on a phone the menu and the pickers are drawers, and nothing is wider than the screen', async () => {
  const phone = await watched({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const own = await phone.newPage();
  await signIn(own, server.url);
  await sound(own);
  await own.getByRole('button', { name: 'Menu', exact: true }).click();
  const menu = own.getByRole('dialog', { name: 'Menu' });
  await menu.getByText('Purchases', { exact: true }).click();
  await sound(own);
  await menu.getByRole('link', { name: 'Purchase Bills' }).click();
  await own.getByRole('heading', { level: 1, name: 'Purchase bills' }).waitFor();
  await menu.waitFor({ state: 'detached' });
  await own.getByRole('button', { name: 'Organisation and locations' }).click();
  await own.getByRole('dialog', { name: 'Organisation' }).getByLabel('Tax Location').waitFor();
  await sound(own);
  await phone.close();
});

test('an unknown screen is the 404 page, whose button leads home', async () => {
  await page.goto(`${server.url}/layout/No%20such%20screen`);
  await page.getByRole('heading', { name: "You don't have Access this Page" }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/404');
  await sound();
  await page.getByRole('button', { name: 'Back Home' }).click();
  await page.waitForURL('**/layout/Home');
  await page.goto(`${server.url}/layout`);
  await page.waitForURL('**/layout/Home');
});

test('user menu: who one is, the own sessions, and the way out, which leaves nothing in the browser', async () => {
  const own = await (await watched()).newPage();
  await signIn(own, server.url);
  await own.getByRole('button', { name: 'User menu, Ravi Sharma' }).click();
  await own.getByText('owner@sharma.demo').waitFor();
  await sound(own);
  await own.getByRole('menuitem', { name: 'Password and sessions' }).click();
  const dialog = own.getByRole('dialog', { name: 'Password and sessions' });
  await dialog
    .getByText(/^Chrome \d+ on /)
    .first()
    .waitFor();
  await sound(own);
  await own.keyboard.press('Escape');
  await own.getByRole('button', { name: 'User menu, Ravi Sharma' }).click();
  await own.getByRole('menuitem', { name: 'Logout' }).click();
  await own.getByRole('button', { name: 'Sign in' }).waitFor();
  await own.goto(`${server.url}/layout/Home`);
  await own.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await own.evaluate(() => sessionStorage.getItem('bahi.user'))).toBeNull();
  await own.context().close();
});

test('a session that has ended says so: nothing closes the dialog but Okay, which leads to the sign-in', async () => {
  const ended = await watched();
  const own = await ended.newPage();
  await signIn(own, server.url);
  await go('Sale Invoice', own);
  await ended.clearCookies();
  await own.getByLabel('Status').selectOption('draft');
  const dialog = own.getByRole('dialog', { name: 'Your session has expired, please login again' });
  await dialog.waitFor();
  await sound(own);
  await own.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Okay' }).click();
  await own.getByRole('button', { name: 'Sign in' }).waitFor();
  await ended.close();
});

test('a menu or notifications that cannot be read say so plainly, and are read again', async () => {
  const own = await (await watched()).newPage();
  await signIn(own, server.url);
  let down = true;
  for (const call of ['GetNotifications', 'GetSession'])
    await own.route(`**/${call}`, (route) => (down ? route.fulfill({ status: 500, body: '' }) : route.continue()));
  await own.reload();
  await own.getByText('Your menu could not be read.').waitFor();
  await sound(own);
  down = false;
  await own.getByRole('button', { name: 'Retry' }).click();
  await own.locator('h1').first().waitFor();
  const bell = own.getByRole('button', { name: /^Notifications/ });
  await bell.waitFor();
  down = true;
  await own.reload();
  await own.getByText('Your menu could not be read.').waitFor();
  await own.unroute('**/GetSession');
  await own.getByRole('button', { name: 'Retry' }).click();
  await bell.click();
  const panel = own.getByRole('dialog', { name: 'Notifications' });
  await panel.getByText('Your notifications could not be read.').waitFor();
  await sound(own);
  down = false;
  await panel.getByRole('button', { name: 'Retry' }).click();
  await panel.getByText('Your notifications could not be read.').waitFor({ state: 'detached' });
  await panel.getByText('you are all caught up !').waitFor();
  await own.context().close();
});
