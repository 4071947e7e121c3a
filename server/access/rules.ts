// biome-ignore-all format: a table reads best with a row on a line
import type { CallName, calls } from '../../contract/calls.ts';
import type { Action, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { reportOf } from '../../contract/reports.ts';
import { screenCalled } from '../../contract/screens.ts';
import { adjustmentKind, kindByCode, kindNames, kindOf } from '../../domain/kinds/index.ts';
import { type Grants, may, parentsOfKind, parentsOfMaster } from './index.ts';

/** What a call needs: an action on one of the parent screens that its input names. */
export interface Rule<I = unknown> {
  readonly action: Action;
  readonly screens: (input: I) => readonly string[];
  /** Another action than `action`, when the input asks for what is not for every reader. */
  readonly needs?: (input: I) => Action | undefined;
  /** What the handler asks for once it knows the kind of document from the row. */
  readonly then?: Action;
  /** Who may do none of these on any screen of documents is refused before anything is looked up; `open`: who holds no grant at all. */
  readonly somewhere?: readonly Action[];
  /** Only for who runs the installation, whatever his level in an organisation. */
  readonly operator?: true;
}

/** What a rule asks for with this input. */
export const actionOf = <I>(rule: Rule<I>, input: I): Action => rule.needs?.(input) ?? rule.action;

/** Any signed-in user: what it answers is one's own, the law's or the shell's. `server/access/open.test.ts` holds the list. */
const signedIn: Rule = { action: 'open', screens: () => [] };
const forOperator: Rule = { ...signedIn, operator: true };
/** Searches and figures of stock beside an editor: for who holds a grant at all. */
const atWork: Rule = { ...signedIn, somewhere: ['open'] };
/** What somebody made themselves they view without a grant: only the row tells. */
const byRow = (then: Action, ...others: readonly Action[]): Rule => ({ ...signedIn, then, ...(then !== 'view' && { somewhere: [then, ...others] }) });
/** A draft is its author's, who may write it still. */
const ofDraft = (...somewhere: readonly Action[]): Rule => ({ ...signedIn, somewhere });

const ofDocuments = [...new Set(kindNames.flatMap((kind) => parentsOfKind(kind)))];

/** Refuses who can do nothing of what a call is for, before it is read what is asked. */
export function allowSomewhere(grants: Grants, { somewhere = [] }: Rule<never>): void {
  if (somewhere.length > 0 && !somewhere.some((action) => (action === 'open' ? grants.size > 0 : may(grants, action, ofDocuments)))) throw new Refusal('noAccess');
}
const on = (action: Action, ...screens: readonly string[]): Rule => ({ action, screens: () => screens });
const byKind = (name: string): readonly string[] => parentsOfKind(kindByCode(name) ?? name);
const byReport = (name: string): readonly string[] => {
  const screen = reportOf(name)?.screen;
  return screen ? [screenCalled(screen)?.parent ?? screen] : [];
};
/** Screens of the kinds that a party of this side has. */
const ofSide = (side: string): readonly string[] => kindNames.filter((kind) => kindOf(kind).party.side === (side === 'receivable' || side === 'customerCredit' ? 'customer' : 'supplier')).flatMap((kind) => parentsOfKind(kind));
const master = (action: Action): Rule<{ readonly master: string }> => ({ action, screens: ({ master: name }) => parentsOfMaster(name) });

const ofMaster = (action: Action, ...names: readonly string[]): Rule => ({ action, screens: () => names.flatMap(parentsOfMaster) });

const reported: Rule<{ readonly report: string }> = { action: 'read', needs: ({ report }) => reportOf(report)?.action, screens: ({ report }) => byReport(report) };
const ofReport = (name: string): Rule => ({ action: 'read', screens: () => byReport(name) });

/** Every call has its rule: leave one out and the build fails. */
export const rules: { readonly [N in CallName]: Rule<Input<(typeof calls)[N]>> } = {
  GetSession: signedIn, SwitchOrganisation: signedIn, ChooseLocations: signedIn, SavePreferences: signedIn, SignOut: signedIn,
  MakeSignInLink: { action: 'settings', screens: () => parentsOfMaster('user') }, MailSignInLink: { action: 'settings', screens: () => parentsOfMaster('user') }, ExplainAccess: ofMaster('read', 'user'), ResetSecondFactor: ofMaster('settings', 'user'),
  GetSecondFactor: signedIn, BeginSecondFactor: signedIn, ConfirmSecondFactor: signedIn, RenewRecoveryCodes: signedIn, EndSecondFactor: signedIn, ChangePassword: signedIn, ListSessions: signedIn, EndSession: signedIn,
  GetStates: signedIn, GetCountries: signedIn, GetCurrencies: signedIn, GetScreenList: signedIn, GetScreenListByUser: signedIn,
  GetGeneralConfigDetails: signedIn, SaveGeneralConfigDetails: on('settings', 'General Configuration'), GetTransactionExist: signedIn, GetLocks: signedIn, SaveLock: on('settings', 'General Configuration'), ListFilings: on('read', 'General Configuration'), GetFiledReturn: on('settings', 'General Configuration'), MarkFiled: on('settings', 'General Configuration'), UnmarkFiled: on('settings', 'General Configuration'),
  GetOrgDetails: signedIn, SaveOrganisation: on('settings', 'Orgedit'), GetLocationListByUserId: signedIn, GetHelpContent: signedIn,
  GetPartyListForTransactions: atWork, GetItemListForTransactionsWithPagination: atWork, GetPictureThumbnails: atWork, Pick: atWork,
  ListMasters: master('read'), GetMaster: master('read'), SaveMaster: master('settings'), RetireMaster: master('settings'), GetHistory: master('view'),
  GetEditLogEnd: on('settings', 'Orgedit'), ExportEditLog: on('settings', 'Orgedit'),
  FindDuplicates: ofMaster('read', 'customer', 'supplier'), ListDuplicates: ofMaster('read', 'customer', 'supplier'), MergeParties: ofMaster('settings', 'customer', 'supplier'),
  GetTaxpayer: ofMaster('settings', 'customer', 'supplier', 'registration'),
  GetAdditionalFields: signedIn, AddAddtionalFieldsContentDetails: ofDraft('write'),
  GetOrgSignUpScoring: signedIn, GetModuleFlag: signedIn, GetLogoDetails: signedIn, AddLogoDetails: on('settings', 'Orgedit'), UpdateBusinessType: on('settings', 'Orgedit'), GetOrgList: signedIn, BarcodeDisable: signedIn,
  AddLocation: ofMaster('settings', 'location'), EditLocation: ofMaster('settings', 'location'), GetBranchDetails: ofMaster('read', 'location'), GetBankDetails: ofMaster('read', 'bank'),
  AddNewUser: ofMaster('settings', 'user'), UpdateUser: ofMaster('settings', 'user'), DeleteUser: ofMaster('settings', 'user'), AddGroups: ofMaster('settings', 'group'), GetGroupDetails: ofMaster('read', 'group'), GetUserList: ofMaster('read', 'user'), GetUserDetails: ofMaster('read', 'user'), GetUsersFromRoleId: ofMaster('read', 'user'), GetRolesbyOrgId: ofMaster('read', 'role'), CompareExistingPassword: signedIn,
  SaveDocNumber: ofMaster('settings', 'numberSeries'), UpdateDocNumber: ofMaster('settings', 'numberSeries'), DeleteDocnumSeries: ofMaster('settings', 'numberSeries'), GetDocNumberById: ofMaster('read', 'numberSeries'), GetDocNumList: ofMaster('read', 'numberSeries'), CheckDocNumFormatExistence: ofMaster('read', 'numberSeries'),
  DocPatternValidations: ofMaster('read', 'numberSeries'), GetNumbersGiven: ofMaster('read', 'numberSeries'),
  GetTermsAndConditionsList: ofMaster('read', 'terms'), GetTermsAndConditionsById: ofMaster('read', 'terms'), SaveTermsAndConditions: ofMaster('settings', 'terms'), GenerateDocNumberForJournal: { action: 'read', screens: ({ Type }) => byKind(Type) },
  GetLocationBranchDetailsByPartyId: ofMaster('read', 'customer', 'supplier'), GetItemListForBarcodeWithPagination: ofMaster('read', 'item'), GetItemView: ofMaster('read', 'item'),
  GetItemPictures: ofMaster('read', 'item'), SaveItemPicture: ofMaster('settings', 'item'), ShowItemPictureFirst: ofMaster('settings', 'item'), RemoveItemPicture: ofMaster('settings', 'item'),
  GetVariants: ofMaster('read', 'item'), GetCategoryUsual: ofMaster('read', 'category'), SaveVariants: ofMaster('settings', 'item'), ListBarcodes: ofMaster('read', 'item'), FindBarcode: atWork, SaveBarcode: ofMaster('settings', 'item'), RemoveBarcode: ofMaster('settings', 'item'), GenerateBarcodes: ofMaster('settings', 'item'), LabelsOfDocument: byRow('view'), PrintLabels: ofMaster('read', 'item'),
  GetTransationsList: { action: 'read', screens: ({ Type }) => byKind(Type) },
  GetTransactionDetails: byRow('view'),
  GetTransactionDetailForInvoice: byRow('view'), GetConversion: { action: 'write', screens: ({ kind }) => byKind(kind) }, GetEditorFacts: atWork, PrintDocument: byRow('view'), PreviewPaper: ofMaster('settings', 'paperTemplate'),
  GetTaxCalculation: { action: 'write', screens: ({ draft }) => byKind(draft.kind) }, AddTransactionDetails: { action: 'write', screens: ({ kind }) => byKind(kind) },
  // a draft is its author's: who asks for another's hears that there is none
  AddtransactionItemDetails: ofDraft('write'), AddInvoicePartyMappingDetails: ofDraft('write'), AddInvoiceSummaryDetails: ofDraft('write'), SubmitForApproval: ofDraft('write'), WithdrawSubmission: ofDraft('write'), RejectDocument: ofDraft('approve'),
  UpdateOrderStatus: byRow('write'), UpdateQuotationOnInvoiceGeneration: byRow('write'), VerifyOrderFulfiled: byRow('view'), CloseOrder: byRow('approve'), ReopenOrder: byRow('approve'), TaxCalculationForOMS: byRow('write'),
  PostTransactionCalls: byRow('write', 'approve'), CancelTransaction: { action: 'approve', screens: ({ TransactionType }) => byKind(TransactionType) }, DeleteMultipleTransaction: signedIn,
  ListTills: on('read', 'PoS'), ListTillSessions: on('read', 'PoS'), OpenTill: on('write', 'PoS'), TakeTill: on('write', 'PoS'), AwaitTillNumbers: on('write', 'PoS'), VoidTillNumber: on('approve', 'PoS'), GetTillSession: on('view', 'PoS'), MoveTillCash: on('write', 'PoS'), CloseTill: on('write', 'PoS'), ListTillItems: on('write', 'PoS'), ListTillPrices: on('write', 'PoS'), CancelPosTransaction: byRow('approve'),
  CUDInventory: { action: 'write', screens: () => byKind(adjustmentKind) }, ReleaseInventory: byRow('approve'), CancelOrDeleteTransactionInventory: atWork, CancelInvoiceListScreen: { action: 'approve', screens: ({ TransactionType }) => byKind(TransactionType) },
  GetInventoryQtyForTransactions: atWork, GetInventoryQtyListForTransactionsSP: atWork, CheckUpdatedInventoryForItemSKU: atWork, GetItemBatchSerial: atWork, PhysicalLocationInventory: atWork, GetItemQtyForStockRoom: atWork, GetPhysicalLocationIdForStockRoom: atWork,
  ListCountSheets: on('read', 'Inventory Adjustment'), GetCountSheet: on('view', 'Inventory Adjustment'), MakeCountSheet: on('write', 'Inventory Adjustment'), EnterCount: on('write', 'Inventory Adjustment'), ScanCount: on('write', 'Inventory Adjustment'), AddCountLine: on('write', 'Inventory Adjustment'),
  CountAgain: on('approve', 'Inventory Adjustment'), NoteCountLines: on('approve', 'Inventory Adjustment'), PostCountSheet: on('approve', 'Inventory Adjustment'), DropCountSheet: on('approve', 'Inventory Adjustment'), PrintCountSheet: on('view', 'Inventory Adjustment'),
  IsInventoryAllocated: atWork, GetStockRoomWiseNewQtyForInvoiceReturns: byRow('view'), VerifylotSeriesNo: atWork,
  GetBeside: byRow('view'), AddComment: byRow('write'), AttachFile: byRow('write'), GetAttachment: byRow('view'), RemoveAttachment: byRow('write'), GetSavedViews: signedIn, SaveView: signedIn, RemoveView: signedIn,
  SendInvoiceInMail: byRow('write'), ListMails: byRow('view'), GetMailedPaper: byRow('view'),
  ListRecurringBills: on('view', 'Purchase Bills', 'Sale Invoice'), SaveRecurringBill: on('write', 'Purchase Bills', 'Sale Invoice'), SetRecurringBill: on('write', 'Purchase Bills', 'Sale Invoice'),
  GetOpenItems: { action: 'view', screens: ({ side }) => ofSide(side) }, DocSeriesValidations: { action: 'read', screens: ({ Type }) => byKind(Type) },
  SaveAccountMaster: ofMaster('settings', 'ledger'), DeactivateAccountMaster: ofMaster('settings', 'ledger'), SaveLedger: ofMaster('settings', 'ledger'), GetAccountMaster: ofMaster('read', 'ledger'), GetGLList: ofMaster('read', 'ledger'), GetLedgerList: ofMaster('read', 'ledger'), GetChartOfAccounts: ofMaster('read', 'accountGroup'),
  SaveOpeningBalance: on('write', 'Opening Balance'), GetOrgBankData: ofMaster('read', 'bank'), GetLedgerEffects: ofMaster('read', 'ledgerPosting'), AddAccountingEffects: ofMaster('settings', 'ledgerPosting'), DeletePostings: ofMaster('settings', 'ledgerPosting'), GetTdsTcsMaster: signedIn,
  GetGLReport: ofReport('generalLedger'), GetSundryCreditorsOutstanding: ofReport('outstandingCreditors'), GetSundryDebtorsOutstanding: ofReport('outstandingDebtors'), GetProfitAndLossByQuarters: ofReport('profitAndLoss'), GetOpeningStockValues: on('view', 'allopeningstock'),
  GetCreditsListAganistParty: on('view', 'Sale Receipt', 'Payments'), GetLedgerAllocationList: on('view', 'Sale Receipt', 'Payments'), SavePartyCreditsAllocation: on('write', 'Sale Receipt', 'Payments'), AllcoateCreditsByTransactionId: on('write', 'Sale Receipt', 'Payments'),
  RunReport: reported, ExportReport: { ...reported, action: 'view' },
  GetPaymentGateway: on('read', 'General Configuration'), SavePaymentGateway: on('settings', 'General Configuration'), TestPaymentGateway: on('settings', 'General Configuration'), ListPayments: on('view', 'Sale Receipt'), BookPayment: on('write', 'Sale Receipt'),
  GetPaymentsOfDocument: byRow('view'), MakePaymentLink: byRow('write'), EndPaymentLink: byRow('write'),
  GetBankLedgers: on('read', 'CashBankList'), ReadBankStatement: on('write', 'CashBankList'), ImportBankStatement: on('write', 'CashBankList'), GetReconciliation: on('read', 'CashBankList'), GetMatched: on('read', 'CashBankList'), MatchBankLines: on('write', 'CashBankList'), UnmatchBankLines: on('write', 'CashBankList'),
  PostBankLine: on('write', 'CashBankList'), ListBankRules: on('read', 'CashBankList'), SaveBankRule: on('write', 'CashBankList'), OrderBankRules: on('write', 'CashBankList'), BounceReceipt: on('write', 'Sale Receipt'), DeleteBankRule: on('write', 'CashBankList'),
  ListExchangeRates: on('read', 'JournalVouchers'), GetExchangeRate: signedIn, SaveExchangeRate: on('settings', 'JournalVouchers'), DeleteExchangeRate: on('settings', 'JournalVouchers'), ReadExchangeRates: on('settings', 'JournalVouchers'), ImportExchangeRates: on('settings', 'JournalVouchers'),
  PreviewRevaluation: on('write', 'JournalVouchers'), PostRevaluation: on('write', 'JournalVouchers'), ListRevaluations: on('view', 'JournalVouchers'), TakeBackRevaluation: on('approve', 'JournalVouchers'),
  GetTaxWithheld: on('read', 'CashBankList'), ListTaxDeductions: on('read', 'CashBankList'), ListTaxChallans: on('read', 'CashBankList'), PostTaxChallan: on('write', 'CashBankList'), SaveChallanDetails: on('write', 'CashBankList'),
  ListTaxCertificates: on('read', 'CashBankList'), SaveTaxCertificate: on('write', 'CashBankList'), PrintTaxCertificate: on('read', 'CashBankList'), MailTaxCertificate: on('write', 'CashBankList'),
  GetYears: on('read', 'JournalVouchers'), PreviewYearEnd: on('approve', 'JournalVouchers'), CloseYear: on('approve', 'JournalVouchers'), ReopenYear: on('approve', 'JournalVouchers'),
  GetEInvoiceList: on('read', 'EInvoiceListView'), GetEInvoiceAttempts: byRow('view'), GetEInvoiceByteCode: signedIn, GenerateIRNNumber: byRow('write'), CancelIRNNumber: byRow('approve'),
  AddUpdateEInvoiceCredentials: on('settings', 'NIC Configuration'), GetEInvoiceClientCredentails: on('read', 'NIC Configuration'), TestEInvoiceCredentials: on('settings', 'NIC Configuration'),
  GetEWayBillList: on('read', 'E-Way Bill'), GetEWayBill: byRow('view'), GetEWayBillAttempts: byRow('view'), GenerateEWayBill: byRow('write'), GenerateEwayBillOnly: byRow('write'), UpdateEWayBillVehicle: byRow('write'), CancelEwayBills: byRow('approve'),
  GetEWayBillByteCode: signedIn, GetEWayBillOnlyByteCode: signedIn,
  SaveHelpContent: on('settings', 'General Configuration'), SaveDefaultHelp: forOperator,
  GetModulesListWithCost: on('read', 'subscriptions'), AddModulesForOrganisation: on('settings', 'subscriptions'), GetSubscription: on('read', 'subscriptions'), GetSupportDetails: signedIn, GetBroadcastDetails: signedIn,
  FoundOrganisation: signedIn, ListOrganisations: forOperator, ListOperators: forOperator, GiveOperator: forOperator, TakeOperator: forOperator,
  ListSubscriptionRequests: forOperator, DecideSubscriptionRequest: forOperator, ListBroadcasts: forOperator, SaveBroadcast: forOperator, EndBroadcast: forOperator,
  GetWorkFlows: on('read', 'General Configuration'), GetWorkFlowDefinitionById: on('read', 'General Configuration'), GetOMSWorkflowTemplateDetails: on('read', 'General Configuration'), GetActions: on('read', 'General Configuration'), minimal: on('read', 'General Configuration'),
  SaveWorkflow: on('settings', 'General Configuration'), UpdateWorkflow: on('settings', 'General Configuration'), PublishWorkflow: on('settings', 'General Configuration'), CancelWorkflow: on('settings', 'General Configuration'),
  // who may bring an order on is said by the roles of the action; by its number an order is found only among those that one may open
  GetWorkflowStatus: byRow('view'), SaveOrUpdateWorkflowStatus: byRow('view'), action: signedIn, 'next-actions': signedIn, start: signedIn, LogisticSubmit: byRow('write'), GetCommentsForTransaction: byRow('view'), SaveCommentsForTransaction: byRow('write'),
  GetInventoryDashboradData: signedIn, GetOrdersDashboardData: signedIn, GetNotifications: signedIn, DismissNotifications: signedIn,
};
