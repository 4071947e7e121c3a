import { useState } from 'react';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { api } from '../../kit/client.ts';
import { PaperDialog } from '../../kit/PaperDialog.tsx';
import { Segments } from '../../kit/parts.tsx';
import type { Shown } from '../DocumentView.tsx';

const copies = [
  { key: 'original', label: 'Original' },
  { key: 'duplicate', label: 'Duplicate' },
  { key: 'triplicate', label: 'Triplicate' },
  { key: 'extra', label: 'Extra' },
] as const;
type Copy = (typeof copies)[number]['key'];

/** A document's paper, in the copy that is wanted. */
export function PrintDialog({
  document,
  kind,
  onClose,
}: {
  readonly document: Shown;
  readonly kind: Kind;
  onClose(): void;
}) {
  const [copy, setCopy] = useState<Copy>('original');
  return (
    <PaperDialog
      title={`Print ${document.number}`}
      what={`${kind.label} ${document.number}`}
      paper={['document', document.id, copy]}
      fetch={() => api.PrintDocument({ id: document.id, copy })}
      staleTime={60_000}
      onClose={onClose}
    >
      {(kind.paper === 'taxInvoice' || kind.paper === 'challan') && (
        <Segments label="Copy" choices={copies} current={copy} onChange={(key) => setCopy(key as Copy)} />
      )}
    </PaperDialog>
  );
}
