import { useSyncExternalStore } from 'react';
import { allows } from '../../../../contract/levels.ts';
import { screenOf } from '../../../../contract/screens.ts';
import type { Option } from '../../../kit/fields/Combobox.tsx';
import { api } from '../../../kit/server/client.ts';
import { screens, useSession } from '../../../kit/server/session.ts';
import type { Model } from '../model.ts';
import { isFilled, type Texts, typedOf } from '../wire.ts';

/** Whether the lines of a return are typed, for they come from no document. */
export const useTypedReturn = ({ kind, lines }: Model): boolean =>
  useSyncExternalStore(lines.subscribe, () => {
    const rows = lines.rows();
    return kind.source.mayBeOutsideBooks === true && rows.length > 0 && !rows.some((row) => row['source']);
  });

/** Whether this person may type the lines of a return. Comfort only: the server refuses too. */
export const useMayTypeReturn = ({ kind, name }: Model): boolean => {
  const { grants } = useSession();
  const screen = screenOf({ kind: name }, 'documentEditor');
  return (
    kind.source.mayBeOutsideBooks === true && screen !== undefined && allows(grants[screens[screen].parent], 'full')
  );
};

/** What somebody types from now on, and not what follows from facts: fields of the head, and of the lines by their place. */
const watchTyping = ({ head, lines, isFilling, subscribe }: Model) => {
  let last = { head: head.get(), rows: lines.rows() };
  let typedHead: Texts = {};
  const typedRows = new Map<number, Texts>();
  const stop = subscribe(() => {
    const now = { head: head.get(), rows: lines.rows() };
    if (!isFilling()) {
      typedHead = { ...typedHead, ...changed(last.head, now.head) };
      now.rows.forEach((row, at) => {
        const patch = changed(last.rows.find(({ key }) => key === row.key) ?? {}, row);
        if (Object.keys(patch).length > 0) typedRows.set(at, { ...typedRows.get(at), ...patch });
      });
    }
    last = now;
  });
  return { stop, head: () => typedHead, rows: (): ReadonlyMap<number, Texts> => typedRows };
};

const changed = (before: Texts, now: Texts): Texts =>
  Object.fromEntries(Object.entries(now).filter(([field, text]) => field !== 'key' && before[field] !== text));

/**
 * Takes over the lines of the document a note or return is made against, with what is left of them. Lines that were typed
 * stay, except where lines can only come from a source. What is typed while the answer is on its way is put over it.
 */
export const fillFrom = async (model: Model, source: Option): Promise<void> => {
  const { kind, name, head, lines, adjustments, facts } = model;
  if (kind.lines.of !== 'items' || (!kind.source.givesPrice && lines.rows().some(isFilled))) return;
  const meanwhile = watchTyping(model);
  const { draft, facts: found } = await api.GetConversion({ from: source.id, kind: name }).finally(meanwhile.stop);
  // Another document was chosen while this one was on its way.
  if (head.get()['against'] !== source.id) return;
  const typed = typedOf(name, draft);
  const { date = '', reference = '', narration = '' } = head.get();
  facts.learn(found);
  head.set({ ...typed.head, date, reference, narration, ...meanwhile.head(), _against: source.name });
  adjustments.replace(typed.adjustments);
  const rows = meanwhile.rows();
  // somebody who has chosen an item meanwhile makes lines of their own
  if (!kind.source.givesPrice && [...rows.values()].some((row) => row['itemId'])) return;
  const more = [...rows].flatMap(([at, row]) => (at >= typed.lines.length && isFilled(row) ? [row] : []));
  lines.refill([...typed.lines.map((line, at) => ({ ...line, ...rows.get(at) })), ...more]);
};
