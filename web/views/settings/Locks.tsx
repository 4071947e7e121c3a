import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { closingCalls } from '../../../contract/closing.ts';
import { allows } from '../../../contract/levels.ts';
import { type LockName, lockName } from '../../../domain/books/registers.ts';
import { Button } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useRun } from '../../kit/dialog/useRun.ts';
import { useFieldProblems } from '../../kit/fields/fieldProblems.ts';
import { DateField, SelectField, TextField } from '../../kit/fields/fields.tsx';
import { inSentence } from '../../kit/format.ts';
import { ErrorPanel, Panel, Skeleton } from '../../kit/parts.tsx';
import { problemAt } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../../kit/server/session.ts';
import { lockableYears } from './years.ts';

type Stored = z.output<typeof closingCalls.GetLocks.details>;
/** The empty name stands for the books as a whole. */
type What = LockName | '';
const nameOf = ({ register, registration }: Stored['registers'][number]) =>
  lockName(register, registration ?? undefined);

/** Up to which day the books, or single registers of them, are closed: nothing is posted or cancelled there on or before it. */
export function Locks() {
  const { data, error, refetch } = useQuery({ queryKey: useScreenKey('locks'), queryFn: () => api.GetLocks({}) });
  return (
    <Panel title="Lock Previous Year">
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={4} />
      ) : (
        <Setting stored={data} />
      )}
    </Panel>
  );
}

function Setting({ stored }: { readonly stored: Stored }) {
  const { today, grants } = useSession();
  const { format, show } = useDateFormat();
  const [what, setWhat] = useState<What>('');
  const [through, setThrough] = useState('');
  const [reason, setReason] = useState('');
  const { busy, error: refused, run } = useRun();
  const own = stored.registers.find((each) => nameOf(each) === what);
  const locked = own ? own.lockedThrough : stored.lockedThrough;
  const name = own?.label ?? 'The books';
  const { problems, error } = useFieldProblems(refused, { what, through, reason });
  const save = (day: string | null) =>
    run(async () => {
      await api.SaveLock({
        through: day,
        reason,
        ...(own && { register: own.register, ...(own.registration && { registration: own.registration }) }),
      });
      toast(day ? `${name}: locked up to ${show(day)}` : `${name}: unlocked`);
      setThrough('');
      setReason('');
    });
  return (
    <div className="stack">
      <p>
        {stored.lockedThrough ? `The books are locked up to ${show(stored.lockedThrough)}.` : 'The books are open.'}
      </p>
      <ul className="plain-list">
        {stored.registers
          .filter(({ lockedThrough }) => lockedThrough)
          .map(({ label, lockedThrough, by, reason: why }) => (
            <li key={label}>
              <span>
                {label}: locked up to {show(lockedThrough)} by {by}
                {why && ` (${why})`}
              </span>
            </li>
          ))}
      </ul>
      {error !== null && <ErrorPanel error={error} />}
      <div className="fields">
        <SelectField
          label="What"
          value={what}
          onChange={(value) => setWhat(value as What)}
          choices={stored.registers.map((each) => ({ value: nameOf(each), label: each.label }))}
          empty="The whole books"
        />
        <SelectField
          label="Financial year"
          value={through}
          onChange={setThrough}
          choices={lockableYears(today)}
          empty="Choose"
        />
        <DateField
          label="Or up to a day"
          value={through}
          onChange={setThrough}
          format={format}
          error={problemAt(problems, 'through')}
        />
        <TextField
          label="Reason"
          value={reason}
          onChange={setReason}
          maxLength={200}
          span={2}
          error={problemAt(problems, 'reason')}
          help={locked ? 'Required when days are opened again' : undefined}
        />
      </div>
      <div className="side-actions">
        <Button busy={busy} disabled={!through} onClick={() => void save(through)}>
          {own ? `Lock ${inSentence(own.label)}` : 'Lock books'}
        </Button>
        {locked && allows(grants['General Configuration'], 'full') && (
          <Button look="danger" busy={busy} onClick={() => void save(null)}>
            {own ? `Unlock ${inSentence(own.label)}` : 'Unlock books'}
          </Button>
        )}
      </div>
    </div>
  );
}
