import type { DraftBody } from '../../../contract/documents.ts';
import { numberText, periodKey } from '../../../domain/document/number.ts';
import { newKey } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';
import { nextMoment } from '../clock.ts';
import type { TillView } from '../counter.ts';
import { browserBills, type KeptBill } from './billStore.ts';

interface Made {
  readonly body: DraftBody;
  readonly receipt: KeptBill['receipt'];
  readonly cart: unknown;
}
interface At {
  readonly till: TillView;
  readonly session: string;
  readonly owner: string;
  /** The refused bill whose place it takes, with its number when that reads the same on this day. */
  readonly before?: KeptBill | undefined;
}

type Numbers = NonNullable<TillView['numbers']>;
/** How the till's numbers read on a day, and the counter they belong to. */
export const reads = (numbers: Numbers, date: string, counter: number): string =>
  numberText(numbers, { date, location: numbers.location }, counter);
/** Where the server's counter stands. */
export const nextHere = (numbers: Numbers, period: string): number =>
  numbers.counters.find((one) => one.period === period)?.next ?? numbers.start;
export const periodOf = (numbers: Numbers, date: string): string => periodKey(numbers, date);

/** Keeps a finished bill under the next number of its till, or under that of the refused bill that it takes the place of. */
export async function keepBill({ till, session, owner, before }: At, made: Made): Promise<KeptBill> {
  const { numbers } = till;
  if (!numbers) throw new Error('a till that sells has its numbers');
  const { series } = numbers;
  const device = await browserBills.device();
  const period = periodOf(numbers, made.body.date);
  const at = nextMoment();
  const numbered = (counter: number): KeptBill => {
    const number = reads(numbers, made.body.date, counter);
    return {
      ...{ key: newKey(), owner, session, number, counter, series, period, at, ...made, state: 'waiting' },
      body: { ...made.body, till: { session, device, counter, number } },
    };
  };
  if (before && keepsNumber(before, numbers, made.body.date)) {
    const bill = numbered(before.counter);
    await browserBills.keep(bill, before.key);
    return bill;
  }
  return browserBills.keepNumbered({ series, period, atLeast: nextHere(numbers, period) }, numbered, before?.key);
}

const keepsNumber = ({ code, series, period, counter, number }: KeptBill, numbers: Numbers, date: string): boolean =>
  code !== 'tillNumberTaken' &&
  series === numbers.series &&
  period === periodOf(numbers, date) &&
  number === reads(numbers, date, counter);

/** A refused bill that is sent again as it is, in the session that is open now; under the next number where its own is another's. */
export async function sendAgain(till: TillView, session: string, bill: KeptBill): Promise<KeptBill> {
  const { owner, body, receipt, cart } = bill;
  if (bill.code === 'tillNumberTaken') return keepBill({ till, session, owner, before: bill }, { body, receipt, cart });
  const moved = { ...bill, session, body: { ...body, till: { ...body.till, session } }, key: newKey() };
  // refused under its key, it was not posted: in another session it is another bill
  const again: KeptBill = { ...(bill.session === session ? bill : moved), state: 'waiting' };
  await browserBills.keep(again, bill.key);
  return again;
}

/** Why a paper of this bill is none to be given away. */
const paperWarning = ({ state, why }: KeptBill): string | null => {
  if (state === 'refused') return t('Not in the books: {{why}}', { why: why ?? t('refused') });
  if (state === 'cancelled' || state === 'void') return 'Cancelled';
  return null;
};

/** A paper of the till's roll. */
export interface Paper {
  readonly facts: KeptBill['receipt'];
  readonly number: string;
  readonly warning: string | null;
  readonly at: string;
}
export const paperOf = (bill: KeptBill): Paper => ({
  ...{ facts: bill.receipt, number: bill.number, warning: paperWarning(bill), at: bill.at },
});
