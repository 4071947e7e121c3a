import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isDay } from '../../../../domain/base/dates.ts';
import { rateText } from '../../../../domain/base/decimal.ts';
import { rateOfSources } from '../../../../domain/document/sources.ts';
import { Button } from '../../../kit/Button.tsx';
import { type FieldProps, NumberField } from '../../../kit/fields/fields.tsx';
import { plainNumber } from '../../../kit/format.ts';
import { api } from '../../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { type Model, useFacts, useHead } from '../model.ts';
import { draftOf } from '../wire.ts';

/**
 * The rate of exchange: that of what is corrected, or of the day, is proposed until another is typed; the day's follows the date and
 * the currency. Goods that
 * leave the country are valued at what customs notified (rule 34): that is offered beside it.
 */
export function RateField({ model, field }: { readonly model: Model; readonly field: FieldProps }) {
  const currency = useHead(model, 'currency');
  const date = useHead(model, 'date');
  const proposed = useHead(model, '_rate');
  const { show } = useDateFormat();
  const { data } = useQuery({
    queryKey: useScreenKey('rate', currency, date),
    queryFn: () => api.GetExchangeRate({ currency, date }),
    enabled: currency !== '' && currency !== 'INR' && isDay(date),
  });
  const typed = field.value;
  const facts = useFacts(model);
  const corrected = rateOfSources(model.kind, draftOf(model.typed()), facts);
  const ofSource = corrected === undefined ? undefined : rateText(corrected);
  useEffect(() => {
    const rate = ofSource ?? data?.book?.rate ?? '';
    // what was proposed for another day or currency goes with it
    if (data && (typed === '' || typed === proposed) && typed !== rate)
      model.head.set({ exchangeRate: rate, _rate: rate });
  }, [data, typed, proposed, ofSource, model]);
  const same = (rate: string | undefined) => rate !== undefined && plainNumber(rate) === plainNumber(typed || '0');
  const from = [data?.book, data?.customs].find((each) => same(each?.rate));
  const customs = model.kind.party.from && data?.customs && !same(data.customs.rate) ? data.customs : undefined;
  const rateNote = from
    ? `${from.source}, ${show(from.since)}`
    : ofSource !== undefined && same(ofSource)
      ? t('that of the document it corrects')
      : data && !data.book
        ? t('no rate of this day is kept')
        : typed === ''
          ? ''
          : 'as typed';
  return (
    <div className="stack tight">
      <NumberField {...field} places={6} pad={2} help={[field.help, rateNote].filter(Boolean).join(': ')} />
      {customs && (
        <p className="muted" role="status">
          {t('Customs: {{rate}}, {{source}}.', { rate: plainNumber(customs.rate), source: customs.source })}{' '}
          <Button look="subtle" onClick={() => model.head.set({ exchangeRate: customs.rate })}>
            {t('Take over')}
          </Button>
        </p>
      )}
    </div>
  );
}
