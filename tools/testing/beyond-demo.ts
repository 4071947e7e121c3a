import { randomUUID } from 'node:crypto';
import type { TestServer, Visitor } from './server.ts';

/** What reports show and the demo has none of: goods of SHARMA below their reorder level, and a sale on which tax is collected. */
export async function beyondDemo({ database, organisations }: TestServer, owner: Visitor): Promise<void> {
  const [own] = organisations;
  await database.owner.query(
    `update items set body = body || '{"reorderLevel": "1000000"}' where organisation = $1 and sku = 'LED-9W'`,
    [own?.organisation],
  );
  const { rows } = await database.owner.query<{ party: string; item: string; today: string }>(
    `
      select d.party, i.id as item, d.date::text as today
      from documents d
      join items i on i.organisation = d.organisation and i.sku = 'LED-9W'
      where d.organisation = $1 and d.kind = 'saleInvoice'
      order by d.date desc
      limit 1
    `,
    [own?.organisation],
  );
  const [{ party, item, today } = { party: '', item: '', today: '' }] = rows;
  const place = { registration: own?.registrations.KA, location: own?.locations.BLR };
  const lines = [{ item, quantity: '1', rate: '95' }];
  const document = { kind: 'saleInvoice', date: today, ...place, party, tcsSection: '206C(1) scrap', lines };
  await owner.ask('PostTransactionCalls', { document } as never, randomUUID());
  // a supplier's bill that is booked once more, with the reason
  const { rows: suppliers } = await database.owner.query<{ id: string }>(
    `
      select id
      from parties
      where organisation = $1 and side = 'supplier' and category = 'registered' and state = '29'
      order by code
      limit 1
    `,
    [own?.organisation],
  );
  const bill = { kind: 'purchaseBill', date: today, ...place, party: suppliers[0]?.id, reference: 'TWICE-1' };
  for (const accepted of [[], [{ warning: 'duplicateBill', reason: 'Two deliveries on one bill' }]])
    await owner.ask(
      'PostTransactionCalls',
      { document: { ...bill, lines, ...(accepted.length > 0 && { accepted }) } } as never,
      randomUUID(),
    );
}
