import { type KindName, kindNames, kindOf } from '../domain/document/kinds/index.ts';
import type { ImportedLines } from './importable.ts';
import type { MasterName } from './masters.ts';
import type { ScreenName } from './screens.ts';
import type { GeneralConfiguration } from './session.ts';

/** What the server looks for in the books to decide that a step is done (`server/organisation/guide.ts`). */
export type GuideFact = 'profile' | 'logo' | 'bank' | 'customer' | 'item' | 'team' | 'credentials';

export interface GuideStep {
  readonly label: string;
  /** What it is good for, in one sentence. */
  readonly why: string;
  /** Where it is done: a screen, the editor of a new document of this kind, or the last sale. */
  readonly opens:
    | { readonly screen: ScreenName; readonly query?: Readonly<Record<string, string>> }
    | KindName
    | 'lastSale';
  /**
   * Done once the books have this fact, or a document of one of these kinds. `opened`: done once somebody has opened it, because
   * the books keep no record of it.
   */
  readonly done: GuideFact | readonly KindName[] | 'opened';
  /** What of it can be imported from a file. */
  readonly imports?: readonly (MasterName | ImportedLines)[];
  /** Only for organisations with this setting. */
  readonly needs?: keyof GeneralConfiguration;
  /** Only where a registration makes e-invoices. */
  readonly einvoice?: true;
}

const make = { id: 'new' };
const sales = kindNames.filter((name) => kindOf(name).life.countedAs === 'Sale');

/** From a new organisation to the first printed invoice, in the order in which they are offered. */
export const guideSteps = {
  company: {
    label: 'Company details',
    why: 'What sort of business it is decides what the menu shows; phone and e-mail are printed on invoices.',
    opens: { screen: 'Orgedit' },
    done: 'profile',
  },
  logo: {
    label: 'Logo',
    why: 'It is printed at the top of invoices.',
    opens: { screen: 'Orgedit' },
    done: 'logo',
  },
  bank: {
    label: 'Bank account',
    why: 'Invoices tell customers where to pay, with a QR code for UPI.',
    opens: { screen: 'Bank Details New', query: make },
    done: 'bank',
  },
  customers: {
    label: 'Customers',
    why: 'Whom you sell to on credit.',
    opens: { screen: 'Create Party', query: make },
    done: 'customer',
    imports: ['customer'],
  },
  items: {
    label: 'Items',
    why: 'The goods and services that you sell, with their rates.',
    opens: { screen: 'SupplyMasters', query: make },
    done: 'item',
    imports: ['item'],
  },
  openingStock: {
    label: 'Opening stock',
    why: 'What is on the shelf on the first day, with what it cost.',
    opens: 'openingStock',
    done: ['openingStock'],
    imports: ['openingItems'],
    needs: 'trackInventory',
  },
  openingBalances: {
    label: 'Opening balances',
    why: 'Cash, bank, loans and what is due on the first day of your books.',
    opens: 'openingBalance',
    done: ['openingBalance'],
    imports: ['openingLedgers', 'openingBills'],
  },
  credentials: {
    label: 'E-invoice credentials',
    why: 'With them each invoice is registered at the portal and gets its IRN.',
    opens: { screen: 'NIC Configuration' },
    done: 'credentials',
    einvoice: true,
  },
  invoice: {
    label: 'First invoice',
    why: 'Posted, it is in the books, in the stock and in the returns.',
    opens: 'saleInvoice',
    done: sales,
  },
  print: {
    label: 'Print or send it',
    why: 'As a PDF, on paper or by mail.',
    opens: 'lastSale',
    done: 'opened',
  },
  team: {
    label: 'Your team',
    why: 'Everybody signs in as themselves, with the rights of their roles.',
    opens: { screen: 'usersedit', query: make },
    done: 'team',
  },
} as const satisfies Record<string, GuideStep>;

export type GuideStepName = keyof typeof guideSteps;
export const guideStepNames = Object.keys(guideSteps) as [GuideStepName, ...GuideStepName[]];
export const guideStep = (name: GuideStepName): GuideStep => guideSteps[name];
/** Documents that count as a sale. */
export const saleKinds: readonly KindName[] = sales;
