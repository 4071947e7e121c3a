import { sql } from 'kysely';
import { moneyText, parseDecimal } from '../../domain/base/decimal.ts';
import { paise } from '../../domain/base/money.ts';
import type { Id } from '../../domain/document/document.ts';
import { tillHandlers } from '../till/index.ts';
import { type Place, post, type Shop } from './shop.ts';

/**
 * Once a quarter the demo does what a trader does seldom, so that every kind of document stands in its books. Each
 * step goes the way of the calls.
 */
export async function round(shop: Shop, day: string): Promise<void> {
  const [head, store, branch] = shop.places;
  if (!head || !store || !branch) return;
  await abroad(shop, day, head);
  await returned(shop, day, head);
  await advances(shop, day, head);
  await inside(shop, day, head, store, branch);
}

const at = ({ registration, location }: Place) => ({ registration, location });
const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;
const ledger = (shop: Shop, code: string): Id => shop.ledgers.get(code) ?? '';
const stocked = (shop: Shop) => shop.items.filter((i) => i.stocked);
const line = (shop: Shop, n: number, quantity: string) => ({ item: pick(stocked(shop), n).id, quantity });
const bought = (shop: Shop, n: number, quantity: string) => ({
  ...line(shop, n, quantity),
  rate: pick(stocked(shop), n).cost,
});
const bill = (day: string, what: string) => ({
  reference: `${what}-${day.replaceAll('-', '').slice(2)}`,
  referenceDate: day,
});

async function abroad(shop: Shop, day: string, head: Place): Promise<void> {
  const [buyer, saudi] = shop.customers.slice(11);
  const maker = shop.suppliers.at(-1);
  const sold = await post(shop, day, {
    kind: 'overseasSale',
    ...at(head),
    party: buyer,
    currency: 'USD',
    lines: [{ ...line(shop, 1, '40'), rate: '3.20' }],
    fields: { port: 'INMAA1' },
  });
  await post(shop, day, {
    kind: 'saudiInvoice',
    ...at(head),
    party: saudi,
    currency: 'SAR',
    fields: { vatNumber: '310122393500003', buyerVatNumber: '300055512300003' },
    lines: [{ ...line(shop, 2, '25'), rate: '6.50' }],
  });
  await post(shop, day, {
    kind: 'saleReceipt',
    ...at(head),
    party: buyer,
    currency: 'USD',
    exchangeRate: '84.90',
    moneyLedger: ledger(shop, '1121'),
    amount: '80.00',
    reference: `SWIFT${day.replaceAll('-', '')}`,
    allocations: [{ document: sold, amount: '80.00' }],
  });
  const imported = await post(shop, day, {
    kind: 'overseasPurchase',
    ...at(head),
    party: maker,
    currency: 'USD',
    ...bill(day, 'PI'),
    lines: [{ ...line(shop, 8, '30'), rate: '34.00' }],
  });
  await post(shop, day, {
    kind: 'billOfEntry',
    ...at(head),
    against: imported,
    reference: `4${day.replaceAll('-', '').slice(2)}`,
    referenceDate: day,
    fields: { port: 'INMAA1' },
    customs: { assessable: '86000.00', basic: '8600.00', surcharge: '860.00', igst: '17182.80' },
  });
}

async function returned(shop: Shop, day: string, head: Place): Promise<void> {
  const party = pick(shop.customers, 0);
  await atTill(shop, day);
  await post(shop, day, { kind: 'workflowOrder', ...at(head), party, lines: [line(shop, 3, '12')] });
  await post(shop, day, {
    kind: 'deliveryChallan',
    ...at(head),
    party,
    reason: 'Supply on approval',
    lines: [line(shop, 4, '3')],
  });
  const sold = await soldAndReturned(shop, day, head, party);
  await paidTwiceAndBounced(shop, day, head, { party, sold });
  await boughtAndReturned(shop, day, head);
  const carrier = { ...at(head), party: pick(shop.suppliers, 6), reverseCharge: true };
  const service = { item: shop.items.find((i) => !i.stocked)?.id, description: 'Freight inward by road' };
  const freight = { ...service, quantity: '1', rate: '1800.00', hsn: '996511', gstRate: '5' };
  const came = await post(shop, day, {
    ...{ kind: 'purchaseBill', ...carrier, ...bill(day, 'GTA'), lines: [freight] },
    accepted: [{ warning: 'taxOfItem', reason: 'Transport of goods by road bears 5 %' }],
  });
  await post(shop, day, {
    ...{ kind: 'selfInvoice', ...carrier, against: came },
    lines: [{ ...freight, source: { document: came, line: 1 } }],
  });
  await post(shop, day, { kind: 'paymentVoucher', ...at(head), party: pick(shop.suppliers, 6), amount: '1800.00' });
}

