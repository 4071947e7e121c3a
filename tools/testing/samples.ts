import { randomUUID } from 'node:crypto';
import type { CallName, calls } from '../../contract/calls.ts';
import type { Sent } from '../../contract/contract.ts';
import { masterNames } from '../../contract/masters.ts';
import { reportOf } from '../../contract/reports.ts';
import type { Id } from '../../domain/document/document.ts';
import type { KindName } from '../../domain/document/kinds/index.ts';
import { openShop, type Shop, type Whose } from '../../e2e/kit/shop.ts';
import type { TestServer } from './server.ts';

/** Records of SHARMA that calls may be asked about. */
export interface SampleWorld {
  readonly shop: Shop;
  /** The cash and the bank ledger. */
  readonly cash: Id;
  readonly bank: Id;
  readonly posted: ReadonlyMap<KindName, Id>;
  readonly numbers: ReadonlyMap<string, string>;
  /** A record of each master that has one. */
  readonly firsts: ReadonlyMap<string, string>;
}

/** A shop with a document of each sort of screen: open to all, and needing a grant. */
export async function sampleWorld(server: TestServer, whose?: Whose, opened?: Shop): Promise<SampleWorld> {
  const shop = opened ?? (await openShop(server, whose));
  const [bank, cash] = [await shop.ledger('1121'), await shop.ledger('1110')];
  const line = { item: shop.item, quantity: '1', rate: '95' };
  const written = [
    { ledger: bank, debit: '5.00' },
    { ledger: cash, credit: '5.00' },
  ];
  const documents = {
    saleInvoice: { party: shop.customer, lines: [line] },
    cashSale: { lines: [line] },
    openingStock: { lines: [line] },
    manualJournal: { lines: written },
    gstAdjustment: { lines: written },
  } as const satisfies Partial<Record<KindName, object>>;
  const posted = new Map<KindName, Id>();
  const numbers = new Map<string, string>();
  for (const [kind, more] of Object.entries(documents)) {
    const { TransactionId, TransactionNumber } = await shop.post({ kind, ...more });
    posted.set(kind as KindName, TransactionId);
    numbers.set(kind, TransactionNumber);
  }
  const firsts = new Map<string, string>();
  for (const master of masterNames) {
    const { rows } = (await shop.owner.ask('ListMasters', { master, limit: 1 })) as { rows: { id: string }[] };
    if (rows[0]) firsts.set(master, rows[0].id);
  }
  return { shop, bank, cash, posted, numbers, firsts };
}

export type Samples = { readonly [N in CallName]: (of: string) => Sent<(typeof calls)[N]> };
const day = '2026-04-01';
const filters: Readonly<Record<string, string>> = { from: day, to: day, asOf: day, period: '042026', group: 'A.2d' };
const dated = { StartDate: day, EndDate: day };
const unknown = randomUUID();

/** The records, and what calls get of them. */
type SampleFacts = ReturnType<typeof factsOf>;

const factsOf = (world: SampleWorld) => {
  const { shop, bank, posted } = world;
  const given = { ...filters, ledger: bank, registration: shop.place.registration, location: shop.place.location };
  return {
    ...world,
    draft: (kind: string) => ({ kind, date: day, ...shop.place, lines: [] }),
    // a report refuses filters that it does not have
    reported: (report: string) => ({
      report,
      filters: Object.fromEntries(Object.entries(given).filter(([key]) => key in (reportOf(report)?.filters ?? {}))),
    }),
    recordOf: (master: string): string => world.firsts.get(master) ?? unknown,
    document: (kind: string): Id => posted.get(kind as KindName) ?? unknown,
  };
};

