import { z } from 'zod';
import { operation } from './contract.ts';
import { chosen, id, nothing, required } from './wire.ts';

const months = z.union([z.literal(1), z.literal(3), z.literal(6), z.literal(12)]);
/** 0 or 1 initiated, 2 or 3 with finance, 4 or 5 with admin, otherwise completed. */
const requestStatus = z.int();
/** A request begins at its first step; finance and the operator take it on. */
const begun = requestStatus.refine(
  (status) => status === 0 || status === 1,
  'A request begins as initiated: send 0 or 1, or leave it out',
);
const request = z.object({
  id,
  modules: z.array(z.string()),
  months,
  monthly: z.string(),
  requestStatus,
  refused: z.boolean(),
  askedBy: z.string(),
  askedAt: z.string(),
  version: z.int(),
});
const broadcast = z.object({ title: z.string(), floatingMessage: z.string(), validTo: z.string() });

/** What is subscribed to, how more is asked for, and what the operator of the installation says and decides. */
export const subscriptionCalls = {
  GetModulesListWithCost: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'The modules in addition to the free core, with monthly price and end of subscription',
    input: z.object(chosen),
    details: z.array(
      z.object({
        id: z.int(),
        moduleName: z.string(),
        cost: z.string(),
        says: z.string(),
        subscribed: z.boolean(),
        endsOn: z.string().nullable(),
      }),
    ),
  }),
  AddModulesForOrganisation: operation({
    service: 'lookups',
    method: 'POST',
    summary: 'Asks for modules: finance and the operator decide',
    input: z.object({
      ...chosen,
      RequestStatus: begun.optional(),
      RequestedDuration: months.default(1),
      ModuleIds: z.array(z.int()).min(1, 'Choose a module').max(20),
    }),
    details: z.object({ requestStatus, message: z.string() }),
  }),
  GetSubscription: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'The end of the subscription, and the state of the last request',
    input: nothing,
    details: z.object({ endsOn: z.string().nullable(), expired: z.boolean(), request: request.nullable() }),
  }),
  GetSupportDetails: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'Who runs this installation and helps',
    input: z.object(chosen),
    details: z.array(z.object({ name: z.string(), email: z.string() })),
  }),
  GetBroadcastDetails: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'What the operator tells everybody, while it is valid',
    input: z.object(chosen),
    details: broadcast.nullable(),
  }),

  ListSubscriptionRequests: operation({
    service: 'operator',
    method: 'GET',
    summary: 'Requests of all organisations, for the operator',
    input: nothing,
    details: z.array(request.extend({ organisation: z.int(), code: z.string(), name: z.string() })),
  }),
  DecideSubscriptionRequest: operation({
    service: 'operator',
    method: 'POST',
    changes: 'own',
    summary: 'Takes a request one step on (payment received, then approved), or refuses it',
    input: z.object({ organisation: z.int(), request: id, version: z.int(), approve: z.boolean() }),
    details: z.object({ requestStatus }),
  }),
  ListBroadcasts: operation({
    service: 'operator',
    method: 'GET',
    summary: 'All announcements, also those that have ended',
    input: nothing,
    details: z.array(broadcast.extend({ id })),
  }),
  SaveBroadcast: operation({
    service: 'operator',
    method: 'POST',
    changes: 'own',
    summary: 'Tells everybody something until a moment to come',
    input: z.object({
      title: required(80, 'Title'),
      floatingMessage: required(1000, 'Message'),
      validTo: z.iso.datetime({ offset: true, error: 'Choose a day and time' }),
    }),
    details: z.object({ id }),
  }),
  EndBroadcast: operation({
    service: 'operator',
    method: 'POST',
    changes: 'own',
    summary: 'Takes a message back',
    input: z.object({ id }),
    details: nothing,
  }),
} as const;
