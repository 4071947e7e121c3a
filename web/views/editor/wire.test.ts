import { describe, expect, it } from 'vitest';
import { kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import { columnsOf } from './lines/columns.ts';
import {
  addMoney,
  bodyOf,
  countedDelta,
  discountOf,
  draftOf,
  leftAt,
  lineAmount,
  type Typed,
  taken,
  typedOf,
  unpicked,
} from './wire.ts';

const typed = (patch: Partial<Typed>): Typed => ({
  kind: 'saleInvoice',
  head: { date: '2026-11-21' },
  lines: [],
  charges: [],
  adjustments: [],
  tenders: [],
  allocations: [],
  ...patch,
});

const nothing = async () => ({ rows: [], total: 0 });
const noSearches = {
  ...{ items: nothing, ledgers: nothing, parties: nothing, rooms: nothing, costCentres: nothing },
  createItem: { label: 'Create item', run: () => undefined },
};
const everything = { batches: true, serials: true, rooms: true, currencies: true, costCentres: true };
const newItem = '01a20000-0000-7000-8000-00000000000a';

describe('a document as typed', () => {
  it('is checked with what it settles, as the server checks it', () => {
    const document = '01a20000-0000-7000-8000-000000000001';
    const allocations = [
      { item: document, amount: '5' },
      { item: `${document}/2`, amount: '1.50' },
      { item: document, amount: '' },
    ];
    expect(draftOf(typed({ kind: 'allocationVoucher', allocations })).allocations).toEqual([
      { document, amount: 500 },
      { document, line: 2, amount: 150 },
    ]);
  });

  it('reads a discount as a percent or an amount', () => {
    expect(discountOf('10%')).toEqual({ percent: '10' });
    expect(discountOf('2.5 %')).toEqual({ percent: '2.5' });
    expect(discountOf('1,234.50')).toEqual({ amount: '1234.50' });
    expect(discountOf('  ')).toBeUndefined();
  });

  it('leaves blank lines out and remembers which rows were sent', () => {
    const { body, rowOf } = bodyOf(
      typed({ lines: [{}, { itemId: 'a', quantity: '2', rate: '10' }, { hsn: '' }, { itemId: 'b' }] }),
    );
    expect(body.lines).toEqual([{ item: 'a', quantity: '2', rate: '10' }, { item: 'b' }]);
    expect(rowOf).toEqual([1, 3]);
  });

  it('sends a rate of tax only where it differs from the item’s own', () => {
    const { body } = bodyOf(
      typed({
        lines: [
          { itemId: 'a', gstRate: '18', gstOwn: '18' },
          { itemId: 'b', gstRate: '5', gstOwn: '18' },
        ],
      }),
    );
    expect(body.lines.map((line) => line.gstRate)).toEqual([undefined, '5']);
  });

  it('keeps what cannot be read, so that the server names it', () => {
    expect(bodyOf(typed({ lines: [{ itemId: 'a', quantity: 'two' }] })).body.lines[0]?.quantity).toBe('two');
  });

  it('nests dotted fields, turns flags to true or false and leaves its own marks behind', () => {
    const { body } = bodyOf(
      typed({
        head: {
          'shipTo.city': 'Pune',
          reverseCharge: 'true',
          'fields.port': 'INMAA4',
          _due: '2026-12-01',
          reference: '',
          discount: '5%',
        },
      }),
    );
    expect(body).toMatchObject({
      shipTo: { city: 'Pune' },
      reverseCharge: true,
      fields: { port: 'INMAA4' },
      discount: { percent: '5' },
    });
    expect(body).not.toHaveProperty('_due');
    expect(body).not.toHaveProperty('reference');
  });

  it('comes back from a stored body as it went', () => {
    const before = typed({
      head: { date: '2026-11-21', 'shipTo.city': 'Pune', reverseCharge: 'true', discount: '5%' },
      lines: [{ itemId: 'a', quantity: '2', rate: '10.50', discount: '10%', source: 'doc/3' }],
      charges: [{ name: 'Freight', amount: '50' }],
    });
    const paid = typed({
      kind: 'saleReceipt',
      head: { amount: '10.00' },
      allocations: [{ item: 'x', amount: '10.00' }],
    });
    for (const each of [before, paid]) {
      const { body } = bodyOf(each);
      const again = bodyOf(typedOf(each.kind, { ...body, id: 'gone', version: 7, total: '1.00' }));
      expect(again.body).toEqual(body);
    }
  });

  it('leaves behind what its kind does not have, and no field shows', () => {
    const { body } = bodyOf(typed({ kind: 'overseasSale', head: { placeOfSupply: '29', withPayment: 'true' } }));
    expect(typedOf('overseasSale', body as never).head).toEqual({ withPayment: 'true' });
  });

  it('reads whole numbers for pricing and skips what is no number', () => {
    const draft = draftOf(
      typed({
        head: { date: '2026-11-21', amount: '1000.50', exchangeRate: 'x' },
        lines: [
          { itemId: 'a', quantity: '2.5', rate: '10', discount: '10%', gstRate: '18' },
          { itemId: 'b', rate: '1.1234567' },
        ],
      }),
    );
    expect(draft.amount).toBe(100_050);
    expect(draft.exchangeRate).toBe(1_000_000);
    expect(draft.lines[0]).toMatchObject({
      item: 'a',
      quantity: 2_500_000,
      rate: 10_000_000,
      discount: { percent: 100_000 },
      gstRate: 180_000,
    });
    expect(draft.lines[1]).toEqual({ item: 'b' });
  });

  it('figures of customs and credit to reverse: are whole numbers in the draft, and zero where nothing is typed', () => {
    const entry = typed({ kind: 'billOfEntry', head: { 'customs.assessable': '1000.50', 'customs.covers.1': '2.5' } });
    expect(draftOf(entry).customs).toEqual({
      ...{ assessable: 100_050, basic: 0, surcharge: 0, igst: 0 },
      covers: { 1: 2_500_000 },
    });
    const lost = typed({
      kind: 'inventoryAdjustment',
      head: { 'creditReversed.cgst': '5', 'creditReversed.sgst': 'x' },
    });
    expect(draftOf(lost).creditReversed).toEqual({ cgst: 500, sgst: 0, igst: 0, cess: 0 });
  });

  it('works out a line by itself, halves of a paisa away from zero', () => {
    expect(lineAmount({ itemId: 'a', quantity: '3', rate: '33.335' })).toBe(10_001);
    expect(lineAmount({ itemId: 'a', quantity: '3', rate: '100', discount: '10%' })).toBe(27_000);
    expect(lineAmount({ itemId: 'a', quantity: '3', rate: '100', discount: '1' })).toBe(29_900);
  });

  it('takes a count as the difference to the books', () => {
    expect(countedDelta('12.5', '10')).toBe('2.5');
    expect(countedDelta('7', '10')).toBe('-3');
    expect(countedDelta('', '10')).toBe('');
  });

  it('posts of a count what differs from the books, and keeps of what was listed only what was counted', () => {
    const listed = { listed: 'true', item: 'Fan', rate: '60' };
    const lines = [
      { ...listed, itemId: 'a' },
      { ...listed, itemId: 'b', counted: '7', delta: '-3' },
      { ...listed, itemId: 'c', counted: '5', delta: '0' },
    ];
    const count = typed({ kind: 'inventoryAdjustment', lines });
    expect(bodyOf(count).body.lines).toMatchObject([{ item: 'b' }, { item: 'c', delta: '0' }]);
    expect(bodyOf(taken(count))).toMatchObject({ body: { lines: [{ item: 'b', delta: '-3' }] }, rowOf: [1] });
  });

  it('adds money and counts what is no number as nothing', () => {
    expect(addMoney(['10.50', 'x', undefined, '0.01'])).toBe(1051);
  });

  it('names text for which no record is chosen, and keeps it in the draft', () => {
    const made = typed({
      kind: 'cashSale',
      head: { date: '2026-11-21', [leftAt('party')]: 'Nobody', [leftAt('against')]: '' },
      lines: [
        { item: 'LED', quantity: '3' },
        { itemId: 'a', item: 'Bulb' },
      ],
      tenders: [{ ledger: 'Cas', amount: '10' }],
    });
    expect(unpicked(made)).toEqual([
      { field: 'party', message: 'No choice made for “Nobody”' },
      { field: 'item', row: 0, message: 'No choice made for “LED”' },
      { field: 'tenders.ledger', row: 0, message: 'No choice made for “Cas”' },
    ]);
    const again = typedOf('cashSale', bodyOf(made).body);
    expect(again.lines[0]).toMatchObject({ item: 'LED', quantity: '3', itemId: '' });
    expect(unpicked(again)).toEqual(unpicked({ ...made, lines: [made.lines[0] as never, { item: 'a' }] }));
  });

  it('text for which no record is chosen: each of a journal line is kept in its own field', () => {
    const line = { ledger: 'Rentt', party: 'Nobody', description: 'November', debit: '10' };
    const again = typedOf('journalVoucher', bodyOf(typed({ kind: 'journalVoucher', lines: [line] })).body);
    expect(again.lines[0]).toMatchObject(line);
  });

  it('a line of which one cell alone is filled is sent, whichever cell it is', () => {
    const grids = kindNames.flatMap((kind) =>
      columnsOf(kindOf(kind), noSearches, false, everything).map(({ key }) => key),
    );
    const shown = ['amount', 'beside', 'onHand', 'left'];
    for (const key of new Set(grids.filter((name) => !shown.includes(name))))
      expect(bodyOf(typed({ lines: [{ [key]: '18' }] })).rowOf, key).toEqual([0]);
  });

  it('a row of charges, adjustments or tenders without an amount is a problem', () => {
    const rows = [{ ledger: 'Cash', ledgerId: 'c' }];
    expect(unpicked(typed({ charges: rows, adjustments: [{ name: 'Deposit' }], tenders: rows }))).toMatchObject([
      { field: 'charges.amount', row: 0 },
      { field: 'adjustments.amount', row: 0 },
      { field: 'tenders.amount', row: 0 },
    ]);
  });

  it('posts of a source only the lines of which something is taken, and keeps the others in the draft', () => {
    const lines = ['0', '', '2'].map((quantity) => ({ itemId: 'a', source: 's/1', quantity }));
    expect(bodyOf(taken(typed({ lines }))).rowOf).toEqual([2]);
    expect(bodyOf(typed({ lines })).body.lines).toHaveLength(3);
  });

  it('sends a line with figures but no record, so that it is named', () => {
    expect(bodyOf(typed({ lines: [{ quantity: '2', rate: '5' }] })).body.lines).toEqual([{ quantity: '2', rate: '5' }]);
  });

  it('carries batches and serial numbers from their cells to the wire and back', () => {
    const row = { itemId: newItem, quantity: '15', batches: 'B1 = 10 exp 2027-03-31; B2 = 5', serials: 'A9..A10' };
    const { body } = bodyOf(typed({ lines: [row] }));
    expect(body.lines[0]).toMatchObject({
      batches: [
        { batch: 'B1', quantity: '10', expiry: '2027-03-31' },
        { batch: 'B2', quantity: '5' },
      ],
      serials: ['A9', 'A10'],
    });
    expect(typedOf('saleInvoice', body as never).lines[0]).toMatchObject({ ...row, serials: 'A9, A10' });
    expect(draftOf(typed({ lines: [row] })).lines[0]?.batches).toMatchObject([
      { quantity: 10_000_000 },
      { quantity: 5_000_000 },
    ]);
    // one batch for the whole line
    expect(bodyOf(typed({ lines: [{ itemId: 'a', quantity: '7', batches: 'B1' }] })).body.lines[0]).toMatchObject({
      batches: [{ batch: 'B1', quantity: '7' }],
    });
  });
});
