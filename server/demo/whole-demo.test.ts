import { expect, test } from 'vitest';
import { testDatabase } from '../../tools/testing/database.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';
import { vault } from '../kit/secrets/secrets.ts';
import { makeDemoBooks } from '../process/demo-books.ts';

// What the demo trades follows from the day it is made: other tests make four months of it, a first start makes them all.
test.runIf(process.env['BAHI_ALL'] === '1')(
  'demo: every month of it is posted, whatever day it is made on, and no invariant is broken',
  async () => {
    const db = await testDatabase();
    const { url, ownerUrl } = db;
    await makeDemoBooks({ url, ownerUrl, vault: vault(Buffer.alloc(32, 7)), progress: () => undefined });
    expect(await brokenInvariants(db.owner)).toEqual([]);
    await db.drop();
  },
  600_000,
);
