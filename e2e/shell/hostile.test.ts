import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Screen, screenNames, screens } from '../../contract/screens.ts';
import { openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

// Text that would run where text is taken for a page, in every field that takes any: it is only ever shown.
const hostile = [
  `<img src=x onerror=alert(1)>`,
  `"><script>alert(1)</script>`,
  `<svg/onload=alert(1)>`,
  `javascript:alert(1)`,
  `{{constructor.constructor('alert(1)')()}}`,
  `</title><iframe src=https://evil.example>`,
] as const;

let server: TestServer;
let browser: Browser;
let page: Page;
let shop: Shop;
const ids = new Map<string, string>();
const wrong: string[] = [];

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  await fillWithHostile();
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('dialog', (dialog) => {
    wrong.push(`${page.url()}: a dialog says ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) wrong.push(`${page.url()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    // the browser's own reader of PDFs asks the browser
    const inside = ['data:', 'blob:', 'chrome:', 'chrome-extension:'].includes(protocol);
    if (!inside && origin !== server.url) wrong.push(`${page.url()}: ${request.url()}`);
  });
  await signIn(page, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function fillWithHostile(): Promise<void> {
  const [img, script, svg, address, braces, frame] = hostile;
  const save = async (master: string, values: Record<string, unknown>) => {
    const answer = await shop.owner.call('SaveMaster', { master, values } as never);
    // a field that takes only plain text refuses; what it takes is shown
    if (answer.status === 200) ids.set(master, (answer.details as { id: string }).id);
    else expect(answer.status).toBe(422);
    return ids.get(master) ?? '';
  };
  const place = { line1: script, line2: frame, city: img, state: '29', pincode: '560001', type: 'both', country: 'IN' };
  const party = await save('customer', {
    ...{ name: `M/S. ${img} ${script}`, tradeName: svg, category: 'unregistered', state: '29' },
    addresses: [place],
  });
  const item = await save('item', {
    ...{ sku: 'XSS', name: `${svg} ${braces}`, description: script, type: 'service', unit: 'NOS', hsn: '998717' },
    ...{ treatment: 'taxable', gstRate: '18', saleRate: '10.00' },
  });
  await save('category', { code: 'X1', name: img });
  await save('ledger', { code: '9998', name: script, group: await groupOf(), notes: frame });
  const { TransactionId } = await shop.post({
    ...{ kind: 'saleInvoice', party: party || shop.customer, reference: img.slice(0, 30), narration: script },
    terms: frame,
    lines: [{ item: item || shop.item, quantity: '1', rate: '10', description: `${svg} ${address}` }],
  });
  ids.set('saleInvoice', TransactionId);
  await server.database.owner.query(
    `insert into notifications (organisation, id, message, link) values (1, gen_random_uuid(), $1, $2)`,
    [script, address],
  );
}

const groupOf = async (): Promise<string> => {
  const { rows } = (await shop.owner.ask('ListMasters', { master: 'accountGroup', limit: 1 })) as {
    rows: { id: string }[];
  };
  return rows[0]?.id ?? '';
};

const works = screenNames.filter((name) => (screens[name] as Screen).show.view !== 'later');
/** Every screen that shows what was typed; of the others one each. */
const shown = works.filter((name, index) => {
  const { show } = screens[name] as Screen;
  if (process.env.BAHI_ALL === '1') return true;
  const what = 'kind' in show ? show.kind : 'master' in show ? show.master : '';
  if (ids.has(what) || ['saleInvoice', 'customer', 'item', 'category', 'ledger'].includes(what)) return true;
  return works.findIndex((other) => (screens[other] as Screen).show.view === show.view) === index;
});

test.each(shown.map((name) => [name]))('S-32: hostile text does nothing on %s', async (name) => {
  const { show } = screens[name] as Screen;
  const what = 'kind' in show ? show.kind : 'master' in show ? show.master : '';
  const id = show.view === 'documentView' || show.view === 'masterForm' ? ids.get(what) : undefined;
  await goTo(page, `${server.url}/layout/${encodeURIComponent(name)}${id ? `?id=${id}` : ''}`);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(wrong).toEqual([]);
});

test('S-32: nor in the search of the editor, the notifications, the print and the paper', async () => {
  await goTo(page, `${server.url}/layout/Create%20Invoice`);
  await page.waitForFunction(() => document.activeElement?.closest('form.editor'));
  await page.keyboard.type('<img');
  await page.getByRole('option', { name: 'M/S. <img' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByText('"><script>alert(1)</script>').first().waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/layout/saleview?id=${ids.get('saleInvoice')}`);
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle');
  expect(wrong).toEqual([]);
});
