import { Button } from '../kit/Button.tsx';
import { showMoment } from '../kit/format.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { useDateFormat, useMayOpen } from '../kit/server/session.ts';
import { Copy } from '../kit/table/Copy.tsx';
import { t } from '../kit/text.ts';
import { usePlaces } from '../views/places.ts';
import { Attempts } from './Attempts.tsx';
import { adviceOn } from './advice.ts';
import { type EinvoiceRow, sendWord, stateOf } from './states.ts';

interface Props {
  readonly row: EinvoiceRow;
  readonly busy: boolean;
  onSend?(): void;
}

/** Below a row of the inbox: what is to be done, and every attempt. */
export function RowDetail({ row, busy, onSend }: Props) {
  const mayOpen = useMayOpen();
  const { format } = useDateFormat();
  const view = usePlaces()(row.kind, 'documentView');
  const advice = adviceOn(row.errorCode);
  return (
    <div className="stack row-detail">
      <p>
        {row.error && (
          <>
            {row.errorCode && <b className="code">{row.errorCode}</b>} {row.error}
            <br />
          </>
        )}
        {t(advice?.says) ?? t(stateOf(row.state, row.signed).says)}{' '}
        {advice?.screen && mayOpen(advice.screen) && <ScreenLink screen={advice.screen}>{t('Go there')}</ScreenLink>}
      </p>
      {row.irn && (
        <p className="code wrap">
          {t('IRN {{irn}}', { irn: row.irn })} <Copy text={row.irn} what={t('IRN')} />
          {row.ackNo && (
            <>
              <br />
              {t('Acknowledgement {{ackNo}} of {{ackDate}}', {
                ackNo: row.ackNo,
                ackDate: showMoment(row.ackDate, format),
              })}
            </>
          )}
        </p>
      )}
      <Attempts id={row.id} />
      <div className="side-actions">
        {onSend && (
          <Button busy={busy} onClick={onSend} title={t('Ctrl Enter')}>
            {sendWord(row)}
          </Button>
        )}
        {view && (
          <ScreenLink screen={view.screen} query={{ ...view.query, id: row.id }}>
            {t('Open {{number}}', { number: row.number })}
          </ScreenLink>
        )}
      </div>
    </div>
  );
}
