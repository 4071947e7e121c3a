import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { superuserOf } from '../../../tools/testing/books.ts';
import { type ClonedDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { refuseWeakRole } from './application-role.ts';

let db: ClonedDatabase;
let superuser: Awaited<ReturnType<typeof superuserOf>>;
/** Roles are the cluster's: ours are named after our database. */
const role = (name: string) => `${name}_${db.name}`;
const as = (name: string) => db.url.replace(/user=[a-z_]+/, `user=${role(name)}`);

beforeAll(async () => {
  db = await testDatabase();
  superuser = await superuserOf(db);
  for (const sql of [
    `create role ${role('plain')} login`,
    `create role ${role('member')} login noinherit in role bahi_owner`,
    `create role ${role('passing')} bypassrls`,
    `create role ${role('between')} in role ${role('passing')}`,
    `create role ${role('far')} login in role ${role('between')}`,
    `create role ${role('strong')} login bypassrls`,
  ])
    await superuser.client.query(sql);
});
afterAll(async () => {
  for (const name of ['plain', 'member', 'far', 'between', 'passing', 'strong'])
    await superuser.client.query(`drop role if exists ${role(name)}`);
  await superuser.leave();
  await db.drop();
});

test('a role that owns or bypasses is refused, and so is a member of one, however far', async () => {
  expect(inject('appUrl')).toContain('user=');
  await refuseWeakRole(db.url);
  await refuseWeakRole(as('plain'));
  await expect(refuseWeakRole(as('strong'))).rejects.toThrow('owns tables or may bypass row-level security');
  await expect(refuseWeakRole(db.ownerUrl)).rejects.toThrow('give the application a role of its own');
  await expect(refuseWeakRole(as('member'))).rejects.toThrow('is a member of bahi_owner');
  await expect(refuseWeakRole(as('far'))).rejects.toThrow(`is a member of ${role('passing')}`);
});
