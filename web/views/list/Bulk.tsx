import { useState } from 'react';
import type { KindName } from '../../../domain/document/kinds/index.ts';
import { correctedBy, kindCalled, kindOf } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { isChangeable, type State } from '../../../domain/document/lives.ts';
import { mayBeSent } from '../../einvoice/states.ts';
import { Button } from '../../kit/Button.tsx';
import { Confirm } from '../../kit/dialog/Dialog.tsx';
import { blobOf, download } from '../../kit/dialog/download.ts';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { inSentence } from '../../kit/format.ts';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useSession, usesGst } from '../../kit/server/session.ts';
import { plural, t } from '../../kit/text.ts';
import { useMayDo } from '../places.ts';
import { CancelDialog, type How } from '../view/CancelDialog.tsx';
import { consequencesOfMany } from '../view/cancelling.ts';
import { isCancelled, type Row } from './rows.ts';

interface Props {
  readonly kind: KindName;
  readonly rows: readonly Row[];
  onClear(): void;
  onDone(): void;
  /** Takes the rows to a file, in the columns of the list's own export. */
  onExport(): void;
  /** Sends to the invoice portal; what came of it is shown by the list. */
  onSend(ids: readonly string[]): Promise<void>;
}

/** What can be done with the rows selected; an action shows only when some of them take it. */
export function Bulk({ kind: name, rows, onClear, onDone, onExport, onSend }: Props) {
  const may = useMayDo();
  const kind: Kind = kindOf(name);
  const concerns = usesGst(useSession());
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const [busy, setBusy] = useState(false);
  // what waits for approval is withdrawn before it is deleted
  const drafts = rows.filter((row) => row.draft && isChangeable(row.status as State));
  const posted = rows.filter((row) => !row.draft && !isCancelled(row));
  const unsent = posted.filter((row) => kindCalled(row.kind)?.gst.irp && may(row.kind, 'write') && mayBeSent(row));
  const run = async (work: () => Promise<string | undefined>) => {
    setBusy(true);
    try {
      const said = await work();
      if (said) toast(said);
      onDone();
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
      setAsking(null);
    }
  };
  const print = async () => {
    for (const { id } of posted) {
      const { name: file, type, content } = await api.PrintDocument({ id });
      download(file, blobOf(content, type));
    }
    return t('{{posted}} printed to files', { posted: posted.length });
  };
  const sendToPortal = async () => {
    await onSend(unsent.map((row) => row.id));
    return undefined;
  };
  const remove = async () => {
    const asked = { TransactionIds: drafts.map((row) => row.id), versions: drafts.map((row) => row.version ?? 0) };
    return t('{{deleted}} drafts deleted', { deleted: (await api.DeleteMultipleTransaction(asked)).deleted });
  };
  const cancel = async (reason: string, how: How) => {
    const { cancelled } = await api.CancelTransaction(
      { TransactionIds: posted.map((row) => row.id), TransactionType: kind.code, reason, ...how },
      newKey(),
    );
    toast(t('{{cancelled}} cancelled', { cancelled: cancelled.length }));
  };
  return (
    <div className="filter-bar bulk-bar">
      <b role="status">{t('{{rows}} selected', { rows: rows.length })}</b>
      <Button onClick={onExport}>{t('Export {{rows}}', { rows: rows.length })}</Button>
      {posted.length > 0 && kind.paper.form !== 'none' && (
        <Button busy={busy} onClick={() => void run(print)}>
          {t('Print {{posted}}', { posted: posted.length })}
        </Button>
      )}
      {unsent.length > 0 && (
        <Button busy={busy} onClick={() => void run(sendToPortal)}>
          {t('Send {{unsent}} to the portal', { unsent: unsent.length })}
        </Button>
      )}
      {posted.length > 0 && !kind.life.system && may(name, 'approve') && (
        <Button look="danger" onClick={() => setAsking('cancel')}>
          {t('Cancel {{posted}}', { posted: posted.length })}
        </Button>
      )}
      {drafts.length > 0 && (
        <Button look="danger" onClick={() => setAsking('delete')}>
          {plural(drafts.length, 'Delete draft', 'Delete {{count}} drafts')}
        </Button>
      )}
      <Button look="subtle" onClick={onClear}>
        {t('Clear')}
      </Button>
      {asking === 'cancel' && (
        <CancelDialog
          names={posted.map((row) => row.number)}
          what={inSentence(t(kind.plural))}
          says={consequencesOfMany(
            kind,
            posted.map((row) => row.date),
            kind.gst.gstr1 !== undefined && concerns,
          )}
          onClose={() => setAsking(null)}
          notes={correctedBy(name, true).length > 0 ? undefined : []}
          onCancel={cancel}
          onDone={() => {
            setAsking(null);
            onDone();
          }}
        />
      )}
      <Confirm
        open={asking === 'delete'}
        question={plural(drafts.length, 'Delete this draft?', 'Delete {{count}} drafts?')}
        consequence={t('A draft has no number and no effect; deleted, it cannot be brought back.')}
        verb={t('Delete')}
        onConfirm={() => run(remove)}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}
