import { describe, expect, test } from 'vitest';
import { type Millionths, millionths, ONE, type Percent } from '../../../base/decimal.ts';
import { paise } from '../../../base/money.ts';
import { kindNames, kindOf } from '../../../document/kinds/index.ts';
import {
  tooOldForWay,
  transportProblems,
  travels,
  type WayDocument,
  wayNeed,
  wayObstacle,
  wayPayload,
  waysOf,
} from './eway.ts';
import { importedGoods } from './imported.ts';
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
    travels: { way: 'out', on: 'invoice', as: ['1', '9'] },
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

test('what brings goods in or sends them out for others has e-way bills, a challan too', () => {
  const found = kindNames.filter((name) => travels(kindOf(name)));
  expect(found).toEqual(expect.arrayContaining(['saleInvoice', 'purchaseBill', 'branchTransfer', 'deliveryChallan']));
  expect(found).toEqual(expect.arrayContaining(['saleReturn', 'purchaseReturn', 'billOfEntry']));
  // a rule of the product, not of its kinds: a challan's goods stay ours, or come back; those of a bill of entry arrived with its purchase
  for (const name of found) expect(['invoice', 'challan', 'entry']).toContain(kindOf(name).gst.eway?.on);
  const inward = found.filter((name) => kindOf(name).gst.eway?.way === 'in');
  for (const name of inward)
    expect(kindOf(name).stock.effect).toBe(kindOf(name).gst.eway?.on === 'entry' ? 'worth' : 'in');
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
    itemList: [{ hsnCode: '85395000', quantity: 2, igstRate: 18, cgstRate: 0 }],
  });
  const elsewhere = { ...place('33', '600001'), name: 'Depot' };
  expect(wayPayload(sale({ shipTo: elsewhere, dispatchFrom: elsewhere, billOfSupply: true }), road)).toMatchObject({
    docType: 'BIL',
    transactionType: 4,
    actToStateCode: 33,
    toStateCode: 27,
  });
});

test('billed to a buyer here and sent to another person elsewhere: type 2, with the taxes of one state', () => {
  const buyer = { legalName: 'Asha', gstin: '29AAACA1111A1Z5', address: place('29', '560001') };
  const half = { igst: paise(0), cgst: paise(450_000), sgst: paise(450_000) };
  const shipTo = { ...place('33', '600001'), name: 'Third Person Pvt', gstin: '33AACCC9087J1ZD' };
  const sold = sale({ buyer, shipTo, placeOfSupply: '29', lines: [line(50_000, half)] });
  expect(wayPayload(sold, road)).toMatchObject({
    ...{ transactionType: 2, fromStateCode: 29, toStateCode: 29, actToStateCode: 33, toGstin: '29AAACA1111A1Z5' },
    ...{ cgstValue: 4500, sgstValue: 4500, igstValue: 0 },
  });
});

test('specific cess is in its own field, and on the line by the unit', () => {
  const cess = paise(417_000 + 500_000);
  const lines = [
    line(50_000, {
      ...{ quantity: millionths(1000 * ONE), cessRate: 100_000 as Percent, cess },
      total: paise(5_000_000 + 900_000 + cess),
    }),
  ];
  const payload = wayPayload(sale({ lines }), road);
  expect(payload).toMatchObject({ cessValue: 5000, cessNonAdvolValue: 4170, otherValue: 0 });
  expect(payload.itemList).toMatchObject([{ cessRate: 10, cessNonAdvol: 4.17 }]);
  expect(wayPayload(sale({ lines, reverseCharge: true }), road)).toMatchObject({ cessValue: 0, cessNonAdvolValue: 0 });
});

test('an HSN keeps the zero that it begins with', () => {
  expect(wayPayload(sale({ lines: [line(1, { hsn: '09023010' })] }), road).itemList[0]?.hsnCode).toBe('09023010');
});

test('a SEZ in the own state is billed as outside the states, and its goods go to its state', () => {
  const unit = { gstin: '29AABCA9995F1ZX', legalName: 'Unit', address: place('29', '560100') };
  const sold = sale({ buyer: unit, placeOfSupply: '29', supplyType: 'SEZWP', withSez: true });
  expect(wayPayload(sold, road)).toMatchObject({ fromStateCode: 29, toStateCode: 96, actToStateCode: 29 });
  const bought = sale({ ...sold, travels: { way: 'in', on: 'invoice', as: ['1'] } });
  expect(wayPayload(bought, road)).toMatchObject({ fromStateCode: 96, actFromStateCode: 29, toStateCode: 29 });
});

test('goods leave from the place of dispatch in its own state and under its own name', () => {
  const depot = { ...place('27', '400001'), name: 'Sharma, Bhiwandi depot' };
  const payload = wayPayload(sale({ dispatchFrom: depot }), road);
  expect(payload).toMatchObject({ transactionType: 3, fromStateCode: 29, actFromStateCode: 27, fromPincode: 400_001 });
  expect(payload).toMatchObject({ fromTrdName: 'Sharma', dispatchFromTradeName: 'Sharma, Bhiwandi depot' });
});

