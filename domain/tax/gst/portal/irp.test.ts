import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HUNDRED_PERCENT, millionths, money, percentage, quantity } from '../../../base/decimal.ts';
import { paise, scale, sum, zero } from '../../../base/money.ts';
import { type IrpDocument, type IrpLine, type IrpPayload, irpLineProblems, irpPayload } from './irp.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const validate = new Ajv({ strict: false, allErrors: true }).compile(read('../../../facts/einvoice.schema.json'));
const errors = (payload: unknown) => (validate(payload) ? [] : validate.errors);

const pune = { line1: 'Plot 14, MIDC Industrial Area', city: 'Pune', state: '27', pincode: '411019', country: 'IN' };
const mumbai = { line1: '22 Link Road, Andheri West', city: 'Mumbai', state: '27', pincode: '400053', country: 'IN' };
const seller = {
  gstin: '27AABCS4821K1Z9',
  legalName: 'Sahyadri Components Private Limited',
  tradeName: 'Sahyadri Components',
  address: pune,
};
const buyer = {
  gstin: '27AAFCM7310R1ZZ',
  legalName: 'Mandovi Retail Private Limited',
  tradeName: 'Mandovi Retail',
  address: mumbai,
};
const abroad = {
  legalName: 'Harbour Light Trading GmbH',
  address: { line1: 'Speicherstrasse 12', city: 'Hamburg', state: '96', pincode: '20457', country: 'DE' },
};

const line = (part: Partial<IrpLine> = {}): IrpLine => ({
  description: 'Ball bearing 6204',
  hsn: '84821011',
  service: false,
  uqc: 'NOS',
  quantity: quantity('37'),
  discount: zero,
  value: money('5303.95'),
  treatment: 'taxable',
  rate: percentage('18'),
  cessRate: percentage('0'),
  igst: zero,
  cgst: money('477.36'),
  sgst: money('477.36'),
  cess: zero,
  total: money('6258.67'),
  ...part,
});
const document = (part: Partial<IrpDocument> = {}): IrpDocument => ({
  type: 'INV',
  number: 'SC/26-27/0109',
  date: '2026-11-18',
  supplyType: 'B2B',
  reverseCharge: false,
  placeOfSupply: '27',
  seller,
  buyer,
  lines: [line()],
  tcs: zero,
  roundOff: money('0.33'),
  total: money('6259'),
  currency: 'INR',
  ...part,
});
const send = (part: Partial<IrpDocument> = {}): IrpPayload => {
  const payload = irpPayload(document(part));
  expect(errors(payload)).toEqual([]);
  return payload;
};

test("the portal's own sample comes out of the same facts", () => {
  const sample = read('../../../facts/samples/13-round-off.json');
  const payload = send();
  expect(payload).toMatchObject({ ...sample, ItemList: sample.ItemList });
});

test('a price or quantity below half a thousandth is a problem before it is sent', () => {
  const of = (part: Partial<IrpLine>) => irpLineProblems(document({ lines: [line(), line(part)] }));
  const cheap = { quantity: quantity('100000'), value: money('40'), cgst: money('3.60'), sgst: money('3.60') };
  expect(of(cheap)).toMatchObject([{ row: 1, field: 'rate' }]);
  expect(of({ ...cheap, value: money('50') })).toEqual([]);
  expect(of({ quantity: millionths(499), value: money('10') })).toMatchObject([{ row: 1, field: 'quantity' }]);
  expect(of({ quantity: millionths(500), value: money('10') })).toEqual([]);
  expect(of({ ...cheap, treatment: 'exempt' })).toEqual([]);
});

test("the portal's published sample: seller in Andhra Pradesh, dispatch and delivery in Karnataka", () => {
  const bengaluru = { line1: '7th block, kuvempu layout', line2: 'kuvempu layout', city: 'Banagalore', country: 'IN' };
  const there = { ...bengaluru, state: '29', pincode: '562160' };
  const payload = send({
    seller: {
      ...{ gstin: '37ARZPT4384Q1MT', legalName: 'NIC company pvt ltd' },
      address: {
        ...{ line1: '5th block, kuvempu layout', line2: 'kuvempu layout', city: 'GANDHINAGAR' },
        ...{ state: '37', pincode: '518001', country: 'IN', phone: '9000000000', email: 'abc@gmail.com' },
      },
    },
    dispatchFrom: { ...there, name: 'ABC company pvt ltd' },
    shipTo: { ...there, name: 'CBE company pvt ltd', gstin: '29AWGPV7107B1Z1' },
  });
  const place = {
    Addr1: '7th block, kuvempu layout',
    Addr2: 'kuvempu layout',
    Loc: 'Banagalore',
    Pin: 562160,
    Stcd: '29',
  };
  expect(payload.SellerDtls).toMatchObject({ Stcd: '37', Pin: 518001, Ph: '9000000000', Em: 'abc@gmail.com' });
  expect(payload.DispDtls).toEqual({ Nm: 'ABC company pvt ltd', ...place });
  expect(payload.ShipDtls).toEqual({ Gstin: '29AWGPV7107B1Z1', LglNm: 'CBE company pvt ltd', ...place });
});

