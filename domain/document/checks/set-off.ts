import { dayInWords } from '../../base/dates.ts';
import { rupeesText } from '../../base/decimal.ts';
import { paise } from '../../base/money.ts';
import { say } from '../../base/say.ts';
import type { Effect, Ledgers } from '../../books/effects.ts';
import type { Draft, Id } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Facts, TaxThere } from '../resolve.ts';
import { isByHand } from './by-hand.ts';
import type { Finding, TypedCheck } from './check.ts';

/** What tax credit pays: the heads that may bear it, and its rule. Cash and every other credit pay any head. */
interface Due {
  readonly name: string;
  readonly paidBy: readonly Effect[];
  readonly law: string;
}

const onlyCash = (name: string): Due => ({
  ...{ name, paidBy: [] },
  law: 'credit pays output tax only (sections 2(82) and 49(4) of the CGST Act): pay it in cash',
});
/** CGST Act sections 49(5), 49A and rule 88A; cess: GST (Compensation to States) Act section 11(2), proviso. */
const dues: Readonly<Partial<Record<Effect, Due>>> = {
  outputIgst: {
    name: 'IGST',
    paidBy: ['inputIgst', 'inputCgst', 'inputSgst'],
    law: 'credit of cess pays cess only (section 11(2) of the Compensation Act)',
  },
  outputCgst: {
    name: 'CGST',
    paidBy: ['inputIgst', 'inputCgst'],
    law: 'credit of SGST or UTGST never pays CGST (section 49(5)(f) of the CGST Act)',
  },
  outputSgst: {
    name: 'SGST/UTGST',
    paidBy: ['inputIgst', 'inputSgst'],
    law: 'credit of CGST never pays SGST or UTGST (section 49(5)(e) of the CGST Act)',
  },
  outputCess: {
    name: 'cess',
    paidBy: ['inputCess'],
    law: 'only credit of cess pays cess (section 11(2) of the Compensation Act)',
  },
  reverseCgst: onlyCash('reverse charge CGST'),
  reverseSgst: onlyCash('reverse charge SGST/UTGST'),
  reverseIgst: onlyCash('reverse charge IGST'),
  reverseCess: onlyCash('reverse charge cess'),
};
const credits: readonly Effect[] = ['inputIgst', 'inputCgst', 'inputSgst', 'inputCess'];
/** What else is due on ledgers of these roles. */
const roleDues: Readonly<Partial<Record<string, Due>>> = {
  gst_interest: onlyCash('interest, late fee and penalty'),
  gst_composition: onlyCash('tax under composition'),
};
/** An expense that arises with its payment. */
const expenseDues: Readonly<Partial<Record<Effect, Due>>> = { statutoryInterest: roleDues['gst_interest'] as Due };
type Named = Pick<TaxThere, 'effects'> & { readonly role?: string | null };
const dueOn = ({ role, effects }: Named): Due | undefined =>
  effects.flatMap((name) => dues[name] ?? expenseDues[name] ?? [])[0] ?? roleDues[role ?? ''];
const creditOn = ({ effects }: Named): Effect | undefined => effects.find((name) => credits.includes(name));

/** Roles of the default chart whose ledgers a set-off may name; every role of GST is one of them. */
const taxRoles: ReadonlySet<string> = new Set(['itc_expense', 'composition_expense', 'round_off']);
/** Effects whose ledgers it may name, whatever their role: a head of tax, and what is paid beside tax (section 50, section 170). */
const besideTax: ReadonlySet<Effect> = new Set<Effect>(['statutoryInterest', 'roundOff', 'gstRefund', 'gstOnAdvances']);

const isOfTax = ({ role, effects }: TaxThere): boolean =>
  role?.startsWith('gst_') === true ||
  taxRoles.has(role ?? '') ||
  effects.some((name) => dues[name] || credits.includes(name) || besideTax.has(name));

