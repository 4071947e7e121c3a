import { z } from 'zod';
import type { Switches } from '../domain/document/switches.ts';
import { businessNames } from '../domain/facts/businesses.ts';
import { approvalRules } from './approval.ts';
import { operation } from './contract.ts';
import type { MasterName } from './masters.ts';
import { chosen, day, flag, id, nothing, paging, required, text } from './wire.ts';

export const preferences = z.object({
  mode: z.enum(['default', 'light', 'dark']).default('default'),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .default('#104dba'),
  font: z
    .enum(['SegoeUI', 'Roboto', 'OpenSans', 'Montserrat', 'Raleway', 'Merriweather', 'Quicksand', 'Poppins'])
    .default('SegoeUI'),
});

/** General configuration of an organisation, names as the specification has them. */
export const generalConfiguration = z.object({
  currencyCode: z.int().default(1),
  dateFormat: z.union([z.literal(1), z.literal(2)]).default(2),
  autoRoundOffTotals: z.boolean().default(false),
  tdsadjustments: z.boolean().default(false),
  otherAdjustments: z.boolean().default(false),
  enableBarCode: z.boolean().default(false),
  isAllowNegative: z.boolean().default(false),
  enableBatch: z.boolean().default(false),
  enableSerialization: z.boolean().default(false),
  enableShelfLife: z.boolean().default(false),
  enableVariantsBasedSku: z.boolean().default(false),
  ecommerce: z.boolean().default(false),
  isWarehouse: z.boolean().default(false),
  trackInventory: z.boolean().default(true),
  isMultiItemsInvoice: z.boolean().default(true),
  activeTemplateId: z.int().default(2),
  isSaleOrderWfenabled: z.boolean().default(false),
  isSaleReturnOrderWfenabled: z.boolean().default(false),
  isPurchaseOrderWfenabled: z.boolean().default(false),
  isPurchaseReturnOrderWfenabled: z.boolean().default(false),
  isBarCodeEnabled: z.boolean().default(false),
  /** Ours: everyone signs in with a second factor; the other two are fixed at the first movement of stock (decisions on stock). */
  requireSecondFactor: z.boolean().default(false),
  /** How codes of our own are made, and the labels that are offered first. */
  barcodeSymbology: z.enum(['ean13', 'code128']).default('ean13'),
  barcodePrefix: z.string().regex(/^2\d$/, 'GS1 leaves 20 to 29 for own use').default('20'),
  labelFormat: z.string().max(20).default('a4x40'),
  stockAccounting: z.enum(['perpetual', 'periodic']).default('perpetual'),
  valuation: z.enum(['average', 'fifo']).default('average'),
  /** Kinds that somebody else than their author posts, and from which amount on; none unless somebody says so. */
  approvals: approvalRules.default([]),
  /** Mode, colour and font for users who have chosen none. */
  theme: preferences.optional(),
});
export type GeneralConfiguration = z.output<typeof generalConfiguration>;

/** What of it documents are typed by. */
export const switchesOf = (settings: GeneralConfiguration): Switches => ({
  manyLines: settings.isMultiItemsInvoice,
  ecommerce: settings.ecommerce,
  tds: settings.tdsadjustments,
  adjustments: settings.otherAdjustments,
  shelfLife: settings.enableShelfLife,
});

/** An address of ours; what is not typed is empty. Null in a session that a browser kept before there was one. */
const ownAddress = z
  .object({
    line1: z.string(),
    line2: z.string(),
    city: z.string(),
    /** Of a place in another state than its registration. */ state: z.string(),
    pincode: z.string(),
    /** Its name on e-invoices and e-way bills, where it is not the legal name. */ portalName: z.string(),
  })
  .nullable();