/** The session, its second factor and its preferences. */
const sessionSamples = ({ shop, firsts }: SampleFacts) =>
  ({
    GetSession: () => ({}),
    SwitchOrganisation: () => ({ OrgCode: 'SHARMA' }),
    ChooseLocations: () => ({ taxLocation: shop.place.location }),
    PinScreen: () => ({ screen: 'Units', pinned: false }),
    SavePreferences: () => ({ mode: 'dark', colour: '#0f766e', font: 'Roboto' }),
    SignOut: () => ({}),
    MakeSignInLink: () => ({ user: unknown }),
    MailSignInLink: () => ({ user: unknown }),
    GetSecondFactor: () => ({}),
    BeginSecondFactor: () => ({}),
    ConfirmSecondFactor: () => ({ code: '000000' }),
    RenewRecoveryCodes: () => ({ code: '000000' }),
    EndSecondFactor: () => ({ code: '000000' }),
    ResetSecondFactor: () => ({ user: unknown }),
    ExplainAccess: () => ({ user: firsts.get('user') ?? unknown, screen: 'Create Invoice' }),
    ChangePassword: () => ({ current: 'not the password', next: 'a longer pass phrase' }),
    ListSessions: () => ({}),
    EndSession: () => ({ id: unknown }),
    ListAccessTokens: () => ({}),
    MakeAccessToken: () => ({ name: 'Shop', scope: 'view', days: 30 }),
    RevokeAccessToken: () => ({ token: unknown }),
    ListWebhooks: () => ({}),
    MakeWebhook: () => ({ name: 'Shop', address: 'https://203.0.113.9/bahi', events: ['documentPosted'], kinds: [] }),
    PauseWebhook: () => ({ webhook: unknown, active: false }),
    RollWebhookSecret: () => ({ webhook: unknown }),
    DeleteWebhook: () => ({ webhook: unknown }),
    TestWebhook: () => ({ webhook: unknown }),
    ListWebhookDeliveries: () => ({ webhook: unknown }),
    SendWebhookAgain: () => ({ delivery: unknown }),
  }) satisfies Partial<Samples>;

/** Settings of the organisation, its locks and the returns that were filed. */
const settingsSamples = () =>
  ({
    GetStates: () => ({}),
    GetCountries: () => ({}),
    GetCurrencies: () => ({}),
    GetScreenList: () => ({}),
    GetScreenListByUser: () => ({}),
    GetGeneralConfigDetails: () => ({}),
    SaveGeneralConfigDetails: () => ({ values: {} }),
    GetTransactionExist: () => ({}),
    GetLocks: () => ({}),
    ListFilings: () => ({}),
    ListReturnsDue: () => ({}),
    GetOpenWork: () => ({}),
    GetFiledReturn: () => ({ registration: unknown, form: 'GSTR-1', period: '2026-10' }),
    MarkFiled: () => ({ registration: unknown, form: 'GSTR-1', period: '2026-10', filedOn: '2026-11-11', arn: '' }),
    UnmarkFiled: () => ({ registration: unknown, form: 'GSTR-1', period: '2026-10', reason: 'Marked by mistake' }),
    SaveLock: () => ({ through: null, reason: 'opened' }),
    GetOrgDetails: () => ({}),
    GetSetUp: () => ({}),
    MarkSetUpStep: () => ({ step: 'logo', mark: 'skipped' }),
    SaveOrganisation: () => ({
      name: 'Sharma',
      businessType: 'Trade',
      pan: '',
      phone: '',
      email: '',
      website: '',
      version: 0,
    }),
    GetLocationListByUserId: () => ({}),
    GetHelpContent: () => ({}),
  }) satisfies Partial<Samples>;

/** Records of every sort. */
const mastersSamples = ({ shop, firsts }: SampleFacts) =>
  ({
    GetPartyListForTransactions: () => ({}),
    GetItemListForTransactionsWithPagination: () => ({}),
    Pick: (master) => ({ master }),
    FindAnything: () => ({ search: 'asha' }),
    ListMasters: (master) => ({ master }),
    GetMaster: (master) => ({ master, id: firsts.get(master) ?? unknown }),
    GetRecordPage: (master) => ({ master, id: firsts.get(master) ?? unknown }),
    SaveMaster: (master) => ({ master, values: {} }),
    RetireMaster: (master) => ({ master, id: unknown, version: 1 }),
    GetHistory: (master) => ({ master, id: unknown }),
    GetEditLogEnd: () => ({}),
    FindDuplicates: () => ({ name: 'Asha Traders', id: shop.customer }),
    ListDuplicates: () => ({}),
    MergeParties: () => ({ stays: unknown, staysVersion: 1, goes: unknown, goesVersion: 1 }),
    GetTaxpayer: () => ({ gstin: '27AABCS4821K1Z9' }),
    ExportEditLog: () => ({ limit: 5 }),
    GetAdditionalFields: () => ({}),
    AddAddtionalFieldsContentDetails: () => ({ TransactionId: unknown, version: 1, additional: {} }),
  }) satisfies Partial<Samples>;

