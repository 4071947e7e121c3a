import { describe, expect, test } from 'vitest';
import { millionths, ONE, percent } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import type { Draft, DraftLine } from './document.ts';
import { correctsSource, isForSupplier, type KindName, kindNames, kindOf } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';
import type { Facts, ItemFacts } from './resolve.ts';
import {
  amountsLeft,
  bearsTaxOf,
  checkSources,
  hasPriceOfSource,
  type PartyThen,
  type SourceDocument,
  type SourceLine,
  withSources,
} from './sources.ts';

const some = paise(10_000);
const item = { id: 'item', unit: 'NOS' } as ItemFacts;
const documentOf = (kind: string, more: Partial<SourceDocument> = {}): SourceDocument => ({
  ...{ id: 'source', kind, number: 'S-1', date: '2026-11-10', party: 'party', placeOfSupply: '29' },
  ...{ registration: 'ours', location: 'here', toLocation: null, currency: 'INR', exchangeRate: millionths(ONE) },
  ...{
    partyThen: null,
    supply: 'intra',
    supplyType: 'B2B',
    taxCharged: true,
    reverseCharge: false,
    withPayment: false,
    leftRoundOff: paise(0),
    leftAdjustments: paise(0),
    leftTcs: paise(0),
  },
  ...(kindOf(kind as 'saleInvoice').life.cycle === 'sent' && { registration: 'sender', toLocation: 'here' }),
  ...more,
});
const lineOf = (more: Partial<SourceLine> = {}): SourceLine => ({
  ...{
    document: 'source',
    line: 1,
    item: 'item',
    hsn: '84713010',
    unit: 'NOS',
    quantity: millionths(ONE),
    taxable: some,
  },
  ...{
    leftQuantity: millionths(ONE),
    leftFree: millionths(0),
    leftBase: millionths(ONE),
    left: amountsLeft(() => some),
    rate: millionths(ONE),
  },
  ...{ gstRate: percent(180_000), treatment: 'taxable', cessRate: percent(0), cessPerUnit: paise(0) },
  ...more,
});

interface Named {
  readonly draft?: Partial<Draft>;
  readonly line?: Partial<DraftLine>;
  readonly source?: Partial<SourceDocument>;
  readonly sourceLine?: Partial<SourceLine>;
  /** Nothing is known of the document. */
  readonly isGone?: boolean;
}
/** A self-invoice is for a supply under reverse charge. */
const charged = (kind: Kind) => (isForSupplier(kind) ? { reverseCharge: true } : {});
const takesLines = (kind: Kind) => kind.lines.of !== 'none';
/** The fields of what a draft of a kind contradicts of a document of another. */
const wrongIn = (
  name: string,
  from: string,
  { draft = {}, line = {}, source, sourceLine, isGone }: Named,
): string[] => {
  const kind = kindOf(name as 'saleReturn');
  const lines = takesLines(kind) ? [{ item: 'item', source: { document: 'source', line: 1 }, ...line }] : [];
  const made: Draft = {
    ...{ kind: name, date: '2026-11-20', registration: 'ours', location: 'here', lines },
    ...{ currency: 'INR', exchangeRate: millionths(ONE) },
    ...(kind.party.side !== 'none' && { party: 'party' }),
    ...(!takesLines(kind) && { against: 'source' }),
    ...draft,
  };
  const facts: Facts = {
    own: { registration: made.registration, state: '29', kind: 'regular' },
    party: undefined,
    items: new Map([['item', item]]),
    sources: isGone ? new Map() : new Map([['source/1', lineOf(sourceLine)]]),
    documents: isGone ? new Map() : new Map([['source', documentOf(from, { ...charged(kind), ...source })]]),
    places: new Map([['here', { name: 'Here', registration: 'ours', active: true }]]),
    roundTotal: false,
  };
  const found: string[] = [];
  checkSources(kind, made, facts, (field) => found.push(field));
  return found;
};
const isDirect = (kind: Kind, from: string): boolean =>
  !(kind.source.givesPrice && takesLines(kind) && kindOf(from as 'saleOrder').life.cycle === 'ordered');
const pairs = kindNames.flatMap((name) =>
  (kindOf(name).source.kinds as readonly string[])
    .filter((from) => isDirect(kindOf(name), from))
    .map((from) => [name, from] as const),
);
const at = (kind: Kind): string => (takesLines(kind) ? 'lines.source' : 'against');
const dollars = { currency: 'USD', exchangeRate: millionths(85 * ONE) };

