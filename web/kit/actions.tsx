import { Button, type Look } from './Button.tsx';
import type { Hotkeys } from './hotkeys.ts';
import { t } from './text.ts';

/** What a person can do on a screen: drawn as a button, and reached by its key. */
export interface Action {
  readonly label: string;
  /** Where the label changes, with a count in it: the button stays the same one and keeps the focus. */
  readonly id?: string;
  /** False: neither the button nor the key is there. */
  readonly offered?: boolean;
  /** The button is there and takes no press, nor does the key. */
  readonly disabled?: boolean;
  /** It runs: the button shows it and takes no press. */
  readonly busy?: boolean;
  /** As `useKeys` names it, 'alt+b'. The button says it as 'Alt B'. */
  readonly hotkey?: string;
  /** Said instead of the key: why it is disabled. */
  readonly title?: string;
  readonly look?: Look;
  run(): void;
}

const isOffered = ({ offered = true }: Action): boolean => offered;

/** 'Ctrl Enter' of 'ctrl+enter'. */
export const keyTitle = (hotkey: string): string =>
  hotkey
    .split('+')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(' ');

/** The keys of actions. The key of a disabled one does nothing here, and nothing in the browser either. */
export const keysOf = (actions: readonly Action[]): Hotkeys =>
  Object.fromEntries(
    actions
      .filter(isOffered)
      .flatMap(({ hotkey, disabled, run }) => (hotkey ? [[hotkey, disabled ? () => undefined : run]] : [])),
  );

export function ActionButtons({ actions }: { readonly actions: readonly Action[] }) {
  return actions.filter(isOffered).map(({ id, label, look = 'default', disabled, busy, hotkey, title, run }) => (
    <Button
      key={id ?? label}
      look={look}
      disabled={disabled}
      {...(busy !== undefined && { busy })}
      title={t(title) ?? (hotkey && keyTitle(hotkey))}
      onClick={() => run()}
    >
      {t(label)}
    </Button>
  ));
}
