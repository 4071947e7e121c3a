import type { Id } from '../../domain/document/document.ts';
import { taxEffects } from '../../domain/tax/tax-locks.ts';
import type { TestDatabase } from './database.ts';

/** Amounts of a drawn GSTR-3B by table. */
export type Tables = Readonly<Record<string, Readonly<Record<string, number>>>>;
const heads = ['igst', 'cgst', 'sgst', 'cess'] as const;
/** Tax due less credit by head: of the tables, and of the ledgers. */
export const taxDue = (tables: Tables) =>
  heads.map((head) =>
    Object.entries(tables).reduce((t, [name, of]) => {
      const sign = /^3\.1\([a-e]\)|^4\(B\)|^6\.1|^Opening/.test(name) ? 1 : name.startsWith('4(A)') ? -1 : 0;
      return t + sign * (of[head] ?? 0);
    }, 0),
  );
/** What the ledgers of tax of a registration moved by in these days, by head. */
export const taxMoved = async (owner: TestDatabase['owner'], registration: Id, from: string, to: string) => {
  const { rows } = await owner.query<{ head: string; amount: number }>(
    `select lower(right(m.effect, 4)) as head, sum(e.credit - e.debit)::float8 as amount
       from entries e
       join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger and m.effect = any($2)
      where e.registration = $1 and e.date between $3 and $4
      group by 1`,
    [registration, taxEffects, from, to],
  );
  return heads.map((head) => rows.find((row) => row.head === head)?.amount ?? 0);
};
