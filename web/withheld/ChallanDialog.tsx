import { useEffect, useRef, useState } from 'react';
import { monthInWords } from '../../domain/base/dates.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import type { MajorHead, Withholding } from '../../domain/facts/deposits.ts';
import { type At, FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { useReasons } from '../kit/dialog/useReasons.tsx';
import { AmountInput } from '../kit/fields/AmountInput.tsx';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { DateField, MoneyField, SelectField, TextField } from '../kit/fields/fields.tsx';
import { money, rupees } from '../kit/format.ts';
import { figures, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { saidWith } from '../kit/saidWith.ts';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { usePick } from '../views/editor/searches.ts';
import { addMoney } from '../views/editor/wire.ts';
import { useDeductions } from './Deductions.tsx';
import {
  type Amounts,
  amountsFor,
  type Deduction,
  headChoices,
  headOfMost,
  interestOn,
  type Month,
  usePlace,
  words,
} from './tax.ts';

interface Typed {
  readonly date: string;
  readonly bsr: string;
  readonly serial: string;
  readonly head: MajorHead;
  readonly interest: string;
  readonly fee: string;
}

interface ChallanProps {
  readonly tax: Withholding;
  readonly row: Month;
  onClose(): void;
}

/** A challan for a month of a section, filled with what is due: what was paid is typed from the receipt of the bank. */
export function ChallanDialog({ tax, row, onClose }: ChallanProps) {
  // an attempt without an answer is repeated under its own key
  const { dialog: reasons, reasoned } = useReasons(t('Post challan'));
  const attempt = useRef({ text: '', key: '' });
  const place = usePlace();
  const challan = useChallan(tax, row);
  const { typed, bank, interest, parts } = challan;
  const save = async () => {
    const { date, bsr, serial, head, fee } = typed;
    const asked = { tax, section: row.section, head, date, bsr, serial, ...place, moneyLedger: bank?.id ?? '', parts };
    const beside = { ...(interest && { interest }), ...(fee && { fee }) };
    const input = { ...asked, ...beside };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    const { key } = attempt.current;
    const made = await reasoned((given) => api.PostTaxChallan({ ...input, ...given }, key));
    toast(saidWith(t('{{number}} posted', { number: made.TransactionNumber }), made.warnings));
  };
  return (
    <>
      <FormDialog
        width={880}
        title={t('Pay {{short}} {{section}}, {{month}}', {
          short: words[tax].short,
          section: row.section,
          month: monthInWords(row.month),
        })}
        holds={{
          ...typed,
          interest,
          moneyLedger: bank?.id,
          parts: parts.map((part) => ({ key: part.document, ...part })),
        }}
        verb={t('Post challan')}
        check={() => [
          ...(bank ? [] : [{ field: 'moneyLedger', message: t('Choose the bank that paid it') }]),
          ...(parts.length > 0 ? [] : [{ field: 'parts', message: t('Enter the part that is paid') }]),
        ]}
        save={save}
        onClose={onClose}
      >
        {(problem) => (
          <>
            <ChallanFields tax={tax} challan={challan} at={problem} />
            {challan.deductions.length === 0 ? (
              <Skeleton rows={3} />
            ) : (
              <Parts
                rows={challan.open}
                amounts={challan.amounts}
                at={problem}
                named={parts.map(({ document }) => document)}
                onChange={challan.setAmount}
              />
            )}
            <Paid challan={challan} />
          </>
        )}
      </FormDialog>
      {reasons}
    </>
  );
}

/** What is typed into a challan: first what is due, and the interest of the law until somebody types another. */
function useChallan(tax: Withholding, row: Month) {
  const { today } = useSession();
  const { data: deductions = [] } = useDeductions(tax, row);
  const [bank, setBank] = useState<Option | null>(null);
  const [typed, setTyped] = useState<Typed>({ date: today, bsr: '', serial: '', head: '0020', interest: '', fee: '' });
  const [amounts, setAmounts] = useState<Amounts>({});
  // somebody who typed the interest knows better
  const [byHand, setByHand] = useState(false);
  const type = (more: Partial<Typed>) => setTyped((before) => ({ ...before, ...more }));
  const filled = useRef(false);
  useEffect(() => {
    if (filled.current || deductions.length === 0) return;
    filled.current = true;
    const head = headOfMost(deductions);
    setTyped((before) => ({ ...before, head }));
    setAmounts(amountsFor(deductions, head));
  }, [deductions]);
  const open = deductions.filter(({ left }) => left !== '0.00');
  const late = interestOn(tax, open, amounts, typed.date);
  return {
    ...{ deductions, open, typed, type, bank, setBank, amounts },
    interest: byHand ? typed.interest : late > 0 ? moneyText(late) : '',
    /** The interest is that of the law. */
    isWorkedOut: !byHand && late > 0,
    parts: open.flatMap(({ document }) => (amounts[document] ? [{ document, amount: amounts[document] }] : [])),
    setAmount: (document: string, amount: string) => setAmounts((before) => ({ ...before, [document]: amount })),
    setHead: (head: MajorHead) => {
      type({ head });
      setAmounts(amountsFor(deductions, head));
    },
    setInterest: (interest: string) => {
      setByHand(true);
      type({ interest });
    },
  };
}
type Challan = ReturnType<typeof useChallan>;

interface FieldsProps {
  readonly tax: Withholding;
  readonly challan: Challan;
  readonly at: At;
}

function ChallanFields({ tax, challan, at: problem }: FieldsProps) {
  const { format } = useDateFormat();
  const banks = usePick('moneyLedger');
  const at = (name: keyof Typed) => ({
    value: challan.typed[name],
    onChange: (value: string) => challan.type({ [name]: value }),
    error: problem(name),
  });
  return (
    <div className="fields">
      <DateField label={t('Paid on')} required format={format} {...at('date')} />
      <TextField label={t('BSR code')} maxLength={7} placeholder={t('Seven digits')} {...at('bsr')} />
      <TextField
        label={t('Challan serial')}
        maxLength={5}
        placeholder={t('Five digits')}
        help={t('Both can follow later')}
        {...at('serial')}
      />
      <SelectField
        label={`${words[tax].party}s`}
        choices={headChoices}
        {...at('head')}
        onChange={(head) => challan.setHead(head as MajorHead)}
      />
      <ComboboxField
        label={t('Paid from')}
        required
        span={2}
        value={challan.bank}
        onChange={challan.setBank}
        search={banks}
        error={problem('moneyLedger')}
      />
      <MoneyField
        label={t('Interest (₹)')}
        {...at('interest')}
        value={challan.interest}
        onChange={challan.setInterest}
        help={challan.isWorkedOut ? t('For each month or part, from the day it was withheld') : undefined}
      />
      <MoneyField label={t('Late fee (₹)')} {...at('fee')} />
    </div>
  );
}

/** What the challan comes to. */
function Paid({ challan: { amounts, interest, typed } }: { readonly challan: Challan }) {
  const paid = addMoney(Object.values(amounts));
  const whole = addMoney([moneyText(paid), interest, typed.fee]);
  return (
    <p role="status">
      {t('{{paid}} tax', { paid: rupees(moneyText(paid)) })}
      {whole !== paid && `, ${t('{{whole}} with interest and fee', { whole: rupees(moneyText(whole)) })}`}
    </p>
  );
}

/** What of each deduction is paid. Problems count only what is named. */
function Parts({
  rows,
  amounts,
  at,
  named,
  onChange,
}: {
  readonly rows: readonly Deduction[];
  readonly amounts: Amounts;
  readonly at: At;
  readonly named: readonly string[];
  onChange(document: string, amount: string): void;
}) {
  const { show } = useDateFormat();
  const whole = named.length === 0 ? at('parts') : undefined;
  return (
    <>
      <ScrollX label={t('Deductions')}>
        <table className="plain-table">
          <TableHead columns={[t('Document'), figures(t('Due (₹)')), figures(t('Pay (₹)'))]} />
          <tbody>
            {rows.map((row) => {
              const place = named.indexOf(row.document);
              const wrong = place >= 0 ? at('parts', place) : undefined;
              return (
                <tr key={row.document}>
                  <td className="wrap">
                    <span className="one-line">{row.number}</span> <span className="one-line">{show(row.date)}</span>
                    <span className="sheet-note">
                      {t('{{party}}, {{pan}}, head {{head}}', {
                        party: row.party,
                        pan: row.pan ? t('PAN {{pan}}', { pan: row.pan }) : t('PAN not known'),
                        head: row.head,
                      })}
                    </span>
                    {wrong && <span className="field-error">{wrong}</span>}
                  </td>
                  <td className="num">{money(row.left)}</td>
                  <td className="num">
                    <AmountInput
                      aria-label={t('Pay {{number}}', { number: row.number })}
                      aria-invalid={wrong ? true : undefined}
                      value={amounts[row.document] ?? ''}
                      onChange={(text) => onChange(row.document, text)}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollX>
      {whole && <p className="field-error">{whole}</p>}
    </>
  );
}
