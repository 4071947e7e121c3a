import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../contract/calls.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { typeOf } from './types.ts';

let server: TestServer;
let shop: Shop;
let id = '';
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  id = (await shop.post({ kind: 'saleInvoice', party: shop.customer, lines })).TransactionId;
});
afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.stop();
});
const call = (name: CallName, input: object, by: Visitor = shop.owner) => by.call(name as 'GetSession', input as never);
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

test('what a file is follows from its bytes, not from its name', () => {
  const of = (text: string, name: string) => typeOf(Buffer.from(text, 'latin1'), name);
  expect(of('%PDF-1.7', 'bill.exe')).toBe('application/pdf');
  expect(of('\xff\xd8\xff\xe0', 'photo')).toBe('image/jpeg');
  expect(of('RIFF....WEBPVP8', 'x.webp')).toBe('image/webp');
  expect(of('PK\x03\x04', 'list.xlsx')).toContain('spreadsheetml');
  expect(of('a,b\n1,2', 'list.csv')).toBe('text/csv');
  for (const [text, name] of [
    ['MZ\x90', 'bill.pdf'],
    ['<script>', 'bill.html'],
    ['PK\x03\x04', 'all.zip'],
    ['a\x00b', 'list.txt'],
    ['\xff\xfe', 'list.csv'],
  ] as const)
    expect(of(text, name)).toBeUndefined();
});

test('comments stay, files are put and taken away; who may only read reads', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  const clerk = await server.signIn('accountant@sharma.demo');
  expect(await call('AddComment', { id, text: 'Will pay on Monday' })).toMatchObject({ status: 200 });
  expect((await call('AddComment', { id, text: ' ' })).status).toBe(422);
  const two = await Promise.all([call('AddComment', { id, text: 'A' }, clerk), call('AddComment', { id, text: 'B' })]);
  expect(two.map((each) => each.status)).toEqual([200, 200]);
  const file = { id, name: 'bill.pdf', content: base64('%PDF-1.7 signed') };
  expect(await call('AttachFile', file)).toMatchObject({
    details: { files: [{ number: 1, name: 'bill.pdf', type: 'application/pdf', size: 15, by: 'Ravi Sharma' }] },
  });
  expect(await call('AttachFile', { ...file, name: 'x.exe', content: base64('MZ') })).toMatchObject({ status: 422 });
  expect(await call('GetBeside', { id }, viewer)).toMatchObject({
    details: { comments: [{ text: 'Will pay on Monday' }, {}, {}], files: [{ name: 'bill.pdf' }] },
  });
  expect(await call('GetAttachment', { id, number: 1 }, viewer)).toMatchObject({
    details: { name: 'bill.pdf', content: file.content },
  });
  for (const [name, input] of [
    ['AddComment', { id, text: 'x' }],
    ['AttachFile', file],
    ['RemoveAttachment', { id, number: 1 }],
  ] as const) {
    expect((await call(name, input, viewer)).status).toBe(403);
    expect((await call(name, input, await server.signIn('owner@nova.demo'))).status).toBe(404);
  }
  expect(await call('RemoveAttachment', { id, number: 1 }, clerk)).toMatchObject({ details: { files: [] } });
  expect((await call('GetAttachment', { id, number: 1 })).status).toBe(404);
  expect((await call('RemoveAttachment', { id, number: 1 })).status).toBe(404);
});

test('attachments and comments of a draft stay when it is posted, and go with a draft that is given up', async () => {
  const clerk = await server.signIn('accountant@sharma.demo');
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const date = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  const body = { kind: 'saleInvoice', date, ...shop.place, party: shop.customer, lines };
  const keep = async () =>
    (await shop.owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body } as never)) as {
      TransactionId: string;
      version: number;
    };
  const file = (text: string) => ({ name: 'order.pdf', content: base64(`%PDF-1.7 ${text}`) });
  const one = await keep();
  expect(await call('AddComment', { id: one.TransactionId, text: 'As agreed' })).toMatchObject({ status: 200 });
  expect(await call('AttachFile', { id: one.TransactionId, ...file('one') })).toMatchObject({ status: 200 });
  // a draft is its author's alone
  for (const [name, input] of [
    ['GetBeside', {}],
    ['AddComment', { text: 'x' }],
    ['AttachFile', file('x')],
  ] as const)
    expect((await call(name, { id: one.TransactionId, ...input }, clerk)).status).toBe(404);
  const posted = { TransactionId: one.TransactionId, version: one.version, document: body };
  await shop.owner.ask('PostTransactionCalls', posted as never, crypto.randomUUID());
  expect(await call('GetBeside', { id: one.TransactionId }, clerk)).toMatchObject({
    details: { comments: [{ number: 1, text: 'As agreed' }], files: [{ number: 1, name: 'order.pdf' }] },
  });
  expect((await call('GetAttachment', { id: one.TransactionId, number: 1 }, clerk)).status).toBe(200);

  const { TransactionId: two, version } = await keep();
  await call('AddComment', { id: two, text: 'Not yet' });
  await call('AttachFile', { id: two, ...file('one') });
  await call('AttachFile', { id: two, ...file('two') });
  expect(await call('DeleteMultipleTransaction', { TransactionIds: [two], versions: [version] })).toMatchObject({
    status: 200,
  });
  expect((await call('GetBeside', { id: two })).status).toBe(404);
  const left = await server.database.owner.query(
    `
      select
        (
          select count(*)::int from document_comments where document = $1
        ) + (select count(*)::int from document_files where document = $1) as beside,
        (select array_agg(convert_from(bytes, 'UTF8')) from files where name = 'order.pdf') as files
    `,
    [two],
  );
  // the bytes of the document's file are the same and stay
  expect(left.rows[0]).toEqual({ beside: 0, files: ['%PDF-1.7 one'] });
});

test('a comment on an unknown document is refused', async () => {
  const away = server.database.owner.query(
    `
      insert into document_comments (organisation, document, number, body, by)
      select organisation, gen_random_uuid(), 1, 'x', id
      from users
      limit 1
    `,
  );
  await expect(away).rejects.toMatchObject({ code: '23503' });
});

test('a view of a list is its owner’s', async () => {
  const view = { list: 'saleInvoice', name: 'Overdue', query: { status: 'overdue' } };
  expect(await call('SaveView', view)).toMatchObject({ details: [{ name: 'Overdue', query: { status: 'overdue' } }] });
  expect(await call('SaveView', { ...view, query: { status: 'unpaid' } })).toMatchObject({
    details: [{ name: 'Overdue', query: { status: 'unpaid' } }],
  });
  expect(await call('GetSavedViews', { list: 'purchaseBill' })).toMatchObject({ details: [] });
  const clerk = await server.signIn('accountant@sharma.demo');
  expect(await call('GetSavedViews', { list: 'saleInvoice' }, clerk)).toMatchObject({ details: [] });
  await call('RemoveView', { list: 'saleInvoice', name: 'Overdue' });
  expect(await call('GetSavedViews', { list: 'saleInvoice' })).toMatchObject({ details: [] });
});
