import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useFieldProblems } from '../../kit/fields/fieldProblems.ts';
import { focusFirstError } from '../../kit/fields/fields.tsx';
import { type Problem, Refused } from '../../kit/server/api.ts';
import { StaleDialog } from '../master/StaleDialog.tsx';
import type { Fields, Values } from '../master/values.ts';

/** What is stored, as a form tells it: nothing of the secrets but how often each was set to another one. */
export interface StoredSecrets {
  readonly version: number | undefined;
  readonly values: Values;
  readonly marks: Readonly<Record<string, number>>;
}

const before = 'the one of before';
const mine = 'the one typed here';
const theirs = 'the new one of theirs';
const secretsAs = (names: readonly string[], word: (name: string) => string): Values =>
  Object.fromEntries(names.map((name) => [name, word(name)]));

/**
 * A form over secrets that can be set and never read, saved over the version that the typing began with. When somebody else
 * saved meanwhile it shows who and what, and asks whose value counts, field by field, as the forms of masters do; of a secret it
 * only says that it has changed. It also shows the other side's answer when the secrets are tried.
 */
export function useSecrets<Tested>({
  fields,
  secrets,
  stored,
  typed,
  found = [],
  read,
  onDropped,
}: {
  /** Labels of all fields, the secret ones too. */
  readonly fields: Fields;
  readonly secrets: readonly string[];
  readonly stored: StoredSecrets;
  /** What was typed over it; for a secret any content. */
  readonly typed: Values;
  /** What is wrong before anybody is asked. */
  readonly found?: readonly Problem[];
  /** Asks the server again. */
  read(): Promise<StoredSecrets>;
  /** Of these the other's word counts: what was typed goes. */
  onDropped(names: readonly string[]): void;
}) {
  const cache = useQueryClient();
  const panel = useRef<HTMLDivElement>(null);
  const begun = useRef<StoredSecrets | undefined>(undefined);
  const [refusal, setRefusal] = useState<unknown>(null);
  const { problems, error: failed } = useFieldProblems(refusal, { ...stored.values, ...typed }, { found });
  const [tested, setTested] = useState<Tested | null>(null);
  const [busy, setBusy] = useState<'save' | 'test' | null>(null);
  const [stale, setStale] = useState<{
    readonly who: string;
    readonly opened: StoredSecrets;
    readonly now: StoredSecrets;
  } | null>(null);
  const showProblem = () => panel.current && focusFirstError(panel.current);
  const run = async (what: 'save' | 'test', work: () => Promise<void>) => {
    setBusy(what);
    setRefusal(null);
    setTested(null);
    try {
      await work();
    } catch (refused) {
      if (refused instanceof Refused && refused.code === 'stale' && begun.current)
        await read().then(
          (now) => begun.current && setStale({ who: refused.message, opened: begun.current, now }),
          setRefusal,
        );
      else {
        setRefusal(refused);
        showProblem();
      }
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } finally {
      setBusy(null);
    }
  };
  const own: Values = stale
    ? {
        ...{ ...stale.opened.values, ...secretsAs(secrets, () => before), ...typed },
        ...secretsAs(secrets, (name) => (typed[name] ? mine : before)),
      }
    : {};
  const dialog: ReactNode = stale && (
    <StaleDialog
      fields={fields}
      who={stale.who}
      opened={{ ...stale.opened.values, ...secretsAs(secrets, () => before) }}
      mine={own}
      theirs={{
        ...stale.now.values,
        ...secretsAs(secrets, (name) => (stale.now.marks[name] === stale.opened.marks[name] ? before : theirs)),
      }}
      onClose={() => setStale(null)}
      onMerged={(merged) => {
        const dropped = Object.keys(typed).filter((name) => merged[name] !== own[name]);
        // what is left is typed over what they saved: the next save is a decision over that
        begun.current = Object.keys(typed).length > dropped.length ? stale.now : undefined;
        onDropped(dropped);
        setStale(null);
      }}
    />
  );
  return {
    panel,
    failed,
    problems,
    tested,
    busy,
    /** To be drawn with the form. */
    dialog,
    showProblem,
    /** Something is typed. */
    begin: () => {
      begun.current ??= stored;
    },
    save: (keep: (over: number | undefined) => Promise<void>) =>
      run('save', async () => {
        begun.current ??= stored;
        await keep(begun.current.version);
        begun.current = undefined;
        await cache.invalidateQueries({ queryKey: ['screen'] });
      }),
    test: (ask: () => Promise<Tested>) =>
      run('test', async () => {
        const answer = await ask();
        await cache.invalidateQueries({ queryKey: ['screen'] });
        setTested(answer);
      }),
  };
}