/** Users, roles, locations, number series and terms of the organisation. */
const organisationSamples = ({ shop, firsts }: SampleFacts) =>
  ({
    GetOrgSignUpScoring: () => ({}),
    GetModuleFlag: () => ({ ModuleName: 'Workflow' }),
    GetLogoDetails: () => ({}),
    AddLogoDetails: () => ({ content: '' }),
    UpdateBusinessType: () => ({ businessType: 'Trade', version: 0 }),
    GetOrgList: () => ({}),
    AddLocation: () => ({ values: {} }),
    EditLocation: () => ({ id: unknown, version: 1, values: {} }),
    AddNewUser: () => ({ values: {} }),
    UpdateUser: () => ({ id: unknown, version: 1, values: {} }),
    DeleteUser: () => ({ Id: unknown, version: 1 }),
    AddGroups: () => ({ values: {} }),
    GetGroupDetails: () => ({ Id: firsts.get('group') ?? unknown }),
    GetUserList: () => ({}),
    GetUserDetails: () => ({ Id: firsts.get('user') ?? unknown }),
    CompareExistingPassword: () => ({ password: 'Demo-Bahi-2026' }),
    GetRolesbyOrgId: () => ({}),
    GetUsersFromRoleId: () => ({ RoleId: firsts.get('role') ?? unknown }),
    GetBranchDetails: () => ({ code: 'BLR' }),
    GetBankDetails: () => ({}),
    BarcodeDisable: () => ({}),
    SaveDocNumber: () => ({ values: {} }),
    UpdateDocNumber: () => ({ id: unknown, version: 1, values: {} }),
    GetDocNumberById: () => ({ Id: firsts.get('numberSeries') ?? unknown }),
    GetDocNumList: () => ({}),
    CheckDocNumFormatExistence: () => ({
      Type: 'saleInvoice',
      registration: shop.place.registration,
      prefix: 'INV/{FY}/',
    }),
    DocPatternValidations: () => ({ Type: 'saleInvoice', registration: shop.place.registration, prefix: 'INV/{FY}/' }),
    GetNumbersGiven: () => ({ Id: firsts.get('numberSeries') ?? unknown }),
    DeleteDocnumSeries: () => ({ Id: unknown, version: 1 }),
    GetTermsAndConditionsList: () => ({}),
    GetTermsAndConditionsById: () => ({ Id: firsts.get('terms') ?? unknown }),
    SaveTermsAndConditions: () => ({ values: {} }),
    GenerateDocNumberForJournal: () => ({ registration: shop.place.registration }),
    GetLocationBranchDetailsByPartyId: () => ({ partyId: shop.customer }),
  }) satisfies Partial<Samples>;

/** Items with their pictures, variants and barcodes. */
const itemsSamples = ({ shop, document }: SampleFacts) =>
  ({
    GetItemView: () => ({ id: shop.item }),
    GetCategoryUsual: () => ({ category: unknown }),
    GetItemPictures: () => ({ item: shop.item }),
    SaveItemPicture: () => ({
      item: shop.item,
      content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    }),
    ShowItemPictureFirst: () => ({ id: unknown }),
    RemoveItemPicture: () => ({ id: unknown }),
    GetVariants: () => ({ item: shop.item }),
    SaveVariants: () => ({ item: shop.item, variants: [] }),
    ListBarcodes: () => ({}),
    FindBarcode: () => ({ code: '2000000000015' }),
    SaveBarcode: () => ({ item: unknown, barcode: '2000000000015' }),
    RemoveBarcode: () => ({ id: unknown }),
    GenerateBarcodes: () => ({ items: [unknown] }),
    LabelsOfDocument: (kind) => ({ TransactionId: document(kind) }),
    PrintLabels: () => ({ format: 'a4x40', labels: [{ id: unknown, count: 1 }] }),
    GetItemListForBarcodeWithPagination: () => ({}),
  }) satisfies Partial<Samples>;

