// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import { millionths, parseDecimal, percent, percentText, quantityText, rateText } from '../../domain/decimal.ts';
import type { Day, Draft, Id } from '../../domain/document.ts';
import { type ItemPrices, type PriceList, type PriceStep, takesPriceList } from '../../domain/item-price.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import type { Executor } from '../kit/sql.ts';

interface Row { readonly name: string; readonly currency: string | null; readonly inclusive: boolean; readonly valid_from: Day | null; readonly valid_to: Day | null; readonly steps: readonly { readonly item: Id; readonly rank: number; readonly from: string | null; readonly rate: string | null; readonly discount: string | null }[] }

/** The field of a party that names its list, by the side of the document. */
const fieldOf = (kind: Kind) => (kind.tax === 'input' ? 'purchasePriceList' : 'priceList');

/** The party's price list, whatever it says of items. */
export async function priceListOf(run: Executor, organisation: number, kind: Kind, party: Id): Promise<PriceList | null> {
  if (!takesPriceList(kind)) return null;
  const { rows } = await sql<Row>`select ${columns} from ${listed(organisation, kind, party)}`.execute(run);
  return rows[0] ? listFrom(rows[0]) : null;
}

const columns = sql.raw(`l.name, l.body ->> 'currency' as currency, coalesce((l.body ->> 'taxInclusive')::boolean, false) as inclusive, l.body ->> 'validFrom' as valid_from, l.body ->> 'validTo' as valid_to`);
const listed = (organisation: number, kind: Kind, party: Id) =>
  sql`parties p join masters l on l.organisation = p.organisation and l.master = 'priceList' and l.active and l.id::text = p.body ->> ${fieldOf(kind)} where p.organisation = ${organisation} and p.id = ${party}::uuid`;
const listFrom = ({ name, currency, inclusive, valid_from, valid_to }: Row): PriceList => ({ name, currency: currency ?? 'INR', taxInclusive: inclusive, validFrom: valid_from, validTo: valid_to });

/** What the party's price list says of items; items of which it says nothing, and parties without one, are left out. */
export async function pricesOf(run: Executor, organisation: number, kind: Kind, party: Id, items: readonly Id[]): Promise<Map<Id, ItemPrices>> {
  if (!takesPriceList(kind) || items.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select ${columns}, list_prices(l.organisation, l.id, ${[...new Set(items)]}::uuid[]) as steps from ${listed(organisation, kind, party)}`.execute(run);
  const [row] = rows;
  if (!row) return new Map();
  const list = listFrom(row);
  const found = new Map<Id, ItemPrices>(items.map((id) => [id, { list, steps: [] }]));
  for (const { item, rank, from, rate, discount } of row.steps) {
    const step: PriceStep = { rank, from: millionths(parseDecimal(from ?? '0', 6) ?? 0), ...(rate !== null && { rate: millionths(parseDecimal(rate, 6) ?? 0) }), ...(discount !== null && { discount: percent(parseDecimal(discount, 4) ?? 0) }) };
    found.set(item, { list, steps: [...(found.get(item)?.steps ?? []), step] });
  }
  return found;
}

/** The same for a draft, asked for only where a line comes without a rate of its own. */
export const pricesFor = async (run: Executor, organisation: number, kind: Kind, draft: Draft): Promise<ReadonlyMap<Id, ItemPrices> | undefined> => {
  const items = unrated(draft);
  return draft.party === undefined || items.length === 0 ? undefined : pricesOf(run, organisation, kind, draft.party, items);
};
export const unrated = (draft: Draft): Id[] => draft.lines.flatMap((l) => (l.item && l.rate === undefined && !l.source ? [l.item] : []));

/** As it goes over the wire: decimals as text. */
export const pricesText = ({ list, steps }: ItemPrices) => ({
  list, steps: steps.map(({ rank, from, rate, discount }) => ({ rank, from: quantityText(from), ...(rate !== undefined && { rate: rateText(rate) }), ...(discount !== undefined && { discount: percentText(discount) }) })),
});
