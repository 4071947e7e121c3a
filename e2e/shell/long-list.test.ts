import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../kit/desk.ts';

// A list that is longer than a window: only the rows around what is looked at are drawn, and what somebody does in it stays.
let desk: Desk;
const HOW_MANY = 130;
/** Rows that a window of 900 shows, and those kept ready above and below them. */
const DRAWN = 60;
/** The first that was made stands last: the newest is first. */
let [last, newest] = ['', ''];
const bugs: string[] = [];

beforeAll(async () => {
  desk = await openDesk();
  const { page, shop } = desk;
  page.on('pageerror', (error) => bugs.push(error.message));
  page.setDefaultTimeout(10_000);
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const post = () => shop.post({ kind: 'quotation', party: shop.customer, lines });
  last = (await post()).TransactionNumber;
  for (let made = 1; made < HOW_MANY - 1; made += 8)
    await Promise.all(Array.from({ length: Math.min(8, HOW_MANY - 1 - made) }, post));
  newest = (await post()).TransactionNumber;
});
afterAll(async () => {
  await desk?.stop();
});

const grid = () => desk.page.getByRole('grid', { name: 'Quotations' });
const drawn = () => grid().locator('.t-body .t-row').count();
const row = (number: string) => grid().getByRole('row').filter({ hasText: number });
const within = async (inner: Locator) => {
  const [box, frame] = [await inner.boundingBox(), await grid().boundingBox()];
  return box && frame ? box.y >= frame.y && box.y + box.height <= frame.y + frame.height : false;
};
/** What has the focus, and whether the row named as active is there. */
const focused = () =>
  grid().evaluate((element) => {
    const at = document.activeElement;
    const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
    return { in: at === element ? 'the list' : element.contains(at) ? 'a row' : at?.tagName, active: active !== null };
  });
const open = async () => {
  await desk.go('Quotation');
  await desk.page.getByText(newest).waitFor();
};
/** To the last row of all pages: each end that is reached fetches the next page. */
const toTheEnd = () =>
  expect
    .poll(async () => {
      await desk.page.keyboard.press('End');
      expect(await drawn()).toBeLessThan(DRAWN);
      return row(last).count();
    })
    .toBe(1);

test('by the keyboard to the last of them: few rows are drawn, what is chosen stays chosen', async () => {
  const { page } = desk;
  await open();
  expect(await drawn()).toBeLessThan(DRAWN);
  await grid().focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Export 1', exact: true }).waitFor();
  await toTheEnd();
  await expect.poll(() => within(row(last))).toBe(true);
  expect(await grid().getAttribute('aria-rowcount')).toBe(String(HOW_MANY + 1));
  expect(await row(newest).count()).toBe(0);
  expect(await focused()).toEqual({ in: 'the list', active: true });
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Export 2', exact: true }).waitFor();
  await desk.clean();
  await page.keyboard.press('Home');
  await expect.poll(() => within(row(newest))).toBe(true);
  expect(await row(newest).getAttribute('aria-selected')).toBe('true');
  expect(await drawn()).toBeLessThan(DRAWN);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: `Quotation ${last}` }).waitFor();
  expect(bugs).toEqual([]);
});

test('by the wheel away from the row that the keyboard is in, and back', async () => {
  const { page } = desk;
  await open();
  await grid().focus();
  await toTheEnd();
  await page.keyboard.press('Home');
  await expect.poll(() => within(row(newest))).toBe(true);
  const tick = row(newest).getByRole('checkbox');
  await tick.click();
  await grid().hover();
  await page.mouse.wheel(0, 36 * HOW_MANY);
  await expect.poll(() => within(row(last))).toBe(true);
  expect(await drawn()).toBeLessThan(DRAWN);
  // what it is in stays, though nobody sees it
  expect(await focused()).toEqual({ in: 'a row', active: true });
  await page.keyboard.press('Space');
  expect(await page.getByRole('button', { name: /^Export \d+$/ }).count()).toBe(0);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Export 1', exact: true }).waitFor();
  await grid().focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => within(grid().locator('.t-row[data-active]'))).toBe(true);
  expect(await row(newest).getAttribute('aria-selected')).toBe('true');
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check();
  await page.getByRole('button', { name: `Export ${HOW_MANY}`, exact: true }).waitFor();
  expect(bugs).toEqual([]);
});

test('on a phone the next of them come when they are asked for, under those that were there', async () => {
  const { page } = desk;
  await page.setViewportSize({ width: 390, height: 844 });
  await open();
  await page.reload(); // rows fetched by earlier tests are shown at once
  const cards = page.getByRole('list', { name: 'Quotations' }).getByRole('listitem');
  await cards.first().getByRole('checkbox').check();
  for (const shown of [50, 100]) {
    await expect.poll(() => cards.count()).toBe(shown);
    await page.getByRole('button', { name: 'Show more' }).click();
  }
  await cards.filter({ hasText: last }).scrollIntoViewIfNeeded();
  expect(await cards.count()).toBe(HOW_MANY);
  await page.getByRole('button', { name: 'Export 1', exact: true }).waitFor();
  await desk.clean();
  expect(bugs).toEqual([]);
});
