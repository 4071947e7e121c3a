import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await testServer({}, { jobs: true });
  owner = await server.signIn('owner@sharma.demo');
});
afterAll(() => server?.stop());

interface Kept {
  readonly id: string;
  readonly values: Record<string, unknown>;
}
const users = async (): Promise<readonly Kept[]> =>
  ((await owner.ask('ListMasters', { master: 'user' })) as { rows: Kept[] }).rows;
const invite = async (email: string): Promise<string> => {
  const role = ((await owner.ask('ListMasters', { master: 'role' })) as { rows: Kept[] }).rows.find(
    (r) => r.values['name'] === 'Viewer',
  );
  return (
    (await owner.ask('SaveMaster', {
      master: 'user',
      values: { name: email.split('@')[0], email, roles: [role?.id], locations: [] },
    })) as { id: string }
  ).id;
};
const post = (path: string, form: Record<string, string>) =>
  fetch(`${server.url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
const caughtBy = (email: string) => server.catcher.mails().filter(({ recipients }) => recipients.includes(email));
const tokenIn = (text: string): string => /\/invitation#([\w-]{43})/.exec(text.replaceAll('\r\n', '\n'))?.[1] ?? '';
const forget = async (email: string): Promise<string> => {
  const answer = await post('/forgotten', { email });
  expect(answer.status).toBe(200);
  return answer.text();
};
const links = async (email: string): Promise<number> =>
  Number(
    (
      await server.database.owner.query(
        `select count(*) from sign_in_links l join people p on p.id = l.person where p.email = $1 and l.used_at is null`,
        [email],
      )
    ).rows[0].count,
  );

test('an invitation is mailed to the user, whoever asked for it does not see the link, and it opens the place', async () => {
  const user = await invite('kiran@sharma.demo');
  const answer = (await owner.ask('MailSignInLink', { user })) as object;
  expect(answer).toEqual({ email: 'kiran@sharma.demo', purpose: 'invitation', expiresAt: expect.any(String) });
  const [mail] = caughtBy('kiran@sharma.demo');
  expect(mail?.message.header('subject')).toBe('Invitation to the books of Sharma Traders Private Limited');
  expect(mail?.message.header('reply-to')).toBe('owner@sharma.demo');
  expect(mail?.message.text).toContain('Ravi Sharma invites you to the books of Sharma Traders Private Limited');
  const token = tokenIn(mail?.message.text ?? '');
  expect(JSON.stringify(answer)).not.toContain(token);
  const { rows } = await server.database.owner.query(
    `
      select (select jsonb_agg(to_jsonb(l)) from sign_in_links l)::text || coalesce(
        (select jsonb_agg(to_jsonb(e)) from edit_log e)::text, ''
      ) as kept
    `,
  );
  expect(token).toHaveLength(43);
  expect(rows[0].kept).not.toContain(token);
  const password = 'correct horse battery';
  expect((await post('/invitation', { token, password, again: password })).status).toBe(200);
  await server.signIn('kiran@sharma.demo', password);

  // once taken up, the same call mails a link to set a new password
  expect(await owner.ask('MailSignInLink', { user })).toMatchObject({ purpose: 'password' });
  expect(caughtBy('kiran@sharma.demo')[0]?.message.header('subject')).toBe('Set a new password for Bahi');
});

test('who may not make a link may not mail one, and other organisations’ users are not there', async () => {
  const user = await invite('bina@sharma.demo');
  expect((await (await server.signIn('viewer@sharma.demo')).call('MailSignInLink', { user })).status).toBe(403);
  expect((await (await server.signIn('owner@nova.demo')).call('MailSignInLink', { user })).status).toBe(404);
  const own = (await users()).find(({ values }) => values['email'] === 'owner@sharma.demo');
  expect((await owner.call('MailSignInLink', { user: own?.id ?? '' })).status).toBe(409);
  expect(caughtBy('bina@sharma.demo')).toEqual([]);
  expect(await links('bina@sharma.demo')).toBe(0);
});

test('a forgotten password: the link goes to the mail box alone, opens once, and ends the sessions; nobody learns who exists', async () => {
  expect(await (await fetch(`${server.url}/forgotten`)).text()).toContain('Forgot your password?');
  const session = await server.signIn('accountant@sharma.demo');
  const known = await forget(' ACCOUNTANT@sharma.demo ');
  expect((await forget('nobody@sharma.demo')).replaceAll(/nonce="[^"]*"/g, '')).toBe(
    known.replaceAll(/nonce="[^"]*"/g, ''),
  );
  await expect.poll(() => caughtBy('accountant@sharma.demo').length, { timeout: 10_000 }).toBe(1);
  await forget('accountant@sharma.demo'); // a second one so soon is the first one
  const [mail] = caughtBy('accountant@sharma.demo');
  expect(mail?.message.text).toContain('If it was not you, do nothing');
  const token = tokenIn(mail?.message.text ?? '');
  const kept = await server.database.owner.query(
    `
      select o.payload::text as payload
      from outbox o
      join people p on p.id::text = o.payload ->> 'person'
      where o.task = 'forgottenPassword' and p.email = 'accountant@sharma.demo'
    `,
  );
  expect(kept.rows).toHaveLength(1);
  expect(kept.rows[0].payload).not.toContain(token);
  const password = 'a new long phrase';
  expect((await post('/invitation', { token, password, again: password })).status).toBe(200);
  expect((await post('/invitation', { token, password, again: password })).status).toBe(404);
  await expect.poll(async () => (await session.call('GetStates', {})).status, { timeout: 5000 }).toBe(401);
  await server.signIn('accountant@sharma.demo', password);
  expect(caughtBy('nobody@sharma.demo')).toEqual([]);
  expect(caughtBy('accountant@sharma.demo')).toHaveLength(1);
});

test('who works in two organisations gets a new password only this way; who was only invited does not', async () => {
  const user = await invite('accountant@nova.example');
  await forget('accountant@nova.example');
  const both = (
    await server.database.owner.query(
      `
        insert into users (organisation, id, person, email, name, active, accepted_at)
        select
          (select organisation from organisations where code = 'NOVA'),
          gen_random_uuid(), person, email, name, true, now()
        from users
        where email = 'approver@sharma.demo'
        returning id
      `,
    )
  ).rows;
  expect(both).toHaveLength(1);
  const approver = (await users()).find(({ values }) => values['email'] === 'approver@sharma.demo');
  expect((await owner.call('MailSignInLink', { user: approver?.id ?? '' })).status).toBe(409);
  await forget('approver@sharma.demo');
  await expect.poll(() => caughtBy('approver@sharma.demo').length, { timeout: 10_000 }).toBe(1);
  const password = 'a phrase of my own';
  expect(
    (
      await post('/invitation', {
        token: tokenIn(caughtBy('approver@sharma.demo')[0]?.message.text ?? ''),
        password,
        again: password,
      })
    ).status,
  ).toBe(200);
  await server.signIn('approver@sharma.demo', password);
  expect(caughtBy('accountant@nova.example')).toEqual([]);
  expect(user).toBeTruthy();
});

test('a mail server that does not answer: whoever asks gets the reason, the link opens nothing, and a job tries again', async () => {
  const silent = await testServer({}, { jobs: true, smtpUrl: 'smtp://127.0.0.1:9' });
  try {
    const admin = await silent.signIn('owner@sharma.demo');
    const viewer = ((await admin.ask('ListMasters', { master: 'user' })) as { rows: Kept[] }).rows.find(
      ({ values }) => values['email'] === 'viewer@sharma.demo',
    );
    expect(await admin.call('MailSignInLink', { user: viewer?.id ?? '' })).toMatchObject({
      status: 503,
      message: 'The mail could not be sent: The mail server cannot be reached',
    });
    await fetch(`${silent.url}/forgotten`, { method: 'POST', body: new URLSearchParams({ email: 'owner@nova.demo' }) });
    await expect
      .poll(
        async () =>
          (
            await silent.database.owner.query(
              `select attempts, last_error from graphile_worker.jobs where task_identifier = 'forgottenPassword'`,
            )
          ).rows,
        { timeout: 10_000 },
      )
      .toMatchObject([{ attempts: 1, last_error: 'The mail server cannot be reached' }]);
    expect((await silent.database.owner.query('select from sign_in_links')).rowCount).toBe(0);
    expect(silent.failures.filter((line) => line.includes('mail'))).toEqual([]);
  } finally {
    await silent.stop();
  }
});

test('without a mail server nothing offers it', async () => {
  const without = await testServer({}, { catcher: undefined });
  try {
    const admin = await without.signIn('owner@sharma.demo');
    expect(await admin.ask('GetSession', {})).toMatchObject({ mails: false });
    expect(await (await fetch(`${without.url}/forgotten`)).text()).not.toContain('Forgot your password?');
    expect(
      await admin.call('MailSignInLink', {
        user: ((await admin.ask('ListMasters', { master: 'user' })) as { rows: Kept[] }).rows[0]?.id ?? '',
      }),
    ).toMatchObject({ status: 409, details: { code: 'noMail' } });
  } finally {
    await without.stop();
  }
});
