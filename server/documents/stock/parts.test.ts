import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths, ONE } from '../../../domain/base/decimal.ts';
import type { BatchPart, DraftLine, Id } from '../../../domain/document/document.ts';
import { itemLine, type TestBooks, TODAY, testBooks } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { convert } from '../drafts/convert.ts';
import { editorFacts } from '../drafts/editor-facts.ts';

let db: TestDatabase;
let books: TestBooks;
/** Items of these flags, in turn; each test takes its own. */
let free: Id[];
beforeAll(async () => {
  db = await testDatabase();
  books = await testBooks(db, { enableBatch: true, enableSerialization: true }, 17);
  free = [...books.items];
});
afterAll(async () => {
  expect(await brokenInvariants(db.owner)).toEqual([]);
  await books.end();
  await db.drop();
});
const itemWith = async (flags: Record<string, boolean>): Promise<Id> => {
  const item = free.pop() ?? '';
  await db.owner.query('update items set body = body || $2 where id = $1', [item, flags]);
  return item;
};
const units = (n: number) => millionths(n * ONE);
const batch = (name: string, n: number, more: Partial<BatchPart> = {}): BatchPart => ({
  batch: name,
  quantity: units(n),
  ...more,
});
const buy = (date: string, line: DraftLine) =>
  books.post(books.draft('purchaseBill', { party: books.supplier, date, reference: 'M', lines: [line] }));
const sale = (date: string, line: DraftLine, location = books.location) =>
  books.post(books.draft('saleInvoice', { party: books.customer, date, location, lines: [line] }));
const problem = (field: string, message: RegExp) => ({
  problems: [{ field, row: 0, message: expect.stringMatching(message) }],
});
const held = async (item: Id, sort: string, part: string) => {
  const { rows } = await db.owner.query<{ place: string; held: number }>(
    `
      select l.code as place, (sum(m.quantity) / 1000000)::int as held
      from part_moves($1, $2, $3, $4) m
      join locations l on l.organisation = $1 and l.id = m.location
      group by 1
      having sum(m.quantity) <> 0
      order by 1
    `,
    [books.organisation, item, sort, part],
  );
  return Object.fromEntries(rows.map((r) => [r.place, r.held]));
};

test('a note on the price of goods in batches or with serial numbers names none of them', async () => {
  for (const flags of [{ batched: true }, { serialised: true }]) {
    const item = await itemWith(flags);
    const bill = await buy('2026-05-01', {
      ...itemLine(item, 2, 100),
      ...('batched' in flags ? { batches: [batch('PN', 2)] } : { serials: ['PN-1', 'PN-2'] }),
    });
    await books.post(
      books.draft('purchaseCreditNote', {
        party: books.supplier,
        date: '2026-05-02',
        against: bill.id,
        reason: '02',
        reference: 'PN',
        referenceDate: '2026-05-02',
        lines: [itemLine(item, 2, 20)],
      }),
    );
    const { rows } = await db.owner.query('select value::int from item_balances where item = $1', [item]);
    expect(rows).toEqual([{ value: 16000 }]);
  }
});

