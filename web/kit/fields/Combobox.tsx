import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { inSentence } from '../format.ts';
import { keyName } from '../hotkeys.ts';
import { isReached, onReach } from '../server/connectivity.ts';
import { onReturn, timesReturned, untold } from '../server/returned.ts';
import { t } from '../text.ts';
import { type ControlFacts, Field, type FieldProps } from './fields.tsx';
import { expectAnswer } from './pendingSearches.ts';
import { Thumb } from './Thumb.tsx';
import { MOST_SEARCHED, nothingChosen, tooLongFor } from './unchosen.ts';

/** One record to pick: `name` bold, `code` and `note` muted beneath. */
export interface Option {
  readonly id: string;
  readonly name: string;
  readonly code?: string;
  readonly note?: string;
  /** Id of its small picture; null for a record that could have one. Left out where records have none. */
  readonly picture?: string | null | undefined;
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
  /** Alt C alone makes one: a name that nothing matches is more often a slip than a new record. */
  readonly byKeyAlone?: true;
  run(typed: string): void;
}

interface InputProps {
  /** The name shown for the record now chosen. */
  readonly text: string;
  onPick(option: Option): void;
  /** The text was emptied and left. */
  onClear?(): void;
  /** No record has this name: nothing is chosen for it. */
  readonly unchosen?: boolean | undefined;
  /** Text was left for which nothing was picked, also over a record that was chosen: its answer is `coming`, or nothing matches. */
  onLeft?(typed: string, coming: boolean): void;
  /**
   * Takes the record that is found for text when the field is not drawn any more. With it, a field that is drawn anew elsewhere
   * loses nothing: text that nobody has left is left then, and a search that somebody did not wait for goes on.
   */
  onFoundLate?(option: Option, typed: string): void;
  readonly search: Search;
  readonly create?: Create | undefined;
  /** Enter on text that is a scanned code: true takes it out of the field, which stays for the next one. */
  onScan?: ((typed: string) => boolean) | undefined;
  readonly attributes?: Partial<ControlFacts> & { readonly 'data-row'?: number; readonly 'data-column'?: number };
  readonly className?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly 'aria-label'?: string;
}

/** The bare combobox input with its list; the form field and the grid's cell are made of it. */
export function ComboboxInput(props: InputProps) {
  const { text, attributes } = props;
  const box = useCombobox(props);
  const { open, count, at, list, input } = box;
  return (
    <>
      <input
        {...attributes}
        ref={input}
        className={props.className}
        role="combobox"
        aria-label={props['aria-label']}
        data-unchosen={props.unchosen || (box.typed?.trim() && box.typed !== text) || undefined}
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && count ? `${list}-${at}` : undefined}
        autoComplete="off"
        placeholder={props.placeholder}
        disabled={props.disabled}
        value={box.typed ?? text}
        onChange={(event) => box.type(event.target.value)}
        onMouseDown={() => document.activeElement === input.current && box.show()}
        onFocus={(event) => event.target.select()}
        onKeyDown={box.onKeyDown}
        onBlur={box.leave}
      />
      {open && input.current && (
        <List
          anchor={input.current}
          id={list}
          found={box.found}
          state={box.state}
          at={at}
          create={box.create}
          tooLong={box.isTooLong}
          hint={props.create && t('Alt C: {{label}}', { label: inSentence(t(props.create.label)) })}
          onPick={box.pickAt}
        />
      )}
    </>
  );
}

/**
 * Typing, the list and the pick. Enter takes the highlighted row and Tab does too; who is faster than the answer goes on
 * typing in the next field, and the first row is taken when it comes. Text that nothing matches stays where it was typed.
 */
