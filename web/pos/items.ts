import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { millionths, parseDecimal } from '../../domain/decimal.ts';
import type { TillItem } from '../../domain/till.ts';
import { api } from '../kit/client.ts';
import { useSession } from '../kit/session.ts';
import { itemFrom } from '../views/editor/facts.ts';
import { ownerOf } from '../views/editor/handOver.ts';
import { browserBills } from './billStore.ts';

/** As many items are kept in the browser to be scanned, with or without the network; about 20 MB. */
export const MOST_ITEMS = 50_000;
/** Prices and items that were changed elsewhere are here after this long, or when they are asked for. */
const FRESH = 10 * 60_000;

type Row = Readonly<Record<string, unknown>>;

const tillItem = (row: Row): TillItem => {
  const mrp = parseDecimal(String(row['mrp'] ?? ''), 6);
  const barcode = String(row['barcode'] ?? '');
  return { ...itemFrom(row), barcode: barcode || null, mrp: mrp === undefined ? null : millionths(mrp) };
};

interface Loaded {
  readonly rows: readonly Row[];
  readonly cut: boolean;
  /** They come from this browser, for the server could not be reached. */
  readonly old: boolean;
}

async function load(owner: string): Promise<Loaded> {
  const rows: Row[] = [];
  try {
    for (let after: string | null = ''; after !== null && rows.length < MOST_ITEMS; ) {
      const page: { items: Row[]; after: string | null } = await api.ListTillItems(after ? { after } : {});
      rows.push(...page.items);
      after = page.after;
      if (after !== null && rows.length >= MOST_ITEMS) {
        await browserBills.keepItems(owner, rows).catch(() => undefined);
        return { rows, cut: true, old: false };
      }
    }
  } catch (problem) {
    const kept = await browserBills.itemsOf(owner).catch(() => undefined);
    if (!kept) throw problem;
    return { rows: kept as Row[], cut: kept.length >= MOST_ITEMS, old: true };
  }
  await browserBills.keepItems(owner, rows).catch(() => undefined); // a browser that keeps nothing still sells
  return { rows, cut: false, old: false };
}

/** The items of the organisation with their prices, all of them here: a scan never waits for the server. */
export function useTillItems() {
  const session = useSession();
  const owner = ownerOf(session);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['till-items', owner],
    queryFn: () => load(owner),
    ...{ staleTime: FRESH, refetchInterval: FRESH, retry: false, networkMode: 'always' as const },
  });
  const items = useMemo(() => data?.rows.map(tillItem), [data]);
  const byId = useMemo(() => new Map(items?.map((item) => [item.id, item])), [items]);
  return { items, byId, cut: data?.cut ?? false, old: data?.old ?? false, error, refetch, isFetching };
}
