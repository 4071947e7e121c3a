import type { Locator, Page } from 'playwright-core';
import type { Shop } from '../kit/shop.ts';

/** What a till sells besides bulbs: a fan with a long name and a barcode, paint in two batches, drills with serial numbers. */
export async function stockTill(shop: Shop): Promise<void> {
  const item = { unit: 'NOS', treatment: 'taxable', gstRate: '18', hsn: '84145120', type: 'stock' };
  const long = 'Ceiling fan 1,200 mm, 5-star, remote control, anti-dust coating, matt champagne';
  const values = { ...item, sku: 'FAN-48', name: long, barcode: '8901234567890', saleRate: '1500.00' };
  const { id } = (await shop.owner.ask('SaveMaster', { master: 'item', values })) as { id: string };
  const save = async (more: Record<string, unknown>) =>
    (
      (await shop.owner.ask('SaveMaster', { master: 'item', values: { ...item, saleRate: '95.00', ...more } })) as {
        id: string;
      }
    ).id;
  const paint = await save({ sku: 'PAINT', name: 'Wall paint, white', batched: true });
  const drill = await save({ sku: 'DRILL', name: 'Drill 13 mm', serialised: true });
  const batches = [
    { batch: 'P-LATE', expiry: '2097-12-31', quantity: '5' },
    { batch: 'P-SOON', expiry: '2097-03-31', quantity: '2' },
  ];
  await shop.post({
    kind: 'openingStock',
    lines: [
      { item: id, quantity: '20', rate: '1000' },
      { item: paint, quantity: '7', rate: '50', batches },
      { item: drill, quantity: '2', rate: '50', serials: ['SN-01', 'SN-02'] },
    ],
  });
}

const pictures = process.env['BAHI_PICTURES'];
/** A picture to look at, at 1440 light and 390 dark, where a folder for it is named. */
export async function pictured(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  await page.screenshot({ path: `${pictures}/${name}-1440.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${pictures}/${name}-390.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.waitForTimeout(400); // colours fade
}

/** The quantities of the bill that is being typed, as the browser keeps them for a reload. */
export const typedAndKept = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(request.error);
      });
    const base = await answer(indexedDB.open('bahi-till'));
    const held: { name: string; cart: { lines: { quantity: string }[] } }[] = await answer(
      base.transaction('held').objectStore('held').getAll(),
    );
    base.close();
    const typed = held.find(({ name }) => name === 'Being typed in another tab');
    return typed?.cart.lines.map(({ quantity }) => quantity) ?? [];
  });

interface Bill {
  readonly number: string;
  readonly total: string;
  readonly status: string;
}
/** The bills in the books, the first one first. */
export const billsOf = async (shop: Shop): Promise<readonly Bill[]> =>
  ((await shop.owner.ask('GetTransationsList', { Type: 'posSale' })) as { rows: Bill[] }).rows.toReversed();

/** A bill among those of this browser: which one is first changes until the answer of the last has come. */
export const keptBill = (page: Page, number: string): Locator => page.locator('.till-bills li', { hasText: number });

/** The text of the printed page, once it is drawn; then printing ends. */
export async function paperCalled(page: Page, title: string): Promise<string> {
  await page.waitForFunction((text) => document.querySelector('.receipt h2')?.textContent === text, title);
  const text = (await page.locator('.receipt').textContent()) ?? '';
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  return text;
}
