import { compareDays, dayInWords, isDay } from '../base/dates.ts';
import { HUNDRED_PERCENT, MOST_PAISE, ONE, percentText, rupeesText } from '../base/decimal.ts';
import { paise, sum, zero } from '../base/money.ts';
import { type Said, say } from '../base/say.ts';
import { controlProblems, lineLedgerProblems } from '../books/controls.ts';
import { currencyProblems } from '../books/currency-ledgers.ts';
import { appliesCredit, comesThroughBank, mayHaveGap } from '../books/legs.ts';
import { moneyLedgerProblems } from '../books/money-ledgers.ts';
import { bankReceived, moneySettled } from '../books/posting.ts';
import { gstTdsRate } from '../facts/withholding.ts';
import { partProblems } from '../stock/parts.ts';
import { advanceProblems } from '../tax/advances.ts';
import { reasonContradicted, reasonProblem } from '../tax/credit-lost.ts';
import { needsIrn } from '../tax/gst/portal/irn.ts';
import { hasGst, isRegular } from '../tax/gst/registration/registered.ts';
import { isReasonOf } from '../tax/gst/returns/documents-issued.ts';
import { isVatNumber, RIYAL } from '../tax/saudi-vat.ts';
import { highestTdsRate, sectionProblems } from '../tax/withheld.ts';
import { checkPriced, checkTyped } from './checks/index.ts';
import type { Day, Discount, Draft, DraftCharge, DraftLine, Priced, Pricing, Problem, Warning } from './document.ts';
import { heldProblems } from './holds.ts';
import { correctsSource, kindCalled } from './kinds/index.ts';
import type { FieldName, Kind } from './kinds/kind.ts';
import { withPartyThen } from './party-then.ts';
import { price } from './price.ts';
import { type Facts, hasNoPrice, type ItemFacts, type PartyFacts, proposed, resolve } from './resolve.ts';
import { checkSources, isPricedFromSource, sourceKey, takesRateOfSources, withSources } from './sources.ts';
import { switchProblems } from './switches.ts';

/** What a user can mend in a draft before it is posted, each with its field; the same list in the editor and on the server. */
export const check = (kind: Kind, draft: Draft, facts: Facts, today: Day): Problem[] =>
  checked(kind, draft, facts, today).problems;

export interface Checked {
  readonly problems: Problem[];
  /** What it is posted with all the same, or with a reason. */
  readonly warnings: Warning[];
  /** The draft added up, where it had to be for the check: who goes on with the same facts need not do it again. */
  readonly added?: { readonly pricing: Pricing; readonly priced: Priced };
}

/** The same with what was added up on the way. */
export function checked(kind: Kind, given: Draft, known: Facts, today: Day): Checked {
  const draft = withSources(kind, given, known);
  const facts = withPartyThen(kind, draft, { ...known, today });
  const problems: Problem[] = [];
  const wrong = (field: string, message: Said, row?: number) =>
    problems.push({ field, ...message, ...(row !== undefined && { row }) });
  problems.push(...heldProblems(kind, given));
  head(kind, draft, facts, today, wrong);
  settlement(kind, draft, wrong);
  linesOf[kind.lines.of](draft, facts, wrong, kind, today);
  checkSources(kind, draft, facts, wrong);
  problems.push(
    ...partProblems(kind, draft, facts),
    ...ledgerProblems(kind, draft, facts),
    ...currencyProblems(kind, draft, facts),
    ...switchProblems(kind, draft, facts.switches),
    ...advanceProblems(kind, draft, facts.advance),
    ...sectionProblems(kind, draft),
    ...negativeProblems(draft),
  );
  const checking = { kind, draft, facts, today };
  const typed = checkTyped(checking);
  problems.push(...typed.problems);
  const warnings = [...typed.warnings];
  if (problems.length > 0 || (kind.lines.of !== 'items' && kind.lines.of !== 'expenses')) return { problems, warnings };
  const pricing = resolve(kind, draft, facts);
  const priced = price(pricing);
  sums(draft, priced, wrong);
  buyer(kind, draft, facts, priced, wrong);
  const found = checkPriced({ ...checking, pricing, priced });
  problems.push(...found.problems);
  warnings.push(...found.warnings);
  return { problems, warnings, added: { pricing, priced } };
}

