import { PaperDialog } from '../../kit/dialog/PaperDialog.tsx';
import { inSentence } from '../../kit/format.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';

/** The whole report as its PDF, to print from: the list on the screen holds only the rows that were looked at. */
export function PrintReport({
  name,
  title,
  filters,
  chosen,
  onClose,
}: {
  readonly name: string;
  readonly title: string;
  readonly filters: Readonly<Record<string, string>>;
  /** The places of the top bar, as the screen has them. */
  readonly chosen: { readonly SubOrgCode?: string; readonly TaxLocation?: string };
  onClose(): void;
}) {
  return (
    <PaperDialog
      title={t('Print {{title}}', { title: inSentence(title) })}
      what={title}
      paper={['report', name, filters, chosen]}
      fetch={() => api.ExportReport({ report: name, filters: { ...filters }, format: 'pdf', ...chosen })}
      onClose={onClose}
    />
  );
}
