import { IconCalendar } from '@tabler/icons-react';
import {
  type ComponentProps,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconButton } from '../Button.tsx';
import { addDays, type DateFormat, groupDecimal, parseAmount, parseDate, showDate, today } from '../format.ts';
import { t } from '../text.ts';

const Calendar = lazy(() => import('./Calendar.tsx').then((module) => ({ default: module.Calendar })));

/** What every field takes. The value is text; '' means empty. `error` and `warning` replace `help`; an error marks the control. */
export interface FieldProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly warning?: string | undefined;
  readonly required?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly placeholder?: string | undefined;
  /** Columns of the four-column header it takes. */
  readonly span?: 1 | 2 | 4 | undefined;
  /** Name of the value in a problem's `field`; a failed save focuses the first control with an error. */
  readonly name?: string | undefined;
  onBlur?(): void;
  /** Enter in the field before passes over it: it is filled already. Tab still reaches it. */
  readonly passed?: boolean | undefined;
  readonly autoFocus?: boolean | undefined;
}

export interface ControlFacts {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
  readonly 'data-field': string | undefined;
}

/** Label above, mark, help or error below, all linked to the control that `children` draws from the facts. */
export function Field({
  label,
  help,
  error,
  warning,
  required,
  span,
  name,
  children,
}: Pick<FieldProps, 'label' | 'help' | 'error' | 'warning' | 'required' | 'span' | 'name'> & {
  children(facts: ControlFacts): ReactNode;
}) {
  const id = useId();
  const note = error ?? warning ?? help;
  return (
    <div className="field" data-span={span}>
      <label className="field-label" htmlFor={id}>
        {label}
        {required && (
          <span className="field-mark">
            {' *'}
            <span className="hidden-text"> {t('required')}</span>
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required || undefined,
        'data-field': name,
      })}
      {note && (
        <span id={`${id}-note`} className={error ? 'field-error' : warning ? 'field-warning' : 'field-help'}>
          {note}
        </span>
      )}
    </div>
  );
}

/**
 * Moves the focus to the first control in error, else to the message; call it after a failed save. A person who went on
 * to another control meanwhile keeps the focus there.
 */
export const focusFirstError = (root: ParentNode = document): void => {
  const { activeElement: before } = document;
  const move = () => {
    const { activeElement: now } = document;
    if (now !== before && now !== document.body) return;
    const wrong = root.querySelector<HTMLElement>('[aria-invalid="true"]');
    (wrong ?? root.querySelector<HTMLElement>('.error-panel'))?.focus();
  };
  // A second frame: a fold that opens for its wrong field has drawn it by then.
  requestAnimationFrame(() => requestAnimationFrame(move));
};

const plain = ({ disabled, readOnly, placeholder, autoFocus }: FieldProps) => ({
  disabled,
  readOnly,
  placeholder,
  autoFocus,
  // a dialog moves the focus to the field that has this
  'data-autofocus': autoFocus,
});

export function TextField(
  props: FieldProps & {
    readonly ref?: Ref<HTMLInputElement> | undefined;
    readonly type?: 'text' | 'email' | 'password' | 'tel' | 'datetime-local';
    readonly maxLength?: number;
    /** What the browser may fill in: 'new-password' for a secret that is not the person's own. */
    readonly autoComplete?: string;
  },
) {
  return (
    <Field {...props}>
      {(facts) => (
        <input
          {...facts}
          {...plain(props)}
          ref={props.ref}
          className="input"
          type={props.type ?? 'text'}
          maxLength={props.maxLength}
          autoComplete={props.autoComplete}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
          onBlur={() => props.onBlur?.()}
        />
      )}
    </Field>
  );
}

export function TextArea(props: FieldProps & { rows?: number; maxLength?: number }) {
  return (
    <Field {...props}>
      {(facts) => (
        <textarea
          {...facts}
          {...plain(props)}
          className="input"
          data-passed={props.passed || undefined}
          rows={props.rows ?? 3}
          maxLength={props.maxLength}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
          onBlur={() => props.onBlur?.()}
        />
      )}
    </Field>
  );
}

/** Keys that save or go on: what is typed counts from then on, also while the field keeps the focus. */
const saves = ({ key, ctrlKey, metaKey }: { key: string; ctrlKey: boolean; metaKey: boolean }): boolean =>
  key === 'Enter' || ((ctrlKey || metaKey) && key.toLowerCase() === 's');

/** Decimal text, grouped the Indian way while not being edited; what is typed ("1,234.50") is cleaned on leaving. */
export function NumberField(props: FieldProps & { readonly places: number; readonly pad?: number }) {
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const editing = typed !== null;
  // Selected with the drawing of the plain text, not a frame later: by then a fast typist has typed the first digit, and
  // the second would replace it.
  useLayoutEffect(() => {
    if (editing && document.activeElement === input.current) input.current?.select();
  }, [editing]);
  const shown = typed ?? (props.value === '' ? '' : groupDecimal(props.value, props.pad ?? 0));
  const leave = () => {
    if (typed !== null) {
      const clean = typed.trim() === '' ? '' : parseAmount(typed, props.places);
      // Text that is no number stays as it is, so that the check can name it and nothing typed is lost.
      props.onChange(clean ?? typed);
    }
    setTyped(null);
    props.onBlur?.();
  };
  return (
    <Field {...props}>
      {(facts) => (
        <input
          {...facts}
          {...plain(props)}
          className="input num"
          inputMode="decimal"
          autoComplete="off"
          value={shown}
          ref={input}
          onFocus={() => setTyped(props.value)}
          onChange={(event) => {
            const text = event.target.value;
            setTyped(text);
            // What is no number is handed on as it stands: a key that saves must not save the number before it.
            props.onChange(text.trim() === '' ? '' : (parseAmount(text, props.places) ?? text));
          }}
          onBlur={leave}
        />
      )}
    </Field>
  );
}

