import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millionths, money, percentage, quantity } from '../../../base/decimal.ts';
import { paise, zero } from '../../../base/money.ts';
import type { RegistrationKind } from '../../../document/document.ts';
import { kindNames, kindOf } from '../../../document/kinds/index.ts';
import { buyer, interLine, line, own } from '../../../testing/returns.ts';
import type { StatusChange } from '../registration/registered.ts';
import { issuedRuns, natureIssued } from './documents-issued.ts';
import { noReturnFor } from './filing.ts';
import { gstr1 } from './gstr1.ts';
import { cellsOf } from './gstr3b.ts';
import { largeLimit, type ReturnDocument } from './return-document.ts';

const schema = JSON.parse(readFileSync(new URL('../../../facts/gstr1.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, multipleOfPrecision: 4, allErrors: true });
const validate = ajv.compile(schema);
const errors = (json: unknown) => (validate(json) ? [] : validate.errors);

let last = 0;
const document = (part: Partial<ReturnDocument> = {}): ReturnDocument => {
  last += 1;
  const place = part.placeOfSupply ?? '27';
  return {
    inter: place !== '27' || part.supplyType?.startsWith('SEZ') === true,
    id: `id${last}`,
    number: `INV/26-27/${last}`,
    date: '2026-11-05',
    type: 'INV',
    party: { category: 'unregistered', name: 'Someone' },
    supplierState: '27',
    placeOfSupply: '27',
    supplyType: 'B2CS',
    reverseCharge: false,
    total: money('118'),
    lines: [line()],
    cancelled: false,
    series: 'S',
    ...part,
  };
};
const registered = { category: 'registered', name: 'Buyer', gstin: buyer } as const;
const overseas = { category: 'overseas', name: 'Abroad' } as const;
const toBuyer = { party: registered, placeOfSupply: '29', supplyType: 'B2B', lines: [interLine()] } as const;
const abroad = { party: overseas, placeOfSupply: '96', supplyType: 'EXPWP', lines: [interLine()] } as const;

const run = (documents: readonly ReturnDocument[], period = '112026') => {
  const result = gstr1(own, period, documents);
  expect(errors(result.json)).toEqual([]);
  return { ...result, table: (name: string) => result.tables.find((t) => t.name === name) };
};
/** The tables, but 12 and 13, that a single document stands in. */
const standsIn = (d: ReturnDocument, period?: string) =>
  run([d], period)
    .tables.filter((t) => t.count > 0 && t.name !== '12' && t.name !== '13')
    .map((t) => t.name);

describe('where a document stands', () => {
  const large = { placeOfSupply: '29', total: money('100000.01'), lines: [interLine()] } as const;
  test.each<[string, Partial<ReturnDocument>, string[]]>([
    ['registered', toBuyer, ['4A']],
    ['reverse charge', { ...toBuyer, reverseCharge: true }, ['4B']],
    ['SEZ', { ...toBuyer, supplyType: 'SEZWP' }, ['6B']],
    ['exempt to a SEZ', { ...toBuyer, supplyType: 'SEZWOP', lines: [interLine({ treatment: 'exempt' })] }, ['6B']],
    ['exempt abroad', { ...abroad, supplyType: 'EXPWOP', lines: [interLine({ treatment: 'exempt' })] }, ['6A']],
    [
      'note to a SEZ on what is exempt',
      { ...toBuyer, supplyType: 'SEZWOP', type: 'CRN', lines: [interLine({ treatment: 'exempt' })] },
      ['9B registered'],
    ],
    ['deemed export', { ...toBuyer, supplyType: 'DEXP' }, ['6C']],
    ['export', abroad, ['6A']],
    ['large to a consumer of another state', large, ['5']],
    ['at the limit', { ...large, total: money('100000') }, ['7']],
    ['large in the own state', { total: money('900000') }, ['7']],
    ['note to a registered', { ...toBuyer, type: 'CRN' }, ['9B registered']],
    ['note on an export', { ...abroad, type: 'CRN' }, ['9B unregistered']],
    ['large note', { ...large, type: 'CRN' }, ['9B unregistered']],
    [
      'small note on a large invoice',
      {
        ...large,
        total: money('1'),
        type: 'CRN',
        against: { number: 'A', date: '2026-10-01', total: money('200000') },
      },
      ['9B unregistered'],
    ],
    ['small note', { type: 'CRN' }, ['7']],
    ['credit note without GST', { ...toBuyer, type: 'CRN', withoutTax: true }, []],
    ['credit note without GST to a consumer', { type: 'CRN', withoutTax: true }, []],
    ['large, by a SEZ within its state', { inter: true, total: money('900000'), lines: [interLine()] }, ['7']],
    ['exempt', { lines: [line({ treatment: 'exempt', rate: percentage('0'), cgst: zero, sgst: zero })] }, ['8']],
    [
      'exempt export',
      {
        ...abroad,
        supplyType: 'EXPWOP',
        lines: [interLine({ treatment: 'exempt', rate: percentage('0'), igst: zero })],
      },
      ['6A'],
    ],
    [
      'taxed and exempt',
      { lines: [line(), line({ treatment: 'nil', rate: percentage('0'), cgst: zero, sgst: zero })] },
      ['7', '8'],
    ],
    ['cancelled', { cancelled: true }, []],
    ['transfer inside the registration', { supplyType: 'NONE' }, []],
  ])('%s', (_, part, tables) => expect(standsIn(document(part))).toEqual(tables));

  test('the limit of large invoices fell in August 2024', () => {
    expect(largeLimit('072024')).toBe(money('250000'));
    expect(largeLimit('082024')).toBe(money('100000'));
    expect(standsIn(document({ ...large, date: '2024-07-31' }), '072024')).toEqual(['7']);
    expect(standsIn(document({ ...large, date: '2024-08-01' }), '082024')).toEqual(['5']);
  });
});

test('what is exempt stands in table 8 where GSTR-3B has it in 3.1(c), and with zero rated supplies where it has it in 3.1(b)', () => {
  const none = { igst: zero, cgst: zero, sgst: zero, cess: zero };
  const kinds = [
    ...([toBuyer, abroad, { ...toBuyer, supplyType: 'SEZWOP' }, { ...toBuyer, supplyType: 'SEZWP' }] as const),
    ...([{ ...abroad, supplyType: 'EXPWOP' }, { ...toBuyer, supplyType: 'DEXP' }, {}] as const),
  ];
  for (const part of kinds)
    for (const treatment of ['exempt', 'nil'] as const) {
      const made = document({ ...part, lines: [line({ treatment, ...none })] });
      const [cell] = cellsOf({
        ...{ kind: 'saleInvoice', supply: made.inter ? 'inter' : 'intra', supplyType: made.supplyType },
        ...{ reverseCharge: false, category: made.party.category, throughOperator: false, isBarred: false },
        ...{ reason: '', assessed: 0, isPaid: false, output: none, reverse: none, input: none },
        lines: [{ treatment, taxable: 100, ...none }],
      });
      const tables = standsIn(made);
      expect([made.supplyType, tables.includes('8'), tables.length]).toEqual([
        ...[made.supplyType, cell?.cell === '3.1(c)', 1],
      ]);
    }
});

test('lines of one rate are one item, and a number is a number of two decimals', () => {
  const lines = [
    interLine({ taxable: money('0.10'), igst: money('0.02') }),
    interLine({ taxable: money('0.20'), igst: money('0.04') }),
    interLine({ rate: percentage('5'), taxable: money('5394.60'), igst: money('269.73') }),
  ];
  const { json } = run([document({ ...toBuyer, number: 'A/1', lines, total: money('5664.69') })]);
  expect(json.b2b).toEqual([
    {
      ctin: buyer,
      inv: [
        {
          inum: 'A/1',
          idt: '05-11-2026',
          val: 5664.69,
          pos: '29',
          rchrg: 'N',
          inv_typ: 'R',
          itms: [
            { num: 501, itm_det: { rt: 5, txval: 5394.6, iamt: 269.73, csamt: 0 } },
            { num: 1801, itm_det: { rt: 18, txval: 0.3, iamt: 0.06, csamt: 0 } },
          ],
        },
      ],
    },
  ]);
});

test('consumers are summed by place and rate, credit notes taken off', () => {
  const { json, table } = run([
    document(),
    document(),
    document({ type: 'CRN' }),
    document({ type: 'CRN', placeOfSupply: '29', lines: [interLine()] }),
  ]);
  expect(json.b2cs).toEqual([
    { sply_ty: 'INTRA', typ: 'OE', pos: '27', rt: 18, txval: 100, camt: 9, samt: 9, csamt: 0 },
    { sply_ty: 'INTER', typ: 'OE', pos: '29', rt: 18, txval: -100, iamt: -18, csamt: 0 },
  ]);
  expect(table('7')).toMatchObject({ count: 4, taxable: zero, value: zero });
});

test('table 8 separates registered buyers and states', () => {
  const free = (treatment: 'nil' | 'exempt' | 'nonGst') => [
    line({ treatment, rate: percentage('0'), cgst: zero, sgst: zero }),
  ];
  const { json } = run([
    document({ lines: free('nil') }),
    document({ ...toBuyer, lines: free('exempt') }),
    document({ ...toBuyer, type: 'CRN', lines: free('nonGst') }),
  ]);
  expect(json.nil).toEqual({
    inv: [
      { sply_ty: 'INTRAB2C', expt_amt: 0, nil_amt: 100, ngsup_amt: 0 },
      { sply_ty: 'INTRB2B', expt_amt: 100, nil_amt: 0, ngsup_amt: -100 },
    ],
  });
  expect(json.b2b).toBeUndefined();
});

test('exports carry port and shipping bill and the note has no place of supply', () => {
  const shipped = document({ ...abroad, port: 'INNSA1', shippingBill: { number: '123456', date: '2026-11-06' } });
  const { json } = run([shipped, document({ ...abroad, type: 'DBN' })]);
  expect(json.exp).toMatchObject([
    { exp_typ: 'WPAY', inv: [{ sbpcode: 'INNSA1', sbnum: '123456', sbdt: '06-11-2026' }] },
  ]);
  expect((json.cdnur as object[])[0]).not.toHaveProperty('pos');
});

test('the HSN summary has halves; services have no quantity, halves round away from nothing', () => {
  const { json } = run([
    document({
      ...toBuyer,
      lines: [interLine({ quantity: quantity('1.005') }), interLine({ hsn: '998314', uqc: 'OTH' })],
    }),
    document(abroad),
  ]);
  expect(json.hsn).toMatchObject({
    hsn_b2b: [
      { num: 1, hsn_sc: '8471', uqc: 'NOS', qty: 1.01 },
      { num: 2, hsn_sc: '998314', uqc: 'NA', qty: 0 },
    ],
    hsn_b2c: [{ num: 1, hsn_sc: '8471', qty: 1, iamt: 18 }],
  });
});

test('the HSN summary has no row of goods that were sold and came back whole in the period', () => {
  const back = [interLine({ hsn: '61091000' })];
  const both = [document({ ...toBuyer, lines: back }), document({ ...toBuyer, type: 'CRN' as const, lines: back })];
  expect(run(both).json.hsn).toBeUndefined();
  const { json } = run([...both, document({ ...toBuyer, lines: [interLine()] })]);
  expect(json.hsn).toMatchObject({ hsn_b2b: [{ num: 1, hsn_sc: '8471' }] });
  // goods that came back at another price leave an amount, though no quantity
  const cheaper = document({
    ...toBuyer,
    type: 'CRN',
    lines: [interLine({ taxable: paise(5_000), igst: paise(900) })],
  });
  expect(run([document({ ...toBuyer, lines: [interLine()] }), cheaper]).json.hsn).toMatchObject({
    hsn_b2b: [{ num: 1, hsn_sc: '8471', qty: 0 }],
  });
});

test('documents issued: a cancelled number counts, a jump begins a new run', () => {
  const of = (number: string, cancelled = false) => ({ nature: 1, series: 'S', number, cancelled }) as const;
  expect(issuedRuns([of('A/10/26-27'), of('A/9/26-27', true), of('A/8/26-27'), of('A/12/26-27')])).toEqual([
    { nature: 1, from: 'A/12/26-27', to: 'A/12/26-27', total: 1, cancelled: 0 },
    { nature: 1, from: 'A/8/26-27', to: 'A/10/26-27', total: 3, cancelled: 1 },
  ]);
});

test('problems name what the portal refuses', () => {
  const messages = (d: ReturnDocument) =>
    gstr1(own, '112026', [d]).problems.map((p) => p.message.slice(d.number.length + 2));
  expect(messages(document())).toEqual([]);
  expect(messages(document({ date: '2026-12-01' }))).toEqual(['dated after the end of the period']);
  expect(messages(document({ lines: [line({ hsn: '' })] }))).toEqual(['a line has no HSN or SAC of 4, 6 or 8 digits']);
  expect(messages(document({ ...toBuyer, party: { ...registered, gstin: own } }))).toEqual([
    'the recipient is this registration itself',
  ]);
});

test('a registered buyer of a SEZ in its own state bears integrated tax in the file', () => {
  const { json } = run([document({ ...toBuyer, placeOfSupply: '27', inter: true })]);
  expect(json.b2b).toMatchObject([{ inv: [{ pos: '27', itms: [{ itm_det: { rt: 18, txval: 100, iamt: 18 } }] }] }]);
  expect(JSON.stringify(json.b2b)).not.toContain('camt');
});

test('a note without GST is counted among the numbers issued and is in no table of supplies', () => {
  const { json, table } = run([document({ ...toBuyer, type: 'CRN', withoutTax: true })]);
  expect(Object.keys(json)).toEqual(['gstin', 'fp', 'doc_issue']);
  expect(table('13')).toMatchObject({ count: 1 });
});

test('table 13 has the nature that the kind says; a challan that of its reason', () => {
  const challan = kindOf('deliveryChallan').gst.issued;
  const natures = ['Job work', 'supply on approval', 'Liquid gas', 'Fair', undefined].map(
    (reason) => challan && natureIssued(challan, { reason, isInside: false }),
  );
  expect(natures).toEqual([9, 10, 11, 12, 12]);
  const issued = kindNames.flatMap((name) => {
    const of = kindOf(name).gst.issued;
    return of ? [[name, natureIssued(of, { isInside: false }), natureIssued(of, { isInside: true })] as const] : [];
  });
  expect(issued).toEqual(
    expect.arrayContaining([
      ['selfInvoice', 2, 2],
      ['saleDebitNote', 4, 4],
      ['posReturn', 5, 5],
      ['advanceReceipt', 6, 6],
      ['paymentVoucher', 7, 7],
      ['advanceRefund', 8, 8],
      ['branchTransfer', 1, 12],
    ]),
  );
  // whatever is numbered by the rules of GST is counted
  expect(kindNames.filter((name) => kindOf(name).numbering.gst && !kindOf(name).gst.issued)).toEqual([]);
  const paper = { id: 'p', nature: 9, series: 'C', number: 'DC/1', cancelled: false } as const;
  const { json, tables } = gstr1(own, '112026', [], [], [], {}, [paper]);
  expect(json.doc_issue).toMatchObject({ doc_det: [{ doc_num: 9, docs: [{ from: 'DC/1', totnum: 1 }] }] });
  expect(tables.find((t) => t.name === '13')).toMatchObject({ count: 1, documents: ['p'] });
});

test('who is in the composition scheme or not registered on all days files no GSTR-1', () => {
  const november = { from: '2026-11-01', to: '2026-11-30' };
  const asked = (kind: RegistrationKind, statuses: readonly StatusChange[] = [], gstin: string | null = own) =>
    noReturnFor('GSTR-1', { kind, statuses, gstin }, november)?.message;
  expect(asked('regular')).toBeUndefined();
  expect(asked('sez')).toBeUndefined();
  expect(asked('composition')).toContain('CMP-08');
  expect(asked('unregistered', [], null)).toContain('no GSTR-1');
  // one day of another status is enough for a return, or for none
  expect(asked('composition', [{ from: '2026-11-30', kind: 'regular' }])).toBeUndefined();
  expect(asked('composition', [{ from: '2026-12-01', kind: 'regular' }])).toContain('CMP-08');
  expect(asked('regular', [{ from: '2026-11-01', kind: 'composition' }])).toContain('CMP-08');
  expect(asked('regular', [{ from: '2026-11-02', kind: 'composition' }])).toBeUndefined();
});

test('an empty period is a return without sections', () => expect(run([]).json).toEqual({ gstin: own, fp: '112026' }));

describe('documents of any making', () => {
  const p = (max: number) => fc.integer({ min: 0, max }).map(paise);
  const anyLine = fc.record({
    rate: fc.constantFrom('0', '0.25', '5', '18', '40').map(percentage),
    treatment: fc.constantFrom('taxable', 'nil', 'exempt', 'nonGst' as const),
    taxable: p(1_000_000_000),
    tax: p(100_000_000),
    cess: p(1_000_000),
    hsn: fc.constantFrom('8471', '998314', '61091000'),
    quantity: fc.nat(2_000_000_000).map(millionths),
  });
  const where = fc.constantFrom<Partial<ReturnDocument>>(
    toBuyer,
    { ...toBuyer, placeOfSupply: '27' },
    abroad,
    { ...abroad, supplyType: 'EXPWOP' },
    {},
    { placeOfSupply: '07' },
    { ...toBuyer, supplyType: 'SEZWOP' },
    { ...toBuyer, supplyType: 'DEXP', placeOfSupply: '27' },
  );
  const anyDocument = fc
    .record({
      where,
      lines: fc.array(anyLine, { minLength: 1, maxLength: 4 }),
      type: fc.constantFrom('INV', 'CRN', 'DBN' as const),
      cancelled: fc.boolean(),
      total: p(1_000_000_000),
    })
    .map(({ where: at, lines, ...rest }) => {
      const base = document({ ...at, ...rest });
      const { inter } = base;
      return {
        ...base,
        lines: lines.map(({ tax, ...l }) =>
          line({
            ...l,
            ...(l.treatment === 'taxable' ? {} : { rate: percentage('0') }),
            igst: inter ? tax : zero,
            cgst: inter ? zero : tax,
            sgst: inter ? zero : tax,
          }),
        ),
      };
    });

  test('the file is valid and its tables hold every rupee of tax once', () =>
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 8 }), (documents) => {
        const { tables } = run(documents);
        const live = documents.filter((d) => !d.cancelled);
        const wanted = live.reduce(
          (t, d) => t + (d.type === 'CRN' ? -1 : 1) * d.lines.reduce((s, l) => s + l.taxable, 0),
          0,
        );
        const stands = tables.filter((t) => t.name !== '12' && t.name !== '13');
        expect(stands.reduce((t, table) => t + table.taxable, 0)).toBe(wanted);
        expect(tables.find((t) => t.name === '13')?.count).toBe(documents.length);
      }),
      { numRuns: 60 },
    ));
});
