import { Refusal } from '../../../../contract/errors.ts';
import type { Priced } from '../../../../domain/document/document.ts';
import { cutsPrice, type Kind } from '../../../../domain/document/kinds/index.ts';
import { type SourceLine, sourceKey } from '../../../../domain/document/resolve.ts';
import { type TakenOf, takesTooMuch } from '../../../../domain/document/sources.ts';
import type { Loaded } from '../load.ts';

/** Nothing is made from a document that is cancelled, or whose e-invoice is. */
export function refuseCancelledSource({ sourceDocuments = [] }: Loaded): void {
  for (const { number, cancelled, irnCancelled } of sourceDocuments) {
    if (cancelled) throw new Refusal('alreadyCancelled', { number });
    if (irnCancelled) throw new Refusal('irnCancelled', { number });
  }
}

/** INV-16: returns and conversions never exceed their source, cumulatively; price cuts never exceed its value. */
export function refuseExceeded(kind: Kind, priced: Priced, sources: ReadonlyMap<string, SourceLine>): void {
  const taken = new Map<string, TakenOf>();
  const ofRoot = new Map<string, number>();
  for (const { source, cuts, quantity, freeQuantity, baseQuantity, value, number } of priced.lines) {
    const named = source ?? cuts;
    const from = named && sources.get(sourceKey(named));
    if (!from) continue;
    const before = taken.get(sourceKey(from)) ?? { quantity: 0, free: 0, base: 0, value: 0 };
    const now = {
      quantity: before.quantity + quantity,
      free: before.free + freeQuantity,
      base: before.base + baseQuantity,
      value: before.value + value,
    };
    taken.set(sourceKey(from), now);
    const root = from.root ?? from;
    const together = (ofRoot.get(sourceKey(root)) ?? 0) + value;
    ofRoot.set(sourceKey(root), together);
    // lines of one document about a supply and about notes on it share what the supply has left
    const isShared = cutsPrice(kind) && together > (from.root?.left ?? from.left.value - (from.financial?.value ?? 0));
    if (isShared || takesTooMuch(kind, from, now)) throw new Refusal('sourceExceeded', { line: String(number) });
  }
}
