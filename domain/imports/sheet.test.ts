import { describe, expect, test } from 'vitest';
import { masters } from '../../contract/masters.ts';
import { readCell } from './cells.ts';
import { headingRow, recognise } from './recognise.ts';
import { changedFields, mappedColumns, matching, mergeRecord, readRecord } from './record.ts';
import { columnsOf, type SheetField } from './sheet.ts';
import { writeSheet } from './written.ts';

const fieldsOf = (name: keyof typeof masters) => masters[name].fields as Readonly<Record<string, SheetField>>;
const headings = (name: keyof typeof masters, ...texts: string[]) => recognise(name, columnsOf(fieldsOf(name)), texts);
const read = (type: string, text: string, more: Partial<SheetField> = {}) => {
  const cell = readCell({ label: 'Field', type, ...more }, text);
  return cell && ('value' in cell ? cell.value : cell.problem.message);
};

describe('headings', () => {
  test('columns of Vyapar, Zoho Books and Tally are recognised', () => {
    expect(headings('customer', 'Party Name', 'GSTIN/UIN', 'Phone No.', 'E-mail ID', 'Credit Limit Rs')).toEqual([
      ...['name', 'gstin', 'phone', 'email', 'creditLimit'],
    ]);
    expect(
      headings('customer', 'Display Name', 'GST Treatment', 'Billing Address', 'Billing Street2', 'Billing City'),
    ).toEqual([
      ...['name', 'category', 'addresses.billing.line1', 'addresses.billing.line2', 'addresses.billing.city'],
    ]);
    expect(headings('item', 'Item Name*', 'HSN/SAC', 'Sale Price', 'Purchase Price (₹)', 'TAX %', 'Base unit')).toEqual(
      [...['name', 'hsn', 'saleRate', 'purchaseRate', 'gstRate', 'unit']],
    );
  });
  test('the state of a party is meant before that of its address, and a heading is taken once', () => {
    expect(headings('customer', 'State', 'City', 'PIN', 'State', 'Colour')).toEqual([
      ...['state', 'addresses.1.city', 'addresses.1.pincode', 'addresses.1.state', null],
    ]);
  });
  test('the row with the headings is below titles of the file', () => {
    const rows = [['Sharma Traders'], ['List of Ledgers', '', ''], ['Name', 'GSTIN', 'State'], ['A', '', 'Goa']];
    expect(headingRow('customer', columnsOf(fieldsOf('customer')), rows)).toBe(2);
  });
  test('every heading of a master means its own column', () => {
    for (const name of Object.keys(masters) as (keyof typeof masters)[]) {
      const columns = columnsOf(fieldsOf(name), 2);
      expect(
        recognise(
          name,
          columns,
          columns.map(({ heading }) => heading),
        ),
        name,
      ).toEqual(columns.map(({ target }) => target));
    }
  });
});

describe('cells', () => {
  test.each([
    ['money', '₹ 1,00,000.00', '100000'],
    ['money', '(2,500.50)', '-2500.5'],
    ['money', 'Rs. 12/-', '12'],
    ['money', '1.234,50', '“1.234,50” is not a number'],
    ['percent', '18 %', '18'],
    ['rate', '.5', '0.5'],
    ['whole', '1,000', '1000'],
    ['whole', '1.5', '“1.5” is not a whole number'],
    ['flag', 'Y', true],
    ['flag', 'no', false],
    ['flag', 'maybe', 'Write Yes or No'],
    ['day', '31/03/2026', '2026-03-31'],
    ['day', '1-4-26', '2026-04-01'],
    ['day', '05 Apr 2026', '2026-04-05'],
    ['day', '2026-04-05T00:00:00.000Z', '2026-04-05'],
    ['day', '46113', '2026-04-01'],
    ['day', '03/31/2026', '“03/31/2026” is not a day: write day/month/year, as 31/03/2026'],
    ['day', '31/02/2026', '“31/02/2026” is not a day: write it as 31/03/2026'],
    ['state', 'karnataka', '29'],
    ['state', '29-Karnataka', '29'],
    ['state', 'TN', '33'],
    ['state', 'Jammu & Kashmir', '01'],
    ['state', 'Atlantis', '“Atlantis” is not a state: write its name or its code'],
    ['gstin', ' 29aaacs1234a1zf ', '29AAACS1234A1ZF'],
    ['text', "'=cmd", '=cmd'],
    ['text', '  -  ', undefined],
  ])('%s “%s” is read as %s', (type, text, value) => {
    expect(read(type, text)).toEqual(value);
  });
  test('a choice is its label, its value or what other programs call it', () => {
    const category = fieldsOf('customer')['category'] as SheetField;
    const type = fieldsOf('item')['type'] as SheetField;
    expect(read('choice', 'Regular', category)).toBe('registered');
    expect(read('choice', 'Consumer', category)).toBe('unregistered');
    expect(read('choice', 'sez unit', category)).toBe('sezUnit');
    expect(read('choice', 'Goods', type)).toBe('stock');
    expect(read('choice', 'Services', type)).toBe('service');
    expect(read('choice', 'Colour', type)).toBe('“Colour” is not one of: Goods, stocked, Goods, not stocked, Service');
  });
});

