import { z } from 'zod';
import { kindNames } from '../domain/document/kinds/index.ts';
import { operation } from './contract.ts';
import { webhookEvents } from './webhook-facts.ts';
import { id, nothing } from './wire.ts';

const events = z
  .array(z.enum(webhookEvents))
  .min(1, 'Choose at least one event')
  .transform((chosen) => [...new Set(chosen)]);
const kinds = z.array(z.string().refine((name) => (kindNames as readonly string[]).includes(name), 'This is no kind'));
const shownEvents = z.array(z.enum(webhookEvents));

/** Webhooks: addresses of other programs that are notified of events of the organisation. */
export const webhookCalls = {
  ListWebhooks: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The webhooks of this organisation, without their secrets',
    input: nothing,
    details: z.array(
      z.object({
        id,
        name: z.string(),
        address: z.string(),
        events: shownEvents,
        kinds: z.array(z.string()),
        active: z.boolean(),
        waiting: z.number(),
        failed: z.number(),
      }),
    ),
  }),
  MakeWebhook: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Adds a webhook; the secret of its signature is in this answer only. No kinds: documents of every kind',
    input: z.object({
      name: z.string().trim().min(1, 'Name is required').max(60),
      address: z.string().trim().max(500),
      events,
      kinds,
    }),
    details: z.object({ id, secret: z.string() }),
  }),
  PauseWebhook: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Pauses a webhook, or goes on with it. It is not notified of what happens while it is paused',
    input: z.object({ webhook: id, active: z.boolean() }),
    details: z.object({ active: z.boolean() }),
  }),
  RollWebhookSecret: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Gives a webhook a new secret, which is in this answer only; the one before is not used any more',
    input: z.object({ webhook: id }),
    details: z.object({ secret: z.string() }),
  }),
  DeleteWebhook: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Deletes a webhook with the list of its deliveries',
    input: z.object({ webhook: id }),
    details: z.object({ deleted: z.boolean() }),
  }),
  TestWebhook: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Sends a test to a webhook',
    input: z.object({ webhook: id }),
    details: z.object({ delivery: id }),
  }),
  ListWebhookDeliveries: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The last 100 deliveries to a webhook, the newest first',
    input: z.object({ webhook: id }),
    details: z.array(
      z.object({
        id,
        event: z.enum([...webhookEvents, 'test']),
        about: id.nullable(),
        state: z.enum(['waiting', 'sent', 'failed']),
        attempts: z.number(),
        status: z.number().nullable(),
        error: z.string().nullable(),
        madeAt: z.string(),
        sentAt: z.string().nullable(),
        nextAt: z.string().nullable(),
      }),
    ),
  }),
  SendWebhookAgain: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Sends a delivery again now, with the same id',
    input: z.object({ delivery: id }),
    details: z.object({ waiting: z.boolean() }),
  }),
} as const;