test('how it is paid: on credit until a day, or on the spot', () => {
  expect(send({ payment: { creditDays: 30, due: money('6259') } }).PayDtls).toEqual({ CrDay: 30, PaymtDue: 6259 });
  expect(send({ payment: { paid: money('6259') } }).PayDtls).toEqual({ PaidAmt: 6259, PaymtDue: 0 });
  expect(send()).not.toHaveProperty('PayDtls');
});

describe('parts of the payload', () => {
  test('an export has a buyer without registration, its country and currency', () => {
    const igst = line({
      value: money('442650'),
      igst: money('79677'),
      cgst: zero,
      sgst: zero,
      total: money('522327'),
      quantity: quantity('300'),
    });
    const payload = send({
      supplyType: 'EXPWP',
      placeOfSupply: '96',
      buyer: abroad,
      lines: [igst],
      roundOff: zero,
      total: money('522327'),
      currency: 'EUR',
      foreignTotal: money('5870.35'),
      port: 'INNSA1',
      shippingBill: { number: '8842317', date: '2026-11-18' },
    });
    const sample = read('../../../facts/samples/05-export-with-payment.json');
    expect(payload.BuyerDtls).toEqual(sample.BuyerDtls);
    expect(payload.ExpDtls).toEqual(sample.ExpDtls);
    expect(payload.ValDtls).toEqual(sample.ValDtls);
    expect(payload.ItemList[0]).toMatchObject({ Qty: 300, UnitPrice: 1475.5 });
  });

  test('reverse charge: the tax is reported but not in the totals', () => {
    const payload = send({
      reverseCharge: true,
      lines: [line({ total: money('5303.95') })],
      roundOff: zero,
      total: money('5303.95'),
    });
    expect(payload.TranDtls.RegRev).toBe('Y');
    expect(payload.ItemList[0]).toMatchObject({ CgstAmt: 477.36, TotItemVal: 5303.95 });
    expect(payload.ValDtls.TotInvVal).toBe(5303.95);
  });

  test('quantity and unit price are rounded to three decimals', () => {
    const payload = send({ lines: [line({ quantity: quantity('3.000500'), discount: money('10') })] });
    expect(payload.ItemList[0]).toMatchObject({
      Qty: 3.001,
      UnitPrice: 1771.021,
      TotAmt: 5313.95,
      Discount: 10,
      AssAmt: 5303.95,
    });
  });

  test('cess by rate and cess by quantity are kept apart', () => {
    const drink = line({
      value: money('1000'),
      cessRate: percentage('12'),
      cess: money('125'),
      cgst: money('90'),
      sgst: money('90'),
      total: money('1305'),
    });
    const payload = send({ lines: [drink], roundOff: zero, total: money('1305') });
    expect(payload.ItemList[0]).toMatchObject({ CesRt: 12, CesAmt: 120, CesNonAdvlAmt: 5 });
    expect(payload.ValDtls.CesVal).toBe(125);
  });

  test('an exempt line and tax collected at source are other charges', () => {
    const free = line({
      treatment: 'exempt',
      rate: percentage('0'),
      cgst: zero,
      sgst: zero,
      value: money('50'),
      total: money('50'),
    });
    const payload = send({ lines: [line(), free], tcs: money('1'), total: money('6310') });
    expect(payload.ItemList).toHaveLength(1);
    expect(payload.ValDtls).toMatchObject({ AssVal: 5303.95, OthChrg: 51, TotInvVal: 6310 });
  });

  test('what comes on top after tax is another charge, what comes off it a discount after the tax', () => {
    const payload = send({ added: money('50'), takenOff: money('20'), tcs: money('1'), total: money('6289.66') });
    expect(payload.ValDtls).toMatchObject({ AssVal: 5303.95, Discount: 20, OthChrg: 51 });
    expect(payload.TranDtls).not.toHaveProperty('EcmGstin');
  });

  test('a note names its invoice; what the portal cannot take is left out or made fit', () => {
    const payload = send({
      type: 'CRN',
      preceding: [{ number: 'SC/26-27/0101', date: '2026-10-02' }],
      remarks: 'ok',
      order: { number: 'PO 7', date: '2026-10-01' },
      buyer: {
        ...buyer,
        legalName: 'The "Best" Shop',
        address: { ...mumbai, line2: 'W', phone: '+91 22-2600 1234', email: 'no mail' },
      },
    });
    expect(payload).toMatchObject({
      RefDtls: { PrecDocDtls: [{ InvNo: 'SC/26-27/0101', InvDt: '02/10/2026' }], ContrDtls: [{ PORefr: 'PO 7' }] },
    });
    expect(payload.BuyerDtls).toMatchObject({ LglNm: "The 'Best' Shop", Ph: '912226001234' });
    expect(payload.BuyerDtls).not.toHaveProperty('Addr2');
    expect(payload.BuyerDtls).not.toHaveProperty('Em');
  });

  test('dispatch, delivery and transport', () => {
    const payload = send({
      dispatchFrom: { ...pune, name: 'Store two' },
      shipTo: { ...mumbai, name: 'Buyer of the buyer', tradeName: 'Corner shop', gstin: 'URP' },
      lines: [line({ batch: { name: 'LOT-7', expiry: '2027-03-31' } })],
      transport: {
        distance: 0,
        mode: '1',
        transporter: { name: 'Fast' },
        vehicle: { number: 'MH 12 AB 1234', oversized: false },
      },
    });
    expect(payload).toMatchObject({
      DispDtls: { Nm: 'Store two', Pin: 411019 },
      ShipDtls: { Gstin: 'URP', TrdNm: 'Corner shop' },
      ItemList: [{ BchDtls: { Nm: 'LOT-7', ExpDt: '31/03/2027' } }],
      EwbDtls: { Distance: 0, TransMode: '1', VehNo: 'MH12AB1234', VehType: 'R' },
    });
  });
});

