import type { Mutant } from './mutants.ts';

export interface Equivalent {
  readonly file: string;
  readonly text: string;
  readonly by: string;
  /** The code around it, where the same change is made elsewhere in the file too. A space stands for any white space. */
  readonly within?: string;
  readonly because: string;
}

/** Where a text of code begins in a source, each time; white space counts as one space. */
function placesOf(code: string, source: string): readonly (readonly [start: number, end: number])[] {
  const words = code.split(' ').map((word) => word.replace(/[^\w]/g, '\\$&'));
  return [...source.matchAll(new RegExp(words.join('\\s+'), 'g'))].map((found) => [
    found.index,
    found.index + found[0].length,
  ]);
}

/** Whether a row is about a change of its file. */
export const isAbout = ({ text, by, within }: Equivalent, mutant: Mutant, source: string): boolean =>
  mutant.text === text &&
  mutant.by === by &&
  (within === undefined || placesOf(within, source).some(([start, end]) => start <= mutant.start && mutant.end <= end));

/** Changes that no test can notice, with the reason. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'domain/document/price.ts',
    text: 'p.charges.length === 0',
    by: 'false',
    because: 'without charges each line has a share of nothing, as where there are no shares',
  },
  {
    file: 'domain/stock/valuation.ts',
    text: 'balance.quantity > 0',
    by: 'balance.quantity >= 0',
    within: '!shortfall || balance.quantity > 0',
    because:
      'a lot of nothing is only the empty stock balance of the average: nothing is added to what comes in either way',
  },
  {
    file: 'domain/stock/valuation.ts',
    text: 'balance.quantity > 0',
    by: 'balance.quantity >= 0',
    within: "method === 'fifo' && balance.quantity > 0",
    because: 'an empty stock balance has no lots: the goods are its only lot whether they go in front or come in',
  },
  {
    file: 'domain/stock/valuation.ts',
    text: 'balance.quantity > 0',
    by: 'balance.quantity >= 0',
    within: 'balance.quantity > 0 ? scale(value, left',
    because: 'an empty stock balance is worth nothing: all of the receipt is missing at its own value by both roads',
  },
  {
    file: 'domain/stock/valuation.ts',
    text: 'added < 0',
    by: 'added <= 0',
    because: 'of nothing every lot gets nothing, by value as by quantity',
  },
  {
    file: 'domain/stock/valuation.ts',
    text: '0',
    by: '1',
    within: 'added < 0',
    because: 'of nothing every lot gets nothing, by value as by quantity',
  },
  {
    file: 'domain/stock/valuation.ts',
    text: '0',
    by: '1',
    within: 'l.value + (shares[at] ?? 0)',
    because: 'there is a share for each lot',
  },
  {
    file: 'domain/stock/valuation.ts',
    text: '0',
    by: '1',
    within: 'Math.max(shares[at] ?? 0',
    because: 'there is a share for each lot',
  },
  {
    file: 'domain/books/settle.ts',
    text: 'item.open < 0',
    by: 'item.open <= 0',
    because: 'what is open by nothing adds nothing to its bucket, whichever that is',
  },
  {
    file: 'domain/books/settle.ts',
    text: '0',
    by: '1',
    within: 'item.open < 0',
    because: 'what is open by nothing adds nothing to its bucket, whichever that is',
  },
  {
    file: 'domain/books/posting.ts',
    text: 'slice.amount < 0',
    by: 'slice.amount <= 0',
    because: 'a slice of nothing is passed over before',
  },
  {
    file: 'domain/books/posting.ts',
    text: '0',
    by: '1',
    within: 'slice.amount < 0',
    because: 'amounts are whole paise, and a slice of nothing is passed over before',
  },
  {
    file: 'domain/books/posting.ts',
    text: "slice.party ?? ''",
    by: "slice.party && ''",
    because: 'a document has one party; the lines of a journal, which have others, stay apart',
  },
  {
    file: 'domain/books/posting.ts',
    text: 'line.costCentre === undefined',
    by: 'false',
    because: 'an entry takes a cost centre that is undefined for none',
  },
  {
    file: 'domain/books/posting.ts',
    text: 'amount > 0',
    by: 'amount >= 0',
    within: "amount > 0 ? 'fxLoss' : 'fxGain'",
    because: 'a difference of nothing is passed over',
  },
  {
    file: 'domain/books/posting.ts',
    text: 'amount > 0',
    by: 'amount >= 0',
    within: "amount > 0 ? 'fxGain' : 'fxLoss'",
    because: 'a difference of nothing is passed over',
  },
  {
    file: 'domain/document/price.ts',
    text: 'true',
    by: 'false',
    within: 'supply: own, taxed: true',
    because: 'value and tax of a part of an advance are taken as they are',
  },
  {
    file: 'domain/document/price.ts',
    text: 'documentDiscount === 0',
    by: 'false',
    because: 'a discount of nothing is nothing on each line; this only saves the sharing',
  },
  {
    file: 'domain/document/price.ts',
    text: '0',
    by: '1',
    within: 'discounts[i] ?? 0',
    because: 'there is a share for each line',
  },
  {
    file: 'domain/document/price.ts',
    text: 'p.lines.at(-1)?.charge',
    by: 'true',
    because: 'where no line is a charge all stay as they are; this only saves the copy',
  },
  {
    file: 'domain/document/price.ts',
    text: "p.currency === 'INR'",
    by: 'false',
    within: "p.currency === 'INR' ? amounts",
    because:
      'in rupees the charges add up to what the lines carry of them, so that each shares in it with its own amount',
  },
  {
    file: 'domain/document/price.ts',
    text: '0',
    by: '1',
    within: 'shares[i] ?? 0) + part',
    because: 'there is a share for each line',
  },
  {
    file: 'domain/document/price.ts',
    text: 'value >= whole',
    by: 'value > whole',
    because: 'what takes exactly all of the value has exactly all of the tax as its share',
  },
  {
    file: 'domain/tax/gst/rates/rates.ts',
    text: 'day <= to',
    by: 'day < to',
    within: 'to === null || day <= to',
    because: 'the table of financial services has one rate, which has no last day',
  },
  {
    file: 'domain/base/money.ts',
    text: '52',
    by: '53',
    because: 'plain numbers are exact below 2^53, and doubling a remainder loses nothing',
  },
  {
    file: 'domain/base/money.ts',
    text: 'product < plain',
    by: 'product <= plain',
    because: 'the same in plain numbers and in BigInt: the limit lies a factor of two below what is exact',
  },
  {
    file: 'domain/base/money.ts',
    text: 'product > -plain',
    by: 'product >= -plain',
    because: 'the same in plain numbers and in BigInt: the limit lies a factor of two below what is exact',
  },
  {
    file: 'domain/base/money.ts',
    text: 'c < plain',
    by: 'c <= plain',
    because: 'the same in plain numbers and in BigInt: the limit lies a factor of two below what is exact',
  },
  {
    file: 'domain/base/money.ts',
    text: '0',
    by: '1',
    within: 'c > 0',
    because: 'divided by one, both roads say the product itself',
  },
  {
    file: 'domain/base/money.ts',
    text: 'product < plain && product > -plain && c > 0 && c < plain',
    by: 'false',
    because: 'BigInt says the same; plain numbers are only quicker',
  },
  {
    file: 'domain/base/money.ts',
    text: 'n < 0n',
    by: 'n <= 0n',
    within: 'n < 0n !== d < 0n',
    because: 'nothing has no sign',
  },
  {
    file: 'domain/base/money.ts',
    text: 'n < 0n',
    by: 'n <= 0n',
    within: 'n < 0n ? -n : n',
    because: 'nothing has no sign',
  },
  {
    file: 'domain/base/money.ts',
    text: 'd < 0n',
    by: 'd <= 0n',
    within: 'n < 0n !== d < 0n',
    because: 'a division by nothing throws either way',
  },
  {
    file: 'domain/base/money.ts',
    text: 'd < 0n',
    by: 'd <= 0n',
    within: 'd < 0n ? -d : d',
    because: 'a division by nothing throws either way',
  },
  {
    file: 'domain/base/money.ts',
    text: '1',
    by: '2',
    within: 'weights.map(() => 1)',
    because: 'equal weights share alike, whatever they are',
  },
  {
    file: 'domain/base/money.ts',
    text: 'amount < 0',
    by: 'amount <= 0',
    because: 'of nothing each share is nothing, with either sign',
  },
  {
    file: 'domain/base/money.ts',
    text: '0',
    by: '1',
    within: 'amount < 0 ? -1 : 1',
    because: 'amounts are whole, and of nothing each share is nothing, with either sign',
  },
  {
    file: 'domain/base/money.ts',
    text: 'left > 0',
    by: 'true',
    because: 'where nothing is left over the loop ends at once; this only saves the sorting',
  },
  {
    file: 'domain/base/money.ts',
    text: 'left > 0',
    by: 'left >= 0',
    because: 'where nothing is left over the loop ends at once; this only saves the sorting',
  },
  {
    file: 'domain/base/money.ts',
    text: '0',
    by: '1',
    within: 'shares[index] ?? 0',
    because: 'there is a share for each weight',
  },
  {
    file: 'domain/base/money.ts',
    text: '0',
    by: '1',
    within: 'shares[a]?.remainder ?? 0',
    because: 'there is a share for each weight',
  },
  {
    file: 'domain/base/money.ts',
    text: '0',
    by: '1',
    within: 'shares[b]?.remainder ?? 0',
    because: 'there is a share for each weight',
  },
  {
    file: 'domain/base/money.ts',
    text: 'one === other',
    by: 'false',
    because: 'the sort is stable: an equal one that is not said to come first stays behind',
  },
  {
    file: 'domain/base/money.ts',
    text: 'a - b',
    by: 'a + b',
    because: 'the sort is stable: an equal one that is not said to come first stays behind',
  },
  {
    file: 'domain/base/money.ts',
    text: 'one > other',
    by: 'one >= other',
    because: 'equal ones were answered before',
  },
  {
    file: 'domain/base/money.ts',
    text: '1',
    by: '2',
    within: 'one > other ? -1',
    because: 'only the sign of a comparison counts',
  },
  {
    file: 'domain/base/money.ts',
    text: '1',
    by: '2',
    within: ': 1; }; /** Each share rounded down',
    because: 'only the sign of a comparison counts',
  },
  {
    file: 'domain/base/money.ts',
    text: '0',
    by: '1',
    within: 'Math.max(most, Math.abs(w)), 0',
    because: 'weights are whole, and one of them is at least one',
  },
  {
    file: 'domain/base/money.ts',
    text: 'whole * largest < plain',
    by: 'whole * largest <= plain',
    because: 'the same in plain numbers and in BigInt: the limit lies a factor of two below what is exact',
  },
  {
    file: 'domain/base/money.ts',
    text: 'total < BigInt(plain)',
    by: 'total <= BigInt(plain)',
    because: 'the same in plain numbers and in BigInt: the limit lies a factor of two below what is exact',
  },
  {
    file: 'domain/base/money.ts',
    text: 'total > 0n',
    by: 'total >= 0n',
    because: 'weights that add up to nothing were made equal before',
  },
  {
    file: 'domain/base/money.ts',
    text: 'whole * largest < plain && total < BigInt(plain) && total > 0n',
    by: 'false',
    because: 'BigInt says the same; plain numbers are only quicker',
  },
  {
    file: 'domain/base/decimal.ts',
    text: '2',
    by: '3',
    within: 'fraction.slice(2, 6)',
    because: 'a third decimal is a thousand millionths: no rounding hides it from the test for whole paise',
  },
  {
    file: 'domain/base/decimal.ts',
    text: '6',
    by: '7',
    within: 'fraction.slice(2, 6)',
    because: 'a seventh decimal was refused before',
  },
  {
    file: 'domain/base/money.ts',
    text: '-plain',
    by: 'plain',
    because: 'then everything goes through BigInt, which says the same; plain numbers are only quicker',
  },
  {
    file: 'domain/base/money.ts',
    text: 'share * sign',
    by: 'share / sign',
    because: 'by one, or by minus one, a product and a quotient are the same',
  },
];