test('a document older than 180 days takes no e-way bill; goods that come in go by the day of their paper', () => {
  const old = (date: string, more: Partial<WayDocument> = {}) =>
    tooOldForWay(sale({ date, ...more }), '2026-11-23')?.message;
  expect(old('2026-05-27')).toBeUndefined();
  expect(old('2026-05-26')).toContain('more than 180 days');
  const inwards = { way: 'in', on: 'invoice', as: ['1'] } as const;
  const theirPaper = { number: 'B/1', date: '2026-05-01' };
  expect(old('2026-11-20', { travels: inwards, theirPaper })).toContain('more than 180 days');
  expect(old('2026-11-20', { travels: inwards })).toBeUndefined();
});

test('what cannot travel is said before it is sent', () => {
  expect(wayObstacle(sale())?.message).toBeUndefined();
  expect(wayObstacle(sale({ lines: [line(1, { service: true })] }))?.message).toContain('only goods');
  const weighed = (quantity: number) =>
    wayObstacle(sale({ lines: [line(1, { quantity: millionths(quantity) })] }))?.message;
  expect([weighed(400), weighed(999)]).toEqual([
    expect.stringContaining('three decimals'),
    expect.stringContaining('three decimals'),
  ]);
  expect([weighed(1000), weighed(0)]).toEqual([undefined, undefined]);
  expect(wayObstacle(sale({ lines: Array.from({ length: 251 }, () => line(1)) }))?.message).toContain('250');
  expect(wayObstacle(sale({ buyer: { legalName: 'x', address: place('27', '') } }))?.message).toContain('PIN');
  expect(wayObstacle(sale({ buyer: { legalName: 'x', address: place('27', '560001') } }))?.message).toContain(
    'not in Mah',
  );
  const own = (pincode: string) => ({ seller: { ...sale().seller, address: place('29', pincode) } });
  expect(wayObstacle(sale(own('')))?.message).toContain('leave from has no PIN code: correct the registration');
  expect(wayObstacle(sale(own('400001')))?.message).toContain('400001, which is not in Karnataka');
  const store = { ...place('29', '400001'), name: 'Store' };
  expect(wayObstacle(sale({ dispatchFrom: store }))?.message).toContain('correct the location');
});

const unknownSupplier = { legalName: 'Farmer', address: place('27', '411001') };
test('goods that come in go from the supplier to us, under the number of the supplier’s bill', () => {
  const bought = {
    travels: { way: 'in', on: 'invoice', as: ['1'] },
    theirPaper: { number: 'S/7', date: '2026-11-18' },
  } as const;
  expect(wayPayload(sale({ ...bought, buyer: { ...unknownSupplier, gstin: '27AALCR2940B1ZJ' } }), road)).toMatchObject({
    ...{ supplyType: 'I', subSupplyType: '1', docType: 'INV', docNo: 'S/7', docDate: '18/11/2026' },
    ...{
      fromGstin: '27AALCR2940B1ZJ',
      fromStateCode: 27,
      fromPincode: 411001,
      toGstin: '29AAGCS4821F1ZB',
      toStateCode: 29,
      toPincode: 560025,
    },
  });
  const { theirPaper: _, ...bare } = bought;
  // who is not registered may write no bill: then ours has the number
  expect(wayPayload(sale({ ...bare, buyer: unknownSupplier }), road)).toMatchObject({
    docNo: 'INV/1',
    fromGstin: 'URP',
  });
  expect(wayObstacle(sale({ ...bare, buyer: unknownSupplier }))?.message).toBeUndefined();
  const registered = sale({ ...bare, buyer: { ...unknownSupplier, gstin: '27AALCR2940B1ZJ' } });
  expect(wayObstacle(registered)?.message).toContain('supplier’s bill');
  expect(
    wayObstacle(sale({ ...bought, theirPaper: { number: 'Bill no. 7 (B)', date: '2026-11-18' } }))?.message,
  ).toContain('16 letters');
  expect([wayNeed(registered).needed, wayNeed(sale({ ...bare, buyer: unknownSupplier })).needed]).toEqual([
    'recommended',
    'required',
  ]);
});

