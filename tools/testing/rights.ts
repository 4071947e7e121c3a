// biome-ignore-all format: a table reads best with a row on a line
import type { CallName } from '../../contract/calls.ts';
import type { MasterName } from '../../contract/masters.ts';
import type { ReportName } from '../../contract/reports.ts';
import type { KindName } from '../../domain/kinds/index.ts';

/**
 * Who may do what, written down by hand from the product's rules of access and its list of screens: nothing here is asked of the product.
 * A kind, master, report or call without a row does not compile.
 */
export const people = ['owner', 'accountant', 'approver', 'viewer', 'none'] as const;
export type Person = (typeof people)[number];

/** What the demo people were given: a level for each family of screens. */
type Family = 'documents' | 'masters' | 'accounts' | 'reports' | 'gst' | 'other';
const levels: Readonly<Record<Person, Readonly<Record<Family, number>>>> = {
  owner: { documents: 5003, masters: 5003, accounts: 5003, reports: 5003, gst: 5003, other: 5003 },
  accountant: { documents: 5001, masters: 5001, accounts: 5001, reports: 5000, gst: 5001, other: 0 },
  approver: { documents: 5002, masters: 0, accounts: 0, reports: 0, gst: 0, other: 0 },
  viewer: { documents: 5000, masters: 5000, accounts: 5000, reports: 5000, gst: 5000, other: 5000 },
  none: { documents: 0, masters: 0, accounts: 0, reports: 0, gst: 0, other: 0 },
};

/** A screen that somebody needs no grant to read, or one that he does; and whose family it is. */
type Screen = readonly ['open' | 'closed', Family, Action?];
const SALES: Screen = ['open', 'documents'];
const PURCHASES: Screen = ['open', 'documents'];
const STOCK: Screen = ['open', 'documents'];
const JOURNALS: Screen = ['open', 'accounts'];
const ORDERS: Screen = ['open', 'documents'];

/** The screen that rules a kind of document. */
export const kindScreens: Readonly<Record<KindName, Screen>> = {
  saleInvoice: SALES, b2cInvoice: SALES, posSale: SALES, posReturn: SALES, overseasSale: SALES, saudiInvoice: SALES, saleReturn: SALES, saleCreditNote: SALES, saleDebitNote: SALES, quotation: SALES, saleOrder: SALES, saleReturnOrder: SALES, deliveryChallan: SALES,
  cashSale: ['closed', 'documents'], openingStock: ['closed', 'documents'],
  saleReceipt: SALES, advanceReceipt: SALES, allocationVoucher: SALES, advanceRefund: SALES, refund: SALES, bouncedReceipt: SALES,
  purchaseOrder: PURCHASES, purchaseBill: PURCHASES, overseasPurchase: PURCHASES, billOfEntry: PURCHASES, selfInvoice: PURCHASES, purchaseReturn: PURCHASES, purchaseCreditNote: PURCHASES, purchaseDebitNote: PURCHASES, expense: PURCHASES,
  payment: PURCHASES, advancePayment: PURCHASES, supplierAllocation: PURCHASES, paymentVoucher: PURCHASES,
  inventoryAdjustment: STOCK, branchTransfer: STOCK, transferReceipt: STOCK,
  workflowOrder: ORDERS, returnOrder: ORDERS, purchaseReturnOrder: PURCHASES,
  manualJournal: JOURNALS, journalVoucher: JOURNALS, contra: JOURNALS, openingBalance: JOURNALS, gstAdjustment: ['closed', 'gst'],
  costRevision: JOURNALS, yearEnd: JOURNALS, reversal: JOURNALS,
};

