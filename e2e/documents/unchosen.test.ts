import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { placeOf, screens } from '../../contract/screens.ts';
import { kindNames } from '../../domain/document/kinds/index.ts';
import { ofEachShape } from '../kit/kind-books.ts';
import { startWalk, type Walk } from '../kit/walk.ts';

let walk: Walk;
const posts: string[] = [];
beforeAll(async () => {
  walk = await startWalk();
  walk.page.on('request', (request) => {
    if (/PostTransactionCalls|SubmitForApproval/.test(request.url())) posts.push(request.url());
  });
});
afterAll(() => walk?.stop());

const TEXT = 'no such record';
/**
 * Each shape of kind that is written in the document editor (`npm run check -- --all`: every kind), and an editor that
 * a kind has besides.
 */
const editors: readonly (readonly [string, string])[] = [
  ...ofEachShape(kindNames).flatMap((kind): (readonly [string, string])[] => {
    const place = placeOf(kind, 'documentEditor');
    const own = place && screens[place.screen].show.view === 'own';
    return place && !own ? [[place.screen, `?${new URLSearchParams(place.query)}`]] : [];
  }),
  ['Create Invoice Quick', ''],
];

/** The comboboxes that are shown in the editor, the first of each column of a grid. */
const comboboxes = 'form.editor input[role=combobox]:not([disabled])';

test.each(editors)(
  '%s%s: text for which nothing is chosen stays and the document is not posted',
  async (name, query) => {
    const { page, open } = walk;
    await open(name, query);
    // every list that is folded away, with a line of its own
    await page.locator('form.editor').evaluate((form) => {
      for (const fold of form.querySelectorAll('details')) fold.open = true;
    });
    for (const add of await page.locator('form.editor details').getByRole('button', { name: 'Add line' }).all())
      await add.click();
    const fields = page.locator(comboboxes);
    const count = await fields.count();
    for (let at = 0; at < count; at += 1) {
      const field = fields.nth(at);
      if (!(await field.isVisible())) continue;
      // a name of a charge and the GSTIN of an operator are taken as they are typed
      const label = (await field.getAttribute('aria-label')) ?? '';
      await field.focus();
      await page.keyboard.type(TEXT);
      await page.keyboard.press('Control+Enter');
      if (/^(Charge|Adjustment), line/.test(label)) continue;
      await expect.poll(() => field.getAttribute('aria-invalid'), { message: `${label} ${at}` }).toBe('true');
      expect(await field.inputValue(), `${label} ${at}`).toBe(TEXT);
      // saved as a draft, it is still there
      await page.keyboard.press('Control+s');
      expect(await field.inputValue(), `${label} ${at}`).toBe(TEXT);
      await field.fill('');
      await page.keyboard.press('Tab');
    }
    expect(posts).toEqual([]);
  },
);

test('an invoice with one good line: the second line’s text is refused by every key and kept in the draft', async () => {
  const { page, open, keys, at } = walk;
  await open('Create Invoice');
  await keys('Bharat⏎');
  await page.getByText('supply to Karnataka').waitFor();
  await page.getByLabel('Item, line 1').focus();
  await keys('LED-9W⏎10⏎98.50⏎⏎');
  await at('Item, line 2');
  await keys('modlar switch');
  await page.getByText('Nothing matches').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Line 2, Item: No choice made for “modlar switch”').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText(/^Saved/).waitFor();
  const draft = page.url();
  await open('Home');
  await page.goto(draft);
  await expect.poll(() => page.getByLabel('Item, line 2').inputValue()).toBe('modlar switch');
  await page.getByRole('button', { name: 'Post sale invoice' }).click();
  await page.getByText('Line 2, Item: No choice made for “modlar switch”').waitFor();
  expect(posts).toEqual([]);
});

