import { useState } from 'react';
import { subSupplies } from '../../domain/tax/gst/portal/portal-codes.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { SelectField, TextField } from '../kit/fields/fields.tsx';
import { api } from '../kit/server/client.ts';
import { t } from '../kit/text.ts';
import type { Standing, TransportText } from './states.ts';
import { PartBFields, partBOf } from './TransportFields.tsx';

interface Props {
  readonly id: string;
  readonly number: string;
  readonly standing: Standing;
  onClose(): void;
}

/** Makes the e-way bill of a document: the transport is typed, everything else stands in the document. */
export function MakeWayBill({ id, number, standing, onClose }: Props) {
  const [transport, setTransport] = useState<TransportText>(standing.suggested);
  const [distance, setDistance] = useState(standing.suggested.distance ? String(standing.suggested.distance) : '');
  const direct = standing.route === 'direct';
  const way = subSupplies.find(([code]) => code === transport.as)?.[0];
  // a port abroad or here has no PIN code that the portal measures from
  const imported = way === '2';
  const isDistance = /^\d{0,4}$/.test(distance.trim());
  const change = (part: Partial<TransportText>) => setTransport({ ...transport, ...part });
  const make = async () => {
    const { transporterId, transporterName } = transport;
    const send = standing.route === 'irn' ? api.GenerateEWayBill : api.GenerateEwayBillOnly;
    await send({
      id,
      transport: {
        distance: Number(distance.trim()),
        ...(transporterId.trim() && { transporterId: transporterId.trim() }),
        ...(transporterName.trim() && { transporterName: transporterName.trim() }),
        ...partBOf(transport),
        ...(direct && way && { as: way }),
        ...(direct && way === '8' && transport.says.trim() && { says: transport.says.trim() }),
      },
    });
    toast(t('The e-way bill of {{number}} is on its way', { number }));
  };
  return (
    <FormDialog
      width={640}
      title={t('E-way bill of {{number}}', { number })}
      holds={{ transport: { ...transport, distance } }}
      verb={t('Make e-way bill')}
      keep={t('Not now')}
      check={() => (isDistance ? [] : [{ field: 'transport.distance', message: t('Whole kilometres') }])}
      save={make}
      onClose={onClose}
    >
      {(at) => (
        <>
          <p>
            {t(
              'Goods leave from {{place}}. Without a vehicle only Part A is made: the transporter names the vehicle, and until then ' +
                'the goods may not move.',
              { place: standing.leaves.place || t('the location') },
            )}
          </p>
          {direct && (standing.ways.length > 1 || way === '8') && (
            <div className="pair">
              <SelectField
                label={t('They travel as')}
                value={transport.as}
                onChange={(as) => change({ as })}
                choices={standing.ways.map(({ code, label }) => ({ value: code, label: t(label) }))}
                error={at('transport.as')}
              />
              {way === '8' && (
                <TextField
                  label={t('What for')}
                  required
                  value={transport.says}
                  onChange={(says) => change({ says })}
                  maxLength={20}
                  error={at('transport.says')}
                />
              )}
            </div>
          )}
          <PartBFields value={transport} at={(field) => at(`transport.${field}`)} onChange={change} />
          <TextField
            label={t('Distance (km)')}
            value={distance}
            onChange={setDistance}
            maxLength={4}
            required={imported}
            help={
              imported
                ? t('From the port: the portal cannot work it out')
                : t('Empty: the portal works it out from the PIN codes')
            }
            error={at('transport.distance')}
          />
          <div className="pair">
            <TextField
              label={t('Transporter id')}
              value={transport.transporterId}
              onChange={(transporterId) => change({ transporterId })}
              maxLength={15}
              help={t('GSTIN, or the transporter ID (TRANSIN)')}
              error={at('transport.transporterId')}
            />
            <TextField
              label={t('Transporter')}
              value={transport.transporterName}
              onChange={(transporterName) => change({ transporterName })}
              maxLength={100}
              error={at('transport.transporterName')}
            />
          </div>
        </>
      )}
    </FormDialog>
  );
}
