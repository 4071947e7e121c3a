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
import { oldestFirst } from '../views/editor/settle.ts';
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

/** Open documents of the party with what of the money goes to each, and what was kept back from it. */
export function SettleDues({
  line,
  currency: kept,
  way,
  party,
  settling,
  at,
  onChange,
}: {
  readonly line: Line;
  readonly currency: string;
  readonly way: WayName;
  readonly party: string;
  readonly settling: Settling;
  readonly at: At;
  onChange(settling: Settling): void;
}) {
  const { show } = useDateFormat();
  const { tdsadjustments } = useSession().settings;
  const incoming = way === 'receipt';
  const [more, setMore] = useState(false);
  const { data } = useQuery({
    queryKey: useScreenKey('open', party, way),
    queryFn: () => api.GetOpenItems({ party, side: incoming ? 'receivable' : 'payable' }),
  });
  const items = (data ?? []).filter(({ currency }) => currency === kept);
  const { amounts } = settling;
  const size = Math.abs(parseDecimal(line.amount, 2) ?? 0);
  const charges = addMoney([settling.bankCharges]);
  // what came in is less by what the bank took, what went out is more
  const whole = (incoming ? size + charges : size - charges) + addMoney([settling.tdsAmount, settling.discountAmount]);
  const shared = addMoney(Object.values(amounts));
  const left = whole - shared;
  const share = (all: number) => onChange({ ...settling, amounts: oldestFirst(items, all) });
  // a party that was chosen by hand: the oldest first, as long as nobody has said otherwise
  const given = useRef(Object.keys(amounts).length > 0 ? party : '');
  useEffect(() => {
    if (!data || given.current === party) return;
    given.current = party;
    onChange({ ...settling, amounts: oldestFirst(items, whole) });
  });
  const unsettled = at('allocations');
  const set = (name: string, amount: string) => onChange({ ...settling, amounts: { ...amounts, [name]: amount } });
  const beside = (name: Exclude<keyof Settling, 'amounts'>) => ({
    value: settling[name],
    onChange: (text: string) => onChange({ ...settling, [name]: text }),
    error: at(name),
  });
  return (
    <div className="stack">
      {items.length === 0 ? (
        data && <p className="muted">{t('Nothing is open: the whole amount stays on account.')}</p>
      ) : (
        <ScrollX label={t('Open documents')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Document'),
                figures(t('Open ({{kept}})', { kept: unitOf(kept) })),
                figures(t('Settle ({{kept}})', { kept: unitOf(kept) })),
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
                      onChange={(text) => set(itemName(item), text)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
      {unsettled && <p className="field-error">{unsettled}</p>}
      {(more || at('tdsSection') || at('bankCharges')) && (
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
      )}
      <p className="muted" role="status">
        {t('{{shared}} settled, {{left}}.', {
          shared: inCurrency(moneyText(shared), kept),
          left:
            left < 0
              ? t('{{amount}} more than there is', { amount: inCurrency(moneyText(-left), kept) })
              : `${inCurrency(moneyText(left), kept)} ${left === 0 ? t('left') : t('stays on account')}`,
        })}{' '}
        {items.length > 0 && left !== 0 && (
          <Button look="subtle" onClick={() => share(whole)}>
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
