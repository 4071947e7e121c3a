import { useSyncExternalStore } from 'react';
import { allows } from '../../../contract/levels.ts';
import { screenOf } from '../../../contract/screens.ts';
import type { Option } from '../../kit/fields/Combobox.tsx';
import { api } from '../../kit/server/client.ts';
import { screens, useSession } from '../../kit/server/session.ts';
import type { Model } from './model.ts';
import { isFilled, typedOf } from './wire.ts';

/** Whether the lines of a return are typed, for they come from no document. */
export const useTypedReturn = ({ kind, lines }: Model): boolean =>
  useSyncExternalStore(lines.subscribe, () => {
    const rows = lines.rows();
    return kind.withoutSource === true && rows.length > 0 && !rows.some((row) => row['source']);
  });

/** Whether this person may type the lines of a return. Comfort only: the server refuses too. */
export const useMayTypeReturn = ({ kind, name }: Model): boolean => {
  const { grants } = useSession();
  const screen = screenOf({ kind: name }, 'documentEditor');
  return kind.withoutSource === true && screen !== undefined && allows(grants[screens[screen].parent], 'full');
};

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