describe('batches', () => {
  const line = (item: Id, n: number, ...batches: BatchPart[]): DraftLine => ({ ...itemLine(item, n, 100), batches });

  test('what came back from a sale does not come back a second time, and what is left of them is proposed', async () => {
    const item = await itemWith({ batched: true });
    await buy('2026-05-01', line(item, 10, batch('A', 6, { expiry: '2027-01-01' }), batch('B', 4)));
    const first = await sale('2026-05-02', line(item, 5, batch('A', 3), batch('B', 2)));
    await sale('2026-05-02', line(item, 3, batch('A', 2), batch('B', 1)));
    const back = (n: number, ...batches: BatchPart[]) =>
      books.post(
        books.draft('saleReturn', {
          ...{ date: '2026-05-03', party: books.customer, against: first.id, reason: '01' },
          lines: [{ item, quantity: units(n), batches, source: { document: first.id, line: 1 } }],
        }),
      );
    const returned = await back(2, batch('A', 2));
    // five of A are at the customer, but of this invoice's only one
    await expect(back(2, batch('A', 2))).rejects.toMatchObject(problem('lines.batches', /was not delivered/));
    const { draft } = await convert({ from: first.id, kind: 'saleReturn', copy: false }, books.context());
    expect((draft.lines as { batches?: unknown }[])[0]?.batches).toEqual([
      { batch: 'A', quantity: '1', expiry: '2027-01-01' },
      { batch: 'B', quantity: '2' },
    ]);
    await books.cancel(returned.id);
    await back(3, batch('A', 3));
  });

  test('say of what a line is made: all of it, and only of items that are kept in batches', async () => {
    const item = await itemWith({ batched: true });
    const plain = await itemWith({});
    await expect(buy(TODAY, itemLine(item, 5, 60))).rejects.toMatchObject(
      problem('lines.batches', /Enter the batches/),
    );
    await expect(buy(TODAY, line(item, 5, batch('A', 4)))).rejects.toMatchObject(problem('lines.batches', /4 of 5/));
    await expect(buy(TODAY, line(item, 5, batch('A', 4), batch('a', 1)))).rejects.toMatchObject(
      problem('lines.batches', /twice/),
    );
    await expect(buy(TODAY, line(plain, 5, batch('A', 5)))).rejects.toMatchObject(problem('lines.batches', /not kept/));
    const days = { manufactured: '2027-01-01', expiry: '2026-12-01' };
    await expect(buy(TODAY, line(item, 5, batch('A', 5, days)))).rejects.toMatchObject(
      problem('lines.batches', /expires/),
    );
    await buy(TODAY, line(item, 5, batch('a', 4), batch('B', 1)));
    expect(await held(item, 'batch', 'A')).toEqual({ A: 4 });
  });

  test('split the quantity and never the cost', async () => {
    const item = await itemWith({ batched: true });
    await buy('2026-05-01', { ...line(item, 10, batch('A', 10)), rate: millionths(100 * ONE) });
    await buy('2026-05-02', { ...line(item, 10, batch('B', 10)), rate: millionths(200 * ONE) });
    const { id } = await sale('2026-05-03', line(item, 4, batch('B', 4)));
    const { rows } = await db.owner.query('select cost::int from movement_costs where document = $1', [id]);
    expect(rows).toEqual([{ cost: -60000 }]);
  });

  test('are never negative at a place, on that day or any later one', async () => {
    const item = await itemWith({ batched: true });
    await buy('2026-05-01', line(item, 10, batch('A', 6), batch('B', 4)));
    await sale('2026-05-10', line(item, 5, batch('A', 5)));
    await expect(sale('2026-05-11', line(item, 2, batch('A', 2)))).rejects.toMatchObject({
      code: 'batchShort',
      message: expect.stringMatching(/batch A .* short by 1 on 11 May 2026/),
    });
    // back-dated, it would be missing on the tenth
    await expect(sale('2026-05-05', line(item, 2, batch('A', 2)))).rejects.toMatchObject({ code: 'batchShort' });
    // two lines of one document draw on the same batch
    await expect(
      books.post(
        books.draft('saleInvoice', {
          party: books.customer,
          lines: [line(item, 3, batch('B', 3)), line(item, 2, batch('B', 2))],
        }),
      ),
    ).rejects.toMatchObject({ code: 'batchShort' });
    await sale('2026-05-05', line(item, 2, batch('A', 1), batch('B', 1)));
    expect([await held(item, 'batch', 'A'), await held(item, 'batch', 'B')]).toEqual([{}, { A: 3 }]);
  });

  test('two sales at once do not both get the last of a batch', async () => {
    const item = await itemWith({ batched: true });
    await buy('2026-05-01', line(item, 10, batch('A', 1), batch('B', 9)));
    const both = await Promise.allSettled([1, 2].map(() => sale(TODAY, line(item, 1, batch('A', 1)))));
    expect(both.map((b) => b.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('that have expired are not sold, but may be thrown away; their day is known once', async () => {
    const item = await itemWith({ batched: true });
    await buy('2026-05-01', line(item, 10, batch('A', 10, { expiry: '2026-06-30' })));
    await sale('2026-06-30', line(item, 1, batch('A', 1)));
    await expect(sale('2026-07-01', line(item, 1, batch('A', 1)))).rejects.toMatchObject(
      problem('lines.batches', /expired on 30 Jun 2026/),
    );
    await expect(buy('2026-07-01', line(item, 1, batch('A', 1, { expiry: '2026-08-30' })))).rejects.toMatchObject(
      problem('lines.batches', /known to expire/),
    );
    // bought again it is warned of, also where nobody types its day
    const again = await buy('2026-07-01', line(item, 1, batch('a', 1)));
    expect(again.warnings).toContainEqual(
      expect.objectContaining({ code: 'expiredBatch', field: 'lines.batches', row: 0 }),
    );
    await books.cancel(again.id);
    await books.post(
      books.draft('inventoryAdjustment', {
        date: '2026-07-02',
        fields: { adjustmentReason: 'expiry' },
        lines: [{ item, delta: units(-9), batches: [batch('A', 9)] }],
      }),
    );
    expect(await held(item, 'batch', 'A')).toEqual({});
  });

  test('are counted in the unit of the line and move in that of the item', async () => {
    const item = await itemWith({ batched: true });
    await db.owner.query(
      `insert into masters (organisation, id, master, code, name, body) values ($1, gen_random_uuid(), 'unitConversion', 'BOX', 'Box', $2)`,
      [books.organisation, { from: 'BOX', to: 'NOS', factor: '12', item }],
    );
    await buy('2026-05-01', { ...line(item, 3, batch('A', 1), batch('B', 2)), unit: 'BOX' });
    expect([await held(item, 'batch', 'A'), await held(item, 'batch', 'B')]).toEqual([{ A: 12 }, { A: 24 }]);
  });

  test('go from place to place, come back from where they went, and are put back by cancelling', async () => {
    const item = await itemWith({ batched: true });
    await buy('2026-05-01', line(item, 10, batch('A', 6), batch('B', 4)));
    const sent = await books.post(
      books.draft('branchTransfer', {
        date: '2026-05-02',
        toLocation: books.other,
        toRegistration: books.registration,
        lines: [line(item, 4, batch('A', 4))],
      }),
    );
    expect(await held(item, 'batch', 'A')).toEqual({ A: 2, TRANSIT: 4 });
    const arrive = (name: string) =>
      books.post(
        books.draft('transferReceipt', {
          date: '2026-05-03',
          toLocation: books.other,
          against: sent.id,
          lines: [{ item, quantity: units(4), batches: [batch(name, 4)], source: { document: sent.id, line: 1 } }],
        }),
      );
    await expect(arrive('B')).rejects.toMatchObject({ code: 'batchShort' });
    await arrive('A');
    expect(await held(item, 'batch', 'A')).toEqual({ A: 2, B: 4 });
    const sold = await sale('2026-05-04', line(item, 2, batch('A', 2)), books.other);
    const back = (name: string) =>
      books.post(
        books.draft('saleReturn', {
          date: '2026-05-05',
          location: books.other,
          party: books.customer,
          against: sold.id,
          reason: '01',
          lines: [{ item, quantity: units(1), batches: [batch(name, 1)], source: { document: sold.id, line: 1 } }],
        }),
      );
    await expect(back('B')).rejects.toMatchObject(problem('lines.batches', /was not delivered/));
    const returned = await back('a');
    expect(await held(item, 'batch', 'A')).toEqual({ A: 2, B: 3 });
    await books.cancel(returned.id);
    await books.cancel(sold.id);
    expect(await held(item, 'batch', 'A')).toEqual({ A: 2, B: 4 });
  });
});

describe('serial numbers', () => {
  const line = (item: Id, ...serials: string[]): DraftLine => ({ ...itemLine(item, serials.length, 100), serials });

  test('one that was sold is not found: it is returned, or there is a reason', async () => {
    const item = await itemWith({ serialised: true });
    await buy(TODAY, line(item, 'T1', 'T2'));
    const sold = await sale(TODAY, line(item, 'T1'));
    const find = (serial: string, more: object = {}) =>
      books.post(
        books.draft('inventoryAdjustment', {
          fields: { adjustmentReason: 'Found' },
          lines: [{ item, delta: units(1), rate: millionths(100 * ONE), serials: [serial] }],
          ...more,
        }),
      );
    await expect(find('t1')).rejects.toMatchObject({
      problems: [
        expect.objectContaining({
          field: 'lines.serials',
          code: 'foundSold',
          message: expect.stringContaining(sold.number),
        }),
      ],
    });
    await books.cancel(sold.id);
    await sale(TODAY, line(item, 'T1'));
    const accepted = [{ warning: 'foundSold', reason: 'The customer left it here and wants no money' }];
    await find('T1', { accepted });
    await find('T3');
  });

  test('one for each unit, none twice, and a unit is not split', async () => {
    const item = await itemWith({ serialised: true });
    await expect(buy(TODAY, { ...line(item, 'S1'), quantity: units(2) })).rejects.toMatchObject(
      problem('lines.serials', /1 serial numbers for 2/),
    );
    await expect(buy(TODAY, line(item, 'S1', 's1'))).rejects.toMatchObject(problem('lines.serials', /twice/));
    // of a unit that has decimals too
    const weighed = await itemWith({ serialised: true });
    await db.owner.query(`update items set unit = 'KGS' where id = $1`, [weighed]);
    await expect(buy(TODAY, { ...line(weighed, 'S1'), quantity: millionths(500_000) })).rejects.toMatchObject(
      problem('lines.serials', /A KGS with a serial number is not split/),
    );
    await buy(TODAY, line(item, 'S1', 'x "quoted", {odd} \\ one'));
    expect(await held(item, 'serial', 'X "QUOTED", {ODD} \\ ONE')).toEqual({ A: 1 });
  });

  test('are at one place at a time, on every day', async () => {
    const item = await itemWith({ serialised: true });
    await buy('2026-05-01', line(item, 'S1', 'S2'));
    await expect(buy('2026-05-02', line(item, 'S1'))).rejects.toMatchObject({
      code: 'serialTwice',
      message: expect.stringContaining('S1'),
    });
    // not even before it came: it would be there twice on the first of May
    await expect(buy('2026-04-02', line(item, 'S2'))).rejects.toMatchObject({ code: 'serialTwice' });
    await expect(sale('2026-05-02', line(item, 'S1'), books.other)).rejects.toMatchObject({ code: 'stockShort' });
    const sold = await sale('2026-05-03', line(item, 'S1'));
    await expect(sale('2026-05-04', line(item, 'S1'))).rejects.toMatchObject({ code: 'serialAway' });
    await books.post(
      books.draft('saleReturn', {
        date: '2026-05-06',
        party: books.customer,
        against: sold.id,
        reason: '01',
        lines: [{ item, quantity: units(1), serials: ['S1'], source: { document: sold.id, line: 1 } }],
      }),
    );
    await sale('2026-05-07', line(item, 'S1'));
    expect([await held(item, 'serial', 'S1'), await held(item, 'serial', 'S2')]).toEqual([{}, { A: 1 }]);
  });

  test('are offered where they are in stock, and for a return as they left and did not come back', async () => {
    const item = await itemWith({ serialised: true });
    await buy('2026-05-01', line(item, 'T1', 'T2', 'T3', 'T4'));
    const sold = await sale('2026-05-03', line(item, 'T1', 'T2', 'T3'));
    const facts = async (kind: string, location: Id) =>
      editorFacts(
        { parties: [], items: [item], ledgers: [], documents: [sold.id], date: TODAY, location, kind },
        { ...books.context(), grants: new Map([[1, 5003]]) as never },
      );
    const { items } = await facts('saleInvoice', books.location);
    expect(items[0]?.serials).toEqual(['T4']);
    expect((await facts('saleInvoice', books.other)).items[0]?.serials).toEqual([]);
    const remainingToReturn = async () => (await facts('saleReturn', books.location)).sources[0]?.serials;
    expect(await remainingToReturn()).toEqual(['T1', 'T2', 'T3']);
    const back = { item, quantity: units(1), serials: ['T2'], source: { document: sold.id, line: 1 } };
    const returned = await books.post(
      books.draft('saleReturn', { party: books.customer, against: sold.id, reason: '01', lines: [back] }),
    );
    expect(await remainingToReturn()).toEqual(['T1', 'T3']);
    await books.cancel(returned.id);
    expect(await remainingToReturn()).toEqual(['T1', 'T2', 'T3']);
  });

  test('two bills at two places at once do not bring the same one in', async () => {
    const item = await itemWith({ serialised: true });
    const bring = (location: Id) =>
      books.post(
        books.draft('purchaseBill', {
          party: books.supplier,
          location,
          reference: location,
          lines: [line(item, 'S9')],
        }),
      );
    const both = await Promise.allSettled([bring(books.location), bring(books.other)]);
    expect(both.map((b) => b.status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
