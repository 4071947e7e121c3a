import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type ScreenName, screens } from '../../contract/screens.ts';
import { addDays, financialYearOf, todayIn } from '../../domain/base/dates.ts';
import { openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from './go.ts';
import { openShop, type Shop, signIn } from './shop.ts';

/**
 * A day of the recent past, today without a number, as somebody types it: day and month, and the year where it is not
 * the financial year of today.
 */
export const typedDay = (back = 0, now = Date.now()): string => {
  const today = todayIn(now);
  const meant = addDays(today, -back);
  const [year, month, day] = meant.split('-');
  return financialYearOf(meant).start === financialYearOf(today).start ? `${day}/${month}` : `${day}/${month}/${year}`;
};

/** A posted document as the server shows it. */
export interface Posted {
  readonly id: string;
  readonly number: string;
  /** 'Dr 1121.00' or 'Cr 950.00' by code of the ledger. */
  readonly entries: Readonly<Record<string, string>>;
  readonly movements: readonly { readonly quantity: string; readonly cost: string }[];
  readonly open: string | null;
}

/** Someone at the keyboard. */
export interface Walk {
  readonly page: Page;
  readonly server: TestServer;
  readonly shop: Shop;
  /** Opens a screen; on an editor, once its first field has the focus. */
  open(screen: string, query?: string): Promise<void>;
  /** Types as a person does: ⏎ Enter, ⇥ Tab, ↓ the arrow, the rest as it stands. */
  keys(text: string): Promise<void>;
  /** The label of the control that has the focus. */
  focused(): Promise<string>;
  /** Waits until that control has the focus. */
  at(label: string | RegExp): Promise<void>;
  /** Chooses the party and, by its number, the document that is given back or corrected; answers at the reason. */
  against(party: string, number: string): Promise<void>;
  /** Posts with Ctrl Enter, or takes what was just posted, and answers what is in the books. */
  post(how?: 'ctrlEnter' | 'pressed'): Promise<Posted>;
  /** The number stands in the list of that screen. */
  listed(screen: string, number: string): Promise<void>;
  stop(): Promise<void>;
}

const special: Readonly<Record<string, string>> = { '⏎': 'Enter', '⇥': 'Tab', '↓': 'ArrowDown' };

/** A server with a shop and 5,000 more parties and items, and its owner signed in at a browser. */
export async function startWalk(): Promise<Walk> {
  const server = await testServer();
  const shop = await openShop(server);
  await stockUp(server);
  await furnish(shop);
  const browser = await openBrowser();
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, server.url);
  return walkOn(server, shop, page);
}

