import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { documentView } from '../../contract/documents.ts';
import { ownScreen } from '../../contract/screens.ts';
import { mayRecur } from '../../domain/books/recurring.ts';
import {
  correctedBy,
  followUps,
  type KindName,
  kindNames,
  kindOf,
  mayBeCopied,
  settlesOthers,
} from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { inSentence } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, useScreenKey, useSession } from '../kit/server/session.ts';
import { FlowHistory } from '../workflow/FlowHistory.tsx';
import { OrderFlow } from '../workflow/OrderFlow.tsx';
import { statusWord } from './list/rows.ts';
import { useGoTo, useMayDo, usePlaces } from './places.ts';
import { ApprovalBar, Waiting } from './view/Approval.tsx';
import { Beside } from './view/Beside.tsx';
import { BounceDialog } from './view/BounceDialog.tsx';
import { CancelDialog, type How } from './view/CancelDialog.tsx';
import { Closing } from './view/Closing.tsx';
import { consequencesOf } from './view/cancelling.ts';
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

type Asking = 'print' | 'mail' | 'cancel' | 'bounce' | null;

function Found({ document, asked }: { readonly document: Shown; readonly asked: Asking }) {
  // A number looked up under one kind may be another's: the document says what it is.
  const kind: Kind = kindOf(document.kind as Parameters<typeof kindOf>[0]);
  const places = usePlaces();
  const goTo = useGoTo();
  const go = useGo();
  const mayOpen = useMayOpen();
  const mayDo = useMayDo();
  const [asking, setAsking] = useState<Asking>(document.draft ? null : asked);
  const editor = kind.system || kind.undoes ? undefined : places(document.kind, 'documentEditor');
  const undoing = kindNames.find((name) => kindOf(name).undoes === document.kind);
  const isUndone = document.links.some((link) => link.kind === undoing);
  const mayWrite = editor !== undefined;
  const { organisation, subject: person, settings } = useSession();
  // what came in is labelled before it goes to the shelf
  const labels =
    settings.enableBarCode && (kind.stock === 'in' || kind.stock === 'transferIn') && mayOpen('BarcodeList');
  const { show } = useDateFormat();
  const mails = useMails(document).data;
  const mayMail = mayDo(document.kind, 'write') && !document.draft && kind.paper !== 'none' && mails?.possible === true;
  const [again, setAgain] = useState<Mail>();
  const mail = (old?: Mail) => {
    setAgain(old);
    setAsking('mail');
  };
  const letter = () =>
    again
      ? sameLetter(again)
      : (keptLetter(person, document.id) ?? firstLetter(document, kind, organisation.name, mails?.to ?? [], show));
  const close = () => setAsking(null);
  const blank = () => editor && goTo(editor);
  const cancel = async (reason: string, how: How) => {
    const { cancelled } = await api.CancelTransaction(
      { TransactionIds: [document.id], TransactionType: kind.code, reason, ...how },
      newKey(),
    );
    const freed = cancelled.flatMap((one) => one.freed.map(({ number, amount }) => `${number} ₹${amount}`));
    toast(`${document.number} is cancelled${freed.length > 0 ? `. Open again: ${freed.join(', ')}` : ''}`);
  };
  const targets = document.next.flatMap((step) => {
    const target = step.kind ? places(step.kind, 'documentEditor') : undefined;
    return step.kind && target ? [{ label: step.label, kind: step.kind, target }] : [];
  });
  const { primary, others } = nextSteps(targets, document.open !== null && document.open !== '0.00');
  const goOn = (kind: string) => {
    const target = targets.find((step) => step.kind === kind)?.target;
    if (target) goTo(target, { from: document.id });
  };
  const repeat = ownScreen('recurringBills');
  const { body, registration, priced } = document;
  const isTaxed = priced !== null && priced.supplyType !== 'NONE' && body['withoutTax'] !== true;
  const isReturned = registration.gstin !== null && isTaxed;
  const corrections = correctedBy(document.kind, isReturned);
  // what a note cannot be made from, its opposite note is made from the source of
  const notes = corrections.flatMap((name) => {
    const target = places(name, 'documentEditor');
    const continues = (kind: string) => followUps(kind).includes(name);
    const source = continues(document.kind)
      ? document
      : document.links.find(({ role, kind }) => role === 'source' && continues(kind));
    const label = `Make a ${inSentence(kindOf(name).label)}`;
    return target ? [{ label, make: () => goTo(target, source ? { from: source.id } : {}) }] : [];
  });
  const lives = !document.draft && !document.cancelled;
  const copy =
    editor && !document.draft && mayBeCopied(kind)
      ? () => goTo(editor, { from: document.id, copy: 'true' })
      : undefined;
  const mayPrint = !document.draft && kind.paper !== 'none';
  const mayCancel = lives && !kind.system && mayDo(document.kind, 'approve');
  useKeys({
    ...(mayWrite && { 'alt+n': blank }),
    ...(mayPrint && { 'alt+p': () => setAsking('print') }),
    ...(copy && { 'alt+2': copy }),
    ...(mayCancel && { 'alt+x': () => setAsking('cancel') }),
    ...(mayMail && { 'alt+m': () => mail() }),
  });
  return (
    <Page narrow>
      <PageHead
        title={`${kind.label} ${document.number || '(draft)'}`}
        beside={<Badge word={statusWord(document)} />}
        actions={
          <>
            {document.draft && document.approval?.state !== 'requested' && editor && (
              <Button look="primary" onClick={() => goTo(editor, { id: document.id })}>
                Open draft
              </Button>
            )}
            {mayPrint && (
              <Button onClick={() => setAsking('print')} title="Alt P">
                Print
              </Button>
            )}
            {lives && labels && <Button onClick={() => go('BarcodeList', { from: document.id })}>Labels</Button>}
            {mayMail && (
              <Button onClick={() => mail()} title="Alt M">
                Mail
              </Button>
            )}
            {copy && (
              <Button onClick={copy} title="Alt 2">
                Copy
              </Button>
            )}
            {mayWrite && lives && mayRecur(kind) && repeat && mayOpen(repeat) && (
              <Button onClick={() => go(repeat, { from: document.id })}>Repeat</Button>
            )}
            {mayCancel && (
              <Button look="danger" onClick={() => setAsking('cancel')} title="Alt X">
                Cancel document
              </Button>
            )}
            {lives && document.party && settlesOthers(kind) && mayOpen('UseCreditView') && (
              <Button
                onClick={() =>
                  go('UseCreditView', {
                    party: document.party?.id ?? '',
                    name: document.party?.name ?? '',
                    credit: document.id,
                  })
                }
              >
                Settle
              </Button>
            )}
            <Closing document={document} kind={kind} />
            {lives && mayWrite && undoing && !isUndone && (
              <Button onClick={() => setAsking('bounce')}>Cheque returned</Button>
            )}
            <Onward primary={primary} others={others} onGo={goOn} />
            {mayWrite && !primary && !document.draft && (
              <Button onClick={blank} title="Alt N">
                New {inSentence(kind.label)}
              </Button>
            )}
          </>
        }
      />
      {document.approval?.state === 'requested' ? (
        <Waiting document={document} approval={document.approval} label={kind.label} />
      ) : (
        document.approval && <ApprovalBar approval={document.approval} />
      )}
      <Steps document={document} kind={kind} />
      {kind.flow && !document.draft && <OrderFlow document={document.id} kindCode={kind.code} />}
      <div className="view-row">
        <Sheet document={document} kind={kind} />
        <SidePanel document={document}>
          {kind.flow && !document.draft && (
            <FlowHistory document={document.id} mayWrite={lives && mayDo(document.kind, 'write')} />
          )}
          <Beside key={document.id} id={document.id} mayWrite={mayDo(document.kind, 'write')} />
          <MailsPanel document={document.id} mails={mails?.mails ?? []} onAgain={mayMail ? mail : undefined} />
        </SidePanel>
      </div>
      {asking === 'print' && <PrintDialog document={document} kind={kind} onClose={close} />}
      {asking === 'mail' && (
        <MailDialog document={document} start={letter()} contacts={mails?.contacts ?? []} onClose={close} />
      )}
      {asking === 'bounce' && (
        <BounceDialog
          id={document.id}
          number={document.number}
          onDone={(made) => {
            close();
            const view = undoing && places(undoing, 'documentView');
            if (view) goTo(view, { id: made });
          }}
          onClose={close}
        />
      )}
      {asking === 'cancel' && (
        <CancelDialog
          names={[document.number]}
          what={inSentence(kind.plural)}
          {...consequencesOf(document, isReturned)}
          notes={corrections.length > 0 && notes.length === 0 ? undefined : notes}
          onCancel={cancel}
          onClose={close}
        />
      )}
    </Page>
  );
}
