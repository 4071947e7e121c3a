import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { WrongRows } from '../accounts/WrongRows.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { Field, SelectField } from '../kit/fields/fields.tsx';
import { money } from '../kit/format.ts';
import { ErrorPanel, figures, ScrollX, TableHead } from '../kit/parts.tsx';
import { Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { unitOf } from './line.ts';

type Format = Readonly<Record<string, string>>;

const columns = [
  ['date', 'Date', true],
  ['text', 'Description', true],
  ['reference', 'Reference', false],
  ['moneyIn', 'Money in (deposit)', false],
  ['moneyOut', 'Money out (withdrawal)', false],
  ['amount', 'Amount, where one column has both', false],
  ['balance', 'Balance', false],
] as const;
const orders = [
  { value: 'dmy', label: 'Day, month, year' },
  { value: 'mdy', label: 'Month, day, year' },
  { value: 'ymd', label: 'Year, month, day' },
];

/** A statement as the bank's site saves it (CSV): which column is what is guessed, kept for the bank, and may be changed. */
export function ImportStatement({
  ledger,
  currency,
  onClose,
}: {
  readonly ledger: string;
  readonly currency: string;
  onClose(): void;
}) {
  // the key of the query is the number of the file: its text may be megabytes
  const [{ content, chosen }, setFile] = useState({ content: '', chosen: 0 });
  const [format, setFormat] = useState<Format | null>(null);
  const { data, error } = useQuery({
    queryKey: useScreenKey('statement', ledger, chosen, format),
    queryFn: () => api.ReadBankStatement({ ledger, content, ...(format && { format: asFormat(format) }) }),
    enabled: content !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const shown = format ?? data?.format ?? {};
  const fresh = data ? data.lines - data.known : 0;
  const ready = data !== undefined && !error && data.problems.length === 0 && data.lines > 0;
  const choose = async (file: File | undefined) => {
    setFormat(null);
    const text = file ? await file.text() : '';
    setFile((before) => ({ content: text, chosen: before.chosen + 1 }));
  };
  const add = async () => {
    const { added, known } = await api.ImportBankStatement({ ledger, content, format: asFormat(shown) });
    toast(
      plural(added, 'One line added{{known}}', '{{count}} lines added{{known}}', {
        known: known ? `, ${t('{{known}} known already', { known })}` : '',
      }),
    );
  };
  return (
    <FormDialog
      title={t('Import a statement')}
      width={880}
      holds={{ content, ...shown }}
      verb={ready ? plural(fresh, 'Add one line', 'Add {{count}} lines') : t('Add')}
      keep={t('Not now')}
      ready={ready}
      save={add}
      onClose={onClose}
    >
      <Field label={t('File (CSV)')} required>
        {(facts) => (
          <input
            {...facts}
            className="input"
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        )}
      </Field>
      {error && <ErrorPanel error={error} />}
      {data && content !== '' && (
        <>
          <div className="fields">
            {columns.map(([key, label, required]) => (
              <SelectField
                key={key}
                label={t(label)}
                required={required}
                value={shown[key] ?? ''}
                empty={required ? t('Choose') : t('None')}
                choices={data.headings.map((heading) => ({ value: heading, label: t(heading) }))}
                onChange={(heading) => setFormat(withHeading(shown, key, heading))}
              />
            ))}
            <SelectField
              label={t('Dates are written')}
              value={shown['order'] ?? 'dmy'}
              choices={orders}
              onChange={(order) => setFormat({ ...shown, order })}
            />
          </div>
          <Read data={data} currency={currency} wrong={error instanceof Refused} />
        </>
      )}
    </FormDialog>
  );
}

const withHeading = (format: Format, key: string, heading: string): Format => {
  const { [key]: _, ...rest } = format;
  return heading === '' ? rest : { ...rest, [key]: heading };
};
/** What is chosen; the server says what is missing. */
const asFormat = (format: Format) =>
  ({ order: 'dmy', ...format }) as Parameters<typeof api.ImportBankStatement>[0]['format'];

function Read({
  data,
  currency,
  wrong,
}: {
  readonly currency: string;
  readonly data: Awaited<ReturnType<typeof api.ReadBankStatement>>;
  readonly wrong: boolean;
}) {
  const { show } = useDateFormat();
  if (wrong) return null;
  if (data.problems.length > 0) return <WrongRows what={t('this file')} problems={data.problems} />;
  return (
    <>
      <p role="status">
        {t('{{lines}} lines', { lines: data.lines })}
        {data.from && ` ${t('from {{from}} to {{to}}', { from: show(data.from), to: show(data.to) })}`}:{' '}
        {t('{{lines}} new, {{known}} known already.', { lines: data.lines - data.known, known: data.known })}
        {data.remarks > 0 &&
          ` ${t('{{remarks}} rows without date and amount are left out.', { remarks: data.remarks })}`}
      </p>
      {data.sample.length > 0 && (
        <ScrollX label={t('The first lines')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Date'),
                t('Description'),
                t('Reference'),
                figures(t('Amount ({{currency}})', { currency: unitOf(currency) })),
              ]}
            />
            <tbody>
              {data.sample.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: alike lines may follow each other, and rows are never moved
                <tr key={at}>
                  <td className="one-line">{show(line.date)}</td>
                  <td className="wrap">{line.text}</td>
                  <td>{line.reference}</td>
                  <td className="num">{money(line.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </>
  );
}
