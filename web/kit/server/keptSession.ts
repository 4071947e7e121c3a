import type { Session } from '../../../contract/session.ts';

// A till goes on with the session that its browser has kept. After an upgrade that one may be of an earlier version.

type Registration = Session['registrations'][number];

/** What a session is nothing without; all else has a value for a session that was kept before it was there. */
const needed = [
  ...(['subject', 'name', 'email', 'organisation', 'organisations', 'registrations', 'locations'] as const),
  ...(['grants', 'preferences', 'settings', 'today', 'expiresAt'] as const),
] satisfies readonly (keyof Session)[];
const ofRegistration = ['id', 'gstin', 'state', 'legalName', 'kind'] as const satisfies readonly (keyof Registration)[];
const ofLocation = [
  ...(['id', 'code', 'name', 'isTax', 'isPhysical', 'registration'] as const),
] satisfies readonly (keyof Session['locations'][number])[];

/** The narrowest reading: what a bill would need beyond it is asked by the server when the bill is sent. */
const later: Omit<Session, (typeof needed)[number]> = {
  ...{ both: [], taxLocation: null, physicalLocation: null, notifications: 0, broadcast: null, lockedThrough: null },
  ...{ passwords: false, operator: false, mayFound: false, mails: false, costCentres: false, used: [], pins: [] },
  // a till without the network rings up what it must: the server marks a bill that is beyond the limits
  limits: { discount: null, days: null, cost: 'none' },
  subscription: { endsOn: null, expired: false, lapsed: [] },
  secondFactor: { on: false, required: false },
  installation: { portal: 'none', demo: false },
};
const laterOfOrganisation: Pick<Session['organisation'], 'business'> = { business: null };
const laterOfRegistration: Omit<Registration, (typeof ofRegistration)[number]> = {
  ...{ address: null, statuses: [], stops: [], annualReturns: {}, filing: [], einvoiceFrom: null },
  bound: { sixDigits: [], portalDaysFrom: null, deductsOnGoods: [] },
};
const laterOfLocation: Omit<Session['locations'][number], (typeof ofLocation)[number]> = { address: null };
/** The defaults of the contract, which would bring its reader into the first page. */
const settings: Omit<Session['settings'], 'theme'> = {
  ...{ currencyCode: 1, dateFormat: 2, activeTemplateId: 2, trackInventory: true, isMultiItemsInvoice: true },
  ...{ autoRoundOffTotals: false, tdsadjustments: false, otherAdjustments: false, isAllowNegative: false },
  ...{ enableBarCode: false, enableBatch: false, enableSerialization: false, enableShelfLife: false },
  ...{ enableVariantsBasedSku: false, ecommerce: false, isWarehouse: false, isBarCodeEnabled: false },
  ...{ isSaleOrderWfenabled: false, isSaleReturnOrderWfenabled: false },
  ...{ isPurchaseOrderWfenabled: false, isPurchaseReturnOrderWfenabled: false, requireSecondFactor: false },
  ...{ barcodeSymbology: 'ean13', barcodePrefix: '20', labelFormat: 'a4x40' },
  ...{ stockAccounting: 'perpetual', valuation: 'average', approvals: [] },
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (value: unknown, names: readonly string[]): boolean =>
  isRecord(value) && names.every((name) => value[name] !== undefined);
const areAll = (value: unknown, names: readonly string[]): boolean =>
  Array.isArray(value) && value.every((one) => has(one, names));

/** A kept session as this version reads it; undefined for one that lacks what nobody can know. */
export function completed(kept: unknown): Session | undefined {
  if (!has(kept, needed)) return undefined;
  const found = kept as Session;
  if (!areAll(found.registrations, ofRegistration) || !areAll(found.locations, ofLocation)) return undefined;
  return {
    ...later,
    ...found,
    organisation: { ...laterOfOrganisation, ...found.organisation },
    registrations: found.registrations.map((one) => ({
      ...laterOfRegistration,
      ...one,
      bound: { ...laterOfRegistration.bound, ...one.bound },
    })),
    locations: found.locations.map((one) => ({ ...laterOfLocation, ...one })),
    settings: { ...settings, ...found.settings },
  };
}
