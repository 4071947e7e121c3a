/** What is brought in from the masters of a Tally file, in this order: later rows name records of earlier ones. */
export const tallyOrder = [
  ...(['unit', 'costCentre', 'ledger', 'customer', 'supplier', 'category', 'item'] as const),
  ...(['openingLedgers', 'openingBills', 'openingItems'] as const),
];
export type TallyName = (typeof tallyOrder)[number];
