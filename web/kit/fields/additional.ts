import { useCallback, useMemo } from 'react';
import type { AdditionalField } from '../../../domain/document/additional.ts';
import { showDate } from '../format.ts';
import { useCall, useDateFormat } from '../server/session.ts';
import { t } from '../text.ts';

/** The fields that the organisation has added to a kind or master, the retired ones too; undefined until they are known. */
export const useAdditionalFields = (subject: string): readonly AdditionalField[] | undefined => {
  const { data } = useCall<readonly AdditionalField[]>('masters/GetAdditionalFields');
  return useMemo(() => data?.filter(({ appliesTo }) => appliesTo.includes(subject)), [data, subject]);
};

/** An additional value as it is read: dates as the organisation has set. */
export const useAdditionalText = (): ((field: AdditionalField, text: string | undefined) => string) => {
  const { format } = useDateFormat();
  return useCallback(
    ({ type }, text = '') => {
      if (text === '') return '';
      if (type === 'yesNo') return text === 'yes' ? t('Yes') : t('No');
      return type === 'date' ? showDate(text, format) : text;
    },
    [format],
  );
};

/** The additional values of a document as it is kept. */
export const additionalOf = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  (body['additional'] ?? {}) as Readonly<Record<string, string>>;
