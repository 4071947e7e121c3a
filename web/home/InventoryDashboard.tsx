import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parseDecimal } from '../../domain/base/decimal.ts';
import { Button } from '../kit/Button.tsx';
import { BarChart } from '../kit/Charts.tsx';
import { plainNumber } from '../kit/format.ts';
import { Empty, ErrorPanel, FigureCard, FigureSkeleton, Page, PageHead, Panel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { usePlaceFilter, useScreenKey, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { ranked } from './orders.ts';
import { PeriodBar, usePeriod } from './PeriodBar.tsx';
import '../views/views.css';
import './home.css';

/** The inventory dashboard as a screen of its own. */
export function InventoryDashboard() {
  const [period, setPeriod] = usePeriod();
  return (
    <Page>
      <PageHead title={t('Inventory dashboard')} actions={<PeriodBar period={period} onChange={setPeriod} />} />
      <InventoryFigures period={period} />
    </Page>
  );
}

/** Cards of quantity; a card shows its items as bars, fast or slow sellers first when asked. */
export function InventoryFigures({ period }: { readonly period: ReturnType<typeof usePeriod>[0] }) {
  const { organisation } = useSession();
  const { SubOrgCode, ...registration } = usePlaceFilter();
  const here = { ...registration, ...(SubOrgCode && { OrgBranchCode: SubOrgCode }) };
  const input = {
    OrgCode: organisation.code,
    ...here,
    ...period.range,
  };
  const key = useScreenKey('inventoryDashboard', period.range);
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetInventoryDashboradData(input) });
  const [at, setAt] = useState(0);
  const [order, setOrder] = useState<'fast' | 'slow' | null>(null);
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <FigureSkeleton cards={3} onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <Panel>
        <Empty sentence={t('No Data')} />
      </Panel>
    );
  const card = data[Math.min(at, data.length - 1)];
  // The specification shows the two buttons on the sale orders card.
  const sells = card?.title.startsWith('Sale Orders') === true;
  const items = ranked(card?.dashboardViewList ?? [], sells ? order : null);
  return (
    <>
      <div className="figure-cards">
        {data.map((each, index) => (
          <FigureCard
            key={each.title}
            label={t(each.title)}
            figure={plainNumber(each.total)}
            period={t(period.label)}
            pressed={index === at}
            onClick={() => setAt(index)}
          />
        ))}
      </div>
      <Panel>
        {sells && (
          <div className="chart-actions">
            <Button aria-pressed={order === 'fast'} onClick={() => setOrder(order === 'fast' ? null : 'fast')}>
              {t('Fast Selling Items')}
            </Button>
            <Button aria-pressed={order === 'slow'} onClick={() => setOrder(order === 'slow' ? null : 'slow')}>
              {t('Slow Selling Items')}
            </Button>
          </div>
        )}
        <BarChart
          key={`${card?.title}${order}`}
          title={t('Sales Overview')}
          note={t('Quantity per item SKU')}
          unit={t('Quantity')}
          bars={items.map((item) => ({
            label: item.itemSKU,
            value: (parseDecimal(item.quantity, 6) ?? 0) / 1_000_000,
          }))}
        />
      </Panel>
    </>
  );
}
