import { useEffect, useState } from 'react';
import { t } from '../../kit/text.ts';
import { MOST_ITEMS } from '../cart/items.ts';

/** Whether the browser has promised not to clear by itself what is kept here; null while it is asked, or where it cannot be asked. */
export function useLasting(): boolean | null {
  const [lasting, setLasting] = useState<boolean | null>(null);
  useEffect(() => {
    const { storage } = navigator as { readonly storage?: StorageManager };
    if (!storage?.persist) return;
    let gone = false;
    void storage
      .persisted()
      .then((is) => is || storage.persist())
      .then((is) => gone || setLasting(is))
      .catch(() => undefined); // a browser that does not answer has promised nothing, and is not asked again
    return () => {
      gone = true;
    };
  }, []);
  return lasting;
}

/** What the cashier has to know of this browser and of what it knows; each sentence says what to do. */
export function TillNotes({
  cut,
  old,
  listsCut,
  online,
  waiting,
  lasting,
}: {
  /** Not all items are here. */
  readonly cut: boolean;
  /** They are those of before, for the server did not answer. */
  readonly old: boolean;
  readonly listsCut: boolean;
  readonly online: boolean;
  /** Bills that are not in the books yet. */
  readonly waiting: number;
  readonly lasting: boolean | null;
}) {
  const notes = [
    old && t('The server did not give its items: these are the prices this browser knew.'),
    cut &&
      t('Only the first {{most}} items are here; others are sold by a cash sale.', {
        most: MOST_ITEMS.toLocaleString('en-IN'),
      }),
    listsCut &&
      t('Not all price lists fit on this till: check the price for a customer with a price list of their own.'),
    !online &&
      t(
        'Returns and cash in or out need the network: only the server knows what can still be returned and how much cash should be ' +
          'in the drawer.',
      ),
    waiting > 0 &&
      lasting === false &&
      t('This browser may lose unsent bills: do not clear its data before all bills are sent.'),
  ].filter((note): note is string => typeof note === 'string');
  return notes.length === 0 ? null : (
    <div className="till-note" data-tone="warn" role="status">
      <span>
        {notes.map((note) => (
          <span key={note} className="till-line">
            {note}
          </span>
        ))}
      </span>
    </div>
  );
}
