import { z } from 'zod';
import { MOST_ACTIONS, MOST_STAGES, stageTones } from '../domain/workflow/definition.ts';
import { type FlowFamily, factNames, familyNames } from '../domain/workflow/families.ts';
import { beside } from './beside.ts';
import { operation } from './contract.ts';
import { chosen, day, id, required, text, whole } from './wire.ts';

const family = z.enum(familyNames as [FlowFamily, ...FlowFamily[]]);
const colour = z.enum(stageTones);
const key = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'A key is small letters, digits and hyphens');
/** A stage may not be there yet while a draft is written. */
const stageKey = z.union([key, z.literal('')]);
/** What names a family of orders: the family, one of its kinds or the code of that kind. */
const orders = z.string().max(40);

const stage = z.object({
  key,
  name: text(40),
  colour,
  slaHours: z.int().min(0).max(99_999).nullable(),
  start: z.boolean(),
  end: z.boolean(),
  /** Documents may be made from an order that stands here. */
  onward: z.boolean(),
  /** Who brings an order on from here approves it: whoever entered it does not. */
  approval: z.boolean(),
  /** Names of fields that are filled, and facts that hold, before an order leaves the stage. */
  fields: z.array(z.string().max(40)).max(20),
  facts: z.array(z.enum(factNames)),
});
const action = z.object({
  key,
  label: text(40),
  from: stageKey,
  to: stageKey,
  roles: z.array(id).max(50),
  needsComment: z.boolean(),
  /** What is asked before it is done. */
  confirmText: text(200),
  /** Turns an order away: what is asked before leaving a stage is not asked for it. */
  destructive: z.boolean(),
});
const written = {
  name: text(60),
  stages: z
    .array(stage.extend({ approval: z.boolean().default(false) }))
    .max(MOST_STAGES, `At most ${MOST_STAGES} stages`),
  actions: z.array(action).max(MOST_ACTIONS, `At most ${MOST_ACTIONS} actions`),
};

export const workflowStates = ['draft', 'published', 'retired', 'cancelled'] as const;
const head = {
  id,
  family,
  name: z.string(),
  version: z.int(),
  status: z.enum(workflowStates),
  revision: z.int(),
  /** Orders that go through this version and have not ended. */
  running: z.int(),
  author: z.string(),
  createdAt: z.string(),
  publishedBy: z.string().nullable(),
  publishedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
};
export const workflowRow = z.object({
  ...head,
  stages: z.array(z.object({ key: z.string(), name: z.string(), colour })),
});
export const workflowView = z.object({
  ...head,
  stages: z.array(stage),
  actions: z.array(action),
  /** Names of the roles that stand in it. */ roleNames: z.record(z.string(), z.string()),
});
const saved = z.object({ id, version: z.int(), revision: z.int(), status: z.enum(workflowStates) });

const logistics = z.object({
  carrier: z.string(),
  awb: z.string(),
  trackingUrl: z.string(),
  packages: z.int().nullable(),
  weight: z.string(),
  pickedUpOn: day.nullable(),
  deliveredOn: day.nullable(),
  by: z.string(),
  at: z.string(),
});

/** Where an order stands, what may follow, and how it came there. */
export const orderStatus = z.object({
  document: id,
  number: z.string(),
  kind: z.string(),
  workflow: z.object({ id, name: z.string(), version: z.int() }).nullable(),
  stage: z
    .object({
      key: z.string(),
      name: z.string(),
      colour,
      end: z.boolean(),
      onward: z.boolean(),
      since: z.string(),
      dueAt: z.string().nullable(),
      slaHours: z.int().nullable(),
    })
    .nullable(),
  /** Documents are not made from it yet. */
  held: z.boolean(),
  actions: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      to: z.string(),
      needsComment: z.boolean(),
      confirmText: z.string(),
      destructive: z.boolean(),
      /** Whether one of my roles may, the roles that may, and what is still missing. */
      mine: z.boolean(),
      roles: z.array(z.string()),
      blocked: z.array(z.string()),
    }),
  ),
  /** `minutes`: how long it stood at `from`. */
  history: z.array(
    z.object({
      number: z.int(),
      action: z.string().nullable(),
      from: z.string().nullable(),
      to: z.string(),
      by: z.string(),
      at: z.string(),
      comment: z.string(),
      minutes: z.int().nullable(),
    }),
  ),
  moves: z.int(),
  mayStart: z.boolean(),
  logistics: logistics.nullable(),
});

const document = { ...chosen, TransactionId: id };
const numbered = { ...chosen, documentNumber: required(50, 'Number'), documentType: orders.optional() };
const comment = text(1000).default('');
const next = z.array(z.object({ key: z.string(), label: z.string(), to: z.string(), needsComment: z.boolean() }));

