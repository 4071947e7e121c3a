import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { groupDecimal, parseAmount } from '../format.ts';

/**
 * A bare amount in a row of a table: plain and selected while it is typed, cleaned on leaving, grouped as the figures
 * beside it afterwards.
 */
export function AmountInput({
  value,
  onChange,
  ...rest
}: Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onFocus' | 'onBlur'> & {
  readonly value: string;
  onChange(text: string): void;
}) {
  const [editing, setEditing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (editing && document.activeElement === input.current) input.current?.select();
  }, [editing]);
  return (
    <input
      {...rest}
      ref={input}
      className="input num"
      inputMode="decimal"
      autoComplete="off"
      value={editing || value === '' ? value : groupDecimal(value)}
      onFocus={(event) => {
        event.target.select();
        setEditing(true);
      }}
      onChange={(event) => onChange(event.target.value)}
      onBlur={(event) => {
        setEditing(false);
        // what is no amount stays as it is typed, to be named
        const clean = parseAmount(event.target.value);
        if (clean !== null && clean !== value) onChange(clean);
      }}
    />
  );
}
