import { useState } from 'react';
import { screenNames, screens } from '../../contract/screens.ts';
import { Page, PageHead, Segments } from '../kit/parts.tsx';
import { useMayOpen, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { useHandOver } from '../views/editor/saving/handOver.ts';
import { NextSteps } from './Guide.tsx';
import { InventoryFigures } from './InventoryDashboard.tsx';
import { OrderFigures } from './OrderDashboard.tsx';
import { PeriodBar, usePeriod } from './PeriodBar.tsx';
import { Registrations } from './Registrations.tsx';
import '../views/views.css';
import './home.css';

const ORDER_KEY = 28;
const choices = [
  { key: 'inventory', label: 'Inventory' },
  { key: 'order', label: 'Order' },
];

/** Which dashboard comes first: Order when the menu has its entry, else Inventory. */
const firstDashboard = (inMenu: (key: number) => boolean): string => (inMenu(ORDER_KEY) ? 'order' : 'inventory');

/** The first screen: the next steps of the set-up, the registrations, and the dashboard. */
export function Home() {
  const session = useSession();
  const mayOpen = useMayOpen();
  const [period, setPeriod] = usePeriod();
  const [dashboard, setDashboard] = useState(() =>
    firstDashboard((key) => screenNames.some((name) => screens[name].id === key && mayOpen(name))),
  );
  useHandOver();
  return (
    <Page>
      <PageHead
        title={t('Welcome, {{name}}', { name: session.name })}
        actions={
          <>
            <Segments label={t('Dashboard')} choices={choices} current={dashboard} onChange={setDashboard} />
            <PeriodBar period={period} onChange={setPeriod} />
          </>
        }
      />
      <NextSteps />
      {dashboard === 'order' ? <OrderFigures period={period} /> : <InventoryFigures period={period} />}
      <Registrations />
    </Page>
  );
}
