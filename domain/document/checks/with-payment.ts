import { say } from '../../base/say.ts';
import { correctsSource } from '../kinds/index.ts';
import { sourceIds } from '../sources.ts';
import type { PricedCheck } from './check.ts';

/** Tax is paid and asked back on exports and supplies to a SEZ alone. What corrects a document has what that one has. */
export const withPaymentOfTax: PricedCheck = {
  code: 'withPaymentOfTax',
  weight: 'problem',
  source: 'IGST Act section 16(3): zero rated supplies are with payment of tax or without',
  find: ({ kind, draft, priced: { supplyType } }) =>
    !draft.withPayment ||
    supplyType === 'EXPWP' ||
    supplyType === 'SEZWP' ||
    (correctsSource(kind) && sourceIds(draft).length > 0)
      ? []
      : [
          {
            field: 'withPayment',
            ...say(
              'Only exports and supplies to a SEZ are with payment of tax (section 16 of the IGST Act): leave this out',
            ),
          },
        ],
};
