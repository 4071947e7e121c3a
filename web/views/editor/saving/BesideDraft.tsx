import { useState } from 'react';
import type { KindName } from '../../../../domain/document/kinds/index.ts';
import { Button } from '../../../kit/Button.tsx';
import { toast } from '../../../kit/dialog/toast.tsx';
import { t } from '../../../kit/text.ts';
import { useMayDo } from '../../places.ts';
import { Beside } from '../../view/Beside.tsx';
import type { Saving } from './saving.ts';

/** Files and comments beside a draft. One that the server does not know yet is saved first; all of it stays when it is posted. */
export function BesideDraft({ saving, kind }: { readonly saving: Saving; readonly kind: KindName }) {
  const may = useMayDo();
  const [busy, setBusy] = useState(false);
  const { id } = saving.stored();
  if (!may(kind, 'write')) return null;
  if (id) return <Beside id={id} mayWrite />;
  const begin = async () => {
    setBusy(true);
    await saving.save();
    setBusy(false);
    if (!saving.stored().id) toast(t('Enter something of the document first: files and comments belong to its draft'));
  };
  return (
    <div className="side-actions">
      <Button look="subtle" busy={busy} onClick={() => void begin()}>
        {t('Add files and comments')}
      </Button>
    </div>
  );
}
