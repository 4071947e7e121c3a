import { Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '../Button.tsx';
import { Checkbox } from '../fields/fields.tsx';
import { usePhone } from '../media.ts';
import { t } from '../text.ts';

const stored = (list: string) => `bahi.columns.${list}`;

const read = (list: string, first: readonly string[]): ReadonlySet<string> => {
  try {
    const text = localStorage.getItem(stored(list));
    return new Set(text ? (JSON.parse(text) as string[]) : first);
  } catch {
    return new Set(first);
  }
};

/** The hidden columns of a list, remembered in this browser; `first` are hidden until the person decides. */
export const useHiddenColumns = (list: string, first: readonly string[] = []) => {
  const [hidden, setHidden] = useState(() => read(list, first));
  const change = (next: ReadonlySet<string>) => {
    setHidden(next);
    localStorage.setItem(stored(list), JSON.stringify([...next]));
  };
  return [hidden, change] as const;
};

/** The button at the far right of the filter bar. The first column cannot be put away; the cards of phones have no columns. */
export function ColumnChooser({
  columns,
  hidden,
  onChange,
}: {
  readonly columns: readonly { readonly key: string; readonly label: string }[];
  readonly hidden: ReadonlySet<string>;
  onChange(hidden: ReadonlySet<string>): void;
}) {
  const phone = usePhone();
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  if (phone) return null;
  return (
    <Popover position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button icon={<IconColumns3 size={16} aria-hidden />}>{t('Columns')}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Columns shown')}>
        {columns.slice(1).map((column) => (
          <Checkbox
            key={column.key}
            label={t(column.label)}
            checked={!hidden.has(column.key)}
            onChange={() => toggle(column.key)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
