import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClonedDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { catalogueFile, catalogueOf } from './catalogue.ts';

let db: ClonedDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

/** A migration that changes a policy, trigger, grant or function fails here until the file is written again with `-u`. */
test('db/catalogue.json is what the migrations make', async () => {
  const made = await catalogueOf(db.owner);
  expect(Object.keys(made.rowSecurity).length).toBeGreaterThan(200);
  expect(Object.keys(made.guards).length).toBeGreaterThan(500);
  await expect(`${JSON.stringify(made, null, 1)}\n`).toMatchFileSnapshot(catalogueFile());
});
