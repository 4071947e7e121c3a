import { expect, test } from 'vitest';
import { Refused } from '../server/api.ts';
import { standing, stillRefused } from './fieldProblems.ts';

const short = { field: 'name', message: 'Name is too short' };
const rate = { field: 'lines.rate', row: 1, message: 'Rate is required' };

test('a problem goes when its field changes, and is there again when the field is as it was', () => {
  const held = { name: 'A', city: '' };
  expect(standing([short], held, { name: 'A', city: 'Pune' })).toEqual([short]);
  expect(standing([short], held, { name: 'AB', city: '' })).toEqual([]);
  expect(standing([short], held, { name: 'A', city: '' })).toEqual([short]);
  // nothing and empty are the same: a field that was only visited has not changed
  expect(standing([{ field: 'city', message: 'Which?' }], held, { name: 'A' })).toHaveLength(1);
});

test('the value under a path, or under a name with dots, is found', () => {
  const pin = { field: 'billTo.pincode', message: 'Six digits' };
  expect(standing([pin], { billTo: { pincode: '1' } }, { billTo: { pincode: '560001' } })).toEqual([]);
  expect(standing([pin], { 'billTo.pincode': '1' }, { 'billTo.pincode': '560001' })).toEqual([]);
  expect(standing([pin], { 'billTo.pincode': '1' }, { 'billTo.pincode': '1', 'billTo.city': 'Pune' })).toEqual([pin]);
  // of a field that is not in the form nobody can say that it was mended
  expect(standing([short], { city: '' }, { city: 'Pune' })).toEqual([short]);
});

test('a problem of a row goes along with its row, and goes with it', () => {
  const held = { lines: [{ key: 'a' }, { key: 'b', rate: '' }] };
  expect(standing([rate], held, { lines: [{ key: 'a', rate: '5' }, { key: 'b' }] })).toEqual([rate]);
  expect(standing([rate], held, { lines: [{ key: 'b' }] })).toEqual([{ ...rate, row: 0 }]);
  expect(standing([rate], held, { lines: [{ key: 'a' }, { key: 'b', rate: '5' }] })).toEqual([]);
  expect(standing([rate], held, { lines: [{ key: 'a' }] })).toEqual([]);
  // rows without a key keep their place until one is gone; a field of a line is found without the name of the list
  const plain = { lines: [{}, {}] };
  expect(standing([{ ...rate, field: 'rate' }], plain, { lines: [{}, {}, {}] })).toHaveLength(1);
  expect(standing([{ ...rate, field: 'rate' }], plain, { lines: [{}, { rate: '1' }, {}] })).toEqual([]);
  expect(standing([rate], plain, { lines: [{}] })).toEqual([]);
  // a list as a whole is mended by any of its rows
  const list = { field: 'lines', message: 'Enter a line' };
  expect(standing([list], { lines: [] }, { lines: [{ rate: '1' }] })).toEqual([]);
});

test('a judge says what is wrong now, about the fields that had problems and no others', () => {
  const judge = ({ name, city }: { readonly name?: unknown; readonly city?: unknown }) => [
    ...(String(name).length < 3 ? [{ field: 'name', message: `${3 - String(name).length} letters are missing` }] : []),
    ...(city === '' ? [{ field: 'city', message: 'City is required' }] : []),
  ];
  const held = { name: 'A', city: 'Pune' };
  const given = judge(held);
  expect(standing(given, held, { name: 'AB', city: '' }, judge)).toEqual([
    { field: 'name', message: '1 letters are missing' },
  ]);
  expect(standing(given, held, { name: 'ABC', city: '' }, judge)).toEqual([]);
  // a problem of the server that the browser does not find stays until the field changes
  const taken = { field: 'name', message: 'Another one has this name' };
  expect(standing([taken], { name: 'ABC' }, { name: 'ABC', city: 'Pune' }, judge)).toEqual([taken]);
  expect(standing([taken], { name: 'ABC' }, { name: 'ABCD' }, judge)).toEqual([]);
  // a rule between fields is mended by the other field
  const both = ({ from, to }: { readonly from?: unknown; readonly to?: unknown }) =>
    Number(from) > Number(to) ? [{ field: 'from', message: 'It comes after the end' }] : [];
  expect(standing(both({ from: 3, to: 2 }), { from: 3, to: 2 }, { from: 3, to: 4 }, both)).toEqual([]);
});

test('a refusal goes with the last of its problems; one without any stays', () => {
  const facts = { status: 422, code: 'problems', message: 'Please correct the marked fields', reference: 'r' };
  const refused = new Refused({ ...facts, problems: [short, rate] });
  expect(stillRefused(refused, [rate])).toMatchObject({ ...facts, problems: [rate] });
  expect(stillRefused(refused, [])).toBeNull();
  const bare = new Refused({ ...facts, problems: [] });
  expect(stillRefused(bare, [])).toBe(bare);
});