/** What a line says otherwise than the source above it, by field. */
const others: Readonly<Partial<DraftLine>> = {
  ...{ hsn: '84713099', treatment: 'exempt', gstRate: percent(50_000), cessRate: percent(10_000) },
  ...{ cessPerUnit: paise(1), retailPrice: paise(100), rate: millionths(2 * ONE), discount: { percent: percent(1) } },
};
/** Whether a kind takes a field of its lines over from their source: corrections their tax, what comes back its price. */
const takes = (kind: Kind, field: string): boolean =>
  correctsSource(kind) &&
  (!['rate', 'discount'].includes(field) || hasPriceOfSource(kind)) &&
  (field !== 'retailPrice' || kind.gst.tax !== 'none');

/** Each property of a source, what contradicts it, and the field that says so; undefined where a kind has no such property. */
const properties: Readonly<Record<string, (kind: Kind, from: string) => readonly [Named, string] | undefined>> = {
  'a document that is gone': (kind) => [{ isGone: true }, at(kind)],
  'a kind that it is not made from': (kind) => [{ source: { kind: 'yearEnd' } }, at(kind)],
  'another party': (kind) => (kind.party.side === 'none' ? undefined : [{ source: { party: 'another' } }, 'party']),
  'no party of its own': (kind) =>
    kind.party.side === 'none' ? undefined : [{ draft: { party: undefined as never } }, 'party'],
  'another registration': (kind) =>
    kind.stock.effect === 'transferIn'
      ? [{ draft: { toRegistration: 'another' } }, 'toRegistration']
      : [{ source: { registration: 'another' } }, 'registration'],
  'another place that it was sent to': (kind) =>
    kind.stock.effect === 'transferIn' ? [{ source: { toLocation: 'there' } }, 'location'] : undefined,
  'a later day': () => [{ source: { date: '2026-11-21' } }, 'date'],
  // orders, and what has no such field, are in rupees
  'another currency': (kind) => (kind.fields.includes('currency') ? [{ source: dollars }, 'currency'] : undefined),
  'another place of supply': (kind) =>
    correctsSource(kind) && kind.fields.includes('placeOfSupply')
      ? [{ draft: { placeOfSupply: '33' } }, 'placeOfSupply']
      : undefined,
  'another charge': (kind) =>
    isForSupplier(kind) || (bearsTaxOf(kind) && kind.fields.includes('reverseCharge'))
      ? [{ source: { reverseCharge: !isForSupplier(kind) } }, 'reverseCharge']
      : undefined,
  'without payment': (kind) =>
    bearsTaxOf(kind) && kind.fields.includes('withPayment')
      ? [{ source: { withPayment: true } }, 'withPayment']
      : undefined,
  'another rate of exchange': (kind) =>
    correctsSource(kind) && kind.fields.includes('exchangeRate')
      ? [{ source: dollars, draft: { currency: 'USD', exchangeRate: millionths(80 * ONE) } }, 'exchangeRate']
      : undefined,
  'another item': (kind) => (takesLines(kind) ? [{ line: { item: 'another' } }, 'lines.item'] : undefined),
  'another ledger': (kind) =>
    takesLines(kind)
      ? [
          {
            line: { item: undefined as never, ledger: 'rent' },
            sourceLine: { item: undefined as never, ledger: 'fees' },
          },
          'lines.ledger',
        ]
      : undefined,
  'another unit': (kind) => (kind.lines.of === 'items' ? [{ line: { unit: 'BOX' } }, 'lines.unit'] : undefined),
  'a line that it does not have': (kind) =>
    takesLines(kind) ? [{ line: { source: { document: 'source', line: 9 } } }, 'lines.source'] : undefined,
  ...Object.fromEntries(
    Object.entries(others).map(([field, value]) => [
      `another ${field}`,
      (kind: Kind): readonly [Named, string] | undefined =>
        takes(kind, field) ? [{ line: { [field]: value } }, `lines.${field}`] : undefined,
    ]),
  ),
};
const table = pairs.flatMap(([name, from]) =>
  Object.entries(properties).flatMap(([property, of]) => {
    const found = of(kindOf(name), from);
    return found ? [{ name, from, property, named: found[0], field: found[1] }] : [];
  }),
);

