import { rupeesText } from '../base/decimal.ts';
import { sum } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import { isAtCost } from '../stock/at-cost.ts';
import { takesFromStock } from '../stock/stock.ts';
import { isRegular } from '../tax/gst/registration/registered.ts';
import { writtenTotal } from './approval.ts';
import type { Draft, PricedLine } from './document.ts';
import type { Kind } from './kinds/kind.ts';
import { price } from './price.ts';
import { type Facts, isOverseas, isSezParty, isTaxedSupplier, resolve } from './resolve.ts';

/** The amounts by which a changed document is recognised, each with its name in a sentence. */
const labels = {
  total: 'total',
  comesIn: 'goods that come in',
  taxable: 'taxable value',
  cgst: 'CGST',
  sgst: 'SGST',
  igst: 'IGST',
  cess: 'cess',
  tcs: 'TCS',
  tds: 'TDS',
  vat: 'VAT',
  roundOff: 'round-off',
} as const;
type Amount = keyof typeof labels;

/** In paise of rupees; of goods at cost only those that come in have an amount before they move. */
export type Amounts = Readonly<Partial<Record<Amount, number>>>;

/** What a document comes to before it is posted: its amounts, and as text all that decides its entries. */
export interface Figures {
  readonly amounts: Amounts;
  readonly rest: string;
}

/**
 * The figures of a draft that is complete but for its number. What rightly comes late does not count: the cost of goods that
 * leave stock or come back, credit that is lost with them, the difference of exchange to what a payment settles, due dates,
 * and names. `keepsStock`: the organisation keeps stock.
 */
export function figuresOf(kind: Kind, draft: Draft, facts: Facts, keepsStock: boolean): Figures {
  const priced = price(resolve(kind, draft, facts));
  const moves = keepsStock && priced.lines.some(isMoved);
  const { exchangeRate, tdsSection } = draft;
  const rest = {
    ...{ exchangeRate, tdsSection, charges: priced.charges, adjustments: priced.adjustments ?? [] },
    ...{ regular: isRegular(facts.own.kind), overseas: isOverseas(facts), sez: isSezParty(facts) },
    ...{ taxedSupplier: isTaxedSupplier(facts), microSmall: facts.party?.microSmall ?? false },
    ...{ supply: priced.supply, supplyType: priced.supplyType, taxCharged: priced.taxCharged },
  };
  if (isAtCost(kind, priced) && moves) {
    const comesIn = priced.lines.filter(
      (line) => isMoved(line) && !kind.source.givesPrice && !takesFromStock(kind, deltaOf(draft, line)),
    );
    return {
      amounts: { comesIn: sum(comesIn.map(({ value }) => value)) },
      rest: JSON.stringify([
        rest,
        priced.lines.map((line) => moved(line)),
        comesIn.map((line) => [line.number, line.value]),
      ]),
    };
  }
  const { taxable, cgst, sgst, igst, cess, tcs, roundOff } = priced;
  const tds = kind.lines.of === 'none' ? (draft.tdsAmount ?? 0) : priced.tds;
  const vat = priced.vat?.amount ?? 0;
  const total = writtenTotal(kind, draft, priced);
  return {
    amounts: { total, taxable, cgst, sgst, igst, cess, tcs, tds, vat, roundOff },
    rest: JSON.stringify([rest, priced.payable, priced.lines.map((line) => [moved(line), priceOf(line)])]),
  };
}

const isMoved = ({ stocked, baseQuantity }: PricedLine): boolean => stocked && baseQuantity !== 0;
const deltaOf = ({ lines }: Draft, { number }: PricedLine) => lines[number - 1]?.delta;

/** What of a line moves goods, and where it is booked. */
const moved = (l: PricedLine) => [
  ...[l.number, l.item, l.unit, l.stocked, l.quantity, l.freeQuantity, l.baseQuantity],
  ...[l.ledger, l.incomeLedger, l.expenseLedger, l.creditBlocked, l.fixedAsset, l.scrap, l.charge, l.costCentre],
];
/** What a line costs, and its tax. */
const priceOf = (l: PricedLine) => [
  ...[l.rate, l.discount.percent, l.discount.amount, l.treatment, l.gstRate, l.cessRate, l.cessPerUnit, l.retailPrice],
  ...[l.gross, l.discountAmount, l.documentDiscount, l.chargeShare, l.taxable, l.value, l.foreignValue],
  ...[l.cgst, l.sgst, l.igst, l.cess, l.total],
];

/** Figures as they are kept: with a digest of the rest in its place. Without one: sent before figures were kept. */
export interface KeptFigures extends Amounts {
  readonly digest?: string;
}

/** What has changed of figures, for a sentence; undefined: nothing. */
export function changedFigures(then: KeptFigures, now: KeptFigures): Said | undefined {
  const total = rupees(now.total);
  if (then.digest === undefined)
    return now.total === undefined
      ? say('they were not kept then')
      : say('they were not kept then, {{total}} now', { total });
  const name = (Object.keys(labels) as Amount[]).find((each) => (then[each] ?? 0) !== (now[each] ?? 0));
  if (name === undefined && then.digest === now.digest) return undefined;
  if (name === 'total') return say('{{before}} then, {{total}} now', { before: rupees(then.total), total });
  const change =
    name === undefined
      ? say('a rate, a quantity or an account is another')
      : say('{{amount}} {{before}} then, {{after}} now', {
          amount: labels[name],
          before: rupees(then[name]),
          after: rupees(now[name]),
        });
  return now.total === undefined ? change : say('the total is {{total}} as before, {{change}}', { total, change });
}
const rupees = (amount = 0): string => rupeesText(amount);
