import type { ReactNode } from 'react';
import { toastError } from '../../kit/dialog/toast.tsx';
import { showMoment } from '../../kit/format.ts';
import { useDateFormat } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { BillsDialog } from '../bills/BillsDialog.tsx';
import type { KeptBill } from '../bills/billStore.ts';
import type { Paper } from '../bills/numbering.ts';
import type { Cart } from '../cart/cart.ts';
import type { Bill } from '../cart/useBill.ts';
import type { OpenTill } from '../counter.ts';
import { CloseTill, Figures } from '../session/Figures.tsx';
import { MoveCash } from '../session/MoveCash.tsx';
import { HoldDialog, RecallDialog } from './HeldDialogs.tsx';
import { ReturnDialog } from './ReturnDialog.tsx';

interface DialogProps {
  readonly till: OpenTill;
  readonly bill: Bill;
  readonly bills: readonly KeptBill[];
  /** The bill whose goods come back, when it is known. */
  readonly returned: string | null;
  onReturn(bill: string | null): void;
  onPrint(bill: KeptBill): void;
  onPrintPaper(paper: Paper): void;
  onLeave(): void;
  onClose(): void;
}

function Hold({ bill: { cart, hold }, onClose }: DialogProps) {
  const { format } = useDateFormat();
  return (
    <HoldDialog
      suggested={
        cart.party?.name ||
        cart.name ||
        t('Bill of {{moment}}', { moment: showMoment(new Date().toISOString(), format) })
      }
      onHold={(name) => {
        void hold(name).catch(toastError);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function Recall({ bill: { held, recall }, onClose }: DialogProps) {
  return (
    <RecallDialog
      held={held}
      onRecall={(one) => {
        void recall(one).catch(toastError);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function Bills({ till, bill, bills, onPrint, onReturn, onClose }: DialogProps) {
  return (
    <BillsDialog
      bills={bills}
      till={till}
      session={till.session.id}
      onPrint={onPrint}
      onReturn={({ id }) => onReturn(id ?? null)}
      onMend={(refused) => {
        onClose();
        bill.replace({ ...(refused.cart as Cart), instead: refused.key }, 'Put aside to mend a bill');
      }}
      onClose={onClose}
    />
  );
}

function Return({ bill, returned, onPrintPaper, onClose }: DialogProps) {
  return (
    <ReturnDialog
      counter={bill.counter}
      from={returned}
      onPrint={(paper) => onPrintPaper({ ...paper, warning: null })}
      onClose={onClose}
    />
  );
}

const isUnsent = ({ state }: KeptBill): boolean => state === 'waiting' || state === 'refused';

function Close({ till, bills, onLeave, onClose }: DialogProps) {
  return (
    <CloseTill
      session={till.session.id}
      name={till.name}
      waiting={bills.filter((one) => one.session === till.session.id && isUnsent(one)).length}
      onClosed={onLeave}
      onClose={onClose}
    />
  );
}

const dialogs = {
  hold: Hold,
  recall: Recall,
  bills: Bills,
  return: Return,
  cash: ({ till, onClose }) => <MoveCash session={till.session.id} onClose={onClose} />,
  figures: ({ till, onClose }) => <Figures session={till.session.id} onClose={onClose} />,
  close: Close,
} as const satisfies Readonly<Record<string, (props: DialogProps) => ReactNode>>;
export type DialogName = keyof typeof dialogs;

/** The dialog that is open at the till. */
export function SellingDialog({ name, ...props }: DialogProps & { readonly name: DialogName }) {
  const Opened = dialogs[name];
  return <Opened {...props} />;
}
