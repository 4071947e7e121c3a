import { useState } from 'react';
import type { Field } from '../../../contract/masters.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { differences, type Fields, type Values } from './values.ts';

const said = (field: Field | undefined, value: unknown): string =>
  field?.type === 'flag'
    ? value === true || value === 'true'
      ? 'on'
      : 'off'
    : (field?.choices?.find(([code]) => code === String(value))?.[1] ?? plain(value));

const plain = (value: unknown): string =>
  value == null || value === ''
    ? 'empty'
    : Array.isArray(value)
      ? `${value.length} entries`
      : typeof value === 'object'
        ? 'changed'
        : String(value);

/** Someone saved the record meanwhile. Changes of only one side are kept; where both changed, the person chooses. */
export function StaleDialog({
  fields,
  who,
  opened,
  mine,
  theirs,
  onMerged,
  onClose,
}: {
  readonly fields: Fields;
  readonly who: string;
  readonly opened: Values;
  readonly mine: Values;
  readonly theirs: Values;
  onMerged(values: Values): void;
  onClose(): void;
}) {
  const { both, merged } = differences(fields, opened, mine, theirs);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const finish = () =>
    onMerged({
      ...merged,
      ...Object.fromEntries(both.map(({ field, mine: own, theirs: other }) => [field, taken.has(field) ? other : own])),
    });
  const choose = (field: string, other: boolean) => {
    const next = new Set(taken);
    if (other) next.add(field);
    else next.delete(field);
    setTaken(next);
  };
  return (
    <Dialog
      open
      width={640}
      title={who}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Go back to editing</Button>
          <Button look="primary" onClick={finish}>
            Merge changes
          </Button>
        </>
      }
    >
      {both.length === 0 ? (
        <p>You changed different fields: both changes are kept. Save again after merging.</p>
      ) : (
        both.map(({ field, mine: own, theirs: other }) => (
          <fieldset key={field} className="merge">
            <legend>{fields[field]?.label}</legend>
            <label className="check">
              <input type="radio" name={field} checked={!taken.has(field)} onChange={() => choose(field, false)} />
              <span>Keep mine: {said(fields[field], own)}</span>
            </label>
            <label className="check">
              <input type="radio" name={field} checked={taken.has(field)} onChange={() => choose(field, true)} />
              <span>Take theirs: {said(fields[field], other)}</span>
            </label>
          </fieldset>
        ))
      )}
    </Dialog>
  );
}
