import { sql } from 'kysely';
import { say } from '../../domain/base/say.ts';
import { effects } from '../../domain/books/effects.ts';
import {
  effectUses,
  fieldUses,
  type LedgerSeen,
  type LedgerUse,
  type Nature,
  naturesInWords,
  unfit,
} from '../../domain/books/ledger-uses.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import type { Trx } from './records.ts';

const uses: Readonly<Record<string, LedgerUse>> = { ...effectUses, ...fieldUses };

/** The use of this name: an effect of postings, or a field that names a ledger. An unknown one is a problem. */
export function ledgerUse(name: string): LedgerUse {
  const use = Object.hasOwn(uses, name) ? uses[name] : undefined;
  if (!use) throw new Problems([{ field: 'use', ...say('There is no use of ledgers called “{{name}}”', { name }) }]);
  return use;
}

interface Kept extends LedgerSeen {
  readonly name: string;
  readonly active: boolean;
}

/** Ledgers as their uses ask about them, by id; `but` is an effect that is about to go elsewhere. */
export async function ledgersSeen(
  trx: Trx,
  organisation: number,
  ids: readonly Id[],
  but?: string,
): Promise<ReadonlyMap<Id, Kept>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Kept & { readonly id: Id }>`
    select
      l.id, l.name, l.nature, l.role, l.currency, l.active, is_money(l.is_bank, l.role) as money,
      array(
        select m.effect
        from posting_map m
        where m.organisation = l.organisation and m.ledger = l.id and m.effect is distinct from ${but ?? null}::text
        order by m.effect
      ) as effects,
      exists (select from ledger_month_totals t where t.organisation = l.organisation and t.ledger = l.id)
        and not exists (
          select from posting_map m
          where m.organisation = l.organisation and m.ledger = l.id and m.effect = ${but ?? null}::text
        ) as used
    from ledgers l
    where l.organisation = ${organisation} and l.id = any(${[...ids]}::uuid[])
  `.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * What is wrong with the ledger that an effect is pointed at. Postings and other changes of the map wait until the transaction
 * ends, and the ledger is not retired meanwhile.
 */
export async function pointingProblems(
  trx: Trx,
  { organisation }: Context,
  effect: string,
  ledger: Id,
): Promise<readonly Problem[]> {
  await sql`select from locks where organisation = ${organisation} for update`.execute(trx);
  await sql`select from ledgers where organisation = ${organisation} and id = ${ledger}::uuid for share`.execute(trx);
  const { rows } = await sql<{
    ledger: Id;
  }>`select ledger from posting_map where organisation = ${organisation} and effect = ${effect}`.execute(trx);
  // what stays as it is is no change
  if (rows[0]?.ledger === ledger) return [];
  const found = (await ledgersSeen(trx, organisation, [ledger], effect)).get(ledger);
  if (!found) return [];
  const message =
    unfit(ledgerUse(effect), found) ??
    (found.active
      ? undefined
      : say('{{found}} is retired: restore it, or choose another ledger', { found: found.name }));
  return message === undefined ? [] : [{ field: 'ledger', ...message }];
}

/** What is wrong with a ledger as it is about to be, for the effects that go to it. */
export async function stillFits(
  trx: Trx,
  { organisation }: Context,
  id: Id,
  after: { readonly nature: Nature; readonly isBank: boolean },
): Promise<readonly Problem[]> {
  // an effect that is pointed at it at this moment comes before or after
  await sql`select from ledgers where organisation = ${organisation} and id = ${id}::uuid for no key update`.execute(
    trx,
  );
  const found = (await ledgersSeen(trx, organisation, [id])).get(id);
  if (!found) return [];
  const { effects: all, role } = found;
  const isMoney = after.isBank || ['cash', 'bank', 'clearing'].includes(role ?? '');

  return all.flatMap((name): Problem[] => {
    const values = { effect: effects[name][0] };
    const { natures, money } = effectUses[name];
    if (money !== undefined && money !== isMoney)
      return [
        {
          field: 'isBank',
          ...(money
            ? say('“{{effect}}” is posted to this ledger (Ledger postings): it is a bank or cash', values)
            : say('“{{effect}}” is posted to this ledger (Ledger postings): it is no bank or cash', values)),
        },
      ];
    if (!natures || natures.includes(after.nature)) return [];
    return [
      {
        field: 'group',
        ...say('“{{effect}}” is posted to this ledger (Ledger postings): choose a group of {{natures}}', {
          ...values,
          natures: naturesInWords(natures),
        }),
      },
    ];
  });
}
