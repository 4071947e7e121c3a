import { notifications } from '@mantine/notifications';
import { Refused } from './api.ts';

interface Action {
  readonly label: string;
  run(): void;
}

const show = (message: string, tone: 'ok' | 'bad', action?: Action) => {
  const id = notifications.show({
    role: tone === 'bad' ? 'alert' : 'status',
    autoClose: tone === 'bad' ? false : 5000,
    color: tone === 'bad' ? 'red' : 'brand',
    position: 'top-right',
    closeButtonProps: { 'aria-label': 'Dismiss' },
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
            {action.label}
          </button>
        )}
      </span>
    ),
  });
};

/** One line at the top right for 5 seconds, with at most one action ("Undo"). */
export const toast = (message: string, action?: Action): void => show(message, 'ok', action);

/** An error line that stays until dismissed. Takes a sentence or whatever was thrown. */
export const toastError = (error: unknown): void =>
  show(
    error instanceof Refused ? error.message : typeof error === 'string' ? error : 'Please try after some time',
    'bad',
  );
