import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { signIn } from './shop.ts';
import { type Walk, walkOn } from './walk.ts';

/** Nothing typed is lost: not by a reload, not by a lost session, not by a crash, not by bad luck with the network. */
export const drafts = (walking: () => Walk): void => {
  const typeInvoice = async ({ page, open, keys, at }: Walk, quantity: string) => {
    await open('Create Invoice');
    await keys('Bharat⏎');
    await page.getByText('supply to Karnataka').waitFor();
    await keys(`⏎REF-${quantity}⏎⏎`);
    await at('Item, line 1');
    await keys('LED-9W⏎');
    await expect.poll(() => page.getByLabel('Rate, line 1').inputValue()).toBe('95.00');
    await keys(`${quantity}⏎`);
  };
  const stands = async ({ page }: Pick<Walk, 'page'>, quantity: string) => {
    await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).toBe(quantity);
    await expect.poll(() => page.getByLabel(/^Customer/).inputValue()).toBe('Bharat Electricals');
    await expect.poll(() => page.getByLabel(/^Reference$/).inputValue()).toBe(`REF-${quantity}`);
  };

  /** The server does not answer to drafts: what is typed stands in the browser's own store. */
  const holdBack = (page: Page) => page.route('**/AddTransactionDetails', () => undefined);
  const keptHere = (page: Page) =>
    page.evaluate(async () => {
      const answer = <T>(request: IDBRequest<T>) =>
        new Promise<T>((done, failed) => {
          request.onsuccess = () => done(request.result);
          request.onerror = () => failed(request.error);
        });
      const base = await answer(indexedDB.open('bahi'));
      const drafts = await answer(base.transaction('drafts').objectStore('drafts').getAll());
      base.close();
      return JSON.stringify(drafts);
    });
  /** Once the price is worked out, the draft holds its total. */
  const isKeptHere = async (page: Page, total: string) => {
    await expect.poll(() => keptHere(page)).toContain(`"total":"${total}"`);
    await page.unroute('**/AddTransactionDetails');
  };

  /** In the moment in which the answer comes, before anything else is drawn, he goes to the list. */
  const goesOnAt = (page: Page, call: string) =>
    page.evaluate((awaited) => {
      const { fetch } = window;
      window.fetch = async (...asked) => {
        const answer = await fetch(...asked);
        if (!String(asked[0]).includes(awaited)) return answer;
        window.fetch = fetch;
        const read = answer.json.bind(answer);
        answer.json = async () => {
          const said: unknown = await read();
          const links = [...document.querySelectorAll('nav a')] as HTMLAnchorElement[];
          links.find(({ textContent }) => textContent?.trim() === 'Sale invoices')?.click();
          return said;
        };
        return answer;
      };
    }, call);
  const isAtList = async (page: Page) => {
    await page.getByRole('heading', { name: 'Sale invoices', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/layout/Sale%20Invoice');
  };

  test('a reload a moment after the last key opens the draft again', async () => {
    const walk = walking();
    await holdBack(walk.page);
    await typeInvoice(walk, '11');
    await isKeptHere(walk.page, '1233.00');
    await walk.page.reload();
    await walk.page.getByText('What you were typing is open again').waitFor();
    await stands(walk, '11');
  });

  test('who goes to another screen a moment after the last key stays there, and the draft stands in the list', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '15');
    const sent = page.waitForResponse('**/AddTransactionDetails');
    await page.getByRole('navigation').getByRole('link', { name: 'Sale invoices', exact: true }).first().click();
    expect((await sent).status()).toBe(200);
    // 15 at 95.00 with 18 %
    await page.getByRole('row').filter({ hasText: '1,682.00' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/layout/Sale%20Invoice');
  });

  test('who goes on while his document is posted stays where he is, and is told its number', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '1');
    await goesOnAt(page, 'PostTransactionCalls');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Sale invoice .* is posted/).waitFor();
    await isAtList(page);
  });

  test('nor does the address of his draft, which comes just then, bring him back', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '16');
    await goesOnAt(page, 'AddTransactionDetails');
    await page.getByRole('row').filter({ hasText: '1,794.00' }).waitFor();
    await isAtList(page);
  });

  test('without the network it is kept here, and saved once the server can be reached', async () => {
    const walk = walking();
    await typeInvoice(walk, '12');
    await walk.page.context().setOffline(true);
    await walk.keys('96⏎');
    await walk.page.getByText('Kept in this browser until the server can be reached').waitFor();
    await walk.page.context().setOffline(false);
    await walk.page.keyboard.press('Control+s');
    await walk.page.getByText('Saved just now').waitFor();
    await stands(walk, '12');
  });

  test('a lost session asks to sign in, and goes on where it stopped', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '13');
    await page.context().clearCookies();
    await walk.keys('97⏎');
    await page.keyboard.press('Control+s');
    await page.getByText('Your session has expired, please login again').waitFor();
    await page.getByRole('button', { name: 'Okay' }).focus();
    await walk.keys('⏎');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    // on a slow line what draws the editor comes last, and the screen on which signing in ends is there at once
    const slowly = async (route: Route) => {
      await new Promise((then) => setTimeout(then, 700));
      await route.continue();
    };
    for (const late of ['**/GetSession*', '**/DocumentEditor*.js']) await page.route(late, slowly);
    await signIn(page, walk.server.url, undefined, '**/layout/Create%20Invoice**');
    await stands(walk, '13');
    await page.unrouteAll();
  });

  test('a tab that crashed: its draft waits in the list, in another tab', async () => {
    const walk = walking();
    const held = () => walk.page.evaluate(async () => (await navigator.locks.query()).held?.length);
    const before = await held();
    const other = await walk.page.context().newPage();
    const second = walkOn(walk.server, walk.shop, other);
    await holdBack(other);
    await typeInvoice(second, '14');
    await isKeptHere(other, '1569.00');
    await other.close({ runBeforeUnload: false });
    // a browser lets go of what a tab held a moment after it is gone
    await expect.poll(held).toBe(before);
    await walk.page.goto(`${walk.server.url}/layout/Sale%20Invoice`);
    await walk.page.getByText(/kept in this browser (was|were) saved/).waitFor();
    // 14 at 95.00 with 18 %
    const draft = walk.page.getByRole('row').filter({ hasText: '1,569.00' });
    await draft.getByRole('button').first().click();
    await walk.page.getByLabel('Quantity, line 1').waitFor();
    await stands(walk, '14');
  });
};
