import { say } from '../../base/say.ts';
import type { AcceptedWarning, Draft, Id, Problem, Warning } from '../document.ts';
import { adjustmentsOfReturn, chargesOfReturn, chargesToKeep, givenWithoutGst } from './added.ts';
import { addedAfterTax, adjustedBill, adjustmentLedgers } from './adjustments.ts';
import {
  advanceOfRegistration,
  advanceOfServices,
  advancePlace,
  advanceToMerchantExporter,
  advanceZeroRated,
  taxedAdvanceBack,
  taxedAdvanceOnBill,
} from './advances.ts';
import { expiredBatch } from './batches.ts';
import { beforeLastNumber, duplicateBill, entryTwice } from './booked.ts';
import { supplyByHand, taxByHand } from './by-hand.ts';
import {
  cashBelowZero,
  cashNotOpened,
  cashPaid,
  cashReceived,
  cashSaleAboveLimit,
  cashSpentAboveLimit,
  cashSpentBelowZero,
  cashSpentNotOpened,
} from './cash.ts';
import { chargesAbovePayment, ledgerOfCharge, rateOfCharge, tillRateOfCharge } from './charges.ts';
import {
  type Checking,
  type CheckingPriced,
  type Finding,
  isSuppliersPaper,
  type PricedCheck,
  type TypedCheck,
  type Weight,
} from './check.ts';
import { documentOfCredit, suppliersNumberLong, supplierWithoutGst } from './credit.ts';
import { creditAboveBills, creditKept, creditLost, creditReversedTyped, creditShort } from './credit-lost.ts';
import { customsAsAssessed, customsTaxBeyondValue, entryOfTaxedBill } from './customs.ts';
import { beforeBooks, dateOfBooks, futureDate, openingLate, suppliersDate } from './dates.ts';
import { exchangeRateFar, exchangeRateOfMoney, exchangeRateOfNothing, restatementStale } from './exchange.ts';
import { ledgerOfFiledReturn } from './filed-ledger.ts';
import { foundRateFar, foundSold } from './found.ts';
import { hsnOfSupply, hsnUnlisted } from './hsn.ts';
import { goodsFromAbroad, goodsFromZone, importOfGoods, importOfServices } from './imports.ts';
import { invoicedLate, suppliedFarAhead } from './invoice-time.ts';
import {
  creditBlockedByLaw,
  notifiedReverseCharge,
  rateOfService,
  reverseChargeElsewhere,
  reverseChargeExempt,
  reverseChargeNonGst,
  reverseChargeOfGoods,
  reverseChargeOfGoodsBought,
  reverseChargeOfServices,
  reverseChargeOfServicesBought,
  reverseChargeRate,
  reverseChargeRateUnknown,
} from './inward.ts';
import { goodsForNothing, hsnOfItem, retailPriceAbove, retailPriceMissing, retailPriceOther } from './item-code.ts';
import {
  rateOfNothing,
  retailPriceOfGoods,
  taxOfItem,
  taxOfOriginal,
  tillTaxOfItem,
  toMerchantExporter,
} from './item-tax.ts';
import { keptLedger } from './kept.ts';
import { lettersWithoutFont } from './letters.ts';
import {
  datedWithinLimit,
  discountWithinLimit,
  forgivenWithinLimit,
  noteWithinLimit,
  tillDatedBeyondLimit,
  tillDiscountBeyondLimit,
} from './limits.ts';
import { noteOfZero } from './notes.ts';
import { openingAdvance } from './opening-advances.ts';
import { openedTwice, openingBillTwice } from './opening-bills.ts';
import {
  originalAgain,
  originalBooked,
  originalInRupees,
  originalNotCompared,
  originalTyped,
  originalUnknown,
  originalWanted,
  withoutSource,
} from './originals.ts';
import { placeOfPurchaseChosen, placeOfSupplyChosen, placeOfSupplyCode } from './place.ts';
import {
  buyerCancelled,
  buyerForPortal,
  buyerGone,
  buyerSuspended,
  ownForPortal,
  portalNear,
  portalTooLate,
  supplierGone,
} from './portal.ts';
import { portalDecimals, portalTax } from './portal-decimals.ts';
import { advanceRateInForce, bankChargesRate, cessInForce, rateInForce, supplyDays } from './rates.ts';
import { namesRetired } from './retired.ts';
import {
  abroadWithoutSection,
  impliedSectionMissing,
  impliedSectionNear,
  sectionOfPersons,
  sectionOfResidents,
} from './sections.ts';
import { setOff, setOffLedgers, setOffWithin } from './set-off.ts';
import { spentElsewhere } from './spent.ts';
import {
  billOfSupply,
  buyerNamedTwice,
  compositionWithinState,
  deemedExportOfGoods,
  noGst,
  ownRegistration,
  registrationStopped,
  reverseChargeBuyer,
  serviceElsewhere,
  serviceInRupees,
  shippingBillNumber,
  statusOfSource,
  withoutGstLikeSource,
  zeroRated,
} from './supply.ts';
import { creditBarred, creditReversal, creditReversalSaid, noteInLastMonth, noteInTime } from './time.ts';
import { transferOfService, transferValue, transferValueLow } from './transfer-value.ts';
import { unitDecimals } from './units.ts';
import {
  refundWithoutCredit,
  selfInvoiceLate,
  selfInvoiceWithoutSource,
  supplierWrites,
  voucherWithinPayment,
} from './vouchers.ts';
import { wayAddress } from './way.ts';
import { withPaymentOfTax } from './with-payment.ts';
import {
  billsWithoutSection,
  collectedDeposited,
  deductedAlready,
  goodsAboveThreshold,
  goodsWithoutSection,
  gstTdsAboveRate,
  gstTdsOfDeductor,
  scrapWithoutSection,
  tdsAboveSection,
  tdsAboveSections,
  tdsFarBelow,
  tdsOfMoneyAboveSection,
  tdsOfMoneyFarBelow,
  usedSectionMissing,
  usedSectionMissingOfMoney,
  usualSectionMissing,
  usualSectionOther,
} from './withheld.ts';

