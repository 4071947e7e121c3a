import type { ReactNode } from 'react';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { messageOf } from '../server/api.ts';
import { t } from '../text.ts';

interface Action {
  readonly label: string;
  run(): void;
}

// What draws toasts is not fetched with the first page but soon after it: so it can also say that the network is lost.
const drawn = () => import('@mantine/notifications');
const SOON = 5000;
/** Above a dialog, under what somebody has opened: a list, a calendar, a menu. */
const OVER_DIALOGS = 250;
setTimeout(() => drawn().catch(() => undefined), SOON);
const Notifications = lazy(async () => ({ default: (await drawn()).Notifications }));
/** Most that stand at once. */
const MOST = 4;
const waiting = new Set<() => void>();
let wanted = false;
const whenWanted = (tell: () => void) => {
  waiting.add(tell);
  return () => waiting.delete(tell);
};

/** Where toasts appear; stands once in the app. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(whenWanted, () => wanted);
  return shown ? (
    <Suspense>
      <Notifications
        className="toasts"
        position="top-right"
        limit={MOST}
        zIndex={OVER_DIALOGS}
        pauseResetOnHover="notification"
      />
    </Suspense>
  ) : null;
}

const show = async (message: string, tone: 'ok' | 'bad', action?: Action): Promise<void> => {
  wanted = true;
  for (const tell of waiting) tell();
  const { notifications, notificationsStore } = await drawn();
  // The newest toast is seen at once: it waits for none of those before it, whatever the pointer rests on.
  const { notifications: standing } = notificationsStore.getState();
  const oldest = standing.find(({ autoClose }) => autoClose !== false) ?? standing[0];
  if (standing.length >= MOST && oldest?.id) notifications.hide(oldest.id);
  const id = notifications.show({
    role: tone === 'bad' ? 'alert' : 'status',
    autoClose: tone === 'bad' ? false : 5000,
    color: tone === 'bad' ? 'red' : 'brand',
    position: 'top-right',
    closeButtonProps: { 'aria-label': t('Dismiss') },
    message: (
      <span className="toast">
        {message}
        {action && (
          <button
            type="button"
            className="toast-action"
            onClick={() => {
              action.run();
              notifications.hide(id);
            }}
          >
            {t(action.label)}
          </button>
        )}
      </span>
    ),
  });
};

/** One line at the top right, below the head of the screen, for 5 seconds, with at most one action ("Undo"). */
export const toast = (message: string, action?: Action): void => void show(message, 'ok', action);

/** An error line that stays until dismissed. Takes a sentence or whatever was thrown. */
export const toastError = (error: unknown): void =>
  void show(typeof error === 'string' ? error : messageOf(error), 'bad');