test('text typed over a chosen record is not taken back to the record', async () => {
  const { page, open, keys } = walk;
  await open('Create Invoice');
  await keys('Bharat⏎');
  await page.getByText('supply to Karnataka').waitFor();
  const party = page.getByLabel(/^Customer/);
  await party.focus();
  await keys('Bharrat Steel⇥');
  await page.getByText('No choice made for “Bharrat Steel”').first().waitFor();
  expect(await party.inputValue()).toBe('Bharrat Steel');
  await page.getByRole('button', { name: 'Post sale invoice' }).click();
  expect(posts).toEqual([]);
  await party.focus();
  await keys('Bharat⏎');
  await expect.poll(() => party.inputValue()).toBe('Bharat Electricals');
  expect(await page.getByText(/No choice made for/).count()).toBe(0);
});

test('a figure that is still being typed is posted with the document', async () => {
  const { page, open, keys } = walk;
  await open('Create Invoice');
  await keys('Bharat⏎');
  await page.getByText('supply to Karnataka').waitFor();
  await page.getByLabel('Item, line 1').focus();
  await keys('LED-9W⏎10⏎98.50');
  const { entries } = await walk.post();
  expect(Object.values(entries)).toContain('Cr 985.00');
});

test('a form of a master and its dialog are not saved with text for which nothing is chosen', async () => {
  const { page, open, keys } = walk;
  await open('SupplyMasters');
  await page.getByLabel(/^SKU/).fill('NEW-1');
  await page.getByLabel(/^Name/).first().fill('New thing');
  const category = page.getByLabel(/^Category/).first();
  await category.focus();
  await keys('no such category');
  await page.keyboard.press('Control+s');
  await page.getByText('No choice made for “no such category”').waitFor();
  expect(await category.inputValue()).toBe('no such category');
});

/** The fields of a line, in the table and, on a phone, in its card. */
const inTable = (label: string) => walk.page.getByLabel(`${label}, line 1`);
const inCard = (label: string) => walk.page.getByRole('region', { name: 'Line 1' }).getByLabel(label);

describe('an editor that becomes narrow while an item is searched for', () => {
  const SEARCH = '**/GetItemListForTransactionsWithPagination*';
  let answer: () => void;
  beforeEach(async () => {
    const { page, open, keys } = walk;
    await open('Create Invoice');
    await keys('Bharat⏎');
    await page.getByText('supply to Karnataka').waitFor();
    await inTable('Item').focus();
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.route(SEARCH, async (route) => {
      await held;
      await route.continue();
    });
  });
  afterEach(async () => {
    answer();
    await walk.page.unroute(SEARCH);
    await walk.page.setViewportSize({ width: 1440, height: 900 });
  });
  const toPhone = async () => {
    await walk.page.setViewportSize({ width: 390, height: 844 });
    await inCard('Item').waitFor();
  };

  test.each(['⏎', '⇥'])('text left with %s is chosen for the line when the answer comes', async (key) => {
    await walk.keys(`LED-9W${key}`);
    await toPhone();
    expect(await inCard('Item').inputValue()).toBe('LED-9W');
    await inCard('Quantity').fill('7');
    answer();
    await expect.poll(() => inCard('Item').inputValue()).toBe('LED bulb 9 W');
    await expect.poll(() => inCard('Rate').inputValue()).toBe('95.00');
    expect(await inCard('Quantity').inputValue()).toMatch(/^7/);
  });

  test('text that is typed over meanwhile is not chosen', async () => {
    await walk.keys('LED-9W⏎');
    await toPhone();
    await inCard('Item').fill('no such record');
    await inCard('Quantity').focus();
    answer();
    await walk.page.getByText('No choice made for “no such record”').first().waitFor();
    expect(await inCard('Item').inputValue()).toBe('no such record');
  });

  test('text that nobody has left yet stays in its field, which keeps the focus', async () => {
    await walk.keys('LED');
    await toPhone();
    await walk.at('Item');
    await expect.poll(() => inCard('Item').inputValue()).toBe('LED');
    await walk.keys('-9W⏎');
    answer();
    await expect.poll(() => inCard('Item').inputValue()).toBe('LED bulb 9 W');
  });

  test('a figure is typed on where it was', async () => {
    await inTable('Quantity').focus();
    await walk.keys('12');
    await toPhone();
    await walk.at('Quantity');
    await walk.keys('5⇥');
    expect(await inCard('Quantity').inputValue()).toMatch(/^125/);
  });
});
