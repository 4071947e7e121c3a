import { sql } from 'kysely';
import type { besideCalls } from '../../contract/beside.ts';
import type { Answer, Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { allowOneMore, keepBytes, readFile } from './files.ts';
import { recordFileHandlers } from './record-files.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Beside = Answer<(typeof besideCalls)['GetBeside']>;

const MOST_VIEWS = 30;

async function besideOf(trx: Trx, { organisation }: Context, id: Id): Promise<Beside> {
  const comments = await sql<{ number: number; text: string; by: string; at: Date }>`
    select c.number, c.body as text, u.name as by, c.at
    from document_comments c
    join users u on u.organisation = c.organisation and u.id = c.by
    where c.organisation = ${organisation} and c.document = ${id}::uuid
    order by c.number
  `.execute(trx);
  const files = await sql<{ number: number; name: string; type: string; size: number; by: string; at: Date }>`
    select f.number, f.name, b.type, length(b.bytes) as size, u.name as by, f.at
    from document_files f
    join files b on b.organisation = f.organisation and b.digest = f.digest
    join users u on u.organisation = f.organisation and u.id = f.by
    where f.organisation = ${organisation} and f.document = ${id}::uuid and f.removed_at is null
    order by f.number
  `.execute(trx);
  return {
    comments: comments.rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    files: files.rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  };
}

/** Two who write at once each get a number of their own. */
const alone = (trx: Trx, { organisation }: Context, id: Id) =>
  sql`select pg_advisory_xact_lock(hashtextextended('beside ' || ${id}, ${organisation}))`.execute(trx);

async function viewsOf(
  trx: Trx,
  { organisation, user }: Context,
  list: string,
): Promise<Answer<(typeof besideCalls)['GetSavedViews']>> {
  const { rows } = await sql<{
    name: string;
    query: Record<string, string>;
  }>`
    select name, query
    from saved_views
    where organisation = ${organisation} and "user" = ${user} and list = ${list}
    order by lower(name)
  `.execute(trx);
  return rows;
}

export const besideHandlers: Handlers<typeof besideCalls, Context> = {
  GetBeside: ({ id }, context) =>
    context.inTransaction(async (trx) => {
      return besideOf(trx, context, id);
    }),
  AddComment: ({ id, text }, context) =>
    context.inTransaction(async (trx) => {
      await alone(trx, context, id);
      await sql`
        insert into document_comments (organisation, document, number, body, by)
        select ${context.organisation}, ${id}::uuid, coalesce(max(number), 0) + 1, ${text}, ${context.user}
        from document_comments
        where organisation = ${context.organisation} and document = ${id}::uuid
      `.execute(trx);
      return besideOf(trx, context, id);
    }),
  AttachFile: ({ id, name, content }, context) =>
    context.inTransaction(async (trx) => {
      const { organisation, user } = context;
      const { bytes, type } = readFile(name, content);
      await alone(trx, context, id);
      const { files } = await besideOf(trx, context, id);
      allowOneMore(files.length);
      const digest = await keepBytes(trx, context, { name, bytes, type });
      await sql`
        insert into document_files (organisation, document, number, digest, name, by)
        select ${organisation}, ${id}::uuid, coalesce(max(number), 0) + 1, ${digest}, ${name}, ${user}
        from document_files
        where organisation = ${organisation} and document = ${id}::uuid
      `.execute(trx);
      return besideOf(trx, context, id);
    }),
  GetAttachment: ({ id, number }, context) =>
    context.inTransaction(async (trx) => {
      const { rows } = await sql<{ name: string; type: string; bytes: Buffer }>`
        select f.name, b.type, b.bytes
        from document_files f
        join files b on b.organisation = f.organisation and b.digest = f.digest
        where f.organisation = ${context.organisation}
          and f.document = ${id}::uuid
          and f.number = ${number}
          and f.removed_at is null
      `.execute(trx);
      const [file] = rows;
      if (!file) throw new Refusal('notFound');
      return { name: file.name, type: file.type, content: file.bytes.toString('base64') };
    }),
  RemoveAttachment: ({ id, number }, context) =>
    context.inTransaction(async (trx) => {
      const { numAffectedRows } = await sql`
        update document_files
        set removed_by = ${context.user}, removed_at = clock_timestamp()
        where organisation = ${context.organisation}
          and document = ${id}::uuid
          and number = ${number}
          and removed_at is null
      `.execute(trx);
      if (numAffectedRows !== 1n) throw new Refusal('notFound');
      return besideOf(trx, context, id);
    }),
  ...recordFileHandlers,
  GetSavedViews: ({ list }, context) => context.inTransaction((trx) => viewsOf(trx, context, list)),
  SaveView: ({ list, name, query }, context) =>
    context.inTransaction(async (trx) => {
      const known = await viewsOf(trx, context, list);
      if (known.length >= MOST_VIEWS && !known.some((view) => view.name === name))
        throw new Refusal('cannotChange', {
          name: say('This list'),
          reason: say('{{mostViews}} views are kept of it', { mostViews: MOST_VIEWS }),
        });
      await sql`
        insert into saved_views (organisation, "user", list, name, query)
        values (${context.organisation}, ${context.user}, ${list}, ${name}, ${JSON.stringify(query)}::jsonb)
        on conflict (organisation, "user", list, name) do update
        set query = excluded.query
      `.execute(trx);
      return viewsOf(trx, context, list);
    }),
  RemoveView: ({ list, name }, context) =>
    context.inTransaction(async (trx) => {
      await sql`
        delete from saved_views
        where organisation = ${context.organisation}
          and "user" = ${context.user}
          and list = ${list}
          and name = ${name}
      `.execute(trx);
      return {};
    }),
};
