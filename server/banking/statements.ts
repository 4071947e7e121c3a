import { createHash } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import { sql } from 'kysely';
import type { bankingCalls } from '../../contract/banking.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import {
  guessFormat,
  type ReadStatement,
  readingStatement,
  rowsOfFile,
  type StatementFormat,
  type StatementLine,
} from '../../domain/banking/bank-statement.ts';
import { dayInWords } from '../../domain/base/dates.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** A bank in the books; without a currency it is kept in rupees. */
export interface Account {
  readonly id: Id;
  readonly name: string;
  readonly currency: string | null;
}

/** Ledgers that statements come for; an unknown one answers like another organisation's. */
export async function bankLedger(trx: Trx, organisation: number, ledger: Id): Promise<Account> {
  const { rows } = await sql<Account>`
    select id, name, currency
    from ledgers
    where organisation = ${organisation}
      and id = ${ledger}::uuid
      and not is_group
      and (is_bank or role in ('bank', 'clearing'))
      and role is distinct from 'cash'
  `.execute(trx);
  if (!rows[0]) throw new Refusal('notFound');
  return rows[0];
}

/** One at a time changes what is matched on a bank's ledger; posted rows cannot be locked. */
export const holdBank = (trx: Trx, organisation: number, ledger: Id) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${ledger}, ${organisation}))`.execute(trx);

interface Numbered extends StatementLine {
  readonly digest: string;
  readonly occurrence: number;
  readonly place: number;
}

/** Lines that are written, or looked for, together: who posts meanwhile hardly waits for them. */
const PIECE = 250;

/** A long file is read between the other things that this process has to answer. */
async function read(content: string, format: StatementFormat): Promise<ReadStatement> {
  const reading = readingStatement(content, format);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    await breath();
  }
}

/**
 * The lines in pieces. Alike lines of a day are counted over the whole file: the second one is another line, the same
 * one read again is not.
 */
function* pieces(lines: readonly StatementLine[]): Generator<readonly Numbered[]> {
  const seen = new Map<string, number>();
  for (let from = 0; from < lines.length; from += PIECE)
    yield lines.slice(from, from + PIECE).map((line, at) => {
      const digest = createHash('sha256')
        .update(JSON.stringify([line.date, line.amount, line.text, line.reference]))
        .digest('hex');
      const occurrence = (seen.get(digest) ?? 0) + 1;
      seen.set(digest, occurrence);
      return { ...line, digest, occurrence, place: from + at };
    });
}

async function countKnown(trx: Trx, organisation: number, ledger: Id, lines: readonly Numbered[]): Promise<number> {
  const keys = JSON.stringify(lines.map(({ digest, occurrence }) => ({ digest, occurrence })));
  const { rows } = await sql<{
    known: number;
  }>`
    select count(*)::int as known
    from jsonb_to_recordset(${keys}::jsonb) x(digest text, occurrence int)
    where exists (
      select from bank_lines b
      where b.organisation = ${organisation}
        and b.ledger = ${ledger}::uuid
        and b.digest = decode(x.digest, 'hex')
        and b.occurrence = x.occurrence
    )
  `.execute(trx);
  return rows[0]?.known ?? 0;
}

/** Signs at the beginning of a file among which its headings stand. */
const HEAD = 100_000;

type ReadCall = (typeof bankingCalls)['ReadBankStatement'];
export const readBankStatement = async (
  { ledger, content, format: asked }: Input<ReadCall>,
  context: Context,
): Promise<Answer<ReadCall>> => {
  const { organisation } = context;
  const kept = await context.inTransaction(async (trx) => {
    await bankLedger(trx, organisation, ledger);
    return (
      await sql<{
        format: StatementFormat;
      }>`select format from bank_formats where organisation = ${organisation} and ledger = ${ledger}::uuid`.execute(trx)
    ).rows[0]?.format;
  });
  const rows = rowsOfFile(content.slice(0, HEAD));
  const guessed = guessFormat(rows);
  const fits =
    kept && Object.entries(kept).every(([key, heading]) => key === 'order' || guessed?.headings.includes(heading));
  const format = asked ?? (fits ? kept : guessed?.format) ?? {};
  const given = Object.fromEntries(
    Object.entries(format).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const headings = [
    ...(guessed?.headings ?? rows.find((row) => row.filter(Boolean).length > 2)?.filter(Boolean) ?? []),
  ];
  if (!isWhole(format))
    return { headings, format: given, problems: [], lines: 0, known: 0, remarks: 0, from: null, to: null, sample: [] };
  const { lines, problems, remarks } = await read(content, format);
  let known = 0;
  for (const piece of pieces(lines))
    known += await context.inTransaction((trx) => countKnown(trx, organisation, ledger, piece));
  return {
    headings,
    format: given,
    problems: problems.slice(0, 50).map((p) => ({ ...p })),
    lines: lines.length,
    known,
    remarks,
    from: lines[0]?.date ?? null,
    to: lines.at(-1)?.date ?? null,
    sample: lines
      .slice(0, 5)
      .map((l) => ({ date: l.date, amount: moneyText(l.amount), text: l.text, reference: l.reference })),
  };
};

const isWhole = (format: Partial<StatementFormat>): format is StatementFormat =>
  Boolean(format.date && format.order && format.text && (format.amount || (format.moneyIn && format.moneyOut)));

type ImportCall = (typeof bankingCalls)['ImportBankStatement'];
/**
 * Checks the whole file, then writes it piece by piece: what was written stays when it is cut off, and the same file
 * again adds what is missing (ADR 37).
 */
export const importBankStatement = async (
  { ledger, content, format }: Input<ImportCall>,
  context: Context,
): Promise<Answer<ImportCall>> => {
  const { organisation, user, today } = context;
  await context.inTransaction((trx) => bankLedger(trx, organisation, ledger));
  const { lines, problems } = await read(content, format);
  const late = lines.find((l) => l.date > today);
  if (problems.length > 0)
    throw new Problems(problems.slice(0, 50).map((each) => ({ ...each, field: 'content', row: each.row - 1 })));
  if (late)
    throw new Problems([
      {
        field: 'format.order',
        ...say('A line is dated {{date}}, which has not come: is the day written before the month?', {
          date: dayInWords(late.date),
        }),
      },
    ]);
  await context.inTransaction((trx) =>
    sql`
      insert into bank_formats (organisation, ledger, format, by)
      values (${organisation}, ${ledger}::uuid, ${JSON.stringify(format)}, ${user})
      on conflict (organisation, ledger) do update
      set format = excluded.format, by = excluded.by, at = now()
    `.execute(trx),
  );
  let added = 0;
  for (const piece of pieces(lines))
    added += await context.inTransaction((trx) => addLines(trx, ledger, piece, context));
  return { added, known: lines.length - added };
};

async function addLines(
  trx: Trx,
  ledger: Id,
  lines: readonly Numbered[],
  { organisation, user }: Context,
): Promise<number> {
  await holdBank(trx, organisation, ledger);
  const given = JSON.stringify(lines.map((l) => ({ ...l, id: newId() })));
  const { rows } = await sql`
    insert into bank_lines (
      organisation, id, ledger, date, amount, text, reference, balance, digest, occurrence, place, by
    )
    select
      ${organisation}, id, ${ledger}::uuid, date, amount, text, reference, balance, decode(digest, 'hex'),
      occurrence, place, ${user}::uuid
    from jsonb_to_recordset(${given}::jsonb) x(
      id uuid, date date, amount bigint, text text, reference text, balance bigint, digest text,
      occurrence int, place int
    )
    on conflict (organisation, ledger, digest, occurrence) do nothing
    returning id
  `.execute(trx);
  return rows.length;
}
