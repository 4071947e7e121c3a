import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemAt, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/Dialog.tsx';
import { focusFirstError, SelectField, TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { toast } from '../kit/toast.tsx';

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
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = error instanceof Refused ? error.problems : [];
  const run = async () => {
    setTried(true);
    const reason = reasons.find(([code]) => code === chosen)?.[0];
    if (!reason || remark.trim() === '') return focusFirstError();
    setBusy(true);
    setError(null);
    try {
      await props.send(reason, remark.trim());
      toast(props.done);
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onClose();
    } catch (refused) {
      setError(refused);
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } finally {
      setBusy(false);
    }
  };
  const advice = error instanceof Refused ? props.advice(error) : undefined;
  return (
    <Dialog
      open
      title={props.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{props.keep}</Button>
          <Button look="danger-filled" busy={busy} onClick={() => void run()}>
            {props.cancel}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{props.meaning}</p>
        {error != null && <ErrorPanel error={error} />}
        {advice && <p>{advice}</p>}
        <SelectField
          label="Reason"
          required
          value={chosen}
          onChange={setChosen}
          choices={reasons.map(([value, label]) => ({ value, label }))}
          empty="Choose"
          error={tried && !chosen ? 'Choose a reason' : problemAt(problems, 'reason')}
        />
        <TextField
          label="Remark"
          required
          value={remark}
          onChange={setRemark}
          maxLength={props.longest}
          error={tried && !remark.trim() ? 'Say what happened' : problemAt(problems, 'remark')}
        />
      </div>
    </Dialog>
  );
}
