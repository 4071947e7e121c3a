import { moneyText } from '../../../domain/base/decimal.ts';
import { type CashCount, counted, denominations } from '../../../domain/till/till.ts';
import { rupees } from '../../kit/format.ts';
import { Sentence } from '../../kit/Sentence.tsx';
import { t } from '../../kit/text.ts';

/** What was typed for each note and coin. */
export type Counts = Readonly<Record<string, string>>;
const whole = /^\d{1,6}$/;
export const countOf = (counts: Counts): CashCount =>
  Object.fromEntries(Object.entries(counts).flatMap(([key, text]) => (whole.test(text) ? [[key, Number(text)]] : [])));
/** Whether all that was typed is a number of notes. */
export const isCount = (counts: Counts): boolean =>
  Object.values(counts).every((text) => text === '' || whole.test(text));

/** Notes and coins, one field each. */
export function CashCounting({ counts, onChange }: { readonly counts: Counts; onChange(counts: Counts): void }) {
  return (
    <div className="cash-count">
      {denominations.map((rupee) => {
        const typed = counts[String(rupee)] ?? '';
        const wrong = typed !== '' && !whole.test(typed);
        return (
          <label key={rupee}>
            <span>₹ {rupee.toLocaleString('en-IN')} ×</span>
            <input
              className="input num"
              inputMode="numeric"
              aria-label={t('How many of ₹ {{rupee}}', { rupee })}
              aria-invalid={wrong || undefined}
              value={typed}
              onChange={(event) => onChange({ ...counts, [rupee]: event.target.value.trim() })}
            />
          </label>
        );
      })}
      <output>
        <Sentence
          text="Counted {{counts}}"
          values={{ counts: <b className="num">{rupees(moneyText(counted(countOf(counts))))}</b> }}
        />
      </output>
    </div>
  );
}
