import { createHash, randomUUID } from 'node:crypto';
import net from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ScreenName, screens } from '../../contract/screens.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { freePort } from '../../tools/testing/ports.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { yearNow } from '../../tools/testing/year.ts';
import { parentsOfKind } from '../access/index.ts';
import { systemClock } from '../kit/clock.ts';
import { type Books, openBooks } from '../kit/database/sql.ts';
import { abandonedMails, type Catcher, catchMail, mailTask, postOffice } from './index.ts';

interface Mail {
  id: string;
  to: string[];
  cc: string[];
  subject: string;
  state: string;
  attempts: number;
  error: string | null;
  sentAt: string | null;
  by: string;
  replaced: boolean;
  papers: { document: string; name: string; kept: boolean }[];
}
interface Listed {
  possible: boolean;
  to: string[];
  contacts: { name: string; role: string; email: string }[];
  mails: Mail[];
}

let server: TestServer;
let shop: Shop;
let owner: Visitor;
let books: Books;
let catcher: Catcher;
let organisation = 0;
let invoice = { TransactionId: '', TransactionNumber: '' };
const notified: number[] = [];
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  owner = shop.owner;
  organisation = server.organisations[0]?.organisation ?? 0;
  books = openBooks(server.database.url, 6);
  catcher = await catchMail(systemClock);
  invoice = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '2', rate: '95' }],
  });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await server.database.owner.query(`update outbox set handed_at = now() where handed_at is null`);
});
afterAll(async () => {
  await catcher?.stop();
  await books?.end();
  await server?.stop();
});

const asked = (more: object = {}) => ({
  TransactionIds: [invoice.TransactionId],
  to: ['asha@example.com'],
  subject: 'Your invoice',
  message: 'Dear Asha',
  ...more,
});
const send = async (more: object = {}): Promise<string> =>
  ((await owner.ask('SendInvoiceInMail', asked(more), randomUUID())) as { mail: string }).mail;
const listed = async (): Promise<Listed> => owner.ask('ListMails', { document: invoice.TransactionId });
const stateOf = async (mail: string) => (await listed()).mails.find(({ id }) => id === mail);
const waiting = async () =>
  (
    await server.database.owner.query<{
      organisation: number;
      task: string;
      key: string;
      payload: { organisation: number; mail: string };
    }>(`select organisation, task, key, payload from outbox where handed_at is null and task = 'mail' order by id`)
  ).rows;
/** What the relay does: each waiting job once, by a post office of the test's choice. */
const run = async (url = catcher.url, seconds = 5): Promise<string[]> => {
  const work = mailTask({
    books,
    post: postOffice(url, 'http://127.0.0.1:3000', seconds),
    clock: systemClock,
    trial: false,
    changed: (org) => notified.push(org),
  });
  const failures: string[] = [];
  for (const { payload } of await waiting())
    await work(payload).catch((error: unknown) => failures.push((error as Error).message));
  return failures;
};
/** A mail server that behaves as its test says. */
const mailServer = async (behaviour: ConstructorParameters<typeof SMTPServer>[0]): Promise<string> => {
  const made = new SMTPServer({ logger: false, disabledCommands: ['AUTH', 'STARTTLS'], ...behaviour });
  made.on('error', () => undefined);
  await new Promise<void>((up) => made.listen(0, '127.0.0.1', up));
  closing.push(() => new Promise((down) => made.close(() => down())));
  return `smtp://127.0.0.1:${(made.server.address() as net.AddressInfo).port}`;
};
const service = async (): Promise<string> =>
  (
    (await owner.ask('SaveMaster', {
      master: 'item',
      values: {
        sku: 'FIT',
        name: 'Fitting',
        type: 'service',
        unit: 'NOS',
        hsn: '998717',
        treatment: 'taxable',
        gstRate: '18',
      },
    })) as { id: string }
  ).id;
const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

