import type { ScreenName } from './screens.ts';
import type { GeneralConfiguration } from './session.ts';

/** A tab of the general configuration, as its address names it: `?tab=`. */
export type ConfigurationTab =
  | 'general'
  | 'additional'
  | 'items'
  | 'inventory'
  | 'invoicing'
  | 'barcode'
  | 'einvoice'
  | 'withholding'
  | 'payments'
  | 'theme';

/** An entry of the settings menu. What leads nowhere is not shown; what holds others is a heading and cannot be clicked. */
export interface Setting {
  readonly label: string;
  readonly screen?: ScreenName;
  readonly tab?: ConfigurationTab;
  /** Shown only where this is switched on. */
  readonly needs?: keyof GeneralConfiguration;
  readonly within?: readonly Setting[];
}

const tab = (label: string, name: ConfigurationTab, more: Partial<Setting> = {}): Setting => ({
  label,
  screen: 'General Configuration',
  tab: name,
  ...more,
});

/** The settings menu of the specification (section 2), with what else is set up beside it. */
export const settingsMenu: readonly Setting[] = [
  { label: 'First steps', screen: 'First Steps' },
  {
    label: 'General Configurations',
    within: [
      tab('General', 'general'),
      { label: 'Number Series', screen: 'Number Series' },
      tab('Additional Config', 'additional'),
      { label: 'Terms & Conditions', screen: 'Terms and Conditions' },
      { label: 'Business Type', screen: 'Orgedit' },
      { label: 'Additional Fields', screen: 'Additional Field' },
    ],
  },
  {
    label: 'Masters',
    within: [
      tab('Item Configuration', 'items'),
      { label: 'Units', screen: 'Units' },
      { label: 'Bank Details', screen: 'Bank Details' },
    ],
  },
  { label: 'Transaction Settings', screen: 'Ledgerpostings' },
  {
    label: 'Invoicing',
    within: [
      tab('Invoices', 'invoicing'),
      { label: 'Adjustments', screen: 'Adjustments' },
      { label: 'Invoice Builder', screen: 'invoicebuilder' },
    ],
  },
  tab('Inventory', 'inventory'),
  tab('E-Invoice (IRN Credentials)', 'einvoice'),
  { label: 'Workflow Management', screen: 'Workflow Management' },
  { label: 'Upload Logo', screen: 'Orgedit' },
  tab('Barcode Config', 'barcode', { needs: 'enableBarCode' }),
  tab('TDS/TCS Setting', 'withholding'),
  tab('Custom Theme', 'theme'),
  tab('Payment Gateway', 'payments'),
];

/** The entries of the menu without their headings. */
export const settingsOf = (menu: readonly Setting[] = settingsMenu): readonly Setting[] =>
  menu.flatMap((one) => [...(one.screen ? [one] : []), ...settingsOf(one.within ?? [])]);

/** The tabs of the general configuration, in the order of the menu. */
export const configurationTabs = settingsOf().flatMap(({ label, tab: name, needs }) =>
  name ? [{ key: name, label, needs }] : [],
);
