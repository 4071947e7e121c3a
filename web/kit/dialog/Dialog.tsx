import { Drawer, Modal } from '@mantine/core';
import { type FocusEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../Button.tsx';
import { endTyping } from '../fields/typing.ts';
import { usePhone } from '../media.ts';
import { t } from '../text.ts';
import { holdKeys } from './heldKeys.ts';

/**
 * Escape closes, Ctrl Enter and Ctrl S press the primary button of the topmost dialog. What has a use of its own for a key
 * (an open list, a calendar) gets it first and keeps it.
 */
function useDialogKeys(body: { readonly current: HTMLElement | null }, keys: Readonly<Record<string, () => void>>) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const ctrl = event.ctrlKey || event.metaKey;
      const saves = ctrl && (event.key === 'Enter' || event.key.toLowerCase() === 's');
      const name = saves ? 'save' : event.key;
      const top = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
      if (event.defaultPrevented || event.isComposing || !body.current || !top?.contains(body.current)) return;
      // a dialog with nothing to save takes the keys too: the browser would save the page
      if (!latest.current[name]) return saves ? event.preventDefault() : undefined;
      event.preventDefault();
      if (saves) endTyping();
      latest.current[name]?.();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [body]);
}

const fields = ':is(input, select, textarea):not([disabled]):not([type=hidden]):not([tabindex="-1"])';
const buttons = '.dialog-foot button:not([disabled])';

/**
 * A dialog opens with the focus on its first field, and without fields on its primary button (without one on the first, which
 * changes nothing): the trap of the dialog looks for this mark. A form that comes later gets the focus when it comes. Who closes
 * the dialog gives the focus back to where it was.
 */
function Body({
  keys,
  children,
}: {
  readonly keys: Readonly<Record<string, () => void>>;
  readonly children: ReactNode;
}) {
  const body = useRef<HTMLDivElement>(null);
  // read before a field of the dialog takes the focus by itself
  const [opener] = useState(() => document.activeElement);
  const isPlaced = useRef(false);
  useDialogKeys(body, keys);
  useLayoutEffect(() => {
    if (isPlaced.current || !body.current) return;
    const whole = body.current.closest('[role="dialog"]') ?? body.current;
    const { activeElement } = document;
    const own = activeElement?.matches(fields) && body.current.contains(activeElement) ? activeElement : null;
    const field = own ?? body.current.querySelector<HTMLElement>(fields);
    if (field) {
      isPlaced.current = true;
      for (const marked of whole.querySelectorAll('[data-autofocus]')) marked.removeAttribute('data-autofocus');
      field.setAttribute('data-autofocus', '');
      if (whole.contains(activeElement) && field instanceof HTMLElement) field.focus();
      return;
    }
    if (whole.querySelector('[data-autofocus]')) return;
    const button = whole.querySelector(`${buttons}[data-look=primary]`) ?? whole.querySelector(buttons);
    button?.setAttribute('data-autofocus', '');
  });
  useLayoutEffect(
    () => () =>
      void setTimeout(() => {
        const { activeElement } = document;
        if (activeElement !== null && activeElement !== document.body) return;
        if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
        // what opened it is gone: the keyboard goes on in the screen, not at the top of the page
        else document.getElementById('main')?.focus();
      }),
    [opener],
  );
  // what is proposed in the first field is selected, as by Tab: typing replaces it
  const isEntered = useRef(false);
  const select = ({ target }: FocusEvent) => {
    if (!isEntered.current && target instanceof HTMLInputElement) target.select();
    isEntered.current = true;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only selects what a field of it holds
    <div ref={body} className="dialog-body" onFocus={select}>
      {children}
    </div>
  );
}

/** From the moment it opens no key reaches what is below: they wait until the focus is in it. */
function useHeldKeys(open: boolean): string {
  const id = useId();
  useLayoutEffect(() => {
    if (!open) return;
    let isWanted = true;
    const isInIt = () =>
      document.getElementById(`${id}-body`)?.closest('[role="dialog"]')?.contains(document.activeElement);
    void holdKeys(
      () => isInIt() === true,
      () => isWanted,
    );
    return () => {
      isWanted = false;
    };
  }, [open, id]);
  return id;
}

/** Stands where a dialog or a panel is loaded: what is typed meanwhile is for it. */
export function Opening() {
  useLayoutEffect(() => {
    let isWanted = true;
    void holdKeys(
      () => false,
      () => isWanted,
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return null;
}

/** A panel at the side of the screen, with the keys and the focus of a dialog. */
export function SideDrawer({
  open,
  title,
  onClose,
  width = 320,
  side = 'right',
  children,
}: {
  readonly open: boolean;
  readonly title: string;
  onClose(): void;
  readonly width?: number;
  readonly side?: 'left' | 'right';
  readonly children: ReactNode;
}) {
  const id = useHeldKeys(open);
  return (
    <Drawer
      id={id}
      opened={open}
      onClose={onClose}
      position={side}
      size={width}
      title={title}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Body keys={{ Escape: onClose }}>{children}</Body>
    </Drawer>
  );
}

/**
 * A dialog whose title is the question. `blocking` cannot be closed but by its buttons (expired pack or session).
 * Put the buttons in `actions`; phones show it full screen.
 */
export function Dialog({
  open,
  title,
  onClose,
  onSave,
  width = 440,
  blocking = false,
  children,
  actions,
}: {
  readonly open: boolean;
  readonly title: string;
  onClose(): void;
  /** What Ctrl Enter and Ctrl S do. */
  onSave?(): void;
  readonly width?: 440 | 640 | 880;
  readonly blocking?: boolean;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const phone = usePhone();
  const id = useHeldKeys(open);
  return (
    <Modal
      id={id}
      opened={open}
      onClose={onClose}
      title={title}
      size={width}
      fullScreen={phone}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={!blocking}
      closeButtonProps={{ 'aria-label': t('Close') }}
      transitionProps={{ duration: 120 }}
      centered
    >
      <Body keys={{ ...(!blocking && { Escape: onClose }), ...(onSave && { save: onSave }) }}>{children}</Body>
      {actions && <div className="dialog-foot">{actions}</div>}
    </Modal>
  );
}

/** Asks before something that cannot be undone; `typeToConfirm` must be typed first. `onConfirm` may be async. */
export function Confirm({
  open,
  question,
  consequence,
  verb,
  keep = 'Keep as it is',
  typeToConfirm,
  onConfirm,
  onClose,
}: {
  readonly open: boolean;
  readonly question: string;
  readonly consequence: string;
  readonly verb: string;
  /** What the button says that changes nothing. */
  readonly keep?: string;
  readonly typeToConfirm?: string;
  onConfirm(): void | Promise<void>;
  onClose(): void;
}) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      title={question}
      onClose={onClose}
      actions={
        <>
          {/* no key confirms what cannot be undone; who presses Enter at once changes nothing */}
          <Button onClick={onClose} {...(typeToConfirm === undefined && { 'data-autofocus': true })}>
            {keep}
          </Button>
          <Button
            look="danger-filled"
            busy={busy}
            disabled={typeToConfirm !== undefined && typed !== typeToConfirm}
            onClick={() => void run()}
          >
            {verb}
          </Button>
        </>
      }
    >
      <p>{consequence}</p>
      {typeToConfirm !== undefined && (
        <label className="field">
          <span className="field-label">{t('Type {{typeToConfirm}} to confirm', { typeToConfirm })}</span>
          <input className="input" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
    </Dialog>
  );
}
