import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/base/dates.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server?.stop());

/** An organisation without registration, which the owner works in from here on. */
const found = async (code: string) => {
  const address = { line1: '4 Temple Street', city: 'Mysuru', pincode: '570001', state: '29' };
  await owner.ask('FoundOrganisation', { name: `Sweets ${code}`, code, gstin: '', ...address });
  await owner.ask('SwitchOrganisation', { OrgCode: code });
};
/** Its registration is under composition from today on. */
const register = async () => {
  const { registrations, today } = (await owner.ask('GetSession', {})) as {
    registrations: { id: string }[];
    today: string;
  };
  const { id, version, values } = (await owner.ask('GetMaster', {
    ...{ master: 'registration', id: registrations[0]?.id ?? '' },
  })) as unknown as { id: string; version: number; values: object };
  const gstin = `29AAGCS4821F1Z${gstinCheckDigit('29AAGCS4821F1Z')}`;
  const statuses = [{ from: today, kind: 'composition' }];
  expect((await save('registration', { ...values, gstin, statuses }, { id, version })).status).toBe(200);
};

const laddu = { sku: 'LADDU', name: 'Laddu', type: 'stock', unit: 'NOS' };
const save = (master: string, values: object, more: object = {}) =>
  owner.call('SaveMaster', { master, values, ...more } as never);
const preview = async () => {
  const values = { name: 'Plain', kinds: ['saleInvoice'], columns: [] };
  const { content } = (await owner.ask('PreviewPaper', { values })) as { content: string };
  return textOfPdf(Buffer.from(content, 'base64'));
};

test('without GST an item is saved without a rate, and has none', async () => {
  await found('ITEMS');
  const saved = await save('item', laddu);
  expect(saved).toMatchObject({ status: 200, details: { values: { treatment: 'taxable', gstRate: '0' } } });
});

test('the sample of a template is the paper that the organisation makes', async () => {
  await found('PAPERS');
  const plain = await preview();
  expect(plain).toContain('Invoice');
  for (const part of ['Tax invoice', 'CGST', 'GST %', 'HSN', 'Place of supply', 'Original for recipient'])
    expect(plain, part).not.toContain(part);
  expect(plain).toContain('2,375.00');

  await register();
  const bill = await preview();
  expect(bill).toContain('Bill of supply');
  expect(bill).toContain('not eligible to collect tax');
  for (const part of ['Tax invoice', 'CGST', 'GST %']) expect(bill, part).not.toContain(part);
});

test('once GST concerns the organisation a rate is asked for', async () => {
  await found('RATED');
  await register();
  const refused = await save('item', { ...laddu, sku: 'BARFI', name: 'Barfi' });
  expect(refused).toMatchObject({
    status: 422,
    details: { problems: expect.arrayContaining([expect.objectContaining({ field: 'gstRate' })]) },
  });
});

test('the profile has the registration that is registered today, not the first one', async () => {
  await found('TWO');
  const profile = () => owner.ask('GetOrgDetails', {});
  expect(await profile()).toMatchObject({ gstin: null, registrationStatus: 'unregistered' });
  const { today } = (await owner.ask('GetSession', {})) as { today: string };
  const gstin = `33AAGCS4821F1Z${gstinCheckDigit('33AAGCS4821F1Z')}`;
  const second = { legalName: 'Two shops', gstin, state: '33', kind: 'unregistered' };
  const place = { line1: '5 Estate Road', city: 'Chennai', pincode: '600002' };
  const statuses = [{ from: addDays(today, 1), kind: 'composition' }];
  const { id, version } = (await owner.ask('SaveMaster', {
    ...{ master: 'registration', values: { ...second, ...place, statuses } },
  })) as { id: string; version: number };
  expect(await profile()).toMatchObject({ gstin: null, registrationStatus: 'unregistered' });
  const begun = [{ from: today, kind: 'composition' }];
  const saved = await save('registration', { ...second, ...place, statuses: begun }, { id, version });
  expect(saved).toMatchObject({ status: 200 });
  expect(await profile()).toMatchObject({ gstin, registrationStatus: 'composition' });
});
