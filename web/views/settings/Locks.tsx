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
import { t } from '../../kit/text.ts';
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
    <Panel title={t('Lock Previous Year')}>
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
  const name = own?.label ?? t('The books');
  const { problems, error } = useFieldProblems(refused, { what, through, reason });
  const save = (day: string | null) =>
    run(async () => {
      await api.SaveLock({
        through: day,
        reason,
        ...(own && { register: own.register, ...(own.registration && { registration: own.registration }) }),
      });
      toast(day ? t('{{name}}: locked up to {{day}}', { name, day: show(day) }) : t('{{name}}: unlocked', { name }));
      setThrough('');
      setReason('');
    });
  return (
    <div className="stack">
      <p>
        {stored.lockedThrough
          ? t('The books are locked up to {{lockedThrough}}.', { lockedThrough: show(stored.lockedThrough) })
          : t('The books are open.')}
      </p>
      <ul className="plain-list">
        {stored.registers
          .filter(({ lockedThrough }) => lockedThrough)
          .map(({ label, lockedThrough, by, reason: why }) => (
            <li key={label}>
              <span>
                {t('{{label}}: locked up to {{lockedThrough}} by {{by}}', {
                  label: t(label),
                  lockedThrough: show(lockedThrough),
                  by,
                })}
                {why && ` (${why})`}
              </span>
            </li>
          ))}
      </ul>
      {error !== null && <ErrorPanel error={error} />}
      <div className="fields">
        <SelectField
          label={t('What')}
          value={what}
          onChange={(value) => setWhat(value as What)}
          choices={stored.registers.map((each) => ({ value: nameOf(each), label: t(each.label) }))}
          empty={t('The whole books')}
        />
        <SelectField
          label={t('Financial year')}
          value={through}
          onChange={setThrough}
          choices={lockableYears(today)}
          empty={t('Choose')}
        />
        <DateField
          label={t('Or up to a day')}
          value={through}
          onChange={setThrough}
          format={format}
          error={problemAt(problems, 'through')}
        />
        <TextField
          label={t('Reason')}
          value={reason}
          onChange={setReason}
          maxLength={200}
          span={2}
          error={problemAt(problems, 'reason')}
          help={locked ? t('Required when days are opened again') : undefined}
        />
      </div>
      <div className="side-actions">
        <Button busy={busy} disabled={!through} onClick={() => void save(through)}>
          {own ? t('Lock {{label}}', { label: inSentence(t(own.label)) }) : t('Lock books')}
        </Button>
        {locked && allows(grants['General Configuration'], 'full') && (
          <Button look="danger" busy={busy} onClick={() => void save(null)}>
            {own ? t('Unlock {{label}}', { label: inSentence(t(own.label)) }) : t('Unlock books')}
          </Button>
        )}
      </div>
    </div>
  );
}
