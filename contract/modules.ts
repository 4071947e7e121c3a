import type { MasterName } from './masters.ts';
import type { ScreenName } from './screens.ts';
import type { GeneralConfiguration } from './session.ts';

/** What a subscription adds to the free core. */
export interface Module {
  /** Its number on the wire. */
  readonly id: number;
  readonly name: string;
  /** Price of a month, before tax. */
  readonly monthly: string;
  readonly says: string;
  /** Switches of the general configuration that turn it on: they need the module, what is on stays readable without it. */
  readonly switches: readonly (keyof GeneralConfiguration)[];
  /** Screens on which nothing is written without it. */
  readonly screens: readonly ScreenName[];
  /** Calls and masters with which its own records are written, wherever they stand. */
  readonly calls?: readonly string[];
  readonly masters?: readonly MasterName[];
}

/** The price list of this installation: nothing else is charged for. */
export const modules = {
  barcode: {
    id: 1,
    name: 'Barcode',
    monthly: '299.00',
    says: 'Barcodes on items, labels to print, scanning in documents',
    switches: ['enableBarCode', 'isBarCodeEnabled'],
    screens: ['BarcodeList'],
    calls: ['SaveBarcode', 'RemoveBarcode', 'GenerateBarcodes'],
  },
  parts: {
    id: 2,
    name: 'Serials and batches',
    monthly: '499.00',
    says: 'Goods kept by batch with shelf life, or by serial number',
    switches: ['enableBatch', 'enableSerialization', 'enableShelfLife'],
    screens: [],
  },
  stockRooms: {
    id: 3,
    name: 'Stock rooms',
    monthly: '399.00',
    says: 'Warehouses divided into rooms, quantities by room',
    switches: ['isWarehouse'],
    screens: [],
    masters: ['warehouse'],
  },
  channels: {
    id: 4,
    name: 'Channels',
    monthly: '799.00',
    says: 'Catalogues, price overrides and sales channels',
    switches: ['ecommerce'],
    screens: ['mastercatalogue', 'sharedcatalogue', 'priceoverrides', 'ChannelDetails', 'MappedChannels'],
  },
  workflow: {
    id: 5,
    name: 'Workflow',
    monthly: '599.00',
    says: 'Orders that go through steps, with approvals',
    switches: [
      'isSaleOrderWfenabled',
      'isSaleReturnOrderWfenabled',
      'isPurchaseOrderWfenabled',
      'isPurchaseReturnOrderWfenabled',
    ],
    screens: ['WorkflowOrderlist', 'ReturnOrderlist'],
    calls: ['SaveWorkflow', 'UpdateWorkflow', 'PublishWorkflow', 'start'],
  },
} as const satisfies Record<string, Module>;

export type ModuleName = keyof typeof modules;
export const moduleNames = Object.keys(modules) as readonly ModuleName[];
export const moduleOf = (name: ModuleName): Module => modules[name];

/** Whether a call writes what belongs to a module: one of its own calls, one of its masters, or something on its screens. */
export function writesOf(name: ModuleName, call: string, parents: readonly string[], master: unknown): boolean {
  const { calls = [], masters = [], screens } = moduleOf(name);
  return (
    calls.includes(call) ||
    (masters as readonly unknown[]).includes(master) ||
    parents.some((parent) => (screens as readonly string[]).includes(parent))
  );
}

/** The module that a screen belongs to. */
export const moduleOfScreen = (screen: string): ModuleName | undefined =>
  moduleNames.find((name) => (moduleOf(name).screens as readonly string[]).includes(screen));
