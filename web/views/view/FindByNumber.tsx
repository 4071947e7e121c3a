import { useState } from 'react';
import { type KindName, kindOf } from '../../../domain/document/kinds/index.ts';
import { Button } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import { inSentence } from '../../kit/format.ts';
import { Page, PageHead, Panel } from '../../kit/parts.tsx';
import { messageOf, Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import { useGoTo, usePlaces } from '../places.ts';

/** A view without a document asks for its number, and looks for it in each of its kinds in turn. */
export function FindByNumber({ kinds }: { readonly kinds: readonly KindName[] }) {
  const what = kinds.length > 1 ? t('a note or return') : inSentence(kindOf(kinds[0] as KindName).label);
  const places = usePlaces();
  const goTo = useGoTo();
  const [number, setNumber] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const find = async () => {
    if (number.trim() === '') return setError(t('Give a number'));
    setBusy(true);
    setError(undefined);
    try {
      const found = await first(kinds, number.trim());
      const view = places(found.kind, 'documentView');
      if (view) goTo(view, { id: found.id }, true);
    } catch (refused) {
      setError(messageOf(refused));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page narrow>
      <PageHead title={t('Find {{what}}', { what })} />
      <Panel>
        <form
          className="find"
          onSubmit={(event) => {
            event.preventDefault();
            void find();
          }}
        >
          <TextField label={t('Number')} value={number} onChange={setNumber} error={error} autoFocus maxLength={32} />
          <Button look="primary" type="submit" busy={busy}>
            {t('Find')}
          </Button>
        </form>
      </Panel>
    </Page>
  );
}

/** The document of the first kind that has the number; the last refusal when none has. */
async function first([kind, ...rest]: readonly KindName[], number: string): Promise<{ id: string; kind: string }> {
  try {
    return await api.GetTransactionDetails({ InvoiceNo: number, TransactionType: kindOf(kind as KindName).code });
  } catch (refused) {
    if (rest.length > 0 && refused instanceof Refused) return first(rest, number);
    throw refused;
  }
}
