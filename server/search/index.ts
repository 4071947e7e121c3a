import { sql, type Transaction } from 'kysely';
import type { Answer, Handlers } from '../../contract/contract.ts';
import type { findCalls } from '../../contract/finding.ts';
import { amountMeant, bareText, fitOf, isNamed, phoneDigits } from '../../domain/base/finding.ts';
import type { Id } from '../../domain/document/document.ts';
import { scannedCode } from '../../domain/items/barcode.ts';
import { may, parentsOfMaster } from '../access/index.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../kit/database/sql.ts';
import { findDocuments } from './documents.ts';

type Trx = Transaction<Tables>;
type Found = Answer<(typeof findCalls)['FindAnything']>;

/** Rows of parties and of items that are answered. */
const SHOWN = 5;
/** Records that the database proposes for each way of meaning them: the best of them are chosen here. */
const PROPOSED = 60;
/** Parties whose documents are found, where the text names none of them by itself. */
const OF_PARTIES = 3;

/** Too little to be searched for: a single letter. */
const saysNothing = (text: string): boolean => bareText(text).length < 2 && !/\d/.test(text);

interface Proposed<T> {
  readonly row: T;
  readonly fit: number;
}

/** Those that the text means, the best first; what is out of use comes last. */
const bestOf = <T extends { readonly name: string; readonly active: boolean }>(
  text: string,
  rows: readonly T[],
  namesOf: (row: T) => readonly (string | null | undefined)[],
): readonly Proposed<T>[] => {
  // what the database takes for alike and is more than some errors away is better than nothing
  const WORST = 99;
  const texts = [text, phoneDigits(text)].filter((each) => each !== undefined);
  return rows
    .map((row) => {
      const names = namesOf(row).filter((name): name is string => typeof name === 'string' && name !== '');
      return { row, fit: Math.min(...texts.map((each) => fitOf(each, names) ?? WORST)) };
    })
    .sort(
      (one, other) =>
        one.fit - other.fit ||
        Number(other.row.active) - Number(one.row.active) ||
        one.row.name.localeCompare(other.row.name),
    );
};

interface PartyRow {
  readonly id: Id;
  readonly code: string;
  readonly name: string;
  readonly trade_name: string | null;
  readonly formerly: string | null;
  readonly side: string;
  readonly category: string;
  readonly gstin: string | null;
  readonly pan: string | null;
  readonly phone: string | null;
  readonly city: string | null;
  readonly active: boolean;
}

/** Parties that the text may mean; in place of one that was merged, the party that it was merged into. */
async function proposedParties(trx: Trx, { organisation }: Context, text: string): Promise<Proposed<PartyRow>[]> {
  const { rows } = await sql<PartyRow>`
    select distinct on (p.id)
      p.id, p.code, p.name, p.body ->> 'tradeName' as trade_name, concat_ws(' ', p.body ->> 'formerly', f.name) as formerly,
      p.side, p.category, p.gstin, p.pan, p.body ->> 'phone' as phone, p.body -> 'addresses' -> 0 ->> 'city' as city,
      p.active
    from unnest(found_parties(${text}, ${PROPOSED})) asked
    join parties f on f.organisation = ${organisation} and f.id = asked
    join parties p on p.organisation = f.organisation and p.id = coalesce(f.merged_into, f.id)
    order by p.id, f.id
  `.execute(trx);
  return [
    ...bestOf(text, rows, (p) => [
      p.name,
      p.trade_name,
      p.formerly,
      p.code,
      p.gstin,
      p.pan,
      p.phone === null ? null : (phoneDigits(p.phone) ?? p.phone),
    ]),
  ];
}

/** The master in which somebody may open a party; undefined where they may open none. */
function masterOf({ grants }: Pick<Context, 'grants'>, { side, category }: PartyRow): string | undefined {
  const masters = [
    ...(side === 'supplier' ? [] : ['customer', ...(category === 'unregistered' ? ['consumer'] : [])]),
    ...(side === 'customer' ? [] : ['supplier']),
  ];
  return masters.find((master) => may(grants, 'read', parentsOfMaster(master)));
}

interface ItemRow {
  readonly id: Id;
  readonly sku: string;
  readonly name: string;
  readonly barcode: string | null;
  readonly active: boolean;
}

async function findItems(trx: Trx, { organisation, grants }: Context, text: string): Promise<Found['items']> {
  if (!may(grants, 'read', parentsOfMaster('item'))) return [];
  const code = scannedCode(text);
  const { rows } = await sql<ItemRow>`
    select
      i.id, i.sku, i.name, i.active,
      coalesce(
        (
          select b.barcode
          from item_barcodes b
          where b.organisation = i.organisation and b.item = i.id and b.barcode = ${code}
        ),
        i.barcode
      ) as barcode
    from (select distinct unnest(found_items(${code}, ${PROPOSED})) as id) asked
    join items i on i.organisation = ${organisation} and i.id = asked.id
  `.execute(trx);
  return bestOf(code, rows, ({ sku, name, barcode }) => [name, sku, barcode])
    .slice(0, SHOWN)
    .map(({ row: { barcode, ...row } }) => ({ ...row, barcode: barcode ?? '' }));
}

/** Whose documents the text means: the parties that it names, else the best of those that it may mean. */
const ofParties = (proposed: readonly Proposed<PartyRow>[]): readonly Id[] => {
  const named = proposed.filter(({ fit }) => isNamed(fit));
  return (named.length > 0 ? named : proposed).slice(0, OF_PARTIES).map(({ row }) => row.id);
};

export const searchHandlers: Handlers<typeof findCalls, Context> = {
  FindAnything: async ({ search }, context) => {
    const text = search.trim();
    if (saysNothing(text)) return { documents: [], parties: [], items: [] };
    return context.inTransaction(async (trx) => {
      const [proposed, items] = await Promise.all([proposedParties(trx, context, text), findItems(trx, context, text)]);
      const documents = await findDocuments(trx, context, {
        text,
        amount: amountMeant(text),
        parties: ofParties(proposed),
      });
      const parties = proposed.flatMap(({ row }) => {
        const master = masterOf(context, row);
        return master === undefined
          ? []
          : [
              {
                ...{ id: row.id, master, code: row.code, name: row.name, gstin: row.gstin, active: row.active },
                ...{ phone: row.phone ?? '', city: row.city ?? '' },
              },
            ];
      });
      return { documents, parties: parties.slice(0, SHOWN), items };
    });
  },
};
