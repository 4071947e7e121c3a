import type { RowStore } from '../../../kit/grid/rowStore.ts';
import { api } from '../../../kit/server/client.ts';
import { isFilled } from '../wire.ts';

/** As many lines as a document takes. */
const MOST = 1000;

/**
 * Lists everything that the books have at a place, to be counted: items that stand in the lines already are passed over, and
 * what was typed stays. Answers how many lines were added. A line that nobody counts then is neither kept nor posted.
 */
export async function listStock(lines: RowStore, location: string): Promise<number> {
  const typed = lines.rows().filter(isFilled);
  const known = new Set(typed.map((row) => row['itemId']));
  const found: { readonly item: string; readonly name: string }[] = [];
  let after: string | null = '';
  do {
    const page: Awaited<ReturnType<typeof api.PhysicalLocationInventory>> = await api.PhysicalLocationInventory({
      location,
      ...(after && { after }),
    });
    found.push(...page.rows.filter((row) => !known.has(row.item)));
    after = page.after;
  } while (after !== null && typed.length + found.length < MOST);
  const listed = found.slice(0, MOST - typed.length);
  lines.replace([
    ...typed,
    ...listed.map(({ item, name }) => ({ item: name, itemId: item, filled: '', listed: 'true' })),
  ]);
  return listed.length;
}
