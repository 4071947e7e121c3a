import { useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { DateField, NumberField, SelectField, TextField } from '../kit/fields/fields.tsx';
import { plainNumber } from '../kit/format.ts';
import { api } from '../kit/server/client.ts';
import { useCall, useDateFormat, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { purposes, type Rate } from './rate.ts';

/** A rate as it is typed: of a new day, or one that is mended. Documents that took it keep theirs. */
export function RateDialog({
  rate,
  given = {},
  onClose,
}: {
  readonly rate?: Rate | undefined;
  readonly given?: { readonly currency?: string; readonly date?: string };
  onClose(): void;
}) {
  const { today } = useSession();
  const { format } = useDateFormat();
  const { data: currencies = [] } = useCall<readonly { code: string; name: string }[]>('lookups/GetCurrencies');
  const [values, setValues] = useState({
    currency: rate?.currency ?? given.currency ?? '',
    date: rate?.date ?? given.date ?? today,
    purpose: rate?.purpose ?? ('book' as const),
    rate: rate ? plainNumber(rate.rate) : '',
    source: rate?.source ?? '',
  });
  const save = async () => {
    const made = await api.SaveExchangeRate({ ...values, ...(rate && { id: rate.id, version: rate.version }) });
    toast(t('{{currency}} is {{rate}}', { currency: made.currency, rate: plainNumber(made.rate) }));
  };
  const drop = async (kept: Rate) => {
    await api.DeleteExchangeRate({ id: kept.id, version: kept.version });
    toast(t('The rate is deleted; documents keep theirs'));
  };
  const choices = currencies
    .filter(({ code }) => code !== 'INR')
    .map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));
  return (
    <FormDialog
      title={rate ? t('Rate of {{currency}}', { currency: rate.currency }) : t('New rate')}
      width={640}
      holds={values}
      verb={t('Keep rate')}
      keep={t('Not now')}
      check={() => [
        ...(values.currency ? [] : [{ field: 'currency', message: t('Choose a currency') }]),
        ...(values.rate ? [] : [{ field: 'rate', message: t('Enter the rate') }]),
        ...(values.source.trim() ? [] : [{ field: 'source', message: t('Say where it is from') }]),
      ]}
      save={save}
      onClose={onClose}
      actions={(act, busy) =>
        rate && (
          <Button look="danger" busy={busy} onClick={() => act(() => drop(rate))}>
            {t('Delete')}
          </Button>
        )
      }
    >
      {(problem) => {
        const at = (name: keyof typeof values) => ({
          value: values[name],
          onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
          error: problem(name),
        });
        return (
          <div className="fields">
            <SelectField
              label={t('Currency')}
              span={2}
              required
              empty={t('Choose')}
              choices={choices}
              {...at('currency')}
            />
            <DateField label={t('Date')} required format={format} {...at('date')} />
            <NumberField label={t('Rupees for one')} required places={6} pad={2} {...at('rate')} />
            <SelectField
              label={t('For')}
              required
              choices={purposes}
              {...at('purpose')}
              onChange={(purpose) => setValues({ ...values, purpose: purpose as Rate['purpose'] })}
              help={
                values.purpose === 'customs'
                  ? t('Valid until customs notify a new rate')
                  : t('Proposed for at most a week after')
              }
            />
            <TextField
              label={t('Source')}
              required
              span={2}
              maxLength={60}
              placeholder={t('Reference rate, bank, notification')}
              {...at('source')}
            />
          </div>
        );
      }}
    </FormDialog>
  );
}
