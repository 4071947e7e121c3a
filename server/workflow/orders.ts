import { sql } from 'kysely';
import type { Answer, Handlers } from '../../contract/contract.ts';
import { Refusal, refusals } from '../../contract/errors.ts';
import type { workflowCalls } from '../../contract/workflow.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { type KindName, kindOf } from '../../domain/document/kinds/index.ts';
import { actionsFrom, type FlowAction, isOwnApproval, type Stage } from '../../domain/workflow/definition.ts';
import type { FlowFamily } from '../../domain/workflow/families.ts';
import { kindsIn, orderKinds } from '../../domain/workflow/orders.ts';
import type { Context } from '../context.ts';
import { mayOpen } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';
import { familyAsked, roleNames, type Trx } from './definitions.ts';
import { blockedBy, type Facts } from './facts.ts';

type Calls = typeof workflowCalls;
type Status = Answer<Calls['GetWorkflowStatus']>;
type Logistics = NonNullable<Status['logistics']>;

/** Where an order is on its workflow. */
interface Progress {
  readonly workflow: Id;
  readonly name: string;
  readonly version: number;
  readonly stages: readonly Stage[];
  readonly actions: readonly FlowAction[];
  readonly stage: string;
  readonly moves: number;
  readonly since: Date;
  readonly ended: boolean;
}
interface Order extends Facts, Readonly<{ [K in keyof Progress]: Progress[K] | null }> {
  readonly number: string;
  readonly author: Id;
  readonly cancelled: boolean;
  readonly held: string | null;
  readonly due_at: Date | null;
  readonly last: string | null;
}
type OrderInProgress = Order & Progress;
const isInProgress = (order: Order): order is OrderInProgress => order.workflow !== null;

/** By its id, or by its number among kinds. */
type Which = { readonly id: Id } | { readonly number: string; readonly kinds: readonly KindName[] };

/** A posted document that the user may open; any other is as if it were not there. */
async function orderOf(trx: Trx, context: Context, which: Which): Promise<Order> {
  const { rows } = await sql<Order>`
    select
      d.id, d.kind, d.number, d.location, d.author, d.party, d.total, d.body -> 'draft' as draft,
      exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) as cancelled,
      workflow_held(d.organisation, d.id) as held, o.workflow, w.name, w.version, w.stages, w.actions,
      o.stage, o.moves, o.since, o.due_at, o.ended,
      (
        select u.name
        from workflow_moves m
        join users u on u.organisation = m.organisation and u.id = m.by
        where m.organisation = o.organisation and m.document = o.document and m.number = o.moves
      ) as last
    from documents d
    left join workflow_orders o on o.organisation = d.organisation and o.document = d.id
    left join workflows w on w.organisation = o.organisation and w.id = o.workflow
    where d.organisation = ${context.organisation}
      and d.reverses is null
      and ${
        'id' in which
          ? sql`d.id = ${which.id}::uuid`
          : sql`
        upper(d.number) = upper(${which.number}) and d.kind = any(${[...which.kinds]}::text[])
      `
      }
    order by d.posted_at desc
    limit 20
  `.execute(trx);
  // several kinds may have a number: the first that the user may open is meant
  const order = rows.find((row) => mayOpen(context, row));
  if (!order) throw new Refusal('notFound');
  return order;
}

/** Roles that a user has, their own and those of their groups. */
async function rolesOf(trx: Trx, { organisation, user }: Context): Promise<ReadonlySet<Id>> {
  const { rows } = await sql<{ role: Id }>`
    select r.id as role
    from roles r
    where r.organisation = ${organisation}
      and r.active
      and (
        exists (
          select from user_roles u where u.organisation = r.organisation and u.role = r.id and u."user" = ${user}
        )
          or exists (
            select from group_members m
            join groups g on g.organisation = m.organisation and g.id = m."group" and g.active
            join group_roles x on x.organisation = m.organisation and x."group" = m."group"
            where m.organisation = r.organisation and x.role = r.id and m."user" = ${user}
          )
      )
  `.execute(trx);
  return new Set(rows.map(({ role }) => role));
}

