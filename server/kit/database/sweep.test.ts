import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { sweep } from './sweep.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test('what has expired goes, what has not stays; keys of 400 days', async () => {
  expect(await sweep(db.owner)).toMatchObject({ sessions: 0 }); // an empty database is no blindness
  const [person, user] = [randomUUID(), randomUUID()];
  await db.owner.query(`insert into organisations (code, name) values ('ONE', 'One')`);
  await db.owner.query(`insert into people (id, email, name) values ($1, 'a@b.example', 'A')`, [person]);
  await db.owner.query(
    `insert into users (organisation, id, person, email, name, accepted_at)
     select organisation, $1, $2, 'a@b.example', 'A', now() from organisations where code = 'ONE'`,
    [user, person],
  );
  await db.owner.query(
    `
      insert into sessions (digest, person, organisation, tokens, expires_at)
      values
        ('\\x01', $1, 1, '\\x00', now() - interval '1 minute'),
        ('\\x02', $1, 1, '\\x00', now() + interval '1 minute')
    `,
    [person],
  );
  await db.owner.query(
    `
      insert into issuer_records (model, id, payload, expires_at)
      values
        ('Session', 'old', '{}', now() - interval '1 second'),
        ('Session', 'new', '{}', now() + interval '1 minute')
    `,
  );
  await db.owner.query(
    `
      insert into sign_in_links (digest, purpose, expires_at)
      values ('\\x01', 'setup', now() - interval '31 days'), ('\\x02', 'setup', now())
    `,
  );
  await db.owner.query(
    `
      insert into sign_in_failures (account, address, failed, until)
      values ('\\x01', 'a', 5, now() - interval '1 second'), ('\\x01', 'b', 5, now() + interval '1 minute')
    `,
  );
  await db.owner.query(
    `insert into sign_in_places (person, address, at) values ($1, 'a', now() - interval '181 days'), ($1, 'b', now())`,
    [person],
  );
  await db.owner.query(
    `insert into knocks (page, address, taken, until)
     values ('/sign-in', 'a', 1, now() - interval '1 second'), ('/sign-in', 'b', 1, now() + interval '1 minute')`,
  );
  for (const days of [399, 401])
    await db.owner.query(
      `
        insert into idempotency_keys (organisation, "user", key, digest, answer, at)
        values (1, $1, $2, '\\x00', '{}', now() - make_interval(days => $3))
      `,
      [user, randomUUID(), days],
    );
  expect(await sweep(db.owner)).toEqual({
    issuerRecords: 1,
    sessions: 1,
    signInLinks: 1,
    signInPlaces: 1,
    signInFailures: 1,
    knocks: 1,
    idempotencyKeys: 1,
    imports: 0,
  });
  expect((await db.owner.query('select at from idempotency_keys')).rowCount).toBe(1);
});

test('a role that sees no rows is an error, not a clean result', async () => {
  // the application's role sees no organisation without naming one
  const blind = new pg.Pool({ connectionString: db.url, max: 1 });
  await db.owner.query('grant select on sequence organisations_organisation_seq to bahi_app');
  await expect(sweep(blind)).rejects.toThrow('the sweep sees no organisation');
  await blind.end();
});
