import type { ComponentType } from 'react';
import type { Master } from '../../../contract/masters.ts';
import { Numbers } from './Numbers.tsx';
import { PaperPreview } from './PaperPreview.tsx';
import type { Values } from './values.ts';

export interface PanelProps {
  readonly values: Values;
  /** None yet, while the record is new. */
  readonly id: string | undefined;
}

const panels: Readonly<Record<NonNullable<Master['panel']>, ComponentType<PanelProps>>> = {
  numbers: Numbers,
  paper: PaperPreview,
};

/** What a master's form shows under its fields. */
export function MasterPanel({ panel, ...props }: PanelProps & { readonly panel: NonNullable<Master['panel']> }) {
  const Panel = panels[panel];
  return <Panel {...props} />;
}
