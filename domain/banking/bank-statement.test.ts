import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../base/dates.ts';
import { moneyText } from '../base/decimal.ts';
import { amountOf, dayOf, guessFormat, readStatement, rowsOfFile, type StatementFormat } from './bank-statement.ts';

const hdfc = [
  'HDFC BANK Ltd.,,,,,,',
  'Statement of account 50200012345678,,,,,,',
  'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
  '01/04/26,"UPI-ASHA TRADERS, BLR",000123456789,01/04/26,,"1,00,000.00","1,50,000.00"',
  '03/04/26,BANK CHARGES,,03/04/26,590.00,,"1,49,410.00"',
  '03/04/26,CHQ 000042,000042,03/04/26,"49,410.00",,"1,00,000.00"',
  '********,,,,,,',
].join('\r\n');
const format: StatementFormat = {
  date: 'Date',
  order: 'dmy',
  text: 'Narration',
  reference: 'Chq./Ref.No.',
  moneyIn: 'Deposit Amt.',
  moneyOut: 'Withdrawal Amt.',
  balance: 'Closing Balance',
};

test('the headings of a bank are recognised below its letterhead, and its lines are read', () => {
  expect(guessFormat(rowsOfFile(hdfc))?.format).toEqual(format);
  const { lines, problems, remarks } = readStatement(hdfc, format);
  expect(problems).toEqual([]);
  expect(remarks).toBe(1);
  expect(lines).toEqual([
    {
      date: '2026-04-01',
      amount: 10_000_000,
      text: 'UPI-ASHA TRADERS, BLR',
      reference: '000123456789',
      balance: 15_000_000,
    },
    { date: '2026-04-03', amount: -59_000, text: 'BANK CHARGES', reference: '', balance: 14_941_000 },
    { date: '2026-04-03', amount: -4_941_000, text: 'CHQ 000042', reference: '000042', balance: 10_000_000 },
  ]);
});

test('the newest line may be first, and one column may hold both ways', () => {
  const text =
    'Txn Date;Description;Amount;Balance\n05-Apr-2026;Fee;10.00 Dr;90.00 Cr\n04-Apr-2026;Opening;100.00 Cr;100.00 Cr';
  const guessed = guessFormat(rowsOfFile(text))?.format as StatementFormat;
  expect(readStatement(text, guessed).lines.map(({ date, amount }) => [date, amount])).toEqual([
    ['2026-04-04', 10_000],
    ['2026-04-05', -1_000],
  ]);
});

test.each([
  ['a line that is missing', hdfc.replace(/03\/04\/26,BANK CHARGES.*\r\n/, ''), 5, /does not follow/],
  ['an amount with three decimals', hdfc.replace('590.00', '590.001'), 5, /not a number/],
  ['an amount grouped wrongly', hdfc.replace('"1,00,000.00"', '"1,0,0000.00"'), 4, /not a number/],
  ['a day that no month has', hdfc.replace('03/04/26,BANK', '31/04/26,BANK'), 5, /is no date/],
  ['money both ways', hdfc.replace('590.00,,', '590.00,1.00,'), 5, /both/],
  ['other headings', hdfc.replace('Narration', 'Story'), 1, /headings/],
])('%s is reported with its row, and nothing is read', (_, text, row, message) => {
  const { lines, problems } = readStatement(text, format);
  expect(lines).toEqual([]);
  expect(problems[0]).toMatchObject({ row, message: expect.stringMatching(message) });
});

test('amounts and days as banks write them', () => {
  expect(['1,23,456.70', '(500.00)', '500.00Dr', '-', '', '₹ 12', '12.5 CR', '-3'].map(amountOf)).toEqual([
    12_345_670, -50_000, -50_000, 0, 0, 1_200, 1_250, -300,
  ]);
  for (const wrong of ['abc', '1.2.3', '1,2', '(5', '1e3']) expect(amountOf(wrong)).toBeNaN();
  expect(dayOf('5/4/26', 'dmy')).toBe('2026-04-05');
  expect(dayOf('04/05/2026', 'mdy')).toBe('2026-04-05');
  expect(dayOf('2026-04-05 10:20:30', 'ymd')).toBe('2026-04-05');
  expect(dayOf('29-Feb-2025', 'dmy')).toBeUndefined();
});

test('whatever a bank has written down, it is read as it was', () => {
  const line = fc.record({
    days: fc.integer({ min: 0, max: 3 }),
    amount: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((n) => n !== 0),
    text: fc.string({ maxLength: 20 }).map((t) => t.replace(/\s+/g, ' ').trim()),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (drawn) => {
      let [day, balance] = ['2026-04-01', 5_000];
      const lines = drawn.map(({ days, amount, text }) => {
        day = addDays(day, days);
        balance += amount;
        return { date: day, amount, text, reference: '', balance };
      });
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const file = ['Date,Narration,Deposit,Withdrawal,Balance']
        .concat(
          lines.map(({ date, amount, text, balance: left }) =>
            [
              date.split('-').reverse().join('/'),
              cell(text),
              amount > 0 ? moneyText(amount) : '',
              amount < 0 ? moneyText(-amount) : '',
              moneyText(left),
            ].join(','),
          ),
        )
        .join('\n');
      const own = {
        date: 'Date',
        order: 'dmy',
        text: 'Narration',
        moneyIn: 'Deposit',
        moneyOut: 'Withdrawal',
        balance: 'Balance',
      } as const;
      expect(readStatement(file, own)).toEqual({ lines, problems: [], remarks: 0 });
    }),
  );
});
