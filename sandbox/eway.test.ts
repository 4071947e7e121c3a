import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../tools/testing/database.ts';
import { open, openJson } from './cipher.ts';
import { json, testClient, verified } from './testing/client.ts';
import { sample, type TestPortal, testPortal } from './testing/portal.ts';

const NOON = '2026-11-20T06:30:00Z';
const SELLER = '27AABCS4821K1Z9';
const CARRIER = '27AALCR2940B1ZJ';
const GENERATE = '/eicore/v1.03/Invoice';
const BY_IRN = '/eiewb/v1.03/ewaybill';

let db: TestDatabase;
let portal: TestPortal;
let client: ReturnType<typeof testClient>;
let carrier: ReturnType<typeof testClient>;
beforeAll(async () => {
  db = await testDatabase();
  portal = await testPortal(db.owner, NOON);
  client = testClient(portal.base, SELLER);
  carrier = testClient(portal.base, CARRIER);
});
const at = async (moment: string) => {
  portal.setClock(moment);
  await client.logIn();
  await carrier.logIn();
};
beforeEach(async () => {
  await fetch(`${portal.base}/control/reset`, { method: 'POST' });
  await at(NOON);
});
afterAll(async () => {
  await portal.stop();
  await db.drop();
});

const challan = (change: object = {}) => ({ ...sample('ewb-02-job-work-challan'), ...change });
const partA = { transMode: '', transDocNo: '', transDocDate: '', vehicleNo: '', vehicleType: '' };
const vehicle = (ewbNo: unknown, change: object = {}) => ({
  ewbNo,
  vehicleNo: 'MH14CD4321',
  fromPlace: 'Pune',
  fromState: 27,
  reasonCode: '4',
  reasonRem: '',
  transDocNo: '',
  transDocDate: '',
  transMode: '1',
  vehicleType: 'R',
  ...change,
});
const road = { Distance: 0, TransMode: '1', VehNo: 'MH12AB1234', VehType: 'R' };

describe('direct bills', () => {
  test('a challan moves; its validity ends at midnight of the last day', async () => {
    const { data, codes } = await client.way('GENEWAYBILL', challan());
    expect(codes).toEqual([]);
    expect(data).toMatchObject({ ewayBillDate: '20/11/2026 12:00:00 PM', validUpto: '21/11/2026 11:59:00 PM' });
    expect(String(data['ewayBillNo'])).toMatch(/^\d{12}$/);
    const { data: read } = await client.getWay(`/ewayapi/GetEwayBill?ewbNo=${data['ewayBillNo']}`);
    expect(read).toMatchObject({
      ewbNo: data['ewayBillNo'],
      status: 'ACT',
      actualDist: 148,
      noValidDays: 1,
      VehiclListDetails: [{ vehicleNo: 'MH12AB1234' }],
    });
    expect((await client.way('GENEWAYBILL', challan({ docNo: 'jw/26-27/018' }))).codes).toEqual(['604']);
    const looked = await client.getWay('/ewayapi/GetEwayBillGeneratedByConsigner?docType=CHL&docNo=JW/26-27/018');
    expect(looked.data).toMatchObject({ ewayBillNo: data['ewayBillNo'] });
    const { data: today } = await client.getWay('/ewayapi/GetEwayBillsByDate?date=20/11/2026');
    expect(today).toHaveLength(1);
  });

  test('who must register invoices makes the bill with or after the IRN; then the IRN hangs on it', async () => {
    const bill = sample('ewb-01-regular-supply');
    expect((await client.way('GENEWAYBILL', bill)).codes).toEqual(['720']);
    const { data: registered } = await client.call(GENERATE, sample('02-inter-b2b'));
    const { data: made, codes } = await client.way('GENEWAYBILL', bill);
    expect(codes).toEqual([]);
    expect(made).toMatchObject({ validUpto: '25/11/2026 11:59:00 PM' });
    const cancel = { Irn: registered['Irn'], CnlRsn: '3', CnlRem: 'Order cancelled' };
    expect((await client.call('/eicore/v1.03/Cancel', cancel)).codes).toEqual(['2230']);
    await client.way('CANEWB', { ewbNo: made['ewayBillNo'], cancelRsnCode: 2, cancelRmrk: 'Order cancelled' });
    expect((await client.call('/eicore/v1.03/Cancel', cancel)).codes).toEqual([]);
  });

  test.each([
    [{ docType: 'INV' }, ['205', '720']],
    [{ subSupplyType: '6' }, ['203']],
    [{ fromGstin: '27AAFCM7310R1ZZ' }, ['359']],
    [{ toPincode: 560_038 }, ['436']],
    [{ fromPincode: 560_038 }, ['437']],
    [{ totInvValue: 70_000 }, ['620']],
    [{ igstValue: 10, totInvValue: 74_260 }, ['623']],
    [{ vehicleNo: 'PUNE1234' }, ['225']],
    [{ transDocDate: '17/11/2026' }, ['362']],
    [{ transMode: '2', vehicleNo: '', transDocNo: '' }, ['394']],
    [{ ...partA, transporterId: '' }, ['619']],
    [{ docDate: '01/04/2026' }, ['207']],
    [{ transDistance: '900' }, ['702']],
    [{ docNo: '' }, ['206']],
    [{ supplyType: 'X' }, ['201']],
    [{ transactionType: undefined }, ['614']],
  ])('%o is refused with %o', async (change, codes) => {
    expect((await client.way('GENEWAYBILL', challan(change))).codes).toEqual(codes);
  });

  test('login under its own names, refusals of its own, masters with a key of their own', async () => {
    const Data = await client.sealLogin({
      action: 'ACCESSTOKEN',
      username: `bahi_${SELLER}`,
      password: 'wrong',
      app_key: 'AAAA',
    });
    const answer = await fetch(`${portal.base}/ewaybillapi/v1.03/auth`, {
      method: 'POST',
      headers: client.headers(),
      body: JSON.stringify({ Data }),
    });
    const { status, error = '' } = await json<Record<string, string>>(answer);
    expect([status, JSON.parse(Buffer.from(error, 'base64').toString())]).toEqual(['0', { errorCodes: '102' }]);
    expect((await client.way('DANCE', {})).codes).toEqual(['239']);
    const master = await fetch(`${portal.base}/ewaybillapi/v1.03/Master/GetGSTINDetails?gstin=${CARRIER}`, {
      headers: client.headers(),
    });
    const { rek = '', data = '' } = await json<Record<string, string>>(master);
    const { key } = await client.logIn();
    expect(openJson(open(key, rek), data)).toMatchObject({ gstin: CARRIER, tradeName: 'Rajmarg Roadlines' });
  });
});

