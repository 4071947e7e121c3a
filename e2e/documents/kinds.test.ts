import fs from 'node:fs';
import type { Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { documentView } from '../../contract/documents.ts';
import { type KindName, kindNames, kindOf, mayBeCopied } from '../../domain/document/kinds/index.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { dismissAll, goTo } from '../kit/go.ts';
import {
  type KindBooks,
  labelled,
  listedKinds,
  type Made,
  ofEachShape,
  openKindBooks,
  placeOf,
} from '../kit/kind-books.ts';
import { coversNoHead, picturedAll } from '../kit/looks.ts';
import { copiedWhole } from './copies.ts';

type Shown = z.output<typeof documentView>;

// Each kind that has a list: what is done with its documents on its list and in its view, in one organisation.
let desk: Desk;
let books: KindBooks;
let page: Page;
let today: string;
const made = new Map<KindName, Made>();
const bugs: string[] = [];
/** What a kind has not, by its data: `kind: why`. */
const without: Record<string, string[]> = {};
const done: Record<string, number> = {};
const counted = (what: string) => {
  done[what] = (done[what] ?? 0) + 1;
};
const lacks = (what: string, kind: KindName, why: string) => {
  without[what] = [...(without[what] ?? []), `${kind} (${why})`];
};

beforeAll(async () => {
  desk = await openDesk({ otherAdjustments: true }, { jobs: true });
  ({ page } = desk);
  page.on('pageerror', (error) => bugs.push(`${page.url()}: ${error.message}`));
  // a page that a failed walk has left with something typed asks before it goes
  page.on('dialog', (dialog) => void dialog.accept());
  page.setDefaultTimeout(6000);
  books = await openKindBooks(desk.server, desk.shop);
  for (const kind of listedKinds) made.set(kind, await books.make(kind, { whole: true }));
  ({ today } = await books.ask<{ today: string }>('GetSession', {}));
});
afterAll(async () => {
  process.stdout.write(`${JSON.stringify({ done, without }, null, 1)}\n`);
  await desk?.stop();
});

const labelOf = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const go = async (
  how: 'documentList' | 'documentView',
  kind: KindName,
  more: Readonly<Record<string, string>> = {},
) => {
  const [screen, query] = placeOf(kind, how) ?? ['', {}];
  await goTo(
    page,
    `${desk.server.url}/layout/${encodeURIComponent(screen)}?${new URLSearchParams({ ...query, ...more })}`,
  );
};
const shown = (id: string) => books.ask<Shown>('GetTransactionDetailForInvoice', { TransactionId: id });
const bytesOf = async (press: () => Promise<unknown>): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
  const [file]: [Download, unknown] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: fs.readFileSync((await file.path()) ?? '') };
};
const button = (name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
const push = (name: string | RegExp) => button(name).click();
const region = (name: string) =>
  page.getByRole('complementary', { name: 'About this document' }).getByRole('region', { name, exact: true });
const rows = () => page.getByRole('grid').locator('.t-body .t-row');
const heads = () => page.getByRole('columnheader').allInnerTexts();

test('the kinds without a list are those that the product makes itself, and what is still to come', () => {
  const unseen = kindNames.filter((kind) => !listedKinds.includes(kind));
  expect(unseen.filter((kind) => !kindOf(kind).life.system)).toEqual(['gstAdjustment']);
});

// a list and a view show what stock a document moves in one way
const walked = ofEachShape(listedKinds, { stock: false });

describe.each(walked.map((kind) => [kind]))('%s', (kind) => {
  const row = kindOf(kind);
  const one = () => made.get(kind) as Made;

  test('its list', async () => {
    const { number } = one();
    await go('documentList', kind);
    await page.getByRole('grid').getByText(number, { exact: true }).waitFor();

    // a filter that lets nothing through says which one it is, and its end is the same list
    await page.getByLabel('Status', { exact: true }).selectOption('draft');
    await page.getByText('Nothing matches: status Draft', { exact: true }).waitFor();
    await button('Clear filters').click();
    await page.getByRole('grid').getByText(number, { exact: true }).waitFor();

    // one that finds it, with a column put away: a view under a name
    await page.getByRole('searchbox').fill(number);
    await page.waitForURL(/search=/);
    await expect.poll(() => rows().count()).toBe(1);
    await picturedAll(page, `list-${kind}`);
    await button('Columns').click();
    await page.getByRole('dialog').getByLabel('Date', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect.poll(heads).not.toContain('Date');
    await button('Save view').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Only this one');
    await page.keyboard.press('Control+Enter');
    await button('Forget view').waitFor();

    // it is chosen, and what is chosen is taken to a file, or all
    await rows().getByRole('checkbox').check();
    const few = await bytesOf(() => button('Export 1').click());
    expect(few.name).toBe(`${row.plural}.csv`);
    expect(few.bytes.toString('utf8').trim().split('\r\n').slice(1).join()).toContain(number);
    await button('Clear').click();
    const all = await bytesOf(() => button('Export CSV').click());
    expect(all.bytes.toString('utf8')).toContain(number);

    // at another time: the column is away, and the view brings its filter back
    await go('documentList', kind);
    await page.getByRole('grid').getByText(number, { exact: true }).waitFor();
    await expect.poll(heads).not.toContain('Date');
    await page.getByLabel('View', { exact: true }).selectOption('Only this one');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(number);
    await page.getByLabel('View', { exact: true }).selectOption('All');
    await expect.poll(heads).toContain('Date');
    await page.getByRole('grid').getByText(number, { exact: true }).waitFor();
    await page.getByRole('button', { name: number, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: `${row.label} ${number}` }).waitFor();
    counted('lists');
    expect(bugs).toEqual([]);
  });

  test('its view', async () => {
    const { id, number, source } = one();
    // the list before has led here
    await page.getByRole('heading', { level: 1, name: `${row.label} ${number}` }).waitFor();
    await dismissAll(page);
    const view = await shown(id);
    await beside(number);
    await writtenBy(kind, view);
    if (source) await chain(kind, one());
    else lacks('made from another', kind, 'its row names none that it is made from');
    await picturedAll(page, `view-${kind}`);
    await printed(kind, number);
    await mailed(kind, number);
    await copiedOnce(kind, view);
    await cancelled(view);
    counted('views');
    expect(bugs).toEqual([]);
  });
});

/** A file and a comment beside it, the file with the same bytes. */
async function beside(number: string): Promise<void> {
  await region('Timeline').getByText('Posted').waitFor();
  const bytes = Buffer.from(`%PDF-1.4 ${number}`);
  await page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'signed.pdf', mimeType: 'application/pdf', buffer: bytes });
  const back = await bytesOf(() => push('signed.pdf'));
  expect(back.bytes.equals(bytes)).toBe(true);
  await page.getByLabel('Comment', { exact: true }).fill(`Seen: ${number}`);
  await push('Add comment');
  await page.getByRole('list', { name: 'Comments' }).getByText(`Seen: ${number}`).waitFor();
}

