import { expect, test } from 'vitest';
import { chart } from '../facts/chart-of-accounts.ts';
import { type Effect, effectNames, effects } from './effects.ts';
import { effectUses, fieldUses, type LedgerSeen, type Nature, unfit } from './ledger-uses.ts';

const money = new Set(['cash', 'bank', 'clearing', 'bank_od']);
const rowOf = (code: string) => {
  const row = chart.find((one) => one.code === code);
  if (!row) throw new Error(code);
  return row;
};
const seen = (code: string, others: readonly Effect[] = []): LedgerSeen => {
  const { type, role } = rowOf(code);
  return { nature: type, role, currency: null, money: money.has(role ?? ''), effects: others };
};
const onLedger = (code: string, but?: Effect) =>
  effectNames.filter((name) => effects[name][1] === code && name !== but);

test.each(effectNames)('%s may go where the default chart has it, beside what else goes there', (effect) => {
  const [, code] = effects[effect];
  expect(unfit(effectUses[effect], seen(code, onLedger(code, effect)))?.message).toBe(undefined);
});

test('what an effect is kept on takes no other effect, whichever comes second', () => {
  const kept = effectNames.filter((effect) => effectUses[effect].keeps !== undefined);
  for (const effect of kept)
    for (const other of effectNames) {
      if (other === effect) continue;
      const shares = effectUses[other].keeps === effectUses[effect].keeps;
      expect([
        effect,
        other,
        unfit(effectUses[other], seen(effects[effect][1], [effect]))?.message === undefined,
      ]).toEqual([effect, other, shares && unfit(effectUses[other], seen(effects[effect][1]))?.message === undefined]);
    }
});

test.each([
  ['stock', '6485', 'Choose a ledger of assets'],
  ['salesGoods', '1210', 'Choose a ledger of income'],
  ['stock', '1121', 'This is a bank or cash ledger: choose another'],
  ['receivable', '4110', 'Choose a ledger of assets'],
  [
    'receivable',
    '1710',
    'The default chart has this ledger for something else: choose another, or add a ledger for it',
  ],
  ['outputCgst', '6485', 'Choose a ledger of liabilities'],
  ['cash', '4110', 'Choose a ledger of assets or liabilities'],
  ['cash', '1530', 'Choose a bank or cash ledger'],
  ['bankCharges', '1121', 'Choose a ledger of expenses'],
  ['roundOff', '1530', 'Choose a ledger of income or expenses'],
] as const)('%s does not go to %s', (effect, code, message) => {
  expect(unfit(effectUses[effect], seen(code))?.message).toBe(message);
});

test.each([
  ['stock', '1210', 'Trade receivables'],
  ['inputIgst', '1310', 'Stock-in-trade'],
  ['tdsRent', '2211', 'Output CGST'],
] as const)('%s does not go to %s, and the message names what the ledger is kept for', (effect, code, name) => {
  expect(unfit(effectUses[effect], seen(code, onLedger(code)))?.message).toBe(
    `This ledger is kept for “${name}”: choose another`,
  );
});

test('a ledger that an organisation adds is taken by its nature; one in another currency never', () => {
  const own = (nature: Nature, currency: string | null = null): LedgerSeen => ({
    ...{ nature, role: null, currency, money: false, effects: [] },
  });
  for (const effect of effectNames) {
    const { natures = [], money: isMoney } = effectUses[effect];
    for (const nature of ['asset', 'liability', 'equity', 'income', 'expense'] as const)
      expect([effect, nature, unfit(effectUses[effect], own(nature))?.message === undefined]).toEqual([
        effect,
        nature,
        natures.includes(nature) && isMoney !== true,
      ]);
    expect(unfit(effectUses[effect], own(natures[0] ?? 'asset', 'USD'))?.message).not.toBe(undefined);
  }
});

test('a line names no control account, tax head, bank or cash; cash of a till goes to a bank too', () => {
  for (const code of ['1210', '2120', '1310', '2211', '1411', '2221', '1441', '2231', '2250']) {
    expect([code, unfit(fieldUses.lineLedger, seen(code, onLedger(code)))?.message]).toEqual([
      code,
      expect.any(String),
    ]);
    expect([code, unfit(fieldUses.cashMovedLedger, seen(code, onLedger(code)))?.message]).toEqual([
      code,
      expect.any(String),
    ]);
  }
  expect(unfit(fieldUses.lineLedger, seen('1121', ['bank']))?.message).toBe(
    'This is a bank or cash ledger: choose another',
  );
  expect(unfit(fieldUses.cashMovedLedger, seen('1121', ['bank']))?.message).toBe(undefined);
  expect(unfit(fieldUses.lineLedger, seen('6410'))?.message).toBe(undefined);
  expect(unfit(fieldUses.lineLedger, seen('2340'))?.message).toBe(undefined);
});

test('money of documents goes to a bank account in dollars; lines and effects do not', () => {
  const dollars: LedgerSeen = { ...seen('1121'), currency: 'USD', effects: [] };
  expect(unfit(fieldUses.moneyLedger, dollars)?.message).toBe(undefined);
  expect(unfit(effectUses.bank, dollars)?.message).toContain('kept in USD');
  expect(unfit(fieldUses.lineLedger, { ...seen('6485'), currency: 'USD' })?.message).toContain('kept in USD');
});
