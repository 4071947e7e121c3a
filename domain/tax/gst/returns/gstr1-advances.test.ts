import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money, percentage } from '../../../base/decimal.ts';
import { zero } from '../../../base/money.ts';
import { interLine, line, own } from '../../../testing/returns.ts';
import type { AdvanceVoucher } from './advances.ts';
import { gstr1 } from './gstr1.ts';

const schema = JSON.parse(readFileSync(new URL('../../../facts/gstr1.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, multipleOfPrecision: 4, allErrors: true });
const validate = ajv.compile(schema);
const errors = (json: unknown) => (validate(json) ? [] : validate.errors);

let last = 0;
const voucher = (part: Partial<AdvanceVoucher> = {}): AdvanceVoucher => {
  last += 1;
  return {
    id: `id${last}`,
    number: `AR/26-27/${last}`,
    date: '2026-11-05',
    what: 'received',
    ofEarlier: false,
    placeOfSupply: '27',
    inter: false,
    lines: [line()],
    cancelled: false,
    series: 'AR',
    ...part,
  };
};
const drawn = (vouchers: readonly AdvanceVoucher[]) => {
  const result = gstr1(own, '112026', [], vouchers);
  expect(errors(result.json)).toEqual([]);
  const json = result.json as { at?: unknown; txpd?: unknown; doc_issue?: { doc_det: unknown } };
  return { ...result, json, of: (name: string) => result.tables.find((t) => t.name === name) };
};
const intra = (itm: Record<string, number>) => ({
  pos: '27',
  sply_ty: 'INTRA',
  itms: [{ rt: 18, csamt: 0, ...itm }],
});

test('advances received are in 11A without their tax, by place and rate', () => {
  const there = { placeOfSupply: '29', inter: true, lines: [interLine()] };
  const { json, of } = drawn([voucher(), voucher(), voucher(there)]);
  expect(json.at).toEqual([
    intra({ ad_amt: 200, camt: 18, samt: 18 }),
    { pos: '29', sply_ty: 'INTER', itms: [{ rt: 18, ad_amt: 100, iamt: 18, csamt: 0 }] },
  ]);
  expect(json.txpd).toBeUndefined();
  expect(of('11A')).toMatchObject({ count: 3, taxable: money('300'), value: money('354') });
  expect(of('11B')).toMatchObject({ count: 0, value: zero });
});
test('invoiced or given back in the month of receipt, nothing is left of them in 11A', () => {
  const { json } = drawn([voucher(), voucher({ what: 'adjusted' }), voucher(), voucher({ what: 'refunded' })]);
  expect([json.at, json.txpd]).toEqual([undefined, undefined]);
});
test('of an earlier month: invoiced now they are in 11B, given back they are taken off 11A', () => {
  const half = [line({ taxable: money('50'), cgst: money('4.5'), sgst: money('4.5') })];
  const { json, of } = drawn([
    voucher({ what: 'adjusted', ofEarlier: true }),
    voucher({ what: 'refunded', ofEarlier: true, lines: half }),
  ]);
  expect(json.txpd).toEqual([intra({ ad_amt: 100, camt: 9, samt: 9 })]);
  expect(json.at).toEqual([intra({ ad_amt: -50, camt: -4.5, samt: -4.5 })]);
  expect(of('11B')).toMatchObject({ count: 1, taxable: money('100') });
});
test('cancelled ones and those for goods are only counted: receipt vouchers and refund vouchers have their natures in table 13', () => {
  const { json, of } = drawn([
    voucher({ number: 'AR/1', cancelled: true }),
    voucher({ number: 'AR/2', lines: [] }),
    voucher({ number: 'AL/1', series: 'AL', what: 'adjusted', lines: [] }),
    voucher({ number: 'RF/1', series: 'RF', what: 'refunded', lines: [] }),
  ]);
  expect(json.at).toBeUndefined();
  expect(json.doc_issue?.doc_det).toMatchObject([
    { doc_num: 6, docs: [{ from: 'AR/1', to: 'AR/2', totnum: 2, cancel: 1, net_issue: 1 }] },
    { doc_num: 8, docs: [{ from: 'RF/1', totnum: 1 }] },
  ]);
  expect(of('13')?.count).toBe(3);
});
test('a rate that the return does not know is a problem', () => {
  expect(drawn([voucher()]).problems).toEqual([]);
  const odd = gstr1(own, '112026', [], [voucher({ number: 'AR/9', lines: [line({ rate: percentage('17') })] })]);
  expect(odd.problems.map((p) => p.message)).toEqual(['AR/9: the advance has a rate that the return does not know']);
});
test('11A less 11B is what all vouchers come to, whatever they are', () => {
  const what = fc.constantFrom<AdvanceVoucher['what']>('received', 'adjusted', 'refunded');
  const any = fc.record({
    what,
    ofEarlier: fc.boolean(),
    inter: fc.boolean(),
    rupees: fc.integer({ min: 1, max: 10_000 }),
  });
  fc.assert(
    fc.property(fc.array(any), (all) => {
      const { of } = drawn(
        all.map(({ what, ofEarlier, inter, rupees }) =>
          voucher({
            what,
            ofEarlier: what !== 'received' && ofEarlier,
            inter,
            lines: [(inter ? interLine : line)({ taxable: money(`${rupees}`) })],
          }),
        ),
      );
      const net = (of('11A')?.taxable ?? 0) - (of('11B')?.taxable ?? 0);
      expect(net).toBe(all.reduce((t, v) => t + (v.what === 'received' ? 100 : -100) * v.rupees, 0));
    }),
  );
});
