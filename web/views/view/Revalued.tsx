import { rupees } from '../../kit/format.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';

/** What goods at cost have cost besides, where a back-dated movement has changed that: in the books by now, or when it was posted. */
export function Revalued({ priced }: Pick<Shown, 'priced'>) {
  const said = [
    [t('Cost in the books by now'), priced?.inBooks],
    [t('Cost when it was posted'), priced?.asPosted],
  ] as const;
  return said.map(
    ([label, amount]) =>
      amount !== undefined && (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd className="num">{rupees(amount)}</dd>
        </div>
      ),
  );
}