describe('the life of a bill', () => {
  const make = async (change: object = {}) => (await client.way('GENEWAYBILL', challan(change))).data['ewayBillNo'];

  test('Part B comes later and starts the validity; a carrier who wrote it keeps it', async () => {
    const ewbNo = await make(partA);
    expect((await client.getWay(`/ewayapi/GetEwayBill?ewbNo=${ewbNo}`)).data).toMatchObject({ validUpto: null });
    await at('2026-11-21T06:30:00Z');
    expect((await client.way('VEHEWB', vehicle(ewbNo, { transMode: '9' }))).codes).toEqual(['302']);
    const { data } = await carrier.way('VEHEWB', vehicle(ewbNo));
    expect(data).toEqual({ vehUpdDate: '21/11/2026 12:00:00 PM', validUpto: '22/11/2026 11:59:00 PM' });
    expect((await client.way('VEHEWB', vehicle(ewbNo))).codes).toEqual(['637']);
    expect((await client.way('UPDATETRANSPORTER', { ewbNo, transporterId: SELLER })).codes).toEqual(['338']);
    await at('2026-11-23T06:30:00Z');
    expect((await carrier.way('VEHEWB', vehicle(ewbNo))).codes).toEqual(['311']);
  });

  test('cancelling: the generator, 24 hours to the second, once; then the document is free again', async () => {
    const ewbNo = await make();
    const order = { ewbNo, cancelRsnCode: 3, cancelRmrk: 'Typing' };
    expect((await carrier.way('CANEWB', order)).codes).toEqual(['312']);
    await at('2026-11-21T06:30:01Z');
    expect((await client.way('CANEWB', order)).codes).toEqual(['315']);
    await at('2026-11-21T06:30:00Z');
    expect((await client.way('CANEWB', order)).data).toMatchObject({
      ewayBillNo: ewbNo,
      cancelDate: '21/11/2026 12:00:00 PM',
    });
    expect((await client.way('CANEWB', order)).codes).toEqual(['312']);
    expect(await make()).not.toBe(ewbNo);
  });

  test('extension: eight hours around the end, by the carrier, by what is left to go', async () => {
    const ewbNo = await make();
    const order = (change: object = {}) => ({
      ...vehicle(ewbNo),
      fromPincode: 411_019,
      remainingDistance: 100,
      extnRsnCode: 1,
      extnRemarks: 'Flood',
      consignmentStatus: 'M',
      transitType: '',
      ...change,
    });
    expect((await carrier.way('EXTENDVALIDITY', order())).codes).toEqual(['382']);
    await at('2026-11-21T18:00:00Z');
    expect((await client.way('EXTENDVALIDITY', order())).codes).toEqual(['384']);
    expect((await carrier.way('EXTENDVALIDITY', order({ remainingDistance: 149 }))).codes).toEqual(['390']);
    expect((await carrier.way('EXTENDVALIDITY', order({ transMode: '5' }))).codes).toEqual([
      '711',
      '705',
      '706',
      '707',
      '708',
    ]);
    const { data } = await carrier.way('EXTENDVALIDITY', order());
    expect(data).toMatchObject({ validUpto: '22/11/2026 11:59:00 PM' });
  });

  test('the other party rejects, nobody else', async () => {
    const ewbNo = await make();
    const other = testClient(portal.base, '27AAFCM7310R1ZZ');
    await other.logIn();
    expect((await client.way('REJEWB', { ewbNo })).codes).toEqual(['341']);
    expect((await carrier.way('REJEWB', { ewbNo })).codes).toEqual(['342']);
    expect((await other.way('REJEWB', { ewbNo })).codes).toEqual([]);
    expect((await client.getWay(`/ewayapi/GetEwayBill?ewbNo=${ewbNo}`)).data).toMatchObject({ rejectStatus: 'Y' });
  });
});

