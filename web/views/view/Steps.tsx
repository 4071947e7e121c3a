import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';

/** The steps of a document's life, with the one it stands at. */
export const stepsOf = (
  document: Pick<Shown, 'draft' | 'status' | 'cancelled' | 'links' | 'einvoice' | 'open'>,
  kind: Kind,
): { readonly steps: readonly string[]; readonly at: number } => {
  if (document.cancelled) return { steps: [t('Draft'), t('Posted'), t('Cancelled')], at: 2 };
  // what was paid at the till has nothing left to settle
  const settled = kind.books.opens !== undefined && !(kind.life.till && document.open === null);
  const steps = [
    t('Draft'),
    kind.life.cycle === 'ordered' ? t('Open') : t('Posted'),
    ...(kind.gst.irp && document.einvoice ? ['E-invoice'] : []),
    ...(settled
      ? [t('Settled')]
      : kind.life.cycle !== 'posted'
        ? [document.status === 'closed' ? t('Closed') : t('Fulfilled')]
        : []),
  ];
  if (document.draft) return { steps, at: 0 };
  if (document.status === 'paid' || document.status === 'fulfilled' || document.status === 'closed')
    return { steps, at: steps.length - 1 };
  const registered = document.einvoice?.state === 'registered';
  return { steps, at: registered ? 2 : 1 };
};

export function Steps({ document, kind }: { readonly document: Shown; readonly kind: Kind }) {
  const { steps, at } = stepsOf(document, kind);
  return (
    <ol className="steps" aria-label={t('Status')}>
      {steps.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
          {t(step)}
        </li>
      ))}
    </ol>
  );
}
