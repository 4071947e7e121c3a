import { millionths, percent } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { SourceLeft } from '../../../../domain/document/document.ts';
import { isForSupplier, type Kind, raisesPrice, takesBack } from '../../../../domain/document/kinds/index.ts';
import { amountsLeft, chargesIn, type SourceLine, sourceKey } from '../../../../domain/document/sources.ts';
import { isPricedFromSource, isTakingBack, isWrittenForSupplier, signOfTaken } from '../kinds.ts';
import type { Loaded, LoadedSource } from '../load.ts';

/*
 * The lines of posted documents that a draft is made from, with what is left of each for the kind of the draft. The database
 * says of a line what was made of it, by kind (`used`), and what was made of the price notes about it (`later`). A line of a
 * price note also comes with its `root`: the line of the bill or invoice that it corrects in the end.
 */

/** The source lines by `sourceKey`, with what is left of each for documents of this kind. */
export const sourcesFor = (kind: Kind, { sources = [] }: Pick<Loaded, 'sources'>): Map<string, SourceLine> =>
  new Map(sources.map((line) => [sourceKey(line), { ...asPosted(line), ...leftFor(kind, line) }]));

/** What stays the same of a line, whatever was made of it: goods or ledger, rate, discount and tax. */
const asPosted = (line: LoadedSource) => ({
  document: line.document,
  line: line.line,
  ...(line.item !== null && { item: line.item }),
  ...(line.ledger !== null && { ledger: line.ledger }),
  ...(line.charge !== null && { charge: line.charge }),
  hsn: line.hsn,
  unit: line.unit,
  quantity: millionths(line.quantity),
  taxable: paise(line.taxable),
  rate: millionths(line.rate),
  ...(line.discount !== null && { discount: line.discount }),
  gstRate: percent(line.gst_rate),
  treatment: line.treatment,
  cessRate: percent(line.cess_rate),
  cessPerUnit: paise(line.cess_per_unit),
  ...(line.retail_price !== null && { retailPrice: paise(line.retail_price) }),
  ...(line.keeps_ledgers && { ownLedger: line.own_ledger }),
});

type Left = Pick<
  SourceLine,
  'leftQuantity' | 'leftFree' | 'leftBase' | 'left' | 'charges' | 'claimed' | 'financial' | 'root'
>;

/** Quantities and amounts of a line that documents of this kind can still take. */
function leftFor(kind: Kind, line: LoadedSource): Left {
  const used = usedByKind(kind, line);
  // an amount can fall below zero: goods that are transferred at cost may arrive at a higher cost than they left at
  const left = amountsLeft((name) => paise(Math.max(0, amountLeft(kind, line, used, name))));
  return {
    leftQuantity: millionths(line.quantity - total(used, 'quantity')),
    leftFree: millionths(line.free_quantity - total(used, 'free_quantity')),
    leftBase: millionths(line.base_quantity - total(used, 'base_quantity')),
    left,
    ...(line.charge_share > 0 && kind.source.givesPrice && { charges: sharedCharges(line, used) }),
    ...(claimsAgain(kind, line) && { claimed: true }),
    ...(takesBack(kind) && correctionsOf(line, left)),
  };
}

type Used = LoadedSource['used'];

/** The charges that were spread over a line, and of how many of its goods documents that give its price kept them. */
const sharedCharges = (line: LoadedSource, used: Used): NonNullable<SourceLine['charges']> => ({
  quantity: millionths(line.quantity),
  of: chargesIn(
    amountsLeft((name) => paise(line[name])),
    paise(line.charge_share),
    {
      cessRate: percent(line.cess_rate),
      ...(line.retail_price !== null && { retailPrice: paise(line.retail_price) }),
    },
  ),
  kept: millionths(used.reduce((sum, one) => sum + Number(one.charges_kept ?? 0), 0)),
});

/**
 * What counts against the quantity that a document of this kind takes: returns count returns, invoices count invoices. A note
 * changes a price and takes no goods. A document that is written in the supplier's place counts the returns too: goods that
 * went back are not invoiced.
 */