/**
 * What is wrong with the ledgers named: one that is kept in step with something else has that said alone, not also
 * that it holds no money.
 */
function ledgerProblems(kind: Kind, draft: Draft, facts: Facts): Problem[] {
  const kept = controlProblems(kind, draft, facts);
  const isSaid = ({ field, row }: Problem): boolean => kept.some((one) => one.field === field && one.row === row);
  const others = [...lineLedgerProblems(kind, draft, facts), ...moneyLedgerProblems(kind, draft, facts)];
  return [...kept, ...others.filter((one) => !isSaid(one))];
}

type Head = (kind: Kind, draft: Draft, facts: Facts, today: Day, wrong: Wrong) => void;

const head: Head = (kind, draft, facts, today, wrong) => {
  const has = (field: FieldName): boolean => kind.fields.includes(field);
  if (!isDay(draft.date)) return wrong('date', say('Enter a date'));
  if (kind.party.required && !draft.party) wrong('party', say('Choose the {{side}}', { side: kind.party.side }));
  if (draft.party && !facts.party) wrong('party', say('This party does not exist any more'));
  if (facts.party && kind.party.from) abroad(kind, facts.party, wrong);
  // rule 46: a GST document is dated when it is issued
  if (kind.numbering.gst && compareDays(draft.date, today) > 0)
    wrong('date', say('A GST document is not dated in the future'));
  if (draft.dueDate && draft.dueDate < draft.date) wrong('dueDate', say('The due date is not before the date'));
  // a consumer cannot be made to pay tax to the government (section 9(3) speaks of recipients in business); an
  // e-commerce operator can (section 9(5))
  const through = draft.fields?.ecommerceGstin;
  if (kind.gst.tax === 'output' && draft.reverseCharge && facts.party?.category === 'unregistered' && !through)
    wrong('reverseCharge', say('A sale to a consumer is never under reverse charge'));
  const isLeftOut = draft.exchangeRate === 0 && takesRateOfSources(kind, draft);
  if (draft.exchangeRate <= 0 && !isLeftOut) wrong('exchangeRate', noRate(draft));
  else if (draft.currency === 'INR' && draft.exchangeRate !== ONE) wrong('exchangeRate', say('A rupee is one rupee'));
  if (draft.currency !== 'INR' && !has('currency'))
    wrong(
      'currency',
      say('This {{kind}} is in rupees: for another currency use an overseas purchase or an export invoice', {
        kind: kind.label.toLowerCase(),
      }),
    );
  if (isPricedFromSource(kind, draft) && draft.lines.some((l) => !l.source))
    wrong('against', say('Choose the document these lines come from'));
  if (has('adjustmentReason') && !draft.fields?.adjustmentReason)
    wrong('adjustmentReason', say('Say why the stock is adjusted'));
  else if (has('adjustmentReason')) {
    const reason = draft.fields?.adjustmentReason;
    const unfit = reasonProblem(reason) ?? reasonContradicted(reason, draft.lines);
    if (unfit) wrong('adjustmentReason', unfit);
  }
  const reasons = kind.gst.issued?.byReason;
  if (reasons && draft.reason?.trim() && !isReasonOf(reasons, draft.reason))
    wrong(
      'reason',
      say('{{kind}} is for one of these reasons: {{reasons}}', {
        kind: kind.label,
        reasons: Object.keys(reasons).join(', '),
      }),
    );
  places(kind, draft, facts, wrong);
  if (isSuppliersBill(kind)) suppliersBill(draft, today, wrong);
  if (has('vatNumber')) vatAbroad(draft, facts, wrong);
};

/**
 * Whether a kind is written to such a party: what goes abroad goes to somebody there, and what is imported comes from
 * there (IGST Act sections 2(5) and 2(10)).
 */
export const takesParty = (
  { party: { from } }: Kind,
  { category, country }: Pick<PartyFacts, 'category' | 'country'>,
): boolean => from === undefined || (category === 'overseas' && (from === 'abroad' || from === country));

