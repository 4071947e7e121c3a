import { useRef, useState } from 'react';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import { irnReasons } from '../../domain/tax/gst/portal/portal-codes.ts';
import { Checkbox } from '../kit/fields/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { adviceOn } from './advice.ts';
import { CancelAtPortal } from './CancelAtPortal.tsx';
import { dayAfter } from './portalTime.ts';

interface Props {
  readonly id: string;
  readonly kind: string;
  readonly number: string;
  readonly ackDate: string | null;
  onClose(): void;
}

/**
 * Cancels an IRN at the portal: within 24 hours of its acknowledgement, with a reason of the portal's list. The document goes in
 * the same step: without its IRN it is no invoice (rule 48(5)).
 */
export function CancelIrn({ id, kind, number, ackDate, onClose }: Props) {
  const { format } = useDateFormat();
  const [isWhole, setIsWhole] = useState(true);
  // where the document is refused after its IRN, it alone is tried again
  const isGone = useRef(false);
  const cancel = async (reason: (typeof irnReasons)[number][0], remark: string) => {
    if (!isGone.current) await api.CancelIRNNumber({ id, reason, remark });
    isGone.current = true;
    if (!isWhole) return;
    await api.CancelTransaction(
      { TransactionIds: [id], TransactionType: kindCalled(kind)?.code ?? '', reason: remark },
      newKey(),
    );
  };
  const until = ackDate ? `: until ${showMoment(dayAfter(ackDate), format)}` : '';
  return (
    <CancelAtPortal
      title={t('Cancel the IRN of {{number}}?', { number })}
      keep={t('Keep the IRN')}
      cancel={t('Cancel IRN')}
      meaning={t(
        'The portal takes this only within 24 hours of the acknowledgement{{until}}. The number can never be registered again.',
        { until },
      )}
      reasons={irnReasons}
      longest={100}
      done={
        isWhole
          ? t('{{number}} and its IRN are cancelled', { number })
          : t('The IRN of {{number}} is cancelled', { number })
      }
      more={
        <Checkbox
          label={t('Cancel the document too')}
          checked={isWhole}
          onChange={setIsWhole}
          help={t(
            'Without its IRN it is no invoice. Until it is cancelled nothing can refer to it, and no return of its period can be ' +
              'marked as filed.',
          )}
        />
      }
      advice={({ message }) => adviceOn(/\b\d{4}\b/.exec(message)?.[0])?.says}
      send={cancel}
      onClose={onClose}
    />
  );
}
