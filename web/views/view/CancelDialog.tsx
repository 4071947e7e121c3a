import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import { Refused } from '../../kit/server/api.ts';
import { plural, t } from '../../kit/text.ts';

/** How a document is cancelled, beyond the plain way. */
export interface How {
  readonly frees?: true;
  readonly today?: true;
}

/** The note that is made instead where the day of a document is not open. */
export interface Note {
  readonly label: string;
  make(): void;
}

/** Documents that are named. */
const MOST_NAMED = 5;
const notOpen = ['periodLocked', 'registerLocked', 'returnFiled'];

interface CancelProps {
  readonly names: readonly string[];
  readonly what: string;
  /** What happens, in a sentence or several. */
  readonly says: string | readonly string[];
  /** What it settles or is settled with, where that is known: it is freed, or stands in the way. */
  readonly settled?: readonly string[];
  /** What has to be done first: nothing is promised to be freed, and nothing is cancelled. */
  readonly blocked?: readonly string[];
  readonly verb?: string;
  /** What it refuses is said in the dialog. */
  onCancel(reason: string, how: How): Promise<void>;
  /** Offered where its day is not open; without notes it is reversed today. */
  readonly notes?: readonly Note[] | undefined;
  /** The dialog is closed when this is left out. */
  onDone?(): void;
  onClose(): void;
}

/** What was refused so far, and what is offered because of it. */
function useWaysOn({ settled = [], blocked = [], notes }: CancelProps) {
  const [refused, setRefused] = useState('');
  const [how, setHow] = useState<How>({});
  // where it is known to be settled, cancelling without freeing the money is always refused: it is not offered
  const isBlocked = blocked.length > 0;
  const frees: How = !isBlocked && settled.length > 0 ? { frees: true } : {};
  const isNotOpen = notOpen.includes(refused);
  const ways: readonly { readonly label: string; readonly how: How }[] =
    refused === 'settled' && !frees.frees
      ? [{ label: t('Cancel and free the money'), how: { ...how, frees: true } }]
      : notes?.length === 0 && isNotOpen
        ? [{ label: t('Reverse with today’s date'), how: { ...how, today: true } }]
        : [];
  return {
    ...{ isBlocked, ways, setHow },
    isFreed: frees.frees === true,
    isSettled: refused === 'settled' || (settled.length > 0 && !isBlocked),
    isReversed: notes?.length === 0 && isNotOpen,
    offered: isNotOpen ? (notes ?? []) : [],
    /** How it is cancelled, after what was chosen so far. */
    with: (chosen = how): How => ({ ...chosen, ...frees }),
    hear: (error: unknown) => setRefused(error instanceof Refused ? error.code : ''),
  };
}
type WaysOn = ReturnType<typeof useWaysOn>;

/** Names what is cancelled, or ended by another `verb`, and asks why; the mirror entries of a document stay in the books. */
export function CancelDialog(props: CancelProps) {
  const { names, what, verb = 'Cancel', onCancel, onDone, onClose } = props;
  const [reason, setReason] = useState('');
  const on = useWaysOn(props);
  const one = names[0] && names.length === 1 ? names[0] : names.length;
  const action = on.isFreed ? t('{{verb}} and free the money', { verb }) : `${verb} ${one}`;
  return (
    <FormDialog
      title={plural(names.length, '{{verb}} {{names}}?', '{{verb}} {{count}} {{what}}?', {
        verb,
        names: names[0],
        what,
      })}
      holds={{ reason }}
      verb={on.isBlocked ? null : action}
      keep={t('Keep as it is')}
      look="danger-filled"
      check={() =>
        reason.trim() === ''
          ? [{ field: 'reason', message: verb === t('Cancel') ? t('Say why it is cancelled') : t('Say why') }]
          : []
      }
      save={() => onCancel(reason.trim(), on.with())}
      onRefused={on.hear}
      actions={(act, busy) => (
        <>
          {on.offered.map(({ label, make }) => (
            <Button key={label} onClick={make}>
              {t(label)}
            </Button>
          ))}
          {on.ways.map((way) => (
            <Button
              key={way.label}
              look="danger"
              busy={busy}
              onClick={() => {
                on.setHow(way.how);
                act(() => onCancel(reason.trim(), on.with(way.how)));
              }}
            >
              {t(way.label)}
            </Button>
          ))}
        </>
      )}
      {...(onDone && { onDone })}
      onClose={onClose}
    >
      {(at) => (
        <>
          <Consequences {...props} on={on} />
          {names.length > 1 && <p className="code">{names.slice(0, 20).join(', ')}</p>}
          {!on.isBlocked && (
            <TextField
              label={t('Reason')}
              required
              value={reason}
              onChange={setReason}
              maxLength={200}
              autoFocus
              error={at('reason')}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

/** What happens, with what it is settled, and what has to be done first. */
function Consequences({ says, settled = [], blocked = [], on }: CancelProps & { readonly on: WaysOn }) {
  return (
    <>
      {typeof says === 'string' ? (
        <p>{says}</p>
      ) : (
        <ul>
          {says.map((sentence) => (
            <li key={sentence}>{t(sentence)}</li>
          ))}
        </ul>
      )}
      {settled.length > 0 && (
        <p>
          {t('It is settled with {{settled}}', { settled: settled.slice(0, MOST_NAMED).join(', ') })}
          {settled.length > MOST_NAMED && ` ${t('and {{settled}} more', { settled: settled.length - MOST_NAMED })}`}
          {on.isBlocked ? '.' : `: ${t('cancelling frees that.')}`}
        </p>
      )}
      {blocked.map((sentence) => (
        <p key={sentence}>{t(sentence)}</p>
      ))}
      {on.isSettled && (
        <p>
          {t(
            'The money stays on the party’s account. The settled documents are open again, and the credits can be allocated to other ' +
              'documents.',
          )}
        </p>
      )}
      {on.isReversed && (
        <p>{t('Its own day stays as it is. A document dated today takes its entries and movements back.')}</p>
      )}
    </>
  );
}
