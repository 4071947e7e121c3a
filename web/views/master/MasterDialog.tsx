import { type ReactNode, useState } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { inSentence } from '../../kit/format.ts';
import type { Problem } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';
import { atPart, withAddress, withAddressFields } from './briefAddress.ts';
import { drawnFields, MasterFields } from './MasterFields.tsx';
import { problemsOf } from './problems.ts';
import type { MasterRecord } from './record.ts';
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
  const asked = brief ? withAddressFields(master) : master;
  const whole = brief ? withAddress(master, values) : values;
  const placed = (problem: Problem): Problem => {
    const named = { ...problem, field: own(problem.field) };
    return brief ? atPart(named) : named;
  };
  const save = () => {
    const input = { master: name, values: sendable(master.fields, whole) };
    return api.SaveMaster({ ...input, ...(kept && { id: kept.id, version: kept.version }) });
  };
  return (
    <FormDialog
      width={width}
      title={title}
      // the server names a field by itself, or as it stands in the call
      holds={{ ...whole, ...values, values: whole }}
      verb={t('Save {{label}}', { label: inSentence(t(master.label)) })}
      check={() => problemsOf(master.fields, whole)}
      save={save}
      onDone={onSaved}
      onClose={onClose}
    >
      {(at, _, problems) => {
        const shown = drawnFields(asked, brief);
        for (const problem of problems)
          if (shown.includes(placed(problem).field.split('.')[0] ?? '')) at(problem.field, problem.row);
        return (
          <>
            {above?.(values)}
            <MasterFields
              master={asked}
              values={values}
              problems={problems.map(placed)}
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
