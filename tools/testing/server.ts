import { randomUUID } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import { inject } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Operation, Sent } from '../../contract/contract.ts';
import { inEnglish, type Text } from '../../domain/base/say.ts';
import { sandboxCredentials } from '../../server/demo/index.ts';
import { limits } from '../../server/http/load.ts';
import { hashPassword } from '../../server/identity/password.ts';
import { systemClock } from '../../server/kit/clock.ts';
import { type Catcher, catchMail } from '../../server/mail/index.ts';
import { DEMO_PASSWORD, demoFoundings } from '../../server/organisation/demo.ts';
import { type Founded, foundOrganisation } from '../../server/organisation/found.ts';
import { type ServerOptions, startServer } from '../../server/process/server.ts';
import { sealAll } from './books.ts';
import { administer, type TestDatabase, testDatabase } from './database.ts';
import { freePort } from './ports.ts';

export interface Answered {
  readonly status: number;
  readonly details: unknown;
  readonly message: string;
}

/** A signed-in browser without a page: a cookie, the proof of origin, and a key for calls that post. */
export interface Visitor {
  readonly cookie: string;
  call<N extends CallName>(name: N, input: Sent<(typeof calls)[N]>, key?: string): Promise<Answered>;
  /** The same, but anything but success fails the test. */
  ask<N extends CallName>(name: N, input: Sent<(typeof calls)[N]>, key?: string): Promise<never>;
}

export interface TestServer {
  readonly url: string;
  readonly database: TestDatabase;
  readonly organisations: readonly Founded[];
  /** The clock of the server, in milliseconds; tests set it. */
  readonly clock: { at: number | undefined };
  /** What the server has logged as gone wrong. */
  readonly failures: readonly string[];
  /** That somebody was refused very often in a minute (S-65): tests that try many pages do that. */
  readonly alerts: readonly string[];
  /** What was mailed. */
  readonly catcher: Catcher;
  signIn(email: string, password?: string): Promise<Visitor>;
  stop(): Promise<void>;
}

async function found(ownerUrl: string, settings: Readonly<Record<string, unknown>>): Promise<readonly Founded[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const hash = await hashPassword(DEMO_PASSWORD);
  const organisations: Founded[] = [];
  for (const founding of demoFoundings(hash))
    organisations.push(
      await foundOrganisation(client, { ...founding, settings: { ...founding.settings, ...settings } }),
    );
  // a test whose clock stands before the day on which it runs has its modules too
  await client.query(`update subscriptions set starts_on = '2026-04-01'`);
  await client.end();
  return organisations;
}

const FOUNDED = 'template_founded';
const masterKey = Buffer.alloc(32, 7);
let once: Promise<readonly Founded[]> | undefined;

/**
 * The demo organisations, founded once in a run, with the keys that a server makes at its first start: most tests
 * begin with a clone of that. The workers agree who makes it.
 */
const foundedOnce = (): Promise<readonly Founded[]> => {
  once ??= (async () => {
    const making = new pg.Client({ connectionString: inject('ownerUrl').replace('/bahi?', '/template1?') });
    await making.connect();
    try {
      await making.query('select pg_advisory_lock(1)');
      const [there] = await administer<{ description: string }>(
        `select shobj_description(oid, 'pg_database') as description from pg_database where datname = '${FOUNDED}'`,
      );
      if (there) return JSON.parse(there.description) as Founded[];
      const database = await testDatabase();
      const organisations = await found(database.ownerUrl, {});
      const port = await freePort();
      const server = await startServer({
        ...{ url: database.url, ownerUrl: database.ownerUrl, masterKey, clock: systemClock, oidc: undefined },
        ...{ publicUrl: `http://127.0.0.1:${port}`, host: '127.0.0.1', port, organisationClaim: 'org_id' },
        ...{ irp: 'sandbox', jobs: false, checkAnswers: true, log: () => undefined },
      });
      await server.stop();
      await sealAll(database); // or each clone would seal the foundings anew
      await database.leave();
      await administer(`comment on database ${database.name} is '${JSON.stringify(organisations)}'`);
      await administer(`alter database ${database.name} rename to ${FOUNDED}`);
      return organisations;
    } finally {
      await making.end();
    }
  })();
  return once;
};

/**
 * The whole server on a database of its own, with the demo organisations founded and no documents. Answers are checked
 * against the contract. With `portal` the jobs run, and SHARMA may sign in at the portal sandbox; `empty`: nothing is
 * founded.
 */
