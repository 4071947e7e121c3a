import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { calls } from '../../../contract/calls.ts';
import { mountCalls, reading } from '../../http/handle.ts';
import { troubleOf } from './trouble.ts';

test.each([
  ['full', { code: '53100', message: 'could not extend file "base/16384/2619": No space left on device' }],
  ['broken', { code: '58030', message: 'could not read blocks 3..3 in file "base/16384/2619": Input/output error' }],
  ['broken', { code: '42501', message: 'could not open file "base/16384/2619": Read-only file system' }],
  ['away', { code: '57P03', message: 'the database system is in recovery mode' }],
  ['away', { code: '25006', message: 'cannot execute INSERT in a read-only transaction' }],
  ['away', { message: 'Connection terminated unexpectedly' }],
  ['away', { code: 'ENOENT', syscall: 'connect', message: 'connect ENOENT run/.s.PGSQL.5432' }],
  [undefined, { code: 'ENOENT', syscall: 'open', message: 'ENOENT: no such file or directory' }],
  [undefined, { code: '42501', message: 'permission denied for table entries' }],
  [undefined, { code: '23505', message: 'duplicate key value violates unique constraint' }],
  [undefined, new TypeError('x is not a function')],
])('%s: %j', (trouble, error) => expect(troubleOf(error)).toBe(trouble));

test('what only looks is asked once more when the line was down; what writes never is', async () => {
  const cut = new Error('Client has encountered a connection error and is not queryable');
  const asked = async (operation: Parameters<typeof reading>[0], ...answers: (Error | string)[]) => {
    let times = 0;
    const answer = await reading(operation, async () => {
      const next = answers[times++];
      if (next instanceof Error) throw next;
      return next;
    }).catch((error: Error) => error.message);
    return [answer, times];
  };
  const { GetSession, SavePreferences, RunReport, GetTaxCalculation, CancelTransaction } = calls;
  expect(await asked(GetSession, cut, 'there')).toEqual(['there', 2]);
  expect(await asked(GetSession, cut, cut, 'there')).toEqual([cut.message, 2]);
  expect(await asked(GetSession, new Error('a bug'), 'there')).toEqual(['a bug', 1]);
  expect(await asked(SavePreferences, cut, 'there')).toEqual([cut.message, 1]);
  // what is read by POST looks too, what is changed by GET does not
  expect(await asked(RunReport, cut, 'there')).toEqual(['there', 2]);
  expect(await asked(GetTaxCalculation, cut, 'there')).toEqual(['there', 2]);
  expect(await asked(CancelTransaction, cut, 'there')).toEqual([cut.message, 1]);
});

test('whose session it is is looked up once more when the line was down', async () => {
  const cut = new Error('Connection terminated unexpectedly');
  const answers: (Error | undefined)[] = [cut, undefined];
  const find = async () => {
    const next = answers.shift();
    if (next) throw next;
  };
  const app = Fastify();
  await app.register(cookie);
  mountCalls(app, {
    sessions: { find },
    cookie: 'bahi_session',
    log: () => undefined,
    troubled: () => undefined,
  } as never);
  const asked = () => app.inject({ url: '/api/session/GetSession', cookies: { bahi_session: 'a session' } });
  expect((await asked()).statusCode).toBe(401);
  expect(answers).toEqual([]);
  // twice in a row it is a trouble of the database
  answers.push(cut, cut);
  expect((await asked()).statusCode).toBe(503);
  await app.close();
});
