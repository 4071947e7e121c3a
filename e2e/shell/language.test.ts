import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Screen, screenNames, screens } from '../../contract/screens.ts';
import { openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { listed } from '../../tools/texts.ts';
import { PSEUDO_LANGUAGE } from '../../web/kit/pseudo.ts';
import { fillShop } from '../kit/full-shop.ts';
import { goTo } from '../kit/go.ts';
import { openShop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
let ids: ReadonlyMap<string, string>;

beforeAll(async () => {
  server = await testServer();
  ({ ids } = await fillShop(await openShop(server)));
  browser = await openBrowser();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url);
  await page.evaluate((language) => localStorage.setItem('bahi.language', language), PSEUDO_LANGUAGE);
  await page.reload();
  await page.locator('h1').first().waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** One screen of each view, and every screen that is a component of its own. */
const shape = (name: (typeof screenNames)[number]): string => {
  const { show } = screens[name] as Screen;
  return show.view === 'own' || show.view === 'settings' ? name : show.view;
};
const works = screenNames.filter((name) => (screens[name] as Screen).show.view !== 'later');
const sampled =
  process.env.BAHI_ALL === '1'
    ? works
    : works.filter((name, index) => works.findIndex((other) => shape(other) === shape(name)) === index);

const addressOf = (name: (typeof works)[number]): string => {
  const { show } = screens[name] as Screen;
  const id = show.view === 'documentView' ? ids.get(show.kind) : show.view === 'masterForm' ? ids.get(show.master) : '';
  return `${server.url}/layout/${encodeURIComponent(name)}${id ? `?id=${id}` : ''}`;
};

/** What is shown or read aloud, text by text. */
const shownTexts = (): Promise<string[]> =>
  page.evaluate(() => {
    const texts = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest('script, style')) texts.add((node.textContent ?? '').trim());
    for (const name of ['aria-label', 'title', 'placeholder'])
      for (const element of document.querySelectorAll(`[${name}]`)) texts.add(element.getAttribute(name) ?? '');
    return [...texts];
  });

/** Records of the shop and answers of the server that are called like a text of the catalogue. */
const data = new Set(['Active', 'All', 'Regular']);
const keys = new Set(Object.keys(listed()).filter((key) => !data.has(key)));

test('the page says which language it is in', async () => {
  expect(await page.locator('html').getAttribute('lang')).toBe(PSEUDO_LANGUAGE);
});

test.each(sampled)('%s draws no text of the catalogue untranslated', async (name) => {
  await goTo(page, addressOf(name));
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  const texts = await shownTexts();
  expect(texts.filter((text) => keys.has(text) && /\p{Ll}{2}/u.test(text))).toEqual([]);
});