/** The walk of another page of the same server, signed in already. */
export function walkOn(server: TestServer, shop: Shop, page: Page): Walk {
  const bugs: string[] = [];
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => bugs.push(error.message));
  const focused = () =>
    page.evaluate(() => {
      const control = document.activeElement as HTMLInputElement | null;
      return control?.getAttribute('aria-label') ?? control?.labels?.[0]?.textContent ?? control?.textContent ?? '';
    });
  const at = async (label: string | RegExp) => {
    const matches = (text: string) => (typeof label === 'string' ? text.startsWith(label) : label.test(text));
    await expect.poll(focused, { timeout: 10_000 }).toSatisfy(matches, `focus at ${label}`);
  };
  const refused = page.locator('form.editor').locator('xpath=..').locator('.error-panel');
  const refusal = async () => (await refused.allInnerTexts())[0] ?? '';
  // A refusal of the attempt before stands until the new attempt is on its way; its reference tells the two apart.
  const posted = async (earlier: string): Promise<Posted> => {
    await expect
      .poll(async () => (await page.locator('.view-row').count()) > 0 || !['', earlier].includes(await refusal()), {
        timeout: 20_000,
      })
      .toBe(true);
    const problem = await refusal();
    if (problem !== '') throw new Error(`not posted: ${problem}`);
    // the document is shown a moment before the address says so
    const shown = () => new URL(page.url()).searchParams.get('id') ?? '';
    await expect.poll(shown).not.toBe('');
    const id = shown();
    const view = (await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as {
      number: string;
      open: string | null;
      entries: { code: string; debit: string; credit: string }[];
      movements: { quantity: string; cost: string }[];
    };
    const entries = view.entries.map((e): [string, string] => [
      e.code,
      e.debit === '0.00' ? `Cr ${e.credit}` : `Dr ${e.debit}`,
    ]);
    expect(bugs).toEqual([]);
    return { ...view, id, entries: Object.fromEntries(entries) };
  };
  const keys = async (text: string) => {
    for (const part of text.split(/([⏎⇥↓])/).filter(Boolean)) {
      const key = special[part];
      if (key) await page.keyboard.press(key);
      else await page.keyboard.type(part);
    }
  };
  return {
    ...{ page, server, shop, focused, at, keys },
    open: async (screen, query = '') => {
      await goTo(page, `${server.url}/layout/${encodeURIComponent(screen)}${query}`);
      await page.locator('h1').first().waitFor();
      const { view } = screens[screen as ScreenName].show;
      if (view === 'documentEditor' || query.includes('documentEditor'))
        await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
    },
    against: async (party, number) => {
      await keys(`${party}⏎⏎${number}`);
      await page.getByRole('option', { name: number }).waitFor();
      await keys('⏎');
      await page.getByLabel('Quantity, line 1').waitFor();
      await at('Reason');
    },
    post: async (how = 'ctrlEnter') => {
      const earlier = how === 'ctrlEnter' ? await refusal() : '';
      if (how === 'ctrlEnter') await page.keyboard.press('Control+Enter');
      return posted(earlier);
    },
    listed: async (screen, number) => {
      await goTo(page, `${server.url}/layout/${encodeURIComponent(screen)}`);
      await page.getByRole('grid').getByText(number, { exact: true }).first().waitFor();
    },
    stop: async () => {
      await page.context().browser()?.close();
      await server.stop();
    },
  };
}

/** A customer with a limit, a supplier, goods and a service. */
async function furnish({ owner, post }: Shop): Promise<void> {
  const save = async (master: string, values: Record<string, unknown>) =>
    ((await owner.ask('SaveMaster', { master, values })) as { id: string }).id;
  const address = { line1: '9 Ring Road', city: 'Bengaluru', state: '29', pincode: '560058' };
  const party = { category: 'registered', state: '29', addresses: [address] };
  const item = { unit: 'NOS', treatment: 'taxable', gstRate: '18' };
  await save('customer', { ...party, name: 'Bharat Electricals', gstin: '29AABCB1234F1Z4', creditLimit: '500000' });
  await save('supplier', { ...party, name: 'Kaveri Mills', gstin: '29AABCK1234F1ZV', creditDays: '30' });
  const fan = await save('item', {
    ...{ ...item, sku: 'FAN-48', name: 'Ceiling fan 48 inch', type: 'stock', hsn: '84145120' },
    ...{ saleRate: '1500.00', purchaseRate: '1000.00' },
  });
  await save('item', { ...item, sku: 'FIT', name: 'Fitting', type: 'service', hsn: '998717', saleRate: '200.00' });
  await post({ kind: 'openingStock', lines: [{ item: fan, quantity: '20', rate: '1000' }] });
}

/** As many parties and items as a trader of some size has; searching them is the server's work. */
async function stockUp(server: TestServer): Promise<void> {
  const { owner } = server.database;
  const [sharma] = server.organisations;
  await owner.query(
    `
      insert into parties (organisation, id, code, name, side, category, gstin, state, search)
      select
        $1, gen_random_uuid(), 'P' || n, 'Party ' || n, 'both', 'registered',
        '29AABCP' || lpad(n::text, 4, '0') || 'F1Z5', '29',
        lower('party ' || n || ' p' || n || ' 29aabcp' || lpad(n::text, 4, '0') || 'f1z5')
      from generate_series(1, 5000) n
    `,
    [sharma?.organisation],
  );
  await owner.query(
    `
      insert into items (
        organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, sale_rate,
        purchase_rate, search
      )
      select
        $1, gen_random_uuid(), 'SKU' || n, 'Article ' || n, false, true, '84713010', 'NOS', 'taxable',
        180000, 100000000, 60000000, lower('sku' || n || ' article ' || n)
      from generate_series(1, 5000) n
    `,
    [sharma?.organisation],
  );
}
