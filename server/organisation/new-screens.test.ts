import { afterAll, beforeAll, expect, test } from 'vitest';
import { screens } from '../../contract/screens.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { migrateOn } from '../kit/database/migrate.ts';
import { offerNewScreens } from './new-screens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

const till = screens.PoS.id;
const orders = screens.WorkflowOrderlist.id;
const held = async (screen: number): Promise<readonly (readonly [string, number])[]> =>
  (
    await server.database.owner.query(
      `select r.name, g.level
         from role_grants g
         join roles r on r.organisation = g.organisation and r.id = g.role
        where g.screen = $1 and g.organisation = 1
        order by r.name`,
      [screen],
    )
  ).rows.map(({ name, level }) => [name, level] as const);

test('a database of the release before gives its owners full rights on new screens, once, and nobody else', async () => {
  const { owner } = server.database;
  const client = await owner.connect();
  try {
    // as it was: neither the table nor a grant on the screen
    await client.query('drop table offered_screens');
    await client.query(`delete from global_tables where name = 'offered_screens'`);
    await client.query(`delete from migrations where name like '0230-%'`);
    await client.query('delete from role_grants where screen = $1', [till]);
    expect(await held(till)).toEqual([]);
    expect(await migrateOn(client)).toEqual(['0230-offered-screens.sql']);
    expect(await offerNewScreens(client)).toBe(2);
    expect(await held(till)).toEqual([['Owner', 5003]]);
    expect((await (await server.signIn('owner@sharma.demo')).call('ListTills', {})).status).toBe(200);
    expect((await client.query('select count(*)::int from offered_screens where screen = $1', [till])).rows).toEqual([
      { count: 1 },
    ]);
    // a screen that a later release brings
    await client.query('delete from role_grants where screen = $1', [orders]);
    await client.query('delete from offered_screens where screen = $1', [orders]);
    expect(await offerNewScreens(client)).toBe(2);
    expect(await held(orders)).toEqual([['Owner', 5003]]);
    // what was taken away since is not given back by the next start
    await client.query('delete from role_grants where screen = $1', [till]);
    expect(await offerNewScreens(client)).toBe(0);
    expect(await held(till)).toEqual([]);
  } finally {
    client.release();
  }
});