test('a mail is kept with its job, sent by the task with the paper that printing makes, and shown with what was sent', async () => {
  const mail = await send({ to: ['asha@example.com', 'buyer@example.com'], cc: ['books@example.com'] });
  expect(await stateOf(mail)).toMatchObject({
    state: 'queued',
    to: ['asha@example.com', 'buyer@example.com'],
    cc: ['books@example.com'],
    attempts: 0,
    by: 'Ravi Sharma',
    sentAt: null,
    papers: [{ document: invoice.TransactionId, name: `INV-${yearNow}-0001.pdf`, kept: false }],
  });
  expect(await waiting()).toEqual([{ organisation, task: 'mail', key: mail, payload: { organisation, mail } }]);
  expect(await run()).toEqual([]);
  expect(notified.at(-1)).toBe(organisation);
  const [caught] = catcher.mails();
  expect(caught?.recipients).toEqual(['asha@example.com', 'buyer@example.com', 'books@example.com']);
  expect(caught?.message.header('subject')).toBe('Your invoice');
  expect(caught?.message.header('from')).toBe('Sharma Traders Private Limited <no-reply@localhost>');
  expect(caught?.message.header('reply-to')).toBe('owner@sharma.demo');
  expect(caught?.message.header('message-id')).toBe(`<${mail}@localhost>`);
  expect(caught?.message.text.trim()).toBe('Dear Asha');
  const [paper] = caught?.message.attachments ?? [];
  expect(paper?.name).toBe(`INV-${yearNow}-0001.pdf`);
  expect(paper?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const printed = (await owner.ask('PrintDocument', { id: invoice.TransactionId })) as { content: string };
  // two papers of one document differ by their times and by how well they are packed
  expect(Math.abs(Buffer.from(printed.content, 'base64').length - (paper?.bytes.length ?? 0))).toBeLessThan(1000);

  expect(await stateOf(mail)).toMatchObject({
    state: 'sent',
    attempts: 1,
    error: null,
    sentAt: expect.any(String),
    papers: [{ kept: true }],
  });
  const kept = (await owner.ask('GetMailedPaper', { mail, document: invoice.TransactionId })) as {
    name: string;
    type: string;
    content: string;
  };
  expect([kept.name, kept.type]).toEqual([`INV-${yearNow}-0001.pdf`, 'application/pdf']);
  expect(Buffer.from(kept.content, 'base64').equals(paper?.bytes ?? Buffer.alloc(0))).toBe(true);
  const stored = await server.database.owner.query(`select digest from mail_papers where mail = $1`, [mail]);
  expect(stored.rows[0].digest).toBe(
    createHash('sha256')
      .update(paper?.bytes ?? '')
      .digest('hex'),
  );
  const log = await server.database.owner.query<{ action: string; state: string }>(
    `select action, after ->> 'state' as state from edit_log where relation = 'mails' and row_id = $1 order by id`,
    [mail],
  );
  expect(log.rows.map(({ action, state }) => `${action} ${state}`)).toEqual([
    'insert queued',
    'update queued',
    'update sent',
  ]);
});

test('one key sends once: repeated, at the same moment, and not for another mail', async () => {
  const key = randomUUID();
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => owner.ask('SendInvoiceInMail', asked(), key) as Promise<{ mail: string }>),
  );
  expect(new Set(answers.map(({ mail }) => mail)).size).toBe(1);
  expect(await owner.ask('SendInvoiceInMail', asked(), key)).toEqual(answers[0]);
  expect(await waiting()).toHaveLength(1);
  expect(await owner.call('SendInvoiceInMail', asked({ to: ['other@example.com'] }), key)).toMatchObject({
    status: 422,
    details: { code: 'keyReused' },
  });
  const before = catcher.mails().length;
  await run();
  expect(catcher.mails()).toHaveLength(before + 1);
});