const abroad = (kind: Kind, party: PartyFacts, wrong: Wrong): void => {
  if (takesParty(kind, party)) return;
  const { name } = party;
  if (party.category === 'overseas') wrong('party', say('{{name}} is not in Saudi Arabia', { name }));
  else if (kind.party.side === 'customer')
    wrong('party', say('{{name}} is not overseas: choose a customer abroad', { name }));
  else wrong('party', say('{{name}} is not overseas: choose a supplier abroad', { name }));
};

/** Why a document in another currency has no rate: none is known for its day. */
const noRate = ({ currency, date }: Draft): Said =>
  currency === 'INR'
    ? say('Enter the exchange rate')
    : say('There is no rate of {{currency}} for {{date}}: enter one', { currency, date: dayInWords(date) });

/** Tax of Saudi Arabia: by who is registered there, to a buyer there, and stated in riyals. */
const vatAbroad = ({ fields, currency }: Draft, facts: Facts, wrong: Wrong): void => {
  for (const name of ['vatNumber', 'buyerVatNumber'] as const)
    if (fields?.[name] && !isVatNumber(fields[name]))
      wrong(name, say('A VAT number has 15 digits, the first and last are 3'));
  if (!fields?.vatNumber) return;
  if (facts.party && facts.party.country !== 'SA') wrong('vatNumber', say('The customer is not in Saudi Arabia'));
  if (currency !== RIYAL) wrong('currency', say('Value added tax is stated in riyals (SAR)'));
};

/** Where a document is made, and where its goods go: places of the organisation, each with its own registration. */
const places: (kind: Kind, draft: Draft, facts: Facts, wrong: Wrong) => void = (kind, draft, facts, wrong) => {
  const here = facts.places?.get(draft.location);
  if (here && here.registration !== draft.registration)
    wrong('registration', say('{{here}} belongs to another registration', { here: here.name }));
  if (kind.stock.effect === 'transferOut') destination(draft, facts, wrong);
};

/** The registration at the other end is that of the place: goods that go to another GSTIN are a supply (section 25(4)). */
const destination = (draft: Draft, { places, other }: Facts, wrong: Wrong): void => {
  const place = places?.get(draft.toLocation ?? '');
  if (!draft.toLocation) wrong('toLocation', say('Choose where the goods go'));
  else if (draft.toLocation === draft.location) wrong('toLocation', say('The goods have already arrived'));
  else if (places && !place) wrong('toLocation', say('This place does not exist: choose another'));
  else if (place && draft.toRegistration !== undefined && draft.toRegistration !== place.registration)
    wrong('toRegistration', say('{{place}} belongs to another registration', { place: place.name }));
  else if (draft.toRegistration !== undefined && !other)
    wrong('toRegistration', say('This registration does not exist any more'));
};

/** A bill or note that the supplier wrote: it has the supplier's number and date (sections 16(2)(a) and 34). */
const isSuppliersBill = (kind: Kind): boolean =>
  kind.gst.tax === 'input' &&
  kind.party.required &&
  !kind.source.givesPrice &&
  (kind.books.opens === 'payable' || kind.books.opens === 'supplierCredit');

const suppliersBill = (draft: Draft, today: Day, wrong: Wrong): void => {
  if (!draft.reference?.trim()) wrong('reference', say('Enter the number of the supplier’s document'));
  if (!draft.referenceDate) return;
  if (!isDay(draft.referenceDate)) wrong('referenceDate', say('Enter a date'));
  else if (compareDays(draft.referenceDate, today) > 0)
    wrong('referenceDate', say('The supplier’s document is not dated in the future'));
};

/** Amounts beside what is paid or received. */
const besides = ['tdsAmount', 'gstTdsAmount', 'discountAmount', 'bankCharges', 'writeOff'] as const;