/** What was paid in by challans, head by head, and not used yet. */
const inCashLedger = ({ role }: TaxThere): boolean => role?.startsWith('gst_cash_') === true;

/** What is credited there pays tax: money, the electronic cash ledger, tax that others deducted or that advances bore, and rounding. */
const pays = (
  ledger: Id | undefined,
  isMoney: Facts['isMoney'],
  there: ReadonlyMap<Id, TaxThere> | undefined,
): boolean => {
  const seen = there?.get(ledger ?? '');
  if (ledger === undefined || !seen || isMoney?.(ledger)) return true;
  return (
    /^gst_(cash_|tds_receivable|tcs_receivable|on_advances)/.test(seen.role ?? '') ||
    seen.role === 'round_off' ||
    seen.effects.some((name) => name === 'roundOff' || name === 'gstTdsReceivable' || name === 'gstOnAdvances')
  );
};

/** A set-off is between ledgers of GST and money: tax that is due is never written off against income or an expense. */
export const setOffLedgers: TypedCheck = {
  code: 'setOffLedger',
  weight: 'problem',
  source: 'CGST Act sections 49(3), 49(4) and 50: tax due is paid from credit or in cash',
  find: ({ kind, draft: { lines }, facts: { isMoney, controlled, booked } }) =>
    kind.gst.setsOff && booked?.taxThere
      ? lines.flatMap(({ ledger }, row): Finding[] => {
          const seen = booked.taxThere?.get(ledger ?? '');
          if (!seen || !ledger || isMoney?.(ledger) || isOfTax(seen)) return [];
          // those say themselves that they take no such entries
          if (controlled?.has(ledger) || seen.role === 'current_year_profit') return [];
          const label = kind.label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
          return [
            {
              field: 'lines.ledger',
              row,
              ...say(
                'A {{label}} takes ledgers of GST, cash and bank, and interest and late fees of GST: write anything else in a journal',
                { label },
              ),
            },
          ];
        })
      : [],
};

/** Whether a written journal uses credit for something else than credit: what that is, its ledgers say. */
export const setsOffByHand = (kind: Kind, { lines }: Pick<Draft, 'lines'>, ledgers: Ledgers): boolean => {
  const isOn = (ledger: Id | undefined, names: readonly Effect[]) => names.some((name) => ledgers[name] === ledger);
  return (
    isByHand(kind) &&
    lines.some(({ ledger, debit = 0 }) => debit > 0 && !isOn(ledger, credits)) &&
    lines.some(({ ledger, credit = 0 }) => credit > 0 && isOn(ledger, credits))
  );
};

/** A set-off uses the credit and the cash that are there, and pays what is due. */
export const setOffWithin: TypedCheck = {
  code: 'setOffWithin',
  weight: 'problem',
  source: 'CGST Act sections 49(3) to 49(5): the amount available in the electronic cash and credit ledgers',
  find: ({ kind, draft: { lines, date }, facts: { booked } }) => {
    if (!(kind.gst.setsOff || isByHand(kind)) || !booked?.taxThere) return [];
    // a written journal sets off where it pays what is due
    const isDue = (seen: TaxThere | undefined): boolean => seen !== undefined && dueOn(seen) !== undefined;
    const paysDue = lines.some(({ ledger, debit = 0 }) => debit > 0 && isDue(booked.taxThere?.get(ledger ?? '')));
    if (!kind.gst.setsOff && !paysDue) return [];
    return lines.flatMap(({ ledger }, row): Finding[] => {
      const seen = booked.taxThere?.get(ledger ?? '');
      // what all lines of a ledger use is said at the last of them
      if (!seen || row !== lines.findLastIndex((line) => line.ledger === ledger)) return [];
      const { effects, credit, due } = seen;
      const moved = lines
        .filter((line) => line.ledger === ledger)
        .reduce((total, line) => total + (line.debit ?? 0) - (line.credit ?? 0), 0);
      const isCredit = effects.some((name) => credits.includes(name));
      const isDue = effects.some((name) => dues[name]) || roleDues[seen.role ?? ''] !== undefined;
      const isCash = inCashLedger(seen);
      const there = paise(Math.max(0, isCredit || isCash ? credit : due));
      if ((isCredit || isCash) && -moved > there) {
        const values = { there: rupeesText(there), date: dayInWords(date) };
        const message = isCash
          ? say(
              '{{there}} is in the electronic cash ledger on {{date}} and after (section 49(3)): enter the challan that paid it in ' +
                'first, or use no more',
              values,
            )
          : say('{{there}} of this credit is available on {{date}} and after (section 49(4)): use no more', values);
        return [{ field: 'lines.credit', row, ...message }];
      }
      return isDue && moved > there
        ? [
            {
              ...{ field: 'lines.debit', row },
              ...say('{{there}} of this tax is due on {{date}}: pay no more', {
                there: rupeesText(there),
                date: dayInWords(date),
              }),
            },
          ]
        : [];
    });
  },
};

