import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { WayName } from '../../domain/banking/bank-matching.ts';
import { moneyText, parseDecimal } from '../../domain/base/decimal.ts';
import { tdsChoices } from '../../domain/tax/withheld.ts';
import { Button } from '../kit/Button.tsx';
import type { At } from '../kit/dialog/FormDialog.tsx';
import { AmountInput } from '../kit/fields/AmountInput.tsx';
import { MoneyField, SelectField } from '../kit/fields/fields.tsx';
import { inCurrency, money } from '../kit/format.ts';
import { figures, ScrollX, TableHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { oldestFirst } from '../views/editor/settlement/settle.ts';
import { addMoney, itemName, percentOf } from '../views/editor/wire.ts';
import { type Line, unitOf } from './line.ts';

/** What the money of a line settles, as it is typed. */
export interface Settling {
  /** By name of the open item. */
  readonly amounts: Readonly<Record<string, string>>;
  readonly bankCharges: string;
  readonly tdsAmount: string;
  readonly tdsSection: string;
  readonly discountAmount: string;
}
export const nothingSettled: Settling = {
  amounts: {},
  bankCharges: '',
  tdsAmount: '',
  tdsSection: '',
  discountAmount: '',
};
/** As it was proposed for the line. */
export const proposedSettling = ({ settles }: Line): Settling => ({
  ...nothingSettled,
  amounts: Object.fromEntries((settles?.dues ?? []).map((due) => [itemName(due), due.amount])),
});

/** The same as the call takes it. */
export const settlingBody = ({ amounts, ...beside }: Settling) => {
  const allocations = Object.entries(amounts).flatMap(([name, amount]) => {
    const [document = '', line] = name.split('/');
    return amount ? [{ document, amount, ...(line && { line }) }] : [];
  });
  return {
    ...(allocations.length > 0 && { allocations }),
    ...Object.fromEntries(Object.entries(beside).filter(([, text]) => text !== '')),
  };
};

interface SettleProps {
  readonly line: Line;
  readonly currency: string;
  readonly way: WayName;
  readonly party: string;
  readonly settling: Settling;
  readonly at: At;
  onChange(settling: Settling): void;
}

/** What there is to settle with, how much of it goes to open documents, and what is left. */
const sumsOf = ({ line, way, settling }: SettleProps) => {
  const size = Math.abs(parseDecimal(line.amount, 2) ?? 0);
  const charges = addMoney([settling.bankCharges]);
  // what came in is less by what the bank took, what went out is more
  const moved = way === 'receipt' ? size + charges : size - charges;
  const whole = moved + addMoney([settling.tdsAmount, settling.discountAmount]);
  const shared = addMoney(Object.values(settling.amounts));
  return { whole, shared, left: whole - shared };
};

/** Documents of the party that are open in the currency of the account. */
function useDues(props: SettleProps) {
  const { currency: kept, way, party, settling, onChange } = props;
  const { data } = useQuery({
    queryKey: useScreenKey('open', party, way),
    queryFn: () => api.GetOpenItems({ party, side: way === 'receipt' ? 'receivable' : 'payable' }),
  });
  const items = (data ?? []).filter(({ currency }) => currency === kept);
  const share = () => onChange({ ...settling, amounts: oldestFirst(items, sumsOf(props).whole) });
  // a party that was chosen by hand: the oldest first, as long as nobody has said otherwise
  const given = useRef(Object.keys(settling.amounts).length > 0 ? party : '');
  useEffect(() => {
    if (!data || given.current === party) return;
    given.current = party;
    share();
  });
  return { items, isKnown: data !== undefined, share };
}

/** Open documents of the party with what of the money goes to each, and what was kept back from it. */
export function SettleDues(props: SettleProps) {
  const { currency, settling, at, onChange } = props;
  const [more, setMore] = useState(false);
  const { items, isKnown, share } = useDues(props);
  const { shared, left } = sumsOf(props);
  const { amounts } = settling;
  const shown = (paise: number) => inCurrency(moneyText(paise), currency);
  const unsettled = at('allocations');
  return (
    <div className="stack">
      {items.length === 0 ? (
        isKnown && <p className="muted">{t('There are no open documents: the whole amount stays on account.')}</p>
      ) : (
        <Dues
          items={items}
          unit={unitOf(currency)}
          amounts={amounts}
          onChange={(name, amount) => onChange({ ...settling, amounts: { ...amounts, [name]: amount } })}
        />
      )}
      {unsettled && <p className="field-error">{unsettled}</p>}
      {(more || at('tdsSection') || at('bankCharges')) && <KeptBack {...props} />}
      <p className="muted" role="status">
        {t('{{shared}} settled, {{left}}.', {
          shared: shown(shared),
          left:
            left < 0
              ? t('{{amount}} more than there is', { amount: shown(-left) })
              : `${shown(left)} ${left === 0 ? t('left') : t('stays on account')}`,
        })}{' '}
        {items.length > 0 && left !== 0 && (
          <Button look="subtle" onClick={share}>
            {t('Oldest first')}
          </Button>
        )}
        {!more && (
          <Button look="subtle" onClick={() => setMore(true)}>
            {t('Bank charges, TDS, discount')}
          </Button>
        )}
      </p>
    </div>
  );
}

interface DuesProps {
  readonly items: ReturnType<typeof useDues>['items'];
  readonly unit: string;
  /** By name of the open item. */
  readonly amounts: Settling['amounts'];
  onChange(name: string, amount: string): void;
}

function Dues({ items, unit, amounts, onChange }: DuesProps) {
  const { show } = useDateFormat();
  return (
    <ScrollX label={t('Open documents')}>
      <table className="plain-table">
        <TableHead
          columns={[
            t('Document'),
            figures(t('Open ({{kept}})', { kept: unit })),
            figures(t('Settle ({{kept}})', { kept: unit })),
          ]}
        />
        <tbody>
          {items.map((item) => (
            <tr key={itemName(item)}>
              <td>
                <span className="one-line">{item.number}</span>
                <div className="muted">
                  <span className="one-line">{show(item.date)}</span>
                  {item.dueDate && (
                    <>
                      , <span className="one-line">{t('due {{dueDate}}', { dueDate: show(item.dueDate) })}</span>
                    </>
                  )}
                </div>
              </td>
              <td className="num">{money(item.open)}</td>
              <td className="num">
                <AmountInput
                  aria-label={t('Settle {{number}}', { number: item.number })}
                  value={amounts[itemName(item)] ?? ''}
                  onChange={(text) => onChange(itemName(item), text)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

/** What the bank, the customer or the supplier kept back from the money. */
function KeptBack({ line, way, settling, at, onChange }: SettleProps) {
  const { tdsadjustments } = useSession().settings;
  const incoming = way === 'receipt';
  const beside = (name: Exclude<keyof Settling, 'amounts'>) => ({
    value: settling[name],
    onChange: (text: string) => onChange({ ...settling, [name]: text }),
    error: at(name),
  });
  return (
    <div className="fields">
      <MoneyField label={t('Bank charges')} {...beside('bankCharges')} />
      {tdsadjustments && (
        <MoneyField
          label={incoming ? t('TDS kept back by the customer') : t('TDS deducted')}
          {...beside('tdsAmount')}
        />
      )}
      {tdsadjustments && !incoming && (
        <SelectField
          label={t('TDS section')}
          empty={t('None')}
          choices={tdsChoices(line.date).map(({ section, name, rate }) => ({
            value: section,
            label: `${t(section)} ${name}, ${percentOf(rate)} %`,
          }))}
          {...beside('tdsSection')}
        />
      )}
      <MoneyField label={incoming ? t('Discount allowed') : t('Discount received')} {...beside('discountAmount')} />
    </div>
  );
}
