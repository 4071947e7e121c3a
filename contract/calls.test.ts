import { expect, test } from 'vitest';
import { calls } from './calls.ts';
import type { Operation } from './contract.ts';
import { reportNames, reports } from './reports.ts';
import { type Screen, screens } from './screens.ts';

/** Every call that the specification names, by service and method. */
const named: Readonly<Record<string, Readonly<Record<'GET' | 'POST', string>>>> = {
  lookups: {
    GET:
      'GetStates GetCountries GetCurrencies GetModuleFlag GetSupportDetails GetOrgSignUpScoring GetScreenList GetScreenListByUser ' +
      'GetModulesListWithCost',
    POST: 'AddModulesForOrganisation',
  },
  organisation: {
    GET:
      'GetLogoDetails GetOrgDetails GetOrgList GetLocationListByUserId GetUserList GetUserDetails GetGroupDetails GetRolesbyOrgId ' +
      'GetHelpContent GetBroadcastDetails GetBranchDetails GetBankDetails',
    POST:
      'AddLogoDetails UpdateBusinessType AddLocation EditLocation AddNewUser AddGroups UpdateUser DeleteUser CompareExistingPassword ' +
      'GetUsersFromRoleId',
  },
  config: {
    GET: 'GetGeneralConfigDetails GetTransactionExist BarcodeDisable',
    POST: 'SaveGeneralConfigDetails',
  },
  transactions: {
    GET:
      'GetTransationsList UpdateQuotationOnInvoiceGeneration GetTransactionDetailForInvoice GetTransactionDetails CancelTransaction ' +
      'DeleteMultipleTransaction CancelPosTransaction VerifyOrderFulfiled DocSeriesValidations DocPatternValidations VerifylotSeriesNo',
    POST:
      'GetTaxCalculation AddTransactionDetails AddtransactionItemDetails AddInvoicePartyMappingDetails AddInvoiceSummaryDetails ' +
      'UpdateOrderStatus GenerateIRNNumber CancelIRNNumber SendInvoiceInMail AddAddtionalFieldsContentDetails TaxCalculationForOMS ' +
      'PostTransactionCalls',
  },
  einvoice: {
    GET: 'GetEInvoiceClientCredentails GetEInvoiceList GetEInvoiceByteCode GetEWayBillByteCode GetEWayBillOnlyByteCode',
    POST: 'AddUpdateEInvoiceCredentials GenerateEWayBill GenerateEwayBillOnly CancelEwayBills',
  },
  parties: {
    GET: 'GetPartyListForTransactions GetLocationBranchDetailsByPartyId',
    POST: '',
  },
  items: {
    GET: 'GetItemListForTransactionsWithPagination GetItemListForBarcodeWithPagination',
    POST: '',
  },
  inventory: {
    GET:
      'GetInventoryQtyForTransactions CancelOrDeleteTransactionInventory CancelInvoiceListScreen GetItemBatchSerial ' +
      'PhysicalLocationInventory GetItemQtyForStockRoom GetPhysicalLocationIdForStockRoom IsInventoryAllocated ' +
      'GetStockRoomWiseNewQtyForInvoiceReturns',
    POST: 'CUDInventory GetInventoryQtyListForTransactionsSP CheckUpdatedInventoryForItemSKU ReleaseInventory',
  },
  accounts: {
    GET:
      'GetAccountMaster GetGLList GetOrgBankData GetLedgerList GetChartOfAccounts GetTdsTcsMaster GetLedgerEffects GetGLReport ' +
      'GetSundryCreditorsOutstanding GetSundryDebtorsOutstanding GetProfitAndLossByQuarters GetOpeningStockValues ' +
      'GetCreditsListAganistParty GetLedgerAllocationList',
    POST:
      'SaveAccountMaster DeactivateAccountMaster SaveOpeningBalance AddAccountingEffects SaveLedger DeletePostings ' +
      'SavePartyCreditsAllocation AllcoateCreditsByTransactionId',
  },
  series: {
    GET:
      'GetDocNumberById GetDocNumList CheckDocNumFormatExistence DeleteDocnumSeries GetTermsAndConditionsList ' +
      'GetTermsAndConditionsById GenerateDocNumberForJournal',
    POST: 'SaveDocNumber UpdateDocNumber SaveTermsAndConditions',
  },
  workflow: {
    GET:
      'GetWorkFlows GetWorkFlowDefinitionById GetOMSWorkflowTemplateDetails GetActions GetCommentsForTransaction GetWorkflowStatus ' +
      'next-actions',
    POST: 'SaveWorkflow UpdateWorkflow LogisticSubmit SaveCommentsForTransaction SaveOrUpdateWorkflowStatus start action sub-order minimal',
  },
  notifications: {
    GET: 'GetNotifications GetInventoryDashboradData GetOrdersDashboardData',
    POST: '',
  },
};
const list = (text: string): string[] => text.split(' ').filter(Boolean);

/** What is not served yet. This list only ever gets shorter. */
const later = list(
  `
  sub-order
`.replaceAll('\n', ' '),
);

const served: Readonly<Record<string, Operation>> = calls;
const all = Object.entries(named).flatMap(([service, methods]) =>
  (['GET', 'POST'] as const).flatMap((method) => list(methods[method]).map((name) => ({ service, method, name }))),
);

test('every call that the specification names is served in its service, by its method, or is in the list of what is to come', () => {
  const missing = all.filter(({ name }) => served[name] === undefined).map(({ name }) => name);
  expect(missing.sort()).toEqual([...later].sort());
  for (const { service, method, name } of all) {
    const operation = served[name];
    if (operation)
      expect({ name, service: operation.service, method: operation.method }).toEqual({ name, service, method });
  }
});

test('every report is on its screen: that shows it, or lets the address name it', () => {
  for (const name of reportNames) {
    const { show } = screens[reports[name].screen] as Screen;
    if (show.view !== 'report') throw new Error(`${name} has a screen of another view`);
    expect([show.report, ...(show.among ?? [])]).toContain(name);
  }
});

test('every call that posts a document and returns warnings takes reasons for them', () => {
  const shapeOf = (schema: unknown): Readonly<Record<string, unknown>> =>
    ((schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {}) as Readonly<Record<string, unknown>>;
  const takesReasons = (input: unknown): boolean => {
    const shape = shapeOf(input);
    return 'accepted' in shape || 'accepted' in shapeOf(shape['document']);
  };
  const posting = Object.entries(served).filter(
    ([, { details, idempotent }]) => idempotent && 'warnings' in shapeOf(details),
  );
  expect(posting.length).toBeGreaterThan(6);
  expect(posting.filter(([, { input }]) => !takesReasons(input)).map(([name]) => name)).toEqual([]);
});
