import { type ReactNode, type RefObject, type SyntheticEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../Button.tsx';
import { type Typed, useFieldProblems } from '../fields/fieldProblems.ts';
import { focusFirstError } from '../fields/fields.tsx';
import { nextOnEnter } from '../fields/nextOnEnter.ts';
import { stopsAtUnchosen } from '../fields/typing.ts';
import { ErrorPanel } from '../parts.tsx';
import type { Problem } from '../server/api.ts';
import { t } from '../text.ts';
import { Confirm, Dialog } from './Dialog.tsx';
import { useRun } from './useRun.ts';

/**
 * What is wrong with a field (in a row; without one, in all of them): asked for by whoever draws it, so that a problem
 * nobody draws is said above.
 */
export type At = (field: string, row?: number) => string | undefined;

interface FormDialogProps<T> {
  readonly title: string;
  readonly width?: 440 | 640 | 880;
  /** The values of its fields, by the names that problems have for them. */
  readonly holds: Typed;
  /** What the button says that saves; without it there is nothing to be saved. */
  readonly verb: string | null;
  /** What the button says that leaves everything as it is. */
  readonly keep?: string;
  readonly look?: 'primary' | 'danger-filled';
  /** There is something that can be saved. */
  readonly ready?: boolean;
  /** What is typed is kept where it comes from: nothing is lost by closing. */
  readonly kept?: boolean;
  /** Enter saves from any field: most of the time the first one is enough. */
  readonly enterSaves?: boolean;
  /** What is wrong before anybody is asked; said from the first try on. */
  check?(): readonly Problem[];
  save(): Promise<T>;
  onRefused?(error: unknown): void;
  /** The dialog is closed when this is left out. */
  onDone?(made: T): void;
  onClose(): void;
  /** Buttons before the usual two; `act` does something else than saving, busy and refused in the same way. */
  readonly actions?: ReactNode | ((act: (work: () => Promise<T>) => void, busy: boolean) => ReactNode);
  readonly children: ReactNode | ((at: At, refused: unknown, problems: readonly Problem[]) => ReactNode);
}

/**
 * A dialog with a form, the same everywhere: Enter goes on to the next field, Ctrl Enter and Ctrl S save, Escape asks first when
 * something was typed, problems stand at their field until it is mended and refusals above them; it closes once it is saved
 * and what the screens show was read again.
 */
export function FormDialog<T>(props: FormDialogProps<T>) {
  const { verb, look = 'primary', enterSaves = false, actions, children } = props;
  const id = useId();
  const body = useRef<HTMLFormElement>(null);
  const { busy, refused, found, act, submit } = useSubmit(props, body);
  const { problems, error, at, isUnsaid } = useProblemsAt(refused, props.holds, found);
  const { hear, leave, discard } = useDiscard(props, busy);
  // Enter in the last field saves, unless what follows cannot be undone: then it only comes to the button
  const lastOnEnter = () => (look === 'primary' ? null : document.querySelector<HTMLElement>(`button[form="${id}"]`));
  return (
    <>
      <Dialog
        open
        title={props.title}
        {...(props.width && { width: props.width })}
        onClose={leave}
        onSave={() => void submit()}
        actions={
          <>
            {typeof actions === 'function' ? actions((work) => void act(work), busy) : actions}
            <FormButtons {...props} {...{ id, verb, look, busy }} />
          </>
        }
      >
        <form
          id={id}
          ref={body}
          className="stack"
          noValidate
          onInput={hear}
          onClick={hear}
          onKeyDown={(event) => {
            const chooses = (event.target as HTMLElement).role === 'combobox';
            if (chooses || !enterSaves) nextOnEnter(event, lastOnEnter);
          }}
          onSubmit={(event) => {
            event.preventDefault();
            // what is typed into a dialog of a field goes no further
            if (event.target === body.current) void submit();
          }}
        >
          {isUnsaid && <ErrorPanel error={error} />}
          {typeof children === 'function' ? children(at, error, problems) : children}
        </form>
      </Dialog>
      {discard}
    </>
  );
}

/** The usual two buttons: one leaves everything as it is, the other saves. */
function FormButtons<T>({
  id,
  verb,
  keep = 'Cancel',
  look = 'primary',
  ready = true,
  busy,
  onClose,
}: Pick<FormDialogProps<T>, 'verb' | 'keep' | 'look' | 'ready' | 'onClose'> & {
  /** The form that is saved. */
  readonly id: string;
  readonly busy: boolean;
}) {
  return (
    <>
      {keep && <Button onClick={() => !busy && onClose()}>{keep}</Button>}
      {verb !== null && (
        <Button look={look} type="submit" form={id} title={t('Ctrl Enter')} busy={busy} disabled={!ready}>
          {verb}
        </Button>
      )}
    </>
  );
}

type SubmitProps<T> = Pick<
  FormDialogProps<T>,
  'verb' | 'ready' | 'check' | 'save' | 'onRefused' | 'onDone' | 'onClose'
>;

/** Saves once nothing is wrong; `found` is what is wrong before anybody is asked. The first field with a problem gets the focus. */
function useSubmit<T>(
  { verb, ready = true, check = () => [], save, onRefused, onDone, onClose }: SubmitProps<T>,
  body: RefObject<HTMLFormElement | null>,
) {
  const [tried, setTried] = useState(false);
  const { busy, error: refused, run } = useRun();
  const showFirst = () => focusFirstError(body.current ?? undefined);
  const act = (work: () => Promise<T>) =>
    run(
      () =>
        work().catch((refused: unknown) => {
          onRefused?.(refused);
          showFirst();
          throw refused;
        }),
      onDone ?? onClose,
    );
  const submit = async () => {
    if (!ready || verb === null) return;
    if (stopsAtUnchosen(body.current ?? undefined)) return;
    setTried(true);
    if (check().length > 0) return showFirst();
    await act(save);
  };
  return { busy, refused, found: tried ? check() : [], act, submit };
}

/** The problems of the form, and which of them the fields have asked for: what no field shows is unsaid. */
function useProblemsAt(refused: unknown, holds: Typed, found: readonly Problem[]) {
  const { problems: left, error } = useFieldProblems(refused, holds);
  const problems = [...found, ...left];
  const [isUnsaid, setUnsaid] = useState(false);
  const asked = useRef(new Set<string>());
  asked.current = new Set();
  const at: At = (field, row) => {
    asked.current.add(row === undefined ? field : `${field} ${row}`);
    const said = problems.filter((problem) => problem.field === field && (row === undefined || problem.row === row));
    return [...new Set(said.map(({ message }) => message))].join('. ') || undefined;
  };
  useLayoutEffect(() => {
    const known =
      problems.length > 0 &&
      problems.every(({ field, row }) => asked.current.has(field) || asked.current.has(`${field} ${row}`));
    setUnsaid(error !== null && !known);
  });
  return { problems, error, at, isUnsaid };
}

/** A choice in a list or a calendar is typed too, though no field gets an event. */
const picks = '[role="option"], .calendar td button';

/** Asks before the dialog is closed over what was typed. */
function useDiscard<T>({ kept = false, onClose }: Pick<FormDialogProps<T>, 'kept' | 'onClose'>, busy: boolean) {
  const typed = useRef(false);
  const [asking, setAsking] = useState(false);
  const hear = (event: SyntheticEvent) => {
    const target = event.target as HTMLElement;
    // a file stays as it was
    if (event.type === 'click' ? target.closest(picks) : (target as HTMLInputElement).type !== 'file')
      typed.current = true;
  };
  const leave = () => {
    if (busy) return;
    if (typed.current && !kept) setAsking(true);
    else onClose();
  };
  const discard = (
    <Confirm
      open={asking}
      question={t('Close without saving?')}
      consequence={t('The text you typed here is not kept.')}
      keep={t('Go on typing')}
      verb={t('Close without saving')}
      onConfirm={onClose}
      onClose={() => setAsking(false)}
    />
  );
  return { hear, leave, discard };
}
