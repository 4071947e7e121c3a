import { Badge } from '../kit/parts.tsx';
import { stateOf } from './states.ts';

/** The state of an e-invoice as dot and word. */
export function EinvoiceBadge({ state, signed = true }: { readonly state: string; readonly signed?: boolean }) {
  const { word, tone } = stateOf(state, signed);
  return <Badge word={word} tone={tone} />;
}
