import { dayInWords } from '../../base/dates.ts';
import { ONE, rupeesText } from '../../base/decimal.ts';
import { paise, scale, sum, zero } from '../../base/money.ts';
import { type Said, say } from '../../base/say.ts';
import {
  comesThroughBank,
  goesThroughBank,
  mayHaveGap,
  mayPayAtOnce,
  postsAsWritten,
  sideOfTenders,
} from '../../books/legs.ts';
import { cashForCarriage, cashLimitOn, cashPayments, cashReceipts } from '../../facts/cash.ts';
import type { Draft, Id, Priced } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Facts } from '../resolve.ts';
import type { Checking, CheckingPriced, Finding, PricedCheck, TypedCheck, Weight } from './check.ts';

/** Cash that a draft puts into a ledger, or takes out of it (negative), with the field that says so. */
interface Move {
  readonly ledger: Id;
  readonly amount: number;
  readonly field: string;
  readonly row?: number;
}

interface Known {
  readonly ledgers: Facts['ledgers'] | undefined;
  readonly isCash: (ledger: Id) => boolean;
}

/** Ledgers that a draft may move money of, named or by the posting map. */
const moneyNamed = (kind: Kind, draft: Draft, { ledgers }: Known): readonly Id[] => {
  const { moneyLedger, tenders = [], lines } = draft;
  const named = moneyLedger === undefined ? [] : [moneyLedger];
  if (postsAsWritten(kind)) return lines.flatMap(({ ledger }) => ledger ?? []);
  if (sideOfTenders(kind) === undefined) return named;
  const rest = moneyLedger ?? ledgers?.cash;
  return [...tenders.map(({ ledger }) => ledger), ...(rest === undefined ? [] : [rest])];
};
/** Those of them that are cash. Opening balances bring in what was there before. */
export const cashNamed = (kind: Kind, draft: Draft, known: Known): readonly Id[] =>
  mayHaveGap(kind) ? [] : [...new Set(moneyNamed(kind, draft, known).filter(known.isCash))];

/** Cash may go out: with entries that are written it hangs on their side. */
export const mayTakeCash = (kind: Kind, draft: Draft, known: Known): boolean =>
  (goesThroughBank(kind) || mayPayAtOnce(kind) || postsAsWritten(kind) || sideOfTenders(kind) === 'credit') &&
  cashNamed(kind, draft, known).length > 0;
/** Whether the books are asked: for what lies in the ledger, or for what moved with the same person before. */
export const asksCash = (kind: Kind, draft: Draft, known: Known): boolean =>
  mayTakeCash(kind, draft, known) ||
  (cashPerson(kind, draft) !== undefined && cashNamed(kind, draft, known).length > 0);

const moves = (kind: Kind, draft: Draft, { ledgers, isCash }: Known, priced?: Priced): readonly Move[] => {
  const { moneyLedger, amount = zero, exchangeRate, tenders = [], onAccount = zero } = draft;
  const all: Move[] = [];
  const head = (ledger: Id | undefined, moved: number): void => {
    if (ledger !== undefined) all.push({ ledger, amount: moved, field: 'moneyLedger' });
  };
  if (postsAsWritten(kind))
    for (const [row, { ledger, debit = 0, credit = 0 }] of draft.lines.entries())
      all.push({
        ledger: ledger ?? '',
        amount: debit - credit,
        field: debit > credit ? 'lines.debit' : 'lines.credit',
        row,
      });
  if (comesThroughBank(kind)) head(moneyLedger, scale(amount, exchangeRate, ONE));
  if (goesThroughBank(kind)) head(moneyLedger, -scale(amount, exchangeRate, ONE));
  if (priced && mayPayAtOnce(kind)) head(moneyLedger, -priced.payable);
  const side = sideOfTenders(kind);
  if (priced && side !== undefined) {
    const sign = side === 'debit' ? 1 : -1;
    for (const [row, tender] of tenders.entries())
      all.push({ ledger: tender.ledger, amount: sign * tender.amount, field: 'tenders.ledger', row });
    const rest = priced.payable - onAccount - sum(tenders.map((tender) => tender.amount));
    head(moneyLedger ?? ledgers?.cash, sign * rest);
  }
  return mayHaveGap(kind) ? [] : all.filter((move) => move.amount !== 0 && isCash(move.ledger));
};