/** Documents: lists, drafts, approval, posting, and what is beside them. */
const documentsSamples = ({ shop, bank, numbers, draft, document, recordOf }: SampleFacts) =>
  ({
    GetTransationsList: (Type) => ({ Type }),
    GetTransactionDetails: (TransactionType) => ({
      TransactionType,
      InvoiceNo: numbers.get(TransactionType) ?? 'none',
    }),
    GetTransactionDetailForInvoice: (kind) => ({ TransactionId: document(kind) }),
    GetTaxCalculation: (kind) => ({ draft: draft(kind) }),
    AddTransactionDetails: (kind) => ({ kind, body: {} }),
    AddtransactionItemDetails: () => ({ TransactionId: unknown, version: 1, lines: [] }),
    AddInvoicePartyMappingDetails: () => ({ TransactionId: unknown, version: 1, party: shop.customer }),
    AddInvoiceSummaryDetails: () => ({ TransactionId: unknown, version: 1 }),
    SubmitForApproval: () => ({ TransactionId: unknown, version: 1 }),
    WithdrawSubmission: () => ({ TransactionId: unknown, version: 1 }),
    RejectDocument: () => ({ TransactionId: unknown, version: 1, comment: 'Too much' }),
    UpdateOrderStatus: (kind) => ({ OrderId: document(kind), InvoiceId: document('saleInvoice') }),
    UpdateQuotationOnInvoiceGeneration: (kind) => ({ QuoteId: document(kind), InvoiceId: document('saleInvoice') }),
    VerifyOrderFulfiled: (kind) => ({ OrderId: document(kind) }),
    CloseOrder: (kind) => ({ TransactionId: document(kind), lines: [999], reason: 'Not made any more' }),
    ReopenOrder: (kind) => ({ TransactionId: document(kind), lines: [999] }),
    TaxCalculationForOMS: (kind) => ({ draft: draft(kind) }),
    PostTransactionCalls: (kind) => ({ document: draft(kind) }),
    CancelTransaction: (TransactionType) => ({ TransactionType, TransactionIds: [unknown] }),
    DeleteMultipleTransaction: () => ({ TransactionIds: [unknown], versions: [1] }),
    GetConversion: (kind) => ({ from: document('saleInvoice'), kind }),
    GetEditorFacts: () => ({ parties: [shop.customer], items: [shop.item], ledgers: [bank], date: day }),
    GetBeside: (kind) => ({ id: document(kind) }),
    AddComment: (kind) => ({ id: document(kind), text: 'Called, will pay on Monday' }),
    AttachFile: (kind) => ({ id: document(kind), name: 'note.txt', content: Buffer.from('Signed').toString('base64') }),
    GetAttachment: (kind) => ({ id: document(kind), number: 1 }),
    RemoveAttachment: (kind) => ({ id: document(kind), number: 1 }),
    GetRecordFiles: (master) => ({ master, id: recordOf(master) }),
    AttachToRecord: (master) => ({
      ...{ master, id: recordOf(master), name: 'note.txt' },
      content: Buffer.from('Signed').toString('base64'),
    }),
    GetRecordFile: (master) => ({ master, id: recordOf(master), number: 1 }),
    RemoveRecordFile: (master) => ({ master, id: recordOf(master), number: 1 }),
    GetSavedViews: () => ({ list: 'saleInvoice' }),
    SaveView: () => ({ list: 'saleInvoice', name: 'Overdue', query: { status: 'overdue' } }),
    RemoveView: () => ({ list: 'saleInvoice', name: 'Overdue' }),
    GetOpenItems: () => ({ party: shop.customer, side: 'receivable' }),
  }) satisfies Partial<Samples>;

