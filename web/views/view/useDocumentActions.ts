import { ownScreen } from '../../../contract/screens.ts';
import { mayRecur } from '../../../domain/books/recurring.ts';
import { kindNames, kindOf, mayBeCopied, settlesOthers } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import type { Action } from '../../kit/actions.tsx';
import { inSentence } from '../../kit/format.ts';
import { useGo } from '../../kit/navigation.tsx';
import { useMayOpen, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';
import { useGoTo, useMayDo, usePlaces } from '../places.ts';

/** The kind of document that undoes one of this kind, a returned cheque for a receipt. */
export const undoingOf = (kind: string) => kindNames.find((name) => kindOf(name).source.reverses === kind);

/** A document that is posted and not cancelled. */
export const isInForce = ({ draft, cancelled }: Pick<Shown, 'draft' | 'cancelled'>): boolean => !draft && !cancelled;

/** What can be done with a document, in the order of its buttons. */
export interface DocumentActions {
  readonly own: readonly Action[];
  /** What undoes it, drawn behind closing an order. */
  readonly undo: Action;
  /** A new document of the kind, drawn last; its key works where the button gives way to the next step. */
  readonly blank: Action;
}

export function useDocumentActions(
  document: Shown,
  kind: Kind,
  { mayMail, mail, ask }: { readonly mayMail: boolean; mail(): void; ask(dialog: 'print' | 'cancel' | 'bounce'): void },
): DocumentActions {
  const places = usePlaces();
  const goTo = useGoTo();
  const go = useGo();
  const mayOpen = useMayOpen();
  const mayDo = useMayDo();
  const { settings } = useSession();
  const editor = kind.life.system || kind.source.reverses ? undefined : places(document.kind, 'documentEditor');
  const edit = (query?: Readonly<Record<string, string>>) => editor && goTo(editor, query);
  const inForce = isInForce(document);
  const recurring = ownScreen('recurringBills');
  const undoing = undoingOf(document.kind);
  const { party } = document;
  return {
    own: [
      {
        label: t('Open draft'),
        look: 'primary',
        offered: document.draft && document.approval?.state !== 'requested' && editor !== undefined,
        run: () => edit({ id: document.id }),
      },
      {
        label: t('Print'),
        hotkey: 'alt+p',
        offered: !document.draft && kind.paper.form !== 'none',
        run: () => ask('print'),
      },
      {
        // what came in is labelled before it goes to stock
        label: t('Labels'),
        offered: inForce && settings.enableBarCode && bringsGoods(kind) && mayOpen('BarcodeList'),
        run: () => go('BarcodeList', { from: document.id }),
      },
      { label: t('Mail'), hotkey: 'alt+m', offered: mayMail, run: mail },
      {
        label: t('Copy'),
        hotkey: 'alt+2',
        offered: editor !== undefined && !document.draft && mayBeCopied(kind),
        run: () => edit({ from: document.id, copy: 'true' }),
      },
      {
        label: t('Repeat'),
        offered: editor !== undefined && inForce && mayRecur(kind) && recurring !== undefined && mayOpen(recurring),
        run: () => recurring && go(recurring, { from: document.id }),
      },
      {
        label: t('Cancel document'),
        look: 'danger',
        hotkey: 'alt+x',
        offered: inForce && !kind.life.system && mayDo(document.kind, 'approve'),
        run: () => ask('cancel'),
      },
      {
        label: t('Settle'),
        offered: inForce && Boolean(party) && settlesOthers(kind) && mayOpen('UseCreditView'),
        run: () => go('UseCreditView', { party: party?.id ?? '', name: party?.name ?? '', credit: document.id }),
      },
    ],
    undo: {
      label: t('Cheque returned'),
      offered:
        inForce &&
        editor !== undefined &&
        undoing !== undefined &&
        !document.links.some((link) => link.kind === undoing),
      run: () => ask('bounce'),
    },
    blank: {
      label: t('New {{label}}', { label: inSentence(t(kind.label)) }),
      hotkey: 'alt+n',
      offered: editor !== undefined,
      run: () => edit(),
    },
  };
}

const bringsGoods = ({ stock }: Kind): boolean => stock.effect === 'in' || stock.effect === 'transferIn';
