import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { moneyText } from '../base/decimal.ts';
import type { Entry, Priced } from '../document/document.ts';
import { type CaseFile, type CaseVoucher, documentsOfCase } from '../facts/cases.ts';
import { walker } from '../testing/walk.ts';

const folder = new URL('../facts/cases/', import.meta.url);
const files = readdirSync(folder).filter((name) => /^\d\d-/.test(name));
const read = (name: string): CaseFile => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as CaseFile;

interface Leg {
  readonly account: string;
  readonly debit: string;
  readonly credit: string;
}
const inOrder = (legs: readonly Leg[]): string[] =>
  legs.map((leg) => `${leg.account} Dr ${leg.debit} Cr ${leg.credit}`).sort();
const posted = (entries: readonly Entry[]): string[] =>
  inOrder(entries.map((e) => ({ account: e.ledger, debit: moneyText(e.debit), credit: moneyText(e.credit) })));
const wanted = (vouchers: readonly CaseVoucher[]): string[] =>
  inOrder(vouchers.flatMap((v) => v.lines.map((l) => ({ account: l.account, debit: l.dr, credit: l.cr }))));

const heads = ['taxable', 'cgst', 'sgst', 'igst', 'cess'] as const;
const figures = (priced: Priced): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(heads.map((head) => [head, moneyText(priced[head])])),
  gross: moneyText(priced.total - priced.roundOff - priced.tcs),
  round_off: moneyText(priced.roundOff),
  total: moneyText(priced.total),
  tcs: moneyText(priced.tcs),
  tds: moneyText(priced.tds),
  payable_to_supplier: moneyText(priced.payable),
  receivable_from_buyer: moneyText(priced.payable),
  sale_value: moneyText(priced.value),
});
/** Totals of a case that belong to its payment, or to a threshold, not to the priced document. */
const elsewhere = ['fx_gain', 'fx_loss', 'bank_credit', 'tds_base'];

test('there are thirty cases and each says which documents it is', () => {
  expect(files).toHaveLength(30);
  expect(Object.keys(documentsOfCase).sort()).toEqual(files.map((name) => name.replace('.json', '')).sort());
});

describe.each(files)('%s', (name) => {
  const file = read(name);
  const world = documentsOfCase[file.id]?.(file);
  if (!world) throw new Error(`no documents for ${file.id}`);
  const walk = walker(world);
  const walked = world.steps.map((step) => ({ step, ...walk(step) }));

  test('posts the vouchers of the case, to the paisa', () => {
    const done = walked.flatMap(({ step }) => step.vouchers);
    expect(done.sort()).toEqual(file.expected.entries.map((_, index) => index));
    for (const { step, entries } of walked) {
      if (step.vouchers.length === 0) continue;
      const vouchers = step.vouchers.map((index) => file.expected.entries[index] as CaseVoucher);
      expect(posted(entries)).toEqual(wanted(vouchers));
      for (const voucher of vouchers) expect(step.draft.date).toBe(voucher.date);
    }
  });

  const main = walked.find(({ step }) => step.figures);
  if (main)
    test('has the figures of the case on every line and below', () => {
      const { priced } = main;
      expect(priced.supply).toBe(file.expected.supply);
      expect(priced.lines.map((line) => heads.map((head) => moneyText(line[head])))).toEqual(
        (file.expected.lines ?? []).map((line) => heads.map((head) => line[head])),
      );
      const totals = Object.entries(file.expected.totals ?? {}).filter(([key]) => !elsewhere.includes(key));
      const found = figures(priced);
      expect(Object.fromEntries(totals.map(([key]) => [key, found[key]]))).toEqual(Object.fromEntries(totals));
      expect(totals.length).toBeGreaterThanOrEqual(8);
    });
});

test('the same sale at weighted average cost', () => {
  const file = read('27-fifo-vs-average-cogs.json');
  const world = documentsOfCase[file.id]?.(file);
  if (!world) throw new Error('case 27 is missing');
  const { valuation: _, ...periodic } = world;
  const walk = walker(periodic);
  const costs = world.steps.map((step) => walk(step).costs.get(1));
  expect(costs.map((cost) => moneyText(cost ?? 0))).toEqual(['1000.00', '1200.00', '1650.00']);
});
