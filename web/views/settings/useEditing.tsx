import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { toast } from '../../kit/dialog/toast.tsx';
import { useFieldProblems } from '../../kit/fields/fieldProblems.ts';
import { useWarning } from '../../kit/fields/warning.ts';
import { type Problem, Refused } from '../../kit/server/api.ts';
import { useScreenKey } from '../../kit/server/session.ts';
import { useStoredState } from '../../kit/server/useStoredState.ts';
import { StaleDialog } from '../master/StaleDialog.tsx';
import type { Fields, Values } from '../master/values.ts';

interface Versioned {
  readonly version: number;
}

/**
 * A form over something that there is only once and that others may save meanwhile: what is typed stays, whatever comes in,
 * and a save over somebody else's asks whose word counts, field by field, as the forms of masters do.
 */
export function useEditing<T extends Versioned>({
  stored,
  fields,
  read,
  save,
  said,
}: {
  /** As the server last answered. */
  readonly stored: T;
  readonly fields: Fields;
  /** Asks the server again. */
  read(): Promise<T>;
  /** Keeps what was changed over the version the form was begun with. */
  save(changed: Values, values: T): Promise<{ readonly version: number }>;
  readonly said: string;
}): {
  readonly values: T;
  readonly dirty: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  /** What it was refused for and is not mended yet, at its fields. */
  readonly problems: readonly Problem[];
  change(patch: Values): void;
  keep(): Promise<void>;
  /** To be drawn with the form. */
  readonly dialog: ReactNode;
} {
  const cache = useQueryClient();
  const typed = useStoredState<{ readonly base: T; readonly changed: Values }>(useScreenKey('typed', said).join('/'));
  const [base, setBase] = useState(typed.first?.base ?? stored);
  const [changed, setChanged] = useState<Values>(typed.first?.changed ?? {});
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<{ readonly record: T; readonly who: string } | null>(null);
  const dirty = Object.keys(changed).length > 0;
  useWarning(dirty);
  useEffect(() => typed.hold(dirty ? { base, changed } : undefined));
  // nobody is typing: what somebody else has saved is shown
  if (!dirty && stored.version > base.version) setBase(stored);
  const values = { ...base, ...changed };
  const plain = (of: T): Values => of as unknown as Values;
  const { problems, error } = useFieldProblems(refusal, plain(values));
  const keep = async () => {
    if (!dirty || busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      const { version } = await save(changed, values);
      setBase({ ...values, version });
      setChanged({});
      toast(said);
      await cache.invalidateQueries();
    } catch (refused) {
      if (refused instanceof Refused && refused.code === 'stale')
        setTheirs({ record: await read(), who: refused.message });
      else setRefusal(refused);
    } finally {
      setBusy(false);
    }
  };
  const dialog = theirs && (
    <StaleDialog
      fields={fields}
      who={theirs.who}
      opened={plain(base)}
      mine={plain(values)}
      theirs={plain(theirs.record)}
      onClose={() => setTheirs(null)}
      onMerged={(merged) => {
        const { record } = theirs;
        const mine = Object.entries(merged).filter(([key, value]) => value !== plain(record)[key]);
        setBase(record);
        setChanged(Object.fromEntries(mine));
        setTheirs(null);
      }}
    />
  );
  const change = (patch: Values) => setChanged((now) => ({ ...now, ...patch }));
  return { values, dirty, busy, error, problems, change, keep, dialog };
}
