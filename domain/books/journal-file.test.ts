import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paise } from '../base/money.ts';
import {
  type JournalAccount,
  JournalBody,
  type JournalTransaction,
  journalHead,
  journalNames,
  journalOpening,
} from './journal-file.ts';

const bank: JournalAccount = { key: 'b', nature: 'asset', groups: ['Current assets'], name: 'Bank', code: '1121' };
const sales: JournalAccount = { key: 's', nature: 'income', groups: [], name: 'Sales', code: '4110' };
const acme: JournalAccount = { key: 'r p', nature: 'asset', groups: ['Receivables'], name: 'Acme; Sons', code: 'C1' };
const accounts = [bank, sales, acme];
const names = journalNames(accounts);

const invoice = (date: string, amount: number): JournalTransaction => ({
  ...{ date, number: 'A(1)', label: 'Sale invoice', party: 'Acme | Sons', id: 'x' },
  entries: [
    { account: 'r p', amount: paise(amount), foreign: 'USD 1.50' },
    { account: 's', amount: paise(-amount) },
  ],
});

test('the head declares the types of accounts, every account and how amounts are written', () => {
  const head = { organisation: 'SHARMA', from: '2026-04-01', to: '2026-05-31', notes: ['One: two'] };
  const lines = [...journalHead(head, accounts, names)];
  expect(lines).toContain('account revenues  ; type: R');
  expect(lines).toContain('account assets:Receivables:Acme Sons  ; code: C1');
  expect(lines).toContain('commodity INR 1,00,00,000.00');
  expect(lines).toContain('; One two');
});

test('opening: accounts with a balance are listed, and without any there is no transaction', () => {
  const opening = (amount: number) => [
    ...journalOpening('2026-04-01', [{ account: 'b', amount: paise(amount) }], names),
  ];
  expect(opening(0)).toEqual([]);
  expect(opening(-150)).toEqual([
    '',
    '2026-04-01 Opening balances  ; clopen:',
    '    assets:Current assets:Bank  INR -1.50',
  ]);
});

test('balances are asserted at the end of each month for the accounts that moved, opening included', () => {
  const openings = [{ account: 'r p', amount: paise(100) }];
  const body = new JournalBody('2026-04-01', '2026-05-20', openings, names);
  const lines = [
    ...body.add(invoice('2026-04-30', 11800)),
    ...body.add({ ...invoice('2026-05-01', 5), closes: true }),
    ...body.end(),
  ];
  expect(lines.join('\n')).toBe(`
2026-04-30 (A(1]) Acme Sons | Sale invoice  ; id: x
    assets:Receivables:Acme Sons  INR 118.00  ; foreign: USD 1.50
    revenues:Sales  INR -118.00

2026-04-30 Balances
    assets:Receivables:Acme Sons  INR 0.00 = INR 119.00
    revenues:Sales  INR 0.00 = INR -118.00

2026-05-01 (A(1]) Acme Sons | Sale invoice  ; id: x, retain:
    assets:Receivables:Acme Sons  INR 0.05  ; foreign: USD 1.50
    revenues:Sales  INR -0.05

2026-05-20 Balances
    assets:Receivables:Acme Sons  INR 0.00 = INR 119.05
    revenues:Sales  INR 0.00 = INR -118.05`);
});

test('whatever ledgers and parties are called, account names differ and have no separators of hledger', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('A', 'a', 'A - 1', 'A  -  1', 'A - 1 2', ' a;', ':a'),
  );
  const account = fc.record({
    key: fc.uuid(),
    nature: fc.constantFrom('asset', 'liability'),
    groups: fc.array(text, { maxLength: 2 }),
    name: text,
    code: fc.constantFrom('1', '2', '1 2'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(account, { selector: ({ key }) => key, maxLength: 12 }), (some) => {
      const all = [...journalNames(some as readonly JournalAccount[]).values()];
      expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(some.length);
      for (const name of all) expect(name).toMatch(/^(assets|liabilities)(:[^\s:;|]+( [^\s:;|]+)*)+$/u);
    }),
    { numRuns: 500 },
  );
});
