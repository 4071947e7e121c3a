import { useState } from 'react';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { DateField, TextField } from '../kit/fields/fields.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
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
  const items = usePick('item');
  const rooms = usePick('warehouse');
  const add = () =>
    api.AddCountLine({
      ...{ id: sheet.id, item: item?.id ?? '', batch },
      ...(room && { room: room.id }),
      ...(expiry && { expiry }),
    });
  return (
    <FormDialog
      width={640}
      title={t('What did you find that is not on the count?')}
      holds={{ item, room, batch, expiry }}
      verb={t('Add line')}
      ready={item !== null}
      save={add}
      onDone={onAdded}
      onClose={onClose}
    >
      {(at) => (
        <div className="fields fields-two">
          <ComboboxField label={t('Item')} required value={item} onChange={setItem} search={items} error={at('item')} />
          {settings.isWarehouse && sheet.room === null && (
            <ComboboxField label={t('Stock room')} value={room} onChange={setRoom} search={rooms} error={at('room')} />
          )}
          {settings.enableBatch && (
            <>
              <TextField label={t('Batch')} value={batch} onChange={setBatch} maxLength={30} error={at('batch')} />
              <DateField
                label={t('Expires')}
                value={expiry}
                onChange={setExpiry}
                format={format}
                error={at('expiry')}
              />
            </>
          )}
        </div>
      )}
    </FormDialog>
  );
}
