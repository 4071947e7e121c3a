import { t } from '../text.ts';
import '@mantine/core/styles/SimpleGrid.layer.css';
import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import { useClickOutside, useHotkeys } from '@mantine/hooks';

/** The calendar below a date field; loaded when it is first opened. */
export function Calendar({
  value,
  onPick,
  onClose,
}: {
  readonly value: string;
  onPick(date: string): void;
  onClose(): void;
}) {
  const box = useClickOutside<HTMLDivElement>(onClose);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value);
  useHotkeys([['Escape', onClose]], []);
  return (
    <div ref={box} className="calendar" role="dialog" aria-label={t('Calendar')}>
      <DatePicker
        size="xs"
        firstDayOfWeek={1}
        {...(isDate ? { defaultDate: value } : {})}
        value={isDate ? value : null}
        onChange={(date) => date && onPick(date)}
      />
    </div>
  );
}
