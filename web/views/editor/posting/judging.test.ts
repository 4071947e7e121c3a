import { expect, test, vi } from 'vitest';
import type { KindName } from '../../../../domain/document/kinds/index.ts';
import { editorSession } from '../../../../tools/testing/session.ts';
import { standing } from '../../../kit/fields/fieldProblems.ts';
import { createModel } from '../model.ts';
import { leftAt } from '../wire.ts';
import { askedOf, followLeaving, heldBy, judged, wrongNow } from './judging.ts';

const session = editorSession();
const item = {
  ...{ id: 'lamp', sku: 'LAMP', name: 'Lamp', unit: 'NOS', units: { NOS: '1/1' }, hsn: '9405', treatment: 'taxable' },
  ...{ gstRate: '18', cessRate: '0', cessPerUnit: '0', stocked: true, onHand: '30' },
};

/** A new document of the kind; the server never answers: what it says is given by the test. */
const begun = (kind: KindName) => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel(kind, session);
  const leaving = followLeaving(model);
  const stop = leaving.listen();
  const fields = () =>
    judged(model, [], leaving.left)?.map(({ field, row }) => (row === undefined ? field : `${field} ${row}`));
  return { model, leaving, fields, stop };
};
/** What follows from a pick is filled in a moment later. */
const filled = () => new Promise((done) => setTimeout(done));

test('a field of the head is judged when it is left, and what was only passed by is not', () => {
  const { model, leaving, fields } = begun('saleInvoice');
  expect(leaving.leave(false)).toBe(false);
  expect(fields()).toEqual([]);
  model.head.set({ date: '2026-12-24' });
  // as long as somebody types in it nothing is said of it
  expect(fields()).toEqual([]);
  expect(leaving.leave(false)).toBe(true);
  expect(fields()).toEqual(['date']);
  model.head.set({ date: '2026-11-20' });
  leaving.leave(false);
  expect(fields()).toEqual([]);
});

test('a cell is judged when it is left, what its line lacks when the line is', async () => {
  const { model, leaving, fields } = begun('saleInvoice');
  model.facts.learn({ items: [item] } as never);
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { item: 'Lamp', itemId: 'lamp', filled: '' });
  await filled();
  expect(model.lines.row(key)).toMatchObject({ quantity: '1', hsn: '9405' });
  leaving.leave(true);
  expect(fields()).toEqual([]);
  model.lines.set(key, { quantity: '0' });
  leaving.leave(true);
  expect(fields()).toEqual(['quantity 0']);
  // no list has a price of it, and nobody typed one
  leaving.leave(false);
  expect(fields()).toEqual(['quantity 0', 'rate 0']);
  // a line above it: what is wrong goes along
  model.lines.add({}, 0);
  model.lines.set(model.lines.keys()[0] ?? '', { item: 'Lamp', itemId: 'lamp', quantity: '1', rate: '5' });
  expect(fields()).toEqual(['quantity 1', 'rate 1']);
});

test('what the facts fill in is nobody’s to leave', async () => {
  const { model, leaving } = begun('saleInvoice');
  model.facts.learn({ items: [item] } as never);
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { item: 'Lamp', itemId: 'lamp', filled: '' });
  await filled();
  leaving.leave(true);
  expect([...leaving.left].sort()).toEqual([`lines/${key}/item`, `lines/${key}/itemId`]);
});

test('nothing is judged while what was picked is not known yet', () => {
  const { model, leaving, fields } = begun('saleInvoice');
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { item: 'Lamp', itemId: 'lamp', quantity: '0' });
  leaving.leave(false);
  expect(fields()).toBeUndefined();
  model.facts.learn({ items: [item] } as never);
  expect(fields()).toContain('quantity 0');
});

test('text for which nothing is chosen is the problem, not that the field is empty', () => {
  const { model, leaving, fields } = begun('saleInvoice');
  model.head.set({ [leftAt('party')]: 'Nobody' });
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { item: 'Nothing of that name', quantity: '1' });
  leaving.leave(false);
  expect(judged(model, [], leaving.left)?.filter(({ message }) => message.startsWith('No choice made'))).toHaveLength(
    2,
  );
  expect(fields()?.filter((field) => field === 'item 0')).toHaveLength(1);
});

test('problems of a posting are judged anew by every field that is left', () => {
  const { model, leaving, fields } = begun('journalVoucher');
  leaving.tell([{ field: 'lines', message: 'Debit and credit differ' }]);
  const [one = '', other = ''] = model.lines.keys();
  model.lines.set(one, { ledger: 'Rent', ledgerId: 'rent', debit: '100' });
  model.lines.set(other, { ledger: 'Bank', ledgerId: 'bank', credit: '90' });
  leaving.leave(false);
  expect(fields()).toEqual(['lines']);
  model.lines.set(other, { credit: '100' });
  leaving.leave(false);
  expect(fields()).toEqual([]);
});

test('a problem with a field outside the columns of a document goes when that is mended', () => {
  const { model } = begun('billOfEntry');
  model.head.set({ 'fields.port': 'NOWHERE' });
  const given = [{ field: 'port', message: 'A port code looks like INNSA1' }];
  const held = heldBy(model);
  expect(standing(given, held, heldBy(model))).toEqual(given);
  model.head.set({ 'fields.port': 'INNSA1' });
  expect(standing(given, held, heldBy(model))).toEqual([]);
});

