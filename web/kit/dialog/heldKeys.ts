/*
 * A key opens a dialog before the dialog can take the focus: its code is loaded, or its first frame is drawn. What is typed
 * meanwhile must not reach the screen below. It is held and given to the dialog once its field has the focus.
 */

/** Milliseconds after which what was held is dropped: the dialog could not be opened. */
const MOST = 5000;
const LOOK = 10;

let isHolding = false;

/** The field with the focus, when it is in a dialog. */
const fieldOfDialog = (): HTMLElement | undefined => {
  const { activeElement: field } = document;
  return field instanceof HTMLElement && field.closest('[role="dialog"]') ? field : undefined;
};

const soon = (): Promise<void> => new Promise((done) => setTimeout(done, LOOK));

/** Holds every key from now on until a dialog has the focus, and then gives them to it in their order. */
export async function holdKeys(): Promise<void> {
  if (isHolding) return;
  isHolding = true;
  const held: KeyboardEvent[] = [];
  const hold = (event: KeyboardEvent) => {
    if (!event.isTrusted || event.isComposing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.push(event);
  };
  window.addEventListener('keydown', hold, { capture: true });
  try {
    const end = performance.now() + MOST;
    while (!fieldOfDialog() && performance.now() < end) await soon();
    for (let event = held.shift(); event && fieldOfDialog(); event = held.shift()) {
      give(event);
      await soon(); // the field is drawn with it before the next key comes
    }
  } finally {
    window.removeEventListener('keydown', hold, { capture: true });
    isHolding = false;
  }
}

/** Types a letter into the field, as the browser would have; any other key is only reported to it. */
function give(event: KeyboardEvent): void {
  const field = fieldOfDialog();
  if (!field) return;
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = event;
  const isTyped = field.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, ctrlKey, altKey, metaKey, shiftKey, bubbles: true, cancelable: true }),
  );
  if (!isTyped || ctrlKey || altKey || metaKey) return;
  // deprecated, and the only way to type that fires the events a field of React listens to
  if (key.length === 1) document.execCommand('insertText', false, key);
  else if (key === 'Backspace') document.execCommand('delete');
}