const settlement = (kind: Kind, draft: Draft, wrong: Wrong): void => {
  for (const field of besides) {
    if ((draft[field] ?? 0) < 0) wrong(field, say('An amount is not negative'));
  }
  if ((draft.tdsAmount ?? 0) > 0 && kind.fields.includes('tdsSection') && !draft.tdsSection)
    wrong('tdsSection', say('Choose the section under which tax is deducted'));
  draft.tenders?.forEach((tender, row) => {
    if (tender.amount <= 0) wrong('tenders.amount', say('Enter the amount paid'), row);
  });
  atTill(kind, draft, wrong);
  draft.charges?.forEach((charge, row) => {
    if (charge.amount < 0) wrong('charges.amount', say('A charge is not negative; use a discount'), row);
    if (charge.gstRate !== undefined) taxedByItself(kind, charge, row, wrong);
  });
};

/** A charge that is a line of its own says under which code it is taxed, and where it goes. */
const taxedByItself = (kind: Kind, { hsn = '', ledger }: DraftCharge, row: number, wrong: Wrong): void => {
  if (kind.lines.of !== 'items' || kind.source.givesPrice)
    wrong(
      'charges.gstRate',
      say('A {{kind}} has no charges with a rate of their own', { kind: kind.label.toLowerCase() }),
      row,
    );
  if (!/^(\d{4}|\d{6}|\d{8})$/.test(hsn)) wrong('charges.hsn', say('An HSN has 4, 6 or 8 digits'), row);
  if (ledger === undefined) wrong('charges.ledger', say('Choose the ledger: it is a line of its own'), row);
};

/** A till leaves a part of a sale on the account of a customer; what comes back is paid from the drawer of a session. */
const atTill = (kind: Kind, draft: Draft, wrong: Wrong): void => {
  const { onAccount = 0, till } = draft;
  if (kind.life.till && kind.source.givesPrice && !till)
    wrong('till', say('A {{kind}} is made at an open till', { kind: kind.label.toLowerCase() }));
  if (onAccount < 0) wrong('onAccount', say('An amount is not negative'));
  else if (onAccount > 0 && !draft.party) wrong('party', say('Choose the customer on whose account this stays'));
};

const negativeLine = ['freeQuantity', 'retailPrice', 'cessPerUnit', 'rate', 'debit', 'credit'] as const;

/** A discount takes something off, and a quantity that is given away is one: neither is below zero. */
function negativeProblems({ lines, discount, adjustments = [], amount = zero }: Draft): Problem[] {
  const problems: Problem[] = [];
  const wrong = (field: string, message: Said, row?: number) =>
    problems.push({ field, ...message, ...(row !== undefined && { row }) });
  const isNegative = (off: Discount | undefined): boolean => (off?.amount ?? 0) < 0 || (off?.percent ?? 0) < 0;
  for (const [row, line] of lines.entries()) {
    if (isNegative(line.discount)) wrong('lines.discount', say('A discount is not negative; use a charge'), row);
    for (const field of negativeLine)
      if ((line[field] ?? 0) < 0) wrong(`lines.${field}`, say('This is not negative'), row);
    if ((line.quantity ?? 0) < 0) wrong('lines.quantity', say('A quantity is not negative'), row);
    if (line.batches?.some(({ quantity }) => quantity < 0))
      wrong('lines.batches', say('A quantity is not negative'), row);
  }
  if (isNegative(discount)) wrong('discount', say('A discount is not negative; use a charge'));
  for (const [row, adjustment] of adjustments.entries())
    if (adjustment.amount < 0)
      wrong('adjustments.amount', say('An amount is not negative; choose less instead of add'), row);
  if (amount < 0) wrong('amount', say('An amount is not negative'));
  return problems;
}

const tooLarge = say('A document is at most {{most}}', { most: rupeesText(MOST_PAISE) });

