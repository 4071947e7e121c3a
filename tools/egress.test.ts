import { expect, test } from 'vitest';
import { filesOf, isTest, textOf, withoutComments } from './source.ts';

/** Who of the server asks anything of another machine, and where the address comes from: never from what a user typed. */
const lines: Readonly<Record<string, string>> = {
  'server/kit/outgoing.ts': 'the one way out, with limits of size and time; redirects are refused',
  'server/einvoice/exchange.ts': 'IRP_URL and EWB_URL, by the one way out',
  'server/mail/transport.ts': 'SMTP_URL',
  'server/payments/sandbox.ts': 'the stand-in of a payment gateway, on this very machine, by the one way out',
  'server/http/pages/caught-mail.ts': 'the process above the workers, on this very machine',
  'server/session/oidc.ts': 'OIDC_ISSUER; the library follows no redirect',
};
const asks =
  /\bfetch(Limited)?\(|\bhttps?\s*\.(get|request)\(|\bnet\.(connect|createConnection)\(|\btls\.connect\(|createTransport|from 'openid-client'|from 'undici'/;

test('S-42: only these files open a line to another machine, and none of them says so in vain', () => {
  const sources = filesOf('server').filter((file) => !isTest(file));
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.filter((file) => asks.test(withoutComments(textOf(file))));
  expect(found.sort()).toEqual(Object.keys(lines).sort());
});

test('S-52: what somebody looks for is in no pattern as it is: its signs stand for themselves', () => {
  const sources = filesOf('server').filter((file) => !isTest(file));
  const patterns = sources.flatMap((file) =>
    [...withoutComments(textOf(file)).matchAll(/i?like \$\{`[^`]*`\}/g)].map(([found]) => `${file}: ${found}`),
  );
  expect(patterns.length).toBeGreaterThan(5);
  // made of the text as it came, which may hold a sign that stands for any other
  expect(patterns.filter((found) => /\$\{(search|text|asked)[.}]/.test(found))).toEqual([]);
});

test('S-42, S-43: the printer fetches nothing, and reads its own fonts only', () => {
  const printer = textOf('server/kit/paper/printer.ts');
  expect(printer).toContain('setUrlAccessPolicy(() => false)');
  expect(printer).toContain(
    'setLocalAccessPolicy((file) => folders.some((own) => path.resolve(file).startsWith(own + path.sep)))',
  );
  // every folder that is read is one of a font of its own
  expect([...printer.matchAll(/\bfolders\.push\((\w+)\)|\bfolders = \[(\w+)\]/g)].map((m) => m[1] ?? m[2])).toEqual([
    'latin',
    'folder',
  ]);
  expect(printer).toContain('const folder = folderOf(`noto-sans-');
});