test('what no document of a kind is posted without is marked as required', () => {
  const asked = (kind: KindName) =>
    [...askedOf(createModel(kind, session))].filter((field) => field !== 'lines').sort();
  expect(asked('saleInvoice')).toEqual([]);
  expect(asked('purchaseBill')).toEqual(['reference']);
  expect(asked('saleReceipt')).toEqual(['amount', 'moneyLedger']);
  expect(asked('inventoryAdjustment')).toEqual(['adjustmentReason']);
  expect(asked('branchTransfer')).toEqual(['toLocation']);
  // it is paid at once, or owed to a supplier: neither is asked for by itself
  expect(asked('expense')).not.toContain('moneyLedger');
});

test('what is retired is said at once, also of a draft that nobody has touched since it was opened', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const model = createModel('journalVoucher', session, {
    kind: 'journalVoucher',
    head: { date: '2026-11-21', costCentre: 'north' },
    lines: [{ ledgerId: 'rent', partyId: 'asha', costCentreId: 'south', debit: '5' }],
    ...{ charges: [], adjustments: [], tenders: [], allocations: [] },
  });
  const said = () => judged(model, [], new Set())?.map(({ field, row, message }) => [field, row, message]);
  expect(said()).toEqual([]);
  const facts = (retired: boolean) => ({
    parties: [{ id: 'asha', name: 'Asha', retired }],
    ledgers: [{ id: 'rent', code: '4100', name: 'Rent', control: null, retired }],
    costCentres: ['north', 'south'].map((id) => ({ id, code: id, name: id, active: !retired })),
  });
  model.facts.learn(facts(true) as never);
  await filled();
  expect(model.lines.rows()[0]).toMatchObject({ ledger: 'Rent', party: 'Asha', costCentre: 'south' });
  const given = (name: string, another: string) => `${name} is retired: restore it, or choose another ${another}`;
  expect(said()).toEqual([
    ['party', 0, given('Asha', 'party')],
    ['ledger', 0, given('Rent', 'ledger')],
    ['costCentre', undefined, given('north', 'cost centre')],
    ['costCentre', 0, given('south', 'cost centre')],
  ]);
  model.facts.learn(facts(false) as never);
  expect(said()).toEqual([]);
});

test('what is no figure hides nothing of the other fields', async () => {
  const { model } = begun('saleInvoice');
  model.facts.learn({ items: [item] } as never);
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { item: 'Lamp', itemId: 'lamp', filled: '' });
  await filled();
  model.lines.set(key, { quantity: '12x' });
  model.head.set({ date: '31/13' });
  expect(wrongNow(model, [])?.map(({ field }) => field)).toEqual(expect.arrayContaining(['quantity', 'date']));
  expect(wrongNow(model, [])?.filter(({ field }) => field.endsWith('quantity'))).toHaveLength(1);
});

test('a warning that asks for no reason is said while a document is typed, whether or not its field was left', async () => {
  const { model, leaving } = begun('saleInvoice');
  const late = { number: 'SI/1', date: '2026-11-21' };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, details: { lastInSeries: late } }));
  model.head.set({ date: '2026-11-20', location: 'here', registration: 'ka' });
  await expect.poll(() => model.facts.lastInSeries()).toEqual(late);
  expect(judged(model, [], leaving.left)).toMatchObject([
    { field: 'date', warning: true, message: expect.stringContaining('SI/1, is dated later: 21 Nov 2026') },
  ]);
  // of another day nothing is known yet, and no number is dated later than today
  model.head.set({ date: '2026-11-21' });
  expect(judged(model, [], leaving.left)).toEqual([]);
});

test.each(['overseasSale', 'overseasPurchase', 'saleCreditNote'] as const)(
  'a rate of exchange of 0 on %s is wrong at once, and one that is left out is not taken for it',
  (kind) => {
    const { model } = begun(kind);
    model.head.set({ currency: 'USD', exchangeRate: '0.00' });
    const wrong = () => (wrongNow(model, []) ?? []).filter(({ field }) => field === 'exchangeRate');
    expect(wrong()).toEqual([{ field: 'exchangeRate', message: expect.stringContaining('more than 0') }]);
    model.head.set({ exchangeRate: '' });
    expect(wrong().filter(({ message }) => message.includes('more than 0'))).toEqual([]);
  },
);

test('a discount that cannot be read is a problem at its field, of the document and of a line', async () => {
  const { model, leaving, fields } = begun('saleInvoice');
  model.facts.learn({ items: [item] } as never);
  const [key = ''] = model.lines.keys();
  model.lines.set(key, { item: 'Lamp', itemId: 'lamp', quantity: '1', rate: '100' });
  await filled();
  const said = () => fields()?.filter((field) => field.startsWith('discount'));
  for (const text of ['10 percent', 'abc', '101%', '1.234']) {
    model.head.set({ discount: text });
    model.lines.set(key, { discount: text });
    leaving.leave(false);
    expect([text, said()]).toEqual([text, ['discount', 'discount 0']]);
  }
  for (const text of ['10%', '10.5 %', '12', '1,234.50', '']) {
    model.head.set({ discount: text });
    model.lines.set(key, { discount: text });
    leaving.leave(false);
    expect([text, said()]).toEqual([text, []]);
  }
});