const LEVEL_0_SETTINGS: Screen = ['open', 'other'];
export const masterScreens: Readonly<Record<MasterName, Screen>> = {
  tdsCertificate: ['closed', 'masters'], customer: ['closed', 'masters'], consumer: ['closed', 'masters'], supplier: ['closed', 'masters'], item: ['closed', 'masters'], priceList: ['closed', 'masters'],
  category: ['open', 'masters'], attribute: ['open', 'masters'], unitConversion: ['open', 'masters'], warehouse: ['closed', 'documents'],
  ledger: ['open', 'accounts'], accountGroup: ['open', 'accounts'], ledgerPosting: ['open', 'accounts'],
  registration: ['closed', 'other'], location: LEVEL_0_SETTINGS, numberSeries: LEVEL_0_SETTINGS, user: LEVEL_0_SETTINGS, role: LEVEL_0_SETTINGS, group: LEVEL_0_SETTINGS, unit: LEVEL_0_SETTINGS, costCentre: LEVEL_0_SETTINGS, additionalField: LEVEL_0_SETTINGS, bank: LEVEL_0_SETTINGS, terms: LEVEL_0_SETTINGS, adjustment: LEVEL_0_SETTINGS, paperTemplate: LEVEL_0_SETTINGS, till: LEVEL_0_SETTINGS,
};

const REPORT: Screen = ['closed', 'reports'];
export const reportScreens: Readonly<Record<ReportName, Screen>> = {
  tdsDeducted: REPORT, form16a: REPORT, tcsCollected: REPORT, taxStatement: REPORT, customerStatement: REPORT, supplierStatement: REPORT, trialBalance: REPORT, dayBook: REPORT, acceptedWarnings: REPORT, profitAndLoss: REPORT, balanceSheet: REPORT, balanceGroup: REPORT, receivablesAgeing: REPORT, payablesAgeing: REPORT, outstandingDebtors: REPORT, outstandingCreditors: REPORT,
  stockLedger: REPORT, countSheet: REPORT, generalLedger: JOURNALS, cashAndBank: ['closed', 'accounts'], bankReconciliation: ['closed', 'accounts'], stockOnHand: STOCK, reorder: STOCK, gstr1: ['closed', 'gst'], userDirectory: ['closed', 'other'],
  // who signed in and who was refused is for those who give rights
  securityLog: ['closed', 'other', 'settings'],
};

