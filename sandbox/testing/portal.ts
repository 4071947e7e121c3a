import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { sandboxServer } from '../index.ts';
import type { Database } from '../portal.ts';

const samples = new URL('../../domain/facts/samples/', import.meta.url);
export const sample = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, samples), 'utf8'));

export interface TestPortal {
  readonly base: string;
  setClock(moment: string): void;
  order(fault: object): Promise<Response>;
  stop(): Promise<void>;
}

/** The stand-in alone on a free port, with a clock that stands still until it is set. */
export async function testPortal(database: Database, start: string): Promise<TestPortal> {
  let now = start;
  const app = await sandboxServer({ database, clock: () => new Date(now) });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sandbox`;
  const headers = { 'content-type': 'application/json' };
  return {
    base,
    setClock: (moment) => {
      now = moment;
    },
    order: (fault) => fetch(`${base}/control`, { method: 'POST', headers, body: JSON.stringify(fault) }),
    stop: async () => {
      await app.close();
    },
  };
}
