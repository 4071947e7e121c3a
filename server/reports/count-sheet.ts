import type { Query } from './report.ts';
import { stockOnHand } from './stock.ts';

/**
 * What is to be counted at a place, by item, stock room or batch, with room to write beside it. A blind sheet does not
 * say what the books have: who counts is not led. What was counted is entered as an inventory adjustment.
 */
export const countSheet: Query = async (db, { filters, ...asked }) => {
  const { blind, ...given } = filters;
  const stock = await stockOnHand(db, { ...asked, filters: given });
  return {
    ...stock,
    rows: stock.rows.map(({ sku = '', item = '', itemId = '', part = '', unit = '', quantity = '' }) => ({
      sku,
      item,
      itemId,
      part,
      unit,
      books: blind === 'true' ? '' : quantity,
      counted: '',
      remark: '',
    })),
    totals: {},
  };
};
