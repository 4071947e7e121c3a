import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pricings } from '../../../../tools/testing/pricings.ts';
import { post } from '../../../books/posting.ts';
import type { GstCategory, Pricing, RegistrationKind } from '../../../document/document.ts';
import { kindOf } from '../../../document/kinds/index.ts';
import { price } from '../../../document/price.ts';
import { buyer, own } from '../../../testing/returns.ts';
import { codes } from '../../../testing/walk.ts';
import { gstr1 } from './gstr1.ts';
import type { ReturnDocument } from './return-document.ts';

type Heads = Record<'igst' | 'cgst' | 'sgst' | 'cess', number>;
const headNames = { iamt: 'igst', camt: 'cgst', samt: 'sgst', csamt: 'cess' } as const;
const none = (): Heads => ({ igst: 0, cgst: 0, sgst: 0, cess: 0 });

/** The tax of a part of the file in paise: all amounts under the names of the four heads, wherever they stand. */
function taxIn(part: unknown, sums = none()): Heads {
  if (Array.isArray(part)) for (const each of part) taxIn(each, sums);
  else if (part !== null && typeof part === 'object')
    for (const [key, value] of Object.entries(part)) {
      if (key in headNames) sums[headNames[key as keyof typeof headNames]] += Math.round(Number(value) * 100);
      else taxIn(value, sums);
    }
  return sums;
}

type Json = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
/** What the file declares as owed: forward charge only, credit notes taken off. Tables 12 and 14 repeat it. */
function declared(json: Json): Heads {
  const total = none();
  const add = (part: unknown, sign = 1) => {
    const tax = taxIn(part);
    for (const head of Object.keys(total) as (keyof Heads)[]) total[head] += sign * tax[head];
  };
  const inner = (section: string, key: string) =>
    (json[section] ?? []).flatMap((group) => (group[key] ?? []) as readonly Readonly<Record<string, unknown>>[]);
  add(inner('b2b', 'inv').filter(({ rchrg }) => rchrg === 'N'));
  for (const note of [...inner('cdnr', 'nt'), ...(json['cdnur'] ?? [])])
    if (note['rchrg'] !== 'Y') add(note, note['ntty'] === 'C' ? -1 : 1);
  add([json['b2cl'] ?? [], json['b2cs'] ?? [], json['exp'] ?? []]);
  return total;
}

const kindsTried = ['saleInvoice', 'saleCreditNote', 'saleDebitNote', 'cashSale'] as const;
const types = { saleInvoice: 'INV', cashSale: 'INV', saleCreditNote: 'CRN', saleDebitNote: 'DBN' } as const;
const categories: readonly GstCategory[] = [
  ...(['registered', 'composition', 'unregistered', 'sezUnit', 'sezDeveloper', 'deemedExport'] as const),
  ...(['overseas', 'uinHolder', 'taxDeductor', 'isd', 'ecommerceOperator'] as const),
];
const unregistered: readonly GstCategory[] = ['unregistered', 'overseas'];
/** Only these bear reverse charge: it says who owes the tax, and a consumer or a buyer abroad cannot. */
const reversible: readonly GstCategory[] = ['registered', 'composition', 'uinHolder', 'sezUnit', 'taxDeductor'];

const made = fc
  .record({
    p: pricings,
    kind: fc.constantFrom(...kindsTried),
    category: fc.constantFrom(...categories),
    ownKind: fc.constantFrom<RegistrationKind>('regular', 'sez'),
    operator: fc.constantFrom(undefined, undefined, '29AAKCV7051L1CY'),
  })
  .map(({ p, kind, category, ownKind, operator }) => {
    const fields = kindOf(kind).fields as readonly string[];
    const reverseCharge = p.reverseCharge && fields.includes('reverseCharge') && reversible.includes(category);
    const { tcs: _tcs, tds: _tds, adjustments: _adjustments, ...plain } = p;
    const pricing: Pricing = {
      ...plain,
      direction: 'output',
      own: { state: '27', kind: ownKind },
      party: { ...p.party, category, country: category === 'overseas' ? 'US' : 'IN' },
      placeOfSupply: category === 'overseas' ? '96' : p.placeOfSupply === '29' ? '27' : p.placeOfSupply,
      withoutTax: p.withoutTax && fields.includes('withoutTax'),
      reverseCharge,
      lines: p.lines.map((line) => ({ ...line, creditBlocked: false })),
    };
    return { pricing, kind, operator };
  });

test('the tax of the file, head by head, is what the output ledgers move, for regular and SEZ registrations and every party', () => {
  fc.assert(
    fc.property(fc.array(made, { minLength: 1, maxLength: 6 }), (all) => {
      const booked = none();
      const documents = all.map(({ pricing, kind, operator }, at): ReturnDocument => {
        const priced = price(pricing);
        const { category } = pricing.party;
        const entries = post(kindOf(kind), {
          ledgers: codes,
          draft: {
            ...{ kind, date: pricing.date, registration: 'own', location: 'here', party: 'party', lines: [] },
            ...{ currency: pricing.currency, exchangeRate: pricing.exchangeRate, withoutTax: pricing.withoutTax },
            ...{ reverseCharge: pricing.reverseCharge, withPayment: pricing.withPayment },
            ...(kind === 'cashSale' && { moneyLedger: '1110' }),
          },
          priced,
          lineEffect: kindOf(kind).books.lineEffect,
          party: {
            ...{ id: 'party', overseas: category === 'overseas', microSmall: false, taxed: true, sez: false },
            account: { category: category, microSmall: false },
          },
          ...{ ownComposition: false, perpetual: false, costs: new Map(), settled: [], tdsEffect: 'tdsContractor' },
        });
        const ledgers = { igst: '2213', cgst: '2211', sgst: '2212', cess: '2214' } as const;
        for (const head of Object.keys(ledgers) as (keyof Heads)[])
          for (const e of entries) if (e.ledger === ledgers[head]) booked[head] += e.credit - e.debit;
        return {
          ...{ id: `d${at}`, number: `N/${at + 1}`, date: '2026-11-05', type: types[kind], series: kind },
          party: { category, name: 'Someone', ...(!unregistered.includes(category) && { gstin: buyer }) },
          ...{ supplierState: '27', placeOfSupply: pricing.placeOfSupply, supplyType: priced.supplyType },
          ...{ inter: priced.supply === 'inter', reverseCharge: pricing.reverseCharge, total: priced.total },
          ...(pricing.withoutTax && { withoutTax: true }),
          lines: priced.lines.map((l) => ({ ...l, uqc: 'NOS', rate: l.gstRate, taxable: l.value })),
          ...(operator && { ecommerceOperator: operator }),
          cancelled: false,
        };
      });
      expect(declared(gstr1(own, '112026', documents).json as Json)).toEqual(booked);
    }),
    { numRuns: 80 },
  );
}, 30_000);
