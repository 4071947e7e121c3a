import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
/** Owner of NOVA, and a viewer of SHARMA besides. */
let both: Visitor;
beforeAll(async () => {
  server = await testServer();
  await server.database.owner.query(`
    insert into users (organisation, id, person, email, name, accepted_at)
    select o.organisation, gen_random_uuid(), p.id, p.email, 'Lakshmi at Sharma', now()
    from organisations o, people p
    where o.code = 'SHARMA' and p.email = 'owner@nova.demo'
  `);
  await server.database.owner.query(`
    insert into user_roles (organisation, "user", role)
    select u.organisation, u.id, r.id
    from users u
    join roles r on r.organisation = u.organisation and r.name = 'Viewer'
    where u.name = 'Lakshmi at Sharma'
  `);
  both = await server.signIn('owner@nova.demo');
  await both.ask('SwitchOrganisation', { OrgCode: 'NOVA' });
});
afterAll(() => server.stop());

const place = { OrgCode: 'SHARMA' };

test('OrgCode chooses another own organisation for one call, with the rights held there', async () => {
  expect(await both.ask('GetSession', {})).toMatchObject({ name: 'Lakshmi Narayanan', organisation: { code: 'NOVA' } });
  expect(await both.ask('GetSession', place as never)).toMatchObject({
    name: 'Lakshmi at Sharma',
    organisation: { code: 'SHARMA' },
    grants: { 'Sale Invoice': 5000 },
  });
  expect(await both.ask('GetOrgDetails', { orgCode: 'SHARMA' })).toMatchObject({ code: 'SHARMA' });
  expect(await both.ask('GetLocationListByUserId', place)).toHaveLength(3);
  const category = { master: 'category', values: { code: 'LIGHT', name: 'Lighting' } };
  expect((await both.call('SaveMaster', { ...category, ...place } as never)).status).toBe(403);
  await both.ask('SaveMaster', { ...category, OrgCode: 'NOVA' } as never);
  const listed = async (where: object) =>
    ((await both.ask('ListMasters', { master: 'category', ...where } as never)) as { rows: unknown[] }).rows.length;
  expect([await listed({}), await listed({ OrgCode: 'NOVA' }), await listed(place)]).toEqual([1, 1, 0]);
  // and the session stays where it was
  expect(await both.ask('GetSession', {})).toMatchObject({ organisation: { code: 'NOVA' } });
});

test('an organisation one is not in looks like one that does not exist, also once the place there has ended', async () => {
  const owner = await server.signIn('owner@sharma.demo');
  const foreign = await owner.call('GetOrgDetails', { orgCode: 'NOVA' });
  const unknown = await owner.call('GetOrgDetails', { orgCode: 'NOWHERE' });
  expect([foreign.status, foreign.message]).toEqual([404, unknown.message]);
  await server.database.owner.query(`update users set active = false where name = 'Lakshmi at Sharma'`);
  await expect
    .poll(async () => (await both.call('GetOrgDetails', { orgCode: 'SHARMA' })).status, { timeout: 5000 })
    .toBe(404);
  expect((await both.call('GetOrgDetails', {})).status).toBe(200);
});
