import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../../contract/calls.ts';
import { partyFields, summaryFields } from '../../../contract/parts.ts';
import { mayNeedApproval } from '../../../domain/document/approval.ts';
import { type KindName, kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import { type KindBooks, ofEachShape, openKindBooks } from '../../../e2e/kit/kind-books.ts';
import { openShop, type Shop } from '../../../e2e/kit/shop.ts';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../../tools/testing/server.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';

// Every kind, with a rule on for each of them from nothing on: whoever writes it, another posts it, and until then nothing is
// in the books. What a kind is made from goes the same way.
let server: TestServer;
let shop: Shop;
let books: KindBooks;
let approver: Visitor;
let names: { readonly author: string; readonly approver: string };

type Fields = Record<string, unknown>;
type Kept = { readonly TransactionId: string; readonly version: number };
type Posted = { readonly TransactionId: string; readonly TransactionNumber: string };
const call = (by: Visitor, name: CallName, input: Fields) =>
  by.call(name as 'GetSession', input as never, randomUUID());
const ask = async <T>(by: Visitor, name: CallName, input: Fields) =>
  (await by.ask(name as 'GetSession', input as never, randomUUID())) as unknown as T;
const count = async (text: string, values: unknown[] = []) =>
  Number((await server.database.owner.query<{ n: string }>(`select count(*) as n from ${text}`, values)).rows[0]?.n);
const inBooks = () =>
  count('(select id from documents union all select document from entries union all select document from movements) x');
const takenNumbers = async () =>
  (await server.database.owner.query<{ n: string }>('select coalesce(sum(next), 0)::text as n from series_counters'))
    .rows[0]?.n;
const stands = async () => [await inBooks(), await takenNumbers()];

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  // whoever approves may do so on every screen, and may write on none
  await server.database.owner.query(
    `
      insert into role_grants (organisation, role, screen, level)
      select o.organisation, a.id, g.screen, 5002
      from roles o
      join role_grants g on g.organisation = o.organisation and g.role = o.id
      join roles a on a.organisation = o.organisation and a.name = 'Approver'
      where o.name = 'Owner'
      on conflict do nothing
    `,
  );
  approver = await server.signIn('approver@sharma.demo');
  const nameOf = async (by: Visitor) => ((await by.ask('GetSession', {})) as { name: string }).name;
  names = { author: await nameOf(shop.owner), approver: await nameOf(approver) };
  books = await openKindBooks(server, { ...shop, post: (document) => throughApproval(document as Fields) });
  const approvals = kindNames.filter((kind) => mayNeedApproval(kindOf(kind))).map((kind) => ({ kind, from: '0' }));
  await ask(shop.owner, 'SaveGeneralConfigDetails', { values: { approvals } });
  ruled = true;
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

let ruled = false;
/** In which form a draft is kept: whole in one call, or its head, its lines, its party and its summary in four. */
let form: 'whole' | 'split' = 'whole';
const walked = new Map<string, Set<string>>();

const only = (document: Fields, fields: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(document).filter(([name]) => fields.includes(name)));
const without = (document: Fields, fields: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !fields.includes(name)));

async function keep(document: Fields): Promise<Kept> {
  const kind = String(document['kind']);
  if (form === 'whole') return ask<Kept>(shop.owner, 'AddTransactionDetails', { kind, body: document });
  const head = without(document, ['kind', 'lines', ...partyFields, ...summaryFields]);
  let kept = await ask<Kept>(shop.owner, 'AddTransactionDetails', { kind, body: head });
  const put = async (name: CallName, part: Fields) => {
    if (Object.keys(part).length > 0)
      kept = await ask<Kept>(shop.owner, name, { TransactionId: kept.TransactionId, version: kept.version, ...part });
  };
  await put('AddtransactionItemDetails', (document['lines'] as unknown[]).length > 0 ? only(document, ['lines']) : {});
  await put('AddInvoicePartyMappingDetails', only(document, partyFields));
  await put('AddInvoiceSummaryDetails', only(document, summaryFields));
  return kept;
}

