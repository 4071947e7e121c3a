import { sql } from 'kysely';
import type { Answer, Handlers, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { workflowCalls } from '../../contract/workflow.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import {
  type Definition,
  draftProblems,
  type FlowAction,
  publishProblems,
  type Stage,
} from '../../domain/workflow/definition.ts';
import { type FlowFamily, familyNames } from '../../domain/workflow/families.ts';
import { familyNamed, fieldsIn } from '../../domain/workflow/orders.ts';
import { templates } from '../../domain/workflow/templates.ts';
import type { Context } from '../context.ts';
import { staleOf } from '../kit/database/stale.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Calls = typeof workflowCalls;
type Saved = Answer<Calls['SaveWorkflow']>;
type Status = Saved['status'];

interface Row {
  readonly id: Id;
  readonly family: FlowFamily;
  readonly name: string;
  readonly version: number;
  readonly status: Status;
  readonly revision: number;
  readonly running: number;
  readonly stages: readonly Stage[];
  readonly actions: readonly FlowAction[];
  readonly author: string;
  readonly created_at: Date;
  readonly published_by: string | null;
  readonly published_at: Date | null;
  readonly ended_at: Date | null;
}

/** The family that a name means: its own, that of a kind, or of a kind's code. */
export function familyAsked(name: string, field = 'TransactionType'): FlowFamily {
  const family = familyNamed(name);
  if (family === undefined) throw new Problems([{ field, ...say('These are no orders that go through stages') }]);
  return family;
}

