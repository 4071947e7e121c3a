import { Badge } from '../kit/parts.tsx';
import { stateOf } from './states.ts';

/** The state of an e-invoice as dot and word. */
export function EinvoiceBadge({ state }: { readonly state: string }) {
  const { word, tone } = stateOf(state);
  return <Badge word={word} tone={tone} />;
}