/** Rupees and paise. */
export const MoneyField = (props: FieldProps) => <NumberField {...props} places={2} pad={2} />;
/** Up to six decimals. */
export const QuantityField = (props: FieldProps) => <NumberField {...props} places={6} />;
/** Up to four decimals. */
export const PercentField = (props: FieldProps) => <NumberField {...props} places={4} />;

/** Value YYYY-MM-DD, shown by the organisation's setting; takes 20112026, 20/11, t, +3, -1; + and - step a day. */
export function DateField(props: FieldProps & { readonly format?: DateFormat }) {
  const format = props.format ?? 2;
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  // the text of the field may be no date
  const from = parseDate(props.value, format) ?? today();
  const leave = () => {
    if (typed !== null) props.onChange(typed.trim() === '' ? '' : (parseDate(typed, format, from) ?? typed));
    setTyped(null);
    props.onBlur?.();
  };
  const step = (days: number) => {
    props.onChange(addDays(parseDate(typed ?? props.value, format) ?? from, days));
    setTyped(null);
  };
  return (
    <Field {...props}>
      {(facts) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the calendar, not what the field stands in
        <span
          className="with-icon"
          onKeyDown={(event) => {
            if (!open || event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            setOpen(false);
            event.currentTarget.querySelector('input')?.focus();
          }}
        >
          <input
            {...facts}
            {...plain(props)}
            data-passed={props.passed || undefined}
            className="input code"
            inputMode="text"
            autoComplete="off"
            placeholder={props.placeholder ?? (format === 1 ? t('MM-DD-YYYY') : t('DD-MM-YYYY'))}
            value={typed ?? (props.value ? showDate(props.value, format) : '')}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (saves(event)) return leave();
              const steps = { '+': 1, '-': -1, ArrowUp: 1, ArrowDown: -1 }[event.key];
              const whole = event.currentTarget.selectionEnd !== event.currentTarget.selectionStart || typed === null;
              if (!steps || !whole || props.readOnly) return;
              event.preventDefault();
              step(steps);
            }}
            onBlur={leave}
          />
          {!props.readOnly && !props.disabled && (
            <IconButton
              label={t('Pick {{label}}', { label: props.label })}
              onClick={() => setOpen(!open)}
              aria-expanded={open}
            >
              <IconCalendar size={16} />
            </IconButton>
          )}
          {open && (
            <Suspense fallback={null}>
              <Calendar
                value={props.value}
                onPick={(date) => {
                  props.onChange(date);
                  setOpen(false);
                }}
                onClose={() => setOpen(false)}
              />
            </Suspense>
          )}
        </span>
      )}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A native select; `empty` is the words of the choice that means nothing chosen. */
export function SelectField(
  props: FieldProps & {
    readonly choices: readonly Choice[];
    readonly empty?: string;
    /** What its tooltip says. */
    readonly title?: string | undefined;
  },
) {
  return (
    <Field {...props}>
      {(facts) => (
        <select
          {...facts}
          className="input"
          title={props.title}
          data-passed={props.passed || undefined}
          disabled={props.disabled || props.readOnly}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
          onBlur={() => props.onBlur?.()}
        >
          {(props.empty !== undefined || !props.choices.some((choice) => choice.value === props.value)) && (
            <option value="">{props.empty ?? t('Choose')}</option>
          )}
          {props.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {t(choice.label)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  checked,
  onChange,
  help,
  error,
  disabled,
  ...rest
}: {
  readonly label: string;
  readonly checked: boolean;
  onChange(checked: boolean): void;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
} & Pick<ComponentProps<'input'>, 'disabled' | 'name'>) {
  const id = useId();
  const note = error ?? help;
  return (
    <label className="check">
      <input
        {...rest}
        type="checkbox"
        disabled={disabled}
        checked={checked}
        aria-describedby={note ? id : undefined}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {note && (
          <span id={id} className={error ? 'field-error' : 'field-help'}>
            <br />
            {note}
          </span>
        )}
      </span>
    </label>
  );
}

/** The rows that the search box finds: the grid of its page, on a phone the first card. */
const rowsBelow = (box: HTMLElement): HTMLElement | undefined => {
  const main = box.closest('[role="dialog"], main') ?? document;
  return [...main.querySelectorAll<HTMLElement>('[role="grid"], [role="treegrid"], .card-main:not([disabled])')].find(
    (each) => box.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING && each.checkVisibility(),
  );
};

/**
 * The search box of a list: tells after 250 ms of rest; '/' focuses it (data-search). ↓ and Enter go to the rows, where
 * Enter opens the one that is marked.
 */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  onChange(text: string): void;
}) {
  const [typed, setTyped] = useState(value);
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => tell.current(typed), 250);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <input
      className="input"
      type="search"
      data-search
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (!['ArrowDown', 'Enter'].includes(event.key) || event.nativeEvent.isComposing) return;
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        // reported at once to callers that do not wait for the rest
        if (typed !== value) tell.current(typed);
        rowsBelow(event.currentTarget)?.focus();
      }}
    />
  );
}