const useCombobox = ({ text, onPick, onClear, onLeft, onScan, search, attributes, ...more }: InputProps) => {
  const [typed, setTyped] = useState<string | null>(null);
  const isTooLong = (typed ?? '').length > MOST_SEARCHED;
  const create = more.create?.byKeyAlone || isTooLong ? undefined : more.create;
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState<string | null>(null);
  const { found, state } = useSearch(search, pending ?? typed ?? '', open || pending !== null);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  // what could not be searched for may exist: nobody is offered to make it a second time
  const count = found.rows.length + (create && state === 'ready' ? 1 : 0);
  // The key that picks also moves the focus: leaving happens before the next render and must know that all is settled.
  const typing = useRef(false);
  const close = () => {
    typing.current = false;
    setTyped(null);
    setOpen(false);
  };
  const pickAt = (index: number) => {
    const option = found.rows[index];
    if (option) onPick(option);
    else if (create && state === 'ready') return make();
    close();
  };
  /** What was typed stays in the field until the record is made: whoever goes back to it has not lost it, and may ask again. */
  const make = () => {
    const name = (typed ?? (more.unchosen ? text : '')).trim();
    if (name) onLeft?.(name, false);
    close();
    more.create?.run(name);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer puts the mark on its first row
  useEffect(() => setAt(0), [found]);
  usePendingPick(pending, { found, state }, { onPick, ...(onLeft && { onLeft }) }, () => setPending(null));

  /** Continues without the answer: the typed text stays until the answer arrives. */
  const leavePending = () => {
    setPending(typed);
    if (typed) onLeft?.(typed.trim(), true);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (more.create && keyName(event.nativeEvent) === 'alt+c') make();
    else if (event.key === 'ArrowDown' && !open && (event.altKey || attributes?.['data-row'] === undefined))
      setOpen(true);
    else if (!open) return;
    else if (event.key === 'ArrowDown' && count) setAt((at + 1) % count);
    else if (event.key === 'ArrowUp' && count) setAt((at - 1 + count) % count);
    else if (event.key === 'Enter' || event.key === 'Tab') return take(event);
    else if (event.key === 'Escape') close();
    else return;
    event.stopPropagation();
    event.preventDefault();
  };
  /** The pick; the key itself then goes on to the next field by the handlers of the grid or the form. */
  const take = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && typed?.trim() && onScan?.(typed)) {
      event.preventDefault();
      event.stopPropagation();
      return close();
    }
    // Nothing was asked for: an emptied field stays empty, a list only looked at changes nothing.
    const asked = Boolean(typed?.trim()) || at > 0 || (typed === null && event.key === 'Enter');
    if (!asked) return leave();
    if (state === 'waiting') return typed?.trim() ? leavePending() : close();
    if (found.rows[at]) return pickAt(at);
    if (event.key === 'Tab' || !create || state === 'failed') return leave();
    event.preventDefault();
    event.stopPropagation();
    pickAt(at);
  };
  const leave = () => {
    if (typing.current && typed !== null) {
      if (typed.trim() === '' && text !== '') onClear?.();
      else if (typed.trim() && typed.trim().toLowerCase() !== text.trim().toLowerCase()) onLeft?.(typed.trim(), false);
    }
    close();
  };
  const goLate = () => {
    if (!more.onFoundLate) return;
    if (pending === null) leave();
    else chooseLate(search, pending, more.onFoundLate);
  };
  useWhenGone(goLate);
  return {
    ...{ typed, isTooLong, open, at, count, found, state, list, input, onKeyDown, leave, pickAt },
    create:
      create && state === 'ready'
        ? { ...create, label: typed ? `${t(create.label)} “${typed}”` : t(create.label) }
        : undefined,
    show: () => setOpen(true),
    type: (value: string) => {
      typing.current = true;
      setPending(null);
      setTyped(value);
      setOpen(true);
    },
  };
};

/** Text that was left before its answer came: the record that it means is picked when the answer comes. */
const usePendingPick = (
  pending: string | null,
  { found, state }: ReturnType<typeof useSearch>,
  handlers: Pick<InputProps, 'onPick' | 'onLeft'>,
  onDone: () => void,
): void => {
  const latest = useRef({ ...handlers, onDone });
  latest.current = { ...handlers, onDone };
  useEffect(() => {
    if (pending === null || state === 'waiting') return;
    const { onPick, onLeft, onDone: done } = latest.current;
    const first = state === 'ready' ? found.rows[0] : undefined;
    if (first && isMeant(first, pending, found.total)) onPick(first);
    else onLeft?.(pending, false);
    done();
  }, [pending, found, state]);
  useEffect(() => (pending === null ? undefined : expectAnswer()), [pending]);
};

/** Does the last version of `work` when the component is taken off the screen, before it is drawn anew elsewhere. */
const useWhenGone = (work: () => void): void => {
  const latest = useRef(work);
  latest.current = work;
  useLayoutEffect(() => () => latest.current(), []);
};

/** Searches again for text whose field is gone, and gives the record that is meant. */
const chooseLate = (search: Search, text: string, take: (option: Option, typed: string) => void): void => {
  if (text.length > MOST_SEARCHED) return;
  const arrived = expectAnswer();
  search(text, new AbortController().signal)
    .then(
      ({ rows: [first], total }) => {
        if (first && isMeant(first, text, total)) take(first, text.trim());
      },
      () => undefined,
    )
    .finally(arrived);
};

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
/** Long enough for a barcode, a GSTIN or a telephone number, which a row need not show. */
const TELLING = 8;

/**
 * Whether a row that nobody has seen may be taken for what was typed: its name, its code or the note under them say it, or
 * it is the only one that was found for a long text. Others are found by chance, as by a part of the HSN.
 */
export const isMeant = ({ name, code = '', note = '' }: Option, typed: string, total: number): boolean =>
  [name, code, note].some((said) => bare(said).includes(bare(typed))) || (total === 1 && bare(typed).length >= TELLING);

