import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { documentView } from '../../contract/documents.ts';
import { type KindName, kindOf } from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { ActionButtons, keysOf } from '../kit/actions.tsx';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress } from '../kit/navigation.tsx';
import { Badge, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { FlowHistory } from '../workflow/FlowHistory.tsx';
import { OrderFlow } from '../workflow/OrderFlow.tsx';
import { statusWord } from './list/rows.ts';
import { useGoTo, useMayDo, usePlaces } from './places.ts';
import { ApprovalBar, Waiting } from './view/Approval.tsx';
import { Beside } from './view/Beside.tsx';
import { BounceDialog } from './view/BounceDialog.tsx';
import { CancelDocument } from './view/CancelDocument.tsx';
import { Closing } from './view/Closing.tsx';
import { FindByNumber } from './view/FindByNumber.tsx';
import { firstLetter, keptLetter, type Mail, sameLetter } from './view/letter.ts';
import { MailDialog } from './view/MailDialog.tsx';
import { MailsPanel, useMails } from './view/Mails.tsx';
import { nextSteps } from './view/next.ts';
import { Onward } from './view/Onward.tsx';
import { PrintDialog } from './view/PrintDialog.tsx';
import { Sheet } from './view/Sheet.tsx';
import { SidePanel } from './view/SidePanel.tsx';
import { Steps } from './view/Steps.tsx';
import { type DocumentActions, isInForce, undoingOf, useDocumentActions } from './view/useDocumentActions.ts';
import './views.css';

export type Shown = z.output<typeof documentView>;

/** A document as it stands in the books: its steps, the next action, the sheet, and what belongs to it. */
export function DocumentView({
  kind: name,
  among = [name],
  print,
}: {
  readonly kind: KindName;
  readonly among?: readonly KindName[];
  readonly print?: true;
}) {
  const { id } = useAddress();
  const key = useScreenKey('document', id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.GetTransactionDetailForInvoice({ TransactionId: id ?? '' }),
    enabled: id !== undefined,
  });
  if (id === undefined) return <FindByNumber kinds={among} />;
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton />;
  return <Found document={data} asked={print ? 'print' : null} />;
}

type DialogName = 'print' | 'mail' | 'cancel' | 'bounce';
interface Viewed {
  readonly document: Shown;
  readonly kind: Kind;
}

function Found({ document, asked }: { readonly document: Shown; readonly asked: DialogName | null }) {
  // A number looked up under one kind may be another's: the document says what it is.
  const kind: Kind = kindOf(document.kind as Parameters<typeof kindOf>[0]);
  const mayWrite = useMayDo()(document.kind, 'write');
  const [dialog, setDialog] = useState<DialogName | null>(document.draft ? null : asked);
  const [again, setAgain] = useState<Mail>();
  const mails = useMails(document).data;
  const mayMail = mayWrite && !document.draft && kind.paper.form !== 'none' && mails?.possible === true;
  const mail = (old?: Mail) => {
    setAgain(old);
    setDialog('mail');
  };
  const close = () => setDialog(null);
  const actions = useDocumentActions(document, kind, { mayMail, mail: () => mail(), ask: setDialog });
  useKeys(keysOf([...actions.own, actions.blank]));
  return (
    <Page narrow>
      <DocumentHead document={document} kind={kind} actions={actions} />
      {document.approval?.state === 'requested' ? (
        <Waiting document={document} approval={document.approval} label={t(kind.label)} />
      ) : (
        document.approval && <ApprovalBar approval={document.approval} />
      )}
      <Steps document={document} kind={kind} />
      {kind.life.flow && !document.draft && <OrderFlow document={document.id} kindCode={kind.code} />}
      <div className="view-row">
        <Sheet document={document} kind={kind} />
        <SidePanel document={document}>
          {kind.life.flow && !document.draft && (
            <FlowHistory document={document.id} mayWrite={isInForce(document) && mayWrite} />
          )}
          <Beside key={document.id} id={document.id} mayWrite={mayWrite} />
          <MailsPanel document={document.id} mails={mails?.mails ?? []} onAgain={mayMail ? mail : undefined} />
        </SidePanel>
      </div>
      {dialog === 'print' && <PrintDialog document={document} kind={kind} onClose={close} />}
      {dialog === 'mail' && <MailDocument document={document} kind={kind} again={again} onClose={close} />}
      {dialog === 'bounce' && <BounceDocument document={document} onClose={close} />}
      {dialog === 'cancel' && <CancelDocument document={document} kind={kind} onClose={close} />}
    </Page>
  );
}

/** The number and the state of the document, what can be done with it, and what can follow it. */
function DocumentHead({ document, kind, actions }: Viewed & { readonly actions: DocumentActions }) {
  const places = usePlaces();
  const goTo = useGoTo();
  const targets = document.next.flatMap((step) => {
    const target = step.kind ? places(step.kind, 'documentEditor') : undefined;
    return step.kind && target ? [{ label: t(step.label), kind: step.kind, target }] : [];
  });
  const { primary, others } = nextSteps(targets, document.open !== null && document.open !== '0.00');
  const goOn = (next: string) => {
    const target = targets.find((step) => step.kind === next)?.target;
    if (target) goTo(target, { from: document.id });
  };
  return (
    <PageHead
      title={`${t(kind.label)} ${document.number || t('(draft)')}`}
      beside={<Badge word={statusWord(document)} />}
      actions={
        <>
          <ActionButtons actions={actions.own} />
          <Closing document={document} kind={kind} />
          <ActionButtons actions={[actions.undo]} />
          <Onward primary={primary} others={others} onGo={goOn} />
          {!primary && !document.draft && <ActionButtons actions={[actions.blank]} />}
        </>
      }
    />
  );
}

/** Mails a document: with the words of an earlier mail, those that were left unsent, or usual ones. */
function MailDocument({
  document,
  kind,
  again,
  onClose,
}: Viewed & { readonly again: Mail | undefined; onClose(): void }) {
  const { organisation, subject: person } = useSession();
  const { show } = useDateFormat();
  const mails = useMails(document).data;
  const letter = again
    ? sameLetter(again)
    : (keptLetter(person, document.id) ?? firstLetter(document, kind, organisation.name, mails?.to ?? [], show));
  return <MailDialog document={document} start={letter} contacts={mails?.contacts ?? []} onClose={onClose} />;
}

/** Enters that a cheque came back, and goes to what that made. */
function BounceDocument({ document, onClose }: { readonly document: Shown; onClose(): void }) {
  const places = usePlaces();
  const goTo = useGoTo();
  return (
    <BounceDialog
      id={document.id}
      number={document.number}
      onDone={(made) => {
        onClose();
        const undoing = undoingOf(document.kind);
        const view = undoing && places(undoing, 'documentView');
        if (view) goTo(view, { id: made });
      }}
      onClose={onClose}
    />
  );
}
