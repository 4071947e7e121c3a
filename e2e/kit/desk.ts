import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe, openBrowser, tooWide } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from './go.ts';
import { openShop, type Shop, signIn } from './shop.ts';

/** A server with a shop, and its owner signed in at a browser. */
export interface Desk {
  readonly server: TestServer;
  readonly shop: Shop;
  readonly browser: Browser;
  readonly page: Page;
  /** Opens a screen and waits for its heading. */
  go(screen: string, query?: string): Promise<void>;
  /** Nothing against WCAG and nothing too wide, as the page stands. */
  clean(on?: Page): Promise<void>;
  /** The same at 390 dark and at 1440 light. `SHOTS` names a folder that gets a picture of each. */
  cleanAtBoth(name: string, on?: Page): Promise<void>;
  stop(): Promise<void>;
}

/** `prepare` is done before the browser comes: records that the walks find. */
export async function openDesk(
  settings: Parameters<typeof testServer>[0] = {},
  {
    prepare = async () => undefined,
    ...more
  }: Parameters<typeof testServer>[1] & { readonly prepare?: (shop: Shop) => Promise<unknown> } = {},
): Promise<Desk> {
  const server = await testServer(settings, more);
  const shop = await openShop(server);
  await prepare(shop);
  const browser = await openBrowser();
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  ).newPage();
  page.setDefaultTimeout(15_000);
  await signIn(page, server.url);
  const clean = async (on = page) => {
    await on.waitForLoadState('networkidle');
    expect(await axe(on)).toEqual([]);
    expect(await tooWide(on)).toEqual([]);
  };
  return {
    ...{ server, shop, browser, page, clean },
    go: async (screen, query = '') => {
      await goTo(page, `${server.url}/layout/${encodeURIComponent(screen)}${query}`);
      await page.locator('h1').first().waitFor();
    },
    cleanAtBoth: async (name, on = page) => {
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [1440, 'light'],
      ] as const) {
        await on.setViewportSize({ width, height: 900 });
        await on.emulateMedia({ colorScheme });
        await clean(on);
        if (process.env.SHOTS)
          await on.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true });
      }
    },
    stop: async () => {
      await browser.close();
      await server.stop();
    },
  };
}
