import { booksCustomsTax, mayHaveGap, postsAsWritten } from '../../../books/legs.ts';
import type { Treatment } from '../../../document/document.ts';
import { type KindName, kindOf, lessens } from '../../../document/kinds/index.ts';

/** Tax by head and the value that it is on, in paise, with the sign that they have in the return. */
export interface CellAmounts {
  readonly taxable: number;
  readonly igst: number;
  readonly cgst: number;
  readonly sgst: number;
  readonly cess: number;
}
export type TaxHeads = Omit<CellAmounts, 'taxable'>;

/** The tables of GSTR-3B that the books have figures of, and what of the ledgers of tax stands in none of them. */
export type Cell =
  | '3.1(a)'
  | '3.1(b)'
  | '3.1(c)'
  | '3.1(d)'
  | '3.1(e)'
  | '3.1.1(ii)'
  | '4(A)(1)'
  | '4(A)(2)'
  | '4(A)(3)'
  | '4(A)(5)'
  | '4(B)(1)'
  | '4(B)(2)'
  | '4(D)(2)'
  | `5 ${'exempt' | 'non-GST'}, ${'inter' | 'intra'}-State`
  /** Set-off and payment of tax, which are no supply and no credit of the period. */
  | '6.1'
  | 'Opening balances';

/** The cells in the order of the form; those without a figure are left out of a return. */
export const cells: readonly Cell[] = [
  '3.1(a)',
  '3.1(b)',
  '3.1(c)',
  '3.1(d)',
  '3.1(e)',
  '3.1.1(ii)',
  '4(A)(1)',
  '4(A)(2)',
  '4(A)(3)',
  '4(A)(5)',
  '4(B)(1)',
  '4(B)(2)',
  '4(D)(2)',
  '5 exempt, inter-State',
  '5 exempt, intra-State',
  '5 non-GST, inter-State',
  '5 non-GST, intra-State',
  '6.1',
  'Opening balances',
];

/** A document of the books as GSTR-3B sees it: amounts as they were booked, never negative. */
export interface BookedDocument {
  readonly kind: KindName;
  readonly supply: 'intra' | 'inter' | 'none';
  readonly supplyType: string;
  readonly reverseCharge: boolean;
  readonly category: string | null;
  /** It went through an e-commerce operator. */
  readonly throughOperator: boolean;
  /** Its credit was not taken: it is barred by time, or the tax is that of another state. */
  readonly isBarred: boolean;
  readonly reason: string;
  /** What customs assessed. */
  readonly assessed: number;
  readonly lines: readonly (CellAmounts & { readonly treatment: Treatment })[];
  /** What its entries add to tax on sales and under reverse charge, and to input credit, by head. */
  readonly output: TaxHeads;
  readonly reverse: TaxHeads;
  readonly input: TaxHeads;
  /** Entries as written: the other side is on a balance sheet ledger, so tax is paid and not corrected. */
  readonly isPaid: boolean;
}

export type CellPart = CellAmounts & { readonly cell: Cell };

const heads = ['igst', 'cgst', 'sgst', 'cess'] as const;
const nothing: TaxHeads = { igst: 0, cgst: 0, sgst: 0, cess: 0 };
const byHead = (of: (head: (typeof heads)[number]) => number): TaxHeads => ({
  igst: of('igst'),
  cgst: of('cgst'),
  sgst: of('sgst'),
  cess: of('cess'),
});
const isAny = (tax: TaxHeads): boolean => heads.some((head) => tax[head] !== 0);
const total = (tax: TaxHeads): number => heads.reduce((all, head) => all + tax[head], 0);

/** Takes off what others have added: goods back, a price cut, an advance that is used. */
const takesOff = (name: KindName): boolean => {
  const shown = kindOf(name).gst.gstr1;
  return lessens(kindOf(name)) || shown === 'advanceAdjusted' || shown === 'advanceRefunded';
};

/** What a document adds to each cell. Source: form GSTR-3B, notification 14/2022-CT, circular 170/02/2022. */
export function cellsOf(document: BookedDocument): readonly CellPart[] {
  const { gst } = kindOf(document.kind);
  const parts =
    gst.tax === 'output' ? outward(document) : gst.tax === 'input' ? inward(document) : withoutSupply(document);
  return parts.filter((part) => part.taxable !== 0 || isAny(part));
}

/** Outward supplies and advances (3.1): the rate of a line, and whether it leaves the country, say where it stands. */
function outward({ kind, supplyType, reverseCharge, throughOperator, lines, output }: BookedDocument): CellPart[] {
  const sign = takesOff(kind) ? -1 : 1;
  // the buyer pays the tax and states it, or the operator does
  if (reverseCharge)
    return throughOperator
      ? lines.map(({ taxable }) => ({ cell: '3.1.1(ii)', taxable: sign * taxable, ...nothing }))
      : [];
  const isTaxed = isAny(output);
  const isZeroRated = supplyType.startsWith('EXP') || supplyType.startsWith('SEZ');
  return lines.map((line) => ({
    cell: isZeroRated ? '3.1(b)' : outwardCells[line.treatment],
    taxable: sign * line.taxable,
    ...(isTaxed ? byHead((head) => sign * line[head]) : nothing),
  }));
}
const outwardCells: Readonly<Record<Treatment, Cell>> = {
  taxable: '3.1(a)',
  zeroRated: '3.1(b)',
  nil: '3.1(c)',
  exempt: '3.1(c)',
  nonGst: '3.1(e)',
};

