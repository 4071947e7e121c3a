import type { z } from 'zod';
import type { accountCalls } from '../../contract/accounts.ts';
import { moneyText, parseDecimal, rupeesText } from '../../domain/base/decimal.ts';
import { type Paise, paise } from '../../domain/base/money.ts';
import { movesAdvances } from '../../domain/books/legs.ts';
import { oldestFirst } from '../../domain/books/settle.ts';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import { parseAmount } from '../kit/format.ts';
import { t } from '../kit/text.ts';

export type Standing = z.output<typeof accountCalls.GetCreditsListAganistParty.details>;
export type Item = Standing['credits'][number];
/** Amounts as typed, by pair; a pair that is not named stands as it was saved. */
export type Typed = Readonly<Record<string, string>>;

export const nameOf = ({ document, line }: Pick<Item, 'document' | 'line'>): string => `${document}/${line}`;
const pairOf = (credit: Item, due: Item): string => `${nameOf(credit)} ${nameOf(due)}`;
const settledSide: Readonly<Record<string, string>> = { customerCredit: 'receivable', supplierCredit: 'payable' };
const amountIn = (text: string): number => parseDecimal(text, 2) ?? 0;

const savedOf = ({ allocations }: Standing, credit: Item, due: Item) =>
  allocations.find(
    (a) =>
      a.credit === credit.document &&
      a.creditLine === credit.line &&
      a.invoice === due.document &&
      a.invoiceLine === due.line,
  );

/** What a credit may settle: dues of its side. */
export const duesOf = ({ dues }: Standing, credit: Item): readonly Item[] =>
  dues.filter((due) => due.side === settledSide[credit.side]);

const isTyped = (typed: Typed, pair: (name: string) => boolean): boolean => Object.keys(typed).some(pair);

/** Credits of which something is left or typed, and the chosen one: those that are used up are in the way. */
export const creditsShown = (standing: Standing, typed: Typed, chosen: Item): readonly Item[] =>
  standing.credits.filter(
    (credit) =>
      credit === chosen || credit.open !== '0.00' || isTyped(typed, (pair) => pair.startsWith(`${nameOf(credit)} `)),
  );

/** Of what a credit may settle: what is open, and what it has settled, to be taken back. */
export const duesShown = (standing: Standing, typed: Typed, credit: Item): readonly Item[] =>
  duesOf(standing, credit).filter(
    (due) =>
      due.open !== '0.00' ||
      savedOf(standing, credit, due) !== undefined ||
      isTyped(typed, (pair) => pair.endsWith(` ${nameOf(due)}`)),
  );

/** Why a credit is not settled here, as the server would refuse it. */
export const fixedBecause = (credit: Item): string | undefined => {
  const kind = kindCalled(credit.kind);
  if (kind && movesAdvances(kind)) return t('An advance is adjusted or given back by a document of its own');
  return credit.currency === 'INR' ? undefined : t('Foreign currency is settled by the receipt or payment itself');
};

/** The text of a pair: as typed, else as it stands. */
export const textOf = (standing: Standing, typed: Typed, credit: Item, due: Item): string =>
  typed[pairOf(credit, due)] ?? shown(savedOf(standing, credit, due)?.amount);
const shown = (amount: string | undefined): string => (amount && amount !== '0.00' ? amount : '');

export const typing = (typed: Typed, credit: Item, due: Item, text: string): Typed => ({
  ...typed,
  [pairOf(credit, due)]: text,
});

/** Of an amount, paise; undefined when it is no amount. Empty is nothing. */
const read = (text: string): number | undefined => {
  if (text.trim() === '') return 0;
  const clean = parseAmount(text);
  return clean === null || clean.startsWith('-') ? undefined : amountIn(clean);
};

/** What is left of a credit or due, in paise, with what is typed; a negative one is too much. */
export const leftOf = (standing: Standing, typed: Typed, item: Item): number => {
  const credit = settledSide[item.side] !== undefined;
  const others = credit ? duesOf(standing, item) : standing.credits.filter((c) => settledSide[c.side] === item.side);
  return others.reduce((left, other) => {
    const [from, to] = credit ? [item, other] : [other, item];
    const before = amountIn(savedOf(standing, from, to)?.amount ?? '0');
    return left + before - (read(textOf(standing, typed, from, to)) ?? before);
  }, amountIn(item.open));
};

/** What is wrong with the amount of a pair; undefined when it can be saved. */
export const problemOf = (standing: Standing, typed: Typed, credit: Item, due: Item): string | undefined => {
  const text = typed[pairOf(credit, due)];
  if (text === undefined) return undefined;
  const amount = read(text);
  if (amount === undefined) return t('Enter an amount');
  const fixed = amountIn(savedOf(standing, credit, due)?.fixed ?? '0');
  if (amount < fixed) return t('{{fixed}} of it was settled by a document: cancel that', { fixed: rupeesText(fixed) });
  if (amount === 0) return undefined;
  if (leftOf(standing, typed, due) < 0) return t('More than is open of {{number}}', { number: due.number });
  return leftOf(standing, typed, credit) < 0
    ? t('More than is left of {{number}}', { number: credit.number })
    : undefined;
};

export interface Change {
  readonly credit: string;
  readonly creditLine: number;
  readonly invoice: string;
  readonly invoiceLine: number;
  readonly amount: string;
}

/** The pairs whose amount is another than it was. */
export const changesOf = (standing: Standing, typed: Typed): readonly Change[] =>
  standing.credits.flatMap((credit) =>
    duesOf(standing, credit).flatMap((due) => {
      const text = typed[pairOf(credit, due)];
      const amount = text === undefined ? undefined : read(text);
      if (amount === undefined || amount === amountIn(savedOf(standing, credit, due)?.amount ?? '0')) return [];
      const [from, to] = [
        { credit: credit.document, creditLine: credit.line },
        { invoice: due.document, invoiceLine: due.line },
      ];
      return [{ ...from, ...to, amount: moneyText(amount) }];
    }),
  );

/** Pairs in which something stands that cannot be saved. */
export const problemsIn = (standing: Standing, typed: Typed): readonly string[] =>
  standing.credits.flatMap((credit) =>
    duesOf(standing, credit).flatMap((due) => problemOf(standing, typed, credit, due) ?? []),
  );

/** What is left of a credit goes to its dues, the one due first before all others, on top of what it settles already. */
export const settleOldestFirst = (standing: Standing, typed: Typed, credit: Item): Typed => {
  const dues = new Map(duesOf(standing, credit).flatMap((due) => (fixedBecause(due) ? [] : [[nameOf(due), due]])));
  const left = Math.max(0, leftOf(standing, typed, credit));
  const { allocations } = oldestFirst(
    paise(left),
    [...dues].map(([document, due]) => ({
      document,
      date: due.date,
      ...(due.dueDate && { due: due.dueDate }),
      open: paise(Math.max(0, leftOf(standing, typed, due))),
    })),
  );
  return allocations.reduce((all, { document, amount }) => {
    const due = dues.get(document);
    if (!due) return all;
    const already: Paise | number = read(textOf(standing, all, credit, due)) ?? 0;
    return typing(all, credit, due, moneyText(already + amount));
  }, typed);
};

/** Everything this credit settles is taken back, but what a document settled by entries of its own. */
export const takeBack = (standing: Standing, typed: Typed, credit: Item): Typed =>
  duesOf(standing, credit).reduce((all, due) => {
    const fixed = savedOf(standing, credit, due)?.fixed ?? '0.00';
    return textOf(standing, all, credit, due) === '' ? all : typing(all, credit, due, shown(fixed));
  }, typed);
