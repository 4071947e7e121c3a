import { grouped, moneyText, rupeesText } from '../../domain/base/decimal.ts';
import { currencyOf, figuresOf, openEntries, openLines } from '../banking/index.ts';
import type { Query, Row } from './report.ts';

/** From the balance of the books to that of the bank: what the one has not shown yet, and what the other does not have. */
export const bankReconciliation: Query = async (db, { organisation, filters, places, limit }) => {
  const { ledger = '', asOf = '' } = filters;
  const scope = { organisation, locations: places };
  const currency = await currencyOf(db, organisation, ledger);
  const account = { id: ledger, currency };
  const entries = await openEntries(db, scope, account, asOf, limit);
  const lines = await openLines(db, organisation, ledger, asOf, limit);
  const { worth, books, bank, notBooked, statement } = await figuresOf(db, scope, account, asOf);
  const unit = currency ?? '₹';
  const sum = (rows: readonly { readonly amount: string }[]) => rows.reduce((t, { amount }) => t + Number(amount), 0);
  const of = (sign: 1 | -1) => entries.filter(({ amount }) => Math.sign(Number(amount)) === sign);
  const total = (name: string, amount: number, depth = 0): Row => ({
    name,
    depth,
    amount: moneyText(amount),
    heading: true,
    total: true,
  });
  const section = (name: string, rows: typeof entries): Row[] => [
    { name, depth: 1, heading: true, amount: moneyText(-sum(rows)) },
    ...rows.map((e) => ({
      ...{ name: e.party || e.number, depth: 2, date: e.date, number: e.number, amount: moneyText(-Number(e.amount)) },
      ...{ document: e.document, kind: e.kind },
    })),
  ];
  return {
    rows: [
      total('Balance as per books', books),
      ...section('Received, not yet shown by the bank', of(1)),
      ...section('Paid, not yet shown by the bank', of(-1)),
      total('Balance that the bank has of these books', bank),
      { name: 'On the statement, not in the books', depth: 1, heading: true, amount: moneyText(notBooked) },
      ...lines.map((l) => ({
        name: l.text,
        depth: 2,
        date: l.date,
        number: l.reference,
        amount: moneyText(Number(l.amount)),
      })),
      total('Balance as per statement, by these figures', bank + notBooked),
      ...(statement === null ? [] : [total('Balance that the statement shows', statement)]),
    ],
    totals: {},
    after: null,
    notes: [
      ...(currency === null
        ? []
        : [`Amounts are in ${currency}; the balance of the books is worth ${rupeesText(worth)}`]),
      ...(statement === null
        ? ['The statements read so far say no balance']
        : statement === bank + notBooked
          ? []
          : [
              `The statement differs by ${unit} ${grouped(moneyText(statement - bank - notBooked))}: mark what the bank had passed before its first line as cleared`,
            ]),
      ...(entries.length === limit || lines.length === limit
        ? [`Only the oldest ${limit} rows of a section are listed`]
        : []),
    ],
  };
};