/** What a call does; `everyone`: with a session; `anybodyAtWork`: with any grant at all; `operator`: who runs the installation. */
type Action = 'read' | 'view' | 'write' | 'approve' | 'settings';
type Of = 'kind' | 'master' | 'report' | Screen;
export type Right = 'everyone' | 'anybodyAtWork' | 'operator' | readonly [Action, Of] | readonly [Action, 'anything'];
export const rights: Readonly<Record<CallName, Right>> = {
  GetSession: 'everyone', SwitchOrganisation: 'everyone', ChooseLocations: 'everyone', SavePreferences: 'everyone', SignOut: 'everyone',
  ChangePassword: 'everyone', ListSessions: 'everyone', EndSession: 'everyone', ExplainAccess: ['read', LEVEL_0_SETTINGS], ResetSecondFactor: ['settings', LEVEL_0_SETTINGS], GetSecondFactor: 'everyone', BeginSecondFactor: 'everyone', ConfirmSecondFactor: 'everyone', RenewRecoveryCodes: 'everyone', EndSecondFactor: 'everyone', MakeSignInLink: ['settings', LEVEL_0_SETTINGS], MailSignInLink: ['settings', LEVEL_0_SETTINGS],
  GetStates: 'everyone', GetCountries: 'everyone', GetCurrencies: 'everyone', GetScreenList: 'everyone', GetScreenListByUser: 'everyone', GetHelpContent: 'everyone',
  GetGeneralConfigDetails: 'everyone', GetTransactionExist: 'everyone', GetLocks: 'everyone', GetOrgDetails: 'everyone', GetLocationListByUserId: 'everyone',
  SaveGeneralConfigDetails: ['settings', LEVEL_0_SETTINGS], SaveLock: ['settings', LEVEL_0_SETTINGS], ListFilings: ['read', LEVEL_0_SETTINGS], GetFiledReturn: ['settings', LEVEL_0_SETTINGS], MarkFiled: ['settings', LEVEL_0_SETTINGS], UnmarkFiled: ['settings', LEVEL_0_SETTINGS], SaveOrganisation: ['settings', LEVEL_0_SETTINGS],
  GetPartyListForTransactions: 'anybodyAtWork', GetItemListForTransactionsWithPagination: 'anybodyAtWork', GetPictureThumbnails: 'anybodyAtWork', Pick: 'anybodyAtWork', GetEditorFacts: 'anybodyAtWork',
  ListMasters: ['read', 'master'], GetMaster: ['read', 'master'], GetHistory: ['view', 'master'], SaveMaster: ['settings', 'master'], RetireMaster: ['settings', 'master'],
  GetEditLogEnd: ['settings', LEVEL_0_SETTINGS], ExportEditLog: ['settings', LEVEL_0_SETTINGS],
  FindDuplicates: ['read', ['closed', 'masters']], ListDuplicates: ['read', ['closed', 'masters']], MergeParties: ['settings', ['closed', 'masters']],
  GetTaxpayer: ['settings', ['closed', 'masters']],
  GetAdditionalFields: 'everyone', AddAddtionalFieldsContentDetails: ['write', 'anything'],
  GetOrgSignUpScoring: 'everyone', GetModuleFlag: 'everyone', GetLogoDetails: 'everyone', GetOrgList: 'everyone', BarcodeDisable: 'everyone', CompareExistingPassword: 'everyone',
  AddLogoDetails: ['settings', LEVEL_0_SETTINGS], UpdateBusinessType: ['settings', LEVEL_0_SETTINGS],
  AddLocation: ['settings', LEVEL_0_SETTINGS], EditLocation: ['settings', LEVEL_0_SETTINGS], GetBranchDetails: ['read', LEVEL_0_SETTINGS], GetBankDetails: ['read', LEVEL_0_SETTINGS],
  AddNewUser: ['settings', LEVEL_0_SETTINGS], UpdateUser: ['settings', LEVEL_0_SETTINGS], DeleteUser: ['settings', LEVEL_0_SETTINGS], AddGroups: ['settings', LEVEL_0_SETTINGS], GetGroupDetails: ['read', LEVEL_0_SETTINGS], GetUserList: ['read', LEVEL_0_SETTINGS], GetUserDetails: ['read', LEVEL_0_SETTINGS], GetUsersFromRoleId: ['read', LEVEL_0_SETTINGS], GetRolesbyOrgId: ['read', LEVEL_0_SETTINGS],
  SaveDocNumber: ['settings', LEVEL_0_SETTINGS], UpdateDocNumber: ['settings', LEVEL_0_SETTINGS], DeleteDocnumSeries: ['settings', LEVEL_0_SETTINGS], GetDocNumberById: ['read', LEVEL_0_SETTINGS], GetDocNumList: ['read', LEVEL_0_SETTINGS], CheckDocNumFormatExistence: ['read', LEVEL_0_SETTINGS],
  DocPatternValidations: ['read', LEVEL_0_SETTINGS], GetNumbersGiven: ['read', LEVEL_0_SETTINGS],
  GetTermsAndConditionsList: ['read', LEVEL_0_SETTINGS], GetTermsAndConditionsById: ['read', LEVEL_0_SETTINGS], SaveTermsAndConditions: ['settings', LEVEL_0_SETTINGS], GenerateDocNumberForJournal: ['read', JOURNALS],
  GetLocationBranchDetailsByPartyId: ['read', ['closed', 'masters']], GetItemListForBarcodeWithPagination: ['read', ['closed', 'masters']], GetItemView: ['read', ['closed', 'masters']],
  GetItemPictures: ['read', ['closed', 'masters']], SaveItemPicture: ['settings', ['closed', 'masters']], ShowItemPictureFirst: ['settings', ['closed', 'masters']], RemoveItemPicture: ['settings', ['closed', 'masters']],
  GetVariants: ['read', ['closed', 'masters']], GetCategoryUsual: ['read', ['open', 'masters']], SaveVariants: ['settings', ['closed', 'masters']], ListBarcodes: ['read', ['closed', 'masters']], SaveBarcode: ['settings', ['closed', 'masters']], RemoveBarcode: ['settings', ['closed', 'masters']], GenerateBarcodes: ['settings', ['closed', 'masters']], PrintLabels: ['read', ['closed', 'masters']], FindBarcode: 'anybodyAtWork', LabelsOfDocument: ['view', 'kind'],
  GetTransationsList: ['read', 'kind'], GetTransactionDetails: ['view', 'kind'], GetTransactionDetailForInvoice: ['view', 'kind'], PrintDocument: ['view', 'kind'], PreviewPaper: ['settings', LEVEL_0_SETTINGS], DocSeriesValidations: ['read', 'kind'],
  GetTaxCalculation: ['write', 'kind'], AddTransactionDetails: ['write', 'kind'], PostTransactionCalls: ['write', 'kind'], GetConversion: ['write', 'kind'],
  CancelTransaction: ['approve', 'kind'],
  ListTills: ['read', SALES], ListTillSessions: ['read', SALES], GetTillSession: ['view', SALES], OpenTill: ['write', SALES], CloseTill: ['write', SALES], TakeTill: ['write', SALES], MoveTillCash: ['write', SALES], AwaitTillNumbers: ['write', SALES], VoidTillNumber: ['approve', SALES], ListTillItems: ['write', SALES], ListTillPrices: ['write', SALES], CancelPosTransaction: ['approve', 'kind'],
  SendInvoiceInMail: ['write', 'kind'], ListMails: ['view', 'kind'], GetMailedPaper: ['view', 'kind'],
  // a draft is its author's: who asks for another's hears that there is none
  DeleteMultipleTransaction: 'everyone', AddtransactionItemDetails: ['write', 'anything'], AddInvoicePartyMappingDetails: ['write', 'anything'], AddInvoiceSummaryDetails: ['write', 'anything'], SubmitForApproval: ['write', 'anything'], WithdrawSubmission: ['write', 'anything'], RejectDocument: ['approve', 'anything'],
  UpdateOrderStatus: ['write', 'kind'], UpdateQuotationOnInvoiceGeneration: ['write', 'kind'], VerifyOrderFulfiled: ['view', 'kind'], CloseOrder: ['approve', 'kind'], ReopenOrder: ['approve', 'kind'], TaxCalculationForOMS: ['write', 'kind'],
  CUDInventory: ['write', STOCK], CancelInvoiceListScreen: ['approve', 'kind'],
  ReleaseInventory: ['approve', 'kind'],
  // what stands behind an id decides: who asks for a document that is not there hears that
  CancelOrDeleteTransactionInventory: 'anybodyAtWork',
  GetInventoryQtyForTransactions: 'anybodyAtWork', GetInventoryQtyListForTransactionsSP: 'anybodyAtWork', CheckUpdatedInventoryForItemSKU: 'anybodyAtWork', GetItemBatchSerial: 'anybodyAtWork', PhysicalLocationInventory: 'anybodyAtWork', GetItemQtyForStockRoom: 'anybodyAtWork', GetPhysicalLocationIdForStockRoom: 'anybodyAtWork',
  IsInventoryAllocated: 'anybodyAtWork', GetStockRoomWiseNewQtyForInvoiceReturns: ['view', 'kind'], VerifylotSeriesNo: 'anybodyAtWork',
  ListCountSheets: ['read', STOCK], GetCountSheet: ['view', STOCK], MakeCountSheet: ['write', STOCK], EnterCount: ['write', STOCK], ScanCount: ['write', STOCK], AddCountLine: ['write', STOCK], CountAgain: ['approve', STOCK], NoteCountLines: ['approve', STOCK], PostCountSheet: ['approve', STOCK], DropCountSheet: ['approve', STOCK], PrintCountSheet: ['view', STOCK],
  GetBeside: ['view', 'kind'], AddComment: ['write', 'kind'], AttachFile: ['write', 'kind'], GetAttachment: ['view', 'kind'], RemoveAttachment: ['write', 'kind'], GetSavedViews: 'everyone', SaveView: 'everyone', RemoveView: 'everyone',
  GetOpenItems: ['view', SALES], ListRecurringBills: ['view', PURCHASES], SaveRecurringBill: ['write', PURCHASES], SetRecurringBill: ['write', PURCHASES],
  SaveAccountMaster: ['settings', JOURNALS], DeactivateAccountMaster: ['settings', JOURNALS], SaveLedger: ['settings', JOURNALS], GetAccountMaster: ['read', JOURNALS], GetGLList: ['read', JOURNALS], GetLedgerList: ['read', JOURNALS], GetChartOfAccounts: ['read', JOURNALS],
  SaveOpeningBalance: ['write', JOURNALS], GetOrgBankData: ['read', LEVEL_0_SETTINGS], GetLedgerEffects: ['read', JOURNALS], AddAccountingEffects: ['settings', JOURNALS], DeletePostings: ['settings', JOURNALS], GetTdsTcsMaster: 'everyone',
  GetGLReport: ['read', JOURNALS], GetSundryCreditorsOutstanding: ['read', REPORT], GetSundryDebtorsOutstanding: ['read', REPORT], GetProfitAndLossByQuarters: ['read', REPORT], GetOpeningStockValues: ['view', ['closed', 'documents']],
  GetCreditsListAganistParty: ['view', SALES], GetLedgerAllocationList: ['view', SALES], SavePartyCreditsAllocation: ['write', SALES], AllcoateCreditsByTransactionId: ['write', SALES],
  GetPaymentGateway: ['read', LEVEL_0_SETTINGS], SavePaymentGateway: ['settings', LEVEL_0_SETTINGS], TestPaymentGateway: ['settings', LEVEL_0_SETTINGS], ListPayments: ['view', SALES], BookPayment: ['write', SALES],
  GetPaymentsOfDocument: ['view', 'kind'], MakePaymentLink: ['write', 'kind'], EndPaymentLink: ['write', 'kind'],
  GetBankLedgers: ['read', ['closed', 'accounts']], GetReconciliation: ['read', ['closed', 'accounts']], GetMatched: ['read', ['closed', 'accounts']], ListBankRules: ['read', ['closed', 'accounts']], ReadBankStatement: ['write', ['closed', 'accounts']], ImportBankStatement: ['write', ['closed', 'accounts']], MatchBankLines: ['write', ['closed', 'accounts']], UnmatchBankLines: ['write', ['closed', 'accounts']], PostBankLine: ['write', ['closed', 'accounts']], SaveBankRule: ['write', ['closed', 'accounts']], DeleteBankRule: ['write', ['closed', 'accounts']],
  ListExchangeRates: ['read', JOURNALS], GetExchangeRate: 'everyone', SaveExchangeRate: ['settings', JOURNALS], DeleteExchangeRate: ['settings', JOURNALS], ReadExchangeRates: ['settings', JOURNALS], ImportExchangeRates: ['settings', JOURNALS],
  GetTaxWithheld: ['read', ['closed', 'accounts']], ListTaxDeductions: ['read', ['closed', 'accounts']], ListTaxChallans: ['read', ['closed', 'accounts']], PostTaxChallan: ['write', ['closed', 'accounts']], SaveChallanDetails: ['write', ['closed', 'accounts']], ListTaxCertificates: ['read', ['closed', 'accounts']], SaveTaxCertificate: ['write', ['closed', 'accounts']], PrintTaxCertificate: ['read', ['closed', 'accounts']], MailTaxCertificate: ['write', ['closed', 'accounts']],
  PreviewRevaluation: ['write', JOURNALS], PostRevaluation: ['write', JOURNALS], ListRevaluations: ['view', JOURNALS], TakeBackRevaluation: ['approve', JOURNALS], OrderBankRules: ['write', ['closed', 'accounts']], BounceReceipt: ['write', SALES],
  GetYears: ['read', JOURNALS], PreviewYearEnd: ['approve', JOURNALS], CloseYear: ['approve', JOURNALS], ReopenYear: ['approve', JOURNALS],
  RunReport: ['read', 'report'], ExportReport: ['view', 'report'],
  GetEInvoiceList: ['read', ['open', 'gst']], GetEInvoiceAttempts: ['view', 'kind'], GenerateIRNNumber: ['write', 'kind'], CancelIRNNumber: ['approve', 'kind'],
  // finds a document by its IRN and prints it: the rule is that of PrintDocument
  GetEInvoiceByteCode: 'everyone',
  GetEInvoiceClientCredentails: ['read', LEVEL_0_SETTINGS], AddUpdateEInvoiceCredentials: ['settings', LEVEL_0_SETTINGS], TestEInvoiceCredentials: ['settings', LEVEL_0_SETTINGS],
  GetEWayBillList: ['read', ['closed', 'gst']], GetEWayBill: ['view', 'kind'], GetEWayBillAttempts: ['view', 'kind'], GenerateEWayBill: ['write', 'kind'], GenerateEwayBillOnly: ['write', 'kind'], UpdateEWayBillVehicle: ['write', 'kind'], CancelEwayBills: ['approve', 'kind'],
  // find a document by the number of its e-way bill and print that
  GetEWayBillByteCode: 'everyone', GetEWayBillOnlyByteCode: 'everyone',
  SaveHelpContent: ['settings', LEVEL_0_SETTINGS], SaveDefaultHelp: 'operator',
  GetModulesListWithCost: ['read', ['closed', 'other']], AddModulesForOrganisation: ['settings', ['closed', 'other']], GetSubscription: ['read', ['closed', 'other']], GetSupportDetails: 'everyone', GetBroadcastDetails: 'everyone',
  FoundOrganisation: 'everyone', ListOrganisations: 'operator', ListOperators: 'operator', GiveOperator: 'operator', TakeOperator: 'operator',
  ListSubscriptionRequests: 'operator', DecideSubscriptionRequest: 'operator', ListBroadcasts: 'operator', SaveBroadcast: 'operator', EndBroadcast: 'operator',
  GetWorkFlows: ['read', LEVEL_0_SETTINGS], GetWorkFlowDefinitionById: ['read', LEVEL_0_SETTINGS], GetOMSWorkflowTemplateDetails: ['read', LEVEL_0_SETTINGS], GetActions: ['read', LEVEL_0_SETTINGS], minimal: ['read', LEVEL_0_SETTINGS],
  SaveWorkflow: ['settings', LEVEL_0_SETTINGS], UpdateWorkflow: ['settings', LEVEL_0_SETTINGS], PublishWorkflow: ['settings', LEVEL_0_SETTINGS], CancelWorkflow: ['settings', LEVEL_0_SETTINGS],
  GetWorkflowStatus: ['view', 'kind'], SaveOrUpdateWorkflowStatus: ['view', 'kind'], LogisticSubmit: ['write', 'kind'], GetCommentsForTransaction: ['view', 'kind'], SaveCommentsForTransaction: ['write', 'kind'],
  // an order is found by its number among those that one may open
  action: 'everyone', 'next-actions': 'everyone', start: 'everyone',
  GetInventoryDashboradData: 'everyone', GetOrdersDashboardData: 'everyone', GetNotifications: 'everyone', DismissNotifications: 'everyone',
};

const allowing: Readonly<Record<Action, readonly number[]>> = { read: [5000, 5001, 5002, 5003], view: [5000, 5001, 5002, 5003], write: [5001, 5003], approve: [5002, 5003], settings: [5001, 5003] };

/** Whether a person may: `screen` is the one that rules what the input names. */
export function mayDo(person: Person, right: Right, screen: Screen | undefined): boolean {
  if (right === 'everyone') return true;
  // nobody of the demo runs the installation
  if (right === 'operator') return false;
  if (right === 'anybodyAtWork') return person !== 'none';
  const [asked, of] = right;
  // any kind of document will do before it is known which
  if (of === 'anything') return Object.values(kindScreens).some(([, family]) => allowing[asked].includes(levels[person][family]));
  const ruling = typeof of === 'string' ? screen : of;
  if (!ruling) throw new Error('no screen rules this');
  const [door, family, action = asked] = ruling;
  return (action === 'read' && door === 'open') || allowing[action].includes(levels[person][family]);
}