/**
 * Where table 3.2 shows a recipient in another state: nobody registered, a composition dealer or the holder of a UIN. Everybody
 * else stands in 3.1(a) alone. A GSTIN says who is registered, as in GSTR-1: a buyer abroad who has goods delivered here is not,
 * another registration of ours is.
 */
export const interStateTo = ({
  recipient,
  category,
}: {
  readonly recipient: string | null;
  readonly category: string | null;
}): 'unregistered' | 'composition' | 'UIN holders' | undefined => {
  if (!recipient) return 'unregistered';
  if (category === 'uinHolder') return 'UIN holders';
  return category === 'composition' ? 'composition' : undefined;
};

/** What came in: tax under reverse charge (3.1(d)), credit (4), and supplies without tax (5). */
function inward(document: BookedDocument): CellPart[] {
  const { kind, supply, reverseCharge, category, isBarred, lines, reverse, input } = document;
  const sign = takesOff(kind) ? -1 : 1;
  const borne = byHead((head) => sign * lines.reduce((all, line) => all + line[head], 0));
  const taxed =
    sign * lines.reduce((all, line) => all + (heads.some((head) => line[head] !== 0) ? line.taxable : 0), 0);
  const credit: Cell = !reverseCharge ? '4(A)(5)' : category === 'overseas' ? '4(A)(2)' : '4(A)(3)';
  const refused = byHead((head) => borne[head] - input[head]);
  const across = supply === 'inter' ? ('inter' as const) : ('intra' as const);
  const untaxed = (cell: '5 exempt' | '5 non-GST', isIn: (treatment: Treatment) => boolean): CellPart => ({
    cell: `${cell}, ${across}-State` as Cell,
    taxable: sign * lines.reduce((all, line) => all + (isIn(line.treatment) ? line.taxable : 0), 0),
    ...nothing,
  });
  const isFromComposition = category === 'composition';
  return [
    ...(reverseCharge ? [{ cell: '3.1(d)' as const, taxable: taxed, ...reverse }] : []),
    ...(isBarred
      ? [
          { cell: '4(D)(2)' as const, taxable: taxed, ...refused },
          { cell: credit, taxable: 0, ...input },
        ]
      : [
          { cell: credit, taxable: taxed, ...borne },
          { cell: '4(B)(1)' as const, taxable: 0, ...refused },
        ]),
    ...(category === 'overseas'
      ? []
      : [
          untaxed('5 exempt', (t) => t === 'nil' || t === 'exempt' || (isFromComposition && t === 'taxable')),
          untaxed('5 non-GST', (t) => t === 'nonGst'),
        ]),
  ];
}

/** What moves tax and is no supply: a bill of entry, goods lost, the charges of a bank, entries as written. */
function withoutSupply(document: BookedDocument): CellPart[] {
  const { kind, reason, assessed, output, reverse, input, isPaid } = document;
  const row = kindOf(kind);
  if (booksCustomsTax(row)) return isAny(input) ? [{ cell: '4(A)(1)', taxable: assessed, ...input }] : [];
  const part = (cell: Cell, tax: TaxHeads): CellPart => ({ cell, taxable: 0, ...tax });
  // paid with it and opened with it: no supply, no credit
  if (mayHaveGap(row))
    return [
      part(
        'Opening balances',
        byHead((head) => output[head] + reverse[head] - input[head]),
      ),
    ];
  const added = (tax: TaxHeads): TaxHeads => byHead((head) => Math.max(tax[head], 0));
  const taken = (tax: TaxHeads): TaxHeads => byHead((head) => Math.max(-tax[head], 0));
  const credits = taken(input);
  const due = byHead((head) => taken(output)[head] + taken(reverse)[head]);
  const used = usedUp(credits, total(due));
  const isPayment = row.gst.setsOff === true || (postsAsWritten(row) && (isPaid || total(used) > 0));
  const settled = isPayment ? used : nothing;
  const reversed = byHead((head) => credits[head] - settled[head]);
  return [
    part('3.1(a)', isPayment ? added(output) : output),
    part('3.1(d)', isPayment ? added(reverse) : reverse),
    part('4(A)(5)', added(input)),
    // credit that may be taken again later (rules 37 and 37A) stands apart from what is gone for good
    part(/\b37A?\b/.test(reason) ? '4(B)(2)' : '4(B)(1)', reversed),
    ...(isPayment
      ? [
          part(
            '6.1',
            byHead((head) => settled[head] - due[head]),
          ),
        ]
      : []),
  ];
}

/** Which credits pay so much: each its own head as far as it goes, IGST first (section 49A). */
function usedUp(credits: TaxHeads, due: number): TaxHeads {
  let rest = due;
  const used: Record<keyof TaxHeads, number> = { ...nothing };
  for (const head of heads) {
    used[head] = Math.min(credits[head], rest);
    rest -= used[head];
  }
  return used;
}

/** What a part adds to the tax that is left to pay: credit takes off, its reversal adds; information adds nothing. */
export const signOfCell = (cell: Cell): 1 | -1 | 0 => {
  if (cell.startsWith('4(A)')) return -1;
  return cell === '4(D)(2)' ? 0 : 1;
};
