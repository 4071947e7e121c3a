import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { goesOnAt, type Router } from '../kit/go.ts';
import { signIn } from '../kit/shop.ts';
import { type Walk, walkOn } from '../kit/walk.ts';

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

/**
 * The server does not answer to drafts until they are let go: what is typed is in the browser's own store only. Taking the
 * route away instead would send what was held back.
 */
const holdBack = async (page: Page) => {
  const held: Route[] = [];
  let isOpen = false;
  await page.route('**/AddTransactionDetails', (route) => (isOpen ? route.continue() : void held.push(route)));
  return {
    held,
    letGo: () => {
      isOpen = true;
    },
  };
};
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
const isKeptHere = (page: Page, total: string) => expect.poll(() => keptHere(page)).toContain(`"total":"${total}"`);

const inTheBooks = async ({ server }: Walk, reference: string) =>
  (
    await server.database.owner.query(
      `
        select
          (select count(*)::int from documents where reference = $1) as posted,
          (select count(*)::int from drafts where body ->> 'reference' = $1) as drafts
      `,
      [reference],
    )
  ).rows[0];

const isAtList = async (page: Page) => {
  await page.getByRole('heading', { name: 'Sale invoices', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/layout/Sale%20Invoice');
};

/** Posted and in the books, but the answer is lost on its way; drafts do not reach the server meanwhile. */
const losesAnswer = async ({ page }: Walk, then: (route: Route) => Promise<void>) => {
  await page.route('**/AddTransactionDetails', (route) => route.abort());
  const lost = new Promise<number>((answered) => {
    void page.route('**/PostTransactionCalls', async (route) => {
      const answer = await route.fetch();
      await then(route);
      answered(answer.status());
    });
  });
  await page.keyboard.press('Control+Enter');
  expect(await lost).toBe(200);
  await page.unroute('**/AddTransactionDetails');
};

/** A reload finds what was typed. */
const reloads = (walking: () => Walk): void => {
  test('a reload a moment after the last key opens the draft again', async () => {
    const walk = walking();
    const { letGo } = await holdBack(walk.page);
    await typeInvoice(walk, '11');
    await isKeptHere(walk.page, '1233.00');
    letGo();
    await walk.page.reload();
    await walk.page.getByText('Your unsaved changes are open again').waitFor();
    await stands(walk, '11');
    await walk.page.unrouteAll();
  });

  test('a reload right after the answer to an earlier save opens what was typed since, in the same draft', async () => {
    const walk = walking();
    const { page, keys } = walk;
    const { held, letGo } = await holdBack(page);
    await typeInvoice(walk, '23');
    await expect.poll(() => held.length).toBe(1);
    await keys('90⏎');
    // 23 at 90.00 with 18 %, rounded
    await isKeptHere(page, '2443.00');
    await held[0]?.continue();
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBe(null);
    letGo();
    await page.reload();
    await stands(walk, '23');
    expect(Number(await page.getByLabel('Rate, line 1').inputValue())).toBe(90);
    expect(await inTheBooks(walk, 'REF-23')).toEqual({ posted: 0, drafts: 1 });
    await page.unrouteAll();
  });
};

/** The answer to a posting is lost: nothing is posted twice. */
const lostAnswers = (walking: () => Walk): void => {
  test('a reload before the answer to a posting has come does not open again what is in the books', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '17');
    await losesAnswer(walk, async () => undefined);
    await page.reload();
    await page.unrouteAll();
    await page.getByText(/^Your changes are not lost: this document is already posted as /).waitFor();
    await walk.at('Customer');
    expect(await page.getByLabel(/^Customer/).inputValue()).toBe('');
    expect(await inTheBooks(walk, 'REF-17')).toEqual({ posted: 1, drafts: 0 });
  });

  test('what was posted without an answer is not posted a second time when it is typed on', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '18');
    await losesAnswer(walk, (route) => route.abort());
    await page.unrouteAll();
    await page.getByText('The connection is back: press Ctrl Enter').first().waitFor();
    await page.getByLabel('Quantity, line 1').fill('19');
    await page.keyboard.press('Control+Enter');
    await page.locator('.error-panel').getByText('This document is already posted as').waitFor();
    expect(await inTheBooks(walk, 'REF-18')).toEqual({ posted: 1, drafts: 0 });
    // as it was sent, it gets the answer that was lost
    await page.getByLabel('Quantity, line 1').fill('18');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Sale invoice .* is posted/).waitFor();
    expect(await inTheBooks(walk, 'REF-18')).toEqual({ posted: 1, drafts: 0 });
  });
};

