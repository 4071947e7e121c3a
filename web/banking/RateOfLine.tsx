import { useQuery } from '@tanstack/react-query';
import { NumberField } from '../kit/fields/fields.tsx';
import { plainNumber } from '../kit/format.ts';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

/** The rate at which a line in another currency is booked: that of the books for its day, unless another is typed. */
export function RateOfLine({
  currency,
  date,
  value,
  error,
  onChange,
}: {
  readonly currency: string;
  readonly date: string;
  readonly value: string;
  readonly error: string | undefined;
  onChange(rate: string): void;
}) {
  const { data } = useQuery({
    queryKey: useScreenKey('rate', currency, date),
    queryFn: () => api.GetExchangeRate({ currency, date }),
  });
  const known = data?.book
    ? t('Left empty: {{rate}}, {{source}}', { rate: plainNumber(data.book.rate), source: data.book.source })
    : undefined;
  return (
    <div className="fields">
      <NumberField
        label={t('Rupees for one {{currency}}', { currency })}
        places={6}
        value={value}
        onChange={onChange}
        error={error}
        required={data !== undefined && !data.book}
        help={known ?? (data ? t('No rate of this day is kept') : '')}
      />
    </div>
  );
}
