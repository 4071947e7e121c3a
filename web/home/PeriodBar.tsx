import { useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { DateField } from '../kit/fields/fields.tsx';
import { Segments } from '../kit/parts.tsx';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { customRange, labelOf, type PeriodName, periodNames, type Range, rangeOf } from './period.ts';

export interface Period {
  readonly name: PeriodName;
  readonly range: Range;
  readonly label: string;
}

/** The period of a dashboard; Month until another is chosen. */
export const usePeriod = () => {
  const { today } = useSession();
  return useState<Period>(() => ({ name: 'month', range: rangeOf('month', today), label: labelOf.month }));
};

/** Day, Week, Month, Year, or a range of one's own. */
export function PeriodBar({ period, onChange }: { readonly period: Period; onChange(period: Period): void }) {
  const { today } = useSession();
  const { show } = useDateFormat();
  const [asking, setAsking] = useState(false);
  const choose = (key: string) => {
    const name = key as PeriodName;
    if (name === 'custom') setAsking(true);
    else onChange({ name, range: rangeOf(name, today), label: labelOf[name] });
  };
  return (
    <>
      <Segments label={t('Period')} choices={periodNames} current={period.name} onChange={choose} />
      {asking && (
        <CustomDates
          range={period.range}
          onClose={() => setAsking(false)}
          onChosen={(range) => {
            setAsking(false);
            onChange({
              name: 'custom',
              range,
              label: t('{{startDate}} to {{endDate}}', {
                startDate: show(range.StartDate),
                endDate: show(range.EndDate),
              }),
            });
          }}
        />
      )}
    </>
  );
}

function CustomDates({
  range,
  onChosen,
  onClose,
}: {
  readonly range: Range;
  onChosen(range: Range): void;
  onClose(): void;
}) {
  const { format } = useDateFormat();
  const [from, setFrom] = useState(range.StartDate);
  const [to, setTo] = useState(range.EndDate);
  const [error, setError] = useState<string>();
  const apply = () => {
    const chosen = customRange(from, to);
    if (typeof chosen === 'string') setError(chosen);
    else onChosen(chosen);
  };
  return (
    <Dialog
      open
      title={t('Which dates?')}
      onClose={onClose}
      onSave={apply}
      actions={
        <Button look="primary" onClick={apply}>
          {t('Show these dates')}
        </Button>
      }
    >
      <div className="fields fields-two">
        <DateField label={t('Start Date')} value={from} onChange={setFrom} format={format} />
        <DateField label={t('End Date')} value={to} onChange={setTo} format={format} error={error} />
      </div>
      {error && (
        <p role="alert" className="field-error">
          {error}
        </p>
      )}
    </Dialog>
  );
}
