import type { Option } from '../../kit/Combobox.tsx';
import { api } from '../../kit/client.ts';
import type { Model } from './model.ts';
import { isFilled, typedOf } from './wire.ts';

/**
 * Takes over the lines of the document a note or return is made against, with what is left of them. Lines that were typed
 * stay, except where lines can only come from a source.
 */
export const fillFrom = async (model: Model, source: Option): Promise<void> => {
  const { kind, name, head, lines, adjustments, facts } = model;
  if (kind.lines !== 'items' || (!kind.pricedFromSource && lines.rows().some(isFilled))) return;
  const { draft, facts: found } = await api.GetConversion({ from: source.id, kind: name });
  // Another document was chosen while this one was on its way.
  if (head.get()['against'] !== source.id) return;
  const typed = typedOf(name, draft);
  const { date = '', reference = '', narration = '' } = head.get();
  facts.learn(found);
  head.set({ ...typed.head, date, reference, narration, _against: source.name });
  lines.replace(typed.lines);
  adjustments.replace(typed.adjustments);
};
