// biome-ignore-all format: rows of columns
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { bankingCalls } from '../../contract/banking.ts';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { guessFormat, readStatement, rowsOfFile, type StatementFormat, type StatementLine } from '../../domain/bank-statement.ts';
import { moneyText } from '../../domain/decimal.ts';
import type { Id } from '../../domain/document.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** A bank in the books; without a currency it is kept in rupees. */
export interface Account { readonly id: Id; readonly name: string; readonly currency: string | null }

/** Ledgers that statements come for; an unknown one answers like another organisation's. */
export async function bankLedger(trx: Trx, organisation: number, ledger: Id): Promise<Account> {
  const { rows } = await sql<Account>`select id, name, currency from ledgers where organisation = ${organisation} and id = ${ledger}::uuid and not is_group and (is_bank or role in ('bank', 'clearing')) and role is distinct from 'cash'`.execute(trx);
  if (!rows[0]) throw new Refusal('notFound');
  return rows[0];
}

/** One at a time changes what is matched on a bank's ledger; posted rows cannot be locked. */
export const holdBank = (trx: Trx, organisation: number, ledger: Id) => sql`select pg_advisory_xact_lock(hashtextextended(${ledger}, ${organisation}))`.execute(trx);

interface Numbered extends StatementLine { readonly digest: Buffer; readonly occurrence: number }

/** Alike lines of a day are counted: the second one is another line, the same one read again is not. */
function numbered(lines: readonly StatementLine[]): readonly Numbered[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const digest = createHash('sha256').update(JSON.stringify([line.date, line.amount, line.text, line.reference])).digest();
    const occurrence = (seen.get(digest.toString('hex')) ?? 0) + 1;
    seen.set(digest.toString('hex'), occurrence);
    return { ...line, digest, occurrence };
  });
}

const rowsFor = (lines: readonly Numbered[]): string => JSON.stringify(lines.map((l, place) => ({ id: newId(), date: l.date, amount: l.amount, text: l.text, reference: l.reference, balance: l.balance ?? null, digest: l.digest.toString('hex'), occurrence: l.occurrence, place })));

async function countKnown(trx: Trx, organisation: number, ledger: Id, lines: readonly Numbered[]): Promise<number> {
  const { rows } = await sql<{ known: number }>`select count(*)::int as known from jsonb_to_recordset(${rowsFor(lines)}::jsonb) x(digest text, occurrence int)
     where exists (select from bank_lines b where b.organisation = ${organisation} and b.ledger = ${ledger}::uuid and b.digest = decode(x.digest, 'hex') and b.occurrence = x.occurrence)`.execute(trx);
  return rows[0]?.known ?? 0;
}

type ReadCall = (typeof bankingCalls)['ReadBankStatement'];
export const readBankStatement = ({ ledger, content, format: asked }: Input<ReadCall>, context: Context): Promise<Answer<ReadCall>> => context.inTransaction(async (trx) => {
  const { organisation } = context;
  await bankLedger(trx, organisation, ledger);
  const rows = rowsOfFile(content);
  const guessed = guessFormat(rows);
  const kept = asked ? undefined : (await sql<{ format: StatementFormat }>`select format from bank_formats where organisation = ${organisation} and ledger = ${ledger}::uuid`.execute(trx)).rows[0]?.format;
  const fits = kept && Object.entries(kept).every(([key, heading]) => key === 'order' || guessed?.headings.includes(heading));
  const format = asked ?? (fits ? kept : guessed?.format) ?? {};
  const given = Object.fromEntries(Object.entries(format).filter((pair): pair is [string, string] => pair[1] !== undefined));
  const headings = [...(guessed?.headings ?? rows.find((row) => row.filter(Boolean).length > 2)?.filter(Boolean) ?? [])];
  if (!isWhole(format)) return { headings, format: given, problems: [], lines: 0, known: 0, remarks: 0, from: null, to: null, sample: [] };
  const read = readStatement(content, format);
  const lines = numbered(read.lines);
  return {
    headings, format: given, problems: read.problems.slice(0, 50).map((p) => ({ ...p })), lines: lines.length, known: await countKnown(trx, organisation, ledger, lines), remarks: read.remarks, from: lines[0]?.date ?? null, to: lines.at(-1)?.date ?? null,
    sample: lines.slice(0, 5).map((l) => ({ date: l.date, amount: moneyText(l.amount), text: l.text, reference: l.reference })),
  };
});

const isWhole = (format: Partial<StatementFormat>): format is StatementFormat => Boolean(format.date && format.order && format.text && (format.amount || (format.moneyIn && format.moneyOut)));

type ImportCall = (typeof bankingCalls)['ImportBankStatement'];
export const importBankStatement = ({ ledger, content, format }: Input<ImportCall>, context: Context): Promise<Answer<ImportCall>> => context.inTransaction(async (trx) => {
  const { organisation, user, today } = context;
  await bankLedger(trx, organisation, ledger);
  const read = readStatement(content, format);
  const late = read.lines.find((l) => l.date > today);
  if (read.problems.length > 0) throw new Problems(read.problems.slice(0, 50).map(({ row, message }) => ({ field: 'content', row: row - 1, message })));
  if (late) throw new Problems([{ field: 'format.order', message: `A line is dated ${late.date}, which has not come: is the day written before the month?` }]);
  const lines = numbered(read.lines);
  await holdBank(trx, organisation, ledger);
  const { rows } = await sql<{ id: Id }>`insert into bank_lines (organisation, id, ledger, date, amount, text, reference, balance, digest, occurrence, place, by)
    select ${organisation}, id, ${ledger}::uuid, date, amount, text, reference, balance, decode(digest, 'hex'), occurrence, place, ${user}::uuid from jsonb_to_recordset(${rowsFor(lines)}::jsonb) x(id uuid, date date, amount bigint, text text, reference text, balance bigint, digest text, occurrence int, place int)
    on conflict (organisation, ledger, digest, occurrence) do nothing returning id`.execute(trx);
  await sql`insert into bank_formats (organisation, ledger, format, by) values (${organisation}, ${ledger}::uuid, ${JSON.stringify(format)}, ${user})
    on conflict (organisation, ledger) do update set format = excluded.format, by = excluded.by, at = now()`.execute(trx);
  return { added: rows.length, known: lines.length - rows.length };
});