export { portalProblems } from './portal.ts';

/** The checks before a number is taken, one row each: the same in the editor and on the server. */
export const typedChecks: readonly TypedCheck[] = [
  lettersWithoutFont,
  namesRetired,
  dateOfBooks,
  beforeBooks,
  openingLate,
  futureDate,
  suppliersDate,
  datedWithinLimit,
  tillDatedBeyondLimit,
  forgivenWithinLimit,
  exchangeRateFar,
  foundRateFar,
  foundSold,
  exchangeRateOfMoney,
  restatementStale,
  chargesAbovePayment,
  cashBelowZero,
  cashNotOpened,
  cashReceived,
  cashPaid,
  beforeLastNumber,
  duplicateBill,
  entryTwice,
  openingBillTwice,
  openedTwice,
  openingAdvance,
  noGst,
  billOfSupply,
  statusOfSource,
  withoutGstLikeSource,
  ownRegistration,
  buyerNamedTwice,
  registrationStopped,
  reverseChargeBuyer,
  advanceRateInForce,
  bankChargesRate,
  advanceOfRegistration,
  advancePlace,
  taxedAdvanceBack,
  taxedAdvanceOnBill,
  supplyDays,
  suppliedFarAhead,
  chargesOfReturn,
  chargesToKeep,
  ledgerOfCharge,
  adjustmentLedgers,
  givenWithoutGst,
  originalTyped,
  originalBooked,
  originalNotCompared,
  originalUnknown,
  originalAgain,
  originalInRupees,
  withoutSource,
  supplierWrites,
  selfInvoiceLate,
  selfInvoiceWithoutSource,
  voucherWithinPayment,
  refundWithoutCredit,
  creditReversalSaid,
  shippingBillNumber,
  placeOfSupplyCode,
  placeOfSupplyChosen,
  placeOfPurchaseChosen,
  advanceZeroRated,
  advanceToMerchantExporter,
  setOff,
  keptLedger,
  spentElsewhere,
  setOffLedgers,
  setOffWithin,
  taxByHand,
  supplyByHand,
  rateOfNothing,
  retailPriceOfGoods,
  unitDecimals,
  transferOfService,
  expiredBatch,
  creditAboveBills,
  creditReversedTyped,
  creditLost,
  creditShort,
  creditKept,
  customsTaxBeyondValue,
  customsAsAssessed,
  entryOfTaxedBill,
  sectionOfPersons,
  sectionOfResidents,
  usualSectionMissing,
  usualSectionOther,
  usedSectionMissingOfMoney,
  tdsOfMoneyFarBelow,
  advanceOfServices,
  deductedAlready,
  tdsAboveSections,
  gstTdsAboveRate,
  gstTdsOfDeductor,
  tdsOfMoneyAboveSection,
  ledgerOfFiledReturn,
];
export const pricedChecks: readonly PricedCheck[] = [
  noteOfZero,
  exchangeRateOfNothing,
  adjustmentsOfReturn,
  adjustedBill,
  addedAfterTax,
  cashSpentBelowZero,
  cashSpentNotOpened,
  cashSaleAboveLimit,
  cashSpentAboveLimit,
  collectedDeposited,
  goodsAboveThreshold,
  goodsWithoutSection,
  tdsFarBelow,
  usedSectionMissing,
  abroadWithoutSection,
  impliedSectionMissing,
  impliedSectionNear,
  billsWithoutSection,
  scrapWithoutSection,
  tdsAboveSection,
  supplierWithoutGst,
  documentOfCredit,
  suppliersNumberLong,
  importOfGoods,
  goodsFromAbroad,
  importOfServices,
  goodsFromZone,
  reverseChargeElsewhere,
  notifiedReverseCharge,
  rateOfService,
  reverseChargeOfGoods,
  reverseChargeOfServices,
  reverseChargeOfGoodsBought,
  reverseChargeOfServicesBought,
  reverseChargeRate,
  reverseChargeRateUnknown,
  reverseChargeExempt,
  reverseChargeNonGst,
  creditBlockedByLaw,
  rateInForce,
  taxOfItem,
  taxOfOriginal,
  tillTaxOfItem,
  hsnOfItem,
  retailPriceAbove,
  retailPriceOther,
  retailPriceMissing,
  goodsForNothing,
  toMerchantExporter,
  serviceInRupees,
  deemedExportOfGoods,
  rateOfCharge,
  tillRateOfCharge,
  cessInForce,
  originalWanted,
  withPaymentOfTax,
  zeroRated,
  serviceElsewhere,
  compositionWithinState,
  hsnOfSupply,
  hsnUnlisted,
  portalDecimals,
  portalTax,
  creditBarred,
  invoicedLate,
  noteInTime,
  noteInLastMonth,
  creditReversal,
  ownForPortal,
  wayAddress,
  buyerForPortal,
  buyerCancelled,
  buyerGone,
  buyerSuspended,
  supplierGone,
  portalTooLate,
  portalNear,
  discountWithinLimit,
  noteWithinLimit,
  tillDiscountBeyondLimit,
  transferValue,
  transferValueLow,
];

