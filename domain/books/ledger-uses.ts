import { type Said, say } from '../base/say.ts';
import type { Id } from '../document/document.ts';
import { type Effect, effectNames, effects, type Ledgers } from './effects.ts';

export type Nature = 'asset' | 'liability' | 'equity' | 'income' | 'expense';

/** Which ledgers a use takes. */
export interface LedgerUse {
  /** Left out: every nature. */
  readonly natures?: readonly Nature[];
  /** Left out: money or not. */
  readonly money?: boolean;
  /**
   * What the ledger is kept for. Two effects share a ledger only where this is the same for both, and a use without it takes
   * no ledger that is kept for something.
   */
  readonly keeps?: string;
  /** Of the default chart only ledgers of these roles; ledgers that an organisation adds have none, and may be used. */
  readonly roles?: readonly string[];
  /** Ledgers that are kept in another currency too. */
  readonly currencies?: true;
  /** Entries of it say something together with other records: after the first one it stays on its ledger. */
  readonly fixed?: true;
}

const kept = (keeps: string, natures: readonly Nature[], ...roles: readonly string[]): LedgerUse => ({
  ...{ keeps, natures, roles, money: false, fixed: true },
});
const asset: readonly Nature[] = ['asset'];
const liability: readonly Nature[] = ['liability'];
const money: LedgerUse = { keeps: 'money', natures: ['asset', 'liability'], money: true };
const income: LedgerUse = { natures: ['income'], money: false };
const expense: LedgerUse = { natures: ['expense'], money: false };
/** What may be shown on either side of the profit and loss account. */
const result: LedgerUse = { natures: ['income', 'expense'], money: false };
const equity: LedgerUse = { natures: ['equity'], money: false };
/** Sections may share a ledger: a challan pays by section, not by ledger. */
const withheld = kept('tds', liability, 'tds_payable');

/** Ledgers that documents between branches move on both sides at once: a written journal would leave one side alone. */
export const betweenBranches: readonly Effect[] = ['interBranch', 'branchTransfer'];

/** What open balances abroad are worth more or less on a day: the restatement alone moves it, and takes it back. */
export const restated: readonly Effect[] = ['receivableRestated', 'payableRestated'];

/** Where each effect may go. */
export const effectUses: Readonly<Record<Effect, LedgerUse>> = {
  receivable: kept('receivable', asset, 'receivable', 'receivable_fx'),
  receivableOverseas: kept('receivableOverseas', asset, 'receivable', 'receivable_fx'),
  receivableRetail: kept('receivableRetail', asset, 'receivable', 'receivable_fx'),
  payable: kept('payable', liability, 'payable', 'payable_mse', 'payable_fx'),
  payableMicroSmall: kept('payableMicroSmall', liability, 'payable', 'payable_mse', 'payable_fx'),
  payableOverseas: kept('payableOverseas', liability, 'payable', 'payable_mse', 'payable_fx'),
  cash: money,
  bank: money,
  clearing: money,
  salesGoods: income,
  salesExempt: income,
  salesExport: income,
  salesSez: income,
  salesRetail: income,
  salesService: income,
  salesServiceExport: income,
  salesScrap: income,
  charges: result,
  salesReturn: result,
  salesDiscount: result,
  commercialDiscount: result,
  outputCgst: kept('outputCgst', liability, 'gst_out_cgst'),
  outputSgst: kept('outputSgst', liability, 'gst_out_sgst'),
  outputIgst: kept('outputIgst', liability, 'gst_out_igst'),
  outputCess: kept('outputCess', liability, 'gst_out_cess'),
  inputCgst: kept('inputCgst', asset, 'gst_in_cgst'),
  inputSgst: kept('inputSgst', asset, 'gst_in_sgst'),
  inputIgst: kept('inputIgst', asset, 'gst_in_igst'),
  inputCess: kept('inputCess', asset, 'gst_in_cess'),
  reverseCgst: kept('reverseCgst', liability, 'gst_rcm_cgst'),
  reverseSgst: kept('reverseSgst', liability, 'gst_rcm_sgst'),
  reverseIgst: kept('reverseIgst', liability, 'gst_rcm_igst'),
  reverseCess: kept('reverseCess', liability, 'gst_rcm_cess'),
  gstRefund: kept('gstRefund', asset, 'gst_refund'),
  gstOnAdvances: kept('gstOnAdvances', asset, 'gst_on_advances'),
  receivableRestated: kept('receivableRestated', asset, 'receivable_restated'),
  payableRestated: kept('payableRestated', liability, 'payable_restated'),
  advanceCustomer: kept('advanceCustomer', liability, 'advance_customer'),
  advanceSupplier: kept('advanceSupplier', asset, 'advance_supplier'),
  tdsReceivable: kept('tdsReceivable', asset, 'tds_receivable'),
  tcsReceivable: kept('tcsReceivable', asset, 'tcs_receivable'),
  gstTdsReceivable: kept('gstTdsReceivable', asset, 'gst_tds_receivable'),
  tdsContractor: withheld,
  tdsProfessional: withheld,
  tdsCommission: withheld,
  tdsRent: withheld,
  tdsGoods: withheld,
  tdsOther: withheld,
  tcsPayable: kept('tcsPayable', liability, 'tcs_payable'),
  statutoryInterest: expense,
  customsPayable: kept('customsPayable', liability, 'customs_payable'),
  customsDuty: expense,
  vatAbroad: kept('vatAbroad', liability, 'vat_abroad'),
  stock: kept('stock', asset, 'stock'),
  cogs: expense,
  stockAdjustment: expense,
  purchase: expense,
  purchaseImport: expense,
  purchaseExempt: expense,
  purchaseService: expense,
  purchaseReturn: result,
  purchaseDiscount: result,
  interBranch: kept('interBranch', ['asset', 'liability'], 'inter_branch'),
  branchTransfer: kept('branchTransfer', ['asset', 'liability'], 'branch_transfer'),
  roundOff: result,
  cashDifference: result,
  fxGain: result,
  fxLoss: result,
  bankCharges: expense,
  discountReceived: result,
  discountAllowed: result,
  badDebt: expense,
  writeBack: income,
  openingDifference: equity,
  retainedEarnings: equity,
};

