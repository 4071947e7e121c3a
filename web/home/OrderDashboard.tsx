import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LineChart } from '../kit/Charts.tsx';
import { api } from '../kit/client.ts';
import { money, plainNumber } from '../kit/format.ts';
import { Empty, ErrorPanel, FigureCard, Page, PageHead, Panel, Skeleton } from '../kit/parts.tsx';
import { useScreenKey, useSession } from '../kit/session.ts';
import { seriesOf } from './orders.ts';
import { PeriodBar, usePeriod } from './PeriodBar.tsx';
import '../views/views.css';
import './home.css';

/** The order dashboard as a screen of its own. */
export function OrderDashboard() {
  const [period, setPeriod] = usePeriod();
  return (
    <Page>
      <PageHead title="Order dashboard" actions={<PeriodBar period={period} onChange={setPeriod} />} />
      <OrderFigures period={period} />
    </Page>
  );
}

/** Cards of counts and the lines of orders per day; a card pressed shows its line alone. */
export function OrderFigures({ period }: { readonly period: ReturnType<typeof usePeriod>[0] }) {
  const { organisation, physicalLocation } = useSession();
  const key = useScreenKey('orderDashboard', period.range);
  const input = {
    OrgCode: organisation.code,
    ...(physicalLocation && { SubOrgCode: physicalLocation }),
    ...period.range,
  };
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetOrdersDashboardData(input) });
  const [only, setOnly] = useState<string | null>(null);
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  if (data.orderData.length === 0) return <Empty sentence="No Data" />;
  const { labels, series } = seriesOf(data.periodicData, period.range);
  const known = only !== null && series.some((line) => line.name === only);
  return (
    <>
      <div className="figure-cards">
        {data.orderData.map(({ title, total, amount }) => (
          <FigureCard
            key={title}
            label={title}
            figure={plainNumber(total)}
            period={amount ? `₹ ${money(amount)} · ${period.label}` : period.label}
            pressed={only === title}
            onClick={() => setOnly(only === title ? null : title)}
          />
        ))}
      </div>
      <Panel>
        <LineChart
          title="Orders Overview"
          labels={labels}
          series={
            known
              ? series.map((line) => (line.name === only ? line : { ...line, values: line.values.map(() => 0) }))
              : series
          }
        />
      </Panel>
    </>
  );
}
