import { ONE } from '../../base/decimal.ts';
import { say } from '../../base/say.ts';
import { isRegular } from '../../tax/gst/registration/registered.ts';
import type { Draft } from '../document.ts';
import type { Kind } from '../kinds/kind.ts';
import type { CheckingPriced, Finding, PricedCheck, TypedCheck } from './check.ts';

/** Whether goods are sent to another registration of ours, at a value that somebody typed. */
export const valuesTransfer = (kind: Kind, { toRegistration, registration }: Draft): boolean =>
  kind.stock.effect === 'transferOut' && toRegistration !== undefined && toRegistration !== registration;

/** A value may be so many times what the goods cost, or its part, without a question. */
const TIMES = 2n;
const TEN_THOUSAND = 10_000 * ONE;

/** The lines that are sent, each with what it is worth by the document, by what it cost, and by what the item is sold for. */
function sent({ kind, draft, facts, priced }: CheckingPriced) {
  const { other, own, items, booked } = facts;
  if (kind.stock.effect !== 'transferOut' || !other || other.registration === own.registration) return [];
  return draft.lines.flatMap(({ item: id = '' }, row) => {
    const item = items.get(id);
    const line = priced.lines[row];
    if (!item || !line || line.charge || line.baseQuantity <= 0) return [];
    // ten thousand of it in paise are the rate in millionths of a rupee
    const worth = (known: { readonly quantity: number; readonly value: number } | undefined): bigint | undefined =>
      known && known.quantity > 0 && known.value > 0
        ? (BigInt(known.value) * BigInt(line.baseQuantity)) / BigInt(known.quantity)
        : undefined;
    const cost = worth(booked?.held?.get(id)) ?? worth({ quantity: TEN_THOUSAND, value: item.purchaseRate ?? 0 });
    const price = worth({ quantity: TEN_THOUSAND, value: item.saleRate ?? 0 });
    return [{ row, item, line, value: BigInt(line.value), cost, price }];
  });
}

/** Whether the other registration has the credit of the whole tax: the value of the invoice counts then, whatever it is. */
const hasFullCredit = ({ facts: { other } }: CheckingPriced, creditBlocked: boolean): boolean =>
  other !== undefined && isRegular(other.kind) && !creditBlocked;

/** The value of the invoice counts where the credit is full; but a value of 0, or one far from the cost, may be a slip. */
export const transferValue: PricedCheck = {
  code: 'transferValue',
  weight: 'reason',
  source: 'CGST rule 28(1), second proviso: the value of the invoice, where the recipient has full input tax credit',
  find: (checking) =>
    sent(checking).flatMap(({ row, item, value, cost }): Finding[] => {
      if (value > 0 && (cost === undefined || (value * TIMES >= cost && value <= cost * TIMES))) return [];
      const message =
        value === 0n
          ? say(
              '{{item}} goes to another registration for nothing, and that is a supply with a value (rule 28): enter a rate, or give ' +
                'the reason',
              { item: item.name },
            )
          : say('This rate is far from the cost of {{item}} in the books: correct it, or give the reason (rule 28)', {
              item: item.name,
            });
      return [{ field: 'lines.rate', row, ...message }];
    }),
};

/**
 * Without full credit the value is the open market value, or by choice 90 percent of what the recipient sells such goods for. The
 * market may be below the price on record: who says so, says why.
 */
export const transferValueLow: PricedCheck = {
  code: 'transferValueLow',
  weight: 'reason',
  source: 'CGST rule 28(1)(a) and (c) with rules 30 and 31, and first proviso: 90 % of the price of the recipient',
  find: (checking) =>
    sent(checking).flatMap(({ row, item, line, value, cost, price }): Finding[] => {
      if (hasFullCredit(checking, item.creditBlocked) || !['taxable', 'zeroRated'].includes(line.treatment)) return [];
      const isLow = price === undefined ? cost !== undefined && value < cost : value * 10n < price * 9n;
      if (!isLow || value === 0n) return [];
      const message =
        price === undefined
          ? say(
              'The other registration has no full input tax credit, and {{item}} goes to it below its cost: enter the open market value ' +
                '(rule 28), or give the reason',
              { item: item.name },
            )
          : say(
              'The other registration has no full input tax credit, and {{item}} goes to it below 90 % of its sale price: enter the open ' +
                'market value (rule 28), or give the reason',
              { item: item.name },
            );
      return [{ field: 'lines.rate', row, ...message }];
    }),
};

/** Between places of one registration only goods move: a service that one place does for another is no supply and no stock. */
export const transferOfService: TypedCheck = {
  code: 'transferOfService',
  weight: 'problem',
  source: 'CGST Act sections 2(61) and 7, Schedule I paragraph 2: supplies are between registrations',
  find: ({ kind, draft, facts: { items, places } }): Finding[] => {
    const other = places?.get(draft.toLocation ?? '')?.registration;
    if (kind.stock.effect !== 'transferOut' || other !== draft.registration) return [];
    return draft.lines.flatMap(({ item: id = '' }, row): Finding[] => {
      const item = items.get(id);
      if (!item?.service) return [];
      return [
        {
          field: 'lines.item',
          row,
          ...say('{{sku}} is a service: between places of one registration only goods are moved', { sku: item.sku }),
        },
      ];
    });
  },
};