const paise = (text: string) => Math.round(Number(text.replace(/[^\d.−-]/g, '').replace('−', '-')) * 100);
const figuresOf = async (list: Locator) => list.getByRole('listitem').locator('.num').allInnerTexts();

/** The entries and movements are those of the books, and debit is credit. */
async function writtenBy(kind: KindName, view: Shown): Promise<void> {
  const { books: rule, stock } = kindOf(kind);
  const sum = (side: 'debit' | 'credit') => view.entries.reduce((total, entry) => total + paise(entry[side]), 0);
  expect(sum('debit')).toBe(sum('credit'));
  expect(view.entries.length > 0).toBe(rule.posting.length + (rule.perpetual?.length ?? 0) > 0);
  if (view.entries.length > 0) {
    const figures = await figuresOf(region('Entries'));
    const of = (side: string) =>
      figures.filter((text) => text.endsWith(side)).reduce((total, text) => total + paise(text), 0);
    expect([of('Dr'), of('Cr')]).toEqual([sum('debit'), sum('credit')]);
    counted('with entries');
  } else lacks('with entries', kind, 'it posts nothing');
  const moves = stock.effect !== 'none' && stock.effect !== 'reserve';
  expect(view.movements.length > 0).toBe(moves);
  if (moves) {
    const figures = (await figuresOf(region('Stock'))).map((text) => paise(text));
    // duty moves no goods: it says what they are worth more
    expect(figures).toEqual(
      view.movements.map(({ quantity, cost }) => paise(Number(quantity) === 0 ? (cost ?? '') : quantity)),
    );
    counted('with movements');
  } else lacks('with movements', kind, `stock: ${stock.effect}`);
}

/** From the document to what it was made from, and back. */
async function chain(kind: KindName, { number, source }: Made): Promise<void> {
  const linked = region('Linked documents');
  await linked
    .getByRole('link', { name: source?.number ?? '', exact: true })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: source?.number ?? '' }).waitFor();
  await linked.getByRole('link', { name: number, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: `${kindOf(kind).label} ${number}` }).waitFor();
  counted('made from another');
}

