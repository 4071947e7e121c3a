import { sql } from 'kysely';
import type { additionalCalls } from '../../contract/additional.ts';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Master } from '../../contract/masters.ts';
import { withAdditional } from '../../contract/own-fields.ts';
import { type AdditionalField, type AdditionalType, additionalProblems } from '../../domain/document/additional.ts';
import type { Context } from '../context.ts';
import type { Executor } from '../kit/database/sql.ts';
import { Problems } from '../kit/problems.ts';

interface Row {
  readonly key: string;
  readonly label: string;
  readonly active: boolean;
  readonly body: {
    readonly type?: AdditionalType;
    readonly required?: boolean;
    readonly inLists?: boolean;
    readonly onPrint?: boolean;
    readonly appliesTo?: readonly string[];
    readonly choices?: readonly { readonly value: string }[];
  };
}

/** The fields that an organisation has added, in the order it gave them. */
export async function additionalFields(run: Executor, organisation: number): Promise<AdditionalField[]> {
  const { rows } = await sql<Row>`
    select code as key, name as label, active, body from masters
     where organisation = ${organisation} and master = 'additionalField'
     order by coalesce((body ->> 'position')::int, 10), lower(name)`.execute(run);
  return rows.map(({ key, label, active, body }) => ({
    key,
    label,
    active,
    type: body.type ?? 'text',
    required: body.required === true,
    inLists: body.inLists === true,
    onPrint: body.onPrint === true,
    appliesTo: [...(body.appliesTo ?? [])],
    choices: (body.choices ?? []).map(({ value }) => value),
  }));
}

/** A master as its organisation has it. */
export const ownMaster = async (run: Executor, organisation: number, name: string, master: Master): Promise<Master> =>
  withAdditional(name, master, await additionalFields(run, organisation));

/** Every posting asks for them: what is remembered is at most as old as a session's grants are. */
const REMEMBERED = 2000;
const remembered = new Map<number, { readonly since: number; readonly fields: readonly AdditionalField[] }>();
const MOST_REMEMBERED = 500;

/** They have changed here: what was remembered of them goes. Another process learns it within the time above. */
export const forgetAdditional = (organisation: number): void => void remembered.delete(organisation);

async function fieldsNow(context: Context): Promise<readonly AdditionalField[]> {
  const known = remembered.get(context.organisation);
  if (known && performance.now() - known.since < REMEMBERED) return known.fields;
  const fields = await context.inTransaction((trx) => additionalFields(trx, context.organisation));
  if (remembered.size > MOST_REMEMBERED) remembered.clear();
  remembered.set(context.organisation, { since: performance.now(), fields });
  return fields;
}

/** Throws the problems of a document's additional values. */
export async function checkAdditional(
  context: Context,
  kind: string,
  values: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  const own = (await fieldsNow(context)).filter(({ appliesTo }) => appliesTo.includes(kind));
  const problems = additionalProblems(own, values ?? {});
  if (problems.length > 0) throw new Problems(problems);
}

export const additionalHandlers: Handlers<typeof additionalCalls, Context> = {
  GetAdditionalFields: (_, context) => context.inTransaction((trx) => additionalFields(trx, context.organisation)),
  AddAddtionalFieldsContentDetails: ({ TransactionId, version, additional }, context) =>
    context.inTransaction(async (trx) => {
      const { rows } = await sql<{ kind: string; version: number; author: string; draft: 'kept' | 'submitted' }>`
        select kind, version, author, case when submitted_at is null then 'kept' else 'submitted' end as draft
        from drafts
        where organisation = ${context.organisation} and id = ${TransactionId}
        for update
      `.execute(trx);
      const [draft] = rows;
      if (!draft) throw new Refusal('notFound');
      context.still('draft', draft);
      if (draft.draft === 'submitted') throw new Refusal('draftSubmitted');
      if (version !== draft.version) throw new Refusal('stale', { who: context.name });
      const all = await additionalFields(trx, context.organisation);
      // a draft may lack anything; only what is there must be right
      const own = all
        .filter(({ appliesTo }) => appliesTo.includes(draft.kind))
        .map((field) => ({ ...field, required: false }));
      const problems = additionalProblems(own, additional);
      if (problems.length > 0) throw new Problems(problems);
      const written = await sql<{ version: number }>`
        update drafts
           set body = jsonb_set(body, '{additional}', ${JSON.stringify(additional)}::jsonb), version = version + 1, updated_at = now()
         where organisation = ${context.organisation}
           and id = ${TransactionId}
           and version = ${version}
           and submitted_at is null
        returning version`.execute(trx);
      if (!written.rows[0]) throw new Refusal('stale', { who: context.name });
      return { TransactionId, version: written.rows[0].version };
    }),
};
