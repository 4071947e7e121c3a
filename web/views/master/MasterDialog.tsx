import { type ReactNode, useState } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { type Problem, Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { focusFirstError } from '../../kit/fields.tsx';
import { inSentence } from '../../kit/format.ts';
import { toastError } from '../../kit/toast.tsx';
import type { MasterRecord } from '../MasterForm.tsx';
import { MasterFields } from './MasterFields.tsx';
import { problemsOf } from './problems.ts';
import { sendable, type Values } from './values.ts';

/** A record as it was kept, to be changed. */
export type KeptRecord = Pick<MasterRecord, 'id' | 'version' | 'values' | 'names'>;

/** The form of a record in a dialog, where one does not leave the screen for it. */
export function MasterDialog({
  name,
  master,
  title,
  initial,
  kept,
  brief = false,
  width,
  above,
  alongside = () => ({}),
  onSaved,
  onClose,
}: {
  readonly name: string;
  readonly master: Master;
  readonly title: string;
  readonly initial: Values;
  readonly kept?: KeptRecord | null;
  /** Only what must be given and the usual few besides. */
  readonly brief?: boolean;
  readonly width: 640 | 880;
  above?(values: Values): ReactNode;
  /** What follows from what is typed. */
  alongside?(patch: Values): Values;
  onSaved(record: { readonly id: string; readonly values: Values }): void;
  onClose(): void;
}) {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    const found = problemsOf(master.fields, values);
    setProblems(found);
    if (found.length) return focusFirstError();
    setBusy(true);
    try {
      const input = { master: name, values: sendable(master.fields, values) };
      onSaved(await api.SaveMaster({ ...input, ...(kept && { id: kept.id, version: kept.version }) }));
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
      width={width}
      title={title}
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
      {above?.(values)}
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
          brief={brief}
          {...(kept && { names: kept.names })}
          onChange={(patch) => setValues((now) => ({ ...now, ...patch, ...alongside(patch) }))}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
