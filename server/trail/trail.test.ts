import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

let server: TestServer;
let shop: Shop;
let folder: string;
let lines: string[];
let last: { sequence: number; seal: string };

const verifier = path.join(import.meta.dirname, '../../web/views/settings/verify-edit-log.mjs');

/** The exit code and what the verifier said of a file of these lines. */
const verify = (all: readonly string[], ...more: string[]) => {
  const file = path.join(folder, 'log.ndjson');
  fs.writeFileSync(file, all.join('\n'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, file, ...more], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
};

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-trail-'));
  server = await testServer();
  shop = await openShop(server);
  const line = { item: shop.item, quantity: '1', rate: '95' };
  await shop.post({ kind: 'saleInvoice', party: shop.customer, narration: 'नमस्ते – “quoted”', lines: [line] });
  await sealAll(server.database);
  type Page = { rows: { sequence: number; seal: string }[]; end: { sequence: number; seal: string } };
  const pages: Page['rows'] = [];
  for (;;) {
    const page = (await shop.owner.ask('ExportEditLog', { after: pages.at(-1)?.sequence ?? 0, limit: 7 })) as Page;
    last = page.end;
    if (page.rows.length === 0) break;
    pages.push(...page.rows);
  }
  lines = [
    JSON.stringify({ format: 'bahi-edit-log-1', organisation: 'SHARMA', after: 0, previous: '' }),
    ...pages.map((row) => JSON.stringify(row)),
    JSON.stringify({ end: last.sequence, seal: last.seal }),
  ];
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

test('the exported log is genuine by a script that needs nothing but Node, and holds a seal noted before', () => {
  expect(lines.length).toBeGreaterThan(10);
  const { status, said } = verify(lines);
  expect(said).toContain(`Genuine: ${lines.length - 2} rows of SHARMA`);
  expect(status).toBe(0);
  const noted = JSON.parse(lines[3] ?? '') as { sequence: number; seal: string };
  expect(verify(lines, `${noted.sequence}:${noted.seal}`).status).toBe(0);
  expect(verify(lines, `${noted.sequence}:${'0'.repeat(64)}`)).toMatchObject({ status: 1 });
});

test('whatever is changed, left out or put in is found', () => {
  const changed = (at: number, change: (line: string) => string) => lines.map((l, i) => (i === at ? change(l) : l));
  const invoice = lines.findLastIndex((line) => line.includes('quoted'));
  expect(invoice).toBeGreaterThan(0);
  expect(verify(changed(invoice, (l) => l.replace('quoted', 'faked'))).said).toMatch(/was changed/);
  const party = lines.findIndex((line) => line.includes('Asha Traders'));
  expect(verify(changed(party, (l) => l.replace('Asha Traders', 'Usha Traders'))).said).toMatch(/was changed/);
  expect(
    verify(changed(party, (l) => l.replace(/"seal":"./, (seal) => (seal.endsWith('0') ? '"seal":"1' : '"seal":"0'))))
      .status,
  ).toBe(1);
  const dropDocument = (l: string) => JSON.stringify({ ...(JSON.parse(l) as object), document: null });
  expect(verify(changed(invoice, dropDocument)).status).toBe(1);
  expect(verify(lines.filter((_, at) => at !== 4)).said).toMatch(/is missing/);
  expect(verify([...lines.slice(0, 4), lines[3] ?? '', ...lines.slice(4)]).status).toBe(1);
  expect(verify(lines.slice(0, -2)).status).toBe(1);
  expect(verify([...lines.slice(0, -2), lines.at(-1) ?? '']).said).toMatch(/missing at the end/);
});

test('only a user who may change the organisation exports it, and only that organisation', async () => {
  const viewer = await server.signIn('viewer@sharma.demo');
  expect((await viewer.call('ExportEditLog', {})).status).toBe(403);
  const nova = await server.signIn('owner@nova.demo');
  const page = (await nova.ask('ExportEditLog', {})) as { rows: { log: string }[] };
  const [sharma, other] = server.organisations;
  expect(page.rows.length).toBeGreaterThan(0);
  for (const { log } of page.rows) expect((JSON.parse(log) as number[])[0]).toBe(other?.organisation);
  expect(other?.organisation).not.toBe(sharma?.organisation);
});

test('the text under a seal is byte for byte what the function gave that it was first sealed with', async () => {
  const { owner } = server.database;
  await shop.owner.ask('SaveGeneralConfigDetails', {
    values: { enableBatch: true, enableSerialization: true },
  } as never);
  const item = async (sku: string, how: Record<string, unknown>) => {
    const values = { ...{ sku, name: `${sku} "½" \\ हि`, type: 'stock', unit: 'NOS', hsn: '84145120' }, ...how };
    const goods = { ...values, treatment: 'taxable', gstRate: '18' };
    return ((await shop.owner.ask('SaveMaster', { master: 'item', values: goods })) as { id: string }).id;
  };
  const batches = [{ batch: 'B1', expiry: '2030-12-31', quantity: '5' }];
  await shop.post({
    kind: 'openingStock',
    lines: [
      { item: await item('PAINT', { batched: true }), quantity: '5', rate: '50', batches },
      { item: await item('DRILL', { serialised: true }), quantity: '2', rate: '50', serials: ['A "01"', 'A02'] },
    ],
  });
  await owner.query(fs.readFileSync(path.join(import.meta.dirname, 'first-text.sql'), 'utf8'));
  const { rows } = await owner.query<{ same: boolean; serials: boolean }>(
    `
      select
        document_text(organisation, id) = first_text(organisation, id) as same,
        document_text(organisation, id) like '%"A02"%' as serials
      from documents
    `,
  );
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(rows.filter(({ same }) => !same)).toEqual([]);
  expect(rows.filter(({ serials }) => serials)).toHaveLength(1);
});
