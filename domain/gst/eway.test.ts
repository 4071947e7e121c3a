import { describe, expect, test } from 'vitest';
import { millionths, ONE, type Percent } from '../decimal.ts';
import { kindNames, kindOf } from '../kinds/index.ts';
import { paise } from '../money.ts';
import { sendsGoods, transportProblems, type WayDocument, wayNeed, wayObstacle, wayPayload } from './eway.ts';
import type { IrpLine, IrpTransport } from './irp.ts';

const place = (state: string, pincode: string) => ({ line1: '1 Road', city: 'Town', state, pincode, country: 'IN' });
const line = (rupees: number, more: Partial<IrpLine> = {}): IrpLine => ({
  description: 'Bulb',
  hsn: '85395000',
  service: false,
  uqc: 'NOS',
  quantity: millionths(2 * ONE),
  discount: paise(0),
  value: paise(rupees * 100),
  treatment: 'taxable',
  rate: 180_000 as Percent,
  cessRate: 0 as Percent,
  igst: paise(rupees * 18),
  cgst: paise(0),
  sgst: paise(0),
  cess: paise(0),
  total: paise(rupees * 118),
  ...more,
});
const sale = (more: Partial<WayDocument> = {}): WayDocument => {
  const lines = more.lines ?? [line(50_000)];
  return {
    type: 'INV',
    number: 'INV/1',
    date: '2026-11-20',
    supplyType: 'B2CL',
    billOfSupply: false,
    reverseCharge: false,
    placeOfSupply: '27',
    seller: { gstin: '29AAGCS4821F1ZB', legalName: 'Sharma', address: place('29', '560025') },
    buyer: { legalName: 'Lakshmi', address: place('27', '411001') },
    tcs: paise(0),
    roundOff: paise(0),
    total: paise(lines.reduce((sum, l) => sum + l.total, 0)),
    currency: 'INR',
    ...more,
    lines,
  };
};
const road: IrpTransport = { distance: 0, mode: '1', vehicle: { number: 'ka 01 ab 1234', oversized: false } };

test('only sales that send goods have e-way bills here', () => {
  const found = kindNames.filter((name) => sendsGoods(kindOf(name)));
  expect(found.length).toBeGreaterThan(0);
  expect(found.every((name) => kindOf(name).stock === 'out')).toBe(true);
});

describe('the need', () => {
  const within = (state: string, rupees: number) =>
    wayNeed(
      sale({
        lines: [line(rupees, { igst: paise(0), total: paise(rupees * 100) })],
        seller: { gstin: 'x', legalName: 'x', address: place(state, '1') },
        buyer: { legalName: 'x', address: place(state, '1') },
      }),
    ).needed;
  test('between states it begins above 50,000, tax included', () => {
    expect(wayNeed(sale({ lines: [line(42_372)] })).needed).toBe('no');
    expect(wayNeed(sale({ lines: [line(42_373)] }))).toMatchObject({
      needed: 'required',
      reason: expect.stringContaining('₹ 50,000'),
    });
    const exempt = line(40_000, { treatment: 'exempt', igst: paise(0), total: paise(4_000_000) });
    expect(wayNeed(sale({ lines: [line(20_000), exempt] })).needed).toBe('no');
    expect(wayNeed(sale({ lines: [line(90_000, { service: true })] })).needed).toBe('no');
  });
  test.each([
    ['29', 50_000, 'no'],
    ['29', 50_001, 'required'],
    ['27', 100_000, 'no'],
    ['27', 100_001, 'required'],
    ['01', 900_000, 'no'],
    ['24', 900_000, 'recommended'],
  ])('within state %s a sale of %i: %s', (state, rupees, needed) => {
    expect(within(state, rupees)).toBe(needed);
  });
});

describe('the transport', () => {
  const problems = (t: Partial<IrpTransport>) =>
    transportProblems({ distance: 0, ...t }, '2026-11-20', '2026-11-21').map((p) => p.field);
  test.each<[Partial<IrpTransport>, string[]]>([
    [road, []],
    [{}, ['vehicle']],
    [{ transporter: { id: '27AALCR2940B1ZJ' } }, []],
    [{ transporter: { name: 'Fast' } }, ['vehicle']],
    [{ transporter: { id: 'fast' } }, ['transporterId']],
    [{ ...road, distance: 4001 }, ['distance']],
    [{ ...road, vehicle: { number: 'LORRY', oversized: false } }, ['vehicle']],
    [{ mode: '1', document: { number: '7', date: '2026-11-20' } }, ['vehicle']],
    [{ mode: '2', vehicle: { number: 'KA01AB1234', oversized: false } }, ['documentNumber']],
    [{ mode: '2', document: { number: '7', date: '2026-11-19' } }, ['documentDate']],
    [{ mode: '2', document: { number: '7', date: '2026-11-22' } }, ['documentDate']],
    [{ mode: '3', document: { number: '7', date: '2026-11-21' } }, []],
    [{ document: { number: '7', date: '2026-11-21' } }, ['mode']],
  ])('%o: %o', (transport, fields) => {
    expect(problems(transport)).toEqual(fields);
  });
});

test('the payload: goods with their tax, everything else in the other charges, so that the sum is the document', () => {
  const service = line(1000, { service: true, description: 'Fitting' });
  const payload = wayPayload(sale({ lines: [line(50_000), service], roundOff: paise(0) }), road);
  expect(payload).toMatchObject({
    docType: 'INV',
    docDate: '20/11/2026',
    toGstin: 'URP',
    transactionType: 1,
    totalValue: 50_000,
    igstValue: 9000,
    otherValue: 1180,
    totInvValue: 60_180,
    vehicleNo: 'KA01AB1234',
    vehicleType: 'R',
    itemList: [{ hsnCode: 85395000, quantity: 2, igstRate: 18, cgstRate: 0 }],
  });
  const elsewhere = { ...place('33', '600001'), name: 'Depot' };
  expect(wayPayload(sale({ shipTo: elsewhere, dispatchFrom: elsewhere, billOfSupply: true }), road)).toMatchObject({
    docType: 'BIL',
    transactionType: 4,
    actToStateCode: 33,
    toStateCode: 27,
  });
});

test('what cannot travel is said before it is sent', () => {
  expect(wayObstacle(sale())).toBeUndefined();
  expect(wayObstacle(sale({ lines: [line(1, { service: true })] }))).toContain('only goods');
  expect(wayObstacle(sale({ lines: Array.from({ length: 251 }, () => line(1)) }))).toContain('250');
  expect(wayObstacle(sale({ buyer: { legalName: 'x', address: place('27', '') } }))).toContain('PIN');
});
