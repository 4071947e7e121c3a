import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GuideStepName } from '../../contract/guide.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
});
afterAll(async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  await server.stop();
});

interface SetUp {
  readonly steps: readonly { readonly step: GuideStepName; readonly state: string }[];
  readonly sale: { readonly id: string; readonly kind: string } | null;
}
const setUp = async (who = shop.owner): Promise<SetUp> => who.ask('GetSetUp', {});
const states = async (who = shop.owner): Promise<Record<string, string>> =>
  Object.fromEntries((await setUp(who)).steps.map(({ step, state }) => [step, state]));

const founded = {
  name: 'Meena Stores',
  line1: '4 Temple Street',
  city: 'Bengaluru',
  state: '29',
  pincode: '560004',
} as const;
const found = async (code: string, business: 'shop' | 'services') => {
  const owner = await server.signIn('owner@sharma.demo');
  await owner.ask('FoundOrganisation', { ...founded, code, business });
  await owner.ask('SwitchOrganisation', { OrgCode: code });
  return owner;
};

test('a new shop: its sort of business is known, all else is open, and there is no e-invoice', async () => {
  const owner = await found('MEENA', 'shop');
  const steps = await states(owner);
  // its phone, which invoices show, is still missing
  expect(steps).toMatchObject({ company: 'open', logo: 'open', bank: 'open', items: 'open', openingStock: 'open' });
  expect(steps).toMatchObject({ invoice: 'open', print: 'open', team: 'open' });
  expect(steps).not.toHaveProperty('credentials');
  expect(await owner.ask('GetOrgDetails', {})).toMatchObject({ businessType: 'Shop' });
  expect(await owner.ask('GetSession', {})).toMatchObject({
    organisation: { business: 'shop' },
    settings: { autoRoundOffTotals: true, trackInventory: true },
  });
});

test('who sells services keeps no stock and is asked for none', async () => {
  const owner = await found('MEENA2', 'services');
  expect(await states(owner)).not.toHaveProperty('openingStock');
  expect(await owner.ask('GetSession', {})).toMatchObject({ settings: { trackInventory: false } });
});

test('what is in the books is done, and the last sale is named for the first print', async () => {
  expect(await states()).toMatchObject({ customers: 'done', items: 'done', openingStock: 'done', credentials: 'open' });
  expect(await states()).toMatchObject({ invoice: 'open', team: 'done' });
  expect((await setUp()).sale).toBeNull();
  const sale = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  expect(await states()).toMatchObject({ invoice: 'done', print: 'open' });
  expect((await setUp()).sale).toEqual({ id: sale.TransactionId, kind: 'saleInvoice' });
});

test('a step is skipped for the whole organisation and taken up again; only a print is marked as done by hand', async () => {
  await shop.owner.ask('MarkSetUpStep', { step: 'logo', mark: 'skipped' });
  await shop.owner.ask('MarkSetUpStep', { step: 'bank', mark: 'skipped' });
  await shop.owner.ask('MarkSetUpStep', { step: 'print', mark: 'done' });
  const viewer = await server.signIn('viewer@sharma.demo');
  expect(await states(viewer)).toMatchObject({ logo: 'skipped', bank: 'skipped', print: 'done' });
  await shop.owner.ask('MarkSetUpStep', { step: 'logo', mark: null });
  expect(await states()).toMatchObject({ logo: 'open', bank: 'skipped' });
  expect(await shop.owner.call('MarkSetUpStep', { step: 'items', mark: 'done' })).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'mark' }] },
  });
  expect((await viewer.call('MarkSetUpStep', { step: 'logo', mark: 'skipped' })).status).toBe(403);
});

test('saving the profile keeps what is skipped', async () => {
  const { version }: { version: number } = await shop.owner.ask('GetOrgDetails', {});
  const reached = { phone: '9845012345', email: 'accounts@sharma.example' };
  const profile = { name: 'Sharma', businessType: 'Trader', pan: '', ...reached, website: '', version };
  expect(await states()).toMatchObject({ company: 'open' });
  await shop.owner.ask('SaveOrganisation', profile);
  expect(await states()).toMatchObject({ company: 'done', bank: 'skipped' });
  expect(await shop.owner.ask('GetSession', {})).toMatchObject({ organisation: { business: 'trader' } });
});

test('a menu entry is pinned by a person for one organisation; kinds in the books are named', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  expect(await viewer.ask('PinScreen', { screen: 'Units', pinned: true })).toEqual({ pins: ['Units'] });
  expect(await viewer.ask('PinScreen', { screen: 'Units', pinned: true })).toEqual({ pins: ['Units'] });
  expect((await viewer.call('PinScreen', { screen: 'saleview', pinned: true })).status).toBe(404);
  expect(await viewer.ask('GetSession', {})).toMatchObject({ pins: ['Units'] });
  const { used, pins }: { used: string[]; pins: string[] } = await shop.owner.ask('GetSession', {});
  expect(pins).toEqual([]);
  expect(used).toContain('openingStock');
  expect(used).not.toContain('quotation');
  expect(await viewer.ask('PinScreen', { screen: 'Units', pinned: false })).toEqual({ pins: [] });
});