/** Every choice of these, the smallest first; the empty one is left out. */
const choices = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 2 ** all.length - 1 }, (_, n) =>
    all.filter((_one, at) => Math.floor((n + 1) / 2 ** at) % 2 === 1),
  ).toSorted((a, b) => a.length - b.length);

/**
 * What a set-off debits on tax heads has to be paid by credits that may pay it. It is possible when no choice of heads needs
 * more than the credits that any of them may use, with what is credited elsewhere (cash, an expense), come to.
 */
export const setOff: TypedCheck = {
  code: 'setOff',
  weight: 'problem',
  source: 'CGST Act sections 49(4), 49(5) and 49A, rule 88A',
  find: ({ kind, draft: { lines }, facts: { ledgerSeen, isMoney, booked } }) => {
    if (!(kind.gst.setsOff || isByHand(kind)) || !ledgerSeen) return [];
    const paid = new Map<Due, { amount: number; readonly row: number }>();
    const used = new Map<Effect, number>();
    let elsewhere = 0;
    for (const [row, { ledger, debit = 0, credit = 0 }] of lines.entries()) {
      const seen = ledger === undefined ? undefined : (booked?.taxThere?.get(ledger) ?? ledgerSeen(ledger));
      const due = seen && dueOn(seen);
      const head = seen && creditOn(seen);
      if (due) paid.set(due, { row, ...paid.get(due), amount: (paid.get(due)?.amount ?? 0) + debit - credit });
      else if (head) used.set(head, (used.get(head) ?? 0) + credit - debit);
      else if (pays(ledger, isMoney, booked?.taxThere)) elsewhere += credit;
    }
    // a written journal may move tax for other reasons: it sets off where it uses credit
    if (!kind.gst.setsOff && ![...used.values()].some((amount) => amount > 0)) return [];
    for (const heads of choices([...paid].filter(([, { amount }]) => amount > 0))) {
      const needed = heads.reduce((total, [, { amount }]) => total + amount, 0);
      const usable = credits.filter((name) => heads.some(([due]) => due.paidBy.includes(name)));
      const there = usable.reduce((total, name) => total + Math.max(0, used.get(name) ?? 0), elsewhere);
      if (needed > there) return found(heads, paise(needed - there));
    }
    return [];
  },
};

const found = (
  heads: readonly (readonly [Due, { readonly row: number }])[],
  amount: ReturnType<typeof paise>,
): Finding[] => {
  const names = heads.map(([{ name }]) => name).join(' and ');
  const laws = [...new Set(heads.map(([{ law }]) => law))].join('; ');
  return [
    {
      ...{ field: 'lines.ledger', row: heads[0]?.[1].row ?? 0 },
      ...say('{{amount}} of {{names}} is not paid by the credits and the cash of this document: {{laws}}', {
        amount: rupeesText(amount),
        names,
        laws,
      }),
    },
  ];
};
