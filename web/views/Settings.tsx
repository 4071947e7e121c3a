import type { ComponentType } from 'react';
import { Einvoice } from './settings/Einvoice.tsx';
import { General } from './settings/General.tsx';
import { Organisation } from './settings/Organisation.tsx';
import './views.css';

/** The tabs of settings by the name their screen's row gives. */
const tabs: Readonly<Record<string, ComponentType>> = {
  einvoice: Einvoice,
  general: General,
  organisation: Organisation,
};

export function Settings({ tab }: { readonly tab: string }) {
  const Shown = tabs[tab];
  if (!Shown) throw new Error(`no settings called ${tab}`);
  return <Shown />;
}
