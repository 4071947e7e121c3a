import { useState } from 'react';
import { type Problem, problemAt, Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { DateField, focusFirstError, NumberField, SelectField, TextField } from '../../kit/fields.tsx';
import { plainNumber } from '../../kit/format.ts';
import { ErrorPanel } from '../../kit/parts.tsx';
import { useCall, useDateFormat, useSession } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { purposes, type Rate } from './rate.ts';

/** A rate as it is typed: of a new day, or one that is mended. Documents that took it keep theirs. */
export function RateDialog({
  rate,
  given = {},
  onClose,
  onDone,
}: {
  readonly rate?: Rate | undefined;
  readonly given?: { readonly currency?: string; readonly date?: string };
  onClose(): void;
  onDone(): void;
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
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems: readonly Problem[] = refused instanceof Refused ? refused.problems : [];
  const at = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
    error: problemAt(problems, name),
  });
  const work = async (what: () => Promise<string>) => {
    if (busy) return;
    setBusy(true);
    setRefused(null);
    try {
      toast(await what());
      onDone();
    } catch (told) {
      setRefused(told);
      focusFirstError();
    } finally {
      setBusy(false);
    }
  };
  const save = () =>
    work(async () => {
      const kept = await api.SaveExchangeRate({ ...values, ...(rate && { id: rate.id, version: rate.version }) });
      return `${kept.currency} is ${plainNumber(kept.rate)}`;
    });
  const drop = (kept: Rate) =>
    work(async () => {
      await api.DeleteExchangeRate({ id: kept.id, version: kept.version });
      return 'The rate is deleted; documents keep theirs';
    });
  const choices = currencies
    .filter(({ code }) => code !== 'INR')
    .map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));
  return (
    <Dialog
      open
      title={rate ? `Rate of ${rate.currency}` : 'New rate'}
      width={640}
      onClose={onClose}
      actions={
        <>
          {rate && (
            <Button look="danger" busy={busy} onClick={() => void drop(rate)}>
              Delete
            </Button>
          )}
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" type="submit" form="rate" busy={busy}>
            Keep rate
          </Button>
        </>
      }
    >
      <form
        id="rate"
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {refused != null && problems.length === 0 && <ErrorPanel error={refused} />}
        <div className="fields">
          <SelectField label="Currency" span={2} required empty="Choose" choices={choices} {...at('currency')} />
          <DateField label="Date" required format={format} {...at('date')} />
          <NumberField label="Rupees for one" required places={6} pad={2} {...at('rate')} />
          <SelectField
            label="For"
            required
            choices={purposes}
            {...at('purpose')}
            onChange={(purpose) => setValues({ ...values, purpose: purpose as Rate['purpose'] })}
            help={
              values.purpose === 'customs' ? 'Holds until customs notify it anew' : 'Proposed for at most a week after'
            }
          />
          <TextField
            label="Source"
            required
            span={2}
            maxLength={60}
            placeholder="Reference rate, bank, notification"
            {...at('source')}
          />
        </div>
      </form>
    </Dialog>
  );
}
