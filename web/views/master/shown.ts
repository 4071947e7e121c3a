import type { Field } from '../../../contract/masters.ts';
import { stateName } from '../../../domain/tax/gst/registration/states.ts';
import { money, plainNumber } from '../../kit/format.ts';
import { t } from '../../kit/text.ts';
import type { MasterRecord } from './record.ts';
import { textOf } from './values.ts';

/** A value as lists and pages show it. */
export const shown = (
  key: string,
  field: Field | undefined,
  row: Pick<MasterRecord, 'values' | 'names'>,
  day: (text: string) => string,
): string => {
  const value = row.values[key];
  if (value == null || value === '') return t(field?.none ?? '–');
  if (Array.isArray(value)) return row.names[key] ?? (value.length ? String(value.length) : '–');
  const text = textOf(value);
  switch (field?.type) {
    case 'money':
    case 'rate':
      return money(text);
    case 'quantity':
    case 'percent':
      return plainNumber(text);
    case 'flag':
      return value === true ? t('Yes') : t('No');
    case 'state':
      return stateName(text) ?? text;
    case 'choice':
      return t(field.choices?.find(([code]) => code === text)?.[1] ?? text);
    case 'pick':
      return row.names[key] ?? text;
    case 'day':
      return day(text);
    default:
      return text;
  }
};
