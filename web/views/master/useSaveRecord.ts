import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { screenOf } from '../../../contract/screens.ts';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { useFieldProblems } from '../../kit/fields/fieldProblems.ts';
import { focusFirstError } from '../../kit/fields/fields.tsx';
import { stopsAtUnchosen } from '../../kit/fields/typing.ts';
import { useAddress, useGo, useHasGoneOn } from '../../kit/navigation.tsx';
import { type Problem, problemsIn, Refused, reasonOf, withProblems } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import { pagePlace } from './page.ts';
import type { problemsOf } from './problems.ts';
import type { MasterRecord, OpenedRecord } from './record.ts';
import type { TypedRecord } from './useTypedRecord.ts';
import { sendable, textOf, type Values } from './values.ts';

/** What judges a form comes with the schemas it is made of, a third of the form's weight: it is not needed before something is typed. */
const fetchCheck = async (): Promise<typeof problemsOf> => (await import('./problems.ts')).problemsOf;

const isFilled = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : textOf(value) !== '');

/** The record as somebody else has saved it meanwhile, and the sentence that says who. */
interface Theirs {
  readonly record: MasterRecord;
  readonly who: string;
}

/** Checks and saves a record. A refusal goes to its fields; a record that somebody else has saved is shown to be merged. */
export function useSaveRecord(
  name: string,
  master: Master,
  record: OpenedRecord | null,
  { values, version, dirty, drop }: TypedRecord,
  mayWrite: boolean,
) {
  const go = useGo();
  const { back } = useAddress();
  const hasGoneOn = useHasGoneOn();
  const cache = useQueryClient();
  const [found, setFound] = useState<readonly Problem[]>([]);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [check, setCheck] = useState<{ readonly of: typeof problemsOf } | null>(null);
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const [busy, setBusy] = useState(false);
  const { problems, error } = useFieldProblems(refusal, values, {
    found,
    ...(check && { judge: (now: Values) => check.of(master.fields, now) }),
  });
  useEffect(() => {
    if (dirty) fetchCheck().catch(() => undefined); // it is asked for again by what saves
  }, [dirty]);
  const leaveForm = () => {
    drop();
    if (hasGoneOn()) return;
    const list = screenOf({ master: name }, 'masterList');
    const page = record && back === 'page' ? pagePlace(name, record.id) : undefined;
    if (page) go(page.screen, page.query, true);
    else if (list) go(list);
    else window.history.back();
  };
  /** A user on another screen gets the message there; what they typed is here when they come back. */
  const notSaved = (why: string) => toastError(t('{{label}}, not saved: {{why}}', { label: t(master.label), why }));
  const checked = async (): Promise<readonly Problem[]> => {
    const of = await fetchCheck();
    const wrong = of(master.fields, values);
    setCheck({ of });
    setFound(wrong);
    return wrong;
  };
  /** To the list; a new user needs a link next, an item its variants, and both are on the form. */
  const leave = (saved: MasterRecord) => {
    const stays = master.signsIn || (master.staysWith !== undefined && isFilled(saved.values[master.staysWith]));
    const form = !record && stays ? screenOf({ master: name }, 'masterForm') : undefined;
    if (!form || hasGoneOn()) return leaveForm();
    drop();
    go(form, { id: saved.id }, true);
  };
  const failed = async (refused: unknown) => {
    if (hasGoneOn()) return notSaved(reasonOf(refused));
    if (refused instanceof Refused && refused.code === 'stale' && record) {
      return setTheirs({ record: await api.GetMaster({ master: name, id: record.id }), who: refused.message });
    }
    const named = problemsIn(refused).map((problem) => ({ ...problem, field: problem.field.replace(/^values\./, '') }));
    setRefusal(refused instanceof Refused ? withProblems(refused, named) : refused);
    focusFirstError();
  };
  const save = async () => {
    if (busy || !mayWrite || stopsAtUnchosen()) return;
    setBusy(true);
    setRefusal(null);
    try {
      const wrong = await checked();
      if (wrong.length) return hasGoneOn() ? notSaved(wrong[0]?.message ?? '') : focusFirstError();
      const saved = await api.SaveMaster({
        master: name,
        values: sendable(master.fields, values),
        ...(record && { id: record.id }),
        ...(version !== undefined && { version }),
      });
      toast(t('{{label}} {{values}} is saved', { label: t(master.label), values: textOf(saved.values[master.name]) }));
      await cache.invalidateQueries({ queryKey: ['screen'] });
      leave(saved);
    } catch (refused) {
      await failed(refused);
    } finally {
      setBusy(false);
    }
  };
  return {
    problems,
    error,
    busy,
    back: leaveForm,
    save: () => void save(),
    theirs,
    forgetTheirs: () => setTheirs(null),
  };
}
