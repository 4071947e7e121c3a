import { Modal } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { usePhone } from './media.ts';

/**
 * What is asked gets the focus, before the cross that closes: the trap of the dialog looks for this mark. Who closes the
 * dialog by taking it away gets the focus back where it was.
 */
function Body({ children }: { readonly children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const first = body.current?.querySelector(':is(input, select, textarea):not([disabled])');
    first?.setAttribute('data-autofocus', '');
    const opener = document.activeElement;
    return () =>
      void setTimeout(() => {
        const lost = document.activeElement === null || document.activeElement === document.body;
        if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      });
  }, []);
  return (
    <div ref={body} className="dialog-body">
      {children}
    </div>
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
  width = 440,
  blocking = false,
  children,
  actions,
}: {
  readonly open: boolean;
  readonly title: string;
  onClose(): void;
  readonly width?: 440 | 640 | 880;
  readonly blocking?: boolean;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const phone = usePhone();
  return (
    <Modal
      opened={open}
      onClose={onClose}
      title={title}
      size={width}
      fullScreen={phone}
      closeOnEscape={!blocking}
      closeOnClickOutside={false}
      withCloseButton={!blocking}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
      centered
    >
      <Body>{children}</Body>
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
  typeToConfirm,
  onConfirm,
  onClose,
}: {
  readonly open: boolean;
  readonly question: string;
  readonly consequence: string;
  readonly verb: string;
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
          <Button onClick={onClose}>Keep as it is</Button>
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
          <span className="field-label">Type {typeToConfirm} to confirm</span>
          <input className="input" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
    </Dialog>
  );
}
