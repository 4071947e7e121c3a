import { useQuery } from '@tanstack/react-query';
import { isDay } from '../../../../domain/base/dates.ts';
import { moneyText, ONE, parseDecimal } from '../../../../domain/base/decimal.ts';
import { scale } from '../../../../domain/base/money.ts';
import { Button } from '../../../kit/Button.tsx';
import { inCurrency, plainNumber, rupees } from '../../../kit/format.ts';
import { api } from '../../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { type Model, useWholeHead } from '../model.ts';

/** What customs makes of the value in its currency, at the rate it notified for the day of the bill of entry; the books keep theirs. */
export function AssessedAt({ model }: { readonly model: Model }) {
  const head = useWholeHead(model);
  const { show } = useDateFormat();
  const [currency = '', invoice = ''] = [head['customs.currency'], head['customs.invoice']];
  const date = isDay(head['referenceDate'] ?? '') ? (head['referenceDate'] ?? '') : (head['date'] ?? '');
  const { data } = useQuery({
    queryKey: useScreenKey('rate', currency, date),
    queryFn: () => api.GetExchangeRate({ currency, date }),
    enabled: currency !== '' && currency !== 'INR' && isDay(date),
  });
  if (currency === '' || currency === 'INR' || !data) return null;
  const worth = inCurrency(invoice, currency);
  const { customs } = data;
  if (!customs)
    return (
      <p className="muted" data-span="4" role="status">
        {t(
          'The goods cost {{worth}}. There is no customs rate for this day: the value proposed is that of the books.',
          { worth },
        )}
      </p>
    );
  const assessable = moneyText(scale(parseDecimal(invoice, 2) ?? 0, parseDecimal(customs.rate, 6) ?? 0, ONE));
  const same = assessable === moneyText(parseDecimal(head['customs.assessable'] ?? '', 2) ?? 0);
  return (
    <p className="muted" data-span="4" role="status">
      {t('{{worth}} at the customs rate {{rate}} ({{source}}, {{since}}): {{assessable}}.', {
        worth,
        rate: plainNumber(customs.rate),
        source: customs.source,
        since: show(customs.since),
        assessable: rupees(assessable),
      })}{' '}
      {!same && (
        <Button
          look="subtle"
          onClick={() => model.head.set({ 'customs.assessable': assessable, 'customs.rate': customs.rate })}
        >
          {t('Take over')}
        </Button>
      )}
    </p>
  );
}
