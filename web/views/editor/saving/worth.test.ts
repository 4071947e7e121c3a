import { beforeEach, expect, test, vi } from 'vitest';
import { editorSession } from '../../../../tools/testing/session.ts';
import { createModel, type Model } from '../model.ts';
import { leftAt } from '../wire.ts';
import { followHand } from './worth.ts';

beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => undefined)));

const session = editorSession();

const after = (model: Model, work: () => void): boolean => {
  const hand = followHand(model);
  const stop = model.subscribe(hand.follow);
  work();
  stop();
  return hand.isWorthKeeping();
};

test.each([
  ['a party', { party: 'p' }],
  ['another party', { party: 'q', [leftAt('party')]: '' }],
  ['the bank', { moneyLedger: 'bank' }],
  ['the day, the place and the registration', { date: '2026-11-20', location: 'l', registration: 'r' }],
  ['what is chosen of a list', { reason: 'Others', placeOfSupply: '29', currency: 'USD', costCentre: 'c' }],
  ['a box that is ticked', { reverseCharge: 'true', taxInclusive: 'true' }],
  ['a text that was emptied again', { narration: '' }],
])('%s alone makes no draft', (_name, patch) => {
  const model = createModel('saleInvoice', session);
  expect(after(model, () => model.head.set(patch))).toBe(false);
});

test.each([
  ['an amount', { amount: '5' }],
  ['a narration', { narration: 'n' }],
  ['terms', { terms: 't' }],
  ['a reference', { reference: 'r' }],
  ['the day of a reference', { referenceDate: '2026-11-20' }],
  ['a name', { partyName: 'n' }],
  ['an address', { 'billTo.line1': 'l' }],
  ['a cheque', { 'fields.instrument': '1' }],
  ['a text for which nothing is chosen', { [leftAt('party')]: 'Nob' }],
  ['what the organisation has added', { 'additional.colour': 'red' }],
])('%s is kept', (_name, patch) => {
  const model = createModel('saleReceipt', session);
  expect(after(model, () => model.head.set(patch))).toBe(true);
});

test('what a conversion proposes is no draft until something is written; a line is one', () => {
  const proposed = { head: { party: 'p', amount: '118.00', against: 'd' }, lines: [], charges: [], adjustments: [] };
  const typed = { ...proposed, kind: 'saleReceipt', tenders: [], allocations: [{ item: 'd', amount: '118.00' }] };
  const receipt = createModel('saleReceipt', session, typed);
  expect(after(receipt, () => receipt.head.set({ moneyLedger: 'bank' }))).toBe(false);
  expect(after(receipt, () => receipt.head.set({ amount: '100' }))).toBe(true);
  const [row = ''] = receipt.allocations.keys();
  expect(after(receipt, () => receipt.allocations.set(row, { amount: '1' }))).toBe(true);
  const invoice = createModel('saleInvoice', session);
  const [line = ''] = invoice.lines.keys();
  expect(after(invoice, () => invoice.lines.set(line, { item: 'x' }))).toBe(true);
});
