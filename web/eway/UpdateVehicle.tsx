import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { vehicleReasons } from '../../domain/gst/portal-codes.ts';
import { activeStates } from '../../domain/gst/states.ts';
import { problemAt, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { focusFirstError, SelectField, TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { toast } from '../kit/toast.tsx';
import { adviceOn, type Standing, type TransportText, type WayBillFacts } from './states.ts';
import { PartBFields, partBOf } from './TransportFields.tsx';

const reasons = vehicleReasons.map(([value, label]) => ({ value, label }));
const stateChoices = activeStates.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }));
const isReason = (text: string): text is (typeof vehicleReasons)[number][0] =>
  vehicleReasons.some(([code]) => code === text);

interface Props {
  readonly id: string;
  readonly bill: WayBillFacts;
  readonly leaves: Standing['leaves'];
  onClose(): void;
}

/** Part B: the vehicle of goods that wait for one, or another one on the way. */
export function UpdateVehicle({ id, bill, leaves, onClose }: Props) {
  const cache = useQueryClient();
  const first = bill.state === 'partA';
  const [transport, setTransport] = useState<TransportText>({
    ...bill.transport,
    mode: bill.transport.mode || '1',
    vehicle: '',
  });
  const [place, setPlace] = useState(first ? leaves.place : '');
  const [state, setState] = useState(leaves.state);
  const [reason, setReason] = useState<string>(first ? '4' : '');
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = error instanceof Refused ? error.problems : [];
  const run = async () => {
    setTried(true);
    if (!isReason(reason) || !place.trim() || !state) return focusFirstError();
    setBusy(true);
    setError(null);
    try {
      await api.UpdateEWayBillVehicle({ id, ...partBOf(transport), place: place.trim(), state, reason });
      toast(`E-way bill ${bill.number} has its vehicle`);
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onClose();
    } catch (refused) {
      setError(refused);
      focusFirstError();
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } finally {
      setBusy(false);
    }
  };
  const advice = error instanceof Refused ? adviceOn(/\b\d{3,4}\b/.exec(error.message)?.[0]) : undefined;
  return (
    <Dialog
      open
      title={first ? `Vehicle for e-way bill ${bill.number}` : `Another vehicle for e-way bill ${bill.number}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" busy={busy} onClick={() => void run()}>
            Update Part B
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          {first
            ? 'The validity begins now and counts by the distance.'
            : 'The validity stays as it is: a new vehicle does not lengthen it.'}
        </p>
        {error != null && problems.length === 0 && <ErrorPanel error={error} />}
        {advice && <p>{advice.says}</p>}
        <PartBFields
          value={transport}
          problems={problems}
          path=""
          onChange={(part) => setTransport({ ...transport, ...part })}
        />
        <div className="pair">
          <TextField
            label="From place"
            required
            value={place}
            onChange={setPlace}
            maxLength={50}
            error={tried && !place.trim() ? 'Enter the place' : problemAt(problems, 'place')}
          />
          <SelectField
            label="State"
            required
            value={state}
            onChange={setState}
            choices={stateChoices}
            error={problemAt(problems, 'state')}
          />
        </div>
        <SelectField
          label="Reason"
          required
          value={reason}
          onChange={setReason}
          choices={reasons}
          empty="Choose"
          error={tried && !reason ? 'Choose a reason' : problemAt(problems, 'reason')}
        />
      </div>
    </Dialog>
  );
}
