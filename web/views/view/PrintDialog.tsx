import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { PaperDialog } from '../../kit/dialog/PaperDialog.tsx';
import { SelectField } from '../../kit/fields/fields.tsx';
import { Segments } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
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
  const [template, setTemplate] = useState('');
  const { data } = useQuery({
    queryKey: useScreenKey('templates'),
    queryFn: () => api.ListMasters({ master: 'paperTemplate' }),
  });
  const templates = (data?.rows ?? []).filter(
    ({ values }) => Array.isArray(values['kinds']) && values['kinds'].includes(document.kind),
  );
  return (
    <PaperDialog
      title={t('Print {{number}}', { number: document.number })}
      what={`${t(kind.label)} ${document.number}`}
      paper={['document', document.id, copy, template]}
      fetch={() => api.PrintDocument({ id: document.id, copy, ...(template && { template }) })}
      staleTime={60_000}
      onClose={onClose}
    >
      {templates.length > 0 && (
        <SelectField
          label={t('Template')}
          value={template}
          empty={t('The usual one')}
          choices={templates.map(({ id, values }) => ({ value: id, label: String(values['name'] ?? '') }))}
          onChange={setTemplate}
        />
      )}
      {(kind.paper.form === 'taxInvoice' || kind.paper.form === 'challan') && (
        <Segments label={t('Copy')} choices={copies} current={copy} onChange={(key) => setCopy(key as Copy)} />
      )}
    </PaperDialog>
  );
}
