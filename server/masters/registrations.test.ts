import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, addMonths, financialYearOf } from '../../domain/base/dates.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer();
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server.stop());

type Kept = { id: string; version: number; values: Record<string, unknown> };
const gstinOf = (start: string) => `${start}${gstinCheckDigit(start)}`;
const address = { line1: '88 Mount Road', city: 'Chennai', pincode: '600002' };
const chennai = {
  legalName: 'Sharma Traders Private Limited',
  gstin: gstinOf('33AAGCS4821F1Z'),
  state: '33',
  kind: 'regular',
  ...address,
};

test('a new registration numbers its documents at once, and not like another one', async () => {
  const made = (await owner.ask('SaveMaster', { master: 'registration', values: chennai })) as Kept;
  await owner.ask('SaveMaster', {
    master: 'location',
    values: { code: 'CHN', name: 'Chennai', registration: made.id, isTax: true, isPhysical: true, ...address },
  });
  const next = async (registration: string) =>
    (
      (await owner.ask('DocSeriesValidations', { Type: 'saleInvoice', registration, date: '2026-11-21' })) as {
        next: string | null;
      }
    ).next;
  expect(await next(made.id)).toBe('TINV/26-27/0001');
  const { registrations } = (await owner.ask('GetSession', {})) as { registrations: { id: string }[] };
  const numbers = await Promise.all(registrations.map((r) => next(r.id)));
  expect(new Set(numbers).size).toBe(3);
  // saving it again adds none
  const count = async () =>
    (
      await server.database.owner.query('select count(*)::int as n from number_series where registration = $1', [
        made.id,
      ])
    ).rows[0].n;
  const before = await count();
  await owner.ask('SaveMaster', {
    master: 'registration',
    id: made.id,
    version: made.version,
    values: { ...made.values, tradeName: 'Sharma' },
  });
  expect(await count()).toBe(before);
});

test('without GSTIN there is one registration, and its type says so', async () => {
  const { gstin: _, ...without } = chennai;
  const fields = async (values: Record<string, unknown>) => {
    const answer = await owner.call('SaveMaster', { master: 'registration', values });
    return answer.status === 200
      ? []
      : (answer.details as { problems: { field: string }[] }).problems.map((p) => p.field);
  };
  expect(await fields(without)).toEqual(['gstin']);
  expect(await fields({ ...chennai, kind: 'unregistered' })).toEqual(['kind']);
  expect(await fields({ ...without, kind: 'unregistered' })).toEqual([]);
  expect(await fields({ ...without, kind: 'unregistered' })).toEqual(['gstin']);
});

test('turnover is of the PAN: another registration says what it binds this one to, and nobody gets the amount by signing in', async () => {
  const session = async () =>
    (await owner.ask('GetSession', {})) as {
      today: string;
      registrations: { id: string; gstin: string; bound: object }[];
    };
  const { registrations, today } = await session();
  const start = Number(financialYearOf(today).start.slice(0, 4));
  const last = financialYearOf(`${start - 1}-04-01`).label;
  const typing = registrations[0]?.id ?? '';
  const kept = (await owner.ask('GetMaster', { master: 'registration', id: typing })) as unknown as Kept;
  const values = { ...kept.values, turnover: [{ year: last, amount: '120000000' }] };
  await owner.ask('SaveMaster', { master: 'registration', id: typing, version: kept.version, values });
  const bound = { sixDigits: [financialYearOf(today).label], portalDaysFrom: financialYearOf(today).start };
  const after = (await session()).registrations.filter(({ gstin }) => gstin?.slice(2, 12) === 'AAGCS4821F');
  expect(after.length).toBeGreaterThan(1);
  for (const each of after) expect(each).toMatchObject({ bound });
  expect(JSON.stringify(after)).not.toContain('12000000');
  const other = after.find(({ id }) => id !== typing)?.id ?? '';
  const form = (await owner.ask('GetMaster', { master: 'registration', id: other })) as unknown as Kept & {
    notices: string[];
  };
  expect(form.values['einvoice'] === true || form.notices.join().includes('₹5 crore')).toBe(true);
  const quarterly = await owner.call('SaveMaster', {
    ...{ master: 'registration', id: other, version: form.version },
    values: { ...form.values, filing: [{ from: financialYearOf(today).start, every: 'quarter' }] },
  });
  expect(quarterly).toMatchObject({ status: 422, details: { problems: [{ field: 'filing.from', row: 0 }] } });
});

