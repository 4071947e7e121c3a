import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe, drawn, tooWide } from '../../tools/testing/browser.ts';

/** A picture for who looks on, when it is asked for. */
export const pictured = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

/** At a width and in a mode, once the page has been drawn so. */
const drawnAt = async (page: Page, width: number, colorScheme: 'light' | 'dark') => {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await drawn(page);
};

/** Wide and on a phone, light and dark, where a picture is asked for; the page is left as it was found. */
export const picturedAll = async (page: Page, name: string): Promise<void> => {
  if (!process.env.SHOTS) return;
  for (const [width, mode] of [
    [390, 'light'],
    [390, 'dark'],
    [1440, 'dark'],
    [1440, 'light'],
  ] as const) {
    await drawnAt(page, width, mode);
    const overflow = await page.evaluate(() => {
      const main = document.querySelector('.shell-main');
      return main ? main.scrollHeight - main.clientHeight : 0;
    });
    await page.setViewportSize({ width, height: Math.min(2400, 900 + overflow) });
    await drawn(page);
    await pictured(page, `${name}-${width}-${mode}`);
  }
  await drawnAt(page, 1440, 'light');
};

/** No axe rule broken at either width, and nothing wider than a phone; the page is left as it was found. */
export const looksProper = async (page: Page, name: string): Promise<void> => {
  await pictured(page, `${name}-light`);
  expect(await axe(page)).toEqual([]);
  await drawnAt(page, 390, 'dark');
  await pictured(page, `${name}-phone`);
  expect(await tooWide(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  await drawnAt(page, 1440, 'light');
};

/** Buttons of the head of the screen, and of the bar at its foot, that something lies over. */
const headsCovered = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.head-actions button, .action-bar button')].flatMap((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      const isShown = width > 0 && button.checkVisibility({ contentVisibilityAuto: true });
      return !isShown || !over || button.contains(over) ? [] : [`${button.innerText} under ${over.className}`];
    }),
  );

/** A toast at the top right covers no button of the head, at either width; the page is left as it was found. */
export const coversNoHead = async (page: Page, name: string): Promise<void> => {
  for (const width of [390, 1440]) {
    await drawnAt(page, width, 'light');
    await pictured(page, `${name}-problems-${width}`);
    expect(await page.locator('.toast').count()).toBeGreaterThan(0);
    expect(await headsCovered(page)).toEqual([]);
  }
};
