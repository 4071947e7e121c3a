import { useState } from 'react';
import type { MasterName } from '../../../contract/masters.ts';
import { type Problem, Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import type { Option } from '../../kit/Combobox.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { focusFirstError } from '../../kit/fields.tsx';
import { inSentence } from '../../kit/format.ts';
import { useOwnMaster } from '../../kit/own-master.ts';
import { toastError } from '../../kit/toast.tsx';
import { Duplicates } from '../master/Duplicates.tsx';
import { MasterFields } from '../master/MasterFields.tsx';
import { problemsOf } from '../master/problems.ts';
import { initialValues, sendable, textOf, type Values } from '../master/values.ts';

/** A GSTIN begins with its state. */
const stateOf = ({ gstin }: Values): Values =>
  /^\d\d/.test(textOf(gstin)) ? { state: textOf(gstin).slice(0, 2) } : {};

/** Makes a party or an item without leaving the document: the fields that must be given and the usual few besides. */
export function CreateMaster({
  master: name,
  typed,
  given = {},
  onMade,
  onClose,
}: {
  readonly master: MasterName;
  readonly typed: string;
  /** What is usual for the document. */
  readonly given?: Values;
  onMade(option: Option): void;
  onClose(): void;
}) {
  const { master } = useOwnMaster(name);
  const [values, setValues] = useState<Values>(() => ({
    ...initialValues(master.fields),
    ...given,
    [master.name]: typed,
  }));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    const found = problemsOf(master.fields, values);
    setProblems(found);
    if (found.length) return focusFirstError();
    setBusy(true);
    try {
      const made = await api.SaveMaster({ master: name, values: sendable(master.fields, values) });
      onMade({ id: made.id, name: String(made.values[master.name] ?? '') });
    } catch (error) {
      if (error instanceof Refused && error.problems.length) {
        setProblems(error.problems.map((problem) => ({ ...problem, field: problem.field.replace(/^values\./, '') })));
        focusFirstError();
      } else toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title={`New ${inSentence(master.label)}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => void save()}>
            Save {inSentence(master.label)}
          </Button>
        </>
      }
    >
      {master.merges && <Duplicates values={values} onUse={(party) => onMade({ id: party.id, name: party.name })} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <MasterFields
          master={master}
          values={values}
          problems={problems}
          brief
          onChange={(patch) => setValues((now) => ({ ...now, ...patch, ...stateOf(patch) }))}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