/** Versions of workflows, the newest of each family first. */
export async function workflowsOf(
  trx: Trx,
  { organisation }: Context,
  which: {
    readonly id?: Id;
    readonly families?: readonly FlowFamily[];
    readonly version?: number;
    readonly status?: Status;
  } = {},
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select
      w.id, w.family, w.name, w.version, w.status, w.revision, w.stages, w.actions, u.name as author,
      w.created_at, p.name as published_by, w.published_at, w.ended_at,
      (
        select count(*)::int
        from workflow_orders o
        where o.organisation = w.organisation
          and o.workflow = w.id
          and not o.ended
          and not exists (
            select from cancellations c where c.organisation = o.organisation and c.document = o.document
          )
      ) as running
    from workflows w
    join users u on u.organisation = w.organisation and u.id = w.author
    left join users p on p.organisation = w.organisation and p.id = w.published_by
    where w.organisation = ${organisation}
      and w.family = any(${[...(which.families ?? familyNames)]}::text[])
      and ${which.id ? sql`w.id = ${which.id}::uuid` : sql`true`}
      and ${which.version === undefined ? sql`true` : sql`w.version = ${which.version}`}
      and ${which.status ? sql`w.status = ${which.status}` : sql`true`}
    order by array_position(${[...familyNames]}::text[], w.family), w.version desc
    limit 500
  `.execute(trx);
  return rows;
}

const headOf = (row: Row) => ({
  id: row.id,
  family: row.family,
  name: row.name,
  version: row.version,
  status: row.status,
  revision: row.revision,
  running: row.running,
  author: row.author,
  createdAt: row.created_at.toISOString(),
  publishedBy: row.published_by,
  publishedAt: row.published_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
});
const asked = (type: string | undefined): { readonly families?: readonly FlowFamily[] } =>
  type === undefined || type === '' ? {} : { families: [familyAsked(type)] };

/** Names of the roles that are in use, by id. */
export async function roleNames(trx: Trx, { organisation }: Context): Promise<ReadonlyMap<Id, string>> {
  const { rows } = await sql<{
    id: Id;
    name: string;
  }>`select id, name from roles where organisation = ${organisation} and active order by lower(name)`.execute(trx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type Written = Pick<Input<Calls['SaveWorkflow']>, 'name' | 'stages' | 'actions'>;

/** What even a draft must be: distinct keys, and roles of the organisation. */
function refuseUnshowable(written: Written, roles: ReadonlyMap<Id, string>): void {
  const unknown = written.actions.flatMap(({ roles: named }, row) =>
    named.some((role) => !roles.has(role)) ? [{ field: 'actions.roles', row, ...say('There is no such role') }] : [],
  );
  const problems = [...draftProblems(written as Definition), ...unknown];
  if (problems.length > 0) throw new Problems(problems);
}

/** A version under lock, as its editor knows it. */
async function own(trx: Trx, context: Context, id: Id, revision: number): Promise<Row> {
  await sql`select from workflows where organisation = ${context.organisation} and id = ${id}::uuid for update`.execute(
    trx,
  );
  const [row] = await workflowsOf(trx, context, { id });
  if (!row) throw new Refusal('notFound');
  if (row.revision !== revision) throw await staleOf(trx, context.organisation, 'workflows', id);
  return row;
}

const savedOf = ({ id, version, revision, status }: Pick<Row, 'id' | 'version' | 'revision' | 'status'>): Saved => ({
  id,
  version,
  revision,
  status,
});
/** Who publishes or begins versions of a family at the same time goes one after the other. */
const alone = (trx: Trx, { organisation }: Context, family: FlowFamily) =>
  sql`select pg_advisory_xact_lock(hashtextextended('workflow ' || ${family}, ${organisation}))`.execute(trx);

type DefinitionCall =
  | 'GetWorkFlows'
  | 'GetWorkFlowDefinitionById'
  | 'GetOMSWorkflowTemplateDetails'
  | 'GetActions'
  | 'SaveWorkflow'
  | 'UpdateWorkflow'
  | 'PublishWorkflow'
  | 'CancelWorkflow'
  | 'minimal';

/** The calls about definitions of workflows. */
export const definitionHandlers: Pick<Handlers<Calls, Context>, DefinitionCall> = {
  GetWorkFlows: ({ TransactionType }, context) =>
    context.inTransaction(async (trx) =>
      (await workflowsOf(trx, context, asked(TransactionType))).map((row) => ({
        ...headOf(row),
        stages: row.stages.map(({ key, name, colour }) => ({ key, name, colour })),
      })),
    ),
  GetWorkFlowDefinitionById: ({ id }, context) =>
    context.inTransaction(async (trx) => {
      const [row] = await workflowsOf(trx, context, { id });
      if (!row) throw new Refusal('notFound');
      const { rows } = await sql<{
        id: Id;
        name: string;
      }>`
        select id, name
        from roles
        where organisation = ${context.organisation}
          and id = any(${row.actions.flatMap(({ roles }) => [...roles])}::uuid[])
      `.execute(trx);
      return {
        ...headOf(row),
        stages: row.stages.map((stage) => ({
          ...stage,
          approval: stage.approval === true,
          fields: [...stage.fields],
          facts: [...stage.facts],
        })),
        actions: row.actions.map((action) => ({ ...action, roles: [...action.roles] })),
        roleNames: Object.fromEntries(rows.map((role) => [role.id, role.name])),
      };
    }),
  GetOMSWorkflowTemplateDetails: async ({ TransactionType }) =>
    (asked(TransactionType).families ?? familyNames).flatMap((family) =>
      templates[family].map((template) => ({
        ...template,
        family,
        stages: template.stages.map((stage) => ({ ...stage, fields: [...stage.fields], facts: [...stage.facts] })),
        actions: template.actions.map((action) => ({ ...action, roles: [...action.roles] })),
      })),
    ),
  GetActions: ({ TransactionType }, context) =>
    context.inTransaction(async (trx) => {
      const names = await roleNames(trx, context);
      return (await workflowsOf(trx, context, { ...asked(TransactionType), status: 'published' })).flatMap(
        ({ family, actions }) =>
          actions.map(({ key, label, from, to, roles, needsComment, destructive }) => ({
            family,
            key,
            label,
            from,
            to,
            roles: roles.flatMap((role) => names.get(role) ?? []),
            needsComment,
            destructive,
          })),
      );
    }),
  minimal: ({ version, documentType }, context) =>
    context.inTransaction(async (trx) => {
      const [row] = await workflowsOf(trx, context, { families: [familyAsked(documentType, 'documentType')], version });
      if (!row) throw new Refusal('notFound');
      const { family, name, status, stages, actions } = row;
      return {
        family,
        version,
        name,
        status,
        stages: stages.map(({ key, name, start, end }) => ({ key, name, start, end })),
        actions: actions.map(({ key, label, from, to }) => ({ key, label, from, to })),
      };
    }),
  SaveWorkflow: ({ TransactionType, ...written }, context) =>
    context.inTransaction(async (trx) => {
      const family = familyAsked(TransactionType);
      await alone(trx, context, family);
      refuseUnshowable(written, await roleNames(trx, context));
      const versions = await workflowsOf(trx, context, { families: [family] });
      const draft = versions.find(({ status }) => status === 'draft');
      if (draft)
        throw new Problems([
          {
            field: 'TransactionType',
            ...say('Version {{version}} of these orders is a draft already: change that, or give it up', {
              version: draft.version,
            }),
          },
        ]);
      const row = { id: newId(), version: (versions[0]?.version ?? 0) + 1, revision: 1, status: 'draft' as const };
      await sql`
        insert into workflows (organisation, id, family, version, name, stages, actions, author)
        values (
          ${context.organisation}, ${row.id}, ${family}, ${row.version}, ${written.name},
          ${JSON.stringify(written.stages)}::jsonb, ${JSON.stringify(written.actions)}::jsonb, ${context.user}
        )
      `.execute(trx);
      return savedOf(row);
    }),
  UpdateWorkflow: ({ id, revision, name, stages, actions }, context) =>
    context.inTransaction(async (trx) => {
      const row = await own(trx, context, id, revision);
      if (row.status !== 'draft')
        throw new Refusal('cannotChange', {
          name: row.name,
          reason: say('it is no draft: change it as a new version'),
        });
      refuseUnshowable({ name, stages, actions }, await roleNames(trx, context));
      await sql`
        update workflows
        set
          name = ${name}, stages = ${JSON.stringify(stages)}::jsonb,
          actions = ${JSON.stringify(actions)}::jsonb, revision = revision + 1
        where organisation = ${context.organisation} and id = ${id}::uuid
      `.execute(trx);
      return savedOf({ ...row, revision: revision + 1 });
    }),
  PublishWorkflow: ({ id, revision }, context) =>
    context.inTransaction(async (trx) => {
      const [known] = await workflowsOf(trx, context, { id });
      if (!known) throw new Refusal('notFound');
      await alone(trx, context, known.family);
      const row = await own(trx, context, id, revision);
      if (row.status !== 'draft') throw new Refusal('cannotChange', { name: row.name, reason: say('it is no draft') });
      const problems = publishProblems(
        row.family,
        row,
        new Set((await roleNames(trx, context)).keys()),
        fieldsIn(row.family),
      );
      if (problems.length > 0) throw new Problems(problems);
      // what new orders followed until now is retired; orders that run stay on it
      await sql`
        update workflows
        set status = 'retired', ended_by = ${context.user}, ended_at = clock_timestamp(), revision = revision + 1
        where organisation = ${context.organisation} and family = ${row.family} and status = 'published'
      `.execute(trx);
      await sql`
        update workflows
        set
          status = 'published', published_by = ${context.user}, published_at = clock_timestamp(),
          revision = revision + 1
        where organisation = ${context.organisation} and id = ${id}::uuid
      `.execute(trx);
      return savedOf({ ...row, revision: revision + 1, status: 'published' });
    }),
  CancelWorkflow: ({ id, revision }, context) =>
    context.inTransaction(async (trx) => {
      const row = await own(trx, context, id, revision);
      if (row.status === 'retired' || row.status === 'cancelled')
        throw new Refusal('cannotChange', { name: row.name, reason: say('it has ended') });
      await sql`
        update workflows
        set status = 'cancelled', ended_by = ${context.user}, ended_at = clock_timestamp(), revision = revision + 1
        where organisation = ${context.organisation} and id = ${id}::uuid
      `.execute(trx);
      return savedOf({ ...row, revision: revision + 1, status: 'cancelled' });
    }),
};
