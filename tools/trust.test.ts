import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../server/kit/database/migrate.ts';

/** A test that fails when the product breaks under it: the file, and what its name begins with or holds. */
type Proven = readonly [file: string, name: string];

/** Faults that the product survives: nothing lost, nothing doubled, the invariants clean. */
const faults: Readonly<Record<string, Proven>> = {
  'F-01': ['server/killed.test.ts', 'F-01, F-05: killed before, while and after each word with the database'],
  'F-02': ['server/killed.test.ts', 'F-02, F-25: ended by %s in the middle of posts'],
  'F-03': ['server/disk.test.ts', 'F-03: every process of the database is killed'],
  'F-04': ['server/faults.test.ts', 'F-04: while connections to the database are cut'],
  'F-05': ['server/killed.test.ts', 'F-01, F-05: killed before, while and after each word with the database'],
  'F-06': ['server/killed.test.ts', 'F-06: killed while the portal has an invoice'],
  'F-07': ['server/killed.test.ts', 'F-07: held for longer than a transaction may rest'],
  'F-10': ['server/kit/database/sql.test.ts', 'F-10: on a line that takes every word'],
  'F-11': ['server/faults.test.ts', 'F-11: a browser that is gone before the answer came'],
  'F-12': ['server/limits.test.ts', 'F-12: five hundred who send slowly'],
  'F-15': ['server/small-disk.test.ts', 'F-15: a disk that fills up while it is posted to'],
  'F-16': ['server/killed.test.ts', 'F-16: with a full disk for its log'],
  'F-17': ['server/small-disk.test.ts', 'F-17: a disk that fails when the database waits for it'],
  'F-18': ['server/faults.test.ts', 'F-18: at midnight in India on 31 March'],
  'F-20': ['server/faults.test.ts', 'F-20: twenty times the same key'],
  'F-21': ['server/faults.test.ts', 'G-01, F-21: 200 posts at once'],
  'F-22': ['server/faults.test.ts', 'F-22: of thirty sales of the last unit one wins'],
  'F-23': ['server/faults.test.ts', 'F-23: a draft that one tab posts'],
  'F-24': ['server/killed.test.ts', 'F-24: killed at three, six and nine tenths of a statement'],
  'F-25': ['server/killed.test.ts', 'F-02, F-25: ended by %s in the middle of posts'],
  'F-26': ['server/session/external.test.ts', 'F-26: while the issuer is away a session lives on'],
  'F-27': ['server/faults.test.ts', 'F-27: the subscription ends, or the user is shut out'],
  'F-30': ['server/einvoice/einvoice.test.ts', 'whatever the portal does, there is exactly one IRN'],
  'F-31': ['server/einvoice/einvoice.test.ts', 'another facts under a good signature are not ours'],
  'F-32': ['server/einvoice/einvoice.test.ts', 'whatever the portal does, there is exactly one IRN'],
  'F-33': ['server/einvoice/einvoice.test.ts', 'another facts under a good signature are not ours'],
  'F-34': ['server/einvoice/einvoice.test.ts', "['expiredToken', ['register accepted']]"],
  'F-35': ['server/einvoice/einvoice.test.ts', 'pressed many times at once, it is still sent once'],
  'F-36': ['sandbox/irp.test.ts', '2283'],
  'F-37': ['server/einvoice/einvoice.test.ts', 'cancelling after a lost answer finds out what has become of it'],
  'F-38': ['server/einvoice/einvoice.test.ts', 'F-38: what waited while the portal was away'],
  'F-40': ['server/disk.test.ts', 'F-40: a back-up that is taken while it is posted to'],
  'F-41': ['server/disk.test.ts', 'F-41: gone back to a moment'],
  'F-42': ['server/disk.test.ts', 'F-42: a page that changed on the disk'],
  'F-43': ['server/trail/checkpoints.test.ts', 'INV-45, F-43: a chain made anew that is whole in itself'],
  'F-44': ['server/mail/mail.test.ts', 'a mail server that is down, silent or busy'],
  'F-45': ['server/disk.test.ts', 'F-45: after a warm-up further hundreds of posts'],
};

