import { useState } from 'react';
import { parseDecimal } from '../../../domain/base/decimal.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { Button } from '../../kit/Button.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { Checkbox, TextField } from '../../kit/fields/fields.tsx';
import { plainNumber } from '../../kit/format.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';
import { useMayDo } from '../places.ts';

type Line = Shown['lines'][number];

/** Lines with something left that is waited for. */
export const waiting = (line: Line) => line.closed === null && (parseDecimal(line.openQuantity, 6) ?? 0) > 0;

/** Gives up what is left of an order, or asks for it again: for those who approve. */
export function Closing({ document, kind }: { readonly document: Shown; readonly kind: Kind }) {
  const mayDo = useMayDo();
  const [asking, setAsking] = useState<'close' | 'reopen' | null>(null);
  if (kind.life.cycle !== 'ordered' || document.draft || document.cancelled || !mayDo(document.kind, 'approve'))
    return null;
  const lines = document.lines.filter(waiting);
  const closed = document.lines.filter((line) => line.closed !== null);
  return (
    <>
      {closed.length > 0 && <Button onClick={() => setAsking('reopen')}>{t('Reopen')}</Button>}
      {lines.length > 0 && document.status !== 'fulfilled' && (
        <Button onClick={() => setAsking('close')}>{t('Close order')}</Button>
      )}
      {asking && (
        <ClosingDialog
          document={document}
          closes={asking === 'close'}
          lines={asking === 'close' ? lines : closed}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** All lines are meant at first; who means some takes the others out. */
function ClosingDialog({
  document,
  closes,
  lines,
  onClose,
}: {
  readonly document: Shown;
  readonly closes: boolean;
  readonly lines: readonly Line[];
  onClose(): void;
}) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [reason, setReason] = useState('');
  const meant = lines.filter((line) => !left.has(line.number));
  const run = async () => {
    const input = {
      TransactionId: document.id,
      reason: reason.trim(),
      ...(left.size > 0 && { lines: meant.map((line) => line.number) }),
    };
    await (closes ? api.CloseOrder(input) : api.ReopenOrder(input));
    toast(
      t('{{number}} is {{closes}}', {
        number: document.number,
        closes: closes ? (left.size > 0 ? t('closed in part') : t('closed')) : t('open again'),
      }),
    );
  };
  const toggle = (line: number, on: boolean) => {
    const next = new Set(left);
    if (on) next.delete(line);
    else next.add(line);
    setLeft(next);
  };
  return (
    <FormDialog
      title={
        closes
          ? t('Close {{number}}?', { number: document.number })
          : t('Reopen {{number}}?', { number: document.number })
      }
      holds={{ reason, lines: [...left] }}
      verb={closes ? t('Close order') : t('Reopen')}
      keep={t('Keep as it is')}
      ready={meant.length > 0}
      check={() =>
        closes && reason.trim() === '' ? [{ field: 'reason', message: t('Say why the rest is given up') }] : []
      }
      save={run}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>
            {closes
              ? t(
                  'The rest is closed: no more documents are made from it, and its stock is no longer reserved. Completed parts stay.',
                )
              : t('The closed part is open again, and its stock is reserved again.')}
          </p>
          <TextField
            label={t('Reason')}
            required={closes}
            value={reason}
            onChange={setReason}
            maxLength={200}
            error={at('reason')}
          />
          {lines.length > 1 && (
            <fieldset className="stack checks">
              <legend className="field-label">{t('Lines')}</legend>
              {lines.map((line) => (
                <Checkbox
                  key={line.number}
                  label={`${line.number}. ${line.description}`}
                  help={
                    closes
                      ? t('{{openQuantity}} {{unit}} left', {
                          openQuantity: plainNumber(line.openQuantity),
                          unit: line.unit,
                        })
                      : (line.closed ?? '')
                  }
                  checked={!left.has(line.number)}
                  onChange={(on) => toggle(line.number, on)}
                />
              ))}
            </fieldset>
          )}
        </>
      )}
    </FormDialog>
  );
}
