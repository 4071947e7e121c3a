import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LineChart } from '../kit/Charts.tsx';
import { plainNumber, rupees } from '../kit/format.ts';
import { Empty, ErrorPanel, FigureCard, FigureSkeleton, Page, PageHead, Panel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { usePlaceFilter, useScreenKey, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { seriesOf } from './orders.ts';
import { PeriodBar, usePeriod } from './PeriodBar.tsx';
import '../views/views.css';
import './home.css';

/** The order dashboard as a screen of its own. */
export function OrderDashboard() {
  const [period, setPeriod] = usePeriod();
  return (
    <Page>
      <PageHead title={t('Order dashboard')} actions={<PeriodBar period={period} onChange={setPeriod} />} />
      <OrderFigures period={period} />
    </Page>
  );
}

/** Cards of counts and the lines of orders per day; a card pressed shows its line alone. */
export function OrderFigures({ period }: { readonly period: ReturnType<typeof usePeriod>[0] }) {
  const { organisation, today } = useSession();
  const here = usePlaceFilter();
  const key = useScreenKey('orderDashboard', period.range);
  const input = {
    OrgCode: organisation.code,
    ...here,
    ...period.range,
  };
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetOrdersDashboardData(input) });
  const [only, setOnly] = useState<string | null>(null);
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <FigureSkeleton cards={6} onRetry={() => void refetch()} />;
  if (data.orderData.length === 0)
    return (
      <Panel>
        <Empty sentence={t('No Data')} />
      </Panel>
    );
  const { labels, series } = seriesOf(data.periodicData, period.range, today);
  const known = only !== null && series.some((line) => line.name === only);
  return (
    <>
      <div className="figure-cards">
        {data.orderData.map(({ title, total, amount }) => (
          <FigureCard
            key={title}
            label={t(title)}
            figure={plainNumber(total)}
            amount={amount ? rupees(amount) : undefined}
            period={t(period.label)}
            pressed={only === title}
            onClick={() => setOnly(only === title ? null : title)}
          />
        ))}
      </div>
      <Panel>
        <LineChart title={t('Orders Overview')} labels={labels} series={series} only={known ? only : null} />
      </Panel>
    </>
  );
}