async function printed(kind: KindName, number: string): Promise<void> {
  if (kindOf(kind).paper.form === 'none') return lacks('printed', kind, 'paper: none');
  await push('Print');
  const paper = await bytesOf(() => button('Download PDF').click());
  expect(textOfPdf(paper.bytes)).toContain(number);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  counted('printed');
}

async function mailed(kind: KindName, number: string): Promise<void> {
  if (kindOf(kind).paper.form === 'none') return lacks('mailed', kind, 'paper: none');
  await push('Mail');
  await page
    .getByRole('dialog')
    .getByLabel(/^To/)
    .fill(`${labelOf(kind)}@chain.example`);
  await button('Send mail').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText(`${number} is on its way`).waitFor();
  await coversNoHead(page, `view-${kind}`);
  counted('mailed');
}

/** A copy begins with the lines, or the amount, of the document, and says all that it says. */
async function copiedOnce(kind: KindName, view: Shown): Promise<void> {
  const row = kindOf(kind);
  if (!mayBeCopied(row)) {
    expect(await button('Copy').count()).toBe(0);
    return lacks('copied', kind, row.source.reverses ? 'it takes another back' : 'made at a till from its bill');
  }
  await push('Copy');
  if (row.life.till) {
    await page.waitForURL(/from=/);
    lacks('copied', kind, 'its goods stand on a bill of the till: e2e/money/till.test.ts');
  } else {
    await page.getByRole('heading', { level: 1, name: `New ${labelOf(row.label)}` }).waitFor();
    const field = (name: string) => page.getByLabel(labelled(name)).first().inputValue();
    const [line] = view.lines;
    const [said] = view.body['lines'] as readonly { readonly delta?: string }[];
    if (row.stock.effect === 'adjust') await expect.poll(() => field('Change, line 1')).toBe(said?.delta);
    else if (row.lines.of === 'items' || row.lines.of === 'stock')
      await expect.poll(() => field('Quantity, line 1')).toBe(line?.quantity);
    else if (row.lines.of === 'ledgers')
      await expect.poll(() => field('Debit (₹), line 1').then(paise)).toBe(paise(view.entries[0]?.debit ?? ''));
    else if (row.lines.of === 'expenses')
      await expect.poll(() => field('Amount (₹), line 1').then(paise)).toBe(paise(line?.taxable ?? ''));
    else if (row.fields.includes('amount'))
      await expect.poll(() => field('Amount').then(paise)).toBe(paise(String(view.body['amount'])));
    else
      await expect
        .poll(() => field('Assessable value (₹)').then(paise))
        .toBe(paise(String((view.body['customs'] as { assessable: string }).assessable)));
    await copiedWhole(page, books, view, today);
    counted('copied');
  }
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: `${row.label} ${view.number}` }).waitFor();
}

/** Its mirror takes back every entry; the document says so. */
async function cancelled(view: Shown): Promise<void> {
  await push('Cancel document');
  await page
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('Typed twice');
  // of a settled document the one way is offered that is not refused
  const isSettled = view.links.some(({ role }) => role === 'allocation');
  await push(isSettled ? 'Cancel and free the money' : `Cancel ${view.number}`);
  await region('Cancelled').getByText('Typed twice').waitFor();
  const standing = page.getByRole('list', { name: 'Status' }).locator('[aria-current]');
  await expect.poll(() => standing.innerText()).toBe('Cancelled');
  const mirror = (await shown(view.id)).links.find(({ role }) => role === 'reversal');
  const back = await shown(mirror?.id ?? '');
  const sides = (of: Shown, one: 'debit' | 'credit') => of.entries.map((entry) => `${entry.code} ${entry[one]}`).sort();
  expect([sides(back, 'debit'), sides(back, 'credit')]).toEqual([sides(view, 'credit'), sides(view, 'debit')]);
  await region('Linked documents')
    .getByText(mirror?.number ?? '')
    .waitFor();
  await region('Timeline').getByText('Cancelled: Typed twice').waitFor();
  counted('cancelled');
}

test('every paper that was mailed has come, with the number on it', async () => {
  const sent = walked.filter((kind) => kindOf(kind).paper.form !== 'none');
  await expect.poll(() => desk.server.catcher.mails().length, { timeout: 20_000 }).toBe(sent.length);
  for (const { recipients, message } of desk.server.catcher.mails()) {
    const kind = sent.find((name) => recipients.join().startsWith(`${labelOf(name)}@`));
    const paper = message.attachments[0]?.bytes ?? Buffer.alloc(0);
    expect(textOfPdf(paper)).toContain(kind && made.get(kind)?.number);
  }
});
