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
  await db.owner.query(
    `insert into people (id, email, name, password_hash) values ($1, 'second@sharma.demo', 'Second', $2)`,
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
  // the door is closed to who guessed, not to whom the account belongs
  expect(await checkPassword(db.app, 'known@sharma.demo', 'right pass phrase', '198.51.100.7')).toHaveProperty(
    'person',
  );
  await db.owner.query(`update sign_in_failures set until = now() - interval '1 second'`);
  expect(await checkPassword(db.app, 'KNOWN@sharma.demo', 'right pass phrase')).toHaveProperty('person');
  expect((await db.owner.query(`select from sign_in_failures where address = '' and failed > 0`)).rowCount).toBe(2);
});

test('S-08, S-50: five wrong ones in fifteen minutes close the door to their address; fifty from everywhere to addresses that are new to the account', async () => {
  const guess = (address: string) => checkPassword(db.app, 'known@sharma.demo', 'wrong pass phrase', address);
  const enter = (address: string) => checkPassword(db.app, 'known@sharma.demo', 'right pass phrase', address);
  await db.owner.query('delete from sign_in_failures');
  for (let n = 0; n < 4; n++) await guess('203.0.113.1');
  expect(await enter('203.0.113.1')).toHaveProperty('person');
  // the right one began the counting anew
  for (let n = 0; n < 4; n++) await guess('203.0.113.1');
  expect(await enter('203.0.113.1')).toHaveProperty('person');
  for (let n = 0; n < 5; n++) await guess('203.0.113.1');
  expect(await enter('203.0.113.1')).toHaveProperty('wrong');
  // while it is closed guessing goes on for nothing, and the door opens when the quarter of an hour is over
  const until = async () =>
    (await db.owner.query(`select until from sign_in_failures where address = '203.0.113.1'`)).rows;
  const before = await until();
  await guess('203.0.113.1');
  expect(await until()).toEqual(before);
  for (let n = 0; n < 37; n++) await guess(`203.0.113.${10 + n}`);
  expect(await enter('198.51.100.99')).toHaveProperty('wrong');
  // nobody is locked out by others where they have signed in before
  expect(await enter('198.51.100.7')).toHaveProperty('person');
});

test('who tries one password on many accounts is stopped; an office behind the same address goes on', async () => {
  await db.owner.query('delete from sign_in_failures');
  const office = '192.0.2.50';
  const enter = (email: string) => checkPassword(db.app, email, 'right pass phrase', office);
  expect(await enter('known@sharma.demo')).toHaveProperty('person');
  for (let n = 0; n < 100; n++) await checkPassword(db.app, `somebody${n}@sharma.demo`, 'Summer2026!!', office);
  expect(await enter('second@sharma.demo')).toHaveProperty('wrong');
  expect(await enter('known@sharma.demo')).toHaveProperty('person');
});

test('of many guesses at the same moment no more than five are looked at', async () => {
  await db.owner.query('delete from sign_in_failures');
  const guesses = Array.from({ length: 12 }, (_, n) =>
    checkPassword(db.app, 'known@sharma.demo', n < 11 ? `guess number ${n}` : 'right pass phrase', '192.0.2.77'),
  );
  await Promise.all(guesses);
  const { rows } = await db.owner.query<{ failed: number }>(
    `select failed from sign_in_failures where address = 'everywhere'`,
  );
  expect(rows[0]?.failed ?? 0).toBeLessThanOrEqual(5);
});