test('never twice after success, nor by two workers at once', async () => {
  const mail = await send();
  const before = catcher.mails().length;
  const results = await Promise.all([run(), run(), run()]);
  expect(results.flat().every((message) => message.includes('is being sent by somebody else'))).toBe(true);
  expect(catcher.mails()).toHaveLength(before + 1);
  expect(await run()).toEqual([]);
  expect(catcher.mails()).toHaveLength(before + 1);
  expect(await stateOf(mail)).toMatchObject({ state: 'sent', attempts: 1 });
});

test('a mail server that is down, silent or busy: the mail failed with the reason, and a later attempt sends it', async () => {
  const mail = await send();
  const port = await freePort();
  const nothing = net.createServer().listen(port, '127.0.0.1');
  await new Promise((up) => nothing.once('listening', up));
  expect(await run(`smtp://127.0.0.1:${port}`, 0.4)).toEqual(['The mail server did not answer in time']);
  expect(await stateOf(mail)).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: 'The mail server did not answer in time',
    sentAt: null,
    papers: [{ kept: false }],
  });
  nothing.close();
  expect(await run(`smtp://127.0.0.1:${port}`)).toEqual(['The mail server cannot be reached']);
  const busy = await mailServer({ onRcptTo: (_address, _session, done) => done(refusal(451, 'try again\r\nlater')) });
  expect((await run(busy))[0]).toMatch(/^The mail server refused it: 451 try again/);
  expect(await stateOf(mail)).toMatchObject({ state: 'failed', attempts: 3 });
  const before = catcher.mails().length;
  expect(await run()).toEqual([]);
  expect(await stateOf(mail)).toMatchObject({ state: 'sent', attempts: 4, error: null });
  await run();
  expect(catcher.mails()).toHaveLength(before + 1);
});

test('what is refused for good is not tried again by itself; sent again by hand it is replaced', async () => {
  const mail = await send({ to: ['nobody@example.com'] });
  const strict = await mailServer({ onRcptTo: (_address, _session, done) => done(refusal(550, 'No such user here')) });
  expect(await run(strict)).toEqual([]);
  expect(await stateOf(mail)).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: expect.stringContaining('No such user here'),
  });
  const next = await send({ to: ['asha@example.com'], again: mail });
  const before = catcher.mails().length;
  expect(await run()).toEqual([]);
  expect(catcher.mails()).toHaveLength(before + 1);
  expect(await stateOf(next)).toMatchObject({ state: 'sent', replaced: false });
  expect(await stateOf(mail)).toMatchObject({ state: 'failed', replaced: true, attempts: 1 });
  // a mail that went out stays as it is when it is sent again
  await send({ again: next });
  expect(await stateOf(next)).toMatchObject({ state: 'sent', replaced: false });
  expect(await owner.call('SendInvoiceInMail', asked({ again: randomUUID() }))).toMatchObject({ status: 404 });
});

test('addresses that the mail server refuses are reported, the others get the mail', async () => {
  const mail = await send({ to: ['asha@example.com', 'gone@example.com'] });
  const half = await mailServer({
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('gone') ? done(refusal(550, 'No such user')) : done(),
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => done());
    },
  });
  expect(await run(half)).toEqual([]);
  expect(await stateOf(mail)).toMatchObject({ state: 'sent', error: 'The mail server did not take gone@example.com' });
});

test('a process that died while sending gives the mail free by time', async () => {
  const mail = await send();
  await server.database.owner.query(`update mails set claimed_until = now() + interval '5 minutes' where id = $1`, [
    mail,
  ]);
  expect((await run())[0]).toContain('is being sent by somebody else');
  expect(await owner.call('SendInvoiceInMail', asked({ again: mail }))).toMatchObject({ status: 503 });
  await server.database.owner.query(`update mails set claimed_until = now() - interval '1 second' where id = $1`, [
    mail,
  ]);
  // the sweep gives it a new job, for the old one died with its process
  const [first] = await waiting();
  await server.database.owner.query(`update outbox set handed_at = now() where handed_at is null`);
  await server.database.owner.query(abandonedMails);
  expect(await waiting()).toEqual([first]);
  expect(await run()).toEqual([]);
  expect(await stateOf(mail)).toMatchObject({ state: 'sent' });
  await server.database.owner.query(`update outbox set handed_at = now() where handed_at is null`);
  await server.database.owner.query(abandonedMails);
  expect(await waiting()).toEqual([]);
});