describe('records', () => {
  const fields = fieldsOf('customer');
  const record = (sheet: Readonly<Record<string, string>>) =>
    readRecord(mappedColumns(fields, Object.keys(sheet)), Object.values(sheet), ({ text }) => ({ value: text }));

  test('a new record begins like its form, with what follows from the GSTIN', () => {
    const { values } = mergeRecord(fields, record({ name: 'Anand', gstin: '29AAACS1234A1ZF' }), undefined, '27');
    expect(values).toMatchObject({ name: 'Anand', category: 'registered', state: '29', country: 'IN', creditDays: 0 });
    expect(mergeRecord(fields, record({ name: 'Asha' }), undefined, '27').values).toMatchObject({
      category: 'unregistered',
      state: '27',
    });
  });
  test('cells of addresses make one, and a problem in it is at its cell', () => {
    const sheet = record({ name: 'Asha', 'addresses.billing.line1': '1 MG Road', 'addresses.billing.city': 'Pune' });
    const { values, targetOf } = mergeRecord(fields, sheet, undefined, '27');
    expect(values['addresses']).toEqual([
      { type: 'billing', country: 'IN', state: '27', line1: '1 MG Road', city: 'Pune' },
    ]);
    expect(targetOf('addresses.pincode', 0)).toBe('addresses.billing.pincode');
    expect(targetOf('addresses.pincode', 1)).toBeNull();
    expect(targetOf('name', undefined)).toBe('name');
  });
  test('empty cells keep what a record has, and a figure that has to be written is not made up', () => {
    const before = { name: 'Asha', phone: '98', addresses: [{ type: 'both', line1: 'A', city: 'B' }] };
    const { values } = mergeRecord(
      fields,
      record({ name: 'Asha', phone: '', 'addresses.1.city': 'Goa' }),
      before,
      '27',
    );
    expect(values).toEqual({ ...before, addresses: [{ type: 'both', line1: 'A', city: 'Goa' }] });
    expect(mergeRecord(fieldsOf('item'), record({ name: 'Fan' }), undefined, '27').values).not.toHaveProperty(
      'gstRate',
    );
  });
  test('empty in one way is empty in another', () => {
    expect(
      changedFields(fields, { name: 'A', microSmall: undefined }, { name: 'A', microSmall: false, phone: '' }),
    ).toEqual([]);
    expect(changedFields(fields, { name: 'A' }, { name: 'B' })).toEqual(['name']);
  });
  test('branches of a firm have one name and each its own GSTIN', () => {
    const keys = ['code', 'gstin', 'name'];
    const one = { keys: { code: 'C1', gstin: '27A', name: 'Tata' } };
    expect(matching(keys, { name: 'TATA' }, [one])).toBe(one);
    expect(matching(keys, { gstin: '27a', name: 'Tata Steel' }, [one])).toBe(one);
    expect(matching(keys, { gstin: '29B', name: 'Tata' }, [one])).toBeUndefined();
  });
  test('what is written is read again as it was', () => {
    const values = {
      ...{ name: '=Asha', code: 'C0001', category: 'unregistered', state: '27', creditDays: 30, microSmall: true },
      addresses: [
        { type: 'billing', line1: '1 MG Road', city: 'Pune', state: '27', pincode: '411001', country: 'IN' },
        { type: 'shipping', line1: '2 MG Road', city: 'Pune', state: '27', pincode: '411001', country: 'IN' },
      ],
    };
    const { columns, rows } = writeSheet(fields, [values], (_, id) => id);
    const targets = recognise(
      'customer',
      columnsOf(fields),
      columns.map(({ heading }) => heading),
    );
    const again = readRecord(mappedColumns(fields, targets), rows[0] ?? [], ({ text }) => ({ value: text }));
    const merged = mergeRecord(fields, again, values, '29');
    expect(again.problems).toEqual([]);
    expect(changedFields(fields, values, { ...merged.values, creditDays: 30 })).toEqual([]);
  });
});
