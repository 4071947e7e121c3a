import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { freePort } from '../../tools/testing/ports.ts';
import { type Program, startProgram } from '../../tools/testing/program.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

/** What the program keeps beside the database. */
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-program-'));
let server: TestServer;
let shop: Shop;
let program: Program | undefined;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '100000', rate: '60' }] });
});
afterAll(async () => {
  if (program?.process.exitCode === null) program.process.kill('SIGKILL');
  await server.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

interface Tally {
  answered: number;
  broken: string[];
}

/**
 * Posts without pause on a connection that is kept, until nobody listens any more. Workers share one port: a connection that
 * none of them has taken when the last one stops listening is reset, and nothing that came on it was read.
 */
async function keepPosting(url: string, today: string, tally: Tally, isShared: boolean): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const lines = [{ item: shop.item, quantity: '1', rate: '95' }];
  const document = { kind: 'saleInvoice', date: today, ...shop.place, party: shop.customer, lines };
  const once = () =>
    new Promise<number | string>((done) => {
      const request = http.request(`${url}/api/transactions/PostTransactionCalls`, {
        method: 'POST',
        agent,
        headers: {
          cookie: shop.owner.cookie,
          'x-requested-by': 'bahi',
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
      });
      request.on('response', (answer) => {
        answer.resume();
        answer.on('end', () => done(answer.statusCode ?? 0));
        answer.on('error', (error) => done(String(error)));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isUntaken = isShared && !request.reusedSocket && error.code === 'ECONNRESET';
        done(isUntaken ? 'ECONNREFUSED' : (error.code ?? String(error)));
      });
      request.end(JSON.stringify({ document }));
    });
  for (;;) {
    const outcome = await once();
    if (outcome === 'ECONNREFUSED') return agent.destroy();
    if (outcome === 200) tally.answered += 1;
    else tally.broken.push(String(outcome));
  }
}

test.each(['1', '2'])(
  'F-25: asked to stop, the program says so, answers open requests, and cuts no connection (WORKERS=%s)',
  async (WORKERS) => {
    const { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL } = server.database;
    const settings = { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR: home, DRAIN_SECONDS: '2', WORKERS };
    program = await startProgram({ port: await freePort(), settings });
    const { url } = program;
    const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
    const stream = await fetch(`${url}/api/events`, { headers: { cookie: shop.owner.cookie } });
    const heard = stream.text().then(
      () => 'ended',
      (error: unknown) => String(error),
    );
    const posted = async () =>
      Number(
        (await server.database.owner.query(`select count(*) as n from documents where kind = 'saleInvoice'`)).rows[0].n,
      );
    const before = await posted();
    const tally: Tally = { answered: 0, broken: [] };
    const clients = Array.from({ length: 12 }, () => keepPosting(url, today, tally, WORKERS !== '1'));
    await expect.poll(() => tally.answered, { timeout: 20_000 }).toBeGreaterThan(30);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const gone = new Promise<number | null>((done) => program?.process.once('exit', done));
    const begun = performance.now();
    program.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 1500, interval: 50 }).toBe(503);
    const meanwhile = tally.answered;
    await expect.poll(() => tally.answered, { timeout: 1500 }).toBeGreaterThan(meanwhile);
    await Promise.all(clients);
    expect(await gone).toBe(0);
    expect(program.said()).toMatch(/Bahi is stopping: [\s\S]*Bahi has stopped/);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(tally.broken).toEqual([]);
    expect(await posted()).toBe(before + tally.answered);
    expect(await heard).toBe('ended');
  },
  60_000,
);

test('a port that another program has is named, with the way on', async () => {
  const { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL } = server.database;
  const port = Number(new URL(server.url).port);
  const starting = startProgram({ port, settings: { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR: home } });
  await expect(starting).rejects.toThrow(
    `Port ${port} is taken by another program: stop it, or choose another port with PORT`,
  );
});