export async function testServer(
  settings: Readonly<Record<string, unknown>> = {},
  {
    portal = false,
    empty = false,
    on,
    ...options
  }: Partial<ServerOptions> & {
    readonly portal?: boolean;
    readonly empty?: boolean;
    /** A database of the test's own. */
    readonly on?: TestDatabase;
  } = {},
): Promise<TestServer> {
  const isUsual = !on && !empty && Object.keys(settings).length === 0 && !options.masterKey;
  const usual = isUsual ? await foundedOnce() : undefined;
  const database = on ?? (await testDatabase(usual && FOUNDED));
  const organisations = usual ?? (empty ? [] : await found(database.ownerUrl, settings));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const clock: TestServer['clock'] = { at: undefined };
  const failures: string[] = [];
  const alerts: string[] = [];
  const catcher = await catchMail({ now: () => clock.at ?? Date.now() });
  const running = await startServer({
    url: database.url,
    ownerUrl: database.ownerUrl,
    masterKey,
    publicUrl: url,
    host: '127.0.0.1',
    port,
    clock: { now: () => clock.at ?? Date.now() },
    oidc: undefined,
    organisationClaim: 'org_id',
    irp: 'sandbox',
    sandboxControls: true,
    // longer than a loaded machine takes to answer, shorter than the stand-in holds an answer back in tests
    patience: 2500,
    jobs: portal,
    postingCache: process.env['BAHI_POSTING_CACHE'] !== '0',
    catcher,
    // tests ask faster than people do
    limits: { ...limits, search: { ...limits.search, burst: 1e9 }, portal: { ...limits.portal, burst: 1e9 } },
    checkAnswers: true,
    log: (message, details) =>
      (message.endsWith('refusals in a minute') ? alerts : failures).push(`${message} ${JSON.stringify(details)}`),
    ...options,
  });
  const signIn: TestServer['signIn'] = (email, password = DEMO_PASSWORD) => visit(url, email, password, failures);
  if (portal) await signUpAtPortal(await signIn('owner@sharma.demo'));
  return {
    url,
    database,
    organisations,
    clock,
    failures,
    alerts,
    signIn,
    catcher,
    stop: async () => {
      await running.stop();
      await catcher.stop();
      const odd = await oddNotifications(database.owner);
      await database.drop();
      if (odd.length > 0)
        throw new Error(`notifications that a catalogue would word otherwise: ${JSON.stringify(odd)}`);
    },
  };
}

/** Notifications whose sentence and values say something else in English than their message does. */
async function oddNotifications(owner: pg.Pool): Promise<readonly string[]> {
  const { rows } = await owner.query<{ message: string; text: Text }>(
    'select message, text from notifications where text is not null',
  );
  return rows.flatMap(({ message, text }) => (inEnglish(text).slice(0, message.length) === message ? [] : [message]));
}

/** Keeps the sandbox's credentials for each registration. */
async function signUpAtPortal(owner: Visitor): Promise<void> {
  const kept: { registration: string; gstin: string }[] = await owner.ask('GetEInvoiceClientCredentails', {});
  for (const { registration, gstin } of kept)
    await owner.ask('AddUpdateEInvoiceCredentials', { registration, ...sandboxCredentials(gstin) });
}

const agent = new http.Agent({ keepAlive: true });

/** Posts the text, or asks where there is none. Tests ask a hundred thousand times: with fetch each costs half a millisecond more. */
const send = (
  url: string,
  headers: http.OutgoingHttpHeaders,
  text?: string,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((answered, failed) => {
    const request = http.request(url, { method: text === undefined ? 'GET' : 'POST', headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => answered({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // a kept line that the server has just closed has taken nothing
      if (request.reusedSocket && error.code === 'ECONNRESET') answered(send(url, headers, text));
      else failed(error);
    });
    request.end(text);
  });

/** Goes through the sign-in page as a browser would, redirect by redirect. */
export async function visit(
  url: string,
  email: string,
  password: string,
  failures: readonly string[],
  code = '',
): Promise<Visitor> {
  const jar = new Map<string, string>();
  const go = async (path: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(new URL(path, url), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (pair.slice(at + 1)) jar.set(pair.slice(0, at), pair.slice(at + 1));
      else jar.delete(pair.slice(0, at));
    }
    return response;
  };
  let path = '/api/session/SignIn';
  for (let hop = 0; hop < 12; hop++) {
    const response = await go(path);
    const next = response.headers.get('location');
    if (next) {
      path = next;
      if (path === '/layout/Home') break;
      continue;
    }
    const asked = await go(path, { email, password });
    const proof = asked.status === 200 ? /name="proof" value="([^"]+)"/.exec(await asked.text())?.[1] : undefined;
    const posted = proof ? await go(path, { proof, code }) : asked;
    path = posted.headers.get('location') ?? '';
    if (!path) throw new Error(`sign-in refused: ${posted.status}`);
  }
  const cookie = `bahi_session=${jar.get('bahi_session') ?? ''}`;
  const call: Visitor['call'] = async (name, input, key) => {
    const operation: Operation = calls[name];
    const post = operation.method === 'POST' || operation.changesByGet;
    const parameters = Object.entries(input as Record<string, unknown>).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    );
    const query = post ? '' : `?${new URLSearchParams(parameters)}`;
    const headers = {
      cookie,
      'x-requested-by': 'bahi',
      ...(post && { 'content-type': 'application/json' }),
      ...(operation.idempotent && { 'idempotency-key': key ?? randomUUID() }),
    };
    const target = `${url}/api/${operation.service}/${name}${query}`;
    const { status, text } = await send(target, headers, post ? JSON.stringify(input) : undefined);
    const { details, message } = JSON.parse(text) as { details: unknown; message: string };
    return { status, details, message };
  };
  return {
    cookie,
    call,
    ask: async (name, input, key) => {
      const answer = await call(name, input, key);
      if (answer.status !== 200)
        throw new Error(
          `${name}: ${answer.status} ${answer.message} ${JSON.stringify(answer.details)} ${failures.at(-1) ?? ''}`,
        );
      return answer.details as never;
    },
  };
}
