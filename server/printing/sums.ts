import { grouped, money, moneyText, ONE, parseDecimal } from '../../domain/base/decimal.ts';
import { type Paise, scale } from '../../domain/base/money.ts';
import { comesThroughBank, goesThroughBank } from '../../domain/books/legs.ts';
import type { Draft } from '../../domain/document/document.ts';
import type { Kind } from '../../domain/document/kinds/index.ts';
import type { Paper } from '../paper/index.ts';
import { isZero } from './amounts.ts';
import type { View } from './around.ts';
import type { Nature, Printed } from './nature.ts';

type Sums = Paper['sums'];
type Priced = NonNullable<View['priced']>;

/** A sum in a row; without `strong`, zero is left out. */
const sum = (label: string, amount: string | undefined, strong?: true): Sums =>
  amount && (strong || !isZero(amount)) ? [{ label, amount: grouped(amount), ...(strong && { strong }) }] : [];

/** What a party keeps back or is given beside the money, by the direction of the money. */
const besideMoney = [
  ['tdsAmount', 'TDS'],
  ['gstTdsAmount', 'GST TDS'],
  ['discountAmount', 'Discount'],
  ['writeOff', 'Written off'],
] as const;

/** The money of a receipt or payment in rupees, where it has no lines of its own; what the wire holds is decimal text. */
export function moneyMoved(kind: Kind, { amount, currency, exchangeRate }: Draft): Paise | undefined {
  if (kind.lines.of !== 'none' || !kind.fields.includes('moneyLedger') || amount === undefined) return undefined;
  const whole = money(String(amount));
  const isForeign = currency !== undefined && currency !== 'INR';
  return isForeign ? scale(whole, parseDecimal(String(exchangeRate), 6) ?? ONE, ONE) : whole;
}

/** What was received or paid, and what settles beside it: each by itself, for only the money came or went. */
function moneySums(kind: Kind, draft: Draft): Paper['sums'] {
  if (moneyMoved(kind, draft) === undefined) return [];
  const beside = besideMoney.flatMap(([name, label]) => {
    const amount = String(draft[name] ?? '0');
    return isZero(amount) ? [] : [{ label, amount: grouped(amount) }];
  });
  if (beside.length === 0) return [];
  const foreign = draft.currency !== undefined && draft.currency !== 'INR' ? ` ${draft.currency}` : '';
  const moved = comesThroughBank(kind) && !goesThroughBank(kind) ? 'Received' : 'Paid';
  return [
    { label: `${moved}${foreign}`, amount: grouped(String(draft.amount)) },
    ...beside.map(({ label, amount }) => ({ label: `${label}${foreign}`, amount })),
  ];
}

/** Charges that are shared over the lines stand by themselves too, so that the value of the lines can be followed (rule 46). */
function chargeSums({ charges = [], currency }: Draft, p: NonNullable<View['priced']>, of: string): Paper['sums'] {
  const shared = charges.filter(({ gstRate }) => gstRate === undefined);
  if (shared.length === 0 || isZero(p.chargeTotal)) return [];
  const own =
    currency === undefined || currency === 'INR'
      ? shared.map(({ name, amount }) => [name, String(amount)] as const)
      : [[shared.map(({ name }) => name).join(', '), p.chargeTotal] as const];
  return own.map(([name, amount]) => ({ label: `${name}, part of the ${of}`, amount: grouped(amount) }));
}

/** The tax under each head. */
const taxSums = ({ withinState, stateTax }: Nature, of: Priced, note = ''): Sums => [
  ...(withinState
    ? [...sum(`CGST${note}`, of.cgst), ...sum(`${stateTax}${note}`, of.sgst)]
    : sum(`IGST${note}`, of.igst)),
  ...sum(`Cess${note}`, of.cess),
];

/** What a buyer abroad pays, with the tax of that country. */
function foreignSums({ draft: { currency }, nature }: Printed, p: Priced): Sums {
  if (!nature.foreign) return [];
  // the buyer abroad owes no tax: who exports pays it and claims it back
  return sum(`Total ${currency}${p.supplyType === 'EXPWP' ? ' without IGST' : ''}`, p.foreignTotal, true);
}

const vatSums = ({ draft: { currency } }: Printed, { vat, foreignTotal }: Priced): Sums =>
  vat
    ? [
        ...sum(`VAT ${vat.rate} % ${currency}`, vat.foreign, true),
        ...sum(`To pay ${currency}`, moneyText(money(foreignTotal) + money(vat.foreign)), true),
      ]
    : [];

/** From the value of the lines to the total, and what is payable in addition. */
function goodsSums(printed: Printed, p: Priced): Sums {
  const { draft, nature } = printed;
  const { charged, untaxed } = nature;
  return [
    ...sum('Discount', p.discount),
    ...chargeSums(draft, p, untaxed ? 'value' : 'taxable value'),
    ...(charged ? sum('Value charged', charged) : sum(untaxed ? 'Value' : 'Taxable value', p.taxable)),
    ...(draft.reverseCharge ? [] : taxSums(nature, p)),
    ...sum('TCS', p.tcs),
    ...(p.adjustments ?? []).flatMap(({ name, amount }) => sum(name, amount)),
    ...sum('Round off', p.roundOff),
    ...sum(p.atCost === 'estimated' ? 'Estimated value ₹' : 'Total ₹', p.total, true),
    // below the total, of which it is no part: the column above adds up
    ...(charged ? sum('Deemed taxable value (rule 31D)', p.taxable) : []),
    ...(draft.reverseCharge ? taxSums(nature, p, ' payable by recipient under reverse charge') : []),
    ...foreignSums(printed, p),
    ...vatSums(printed, p),
  ];
}

export function sumsOf(printed: Printed): Sums {
  const {
    view: { priced },
    kind,
    draft,
    nature,
  } = printed;
  if (!priced) return [];
  return nature.goods ? goodsSums(printed, priced) : [...moneySums(kind, draft), ...sum('Total ₹', priced.total, true)];
}
