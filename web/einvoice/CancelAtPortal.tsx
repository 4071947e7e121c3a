import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { SelectField, TextField } from '../kit/fields/fields.tsx';
import { Refused } from '../kit/server/api.ts';
import { t } from '../kit/text.ts';

interface Props<R extends string> {
  readonly title: string;
  readonly keep: string;
  readonly cancel: string;
  /** What cancelling means and until when it is possible. */
  readonly meaning: string;
  readonly reasons: readonly (readonly [code: R, label: string])[];
  /** The longest remark the portal takes. */
  readonly longest: number;
  readonly done: string;
  /** What else is done in the same step, below the reason and remark. */
  readonly more?: ReactNode;
  /** What to do about a refusal, when the product knows it. */
  advice(refused: Refused): string | undefined;
  send(reason: R, remark: string): Promise<unknown>;
  onClose(): void;
}

/** Cancels something at a portal, with a reason of the portal's list and a remark. */
export function CancelAtPortal<R extends string>(props: Props<R>) {
  const { reasons, onClose } = props;
  const cache = useQueryClient();
  const [chosen, setChosen] = useState('');
  const [remark, setRemark] = useState('');
  const cancel = async () => {
    const reason = reasons.find(([code]) => code === chosen)?.[0];
    if (!reason) return;
    await props.send(reason, remark.trim());
    toast(props.done);
  };
  return (
    <FormDialog
      title={props.title}
      holds={{ reason: chosen, remark }}
      verb={props.cancel}
      keep={props.keep}
      look="danger-filled"
      check={() => [
        ...(chosen ? [] : [{ field: 'reason', message: t('Choose a reason') }]),
        ...(remark.trim() ? [] : [{ field: 'remark', message: t('Describe what happened') }]),
      ]}
      save={cancel}
      onRefused={() => void cache.invalidateQueries({ queryKey: ['screen'] })}
      onClose={onClose}
    >
      {(at, refused) => {
        const advice = refused instanceof Refused && props.advice(refused);
        return (
          <>
            <p>{props.meaning}</p>
            {advice && <p>{advice}</p>}
            <SelectField
              label={t('Reason')}
              required
              value={chosen}
              onChange={setChosen}
              choices={reasons.map(([value, label]) => ({ value, label: t(label) }))}
              empty={t('Choose')}
              error={at('reason')}
            />
            <TextField
              label={t('Remark')}
              required
              value={remark}
              onChange={setRemark}
              maxLength={props.longest}
              error={at('remark')}
            />
            {props.more}
          </>
        );
      }}
    </FormDialog>
  );
}
