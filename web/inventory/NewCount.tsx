import { useState } from 'react';
import { Refused } from '../kit/api.ts';
import { Button } from '../kit/Button.tsx';
import { ComboboxField, type Option } from '../kit/Combobox.tsx';
import { api } from '../kit/client.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { Checkbox, SelectField, TextField } from '../kit/fields.tsx';
import { ErrorPanel } from '../kit/parts.tsx';
import { useSession } from '../kit/session.ts';
import { usePick } from '../views/editor/searches.ts';

/** Which goods are to be counted, and whether who counts sees what the books have. */
export function NewCount({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  const { locations, physicalLocation, settings } = useSession();
  const places = locations.filter((each) => each.isPhysical);
  const [location, setLocation] = useState(physicalLocation ?? places[0]?.id ?? '');
  const [room, setRoom] = useState<Option | null>(null);
  const [category, setCategory] = useState<Option | null>(null);
  const [name, setName] = useState('');
  const [blind, setBlind] = useState(true);
  const [empty, setEmpty] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const rooms = usePick('warehouse');
  const categories = usePick('category');
  const problems = refused instanceof Refused ? refused.problems : [];
  const problemOf = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const make = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const { id } = await api.MakeCountSheet({
        location,
        name,
        blind,
        empty,
        ...(room && { room: room.id }),
        ...(category && { category: category.id }),
      });
      onMade(id);
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
      title="What is to be counted?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} disabled={!location} onClick={() => void make()}>
            Make count
          </Button>
        </>
      }
    >
      <div className="stack">
        {refused != null && problems.length === 0 && <ErrorPanel error={refused} />}
        <div className="fields fields-two">
          <SelectField
            label="Location"
            required
            value={location}
            onChange={(value) => {
              setLocation(value);
              setRoom(null);
            }}
            choices={places.map(({ id, name: label }) => ({ value: id, label }))}
            error={problemOf('location')}
          />
          <TextField label="Name" value={name} onChange={setName} maxLength={100} placeholder="Month end, shelf 4" />
          {settings.isWarehouse && (
            <ComboboxField
              label="Stock room"
              placeholder="All rooms"
              value={room}
              onChange={setRoom}
              search={rooms}
              error={problemOf('room')}
            />
          )}
          <ComboboxField
            label="Category"
            placeholder="All items"
            value={category}
            onChange={setCategory}
            search={categories}
            error={problemOf('category')}
          />
        </div>
        <Checkbox
          label="Count blindly"
          checked={blind}
          onChange={setBlind}
          help="Who counts does not see what the books have; who approves does"
        />
        <Checkbox
          label="List items without stock too"
          checked={empty}
          onChange={setEmpty}
          help="Finds goods that the books have lost"
        />
      </div>
    </Dialog>
  );
}
