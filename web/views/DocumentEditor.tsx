import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Session } from '../../contract/session.ts';
import { type KindName, kindOf } from '../../domain/kinds/index.ts';
import { api } from '../kit/client.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress } from '../kit/navigation.tsx';
import { Badge, ErrorPanel, Page, PageHead, Skeleton } from '../kit/parts.tsx';
import { useSession } from '../kit/session.ts';
import { toast } from '../kit/toast.tsx';
import { Actions, SaveNote } from './editor/Actions.tsx';
import { Foot } from './editor/Foot.tsx';
import { Head } from './editor/Head.tsx';
import { Lines } from './editor/Lines.tsx';
import { createModel, type Model } from './editor/model.ts';
import { usePosting } from './editor/posting.ts';
import { Settlement } from './editor/Settlement.tsx';
import { Charges, Tenders } from './editor/SmallLists.tsx';
import { type Stored, useHandOver, useSaving } from './editor/saving.ts';
import { settles, takesTenders } from './editor/settle.ts';
import { Totals } from './editor/Totals.tsx';
import { typedOf } from './editor/wire.ts';
import { useGoTo, usePlaces } from './places.ts';
import './views.css';

interface Opened {
  readonly model: Model;
  readonly stored: Stored;
  /** The document behind the id is posted: it is shown, not edited. */
  readonly posted: boolean;
}

/** What the address asks for: a stored draft (`id`), one continued or copied from a document (`from`), or a blank one. */
const openDraft = async (
  kind: KindName,
  session: Session,
  address: Readonly<Record<string, string>>,
): Promise<Opened> => {
  const { id, from, copy } = address;
  if (id) {
    const view = await api.GetTransactionDetailForInvoice({ TransactionId: id });
    return {
      model: createModel(kind, session, typedOf(kind, view.body)),
      stored: { id, version: view.version },
      posted: !view.draft,
    };
  }
  if (!from) return { model: createModel(kind, session), stored: {}, posted: false };
  const { draft, facts } = await api.GetConversion({ from, kind, ...(copy && { copy: true }) });
  const typed = typedOf(kind, draft);
  const number = typeof facts['number'] === 'string' ? facts['number'] : '';
  const model = createModel(kind, session, { ...typed, head: { ...typed.head, _against: number } });
  model.facts.learn(facts);
  return { model, stored: {}, posted: false };
};

/** One editor for every kind: the kind's row says which fields stand on it, the domain what they add up to. */
export function DocumentEditor({ kind, quick }: { readonly kind: KindName; readonly quick?: true }) {
  const session = useSession();
  const address = useAddress();
  const places = usePlaces();
  const goTo = useGoTo();
  const [round, setRound] = useState(0);
  useHandOver();
  const asked = `${address['id'] ?? ''}/${address['from'] ?? ''}/${address['copy'] ?? ''}/${round}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['editor', session.organisation.code, kind, asked],
    queryFn: () => openDraft(kind, session, address),
    // An editor lives as long as its screen: it is never fetched again behind the person's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });
  const view = places(kind, 'documentView');
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  if (data.posted && view) {
    goTo(view, { id: address['id'] ?? '' }, true);
    return null;
  }
  return <Editing key={asked} opened={data} quick={quick === true} onNew={() => setRound(round + 1)} />;
}

function Editing({ opened, quick, onNew }: { readonly opened: Opened; readonly quick: boolean; onNew(): void }) {
  const { model, stored } = opened;
  const kind = kindOf(model.name);
  const places = usePlaces();
  const goTo = useGoTo();
  const saving = useSaving(model, stored);
  const { problems, error, busy, post } = usePosting(model, saving);
  const list = places(model.name, 'documentList');
  const view = places(model.name, 'documentView');
  const submit = async () => {
    const posted = await post();
    if (!posted) return;
    toast([`${kind.label} ${posted.number} is posted`, ...posted.warnings].join('. '));
    if (view) goTo(view, { id: posted.id });
    else if (list) goTo(list);
    else onNew();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  const keep = () => void saving.save();
  useKeys({ 'ctrl+s': keep, 'ctrl+enter': () => void submit() });
  const side = useMemo(() => settles(kind), [kind]);
  const priced = kind.lines === 'items' || kind.lines === 'expenses' || kind.lines === 'stock';
  return (
    <>
      <Page narrow>
        <PageHead
          title={stored.id ? `${kind.label}: draft` : `New ${kind.label.toLowerCase()}`}
          beside={<Badge word="Draft" />}
          actions={<SaveNote saving={saving} />}
        />
        {error != null && <ErrorPanel error={error} />}
        <form
          ref={form}
          className="editor"
          aria-label={kind.label}
          onKeyDown={nextOnEnter}
          onSubmit={(event) => event.preventDefault()}
        >
          <Head model={model} problems={problems} quick={quick} />
          <Lines model={model} problems={problems} quick={quick} />
          {side && <Settlement model={model} side={side} problems={problems} />}
          {kind.lines === 'items' && !quick && !kind.pricedFromSource && <Charges model={model} problems={problems} />}
          {takesTenders(kind) && <Tenders model={model} problems={problems} />}
          <Foot model={model} problems={problems} quick={quick} />
          {priced && <Totals model={model} quick={quick} />}
        </form>
      </Page>
      <Actions
        model={model}
        busy={busy}
        onPost={() => void submit()}
        onDraft={keep}
        onCancel={() => (list ? goTo(list) : window.history.back())}
      />
    </>
  );
}

/** Enter in a field of the head goes on to the next control; the grid has its own keys, Ctrl Enter posts. */
const nextOnEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  const { target } = event;
  if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
  if (
    !(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) ||
    target.dataset['row'] !== undefined
  )
    return;
  const controls = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      'input:not([disabled]):not([type=hidden]), select:not([disabled]), textarea',
    ),
  ];
  const next = controls[controls.indexOf(target) + (event.shiftKey ? -1 : 1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
};