/** The status of a registration, as GetOrgDetails and the session tell it. */
export const registrationKind = z.enum(['regular', 'composition', 'unregistered', 'sez']);
export const registrationView = z.object({
  id,
  gstin: z.string().nullable(),
  state: z.string(),
  legalName: z.string(),
  address: ownAddress,
  /** Its status from the first day, and each change of it. */ kind: registrationKind,
  statuses: z.array(z.object({ from: day, kind: registrationKind })),
  /** Days on which it is suspended or cancelled. */ stops: z.array(
    z.object({ from: day, to: z.string().nullish(), what: z.enum(['suspended', 'cancelled']) }),
  ),
  /** When its annual returns were filed, by financial year ('2025-26'). */ annualReturns: z.record(z.string(), day),
  /** What the turnover of its PAN binds its documents to. */ bound: z.object({
    sixDigits: z.array(z.string()),
    portalDaysFrom: day.nullable(),
    deductsOnGoods: z.array(z.string()),
  }),
  /** From which quarter on it files every month or quarter. */ filing: z.array(
    z.object({ from: day, every: z.enum(['month', 'quarter']) }),
  ),
  /** The day from which it makes e-invoices; null where it makes none. */ einvoiceFrom: day.nullable(),
});
export const locationView = z.object({
  id,
  code: z.string(),
  name: z.string(),
  isTax: z.boolean(),
  isPhysical: z.boolean(),
  registration: id,
});

/** Masters of which the session tells something: who may do what, where, and on which cost centre. */
const inSession: readonly (string | undefined)[] = [
  'user',
  'role',
  'group',
  'location',
  'registration',
  'costCentre',
] satisfies readonly MasterName[];
/** Whether what the session tells may be another after a write of this service, or of this master. */
export const changesSession = (service: string, master: string | undefined): boolean =>
  ['organisation', 'config'].includes(service) || inSession.includes(master);

/** Who is signed in, where, and what they may open: all that the shell needs. */
export const sessionView = z.object({
  subject: z.string(),
  name: z.string(),
  email: z.string(),
  organisation: z.object({
    code: z.string(),
    name: z.string(),
    logo: z.string().nullable(),
    /** What sort of business it is; null: its profile does not say. */ business: z.enum(businessNames).nullable(),
  }),
  organisations: z.array(z.object({ code: z.string(), name: z.string() })),
  registrations: z.array(registrationView),
  locations: z.array(locationView.extend({ address: ownAddress })),
  /** The highest level by parent screen. */
  grants: z.record(z.string(), z.int()),
  /** Screens on which grants to create and to approve come together: what each opens. */ both: z.array(z.string()),
  /**
   * What the roles of the person allow beside levels: a discount in percent, days back; null: no limit. `cost`: where they see what
   * goods cost: nowhere, in documents at cost that their grants open, or everywhere.
   */
  limits: z.object({
    discount: z.string().nullable(),
    days: z.int().nullable(),
    cost: z.enum(['none', 'own', 'all']),
  }),
  preferences,
  settings: generalConfiguration,
  taxLocation: id.nullable(),
  physicalLocation: id.nullable(),
  notifications: z.int(),
  subscription: z.object({
    endsOn: day.nullable(),
    expired: z.boolean(),
    /** Names of modules that are on and have ended. */ lapsed: z.array(z.string()),
  }),
  broadcast: z.object({ title: z.string(), floatingMessage: z.string(), validTo: z.string() }).nullable(),
  /** Whether passwords are kept here; with an external issuer they are not. */
  passwords: z.boolean(),
  /** Whether the person has a second factor, and whether a role or the organisation asks for one. */
  secondFactor: z.object({ on: z.boolean(), required: z.boolean() }),
  /** Whether the person runs this installation. */
  operator: z.boolean(),
  /**
   * What of this installation is pretended: its portals and payments are real, stand-ins or not there; whether it has
   * the demo organisations.
   */
  installation: z.object({ portal: z.enum(['real', 'standIn', 'none']), demo: z.boolean() }),
  /** Whether the person may found a further organisation. */
  mayFound: z.boolean(),
  /** Kinds of document that the organisation has in its books; the menu shows what it uses. */
  used: z.array(z.string()),
  /** Screens that the person has pinned in the menu of this organisation. */
  pins: z.array(z.string()),
  /** Whether there is an active cost centre: documents ask for one. */
  costCentres: z.boolean(),
  /** Whether this installation can mail. */
  mails: z.boolean(),
  today: day,
  expiresAt: z.string(),
  lockedThrough: day.nullable(),
});
export type Session = z.output<typeof sessionView>;

