import { transportModes } from '../../domain/tax/gst/portal/portal-codes.ts';
import type { At } from '../kit/dialog/FormDialog.tsx';
import { Checkbox, DateField, SelectField, TextField } from '../kit/fields/fields.tsx';
import { useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import type { TransportText } from './states.ts';

export const modeChoices = transportModes.map(([value, label]) => ({ value, label }));
const isMode = (text: string): text is '1' | '2' | '3' | '4' => transportModes.some(([code]) => code === text);

interface Props {
  readonly value: TransportText;
  /** What is wrong with a field, by its name here. */
  readonly at: At;
  onChange(part: Partial<TransportText>): void;
}

/** Part B as it is typed: how, with which vehicle, under which transport document. */
export function PartBFields({ value, at, onChange }: Props) {
  const { format } = useDateFormat();
  const byVehicle = value.mode === '1' || value.mode === '4';
  return (
    <>
      <SelectField
        label={t('Mode of transport')}
        value={value.mode}
        onChange={(mode) => onChange({ mode })}
        choices={modeChoices}
        error={at('mode')}
      />
      {byVehicle && (
        <TextField
          label={value.mode === '4' ? t('Vessel or vehicle') : t('Vehicle number')}
          value={value.vehicle}
          onChange={(vehicle) => onChange({ vehicle })}
          maxLength={20}
          error={at('vehicle')}
          help={t('As on its plate: KA01AB1234')}
        />
      )}
      <div className="pair">
        <TextField
          label={t('Transport document')}
          value={value.documentNumber}
          onChange={(documentNumber) => onChange({ documentNumber })}
          maxLength={15}
          error={at('documentNumber')}
          help={t('LR, railway receipt, airway bill')}
        />
        <DateField
          label={t('Its date')}
          value={value.documentDate}
          onChange={(documentDate) => onChange({ documentDate })}
          format={format}
          error={at('documentDate')}
        />
      </div>
      {value.mode === '1' && (
        <Checkbox
          label={t('Over-dimensional cargo')}
          checked={value.oversized}
          onChange={(oversized) => onChange({ oversized })}
        />
      )}
    </>
  );
}

/** Part B as the server takes it: what is empty is not sent. */
export const partBOf = (t: TransportText) => ({
  ...(isMode(t.mode) && { mode: t.mode }),
  ...(t.vehicle.trim() && (t.mode === '1' || t.mode === '4') && { vehicle: t.vehicle.trim(), oversized: t.oversized }),
  ...(t.documentNumber.trim() && { documentNumber: t.documentNumber.trim() }),
  ...(t.documentDate && { documentDate: t.documentDate }),
});