/** What can only be seen when the document is added up. */
const sums = (draft: Draft, priced: Priced, wrong: Wrong): void => {
  priced.lines.forEach((line, row) => {
    if (line.value < 0 && row < draft.lines.length)
      wrong('lines.discount', say('The discount is more than the amount'), row);
  });
  if (priced.total < 0 && priced.adjustments) wrong('adjustments', say('More comes off than the document is'));
  else if (priced.total < 0) wrong('discount', say('The discount is more than the amount'));
  if (priced.total > MOST_PAISE) wrong('lines', tooLarge);
  if (priced.tds > 0 && priced.payable < 0) wrong('tdsAmount', say('More tax is deducted than the party is paid'));
  const onAccount = draft.onAccount ?? 0;
  const tendered = draft.tenders?.reduce((total, tender) => total + tender.amount, onAccount) ?? onAccount;
  if (onAccount > Math.max(0, priced.payable)) wrong('onAccount', say('This is more than the bill'));
  else if (draft.tenders?.length && tendered !== priced.payable)
    wrong(
      'tenders',
      say('{{tendered}} was paid of {{payable}}', {
        tendered: rupeesText(tendered),
        payable: rupeesText(priced.payable),
      }),
    );
};

/** Rule 46(e): from this value of taxable supply an invoice has the name and address of an unregistered buyer. */
const NAMED_FROM = paise(5_000_000);

/** Whether an invoice needs name, address and state of delivery of a buyer without GSTIN (rule 46(e)). */
export const namesBuyer = (
  kind: Kind,
  { own, party }: Pick<Facts, 'own' | 'party'>,
  { lines }: Pick<Priced, 'lines'>,
) =>
  kind.gst.tax === 'output' &&
  kind.party.side === 'customer' &&
  kind.gst?.gstr1 === 'invoice' &&
  isRegular(own.kind) &&
  (party?.category ?? 'unregistered') === 'unregistered' &&
  sum(lines.filter(({ treatment }) => treatment === 'taxable').map(({ taxable }) => taxable)) >= NAMED_FROM;

/** Rule 48(5): an invoice without its IRN is none, so what never goes to the portal is not made where one is needed. */
const withoutIrn = ({ gst }: Kind, { party, einvoice }: Facts, priced: Priced, wrong: Wrong): void => {
  const abroad = priced.supplyType.startsWith('EXP');
  const other = gst.insteadFor && kindCalled(gst.insteadFor[abroad ? 'abroad' : 'registered']);
  if (!other || !party || !needsIrn(other.gst.irp, einvoice ?? null, party.gstin, priced)) return;
  const label = other.label.toLowerCase();
  const values = { name: party.name, kind: `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}` };
  const isInvoice = other.gst.irp === 'INV';
  wrong(
    'party',
    abroad
      ? isInvoice
        ? say('{{name}} is abroad, so the invoice needs an IRN: make {{kind}}', values)
        : say('{{name}} is abroad, so the note needs an IRN: make {{kind}}', values)
      : isInvoice
        ? say('{{name}} has a GSTIN, so the invoice needs an IRN: make {{kind}}', values)
        : say('{{name}} has a GSTIN, so the note needs an IRN: make {{kind}}', values),
  );
};

/** What an invoice says of its buyer, and whether it may be given away without the portal. */
const buyer = (kind: Kind, draft: Draft, facts: Facts, priced: Priced, wrong: Wrong): void => {
  const { party } = facts;
  withoutIrn(kind, facts, priced, wrong);
  if (!namesBuyer(kind, facts, priced)) return;
  if (!party && !draft.partyName?.trim())
    wrong('partyName', say('From ₹50,000 an invoice names its buyer (rule 46): enter the name'));
  if (!draft.billTo && !draft.shipTo && !party?.hasAddress)
    wrong(
      kind.fields.includes('billTo') ? 'billTo.line1' : 'billTo',
      say(
        'From ₹50,000 an invoice names the buyer’s address and state (rule 46): enter it, or keep it with the customer',
      ),
    );
};

type Wrong = (field: string, message: Said, row?: number) => void;
type Lines = (draft: Draft, facts: Facts, wrong: Wrong, kind: Kind, today: Day) => void;

/** What corrects a supply that is in the books may be about a line that was booked as an expense: it has a ledger and no item. */
const isOfExpense = (kind: Kind, { item, ledger, source }: DraftLine): boolean =>
  item === undefined && ledger !== undefined && source !== undefined && correctsSource(kind);

