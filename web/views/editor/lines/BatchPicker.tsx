import { useState } from 'react';
import { parseDecimal, quantityText } from '../../../../domain/base/decimal.ts';
import type { Kind } from '../../../../domain/document/kinds/kind.ts';
import { batchesFrom, batchesText, wholeText } from '../../../../domain/stock/part-text.ts';
import { partName } from '../../../../domain/stock/parts.ts';
import { Button } from '../../../kit/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { NumberField } from '../../../kit/fields/fields.tsx';
import { nextOnEnter } from '../../../kit/fields/nextOnEnter.ts';
import { plainNumber } from '../../../kit/format.ts';
import type { LineRow } from '../../../kit/grid/rowStore.ts';
import { useDateFormat } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import type { KnownBatch } from '../facts.ts';
import { proposed } from '../model.ts';

const partList = (batches: readonly KnownBatch[]): string => batches.map(({ batch }) => batch).join(', ');

/** The batches of a line's item with what is left of each and when it expires; how much of which is typed beside it. */
export function BatchPicker({
  kind,
  row,
  batches,
  onPick,
  onClose,
}: {
  readonly kind: Kind;
  readonly row: LineRow;
  readonly batches: readonly KnownBatch[];
  onPick(text: string): void;
  onClose(): void;
}) {
  const { show } = useDateFormat();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      batchesFrom(row['batches'] ?? '', wholeText(row)).map(({ batch, quantity }) => [partName(batch), quantity]),
    ),
  );
  const wanted = parseDecimal(wholeText(row), 6) ?? 0;
  const taken = batches.reduce((total, { batch }) => total + (parseDecimal(typed[batch] || '0', 6) ?? 0), 0);
  const { parts, passed } = proposed(kind, batches, wanted);
  const propose = () =>
    setTyped(Object.fromEntries(parts.map(({ batch, quantity }) => [batch, quantityText(quantity)])));
  const pick = () =>
    onPick(
      batchesText(
        batches.flatMap(({ batch, expiry }) => {
          const quantity = typed[batch] ?? '';
          return (parseDecimal(quantity || '0', 6) ?? 0) === 0
            ? []
            : [{ batch, quantity, ...(expiry !== undefined && { expiry }) }];
        }),
      ),
    );
  return (
    <Dialog
      open
      title={t('Batches of {{item}}', { item: row['item'] })}
      onClose={onClose}
      onSave={pick}
      actions={
        <>
          <Button onClick={propose}>{t('Earliest expiry first')}</Button>
          <Button look="primary" onClick={pick}>
            {t('Take {{taken}} of {{wanted}}', {
              taken: plainNumber(quantityText(taken)),
              wanted: plainNumber(quantityText(wanted)),
            })}
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onKeyDown={(event) => nextOnEnter(event, () => null)}
        onSubmit={(event) => {
          event.preventDefault();
          pick();
        }}
      >
        {passed.length > 0 && (
          <p className="muted">
            {t('Earliest expiry first skips {{passed}}: too old to sell.', { passed: partList(passed) })}
          </p>
        )}
        {batches.map(({ batch, quantity, expiry, expired, short }) => (
          <NumberField
            key={batch}
            label={batch}
            places={6}
            value={typed[batch] ?? ''}
            onChange={(value) => setTyped((now) => ({ ...now, [batch]: value }))}
            help={[
              t('{{quantity}} left', { quantity: plainNumber(quantityText(quantity)) }),
              expiry !== undefined && `${expired ? 'expired' : 'expires'} ${show(expiry)}`,
              short && t('too few days left to sell'),
            ]
              .filter(Boolean)
              .join(', ')}
          />
        ))}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
