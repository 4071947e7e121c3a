import type { RegistrationKind } from '../domain/document/document.ts';
import type { KindName } from '../domain/document/kinds/index.ts';
import type { BusinessName } from '../domain/facts/businesses.ts';
import { type Screen, type ScreenName, screens } from './screens.ts';
import type { GeneralConfiguration, Session } from './session.ts';

/** What brings an entry of the menu forward beside documents of its kinds; any of these is enough. What has none of it is under More. */
export interface MenuUse {
  /** Kinds of business that have it from the first day. */
  readonly business?: readonly BusinessName[];
  /** Of those only where a registration has one of these statuses, or makes e-invoices. */
  readonly registered?: readonly RegistrationKind[] | 'einvoice';
  /** A setting that switches it on. */
  readonly setting?: keyof GeneralConfiguration;
  /** Documents that it is about, beside those that it lists. */
  readonly kinds?: readonly KindName[];
}

const everybody = ['trader', 'manufacturer', 'services', 'shop'] as const;
const withStock = ['trader', 'manufacturer', 'shop'] as const;
const onCredit = ['trader', 'manufacturer', 'services'] as const;
const goods = ['trader', 'manufacturer'] as const;

/** Entries of the menu by what makes them of use (ADR 88). A list of documents needs no row to come forward with its first one. */
export const menuUses: Readonly<Partial<Record<ScreenName, MenuUse>>> = {
  Home: { business: everybody },
  'Sale Invoice': { business: everybody },
  CashSalesList: { business: ['shop'] },
  Quotation: { business: onCredit },
  'Sale Order': { business: goods },
  'Sale Return': { business: goods },
  'Sale Credit Note': { business: onCredit },
  'Sale Receipt': { business: everybody },
  PoSNewCreation: { kinds: ['posSale'] },
  'Purchase Order': { business: goods },
  'Purchase Bills': { business: everybody },
  'Purchase Return': { business: goods },
  Payments: { business: everybody },
  ExpenseList: { business: everybody },
  'Party Master': { business: everybody },
  'Supplier Master': { business: everybody },
  'Supply Master': { business: everybody },
  Category: { business: goods },
  Units: { business: ['manufacturer'] },
  Attributes: { setting: 'enableVariantsBasedSku' },
  BarcodeList: { setting: 'enableBarCode' },
  WarehouseMaster: { setting: 'isWarehouse' },
  'Manage Inventory': { business: withStock },
  'Inventory Adjustment': { business: goods },
  'Delivery Challans': { business: ['manufacturer'] },
  Contras: { business: goods },
  ChartOfAccounts: { business: onCredit },
  Ledgers: { business: onCredit },
  JournalVouchers: { business: onCredit },
  'General Ledger': { business: onCredit },
  CashBankList: { business: everybody },
  'Bank Reconciliation': { business: onCredit },
  'Cost Centres': {},
  'Tax Withheld': { setting: 'tdsadjustments' },
  'TDS Certificates': { setting: 'tdsadjustments' },
  'TDS Report': { setting: 'tdsadjustments' },
  'Year End': { business: onCredit },
  EInvoiceListView: { business: everybody, registered: 'einvoice' },
  'E-Way Bill': { business: goods, registered: ['regular', 'composition', 'sez'] },
  gstr1: { business: everybody, registered: ['regular', 'sez'] },
  WorkflowOrderlist: { setting: 'isSaleOrderWfenabled' },
  Reports: { business: everybody },
  TrialBalance: { business: onCredit },
  'Journal Reports': { business: onCredit },
  profitandloss: { business: onCredit },
  balancesheet: { business: onCredit },
  TradeReceivable: { business: onCredit },
  TradePayable: { business: goods },
  'Users List': { business: onCredit },
  Orgedit: { business: onCredit },
};

/** The kinds of document that a screen lists or writes. */
const kindsOn = (screen: Screen, { kinds = [] }: MenuUse): readonly string[] => {
  const { show } = screen;
  const own = 'kind' in show ? [show.kind] : [];
  const beside = 'beside' in show ? (show.beside ?? []) : [];
  return [...own, ...beside, ...kinds];
};

type Using = Pick<Session, 'registrations' | 'organisation' | 'settings' | 'used' | 'pins'>;

const isRegistered = ({ registered }: MenuUse, { registrations }: Using): boolean =>
  registered === undefined ||
  registrations.some((own) => (registered === 'einvoice' ? own.einvoiceFrom !== null : registered.includes(own.kind)));

/**
 * Whether the menu shows an entry at once: because the person pinned it, because documents of its kinds are in the books, or
 * because an organisation of this sort needs it. An organisation that has not said what business it is sees everything.
 */
export const isInUse = (name: ScreenName, session: Using): boolean => {
  const { business } = session.organisation;
  const use = menuUses[name] ?? {};
  if (business === null || session.pins.includes(name)) return true;
  if (kindsOn(screens[name], use).some((kind) => session.used.includes(kind))) return true;
  if (use.setting && session.settings[use.setting] === true) return true;
  return use.business?.includes(business) === true && isRegistered(use, session);
};
