import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dotEnv, masterKey, openKeyFile, readSettings } from './settings.ts';

const key = 'ab'.repeat(32);
const database = { DATABASE_URL: 'postgresql://a@b/c', DATABASE_OWNER_URL: 'postgresql://o@b/c', MASTER_KEY: key };

test('without any setting the embedded default starts on this machine only', () => {
  expect(
    readSettings({ PATH: '/bin', HOME: '/root', npm_config_x: 'y', BAHI_SERVER: 'http://127.0.0.1:3001' }),
  ).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    demo: true,
    workers: 1,
    logLevel: 'warn',
  });
  expect(readSettings(database)).toMatchObject({ demo: false });
  expect(readSettings({ PUBLIC_URL: 'https://bahi.example/', HOST: '0.0.0.0' })).toMatchObject({
    publicUrl: 'https://bahi.example',
  });
  expect(readSettings({ HOST: '0.0.0.0', PORT: '8080', WORKERS: '4' })).toMatchObject({
    publicUrl: 'http://localhost:8080',
  });
});

test.each([
  [{ PORT: 'eighty' }, 'PORT is eighty: it must be a whole number'],
  [{ PORT: '70000' }, 'PORT is 70000'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is loud: it must be one of fatal, error'],
  [{ WORKERS: '0' }, 'WORKERS is 0'],
  [{ POSTING_CACHE: 'off' }, 'POSTING_CACHE is off: it must be one of 0, 1'],
  [{ WORKERS: '2', PORT: '0' }, 'WORKERS share one port'],
  [{ EWB_URL: 'https://portal.example' }, 'EWB_URL needs IRP_URL'],
  [{ GSP_CLIENT_ID: 'x' }, 'Unknown setting GSP_CLIENT_ID'],
  [{ GSP_HEADERS: 'token' }, 'GSP_HEADERS must be headers'],
  [{ SANDBOX: 'yes' }, 'SANDBOX is yes: it must be one of 0, 1'],
  [
    { SANDBOX: '1', IRP_URL: 'https://irp.example', IRP_LOGIN_KEY: 'a', IRP_SIGNING_KEYS: 'b' },
    'SANDBOX=1 and IRP_URL are two portals',
  ],
  [{ SIGN_UP: 'yes' }, 'SIGN_UP is yes: it must be one of open, members, operator, closed'],
  [{ TRUST_PROXY: 'proxy.example' }, 'TRUST_PROXY is proxy.example: it must be addresses or networks'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY is 10.0.0.0/33'],
  [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY is 0.0.0.0/0: it would believe what every address says'],
  [{ TRUST_PROXY: '10.0.0.1, ::/0' }, 'would believe'],
  [{ TRUSTPROXY: '10.0.0.1' }, 'Unknown setting TRUSTPROXY'],
  [{ DATABASEURL: 'x' }, 'Unknown setting DATABASEURL'],
  [{ TRUST_PROXIES: '10.0.0.1' }, 'Unknown setting TRUST_PROXIES'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 characters'],
  [{ DRAIN_SECONDS: '1000' }, 'DRAIN_SECONDS is 1000: it must be a whole number from 0 to 300'],
  [{ BAHI_DEMO: 'yes' }, 'BAHI_DEMO is yes: it must be one of 0, 1'],
  [{ BAHI_DEMOS: '1' }, 'Unknown setting BAHI_DEMOS: known are PORT'],
  [{ OIDC_ISUER: 'x' }, 'Unknown setting OIDC_ISUER'],
  [{ PUBLIC_URL: 'bahi.example' }, 'PUBLIC_URL must be an address that begins with https://'],
  [{ PUBLIC_URL: 'http://bahi.example' }, 'plain http is only for this machine'],
  [{ PUBLIC_URL: 'https://bahi.example/books' }, 'without a path'],
  [{ HOST: '192.168.1.4' }, 'set PUBLIC_URL to the https address'],
  [{ OIDC_ISSUER: 'http://login.example', OIDC_CLIENT_ID: 'x' }, 'OIDC_ISSUER must begin with https://'],
  [{ OIDC_ISSUER: 'https://login.example' }, 'OIDC_ISSUER needs OIDC_CLIENT_ID'],
  [{ OIDC_CLIENT_SECRET: 'x' }, 'need OIDC_ISSUER'],
  [{ SMTP_URL: 'https://mail.example' }, 'SMTP_URL must begin with smtp://'],
  [{ DATABASE_URL: 'postgresql://a@b/c', MASTER_KEY: key }, 'belong together'],
  [{ ...database, MASTER_KEY: '' }, 'MASTER_KEY (or MASTER_KEY_FILE) is required'],
  [{ ...database, MASTER_KEY: 'short' }, 'MASTER_KEY must be 64 hexadecimal digits'],
  [{ ...database, MASTER_KEY_FILE: '/key' }, 'set one'],
] as const)('%j is named at the start', (given, said) => {
  expect(() => readSettings(given)).toThrow(said);
});

test('the portals: one address for both, or two; and what a provider in between wants', () => {
  const irp = { IRP_URL: 'https://irp.example/', IRP_LOGIN_KEY: 'irp.pem', IRP_SIGNING_KEYS: 'irp.json' };
  expect(readSettings(irp).irp).toMatchObject({
    url: 'https://irp.example',
    way: { url: 'https://irp.example', loginKeyFile: 'irp.pem' },
    headers: {},
  });
  const both = { EWB_URL: 'https://way.example', EWB_LOGIN_KEY: 'way.pem', GSP_HEADERS: 'aspid: 17; token: a:b' };
  expect(readSettings({ ...irp, ...both }).irp).toMatchObject({
    way: { url: 'https://way.example', loginKeyFile: 'way.pem' },
    headers: { aspid: '17', token: 'a:b' },
  });
});

test('everything that is wrong is said at once, and no secret is said again', () => {
  const said = (() => {
    try {
      readSettings({
        PORT: 'x',
        LOG_LEVEL: 'y',
        MASTER_KEY: 'my secret key',
        DATABASE_URL: 'mysql://user:my secret@host/db',
      });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  })();
  expect(said.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'MASTER_KEY',
    'LOG_LEVEL',
    'DATABASE_URL',
  ]);
  expect(said).not.toContain('secret');
});

test('.env is read, the environment wins, and a line or name that means nothing is an error', () => {
  const file = dotEnv('# ours\nPORT=4000\r\nexport LOG_LEVEL="info"\n\nDATA_DIR = /srv/bahi # here\n');
  expect(file).toEqual({ PORT: '4000', LOG_LEVEL: 'info', DATA_DIR: '/srv/bahi # here' });
  expect(readSettings({ PORT: '5000' }, file)).toMatchObject({ port: 5000, logLevel: 'info' });
  expect(() => readSettings({}, dotEnv('PROT=1'))).toThrow('Unknown setting PROT');
  expect(() => dotEnv('PORT 3000')).toThrow('write NAME=value');
});

test('a key file that holds no key is not taken for one', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-key-'));
  const settings = readSettings({});
  const made = masterKey(settings, folder);
  expect(made).toHaveLength(32);
  expect(masterKey(settings, folder).equals(made)).toBe(true);
  expect(openKeyFile(settings, folder)).toBe(undefined);
  fs.chmodSync(path.join(folder, 'master.key'), 0o644);
  expect(openKeyFile(settings, folder)).toMatch(/^Other accounts of this machine may read the master key/);
  fs.writeFileSync(path.join(folder, 'master.key'), 'lost');
  expect(() => masterKey(settings, folder)).toThrow('64 hexadecimal digits');
  fs.rmSync(folder, { recursive: true });
});

test('a key that is missing beside a database is not made anew', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-key-'));
  expect(() => masterKey(readSettings({}), folder, true)).toThrow(/master\.key is missing.* copy master\.key there/);
  expect(fs.readdirSync(folder)).toEqual([]);
  fs.rmSync(folder, { recursive: true });
});

test('mail is caught only where nobody but this machine gets in, and goes where SMTP_URL says', () => {
  expect(readSettings({})).toMatchObject({ catchMail: true, smtpUrl: undefined });
  expect(readSettings({ HOST: 'localhost' }).catchMail).toBe(true);
  expect(readSettings({ HOST: '::1' }).catchMail).toBe(true);
  expect(readSettings({ HOST: '0.0.0.0' }).catchMail).toBe(false);
  expect(readSettings({ PUBLIC_URL: 'https://books.example.com' }).catchMail).toBe(false);
  expect(readSettings(database).catchMail).toBe(false);
  const SMTP_URL = 'smtps://a:b@mail.example.com';
  expect(readSettings({ SMTP_URL })).toMatchObject({ catchMail: false, smtpUrl: SMTP_URL });
});

test('nothing is pretended without being asked for, but on the embedded database where only this machine gets in', () => {
  const trial = { triedOut: true, sandbox: true, demo: true, signUp: 'open', drainSeconds: 0, postingCache: true };
  const meant = { triedOut: false, sandbox: false, demo: false, catchMail: false, signUp: 'members', drainSeconds: 5 };
  const proxied = { PUBLIC_URL: 'https://books.example' };
  expect(readSettings({})).toMatchObject(trial);
  // under an address of this machine, but anybody of the network gets in
  expect(readSettings({ HOST: '0.0.0.0' })).toMatchObject(meant);
  expect(readSettings(database)).toMatchObject(meant);
  expect(readSettings(proxied)).toMatchObject(meant);
  expect(readSettings({ ...database, ...proxied })).toMatchObject(meant);
  const asked = { SANDBOX: '1', BAHI_DEMO: '1', SIGN_UP: 'open' };
  expect(readSettings({ ...database, ...proxied, ...asked })).toMatchObject({
    triedOut: false,
    sandbox: true,
    demo: true,
    catchMail: false,
    signUp: 'open',
  });
  expect(readSettings({ SANDBOX: '0', BAHI_DEMO: '0', SIGN_UP: 'closed' })).toMatchObject({
    sandbox: false,
    demo: false,
    signUp: 'closed',
  });
  const irp = { IRP_URL: 'https://irp.example', IRP_LOGIN_KEY: 'irp.pem', IRP_SIGNING_KEYS: 'irp.json' };
  expect(readSettings(irp)).toMatchObject({ sandbox: false });
});

test('other machines reach the server under an address that is not of this machine alone', () => {
  const reachable = (given: Record<string, string>) => readSettings(given).reachable;
  for (const given of [{}, { HOST: 'localhost' }, { HOST: '::1' }, { PUBLIC_URL: 'http://127.0.0.1:3000' }, database])
    expect([given, reachable(given)]).toEqual([given, false]);
  const proxied = { PUBLIC_URL: 'https://books.example' };
  for (const given of [proxied, { HOST: '0.0.0.0' }, { HOST: '::' }, { ...proxied, HOST: '10.0.0.7' }])
    expect([given, reachable(given)]).toEqual([given, true]);
});

test('the public address is written as a browser writes it, for it is compared with what browsers send', () => {
  expect(readSettings({ PUBLIC_URL: 'https://Books.Example:443/' }).publicUrl).toBe('https://books.example');
  expect(readSettings({ PORT: '80' }).publicUrl).toBe('http://127.0.0.1');
});

test('the header of a proxy counts where a proxy is: on this machine behind https, or where it is named', () => {
  const proxied = { PUBLIC_URL: 'https://books.example' };
  expect(readSettings({}).trustProxy).toEqual([]);
  expect(readSettings(proxied).trustProxy).toEqual(['loopback']);
  expect(readSettings({ ...proxied, TRUST_PROXY: 'none' }).trustProxy).toEqual([]);
  expect(readSettings({ ...proxied, TRUST_PROXY: '10.0.0.7, 2001:db8::/32' }).trustProxy).toEqual([
    '10.0.0.7',
    '2001:db8::/32',
  ]);
});

test('docs/operating.md names every setting', () => {
  const said = fs.readFileSync('docs/operating.md', 'utf8');
  const refused = (() => {
    try {
      readSettings({ BAHI_UNKNOWN: '1' });
    } catch (error) {
      return String(error);
    }
    throw new Error('an unknown setting is refused');
  })();
  const known = refused.slice(refused.indexOf('known are')).match(/[A-Z][A-Z_]+/g) ?? [];
  expect(known).toContain('DATABASE_URL');
  expect(known.filter((name) => !said.includes(`\`${name}`))).toEqual([]);
});
