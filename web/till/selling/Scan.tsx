import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { itemsMeant, type Meant, type PartIndex, scanned, type TillItem } from '../../../domain/till/till.ts';
import { Thumb } from '../../kit/fields/Thumb.tsx';
import { rupees } from '../../kit/format.ts';
import { t } from '../../kit/text.ts';

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

interface ScanProps {
  readonly items: readonly TillItem[];
  readonly parts: PartIndex<TillItem>;
  priceOf(item: TillItem): string | undefined;
  onItem(meant: Meant<TillItem>, quantity: string): string | undefined;
  readonly keys: LineKeys;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** What is typed or scanned, the items that it may mean, and what Enter makes of it. */
function useScan({ items, parts, onItem, keys, input }: ScanProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = scanned(typed);
  const found =
    asked && asked.code.length > 1 && !asked.code.startsWith('%') ? itemsMeant(items, asked.code, parts) : [];
  const shown = found.slice(0, SHOWN);
  const type = (text: string) => {
    setTyped(text);
    setAt(0);
    setProblem(null);
  };
  const clear = () => type('');
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
      setProblem(t('Nothing found for “{{text}}”', { text }));
      // the next scan replaces it
      input.current?.select();
    }
  };
  return {
    ...{ typed, at, problem, shown, type, clear, take, enter },
    /** How many are found, though not all of them are shown. */
    count: found.length,
    mark: (step: number) => setAt((at + step + shown.length) % shown.length),
  };
}
type Scanned = ReturnType<typeof useScan>;

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** What a key does: in the list that is shown, with the text, or, while the field is empty, with the marked line of the bill. */
function workOf(key: string, { typed, shown, mark, clear, enter }: Scanned, keys: LineKeys): (() => void) | undefined {
  if (key === 'Enter') return enter;
  const step = steps[key];
  if (step && shown.length > 1) return () => mark(step);
  if (typed !== '') return key === 'Escape' ? clear : undefined;
  if (step) return () => keys.move(step);
  const ofLine: Readonly<Record<string, () => void>> = {
    '+': () => keys.step(1),
    '-': () => keys.step(-1),
    Delete: keys.remove,
  };
  return ofLine[key];
}

/** The field that a scanner types into: a code and Enter. A quantity before it (3*code), or words of a name, work too. */
export function Scan(props: ScanProps) {
  const list = useId();
  const scan = useScan(props);
  const { typed, at, problem, shown } = scan;
  const isOpen = shown.length > 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const work = workOf(event.key, scan, props.keys);
    if (!work) return;
    work();
    event.preventDefault();
  };
  return (
    <div className="scan">
      <label className="field-label" htmlFor={`${list}-input`}>
        {t('Scan or search')}
      </label>
      <input
        id={`${list}-input`}
        ref={props.input}
        className="input"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen ? `${list}-${at}` : undefined}
        aria-autocomplete="list"
        data-unchosen={typed.trim() !== '' || undefined}
        aria-describedby={`${list}-note`}
        aria-invalid={problem !== null || undefined}
        autoComplete="off"
        placeholder={t('Barcode, SKU or name')}
        value={typed}
        onChange={(event) => scan.type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span id={`${list}-note`} className={problem ? 'field-error' : 'field-help'} role={problem ? 'alert' : undefined}>
        {problem ??
          t(
            '3*code: three of it · *5: quantity · %10: discount · + − Delete: the marked line · Enter: to pay · Ctrl Enter: finish ' +
              'the bill',
          )}
      </span>
      {isOpen && <Found id={list} scan={scan} priceOf={props.priceOf} />}
    </div>
  );
}

interface FoundProps {
  readonly id: string;
  readonly scan: Scanned;
  readonly priceOf: ScanProps['priceOf'];
}

/** The items that the text may mean; a press takes one. */
function Found({ id, scan: { shown, at, count, take }, priceOf }: FoundProps) {
  const pictured = shown.some(({ item }) => item.picture);
  return (
    <div id={id} role="listbox" aria-label={t('Items found')} className="scan-found">
      {shown.map(({ item, batch, serial }, index) => (
        <div
          key={`${item.id}/${batch ?? ''}/${serial ?? ''}`}
          id={`${id}-${index}`}
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
      {count > SHOWN && (
        <p className="list-foot">{t('{{shown}} of {{found}}: type more', { shown: SHOWN, found: count })}</p>
      )}
    </div>
  );
}