/** Stock and its counting. */
const stockSamples = ({ shop, document }: SampleFacts) =>
  ({
    CUDInventory: () => ({ ...shop.place, date: day, reason: 'Count', lines: [{ item: unknown, delta: '1' }] }),
    ListCountSheets: () => ({}),
    GetCountSheet: () => ({ id: unknown }),
    MakeCountSheet: () => ({ location: unknown }),
    EnterCount: () => ({ id: unknown, line: 1, quantity: '1' }),
    ScanCount: () => ({ id: unknown, code: 'LED-9W' }),
    AddCountLine: () => ({ id: unknown, item: shop.item }),
    CountAgain: () => ({ id: unknown, version: 1, lines: [1] }),
    NoteCountLines: () => ({ id: unknown, lines: [] }),
    PostCountSheet: () => ({
      id: unknown,
      version: 1,
      date: day,
      reason: 'Physical count',
      uncounted: 'leave',
      value: '0.00',
    }),
    DropCountSheet: () => ({ id: unknown, version: 1, reason: 'Begun by mistake' }),
    PrintCountSheet: () => ({ id: unknown, what: 'sheet' }),
    GetInventoryQtyForTransactions: () => ({ item: shop.item }),
    GetInventoryQtyListForTransactionsSP: () => ({ items: [shop.item] }),
    CheckUpdatedInventoryForItemSKU: () => ({ lines: [{ sku: 'LED-9W', quantity: '1' }] }),
    ReleaseInventory: (kind) => ({ TransactionId: document(kind) }),
    CancelOrDeleteTransactionInventory: () => ({ TransactionIds: [unknown] }),
    CancelInvoiceListScreen: (TransactionType) => ({ TransactionType, TransactionIds: [unknown] }),
    GetItemBatchSerial: () => ({ item: shop.item }),
    PhysicalLocationInventory: () => ({ location: shop.place.location }),
    GetItemQtyForStockRoom: () => ({ item: shop.item, room: unknown }),
    GetPhysicalLocationIdForStockRoom: () => ({ room: unknown }),
    IsInventoryAllocated: () => ({ item: shop.item }),
    GetStockRoomWiseNewQtyForInvoiceReturns: (kind) => ({ TransactionId: document(kind) }),
    VerifylotSeriesNo: () => ({ item: shop.item, lots: 'A1' }),
  }) satisfies Partial<Samples>;

/** Papers and mails. */
const papersSamples = ({ document }: SampleFacts) =>
  ({
    PrintDocument: (kind) => ({ id: document(kind) }),
    PreviewPaper: () => ({ values: { size: 'A5' } }),
    SendInvoiceInMail: (kind) => ({
      TransactionIds: [document(kind)],
      to: ['asha@example.com'],
      subject: 'Your paper',
    }),
    ListMails: (kind) => ({ document: document(kind) }),
    GetMailedPaper: (kind) => ({ mail: unknown, document: document(kind) }),
    DocSeriesValidations: (Type) => ({ Type }),
  }) satisfies Partial<Samples>;

/** The till. */
const tillSamples = ({ shop, document }: SampleFacts) =>
  ({
    ListTills: () => ({}),
    ListTillSessions: () => ({}),
    OpenTill: () => ({ till: unknown, count: {} }),
    MoveTillCash: () => ({ session: unknown, direction: 'out', amount: '1.00', ledger: unknown, reason: 'Tea' }),
    TakeTill: () => ({ session: unknown, device: unknown }),
    AwaitTillNumbers: () => ({ session: unknown, device: unknown, date: '2026-11-21', before: 2 }),
    VoidTillNumber: () => ({ series: unknown, period: 'all', counter: 1, reason: 'Lost' }),
    GetTillSession: () => ({ session: unknown }),
    CloseTill: () => ({ session: unknown, count: {}, expected: '0.00' }),
    GetPictureThumbnails: () => ({ ids: [unknown] }),
    ListTillItems: () => ({}),
    ListTillPrices: () => ({ location: shop.place.location }),
    CancelPosTransaction: (kind) => ({ TransactionId: document(kind) }),
  }) satisfies Partial<Samples>;

/** Ledgers, credits and recurring bills. */
const booksSamples = ({ shop, bank, document }: SampleFacts) =>
  ({
    SaveAccountMaster: () => ({ values: {} }),
    GetAccountMaster: () => ({ Id: bank }),
    DeactivateAccountMaster: () => ({ Id: unknown, version: 1 }),
    GetGLList: () => ({}),
    SaveOpeningBalance: () => ({ document: { date: day, ...shop.place, lines: [] } }),
    GetOrgBankData: () => ({}),
    AddAccountingEffects: () => ({ effect: 'cash', ledger: unknown, version: 1 }),
    GetLedgerList: () => ({}),
    SaveLedger: () => ({ values: {} }),
    GetChartOfAccounts: () => ({}),
    GetTdsTcsMaster: () => ({}),
    GetLedgerEffects: () => ({}),
    DeletePostings: () => ({ effects: ['cash'] }),
    GetGLReport: () => ({ ledger: bank, FromDate: day, ToDate: day }),
    GetSundryCreditorsOutstanding: () => ({ party: shop.customer }),
    GetSundryDebtorsOutstanding: () => ({ party: shop.customer }),
    GetProfitAndLossByQuarters: () => ({}),
    GetOpeningStockValues: () => ({}),
    GetCreditsListAganistParty: () => ({ party: shop.customer }),
    SavePartyCreditsAllocation: () => ({ party: shop.customer, allocations: [] }),
    ListRecurringBills: () => ({}),
    SaveRecurringBill: () => ({
      source: document('saleInvoice'),
      name: 'Every month',
      first: '2099-01-31',
      every: 1,
      unit: 'month',
    }),
    SetRecurringBill: () => ({ id: unknown, version: 1, to: 'paused' }),
    AllcoateCreditsByTransactionId: () => ({ TransactionId: document('saleInvoice') }),
    GetLedgerAllocationList: () => ({ TransactionId: document('saleInvoice') }),
  }) satisfies Partial<Samples>;

