import type { Id, PricedLine } from '../document/document.ts';
import type { LineEffect } from '../document/kinds/kind.ts';
import type { Effect } from './effects.ts';
import type { PostingContext } from './posting.ts';

const isExport = (c: PostingContext): boolean => c.priced.supplyType === 'EXPWP' || c.priced.supplyType === 'EXPWOP';

/**
 * A service that was bought is no purchase of stock-in-trade (Schedule III), unless the posting map keeps it with them: books from
 * before it had a ledger do. What goods cost on their way is a charge, and part of what they cost (AS 2).
 */
const isServiceApart = ({ service, charge }: PricedLine, { ledgers }: PostingContext): boolean =>
  service && !charge && ledgers.purchaseService !== ledgers.purchase;

/** Which sales or purchase ledger a line goes to when it has none of its own. */
const families: Readonly<Record<LineEffect, (line: PricedLine, c: PostingContext) => Effect>> = {
  sales: (line, c) => {
    // takes back a discount that a note without GST gave
    if (c.draft.withoutTax) return 'commercialDiscount';
    if (line.scrap) return 'salesScrap';
    if (isExport(c)) return line.service ? 'salesServiceExport' : 'salesExport';
    if (c.party?.sez) return 'salesSez';
    if (line.treatment !== 'taxable' && line.treatment !== 'zeroRated') return 'salesExempt';
    return line.service ? 'salesService' : 'salesGoods';
  },
  retailSales: (line, c) => {
    if (line.treatment !== 'taxable' && line.treatment !== 'zeroRated') return 'salesExempt';
    if (line.service) return 'salesService';
    return c.ownComposition ? 'salesGoods' : 'salesRetail';
  },
  salesReturn: () => 'salesReturn',
  salesDiscount: (_, c) => (c.draft.withoutTax ? 'commercialDiscount' : 'salesDiscount'),
  purchase: (line, c) => {
    if (isServiceApart(line, c)) return 'purchaseService';
    if (c.draft.withoutTax) return 'discountReceived';
    if (c.party?.overseas) return 'purchaseImport';
    return (c.party && !c.party.taxed) || line.treatment !== 'taxable' ? 'purchaseExempt' : 'purchase';
  },
  importPurchase: (line, c) => (isServiceApart(line, c) ? 'purchaseService' : 'purchaseImport'),
  purchaseReturn: (line, c) => (isServiceApart(line, c) ? 'purchaseService' : 'purchaseReturn'),
  purchaseDiscount: (line, c) => {
    if (isServiceApart(line, c)) return 'purchaseService';
    return c.draft.withoutTax ? 'discountReceived' : 'purchaseDiscount';
  },
  none: () => 'stockAdjustment',
};

const income = (line: PricedLine): Id | undefined => line.incomeLedger;
const expense = (line: PricedLine): Id | undefined => line.ledger ?? line.expenseLedger;

/**
 * The ledger of a line's own, where it has one: its value goes there and not to the family's ledger. What takes off goes where the
 * supply was booked: an asset costs what is left after a price cut (AS 10), an expense is shown net. Two things keep the ledgers of
 * returns and rate differences: sales, so that gross revenue stays visible, and goods of the stock.
 */
const ownLedgers: Readonly<Record<LineEffect, (line: PricedLine) => Id | undefined>> = {
  sales: income,
  retailSales: income,
  salesReturn: (line) => (line.offRevenue ? income(line) : undefined),
  salesDiscount: (line) => (line.offRevenue ? income(line) : undefined),
  purchase: expense,
  importPurchase: expense,
  purchaseReturn: (line) => (line.stocked ? line.ledger : expense(line)),
  purchaseDiscount: (line) => (line.stocked ? line.ledger : expense(line)),
  none: () => undefined,
};

/** What takes back a discount without GST goes where that was booked. */
const lessened = { sales: 'salesDiscount', purchase: 'purchaseDiscount' } as const;
const ownLedgerOf = (line: PricedLine, lineEffect: LineEffect, { draft }: PostingContext): Id | undefined =>
  ownLedgers[
    draft.withoutTax && (lineEffect === 'sales' || lineEffect === 'purchase') ? lessened[lineEffect] : lineEffect
  ](line);

/** Where the value of a line goes: what claims a note or a return again goes where that was booked. */
export const ledgerOf = (line: PricedLine, c: PostingContext): Id => {
  const lineEffect = line.claims ?? c.lineEffect;
  return ownLedgerOf(line, lineEffect, c) ?? c.ledgers[families[lineEffect](line, c)];
};