/** Attacks that come to nothing. */
const attacks: Readonly<Record<string, Proven>> = {
  'S-01': ['server/boundaries.test.ts', 'S-01: without a proof key'],
  'S-02': ['server/session/tokens.test.ts', 'S-02: a token %s opens nothing'],
  'S-03': ['server/boundaries.test.ts', 'S-03: the issuer answers to our own address and to no other'],
  'S-04': ['server/session/external.test.ts', 'over https the cookies are bound to the host and secure'],
  'S-05': ['server/attacks.test.ts', 'S-05: a session that somebody else chose is not taken'],
  'S-06': ['server/session/external.test.ts', 'F-26: while the issuer is away a session lives on'],
  'S-07': ['server/session/session.test.ts', 'S-07: %s end a session'],
  'S-08': ['server/identity/password.test.ts', 'S-08: what is said tells nothing of who exists'],
  'S-09': ['server/boundaries.test.ts', 'S-09: a password has 12 to 128 characters'],
  'S-10': ['server/masters/masters.test.ts', 'S-10 to S-12: another organisation’s records'],
  'S-11': ['server/access/isolation.test.ts', "S-11: %s with what is another organisation's answers"],
  'S-12': ['db/books.test.ts', 'S-12: another organisation'],
  'S-13': ['db/walls.test.ts', 'INV-41: every table of an organisation has forced row-level security'],
  'S-14': ['server/access/isolation.test.ts', 'S-14: nothing of the other organisation stood in any answer'],
  'S-15': ['server/access/collisions.test.ts', 'S-15: requests of two organisations on the same connections'],
  'S-20': ['server/access/matrix.test.ts', 'is allowed and refused as the rules say'],
  'S-21': ['server/attacks.test.ts', 'S-21: whom the input names acts for nobody'],
  'S-22': ['server/attacks.test.ts', 'S-22: nobody sets what is not his to set'],
  'S-23': ['server/masters/masters.test.ts', 'S-23: nobody grants above his own level'],
  'S-24': [
    'server/access/access.test.ts',
    'nobody grants more than he holds, and the middle level is no step above editing',
  ],
  'S-25': ['server/subscription/subscription.test.ts', 'a premium switch is refused with its module'],
  'S-26': ['server/boundaries.test.ts', 'S-26: steps are taken in their order'],
  'S-30': ['server/attacks.test.ts', 'S-30, S-34, S-36, S-37: %s takes hostile text for text'],
  'S-31': ['server/attacks.test.ts', 'S-31: a filter that a report does not have'],
  'S-32': ['e2e/hostile.test.ts', 'S-32: hostile text does nothing on %s'],
  'S-33': ['server/mail/mail.test.ts', 'text of any sort stays text: headers of a mail cannot be forged'],
  'S-34': ['server/attacks.test.ts', 'S-30, S-34, S-36, S-37: %s takes hostile text for text'],
  'S-35': ['server/attacks.test.ts', 'S-35, S-36: %s wants what it says'],
  'S-36': ['server/attacks.test.ts', 'S-35, S-36: %s wants what it says'],
  'S-37': ['server/attacks.test.ts', 'S-30, S-34, S-36, S-37: %s takes hostile text for text'],
  'S-38': ['server/session/session.test.ts', 'S-38: a write without the proof of origin'],
  'S-39': ['server/attacks.test.ts', 'S-38, S-39: the browser'],
  'S-40': ['server/kit/paper/picture.test.ts', 'a picture is written anew'],
  'S-41': ['server/attacks.test.ts', 'S-41: exports'],
  'S-42': ['server/einvoice/exchange.test.ts', 'S-42: an answer of %i leads nowhere else'],
  'S-43': ['server/paper/paper.test.ts', 'S-43: a picture that is a path or an address is neither read nor fetched'],
  'S-44': ['server/attacks.test.ts', 'S-44, S-62: no path leads out of what is served'],
  'S-45': ['tools/trust.test.ts', 'S-45: nothing of the product unpacks what somebody sends'],
  'S-46': ['domain/banking/bank-statement.test.ts', 'whatever a bank has written down, it is read as it was'],
  'S-50': ['server/load.test.ts', 'S-50: so many at once'],
  'S-51': ['server/limits.test.ts', 'S-51: what could be read as two requests'],
  'S-52': ['server/limits.test.ts', 'F-10, S-52: what takes too long is given up'],
  'S-60': ['server/kit/secrets/secrets.test.ts', 'S-60: what is kept for one purpose opens for no other'],
  'S-61': ['server/attacks.test.ts', 'S-60, S-61: secrets are in no table, log or answer'],
  'S-62': ['server/attacks.test.ts', 'S-44, S-62: no path leads out of what is served'],
  'S-63': ['tools/supply.test.ts', 'S-63: every package comes from the registry'],
  'S-64': ['server/kit/secrets/secrets.test.ts', 'S-64: the application may read and write rows'],
  'S-65': ['server/reports/security.test.ts', 'S-65: fifty refusals in a minute are an alert'],
};

const ids = (letter: string, ...spans: readonly (readonly [number, number])[]) =>
  spans.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, n) => `${letter}-${String(from + n).padStart(2, '0')}`),
  );

test('every fault and every attack has its row', () => {
  expect(Object.keys(faults)).toEqual(ids('F', [1, 7], [10, 12], [15, 18], [20, 27], [30, 38], [40, 45]));
  expect(Object.keys(attacks)).toEqual(ids('S', [1, 15], [20, 26], [30, 46], [50, 52], [60, 65]));
});

test.each(Object.entries({ ...faults, ...attacks }))('%s has a test of that name', (_, [file, name]) => {
  const source = fs.readFileSync(path.join(root(), file), 'utf8').replaceAll("\\'", "'");
  expect(source).toContain(name);
});

test('S-45: nothing of the product unpacks what somebody sends', () => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(root(), 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies).filter((name) => /zip|xlsx|excel|tar|archive/.test(name))).toEqual([
    'write-excel-file',
  ]);
});
