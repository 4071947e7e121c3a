import { useState } from 'react';
import { masters } from '../../contract/masters.ts';
import { type Problem, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { focusFirstError } from '../kit/fields.tsx';
import { toastError } from '../kit/toast.tsx';
import { MasterFields } from '../views/master/MasterFields.tsx';
import { problemsOf } from '../views/master/problems.ts';
import { initialValues, sendable, type Values } from '../views/master/values.ts';

const master = masters.till;

/** A till as it was kept, to be changed. */
export interface KeptTill {
  readonly id: string;
  readonly version: number;
  readonly values: Values;
  readonly names: Readonly<Record<string, string>>;
}

/** Makes a till, or changes one: its place, prices, limit, paper, ledgers and payment code. */
export function TillForm({
  till,
  onSaved,
  onClose,
}: {
  readonly till: KeptTill | null;
  onSaved(): void;
  onClose(): void;
}) {
  const [values, setValues] = useState<Values>(() => till?.values ?? initialValues(master.fields));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    const found = problemsOf(master.fields, values);
    setProblems(found);
    if (found.length) return focusFirstError();
    setBusy(true);
    try {
      await api.SaveMaster({
        ...{ master: 'till', values: sendable(master.fields, values) },
        ...(till && { id: till.id, version: till.version }),
      });
      onSaved();
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
      width={880}
      title={till ? `Settings of ${String(till.values['name'] ?? 'the till')}` : 'New till'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => void save()}>
            Save till
          </Button>
        </>
      }
    >
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
          {...(till && { names: till.names })}
          onChange={(patch) => setValues({ ...values, ...patch })}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
