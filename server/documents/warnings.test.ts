import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/dates.ts';
import { openShop, type Shop } from '../../e2e/shop.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
});
afterAll(() => server.stop());

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(Date.now());
const journal = async (date: string, more = {}) => {
  const { rows } = await server.database.owner.query<{ id: string }>(
    `select id from ledgers where organisation = (select organisation from items where id = $1) and code in ('4310', '6110', '6490', '3110') and not is_group order by code limit 2`,
    [shop.item],
  );
  const [debit, credit] = rows.map(({ id }) => id);
  return {
    kind: 'journalVoucher',
    date,
    ...shop.place,
    narration: 'Provision',
    lines: [
      { ledger: debit, debit: '10.00' },
      { ledger: credit, credit: '10.00' },
    ],
    ...more,
  };
};

test('journal dated in the future: posted with a warning, and the same key answers the same warning', async () => {
  const document = await journal(addDays(today(), 30));
  const warning = { code: 'futureDate', field: 'date' };
  const priced = await shop.owner.call('GetTaxCalculation', { draft: document } as never);
  expect(priced.details).toMatchObject({ problems: [], warnings: [warning] });
  const key = randomUUID();
  const posted = await shop.owner.call('PostTransactionCalls', { document } as never, key);
  expect(posted).toMatchObject({ status: 200, details: { warnings: [warning] } });
  expect(await shop.owner.call('PostTransactionCalls', { document } as never, key)).toEqual(posted);
});

test('journal of today: no warning', async () => {
  const posted = await shop.owner.call(
    'PostTransactionCalls',
    { document: await journal(today()) } as never,
    randomUUID(),
  );
  expect(posted).toMatchObject({ status: 200, details: { warnings: [] } });
});

test('a reason for a warning that does not exist is a problem', async () => {
  const document = await journal(today(), { accepted: [{ warning: 'noSuchWarning', reason: 'because' }] });
  const refused = await shop.owner.call('PostTransactionCalls', { document } as never, randomUUID());
  expect(refused).toMatchObject({ status: 422, details: { problems: [{ field: 'accepted' }] } });
});