/** Payments and bank statements. */
const bankingSamples = ({ shop, bank, cash, document }: SampleFacts) =>
  ({
    GetPaymentGateway: () => ({}),
    SavePaymentGateway: () => ({
      provider: 'sandbox',
      keyId: 'key',
      secret: 'secret',
      webhookSecret: 'word',
      settlementLedger: bank,
    }),
    TestPaymentGateway: () => ({}),
    GetPaymentsOfDocument: (kind) => ({ id: document(kind) }),
    MakePaymentLink: (kind) => ({ id: document(kind) }),
    EndPaymentLink: (kind) => ({ id: document(kind) }),
    ListPayments: () => ({}),
    BookPayment: () => ({ id: unknown }),
    GetBankLedgers: () => ({}),
    ReadBankStatement: () => ({ ledger: bank, content: 'Date,Narration,Amount' }),
    ImportBankStatement: () => ({
      ledger: bank,
      content: 'Date,Narration,Amount\n01/04/2026,Charges,-5.90',
      format: { date: 'Date', order: 'dmy', text: 'Narration', amount: 'Amount' },
    }),
    GetReconciliation: () => ({ ledger: bank }),
    MatchBankLines: () => ({ ledger: bank, matches: [{ date: day, entries: [{ document: unknown, leg: 1 }] }] }),
    UnmatchBankLines: () => ({ ledger: bank, entries: [{ document: unknown, leg: 1 }] }),
    GetMatched: () => ({ ledger: bank }),
    PostBankLine: () => ({ ledger: bank, line: unknown, way: 'receipt', party: shop.customer, ...shop.place }),
    ListBankRules: () => ({}),
    SaveBankRule: () => ({ holds: 'charges', way: 'contra', counter: cash }),
    DeleteBankRule: () => ({ id: unknown, version: 1 }),
    OrderBankRules: () => ({ ids: [unknown] }),
    BounceReceipt: () => ({ TransactionId: unknown, date: day, reason: 'Funds insufficient' }),
  }) satisfies Partial<Samples>;

/** Imports of masters: none was begun. */
const importSamples = () => {
  const which = { master: 'customer', id: unknown };
  return {
    GetImportTemplate: () => ({ master: 'customer', format: 'csv' as const }),
    ExportMaster: (master: string) => ({ master, format: 'csv' as const }),
    ListImports: () => ({}),
    BeginImport: () => ({ master: 'customer', name: 'Customers.csv', size: 10 }),
    SendImportPiece: () => ({ ...which, part: 1, content: 'TmFtZQ==' }),
    ReadImport: () => which,
    GetImport: () => which,
    MapImport: () => ({ ...which, version: 1, columns: ['name'], existing: 'keep' as const }),
    ListImportRows: () => which,
    MendImportRow: () => ({ ...which, row: 2, cells: ['Asha'] }),
    RunImport: () => which,
    StopImport: () => ({ ...which, how: 'pause' as const }),
    GetRefusedRows: () => which,
    UndoImport: () => which,
  } satisfies Partial<Samples>;
};

