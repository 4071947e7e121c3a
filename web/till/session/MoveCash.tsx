import { useRef, useState } from 'react';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useReasons } from '../../kit/dialog/useReasons.tsx';
import { ComboboxField, type Option } from '../../kit/fields/Combobox.tsx';
import { MoneyField, TextField } from '../../kit/fields/fields.tsx';
import { parseAmount, rupees } from '../../kit/format.ts';
import { Segments } from '../../kit/parts.tsx';
import { saidWith } from '../../kit/saidWith.ts';
import { newKey, type Problem } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import { usePick } from '../../views/editor/searches.ts';

const directions = [
  { key: 'out', label: 'Take out' },
  { key: 'in', label: 'Put in' },
] as const;

/** Cash into the drawer or out of it beside bills: it is posted, and stands in the figures of the session. */
export function MoveCash({ session, onClose }: { readonly session: string; onClose(): void }) {
  const search = usePick('cashMovedLedger');
  const [direction, setDirection] = useState<'in' | 'out'>('out');
  const [amount, setAmount] = useState('');
  const [ledger, setLedger] = useState<Option | null>(null);
  const [reason, setReason] = useState('');
  const { dialog: reasons, reasoned } = useReasons(direction === 'in' ? t('Put in') : t('Take out'));
  const attempt = useRef({ text: '', key: '' });
  const typed = parseAmount(amount, 2);
  const check = (): readonly Problem[] => [
    ...(typed && Number(typed) > 0 ? [] : [{ field: 'amount', message: t('Enter an amount above zero') }]),
    ...(ledger ? [] : [{ field: 'ledger', message: t('Choose the ledger') }]),
    ...(reason.trim() ? [] : [{ field: 'reason', message: t('Enter the purpose') }]),
  ];
  const move = () => {
    const input = { session, direction, amount: typed ?? '', ledger: ledger?.id ?? '', reason: reason.trim() };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    const { key } = attempt.current;
    return reasoned((given) => api.MoveTillCash({ ...input, ...given }, key));
  };
  const done = ({ TransactionNumber, warnings }: Awaited<ReturnType<typeof move>>) => {
    toast(
      saidWith(
        `${rupees(typed ?? '0')} ${direction === 'in' ? t('put in') : t('taken out')}: ${TransactionNumber}`,
        warnings,
      ),
    );
    onClose();
  };
  return (
    <>
      <FormDialog
        title={t('Cash in or out')}
        holds={{ direction, amount, ledger: ledger?.id ?? '', reason }}
        verb={direction === 'in' ? t('Put in') : t('Take out')}
        check={check}
        save={move}
        onDone={done}
        onClose={onClose}
      >
        {(at) => (
          <>
            <Segments
              label={t('In or out')}
              choices={directions}
              current={direction}
              onChange={(key) => setDirection(key === 'in' ? 'in' : 'out')}
            />
            <MoneyField label={t('Amount')} name="amount" value={amount} error={at('amount')} onChange={setAmount} />
            <ComboboxField
              label={direction === 'in' ? t('From which ledger') : t('To which ledger')}
              name="ledger"
              value={ledger}
              search={search}
              help={t("Bank, petty expenses, the owner's account")}
              error={at('ledger')}
              onChange={setLedger}
            />
            <TextField
              label={t('What for')}
              name="reason"
              value={reason}
              maxLength={200}
              error={at('reason')}
              onChange={setReason}
            />
          </>
        )}
      </FormDialog>
      {reasons}
    </>
  );
}
