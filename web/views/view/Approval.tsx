import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { approvalView } from '../../../contract/approval.ts';
import { Button } from '../../kit/Button.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { Reasons } from '../../kit/dialog/Reasons.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useRun } from '../../kit/dialog/useRun.ts';
import { TextField } from '../../kit/fields/fields.tsx';
import { inSentence, showMoment } from '../../kit/format.ts';
import { useKeys } from '../../kit/hotkeys.ts';
import { ErrorPanel } from '../../kit/parts.tsx';
import { newKey, type Problem, Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';
import { useGoTo, useMayDo, usePlaces } from '../places.ts';

export type Approval = z.output<typeof approvalView>;

/** How a document stands with its approval, and what may be done about it. */
export function ApprovalBar({
  approval,
  children,
}: {
  readonly approval: Approval;
  readonly children?: React.ReactNode;
}) {
  const { format } = useDateFormat();
  const { state, by, at, decidedBy, decidedAt, comment, changed, own } = approval;
  const words = {
    requested: t('Waiting for approval since {{at}}, sent by {{by}}', { at: showMoment(at, format), by }),
    rejected: t('Rejected by {{decidedBy}}, {{decidedAt}}: {{comment}}', {
      decidedBy: decidedBy ?? '',
      decidedAt: showMoment(decidedAt ?? at, format),
      comment,
    }),
    approved: t('Sent by {{by}}, approved by {{decidedBy}}', { by, decidedBy: decidedBy ?? '' }),
  }[state];
  return (
    <div className="approval-bar" role="status" data-state={state}>
      <div>
        <p>{words}</p>
        {changed && (
          <p>
            {t('Its figures have changed since then: {{changed}}. {{own}}', {
              changed,
              own: own
                ? t('Withdraw it, look at it and send it again.')
                : t('Reject it, so that its author looks at it and sends it again.'),
            })}
          </p>
        )}
      </div>
      {children && <div className="side-actions">{children}</div>}
    </div>
  );
}

/** A draft that waits: its author takes it back, another posts or rejects it. */
export function Waiting({
  document,
  approval,
  label,
}: {
  readonly document: Shown;
  readonly approval: Approval;
  readonly label: string;
}) {
  const mayDo = useMayDo();
  const places = usePlaces();
  const goTo = useGoTo();
  const { busy, error, run } = useRun();
  const cache = useQueryClient();
  const [rejecting, setRejecting] = useState(false);
  const which = { TransactionId: document.id, version: document.version };
  const decides = !approval.own && mayDo(document.kind, 'approve');
  const withdraw = () =>
    run(
      () => api.WithdrawSubmission(which),
      () => {
        toast(t('{{label}} is a draft again', { label }));
        const editor = places(document.kind, 'documentEditor');
        if (editor) goTo(editor, { id: document.id }, true);
      },
    );
  const [unreasoned, setUnreasoned] = useState<readonly Problem[]>([]);
  const post = (reasons: Readonly<Record<string, string>> = {}) => {
    const accepted = Object.entries(reasons).map(([warning, reason]) => ({ warning, reason: reason.trim() }));
    setUnreasoned([]);
    return run(
      async () => {
        try {
          return await api.PostTransactionCalls({ ...which, ...(accepted.length > 0 && { accepted }) }, newKey());
        } catch (error) {
          // what has changed is shown beside the document
          if (error instanceof Refused && error.code === 'sentFiguresChanged')
            await cache.invalidateQueries({ queryKey: ['screen'] });
          const asked = error instanceof Refused && error.problems.length > 0 ? error.problems : [];
          if (asked.length === 0 || !asked.every(({ reason }) => reason === 'needed')) throw error;
          setUnreasoned(asked);
          return undefined;
        }
      },
      (posted) =>
        posted && toast(t('{{label}} {{number}} is approved and posted', { label, number: posted.TransactionNumber })),
    );
  };
  const posts = decides && approval.changed === null;
  useKeys(posts ? { 'ctrl+enter': () => void post() } : {});
  const list = places(document.kind, 'documentList');
  return (
    <>
      <ApprovalBar approval={approval}>
        {approval.own && (
          <Button busy={busy} onClick={() => void withdraw()}>
            {t('Withdraw')}
          </Button>
        )}
        {decides && (
          <>
            <Button {...(!posts && { look: 'primary' as const })} onClick={() => setRejecting(true)}>
              {t('Reject…')}
            </Button>
            {posts && (
              <Button look="primary" busy={busy} onClick={() => void post()} title={t('Ctrl Enter')}>
                {t('Approve and post')}
              </Button>
            )}
          </>
        )}
      </ApprovalBar>
      {error != null && approval.changed === null && <ErrorPanel error={error} />}
      {unreasoned.length > 0 && (
        <Reasons
          warnings={unreasoned}
          verb={t('Approve and post')}
          onGiven={(reasons) => void post(reasons)}
          onClose={() => setUnreasoned([])}
        />
      )}
      {rejecting && (
        <Rejecting
          label={label}
          onReject={async (comment) => {
            await api.RejectDocument({ ...which, comment });
            toast(t('{{label}} is rejected: {{by}} gets a notification', { label, by: approval.by }));
          }}
          onDone={() => (list ? goTo(list) : window.history.back())}
          onClose={() => setRejecting(false)}
        />
      )}
    </>
  );
}

function Rejecting({
  label,
  onReject,
  onDone,
  onClose,
}: {
  readonly label: string;
  onReject(comment: string): Promise<void>;
  onDone(): void;
  onClose(): void;
}) {
  const [comment, setComment] = useState('');
  return (
    <FormDialog
      title={t('Reject this {{label}}?', { label: inSentence(label) })}
      holds={{ comment }}
      verb={t('Reject')}
      keep={t('Leave it waiting')}
      look="danger-filled"
      check={() => (comment.trim() === '' ? [{ field: 'comment', message: t('Describe what must be corrected') }] : [])}
      save={() => onReject(comment.trim())}
      onDone={onDone}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>{t('The author gets it back as a draft, with your comment.')}</p>
          <TextField
            label={t('Comment')}
            required
            value={comment}
            onChange={setComment}
            maxLength={500}
            autoFocus
            error={at('comment')}
          />
        </>
      )}
    </FormDialog>
  );
}