export const sessionCalls = {
  GetSession: operation({
    service: 'session',
    method: 'GET',
    summary: 'Who is signed in and what they may open',
    input: nothing,
    details: sessionView,
  }),
  SwitchOrganisation: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    summary: 'Chooses another organisation of the same person',
    input: z.object({ OrgCode: z.string() }),
    details: sessionView,
  }),
  ChooseLocations: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    summary: 'Keeps the tax and physical location chosen in the top bar, for the person; null: all of them',
    input: z.object({ taxLocation: id.nullable().optional(), physicalLocation: id.nullable().optional() }),
    details: nothing,
  }),
  SavePreferences: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    summary: 'Keeps mode, colour and font of the user',
    input: preferences,
    details: preferences,
  }),
  PinScreen: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    summary: 'Keeps a screen in the menu of the person, or takes it out of it again',
    input: z.object({ screen: required(60, 'Screen'), pinned: z.boolean() }),
    details: z.object({ pins: z.array(z.string()) }),
  }),
  SignOut: operation({
    service: 'session',
    method: 'POST',
    changes: 'own',
    securityEvent: 'signedOut',
    summary: 'Ends the session; the answer names where to go',
    input: nothing,
    details: z.object({ redirect: z.string() }),
  }),
} as const;

const code = z.object({ code: z.string(), name: z.string() });
/** Types of an address: 1 billing (tax), 2 physical, 3 both. */
const addressView = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  addressType: z.int(),
  addressLine1: z.string(),
  addressLine2: z.string(),
  addressLine3: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  pinCode: z.string(),
  country: z.string(),
});
const questions = z.array(z.object({ question: required(200, 'Question'), answer: required(2000, 'Answer') })).max(50);
const pick = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  note: z.string(),
  /** Its first picture, where records have some. */ picture: z.string().nullable().optional(),
});