test('problems are shown at their fields', async () => {
  const problems = async (more: object) =>
    (
      (await owner.call('SendInvoiceInMail', asked(more))).details as {
        problems: { field: string; row?: number; message: string }[];
      }
    ).problems;
  expect(await problems({ to: ['asha@example.com', 'asha.example.com'] })).toEqual([
    { field: 'to', row: 1, message: 'asha.example.com is not an e-mail address' },
  ]);
  expect(await problems({ cc: ['a@b.in\r\nBcc: x@y.in'] })).toMatchObject([{ field: 'cc', row: 0 }]);
  expect(await problems({ to: [] })).toEqual([{ field: 'to', message: 'Give an e-mail address' }]);
  expect(await problems({ to: Array.from({ length: 21 }, (_, i) => `a${i}@example.com`) })).toEqual([
    { field: 'to', message: 'At most 20 addresses' },
  ]);
  expect(await problems({ subject: ' ' })).toEqual([{ field: 'subject', message: 'A subject is required' }]);
  expect(await problems({ subject: 'One\nBcc: x@y.in' })).toEqual([
    { field: 'subject', message: 'A subject is one line' },
  ]);
  const started = performance.now();
  await problems({ to: [`${'a.'.repeat(25_000)}@${'b.'.repeat(25_000)}`] });
  expect(performance.now() - started).toBeLessThan(1000);
});

test('who may write the kind may mail it; drafts have no paper to send; other organisations find nothing', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  expect(await viewer.call('SendInvoiceInMail', asked())).toMatchObject({ status: 403 });
  const approver = await server.signIn('approver@sharma.demo');
  expect(await approver.call('SendInvoiceInMail', asked())).toMatchObject({ status: 403 });
  expect(await viewer.call('ListMails', { document: invoice.TransactionId })).toMatchObject({ status: 200 });
  expect(await (await server.signIn('accountant@sharma.demo')).call('SendInvoiceInMail', asked())).toMatchObject({
    status: 200,
  });
  const draft = (await owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body: { date: '2026-11-01' } })) as {
    TransactionId: string;
  };
  expect(await owner.call('SendInvoiceInMail', asked({ TransactionIds: [draft.TransactionId] }))).toMatchObject({
    status: 409,
    message: expect.stringContaining('it is a draft'),
  });

  const mail = await send();
  const nova = await server.signIn('owner@nova.demo');
  expect(await nova.call('SendInvoiceInMail', asked())).toMatchObject({ status: 404 });
  expect(await nova.call('ListMails', { document: invoice.TransactionId })).toMatchObject({ status: 404 });
  expect(await nova.call('GetMailedPaper', { mail, document: invoice.TransactionId })).toMatchObject({ status: 404 });
  const before = await waiting();
  const [unknown, foreign] = [
    await owner.call('SendInvoiceInMail', asked({ TransactionIds: [randomUUID()] })),
    await nova.call('SendInvoiceInMail', asked()),
  ];
  expect([unknown.status, unknown.message]).toEqual([foreign.status, foreign.message]);
  expect(await waiting()).toEqual(before);
});

test('a location that the user may not use hides its documents from mailing too', async () => {
  const accountant = await server.signIn('accountant@sharma.demo');
  const bind = (location: string) =>
    server.database.owner.query(
      `
        insert into user_locations (organisation, "user", location)
        select organisation, id, $1
        from users
        where email = 'accountant@sharma.demo'
      `,
      [location],
    );
  const [sharma] = server.organisations;
  await bind(
    sharma?.locations.PUN ?? Object.values(sharma?.locations ?? {}).find((id) => id !== shop.place.location) ?? '',
  );
  await expect
    .poll(async () => (await accountant.call('SendInvoiceInMail', asked())).status, { timeout: 5000, interval: 250 })
    .toBe(404);
  expect((await accountant.call('ListMails', { document: invoice.TransactionId })).status).toBe(404);
  await server.database.owner.query(`delete from user_locations`);
});

