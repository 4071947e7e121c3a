// biome-ignore-all format: a table reads best with a row on a line
import type { Id } from './document.ts';

/** The parts of postings that an organisation points at a ledger (Ledger postings), with the account of the default chart. */
export const effects = {
  receivable: ['Trade receivables', '1210'], receivableOverseas: ['Trade receivables, overseas', '1211'], receivableRetail: ['Trade receivables, retail customers', '1212'],
  payable: ['Trade payables', '2120'], payableMicroSmall: ['Trade payables, micro and small enterprises', '2110'], payableOverseas: ['Trade payables, overseas', '2130'],
  cash: ['Cash', '1110'], bank: ['Bank', '1121'], clearing: ['UPI and card settlement', '1130'],
  salesGoods: ['Sales of goods', '4110'], salesExempt: ['Sales, exempt, nil rated or non-GST', '4111'], salesExport: ['Export sales', '4112'], salesSez: ['Sales to SEZ and deemed exports', '4113'], salesRetail: ['Retail sales', '4114'],
  salesService: ['Sales of services', '4120'], salesServiceExport: ['Export of services', '4121'], salesScrap: ['Scrap sales', '4130'], charges: ['Freight and other charges recovered', '4140'],
  salesReturn: ['Sales returns', '4180'], salesDiscount: ['Rate differences allowed, with GST', '4190'], commercialDiscount: ['Discount allowed, without GST', '6490'],
  outputCgst: ['Output CGST', '2211'], outputSgst: ['Output SGST/UTGST', '2212'], outputIgst: ['Output IGST', '2213'], outputCess: ['Output cess', '2214'],
  inputCgst: ['Input CGST', '1411'], inputSgst: ['Input SGST/UTGST', '1412'], inputIgst: ['Input IGST', '1413'], inputCess: ['Input cess', '1414'],
  reverseCgst: ['Reverse charge CGST payable', '2221'], reverseSgst: ['Reverse charge SGST/UTGST payable', '2222'], reverseIgst: ['Reverse charge IGST payable', '2223'], reverseCess: ['Reverse charge cess payable', '2224'],
  gstRefund: ['GST refund receivable', '1442'], gstOnAdvances: ['GST paid on advances', '1441'], receivableRestated: ['Trade receivables, overseas, restated', '1213'], payableRestated: ['Trade payables, overseas, restated', '2131'], advanceCustomer: ['Advances from customers', '2150'], advanceSupplier: ['Advances to suppliers', '1510'],
  tdsReceivable: ['TDS receivable', '1431'], tcsReceivable: ['TCS receivable', '1432'], gstTdsReceivable: ['GST TDS receivable', '1433'],
  tdsContractor: ['TDS payable, contractors', '2231'], tdsProfessional: ['TDS payable, professional fees', '2232'], tdsCommission: ['TDS payable, commission', '2233'], tdsRent: ['TDS payable, rent', '2234'], tdsGoods: ['TDS payable, purchase of goods', '2235'], tdsOther: ['TDS payable, other', '2237'],
  tcsPayable: ['TCS payable', '2241'], statutoryInterest: ['Interest, late fee and penalty on statutory dues', '6530'], customsPayable: ['Customs duty payable', '2250'], customsDuty: ['Customs duty', '5220'], vatAbroad: ['Value added tax payable abroad', '2264'],
  stock: ['Stock-in-trade', '1310'], cogs: ['Cost of goods sold', '5310'], stockAdjustment: ['Stock adjustment', '5330'],
  purchase: ['Purchases', '5110'], purchaseImport: ['Purchases, imports', '5111'], purchaseExempt: ['Purchases, exempt or unregistered', '5112'], purchaseReturn: ['Purchase returns', '5130'], purchaseDiscount: ['Rate differences received, with GST', '5140'],
  interBranch: ['Inter-branch control', '1560'], branchTransfer: ['Branch transfer of stock', '5340'],
  roundOff: ['Round off', '6990'], cashDifference: ['Cash short or over', '6495'], fxGain: ['Exchange gain', '4230'], fxLoss: ['Exchange loss', '6510'], bankCharges: ['Bank charges', '6230'], discountReceived: ['Discount received', '4220'], discountAllowed: ['Cash discount allowed', '6490'], badDebt: ['Bad debts written off', '6500'], writeBack: ['Balances written back', '4260'],
  openingDifference: ['Opening balance difference', '3250'], retainedEarnings: ['Retained earnings', '3230'],
} as const satisfies Record<string, readonly [label: string, code: string]>;

export type Effect = keyof typeof effects;
export const effectNames = Object.keys(effects) as readonly Effect[];

/** Where each effect goes in one organisation. */
export type Ledgers = Readonly<Record<Effect, Id>>;
