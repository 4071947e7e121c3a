import type { PricedLine } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';
import type { Effect } from './effects.ts';
import type { PostingContext } from './posting.ts';

const isExport = (c: PostingContext): boolean => c.priced.supplyType === 'EXPWP' || c.priced.supplyType === 'EXPWOP';

/** Which sales or purchase ledger a line goes to when it has none of its own. */
export const families: Readonly<Record<Kind['books']['lineEffect'], (line: PricedLine, c: PostingContext) => Effect>> =
  {
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
      if (c.draft.withoutTax) return 'discountReceived';
      if (c.party?.overseas) return 'purchaseImport';
      return (c.party && !c.party.taxed) || line.treatment !== 'taxable' ? 'purchaseExempt' : 'purchase';
    },
    importPurchase: () => 'purchaseImport',
    purchaseReturn: () => 'purchaseReturn',
    purchaseDiscount: (_, c) => (c.draft.withoutTax ? 'discountReceived' : 'purchaseDiscount'),
    none: () => 'stockAdjustment',
  };
