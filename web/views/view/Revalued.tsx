import { rupees } from '../../kit/format.ts';
import type { Shown } from '../DocumentView.tsx';

/** What goods at cost have cost besides, where a back-dated movement has changed that: in the books by now, or when it was posted. */
export function Revalued({ priced }: Pick<Shown, 'priced'>) {
  const said = [
    ['Cost in the books by now', priced?.inBooks],
    ['Cost when it was posted', priced?.asPosted],
  ] as const;
  return said.map(
    ([label, amount]) =>
      amount !== undefined && (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="num">{rupees(amount)}</dd>
        </div>
      ),
  );
}
