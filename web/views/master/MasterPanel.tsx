import { type ComponentType, lazy, Suspense } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { Numbers } from './Numbers.tsx';
import { PaperPreview } from './PaperPreview.tsx';
import type { Values } from './values.ts';

export interface PanelProps {
  readonly values: Values;
  /** None yet, while the record is new. */
  readonly id: string | undefined;
}

// only items of variants fetch their matrix
const Variants = lazy(async () => ({ default: (await import('./Variants.tsx')).Variants }));

const panels: Readonly<Record<NonNullable<Master['panel']>, ComponentType<PanelProps>>> = {
  numbers: Numbers,
  paper: PaperPreview,
  variants: Variants,
};

/** What a master's form shows under its fields. */
export function MasterPanel({ panel, ...props }: PanelProps & { readonly panel: NonNullable<Master['panel']> }) {
  const Panel = panels[panel];
  return (
    <Suspense>
      <Panel {...props} />
    </Suspense>
  );
}