function usedByKind(kind: Kind, { used }: LoadedSource): Used {
  if (kind.paper.form === 'note' && !kind.source.givesPrice) return [];
  if (isForSupplier(kind)) return used.filter((one) => isPricedFromSource(one.kind) || isWrittenForSupplier(one.kind));
  return used.filter((one) => isPricedFromSource(one.kind) === (kind.source.givesPrice === true));
}

/** A price rise on a note that took an amount back claims that amount again. */
const claimsAgain = (kind: Kind, line: LoadedSource): boolean => raisesPrice(kind) && isTakingBack(line.kind);

/** How much of one amount of a line (value, tax) a document of this kind can take. */
function amountLeft(kind: Kind, line: LoadedSource, used: Used, name: keyof SourceLeft): number {
  if (claimsAgain(kind, line)) return leftToClaim(line, name);
  if (takesBack(kind)) return leftToTakeBack(line, name);
  return line[name] - total(used, name);
}

/**
 * How much of an amount can be taken back: the amount of the line, with what price rises added to it, less what was taken back
 * already. Notes without GST reduce no supply (section 34), so they do not count. A note on a price note can take back neither
 * more than that note has left nor more than the root has left.
 */
function leftToTakeBack({ used, later, root, ...line }: LoadedSource, name: keyof SourceLeft): number {
  const ofLine = line[name] - netTaken([...used, ...later].filter(withGst), name);
  return root ? Math.min(ofLine, root[name] - netTaken(root.used.filter(withGst), name)) : ofLine;
}

/**
 * How much of an amount that a note took back can be claimed again. For a note without GST only other notes without GST count,
 * for one with GST only those with GST.
 */
const leftToClaim = ({ used, later, financial, ...line }: LoadedSource, name: keyof SourceLeft): number =>
  line[name] +
  netTaken(
    [...used, ...later].filter((one) => one.financial === financial),
    name,
  );

/** What a kind that takes back has to know besides: the root of the line, and what notes without GST gave on it. */
function correctionsOf(line: LoadedSource, left: SourceLeft): Pick<SourceLine, 'financial' | 'root'> {
  const { root } = line;
  const financial = givenWithoutGst(line, left);
  return {
    ...(financial.value > 0 && { financial }),
    ...(root && {
      root: { document: root.document, line: root.line, left: paise(leftOfRoot(root, 'value')) },
    }),
  };
}

/**
 * What notes without GST gave on a line. They reduce no supply (section 34), so `left` does not contain them; price cuts
 * subtract them from `left`. On a line of a price note the difference must not exceed what price cuts can still take of its
 * root: where the root has less, the amount given here is greater by that much.
 */
function givenWithoutGst({ used, later, root }: LoadedSource, left: SourceLeft): NonNullable<SourceLine['financial']> {
  const notes = [...used, ...later].filter((one) => one.financial);
  const given = (name: 'value' | 'foreign') => {
    const onLine = netTaken(notes, name);
    return paise(root ? Math.max(onLine, left[name] - leftOfRoot(root, name)) : onLine);
  };
  return { value: given('value'), foreign: given('foreign') };
}

/** How much price cuts can still take of a root: what notes took back of it, with and without GST, is subtracted. */
const leftOfRoot = (root: NonNullable<LoadedSource['root']>, name: 'value' | 'foreign'): number =>
  Math.max(0, root[name] - netTaken(root.used, name));

const withGst = ({ financial }: Used[number]): boolean => !financial;

/** What was taken back of an amount, less what price rises added to it. */
const netTaken = (all: Used, name: keyof SourceLeft): number =>
  all.reduce((sum, one) => sum + signOfTaken(one.kind) * Number(one[name]), 0);

const total = (all: Used, name: Exclude<keyof Used[number], 'kind' | 'financial' | 'charges_kept'>): number =>
  all.reduce((sum, one) => sum + Number(one[name]), 0);
