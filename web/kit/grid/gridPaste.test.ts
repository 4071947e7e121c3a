import { expect, test } from 'vitest';
import { type GridColumn, pasteInto, spread } from './gridPaste.ts';
import { createRowStore } from './rowStore.ts';

const columns: readonly GridColumn[] = [
  { key: 'item', label: 'Item', type: 'combobox', idKey: 'itemId', names: ['item name', 'description of goods'] },
  { key: 'hsn', label: 'HSN/SAC', type: 'text', names: ['hsn'], takes: (text) => text.length === 8 },
  { key: 'quantity', label: 'Quantity', type: 'number', places: 6, names: ['qty'] },
  { key: 'rate', label: 'Rate', type: 'number', names: ['price'] },
  {
    key: 'discount',
    label: 'Discount',
    type: 'text',
    names: ['disc', 'disc %'],
    headed: (header, text) => (header.includes('%') && !text.endsWith('%') ? `${text}%` : text),
  },
  { key: 'amount', label: 'Amount (₹)', type: 'readonly' },
];
const paste = (text: string, at = 0, most?: number) => {
  const store = createRowStore([{}]);
  const answer = pasteInto({
    ...{ store, columns, cells: spread(text), row: 0, column: at },
    ...(most !== undefined && { most }),
  });
  const rows = store.rows().map(({ key: _, ...row }) => row);
  return { rows, ...answer };
};

test('paste: a header row decides the columns, wherever the cell is', () => {
  const sheet = 'Qty\tItem Name\tRate (₹)\tHSN\n2\tCeiling fan\t1,200\t84145110\n1\tLamp\t95\t94051100';
  for (const at of [0, 3]) {
    const { rows, last, untaken } = paste(sheet, at);
    expect(rows).toEqual([
      { quantity: '2', item: 'Ceiling fan', rate: '1200.00', hsn: '84145110' },
      { quantity: '1', item: 'Lamp', rate: '95.00', hsn: '94051100' },
    ]);
    expect([last, untaken]).toEqual([1, []]);
  }
});

test('paste: without a header row the cells go into the columns from the cell on, in their order', () => {
  expect(paste('Ceiling fan\t84145110\t2\t1200').rows).toEqual([
    { item: 'Ceiling fan', hsn: '84145110', quantity: '2', rate: '1200.00' },
  ]);
  expect(paste('3\t50', 2).rows).toEqual([{ quantity: '3', rate: '50.00' }]);
});

test('paste: without a header row it says which columns the cells were taken for', () => {
  expect(paste('Ceiling fan\t84145110\t2\t1200').as).toEqual(['Item', 'HSN/SAC', 'Quantity', 'Rate']);
  expect(paste('Ceiling fan\t1000\t17.50')).toMatchObject({
    rows: [{ item: 'Ceiling fan', quantity: '1000', rate: '17.50' }],
    as: ['Item', 'Quantity', 'Rate'],
  });
  expect(paste('Item\tQty\nLamp\t2').as).toEqual([]);
  expect(paste('Lamp\nFan').as).toEqual([]);
});

test('paste: a column is passed over when one row has another text there', () => {
  const { rows } = paste('Fan\t84145110\t3\nLamp\t2\t95');
  expect(rows[1]).toEqual({ item: 'Lamp', quantity: '2', rate: '95.00' });
});

test('paste: an item that is named like a column is no header', () => {
  expect(paste('Rate\t\t2\t95').rows).toEqual([{ item: 'Rate', hsn: '', quantity: '2', rate: '95.00' }]);
});

test('paste: a column that the lines do not have is named with what it holds', () => {
  const { rows, untaken } = paste('Item\tColour\tQty\nLamp\tred\t2\nFan\tblue\t1');
  expect(rows).toEqual([
    { item: 'Lamp', quantity: '2' },
    { item: 'Fan', quantity: '1' },
  ]);
  expect(untaken).toEqual(['Column “Colour”: red, blue']);
});

test('paste: amounts are worked out here, and numbers of rows are given here', () => {
  const { rows, untaken } = paste('Sl. No.\tItem\tQty\tPrice\tAmount\n1\tLamp\t2\t95\t190');
  expect(rows).toEqual([{ item: 'Lamp', quantity: '2', rate: '95.00' }]);
  expect(untaken).toEqual(['Column “Amount”: 190']);
});

test('paste: a price that includes tax is not taken for one without', () => {
  const { rows, untaken } = paste('Item\tQty\tRate (Incl. of Tax)\nLamp\t2\t118');
  expect(rows).toEqual([{ item: 'Lamp', quantity: '2' }]);
  expect(untaken).toEqual(['Column “Rate (Incl. of Tax)”: 118']);
});

test('paste: a discount under a header with % is a percentage', () => {
  expect(paste('Item\tQty\tDisc %\nLamp\t2\t10\nFan\t1\t5%').rows).toEqual([
    { item: 'Lamp', quantity: '2', discount: '10%' },
    { item: 'Fan', quantity: '1', discount: '5%' },
  ]);
});

test('paste: text where a number belongs stays in its cell, to be marked there', () => {
  expect(paste('Item\tQty\nLamp\ttwo dozen').rows).toEqual([{ item: 'Lamp', quantity: 'two dozen' }]);
});

test('paste: cells beyond the last column and rows beyond the last line are named', () => {
  expect(paste('5\t\tnote', 3).untaken).toEqual(['Row 1: note']);
  const { rows, untaken } = paste('Lamp\t\t1\nFan\t\t2', 0, 1);
  expect(rows).toHaveLength(1);
  expect(untaken).toEqual(['Row 2: Fan, 2']);
});

test('paste: a cell in quotes may have line breaks, and quotes inside a name stay', () => {
  expect(spread('"Fan\n48"" white"\t2\n12" lamp\t3\n')).toEqual([
    ['Fan 48" white', '2'],
    ['12" lamp', '3'],
  ]);
});
