import { inflateSync } from 'node:zlib';
import jsqr from 'jsqr';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe, openBrowser } from '../../tools/testing/browser.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { yearNow } from '../../tools/testing/year.ts';
import { goTo } from '../kit/go.ts';
import { openShop, type Shop, signIn } from '../kit/shop.ts';

let server: TestServer;
let browser: Browser;
let shop: Shop;
const bugs: string[] = [];
const contexts: BrowserContext[] = [];

const newPage = async (email: string): Promise<Page> => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    // a colour on its way from light to dark is no contrast to judge
    reducedMotion: 'reduce',
  });
  contexts.push(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => bugs.push(`${page.url()}: ${error.message}`));
  await signIn(page, server.url, email);
  return page;
};

const control = async (order: Readonly<Record<string, unknown>>): Promise<void> => {
  const answer = await fetch(`${server.url}/sandbox/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  expect(answer.status).toBe(200);
};

const behave = () => fetch(`${server.url}/sandbox/control`, { method: 'DELETE' });

beforeAll(async () => {
  server = await testServer({}, { portal: true });
  shop = await openShop(server);
  browser = await openBrowser();
});
afterAll(async () => {
  for (const context of contexts) await context.close();
  await browser?.close();
  await server?.stop();
});

/** Types an invoice to the shop's customer and posts it; answers its number. */
const sell = async (page: Page): Promise<string> => {
  await goTo(page, `${server.url}/layout/Create%20Invoice`);
  await expect
    .poll(() =>
      page.getByLabel(/^Customer/).evaluateAll(([field]) => field !== undefined && field === document.activeElement),
    )
    .toBe(true);
  await page.keyboard.type('Asha');
  await page.getByRole('option', { name: /Asha Traders/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('supply to Karnataka').waitFor();
  await page.getByLabel('Item, line 1').focus();
  await page.keyboard.type('LED-9W');
  await page.getByRole('option', { name: /LED bulb 9 W/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Quantity, line 1').focus();
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await page.getByText('₹ 1,121.00').first().waitFor();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL('**/layout/saleview**');
  // the heading of the editor stands until the document has come
  const title = page.getByRole('heading', { level: 1, name: /^Sale invoice INV/ });
  return (await title.innerText()).split(' ').at(-1) ?? '';
};

const panelOf = (page: Page) => page.getByRole('region', { name: 'E-invoice' });
const rowOf = (page: Page, number: string) => page.getByRole('grid').getByRole('row').filter({ hasText: number });
const openInbox = async (page: Page, query = '') => {
  await goTo(page, `${server.url}/layout/EInvoiceListView${query}`);
  await page.getByRole('heading', { name: 'E-invoices', level: 1 }).waitFor();
};
/** The dots of the QR code on the screen, as a scanner's camera sees them. */
const scan = (page: Page): Promise<string> =>
  page.getByRole('img', { name: /Signed QR code/ }).evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const side = 900;
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const pen = canvas.getContext('2d');
    pen?.drawImage(image, 0, 0, side, side);
    const data = pen?.getImageData(0, 0, side, side).data ?? [];
    let dots = '';
    for (let at = 0; at < data.length; at += 4) dots += (data[at] ?? 0) < 128 ? '1' : '0';
    return dots;
  });
/** The most intricate shape of a PDF, as the data of an SVG path: on an invoice that is its QR code. */
const shapeOf = (pdf: Buffer): string => {
  const text = pdf.toString('latin1');
  const shapes: string[][] = [];
  for (const found of text.matchAll(/stream\r?\n/g)) {
    const from = found.index + found[0].length;
    let content: string;
    try {
      content = inflateSync(pdf.subarray(from, text.indexOf('endstream', from))).toString('latin1');
    } catch {
      continue; // fonts and pictures are packed otherwise
    }
    let steps: string[] = [];
    for (const line of content.split('\n')) {
      const [, place, step] = /^(\S+ \S+)? ?([mlhfSn]\*?)$/.exec(line.replace('W n', 'n')) ?? [];
      if (step === 'm' || step === 'l') steps.push(`${step.toUpperCase()} ${place}`);
      else if (step === 'h') steps.push('Z');
      else if (step) {
        if (step.startsWith('f')) shapes.push(steps);
        steps = [];
      }
    }
  }
  return shapes.sort((a, b) => b.length - a.length)[0]?.join(' ') ?? '';
};
/** The dots of such a shape, drawn by the page. */
const draw = (page: Page, shape: string): Promise<string> =>
  page.evaluate((data) => {
    const side = 900;
    const numbers = [...data.matchAll(/[ML] (\S+) (\S+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    const least = (at: 0 | 1) => Math.min(...numbers.map((pair) => pair[at]));
    const width = Math.max(...numbers.map(([x]) => x)) - least(0);
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const pen = canvas.getContext('2d');
    if (!pen) return '';
    pen.translate(50, 50);
    pen.scale(800 / width, 800 / width);
    pen.translate(-least(0), -least(1));
    pen.fill(new Path2D(data), 'evenodd');
    const pixels = pen.getImageData(0, 0, side, side).data;
    let dots = '';
    for (let at = 3; at < pixels.length; at += 4) dots += (pixels[at] ?? 0) > 128 ? '1' : '0';
    return dots;
  }, shape);
/** Reads the code out of dark (1) and light (0) dots. */
const decode = (dots: string): string => {
  const side = Math.sqrt(dots.length);
  const pixels = new Uint8ClampedArray(dots.length * 4);
  for (const [at, dot] of [...dots].entries()) pixels.fill(dot === '1' ? 0 : 255, at * 4, at * 4 + 4);
  return jsqr.default(pixels, side, side)?.data ?? '';
};

test('an invoice to a registered buyer becomes an e-invoice by itself, with IRN and QR code', async () => {
  const page = await newPage('accountant@sharma.demo');
  const number = await sell(page);
  expect(number).toBe(`INV/${yearNow}/0001`);
  const panel = panelOf(page);
  await panel.getByText('Registered', { exact: true }).waitFor();
  const irn = /\b[0-9a-f]{64}\b/.exec(await panel.innerText())?.[0] ?? '';
  expect(irn).not.toBe('');
  const signed = decode(await scan(page));
  const [, payload = ''] = signed.split('.');
  const { data } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { data: string };
  expect(JSON.parse(data)).toMatchObject({ Irn: irn, DocNo: number, TotInvVal: 1121 });
  // the paper carries the same code, and a phone reads it from there
  const paper = (await shop.owner.ask('GetEInvoiceByteCode', { IrnNumber: irn })) as { content: string };
  const printed = decode(await draw(page, shapeOf(Buffer.from(paper.content, 'base64'))));
  expect(printed).toBe(signed);
  // an accountant may not approve and so not cancel an IRN
  expect(await panel.getByRole('button', { name: 'Cancel IRN' }).count()).toBe(0);

  await openInbox(page);
  const row = rowOf(page, number);
  await row.getByText('Registered').waitFor();
  await row.getByText(irn.slice(0, 8)).waitFor();
  await page.getByRole('button', { name: 'Registered 1' }).waitFor();
  expect(await axe(page)).toEqual([]);

  await goTo(page, `${server.url}/layout/Sale%20Invoice`);
  await rowOf(page, number).getByText('Registered').waitFor();
}, 180_000);

test('what the portal refuses waits in the inbox with its words, is sent again and registered', async () => {
  const page = await newPage('accountant@sharma.demo');
  await control({ mode: 'code', code: '3038', operations: ['generate'], times: 'always' });
  const number = await sell(page);
  const panel = panelOf(page);
  await panel.getByText('Failed', { exact: true }).waitFor();
  await panel.getByText('3038').first().waitFor();

  await openInbox(page, '?state=mend');
  await rowOf(page, number).getByText(/3038/).waitFor();
  // with the keyboard alone: the first row is opened out, shows its attempts, and is sent again
  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await grid.getByText('Refused').first().waitFor();
  await grid.getByText('Request', { exact: true }).first().click();
  await grid.getByText(`"No": "${number}"`).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const cards = page.getByRole('list', { name: 'E-invoices' });
  await cards.waitFor();
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page.getByText('Refused').first().waitFor();
  expect(await axe(page)).toEqual([]);
  // the list is as long as its cards and covers nothing: the page scrolls
  await page.setViewportSize({ width: 390, height: 400 });
  await expect.poll(() => cards.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0);
  const bar = page.locator('.filter-bar');
  await expect.poll(() => bar.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await rowOf(page, number).waitFor();
  await behave();
  await grid.focus();
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 document on the way to the portal.').waitFor();
  // the list is read again by itself: nothing is left to mend
  await page.getByText('Nothing to correct').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rowOf(page, number).getByText('Registered').waitFor();
  const { rowCount } = await server.database.owner.query('select from sandbox.invoices where number = $1', [number]);
  expect(rowCount).toBe(1);
}, 180_000);

test('an answer that got lost is asked for, and what is registered already is left out', async () => {
  const page = await newPage('accountant@sharma.demo');
  await control({ mode: 'dropAfterAccepting', times: 1, operations: ['generate'] });
  const number = await sell(page);
  await openInbox(page);
  const row = rowOf(page, number);
  // nobody does anything: the portal is asked again by itself, and the page is read again
  await row.getByText('Registered').waitFor({ timeout: 60_000 });
  await row.getByRole('button', { name: /Details of row/ }).click();
  await page.getByRole('grid').getByText('Found').waitFor();
}, 180_000);

test('an approver cancels an IRN within a day, and says why', async () => {
  const { TransactionId } = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const page = await newPage('approver@sharma.demo');
  await goTo(page, `${server.url}/layout/saleview?id=${TransactionId}`);
  const panel = panelOf(page);
  await panel.getByText('Registered', { exact: true }).waitFor();
  expect(await axe(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Cancel IRN' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/within 24 hours/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel IRN' }).click();
  await dialog.getByText('Choose a reason').waitFor();
  await dialog.getByLabel(/^Reason/).selectOption({ label: 'Data entry mistake' });
  await dialog.getByLabel(/^Remark/).fill('Wrong quantity');
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel IRN' }).click();
  await panel.getByText('Cancelled', { exact: true }).waitFor();
  // without its IRN it is no invoice: the document went with it
  await expect
    .poll(() => shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId } as never))
    .toMatchObject({ cancelled: { reason: 'Wrong quantity' } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axe(page)).toEqual([]);
}, 180_000);

test('after the day is over the IRN stays, and the page says so', async () => {
  const { TransactionId } = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const page = await newPage('approver@sharma.demo');
  await goTo(page, `${server.url}/layout/saleview?id=${TransactionId}`);
  const panel = panelOf(page);
  await panel.getByText('Registered', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Cancel IRN' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Reason/).selectOption({ label: 'Duplicate' });
  await dialog.getByLabel(/^Remark/).fill('Typed twice');
  // not sooner: a page that asks for something a day later learns that its session is over
  server.clock.at = Date.now() + 25 * 3_600_000;
  try {
    await dialog.getByRole('button', { name: 'Cancel IRN' }).click();
    await dialog.getByText(/is older than 24 hours and can no longer be cancelled: make a credit note/).waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep the IRN' }).click();
    await panel.getByText('Registered', { exact: true }).waitFor();
  } finally {
    server.clock.at = undefined;
  }
}, 180_000);

test('the credentials are kept, tested and never shown', async () => {
  const page = await newPage('owner@sharma.demo');
  await goTo(page, `${server.url}/layout/NIC%20Configuration`);
  const panel = page.getByRole('region', { name: /29AAGCS4821F1ZB/ });
  await panel.getByText('Credentials kept').waitFor();
  const password = panel.getByLabel('Password');
  expect(await password.inputValue()).toBe('');
  expect(await password.getAttribute('placeholder')).toBe('Kept');
  await panel.getByRole('button', { name: 'Test sign-in' }).click();
  await panel.getByText('Signed in to the portal').waitFor();
  await password.fill('wrong');
  await panel.getByRole('button', { name: 'Save credentials' }).click();
  await page.getByText(/are saved/).waitFor();
  await panel.getByRole('button', { name: 'Test sign-in' }).click();
  await panel
    .getByRole('status')
    .getByText(/1008|password/i)
    .waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axe(page)).toEqual([]);
  expect(bugs).toEqual([]);
}, 180_000);
