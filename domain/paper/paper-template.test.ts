import { expect, test } from 'vitest';
import { columnProblems, paperColumnNames, readTemplate } from './paper-template.ts';

const rows = (...names: string[]) => names.map((column) => ({ column, label: '' }));
const lawful = ['description', 'hsn', 'quantity', 'unit', 'gstRate', 'taxable'];

test('without a word the paper is as usual', () => {
  const usual = readTemplate({});
  expect(usual).toMatchObject({ size: 'A4', logo: 'left', bank: true, upi: true, signatory: 'Authorised signatory' });
  expect(usual.columns.map(({ column }) => column)).toEqual(paperColumnNames);
});

test('columns are in the order and under the words that were chosen', () => {
  const columns = [{ column: 'hsn', label: 'HSN code' }, ...rows(...lawful.filter((name) => name !== 'hsn'))];
  expect(columnProblems(columns)).toEqual([]);
  const read = readTemplate({ columns, bank: false, colour: '#0f766e', size: 'roll' });
  expect(read.columns[0]).toEqual({ column: 'hsn', label: 'HSN code' });
  expect(read.columns.map(({ column }) => column)).not.toContain('rate');
  expect(read).toMatchObject({ bank: false, colour: '#0f766e', size: 'roll' });
});

test('what rule 46 asks for cannot be left out, and is on the paper whatever was kept', () => {
  for (const name of lawful) {
    const columns = rows(...lawful.filter((other) => other !== name));
    expect(columnProblems(columns)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/cannot be left out: rule 46\([g-l]\)/) }),
    ]);
    expect(readTemplate({ columns }).columns.map(({ column }) => column)).toContain(name);
  }
  expect(columnProblems(rows(...lawful, 'unit'))).toEqual([
    { field: 'columns.column', row: 6, message: 'This column already exists' },
  ]);
});
