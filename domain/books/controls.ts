import { say } from '../base/say.ts';
import type { Draft, Id, Problem } from '../document/document.ts';
import type { Kind } from '../document/kinds/kind.ts';
import type { Facts, ItemFacts } from '../document/resolve.ts';
import type { Effect, Ledgers } from './effects.ts';
import { fieldUses, type LedgerSeen, unfit, unfitOfItem } from './ledger-uses.ts';

/** What a ledger is kept in step with: the value of the stock balances, or the accounts of customers or suppliers. */
export type Control = 'stock' | 'customer' | 'supplier';

/** The effects whose ledgers say in one sum what something else says one by one; nobody may move the sum alone. */
export const controls = {
  stock: 'stock',
  receivable: 'customer',
  receivableOverseas: 'customer',
  receivableRetail: 'customer',
  advanceCustomer: 'customer',
  payable: 'supplier',
  payableMicroSmall: 'supplier',
  payableOverseas: 'supplier',
  advanceSupplier: 'supplier',
} as const satisfies Partial<Record<Effect, Control>>;

/** The controlled ledgers of an organisation. Its stock ledger is one only where it follows the stock balances. */
export const controlledLedgers = (ledgers: Ledgers, followsStock: boolean): ReadonlyMap<Id, Control> =>
  new Map(
    Object.entries(controls).flatMap(([effect, control]) =>
      control === 'stock' && !followsStock ? [] : [[ledgers[effect as Effect], control] as const],
    ),
  );

/** The ledger that an item itself names for the lines of a kind. */
const ownLedger = (kind: Kind, item: ItemFacts | undefined): Id | null | undefined =>
  kind.gst.tax === 'output'
    ? item?.incomeLedger
    : kind.gst.tax === 'input' && !item?.stocked
      ? item?.expenseLedger
      : undefined;

/**
 * Lines, charges and adjustments name no tax head, bank or cash: those move by their own fields and by journals. What comes
 * from a source keeps the ledgers that it was booked on.
 */
export function lineLedgerProblems(
  kind: Kind,
  draft: Draft,
  {
    ledgerSeen,
    items,
  }: { readonly ledgerSeen?: (ledger: Id) => LedgerSeen | undefined; readonly items: ReadonlyMap<Id, ItemFacts> },
): Problem[] {
  if (!ledgerSeen || kind.lines.of === 'ledgers' || kind.source.givesPrice) return [];

  const named = (field: string, all: readonly { readonly ledger?: Id }[] = []): Problem[] =>
    all.flatMap(({ ledger }, row) => {
      const seen = ledger ? ledgerSeen(ledger) : undefined;
      const message = seen && unfit(fieldUses.lineLedger, seen);
      return message === undefined ? [] : [{ field, row, ...message }];
    });
  return [
    ...named(
      'lines.ledger',
      draft.lines.map((line) => (line.source ? {} : line)),
    ),
    ...draft.lines.flatMap(({ item: id, source }, row): Problem[] => {
      const item = items.get(id ?? '');
      const ledger = source ? undefined : ownLedger(kind, item);
      const seen = ledger ? ledgerSeen(ledger) : undefined;
      const message = item && seen && unfitOfItem(item.name, seen);
      return message === undefined ? [] : [{ field: 'lines.item', row, ...message }];
    }),
    ...named('charges.ledger', draft.charges),
    ...named('adjustments.ledger', draft.adjustments),
  ];
}

const byCustomers = say('This ledger holds the accounts of customers: choose another');
const bySuppliers = say('This ledger holds the accounts of suppliers: choose another');
const byStock = say('This ledger is the value of the stock: enter opening stock or a stock adjustment instead');

/** Ledgers named in a draft that its entries would pull away from what they control (INV-06b, INV-24b). */
export function controlProblems(
  kind: Kind,
  draft: Draft,
  { controlled, items, accountOf }: Pick<Facts, 'controlled' | 'items' | 'accountOf'>,
): Problem[] {
  if (!controlled) return [];
  const named = (ledger: Id | undefined, field: string, row?: number): Problem[] => {
    const control = controlled.get(ledger ?? '');
    if (!control) return [];
    const message = { stock: byStock, customer: byCustomers, supplier: bySuppliers }[control];
    return [{ field, ...message, ...(row !== undefined && { row }) }];
  };
  return [
    ...draft.lines.flatMap(({ ledger, party }, row) => {
      const control = controlled.get(ledger ?? '');
      if (kind.lines.of !== 'ledgers' || control === 'stock' || !control) return named(ledger, 'lines.ledger', row);
      if (!party)
        return [
          {
            field: 'lines.party',
            row,
            ...(control === 'customer'
              ? say('Choose the customer: this ledger holds one account each')
              : say('Choose the supplier: this ledger holds one account each')),
          },
        ];
      const account = ledger ? accountOf?.(party, ledger) : undefined;
      return account && account.ledger !== ledger ? [{ field: 'lines.ledger', row, ...account.says }] : [];
    }),
    ...draft.lines.flatMap(({ item: id }, row): Problem[] => {
      const item = items.get(id ?? '');
      return controlled.has(ownLedger(kind, item) ?? '')
        ? [
            {
              field: 'lines.item',
              row,
              ...say('{{item}} is posted to a ledger that takes no entries of its own: give it another one', {
                item: item?.name,
              }),
            },
          ]
        : [];
    }),
    ...named(draft.moneyLedger, 'moneyLedger'),
    ...(draft.tenders ?? []).flatMap(({ ledger }, row) => named(ledger, 'tenders.ledger', row)),
    ...(draft.charges ?? []).flatMap(({ ledger }, row) => named(ledger, 'charges.ledger', row)),
    ...(draft.adjustments ?? []).flatMap(({ ledger }, row) => named(ledger, 'adjustments.ledger', row)),
  ];
}
