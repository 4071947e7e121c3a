import { correctedBy, followUps, kindOf } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { toast } from '../../kit/dialog/toast.tsx';
import { inSentence } from '../../kit/format.ts';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';
import { useGoTo, usePlaces } from '../places.ts';
import { CancelDialog, type How, type Note } from './CancelDialog.tsx';
import { consequencesOf } from './cancelling.ts';

/** Whether a GST return shows the document. */
const isReturned = ({ body, registration, priced }: Shown): boolean =>
  registration.gstin !== null && priced !== null && priced.supplyType !== 'NONE' && body['withoutTax'] !== true;

/** Cancels a document, or leads to the note that corrects it where its day is not open. */
export function CancelDocument({
  document,
  kind,
  onClose,
}: {
  readonly document: Shown;
  readonly kind: Kind;
  onClose(): void;
}) {
  const notes = useNotes(document);
  const cancel = async (reason: string, how: How) => {
    const { cancelled } = await api.CancelTransaction(
      { TransactionIds: [document.id], TransactionType: kind.code, reason, ...how },
      newKey(),
    );
    const freed = cancelled.flatMap((one) => one.freed.map(({ number, amount }) => `${number} ₹${amount}`));
    toast(
      t('{{number}} is cancelled{{freed}}', {
        number: document.number,
        freed: freed.length > 0 ? `. ${t('Open again: {{freed}}', { freed: freed.join(', ') })}` : '',
      }),
    );
  };
  return (
    <CancelDialog
      names={[document.number]}
      what={inSentence(t(kind.plural))}
      {...consequencesOf(document, isReturned(document))}
      notes={notes}
      onCancel={cancel}
      onClose={onClose}
    />
  );
}

/** The notes that correct the document; undefined where there are some and this person may make none of them. */
function useNotes(document: Shown): readonly Note[] | undefined {
  const places = usePlaces();
  const goTo = useGoTo();
  // no note refers to an invoice whose IRN is cancelled
  const corrections = document.einvoice?.state === 'cancelled' ? [] : correctedBy(document.kind, isReturned(document));
  // what a note cannot be made from, its opposite note is made from the source of
  const notes = corrections.flatMap((name) => {
    const target = places(name, 'documentEditor');
    const continues = (kind: string) => followUps(kind).includes(name);
    const source = continues(document.kind)
      ? document
      : document.links.find(({ role, kind }) => role === 'source' && continues(kind));
    const label = t('Make a {{label}}', { label: inSentence(t(kindOf(name).label)) });
    return target ? [{ label, make: () => goTo(target, source ? { from: source.id } : {}) }] : [];
  });
  return corrections.length > 0 && notes.length === 0 ? undefined : notes;
}