type SearchState = 'waiting' | 'ready' | 'failed';
interface Answer {
  readonly search: Search;
  readonly text: string;
  readonly found: Found;
  readonly failed?: true;
  /** How often the window had got the focus when it was asked. */
  readonly returned: number;
}
const none: Found = { rows: [], total: 0 };

/** The answer to the text, 120 ms after the last key; the old rows stay while the new ones are fetched. */
const useSearch = (search: Search, text: string, asked: boolean): { found: Found; state: SearchState } => {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const reached = useSyncExternalStore(onReach, isReached);
  // a list that is not open asks when it is opened
  const returned = useSyncExternalStore(asked ? onReturn : untold, timesReturned);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search that failed is done again when the server is reached
  useEffect(() => {
    if (!asked) return;
    // no name is so long, and the server would only refuse it
    if (text.length > MOST_SEARCHED) return setAnswer({ search, text, found: none, returned });
    const stop = new AbortController();
    const timer = setTimeout(() => {
      search(text, stop.signal).then(
        (found) => !stop.signal.aborted && setAnswer({ search, text, found, returned }),
        () => !stop.signal.aborted && setAnswer({ search, text, found: none, failed: true, returned }),
      );
    }, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [search, text, asked, reached, returned]);
  const found = answer?.found ?? none;
  // An answer to what was typed before, or from before the window was left, is shown, never taken.
  if (!answer || answer.search !== search || answer.text !== text || answer.returned !== returned)
    return { found, state: 'waiting' };
  return { found, state: answer.failed ? 'failed' : 'ready' };
};

function List({
  anchor,
  id,
  found,
  state,
  at,
  create,
  tooLong,
  hint,
  onPick,
}: {
  readonly anchor: HTMLElement;
  readonly id: string;
  readonly found: Found;
  readonly state: SearchState;
  readonly at: number;
  readonly create: Create | undefined;
  readonly tooLong: boolean;
  readonly hint: string | undefined;
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
      ? t('The search could not be done: no answer came. It is tried again when the connection is back.')
      : found.rows.length === 0
        ? state === 'waiting'
          ? t('Searching')
          : tooLong
            ? tooLongFor
            : t('Nothing matches')
        : t('{{rows}} of {{total}}', { rows: found.rows.length, total: found.total });
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the input while the list is clicked
    <div ref={box} className="list-pop" onMouseDown={(event) => event.preventDefault()}>
      <div role="listbox" id={id} aria-label={t('Matches')}>
        {found.rows.map((option, index) => (
          <div
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={() => onPick(index)}
          >
            {option.picture !== undefined && <Thumb id={option.picture} />}
            <span>
              <b>{option.name}</b>
              <small>{[option.code, option.note].filter(Boolean).join(' · ')}</small>
            </span>
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
            {t(create.label)}
          </div>
        )}
      </div>
      <div className="list-foot" role="status">
        {says}
        {hint && <span className="list-hint">{hint}</span>}
      </div>
    </div>,
    document.body,
  );
}

/**
 * The combobox as a form field: `value` is the chosen record or null. Text that names no record stays in the field until it
 * is mended, also over a record that was chosen before, and a form with such a field is not saved (`stopsAtUnchosen`).
 */
export function ComboboxField({
  value,
  onChange,
  leftText = '',
  onLeft,
  search,
  create,
  ...field
}: Omit<FieldProps, 'value' | 'onChange'> & {
  readonly value: Option | null;
  onChange(option: Option | null): void;
  /** Text for which nothing was chosen when the form was kept. */
  readonly leftText?: string;
  /** Hears of text for which nothing is chosen, and of '' once something is or the field is empty. */
  onLeft?(typed: string): void;
  readonly search: Search;
  readonly create?: Create | undefined;
}) {
  const id = value?.id ?? '';
  const [left, setLeft] = useState({ text: leftText, coming: false, over: id });
  const leaveText = (text: string, coming: boolean) => {
    setLeft({ text, coming, over: id });
    onLeft?.(text);
  };
  const change = (option: Option | null) => {
    setLeft({ text: '', coming: false, over: option?.id ?? '' });
    onLeft?.('');
    onChange(option);
  };
  // Another record was chosen elsewhere, or the form takes the text as it is: nothing is left to be mended.
  const open = left.text !== '' && left.over === id;
  const unmatched = open && !left.coming ? nothingChosen(left.text) : undefined;
  return (
    <Field {...field} error={unmatched ?? field.error}>
      {(facts) => (
        <ComboboxInput
          attributes={facts}
          className="input"
          text={open ? left.text : (value?.name ?? '')}
          unchosen={unmatched !== undefined}
          onPick={change}
          onClear={() => change(null)}
          onLeft={leaveText}
          search={search}
          create={create}
          placeholder={t(field.placeholder)}
          disabled={field.disabled || field.readOnly}
        />
      )}
    </Field>
  );
}