const same: Partial<DraftLine> = {
  ...{ hsn: '84713010', treatment: 'taxable', gstRate: percent(180_000), cessRate: percent(20_000) },
  ...{ cessPerUnit: paise(5), retailPrice: paise(300), rate: millionths(ONE), discount: { amount: paise(7) } },
};
test.each(pairs)('%s from %s: what agrees is no problem', (name, from) => {
  expect(wrongIn(name, from, {})).toEqual([]);
  expect(wrongIn(name, from, { line: same, sourceLine: same as Partial<SourceLine> })).toEqual([]);
  // what a kind does not take over may be said anew
  const free = Object.fromEntries(
    Object.entries(others).filter(([field]) => !takes(kindOf(name as 'saleReturn'), field)),
  );
  expect(wrongIn(name, from, { line: free })).toEqual([]);
});
test('a code that the source does not have may be typed, and nothing is no discount', () => {
  expect(wrongIn('saleReturn', 'saleInvoice', { line: { hsn: '8471' }, sourceLine: { hsn: '' } })).toEqual([]);
  const none = { line: { discount: { percent: percent(0) } } };
  expect(wrongIn('saleReturn', 'saleInvoice', none)).toEqual([]);
});
test('goods that moved at cost have no price that a rate could contradict', () => {
  const atCost = { line: { rate: millionths(2 * ONE) }, source: { supply: 'none' as const } };
  expect(wrongIn('transferReceipt', 'branchTransfer', atCost)).toEqual([]);
});
test('a message names the line, what it has, and what to do', () => {
  const kind = kindOf('saleReturn');
  const line = { item: 'item', source: { document: 'source', line: 1 }, ...others };
  const said: string[] = [];
  const draft = {
    ...{ kind: 'saleReturn', date: '2026-11-20', registration: 'ours', location: 'here', party: 'party' },
    ...{ currency: 'INR', exchangeRate: millionths(ONE), lines: [line] },
  };
  const facts: Facts = {
    own: { registration: 'ours', state: '29', kind: 'regular' },
    party: undefined,
    items: new Map(),
    sources: new Map([['source/1', lineOf({ retailPrice: paise(250), discount: { percent: percent(100_000) } })]]),
    documents: new Map([['source', documentOf('saleInvoice', { number: 'SI/1' })]]),
    roundTotal: false,
  };
  checkSources(kind, draft, facts, (_field, { message }) => said.push(message));
  const has = (own: string) => `Line 1 of SI/1 ${own}: leave this out, it is taken over`;
  expect(said).toEqual([
    has('has HSN/SAC 84713010'),
    has('is taxable'),
    has('is at 18 % GST'),
    has('is at 0 % cess'),
    has('is at ₹0.00 of cess for one'),
    has('has the retail price ₹2.50'),
    has('is at the rate 1.00'),
    has('has a discount of 10 %'),
  ]);
});
describe('one contradiction is one problem, at its field', () => {
  test.each(table)('$name from $from: $property', ({ name, from, named, field }) => {
    expect(wrongIn(name, from, named)).toEqual([field]);
  });
});

describe('the rate of exchange', () => {
  const corrections = kindNames.filter(
    (name) => correctsSource(kindOf(name)) && kindOf(name).fields.includes('exchangeRate'),
  );
  const kind = kindOf('saleReturn');
  const facts = (...rates: number[]): Pick<Facts, 'documents' | 'sources'> => ({
    sources: new Map(),
    documents: new Map(
      rates.map((rate, at) => [
        `s${at}`,
        documentOf('overseasSale', {
          id: `s${at}`,
          number: `E-${at}`,
          currency: 'USD',
          exchangeRate: millionths(rate * ONE),
        }),
      ]),
    ),
  });
  const draft = (name: string, count: number, more: Partial<Draft> = {}): Draft => ({
    ...{ kind: name, date: '2026-11-20', registration: 'ours', location: 'here', party: 'party' },
    ...{ currency: 'USD', exchangeRate: millionths(0) },
    lines: Array.from({ length: count }, (_, at) => ({ item: 'item', source: { document: `s${at}`, line: 1 } })),
    ...more,
  });
  const said = (name: KindName, rates: number[], more: Partial<Draft> = {}): string[] => {
    const found: string[] = [];
    const known = {
      own: { registration: 'ours', state: '29', kind: 'regular' },
      party: undefined,
      items: new Map(),
      roundTotal: false,
    } as const;
    const made = withSources(kindOf(name), draft(name, rates.length, more), facts(...rates));
    checkSources(kindOf(name), made, { ...known, ...facts(...rates) }, (field, { message }) => {
      if (field === 'exchangeRate') found.push(message);
    });
    return found;
  };
  test('that was left out is that of the sources', () => {
    expect(withSources(kind, draft('saleReturn', 2), facts(85, 85)).exchangeRate).toBe(85 * ONE);
    expect(said('saleReturn', [85, 85])).toEqual([]);
  });
  test.each(corrections)('of %s is never another than that of its source', (name) => {
    expect(said(name, [85], { exchangeRate: millionths(80 * ONE) })).toEqual(['E-0 is at 85.00']);
    expect(said(name, [85], { exchangeRate: millionths(1000 * ONE) })).toEqual(['E-0 is at 85.00']);
    expect(said(name, [85], { exchangeRate: millionths(85 * ONE) })).toEqual([]);
  });
  test.each(corrections)('of sources that differ splits %s', (name) => {
    const rates = 'E-0 is at 85.00, E-1 is at 84.00';
    const apart = `${rates}: make a document of its own for each of these rates`;
    expect(said(name, [85, 84])).toEqual([apart]);
    expect(said(name, [85, 84], { exchangeRate: millionths(85 * ONE) })).toEqual([apart]);
  });
});

