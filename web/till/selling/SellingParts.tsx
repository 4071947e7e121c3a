import { Button } from '../../kit/Button.tsx';
import { rupees } from '../../kit/format.ts';
import type { Problem } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';
import type { KeptBill } from '../bills/billStore.ts';
import type { TillItems } from '../cart/items.ts';

/** The bill that was finished a moment ago: its number, its total, and the change to give. */
export function LastBill({ bill, onPrint }: { readonly bill: KeptBill; onPrint(): void }) {
  return (
    <div className="till-note" data-tone={bill.state === 'refused' ? 'bad' : 'ok'} role="status">
      <span>
        <b>{bill.number}</b> · {rupees(bill.receipt.total)}
        {bill.receipt.paid
          .filter(({ label }) => label === 'Change')
          .map(({ amount }) => ` · ${t('change {{amount}}', { amount: rupees(amount) })}`)}
        {bill.state === 'waiting' && ` · ${t('sent to the books as soon as they can be reached')}`}
        {bill.state === 'refused' && ` · ${bill.why ?? ''}`}
      </span>
      <Button onClick={onPrint} title={t('Alt P')}>
        {t('Print receipt')}
      </Button>
    </div>
  );
}

/** How many items can be scanned here, and whether the browser keeps what waits. */
export function ItemsHere({ stock, mayLose }: { readonly stock: TillItems; readonly mayLose: boolean }) {
  return (
    <p className="muted till-foot">
      {t('{{items}} items are here to be scanned without the network.', {
        items: (stock.items?.length ?? 0).toLocaleString('en-IN'),
      })}{' '}
      <Button look="subtle" busy={stock.isFetching} onClick={() => void stock.refetch()}>
        {t('Fetch prices again')}
      </Button>
      {mayLose && (
        <span>
          {t(
            'This browser does not promise to keep bills that wait: allow it to store data for this site, or add it to the home screen.',
          )}
        </span>
      )}
    </p>
  );
}

const fieldsOfPayment = ['cash', 'card', 'upi', 'onAccount', 'discount', 'party', 'partyName'];
const hasField = ({ field }: Problem): boolean => fieldsOfPayment.includes(field) || field.startsWith('billTo.');

/** What is wrong with the bill as a whole, where no field of the payment says it. */
export function BillProblem({ problems }: { readonly problems: readonly Problem[] }) {
  const ofBill = problems.filter(({ row }) => row === undefined);
  return ofBill.every(hasField) ? null : (
    <p role="alert" className="field-error">
      {ofBill[0]?.message}
    </p>
  );
}
