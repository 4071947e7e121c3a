import { say } from '../../base/say.ts';
import { cutsPrice, raisesPrice } from '../kinds/index.ts';
import type { Finding, PricedCheck } from './check.ts';

/**
 * A note about a price that comes to zero changes nothing. Lines that are taken over from an invoice have no rate yet, so that
 * it would be posted by mistake.
 */
export const noteOfZero: PricedCheck = {
  code: 'noteOfZero',
  weight: 'problem',
  source: 'CGST Act section 34: a note reduces or raises what its invoice charged',
  find: ({ kind, draft, priced }): readonly Finding[] => {
    if (!(cutsPrice(kind) || raisesPrice(kind)) || kind.lines.of !== 'items' || priced.total !== 0) return [];
    const row = draft.lines.findIndex(({ rate }) => !rate);
    const message = say('The total of this {{kind}} is 0.00: enter the change in price', {
      kind: kind.label.toLowerCase(),
    });
    return [row === -1 ? { field: 'lines', ...message } : { field: 'lines.rate', row, ...message }];
  },
};
