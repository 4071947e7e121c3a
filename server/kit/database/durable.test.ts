import { expect, inject, test } from 'vitest';
import { administer } from '../../../tools/testing/database.ts';
import { refuseOtherEncoding, unreachableDatabase } from './durable.ts';

test('a database of another encoding is refused before anything is made in it', async () => {
  const name = `latin_${process.pid}`;
  await administer(`create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`);
  const url = inject('ownerUrl').replace('/bahi?', `/${name}?`);
  await expect(refuseOtherEncoding(url)).rejects.toThrow(/encoding LATIN1: make it anew with the encoding UTF8/);
  await administer(`drop database ${name} with (force)`);
  await refuseOtherEncoding(inject('ownerUrl'));
});

test('a database that cannot be reached is said in a sentence that names the settings', async () => {
  const gone = await refuseOtherEncoding('postgresql://a@127.0.0.1:1/b').catch((error: unknown) => error);
  expect(unreachableDatabase(gone)).toMatch(
    /cannot be reached: .*ECONNREFUSED.* Start it, or correct these settings\.$/,
  );
  const none = inject('ownerUrl').replace('/bahi?', '/none_of_that_name?');
  const lacking = await refuseOtherEncoding(none).catch((error: unknown) => error);
  expect(unreachableDatabase(lacking)).toMatch(/^The database of DATABASE_URL or DATABASE_OWNER_URL cannot be reached/);
  expect(unreachableDatabase(new Error('another'))).toBe(undefined);
});