/** Every code that a warning may have. */
export const warningCodes: ReadonlySet<string> = new Set([...typedChecks, ...pricedChecks].map(({ code }) => code));

export interface Found {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

/** What the checks of the draft find. */
export const checkTyped = (checking: Checking): Found =>
  gathered(typedChecks.map((check) => [check, check.find(checking), checking]));
/** What the checks of the priced document find. */
export const checkPriced = (checking: CheckingPriced): Found =>
  gathered(pricedChecks.map((check) => [check, check.find(checking), checking]));

type Result = readonly [
  check: { readonly code: string; readonly weight: Weight },
  Finding[] | readonly Finding[],
  Checking,
];

const gathered = (results: readonly Result[]): Found => {
  const problems: Problem[] = [];
  const warnings: Warning[] = [];
  for (const [{ code, weight }, findings, { kind }] of results) {
    const refused = weight === 'problem' || (weight === 'law' && !isSuppliersPaper(kind));
    for (const finding of findings)
      if (refused) problems.push(finding);
      else warnings.push({ code, ...finding, ...(weight !== 'warning' && { reason: 'needed' as const }) });
  }
  return { problems, warnings };
};

/** Of several reasons for one warning the last counts: who posts may give their own. */
const givenFor = (code: string, accepted: readonly AcceptedWarning[] = []): AcceptedWarning | undefined =>
  accepted.findLast(({ warning, reason }) => warning === code && reason.trim() !== '');

/** Warnings that still need a reason, as problems: each names its code. An unknown code is a problem of its own. */
export const unaccepted = ({ accepted }: Pick<Draft, 'accepted'>, warnings: readonly Warning[]): Problem[] => [
  ...warnings.flatMap((warning): Problem[] =>
    warning.reason === 'needed' && givenFor(warning.code, accepted) === undefined ? [warning] : [],
  ),
  ...(accepted ?? []).flatMap(({ warning }): Problem[] =>
    warningCodes.has(warning)
      ? []
      : [{ field: 'accepted', ...say('There is no warning called “{{warning}}”', { warning }) }],
  ),
];

/** The warnings as they are kept with the document: each with the reason that was given, and by whom. */
export const withReasons = (
  { accepted }: Pick<Draft, 'accepted'>,
  warnings: readonly Warning[],
): readonly (Omit<Warning, 'reason'> & { readonly reason?: string; readonly by?: Id })[] =>
  warnings.map(({ reason, ...warning }) => {
    const given = reason && givenFor(warning.code, accepted);
    return given ? { ...warning, reason: given.reason.trim(), ...(given.by && { by: given.by }) } : warning;
  });
