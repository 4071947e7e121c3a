import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { millionths, parseDecimal } from '../../../domain/base/decimal.ts';
import { indexParts, type TillItem } from '../../../domain/till/till.ts';
import { api } from '../../kit/server/client.ts';
import { useSession } from '../../kit/server/session.ts';
import { itemFrom } from '../../views/editor/facts.ts';
import { ownerOf } from '../../views/editor/saving/handOver.ts';
import { browserBills } from '../bills/billStore.ts';
import { tillMoment } from '../clock.ts';
import { noPrices } from '../counter.ts';
import { pricesFrom, type TillPricesText } from './prices.ts';

/** As many items are kept in the browser to be scanned, with or without the network; about 20 MB. */
export const MOST_ITEMS = 50_000;
/** Prices and items that were changed elsewhere are here after this long, or when they are asked for. */
const FRESH = 10 * 60_000;

type Row = Readonly<Record<string, unknown>>;

const tillItem = (row: Row): TillItem => {
  const mrp = parseDecimal(String(row['mrp'] ?? ''), 6);
  const barcode = String(row['barcode'] ?? '');
  const known = (name: string) => String(row[name] ?? '') || null;
  return {
    ...{ ...itemFrom(row), barcode: barcode || null, mrp: mrp === undefined ? null : millionths(mrp) },
    ...{ parent: known('parent'), category: known('category'), picture: known('picture') },
  };
};

interface Loaded {
  readonly rows: readonly Row[];
  /** Price lists; what an older page has kept has none. */
  readonly prices?: TillPricesText;
  readonly cut: boolean;
  /** They come from this browser, for the server could not be reached. */
  readonly old: boolean;
  /** When: what was sold after that is taken off batches and serial numbers. */
  readonly at: string;
}

async function load(owner: string, location: string): Promise<Loaded> {
  const place = `${owner}/items/${location}`;
  const rows: Row[] = [];
  const at = tillMoment().toISOString();
  let prices: TillPricesText | undefined;
  try {
    prices = await api.ListTillPrices({ location });
    for (let after: string | null = ''; after !== null && rows.length < MOST_ITEMS; ) {
      const page: { items: Row[]; after: string | null } = await api.ListTillItems({
        location,
        ...(after && { after }),
      });
      rows.push(...page.items);
      after = page.after;
      if (after !== null && rows.length >= MOST_ITEMS) {
        await browserBills.keepItems(place, { rows, prices, at }).catch(() => undefined);
        return { rows, prices, cut: true, old: false, at };
      }
    }
  } catch (problem) {
    const kept = (await browserBills.itemsOf(place).catch(() => undefined)) as
      | Pick<Loaded, 'rows' | 'prices' | 'at'>
      | undefined;
    if (!kept) throw problem;
    return { ...kept, cut: kept.rows.length >= MOST_ITEMS, old: true };
  }
  await browserBills.keepItems(place, { rows, prices, at }).catch(() => undefined); // a browser that keeps nothing still sells
  return { rows, prices, cut: false, old: false, at };
}

/** The items of the organisation with their prices, all of them here: a scan never waits for the server. */
export function useTillItems(location: string) {
  const session = useSession();
  const owner = ownerOf(session);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['till-items', owner, location],
    queryFn: () => load(owner, location),
    ...{ staleTime: FRESH, refetchInterval: FRESH, retry: false, networkMode: 'always' as const },
  });
  const items = useMemo(() => data?.rows.map(tillItem), [data]);
  const byId = useMemo(() => new Map(items?.map((item) => [item.id, item])), [items]);
  const prices = useMemo(() => (data?.prices ? pricesFrom(data.prices) : noPrices), [data]);
  const parts = useMemo(() => indexParts(items ?? []), [items]);
  return {
    items,
    byId,
    parts,
    prices,
    at: data?.at ?? '',
    cut: data?.cut ?? false,
    old: data?.old ?? false,
    error,
    refetch,
    isFetching,
  };
}

export type TillItems = ReturnType<typeof useTillItems>;
