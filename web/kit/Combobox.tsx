import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { type ControlFacts, Field, type FieldProps } from './fields.tsx';

/** One record to pick: `name` bold, `code` and `note` muted beneath. */
export interface Option {
  readonly id: string;
  readonly name: string;
  readonly code?: string;
  readonly note?: string;
}

export interface Found {
  readonly rows: readonly Option[];
  readonly total: number;
}

/** Asks the server; gets at most 50 rows and the total. Keep the function stable (module scope or useCallback). */
export type Search = (text: string, signal: AbortSignal) => Promise<Found>;

export interface Create {
  /** "Create party": the typed text is added. */
  readonly label: string;
  run(typed: string): void;
}

interface InputProps {
  /** The name shown for the record now chosen. */
  readonly text: string;
  onPick(option: Option): void;
  /** The text was emptied and left. */
  onClear?(): void;
  readonly search: Search;
  readonly create?: Create | undefined;
  readonly attributes?: Partial<ControlFacts> & { readonly 'data-row'?: number; readonly 'data-column'?: number };
  readonly className?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly 'aria-label'?: string;
  /** Typing began in a cell with this text. */
  readonly autoFocus?: boolean | undefined;
}

const none: Found = { rows: [], total: 0 };

/** The bare combobox input with its list; the form field and the grid's cell are made of it. */
export function ComboboxInput(props: InputProps) {
  const { text, onPick, onClear, search, create, attributes } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const { found, state } = useSearch(search, typed ?? '', open);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const waiting = useRef(false);
  const list = useId();
  const count = found.rows.length + (create ? 1 : 0);
  const pickAt = (index: number) => {
    const option = found.rows[index];
    if (option) onPick(option);
    else if (create) create.run(typed ?? '');
    setTyped(null);
    setOpen(false);
  };
  useEffect(() => {
    setAt(0);
    if (!waiting.current || state !== 'ready') return;
    waiting.current = false;
    const first = found.rows[0];
    if (!first) return;
    onPick(first);
    setTyped(null);
    setOpen(false);
    // The row taken is the answer to the text typed before Enter.
  }, [found, state, onPick]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && event.altKey) setOpen(true);
    else if (!open) return;
    else if (event.key === 'ArrowDown' && count) setAt((at + 1) % count);
    else if (event.key === 'ArrowUp' && count) setAt((at - 1 + count) % count);
    else if (event.key === 'Enter' && state === 'waiting') waiting.current = true;
    else if (event.key === 'Enter' && count) pickAt(at);
    else if (event.key === 'Escape') {
      setOpen(false);
      setTyped(null);
    } else return;
    // A pick by Enter goes on to the next cell of a grid by the grid's own handler, after the pick.
    if (event.key !== 'Enter' || state === 'waiting') event.stopPropagation();
    event.preventDefault();
  };
  const leave = () => {
    if (typed !== null && typed.trim() === '' && text !== '') onClear?.();
    waiting.current = false;
    setTyped(null);
    setOpen(false);
  };
  return (
    <>
      <input
        {...attributes}
        ref={input}
        className={props.className}
        role="combobox"
        aria-label={props['aria-label']}
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && count ? `${list}-${at}` : undefined}
        autoComplete="off"
        placeholder={props.placeholder}
        disabled={props.disabled}
        value={typed ?? text}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
        }}
        onMouseDown={() => document.activeElement === input.current && setOpen(true)}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      {open && input.current && (
        <List
          anchor={input.current}
          id={list}
          found={found}
          state={state}
          at={at}
          create={create && { ...create, label: typed ? `${create.label} “${typed}”` : create.label }}
          onPick={pickAt}
        />
      )}
    </>
  );
}

type SearchState = 'waiting' | 'ready' | 'failed';

/** The answer to the text, 120 ms after the last key; the old rows stay while the new ones are fetched. */
const useSearch = (search: Search, text: string, open: boolean): { found: Found; state: SearchState } => {
  const [found, setFound] = useState(none);
  const [state, setState] = useState<SearchState>('waiting');
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    setState('waiting');
    const timer = setTimeout(() => {
      search(text, stop.signal).then(
        (answer) => {
          if (stop.signal.aborted) return;
          setFound(answer);
          setState('ready');
        },
        () => !stop.signal.aborted && setState('failed'),
      );
    }, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [search, text, open]);
  return { found, state };
};

function List({
  anchor,
  id,
  found,
  state,
  at,
  create,
  onPick,
}: {
  readonly anchor: HTMLElement;
  readonly id: string;
  readonly found: Found;
  readonly state: SearchState;
  readonly at: number;
  readonly create: Create | undefined;
  onPick(index: number): void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const { left, bottom, top, width } = anchor.getBoundingClientRect();
      const style = box.current?.style;
      if (!style) return;
      const wide = Math.min(Math.max(width, 280), window.innerWidth - 16);
      const above = window.innerHeight - bottom < 220 && top > 260;
      style.width = `${wide}px`;
      style.left = `${Math.max(8, Math.min(left, window.innerWidth - wide - 8))}px`;
      style.top = above ? 'auto' : `${bottom + 4}px`;
      style.bottom = above ? `${window.innerHeight - top + 4}px` : 'auto';
    };
    place();
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  }, [anchor]);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const says =
    state === 'failed'
      ? 'The list could not be fetched. Type again to retry.'
      : found.rows.length === 0
        ? state === 'waiting'
          ? 'Searching'
          : 'Nothing matches'
        : `${found.rows.length} of ${found.total}`;
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the input while the list is clicked
    <div ref={box} className="list-pop" onMouseDown={(event) => event.preventDefault()}>
      <div role="listbox" id={id} aria-label="Matches">
        {found.rows.map((option, index) => (
          <div
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={() => onPick(index)}
          >
            <b>{option.name}</b>
            <small>{[option.code, option.note].filter(Boolean).join(' · ')}</small>
          </div>
        ))}
        {create && (
          <div
            id={`${id}-${found.rows.length}`}
            role="option"
            tabIndex={-1}
            className="create"
            aria-selected={found.rows.length === at}
            onMouseDown={() => onPick(found.rows.length)}
          >
            {create.label}
          </div>
        )}
      </div>
      <div className="list-foot" role="status">
        {says}
      </div>
    </div>,
    document.body,
  );
}

/** The combobox as a form field: `value` is the chosen record or null. */
export function ComboboxField({
  value,
  onChange,
  search,
  create,
  ...field
}: Omit<FieldProps, 'value' | 'onChange'> & {
  readonly value: Option | null;
  onChange(option: Option | null): void;
  readonly search: Search;
  readonly create?: Create | undefined;
}) {
  return (
    <Field {...field}>
      {(facts) => (
        <ComboboxInput
          attributes={facts}
          className="input"
          text={value?.name ?? ''}
          onPick={onChange}
          onClear={() => onChange(null)}
          search={search}
          create={create}
          placeholder={field.placeholder}
          disabled={field.disabled || field.readOnly}
        />
      )}
    </Field>
  );
}
