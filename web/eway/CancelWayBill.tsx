import { wayCancelReasons } from '../../domain/tax/gst/portal/portal-codes.ts';
import { CancelAtPortal } from '../einvoice/CancelAtPortal.tsx';
import { dayAfter } from '../einvoice/portalTime.ts';
import { showMoment } from '../kit/format.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { adviceOn, type WayBillFacts } from './states.ts';

interface Props {
  readonly id: string;
  readonly bill: WayBillFacts;
  onClose(): void;
}

/** Cancels an e-way bill at the portal: within 24 hours of its making, with a reason of the portal's list. */
export function CancelWayBill({ id, bill, onClose }: Props) {
  const { format } = useDateFormat();
  const until = bill.madeAt ? `: until ${showMoment(dayAfter(bill.madeAt), format)}` : '';
  return (
    <CancelAtPortal
      title={t('Cancel e-way bill {{number}}?', { number: bill.number })}
      keep={t('Keep it')}
      cancel={t('Cancel e-way bill')}
      meaning={t(
        'The portal takes this only within 24 hours of its making{{until}}. The goods may then not move with it; another one can be made.',
        { until },
      )}
      reasons={wayCancelReasons}
      longest={50}
      done={t('E-way bill {{number}} is cancelled', { number: bill.number })}
      advice={({ message }) => adviceOn(/\b\d{3,4}\b/.exec(message)?.[0])?.says}
      send={(reason, remark) => api.CancelEwayBills({ ids: [id], reason, remark })}
      onClose={onClose}
    />
  );
}
