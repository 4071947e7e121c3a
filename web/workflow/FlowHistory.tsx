import { useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { showMoment } from '../kit/format.ts';
import { Panel } from '../kit/parts.tsx';
import { useDateFormat } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { lasted } from './flow.ts';
import { LogisticsDialog } from './LogisticsDialog.tsx';
import { useOrderStatus } from './OrderFlow.tsx';

/** The way an order has come: who did what, why, and how long it stood before; and how its goods travel. */
export function FlowHistory({ document, mayWrite }: { readonly document: string; readonly mayWrite: boolean }) {
  const { format, show } = useDateFormat();
  const { data } = useOrderStatus(document, true);
  const [asking, setAsking] = useState(false);
  if (!data?.workflow) return null;
  const { logistics: trip } = data;
  const says = trip && [
    trip.awb && `AWB ${trip.awb}`,
    trip.packages && `${trip.packages} ${plural(trip.packages, 'package', 'packages')}`,
    trip.weight,
    trip.pickedUpOn && t('picked up {{pickedUpOn}}', { pickedUpOn: show(trip.pickedUpOn) }),
    trip.deliveredOn && `delivered ${show(trip.deliveredOn)}`,
  ];
  return (
    <>
      <Panel title={t('Stages')}>
        <div className="stack">
          <p className="muted">
            {t('{{name}}, version {{version}}', { name: data.workflow.name, version: data.workflow.version })}
          </p>
          <ol className="plain-list flow-history" aria-label={t('Stages so far')}>
            {data.history.map((move) => (
              <li key={move.number}>
                <span>
                  {move.action ? `${move.action}: ${move.from} → ${move.to}` : t('Started at {{to}}', { to: move.to })}
                </span>
                <span className="muted">
                  {move.by}, {showMoment(move.at, format)}
                  {move.minutes !== null && `, ${t('after {{minutes}}', { minutes: lasted(move.minutes) })}`}
                </span>
                {move.comment && <span>{move.comment}</span>}
              </li>
            ))}
          </ol>
        </div>
      </Panel>
      {(trip || mayWrite) && (
        <Panel title={t('Delivery')}>
          <div className="stack">
            {trip && (
              <p className="wrap">
                {trip.carrier} <span className="muted">{says?.filter(Boolean).join(', ')}</span>{' '}
                {trip.trackingUrl && (
                  <a href={trip.trackingUrl} target="_blank" rel="noreferrer">
                    {t('Track')}
                  </a>
                )}
              </p>
            )}
            {mayWrite && (
              <div className="button-row">
                <Button onClick={() => setAsking(true)}>{trip ? t('Change delivery') : t('Enter delivery')}</Button>
              </div>
            )}
          </div>
        </Panel>
      )}
      {asking && <LogisticsDialog status={data} onClose={() => setAsking(false)} />}
    </>
  );
}