const stageOf = ({ stages }: Progress, key: string): Stage | undefined => stages.find((stage) => stage.key === key);
const nameOf = (order: Progress, key: string): string => stageOf(order, key)?.name ?? key;

async function historyOf(trx: Trx, { organisation }: Context, order: OrderInProgress): Promise<Status['history']> {
  const { rows } = await sql<{
    number: number;
    action: string | null;
    from_stage: string | null;
    to_stage: string;
    by: string;
    at: Date;
    comment: string;
    minutes: number | null;
  }>`
    select
      m.number, m.action, m.from_stage, m.to_stage, u.name as by, m.at, m.comment,
      floor(extract(epoch from m.at - lag(m.at) over (order by m.number)) / 60)::int as minutes
    from workflow_moves m
    join users u on u.organisation = m.organisation and u.id = m.by
    where m.organisation = ${organisation} and m.document = ${order.id}::uuid
    order by m.number
  `.execute(trx);
  return rows.map(({ number, action, from_stage, to_stage, by, at, comment, minutes }) => ({
    number,
    action: action === null ? null : (order.actions.find(({ key }) => key === action)?.label ?? action),
    from: from_stage === null ? null : nameOf(order, from_stage),
    to: nameOf(order, to_stage),
    by,
    at: at.toISOString(),
    comment,
    minutes,
  }));
}

async function logisticsOf(trx: Trx, { organisation }: Context, id: Id): Promise<Logistics | null> {
  const { rows } = await sql<{ body: Omit<Logistics, 'by' | 'at'>; by: string | null; at: Date }>`
    select f.body, u.name as by, f.at
    from later_facts f
    left join users u on u.organisation = f.organisation and u.id = f.by
    where f.organisation = ${organisation} and f.document = ${id}::uuid and f.fact = 'logistics'
    order by f.number desc
    limit 1
  `.execute(trx);
  const [row] = rows;
  return row ? { ...row.body, by: row.by ?? '', at: row.at.toISOString() } : null;
}

/** Whether an order without a workflow may be put on the published workflow of its family by this user. */
async function mayStart(trx: Trx, context: Context, { kind, workflow, cancelled }: Order): Promise<boolean> {
  const { life } = kindOf(kind);
  if (life.flow === undefined || workflow !== null || cancelled || context.lapsed?.includes('workflow')) return false;
  if (!context.may('approve', kind)) return false;
  const { rows } = await sql<{
    may: boolean;
  }>`
    select workflow_on(${context.organisation}, ${life.flow})
      and exists (
        select from workflows
        where organisation = ${context.organisation} and family = ${life.flow} and status = 'published'
      ) as may
  `.execute(trx);
  return rows[0]?.may ?? false;
}

/** Where an order stands, with what this user may do next and what keeps it from that. */
async function statusOf(trx: Trx, context: Context, order: Order): Promise<Status> {
  const none = {
    document: order.id,
    number: order.number,
    kind: order.kind,
    logistics: await logisticsOf(trx, context, order.id),
  };
  const stage = isInProgress(order) ? stageOf(order, order.stage) : undefined;
  if (!isInProgress(order) || !stage)
    return {
      ...none,
      workflow: null,
      stage: null,
      held: false,
      actions: [],
      history: [],
      moves: 0,
      mayStart: await mayStart(trx, context, order),
    };
  const history = await historyOf(trx, context, order);
  const [names, mine] = [await roleNames(trx, context), await rolesOf(trx, context)];
  const possible = order.cancelled ? [] : actionsFrom(order, order.stage);
  const missing = possible.some(({ destructive }) => !destructive) ? await blockedBy(trx, context, order, stage) : [];
  const blocked = (action: FlowAction): string[] =>
    action.destructive
      ? []
      : [
          ...(isOwnApproval(stage, action, order.author, context.user) ? [refusals.ownApproval[1]] : []),
          ...missing.map(({ message }) => message),
        ];
  return {
    ...none,
    workflow: { id: order.workflow, name: order.name, version: order.version },
    held: order.held !== null,
    moves: order.moves,
    mayStart: false,
    history,
    stage: {
      key: stage.key,
      name: stage.name,
      colour: stage.colour,
      end: stage.end,
      onward: stage.onward,
      since: order.since.toISOString(),
      dueAt: order.due_at?.toISOString() ?? null,
      slaHours: stage.slaHours,
    },
    actions: possible.map((action) => {
      const { key, label, to, roles, needsComment, confirmText, destructive } = action;
      return {
        key,
        label,
        to: nameOf(order, to),
        needsComment,
        confirmText,
        destructive,
        mine: roles.some((role) => mine.has(role)),
        roles: roles.flatMap((role) => names.get(role) ?? []),
        blocked: blocked(action),
      };
    }),
  };
}

