import { useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { TextArea } from '../kit/fields/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { Badge, ErrorPanel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useCall, useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { lasted, type OrderStatus } from './flow.ts';
import './workflow.css';

type Action = OrderStatus['actions'][number];

/** Where an order stands; read once for all that shows it. */
export const useOrderStatus = (document: string, enabled: boolean) =>
  useCall<OrderStatus>('workflow/GetWorkflowStatus', { TransactionId: document }, enabled);

const MINUTE = 60_000;
/** Until when an order should have left its stage, or since when it should have. */
function Due({ at, format }: { readonly at: string; readonly format: 1 | 2 }) {
  const left = Math.trunc((Date.parse(at) - Date.now()) / MINUTE);
  return left < 0 ? (
    <span className="flow-late">{t('Overdue by {{lasted}}', { lasted: lasted(-left) })}</span>
  ) : (
    <span className="muted">{t('Due {{at}}, in {{left}}', { at: showMoment(at, format), left: lasted(left) })}</span>
  );
}

/** The stage of an order with what may be done next: buttons for who may, the roles' names for the others. */
export function OrderFlow({ document, kindCode }: { readonly document: string; readonly kindCode: string }) {
  const { format } = useDateFormat();
  const { data, error, refetch } = useOrderStatus(document, true);
  const [asking, setAsking] = useState<Action | null>(null);
  const { busy, run } = useRun((problem) => toastError(problem));
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const start = () =>
    run(async () => {
      await api.start({ documentNumber: data.number, documentType: kindCode });
      toast(t('{{number}} goes through its stages now', { number: data.number }));
    });
  if (!data.stage || !data.workflow)
    return data.mayStart ? (
      <section className="flow-bar" aria-label={t('Stage')}>
        <span className="muted">{t('This order has no workflow: it was posted before there was one.')}</span>
        <span className="end">
          <Button busy={busy} onClick={() => void start()}>
            {t('Start workflow')}
          </Button>
        </span>
      </section>
    ) : null;
  const { stage, actions, held } = data;
  const mine = actions.filter((action) => action.mine);
  const others = actions.filter((action) => !action.mine);
  // while nothing is made from it, bringing it on is what comes next
  const onward = mine.find(({ destructive }) => !destructive);
  const waits = mine.find(({ blocked }) => blocked.length > 0)?.blocked ?? [];
  const does = (action: Action) => {
    if (action.needsComment || action.confirmText) setAsking(action);
    else void bring(action, '');
  };
  const bring = (action: Action, comment: string) =>
    run(async () => {
      await api.SaveOrUpdateWorkflowStatus({ TransactionId: document, action: action.key, moves: data.moves, comment });
      toast(t('{{number}} is at “{{to}}”', { number: data.number, to: action.to }));
    });
  return (
    <section className="flow-bar" aria-label={t('Stage')}>
      <Badge word={stage.name} tone={stage.colour} />
      {stage.dueAt && !stage.end && <Due at={stage.dueAt} format={format} />}
      {held && <span className="muted">{t('No documents can be made from it at this stage.')}</span>}
      {others.length > 0 && mine.length === 0 && (
        <span className="muted">
          {t('Waits for {{value}}: {{others}}', {
            value: [...new Set(others.flatMap(({ roles }) => roles))].join(', ') || t('a role that nobody has'),
            others: others.map(({ label }) => label).join(', '),
          })}
        </span>
      )}
      <span className="end">
        {mine.map((action) => (
          <Button
            key={action.key}
            look={action.destructive ? 'danger' : held && action === onward ? 'primary' : 'default'}
            busy={busy}
            disabled={action.blocked.length > 0}
            onClick={() => does(action)}
          >
            {t(action.label)}
          </Button>
        ))}
      </span>
      {waits.length > 0 && (
        <span className="flow-waits muted" role="status">
          {t('Not yet: {{waits}}.', { waits: waits.join('; ') })}
        </span>
      )}
      {asking && <Asked action={asking} document={data} onClose={() => setAsking(null)} />}
    </section>
  );
}

/** Asks what the action says, and why where that is needed. */
function Asked({
  action,
  document,
  onClose,
}: {
  readonly action: Action;
  readonly document: OrderStatus;
  onClose(): void;
}) {
  const [comment, setComment] = useState('');
  const go = async () => {
    await api.SaveOrUpdateWorkflowStatus({
      ...{ TransactionId: document.document, action: action.key, moves: document.moves },
      comment: comment.trim(),
    });
    toast(t('{{number}} is at “{{to}}”', { number: document.number, to: action.to }));
  };
  return (
    <FormDialog
      title={`${t(action.label)}: ${document.number}`}
      holds={{ comment }}
      verb={t(action.label)}
      keep={t('Keep as it is')}
      look={action.destructive ? 'danger-filled' : 'primary'}
      check={() =>
        action.needsComment && comment.trim() === '' ? [{ field: 'comment', message: t('Write why') }] : []
      }
      save={go}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>{action.confirmText || t('It goes to “{{to}}”.', { to: action.to })}</p>
          <TextArea
            label={t('Comment')}
            required={action.needsComment}
            rows={3}
            maxLength={1000}
            value={comment}
            error={at('comment')}
            onChange={setComment}
          />
        </>
      )}
    </FormDialog>
  );
}