/** What corrects a supply may be about a charge of it that is a line of its own: that has neither item nor ledger. */
const isOfCharge = (kind: Kind, { item, ledger, source }: DraftLine, { sources }: Facts): boolean => {
  if (item !== undefined || ledger !== undefined || source === undefined || !correctsSource(kind)) return false;
  return sources.get(sourceKey(source))?.charge !== undefined;
};

/** What lines before this one take of a source is no longer left for it. */
const withinSource = ({ lines }: Draft, facts: Facts, wrong: Wrong, row: number): void => {
  const { source: from, quantity = 0, freeQuantity = 0 } = lines[row] ?? {};
  const source = from && facts.sources.get(sourceKey(from));
  if (!source) return;
  const before = lines.slice(0, row).filter((l) => l.source && sourceKey(l.source) === sourceKey(from));
  const taken = (of: 'quantity' | 'freeQuantity', own: number): number =>
    before.reduce((all, l) => all + (l[of] ?? 0), own);
  if (quantity > 0 && taken('quantity', quantity) > source.leftQuantity)
    wrong('lines.quantity', say('More than is left of the source'), row);
  if (freeQuantity > 0 && taken('freeQuantity', freeQuantity) > source.leftFree)
    wrong('lines.freeQuantity', say('More free goods than are left of the source'), row);
};

/** Nobody said what one costs, not even that it costs nothing: 0 is typed on purpose. */
const hasNoRate = (kind: Kind, line: DraftLine, item: ItemFacts, draft: Draft, facts: Facts): boolean =>
  line.rate === undefined && proposed(kind, line, item, draft, facts) === undefined;

const goods: Lines = (draft, facts, wrong, kind) => {
  if (draft.lines.length === 0) wrong('lines', say('Enter at least one line'));
  const unpriced = hasNoPrice(kind, draft, facts);
  for (const [row, line] of draft.lines.entries()) {
    const item = line.item === undefined ? undefined : facts.items.get(line.item);
    if (isOfExpense(kind, line) || isOfCharge(kind, line, facts)) {
      if (!line.rate && !kind.source.givesPrice) wrong('lines.rate', say('Enter a rate'), row);
      if (line.quantity !== undefined && line.quantity <= 0)
        wrong('lines.quantity', say('Enter a quantity greater than 0'), row);
      withinSource(draft, facts, wrong, row);
      continue;
    }
    if (!item) {
      wrong(
        'lines.item',
        line.item === undefined ? say('Choose an item') : say('This item does not exist any more'),
        row,
      );
      continue;
    }
    if (item.template) wrong('lines.item', say('{{sku}} has variants: choose one of them', { sku: item.sku }), row);
    if (!line.quantity || line.quantity <= 0) wrong('lines.quantity', say('Enter a quantity greater than 0'), row);
    if (!unpriced && !line.source && hasNoRate(kind, line, item, draft, facts))
      wrong('lines.rate', say('Enter a rate'), row);
    if (line.unit && item.units[line.unit] === undefined)
      wrong('lines.unit', say('{{unit}} is no unit of {{sku}}', { unit: line.unit, sku: item.sku }), row);
    withinSource(draft, facts, wrong, row);
    if (kind.gst.tax === 'output' && hasGst(facts.own.kind) && !/^(\d{4}|\d{6}|\d{8})$/.test(line.hsn ?? item.hsn))
      wrong('lines.hsn', say('An HSN has 4, 6 or 8 digits'), row);
  }
};

const expenses: Lines = (draft, _facts, wrong) => {
  if (draft.lines.length === 0) wrong('lines', say('Enter at least one line'));
  if (!draft.party && !draft.moneyLedger) wrong('moneyLedger', say('Choose a supplier, or from where it was paid'));
  draft.lines.forEach((line, row) => {
    if (!line.ledger) wrong('lines.ledger', say('Choose a ledger'), row);
    if (!line.rate) wrong('lines.rate', say('Enter the amount'), row);
  });
};

