import { z } from 'zod';
import { operation } from './contract.ts';
import { opened } from './master-calls.ts';
import { chosen, day, id, paging, required, text, whole } from './wire.ts';

const values = z.record(z.string(), z.unknown());
const added = z.object({ ...chosen, values });
const changed = added.extend({ id, version: z.int() });
const byId = z.object({ ...chosen, Id: id });
const kept = z.array(opened.omit({ fixed: true, notices: true }));
export const banks = z.array(
  opened.omit({ fixed: true, notices: true }).extend({
    /** 0: there is none. */ id: z.union([id, z.literal(0)]),
    bankName: z.string(),
    isDefaultBank: z.boolean(),
  }),
);
const termsNames = { trnTypeId: z.string(), termsAndConditions: z.string() };
const logo = z.object({ logo: z.string().nullable(), name: z.string().nullable() });
const paged = z.object({ ...chosen, ...paging, after: z.string().optional(), search: z.string().max(100).default('') });

/** Calls that the specification names one by one; most are a master's family under a name of their own. */
export const namedCalls = {
  GetOrgSignUpScoring: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'How far the organisation is set up, step by step',
    input: z.object(chosen),
    details: z.object({ score: z.int(), steps: z.array(z.object({ step: z.string(), done: z.boolean() })) }),
  }),
  GetModuleFlag: operation({
    service: 'lookups',
    method: 'GET',
    summary: 'Whether a module is on in the general configuration',
    input: z.object({ Orgcode: z.string().optional(), OrgCode: z.string().optional(), ModuleName: z.string() }),
    details: z.object({ moduleName: z.string(), enabled: z.boolean() }),
  }),

  GetLogoDetails: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The logo of the organisation',
    input: z.object(chosen),
    details: logo,
  }),
  AddLogoDetails: operation({
    service: 'organisation',
    method: 'POST',
    load: 'file',
    summary:
      'Keeps a logo (a plain PNG, base64), written anew from its pixels, or takes it away when the content is empty',
    input: z.object({
      ...chosen,
      name: text(100).default('logo'),
      content: z.string().max(400_000, 'A logo has at most 256 kB'),
    }),
    details: logo,
  }),
  UpdateBusinessType: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Changes what business the organisation does',
    input: z.object({ ...chosen, businessType: required(200, 'Business Type'), version: z.int() }),
    details: z.object({ version: z.int() }),
  }),
  GetOrgList: operation({
    service: 'organisation',
    method: 'GET',
    summary: "The person's own organisations",
    input: z.object({ orgCode: z.string().optional() }),
    details: z.array(z.object({ code: z.string(), name: z.string() })),
  }),
  AddLocation: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Adds a location',
    input: added,
    details: opened,
  }),
  EditLocation: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Changes a location',
    input: changed,
    details: opened,
  }),
  AddNewUser: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Adds a user, who then needs a sign-in link',
    input: added,
    details: opened,
  }),
  UpdateUser: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Changes a user',
    input: changed,
    details: opened,
  }),
  DeleteUser: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Deactivates a user; their name stays on their entries',
    input: z.object({ ...chosen, Id: id, version: z.int() }),
    details: z.object({ retired: z.boolean() }),
  }),
  AddGroups: operation({
    service: 'organisation',
    method: 'POST',
    summary: 'Adds a group of users, or changes one: its members have its roles',
    input: added.extend({ id: id.optional(), version: z.int().optional() }),
    details: opened,
  }),
  GetGroupDetails: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'One group with its roles and members',
    input: byId,
    details: opened,
  }),
  GetUserList: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The users',
    input: z.object(chosen),
    details: kept,
  }),
  GetUserDetails: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'One user',
    input: byId,
    details: opened,
  }),
  CompareExistingPassword: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'own',
    summary: 'Whether this is the own password; wrong ones count as failed sign-ins',
    input: z.object({ password: z.string().max(1000) }),
    details: z.object({ matches: z.boolean() }),
  }),
  GetRolesbyOrgId: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The roles, or those of a type',
    input: z.object({ ...chosen, Typename: z.string().optional() }),
    details: kept,
  }),
  GetUsersFromRoleId: operation({
    service: 'organisation',
    method: 'POST',
    changes: 'nothing',
    summary: 'The users of a role',
    input: z.object({ ...chosen, RoleId: id }),
    details: kept,
  }),
  GetBranchDetails: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'A location with its address, by its code',
    input: z.object({ ...chosen, code: z.string() }),
    details: opened,
  }),
  GetBankDetails: operation({
    service: 'organisation',
    method: 'GET',
    summary: 'The bank accounts, the default one first',
    input: z.object(chosen),
    details: banks,
  }),

  BarcodeDisable: operation({
    service: 'config',
    method: 'GET',
    summary: 'Whether barcodes can still be turned off, and if not why',
    input: z.object({ Orgcode: z.string().optional(), OrgCode: z.string().optional() }),
    details: z.object({ canDisable: z.boolean(), reason: z.string() }),
  }),

  SaveDocNumber: operation({
    service: 'series',
    method: 'POST',
    summary: 'Adds a number series',
    input: added,
    details: opened,
  }),
  UpdateDocNumber: operation({
    service: 'series',
    method: 'POST',
    summary: 'Changes a number series',
    input: changed,
    details: opened,
  }),
  GetDocNumberById: operation({
    service: 'series',
    method: 'GET',
    summary: 'One number series',
    input: byId,
    details: opened,
  }),
  GetDocNumList: operation({
    service: 'series',
    method: 'GET',
    summary: 'The number series',
    input: z.object(chosen),
    details: kept,
  }),
  CheckDocNumFormatExistence: operation({
    service: 'series',
    method: 'GET',
    summary: 'Whether the numbers of a pattern could meet those of another series, or break the rules for numbers',
    input: z.object({
      ...chosen,
      Type: z.string(),
      registration: id,
      prefix: z.string().max(12),
      suffix: z.string().max(8).default(''),
      padding: whole.default(4),
      start: whole.default(1),
      reset: z.enum(['year', 'month', 'never']).default('year'),
      Id: id.optional(),
    }),
    details: z.object({ exists: z.boolean(), reason: z.string() }),
  }),
  DocPatternValidations: operation({
    service: 'transactions',
    method: 'GET',
    summary: 'What is wrong with the numbers that a pattern would give, and what the next three look like',
    input: z.object({
      ...chosen,
      Type: z.string(),
      registration: id.optional(),
      location: id.optional(),
      prefix: z.string().max(40).default(''),
      suffix: z.string().max(20).default(''),
      padding: whole.default(4),
      start: whole.default(1),
      reset: z.enum(['year', 'month', 'never']).default('year'),
      Id: id.optional(),
    }),
    details: z.object({ problems: z.array(z.string()), next: z.array(z.string()) }),
  }),
  GetNumbersGiven: operation({
    service: 'series',
    method: 'GET',
    summary: 'The numbers that a series has given, by period, with what is missing among them',
    input: z.object({ ...chosen, Id: id }),
    details: z.array(
      z.object({
        period: z.string(),
        first: z.string(),
        last: z.string(),
        given: z.int(),
        cancelled: z.int(),
        missing: z.int(),
        missingNumbers: z.array(z.string()),
        /** Numbers that a till gave and whose bill is not in the books: not yet received, refused with the reason, or void. */
        notInBooks: z.array(
          z.object({ number: z.string(), state: z.enum(['awaited', 'refused', 'void']), reason: z.string() }),
        ),
        /** The till that gives the next number by itself, while it is open. */
        heldBy: z.string().nullable(),
      }),
    ),
  }),
  DeleteDocnumSeries: operation({
    service: 'series',
    method: 'GET',
    changesByGet: true,
    summary: 'Deletes a number series that has given no number yet',
    input: z.object({ ...chosen, Id: id, version: whole }),
    details: z.object({ deleted: z.boolean() }),
  }),
  GetTermsAndConditionsList: operation({
    service: 'series',
    method: 'GET',
    summary: 'The terms and conditions',
    input: z.object(chosen),
    details: z.array(opened.omit({ fixed: true, notices: true }).extend(termsNames)),
  }),
  GetTermsAndConditionsById: operation({
    service: 'series',
    method: 'GET',
    summary: 'One set of terms',
    input: byId,
    details: opened.extend(termsNames),
  }),
  SaveTermsAndConditions: operation({
    service: 'series',
    method: 'POST',
    summary: 'Adds or changes terms',
    input: added.extend({ id: id.optional(), version: z.int().optional() }),
    details: opened,
  }),
  GenerateDocNumberForJournal: operation({
    service: 'series',
    method: 'GET',
    summary: 'The number that the next journal would get; nothing is taken',
    input: z.object({ ...chosen, Type: z.string().default('MJ'), registration: id.optional(), date: day.optional() }),
    details: z.object({ next: z.string().nullable() }),
  }),

  GetLocationBranchDetailsByPartyId: operation({
    service: 'parties',
    method: 'GET',
    summary: 'The addresses and branches of a party',
    input: z.object({ ...chosen, partyId: id }),
    details: z.array(
      z.object({
        type: z.string(),
        line1: z.string(),
        line2: z.string(),
        city: z.string(),
        state: z.string(),
        pincode: z.string(),
        country: z.string(),
        gstin: z.string().nullable(),
        phone: z.string(),
        email: z.string(),
      }),
    ),
  }),
  GetItemView: operation({
    service: 'items',
    method: 'GET',
    summary: 'An item with its prices, its stock by location and the last documents that name it',
    input: z.object({ ...chosen, id }),
    details: z.object({
      id,
      sku: z.string(),
      name: z.string(),
      unit: z.string(),
      hsn: z.string(),
      barcode: z.string(),
      category: z.string(),
      active: z.boolean(),
      stocked: z.boolean(),
      description: z.string(),
      saleRate: z.string().nullable(),
      purchaseRate: z.string().nullable(),
      mrp: z.string().nullable(),
      reorderLevel: z.string().nullable(),
      onHand: z.string(),
      /** Every barcode of the item, with its unit. */
      barcodes: z.array(z.object({ barcode: z.string(), unit: z.string() })),
      /** Whose variant it is; or, of an item with attributes, its variants. */
      template: z.object({ id, name: z.string() }).nullable(),
      hasVariants: z.boolean(),
      variants: z.array(z.object({ id, sku: z.string(), name: z.string(), onHand: z.string(), active: z.boolean() })),
      stock: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          quantity: z.string(),
          /** Its own reorder level there. */ level: z.string().nullable(),
        }),
      ),
      documents: z.array(
        z.object({
          id,
          kind: z.string(),
          label: z.string(),
          number: z.string(),
          date: z.string(),
          party: z.string(),
          quantity: z.string(),
          unit: z.string(),
          /** Null: hidden from who may not see costs. */ rate: z.string().nullable(),
          taxable: z.string().nullable(),
          cancelled: z.boolean(),
        }),
      ),
    }),
  }),
  GetItemListForBarcodeWithPagination: operation({
    service: 'items',
    method: 'GET',
    summary: 'Items that bear a barcode, for labels',
    input: paged,
    details: z.object({
      rows: z.array(
        z.object({
          id,
          sku: z.string(),
          name: z.string(),
          barcode: z.string(),
          unit: z.string(),
          mrp: z.string().nullable(),
          saleRate: z.string().nullable(),
        }),
      ),
      after: z.string().nullable(),
    }),
  }),
} as const;
