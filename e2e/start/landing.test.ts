import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

// The first page: what the product is, and the ways in that this installation offers.
let browser: Browser;
let servers: TestServer[] = [];
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) await server.stop();
});
const installed = async (settings: Parameters<typeof testServer>[1]): Promise<TestServer> => {
  const server = await testServer({}, settings);
  servers = [...servers, server];
  return server;
};
const visit = async (server: TestServer): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  return page;
};

test('who comes to try it starts books of their own, or the demo, whose password is filled in', async () => {
  const server = await installed({ signUp: 'open', demo: true });
  const page = await visit(server);
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await axe(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/landing-${width}.png` });
  }
  await page.getByRole('link', { name: 'Try the demo' }).click();
  await page.getByText('The demo is a made-up company').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Sharma Traders' }).waitFor();
  await page.context().clearCookies();
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Start your books' }).click();
  await page.getByRole('heading', { name: 'New organisation' }).waitFor();
  await page.context().close();
});

test('an installation for real books offers the sign-in alone, and proposes nobody', async () => {
  const server = await installed({ signUp: 'members', demo: false });
  const page = await visit(server);
  for (const name of ['Try the demo', 'Start your books'])
    expect(await page.getByRole('link', { name }).count()).toBe(0);
  await page.goto(`${server.url}/api/session/SignIn?demo`);
  await page.getByLabel('Email').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('');
  expect(await page.getByLabel('Password').inputValue()).toBe('');
  await page.context().close();
});
