import { sql } from 'kysely';
import type { Answer } from '../../../../contract/contract.ts';
import type { tillCalls } from '../../../../contract/till.ts';
import {
  millionths,
  parseDecimal,
  percent,
  percentText,
  quantityText,
  rateText,
} from '../../../../domain/base/decimal.ts';
import { givesDiscount } from '../../../../domain/document/checks/limits.ts';
import type { Day, Draft, Id } from '../../../../domain/document/document.ts';
import type { Kind } from '../../../../domain/document/kinds/kind.ts';
import {
  type ItemPrices,
  listsThatApply,
  type PriceList,
  type PriceListScope,
  type PriceStep,
  takesPriceList,
} from '../../../../domain/items/item-price.ts';
import type { Context } from '../../../context.ts';
import type { Executor } from '../../../kit/database/sql.ts';

interface ListRow {
  readonly id: Id;
  readonly name: string;
  readonly applies: PriceListScope | null;
  readonly locations: readonly Id[] | null;
  readonly priority: number;
  readonly currency: string | null;
  readonly inclusive: boolean;
  readonly valid_from: Day | null;
  readonly valid_to: Day | null;
}
interface Row extends ListRow {
  readonly named: Id | null;
  readonly steps: readonly {
    readonly item: Id;
    readonly rank: number;
    readonly from: string | null;
    readonly rate: string | null;
    readonly discount: string | null;
  }[];
}

/** The field of a party that names its list, by the side of the document. */
const fieldOf = (kind: Kind) => (kind.gst.tax === 'input' ? 'purchasePriceList' : 'priceList');

const columns = sql.raw(`
  l.id,
  l.name,
  l.body ->> 'appliesTo' as applies,
  l.body -> 'locations' as locations,
  coalesce(nullif(l.body ->> 'priority', '')::int, 0) as priority,
  l.body ->> 'currency' as currency,
  coalesce((l.body ->> 'taxInclusive')::boolean, false) as inclusive,
  l.body ->> 'validFrom' as valid_from,
  l.body ->> 'validTo' as valid_to
`);
const listFrom = ({
  id,
  name,
  applies,
  locations,
  priority,
  currency,
  inclusive,
  valid_from,
  valid_to,
}: ListRow): PriceList => ({
  id,
  name,
  appliesTo: applies || 'parties',
  locations: locations ?? [],
  priority,
  currency: currency ?? 'INR',
  taxInclusive: inclusive,
  validFrom: valid_from,
  validTo: valid_to,
});

/** The price list that the party names, whatever it says of items. */
export async function priceListOf(
  run: Executor,
  organisation: number,
  kind: Kind,
  party: Id,
): Promise<PriceList | null> {
  if (!takesPriceList(kind)) return null;
  const { rows } = await sql<ListRow>`
    select ${columns}
    from parties p
    join masters l
      on l.organisation = p.organisation
        and l.master = 'priceList'
        and l.active
        and l.id::text = p.body ->> ${fieldOf(kind)}
    where p.organisation = ${organisation} and p.id = ${party}::uuid
  `.execute(run);
  return rows[0] ? listFrom(rows[0]) : null;
}

/** For whom and where prices are asked for. */
export interface PricesAsked {
  readonly party?: Id | undefined;
  readonly location?: Id | undefined;
  readonly items: readonly Id[];
}

