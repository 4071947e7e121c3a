import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { DateField, SelectField, TextField } from '../../kit/fields.tsx';
import { ErrorPanel, Panel, Skeleton } from '../../kit/parts.tsx';
import { useDateFormat, useScreenKey, useSession } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { lockableYears } from './years.ts';

/** Up to which day the books are closed: nothing is posted, cancelled or changed on or before it. */
export function Locks() {
  const { today } = useSession();
  const { format, show } = useDateFormat();
  const cache = useQueryClient();
  const key = useScreenKey('locks');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetLocks({}) });
  const [through, setThrough] = useState('');
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const save = async (day: string | null) => {
    setBusy(true);
    setRefused(null);
    try {
      const { lockedThrough } = await api.SaveLock({ through: day, reason });
      toast(lockedThrough ? `The books are locked up to ${show(lockedThrough)}` : 'The books are unlocked');
      setThrough('');
      setReason('');
      await cache.invalidateQueries();
    } catch (problem) {
      setRefused(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title="Lock Previous Year">
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={2} />
      ) : (
        <div className="stack">
          <p>
            {data.lockedThrough ? `The books are locked up to ${show(data.lockedThrough)}.` : 'The books are open.'}
          </p>
          {refused != null && <ErrorPanel error={refused} />}
          <div className="fields">
            <SelectField
              label="Financial year"
              value={through}
              onChange={setThrough}
              choices={lockableYears(today)}
              empty="Choose"
            />
            <DateField label="Or up to a day" value={through} onChange={setThrough} format={format} />
            <TextField label="Reason" value={reason} onChange={setReason} maxLength={200} span={2} />
          </div>
          <div className="side-actions">
            <Button busy={busy} disabled={!through} onClick={() => void save(through)}>
              Lock books
            </Button>
            {data.lockedThrough && (
              <Button look="danger" busy={busy} onClick={() => void save(null)}>
                Unlock books
              </Button>
            )}
          </div>
        </div>
      )}
    </Panel>
  );
}
