import { type ReactNode, useState } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { inSentence } from '../../kit/format.ts';
import { api } from '../../kit/server/client.ts';
import type { MasterRecord } from '../MasterForm.tsx';
import { drawnFields, MasterFields } from './MasterFields.tsx';
import { problemsOf } from './problems.ts';
import { sendable, type Values } from './values.ts';

/** A record as it was kept, to be changed. */
export type KeptRecord = Pick<MasterRecord, 'id' | 'version' | 'values' | 'names'>;

/** A field of the record by its own name: the server names it as it stands in the call. */
const own = (field: string) => field.replace(/^values\./, '');

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
  alongside?(patch: Values, before: Values): Values;
  onSaved(record: { readonly id: string; readonly values: Values }): void;
  onClose(): void;
}) {
  const [values, setValues] = useState(initial);
  const save = () => {
    const input = { master: name, values: sendable(master.fields, values) };
    return api.SaveMaster({ ...input, ...(kept && { id: kept.id, version: kept.version }) });
  };
  return (
    <FormDialog
      width={width}
      title={title}
      // the server names a field by itself, or as it stands in the call
      holds={{ ...values, values }}
      verb={`Save ${inSentence(master.label)}`}
      check={() => problemsOf(master.fields, values)}
      save={save}
      onDone={onSaved}
      onClose={onClose}
    >
      {(at, _, problems) => {
        const shown = drawnFields(master, brief);
        for (const { field, row } of problems) if (shown.includes(own(field).split('.')[0] ?? '')) at(field, row);
        return (
          <>
            {above?.(values)}
            <MasterFields
              master={master}
              values={values}
              problems={problems.map((problem) => ({ ...problem, field: own(problem.field) }))}
              brief={brief}
              {...(kept && { names: kept.names })}
              onChange={(patch) => setValues((now) => ({ ...now, ...patch, ...alongside(patch, now) }))}
            />
          </>
        );
      }}
    </FormDialog>
  );
}