/** Services `lookups`, `config`, `organisation`, `parties`, `items`, `accounts`, `inventory`: reading beside the editor and the shell. */
export const lookupCalls = {
  GetStates: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'States with their two-digit codes',
    input: nothing,
    details: z.array(code),
  }),
  GetCountries: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'Countries by ISO code',
    input: nothing,
    details: z.array(code),
  }),
  GetCurrencies: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'Currencies by ISO code; `id` is the number that the general configuration keeps (currencyCode)',
    input: nothing,
    details: z.array(code.extend({ id: z.int() })),
  }),
  GetScreenList: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'The menu: groups with their screens',
    input: z.object(chosen),
    details: z.array(
      z.object({
        id: z.int(),
        key: z.string(),
        name: z.string(),
        parentId: z.int().nullable(),
        icon: z.string(),
        displayId: z.int(),
        url: z.string().nullable(),
        accessTypeId: z.int(),
        submenu: z.array(
          z.object({
            id: z.int(),
            key: z.string(),
            name: z.string(),
            parentId: z.int().nullable(),
            icon: z.string(),
            displayId: z.int(),
            url: z.string().nullable(),
            accessTypeId: z.int(),
          }),
        ),
      }),
    ),
  }),
  GetScreenListByUser: operation({
    service: 'lookups',
    method: 'GET',
    aboutUser: true,
    summary: "The grants of a user: one's own, or those of UserName for who may see users",
    input: z.object(chosen),
    details: z.array(
      z.object({ resourceId: z.int(), parentId: z.int(), accessTypeId: z.int(), principalId: z.string() }),
    ),
  }),
  GetGeneralConfigDetails: operation({
    service: 'config',
    method: 'GET',
    summary: 'The general configuration',
    input: z.object(chosen),
    details: generalConfiguration.extend({
      id: z.string(),
      orgCode: z.string(),
      createdBy: z.string().nullable(),
      createdDate: z.string().nullable(),
      modifiedBy: z.string().nullable(),
      modifiedDate: z.string().nullable(),
      isActive: z.boolean(),
      version: z.int(),
      fixed: z.record(z.string(), z.string()),
      /** Switches that are off, by the module that is not subscribed to. */ locked: z.record(z.string(), z.string()),
    }),
  }),
  SaveGeneralConfigDetails: operation({
    service: 'config',
    method: 'POST',
    summary: 'Saves the general configuration, whole or in part',
    input: z.object({
      orgCode: z.string().optional(),
      version: z.int().optional(),
      values: z.record(z.string(), z.unknown()).optional(),
      trackInventory: z.boolean().optional(),
      isAllowNegative: z.boolean().optional(),
      createdBy: z.string().optional(),
    }),
    details: generalConfiguration.extend({ version: z.int() }),
  }),
  GetTransactionExist: operation({
    service: 'config',
    method: 'GET',
    summary: 'Whether anything is posted yet',
    input: z.object(chosen),
    details: z.object({ exists: z.boolean() }),
  }),
  GetOrgDetails: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The profile of the organisation',
    input: z.object({ orgCode: z.string().optional() }),
    details: z.object({
      id: z.int(),
      code: z.string(),
      name: z.string(),
      gstin: z.string().nullable(),
      value: z.string(),
      addresses: z.array(addressView),
      subscriptionTo: day.nullable(),
      subscriptionExpireWarning: z.boolean(),
      requestStatus: z.int().nullable(),
      businessType: z.string(),
      registrationStatus: z.string(),
      pan: z.string(),
      phone: z.string(),
      email: z.string(),
      website: z.string(),
      version: z.int(),
    }),
  }),
  SaveOrganisation: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Changes the profile of the organisation',
    input: z.object({
      name: text(200),
      businessType: text(200),
      pan: text(10),
      phone: text(20),
      email: text(254),
      website: text(200),
      version: z.int(),
    }),
    details: z.object({ version: z.int() }),
  }),
  GetLocationListByUserId: operation({
    service: 'organisation',
    method: 'GET',
    aboutUser: true,
    summary: "The locations of a user: one's own, or those of UserName for who may see users",
    input: z.object(chosen),
    details: z.array(
      locationView.extend({
        gstin: z.string().nullable(),
        addresses: z.array(addressView),
        text: z.string(),
        key: z.string(),
        DataObj: z.object({ addresses: z.array(z.object({ code: z.string(), addressType: z.int() })) }),
      }),
    ),
  }),
  GetHelpContent: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'Questions and answers about a screen',
    input: z.object({ screenId: z.string().optional() }),
    details: z.object({
      screenId: z.string(),
      content: z.array(z.object({ question: z.string(), answer: z.string() })),
    }),
  }),
  SaveHelpContent: operation({
    service: 'organisation',
    method: 'POST',
    summary:
      'Writes the questions and answers about a screen for the own organisation; none: those of the installation again',
    input: z.object({ screenId: z.string(), content: questions }),
    details: questions,
  }),
  SaveDefaultHelp: operation({
    service: 'operator',
    method: 'POST',
    changes: 'own',
    summary: 'Writes the questions and answers about a screen for every organisation that has none of its own',
    input: z.object({ screenId: z.string(), content: questions }),
    details: questions,
  }),
  GetPartyListForTransactions: operation({
    service: 'parties',
    load: 'search',
    method: 'GET',
    summary: 'Parties whose name, code, GSTIN or phone holds the text',
    input: z.object({
      ...chosen,
      search: z.string().max(100).default(''),
      side: z.enum(['customer', 'supplier', 'both']).default('both'),
      isOverSeas: flag.optional(),
      isAnonymousUser: flag.optional(),
      ...paging,
    }),
    details: z.object({ rows: z.array(pick), total: z.int() }),
  }),
  GetItemListForTransactionsWithPagination: operation({
    service: 'items',
    load: 'search',
    method: 'GET',
    summary: 'Items whose SKU, name, barcode or HSN holds the text, with stock on hand',
    input: z.object({ ...chosen, search: z.string().max(100).default(''), location: id.optional(), ...paging }),
    details: z.object({ rows: z.array(pick), total: z.int() }),
  }),
  Pick: operation({
    service: 'masters',
    load: 'search',
    method: 'GET',
    summary: 'Records of a master for a picker',
    /** `use`: of ledgers only those that may be used so: an effect of Ledger postings, or a field (`domain/books/ledger-uses.ts`). */
    input: z.object({
      master: z.string(),
      search: z.string().max(100).default(''),
      use: z.string().max(60).optional(),
    }),
    details: z.object({ rows: z.array(pick), total: z.int() }),
  }),
} as const;