/** An invoice, of which goods come back, and whose price is raised by a note. */
async function soldAndReturned(shop: Shop, day: string, head: Place, party: string): Promise<string> {
  const sold = await post(shop, day, {
    kind: 'saleInvoice',
    ...at(head),
    party,
    lines: [line(shop, 0, '24'), line(shop, 1, '10')],
  });
  const back = { ...line(shop, 0, '4'), source: { document: sold, line: 1 } };
  const order = await post(shop, day, {
    kind: 'saleReturnOrder',
    ...at(head),
    party,
    against: sold,
    reason: 'Damaged on the way',
    lines: [back],
  });
  await post(shop, day, {
    kind: 'returnOrder',
    ...at(head),
    party,
    reason: 'Damaged on the way',
    lines: [line(shop, 0, '4')],
  });
  await post(shop, day, {
    kind: 'saleReturn',
    ...at(head),
    party,
    against: sold,
    order,
    reason: 'Damaged on the way',
    lines: [back],
  });
  await post(shop, day, {
    kind: 'saleDebitNote',
    ...at(head),
    party,
    against: sold,
    reason: 'Price raised as agreed',
    lines: [{ ...line(shop, 1, '1'), rate: '60.00', source: { document: sold, line: 2 } }],
  });
  return sold;
}

/** A receipt that is refunded, and a cheque for an invoice that bounces. */
async function paidTwiceAndBounced(
  shop: Shop,
  day: string,
  head: Place,
  { party, sold }: { readonly party: string; readonly sold: string },
): Promise<void> {
  const paid = await post(shop, day, {
    kind: 'saleReceipt',
    ...at(head),
    party,
    moneyLedger: ledger(shop, '1121'),
    amount: '500.00',
    reference: `UTR${day.replaceAll('-', '')}`,
  });
  await post(shop, day, {
    kind: 'refund',
    ...at(head),
    party,
    allocations: [{ document: paid, amount: '120.00' }],
    moneyLedger: ledger(shop, '1121'),
    amount: '120.00',
    narration: 'Paid twice',
  });
  const cheque = await post(shop, day, {
    kind: 'saleReceipt',
    ...at(head),
    party,
    moneyLedger: ledger(shop, '1121'),
    amount: '1200.00',
    fields: { instrument: `00${day.slice(2, 4)}${day.slice(5, 7)}` },
    allocations: [{ document: sold, amount: '1200.00' }],
  });
  await post(shop, day, {
    kind: 'bouncedReceipt',
    ...at(head),
    party,
    against: cheque,
    moneyLedger: ledger(shop, '1121'),
    amount: '1200.00',
    bankCharges: '118.00',
    reason: 'Funds insufficient',
    narration: 'Funds insufficient',
  });
}

/** A bill, of which goods go back, with notes of the supplier on both sides. */
async function boughtAndReturned(shop: Shop, day: string, head: Place): Promise<void> {
  const supplier = pick(shop.suppliers, 0);
  const came = await post(shop, day, {
    kind: 'purchaseBill',
    ...at(head),
    party: supplier,
    ...bill(day, 'HV'),
    lines: [bought(shop, 2, '60'), bought(shop, 3, '40')],
  });
  const wrong = {
    party: supplier,
    against: came,
    reason: 'Wrong make',
    lines: [{ ...bought(shop, 2, '5'), source: { document: came, line: 1 } }],
  };
  const asked = await post(shop, day, { kind: 'purchaseReturnOrder', ...at(head), ...wrong });
  await post(shop, day, {
    kind: 'purchaseReturn',
    ...at(head),
    ...wrong,
    order: asked,
    reference: bill(day, 'PR').reference,
  });
  await post(shop, day, {
    kind: 'purchaseCreditNote',
    ...at(head),
    party: supplier,
    against: came,
    reason: 'Scheme discount',
    ...bill(day, 'SC'),
    lines: [{ ...line(shop, 3, '1'), rate: '85.00', source: { document: came, line: 2 } }],
  });
  await post(shop, day, {
    kind: 'purchaseDebitNote',
    ...at(head),
    party: supplier,
    against: came,
    reason: 'Freight charged later',
    ...bill(day, 'SD'),
    lines: [{ ...line(shop, 3, '1'), rate: '45.00' }],
  });
}

/** A day at the till: one of three comes back, and what is counted at night is a little off. */
async function atTill(shop: Shop, day: string): Promise<void> {
  const context = { ...shop.context, today: day };
  const calls = tillHandlers(shop.poster);
  const [till] = await calls.ListTills({}, context);
  if (!till) return;
  const { session } = await calls.OpenTill({ till: till.id, count: { '500': 4 } }, context);
  const place = { registration: till.registration, location: till.location, till: { session } };
  const sold = await post(shop, day, { kind: 'posSale', ...place, lines: [line(shop, 0, '3')] });
  await post(shop, day, {
    kind: 'posReturn',
    ...place,
    against: sold,
    reason: 'Sales return',
    lines: [{ ...line(shop, 0, '1'), source: { document: sold, line: 1 } }],
  });
  const expected = paise(parseDecimal((await calls.GetTillSession({ session }, context)).expected, 2) ?? 0);
  await calls.CloseTill({ session, count: { '1': Math.trunc(expected / 100) + 2 }, expected }, context);
}

