import { expect, test } from 'vitest';
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
