import { compareDays } from './dates.ts';
import type { Day, Draft, Problem } from './document.ts';
import type { Kind } from './kinds/kind.ts';
import type { Facts } from './resolve.ts';
import { moneySettled } from './posting.ts';

/** What a user can mend in a draft before it is posted, each with its field; the same list in the editor and on the server. */
export function check(kind: Kind, draft: Draft, facts: Facts, today: Day): Problem[] {
  const problems: Problem[] = [];
  const wrong = (field: string, message: string, row?: number) => problems.push({ field, message, ...(row !== undefined && { row }) });
  if (kind.party.required && !draft.party) wrong('party', `Choose the ${kind.party.side}`);
  if (draft.party && !facts.party) wrong('party', 'This party does not exist any more');
  // rule 46: a GST document is dated when it is issued
  if (kind.gstNumber && compareDays(draft.date, today) > 0) wrong('date', 'A GST document is not dated in the future');
  if (draft.dueDate && draft.dueDate < draft.date) wrong('dueDate', 'The due date is not before the date');
  if (draft.currency !== 'INR' && draft.exchangeRate <= 0) wrong('exchangeRate', 'Enter the exchange rate');
  if (kind.pricedFromSource && draft.lines.some((l) => !l.source)) wrong('against', 'Choose the document these lines come from');
  if (draft.fields?.adjustmentReason === '' || (kind.fields.includes('adjustmentReason') && !draft.fields?.adjustmentReason)) wrong('adjustmentReason', 'Say why the stock is adjusted');
  linesOf[kind.lines](draft, facts, wrong, kind);
  return problems;
}

type Wrong = (field: string, message: string, row?: number) => void;
type Lines = (draft: Draft, facts: Facts, wrong: Wrong, kind: Kind) => void;

const goods: Lines = (draft, facts, wrong, kind) => {
  if (draft.lines.length === 0) wrong('lines', 'Enter at least one line');
  draft.lines.forEach((line, row) => {
    if (line.item === undefined) return wrong('lines.item', 'Choose an item', row);
    const item = facts.items.get(line.item);
    if (!item) return wrong('lines.item', 'This item does not exist any more', row);
    if (!line.quantity || line.quantity <= 0) wrong('lines.quantity', 'Enter a quantity above nothing', row);
    if (line.rate === undefined && !line.source && item.saleRate === null && item.purchaseRate === null) wrong('lines.rate', 'Enter a rate', row);
    if (line.unit && item.units[line.unit] === undefined) wrong('lines.unit', `${line.unit} is no unit of ${item.sku}`, row);
    const source = line.source && facts.sources.get(`${line.source.document}/${line.source.line}`);
    if (source && line.quantity && line.quantity > source.leftQuantity) wrong('lines.quantity', 'More than is left of the source', row);
    if (kind.tax === 'output' && !/^(\d{4}|\d{6}|\d{8})$/.test(line.hsn ?? item.hsn)) wrong('lines.hsn', 'An HSN has 4, 6 or 8 digits', row);
  });
  const tendered = draft.tenders?.reduce((t, x) => t + x.amount, 0);
  if (tendered !== undefined && tendered < 0) wrong('tenders', 'A tender is not negative');
};

const expenses: Lines = (draft, _facts, wrong) => {
  if (draft.lines.length === 0) wrong('lines', 'Enter at least one line');
  if (!draft.party && !draft.moneyLedger) wrong('moneyLedger', 'Choose a supplier, or from where it was paid');
  draft.lines.forEach((line, row) => {
    if (!line.ledger) wrong('lines.ledger', 'Choose a ledger', row);
    if (!line.rate) wrong('lines.rate', 'Enter the amount', row);
  });
};

const ledgers: Lines = (draft, _facts, wrong, kind) => {
  if (draft.lines.length < 1 || (draft.lines.length < 2 && !kind.books.posting.some(([, part]) => part === 'openingGap'))) wrong('lines', 'Enter at least two lines');
  let gap = 0;
  draft.lines.forEach((line, row) => {
    if (!line.ledger) wrong('lines.ledger', 'Choose a ledger', row);
    const [debit, credit] = [line.debit ?? 0, line.credit ?? 0];
    if (debit < 0 || credit < 0 || (debit > 0) === (credit > 0)) wrong('lines.debit', 'Either a debit or a credit', row);
    gap += debit - credit;
  });
  if (gap !== 0 && !kind.books.posting.some(([, part]) => part === 'openingGap')) wrong('lines', 'Debit and credit differ');
};

const stock: Lines = (draft, facts, wrong) => {
  if (draft.lines.length === 0) wrong('lines', 'Enter at least one line');
  draft.lines.forEach((line, row) => {
    const item = line.item === undefined ? undefined : facts.items.get(line.item);
    if (!item) return wrong('lines.item', 'Choose an item', row);
    if (!item.stocked) wrong('lines.item', `${item.sku} is not kept in stock`, row);
    if (!(line.delta ?? line.quantity)) wrong(line.delta === undefined ? 'lines.quantity' : 'lines.delta', 'Enter a quantity', row);
  });
};

const money: Lines = (draft, _facts, wrong, kind) => {
  if (kind.fields.includes('amount') && !(moneySettled({ draft }) > 0)) wrong('amount', 'Enter an amount above nothing');
  if (kind.fields.includes('moneyLedger') && !draft.moneyLedger) wrong('moneyLedger', 'Choose the cash or bank ledger');
  if (kind.fields.includes('customs') && !draft.customs) wrong('customs', 'Enter the figures of the bill of entry');
  const allocated = (draft.allocations ?? []).reduce((t, a) => t + a.amount, 0);
  if (allocated > moneySettled({ draft })) wrong('allocations', 'More is allocated than the amount');
  draft.allocations?.forEach((a, row) => {
    if (a.amount <= 0) wrong('allocations.amount', 'Allocate an amount above nothing', row);
  });
};

const linesOf: Readonly<Record<Kind['lines'], Lines>> = { items: goods, expenses, ledgers, stock, none: money };
