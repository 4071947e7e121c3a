import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { vehicleReasons } from '../../domain/tax/gst/portal/portal-codes.ts';
import { activeStates } from '../../domain/tax/gst/registration/states.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { SelectField, TextField } from '../kit/fields/fields.tsx';
import { Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { t } from '../kit/text.ts';
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
  const update = async () => {
    if (!isReason(reason)) return;
    await api.UpdateEWayBillVehicle({ id, ...partBOf(transport), place: place.trim(), state, reason });
    toast(t('E-way bill {{number}} has its vehicle', { number: bill.number }));
  };
  return (
    <FormDialog
      title={
        first
          ? t('Vehicle for e-way bill {{number}}', { number: bill.number })
          : t('Another vehicle for e-way bill {{number}}', { number: bill.number })
      }
      holds={{ ...transport, place, state, reason }}
      verb={t('Update Part B')}
      keep={t('Not now')}
      check={() => [
        ...(place.trim() ? [] : [{ field: 'place', message: t('Enter the place') }]),
        ...(state ? [] : [{ field: 'state', message: t('Choose the state') }]),
        ...(isReason(reason) ? [] : [{ field: 'reason', message: t('Choose a reason') }]),
      ]}
      save={update}
      onRefused={() => void cache.invalidateQueries({ queryKey: ['screen'] })}
      onClose={onClose}
    >
      {(at, refused) => {
        const advice = refused instanceof Refused ? adviceOn(/\b\d{3,4}\b/.exec(refused.message)?.[0]) : undefined;
        return (
          <>
            <p>
              {first
                ? t('The validity begins now and counts by the distance.')
                : t('The validity stays as it is: a new vehicle does not lengthen it.')}
            </p>
            {advice && <p>{t(advice.says)}</p>}
            <PartBFields value={transport} at={at} onChange={(part) => setTransport({ ...transport, ...part })} />
            <div className="pair">
              <TextField
                label={t('From place')}
                required
                value={place}
                onChange={setPlace}
                maxLength={50}
                error={at('place')}
              />
              <SelectField
                label={t('State')}
                required
                value={state}
                onChange={setState}
                choices={stateChoices}
                error={at('state')}
              />
            </div>
            <SelectField
              label={t('Reason')}
              required
              value={reason}
              onChange={setReason}
              choices={reasons}
              empty={t('Choose')}
              error={at('reason')}
            />
          </>
        );
      }}
    </FormDialog>
  );
}
