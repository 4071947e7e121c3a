import { useState } from 'react';
import { Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { ComboboxField, type Option } from '../kit/Combobox.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { DateField, TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { useDateFormat, useSession } from '../kit/session.ts';
import { usePick } from '../views/editor/searches.ts';
import type { Line, Sheet } from './counts.ts';

/** Puts on a count what is there and does not stand on it: an item, in a room, of a batch. */
export function AddLine({
  sheet,
  item: known,
  onClose,
  onAdded,
}: {
  readonly sheet: Sheet;
  readonly item: Option | null;
  onClose(): void;
  onAdded(line: Line): void;
}) {
  const { settings } = useSession();
  const { format } = useDateFormat();
  const [item, setItem] = useState(known);
  const [room, setRoom] = useState<Option | null>(null);
  const [batch, setBatch] = useState('');
  const [expiry, setExpiry] = useState('');
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const items = usePick('item');
  const rooms = usePick('warehouse');
  const problems = refused instanceof Refused ? refused.problems : [];
  const problemOf = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const add = async () => {
    if (!item) return;
    setBusy(true);
    setRefused(null);
    try {
      onAdded(
        await api.AddCountLine({
          ...{ id: sheet.id, item: item.id, batch },
          ...(room && { room: room.id }),
          ...(expiry && { expiry }),
        }),
      );
    } catch (problem) {
      setRefused(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      width={640}
      title="What is there that does not stand on the count?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} disabled={!item} onClick={() => void add()}>
            Add line
          </Button>
        </>
      }
    >
      <div className="stack">
        {refused != null && problems.length === 0 && <ErrorPanel error={refused} />}
        <div className="fields fields-two">
          <ComboboxField
            label="Item"
            required
            value={item}
            onChange={setItem}
            search={items}
            error={problemOf('item')}
          />
          {settings.isWarehouse && sheet.room === null && (
            <ComboboxField
              label="Stock room"
              value={room}
              onChange={setRoom}
              search={rooms}
              error={problemOf('room')}
            />
          )}
          {settings.enableBatch && (
            <>
              <TextField label="Batch" value={batch} onChange={setBatch} maxLength={30} error={problemOf('batch')} />
              <DateField label="Expires" value={expiry} onChange={setExpiry} format={format} />
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
