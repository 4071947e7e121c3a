import type { Place } from '../../../../contract/screens.ts';
import { parseDecimal } from '../../../../domain/base/decimal.ts';
import type { Address } from '../../../kit/navigation.tsx';
import { Refused } from '../../../kit/server/api.ts';
import type { Model } from '../model.ts';
import { type Texts, type Typed, typedOf } from '../wire.ts';

// A document that cannot be posted yet waits as a draft while another one is made that it needs, as an opening stock. The
// address of the other one says what it begins with, and which draft it goes back to.

const isShort = ({ onHand = '', quantity = '' }: Texts): boolean =>
  onHand !== '' && (parseDecimal(onHand, 6) ?? 0) < (parseDecimal(quantity, 6) ?? 0);

/** The items of the lines that were refused, and of all others of which there is too little. */
const itemsShort = (model: Model, refusal: unknown): readonly string[] => {
  const refused = refusal instanceof Refused ? refusal.problems.map(({ row }) => row) : [];
  const short = model.lines.rows().filter((row, at) => refused.includes(at) || isShort(row));
  return [...new Set(short.flatMap(({ itemId }) => (itemId ? [itemId] : [])))];
};

/** What the document that is needed begins with: items, place and day of the one that waits as the draft `id`. */
export const addressOfNeeded = (model: Model, refusal: unknown, id: string): Address => {
  const { date = '', location = '', registration = '' } = model.head.get();
  const items = itemsShort(model, refusal).join(',');
  return { items, date, location, registration, back: `${model.name}/${id}` };
};

/** A document that begins with what the address says: a party, or items; undefined where it says nothing. */
export const begunBy = (kind: string, { party, items, date, location, registration }: Address): Typed | undefined =>
  party === undefined && items === undefined
    ? undefined
    : typedOf(kind, {
        ...{ date, location, registration, party },
        lines: (items ?? '')
          .split(',')
          .filter(Boolean)
          .map((item) => ({ item })),
      });

/** Where the draft is that waits for this document. */
export const placeBack = (
  { back = '' }: Address,
  places: (kind: string, how: 'documentEditor') => Place | undefined,
): { readonly place: Place; readonly query: Address } | undefined => {
  const [kind = '', id = ''] = back.split('/');
  const place = id === '' ? undefined : places(kind, 'documentEditor');
  return place && { place, query: { id } };
};