/** Money before the goods, on both sides, and what becomes of it. */
async function advances(shop: Shop, day: string, head: Place): Promise<void> {
  const money = (amount: string) => ({
    moneyLedger: ledger(shop, '1121'),
    amount,
    reference: `NEFT${day.replaceAll('-', '')}`,
  });
  const party = pick(shop.customers, 1);
  const supplier = pick(shop.suppliers, 1);
  const advance = await post(shop, day, {
    kind: 'advanceReceipt',
    ...at(head),
    party,
    ...money('5900.00'),
    advanceRate: '18',
  });
  const sold = await post(shop, day, { kind: 'saleInvoice', ...at(head), party, lines: [line(shop, 7, '2')] });
  await post(shop, day, {
    kind: 'allocationVoucher',
    ...at(head),
    party,
    against: advance,
    amount: '2360.00',
    allocations: [{ document: sold, amount: '2360.00' }],
  });
  await post(shop, day, { kind: 'advanceRefund', ...at(head), party, against: advance, ...money('590.00') });
  const paid = await post(shop, day, { kind: 'advancePayment', ...at(head), party: supplier, ...money('8000.00') });
  const came = await post(shop, day, {
    kind: 'purchaseBill',
    ...at(head),
    party: supplier,
    ...bill(day, 'FX'),
    lines: [bought(shop, 5, '400')],
  });
  await post(shop, day, {
    kind: 'supplierAllocation',
    ...at(head),
    party: supplier,
    against: paid,
    amount: '5000.00',
    allocations: [{ document: came, amount: '5000.00' }],
  });
}

const dispatch = (shop: Shop, day: string, { registration, location }: Place, to: Place, goods: object) =>
  post(shop, day, {
    kind: 'branchTransfer',
    registration,
    location,
    toRegistration: to.registration,
    toLocation: to.location,
    lines: [goods],
  });

/** Goods that left on the last day and have not arrived yet. */
export async function underWay(shop: Shop, day: string): Promise<void> {
  const [head, store] = shop.places;
  if (head && store) await dispatch(shop, day, head, store, line(shop, 0, '12'));
}

/** How much tax, in paise, can be set off at the end of a day: what is due, and no more than there is of the credit (section 49(4)). */
async function available(
  { context }: Shop,
  day: string,
  { registration }: Place,
  { due, credit }: { readonly due: Id; readonly credit: Id },
): Promise<number> {
  const { rows } = await context.inTransaction((trx) =>
    sql<{ ledger: Id; balance: string }>`
      select ledger, sum(debit - credit)::bigint as balance
      from entries
      where organisation = ${context.organisation}
        and registration = ${registration}::uuid
        and ledger in (${due}::uuid, ${credit}::uuid)
        and date <= ${day}::date
      group by ledger
    `.execute(trx),
  );
  const on = (id: Id): number => Number(rows.find(({ ledger: one }) => one === id)?.balance ?? 0);
  return Math.min(-on(due), on(credit));
}

/** Goods between the own places, what the count found, and what the accountant writes by hand. */
async function inside(shop: Shop, day: string, head: Place, store: Place, branch: Place): Promise<void> {
  for (const [to, goods] of [
    [store, line(shop, 0, '20')],
    [branch, bought(shop, 1, '15')],
  ] as const) {
    const sent = await dispatch(shop, day, head, to, goods);
    await post(shop, day, {
      kind: 'transferReceipt',
      ...at(to),
      toRegistration: head.registration,
      against: sent,
      lines: [{ ...goods, source: { document: sent, line: 1 } }],
    });
  }
  await post(shop, day, {
    kind: 'inventoryAdjustment',
    ...at(head),
    fields: { adjustmentReason: 'count' },
    lines: [
      { item: pick(stocked(shop), 0).id, delta: '-2' },
      { item: pick(stocked(shop), 1).id, delta: '1', rate: pick(stocked(shop), 1).cost },
    ],
  });
  const pair = (debit: string, credit: string, amount: string) => [
    { ledger: ledger(shop, debit), debit: amount },
    { ledger: ledger(shop, credit), credit: amount },
  ];
  await post(shop, day, {
    kind: 'contra',
    ...at(head),
    lines: pair('1110', '1121', '40000.00'),
    narration: 'Cash drawn',
  });
  await post(shop, day, {
    kind: 'journalVoucher',
    ...at(head),
    lines: pair('6430', '2320', '3200.00'),
    narration: 'Accrued at the end of the quarter',
  });
  const setOff = await available(shop, day, head, { due: ledger(shop, '2211'), credit: ledger(shop, '1411') });
  if (setOff > 0)
    await post(shop, day, {
      kind: 'gstAdjustment',
      ...at(head),
      lines: pair('2211', '1411', moneyText(Math.min(setOff, 4500_00))),
      narration: 'Credit set off',
    });
}
