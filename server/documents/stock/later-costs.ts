import { millionths } from '../../../domain/base/decimal.ts';
import type { Paise } from '../../../domain/base/money.ts';
import { lineCost } from '../../../domain/books/posting.ts';
import type { Id, Priced } from '../../../domain/document/document.ts';
import { type Kind, takesBack } from '../../../domain/document/kinds/index.ts';
import { type Bought, dutyOf, type Landed, land, reprice } from '../../../domain/stock/landing.ts';
import { isRegular } from '../../../domain/tax/gst/registration/registered.ts';
import { isPricedFromSource } from '../posting/kinds.ts';
import type { Loaded } from '../posting/load.ts';
import type { CheckedRequest } from '../posting/types.ts';
import { balanceKeyOf, movementKey } from './balances.ts';
import type { Opened } from './open-balances.ts';

/** A cost, or another price, that is known after its goods came in goes on the stock balances that still hold them. */
export function landing(
  kind: Kind,
  { draft, facts, settings, landing: lines, repriced }: CheckedRequest,
  priced: Priced,
  loaded: Loaded,
  { stockBalances }: Opened,
): (Landed & { readonly onAll?: ReadonlyMap<number, Paise> }) | undefined {
  if (!settings.trackInventory) return undefined;
  const held = (item: Id, location: Id) => millionths(stockBalances.get(balanceKeyOf(item, location))?.quantity ?? 0);
  const holding = { method: settings.method, held };
  if (lines) return land(dutyOf(draft, isRegular(facts.own.kind)), lines, holding);
  // a note without GST leaves the goods at their cost (ADR 72)
  if (!repriced || draft.withoutTax) return undefined;
  return reprice(takesBack(kind), priced.lines, draft.lines, (named) => boughtBy(named, loaded), lineCost, holding);
}

/**
 * The goods that a line of a bill brought in, and how much of them went back; of a line of a note, those of the bill that
 * it corrects in the end.
 */
function boughtBy({ document, line }: { readonly document: Id; readonly line: number }, { sources }: Loaded) {
  const named = sources?.find((s) => s.document === document && s.line === line);
  const source = named?.root ?? named;
  const [whole] = source?.moved ?? [];
  if (!source || !whole || whole.quantity <= 0) return undefined;
  const back = source.used.reduce((t, u) => (isPricedFromSource(u.kind) ? t + u.base_quantity : t), 0);
  const { item, location, quantity } = whole;
  return {
    of: movementKey(source.document, whole.number),
    ...{ item, location, quantity: millionths(quantity), back: millionths(back) },
  } satisfies Bought;
}