const problemsOf = async (call: 'SaveMaster' | 'SaveOrganisation', input: object) => {
  const answer = await owner.call(call, input as never);
  return answer.status === 200 ? [] : (answer.details as { problems: { field: string; row?: number }[] }).problems;
};

test('a GSTIN of another PAN is refused at the GSTIN, and another PAN in the profile at the PAN', async () => {
  const values = { ...chennai, gstin: gstinOf('33AAKFN7310Q1Z') };
  expect(await problemsOf('SaveMaster', { master: 'registration', values })).toMatchObject([
    { field: 'gstin', message: expect.stringContaining('section 25(4)') },
  ]);
  const { version } = (await owner.ask('GetOrgDetails', {})) as { version: number };
  const profile = { name: 'Sharma', businessType: 'Trader', phone: '', email: '', website: '', version };
  expect(await problemsOf('SaveOrganisation', { ...profile, pan: 'AAKFN7310Q' })).toMatchObject([{ field: 'pan' }]);
  expect(await problemsOf('SaveOrganisation', { ...profile, pan: 'AAGCS4821F' })).toEqual([]);
});

test('registrations of one PAN are all under composition, or none is: a new one joins, and a change takes the others along', async () => {
  const found = { name: 'Sweets', code: 'SCHEME', gstin: gstinOf('29AAGCS4821F1Z'), kind: 'regular' } as const;
  await owner.ask('FoundOrganisation', {
    ...found,
    line1: '4 Temple Street',
    city: 'Mysuru',
    pincode: '570001',
    state: '29',
  });
  await owner.ask('SwitchOrganisation', { OrgCode: 'SCHEME' });
  const { registrations, today } = (await owner.ask('GetSession', {})) as {
    registrations: { id: string }[];
    today: string;
  };
  const first = async () =>
    (await owner.ask('GetMaster', { master: 'registration', id: registrations[0]?.id ?? '' })) as unknown as Kept;
  const composition = { ...chennai, kind: 'composition' };
  expect(await problemsOf('SaveMaster', { master: 'registration', values: composition })).toMatchObject([
    { field: 'kind', message: expect.stringContaining('section 10(2)') },
  ]);
  const made = (await owner.ask('SaveMaster', { master: 'registration', values: chennai })) as Kept;
  const from = addDays(financialYearOf(today).end, 1);
  const saved = (await owner.ask('SaveMaster', {
    ...{ master: 'registration', id: made.id, version: made.version },
    values: { ...chennai, statuses: [{ from, kind: 'composition' }] },
  })) as Kept;
  expect((await first()).values).toMatchObject({ kind: 'regular', statuses: [{ from, kind: 'composition' }] });
  // who works at one place changes nothing of another registration by it
  const { rows } = await server.database.owner.query<{ organisation: number; user: string; place: string }>(
    `select u.organisation, u.id as "user", l.id as place
       from users u
       join organisations o on o.organisation = u.organisation and o.code = 'SCHEME'
       join locations l on l.organisation = u.organisation and not l.is_transit`,
  );
  const [own] = rows;
  await server.database.owner.query('insert into user_locations (organisation, "user", location) values ($1, $2, $3)', [
    ...[own?.organisation, own?.user, own?.place],
  ]);
  const kept = await first();
  const atOnePlace = await server.signIn('owner@sharma.demo');
  await atOnePlace.ask('SwitchOrganisation', { OrgCode: 'SCHEME' });
  const limited = await atOnePlace.call('SaveMaster', {
    ...{ master: 'registration', id: registrations[0]?.id, version: kept.version },
    values: { ...kept.values, statuses: [] },
  } as never);
  expect(limited.status).toBe(403);
  await server.database.owner.query('delete from user_locations where organisation = $1', [own?.organisation]);
  // what a third one is from a day on is compared day by day
  const third = { ...chennai, gstin: gstinOf('33AAGCS4821F2Z') };
  const late = [{ from: addMonths(from, 12), kind: 'composition' }];
  expect(
    await problemsOf('SaveMaster', { master: 'registration', values: { ...third, statuses: late } }),
  ).toMatchObject([{ field: 'kind', message: expect.stringContaining('is Composition from') }]);
  // and back: the change is taken out of both
  await owner.ask('SaveMaster', { master: 'registration', id: saved.id, version: saved.version, values: chennai });
  expect((await first()).values).toMatchObject({ kind: 'regular', statuses: [] });
  await owner.ask('SwitchOrganisation', { OrgCode: 'SHARMA' });
});