/** Somebody opens another screen while the editor still works. */
const otherScreens = (walking: () => Walk): void => {
  test('who goes to another screen a moment after the last key stays there, and the draft is in the list', async () => {
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

  test('who opens another screen while their document is posted stays there, and sees its number', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '1');
    await goesOnAt(page, 'PostTransactionCalls', 'Sale invoices');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Sale invoice .* is posted/).waitFor();
    await isAtList(page);
  });

  test('the next document is empty when it is begun at the moment in which the posted one is shown', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '2');
    await page.evaluate(() => {
      const { __TSR_ROUTER__: router } = window as unknown as { readonly __TSR_ROUTER__: Router };
      const stop = router.subscribe('onRendered', () => {
        if (!location.pathname.endsWith('/saleview')) return;
        stop();
        void router.navigate({ href: '/layout/Create%20Invoice', ignoreBlocker: true });
      });
    });
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Sale invoice .* is posted/).waitFor();
    await walk.at('Customer');
    expect(await page.getByLabel(/^Customer/).inputValue()).toBe('');
    expect(await page.getByLabel('Quantity, line 1').inputValue()).toBe('');
  });

  test('who opens another screen while their document is refused sees why, and finds it among the drafts', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '900000');
    await goesOnAt(page, 'PostTransactionCalls', 'Sale invoices');
    await page.keyboard.press('Control+Enter');
    const alert = page.getByRole('alert').filter({ hasText: /^Sale invoice, kept as a draft: / });
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/Only \d+ in stock/);
    await isAtList(page);
    // 9,00,000 at 95.00 with 18 %
    await page.getByRole('row').filter({ hasText: '10,08,90,000.00' }).waitFor();
  });

  test('the address of the draft, which arrives at that moment, does not lead back to it', async () => {
    const walk = walking();
    const { page } = walk;
    await typeInvoice(walk, '16');
    await goesOnAt(page, 'AddTransactionDetails', 'Sale invoices');
    await page.getByRole('row').filter({ hasText: '1,794.00' }).waitFor();
    await isAtList(page);
  });
};

/** The network or the session is lost. */
const lostConnection = (walking: () => Walk): void => {
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

  test('what was saved at once after the last key is not kept in the browser as well', async () => {
    const walk = walking();
    const { page, keys } = walk;
    await typeInvoice(walk, '14');
    await keys('98⏎');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved just now').waitFor();
    // longer than the editor waits after a key before it keeps a draft in the browser
    await page.waitForTimeout(500);
    expect(await keptHere(page)).toBe('[]');
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
};

/** The tab is closed, or crashes. */
const closedTabs = (walking: () => Walk): void => {
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

  test('a tab closed right after the last key: what was typed waits in the list', async () => {
    const walk = walking();
    const held = () => walk.page.evaluate(async () => (await navigator.locks.query()).held?.length);
    const before = await held();
    const other = await walk.page.context().newPage();
    const second = walkOn(walk.server, walk.shop, other);
    await holdBack(other);
    await typeInvoice(second, '21');
    await other.keyboard.type('77');
    other.on('dialog', (asks) => void asks.accept());
    await other.close({ runBeforeUnload: true });
    await expect.poll(() => other.isClosed()).toBe(true);
    await expect.poll(held).toBe(before);
    await walk.page.goto(`${walk.server.url}/layout/Sale%20Invoice`);
    await walk.page.getByText(/kept in this browser (was|were) saved/).waitFor();
    // 21 at 77.00 with 18 %, rounded: the rate was typed in the last moment
    await walk.page.getByRole('row').filter({ hasText: '1,908.00' }).waitFor();
  });
};

/** What is worth keeping. */
const littleTyped = (walking: () => Walk): void => {
  test('a party alone makes no draft when one leaves; asked for, it does', async () => {
    const walk = walking();
    const { page, open, keys } = walk;
    const kept = async () =>
      (
        await walk.server.database.owner.query(
          "select count(*)::int as n from drafts where body ->> 'narration' is null",
        )
      ).rows[0].n as number;
    const before = await kept();
    await open('Create Invoice');
    await keys('Bharat⏎');
    await page.getByText('supply to Karnataka').waitFor();
    // longer than the editor waits before it saves
    await page.waitForTimeout(2500);
    await page.getByRole('navigation').getByRole('link', { name: 'Sale invoices', exact: true }).first().click();
    await isAtList(page);
    await page.waitForTimeout(500);
    expect(await kept()).toBe(before);
    await open('Create Invoice');
    await keys('Bharat⏎');
    await page.getByText('supply to Karnataka').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved just now').waitFor();
    expect(await kept()).toBe(before + 1);
  });
};

/** Nothing typed is lost: not by a reload, not by a lost session, not by a crash, not by bad luck with the network. */
export const drafts = (walking: () => Walk): void => {
  reloads(walking);
  lostAnswers(walking);
  otherScreens(walking);
  lostConnection(walking);
  closedTabs(walking);
  littleTyped(walking);
};
