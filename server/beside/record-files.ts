import { sql } from 'kysely';
import type { besideCalls } from '../../contract/beside.ts';
import type { Answer, Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { masterOf } from '../../contract/masters.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { masterHandlers } from '../masters/index.ts';
import { allowOneMore, keepBytes, readFile, type Trx } from './files.ts';

type Calls = Pick<typeof besideCalls, 'GetRecordFiles' | 'AttachToRecord' | 'GetRecordFile' | 'RemoveRecordFile'>;
type Files = Answer<Calls['GetRecordFiles']>;

/** Refuses a record that the person may not open, or whose master takes no files. */
async function known(master: string, id: Id, context: Context): Promise<void> {
  if (!masterOf(master)?.page?.files) throw new Refusal('notFound');
  await masterHandlers.GetMaster({ master, id }, context);
}

/** The files of a record and of parties that were merged into it, the newest first. */
async function filesOf(trx: Trx, { organisation }: Context, id: Id): Promise<Files> {
  const { rows } = await sql<{
    record: Id;
    number: number;
    name: string;
    type: string;
    size: number;
    by: string;
    at: Date;
  }>`
    select f.record, f.number, f.name, b.type, length(b.bytes) as size, u.name as by, f.at
    from record_files f
    join files b on b.organisation = f.organisation and b.digest = f.digest
    join users u on u.organisation = f.organisation and u.id = f.by
    where f.organisation = ${organisation}
      and f.record = any(party_family(${organisation}, ${id}::uuid) || ${id}::uuid)
      and f.removed_at is null
    order by f.at desc, f.record, f.number desc
  `.execute(trx);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

export const recordFileHandlers: Handlers<Calls, Context> = {
  GetRecordFiles: async ({ master, id }, context) => {
    await known(master, id, context);
    return context.inTransaction((trx) => filesOf(trx, context, id));
  },
  AttachToRecord: async ({ master, id, name, content }, context) => {
    await known(master, id, context);
    const { bytes, type } = readFile(name, content);
    const { organisation, user } = context;
    return context.inTransaction(async (trx) => {
      // two who attach at once each get a number of their own
      await sql`select pg_advisory_xact_lock(hashtextextended('files ' || ${id}, ${organisation}))`.execute(trx);
      allowOneMore((await filesOf(trx, context, id)).length);
      const digest = await keepBytes(trx, context, { name, bytes, type });
      await sql`
        insert into record_files (organisation, record, number, digest, name, by)
        select ${organisation}, ${id}::uuid, coalesce(max(number), 0) + 1, ${digest}, ${name}, ${user}
        from record_files
        where organisation = ${organisation} and record = ${id}::uuid
      `.execute(trx);
      return filesOf(trx, context, id);
    });
  },
  GetRecordFile: async ({ master, id, number }, context) => {
    await known(master, id, context);
    return context.inTransaction(async (trx) => {
      const { rows } = await sql<{ name: string; type: string; bytes: Buffer }>`
        select f.name, b.type, b.bytes
        from record_files f
        join files b on b.organisation = f.organisation and b.digest = f.digest
        where f.organisation = ${context.organisation}
          and f.record = ${id}::uuid
          and f.number = ${number}
          and f.removed_at is null
      `.execute(trx);
      const [file] = rows;
      if (!file) throw new Refusal('notFound');
      return { name: file.name, type: file.type, content: file.bytes.toString('base64') };
    });
  },
  RemoveRecordFile: async ({ master, id, number }, context) => {
    await known(master, id, context);
    return context.inTransaction(async (trx) => {
      const { numAffectedRows } = await sql`
        update record_files
        set removed_by = ${context.user}, removed_at = clock_timestamp()
        where organisation = ${context.organisation}
          and record = ${id}::uuid
          and number = ${number}
          and removed_at is null
      `.execute(trx);
      if (numAffectedRows !== 1n) throw new Refusal('notFound');
      return filesOf(trx, context, id);
    });
  },
};
