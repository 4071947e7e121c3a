import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { controls, type Keys, keysOf, publicKeys } from './control.ts';
import { wayBillPortal } from './ewayroutes.ts';
import { invoicePortal, unreadable } from './irproutes.ts';
import { paymentGateway } from './payments.ts';
import type { Database, Portal } from './portal.ts';
import { holds } from './serve.ts';

export type { Keys };

export interface SandboxOptions {
  /** A pool of the owner's role: the application's role cannot see the stand-in's tables. */
  readonly database: Database;
  readonly clock: () => Date;
  /** Where it is mounted, `/sandbox` by default. */
  readonly prefix?: string;
  /** Days within which a registered invoice is served again; 3 by default. */
  readonly fetchDays?: number;
  /** Who may see the keys and order misbehaviour, neither of which asks for a password; without it nobody may. */
  readonly opens?: (request: FastifyRequest) => boolean;
}

/**
 * Mounts the pretended government portals under the prefix: invoices, e-way bills, a payment gateway, public keys and
 * the controls. Answers its public keys.
 */
export async function mountSandbox(app: FastifyInstance, options: SandboxOptions): Promise<Keys> {
  const portal: Portal = { database: options.database, clock: options.clock, fetchDays: options.fetchDays ?? 3 };
  const waits = holds();
  await app.register(
    async (scope) => {
      scope.addHook('preClose', async () => waits.release());
      scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
        const isOurs = (error.statusCode ?? 500) >= 500;
        if (isOurs) request.log.error(error);
        return reply
          .status(isOurs ? 500 : 200)
          .send(unreadable(isOurs ? '5001' : '5002', isOurs ? 'Application error' : error.message));
      });
      invoicePortal(scope, portal, waits);
      wayBillPortal(scope, portal, waits);
      paymentGateway(scope, options.clock);
      await scope.register(async (guarded) => {
        guarded.addHook('onRequest', async (request, reply) => {
          if (!options.opens?.(request)) return reply.callNotFound();
        });
        publicKeys(guarded, portal);
        controls(guarded, portal);
      });
    },
    { prefix: options.prefix ?? '/sandbox' },
  );
  return keysOf(portal);
}

/** The same alone: a server that its caller lets listen and closes. */
export async function sandboxServer(options: SandboxOptions): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 4 * 1024 * 1024 });
  await mountSandbox(app, { opens: () => true, ...options });
  return app;
}
