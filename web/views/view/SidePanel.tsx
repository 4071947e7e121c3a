import { lazy, type ReactNode, Suspense } from 'react';
import { parseDecimal } from '../../../domain/base/decimal.ts';
import { isKind, kindLabel, kindOf } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { travels } from '../../../domain/tax/gst/portal/eway.ts';
import { EinvoicePanel } from '../../einvoice/EinvoicePanel.tsx';
import { WayPanel } from '../../eway/WayPanel.tsx';
import { inCurrency, money, plainNumber, rupees, showMoment } from '../../kit/format.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Panel } from '../../kit/parts.tsx';
import { useDateFormat } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { PaymentPanel } from '../../payments/PaymentPanel.tsx';
import type { Shown } from '../DocumentView.tsx';
import { usePlaces } from '../places.ts';
import { currencyOf } from './Sheet.tsx';

// its drawing is fetched when a code is shown
const QrCode = lazy(() => import('../../einvoice/QrCode.tsx').then((module) => ({ default: module.QrCode })));

const roles = {
  source: 'Made from',
  followUp: 'Continued as',
  reversal: 'Mirror',
  allocation: 'Settled with',
  revision: 'Changed the cost of others by',
  cause: 'Because of',
  revises: 'Revalues',
  revisedBy: 'Revalued by',
  taxOf: 'Pays the tax of',
  taxPaid: 'Its tax was paid by',
} as const;

/** What a movement brought or took; duty brings no goods, only what they are worth more. */
const movedOf = ({ quantity, cost }: Shown['movements'][number]): string =>
  parseDecimal(quantity, 6) === 0 && cost !== null ? `worth ${rupees(cost)}` : plainNumber(quantity);

/** A customer owes what it says. */
const asksForMoney = ({ books, gst }: Kind): boolean => books.opens === 'receivable' && gst.tax === 'output';

/** What belongs to a document: its e-invoice, linked documents, mails (`children`), entries, movements and what happened. */
export function SidePanel({ document, children }: { readonly document: Shown; readonly children?: ReactNode }) {
  return (
    <aside className="side" aria-label={t('About this document')}>
      {document.open !== null && !document.cancelled && (
        <Panel title={t('Open')}>
          <b className="num">{inCurrency(document.open, currencyOf(document))}</b>
        </Panel>
      )}
      {document.cancelled && (
        <Panel title={t('Cancelled')}>
          {document.cancelled.by}: {document.cancelled.reason}
        </Panel>
      )}
      {!document.draft && isKind(document.kind) && asksForMoney(kindOf(document.kind)) && (
        <PaymentPanel id={document.id} kind={document.kind} number={document.number} />
      )}
      {document.vatQr && (
        <Panel title={t('VAT in Saudi Arabia')}>
          <Suspense fallback={null}>
            <QrCode text={document.vatQr} label={t('VAT QR code of {{number}}', { number: document.number })} />
          </Suspense>
        </Panel>
      )}
      {document.einvoice && <EinvoicePanel document={document} facts={document.einvoice} />}
      {!document.draft && isKind(document.kind) && travels(kindOf(document.kind)) && (
        <WayPanel id={document.id} number={document.number} kind={document.kind} />
      )}
      {document.links.length > 0 && (
        <Panel title={t('Linked documents')}>
          <ul className="plain-list">
            {document.links.map((link) => (
              <Linked key={`${link.id}${link.role}`} link={link} isDraft={document.draft} />
            ))}
          </ul>
        </Panel>
      )}
      {children}
      {document.entries.length > 0 && <Entries document={document} />}
      {document.movements.length > 0 && (
        <Panel title={t('Stock')}>
          <ul className="plain-list">
            {document.movements.map((movement, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: movements have no other name and never change
              <li key={at}>
                <span>
                  {movement.item} <span className="muted">{movement.location}</span>
                </span>
                <span className="num">{movedOf(movement)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Timeline document={document} />
    </aside>
  );
}

function Linked({ link, isDraft }: { readonly link: Shown['links'][number]; readonly isDraft: boolean }) {
  const view = usePlaces()(link.kind, 'documentView');
  return (
    <li>
      <span>
        <span className="muted">{isDraft && link.role === 'allocation' ? t('Is to settle') : roles[link.role]}</span>{' '}
        {t(kindLabel(link.kind))}{' '}
        {view ? (
          <ScreenLink screen={view.screen} query={{ ...view.query, id: link.id }}>
            {link.number}
          </ScreenLink>
        ) : (
          link.number
        )}
      </span>
      {link.amount !== null && <span className="num">{money(link.amount)}</span>}
    </li>
  );
}

/** The entries, with the side behind the figure: two columns of figures do not fit beside the names. */
function Entries({ document }: { readonly document: Shown }) {
  return (
    <Panel title={t('Entries')}>
      <ul className="plain-list entries">
        {document.entries.map((entry) => {
          const isDebit = entry.debit !== '0.00';
          return (
            <li key={entry.leg}>
              <span title={entry.code}>{entry.name}</span>
              <span className="num">
                {money(isDebit ? entry.debit : entry.credit)}{' '}
                <span className="muted">{isDebit ? t('Dr') : t('Cr')}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Timeline({ document }: { readonly document: Shown }) {
  const { format } = useDateFormat();
  return (
    <Panel title={t('Timeline')}>
      <ol className="plain-list">
        {document.timeline.map((entry) => (
          <li key={entry.at + entry.what}>
            <span>
              {entry.what} <span className="muted">{entry.who}</span>
            </span>
            <span className="muted one-line">{showMoment(entry.at, format)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