describe('bills by IRN', () => {
  const registered = async (payload = sample('02-inter-b2b')) => (await client.call(GENERATE, payload)).data['Irn'];

  test('distance is the portal’s when none is given; one bill an IRN', async () => {
    const Irn = await registered();
    const { data, codes, body } = await client.call(BY_IRN, { Irn, ...road });
    expect(codes).toEqual([]);
    expect(data).toMatchObject({ EwbDt: '2026-11-20 12:00:00', EwbValidTill: '2026-11-25 23:59:00' });
    expect(body['InfoDtls']).toEqual([
      { InfCd: 'EWBPPD', Desc: expect.stringMatching(/^Pin-Pin calc distance: \d+KM$/) },
    ]);
    expect((await client.call(BY_IRN, { Irn, ...road })).codes).toEqual(['4002']);
    expect((await client.call(`${BY_IRN}/irn/${Irn}`)).data).toMatchObject({ EwbNo: data['EwbNo'] });
    expect((await client.call(`${GENERATE}/irn/${Irn}`)).data).toMatchObject({ EwbNo: data['EwbNo'] });
  });

  test.each([
    [{ Distance: 0 }, ['4019']],
    [{ Distance: 0, TransMode: '1' }, ['4011']],
    [{ ...road, VehType: null }, ['4022']],
    [{ ...road, VehNo: 'PUNE1234' }, ['4014']],
    [{ Distance: 0, TransMode: '2' }, ['4012', '4023']],
    [{ Distance: 0, TransMode: '4', VehNo: 'MH12AB1234', VehType: 'R' }, ['4039']],
    [{ ...road, Distance: 300 }, ['4013']],
    [{ ...road, TransId: '27AALCR2940B1ZX' }, ['4018']],
  ])('%o is refused with %o', async (asked, codes) => {
    expect((await client.call(BY_IRN, { Irn: await registered(), ...asked })).codes).toEqual(codes);
  });

  test('services and notes have none, cancelled IRNs neither', async () => {
    const Irn = await registered(sample('08-credit-note'));
    expect((await client.call(BY_IRN, { Irn, ...road })).codes).toEqual(['4010']);
    const services = await registered(sample('06-export-without-payment-lut'));
    expect((await client.call(BY_IRN, { Irn: services, ...road })).codes).toEqual(['4009']);
    const cancelled = await registered();
    await client.call('/eicore/v1.03/Cancel', { Irn: cancelled, CnlRsn: '1', CnlRem: 'Twice' });
    expect((await client.call(BY_IRN, { Irn: cancelled, ...road })).codes).toEqual(['4000']);
  });

  test('with the invoice: made, or refused without failing the IRN', async () => {
    const both = sample('16-ship-to-dispatch-from-ewb');
    const { data, codes } = await client.call(GENERATE, both);
    expect(codes).toEqual([]);
    expect(data['EwbNo']).toBeGreaterThan(270_000_000_000);
    expect(await verified(portal.base, data['SignedInvoice'])).toMatchObject({ Irn: data['Irn'] });
    const bad = sample('02-inter-b2b');
    bad.EwbDtls = { Distance: 0, TransMode: '1' };
    const answer = await client.call(GENERATE, bad);
    expect(answer.codes).toEqual([]);
    expect(answer.data).toMatchObject({ Status: 'ACT', EwbNo: null });
    expect(answer.body['InfoDtls']).toMatchObject([{ InfCd: 'EWBERR', Desc: [{ ErrorCode: '4011' }] }]);
  });
});
