import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import type { trailCalls } from '../../contract/trail.ts';
import { allowCost, wholeOrganisation } from '../access/index.ts';
import type { Context } from '../context.ts';
import { type Checkpoints, checkpointLines } from '../kit/secrets/checkpoints.ts';

const MOST = 1000;

interface Row {
  readonly sequence: string;
  readonly log: string;
  readonly document: string | null;
  readonly seal: string;
}

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

async function endOf(trx: Trx, organisation: number) {
  const { rows } = await sql<{ sequence: string; seal: string; at: string }>`
    select sequence, encode(seal, 'hex') as seal, to_char(at at time zone 'Asia/Kolkata', 'YYYY-MM-DD"T"HH24:MI:SS"+05:30"') as at
      from seals where organisation = ${organisation} order by sequence desc limit 1`.execute(trx);
  const [end] = rows;
  return end ? { ...end, sequence: Number(end.sequence) } : null;
}

export const trailHandlers = (checkpoints: Checkpoints | undefined): Handlers<typeof trailCalls, Context> => ({
  GetEditLogEnd: (_, context) =>
    context.inTransaction(async (trx) => {
      wholeOrganisation(context);
      return { end: await endOf(trx, context.organisation) };
    }),
  ExportEditLog: ({ after, limit }, context) =>
    context.inTransaction(async (trx) => {
      wholeOrganisation(context);
      allowCost(context);
      const org = context.organisation;
      const { rows } = await sql<Row>`
        select
          s.sequence, log_text(l) as log,
          case when l.relation = 'documents' then document_text(l.organisation, l.row_id::uuid) end as document,
          encode(s.seal, 'hex') as seal
        from seals s
        join edit_log l on l.organisation = s.organisation and l.id = s.log
        where s.organisation = ${org} and s.sequence > ${after}
        order by s.sequence
        limit ${Math.max(1, Math.min(limit, MOST))}
      `.execute(trx);
      const before = await sql<{ seal: string }>`
        select encode(seal, 'hex') as seal from seals where organisation = ${org} and sequence = ${after}`.execute(trx);
      return {
        previous: before.rows[0]?.seal ?? '',
        rows: rows.map((row) => ({ ...row, sequence: Number(row.sequence) })),
        end: await endOf(trx, org),
        checkpoints:
          checkpoints && after === 0
            ? { publicKey: checkpoints.publicKey, lines: checkpointLines(checkpoints.folder, org) }
            : null,
      };
    }),
});
