import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { irnOf } from './cipher.ts';
import { invoiceCodes, type RuleContext } from './rules.ts';
import { readInvoice } from './schema.ts';
import { taxpayer } from './taxpayers.ts';
import { financialYear, isoDay } from './times.ts';

const samples = new URL('../domain/facts/samples/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, samples), 'utf8'));

interface Expected {
  readonly file: string;
  readonly expectedErrors: readonly string[];
  readonly asOf: string;
  readonly supplierTurnoverCrore: number;
  readonly callerGstin: string;
  readonly irn: string | null;
  readonly schemaError?: readonly string[];
}
interface Mutation {
  readonly id: string;
  readonly base: string;
  readonly set: Readonly<Record<string, unknown>>;
  readonly ctx?: { readonly aatoCrore?: number; readonly callerGstin?: string };
  readonly expect: readonly string[];
}

const expected = new Map<string, Expected>(
  readdirSync(samples)
    .filter((name) => name.endsWith('.expected.json'))
    .map((name) => read(name))
    .map((one: Expected) => [one.file, one]),
);
const expectedOf = (file: string): Expected => {
  const found = expected.get(file);
  if (!found) throw new Error(`No expectation for ${file}.`);
  return found;
};

const context = (one: Expected, ctx: Mutation['ctx'] = {}): RuleContext => ({
  today: one.asOf,
  caller: ctx.callerGstin ?? one.callerGstin,
  turnover: ctx.aatoCrore ?? one.supplierTurnoverCrore,
  taxpayer,
});

/** As the portal does it: the schema first, and the rules on what fits. */
function codesOf(payload: unknown, rules: RuleContext): readonly string[] {
  const result = readInvoice(payload);
  return 'wrong' in result ? ['5002'] : invoiceCodes(result.invoice, rules);
}

function changed(payload: Record<string, unknown>, changes: Readonly<Record<string, unknown>>) {
  for (const [pointer, value] of Object.entries(changes)) {
    const steps = pointer.split('/').slice(1);
    const last = steps.pop() ?? '';
    const holder = steps.reduce<Record<string, unknown>>((at, step) => at[step] as Record<string, unknown>, payload);
    holder[last] = value;
  }
  return payload;
}

describe('samples', () => {
  test('all twenty are seen', () => expect(expected.size).toBe(20));

  test.each([...expected.values()].map((one) => [one.file, one] as const))('%s', (file, one) => {
    const payload = read(file);
    expect(codesOf(payload, context(one))).toEqual(one.expectedErrors);
    if (one.schemaError) expect(readInvoice(payload)).toEqual({ wrong: one.schemaError });
    if (one.irn === null) return;
    const { SellerDtls, DocDtls } = payload;
    const year = financialYear(isoDay(DocDtls.Dt) ?? '');
    expect(irnOf(SellerDtls.Gstin, year, DocDtls.Typ, DocDtls.No)).toBe(one.irn);
  });
});

describe('mutations', () => {
  const mutations: Mutation[] = read('mutations.json').mutations;
  test('all forty-eight are seen', () => expect(mutations.length).toBe(48));

  test.each(mutations.map((one) => [one.id, one] as const))('%s', (_id, one) => {
    const payload = changed(read(one.base), one.set);
    expect(codesOf(payload, context(expectedOf(one.base), one.ctx))).toEqual(one.expect);
  });
});

describe('rules that no sample breaks', () => {
  const base = () => read('02-inter-b2b.json');
  const rules = context(expectedOf('02-inter-b2b.json'));
  // the PAN digits 9991 to 9999 make odd taxpayers; check characters are right
  const odd = (digits: string, set: Record<string, unknown> = {}) =>
    codesOf(changed(base(), { '/BuyerDtls/Gstin': withCheck(`29AABCK${digits}K1Z`), ...set }), rules);

  test('a suspended recipient is taken, a cancelled one only within its life', () => {
    expect(odd('9991')).toEqual([]);
    expect(odd('9992')).toEqual(['3074']);
  });
  test('unknown recipients and those the copy does not have yet', () => {
    expect(odd('9999')).toEqual(['3028']);
    expect(odd('9996')).toEqual(['3028']);
  });
  test('deemed export to a composition taxpayer, reverse charge to an input service distributor', () => {
    expect(odd('9994', { '/TranDtls/SupTyp': 'DEXP' })).toEqual(['2298']);
    expect(odd('9998', { '/TranDtls/RegRev': 'Y' })).toEqual(['2297']);
  });
  test('PIN codes: none, of no state, of no place', () => {
    expect(codesOf(changed(base(), { '/BuyerDtls/Pin': null }), rules)).toEqual(['2244']);
    expect(codesOf(changed(base(), { '/BuyerDtls/Pin': 999_999 }), rules)).toEqual(['2274']);
    expect(codesOf(changed(base(), { '/BuyerDtls/Pin': 990_001 }), rules)).toEqual(['3038']);
  });
  test('four digits of an HSN are too few', () => {
    expect(codesOf(changed(base(), { '/ItemList/0/HsnCd': '8471' }), rules)).toEqual(['2176']);
  });
  test('a date before the earliest, and one that no calendar has', () => {
    const old = changed(base(), { '/DocDtls/Dt': '31/03/2025' });
    expect(codesOf(old, { ...rules, turnover: 7 })).toEqual(['2284']);
    expect(codesOf(changed(base(), { '/DocDtls/Dt': '31/02/2026' }), rules)).toEqual(['2292']);
  });
});

function withCheck(first14: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const found = [...alphabet].find((last) => taxpayerLike(first14 + last));
  return first14 + (found ?? '');
}

/** The law's own arithmetic, the other way round: the weighted sum with the check character is a multiple of 36. */
function taxpayerLike(gstin: string): boolean {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const parts = [...gstin].map((character, place) => {
    const product = alphabet.indexOf(character) * (place % 2 === 0 ? 1 : 2);
    return Math.trunc(product / 36) + (product % 36);
  });
  return parts.reduce((sum, part) => sum + part, 0) % 36 === 0;
}
