import { useEffect, useState } from 'react';
import { moneyText } from '../../../../domain/base/decimal.ts';
import { Button } from '../../../kit/Button.tsx';
import { inCurrency, inSentence, money, rupees } from '../../../kit/format.ts';
import { useRows } from '../../../kit/grid/rowStore.ts';
import { ActionBar, type Figure } from '../../../kit/parts.tsx';
import { plural, t } from '../../../kit/text.ts';
import { type Model, useIsPlain, useWholeHead } from '../model.ts';
import type { Saving } from '../saving/saving.ts';
import { journalSums, taxOf, totalLabel, usePriced } from '../totals.ts';
import { addMoney } from '../wire.ts';

interface Props {
  readonly model: Model;
  readonly busy: boolean;
  /** Somebody else posts it. */
  readonly waits: boolean;
  onPost(): void;
  onDraft(): void;
  onCancel(): void;
}

/** The bar at the bottom: what it comes to, and Cancel, Save as draft and the one primary button. */
export function Actions(props: Props) {
  const { kind } = props.model;
  if (kind.lines.of === 'ledgers') return <JournalActions {...props} />;
  return kind.lines.of === 'none' ? <MoneyActions {...props} /> : <PricedActions {...props} />;
}

function PricedActions(props: Props) {
  const priced = usePriced(props.model);
  const plain = useIsPlain(props.model);
  const taxed = props.model.kind.gst.tax !== 'none' && !plain && !priced?.atCost;
  const figures: readonly Figure[] = priced
    ? [
        ...(taxed
          ? [
              { label: t('Taxable'), value: money(moneyText(priced.taxable)) },
              { label: t('Tax'), value: money(moneyText(taxOf(priced))) },
            ]
          : []),
        { label: totalLabel(priced), value: rupees(moneyText(priced.total)), grand: true },
      ]
    : [];
  return <Bar {...props} figures={figures} />;
}

function JournalActions(props: Props) {
  useRows(props.model.lines);
  const { debit, credit, difference } = journalSums(props.model);
  const figures: readonly Figure[] = [
    { label: t('Debit'), value: money(debit) },
    { label: t('Credit'), value: money(credit) },
    { label: t('Difference'), value: rupees(difference), grand: true },
  ];
  return <Bar {...props} figures={figures} />;
}

function MoneyActions(props: Props) {
  const head = useWholeHead(props.model);
  // a bill of entry comes to its duties and tax
  const customs = props.model.kind.fields.includes('customs');
  const duties = addMoney(['basic', 'surcharge', 'igst'].map((name) => head[`customs.${name}`]));
  const value = customs ? rupees(moneyText(duties)) : inCurrency(head['amount'] || '0', head['currency'] ?? 'INR');
  return <Bar {...props} figures={[{ label: customs ? t('To customs') : t('Amount'), value, grand: true }]} />;
}

function Bar({
  model,
  busy,
  waits,
  onPost,
  onDraft,
  onCancel,
  figures,
}: Props & { readonly figures: readonly Figure[] }) {
  const verb = model.kind.life.cycle === 'ordered' ? t('Save') : t('Post');
  return (
    <ActionBar figures={figures}>
      <span className="wide-only">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
      </span>
      <Button onClick={onDraft} title={t('Ctrl S')}>
        {t('Save as draft')}
      </Button>
      <Button look="primary" busy={busy} onClick={onPost} title={t('Ctrl Enter')}>
        {waits ? t('Send for approval') : `${verb} ${inSentence(t(model.kind.label))}`}
      </Button>
    </ActionBar>
  );
}

const ago = (since: number): string => {
  const minutes = Math.floor((Date.now() - since) / 60_000);
  return minutes < 1 ? t('Saved just now') : plural(minutes, 'Saved 1 minute ago', 'Saved {{count}} minutes ago');
};

/** "Saved 2 minutes ago", "Unsaved changes", or where the draft is kept. */
export function SaveNote({ saving }: { readonly saving: Saving }) {
  const { state, savedAt, message } = saving;
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  const words = {
    new: '',
    changed: t('Unsaved changes'),
    saving: t('Saving'),
    saved: savedAt ? ago(savedAt) : t('Saved'),
    kept: t('Kept in this browser until the server can be reached'),
    refused: t('Not saved: {{message}}', { message }),
  }[state];
  return <span className={state === 'refused' ? 'field-error' : 'muted'}>{words}</span>;
}