const ledgers: Lines = (draft, _facts, wrong, kind) => {
  const [first, ...rest] = draft.lines;
  const isSame = (line: DraftLine): boolean =>
    line.ledger === first?.ledger &&
    line.party === first?.party &&
    line.reference === first?.reference &&
    line.costCentre === first?.costCentre;
  const left = draft.lines.reduce((total, { debit = 0, credit = 0 }) => total + debit - credit, 0);
  // opening balances name several bills of one party on its ledger, and what is left goes to another
  if (first?.ledger && rest.length > 0 && left === 0 && rest.every(isSame))
    wrong('lines', say('Every line is on the same ledger, so nothing moves: choose another ledger on one side'));
  if (draft.lines.length < 1 || (draft.lines.length < 2 && !mayHaveGap(kind)))
    wrong('lines', say('Enter at least two lines'));
  let gap = 0;
  draft.lines.forEach((line, row) => {
    if (!line.ledger) wrong('lines.ledger', say('Choose a ledger'), row);
    const [debit, credit] = [line.debit ?? 0, line.credit ?? 0];
    if (kind.books.opensByLine === 'bills') bill(line, draft, (field, message) => wrong(field, message, row));
    else
      for (const field of ['reference', 'referenceDate', 'dueDate'] as const)
        if (line[field] !== undefined)
          wrong(`lines.${field}`, say('A line of a {{kind}} is no bill', { kind: kind.label.toLowerCase() }), row);
    if (debit < 0 || credit < 0 || debit > 0 === credit > 0)
      wrong('lines.debit', say('Either a debit or a credit'), row);
    gap += debit - credit;
  });
  if (gap !== 0 && !mayHaveGap(kind)) wrong('lines', say('Debit and credit differ'));
};

/** The bill that a line stands for was written when the books opened, or before. */
const bill = (line: DraftLine, draft: Draft, wrong: Wrong): void => {
  const { party, reference, referenceDate, dueDate } = line;
  if (!party && (reference || referenceDate || dueDate)) wrong('lines.party', say('Choose whose bill this is'));
  if (referenceDate !== undefined && !isDay(referenceDate)) wrong('lines.referenceDate', say('Enter a date'));
  else if (referenceDate && referenceDate > draft.date)
    wrong('lines.referenceDate', say('The bill is not dated after the opening'));
  if (dueDate !== undefined && !isDay(dueDate)) wrong('lines.dueDate', say('Enter a date'));
  else if (dueDate && dueDate < (referenceDate ?? draft.date))
    wrong('lines.dueDate', say('The due date is not before the date of the bill'));
};

/** Goods that come in from nowhere are worth what their rate says; what goes out is worth what it cost. */
const comesFromNowhere = ({ stock }: Kind, { delta, source }: DraftLine): boolean =>
  source === undefined && (stock.effect === 'in' || (stock.effect === 'adjust' && (delta ?? 0) > 0));

const stock: Lines = (draft, facts, wrong, kind) => {
  if (draft.lines.length === 0) wrong('lines', say('Enter at least one line'));
  for (const [row, line] of draft.lines.entries()) {
    const item = line.item === undefined ? undefined : facts.items.get(line.item);
    if (!item) {
      wrong('lines.item', say('Choose an item'), row);
      continue;
    }
    if (item.template) wrong('lines.item', say('{{sku}} has variants: choose one of them', { sku: item.sku }), row);
    else if (line.unit && item.units[line.unit] === undefined)
      wrong('lines.unit', say('{{unit}} is no unit of {{sku}}', { unit: line.unit, sku: item.sku }), row);
    else if (!item.stocked) wrong('lines.item', say('{{sku}} is not kept in stock', { sku: item.sku }), row);
    if (kind.stock.effect === 'adjust' && !line.delta)
      wrong('lines.delta', say('Enter by how much the stock changes: a negative quantity reduces it'), row);
    else if (kind.stock.effect !== 'adjust' && !line.quantity) wrong('lines.quantity', say('Enter a quantity'), row);
    if (comesFromNowhere(kind, line) && hasNoRate(kind, line, item, draft, facts))
      wrong('lines.rate', say('Enter the rate, or 0 if the goods have no value'), row);
  }
};

