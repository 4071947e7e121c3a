import { z } from 'zod';
import { operation } from './contract.ts';
import { MOST_DAYS, tokenScopes } from './token-facts.ts';
import { id } from './wire.ts';

/** Access tokens, with which other programs make the calls of a person in one organisation. */
export const tokenCalls = {
  ListAccessTokens: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The own access tokens for this organisation; with `all` those of every user, for who manages users',
    input: z.object({ all: z.stringbool().optional() }),
    details: z.array(
      z.object({
        id,
        name: z.string(),
        begins: z.string(),
        scope: z.enum(tokenScopes),
        user: z.string(),
        own: z.boolean(),
        madeAt: z.string(),
        expiresAt: z.string(),
        revokedAt: z.string().nullable(),
        usedAt: z.string().nullable(),
        usedFrom: z.string().nullable(),
        state: z.enum(['active', 'expired', 'revoked']),
      }),
    ),
  }),
  MakeAccessToken: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Makes an access token for this organisation; its secret is in this answer only',
    input: z.object({
      name: z.string().trim().min(1, 'Name is required').max(60),
      scope: z.enum(tokenScopes),
      days: z.number().int().min(1).max(MOST_DAYS),
    }),
    details: z.object({ id, secret: z.string(), expiresAt: z.string() }),
  }),
  RevokeAccessToken: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Revokes an access token at once: an own one, or for who manages users one of anybody',
    input: z.object({ token: id }),
    details: z.object({ revoked: z.boolean() }),
  }),
} as const;
