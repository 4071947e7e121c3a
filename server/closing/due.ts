import { sql } from 'kysely';
import type { closingCalls } from '../../contract/closing.ts';
import type { Answer } from '../../contract/contract.ts';
import type { Day, Id, StateCode } from '../../domain/document/document.ts';
import { type ReturnForm, returnForms } from '../../domain/facts/gst-returns.ts';
import { returnsDue } from '../../domain/tax/gst/returns/due.ts';
import { ownRegistrations } from '../access/index.ts';
import type { Context } from '../context.ts';
import { firstShown } from '../reports/index.ts';
import { filerOf, type Trx } from './locks.ts';

type Due = Answer<(typeof closingCalls)['ListReturnsDue']>;

/** The returns that are due of registrations at whose locations the user works, the first one due first. */
export async function returnsDueOf(trx: Trx, context: Context): Promise<Due> {
  const { organisation, today } = context;
  const own = await ownRegistrations(trx, context);
  const { rows } = await sql<{ id: Id; gstin: string; state: StateCode }>`
    select id, gstin, state
    from registrations
    where organisation = ${organisation}
      and active
      and gstin is not null
      and ${own ? sql`id = any(${[...own]}::uuid[])` : sql`true`}
    order by gstin
  `.execute(trx);
  const due: Due[number][] = [];
  for (const { id, gstin, state } of rows) {
    const filer = await filerOf(trx, organisation, id);
    if (!filer) continue;
    const began = new Map<ReturnForm, Day | undefined>();
    for (const form of returnForms) began.set(form, await firstShown(trx, organisation, id, form, today));
    const found = returnsDue({ ...filer, state }, (form) => began.get(form), today);
    due.push(...found.map((each) => ({ registration: id, gstin, ...each })));
  }
  return due.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0));
}