test('goods that stay ours travel on a challan; between two registrations they are supplied on an invoice', () => {
  const how = { way: 'out', on: 'challan', as: ['5', '8'], between: ['1'] } as const;
  const own = sale({
    travels: how,
    buyer: { legalName: 'Sharma', gstin: '29AAGCS4821F1ZB', address: place('29', '560001') },
  });
  expect(waysOf(own)).toEqual(['5', '8']);
  expect(wayPayload(own, road)).toMatchObject({
    docType: 'CHL',
    subSupplyType: '5',
    toGstin: '29AAGCS4821F1ZB',
    subSupplyDesc: '',
  });
  expect(wayPayload(own, { ...road, as: { type: '8', says: 'Branch transfer' } })).toMatchObject({
    subSupplyType: '8',
    subSupplyDesc: 'Branch transfer',
  });
  const apart = sale({
    travels: how,
    buyer: { legalName: 'Sharma', gstin: '27AAGCS4821F1ZF', address: place('27', '411001') },
  });
  expect(waysOf(apart)).toEqual(['1']);
  expect(wayPayload(apart, road)).toMatchObject({ docType: 'INV', subSupplyType: '1', toGstin: '27AAGCS4821F1ZF' });
  // to a fair goes who comes back with what is left: the recipient is oneself
  const fair = sale({ travels: { way: 'out', on: 'challan', as: ['8', '12'] } });
  expect(wayPayload(fair, { ...road, as: { type: '12' } })).toMatchObject({
    docType: 'CHL',
    toGstin: '29AAGCS4821F1ZB',
    toPincode: 411001,
  });
});

test('goods come back on the challan of the customer, or of our note; to a supplier they go back on ours', () => {
  const customer = { legalName: 'Lakshmi', gstin: '27AALCR2940B1ZJ', address: place('27', '411001') };
  const back = sale({
    ...{ travels: { way: 'in', on: 'challan', as: ['7', '8'] }, side: 'customer', buyer: customer, number: 'SR/1' },
  });
  expect(wayObstacle(back)?.message).toBeUndefined();
  expect(wayNeed(back)).toMatchObject({ needed: 'recommended', reason: expect.stringContaining('customer did not') });
  expect(wayPayload(back, road)).toMatchObject({
    ...{ supplyType: 'I', subSupplyType: '7', docType: 'CHL', docNo: 'SR/1', fromGstin: '27AALCR2940B1ZJ' },
    toGstin: '29AAGCS4821F1ZB',
  });
  const theirs = { ...back, theirPaper: { number: 'DC/4', date: '2026-11-19' } };
  expect(wayPayload(theirs, road)).toMatchObject({ docNo: 'DC/4', docDate: '19/11/2026' });
  expect(wayObstacle({ ...back, supplyType: 'EXPWOP' })?.message).toContain('bill of entry');
  expect(waysOf({ ...back, supplyType: 'EXPWOP' })).toEqual(['7', '8']);

  const away = sale({ travels: { way: 'out', on: 'challan', as: ['8'], says: 'Purchase return' }, side: 'supplier' });
  expect(wayPayload(away, road)).toMatchObject({
    ...{ supplyType: 'O', subSupplyType: '8', subSupplyDesc: 'Purchase return', docType: 'CHL' },
    fromGstin: '29AAGCS4821F1ZB',
  });
  const lost = { ...away, buyer: { legalName: 'x', address: place('27', '') } };
  expect(wayObstacle(lost)?.message).toContain('correct the supplier’s address');
});

test('goods from abroad leave the port on the bill of entry, with what customs made of their value', () => {
  const customs = { assessable: 1_000_000, basic: 100_000, surcharge: 10_000, igst: 199_800 };
  const [dear, cheap, ...rest] = importedGoods(
    [line(6000), line(2000, { rate: 50_000 as Percent }), line(500, { service: true })],
    customs as Parameters<typeof importedGoods>[1],
  );
  expect(rest).toEqual([]);
  expect([dear?.value, cheap?.value]).toEqual([832_500, 277_500]);
  // 18 per cent of three quarters, 5 of one
  expect([dear?.igst, cheap?.igst]).toEqual([182_868, 16_932]);
  expect([dear?.total, dear?.discount, cheap?.cgst]).toEqual([1_015_368, 0, 0]);
  // of what came in parts each has its own
  const half = { ...customs, covers: { 1: (line(6000).quantity / 2) as Millionths, 2: 0 as Millionths } };
  const parts = importedGoods([line(6000), line(2000)], half as unknown as Parameters<typeof importedGoods>[1]);
  expect(parts.map(({ quantity, value }) => [quantity, value])).toEqual([[line(6000).quantity / 2, 1_110_000]]);
  const abroad = { state: '96', pincode: '999999' };
  const payload = wayPayload(
    sale({
      ...{ travels: { way: 'in', on: 'entry', as: ['2'] }, theirPaper: { number: '7654321', date: '2026-11-10' } },
      buyer: { legalName: 'Berlin GmbH', address: { ...place('', ''), country: 'DE', city: 'Berlin', ...abroad } },
      shipTo: { ...place('', ''), ...abroad, name: 'Nhava Sheva', line1: 'Nhava Sheva (INNSA1)', city: 'Nhava Sheva' },
    }),
    { ...road, distance: 980 },
  );
  expect(payload).toMatchObject({
    ...{ supplyType: 'I', subSupplyType: '2', docType: 'BOE', docNo: '7654321', docDate: '10/11/2026' },
    ...{ fromGstin: 'URP', fromStateCode: 96, actFromStateCode: 96, fromPincode: 999_999, fromPlace: 'Nhava Sheva' },
    ...{ transactionType: 3, toGstin: '29AAGCS4821F1ZB', toPincode: 560_025 },
  });
});
