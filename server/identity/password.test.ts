import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../tools/testing/database.ts';
import { vault } from '../kit/secrets/secrets.ts';
import { checkPassword, hashPassword } from './password.ts';
import { takeCode } from './second-factor.ts';
import { codeAt, newSecret, stepAt } from './totp.ts';

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

test('S-08: no answer shows who exists, who is invited and who is locked', async () => {
  const said = new Set<unknown>();
  for (let n = 0; n < 7; n++)
    for (const email of ['known@sharma.demo', 'invited@sharma.demo', 'nobody@sharma.demo'])
      said.add(JSON.stringify(await checkPassword(db.app, email, 'wrong pass phrase')));
  expect(said.size).toBe(1);
  // locked, even for the right one, and still with the same sentence
  said.add(JSON.stringify(await checkPassword(db.app, 'known@sharma.demo', 'right pass phrase')));
  expect(said.size).toBe(1);
  // who guessed is locked out, the owner of the account is not
  expect(await checkPassword(db.app, 'known@sharma.demo', 'right pass phrase', '198.51.100.7')).toHaveProperty(
    'person',
  );
  await db.owner.query(`update sign_in_failures set until = now() - interval '1 second'`);
  expect(await checkPassword(db.app, 'KNOWN@sharma.demo', 'right pass phrase')).toHaveProperty('person');
  expect((await db.owner.query(`select from sign_in_failures where address = '' and failed > 0`)).rowCount).toBe(2);
});

test('S-08, S-50: five wrong passwords in fifteen minutes lock out their address, and no other', async () => {
  const guess = (address: string) => checkPassword(db.app, 'known@sharma.demo', 'wrong pass phrase', address);
  const enter = (address: string) => checkPassword(db.app, 'known@sharma.demo', 'right pass phrase', address);
  await db.owner.query('delete from sign_in_failures');
  for (let n = 0; n < 4; n++) await guess('203.0.113.1');
  expect(await enter('203.0.113.1')).toHaveProperty('person');
  // the right one began the counting anew
  for (let n = 0; n < 4; n++) await guess('203.0.113.1');
  expect(await enter('203.0.113.1')).toHaveProperty('person');
  for (let n = 0; n < 5; n++) await guess('203.0.113.1');
  // the sentence says what is closed, and to whom
  expect(await enter('203.0.113.1')).toEqual({
    wrong: expect.objectContaining({
      message: expect.stringMatching(/5 wrong passwords from one internet address, the account is closed to that/),
    }),
  });
  // while it is closed guesses are not checked, and the lock ends after fifteen minutes
  const until = async () =>
    (await db.owner.query(`select until from sign_in_failures where address = '203.0.113.1'`)).rows;
  const before = await until();
  await guess('203.0.113.1');
  expect(await until()).toEqual(before);
});

test('S-50: guessing from many addresses locks nobody out, is slow, and raises an alert', async () => {
  await db.owner.query('delete from sign_in_failures');
  const guess = (address: string) => checkPassword(db.app, 'known@sharma.demo', 'wrong pass phrase', address);
  const enter = (address: string) => checkPassword(db.app, 'known@sharma.demo', 'right pass phrase', address);
  const took = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const home = '198.51.100.7';
  expect(await enter(home)).toHaveProperty('person');
  for (let n = 0; n < 50; n++) await guess(`203.0.113.${10 + n}`);
  // the right password opens from an address that is new to the account, after a wait, and where they were before at once
  expect(await took(() => enter(home))).toBeLessThan(1500);
  const elsewhere = '198.51.100.99';
  expect(await took(async () => expect(await enter(elsewhere)).toHaveProperty('person'))).toBeGreaterThan(1900);
  // a new address has two tries, and is closed for a day then
  const other = '203.0.113.200';
  expect(await took(() => Promise.all([guess(other), guess(other)]))).toBeGreaterThan(1900);
  expect(await took(async () => expect(await enter(other)).toHaveProperty('wrong'))).toBeLessThan(1500);
  const { rows } = await db.owner.query<{ long: boolean }>(
    `select until > now() + interval '23 hours' as long from sign_in_failures where address = $1 and account <> ''`,
    [other],
  );
  expect(rows).toEqual([{ long: true }]);
  expect(await enter(home)).toHaveProperty('person');
}, 60_000);

test('wrong codes close the address that they come from, and no other; many of them make guessing slow', async () => {
  await db.owner.query('delete from sign_in_failures; delete from sign_in_places');
  const keeper = vault(Buffer.alloc(32, 1));
  const secret = newSecret();
  const { rows } = await db.owner.query<{ id: string }>(`select id from people where email = 'second@sharma.demo'`);
  const id = rows[0]?.id ?? '';
  await db.owner.query('update people set totp_secret = $2 where id = $1', [
    id,
    keeper.seal(secret.toString('base64'), `second factor of ${id}`),
  ]);
  let now = Date.now();
  const factors = { books: { pool: db.app }, vault: keeper, now: () => now };
  const guess = (from: string) => takeCode(factors, id, '000000', from);
  /** Each code counts once. */
  const enter = (from: string) => {
    now += 30_000;
    return takeCode(factors, id, codeAt(secret, stepAt(now)), from);
  };
  for (let n = 0; n < 5; n++) expect(await guess('203.0.113.1')).toBeDefined();
  expect(await enter('203.0.113.1')).toBeDefined();
  expect(await enter('198.51.100.7')).toBeUndefined();
  for (let n = 0; n < 5; n++) expect(await guess(`203.0.113.${10 + n}`)).toBeDefined();
  const began = performance.now();
  expect(await enter('198.51.100.7')).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(1500);
  expect(await enter('198.51.100.99')).toBeUndefined();
  expect(performance.now() - began).toBeGreaterThan(1900);
  // the password alone makes no address one where the person has signed in
  const places = async () =>
    (await db.owner.query('select from sign_in_places where person = $1 and address = $2', [id, '203.0.113.250']))
      .rowCount;
  expect(await checkPassword(db.app, 'second@sharma.demo', 'right pass phrase', '203.0.113.250')).toHaveProperty(
    'person',
  );
  expect(await places()).toBe(0);
  expect(await enter('203.0.113.250')).toBeUndefined();
  expect(await places()).toBe(1);
  await db.owner.query('update people set totp_secret = null where id = $1', [id]);
}, 60_000);

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
    checkPassword(db.app, 'known@sharma.demo', `guess number ${n}`, '192.0.2.77'),
  );
  await Promise.all(guesses);
  const { rows } = await db.owner.query<{ failed: number }>(
    `select failed from sign_in_failures where address = 'everywhere'`,
  );
  expect(rows[0]?.failed ?? 0).toBeLessThanOrEqual(5);
  // a right one between them would clear the count, so it comes after them
  expect(await checkPassword(db.app, 'known@sharma.demo', 'right pass phrase', '192.0.2.77')).toHaveProperty('wrong');
});
