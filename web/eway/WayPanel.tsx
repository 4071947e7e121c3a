import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { transportModes } from '../../domain/tax/gst/portal/portal-codes.ts';
import { AttemptList } from '../einvoice/Attempts.tsx';
import { Button } from '../kit/Button.tsx';
import { blobOf, download } from '../kit/dialog/download.ts';
import { toastError } from '../kit/dialog/toast.tsx';
import { showMoment } from '../kit/format.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Badge, ErrorPanel, Panel, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, useScreenKey } from '../kit/server/session.ts';
import { Copy } from '../kit/table/Copy.tsx';
import { t } from '../kit/text.ts';
import { useMayDo } from '../views/places.ts';
import { CancelWayBill } from './CancelWayBill.tsx';
import { MakeWayBill } from './MakeWayBill.tsx';
import { adviceOn, type Standing, stateOf, useWayBill, type WayBillFacts } from './states.ts';
import { UpdateVehicle } from './UpdateVehicle.tsx';

interface Props {
  readonly id: string;
  readonly number: string;
  readonly kind: string;
}

/** Where a document stands with its e-way bill: whether it needs one, its number and validity, and what can be done. */
export function WayPanel({ id, number, kind }: Props) {
  const { data, error, refetch } = useWayBill(id);
  if (error)
    return (
      <Panel title={t('E-way bill')}>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  if (data === undefined)
    return (
      <Panel title={t('E-way bill')}>
        <Skeleton rows={2} />
      </Panel>
    );
  return data && <Known id={id} number={number} kind={kind} standing={data} />;
}

type Asking = 'make' | 'vehicle' | 'cancel' | null;

const needs = { no: 'Not needed', recommended: 'May be needed', required: 'Needed' } as const;

function Known({ id, number, kind, standing }: Props & { readonly standing: Standing }) {
  const may = useMayDo();
  const [asking, setAsking] = useState<Asking>(null);
  const [history, setHistory] = useState(false);
  const { bill, obstacle, needed, reason } = standing;
  const over = bill === null || bill.state === 'cancelled' || bill.state === 'void';
  const made = bill?.state === 'partA' || bill?.state === 'active';
  const makes = (over || bill.state === 'failed') && obstacle === null && may(kind, 'write');
  const close = () => setAsking(null);
  const badge = bill ? stateOf(bill) : { word: needs[needed], tone: needed === 'required' ? 'warn' : 'neutral' };
  return (
    <Panel title={t('E-way bill')} actions={<Badge word={badge.word} tone={badge.tone as 'warn' | 'neutral'} />}>
      <div className="stack">
        <p className="muted">{bill ? t(stateOf(bill).says) : `${reason}.`}</p>
        {bill && <Said bill={bill} />}
        {bill?.asked && (
          <p className="note" data-tone="warn">
            {t('The portal’s answer to the last change is not known. Whatever you do next asks it first.')}
          </p>
        )}
        {over && obstacle && <p className="muted">{t('It cannot be made now: {{obstacle}}.', { obstacle })}</p>}
        {bill?.number && <Facts bill={bill} />}
        <div className="side-actions">
          {makes && (
            <Button onClick={() => setAsking('make')}>
              {bill?.state === 'failed' ? t('Make it again') : t('Make e-way bill')}
            </Button>
          )}
          {made && may(kind, 'write') && (
            <Button onClick={() => setAsking('vehicle')}>
              {bill.state === 'partA' ? t('Name the vehicle') : t('Change vehicle')}
            </Button>
          )}
          {made && may(kind, 'approve') && (
            <Button look="danger" onClick={() => setAsking('cancel')}>
              {t('Cancel e-way bill')}
            </Button>
          )}
          {bill?.number && <Print number={bill.number} />}
          {bill && (
            <Button look="subtle" aria-expanded={history} onClick={() => setHistory(!history)}>
              {history ? t('Hide attempts') : t('Show attempts')}
            </Button>
          )}
        </div>
        {history && <WayAttempts id={id} />}
      </div>
      {asking === 'make' && <MakeWayBill id={id} number={number} standing={standing} onClose={close} />}
      {asking === 'vehicle' && bill && <UpdateVehicle id={id} bill={bill} leaves={standing.leaves} onClose={close} />}
      {asking === 'cancel' && bill && <CancelWayBill id={id} bill={bill} onClose={close} />}
    </Panel>
  );
}

/** What the portal has against it, with what to do about that. */
function Said({ bill: { error, errorCode } }: { readonly bill: WayBillFacts }) {
  const mayOpen = useMayOpen();
  const advice = adviceOn(errorCode);
  if (!error) return null;
  return (
    <div className="note" data-tone="bad">
      <p>
        {errorCode && errorCode !== 'credentials' && <b className="code">{errorCode}</b>} {error}
      </p>
      {advice && <p>{t(advice.says)}</p>}
      {advice?.screen && mayOpen(advice.screen) && <ScreenLink screen={advice.screen}>{t('Go there')}</ScreenLink>}
    </div>
  );
}

function Facts({ bill }: { readonly bill: WayBillFacts }) {
  const { format } = useDateFormat();
  const { transport } = bill;
  const rows: readonly (readonly [label: string, value: string])[] = [
    [t('Made'), showMoment(bill.madeAt, format)],
    [t('Valid until'), bill.validUntil ? showMoment(bill.validUntil, format) : t('begins with the vehicle')],
    [t('Distance'), bill.distance ? t('{{distance}} km', { distance: bill.distance }) : ''],
    [t('Mode of transport'), transportModes.find(([code]) => code === transport.mode)?.[1] ?? ''],
    [t('Vehicle'), transport.vehicle],
    [t('Document'), transport.documentNumber],
    [t('Transporter'), [transport.transporterId, transport.transporterName].filter(Boolean).join(' ')],
    [t('Reason'), bill.state === 'cancelled' ? (bill.cancelReason ?? '') : ''],
  ];
  return (
    <dl className="facts facts-narrow">
      <div>
        <dt>
          {t('No.')} <Copy text={bill.number ?? ''} what={t('E-way bill number')} />
        </dt>
        <dd className="code">{bill.number}</dd>
      </div>
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The bill as PDF: what the driver carries. */
function Print({ number }: { readonly number: string }) {
  const [busy, setBusy] = useState(false);
  const print = async () => {
    setBusy(true);
    try {
      const { name, type, content } = await api.GetEWayBillByteCode({ EWayBillNo: number });
      download(name, blobOf(content, type));
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} onClick={() => void print()}>
      {t('Download PDF')}
    </Button>
  );
}

/** Every exchange with the portals about a document's e-way bills. */
export function WayAttempts({ id }: { readonly id: string }) {
  const key = useScreenKey('way attempts', id);
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetEWayBillAttempts({ id }) });
  return <AttemptList attempts={data} error={error} onRetry={() => void refetch()} />;
}