/** Exchange rates. */
const exchangeSamples = () =>
  ({
    ListExchangeRates: () => ({}),
    GetExchangeRate: () => ({ currency: 'USD', date: day }),
    SaveExchangeRate: () => ({ currency: 'USD', date: day, purpose: 'book', rate: '84.15', source: 'Reference rate' }),
    DeleteExchangeRate: () => ({ id: unknown, version: 1 }),
    ReadExchangeRates: () => ({ content: 'Date,Currency,Rate' }),
    ImportExchangeRates: () => ({ content: 'Date,Currency,Rate\n01-04-2026,EUR,98.20' }),
    PreviewRevaluation: () => ({ asOf: day }),
    PostRevaluation: () => ({ asOf: day, difference: '1.00' }),
    ListRevaluations: () => ({}),
    TakeBackRevaluation: () => ({ id: unknown, reason: 'the rate was mistyped' }),
  }) satisfies Partial<Samples>;

/** Tax withheld at source. */
const withheldSamples = ({ shop, bank }: SampleFacts) =>
  ({
    GetTaxWithheld: () => ({ tax: 'tds', year: '2026-27' }),
    ListTaxDeductions: () => ({ tax: 'tds', section: '194C', month: '2026-04' }),
    ListTaxChallans: () => ({ tax: 'tds', year: '2026-27' }),
    PostTaxChallan: () => ({
      tax: 'tds',
      section: '194C',
      head: '0020',
      date: day,
      moneyLedger: bank,
      ...shop.place,
      parts: [{ document: unknown, amount: '1.00' }],
    }),
    SaveChallanDetails: () => ({ id: unknown, version: 1, bsr: '0510308', serial: '12345' }),
    ListTaxCertificates: () => ({ tax: 'tds', year: '2026-27', quarter: 1 }),
    SaveTaxCertificate: () => ({ tax: 'tds', party: unknown, year: '2026-27', quarter: 1, number: 'ABCDEFG' }),
    PrintTaxCertificate: () => ({ tax: 'tds', party: unknown, year: '2026-27', quarter: 1 }),
    MailTaxCertificate: () => ({
      tax: 'tds',
      party: unknown,
      year: '2026-27',
      quarter: 1,
      to: ['asha@example.com'],
      subject: 'Your certificate',
    }),
  }) satisfies Partial<Samples>;

/** Closing of a year, and reports. */
const reportsSamples = ({ reported }: SampleFacts) =>
  ({
    GetYears: () => ({}),
    PreviewYearEnd: () => ({ year: '2020-21' }),
    CloseYear: () => ({ year: '2020-21', profit: '1.00' }),
    ReopenYear: () => ({ year: '2020-21', reason: 'a bill came late' }),
    RunReport: reported,
    ExportReport: (report) => ({ ...reported(report), format: 'csv' }),
  }) satisfies Partial<Samples>;

/** Workflows of orders. */
const workflowSamples = ({ document }: SampleFacts) =>
  ({
    GetWorkFlows: () => ({}),
    GetWorkFlowDefinitionById: () => ({ id: unknown }),
    GetOMSWorkflowTemplateDetails: () => ({}),
    GetActions: () => ({ TransactionType: 'PO' }),
    SaveWorkflow: () => ({
      TransactionType: 'purchaseOrders',
      name: '',
      stages: [],
      actions: [
        {
          key: 'approve',
          label: 'Approve',
          from: '',
          to: '',
          roles: [],
          needsComment: false,
          confirmText: '',
          destructive: false,
        },
      ],
    }),
    UpdateWorkflow: () => ({ id: unknown, revision: 1, name: 'Plain', stages: [], actions: [] }),
    PublishWorkflow: () => ({ id: unknown, revision: 1 }),
    CancelWorkflow: () => ({ id: unknown, revision: 1 }),
    minimal: () => ({ version: 1, documentType: 'PO' }),
    GetWorkflowStatus: (kind) => ({ TransactionId: document(kind) }),
    SaveOrUpdateWorkflowStatus: (kind) => ({ TransactionId: document(kind), action: 'approve' }),
    LogisticSubmit: (kind) => ({ TransactionId: document(kind), carrier: 'Blue Dart' }),
    GetCommentsForTransaction: (kind) => ({ TransactionId: document(kind) }),
    SaveCommentsForTransaction: (kind) => ({ TransactionId: document(kind), text: 'Seen' }),
    start: () => ({ documentNumber: 'PO/NONE', documentType: 'PO' }),
    action: () => ({ documentNumber: 'PO/NONE', action: 'approve' }),
    'next-actions': () => ({ documentNumber: 'PO/NONE' }),
  }) satisfies Partial<Samples>;

