import { irnReasons } from '../../domain/tax/gst/portal/portal-codes.ts';
import { showMoment } from '../kit/format.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { adviceOn } from './advice.ts';
import { CancelAtPortal } from './CancelAtPortal.tsx';
import { dayAfter } from './portalTime.ts';

interface Props {
  readonly id: string;
  readonly number: string;
  readonly ackDate: string | null;
  onClose(): void;
}

/** Cancels an IRN at the portal: within 24 hours of its acknowledgement, with a reason of the portal's list. */
export function CancelIrn({ id, number, ackDate, onClose }: Props) {
  const { format } = useDateFormat();
  const until = ackDate ? `: until ${showMoment(dayAfter(ackDate), format)}` : '';
  return (
    <CancelAtPortal
      title={t('Cancel the IRN of {{number}}?', { number })}
      keep={t('Keep the IRN')}
      cancel={t('Cancel IRN')}
      meaning={t(
        'The portal takes this only within 24 hours of the acknowledgement{{until}}. The number can never be registered again. In ' +
          'the books the document stays until it is cancelled there.',
        { until },
      )}
      reasons={irnReasons}
      longest={100}
      done={t('The IRN of {{number}} is cancelled', { number })}
      advice={({ message }) => adviceOn(/\b\d{4}\b/.exec(message)?.[0])?.says}
      send={(reason, remark) => api.CancelIRNNumber({ id, reason, remark })}
      onClose={onClose}
    />
  );
}