/** The other party: for a journal, the one party that its lines name. */
export const cashPerson = (kind: Kind, { party, lines }: Draft): Id | undefined => {
  if (!postsAsWritten(kind)) return party;
  const [one, ...others] = new Set(lines.flatMap((line) => line.party ?? []));
  return others.length === 0 ? one : undefined;
};

const movesIn = ({ kind, draft, facts }: Checking, priced?: Priced): readonly Move[] =>
  facts.isCash ? moves(kind, draft, { ledgers: facts.ledgers, isCash: facts.isCash }, priced) : [];
const at = ({ field, row }: Move, message: Said): Finding => ({ field, ...message, ...(row !== undefined && { row }) });
const total = (all: readonly Move[]): number => all.reduce((amount, move) => amount + move.amount, 0);

type Find = (checking: Checking, priced?: Priced) => Finding[];

/** No more can be taken out of a cash box than lies in it. A drawer is counted when its till closes: what that finds is true. */
function belowZero(checking: Checking, priced: Priced | undefined, kept: boolean): Finding[] {
  const { kind, draft, facts } = checking;
  if (draft.till || kind.life.system) return [];
  const all = movesIn(checking, priced);
  return [...new Set(all.map(({ ledger }) => ledger))].flatMap((ledger): Finding[] => {
    const own = all.filter((move) => move.ledger === ledger);
    const out = -total(own);
    const there = facts.booked?.cash?.ledgers.get(ledger);
    const last = own.findLast(({ amount }) => amount < 0);
    if (!there || there.kept !== kept || !last || out <= 0 || there.least >= out) return [];
    const left = paise(there.least - out);
    const day = there.day > draft.date ? there.day : draft.date;
    const values = { name: there.name, left: rupeesText(left), day: dayInWords(day) };
    const message = kept
      ? say(
          '{{name}} would be {{left}} on {{day}}: cash is never negative. Correct the amount or the ledger, enter the receipts ' +
            'first, or give the reason',
          values,
        )
      : say(
          '{{name}} would be {{left}} on {{day}}, because no money was put in yet: enter its opening balance or the receipts',
          values,
        );
    return [at(last, message)];
  });
}
/** Of a ledger that no money came into, the opening balance may be missing yet: it is only said. */
const empty: Find = (checking, priced) => belowZero(checking, priced, false);
const kept: Find = (checking, priced) => belowZero(checking, priced, true);

/** Cash that is received. What goes from one ledger of money to another comes from nobody. */
function received(checking: Checking, priced?: Priced): Finding[] {
  const { kind, draft, facts } = checking;
  const limit = cashLimitOn(cashReceipts, draft.date);
  const all = movesIn(checking, priced);
  const here = total(all);
  const [first] = all;
  const person = cashPerson(kind, draft);
  if (!limit || !first || here <= 0 || kind.lines.onlyMoney || (postsAsWritten(kind) && person === undefined))
    return [];
  const { before, settled } = facts.booked?.cash ?? {};
  const day = here + (before?.received ?? 0);
  const ban = say(
    '{{limit}} and more is not received in cash from one person in a day or for one transaction ({{law}})',
    { limit: rupeesText(limit.limit), law: limit.law },
  );
  if (day >= limit.limit) {
    const earlier = before?.received ?? 0;
    const values = { day: rupeesText(day), date: dayInWords(draft.date), earlier: rupeesText(earlier), ban };
    return [
      at(
        first,
        earlier > 0
          ? say('This is {{day}} in cash on {{date}}, with {{earlier}} received before: {{ban}}', values)
          : say('This is {{day}} in cash on {{date}}: {{ban}}', values),
      ),
    ];
  }
  return (draft.allocations ?? []).slice(0, settled ? undefined : 0).flatMap(({ document, amount }): Finding[] => {
    const paid = settled?.get(document);
    const whole = (paid?.amount ?? 0) + scale(amount, draft.exchangeRate, ONE);
    return paid && whole >= limit.limit
      ? [
          at(
            first,
            say('With this {{whole}} of {{number}} is received in cash: {{ban}}', {
              whole: rupeesText(whole),
              number: paid.number,
              ban,
            }),
          ),
        ]
      : [];
  });
}

