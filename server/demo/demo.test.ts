import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNames, kindOf } from '../../domain/kinds/index.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { hashPassword } from '../identity/password.ts';
import { brokenInvariants } from '../kit/invariants.ts';
import { vault } from '../kit/secrets.ts';
import { DEMO_PASSWORD, demoFoundings } from '../organisation/demo.ts';
import { foundOrganisation } from '../organisation/found.ts';
import { seedDemo } from './index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  const client = new pg.Client({ connectionString: db.ownerUrl });
  await client.connect();
  for (const founding of demoFoundings(await hashPassword(DEMO_PASSWORD))) await foundOrganisation(client, founding);
  await client.end();
  await seedDemo(db.url, vault(Buffer.alloc(32, 7)), () => undefined, 4);
}, 60_000);
afterAll(() => db.drop());

test('the demo has documents of every kind that a user can make, and its books hold', async () => {
  const { rows } = await db.owner.query<{ kind: string }>(
    `select distinct d.kind from documents d join organisations o using (organisation) where o.code = 'SHARMA'`,
  );
  expect(rows.map((r) => r.kind)).toEqual(expect.arrayContaining(kindNames.filter((k) => !kindOf(k).system)));
  expect(await brokenInvariants(db.owner)).toEqual([]);
});

test('the demo trades within its means, and what goes to Saudi Arabia goes to Riyadh', async () => {
  const { rows } = await db.owner.query<{ least: number }>(
    `select min(balance)::float as least from (select sum(sum(t.debit - t.credit)) over (partition by t.organisation, t.ledger order by t.day) as balance
       from ledger_day_totals t join ledgers l on l.organisation = t.organisation and l.id = t.ledger where l.code in ('1110', '1121') group by t.organisation, t.ledger, t.day) x`,
  );
  expect(rows[0]?.least).toBeGreaterThan(0);
  const saudi = await db.owner.query(
    `select distinct p.country from documents d join parties p on p.organisation = d.organisation and p.id = d.party where d.kind = 'saudiInvoice'`,
  );
  expect(saudi.rows).toEqual([{ country: 'SA' }]);
});

test('goods between the own places have arrived, but for those that left on the last day', async () => {
  const { rows } = await db.owner.query<{ date: string; last: string }>(
    `select d.date::text as date, (select max(x.date)::text from documents x where x.organisation = d.organisation) as last
       from documents d join organisations o using (organisation) cross join lateral carried_out(d.organisation, d.id) f
      where o.code = 'SHARMA' and d.kind = 'branchTransfer' and f.taken < f.wanted`,
  );
  expect(rows.length).toBe(1);
  expect(rows[0]?.date).toBe(rows[0]?.last);
});
