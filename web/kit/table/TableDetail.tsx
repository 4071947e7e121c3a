// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, a table element cannot hold them
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop

import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../text.ts';

/** The button at the front of a row that shows and hides what lies below it. */
export function Expander({
  row,
  open,
  onOpen,
}: {
  readonly row: number;
  readonly open: boolean;
  onOpen(open: boolean): void;
}) {
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <div role="gridcell" className="t-cell t-expander">
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={open}
        aria-label={t('Details of row {{row}}', { row })}
        title={open ? t('Hide details (←)') : t('Show details (→)')}
        onClick={() => onOpen(!open)}
      >
        <Icon size={16} aria-hidden />
      </button>
    </div>
  );
}

/** What lies below a row, as wide as the window on the table; tells its height whenever it changes. */
export function TableDetail({
  top,
  onHeight,
  children,
}: {
  readonly top: number;
  onHeight(height: number): void;
  readonly children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const tell = useRef(onHeight);
  tell.current = onHeight;
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) tell.current(Math.ceil(entry.borderBoxSize[0]?.blockSize ?? entry.contentRect.height));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div role="row" className="t-detail" ref={box} style={{ transform: `translateY(${top}px)` }}>
      <div role="gridcell">{children}</div>
    </div>
  );
}
