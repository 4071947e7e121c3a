import { useRef, useState } from 'react';
import { newKey, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { DateField, SelectField } from '../kit/fields.tsx';
import { inSentence, rupees } from '../kit/format.ts';
import { ErrorPanel } from '../kit/parts.tsx';
import { useDateFormat, useSession } from '../kit/session.ts';
import { toast } from '../kit/toast.tsx';
import { headFields } from '../views/editor/headFields.ts';
import { type Count, comesTo, differs } from './counts.ts';

export const reasons = (headFields.adjustmentReason.choices ?? []).map(([value, label]) => ({ value, label }));

/** Approves a count: says what is posted, on which day, and what becomes of lines that nobody counted. */
export function EndCount({ count, onClose, onDone }: { readonly count: Count; onClose(): void; onDone(): void }) {
  const { today } = useSession();
  const { format } = useDateFormat();
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState(reasons[0]?.value ?? '');
  const [uncounted, setUncounted] = useState<'leave' | 'none'>('leave');
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const key = useRef(newKey());
  const { sheet, lines } = count;
  const left = lines.filter((line) => line.counted === null).length;
  const different = lines.filter(differs).length;
  const value = comesTo(count, uncounted);
  const problems = refused instanceof Refused ? refused.problems : [];
  const problemOf = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const post = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const { documents } = await api.PostCountSheet(
        { id: sheet.id, version: sheet.version, date, reason, uncounted, value },
        key.current,
      );
      toast(
        documents.length > 0
          ? `${sheet.number} is posted: ${documents.map((each) => each.number).join(', ')}`
          : `${sheet.number} is closed: nothing differs`,
      );
      onDone();
    } catch (problem) {
      key.current = newKey();
      setRefused(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title={`Approve ${sheet.number}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep counting</Button>
          <Button look="primary" busy={busy} onClick={() => void post()}>
            Approve and post
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          {different === 0
            ? 'What was counted is what the books have.'
            : `${different === 1 ? 'One line differs' : `${different} lines differ`} from the books. One adjustment is posted for each reason.`}{' '}
          Stock changes by <b className="num">{rupees(value)}</b>.
        </p>
        {refused != null && <ErrorPanel error={refused} />}
        <div className="fields fields-two">
          <DateField label="Date" value={date} onChange={setDate} format={format} error={problemOf('date')} />
          <SelectField
            label="Reason where none stands"
            value={reason}
            onChange={setReason}
            choices={reasons}
            error={problemOf('reason')}
          />
          {left > 0 && (
            <SelectField
              label={inSentence(`${left} ${left === 1 ? 'line was' : 'lines were'} not counted`)}
              value={uncounted}
              onChange={(chosen) => setUncounted(chosen === 'none' ? 'none' : 'leave')}
              choices={[
                { value: 'leave', label: 'Leave them as the books have them' },
                { value: 'none', label: 'Nothing of them is there' },
              ]}
              error={problemOf('uncounted')}
              span={2}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}
