import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let mill: string;
const millRoad = { line1: '4 Mill Road', city: 'Pune', state: '27', pincode: '411001' };
const CARRIER = '27AALCR2940B1ZJ';
const road = { distance: 0, mode: '1', vehicle: 'KA 01 AB 1234' } as const;

beforeAll(async () => {
  server = await testServer({}, { portal: true });
  shop = await openShop(server);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '10000', rate: '60' }] });
  mill = await addSupplier({ name: 'Mill Works', gstin: CARRIER, category: 'registered', state: '27' });
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

const addSupplier = async (values: object): Promise<string> =>
  (
    (await shop.owner.ask('SaveMaster', {
      master: 'supplier',
      values: { addresses: [millRoad], ...values },
    })) as { id: string }
  ).id;

interface Standing {
  needed: string;
  obstacle: string | null;
  ways: { code: string }[];
  bill: { state: string; error: string | null; errorCode: string | null; transport: { vehicle: string } } | null;
}
const standing = (id: string): Promise<Standing> => shop.owner.ask('GetEWayBill', { id });
const makeOnly = (id: string, transport: object = road) =>
  shop.owner.ask('GenerateEwayBillOnly', { id, transport: transport as typeof road });

const misbehave = async (mode: string, operations: string[]) => {
  const body = JSON.stringify({ mode, times: 1, operations });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${server.url}/sandbox/control`, { method: 'POST', headers, body })).ok).toBe(true);
};
interface Attempt {
  what: string;
  outcome: string;
  request: string | null;
}

/** Once the portal has answered. */
async function settled(id: string): Promise<NonNullable<Standing['bill']>> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const { bill } = await standing(id);
    if (bill && ['active', 'failed'].includes(bill.state)) return bill;
    await new Promise((again) => setTimeout(again, 60));
  }
  throw new Error(`never answered; ${server.failures.join(' ')}`);
}

describe('goods that are not sold here', () => {
  const lines = (more: object = {}) => [{ item: shop.item, quantity: '1000', rate: '95', ...more }];
  const sent = async (id: string) =>
    JSON.parse(
      ((await shop.owner.ask('GetEWayBillAttempts', { id })) as unknown as { request: string | null }[]).at(-1)
        ?.request ?? '{}',
    ) as Record<string, unknown>;
  interface Irn {
    state: string;
    error: string | null;
  }
  const irnState = async (id: string): Promise<Irn | null> =>
    ((await shop.owner.ask('GetTransactionDetailForInvoice', { TransactionId: id })) as { einvoice: Irn | null })
      .einvoice;
  const irnOf = async (id: string): Promise<Irn | null> => {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      const irn = await irnState(id);
      if (irn && ['registered', 'failed'].includes(irn.state)) return irn;
      await new Promise((again) => setTimeout(again, 60));
    }
    throw new Error('the portal never answered');
  };
  const irnRequest = async (id: string) =>
    JSON.parse(
      ((await shop.owner.ask('GetEInvoiceAttempts', { id })) as unknown as { request: string | null }[]).at(-1)
        ?.request ?? '{}',
    ) as Record<string, unknown>;
  const waysTo = async (id: string) => (await standing(id)).ways.map((w) => w.code);

  test('a purchase comes in under the number of the supplier, who is named as the sender', async () => {
    const farmer = await addSupplier({ name: 'Hill Farm', category: 'unregistered', state: '27' });
    const bill = (party: string, more: object = {}) =>
      shop.post({ kind: 'purchaseBill', party, lines: lines(), ...more }).then((made) => made.TransactionId);
    const odd = await bill(mill, { reference: 'Bill no. 7 (B)' });
    expect(await standing(odd)).toMatchObject({
      needed: 'recommended',
      obstacle: expect.stringContaining('at most 16 letters'),
    });
    const id = await bill(mill, { reference: 'MW/7', referenceDate: '2026-11-18' });
    await makeOnly(id);
    expect(await settled(id)).toMatchObject({ state: 'active', error: null });
    expect(await sent(id)).toMatchObject({
      supplyType: 'I',
      docType: 'INV',
      docNo: 'MW/7',
      fromGstin: CARRIER,
      toPincode: expect.any(Number),
    });
    const own = await bill(farmer, { reference: 'F1' });
    expect(await standing(own)).toMatchObject({ needed: 'required', obstacle: null });
    await makeOnly(own);
    expect(await settled(own)).toMatchObject({ state: 'active' });
    expect(await sent(own)).toMatchObject({ supplyType: 'I', fromGstin: 'URP' });
  });

  test('goods of a SEZ unit in the own state are billed from outside the states, for they bear integrated tax', async () => {
    const start = '29AABCA9995F1Z';
    const at = { line1: '7 Export Road', city: 'Bengaluru', state: '29', pincode: '560100' };
    const values = { name: 'Estate Unit', category: 'sezUnit', state: '29', addresses: [at] };
    const gstin = `${start}${gstinCheckDigit(start)}`;
    const saved = await shop.owner.ask('SaveMaster', { master: 'supplier', values: { ...values, gstin } });
    const { id: party } = saved as { id: string };
    const accepted = [{ warning: 'goodsFromZone', reason: 'Taxed on the bill of the unit' }];
    const bill = { kind: 'purchaseBill', party, reference: 'SEZ/1', lines: lines(), accepted };
    const { TransactionId: id } = await shop.post(bill);
    await makeOnly(id);
    expect(await settled(id)).toMatchObject({ state: 'active', error: null });
    expect(await sent(id)).toMatchObject({
      fromStateCode: 96,
      actFromStateCode: 29,
      toStateCode: 29,
      igstValue: 17_100,
    });
  });

  test(
    'a branch transfer travels on a challan within a registration, on an invoice between two; its vehicle is changed and it is ' +
      'cancelled',
    async () => {
      const { locations } = (await shop.owner.ask('GetSession', {})) as unknown as {
        locations: { id: string; code: string; name: string; registration: string }[];
      };
      const here = locations.find((each) => each.id === shop.place.location);
      const apart = locations.find((each) => each.registration !== here?.registration && each.code);
      const move = async (toLocation: string | undefined, more: object = {}) =>
        (
          await shop.post({
            kind: 'branchTransfer',
            toLocation,
            lines: lines(),
            fields: { vehicle: 'KA01AB1234' },
            ...more,
          })
        ).TransactionId;
      const own = (
        (await shop.owner.ask('SaveMaster', {
          master: 'location',
          values: {
            ...{ code: 'DEPOT', name: 'Depot', registration: shop.place.registration, isTax: false, isPhysical: true },
            ...{ line1: '9 Ring Road', city: 'Bengaluru', state: '29', pincode: '560058' },
          },
        })) as { id: string }
      ).id;
      const within = await move(own);
      expect(await waysTo(within)).toEqual(['5', '8', '12', '10']);
      expect(
        await shop.owner.call('GenerateEwayBillOnly', { id: within, transport: { ...road, as: '8' } }),
      ).toMatchObject({
        status: 422,
        details: { problems: [{ field: 'transport.says' }] },
      });
      expect(
        await shop.owner.call('GenerateEwayBillOnly', { id: within, transport: { ...road, as: '4' } }),
      ).toMatchObject({
        status: 422,
        details: { problems: [{ field: 'transport.as' }] },
      });
      await makeOnly(within, { ...road, as: '8', says: 'Branch transfer' });
      expect(await settled(within)).toMatchObject({ state: 'active', error: null });
      expect(await sent(within)).toMatchObject({
        docType: 'CHL',
        subSupplyType: '8',
        subSupplyDesc: 'Branch transfer',
        igstValue: 0,
      });
      await shop.owner.ask('UpdateEWayBillVehicle', {
        id: within,
        mode: '1',
        vehicle: 'KA01XX0001',
        place: 'Bengaluru',
        state: '29',
        reason: '1',
      });
      expect(await standing(within)).toMatchObject({ bill: { state: 'active', transport: { vehicle: 'KA01XX0001' } } });
      // the document stays as long as its e-way bill does
      expect(
        await shop.owner.call(
          'CancelTransaction',
          { TransactionIds: [within], TransactionType: 'branchTransfer', reason: 'x' },
          crypto.randomUUID(),
        ),
      ).toMatchObject({ status: 409 });
      expect(await shop.owner.ask('CancelEwayBills', { ids: [within], reason: '2', remark: 'Not sent' })).toMatchObject(
        {
          cancelled: 1,
        },
      );
      const between = await move(apart?.id);
      expect(await waysTo(between)).toEqual(['1', '9']);
      // it is a supply: its dispatch is a tax invoice, which has an IRN, and its e-way bill goes by that
      const einvoice = await irnOf(between);
      expect(einvoice).toMatchObject({ state: 'registered', error: null });
      expect(await irnRequest(between)).toMatchObject({
        DocDtls: { Typ: 'INV' },
        SellerDtls: { Stcd: '29' },
        BuyerDtls: { Stcd: '27', Pos: '27' },
        ValDtls: { IgstVal: expect.any(Number) },
      });
      expect(await shop.owner.call('GenerateEwayBillOnly', { id: between, transport: road })).toMatchObject({
        status: 409,
      });
      await shop.owner.ask('GenerateEWayBill', { id: between, transport: road });
      expect(await settled(between)).toMatchObject({ state: 'active', error: null });
      const listed = (await shop.owner.ask('GetEInvoiceList', { search: 'BT' })) as { rows: { party: string }[] };
      expect(listed.rows.map((row) => row.party)).toEqual([apart?.name]);
      // within a registration there is no supply and nothing to register
      expect(await irnState(within)).toBeNull();
      await shop.owner.ask('CancelEwayBills', { ids: [between], reason: '2', remark: 'Not sent' });
      await shop.owner.ask('CancelIRNNumber', { id: between, reason: '3', remark: 'Order cancelled' });
      const gone = { TransactionIds: [between], TransactionType: 'branchTransfer', reason: 'Not sent' };
      await shop.owner.ask('CancelTransaction', gone, crypto.randomUUID());
      expect(await irnState(between)).toMatchObject({ state: 'cancelled' });
      const { rows } = (await shop.owner.ask('GetEWayBillList', { search: 'BT' })) as { rows: { party: string }[] };
      expect(rows.every((row) => row.party !== '')).toBe(true);
    },
  );

  test('a delivery challan says for what its goods travel; for a fair they stay our own', async () => {
    const id = (await shop.post({ kind: 'deliveryChallan', party: shop.customer, lines: lines(), reason: 'Job work' }))
      .TransactionId;
    expect(await waysTo(id)).toContain('4');
    await makeOnly(id, { ...road, as: '4' });
    expect(await settled(id)).toMatchObject({ state: 'active', error: null });
    expect(await sent(id)).toMatchObject({ docType: 'CHL', subSupplyType: '4', supplyType: 'O' });
    const fair = (
      await shop.post({ kind: 'deliveryChallan', party: shop.customer, lines: lines(), reason: 'Exhibition or fair' })
    ).TransactionId;
    await makeOnly(fair, { ...road, as: '12' });
    expect(await settled(fair)).toMatchObject({ state: 'active', error: null });
    const payload = await sent(fair);
    expect(payload['toGstin']).toBe(payload['fromGstin']);
  });

  test('goods that go back travel on a challan: those of a sale to us, those of a purchase to the supplier', async () => {
    const portal = async (id: string) => (await standing(id)).bill;
    const sold = await shop.post({ kind: 'saleInvoice', party: shop.customer, lines: lines() });
    const back = (
      await shop.post({
        ...{ kind: 'saleReturn', party: shop.customer, against: sold.TransactionId, reason: 'Sales return' },
        lines: [{ item: shop.item, quantity: '900', source: { document: sold.TransactionId, line: 1 } }],
      })
    ).TransactionId;
    // a note of a registered buyer has an IRN; goods never travel by that of a note
    expect(await standing(back)).toMatchObject({ route: 'direct', obstacle: null, needed: 'recommended' });
    expect(await waysTo(back)).toEqual(['7', '8']);
    await makeOnly(back);
    expect(await settled(back)).toMatchObject({ state: 'active', error: null });
    expect(await sent(back)).toMatchObject({ supplyType: 'I', subSupplyType: '7', docType: 'CHL' });
    const bought = await shop.post({ kind: 'purchaseBill', party: mill, lines: lines(), reference: 'MW/9' });
    const away = (
      await shop.post({
        ...{ kind: 'purchaseReturn', party: mill, against: bought.TransactionId, reason: 'Damaged' },
        lines: [{ item: shop.item, quantity: '900', source: { document: bought.TransactionId, line: 1 } }],
      })
    ).TransactionId;
    expect(await standing(away)).toMatchObject({ suggested: { as: '8', says: 'Purchase return' } });
    await makeOnly(away);
    expect(await settled(away)).toMatchObject({ state: 'active', error: null });
    expect(await sent(away)).toMatchObject({ supplyType: 'O', docType: 'CHL', subSupplyDesc: 'Purchase return' });
    expect((await portal(away))?.state).toBe('active');
  });

  test('goods from abroad travel from the port on the bill of entry; an answer that is lost does not make two', async () => {
    const values = {
      ...{ name: 'Berlin Licht GmbH', category: 'overseas', country: 'DE', state: '96', currency: 'EUR' },
    };
    const supplier = ((await shop.owner.ask('SaveMaster', { master: 'supplier', values })) as { id: string }).id;
    const bought = await shop.post({
      ...{ kind: 'overseasPurchase', party: supplier, currency: 'EUR', exchangeRate: '100', reference: 'BL-1' },
      lines: [{ item: shop.item, quantity: '100', rate: '10' }],
    });
    const entry = (
      await shop.post({
        ...{ kind: 'billOfEntry', against: bought.TransactionId, reference: '7654321', referenceDate: '2026-11-10' },
        customs: { assessable: '105000.00', basic: '10500.00', surcharge: '1050.00', igst: '20979.00' },
        fields: { port: 'INNSA1' },
      })
    ).TransactionId;
    expect(await standing(entry)).toMatchObject({ needed: 'required', obstacle: null, suggested: { as: '2' } });
    expect(await shop.owner.call('GenerateEwayBillOnly', { id: entry, transport: road })).toMatchObject({
      status: 422,
      details: { problems: [{ field: 'transport.distance' }] },
    });
    await misbehave('dropAfterAccepting', ['GENEWAYBILL']);
    await makeOnly(entry, { ...road, distance: 980 });
    expect(await settled(entry)).toMatchObject({ state: 'active', error: null });
    const tries = (await shop.owner.ask('GetEWayBillAttempts', { id: entry })) as unknown as Attempt[];
    expect(tries.map((a) => `${a.what} ${a.outcome}`)).toEqual(['make unclear', 'ask found']);
    expect(JSON.parse(tries[0]?.request ?? '{}')).toMatchObject({
      ...{
        docType: 'BOE',
        docNo: '7654321',
        docDate: '10/11/2026',
        fromGstin: 'URP',
        fromTrdName: 'Berlin Licht GmbH',
      },
      ...{
        fromStateCode: 96,
        fromPincode: 999_999,
        fromPlace: 'Jawaharlal Nehru (Nhava Sheva)',
        totalValue: 116_550,
        igstValue: 20_979,
      },
      totInvValue: 137_529,
    });
    const { rows } = (await shop.owner.ask('GetEWayBillList', { search: 'BOE' })) as {
      rows: { id: string; party: string }[];
    };
    expect(rows.filter(({ id }) => id === entry).map(({ party }) => party)).toEqual(['Berlin Licht GmbH']);
  });

  test('of a purchase with two bills of entry each e-way bill carries what its own covers', async () => {
    const values = { name: 'Wien Licht GmbH', category: 'overseas', country: 'AT', state: '96', currency: 'EUR' };
    const supplier = ((await shop.owner.ask('SaveMaster', { master: 'supplier', values })) as { id: string }).id;
    const bought = await shop.post({
      ...{ kind: 'overseasPurchase', party: supplier, currency: 'EUR', exchangeRate: '100', reference: 'WL-1' },
      lines: [
        { item: shop.item, quantity: '100', rate: '10' },
        { item: shop.item, quantity: '50', rate: '20' },
      ],
    });
    const goods = async (reference: string, covers: object) => {
      const { TransactionId: id } = await shop.post({
        ...{ kind: 'billOfEntry', against: bought.TransactionId, reference, referenceDate: '2026-11-10' },
        customs: { assessable: '70000.00', basic: '7000.00', surcharge: '700.00', igst: '13986.00', covers },
        fields: { port: 'INNSA1' },
      });
      await makeOnly(id, { ...road, distance: 980 });
      expect(await settled(id)).toMatchObject({ state: 'active', error: null });
      const { itemList } = (await sent(id)) as { itemList: { quantity: number }[] };
      return itemList.map(({ quantity }) => quantity);
    };
    expect(await goods('7654322', { 1: '40', 2: '50' })).toEqual([40, 50]);
    expect(await goods('7654323', { 1: '60' })).toEqual([60]);
  });
});