test('several documents go in one mail, and a failed mail is not replaced by one of other documents', async () => {
  const other = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    lines: [{ item: shop.item, quantity: '1', rate: '95' }],
  });
  const mail = await send({ TransactionIds: [invoice.TransactionId, other.TransactionId, invoice.TransactionId] });
  expect(await owner.call('SendInvoiceInMail', asked({ again: mail }))).toMatchObject({ status: 404 });
  await run();
  expect(catcher.mails()[0]?.message.attachments.map(({ name }) => name)).toEqual([
    `INV-${yearNow}-0001.pdf`,
    `INV-${yearNow}-0002.pdf`,
  ]);
  expect((await stateOf(mail))?.papers).toHaveLength(2);
});

test('other documents of a mail are named only to who may open them: place, kind, and whose they are', async () => {
  const [sharma] = server.organisations;
  const away = await shop.post({
    kind: 'saleInvoice',
    party: shop.customer,
    registration: sharma?.registrations.MH ?? '',
    location: sharma?.locations.PUN ?? '',
    lines: [{ description: 'Fitting', hsn: '998717', quantity: '1', rate: '200', item: await service() }],
  });
  const counter = await shop.post({ kind: 'cashSale', lines: [{ item: shop.item, quantity: '1', rate: '95' }] });
  const mail = await send({ TransactionIds: [invoice.TransactionId, away.TransactionId, counter.TransactionId] });
  expect((await stateOf(mail))?.papers.map(({ document }) => document)).toEqual([
    invoice.TransactionId,
    away.TransactionId,
    counter.TransactionId,
  ]);
  const accountant = await server.signIn('accountant@sharma.demo');
  const shown = async () =>
    ((await accountant.ask('ListMails', { document: invoice.TransactionId })) as Listed).mails
      .find(({ id }) => id === mail)
      ?.papers.map(({ document }) => document);
  await server.database.owner.query(
    `
      insert into user_locations (organisation, "user", location)
      select organisation, id, $1
      from users
      where email = 'accountant@sharma.demo'
    `,
    [shop.place.location],
  );
  await expect.poll(shown, { timeout: 5000, interval: 250 }).toEqual([invoice.TransactionId, counter.TransactionId]);
  await server.database.owner.query('delete from user_locations');
  const counters = parentsOfKind('cashSale').map((name) => screens[name as ScreenName].id);
  await server.database.owner.query('delete from role_grants where screen = any($1)', [counters]);
  await expect.poll(shown, { timeout: 5000, interval: 250 }).toEqual([invoice.TransactionId, away.TransactionId]);
});

test('whom a mail would go to is the party’s e-mail address, else that of a contact', async () => {
  expect(await listed()).toMatchObject({ possible: true, to: [] });
  const of = async (values: object) => {
    const party = (
      (await owner.ask('SaveMaster', {
        master: 'customer',
        values: { name: `Party ${randomUUID()}`, category: 'unregistered', state: '29', addresses: [], ...values },
      })) as { id: string }
    ).id;
    const { TransactionId } = await shop.post({
      kind: 'quotation',
      party,
      lines: [{ item: shop.item, quantity: '1', rate: '95' }],
    });
    const { to, contacts } = (await owner.ask('ListMails', { document: TransactionId })) as Listed;
    offered = contacts.map(({ name, role, email }) => [name.slice(0, 5), role, email].join('/'));
    return to;
  };
  let offered: string[] = [];
  expect(await of({ email: 'accounts@party.in', contacts: [{ name: 'Asha', email: 'asha@party.in' }] })).toEqual([
    'accounts@party.in',
  ]);
  expect(await of({ contacts: [{ name: 'Bina' }, { name: 'Asha', email: 'asha@party.in' }] })).toEqual([
    'asha@party.in',
  ]);
  // everybody who has an address is offered, each address once, the party itself first
  const address = {
    type: 'both',
    line1: '1 Road',
    city: 'Hosur',
    state: '29',
    pincode: '560001',
    country: 'IN',
    email: 'store@party.in',
  };
  await of({
    email: 'accounts@party.in',
    contacts: [
      { name: 'Asha', role: 'Buyer', email: 'asha@party.in' },
      { name: 'Bina' },
      { name: 'Chand', email: 'Accounts@party.in' },
      { name: 'Dev', email: 'dev@party.in' },
    ],
    addresses: [address],
  });
  expect(offered).toEqual([
    'Party//accounts@party.in',
    'Asha/Buyer/asha@party.in',
    'Dev//dev@party.in',
    'Party/Hosur/store@party.in',
  ]);
});

