import { useState } from 'react';
import { SideDrawer } from '../kit/dialog/Dialog.tsx';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { ScreenLink } from '../kit/navigation.tsx';
import { t } from '../kit/text.ts';
import { usePick } from '../views/editor/searches.ts';
import { StockLevels } from '../views/master/StockLevels.tsx';

/** Location Stock Levels: the stock of an item by location, next to any screen. */
export function StockPanel({ onClose }: { onClose(): void }) {
  const [item, setItem] = useState<Option | null>(null);
  return (
    <SideDrawer open onClose={onClose} width={420} title={t('Location Stock Levels')}>
      <div className="stack">
        <ComboboxField label={t('Item')} value={item} onChange={setItem} search={usePick('item')} />
        {item ? (
          <StockLevels item={item.id} />
        ) : (
          <p className="muted">{t('Choose an item to see its stock at each location.')}</p>
        )}
        <ScreenLink screen="Manage Inventory">{t('All stock on hand')}</ScreenLink>
      </div>
    </SideDrawer>
  );
}
