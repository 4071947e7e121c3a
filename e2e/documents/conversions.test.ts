import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { documentView } from '../../contract/documents.ts';
import { type KindName, kindOf, raisesPrice } from '../../domain/document/kinds/index.ts';
import { type Desk, openDesk } from '../kit/desk.ts';
import { type KindBooks, labelled, listedKinds, type Made, openKindBooks, placeOf } from '../kit/kind-books.ts';

type Shown = z.output<typeof documentView>;

// Each row of the table "made from": a document is continued in part, and what it offers next is what is left of it.
let desk: Desk;
let books: KindBooks;
const bugs: string[] = [];
interface Pair {
  readonly source: KindName;
  readonly target: KindName;
}
const all: readonly Pair[] = listedKinds.flatMap((target) =>
  (kindOf(target).source.kinds as readonly KindName[]).map((source) => ({ source, target })),
);
/** One of each shape: what is continued, and what becomes of it. `npm run check -- --all` goes through every one. */
const shapeOf = ({ source, target }: Pair): string => {
  const [from, row] = [kindOf(source), kindOf(target)];
  const made = [
    row.life.cycle,
    row.party.side,
    row.stock.effect,
    row.lines.of,
    row.life.till,
    row.books.posting.length > 0,
  ];
  return [from.life.cycle, from.lines.of, ...made, row.fields.includes('customs'), row.source.givesPrice].join(' ');
};
const pairs =
  process.env.BAHI_ALL === '1'
    ? all
    : all.filter((pair, at) => all.findIndex((other) => shapeOf(other) === shapeOf(pair)) === at);
const done: Record<string, number> = {};
const counted = (what: string) => {
  done[what] = (done[what] ?? 0) + 1;
};

beforeAll(async () => {
  desk = await openDesk();
  desk.page.on('pageerror', (error) => bugs.push(`${desk.page.url()}: ${error.message}`));
  desk.page.setDefaultTimeout(6000);
  books = await openKindBooks(desk.server, desk.shop);
});
afterAll(async () => {
  process.stdout.write(`${pairs.length} of ${all.length} conversions: ${JSON.stringify(done)}\n`);
  await desk?.stop();
});

/** A label within a sentence. */
const inSentence = (label: string) => label.charAt(0).toLowerCase() + label.slice(1);
const shown = ({ id }: Made) => books.ask<Shown>('GetTransactionDetailForInvoice', { TransactionId: id });
/** As a link within the product: no page is loaded anew. */
const view = async ({ kind, id, number }: Made): Promise<void> => {
  const [screen, query] = placeOf(kind, 'documentView') ?? ['', {}];
  const path = `/layout/${encodeURIComponent(screen)}?${new URLSearchParams({ ...query, id })}`;
  await desk.page.evaluate((to) => history.pushState({}, '', to), path);
  await desk.page.getByRole('heading', { level: 1, name: `${kindOf(kind).label} ${number}` }).waitFor();
};

test.each(pairs)('$source → $target', async ({ source: from, target }) => {
  const { page } = desk;
  const row = kindOf(target);
  const ordered = kindOf(from).life.cycle === 'ordered' && row.source.givesPrice === true;
  // an order to give back asks for half of what was sold: what is left of it is not what is left of the sale
  const source = await books.sourceOf(target, from, ordered ? { quantity: '5' } : {});
  const before = await shown(source);
  const first = await books.make(target, { source, quantity: ordered ? '2' : '4' });
  const after = await shown(source);
  await view(source);
  const onward = page.getByText('Continue as', { exact: true });
  const primary = page.getByRole('button', {
    name: `Make ${inSentence(row.label)}`,
    exact: true,
  });
  if (kindOf(from).lines.of === 'expenses' && row.lines.of === 'items' && !raisesPrice(row)) {
    // an expense has no quantities: it was continued whole, and is not offered to be continued so again
    expect(await primary.count()).toBe(0);
    expect(await page.locator('.onward-list').getByText(row.label, { exact: true }).count()).toBe(0);
    expect(after.next.map(({ kind }) => kind)).not.toContain(target);
    return counted('whole, with nothing left');
  }
  if ((await primary.count()) > 0) await primary.click();
  else {
    await onward.click();
    await page.locator('.onward-list').getByRole('button', { name: row.label, exact: true }).click();
  }
  if (row.life.till) {
    // the till asks for itself first: what comes back there is walked in e2e/money/till.test.ts
    await page.waitForURL(new RegExp(`from=${source.id}`));
    const { draft } = await books.ask<{ draft: { lines: { quantity: string }[] } }>('GetConversion', {
      ...{ from: source.id, kind: target },
    });
    expect(draft.lines.map(({ quantity }) => quantity)).toEqual(['6']);
    return counted('at a till');
  }
  await page.getByRole('heading', { level: 1, name: `New ${inSentence(row.label)}` }).waitFor();
  const field = (name: string | RegExp) => page.getByLabel(typeof name === 'string' ? labelled(name) : name).first();
  const amount = (text: string) =>
    expect.poll(async () => (await field('Amount').inputValue()).replaceAll(',', '')).toBe(text);
  if (row.fields.includes('customs')) {
    await expect.poll(() => field(/, line 1$/).inputValue()).toBe('6');
    counted('by goods covered');
  } else if (row.lines.of === 'items') {
    // a note changes the price of what was kept, and takes no goods
    const whole = kindOf(from).lines.of === 'expenses' ? '1' : '10';
    const left = row.paper.form === 'note' && row.source.givesPrice !== true ? whole : '6';
    await expect.poll(() => field('Quantity, line 1').inputValue()).toBe(ordered ? '3' : left);
    counted('by quantity');
  } else if (row.books.posting.length === 0) {
    const amountOf = (made: Shown) => Number(made.body['amount']);
    await amount((amountOf(before) - amountOf(await shown(first))).toFixed(2));
    counted('by what is said of the amount');
  } else if (after.open === null) {
    await amount('');
    counted('in advance, of an order that has no open amount');
  } else {
    expect(Number(after.open)).toBeLessThan(Number(before.open));
    await amount(after.open);
    counted('by open amount');
  }
  expect(bugs).toEqual([]);
});
