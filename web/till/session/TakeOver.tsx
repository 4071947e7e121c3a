import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { toastError } from '../../kit/dialog/toast.tsx';
import { useGivenProblems } from '../../kit/fields/fieldProblems.ts';
import { TextField } from '../../kit/fields/fields.tsx';
import { problemAt, Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { plural, t } from '../../kit/text.ts';
import { browserBills } from '../bills/billStore.ts';
import { nextHere, periodOf, reads } from '../bills/numbering.ts';
import { tillDay } from '../clock.ts';
import type { TillView } from '../counter.ts';

/** Another browser holds the till: its last number is asked for, so that none is put on two papers. */
export function TakeOver({ till, onTaken, onClose }: { readonly till: TillView; onTaken(): void; onClose(): void }) {
  const { session, numbers } = till;
  const received = numbers ? nextHere(numbers, periodOf(numbers, tillDay())) - 1 : 0;
  const [last, setLast] = useState(numbers ? String(received) : '');
  const [problems, setProblems] = useGivenProblems({ last });
  const [busy, setBusy] = useState(false);
  const typed = /^\d{1,8}$/.test(last.trim()) ? Number(last) : undefined;
  const missing = typed === undefined ? 0 : typed - received;
  const take = async () => {
    if (!session || busy) return;
    if (numbers && typed === undefined) return setProblems([{ field: 'last', message: t('Enter the last number') }]);
    setBusy(true);
    try {
      const device = await browserBills.device();
      await api.TakeTill({ session: session.id, device, ...(typed !== undefined && { last: typed }) });
      onTaken();
    } catch (problem) {
      if (problem instanceof Refused && problem.problems.length) setProblems(problem.problems);
      else toastError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={t('Take {{name}} over into this browser?', { name: till.name })}
      onClose={onClose}
      onSave={() => void take()}
      actions={
        <>
          <Button onClick={onClose}>{t('Leave it there')}</Button>
          <Button look="primary" busy={busy} onClick={() => void take()}>
            {t('Take over')}
          </Button>
        </>
      }
    >
      <form
        className="till-form"
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        {numbers ? (
          <>
            <p>
              {t(
                'Another browser uses this till and assigns its numbers. Check the last bill it printed: a number must not appear on ' +
                  'two bills.',
              )}
            </p>
            <TextField
              label={t('Last number on paper, without its prefix')}
              name="last"
              value={last}
              error={problemAt(problems, 'last')}
              help={
                received > 0
                  ? t('The last one that came in is {{numbers}}', { numbers: reads(numbers, tillDay(), received) })
                  : t('No number of this till has been received yet: 0 if none was printed')
              }
              onChange={(text) => {
                setProblems([]);
                setLast(text.trim());
              }}
            />
            {missing > 0 && missing < 3000 && (
              <p className="till-note" data-tone="warn" role="status">
                {plural(
                  missing,
                  '{{numbers}} is recorded as not yet received. The other browser still sends its bills; it can no longer sell.',
                  '{{numbers}} to {{numbers2}} are recorded as not yet received. The other browser still sends its bills; it can no ' +
                    'longer sell.',
                  {
                    numbers: reads(numbers, tillDay(), received + 1),
                    numbers2: reads(numbers, tillDay(), received + missing),
                  },
                )}
              </p>
            )}
          </>
        ) : (
          <p>{t('The till was opened without a browser. From now on this one gives its numbers.')}</p>
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