describe('what a document corrects has one recipient', () => {
  const then: PartyThen = {
    ...{ name: 'Nila', gstin: '29AAACN1111A1Z7', state: '29', category: 'registered', country: 'IN', address: null },
  };
  const kindsWith = (isMatch: (kind: Kind) => boolean) =>
    kindNames.filter((name) => correctsSource(kindOf(name)) && isMatch(kindOf(name)));
  const wrongOf = (name: string, one: Partial<SourceDocument>, other: Partial<SourceDocument>) => {
    const kind = kindOf(name as 'saleReturn');
    const from = (kind.source.kinds as readonly string[]).find((each) => isDirect(kind, each)) ?? '';
    const ids = ['one', 'other'];
    const draft: Draft = {
      ...{ kind: name, date: '2026-11-20', registration: 'ours', location: 'here', party: 'party' },
      ...{ currency: 'INR', exchangeRate: millionths(ONE) },
      lines: ids.map((document) => ({ item: 'item', source: { document, line: 1 } })),
    };
    const facts: Facts = {
      ...{ own: { registration: 'ours', state: '29', kind: 'regular' }, party: undefined, roundTotal: false },
      items: new Map([['item', item]]),
      sources: new Map(ids.map((document) => [`${document}/1`, lineOf({ document })])),
      documents: new Map(
        [one, other].map((more, at) => [
          ids[at] ?? '',
          documentOf(from, { id: ids[at] ?? '', number: `S-${at + 1}`, partyThen: then, ...charged(kind), ...more }),
        ]),
      ),
    };
    const found: [string, number | undefined, string][] = [];
    checkSources(kind, draft, facts, (field, { message }, row) => found.push([field, row, message]));
    return found;
  };
  const others = 'S-2 has other GST particulars of the party than S-1: make a document of its own for each';
  const withParty = kindsWith(({ party, stock }) => party.side !== 'none' && stock.effect !== 'transferIn');

  test.each(withParty)('%s', (name) => {
    expect(wrongOf(name, {}, {})).toEqual([]);
    // a name may change, and what is not known contradicts nothing
    expect(wrongOf(name, {}, { partyThen: { ...then, name: 'Nila Stores' } })).toEqual([]);
    expect(wrongOf(name, {}, { partyThen: null })).toEqual([]);
    expect(wrongOf(name, {}, { partyThen: { ...then, country: null } })).toEqual([]);
    for (const more of [
      { gstin: '29AAACN2222A1Z7' },
      { state: '33' },
      { category: 'composition' },
      { country: 'AE' },
    ] as const)
      expect(wrongOf(name, {}, { partyThen: { ...then, ...more } })).toEqual([['lines.source', 1, others]]);
    expect(wrongOf(name, {}, { party: null, partyThen: null })).toEqual([['lines.source', 1, others]]);
    expect(wrongOf(name, { party: null, partyThen: null }, { party: null, partyThen: null })).toEqual([]);
  });

  test.each(kindsWith((kind) => kind.party.side === 'customer'))('%s on a large and a small invoice', (name) => {
    const tables = 'GSTR-1 lists S-1 by itself (B2CL), and S-2 by rate (B2CS): make a document of its own for each';
    const found = wrongOf(name, { supplyType: 'B2CL' }, { supplyType: 'B2CS' });
    expect(found).toEqual(bearsTaxOf(kindOf(name)) ? [['lines.source', 1, tables]] : []);
    expect(wrongOf(name, { supplyType: 'B2CS' }, { supplyType: 'B2CL' }).map(([, , message]) => message)).toEqual(
      bearsTaxOf(kindOf(name)) ? [tables.replace('S-1', '*').replace('S-2', 'S-1').replace('*', 'S-2')] : [],
    );
  });
});