/** Orders that go through stages: the service `workflow`. */
export const workflowCalls = {
  GetWorkFlows: operation({
    service: 'workflow',
    method: 'GET',
    summary: 'The definitions of workflows with their versions, of one family of orders or of all',
    input: z.object({ ...chosen, TransactionType: orders.optional() }),
    details: z.array(workflowRow),
  }),
  GetWorkFlowDefinitionById: operation({
    service: 'workflow',
    method: 'GET',
    summary: 'A version of a workflow with its stages and actions',
    input: z.object({ ...chosen, id }),
    details: workflowView,
  }),
  GetOMSWorkflowTemplateDetails: operation({
    service: 'workflow',
    method: 'GET',
    summary: 'Definitions to begin with, without roles',
    input: z.object({ ...chosen, TransactionType: orders.optional() }),
    details: z.array(
      z.object({
        family,
        key: z.string(),
        name: z.string(),
        says: z.string(),
        stages: z.array(stage),
        actions: z.array(action),
      }),
    ),
  }),
  GetActions: operation({
    service: 'workflow',
    method: 'GET',
    summary: 'The actions of the published workflows, with the roles that may',
    input: z.object({ ...chosen, TransactionType: orders.optional() }),
    details: z.array(
      z.object({
        family,
        key: z.string(),
        label: z.string(),
        from: z.string(),
        to: z.string(),
        roles: z.array(z.string()),
        needsComment: z.boolean(),
        destructive: z.boolean(),
      }),
    ),
  }),
  SaveWorkflow: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Keeps a new workflow as a draft, the next version of its family',
    input: z.object({ ...chosen, TransactionType: orders, ...written }),
    details: saved,
  }),
  UpdateWorkflow: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Changes a draft of a workflow',
    input: z.object({ ...chosen, id, revision: z.int(), ...written }),
    details: saved,
  }),
  PublishWorkflow: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Publishes a draft: orders posted from now on follow it, those that run stay on their version',
    input: z.object({ ...chosen, id, revision: z.int() }),
    details: saved,
  }),
  CancelWorkflow: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Gives a draft or a published workflow up; orders that run go on',
    input: z.object({ ...chosen, id, revision: z.int() }),
    details: saved,
  }),
  GetWorkflowStatus: operation({
    service: 'workflow',
    method: 'GET',
    summary: 'The stage of an order, the actions that may follow and its history',
    input: z.object(document),
    details: orderStatus,
  }),
  SaveOrUpdateWorkflowStatus: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Brings an order on by an action of its workflow; `moves` is how many steps it had when that was decided',
    input: z.object({ ...document, action: key, moves: z.int().optional(), comment }),
    details: orderStatus,
  }),
  start: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Puts an order without a workflow on the published workflow of its family',
    input: z.object({ ...chosen, documentNumber: required(50, 'Number'), documentType: orders, stage: key.optional() }),
    details: orderStatus,
  }),
  action: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Brings an order on, by its number',
    input: z.object({ ...numbered, action: key, comment }),
    details: orderStatus,
  }),
  'next-actions': operation({
    service: 'workflow',
    method: 'GET',
    summary: 'What I may do with an order next',
    input: z.object(numbered),
    details: next,
  }),
  minimal: operation({
    service: 'workflow',
    method: 'POST',
    changes: 'nothing',
    summary: 'The stages and actions of a version, without who may',
    input: z.object({ ...chosen, version: whole, documentType: orders }),
    details: z.object({
      family,
      version: z.int(),
      name: z.string(),
      status: z.enum(workflowStates),
      stages: z.array(z.object({ key: z.string(), name: z.string(), start: z.boolean(), end: z.boolean() })),
      actions: z.array(z.object({ key: z.string(), label: z.string(), from: z.string(), to: z.string() })),
    }),
  }),
  GetCommentsForTransaction: operation({
    service: 'workflow',
    method: 'GET',
    summary: 'Comments of a document',
    input: z.object(document),
    details: beside.shape.comments,
  }),
  SaveCommentsForTransaction: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'Adds a comment to a document; it cannot be removed',
    input: z.object({ ...document, text: required(2000, 'Comment') }),
    details: beside.shape.comments,
  }),
  LogisticSubmit: operation({
    service: 'workflow',
    method: 'POST',
    summary: 'How the goods of an order travel; what was said before stays in its history',
    input: z.object({
      ...document,
      carrier: required(100, 'Carrier'),
      awb: text(50).default(''),
      trackingUrl: text(300)
        .refine((t) => t === '' || /^https:\/\/[^\s]+$/.test(t), 'An address that begins with https://')
        .default(''),
      packages: z.int().min(1).max(99_999).nullable().default(null),
      weight: text(20).default(''),
      pickedUpOn: day.nullable().default(null),
      deliveredOn: day.nullable().default(null),
    }),
    details: logistics,
  }),
} as const;
