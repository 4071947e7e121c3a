import { useState } from 'react';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { DateField, NumberField, TextField } from '../kit/fields/fields.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import type { OrderStatus } from './flow.ts';

/** How the goods of an order travel. */
export function LogisticsDialog({ status, onClose }: { readonly status: OrderStatus; onClose(): void }) {
  const { format } = useDateFormat();
  const known = status.logistics;
  const [typed, setTyped] = useState({
    carrier: known?.carrier ?? '',
    awb: known?.awb ?? '',
    trackingUrl: known?.trackingUrl ?? '',
    packages: known?.packages == null ? '' : String(known.packages),
    weight: known?.weight ?? '',
    pickedUpOn: known?.pickedUpOn ?? '',
    deliveredOn: known?.deliveredOn ?? '',
  });
  const save = async () => {
    const { packages, pickedUpOn, deliveredOn, ...same } = typed;
    await api.LogisticSubmit({
      ...{ TransactionId: status.document, ...same },
      packages: packages === '' ? null : Number(packages),
      pickedUpOn: pickedUpOn || null,
      deliveredOn: deliveredOn || null,
    });
    toast(t('The delivery of {{number}} is kept', { number: status.number }));
  };
  return (
    <FormDialog
      width={640}
      title={t('How do the goods of {{number}} travel?', { number: status.number })}
      holds={typed}
      verb={t('Save delivery')}
      save={save}
      onClose={onClose}
    >
      {(at) => {
        const text = (name: keyof typeof typed) => ({
          name,
          value: typed[name],
          error: at(name),
          onChange: (value: string) => setTyped((now) => ({ ...now, [name]: value })),
        });
        return (
          <div className="fields fields-two">
            <TextField label={t('Carrier')} required maxLength={100} {...text('carrier')} />
            <TextField label={t('AWB or consignment number')} maxLength={50} {...text('awb')} />
            <NumberField label={t('Packages')} places={0} {...text('packages')} />
            <TextField label={t('Weight')} maxLength={20} help={t('With its unit')} {...text('weight')} />
            <DateField label={t('Picked up on')} format={format} {...text('pickedUpOn')} />
            <DateField label={t('Delivered on')} format={format} {...text('deliveredOn')} />
            <TextField
              label={t('Tracking address')}
              span={2}
              maxLength={300}
              help={t('Begins with https://')}
              {...text('trackingUrl')}
            />
          </div>
        );
      }}
    </FormDialog>
  );
}
