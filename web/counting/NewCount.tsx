import { useState } from 'react';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { Checkbox, SelectField, TextField } from '../kit/fields/fields.tsx';
import { api } from '../kit/server/client.ts';
import { useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
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
  const rooms = usePick('warehouse');
  const categories = usePick('category');
  const make = () =>
    api.MakeCountSheet({
      ...{ location, name, blind, empty },
      ...(room && { room: room.id }),
      ...(category && { category: category.id }),
    });
  return (
    <FormDialog
      width={640}
      title={t('What do you want to count?')}
      holds={{ location, name, room, category }}
      verb={t('Make count')}
      ready={location !== ''}
      save={make}
      onDone={({ id }) => onMade(id)}
      onClose={onClose}
    >
      {(at) => (
        <>
          <div className="fields fields-two">
            <SelectField
              label={t('Location')}
              required
              value={location}
              onChange={(value) => {
                setLocation(value);
                setRoom(null);
              }}
              choices={places.map(({ id, name: label }) => ({ value: id, label: t(label) }))}
              error={at('location')}
            />
            <TextField
              label={t('Name')}
              value={name}
              onChange={setName}
              maxLength={100}
              placeholder={t('Month end, shelf 4')}
              error={at('name')}
            />
            {settings.isWarehouse && (
              <ComboboxField
                label={t('Stock room')}
                placeholder={t('All rooms')}
                value={room}
                onChange={setRoom}
                search={rooms}
                error={at('room')}
              />
            )}
            <ComboboxField
              label={t('Category')}
              placeholder={t('All items')}
              value={category}
              onChange={setCategory}
              search={categories}
              error={at('category')}
            />
          </div>
          <Checkbox
            label={t('Count blindly')}
            checked={blind}
            onChange={setBlind}
            help={t('Counters do not see the book quantities; approvers do')}
          />
          <Checkbox
            label={t('List items without stock too')}
            checked={empty}
            onChange={setEmpty}
            help={t('Finds goods that the books have lost')}
          />
        </>
      )}
    </FormDialog>
  );
}
