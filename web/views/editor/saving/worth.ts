import type { HeadRow } from '../head/headFields.ts';
import { headFields } from '../head/headFields.ts';
import type { Model } from '../model.ts';
import { isFilled, isTypedRow, leftAt, type Texts } from '../wire.ts';

/** What is chosen and not written. A day counts: whoever writes one has read it somewhere. */
const chosen: readonly HeadRow['control'][] = [
  'flag',
  'state',
  'currency',
  'ledger',
  'document',
  'location',
  'choice',
  'ecommerceOperator',
  'costCentre',
  'tds',
  'tcs',
];
const choices = new Set(
  Object.values(headFields).flatMap(({ control, path }) => (chosen.includes(control) ? [path] : [])),
);
for (const name of ['party', 'date', 'registration', 'location', 'currency']) choices.add(name);

const isWritten = (name: string): boolean =>
  name.startsWith(leftAt('')) || (!name.startsWith('_') && !name.startsWith('accepted.') && !choices.has(name));

const small = ['charges', 'adjustments', 'tenders', 'allocations'] as const;

/** What somebody does in an editor, apart from what is proposed there. */
export interface ByHand {
  /** Something changed: `isFilling` of the model says by whom. */
  follow(): void;
  /** Whether more than proposals, a party and other choices stands in it: a line, an amount or a text. */
  isWorthKeeping(): boolean;
}

/** Follows what is written by hand into a model. Outside React: it handles every key. */
export const followHand = (model: Model): ByHand => {
  let head = model.head.get();
  let lists = small.map((list) => model[list].rows());
  const written = new Set<string>();
  const follow = () => {
    const now: Texts = model.head.get();
    const listsNow = small.map((list) => model[list].rows());
    if (!model.isFilling()) {
      for (const name of Object.keys(now)) if (now[name] !== head[name] && isWritten(name)) written.add(name);
      for (const [at, list] of small.entries()) if (lists[at] !== listsNow[at]) written.add(list);
    }
    head = now;
    lists = listsNow;
  };
  return {
    follow,
    isWorthKeeping: () => {
      const typed = model.typed();
      return (
        typed.lines.some(isFilled) ||
        [...written].some((name) => typed.head[name]) ||
        small.some((list) => written.has(list) && typed[list].some((row) => isTypedRow(row)))
      );
    },
  };
};
