import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { masterOf } from '../../../contract/masters.ts';
import type { Filter, Report } from '../../../contract/reports.ts';
import { ComboboxField, type Option } from '../../kit/fields/Combobox.tsx';
import { Checkbox, DateField, SelectField } from '../../kit/fields/fields.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { usePick } from '../editor/searches.ts';
import { textOf } from '../master/values.ts';
import { filingOf, periods, type Values } from './filters.ts';

interface Props {
  readonly report: Report;
  readonly values: Values;
  readonly problems: Values;
  onChange(patch: Values): void;
}

/** The filters of a report, drawn from its row; each change runs it again and stands in the address. */
export function Filters({ report, values, problems, onChange }: Props) {
  return (
    <div className="fields report-filters">
      {Object.entries(report.filters).map(([key, filter]) => (
        <One
          key={key}
          name={key}
          filter={filter}
          values={values}
          value={values[key] ?? ''}
          error={problems[key]}
          onChange={(value) => onChange({ [key]: value })}
        />
      ))}
    </div>
  );
}

function One({
  name,
  filter,
  values,
  value,
  error,
  onChange,
}: {
  readonly name: string;
  readonly filter: Filter;
  readonly values: Values;
  readonly value: string;
  readonly error: string | undefined;
  onChange(value: string): void;
}) {
  const { format } = useDateFormat();
  const { today, registrations } = useSession();
  const field = { label: t(filter.label), name, value, onChange, error, required: filter.required };
  switch (filter.type) {
    case 'day':
      return <DateField {...field} format={format} />;
    case 'choice':
      return (
        <SelectField
          {...field}
          choices={(filter.choices ?? []).map(([code, label]) => ({ value: code, label: t(label) }))}
        />
      );
    case 'period':
      return <SelectField {...field} choices={periods(today, filingOf(registrations, values))} />;
    case 'flag':
      return (
        <Checkbox label={t(filter.label)} checked={value === 'true'} onChange={(on) => onChange(on ? 'true' : '')} />
      );
    case 'pick':
      return <PickFilter {...field} filter={filter} />;
  }
}

function PickFilter({
  filter,
  value,
  onChange,
  ...field
}: {
  readonly label: string;
  readonly name: string;
  readonly filter: Filter;
  readonly value: string;
  onChange(value: string): void;
  readonly error: string | undefined;
  readonly required: true | undefined;
}) {
  const { locations, registrations } = useSession();
  const [chosen, setChosen] = useState<Option | null>(null);
  const search = usePick(filter.pick ?? '');
  const master = filter.pick ?? '';
  const key = useScreenKey('picked', master, value);
  // A filter that came with the address has an id only: its name is fetched.
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => api.GetMaster({ master, id: value }),
    enabled: value !== '' && chosen?.id !== value && master !== 'location' && master !== 'registration',
  });
  const named = data ? textOf(data.values[masterOf(master)?.name ?? '']) : '';
  // Few enough to choose from a list, and known without asking.
  const known =
    filter.pick === 'location'
      ? locations.map((each) => ({ value: each.id, label: `${each.code} – ${each.name}` }))
      : filter.pick === 'registration'
        ? registrations.map((each) => ({ value: each.id, label: each.gstin ?? each.legalName }))
        : null;
  if (known)
    return (
      <SelectField
        {...field}
        value={value}
        onChange={onChange}
        choices={known}
        {...(filter.required ? {} : { empty: t('All') })}
      />
    );
  return (
    <ComboboxField
      {...field}
      value={value ? { id: value, name: chosen?.id === value ? chosen.name : named } : null}
      search={search}
      placeholder={filter.required ? t('Choose') : t('All')}
      onChange={(option) => {
        setChosen(option);
        onChange(option?.id ?? '');
      }}
    />
  );
}
