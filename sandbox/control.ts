import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { modes, orderFault, waitingFaults } from './faults.ts';
import { addKey, keysFor, type Portal, type Purpose, rows } from './portal.ts';

interface Note {
  readonly at: Date;
  readonly operation: string;
  readonly gstin: string;
  readonly fault: string | null;
  readonly answer: string | null;
}

async function view(portal: Portal, gstin: string): Promise<object> {
  const requests = await rows<Note>(
    portal.database,
    `select at, operation, gstin, fault, answer from sandbox.requests where $1 in ('', gstin) order by id desc limit 500`,
    [gstin],
  );
  const counted = await rows<{ operation: string; n: number }>(
    portal.database,
    `select operation, count(*)::int as n from sandbox.requests where $1 in ('', gstin) group by operation`,
    [gstin],
  );
  return {
    modes: Object.fromEntries(Object.entries(modes).map(([name, { what, on }]) => [name, { what, on }])),
    faults: await waitingFaults(portal),
    counts: Object.fromEntries(counted.map(({ operation, n }) => [operation, n])),
    requests,
  };
}

/** Makes the stand-in misbehave, and shows what it has been asked. Not part of any portal. */
export function controls(app: FastifyInstance, portal: Portal): void {
  app.get<{ Querystring: { gstin?: string } }>('/control', (request) => view(portal, request.query.gstin ?? ''));
  app.post('/control', async (request, reply) => {
    const result = await orderFault(portal, request.body);
    return 'wrong' in result ? reply.status(422).send(result) : result.fault;
  });
  app.delete('/control', async () => {
    await portal.database.query('truncate sandbox.faults, sandbox.requests');
    return view(portal, '');
  });
  app.post('/control/reset', async () => {
    await portal.database.query(
      'truncate sandbox.faults, sandbox.requests, sandbox.logins, sandbox.synced, sandbox.way_vehicles, ' +
        'sandbox.way_bills, sandbox.invoices',
    );
    return view(portal, '');
  });
}

/** What the stand-in signs with, and what its callers seal their logins with. */
export interface Keys {
  readonly loginKey: () => Promise<string>;
  readonly signingKeys: () => Promise<readonly (JsonWebKey & { readonly kid: string })[]>;
}

const shownKeys = async (portal: Portal, purpose: Purpose) =>
  (await keysFor(portal, purpose)).map(({ kid, publicKey }) => ({ kid, publicKey }));

/** The public keys: for login one, for signatures all that ever signed, the present one first. */
export const keysOf = (portal: Portal): Keys => ({
  loginKey: async () => (await shownKeys(portal, 'login'))[0]?.publicKey ?? '',
  signingKeys: async () =>
    (await shownKeys(portal, 'signing')).map(({ kid, publicKey }) => ({
      ...createPublicKey(publicKey).export({ format: 'jwk' }),
      kid,
      alg: 'RS256',
      use: 'sig',
    })),
});

/** The same for whoever may ask. */
export function publicKeys(app: FastifyInstance, portal: Portal): void {
  const shown = (purpose: Purpose) => shownKeys(portal, purpose);
  app.get('/keys', async () => ({ login: (await shown('login'))[0], signing: await shown('signing') }));
  for (const purpose of ['login', 'signing'] as const) {
    app.get(`/keys/${purpose}.pem`, async (_request, reply) => {
      const [current] = await shown(purpose);
      return reply.type('application/x-pem-file').send(current?.publicKey);
    });
  }
  app.get('/keys/jwks.json', async () => ({ keys: await keysOf(portal).signingKeys() }));
  app.post('/keys/rotate', async () => {
    await addKey(portal.database, 'signing');
    return { signing: await shown('signing') };
  });
}
