import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  owner = shop.owner;
});
afterAll(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

const kept = async (master: string, values: Record<string, unknown>): Promise<{ readonly id: string }> =>
  owner.ask('SaveMaster', { master, values });

test('the default of a category is its own, else that of its parent', async () => {
  const income = await shop.ledger('4110');
  const top = await kept('category', {
    code: 'CLOTH',
    name: 'Clothing',
    hsn: '6205',
    gstRate: '5',
    incomeLedger: income,
  });
  const shirts = await kept('category', { code: 'SHIRTS', name: 'Shirts', parent: top.id, hsn: '620520' });
  const usual = (await owner.ask('GetCategoryUsual', { category: shirts.id })) as {
    values: object;
    names: Record<string, string>;
  };
  expect(usual.values).toEqual({ hsn: '620520', gstRate: '5', incomeLedger: income });
  expect(usual.names['incomeLedger']).toMatch(/\w/);
  // unit, parts and treatment too; what is said nearer goes before, also that they have no serial numbers
  const counted = { unit: 'KGS', treatment: 'exempt', batched: 'true', serialised: 'true' };
  const grain = await kept('category', { code: 'GRAIN', name: 'Grain', ...counted });
  const rice = await kept('category', { code: 'RICE', name: 'Rice', parent: grain.id, serialised: 'false' });
  const settings = (on: boolean) =>
    owner.ask('SaveGeneralConfigDetails', { values: { enableBatch: on, enableSerialization: on } } as never);
  await settings(true);
  expect(await owner.ask('GetCategoryUsual', { category: rice.id })).toMatchObject({
    values: { ...counted, serialised: 'false' },
    names: { unit: expect.stringMatching(/Kilo/i) },
  });
  await settings(false);
  const off = (await owner.ask('GetCategoryUsual', { category: grain.id })) as { values: object };
  expect(off.values).toEqual({ unit: 'KGS', treatment: 'exempt' });
  const stranger = await server.signIn('owner@nova.demo');
  expect((await stranger.call('GetCategoryUsual', { category: top.id })).status).toBe(404);
});

test('pictures of an item are written anew, come in their order, and a variant without any shows those of its template', async () => {
  const dot = (colour: number) => {
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(data.length);
      sum.writeUInt32BE(crc32(body));
      return Buffer.concat([length, body, sum]);
    };
    const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
    const pixels = deflateSync(Buffer.from([0, colour, colour, colour]));
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', head),
      chunk('tEXt', Buffer.from('GPS\u000012.97 N')),
      chunk('IDAT', pixels),
      chunk('IEND', Buffer.alloc(0)),
    ]).toString('base64');
  };
  type Shown = { ofTemplate: boolean; pictures: { id: string; name: string; picture: string }[] };
  const add = (item: string, colour: number): Promise<Shown> =>
    owner.ask('SaveItemPicture', { item, name: `${colour}.png`, content: dot(colour) });
  await server.database.owner.query(
    `update organisations set settings = settings || '{"enableVariantsBasedSku": true}'`,
  );
  const size = await kept('attribute', { code: 'SIZE', name: 'Size', values: [{ value: 'S' }] });
  const goods = { type: 'stock', unit: 'NOS', hsn: '6205', treatment: 'taxable', gstRate: '5' };
  const { id: template } = await kept('item', { sku: 'SHIRT', name: 'Shirt', ...goods, attributes: [size.id] });
  const made: { variants: { id: string }[] } = await owner.ask('SaveVariants', {
    item: template,
    variants: [{ values: ['S'], sku: 'SHIRT-S' }],
  });
  const variant = made.variants[0]?.id ?? '';
  await add(template, 10);
  const [, second] = (await add(template, 20)).pictures;
  // the same picture again is the same
  expect((await add(template, 20)).pictures).toHaveLength(2);
  const first = (await owner.ask('ShowItemPictureFirst', { id: second?.id ?? '' })) as Shown;
  expect(first.pictures.map(({ name }) => name)).toEqual(['20.png', '10.png']);
  const bytes = Buffer.from(first.pictures[0]?.picture.split(',')[1] ?? '', 'base64').toString('latin1');
  expect(bytes).toContain('IDAT');
  expect(bytes).not.toContain('GPS');
  expect(await owner.ask('GetItemPictures', { item: variant })).toMatchObject({
    ofTemplate: true,
    pictures: first.pictures,
  });
  const own = await add(variant, 30);
  expect(own).toMatchObject({ ofTemplate: false, pictures: [{ name: '30.png' }] });
  const gone = (await owner.ask('RemoveItemPicture', { id: own.pictures[0]?.id ?? '' })) as Shown;
  expect(gone.ofTemplate).toBe(true);
  for (let colour = 31; colour < 39; colour++) await add(variant, colour);
  expect(await owner.call('SaveItemPicture', { item: variant, content: dot(40) })).toMatchObject({ status: 422 });
  const script = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
  expect(await owner.call('SaveItemPicture', { item: template, content: script })).toMatchObject({
    details: { code: 'fileRefused' },
  });
  // lists show the first one small, each list by one call; a variant that has none that of its template
  const found = async (search: string) =>
    (
      (await owner.ask('GetItemListForTransactionsWithPagination', { search })) as {
        rows: { id: string; picture?: string | null }[];
      }
    ).rows;
  const [row] = await found('SHIRT-S');
  const small = (await owner.ask('GetPictureThumbnails', { ids: [row?.picture ?? '', second?.id ?? ''] } as never)) as {
    id: string;
    picture: string;
  }[];
  expect(small.map(({ id }) => id).toSorted()).toEqual([row?.picture, second?.id].toSorted());
  for (const { picture } of small) expect(picture).toMatch(/^data:image\/png;base64,/);
  await server.database.owner.query('delete from thumbnails');
  expect(await owner.ask('GetPictureThumbnails', { ids: [second?.id ?? ''] } as never)).toEqual(
    small.filter(({ id }) => id === second?.id),
  );
  const stranger = await server.signIn('owner@nova.demo');
  expect(await stranger.ask('GetPictureThumbnails', { ids: [second?.id ?? ''] } as never)).toEqual([]);
  for (const call of [
    stranger.call('GetItemPictures', { item: template }),
    stranger.call('SaveItemPicture', { item: template, content: dot(1) }),
    stranger.call('RemoveItemPicture', { id: second?.id ?? '' }),
    stranger.call('ShowItemPictureFirst', { id: second?.id ?? '' }),
  ])
    expect((await call).status).toBe(404);
  const [last] = (await owner.ask('GetHistory', { master: 'item', id: template })) as {
    changes: { label: string; after: string }[];
  }[];
  expect(last?.changes).toEqual([{ field: 'Pictures', label: 'Pictures', before: '', after: '20.png' }]);
});
