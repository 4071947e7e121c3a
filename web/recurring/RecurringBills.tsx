import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { Button } from '../kit/Button.tsx';
import { money } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress } from '../kit/navigation.tsx';
import { Badge, ErrorPanel, figures, Skeleton, Tabs } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, usePlaceFilter, useScreenKey } from '../kit/server/session.ts';
import { TablePage } from '../kit/table/TablePage.tsx';
import { t } from '../kit/text.ts';
import { useMayDo } from '../views/places.ts';
import { PurchaseTemplates } from './PurchaseTemplates.tsx';
import { RecurringBill } from './RecurringBill.tsx';
import { type Bill, recurring, rhythmText } from './recurring.ts';
import '../views/views.css';

const stateWords = { running: 'Running', paused: 'Paused', stopped: 'Stopped', ended: 'Ended' } as const;
const tones = { running: 'ok', paused: 'warn', stopped: 'bad', ended: 'neutral' } as const;

/** Recurring bills, and beside them how the papers of purchases look, for who may see that. */
export function RecurringBills() {
  const mayOpen = useMayOpen();
  const [tab, setTab] = useState('bills');
  if (!mayOpen('invoicebuilder')) return <Bills />;
  return (
    <Tabs
      label={t('Purchases')}
      tabs={[
        { key: 'bills', label: t('Recurring bills') },
        { key: 'templates', label: t('Print templates') },
      ]}
      current={tab}
      onChange={setTab}
    >
      {tab === 'bills' ? <Bills /> : <PurchaseTemplates />}
    </Tabs>
  );
}

/** The bills that come again, and one of them: how often, what is to come, what became of the last ones. */
function Bills() {
  const { from, id } = useAddress();
  const { show } = useDateFormat();
  const mayDo = useMayDo();
  const here = usePlaceFilter();
  const key = useScreenKey('recurring');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.ListRecurringBills(here) });
  const [open, setOpen] = useState<{ readonly bill?: Bill } | null>(null);
  const asked = data?.find((bill) => bill.id === id);
  const opened = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (from) setOpen({});
    // once for an address: it does not open again when it is read anew
    else if (asked && opened.current !== asked.id) {
      opened.current = asked.id;
      setOpen({ bill: asked });
    }
  }, [from, asked]);
  const mayWrite = recurring.some((name) => mayDo(name, 'write'));
  const create = () => setOpen({});
  useKeys(mayWrite ? { 'alt+n': create } : {});
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const button = mayWrite && (
    <Button look="primary" title={t('Alt N')} onClick={create}>
      {t('New recurring bill')}
    </Button>
  );
  return (
    <TablePage
      title={t('Recurring bills')}
      count={data.length}
      create={button}
      empty={t('No bill comes again yet. Choose one that was posted, and how often it comes.')}
      columns={[
        t('Name'),
        t('Party'),
        t('How often'),
        t('Next'),
        figures(t('Amount (₹)')),
        figures(t('Made')),
        t('State'),
      ]}
      beside={open && <RecurringBill bill={open.bill} source={from} onClose={() => setOpen(null)} />}
    >
      {data.map((bill) => (
        <tr key={bill.id}>
          <td className="wrap">
            <button type="button" className="link" onClick={() => setOpen({ bill })}>
              {bill.name}
            </button>
            <div className="muted">{t(kindLabel(bill.kind))}</div>
          </td>
          <td>{bill.party || '–'}</td>
          <td>
            {rhythmText(bill)}
            <div className="muted">{bill.posts ? t('Posted by itself') : t('Kept as a draft')}</div>
          </td>
          <td className="one-line">{bill.coming[0] ? show(bill.coming[0]) : '–'}</td>
          <td className="num">{money(bill.total)}</td>
          <td className="num">{bill.made}</td>
          <td>
            <Badge word={stateWords[bill.state]} tone={tones[bill.state]} />
            {bill.turns[0]?.problem && <div className="muted">{t('Last one kept as a draft')}</div>}
          </td>
        </tr>
      ))}
    </TablePage>
  );
}
