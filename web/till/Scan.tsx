import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { itemsMeant, type Meant, type PartIndex, scanned, type TillItem } from '../../domain/till/till.ts';
import { Thumb } from '../kit/fields/Thumb.tsx';
import { rupees } from '../kit/format.ts';
import { t } from '../kit/text.ts';

const SHOWN = 8;

/** What is done with the line that was scanned last, by a key while the field is empty, or by `*5` and `%10`. */
export interface LineKeys {
  step(by: number): void;
  move(by: number): void;
  remove(): void;
  quantity(text: string): void;
  discount(text: string): void;
  /** Enter on the empty field. */
  done(): void;
}

/** The field that a scanner types into: a code and Enter. A quantity before it (3*code), or words of a name, work too. */
export function Scan({
  items,
  parts,
  priceOf,
  onItem,
  keys,
  input,
}: {
  readonly items: readonly TillItem[];
  readonly parts: PartIndex<TillItem>;
  priceOf(item: TillItem): string | undefined;
  onItem(meant: Meant<TillItem>, quantity: string): string | undefined;
  readonly keys: LineKeys;
  readonly input: RefObject<HTMLInputElement | null>;
}) {
  const list = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = scanned(typed);
  const found =
    asked && asked.code.length > 1 && !asked.code.startsWith('%') ? itemsMeant(items, asked.code, parts) : [];
  const shown = found.slice(0, SHOWN);
  const pictured = shown.some(({ item }) => item.picture);
  const clear = () => {
    setTyped('');
    setAt(0);
    setProblem(null);
  };
  const take = (meant: Meant<TillItem>) => {
    const refused = onItem(meant, asked?.quantity ?? '1');
    if (refused === undefined) clear();
    else setProblem(refused);
  };
  const enter = () => {
    const text = typed.trim();
    const [, quantity] = /^\*(\d{1,9}(?:\.\d{1,6})?)$/.exec(text) ?? [];
    const [, discount] = /^%(\d{1,3}(?:\.\d{1,4})?)$/.exec(text) ?? [];
    if (text === '') keys.done();
    else if (quantity) {
      keys.quantity(quantity);
      clear();
    } else if (discount) {
      keys.discount(discount);
      clear();
    } else if (shown[at]) take(shown[at]);
    else {
      setProblem(t('Nothing is found for “{{text}}”', { text }));
      // the next scan replaces it
      input.current?.select();
    }
  };
  const empty = typed === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const handled = (() => {
      if (event.key === 'Enter') enter();
      else if (step && shown.length > 1) setAt((at + step + shown.length) % shown.length);
      else if (step && empty) keys.move(step);
      else if (event.key === 'Escape' && !empty) clear();
      else if (empty && event.key === '+') keys.step(1);
      else if (empty && event.key === '-') keys.step(-1);
      else if (empty && event.key === 'Delete') keys.remove();
      else return false;
      return true;
    })();
    if (handled) event.preventDefault();
  };
  return (
    <div className="scan">
      <label className="field-label" htmlFor={`${list}-input`}>
        {t('Scan or search')}
      </label>
      <input
        id={`${list}-input`}
        ref={input}
        className="input"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? list : undefined}
        aria-activedescendant={shown.length > 0 ? `${list}-${at}` : undefined}
        aria-autocomplete="list"
        data-unchosen={typed.trim() !== '' || undefined}
        aria-describedby={`${list}-note`}
        aria-invalid={problem !== null || undefined}
        autoComplete="off"
        placeholder={t('Barcode, SKU or name')}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
      />
      <span id={`${list}-note`} className={problem ? 'field-error' : 'field-help'} role={problem ? 'alert' : undefined}>
        {problem ??
          t(
            '3*code: three of it · *5: quantity · %10: discount · + − Delete: the marked line · Enter: to pay · Ctrl Enter: finish the bill',
          )}
      </span>
      {shown.length > 0 && (
        <div id={list} role="listbox" aria-label={t('Items found')} className="scan-found">
          {shown.map(({ item, batch, serial }, index) => (
            <div
              key={`${item.id}/${batch ?? ''}/${serial ?? ''}`}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onMouseDown={(event) => {
                event.preventDefault();
                take({ item, ...(batch && { batch }), ...(serial && { serial }) });
              }}
            >
              {pictured && <Thumb id={item.picture ?? null} />}
              <b>{item.name}</b>
              <small>
                {serial ? t('Serial {{serial}}', { serial }) : batch ? t('Batch {{batch}}', { batch }) : item.sku}
              </small>
              <span className="num">{rupees(priceOf(item))}</span>
            </div>
          ))}
          {found.length > SHOWN && (
            <p className="list-foot">{t('{{shown}} of {{found}}: type more', { shown: SHOWN, found: found.length })}</p>
          )}
        </div>
      )}
    </div>
  );
}