/** Posts a document the only way that is open under a rule, and looks at every other one on its way. */
async function throughApproval(asked: Fields): Promise<Posted> {
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const document: Fields = { date: today, lines: [], ...shop.place, ...asked };
  const kind = String(document['kind']);
  if (!ruled || !mayNeedApproval(kindOf(kind as KindName)))
    return ask(shop.owner, 'PostTransactionCalls', { document });
  if (walked.get(kind)?.has(form)) {
    const { TransactionId, version } = await keep(document);
    return ask(approver, 'PostTransactionCalls', {
      ...(await ask<Kept>(shop.owner, 'SubmitForApproval', { TransactionId, version })),
    });
  }
  const before = await stands();
  const refused = { status: 409, details: { code: 'needsApproval' } };
  expect(await call(shop.owner, 'PostTransactionCalls', { document }), kind).toMatchObject(refused);
  const kept = await keep(document);
  const id = kept.TransactionId;
  const which = { TransactionId: id, version: kept.version };
  expect(await call(shop.owner, 'PostTransactionCalls', which), kind).toMatchObject(refused);
  expect(await call(shop.owner, 'PostTransactionCalls', { ...which, document }), kind).toMatchObject(refused);
  const sent = await ask<Kept>(shop.owner, 'SubmitForApproval', which);
  expect(await call(shop.owner, 'PostTransactionCalls', { ...sent }), kind).toMatchObject({
    details: { code: 'ownApproval' },
  });
  expect(await stands(), kind).toEqual(before);
  const waiting = await ask<{ status: string; number: string }>(approver, 'GetTransactionDetailForInvoice', {
    TransactionId: id,
  });
  expect(waiting, kind).toMatchObject({
    status: 'pendingApproval',
    number: '',
    approval: { by: names.author, own: false },
  });
  const { rows } = await ask<{ rows: { id: string; number: string }[] }>(approver, 'GetTransationsList', {
    Type: kind,
    Status: 'pendingApproval',
  });
  expect(rows, kind).toMatchObject([{ id, number: '', draft: true }]);
  const posted = await ask<Posted>(approver, 'PostTransactionCalls', { ...sent });
  const shown = await ask<Fields>(approver, 'GetTransactionDetailForInvoice', { TransactionId: id });
  expect(shown, kind).toMatchObject({
    draft: false,
    number: posted.TransactionNumber,
    approval: { state: 'approved', by: names.author, decidedBy: names.approver },
  });
  // what is shown to who decides is what is posted
  expect((shown['priced'] as { total: string }).total, kind).toBe(
    (waiting as never as { priced: { total: string } }).priced.total,
  );
  const moved = (waiting as never as { movements: unknown[] }).movements;
  if (moved.length > 0) expect(moved, kind).toEqual(shown['movements']);
  const { rows: log } = await server.database.owner.query<{ relation: string; name: string }>(
    `
      select distinct l.relation, u.name
      from edit_log l
      join users u on u.organisation = l.organisation and u.id = l.who
      where l.row_id = $1 and l.relation in ('documents', 'approvals')
      order by 1
    `,
    [id],
  );
  expect(log, kind).toEqual(['approvals', 'documents'].map((relation) => ({ relation, name: names.approver })));
  walked.set(kind, (walked.get(kind) ?? new Set()).add(form));
  return posted;
}

const typed = kindNames.filter((kind) => mayNeedApproval(kindOf(kind)));
/** What the books of a walk have no document of. */
const own: Partial<Record<KindName, () => Promise<unknown>>> = {
  gstAdjustment: async () =>
    throughApproval({
      kind: 'gstAdjustment',
      lines: [
        { ledger: await shop.ledger('6530'), debit: '70' },
        { ledger: await shop.ledger('1121'), credit: '70' },
      ],
    }),
};

/** One of each shape is kept in parts; `BAHI_ALL=1` keeps every one so. */
const inParts = ofEachShape(typed);

for (const [each, kinds] of [
  ['whole', typed],
  ['split', inParts],
] as const)
  test.each(kinds)(`%s, kept ${each}, waits for another user, and only that user posts it`, async (kind) => {
    form = each;
    if (walked.get(kind)?.has(each)) return;
    await (own[kind]?.() ?? books.make(kind));
    expect(walked.get(kind)?.has(each)).toBe(true);
  });

test('what needs nobody is posted by who writes it: the bills of a till, and a cheque that comes back', async () => {
  const exempt = kindNames.filter((kind) => !mayNeedApproval(kindOf(kind)) && !kindOf(kind).life.system);
  expect(exempt).toEqual(['posSale', 'posReturn', 'bouncedReceipt']);
  for (const kind of exempt) await books.make(kind);
});
