import { dayInWords } from '../../base/dates.ts';
import { ONE, rateText } from '../../base/decimal.ts';
import { scale } from '../../base/money.ts';
import { say } from '../../base/say.ts';
import { postsNothing } from '../../books/legs.ts';
import { moneySettled } from '../../books/posting.ts';
import type { Day, Draft } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import { takesRateOfSources } from '../sources.ts';
import type { PricedCheck, TypedCheck } from './check.ts';

/** A currency that moves so far within days has a reason that somebody knows; a mistyped rate moves further. */
const FAR_PERCENT = 25;
const isFar = (rate: number, known: number): boolean => Math.abs(rate - known) * 100 > known * FAR_PERCENT;

/**
 * Whether a draft has a rate of exchange of its own, which may be mistyped: one that corrects or takes back a document has
 * the rate of that one.
 */
export const hasOwnRate = (kind: Kind, draft: Draft): boolean =>
  draft.currency !== 'INR' &&
  draft.exchangeRate > 0 &&
  kind.fields.includes('exchangeRate') &&
  kind.source.reverses === undefined &&
  !takesRateOfSources(kind, draft);

/** Every rupee of the document hangs on its rate: it is compared with what the books know of the currency. */
export const exchangeRateFar: TypedCheck = {
  code: 'exchangeRateFar',
  weight: 'reason',
  source: 'AS 11, paragraph 9: a transaction is booked at the rate of its day',
  find: ({ kind, draft, facts: { booked } }) => {
    const { usualRate: usual } = booked ?? {};
    if (!usual || !hasOwnRate(kind, draft) || !isFar(draft.exchangeRate, usual.rate)) return [];
    const known = `${rateText(usual.rate)} (${usual.from}, ${dayInWords(usual.date)})`;
    const message = say(
      '{{exchangeRate}} is more than {{farPercent}} % off the rate of {{currency}} in the books, {{known}}',
      { exchangeRate: rateText(draft.exchangeRate), farPercent: FAR_PERCENT, currency: draft.currency, known },
    );
    return [{ field: 'exchangeRate', ...message }];
  },
};

/** Whether a draft may change what was open in its currency on a day that open balances were restated at. */
export const mayMakeStale = (kind: Kind, { currency, date }: Draft, today: Day): boolean =>
  currency !== 'INR' && kind.life.cycle !== 'ordered' && !postsNothing(kind) && date < today;

/** A restatement keeps its figures: the list of restatements says that it is stale, and who posts hears it at once. */
export const restatementStale: TypedCheck = {
  code: 'restatementStale',
  weight: 'warning',
  source: 'AS 11, paragraph 11: monetary items are reported at the closing rate of the day',
  find: ({ kind, draft, facts: { booked }, today }) => {
    const restated = booked?.restated;
    if (restated === undefined || !mayMakeStale(kind, draft, today)) return [];
    const message = say(
      'Open balances were already restated at the rates of {{restated}}, and this is dated before that: restate them again',
      { restated: dayInWords(restated) },
    );
    return [{ field: 'date', ...message }];
  },
};

const ofNothing = { field: 'exchangeRate', ...say('At this exchange rate the amount is ₹0.00: correct the rate') };

/** Money that is worth nothing in rupees. */
export const exchangeRateOfMoney: TypedCheck = {
  code: 'exchangeRateOfMoney',
  weight: 'problem',
  source: 'AS 11, paragraph 9: what has an amount in a currency has one in rupees',
  find: ({ kind, draft }) => {
    const amount = kind.lines.of === 'none' && draft.currency !== 'INR' ? moneySettled({ draft }) : 0;
    return amount > 0 && draft.exchangeRate > 0 && scale(amount, draft.exchangeRate, ONE) === 0 ? [ofNothing] : [];
  },
};

/** Goods and services that cost something in their currency and nothing in rupees. */
export const exchangeRateOfNothing: PricedCheck = {
  code: 'exchangeRateOfNothing',
  weight: 'problem',
  source: 'AS 11, paragraph 9; CGST rule 34: the value in rupees is that of the rate of exchange',
  find: ({ draft, priced }) =>
    draft.currency !== 'INR' && priced.foreignTotal > 0 && priced.value === 0 ? [ofNothing] : [],
};