/** The lock of postings on an order: who makes something of it at this moment is waited for. */
const hold = (trx: Trx, { organisation }: Context, order: Id) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${order}::uuid::text, ${organisation}))`.execute(trx);

/**
 * Moves an order on. The roles of the action decide whether the user may, not their level on the screen, which
 * only has to allow reading.
 */
async function move(
  trx: Trx,
  context: Context,
  which: Which,
  asked: { readonly action: string; readonly moves?: number | undefined; readonly comment: string },
): Promise<Status> {
  const { id } = await orderOf(trx, context, which);
  await hold(trx, context, id);
  const order = await orderOf(trx, context, { id });
  const { number } = order;
  if (!isInProgress(order)) throw new Refusal('noWorkflow', { number });
  if (order.cancelled) throw new Refusal('alreadyCancelled', { number });
  const stage = stageOf(order, order.stage);
  const action = actionsFrom(order, order.stage).find(({ key }) => key === asked.action);
  const isAnother = asked.moves !== undefined && asked.moves !== order.moves;
  if (isAnother) throw new Refusal('stale', { who: order.last ?? 'Somebody' });
  if (!stage || !action)
    throw new Refusal('stageBlocked', {
      number,
      stage: nameOf(order, order.stage),
      reason: say('there is no such action from there'),
    });
  const mine = await rolesOf(trx, context);
  if (!action.roles.some((role) => mine.has(role))) {
    const names = await roleNames(trx, context);
    throw new Refusal('notYourStep', {
      action: action.label,
      roles: action.roles.flatMap((role) => names.get(role) ?? []).join(' and ') || say('nobody any more'),
    });
  }
  if (isOwnApproval(stage, action, order.author, context.user)) throw new Refusal('ownApproval');
  if (action.needsComment && asked.comment === '') throw new Problems([{ field: 'comment', ...say('Write why') }]);
  const blocked = action.destructive ? [] : await blockedBy(trx, context, order, stage);
  if (blocked.length > 0)
    throw new Refusal('stageBlocked', {
      number,
      stage: stage.name,
      reason: blocked.reduce((one, other) => say('{{one}}; {{other}}', { one, other })),
    });
  await sql`
    insert into workflow_moves (organisation, document, number, action, from_stage, to_stage, comment, by)
    values (
      ${context.organisation}, ${id}::uuid, ${order.moves + 1}, ${action.key}, ${action.from},
      ${action.to}, ${asked.comment}, ${context.user}
    )
  `.execute(trx);
  // nothing will be made from an order that was turned away: it holds no stock any more
  const reached = stageOf(order, action.to);
  if (reached?.end && !reached.onward && kindOf(order.kind).stock.effect === 'reserve')
    await sql`
      insert into freed_orders (organisation, document, by)
      values (${context.organisation}, ${id}::uuid, ${context.user})
      on conflict do nothing
    `.execute(trx);
  return statusOf(trx, context, await orderOf(trx, context, { id }));
}

const kindsAsked = (type: string | undefined): readonly KindName[] =>
  orderKinds(type ?? '') ?? kindsIn(familyAsked(type ?? '', 'documentType'));

type OrderCall =
  | 'GetWorkflowStatus'
  | 'SaveOrUpdateWorkflowStatus'
  | 'start'
  | 'action'
  | 'next-actions'
  | 'LogisticSubmit';

/** The calls about orders that go through stages. */
export const orderHandlers: Pick<Handlers<Calls, Context>, OrderCall> = {
  GetWorkflowStatus: ({ TransactionId }, context) =>
    context.inTransaction(async (trx) => statusOf(trx, context, await orderOf(trx, context, { id: TransactionId }))),
  SaveOrUpdateWorkflowStatus: ({ TransactionId, action, moves, comment }, context) =>
    context.inTransaction((trx) => move(trx, context, { id: TransactionId }, { action, moves, comment })),
  action: ({ documentNumber, documentType, action, comment }, context) =>
    context.inTransaction((trx) =>
      move(trx, context, { number: documentNumber, kinds: kindsAsked(documentType) }, { action, comment }),
    ),
  'next-actions': ({ documentNumber, documentType }, context) =>
    context.inTransaction(async (trx) => {
      const { actions } = await statusOf(
        trx,
        context,
        await orderOf(trx, context, { number: documentNumber, kinds: kindsAsked(documentType) }),
      );
      return actions
        .filter(({ mine, blocked }) => mine && blocked.length === 0)
        .map(({ key, label, to, needsComment }) => ({ key, label, to, needsComment }));
    }),
  start: ({ documentNumber, documentType, stage }, context) =>
    context.inTransaction(async (trx) => {
      const family: FlowFamily = familyAsked(documentType, 'documentType');
      const { id, number } = await orderOf(trx, context, { number: documentNumber, kinds: kindsIn(family) });
      await hold(trx, context, id);
      const order = await orderOf(trx, context, { id });
      if (isInProgress(order))
        throw new Refusal('cannotChange', {
          name: number,
          reason: say('it goes through “{{order}}” already', { order: order.name }),
        });
      if (order.cancelled) throw new Refusal('alreadyCancelled', { number });
      if (!(await mayStart(trx, context, order))) throw new Refusal('noWorkflow', { number });
      await sql`select workflow_begin(${context.organisation}, ${id}::uuid, ${family}, ${context.user})`.execute(trx);
      const started = await orderOf(trx, context, { id });
      if (stage !== undefined && isInProgress(started) && stage !== started.stage)
        throw new Problems([
          { field: 'stage', ...say('Orders start at “{{started}}”', { started: nameOf(started, started.stage) }) },
        ]);
      return statusOf(trx, context, started);
    }),
  LogisticSubmit: ({ TransactionId, OrgCode: _, SubOrgCode: __, UserName: ___, ...body }, context) =>
    context.inTransaction(async (trx) => {
      const order = await orderOf(trx, context, { id: TransactionId });
      if (kindOf(order.kind).life.flow === undefined) throw new Refusal('noWorkflow', { number: order.number });
      if (order.cancelled) throw new Refusal('alreadyCancelled', { number: order.number });
      if (body.pickedUpOn !== null && body.deliveredOn !== null && body.deliveredOn < body.pickedUpOn)
        throw new Problems([{ field: 'deliveredOn', ...say('Goods are not delivered before they are picked up') }]);
      await hold(trx, context, order.id);
      await sql`
        insert into later_facts (organisation, document, number, fact, body, by)
        select
          ${context.organisation}, ${order.id}::uuid, coalesce(max(number), 0) + 1, 'logistics',
          ${JSON.stringify(body)}::jsonb, ${context.user}
        from later_facts
        where organisation = ${context.organisation} and document = ${order.id}::uuid
      `.execute(trx);
      const said = await logisticsOf(trx, context, order.id);
      if (!said) throw new Refusal('notFound');
      return said;
    }),
};
