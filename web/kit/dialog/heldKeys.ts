/*
 * A key opens a dialog or a screen before that can take the focus: its code is loaded, or its first frame is drawn. What is
 * typed meanwhile must not reach the screen below. It is held, and given to the dialog or screen once that has the focus.
 */

/** Milliseconds after which what was held is dropped: what was asked for could not be opened. */
const MOST = 5000;
const LOOK = 10;

interface Hold {
  isReady(): boolean;
  isWanted(): boolean;
}
let current: Hold | null = null;

const focused = (): HTMLElement => {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement ? activeElement : document.body;
};

/** Whether the focus is in a dialog. */
const isInDialog = (): boolean => focused().closest('[role="dialog"]') !== null;

const soon = (): Promise<void> => new Promise((done) => setTimeout(done, LOOK));

/**
 * Holds every key from now on until `isReady`, and then gives them in their order to what has the focus. `isWanted` says
 * whether it is still to be opened: when not, what was held is dropped. A later call takes over what an earlier one holds:
 * the dialog itself after the place where it was loaded.
 */
export async function holdKeys(isReady: () => boolean = isInDialog, isWanted: () => boolean = () => true) {
  const isHolding = current !== null;
  if (!isHolding && isReady()) return;
  current = { isReady, isWanted };
  if (isHolding) return;
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
    const opens = () => current?.isWanted() && performance.now() < end;
    let ready: Hold | null = null;
    // Escape closed it again: what follows is for the screen below, and may open the next
    let left: Hold | null = null;
    const takes = () => current === left || current?.isReady() === true;
    do {
      while (!takes() && opens()) {
        const isClosed = current === ready && held[0]?.key === 'Escape'; // a modal dialog hears Escape before it is held
        if (!isClosed) await soon();
        else {
          held.shift();
          left = current;
        }
      }
      while (held[0] && takes()) {
        const [event] = held.splice(0, 1) as [KeyboardEvent];
        ready = current;
        give(event);
        if (event.key === 'Escape') left = ready;
        await soon(); // the field is drawn with it before the next key comes
      }
    } while (held.length > 0 && opens());
  } finally {
    window.removeEventListener('keydown', hold, { capture: true });
    current = null;
  }
}

/** Types a letter into the field, and does what the browser does with Enter, Space and Tab. Others are only reported. */
function give(event: KeyboardEvent): void {
  const field = focused();
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = event;
  const isTyped = field.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, ctrlKey, altKey, metaKey, shiftKey, bubbles: true, cancelable: true }),
  );
  // AltGr reports Ctrl and Alt, and types a letter
  const isCommand = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
  if (!isTyped || isCommand) return;
  const isBox = field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);
  const isButton = field instanceof HTMLButtonElement;
  const isInput = field instanceof HTMLInputElement;
  if (key === 'Tab') toNext(field, shiftKey ? -1 : 1);
  else if ((isButton && (key === 'Enter' || key === ' ')) || (isBox && key === ' ')) field.click();
  else if (key === 'Enter' && isInput) field.form?.requestSubmit();
  // deprecated, and the only way to type that fires the events a field of React listens to
  else if (key === 'Enter') document.execCommand('insertLineBreak');
  else if (key.length === 1) document.execCommand('insertText', false, key);
  else if (key === 'Backspace') document.execCommand('delete');
}

const stops = ':is(input, select, textarea, button, a[href], [tabindex]):not([disabled], [tabindex="-1"])';

function toNext(field: HTMLElement, by: 1 | -1): void {
  const within = field.closest('[role="dialog"]') ?? document;
  const all = [...within.querySelectorAll<HTMLElement>(stops)].filter((each) => each.checkVisibility());
  const next = all[(all.indexOf(field) + by + all.length) % all.length];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}
