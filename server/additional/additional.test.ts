import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type Answered, type TestServer, testServer } from '../../tools/testing/server.ts';

type Kept = { id: string; version: number; values: Record<string, unknown> };

let server: TestServer;
let shop: Shop;
let vehicle: Kept;
beforeAll(async () => {
  server = await testServer();
  server.clock.at = Date.parse('2026-11-21T10:00:00+05:30');
  shop = await openShop(server);
  vehicle = await added({ label: 'Sales area', type: 'choice', choices: [{ value: 'North' }, { value: 'South' }] });
});
afterAll(() => server.stop());

const added = async (values: Record<string, unknown>): Promise<Kept> =>
  (await shop.owner.ask('SaveMaster', {
    master: 'additionalField',
    values: {
      appliesTo: ['quotation', 'saleOrder', 'customer'],
      required: true,
      inLists: true,
      onPrint: true,
      ...values,
    },
  })) as Kept;
const problems = ({ details }: Answered) =>
  (details as { problems?: { field: string; message: string }[] }).problems?.map((p) => `${p.field}: ${p.message}`);
const document = (additional?: Record<string, string>) => ({
  ...{ kind: 'quotation', date: '2026-11-21', ...shop.place, party: shop.customer },
  ...{ lines: [{ item: shop.item, quantity: '1', rate: '95' }], ...(additional && { additional }) },
});
const post = (additional?: Record<string, string>) =>
  shop.owner.call('PostTransactionCalls', { document: document(additional) }, crypto.randomUUID());

test('a field gets a key of its own, keeps it, and a choice needs something to choose from', async () => {
  expect(vehicle.values.key).toBe('SALES_AREA');
  const renamed = { ...vehicle.values, label: 'Area of sales' };
  vehicle = (await shop.owner.ask('SaveMaster', {
    ...{ master: 'additionalField', id: vehicle.id, version: vehicle.version, values: renamed },
  })) as Kept;
  expect(vehicle.values).toMatchObject({ key: 'SALES_AREA', label: 'Area of sales' });
  const save = (values: Record<string, unknown>, more = {}) =>
    shop.owner.call('SaveMaster', { master: 'additionalField', values: { appliesTo: ['item'], ...values }, ...more });
  expect(problems(await save({ label: 'Shade', type: 'choice' }))).toEqual(['choices: Give at least one choice']);
  expect(problems(await save({ label: 'area of SALES', type: 'text' }))).toEqual([
    'label: There is an additional field of this name',
  ]);
  expect(problems(await save({ label: 'Shade', type: 'text', appliesTo: ['user'] }))?.[0]).toMatch(/^appliesTo:/);
  expect(problems(await save({ label: 'Shade', type: 'text', appliesTo: [] }))?.[0]).toMatch(/^appliesTo:/);
  const other = { id: vehicle.id, version: vehicle.version };
  expect(problems(await save({ ...vehicle.values, type: 'text' }, other))?.[0]).toMatch(
    /^type: Type cannot be changed/,
  );
});

test('a document is held to its fields; they are listed, shown, printed and carried on', async () => {
  expect(problems(await post())).toEqual(['additional.SALES_AREA: Area of sales is required']);
  expect(problems(await post({ SALES_AREA: 'West' }))).toEqual(['additional.SALES_AREA: Choose one of the list']);
  expect(problems(await post({ SALES_AREA: 'North', COLOUR: 'red' }))?.[0]).toMatch(/^additional.COLOUR:/);
  const { details } = await post({ SALES_AREA: 'North' });
  const { TransactionId } = details as { TransactionId: string };
  const { rows } = (await shop.owner.ask('GetTransationsList', { Type: 'quotation' })) as {
    rows: { additional: Record<string, string> }[];
  };
  expect(rows[0]?.additional).toEqual({ SALES_AREA: 'North' });
  const printed = (await shop.owner.ask('PrintDocument', { id: TransactionId })) as { content: string };
  expect(textOfPdf(Buffer.from(printed.content, 'base64'))).toMatch(/Area of sales\s*North/);
  const { draft } = (await shop.owner.ask('GetConversion', { from: TransactionId, kind: 'saleOrder' })) as {
    draft: { additional?: unknown };
  };
  expect(draft.additional).toEqual({ SALES_AREA: 'North' });
});

test('a draft takes its additional values by a call of its own, and only what is right', async () => {
  const kept = (await shop.owner.ask('AddTransactionDetails', { kind: 'quotation', body: document() })) as {
    TransactionId: string;
    version: number;
  };
  const fill = (additional: Record<string, string>, version = kept.version) =>
    shop.owner.call('AddAddtionalFieldsContentDetails', { TransactionId: kept.TransactionId, version, additional });
  expect(problems(await fill({ SALES_AREA: 'West' }))).toEqual(['additional.SALES_AREA: Choose one of the list']);
  const filled = await fill({ SALES_AREA: 'South' });
  expect(filled.details).toEqual({ TransactionId: kept.TransactionId, version: kept.version + 1 });
  expect((await fill({ SALES_AREA: 'North' })).status).toBe(409);
  // without the version that was seen nothing is written over
  const unseen = { TransactionId: kept.TransactionId, additional: {} };
  expect(await shop.owner.call('AddAddtionalFieldsContentDetails', unseen as never)).toMatchObject({
    status: 422,
    details: { problems: [{ field: 'version' }] },
  });
  // who may write drafts does not find another's; who may write none is not asked which
  for (const [who, status] of [
    ['accountant@sharma.demo', 404],
    ['viewer@sharma.demo', 403],
  ] as const) {
    const stranger = await server.signIn(who);
    const theirs = await stranger.call('AddAddtionalFieldsContentDetails', {
      ...{ TransactionId: kept.TransactionId, version: kept.version, additional: {} },
    });
    expect(theirs.status).toBe(status);
  }
  const posted = await shop.owner.call(
    'PostTransactionCalls',
    { TransactionId: kept.TransactionId, version: kept.version + 1 },
    crypto.randomUUID(),
  );
  expect(posted.status).toBe(200);
});

test('a master has its fields in the form, checked, kept and in its history; another form of the record leaves them', async () => {
  const values = { name: 'Nila Stores', category: 'unregistered', state: '29', addresses: [] };
  const save = (more: Record<string, unknown>) =>
    shop.owner.call('SaveMaster', { master: 'customer', values: { ...values, ...more } });
  expect(problems(await save({}))).toEqual(['additional.SALES_AREA: Area of sales is required']);
  const { details } = await save({ 'additional.SALES_AREA': 'South' });
  const made = details as Kept;
  expect(made.values['additional.SALES_AREA']).toBe('South');
  const changed = (await shop.owner.ask('SaveMaster', {
    ...{ master: 'consumer', id: made.id, version: made.version, values: { name: 'Nila Stores & Sons', state: '29' } },
  })) as Kept;
  const again = (await shop.owner.ask('GetMaster', { master: 'customer', id: made.id })) as Kept;
  expect(again.values).toMatchObject({ name: 'Nila Stores & Sons', 'additional.SALES_AREA': 'South' });
  await shop.owner.ask('SaveMaster', {
    master: 'customer',
    ...{ id: made.id, version: changed.version, values: { ...again.values, 'additional.SALES_AREA': 'North' } },
  });
  const history = (await shop.owner.ask('GetHistory', { master: 'customer', id: made.id })) as {
    changes: { label: string; before: string; after: string }[];
  }[];
  expect(history[0]?.changes).toContainEqual({
    ...{ field: 'additional.SALES_AREA', label: 'Area of sales', before: 'South', after: 'North' },
  });
});
