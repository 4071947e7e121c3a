import { useState } from 'react';
import { addMonths, monthStart } from '../../../domain/base/dates.ts';
import { returnForms as forms, type ReturnForm } from '../../../domain/facts/gst-returns.ts';
import { isFiledFor, noReturnFor, returnDays } from '../../../domain/tax/gst/returns/filing.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { DateField, SelectField, TextField } from '../../kit/fields/fields.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

/** Months that may have been filed lately, the last one first. */
const MONTHS = 24;

export const monthName = (period: string): string =>
  new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${period}-01`),
  );

/** A return by its registration, form and month ('2026-10'). */
export interface AskedReturn {
  readonly registration: string;
  readonly form: ReturnForm;
  readonly period: string;
}

/** What marking a return does, besides keeping it as the books give it now. */
const says: Partial<Record<ReturnForm, string>> = {
  IFF: 'The documents in the IFF are left out of the return of its quarter. No period is locked.',
  'GSTR-9':
    'From this day on, input credit for supplies of the year can no longer be taken and their tax can no longer be reduced. No ' +
    'period is locked.',
};
const locks =
  'Documents that the return shows are locked for this registration, up to the end of the period. The return is ' +
  'kept as the books give it now.';

/** Marks a return as filed; with `start` the one that a page shows. */
export function Marking({ start, onClose }: { readonly start?: AskedReturn; onClose(): void }) {
  const { today, registrations } = useSession();
  const { format } = useDateFormat();
  const own = registrations.flatMap(({ id, gstin }) => (gstin ? [{ value: id, label: gstin }] : []));
  const [registration, setRegistration] = useState(start?.registration ?? own[0]?.value ?? '');
  const [asked, setForm] = useState<ReturnForm>(start?.form ?? 'GSTR-1');
  const filer = registrations.find((each) => each.id === registration);
  const months = Array.from({ length: MONTHS }, (_, n) => addMonths(monthStart(today), -1 - n).slice(0, 7));
  const all = start && !months.includes(start.period) ? [...months, start.period] : months;
  const periodsOf = (form: ReturnForm) =>
    all.filter(
      (month) =>
        filer &&
        isFiledFor(form, month, filer.filing) &&
        noReturnFor(form, filer, returnDays(form, month, filer.filing)) === undefined,
    );
  const offered = forms.filter((form) => periodsOf(form).length > 0);
  // another registration may not file the return that was chosen
  const form = offered.includes(asked) ? asked : (offered[0] ?? asked);
  const periods = periodsOf(form);
  const [chosen, setPeriod] = useState(start?.period ?? '');
  // another registration or return may have none for the month that was chosen
  const period = periods.includes(chosen) ? chosen : (periods[0] ?? '');
  const [filedOn, setFiledOn] = useState(today);
  const [arn, setArn] = useState('');
  const mark = async () => {
    await api.MarkFiled({ registration, form, period, filedOn, arn: arn.trim() });
    toast(t('{{form}} of {{period}} is marked as filed', { form, period: monthName(period) }));
  };
  return (
    <FormDialog
      width={640}
      title={t('Which return was filed?')}
      holds={{ registration, form, period, filedOn, arn }}
      verb={t('Mark as filed')}
      save={mark}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>{says[form] ?? locks}</p>
          <div className="fields fields-two">
            <SelectField
              label={t('Registration')}
              value={registration}
              onChange={setRegistration}
              choices={own}
              error={at('registration')}
            />
            <SelectField
              label={t('Return')}
              value={form}
              onChange={(value) => setForm(forms.find((each) => each === value) ?? 'GSTR-1')}
              choices={offered.map((value) => ({ value, label: value }))}
              error={at('form')}
            />
            <SelectField
              label={t('Period')}
              value={period}
              onChange={setPeriod}
              choices={periods.map((value) => ({ value, label: monthName(value) }))}
              error={at('period')}
              help={t('Of a quarterly or annual return its last month')}
            />
            <DateField
              label={t('Filed on')}
              value={filedOn}
              onChange={setFiledOn}
              format={format}
              error={at('filedOn')}
            />
            <TextField
              label={t('Acknowledgement (ARN)')}
              value={arn}
              onChange={setArn}
              maxLength={15}
              error={at('arn')}
              span={2}
            />
          </div>
        </>
      )}
    </FormDialog>
  );
}
