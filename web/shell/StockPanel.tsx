import { useState } from 'react';
import { ComboboxField, type Option } from '../kit/Combobox.tsx';
import { SideDrawer } from '../kit/Dialog.tsx';
import { ScreenLink } from '../kit/navigation.tsx';
import { usePick } from '../views/editor/searches.ts';
import { StockLevels } from '../views/master/StockLevels.tsx';

/** Location Stock Levels: what of an item lies where, beside whatever one is doing. */
export function StockPanel({ onClose }: { onClose(): void }) {
  const [item, setItem] = useState<Option | null>(null);
  return (
    <SideDrawer open onClose={onClose} width={420} title="Location Stock Levels">
      <div className="stack">
        <ComboboxField label="Item" value={item} onChange={setItem} search={usePick('item')} />
        {item ? (
          <StockLevels item={item.id} />
        ) : (
          <p className="muted">Choose an item: what of it lies where is told.</p>
        )}
        <ScreenLink screen="Manage Inventory">All stock on hand</ScreenLink>
      </div>
    </SideDrawer>
  );
}
