import { expect, test } from 'vitest';
import { type Move, partFault, smallBooks } from './books.ts';

const move = (date: string, quantity: number): Move => ({ item: 3, place: 'shop', date, quantity, part: 'batch B' });

test('a batch is not sold from under a later sale, though more of it comes on that day', () => {
  const books = smallBooks('ours', true);
  books.moves.push(move('2027-04-01', 4), move('2027-04-02', -4), move('2027-04-02', 4));
  expect(partFault(books, [move('2027-04-01', -4)])).toEqual({ batchShort: true });
  expect(partFault(books, [move('2027-04-02', -4)])).toEqual({});
  expect(partFault(books, [move('2027-04-02', -5)])).toEqual({ batchShort: true });
});
