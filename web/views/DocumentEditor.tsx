import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Session } from '../../contract/session.ts';
import { settles, takesTenders } from '../../domain/books/legs.ts';
import { type KindName, kindOf, takesAdjustments } from '../../domain/document/kinds/index.ts';
import { Reasons } from '../kit/dialog/Reasons.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { nextOnEnter } from '../kit/fields/nextOnEnter.ts';
import { inSentence } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress } from '../kit/navigation.tsx';
import { Badge, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { newKey, type Problem } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { sessionQuery, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { Foot } from './editor/head/Foot.tsx';
import { Head } from './editor/head/Head.tsx';
import { Lines } from './editor/lines/Lines.tsx';
import { Adjustments, Charges, Tenders } from './editor/lines/SmallLists.tsx';
import { createModel, type Model } from './editor/model.ts';
import { Actions, SaveNote } from './editor/posting/Actions.tsx';
import { type Made, usePosting } from './editor/posting/posting.ts';
import { Ways } from './editor/posting/Ways.tsx';
import { begunBy, placeBack } from './editor/posting/waiting.ts';
import { BesideDraft } from './editor/saving/BesideDraft.tsx';
import { takeInterrupted } from './editor/saving/handOver.ts';
import { type Saving, type Stored, useSaving } from './editor/saving/saving.ts';
import { Settlement } from './editor/settlement/Settlement.tsx';
import { Totals } from './editor/Totals.tsx';
import { useIsAtCost } from './editor/totals.ts';
import { typedOf } from './editor/wire.ts';
import { useGoTo, usePlaces } from './places.ts';
import { type Approval, ApprovalBar } from './view/Approval.tsx';
import './views.css';

interface Opened {
  readonly model: Model;
  readonly stored: Stored;
  /** The document behind the id is posted, or waits for approval: it is shown, not edited. */
  readonly shown: boolean;
  /** Why it came back to its author. */
  readonly rejected?: Approval;
}

/**
 * What the address asks for: a stored draft (`id`), one continued or copied from a document (`from`), one that a draft waits
 * for (`items`), one for a `party`, or a blank one.
 */
const openDraft = async (
  kind: KindName,
  session: Session,
  address: Readonly<Record<string, string>>,
): Promise<Opened> => {
  const { from, copy } = address;
  // What was kept in this browser is newer than what the server has; a tab that was interrupted goes on where it stood.
  const interrupted = await takeInterrupted(session, kind);
  const id = address['id'] ?? interrupted;
  if (interrupted) toast(t('Your unsaved changes are open again'));
  if (id) {
    const view = await api.GetTransactionDetailForInvoice({ TransactionId: id });
    return {
      model: createModel(kind, session, typedOf(kind, view.body)),
      stored: { id, version: view.version },
      shown: !view.draft || view.approval?.state === 'requested',
      ...(view.approval?.state === 'rejected' && { rejected: view.approval }),
    };
  }
  if (!from) return { model: createModel(kind, session, begunBy(kind, address)), stored: {}, shown: false };
  const { draft, facts } = await api.GetConversion({ from, kind, ...(copy && { copy: true }) });
  const typed = typedOf(kind, draft);
  const number = typeof facts['number'] === 'string' ? facts['number'] : '';
  const model = createModel(kind, session, { ...typed, head: { ...typed.head, _against: number } });
  model.facts.learn(facts);
  return { model, stored: {}, shown: false };
};

/** One editor for every kind: the kind's row says which fields stand on it, the domain what they add up to. */
export function DocumentEditor({ kind, quick }: { readonly kind: KindName; readonly quick?: true }) {
  const session = useSession();
  const address = useAddress();
  const places = usePlaces();
  const goTo = useGoTo();
  const [, redraw] = useState(0);
  // An editor whose draft got its name stays as it is: the address follows it, not the other way about.
  const own = useRef({ id: '', asked: '', arrived: false, round: 0 });
  const { current: live } = own;
  if (live.id && address['id'] === live.id) live.arrived = true;
  else if (live.arrived) own.current = { id: '', asked: '', arrived: false, round: live.round + 1 };
  const { id = '', from = '', copy = '', items = '', party = '' } = address;
  const named = `${id}/${from}/${copy}/${items}/${party}/${own.current.round}`;
  const asked = own.current.id ? own.current.asked : named;
  const editor = places(kind, 'documentEditor');
  const keepAddress = (id: string) => {
    if (own.current.id === id || !editor) return;
    own.current = { ...own.current, id, asked, arrived: address['id'] === id };
    const kept = Object.fromEntries(KEPT.flatMap((name) => (address[name] ? [[name, address[name]]] : [])));
    goTo(editor, { ...kept, id }, true);
  };
  const startAnew = () => {
    own.current = { id: '', asked: '', arrived: false, round: own.current.round + 1 };
    if (editor) goTo(editor, {}, true);
    redraw((n) => n + 1);
  };
  // what the editor before this one held, which may be posted by now, is never taken up again
  const [self] = useState(newKey);
  const { data, error, refetch } = useQuery({
    queryKey: ['editor', self, session.organisation.code, kind, asked],
    queryFn: () => openDraft(kind, session, address),
    // An editor lives as long as its screen: it is never fetched again behind the person's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });
  const view = places(kind, 'documentView');
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  if (data.shown && view) {
    goTo(view, { id: address['id'] ?? '' }, true);
    return null;
  }
  return <Editing key={asked} opened={data} quick={quick === true} onStored={keepAddress} onNew={startAnew} />;
}

/** What stays in the address once the draft has its name. */
const KEPT = ['show', 'back'] as const;

interface EditingProps {
  readonly opened: Opened;
  readonly quick: boolean;
  onStored(id: string): void;
  onNew(): void;
}

/** Says what was made of the document, and shows it, unless somebody has gone to another screen. */
function useFinish({ opened: { model }, onNew }: EditingProps, saving: Saving) {
  const kind = kindOf(model.name);
  const places = usePlaces();
  const goTo = useGoTo();
  const list = places(model.name, 'documentList');
  const view = places(model.name, 'documentView');
  const back = placeBack(useAddress(), places);
  const cache = useQueryClient();
  const { used } = useSession();
  return (made: Made | null): void => {
    if (!made) return;
    // the menu shows what the organisation uses: the first document of a kind brings its list forward
    if (!used.includes(model.name)) void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const { id, number, warnings } = made;
    const done = kind.life.cycle === 'ordered' ? 'saved' : 'posted';
    toast(
      [
        `${t(kind.label)} ${number ? t('{{number}} is {{done}}', { number, done }) : t('is sent for approval')}`,
        ...warnings,
      ].join('. '),
    );
    if (saving.left()) return;
    if (back) goTo(back.place, back.query);
    else if (view) goTo(view, { id });
    else if (list) goTo(list);
    else onNew();
  };
}

/**
 * The first field gets the focus, before the first frame: who sees the form may type. What continues a document is about its
 * lines and amounts, for its party is known already.
 */
function useFirstFocus(model: Model) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('input, select');
    // what another document needs begins with its items: how many there are is typed first
    const [line] = model.lines.rows();
    if (line?.['itemId'] && !line['quantity'] && !line['source'])
      return form.current?.querySelector<HTMLElement>('input[data-row="0"]:not([role="combobox"])')?.focus();
    if (!model.head.get()['party']) return first?.focus();
    const blank = [...(form.current?.querySelectorAll<HTMLInputElement>('input') ?? [])].find(
      (input) => input.value === '' && input.dataset['field'] !== 'party' && !input.dataset['passed'],
    );
    (form.current?.querySelector<HTMLElement>('[data-column]') ?? blank ?? first)?.focus();
  }, [model]);
  return form;
}

function Editing(props: EditingProps) {
  const { model, stored, rejected } = props.opened;
  const { quick, onStored } = props;
  const kind = kindOf(model.name);
  const session = useSession();
  useEffect(() => model.renew(session), [model, session]);
  const places = usePlaces();
  const goTo = useGoTo();
  const saving = useSaving(model, stored, onStored);
  const { problems, error, busy, waits, post, reasons, onBlur } = usePosting(model, saving);
  const finish = useFinish(props, saving);
  const form = useFirstFocus(model);
  const keep = () => void saving.save();
  // the one primary button does what the document may come to
  const onward = () => void post().then(finish);
  useKeys({ 'ctrl+s': keep, 'ctrl+enter': onward });
  const list = places(model.name, 'documentList');
  const back = placeBack(useAddress(), places);
  const leave = () => {
    if (back) goTo(back.place, back.query);
    else if (list) goTo(list);
    else window.history.back();
  };
  return (
    <>
      <Page narrow>
        <PageHead
          title={
            stored.id
              ? t('{{label}}: draft', { label: t(kind.label) })
              : t('New {{label}}', { label: inSentence(t(kind.label)) })
          }
          beside={<Badge word={rejected ? 'Rejected' : 'Draft'} />}
          actions={<SaveNote saving={saving} />}
        />
        {rejected && <ApprovalBar approval={rejected} />}
        {error != null && (
          <ErrorPanel
            error={error}
            back={t('press Ctrl Enter. Nothing is posted twice.')}
            ways={<Ways refusal={error} model={model} saving={saving} onPost={onward} />}
          />
        )}
        <Warnings problems={problems} />
        <form
          ref={form}
          className="editor"
          aria-label={t(kind.label)}
          onKeyDown={(event) => nextOnEnter(event, toPrimary)}
          onBlur={onBlur}
          onSubmit={(event) => event.preventDefault()}
        >
          <Parts {...{ model, problems, quick }} isStored={stored.id !== undefined} />
        </form>
        {!quick && <BesideDraft saving={saving} kind={model.name} />}
      </Page>
      <Actions model={model} busy={busy} waits={waits} onPost={onward} onDraft={keep} onCancel={leave} />
      {reasons.asked.length > 0 && (
        <Reasons
          warnings={reasons.asked}
          verb={
            waits
              ? t('Send for approval')
              : kind.life.cycle === 'ordered'
                ? t('Save with this reason')
                : t('Post with this reason')
          }
          onGiven={(given) => void reasons.postWith(given).then(finish)}
          onClose={reasons.leave}
        />
      )}
    </>
  );
}

/** What is to be known of the document, and keeps nobody from posting it. */
function Warnings({ problems }: { readonly problems: readonly Problem[] }) {
  const warnings = problems.filter(({ warning }) => warning);
  if (warnings.length === 0) return null;
  return (
    <div className="note" data-tone="warn" role="status">
      <ul className="plain-list">
        {warnings.map(({ field, row, message }) => (
          <li key={`${field}:${row}:${message}`}>
            {row === undefined ? '' : `${t('Line {{row}}:', { row: row + 1 })} `}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PartsProps {
  readonly model: Model;
  readonly problems: readonly Problem[];
  readonly quick: boolean;
  readonly isStored: boolean;
}

/** The parts of the form that the kind has. */
function Parts({ model, problems, quick, isStored }: PartsProps) {
  const kind = kindOf(model.name);
  const atCost = useIsAtCost(model);
  const side = useMemo(() => settles(kind), [kind]);
  const hasCharges = kind.lines.of === 'items' && !quick && !kind.source.givesPrice && !atCost;
  const isPriced = kind.lines.of === 'items' || kind.lines.of === 'expenses' || kind.lines.of === 'stock';
  return (
    <>
      <Head model={model} problems={problems} quick={quick} />
      <Lines model={model} problems={problems} quick={quick} />
      {side && <Settlement model={model} side={side} problems={problems} isStored={isStored} />}
      {hasCharges && <Charges model={model} problems={problems} />}
      {takesAdjustments(kind) && !quick && <Adjustments model={model} problems={problems} />}
      {takesTenders(kind) && <Tenders model={model} problems={problems} />}
      <Foot model={model} problems={problems} quick={quick} />
      {isPriced && <Totals model={model} problems={problems} quick={quick} />}
    </>
  );
}

const toPrimary = () => document.querySelector<HTMLElement>('.action-bar [data-look=primary]');
