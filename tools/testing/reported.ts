import { randomUUID } from 'node:crypto';
import type { TestServer, Visitor } from './server.ts';

/** What the books of the demo lack for each report to have a row: goods that are short, and a sale with tax collected at source. */
export async function fillReports(server: TestServer, owner: Visitor, today: string): Promise<void> {
  const [own] = server.organisations;
  const { owner: database } = server.database;
  const item = "organisation = $1 and sku = 'LED-9W'";
  await database.query(`update items set body = body || '{"reorderLevel": "1000000"}' where ${item}`, [
    own?.organisation,
  ]);
  const { rows } = await database.query<{ party: string; item: string }>(
    `select party, (select id from items where ${item}) as item from documents where organisation = $1 and kind = 'saleInvoice' limit 1`,
    [own?.organisation],
  );
  const lines = [{ item: rows[0]?.item, quantity: '1', rate: '95' }];
  const place = { registration: own?.registrations.KA, location: own?.locations.BLR, party: rows[0]?.party };
  const document = { kind: 'saleInvoice', date: today, ...place, tcsSection: '206C(1) scrap', lines };
  await owner.ask('PostTransactionCalls', { document } as never, randomUUID());
}