/** The prices of items by the lists that apply, in their order; without any list, nothing. */
export async function pricesOf(
  run: Executor,
  organisation: number,
  kind: Kind,
  { party, location, items }: PricesAsked,
): Promise<Map<Id, readonly ItemPrices[]>> {
  if (!takesPriceList(kind) || items.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select ${columns}, p.list as named, list_prices(l.organisation, l.id, ${[...new Set(items)]}::uuid[]) as steps
    from masters l
    left join lateral (
      select body ->> ${fieldOf(kind)} as list
      from parties
      where organisation = ${organisation} and id = ${party ?? null}::uuid
    ) p on true
    where l.organisation = ${organisation}
      and l.master = 'priceList'
      and l.active
      and l.body ->> 'side' = ${kind.gst.tax === 'input' ? 'purchase' : 'sale'}
      and (coalesce(l.body ->> 'appliesTo', '') <> '' or l.id::text = p.list)
  `.execute(run);
  const applicable = listsThatApply(
    rows.map((row) => ({ list: listFrom(row), steps: row.steps })),
    { partyList: rows[0]?.named, location, till: kind.life.till === true },
  );
  if (applicable.length === 0) return new Map();
  const stepOf = ({ rank, from, rate, discount }: Row['steps'][number]): PriceStep => ({
    rank,
    from: millionths(parseDecimal(from ?? '0', 6) ?? 0),
    ...(rate !== null && { rate: millionths(parseDecimal(rate, 6) ?? 0) }),
    ...(discount !== null && { discount: percent(parseDecimal(discount, 4) ?? 0) }),
  });
  return new Map(
    items.map((id) => [
      id,
      applicable.map(({ list, steps }) => ({ list, steps: steps.filter(({ item }) => item === id).map(stepOf) })),
    ]),
  );
}

/** The same for a draft, asked for only where a line comes without a rate of its own. */
export const pricesFor = async (
  run: Executor,
  organisation: number,
  kind: Kind,
  { party, location, ...draft }: Draft,
  all = false,
): Promise<ReadonlyMap<Id, readonly ItemPrices[]> | undefined> => {
  const items = all ? draft.lines.flatMap(({ item }) => item ?? []) : unrated(draft);
  return items.length === 0 ? undefined : pricesOf(run, organisation, kind, { party, location, items });
};

/** Whether all lines are compared with the price lists: somebody whose discount is limited gives one. */
export const comparesPrices = (kind: Kind, limits: Context['limits'] | undefined): boolean =>
  limits?.discount != null && givesDiscount(kind);

export const unrated = (draft: Pick<Draft, 'lines'>): Id[] =>
  draft.lines.flatMap((l) => (l.item && l.rate === undefined && !l.source ? [l.item] : []));

interface TillListRow extends ListRow {
  readonly fits: boolean;
  readonly rows:
    | readonly {
        readonly item?: Id;
        readonly category?: Id;
        readonly from?: string;
        readonly rate?: string;
        readonly discount?: string;
      }[]
    | null;
}

/** So many rows of price lists go over to a till; about 5 MB. */
const MOST_ROWS = 50_000;

/**
 * The lists that apply or will apply at a till of a place, with their rows, and the tree of categories: a till prices
 * without the network.
 */
export async function tillPrices(
  run: Executor,
  { organisation, today }: Pick<Context, 'organisation' | 'today'>,
  location: Id,
): Promise<Answer<(typeof tillCalls)['ListTillPrices']>> {
  const { rows } = await sql<TillListRow>`
    select
      ${columns}, l.body -> 'prices' as rows,
      sum(jsonb_array_length(coalesce(l.body -> 'prices', '[]'))) over (
        order by coalesce(l.body ->> 'appliesTo', '') = '', l.id
      ) <= ${MOST_ROWS} as fits
    from masters l
    where l.organisation = ${organisation}
      and l.master = 'priceList'
      and l.active
      and l.body ->> 'side' = 'sale'
      and coalesce(nullif(l.body ->> 'validTo', ''), ${today}) >= ${today}
      and case
        coalesce(l.body ->> 'appliesTo', '')
        when ''
          then exists (
            select from parties p
            where p.organisation = l.organisation and p.active and p.body ->> 'priceList' = l.id::text
          )
        when 'locations' then l.body -> 'locations' ? ${location}
        else true
      end
    order by coalesce(l.body ->> 'appliesTo', '') = '', l.id
  `.execute(run);
  const categories = (
    await sql<{
      id: Id;
      parent: Id;
    }>`
      select id, body ->> 'parent' as parent
      from masters
      where organisation = ${organisation} and master = 'category' and coalesce(body ->> 'parent', '') <> ''
    `.execute(run)
  ).rows;
  const fitting = rows.filter(({ fits }) => fits);
  return {
    lists: fitting.map((list) => ({
      list: { ...listFrom(list), locations: [...(list.locations ?? [])] },
      rows: [...(list.rows ?? [])],
    })),
    categories,
    cut: fitting.length < rows.length,
  };
}

/** As it goes over the wire: decimals as text. */
export const pricesText = ({ list, steps }: ItemPrices) => ({
  list,
  steps: steps.map(({ rank, from, rate, discount }) => ({
    rank,
    from: quantityText(from),
    ...(rate !== undefined && { rate: rateText(rate) }),
    ...(discount !== undefined && { discount: percentText(discount) }),
  })),
});