/** Fields of documents and masters that name a ledger of their own choice. Journals take every ledger. */
export const fieldUses = {
  /** Expense lines, charges, adjustments after tax, and the usual ledgers of items and parties. */
  lineLedger: { money: false },
  /** The ledger of a bank account, and where money of documents goes. */
  moneyLedger: { money: true, currencies: true },
  /** Where cash of a till goes to, or comes from, beside bills: a bank too. */
  cashMovedLedger: {},
} as const satisfies Readonly<Record<string, LedgerUse>>;
export type FieldUse = keyof typeof fieldUses;

/** What is usual of the tax on what is bought on a ledger; a line says otherwise. */
export interface LedgerTax {
  readonly hsn?: string;
  /** No input tax is credited (CGST Act section 17(5)). */
  readonly creditBlocked?: boolean;
}

/** A ledger as its uses ask about it; what is left out is not asked. */
export interface LedgerSeen {
  readonly nature?: Nature;
  readonly role?: string | null;
  readonly currency?: string | null;
  /** Cash, bank, clearing or undeposited funds. */
  readonly money: boolean;
  /** The other effects that go to it. */
  readonly effects: readonly Effect[];
  /** Something was posted to it, by another use. */
  readonly used?: boolean;
}

const natureNames: Readonly<Record<Nature, string>> = {
  asset: 'assets',
  liability: 'liabilities',
  equity: 'equity',
  income: 'income',
  expense: 'expenses',
};
/** The natures that a use takes, in words: "assets or liabilities". */
export const naturesInWords = (natures: readonly Nature[]): string =>
  natures.map((nature) => natureNames[nature]).join(' or ');

/** What a ledger is kept for that a use of it does not go to; of money its own flag says more. */
const keptForOther = ({ keeps }: LedgerUse, { effects: all }: LedgerSeen): Effect | undefined =>
  all.find((effect) => !effectUses[effect].money && effectUses[effect].keeps !== keeps);

/** Why a use does not take a ledger, with what to do; undefined where it does. */
export function unfit(use: LedgerUse, ledger: LedgerSeen): Said | undefined {
  const { natures, money: isMoney, roles, fixed, currencies } = use;
  const { nature, role, currency, used } = ledger;
  if (nature && natures && !natures.includes(nature))
    return say('Choose a ledger of {{natures}}', { natures: naturesInWords(natures) });
  const other = keptForOther(use, ledger);
  if (other !== undefined)
    return say('This ledger is kept for “{{effect}}”: choose another', { effect: effects[other][0] });
  if (isMoney === true && !ledger.money) return say('Choose a bank or cash ledger');
  if (isMoney === false && ledger.money) return say('This is a bank or cash ledger: choose another');
  if (currency && !currencies)
    return say('This ledger is kept in {{currency}}: choose one that is kept in rupees', { currency });
  if (role && roles && !roles.includes(role))
    return say('The default chart has this ledger for something else: choose another, or add a ledger for it');
  if (fixed && used)
    return say('This ledger has entries already: choose one without entries, so that it shows nothing else');
  return undefined;
}

/** The same of a ledger that an item names for its lines. */
export function unfitOfItem(item: string, ledger: LedgerSeen): Said | undefined {
  const { money, currency } = ledger;
  const other = keptForOther(fieldUses.lineLedger, ledger);
  if (other !== undefined)
    return say('{{item}} is posted to a ledger that is kept for “{{effect}}”: give it another one', {
      item,
      effect: effects[other][0],
    });
  if (money) return say('{{item}} is posted to a bank or cash ledger: give it another one', { item });
  return currency
    ? say('{{item}} is posted to a ledger that is kept in {{currency}}: give it another one', { item, currency })
    : undefined;
}

/** The ledgers that effects are kept on, each with one of these. Money is known by its ledgers. */
export const keptLedgers = (ledgers: Ledgers): ReadonlyMap<Id, Effect> =>
  new Map(
    effectNames.flatMap((effect): [Id, Effect][] => {
      const { keeps, money: isMoney } = effectUses[effect];
      return keeps !== undefined && !isMoney && ledgers[effect] ? [[ledgers[effect], effect]] : [];
    }),
  );
