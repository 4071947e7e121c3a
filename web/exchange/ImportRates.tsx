import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { WrongRows } from '../accounts/WrongRows.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { Field, TextArea, TextField } from '../kit/fields/fields.tsx';
import { plainNumber } from '../kit/format.ts';
import { ErrorPanel, ScrollX } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { purposeWord } from './rate.ts';

/** Rates of a file, or as they are pasted: what they would add or change is shown first; all are taken, or none. */
export function ImportRates({ onClose }: { onClose(): void }) {
  const { show } = useDateFormat();
  // the key of the query is a number: its text may be long
  const [{ content, source, asked }, setGiven] = useState({ content: '', source: '', asked: 0 });
  const { data, error } = useQuery({
    queryKey: useScreenKey('readRates', asked),
    queryFn: () => api.ReadExchangeRates({ content, source }),
    enabled: content.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const give = (patch: { readonly content?: string; readonly source?: string }) =>
    setGiven((before) => ({ ...before, ...patch, asked: before.asked + 1 }));
  const ready = content.trim() !== '' && data !== undefined && !error && data.problems.length === 0 && data.rates > 0;
  const take = async () => {
    const { added, changed } = await api.ImportExchangeRates({ content, source });
    toast(t('{{added}} added, {{changed}} changed', { added, changed }));
  };
  return (
    <FormDialog
      title={t('Import rates')}
      width={880}
      holds={{ content, source }}
      verb={ready ? plural(data.rates, 'Take one rate', 'Take {{count}} rates') : t('Take rates')}
      keep={t('Not now')}
      ready={ready}
      save={take}
      onClose={onClose}
    >
      <p className="muted">
        {t(
          'The first row names the columns: Date, Currency and Rate, and where you have them Purpose (Books or Customs) and Source.',
        )}
      </p>
      <div className="fields">
        <Field label={t('File (CSV)')} span={2}>
          {(facts) => (
            <input
              {...facts}
              className="input"
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              onChange={async (event) => give({ content: (await event.target.files?.[0]?.text()) ?? '' })}
            />
          )}
        </Field>
        <TextField
          label={t('Source for rows without one')}
          span={2}
          value={source}
          maxLength={60}
          placeholder={t('Imported')}
          onChange={(text) => give({ source: text })}
        />
      </div>
      <TextArea label={t('Or paste the rows')} rows={4} value={content} onChange={(text) => give({ content: text })} />
      {error && <ErrorPanel error={error} />}
      {content.trim() !== '' && data && data.problems.length > 0 && (
        <WrongRows what={t('this')} problems={data.problems} />
      )}
      {ready && (
        <>
          <p role="status">
            {t('{{added}} new, {{changed}} changed, {{rates}} known already.', {
              added: data.added,
              changed: data.changed,
              rates: data.rates - data.added - data.changed,
            })}
          </p>
          <ScrollX label={t('The first rates')}>
            <table className="plain-table">
              <tbody>
                {data.sample.map((rate) => (
                  <tr key={`${rate.date} ${rate.currency} ${rate.purpose}`}>
                    <td className="one-line">{show(rate.date)}</td>
                    <td>{rate.currency}</td>
                    <td>{purposeWord(rate.purpose)}</td>
                    <td className="num">{plainNumber(rate.rate, 2)}</td>
                    <td className="wrap">{rate.source}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollX>
        </>
      )}
    </FormDialog>
  );
}
