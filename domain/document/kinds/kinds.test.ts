import { expect, test } from 'vitest';
import { moneyText } from '../../base/decimal.ts';
import { mirror } from '../../books/posting.ts';
import { chart } from '../../facts/chart-of-accounts.ts';
import { type Example, examples } from '../../testing/examples.ts';
import { walker } from '../../testing/walk.ts';
import type { Entry } from '../document.ts';
import { followUps, isKind, kindByCode, kindFor, kindNames, kindOf, kinds } from './index.ts';

const names = new Map(chart.map((row) => [row.code, row.name]));
const ledger = (e: Entry): string => `${e.ledger} ${names.get(e.ledger) ?? '?'}${e.party ? ' / Asha Traders' : ''}`;
const paragraph = (e: Entry): string =>
  e.debit > 0
    ? `  Dr ${ledger(e).padEnd(66)}${moneyText(e.debit).padStart(11)}`
    : `     Cr ${ledger(e).padEnd(63)}${moneyText(e.credit).padStart(23)}`;

const walked = ({ world, shown }: Example) => {
  const walk = walker(world);
  const done = world.steps.map((step) => ({ step, ...walk(step) }));
  const last = done.at(-1);
  if (last?.step !== shown) throw new Error('the document shown is the last one');
  return last;
};

test('what every kind posts, as an accountant reads it', async () => {
  const page = kindNames.flatMap((name) =>
    examples[name].map((each) => {
      const { entries } = walked(each);
      const title = `${kindOf(name).label}${each.note && `: ${each.note}`}`;
      const lines = entries.length > 0 ? entries.map(paragraph) : ['  posts nothing'];
      return [title, ...lines].join('\n');
    }),
  );
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('./t-accounts.txt');
});

test('every kind has an example, and a document and its mirror are nothing', () => {
  expect(Object.keys(examples).sort()).toEqual([...kindNames].sort());
  for (const each of kindNames.flatMap((name) => examples[name])) {
    const { entries } = walked(each);
    const net = new Map<string, number>();
    for (const e of [...entries, ...mirror(entries)]) net.set(e.ledger, (net.get(e.ledger) ?? 0) + e.debit - e.credit);
    expect([...net.values()].every((amount) => amount === 0)).toBe(true);
  }
});

test('codes, labels and prefixes name one kind each', () => {
  const distinct = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length);
  distinct(kindNames.map((name) => kinds[name].code));
  distinct(kindNames.map((name) => kinds[name].label));
  // one family of numbers never gives the same number from two kinds
  distinct(kindNames.map((name) => `${kinds[name].numbering.family} ${kinds[name].numbering.prefix}`));
  for (const name of kindNames) expect(kindByCode(kinds[name].code)).toBe(name);
});

test('a kind is made from kinds that exist, and GST numbers keep within sixteen characters', () => {
  for (const name of kindNames) {
    const kind = kindOf(name);
    for (const source of kind.source.kinds) {
      expect(isKind(source)).toBe(true);
      expect(followUps(source)).toContain(name);
    }
    // rule 46(b): prefix with the year, and four digits after it
    if (kind.numbering.gst) expect(kind.numbering.prefix.replace('{FY}', '2026-27').length + 4).toBeLessThanOrEqual(16);
  }
});

test('what a kind opens follows from whose it is', () => {
  for (const name of kindNames) {
    const { books, party, life } = kindOf(name);
    if (books.opens === undefined) continue;
    expect(life.system).toBeUndefined();
    const customers = books.opens === 'receivable' || books.opens === 'customerCredit';
    expect(party.side).toBe(customers ? 'customer' : 'supplier');
  }
});

test('each role has one kind', () => {
  const roles = kindNames.flatMap((name) => kindOf(name).roles ?? []);
  expect(new Set(roles).size).toBe(roles.length);
  for (const role of roles) expect(kindOf(kindFor(role)).roles).toContain(role);
});

test('a kind carries no function', () => {
  expect(JSON.parse(JSON.stringify(kinds))).toEqual(kinds);
});
