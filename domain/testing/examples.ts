import { money, percentage, quantity } from '../base/decimal.ts';
import type { KindName } from '../document/kinds/index.ts';
import {
  abroad,
  assessed,
  back,
  bill,
  consumer,
  cr,
  dollars,
  dr,
  type Example,
  example,
  goods,
  goodsInStock,
  sale,
  step,
  widgets,
} from './example-parts.ts';

export type { Example } from './example-parts.ts';

/** A small document of every kind, and of the cases that post otherwise. */
export const examples: Readonly<Record<KindName, readonly Example[]>> = {
  saleInvoice: [
    example(sale, [goodsInStock], 'goods at ₹1,000.05, cost ₹500'),
    example(
      step('x', 'saleInvoice', {
        lines: [{ item: 'repair', quantity: quantity('1'), rate: quantity('2000') }],
        charges: [{ name: 'Freight', amount: money('100'), apportion: 'value' }],
      }),
      [],
      'a service, freight recovered',
    ),
    example(
      step('x', 'saleInvoice', { lines: widgets('1', '1000'), reverseCharge: true }),
      [goodsInStock],
      'reverse charge',
    ),
    example(
      step('x', 'saleInvoice', { lines: widgets('1', '1000'), tcsSection: '206C-scrap' }),
      [goodsInStock],
      'tax collected at source',
      { tcs: { section: '206C-scrap', rate: '2' } },
    ),
    example(
      step('x', 'saleInvoice', { lines: widgets('1', '1000'), withPayment: true }),
      [goodsInStock],
      'to a SEZ unit with payment',
      {
        party: { category: 'sezUnit', state: '29', country: 'IN' },
      },
    ),
  ],
  b2cInvoice: [
    example(step('x', 'b2cInvoice', { lines: widgets('1', '1000') }), [goodsInStock], '', { party: consumer }),
  ],
  cashSale: [
    example(step('x', 'cashSale', { lines: widgets('1', '1000') }), [goodsInStock]),
    example(step('x', 'cashSale', { lines: widgets('1', '1000') }), [goodsInStock], 'by a composition dealer', {
      own: { state: '29', kind: 'composition' },
    }),
  ],
  posSale: [
    example(
      step('x', 'posSale', {
        lines: widgets('1', '999'),
        taxInclusive: true,
        tenders: [
          { ledger: '1130', amount: money('500') },
          { ledger: '1110', amount: money('499') },
        ],
      }),
      [goodsInStock],
      'price with tax, two tenders',
    ),
  ],
  overseasSale: [
    example(
      step('x', 'overseasSale', { ...dollars, lines: widgets('1', '20') }),
      [goodsInStock],
      'under a letter of undertaking',
      {
        party: abroad,
      },
    ),
    example(
      step('x', 'overseasSale', { ...dollars, withPayment: true, lines: widgets('1', '20') }),
      [goodsInStock],
      'with payment of tax',
      { party: abroad },
    ),
  ],
  saudiInvoice: [
    example(step('x', 'saudiInvoice', { ...dollars, lines: widgets('1', '20') }), [goodsInStock], '', {
      party: { ...abroad, country: 'SA' },
    }),
  ],
  posReturn: [
    example(step('x', 'posReturn', { against: 'till', till: { session: 'session' }, lines: back('till', '1') }), [
      goodsInStock,
      step('till', 'posSale', { lines: widgets('3', '1000') }),
    ]),
  ],
  saleReturn: [
    example(step('x', 'saleReturn', { against: 'invoice', lines: back('invoice', '1') }), [goodsInStock, sale]),
    example(
      step('x', 'saleReturn', { ...dollars, withPayment: true, against: 'export', lines: back('export', '1') }),
      [goodsInStock, step('export', 'overseasSale', { ...dollars, withPayment: true, lines: widgets('1', '20') })],
      'of an export with payment of tax',
      { party: abroad },
    ),
  ],
  saleCreditNote: [
    example(step('x', 'saleCreditNote', { lines: widgets('1', '100') }), [], 'price cut of ₹100'),
    example(step('x', 'saleCreditNote', { lines: widgets('1', '100'), withoutTax: true }), [], 'without GST'),
  ],
  saleDebitNote: [
    example(step('x', 'saleDebitNote', { lines: widgets('1', '100') })),
    example(step('x', 'saleDebitNote', { lines: widgets('1', '100'), withoutTax: true }), [], 'without GST'),
  ],
  quotation: [example(step('x', 'quotation', { lines: widgets('1', '1000') }))],
  saleOrder: [example(step('x', 'saleOrder', { lines: widgets('1', '1000') }))],
  workflowOrder: [example(step('x', 'workflowOrder', { lines: widgets('1', '1000') }))],
  saleReturnOrder: [example(step('x', 'saleReturnOrder', { lines: widgets('1', '1000') }))],
  returnOrder: [example(step('x', 'returnOrder', { lines: widgets('1', '1000') }))],
  purchaseOrder: [example(step('x', 'purchaseOrder', { lines: widgets('1', '500') }))],
  purchaseReturnOrder: [example(step('x', 'purchaseReturnOrder', { lines: widgets('1', '500') }))],
  deliveryChallan: [example(step('x', 'deliveryChallan', { lines: widgets('1', '1000') }))],
  saleReceipt: [
    example(
      step('x', 'saleReceipt', {
        moneyLedger: '1121',
        amount: money('1100'),
        tdsAmount: money('50'),
        discountAmount: money('30'),
        allocations: [{ document: 'invoice', amount: money('1180') }],
      }),
      [goodsInStock, sale],
      'TDS and cash discount kept back',
    ),
    example(
      step('x', 'saleReceipt', {
        currency: 'USD',
        exchangeRate: quantity('82'),
        moneyLedger: '1121',
        amount: money('30'),
        bankCharges: money('100'),
        bankChargesGstRate: percentage('18'),
        allocations: [{ document: 'export', amount: money('20') }],
      }),
      [goodsInStock, step('export', 'overseasSale', { ...dollars, lines: widgets('1', '20') })],
      'in dollars, at a better rate, part of it on account',
      { party: abroad },
    ),
    example(step('x', 'saleReceipt', { moneyLedger: '1110', amount: money('1180') }), [], 'from a consumer', {
      party: consumer,
    }),
  ],
  advanceReceipt: [
    example(step('x', 'advanceReceipt', { moneyLedger: '1121', amount: money('5000') }), [], 'for goods'),
    example(
      step('x', 'advanceReceipt', { moneyLedger: '1121', amount: money('11800'), advanceRate: percentage('18') }),
      [],
      'for a service',
    ),
  ],
  allocationVoucher: [
    example(
      step('x', 'allocationVoucher', { against: 'advance', amount: money('11800'), advanceRate: percentage('18') }),
      [],
      'the advance for a service',
    ),
  ],
  advanceRefund: [
    example(
      step('x', 'advanceRefund', {
        against: 'advance',
        moneyLedger: '1121',
        amount: money('11800'),
        advanceRate: percentage('18'),
      }),
      [],
      'the advance for a service',
    ),
  ],
  bouncedReceipt: [
    example(
      step('x', 'bouncedReceipt', {
        against: 'money',
        moneyLedger: '1121',
        amount: money('590'),
        bankCharges: money('118'),
      }),
    ),
  ],
  refund: [example(step('x', 'refund', { against: 'note', moneyLedger: '1121', amount: money('590') }))],
  payment: [
    example(
      step('x', 'payment', {
        moneyLedger: '1121',
        amount: money('1140.60'),
        discountAmount: money('40'),
        allocations: [{ document: 'bill', amount: money('1180.60') }],
      }),
      [bill],
      'discount received',
    ),
    example(
      step('x', 'payment', {
        currency: 'USD',
        exchangeRate: quantity('82'),
        moneyLedger: '1121',
        amount: money('10'),
        allocations: [{ document: 'bill', amount: money('10') }],
      }),
      [step('bill', 'overseasPurchase', { ...dollars, lines: widgets('1', '10') })],
      'in dollars, at a worse rate',
      { party: abroad },
    ),
  ],
  advancePayment: [
    example(
      step('x', 'advancePayment', {
        moneyLedger: '1121',
        amount: money('9800'),
        tdsSection: '194C',
        tdsAmount: money('200'),
      }),
      [],
      'to a contractor',
    ),
  ],
  supplierAllocation: [example(step('x', 'supplierAllocation', { against: 'advance', amount: money('10000') }))],
  paymentVoucher: [example(step('x', 'paymentVoucher', { amount: money('20000') }))],
  purchaseBill: [
    example(bill),
    example(bill, [], 'periodic books', { items: [{ ...goods, stocked: false }] }),
    example(bill, [], 'from an unregistered supplier, not kept in stock', {
      party: consumer,
      items: [{ ...goods, stocked: false }],
    }),
    example(
      step('x', 'purchaseBill', { lines: [{ ...widgets('1', '1000')[0], creditBlocked: true }] }),
      [],
      'credit blocked under section 17(5)',
    ),
    example(
      step('x', 'purchaseBill', {
        reverseCharge: true,
        lines: [{ item: 'repair', quantity: quantity('1'), rate: quantity('2000') }],
      }),
      [],
      'reverse charge',
    ),
    example(
      step('x', 'purchaseBill', {
        tdsSection: '194C',
        tdsAmount: money('40'),
        lines: [{ item: 'repair', quantity: quantity('1'), rate: quantity('2000') }],
      }),
      [],
      'TDS deducted',
    ),
  ],
  overseasPurchase: [
    example(step('x', 'overseasPurchase', { ...dollars, lines: widgets('1', '10') }), [], '', { party: abroad }),
  ],
  billOfEntry: [
    example(step('x', 'billOfEntry', assessed)),
    example(
      step('x', 'billOfEntry', { ...assessed, against: 'imported' }),
      [
        step('imported', 'overseasPurchase', { ...dollars, party: 'party', lines: widgets('4', '2.50') }),
        step('sold', 'overseasSale', { ...dollars, lines: widgets('1', '20') }),
      ],
      'of four widgets, one of which is sold: the duty is added to the stock and to the cost of the one sold',
      { party: abroad },
    ),
  ],
  selfInvoice: [
    example(step('x', 'selfInvoice', { against: 'bill', lines: back('bill', '1'), reverseCharge: true }), [
      step('bill', 'purchaseBill', { lines: widgets('2', '500'), reverseCharge: true }),
    ]),
  ],
  purchaseReturn: [
    example(step('x', 'purchaseReturn', { against: 'bill', lines: back('bill', '1') }), [bill]),
    example(
      step('x', 'purchaseReturn', { against: 'bill', lines: back('bill', '1') }),
      [goodsInStock, bill],
      'of goods whose first layer cost ₹500: the rest is a difference of stock',
    ),
  ],
  purchaseCreditNote: [
    example(step('x', 'purchaseCreditNote', { lines: widgets('1', '200') })),
    example(step('x', 'purchaseCreditNote', { lines: widgets('1', '200'), reverseCharge: true }), [], 'reverse charge'),
  ],
  purchaseDebitNote: [
    example(step('x', 'purchaseDebitNote', { lines: [{ ...widgets('1', '150')[0] }] })),
    example(step('x', 'purchaseDebitNote', { lines: widgets('1', '150'), withoutTax: true }), [], 'without GST'),
  ],
  expense: [
    example(
      step('x', 'expense', {
        moneyLedger: '1111',
        lines: [{ ledger: '6430', rate: quantity('1180') }],
      }),
      [],
      'paid from petty cash, tax in the amount',
    ),
    example(
      step('x', 'expense', {
        party: 'party',
        moneyLedger: '1111',
        reference: 'B/114',
        lines: [{ ledger: '6430', rate: quantity('1000'), gstRate: percentage('18') }],
      }),
      [],
      'on a registered supplier’s bill, paid from petty cash',
    ),
    example(
      step('x', 'expense', {
        party: 'party',
        tdsSection: '194J',
        tdsAmount: money('6000'),
        lines: [{ ledger: '6435', rate: quantity('60000'), gstRate: percentage('18') }],
      }),
      [],
      'owed, TDS deducted',
    ),
  ],
  openingStock: [example(goodsInStock)],
  inventoryAdjustment: [
    example(
      step('x', 'inventoryAdjustment', { lines: [{ item: 'widget', delta: quantity('-1') }] }),
      [goodsInStock],
      'one widget gone',
    ),
    example(
      step('x', 'inventoryAdjustment', { lines: [{ item: 'widget', delta: quantity('1'), rate: quantity('480') }] }),
      [goodsInStock],
      'one widget found',
    ),
  ],
  branchTransfer: [
    example(
      step('x', 'branchTransfer', { toRegistration: 'other', toLocation: 'there', lines: widgets('4', '500') }),
      [goodsInStock],
      'to the registration in another state',
    ),
    example(
      step('x', 'branchTransfer', { toRegistration: 'own', toLocation: 'there', lines: widgets('4', '500') }),
      [goodsInStock],
      'within the registration',
      { other: { state: '29', kind: 'regular' } },
    ),
  ],
  transferReceipt: [
    example(
      {
        ...step('x', 'transferReceipt', {
          registration: 'other',
          location: 'there',
          toRegistration: 'own',
          toLocation: 'there',
          lines: back('dispatch', '4'),
        }),
        atOther: true,
      },
      [
        goodsInStock,
        step('dispatch', 'branchTransfer', {
          toRegistration: 'other',
          toLocation: 'there',
          lines: widgets('4', '500'),
        }),
      ],
    ),
  ],
  costRevision: [example(step('x', 'costRevision', { lines: [dr('5310', '25'), cr('1310', '25')] }))],
  manualJournal: [example(step('x', 'manualJournal', { lines: [dr('6410', '15000'), cr('2320', '15000')] }))],
  journalVoucher: [
    example(step('x', 'journalVoucher', { lines: [dr('6310', '9000'), dr('6310', '3000'), cr('1780', '12000')] })),
  ],
  contra: [example(step('x', 'contra', { lines: [dr('1121', '25000'), cr('1110', '25000')] }))],
  openingBalance: [
    example(
      step('x', 'openingBalance', { lines: [dr('1121', '50000'), cr('3110', '45000')] }),
      [],
      'that do not balance yet',
    ),
  ],
  gstAdjustment: [example(step('x', 'gstAdjustment', { lines: [dr('2211', '900'), cr('1411', '900')] }))],
  yearEnd: [
    example(step('x', 'yearEnd', { lines: [dr('4110', '500000'), cr('5110', '420000'), cr('3230', '80000')] })),
  ],
  reversal: [example(step('x', 'reversal'), [], 'its entries are the mirror of the document it cancels')],
};
