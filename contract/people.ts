import { z } from 'zod';
import { operation } from './contract.ts';
import { id, grantLevel as level, nothing } from './wire.ts';

/** Of an authenticator, or a recovery code. */
const code = z.string().trim().min(1, 'Code is required').max(20);

/** How people come in: one-time links and passwords of the embedded issuer, and where they are signed in. */
export const peopleCalls = {
  MakeSignInLink: operation({
    service: 'organisation',
    securityEvent: 'linkMade',
    method: 'POST',
    changes: 'own',
    summary: 'A one-time link with which a user takes up an invitation or sets a new password; shown once',
    input: z.object({ user: id }),
    details: z.object({ url: z.string(), purpose: z.enum(['invitation', 'password']), expiresAt: z.string() }),
  }),
  MailSignInLink: operation({
    service: 'organisation',
    securityEvent: 'linkMade',
    method: 'POST',
    changes: 'own',
    summary: 'Mails such a link to the user only',
    input: z.object({ user: id }),
    details: z.object({ email: z.string(), purpose: z.enum(['invitation', 'password']), expiresAt: z.string() }),
  }),
  ExplainAccess: operation({
    service: 'organisation',
    method: 'GET',
    summary:
      'Why a user can or cannot open a screen and make its calls: what is needed, which role or group grants it, what blocks it',
    input: z.object({ user: id, screen: z.string().max(60) }),
    details: z.object({
      user: z.object({ name: z.string(), email: z.string(), state: z.enum(['active', 'invited', 'inactive']) }),
      screen: z.object({
        name: z.string(),
        label: z.string(),
        parent: z.string(),
        parentLabel: z.string(),
        needs: level,
        always: z.boolean(),
        built: z.boolean(),
        opens: z.boolean(),
      }),
      /**
       * The highest of the grants, and the way each came, by a role or by a role of a group: what is allowed is what
       * any of them allows.
       */
      level,
      ways: z.array(z.object({ role: z.string(), group: z.string().nullable(), level })),
      calls: z.array(
        z.object({
          call: z.string(),
          summary: z.string(),
          action: z.enum(['read', 'view', 'write', 'approve', 'settings', 'full']),
          levels: z.array(level),
          everyone: z.boolean(),
          allowed: z.boolean(),
        }),
      ),
      /** Locations the user may use, and whether each comes from the user or from groups; none: all. */
      locations: z.array(z.object({ name: z.string(), own: z.boolean(), groups: z.array(z.string()) })),
      /** What blocks them besides levels: the account, a module, a lock. */
      limits: z.array(z.string()),
    }),
  }),
  ChangePassword: operation({
    service: 'session',
    securityEvent: 'passwordChanged',
    method: 'POST',
    changes: 'own',
    summary: 'Changes the own password and ends the other sessions',
    input: z.object({ current: z.string().max(1000), next: z.string().max(1000) }),
    details: nothing,
  }),
  GetSecondFactor: operation({
    service: 'session',
    method: 'GET',
    summary: 'Whether the own second factor is on, whether it is asked for, and how many recovery codes are left',
    input: nothing,
    details: z.object({ on: z.boolean(), required: z.boolean(), codesLeft: z.int() }),
  }),
  BeginSecondFactor: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    summary: 'A fresh secret for the authenticator; nothing is asked for until it is confirmed',
    input: nothing,
    details: z.object({ secret: z.string(), address: z.string() }),
  }),
  ConfirmSecondFactor: operation({
    service: 'session',
    securityEvent: 'secondFactorOn',
    method: 'POST',
    changes: 'own',
    summary: 'Turns the second factor on by a code of the authenticator; answers the recovery codes, shown once',
    input: z.object({ code }),
    details: z.object({ codes: z.array(z.string()) }),
  }),
  RenewRecoveryCodes: operation({
    service: 'session',
    securityEvent: 'recoveryCodesRenewed',
    method: 'POST',
    changes: 'own',
    summary: 'New recovery codes; the old ones open nothing any more',
    input: z.object({ code }),
    details: z.object({ codes: z.array(z.string()) }),
  }),
  EndSecondFactor: operation({
    service: 'session',
    securityEvent: 'secondFactorOff',
    method: 'POST',
    changes: 'own',
    summary: 'Turns the own second factor off',
    input: z.object({ code }),
    details: nothing,
  }),
  ResetSecondFactor: operation({
    service: 'organisation',
    securityEvent: 'secondFactorReset',
    method: 'POST',
    summary: 'Takes the second factor from a user who has lost both telephone and recovery codes',
    input: z.object({ user: id }),
    details: z.object({ reset: z.boolean() }),
  }),
  ListSessions: operation({
    service: 'session',
    method: 'GET',
    summary: 'Where the person is signed in',
    input: nothing,
    details: z.array(
      z.object({ id: z.string(), agent: z.string(), startedAt: z.string(), seenAt: z.string(), current: z.boolean() }),
    ),
  }),
  EndSession: operation({
    service: 'session',
    securityEvent: 'sessionEnded',
    method: 'POST',
    changes: 'own',
    summary: 'Ends one of the own sessions',
    input: z.object({ id: z.string() }),
    details: z.object({ ended: z.boolean() }),
  }),
} as const;
