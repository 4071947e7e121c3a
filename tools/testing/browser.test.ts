import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, launchBrowser } from './browser.ts';

// as strict as the product's own: axe must get in all the same
const policy = "default-src 'none'; script-src 'self'; style-src 'self'";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('the browser of the tests opens a page, takes a key and finds what is not accessible', async () => {
  const page = await browser.newPage();
  const html = (field: string) =>
    `<!doctype html><html lang="en"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>A page</title><main><h1>A page</h1>${field}</main></html>`;
  await page.goto(`data:text/html,${encodeURIComponent(html('<label>Name <input></label>'))}`);
  await page.getByLabel('Name').fill('Asha');
  expect(await page.getByLabel('Name').inputValue()).toBe('Asha');
  expect(await axe(page)).toEqual([]);
  await page.goto(`data:text/html,${encodeURIComponent(html('<input>'))}`);
  expect(await axe(page)).toEqual([expect.stringMatching(/^label: /)]);
  await page.close();
});