/** The home screen. */
const homeSamples = () =>
  ({
    GetInventoryDashboradData: () => dated,
    GetOrdersDashboardData: () => dated,
    GetNotifications: () => ({}),
    DismissNotifications: () => ({}),
  }) satisfies Partial<Samples>;

/** E-invoices and e-way bills. */
const portalsSamples = ({ shop, document }: SampleFacts) =>
  ({
    GetEInvoiceList: () => ({}),
    GetEInvoiceAttempts: (kind) => ({ id: document(kind) }),
    GetEInvoiceByteCode: () => ({ IrnNumber: 'f'.repeat(64) }),
    GenerateIRNNumber: (kind) => ({ ids: [document(kind)] }),
    CancelIRNNumber: (kind) => ({ id: document(kind), reason: '2', remark: 'typed twice' }),
    AddUpdateEInvoiceCredentials: () => ({
      registration: shop.place.registration,
      clientId: 'client',
      clientSecret: 'secret',
      userName: 'user',
      password: 'word',
    }),
    GetEInvoiceClientCredentails: () => ({}),
    GetEWayBillList: () => ({}),
    GetEWayBill: (kind) => ({ id: document(kind) }),
    GetEWayBillAttempts: (kind) => ({ id: document(kind) }),
    GenerateEWayBill: (kind) => ({ id: document(kind), transport: { distance: 0 } }),
    GenerateEwayBillOnly: (kind) => ({ id: document(kind), transport: { distance: 0 } }),
    UpdateEWayBillVehicle: (kind) => ({
      id: document(kind),
      mode: '1',
      vehicle: 'KA01AB1234',
      place: 'Bengaluru',
      state: '29',
      reason: '4',
    }),
    CancelEwayBills: (kind) => ({ ids: [document(kind)], reason: '2', remark: 'typed twice' }),
    GetEWayBillByteCode: () => ({ EWayBillNo: '1'.repeat(12) }),
    GetEWayBillOnlyByteCode: () => ({ EWayBillNo: '1'.repeat(12) }),
    TestEInvoiceCredentials: () => ({ registration: shop.place.registration }),
  }) satisfies Partial<Samples>;

/** Help, modules, and the operators of the installation. */
const installationSamples = () =>
  ({
    SaveHelpContent: () => ({ screenId: '148', content: [{ question: 'Who?', answer: 'You' }] }),
    SaveDefaultHelp: () => ({ screenId: '148', content: [] }),
    GetModulesListWithCost: () => ({}),
    AddModulesForOrganisation: () => ({ ModuleIds: [99] }),
    GetSubscription: () => ({}),
    GetSupportDetails: () => ({}),
    GetBroadcastDetails: () => ({}),
    FoundOrganisation: () => ({
      name: 'Kaveri Traders',
      code: 'KAVERI',
      line1: '12 Residency Road',
      city: 'Bengaluru',
      pincode: '1',
    }),
    ListOrganisations: () => ({}),
    ListOperators: () => ({}),
    GiveOperator: () => ({ email: 'nobody@sharma.demo' }),
    TakeOperator: () => ({ person: unknown }),
    ListSubscriptionRequests: () => ({}),
    DecideSubscriptionRequest: () => ({ organisation: 1, request: unknown, version: 1, approve: true }),
    ListBroadcasts: () => ({}),
    SaveBroadcast: () => ({ title: 'Tonight', floatingMessage: 'We are away', validTo: '2020-01-01T00:00:00Z' }),
    EndBroadcast: () => ({ id: unknown }),
  }) satisfies Partial<Samples>;

/** What each call is asked; what varies is a kind, a master or a report. Leave a call out and it does not compile. */
export function samplesOf(world: SampleWorld): Samples {
  const facts = factsOf(world);
  return {
    ...sessionSamples(facts),
    ...settingsSamples(),
    ...mastersSamples(facts),
    ...organisationSamples(facts),
    ...itemsSamples(facts),
    ...documentsSamples(facts),
    ...stockSamples(facts),
    ...papersSamples(facts),
    ...tillSamples(facts),
    ...booksSamples(facts),
    ...bankingSamples(facts),
    ...importSamples(),
    ...exchangeSamples(),
    ...withheldSamples(facts),
    ...reportsSamples(facts),
    ...workflowSamples(facts),
    ...homeSamples(),
    ...portalsSamples(facts),
    ...installationSamples(),
  };
}
