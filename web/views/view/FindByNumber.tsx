import { useState } from 'react';
import { type KindName, kindOf } from '../../../domain/kinds/index.ts';
import { Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { TextField } from '../../kit/fields.tsx';
import { inSentence } from '../../kit/format.ts';
import { Page, PageHead, Panel } from '../../kit/parts.tsx';
import { useGoTo, usePlaces } from '../places.ts';

/** A view without a document asks for its number. */
export function FindByNumber({ kind: name }: { readonly kind: KindName }) {
  const kind = kindOf(name);
  const places = usePlaces();
  const goTo = useGoTo();
  const [number, setNumber] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const find = async () => {
    if (number.trim() === '') return setError('Give a number');
    setBusy(true);
    setError(undefined);
    try {
      const { id } = await api.GetTransactionDetails({ InvoiceNo: number.trim(), TransactionType: kind.code });
      const view = places(name, 'documentView');
      if (view) goTo(view, { id }, true);
    } catch (refused) {
      setError(refused instanceof Refused ? refused.message : 'Please try after some time');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page narrow>
      <PageHead title={`Find ${inSentence(kind.label)}`} />
      <Panel>
        <form
          className="find"
          onSubmit={(event) => {
            event.preventDefault();
            void find();
          }}
        >
          <TextField label="Number" value={number} onChange={setNumber} error={error} autoFocus maxLength={32} />
          <Button look="primary" type="submit" busy={busy}>
            Find
          </Button>
        </form>
      </Panel>
    </Page>
  );
}
