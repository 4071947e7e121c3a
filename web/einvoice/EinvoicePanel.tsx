import { lazy, Suspense, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { showMoment } from '../kit/format.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Panel } from '../kit/parts.tsx';
import { useDateFormat, useMayOpen, useSession } from '../kit/server/session.ts';
import { Copy } from '../kit/table/Copy.tsx';
import { t } from '../kit/text.ts';
import type { Shown } from '../views/DocumentView.tsx';
import { useMayDo } from '../views/places.ts';
import { Attempts, useAttempts } from './Attempts.tsx';
import { adviceOn } from './advice.ts';
import { CancelIrn } from './CancelIrn.tsx';
import { EinvoiceBadge } from './EinvoiceBadge.tsx';
import { SendAnswer } from './SendAnswer.tsx';
import { useSend } from './send.ts';
import { sendWord, stateOf } from './states.ts';

const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })));

interface Props {
  readonly document: Shown;
  readonly facts: NonNullable<Shown['einvoice']>;
}

/** Where a document stands at the invoice portal: its IRN and QR code, or what the portal has against it and what to do. */
export function EinvoicePanel({ document, facts }: Props) {
  const { format } = useDateFormat();
  const may = useMayDo();
  const { busy, sent, send, clear } = useSend();
  const [history, setHistory] = useState(false);
  const [cancelling, setCancelling] = useState(false);
  const signed = facts.signedQr !== null;
  const { says, sendable } = stateOf(facts.state, signed);
  const word = document.cancelled ? undefined : sendWord({ ...facts, signed });
  return (
    <Panel title={t('E-invoice')} actions={<EinvoiceBadge state={facts.state} signed={signed} />}>
      <div className="stack" data-einvoice={facts.state}>
        <p className="muted">{says}</p>
        {facts.error && <Said id={document.id} text={facts.error} tone={sendable ? 'bad' : 'info'} />}
        {facts.pretended && (
          <div className="note" data-tone="info">
            <p>{t('This IRN comes from a stand-in of the portal: it is not a valid e-invoice.')}</p>
          </div>
        )}
        {facts.irn && facts.ackNo && (
          <dl className="facts facts-narrow">
            <div>
              <dt>
                {t('IRN')} <Copy text={facts.irn} what={t('IRN')} />
              </dt>
              <dd className="code wrap">{facts.irn}</dd>
            </div>
            <div>
              <dt>{t('Ack no.')}</dt>
              <dd className="code">{facts.ackNo}</dd>
            </div>
            <div>
              <dt>{t('Ack date')}</dt>
              <dd className="code">{showMoment(facts.ackDate, format)}</dd>
            </div>
          </dl>
        )}
        {facts.signedQr && facts.state === 'registered' && (
          <Suspense fallback={<span className="qr" />}>
            <QrCode text={facts.signedQr} label={t('Signed QR code of {{number}}', { number: document.number })} />
          </Suspense>
        )}
        <SendAnswer sent={sent} onClose={clear} />
        <div className="side-actions">
          {word && may(document.kind, 'write') && (
            <Button busy={busy} onClick={() => void send([document.id])}>
              {word}
            </Button>
          )}
          {facts.state === 'registered' && may(document.kind, 'approve') && (
            <Button look="danger" onClick={() => setCancelling(true)}>
              {t('Cancel IRN')}
            </Button>
          )}
          <Button look="subtle" aria-expanded={history} onClick={() => setHistory(!history)}>
            {history ? t('Hide attempts') : t('Show attempts')}
          </Button>
        </div>
        {history && <Attempts id={document.id} />}
      </div>
      {cancelling && (
        <CancelIrn
          id={document.id}
          kind={document.kind}
          number={document.number}
          ackDate={facts.ackDate}
          onClose={() => setCancelling(false)}
        />
      )}
    </Panel>
  );
}

/** What the portal said, with its code from the last attempt that has one, and what to do about it. */
function Said({ id, text, tone }: { readonly id: string; readonly text: string; readonly tone: 'bad' | 'info' }) {
  const mayOpen = useMayOpen();
  const { portal } = useSession().installation;
  const { data } = useAttempts(id);
  const code = data?.findLast((attempt) => attempt.code !== null)?.code;
  const advice = adviceOn(code ?? (data?.length === 0 && portal !== 'none' ? 'credentials' : null));
  return (
    <div className="note" data-tone={tone}>
      <p>
        {code && <b className="code">{code}</b>} {text}
      </p>
      {advice && <p>{t(advice.says)}</p>}
      {advice?.screen && mayOpen(advice.screen) && <ScreenLink screen={advice.screen}>{t('Go there')}</ScreenLink>}
    </div>
  );
}