/** Cash that is paid for what is bought. Money that goes back to a customer is no expenditure. */
function paid(checking: Checking, priced?: Priced): Finding[] {
  const { kind, draft, facts } = checking;
  const limit = cashLimitOn(cashPayments, draft.date);
  const all = movesIn(checking, priced);
  const here = -total(all);
  const last = all.findLast(({ amount }) => amount < 0);
  const isExpenditure =
    kind.party.side === 'supplier' || (postsAsWritten(kind) && cashPerson(kind, draft) !== undefined);
  if (!limit || !last || here <= 0 || kind.lines.onlyMoney || !isExpenditure) return [];
  const before = facts.booked?.cash?.before?.paid ?? zero;
  const day = here + before;
  if (day <= limit.limit) return [];
  const carriage = cashLimitOn(cashForCarriage, draft.date);
  const given = { day: rupeesText(day), date: dayInWords(draft.date), earlier: rupeesText(before) };
  const much =
    before > 0
      ? say('This is {{day}} in cash to one person on {{date}}, with {{earlier}} paid before', given)
      : say('This is {{day}} in cash to one person on {{date}}', given);
  const values = { much, limit: rupeesText(limit.limit), law: limit.law };
  const isCarried = carriage && day <= carriage.limit;
  return [
    at(
      last,
      isCarried
        ? say(
            '{{much}}: more than {{limit}} is not deducted from the income ({{law}}); {{otherLaw}} up to {{otherLimit}} is',
            { ...values, otherLaw: carriage.law, otherLimit: rupeesText(carriage.limit) },
          )
        : say('{{much}}: more than {{limit}} is not deducted from the income ({{law}})', values),
    ),
  ];
}

interface Row {
  readonly code: string;
  readonly weight: Weight;
  readonly source: string;
}
/** What is known as it is typed: money, and entries that are written. */
const typed = (row: Row, find: Find): TypedCheck => ({
  ...row,
  find: (checking) => (checking.kind.lines.of === 'none' || checking.kind.lines.of === 'ledgers' ? find(checking) : []),
});
/** What is paid on the spot, once it adds up. */
const priced = (row: Row, find: Find): PricedCheck => ({
  ...row,
  find: (checking: CheckingPriced) => find(checking, checking.priced),
});

const zeroLaw = 'accounts are kept of the cash that is there: less than none was not';
export const cashBelowZero = typed({ code: 'cashBelowZero', weight: 'reason', source: zeroLaw }, kept);
export const cashSpentBelowZero = priced({ code: 'cashSpentBelowZero', weight: 'reason', source: zeroLaw }, kept);
export const cashNotOpened = typed({ code: 'cashNotOpened', weight: 'warning', source: zeroLaw }, empty);
export const cashSpentNotOpened = priced({ code: 'cashSpentNotOpened', weight: 'warning', source: zeroLaw }, empty);

const receiptLaw = 'Income-tax Act 1961 section 269ST, Act of 2025 section 186: domain/facts/cash.ts';
export const cashReceived = typed({ code: 'cashReceived', weight: 'warning', source: receiptLaw }, received);
export const cashSaleAboveLimit = priced(
  { code: 'cashSaleAboveLimit', weight: 'warning', source: receiptLaw },
  received,
);

const paymentLaw = 'Income-tax Act 1961 section 40A(3), Act of 2025 section 36(4): domain/facts/cash.ts';
export const cashPaid = typed({ code: 'cashPaid', weight: 'warning', source: paymentLaw }, paid);
export const cashSpentAboveLimit = priced({ code: 'cashSpentAboveLimit', weight: 'warning', source: paymentLaw }, paid);