test('text of any sort stays text: headers of a mail cannot be forged', async () => {
  await send({ subject: '=?utf-8?q?x?= "<a@b.in>", ₹', message: '.\nBcc: x@y.in\n\n<script>alert(1)</script>' });
  await run();
  const [caught] = catcher.mails();
  expect(caught?.message.text.replaceAll('\r\n', '\n').trim()).toBe('.\nBcc: x@y.in\n\n<script>alert(1)</script>');
  expect(caught?.recipients).toEqual(['asha@example.com']);
  expect(caught?.message.header('bcc')).toBe('');
  await postOffice(catcher.url, 'https://books.example.com').send({
    id: 'x',
    senderName: 'A\r\nBcc: x@y.in',
    replyTo: undefined,
    to: ['asha@example.com'],
    cc: [],
    subject: 'S\r\nBcc: x@y.in',
    message: '',
    papers: [],
  });
  expect(['bcc', 'message-id'].map((name) => catcher.mails()[0]?.message.header(name))).toEqual([
    '',
    '<x@books.example.com>',
  ]);
  expect(catcher.mails()[0]?.recipients).toEqual(['asha@example.com']);
});

test('mails come from the address in SMTP_URL, else from its user; a password needs TLS away from this machine', async () => {
  const from = async (url: string) => {
    await postOffice(url, 'http://127.0.0.1:3000').send({
      id: 'x',
      senderName: 'A',
      replyTo: undefined,
      to: ['asha@example.com'],
      cc: [],
      subject: 'S',
      message: '',
      papers: [],
    });
    return catcher.mails()[0]?.message.header('from');
  };
  expect(await from(`${catcher.url}?from=invoices%40example.com`)).toBe('A <invoices@example.com>');
  const offered: string[] = [];
  const plain = await mailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      offered.push(password ?? '');
      return password === 'p@ss' ? done(null, { user: username }) : done(refusal(535, 'wrong'));
    },
    onData: (stream, session, done) => {
      stream.resume();
      stream.on('end', () => done());
      expect(session.envelope.mailFrom).toMatchObject({ address: 'me@example.com' });
    },
  });
  const office = (secret: string) =>
    postOffice(plain.replace('smtp://', `smtp://me%40example.com:${secret}@`), 'http://127.0.0.1:3000', 2);
  const mail = {
    id: 'x',
    senderName: 'A',
    replyTo: undefined,
    to: ['asha@example.com'],
    cc: [],
    subject: 'S',
    message: '',
    papers: [],
  };
  expect(await office('p%40ss').send(mail)).toEqual({ refused: [] });
  await expect(office('wrong').send(mail)).rejects.toMatchObject({
    message: 'The mail server refused the name or password of this installation',
    final: false,
  });
  expect(new Set(offered)).toEqual(new Set(['p@ss', 'wrong']));
  await expect(
    postOffice(plain.replace('smtp://127.0.0.1', 'smtp://me:far@[::ffff:127.0.0.1]'), 'http://127.0.0.1:3000', 2).send(
      mail,
    ),
  ).rejects.toThrow();
  expect(offered).not.toContain('far');
});
