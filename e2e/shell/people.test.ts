import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
const bugs: string[] = [];

beforeAll(async () => {
  server = await testServer({}, { jobs: true });
  browser = await openBrowser();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.on('pageerror', (error) => bugs.push(error.message));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a user is made, gets a link, sets the password, signs in and changes it', async () => {
  await signIn(page, server.url);
  await page.goto(`${server.url}/layout/UserNewEdit?id=new`);
  await page.getByLabel(/^Name/).fill('Kiran Rao');
  await page.getByLabel(/^E-mail/).fill('kiran@sharma.demo');
  await page.getByRole('button', { name: 'Save user' }).click();
  await page.getByRole('button', { name: 'Make sign-in link' }).click();
  const link = await page.getByLabel('Link to take up the invitation').inputValue();
  expect(link).toMatch(/\/invitation#[\w-]{43}$/);

  const own = await (await browser.newContext()).newPage();
  own.on('pageerror', (error) => bugs.push(error.message));
  await own.goto(link);
  await own.getByRole('heading', { name: 'Join Sharma Traders Private Limited' }).waitFor();
  expect(own.url()).not.toContain('#');
  await own.getByLabel('New password').fill('correct horse battery');
  await own.getByLabel('The same again').fill('correct horse battery');
  await own.getByRole('button', { name: 'Set password' }).click();
  await own.getByRole('link', { name: 'Sign in' }).click();
  await own.getByLabel('Email').fill('kiran@sharma.demo');
  await own.getByLabel('Password').fill('correct horse battery');
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.waitForURL('**/layout/Home');

  await own.getByRole('button', { name: /^User menu/ }).click();
  await own.getByRole('menuitem', { name: 'Password and sessions' }).click();
  const dialog = own.getByRole('dialog');
  await dialog.getByText('This one').waitFor();
  await dialog.getByLabel('Password now').fill('correct horse battery');
  await dialog.getByLabel(/^New password \*/).fill('another long phrase');
  await dialog.getByLabel(/^New password again/).fill('another long phrase');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await own.getByText('The password is changed').waitFor();
  await server.signIn('kiran@sharma.demo', 'another long phrase');
  expect(bugs).toEqual([]);
});

test('the invitation is mailed, and a forgotten password is set anew by a link in the mail box', async () => {
  await page.goto(`${server.url}/layout/UserNewEdit?id=new`);
  await page.getByLabel(/^Name/).fill('Meena Iyer');
  await page.getByLabel(/^E-mail/).fill('meena@sharma.demo');
  await page.getByRole('button', { name: 'Save user' }).click();
  await page.getByRole('button', { name: 'Mail sign-in link' }).click();
  await page.getByText('The invitation was mailed to meena@sharma.demo').waitFor();
  expect(await axe(page)).toEqual([]);
  const linkIn = () => /http:\S+#[\w-]{43}/.exec(server.catcher.mails()[0]?.message.text ?? '')?.[0] ?? '';

  const own = await (await browser.newContext()).newPage();
  own.on('pageerror', (error) => bugs.push(error.message));
  const setPassword = async (link: string, password: string) => {
    await own.goto('about:blank');
    await own.goto(link);
    await own.getByLabel('New password').fill(password);
    await own.getByLabel('The same again').fill(password);
    await own.getByRole('button', { name: 'Set password' }).click();
    await own.getByRole('heading', { name: 'All is set' }).waitFor();
  };
  await setPassword(linkIn(), 'correct horse battery');
  await own.goto(server.url);
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.getByRole('link', { name: 'Forgot your password?' }).click();
  await own.getByLabel('Email').fill('meena@sharma.demo');
  expect(await axe(own)).toEqual([]);
  await own.getByRole('button', { name: 'Mail the link' }).click();
  await own.getByRole('heading', { name: 'Look into your mail' }).waitFor();
  await expect.poll(() => server.catcher.mails().length, { timeout: 10_000 }).toBe(2);
  await setPassword(linkIn(), 'another long phrase');
  await server.signIn('meena@sharma.demo', 'another long phrase');
  expect(bugs).toEqual([]);
});

test('a group gives its members a location, and the screen of rights says so', async () => {
  const pick = async (label: RegExp, text: string, option: string | RegExp) => {
    await page.getByRole('combobox', { name: label }).fill(text);
    // the top bar has options of places too
    await page.getByRole('listbox').getByRole('option', { name: option }).first().click();
  };
  await page.goto(`${server.url}/layout/groupsedit?id=new`);
  await page.getByLabel(/^Name/).fill('Pune desk');
  await pick(/^Locations/, 'Pune', /Pune branch/);
  await pick(/^Members/, 'Farah', /Farah Khan/);
  expect(await axe(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/group.png`, fullPage: true });
  await page.keyboard.press('Control+s');
  await page.waitForURL(/GroupsList/);
  await page.getByRole('grid').getByText('Pune branch').waitFor();
  await page.goto(`${server.url}/layout/Users%20List`);
  await page.getByRole('grid').getByRole('button', { name: 'Farah Khan' }).click();
  await pick(/^Screen/, 'Sale invoices', /Sale invoices/);
  await page.getByText('Pune branch (by the group Pune desk)', { exact: false }).waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/why.png`, fullPage: true });
  const farah = await (await browser.newContext()).newPage();
  await signIn(farah, server.url, 'viewer@sharma.demo');
  const places = async () =>
    (await farah.locator('option').allInnerTexts())
      .filter((name) => /Pune|Bengaluru/.test(name))
      // the tax location says its GSTIN, too
      .map((name) => name.split(' · ')[0]);
  await expect.poll(async () => new Set(await places())).toEqual(new Set(['Pune branch']));
  expect(bugs).toEqual([]);
});

test('a session that answers late: the way in is shown after a second, then the screen that was asked for', async () => {
  const own = await (await browser.newContext()).newPage();
  own.on('pageerror', (error) => bugs.push(error.message));
  await signIn(own, server.url);
  const other = await own.context().newPage();
  let answer = () => {};
  const late = new Promise<void>((done) => {
    answer = done;
  });
  await other.route('**/api/session/GetSession*', async (route) => {
    await late;
    await route.continue();
  });
  await other.goto(`${server.url}/layout/${encodeURIComponent('Sale Invoice')}?search=INV`);
  await other.getByRole('button', { name: 'Sign in' }).waitFor();
  answer();
  await other.getByRole('heading', { name: 'Sale invoice', level: 1 }).waitFor();
  expect(new URL(other.url()).search).toBe('?search=INV');
  expect(bugs).toEqual([]);
});
