// biome-ignore-all format: a table reads best with a row on a line
import { z } from 'zod';
import { operation } from './contract.ts';
import { id, nothing } from './wire.ts';

/** How people come in: one-time links and passwords of the embedded issuer, and where they are signed in. */
export const peopleCalls = {
  MakeSignInLink: operation({
    service: 'organisation', method: 'POST', changes: 'own', summary: 'A one-time link with which a user takes up an invitation or sets a new password; shown once',
    input: z.object({ user: id }), details: z.object({ url: z.string(), purpose: z.enum(['invitation', 'password']), expiresAt: z.string() }),
  }),
  MailSignInLink: operation({
    service: 'organisation', method: 'POST', changes: 'own', summary: 'Mails such a link to the user; nobody else sees it',
    input: z.object({ user: id }), details: z.object({ email: z.string(), purpose: z.enum(['invitation', 'password']), expiresAt: z.string() }),
  }),
  ChangePassword: operation({
    service: 'session', method: 'POST', changes: 'own', summary: 'Changes the own password and ends the other sessions',
    input: z.object({ current: z.string().max(1000), next: z.string().max(1000) }), details: nothing,
  }),
  ListSessions: operation({
    service: 'session', method: 'GET', summary: 'Where the person is signed in', input: nothing,
    details: z.array(z.object({ id: z.string(), agent: z.string(), startedAt: z.string(), seenAt: z.string(), current: z.boolean() })),
  }),
  EndSession: operation({ service: 'session', method: 'POST', changes: 'own', summary: 'Ends one of the own sessions', input: z.object({ id: z.string() }), details: z.object({ ended: z.boolean() }) }),
} as const;
