import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { subSupplies } from '../../domain/gst/portal-codes.ts';
import { problemAt, Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { focusFirstError, SelectField, TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { toast } from '../kit/toast.tsx';
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
  const cache = useQueryClient();
  const [transport, setTransport] = useState<TransportText>(standing.suggested);
  const [distance, setDistance] = useState(standing.suggested.distance ? String(standing.suggested.distance) : '');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const problems = error instanceof Refused ? error.problems : [];
  const direct = standing.route === 'direct';
  const way = subSupplies.find(([code]) => code === transport.as)?.[0];
  // a port abroad or here has no PIN code that the portal measures from
  const imported = way === '2';
  const isDistance = /^\d{0,4}$/.test(distance.trim());
  const change = (part: Partial<TransportText>) => setTransport({ ...transport, ...part });
  const run = async () => {
    setTried(true);
    if (!isDistance) return focusFirstError();
    setBusy(true);
    setError(null);
    const { transporterId, transporterName } = transport;
    const send = standing.route === 'irn' ? api.GenerateEWayBill : api.GenerateEwayBillOnly;
    try {
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
      toast(`The e-way bill of ${number} is on its way`);
      await cache.invalidateQueries({ queryKey: ['screen'] });
      onClose();
    } catch (refused) {
      setError(refused);
      focusFirstError();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title={`E-way bill of ${number}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" busy={busy} onClick={() => void run()}>
            Make e-way bill
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          Goods leave from {standing.leaves.place || 'the location'}. Without a vehicle only Part A is made: the
          transporter names the vehicle, and until then the goods may not move.
        </p>
        {error != null && problems.length === 0 && <ErrorPanel error={error} />}
        {direct && (standing.ways.length > 1 || way === '8') && (
          <div className="pair">
            <SelectField
              label="They travel as"
              value={transport.as}
              onChange={(as) => change({ as })}
              choices={standing.ways.map(({ code, label }) => ({ value: code, label }))}
              error={problemAt(problems, 'transport.as')}
            />
            {way === '8' && (
              <TextField
                label="What for"
                required
                value={transport.says}
                onChange={(says) => change({ says })}
                maxLength={20}
                error={problemAt(problems, 'transport.says')}
              />
            )}
          </div>
        )}
        <PartBFields value={transport} problems={problems} path="transport." onChange={change} />
        <TextField
          label="Distance (km)"
          value={distance}
          onChange={setDistance}
          maxLength={4}
          required={imported}
          help={
            imported
              ? 'From the port: the portal cannot work it out'
              : 'Empty: the portal works it out from the PIN codes'
          }
          error={tried && !isDistance ? 'Whole kilometres' : problemAt(problems, 'transport.distance')}
        />
        <div className="pair">
          <TextField
            label="Transporter id"
            value={transport.transporterId}
            onChange={(transporterId) => change({ transporterId })}
            maxLength={15}
            help="GSTIN, or the id the portal gave him"
            error={problemAt(problems, 'transport.transporterId')}
          />
          <TextField
            label="Transporter"
            value={transport.transporterName}
            onChange={(transporterName) => change({ transporterName })}
            maxLength={100}
            error={problemAt(problems, 'transport.transporterName')}
          />
        </div>
      </div>
    </Dialog>
  );
}
