import type { Handlers } from '../../contract/contract.ts';
import type { pageCalls } from '../../contract/master-calls.ts';
import { masterOf } from '../../contract/masters.ts';
import { MOST_PAGE_ROWS, type PagePart, type PagePartName, pagePartOf } from '../../contract/pages.ts';
import type { Id } from '../../domain/document/document.ts';
import { mayReadReport, seesCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { masterHandlers } from '../masters/index.ts';
import { itemParts } from './item.ts';
import type { PartQuery, Row, Trx } from './part.ts';
import { partyParts } from './party.ts';

/** One query per part, named as in the contract: leave one out and it does not compile. */
const queries: Readonly<Record<PagePartName, PartQuery>> = { ...partyParts, ...itemParts };

/** A row without what goods cost, for people who may not see it. */
const without = (row: Row, { columns }: PagePart): Row =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !columns[key]?.cost));

async function partOf(trx: Trx, context: Context, name: PagePartName, id: Id) {
  const part = pagePartOf(name);
  if (part.report && !mayReadReport(context.grants, part.report)) return [];
  const rows = await queries[name](trx, context, id);
  if (!rows || (rows.length === 0 && part.empty === undefined)) return [];
  const shown = seesCost(context) ? rows : rows.map((row) => without(row, part));
  return [
    { name, rows: shown.slice(0, MOST_PAGE_ROWS).map((row) => ({ ...row })), more: rows.length > MOST_PAGE_ROWS },
  ];
}

/** A record with the parts of its page that the person may see: each part reads a bounded number of rows, or sums by an index. */
export const pageHandlers: Handlers<typeof pageCalls, Context> = {
  GetRecordPage: async ({ master, id }, context) => {
    const record = await masterHandlers.GetMaster({ master, id }, context);
    const names = masterOf(master)?.page?.parts ?? [];
    return context.inTransaction(async (trx) => {
      const parts: Awaited<ReturnType<typeof partOf>> = [];
      for (const name of names) parts.push(...(await partOf(trx, context, name, id)));
      return { record, parts };
    });
  },
};
