import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { checkPassword, hashPassword } from './password.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await db.owner.query(
    `insert into people (id, email, name, password_hash) values ($1, 'known@sharma.demo', 'Known', $2)`,
    [randomUUID(), await hashPassword('right pass phrase')],
  );
  await db.owner.query(`insert into people (id, email, name) values ($1, 'invited@sharma.demo', 'Invited')`, [
    randomUUID(),
  ]);
});
afterAll(() => db.drop());

test('S-08: what is said tells nothing of who exists, who is invited and who is locked', async () => {
  const said = new Set<unknown>();
  for (let n = 0; n < 7; n++)
    for (const email of ['known@sharma.demo', 'invited@sharma.demo', 'nobody@sharma.demo'])
      said.add(JSON.stringify(await checkPassword(db.app, email, 'wrong pass phrase')));
  expect(said.size).toBe(1);
  // locked, even for the right one, and still with the same sentence
  said.add(JSON.stringify(await checkPassword(db.app, 'known@sharma.demo', 'right pass phrase')));
  expect(said.size).toBe(1);
  await db.owner.query(`update people set locked_until = now() - interval '1 second' where locked_until is not null`);
  expect(await checkPassword(db.app, 'KNOWN@sharma.demo', 'right pass phrase')).toHaveProperty('person');
});
