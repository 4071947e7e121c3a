import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallName } from '../../contract/calls.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

// Lines of a statement whose documents somebody else posts: each becomes a draft, once, and is matched when it is in the books.
let server: TestServer;
let shop: Shop;
let bank: string;
let accountant: Visitor;
let approver: Visitor;

interface Line {
  readonly id: string;
  readonly text: string;
  readonly suggestion: { readonly document: string; readonly leg: number } | null;
  readonly rule: object | null;
  readonly settles: object | null;
  readonly draft: object | null;
}
interface Made {
  readonly TransactionId: string;
  readonly number: string | null;
  readonly matched: boolean;
}
const call = (by: Visitor, name: CallName, input: object, key = randomUUID()) =>
  by.call(name as 'GetSession', input as never, key);
const ask = async <T>(by: Visitor, name: CallName, input: object, key = randomUUID()) =>
  (await by.ask(name as 'GetSession', input as never, key)) as unknown as T;
const rules = (approvals: object) => ask(shop.owner, 'SaveGeneralConfigDetails', { values: { approvals } });
const lines = async () => (await ask<{ lines: Line[] }>(accountant, 'GetReconciliation', { ledger: bank })).lines;
const lineOf = async (text: string) => (await lines()).find((line) => line.text === text);
const asked = async (text: string, more: object) => ({
  ledger: bank,
  line: (await lineOf(text))?.id ?? '',
  ...shop.place,
  ...more,
});
const count = async (text: string, values: unknown[]) =>
  Number((await server.database.owner.query<{ n: string }>(`select count(*) as n from ${text}`, values)).rows[0]?.n);
const drafted = (who: string) => ({
  status: 409,
  details: { code: 'lineDrafted' },
  message: expect.stringContaining(who),
});

beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  [accountant, approver] = (await Promise.all(
    ['accountant', 'approver'].map((name) => server.signIn(`${name}@sharma.demo`)),
  )) as [Visitor, Visitor];
  bank = await shop.ledger('1121');
  const { today } = (await accountant.ask('GetSession', {})) as { today: string };
  const day = today.split('-').reverse().join('/');
  const content = [
    'Date,Narration,Withdrawal,Deposit,Balance',
    `${day},FROM ASHA,,1000.00,1000.00`,
    `${day},FROM ASHA AGAIN,,300.00,1300.00`,
    `${day},CHARGES,59.50,,1240.50`,
    `${day},TO THE TILL,200.00,,1040.50`,
  ].join('\n');
  const format = {
    date: 'Date',
    order: 'dmy',
    text: 'Narration',
    moneyIn: 'Deposit',
    moneyOut: 'Withdrawal',
    balance: 'Balance',
  };
  await ask(shop.owner, 'ImportBankStatement', { ledger: bank, content, format });
  await rules(['saleReceipt', 'manualJournal', 'contra'].map((kind) => ({ kind, from: '0' })));
});
afterAll(async () => {
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
  await server.stop();
});

test('a line that comes under a rule is kept as a draft, once for its key and for everybody; the line stays open', async () => {
  const input = await asked('FROM ASHA', { way: 'receipt', party: shop.customer });
  const key = randomUUID();
  const made = await ask<Made>(accountant, 'PostBankLine', input, key);
  expect(made).toMatchObject({ TransactionId: input.line, number: null, matched: false });
  // after an answer that was lost
  expect(await ask<Made>(accountant, 'PostBankLine', input, key)).toEqual(made);
  expect(await count('drafts where id = $1', [input.line])).toBe(1);
  expect(await count('documents where id = $1', [input.line])).toBe(0);
  expect(await count('bank_clearings where line = $1', [input.line])).toBe(0);
  expect(await lineOf('FROM ASHA')).toMatchObject({
    draft: { kind: 'saleReceipt', by: 'Meena Iyer', waits: false },
    suggestion: null,
    rule: null,
    settles: null,
  });
  // the same line again, by its author, by another, posted or kept
  for (const by of [accountant, shop.owner])
    for (const draft of [true, false])
      expect(await call(by, 'PostBankLine', { ...input, draft })).toMatchObject(drafted('Meena Iyer'));

  const which = { TransactionId: made.TransactionId, version: 1 };
  const sent = await ask<{ version: number }>(accountant, 'SubmitForApproval', which);
  expect(await lineOf('FROM ASHA')).toMatchObject({ draft: { waits: true } });
  expect(await call(shop.owner, 'PostBankLine', input)).toMatchObject(drafted('Meena Iyer'));
  await ask(approver, 'PostTransactionCalls', { ...which, version: sent.version });
  // now it is in the books, and which entry the line is needs no guess
  const line = await lineOf('FROM ASHA');
  expect(line).toMatchObject({ draft: null, suggestion: { document: input.line, by: 'reference' } });
  const entries = [{ document: line?.suggestion?.document, leg: line?.suggestion?.leg }];
  await ask(accountant, 'MatchBankLines', { ledger: bank, matches: [{ line: input.line, entries }] });
  expect(await lineOf('FROM ASHA')).toBeUndefined();
});

test('two who keep the same line at the same moment keep it once; a rejected draft that is deleted frees its line', async () => {
  const input = await asked('FROM ASHA AGAIN', { way: 'receipt', party: shop.customer });
  const both = await Promise.all([accountant, shop.owner].map((by) => call(by, 'PostBankLine', input)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.details).toMatchObject({ code: 'lineDrafted' });
  await ask(shop.owner, 'DeleteMultipleTransaction', { TransactionIds: [input.line], versions: [1] });
  expect(await lineOf('FROM ASHA AGAIN')).toMatchObject({ draft: null });
  await rules([]);
  expect(await ask<Made>(accountant, 'PostBankLine', input)).toMatchObject({ matched: true });
});

test('journals and contras wait as well, and what is cancelled leaves its line to be kept again', async () => {
  const cash = await shop.ledger('1110');
  await rules([{ kind: 'contra', from: '100' }]);
  const contra = await asked('TO THE TILL', { way: 'contra', counter: cash });
  expect(await ask<Made>(accountant, 'PostBankLine', contra)).toMatchObject({ number: null, matched: false });
  const charges = await asked('CHARGES', { way: 'expense', counter: await shop.ledger('6230') });
  const made = await ask<Made>(accountant, 'PostBankLine', charges);
  expect(made).toMatchObject({ matched: true, TransactionId: charges.line });
  const entries = await server.database.owner.query<{ document: string; leg: number }>(
    'select document, leg from bank_clearings where line = $1',
    [charges.line],
  );
  await ask(accountant, 'UnmatchBankLines', { ledger: bank, entries: entries.rows });
  await ask(shop.owner, 'CancelTransaction', {
    TransactionIds: [made.TransactionId],
    TransactionType: 'manualJournal',
    reason: 'Wrong',
  });
  await rules([{ kind: 'manualJournal', from: '0' }]);
  const again = await ask<Made>(accountant, 'PostBankLine', charges);
  expect(again).toMatchObject({ number: null, matched: false });
  // its id is that of what was cancelled
  expect(again.TransactionId).not.toBe(charges.line);
});