const money: Lines = (draft, _facts, wrong, kind, today) => {
  if (kind.fields.includes('amount') && !(moneySettled({ draft }) > 0))
    wrong('amount', say('Enter an amount greater than 0'));
  if (kind.fields.includes('moneyLedger') && !draft.moneyLedger)
    wrong('moneyLedger', say('Choose the cash or bank ledger'));
  if (kind.fields.includes('customs')) billOfEntry(draft, today, wrong);
  if (comesThroughBank(kind) && (draft.bankCharges ?? 0) > 0 && bankReceived(draft) < 0)
    wrong('bankCharges', say('The bank keeps more than it received: correct the charges, or book them as an expense'));
  const allocated = (draft.allocations ?? []).reduce((t, a) => t + a.amount, 0);
  if (allocated > moneySettled({ draft }))
    wrong('allocations', say('More is allocated than the amount: allocate less, or enter the whole amount'));
  if (!kind.source.reverses) besidesMoney(kind, draft, allocated, wrong);
  // what leaves the ledger of advances settles something on the account
  if (appliesCredit(kind) && allocated < moneySettled({ draft }))
    wrong('allocations', say('Choose documents until the whole amount is allocated'));
  draft.allocations?.forEach((a, row) => {
    if (a.amount <= 0) wrong('allocations.amount', say('Allocate an amount greater than 0'), row);
  });
};

/**
 * What is settled without money is no money that could be paid out again: a discount and what is written off are given on
 * documents, and a customer deducts tax from an advance at a rate of a section (of GST: two percent, section 51).
 */
const besidesMoney = (kind: Kind, draft: Draft, allocated: number, wrong: Wrong): void => {
  const { discountAmount = zero, writeOff = zero, tdsAmount = zero, gstTdsAmount = zero } = draft;
  if (discountAmount > allocated)
    wrong(
      'discountAmount',
      say('A discount is given on documents: choose those that it settles, at least for its amount'),
    );
  else if (writeOff > 0 && discountAmount + writeOff > allocated)
    wrong('writeOff', say('A write-off settles documents: choose documents for at least its amount'));
  const advance = moneySettled({ draft }) - allocated;
  const most = (percent: number): number => allocated + Math.ceil((advance * percent) / HUNDRED_PERCENT);
  // what we deduct ourselves follows its section
  if (!kind.fields.includes('tdsSection') && tdsAmount > most(highestTdsRate))
    wrong(
      'tdsAmount',
      say('No section deducts more than {{highestTdsRate}} % of an advance: correct the tax', {
        highestTdsRate: percentText(highestTdsRate),
      }),
    );
  if (gstTdsAmount > most(gstTdsRate))
    wrong(
      'gstTdsAmount',
      say('Section 51 deducts {{gstTdsRate}} % of an advance: correct the tax', {
        gstTdsRate: percentText(gstTdsRate),
      }),
    );
};

/** What customs wrote on the bill of entry; credit is taken on its number, date and port (rule 36(1)(d)). */
const billOfEntry = ({ customs, reference, referenceDate, fields }: Draft, today: Day, wrong: Wrong): void => {
  if (!/^\d{7}$/.test(reference ?? '')) wrong('reference', say('The number of a bill of entry has seven digits'));
  if (!referenceDate || !isDay(referenceDate)) wrong('referenceDate', say('Enter the date of the bill of entry'));
  else if (compareDays(referenceDate, today) > 0)
    wrong('referenceDate', say('The bill of entry is not dated in the future'));
  if (fields?.port && !/^IN[A-Z]{3}[0-9A-Z]$/.test(fields.port)) wrong('port', say('A port code looks like INNSA1'));
  if (!customs) wrong('customs', say('Enter the figures of the bill of entry'));
  else customsFigures(customs, wrong);
};

const customsFigures = (customs: NonNullable<Draft['customs']>, wrong: Wrong): void => {
  if (customs.assessable <= 0) wrong('customs.assessable', say('Enter the assessable value'));
  for (const name of ['basic', 'surcharge', 'igst'] as const)
    if (customs[name] < 0) wrong(`customs.${name}`, say('An amount is not negative'));
};

const linesOf: Readonly<Record<Kind['lines']['of'], Lines>> = { items: goods, expenses, ledgers, stock, none: money };
