import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { screenOf } from '../../../contract/screens.ts';
import { kindLabel } from '../../../domain/kinds/index.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { money, plainNumber, rupees } from '../../kit/format.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Badge, Panel } from '../../kit/parts.tsx';
import { useDateFormat, useScreenKey } from '../../kit/session.ts';
import { toast, toastError } from '../../kit/toast.tsx';
import type { Shown } from '../DocumentView.tsx';
import { statusWord } from '../list/rows.ts';

interface Props {
  readonly document: Shown;
  readonly kind: Kind;
}
const roles = {
  source: 'Made from',
  followUp: 'Continued as',
  reversal: 'Mirror',
  allocation: 'Settled with',
} as const;

/** What belongs to a document: its e-invoice, linked documents, entries, movements and what happened. */
export function SidePanel({ document, kind }: Props) {
  return (
    <aside className="side" aria-label="About this document">
      {document.open !== null && !document.cancelled && (
        <Panel title="Open">
          <b className="num">{rupees(document.open)}</b>
        </Panel>
      )}
      {document.cancelled && (
        <Panel title="Cancelled">
          {document.cancelled.by}: {document.cancelled.reason}
        </Panel>
      )}
      {kind.gst.irp && !document.draft && <EInvoice document={document} />}
      {document.links.length > 0 && (
        <Panel title="Linked documents">
          <ul className="plain-list">
            {document.links.map((link) => (
              <Linked key={`${link.id}${link.role}`} link={link} />
            ))}
          </ul>
        </Panel>
      )}
      {document.entries.length > 0 && <Entries document={document} />}
      {document.movements.length > 0 && (
        <Panel title="Stock">
          <ul className="plain-list">
            {document.movements.map((movement, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: movements have no other name and never change
              <li key={at}>
                <span>
                  {movement.item} <span className="muted">{movement.location}</span>
                </span>
                <span className="num">{plainNumber(movement.quantity)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Timeline document={document} />
    </aside>
  );
}

function Linked({ link }: { readonly link: Shown['links'][number] }) {
  const view = screenOf({ kind: link.kind }, 'documentView');
  return (
    <li>
      <span>
        <span className="muted">{roles[link.role]}</span> {kindLabel(link.kind)}{' '}
        {view ? (
          <ScreenLink screen={view} query={{ id: link.id }}>
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

function Entries({ document }: { readonly document: Shown }) {
  return (
    <Panel title="Entries">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Ledger</th>
            <th scope="col" className="num">
              Debit
            </th>
            <th scope="col" className="num">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {document.entries.map((entry) => (
            <tr key={entry.leg}>
              <td title={entry.code}>{entry.name}</td>
              <td className="num">{entry.debit === '0.00' ? '' : money(entry.debit)}</td>
              <td className="num">{entry.credit === '0.00' ? '' : money(entry.credit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function EInvoice({ document }: { readonly document: Shown }) {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [history, setHistory] = useState(false);
  const key = useScreenKey('attempts', document.id);
  const { data: attempts } = useQuery({
    queryKey: key,
    queryFn: () => api.GetEInvoiceAttempts({ id: document.id }),
    enabled: history,
  });
  const facts = document.einvoice;
  const generated = facts?.irn != null;
  const retry = async () => {
    setBusy(true);
    try {
      await api.GenerateIRNNumber({ ids: [document.id] });
      toast(`${document.number} is sent to the portal`);
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title="E-invoice" actions={facts && <Badge word={statusWord({ status: facts.state, draft: false })} />}>
      {!facts && <p className="muted">Not asked for: this document or registration needs none.</p>}
      {facts?.error && <p className="field-error">{facts.error}</p>}
      {facts?.irn && (
        <dl className="facts">
          <div>
            <dt>IRN</dt>
            <dd className="code wrap">{facts.irn}</dd>
          </div>
          <div>
            <dt>Acknowledgement</dt>
            <dd className="code">
              {facts.ackNo} {facts.ackDate}
            </dd>
          </div>
        </dl>
      )}
      <div className="side-actions">
        {!generated && !document.cancelled && (
          <Button busy={busy} onClick={() => void retry()}>
            {facts ? 'Try again' : 'Send to the portal'}
          </Button>
        )}
        {facts && (
          <Button look="subtle" aria-expanded={history} onClick={() => setHistory(!history)}>
            Attempts
          </Button>
        )}
      </div>
      {history && (
        <ul className="plain-list">
          {attempts?.map((attempt) => (
            <li key={attempt.at}>
              <span>
                {attempt.what}: {attempt.outcome} {attempt.code} {attempt.message}
              </span>
              <span className="muted">{attempt.at.slice(0, 16).replace('T', ' ')}</span>
            </li>
          ))}
          {attempts?.length === 0 && <li>No attempts yet</li>}
        </ul>
      )}
    </Panel>
  );
}

function Timeline({ document }: { readonly document: Shown }) {
  const { show } = useDateFormat();
  return (
    <Panel title="Timeline">
      <ol className="plain-list">
        {document.timeline.map((entry) => (
          <li key={entry.at + entry.what}>
            <span>
              {entry.what} <span className="muted">{entry.who}</span>
            </span>
            <span className="muted">{show(entry.at)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
