import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNames, kindOf } from '../../domain/kinds/index.ts';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { makeDemoBooks } from '../demo-books.ts';
import { brokenInvariants } from '../kit/invariants.ts';
import { vault } from '../kit/secrets.ts';

let db: TestDatabase;
let half: Standing;
interface Standing {
  readonly documents: number;
  readonly people: number;
  readonly open: number;
}
const standing = async (): Promise<Standing> =>
  (
    await db.owner.query(
      `select (select count(*)::int from documents) as documents, (select count(*)::int from people) as people, (select count(*)::int from people where password_hash is not null) as open`,
    )
  ).rows[0];
const make = (progress: (done: string) => void = () => undefined) =>
  makeDemoBooks({ url: db.url, ownerUrl: db.ownerUrl, vault: vault(Buffer.alloc(32, 7)), progress, months: 4 });
beforeAll(async () => {
  db = await testDatabase();
  let days = 0;
  const stopped = make(() => {
    days += 1;
    if (days > 40) throw new Error('the power went');
  });
  await expect(stopped).rejects.toThrow('the power went');
  half = await standing();
  await Promise.all([make(), make()]);
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

test('an interrupted start lets nobody in; the next one, and another beside it, begin anew and make it once and whole', async () => {
  expect(half.documents).toBeGreaterThan(20);
  expect(half.open).toBe(0);
  const made = await standing();
  expect(made).toMatchObject({ people: half.people, open: half.people });
  const { rows } = await db.owner.query('select organisation, code from organisations order by organisation');
  expect(rows).toEqual([
    { organisation: 1, code: 'SHARMA' },
    { organisation: 2, code: 'NOVA' },
  ]);
  // nothing of the first attempt is left beside it
  const twice = await db.owner.query(
    `select from documents where kind = 'openingBalance' group by organisation having count(*) > 1`,
  );
  expect(twice.rowCount).toBe(0);
  // what is written once is so again, and a demo that somebody works with is left alone
  await expect(db.owner.query('truncate edit_log')).rejects.toThrow('written once');
  await expect(db.owner.query('delete from items')).rejects.toThrow('keeps its rows');
  await make();
  expect(await standing()).toEqual(made);
});