/** The portal's own arithmetic: what is passed may be one rupee below the floor or above the ceiling. */
const agrees = (calculated: number, passed: number) =>
  passed >= Math.floor(calculated) - 1 && passed <= Math.ceil(calculated) + 1;

test("documents of any making agree with the portal's rules of totals", () => {
  const anyLine = fc.record({
    value: fc.integer({ min: 0, max: 1_000_000_000 }).map(paise),
    discount: fc.integer({ min: 0, max: 1_000_000 }).map(paise),
    quantity: fc.integer({ min: 1000, max: 2_000_000_000 }).map(millionths),
    rate: fc.constantFrom('0', '0.25', '5', '18', '40').map(percentage),
    cessRate: fc.constantFrom('0', '12').map(percentage),
    perUnit: fc.nat(100_000),
    inter: fc.boolean(),
    treatment: fc.constantFrom('taxable', 'taxable', 'nil', 'exempt' as const),
  });
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 6 }), fc.boolean(), (made, charged) => {
      const lines = made.map(({ inter, perUnit, ...l }) => {
        const taxed = l.treatment === 'taxable';
        const half = taxed && !inter ? scale(l.value, l.rate, 2 * HUNDRED_PERCENT) : zero;
        const igst = taxed && inter ? scale(l.value, l.rate, HUNDRED_PERCENT) : zero;
        const cess = taxed ? paise(scale(l.value, l.cessRate, HUNDRED_PERCENT) + perUnit) : zero;
        return line({
          ...l,
          igst,
          cgst: half,
          sgst: half,
          cess,
          total: charged ? sum([l.value, half, half, igst, cess]) : l.value,
        });
      });
      fc.pre(lines.some((l) => l.treatment === 'taxable'));
      const { ItemList: items, ValDtls: v } = send({
        lines,
        roundOff: paise(-37),
        total: paise(sum(lines.map((l) => l.total)) - 37 + 5_000),
        tcs: paise(5_000),
      });
      const of = (pick: (i: (typeof items)[number]) => number) => items.reduce((t, i) => t + pick(i), 0);
      for (const i of items) {
        expect(i.AssAmt).toBeCloseTo(i.TotAmt - i.Discount, 6);
        expect(i.CgstAmt).toBe(i.SgstAmt);
        expect(agrees((i.AssAmt * i.GstRt) / 100, i.IgstAmt + i.CgstAmt + i.SgstAmt)).toBe(true);
        expect(agrees((i.AssAmt * i.CesRt) / 100, i.CesAmt)).toBe(true);
        const taxes = charged ? i.IgstAmt + i.CgstAmt + i.SgstAmt + i.CesAmt + i.CesNonAdvlAmt : 0;
        expect(agrees(i.AssAmt + taxes, i.TotItemVal)).toBe(true);
      }
      expect(v.AssVal).toBeCloseTo(
        of((i) => i.AssAmt),
        4,
      );
      expect(v.IgstVal + v.CgstVal + v.SgstVal).toBeCloseTo(
        of((i) => i.IgstAmt + i.CgstAmt + i.SgstAmt),
        4,
      );
      expect(v.CesVal).toBeCloseTo(
        of((i) => i.CesAmt + i.CesNonAdvlAmt),
        4,
      );
      expect(v.TotInvVal).toBeCloseTo(of((i) => i.TotItemVal) - v.Discount + v.OthChrg + v.RndOffAmt, 4);
    }),
    { numRuns: 60 },
  );
});
