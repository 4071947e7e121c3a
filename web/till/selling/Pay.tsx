import type { KeyboardEvent, Ref } from 'react';
import { moneyText } from '../../../domain/base/decimal.ts';
import { sum } from '../../../domain/base/money.ts';
import { type TenderMode, tenderModes } from '../../../domain/till/till.ts';
import { Button } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import { rupees } from '../../kit/format.ts';
import { type Problem, problemAt } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';
import type { Cart, Summed } from '../cart/cart.ts';
import type { Counter } from '../counter.ts';
import { PaymentCode } from '../paper/ReceiptPaper.tsx';
import { modeName, upiLink } from '../paper/receipt.ts';
import { Buyer } from './Buyer.tsx';

/** Enter goes from field to field, past those that are disabled or folded away, from the last one to the button that finishes. */
const onward = (event: KeyboardEvent<HTMLElement>) => {
  if (event.key !== 'Enter' || event.ctrlKey || event.defaultPrevented) return;
  const { target } = event;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  event.preventDefault();
  const all = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(':is(input, select, [data-finish]):not([disabled])'),
  ].filter((each) => each === target || each.checkVisibility());
  const next = all[all.indexOf(target) + 1];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
};

interface PayProps {
  readonly cart: Cart;
  readonly counter: Counter;
  readonly summed: Summed | null;
  readonly problems: readonly Problem[];
  readonly busy: boolean;
  /** The fold of the customer. */
  readonly customer: Ref<HTMLDetailsElement>;
  /** The field of the cash received. */
  readonly cash: Ref<HTMLInputElement>;
  onChange(patch: Partial<Cart>): void;
  onFinish(): void;
}

/** Who buys, how it is paid, what comes back. */
export function Pay({ cart, counter, summed, problems, busy, customer, cash, onChange, onFinish }: PayProps) {
  const { till } = counter;
  const wanted = summed ? sum(summed.settled.tenders.filter((t) => t.mode === 'upi').map((t) => t.amount)) : 0;
  return (
    <section className="till-pay panel" aria-label={t('Payment')} onKeyDown={onward}>
      <Buyer cart={cart} counter={counter} summed={summed} problems={problems} fold={customer} onChange={onChange} />
      <Tenders cart={cart} problems={problems} cash={cash} onChange={onChange} />
      {till.upiId && wanted > 0 && (
        <PaymentCode link={upiLink(till.upiId, till.seller.legalName, moneyText(wanted))} amount={moneyText(wanted)} />
      )}
      <BillSums summed={summed} />
      <Button
        look="primary"
        data-finish
        busy={busy}
        disabled={cart.lines.length === 0}
        onClick={onFinish}
        title={t('Ctrl Enter')}
      >
        {t('Finish bill')}
      </Button>
    </section>
  );
}

/** How much is given in each way, and what is off the bill. */
function Tenders({ cart, problems, cash, onChange }: Pick<PayProps, 'cart' | 'problems' | 'cash' | 'onChange'>) {
  const given = (mode: TenderMode, text: string) => onChange({ given: { ...cart.given, [mode]: text } });
  return (
    <div className="fields fields-two">
      {tenderModes.map((mode) => (
        <TextField
          key={mode}
          label={mode === 'cash' ? t('Cash received') : modeName(mode)}
          name={mode}
          value={cart.given[mode]}
          error={problemAt(problems, mode)}
          {...(mode === 'cash' && { ref: cash, placeholder: t('Exact amount') })}
          onChange={(text) => given(mode, text)}
        />
      ))}
      <TextField
        label={t('On account')}
        name="onAccount"
        value={cart.onAccount}
        disabled={!cart.party}
        {...(!cart.party && { help: t('Choose the customer first') })}
        error={problemAt(problems, 'onAccount')}
        onChange={(onAccount) => onChange({ onAccount })}
      />
      {(cart.given.card !== '' || cart.given.upi !== '') && (
        <TextField
          label={t('Card or UPI reference')}
          value={cart.reference}
          maxLength={50}
          onChange={(reference) => onChange({ reference })}
        />
      )}
      <TextField
        label={t('Discount on the bill, %')}
        name="discount"
        value={cart.discount}
        error={problemAt(problems, 'discount')}
        onChange={(discount) => onChange({ discount: discount.trim() })}
      />
    </div>
  );
}

function BillSums({ summed }: { readonly summed: Summed | null }) {
  return (
    <dl className="sums till-sums">
      {summed && summed.priced.discount > 0 && (
        <div>
          <dt>{t('Discount')}</dt>
          <dd className="num">{rupees(moneyText(summed.priced.discount))}</dd>
        </div>
      )}
      <div data-grand>
        <dt>{t('To pay')}</dt>
        <dd className="num" data-total>
          {summed ? rupees(moneyText(summed.priced.payable)) : '–'}
        </dd>
      </div>
      {summed && summed.settled.left > 0 && (
        <div>
          <dt>{t('Still to be paid')}</dt>
          <dd className="num">{rupees(moneyText(summed.settled.left))}</dd>
        </div>
      )}
      {summed && summed.settled.change > 0 && (
        <div data-grand>
          <dt>{t('Change')}</dt>
          <dd className="num">{rupees(moneyText(summed.settled.change))}</dd>
        </div>
      )}
    </dl>
  );
}
