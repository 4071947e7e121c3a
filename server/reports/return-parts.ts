import type { Day, Id } from '../../domain/document/document.ts';

/** Paise, with the sign that they have in the return. */
export interface ReturnAmounts {
  readonly taxable: number;
  readonly igst: number;
  readonly cgst: number;
  readonly sgst: number;
  readonly cess: number;
}
export const amountNames = ['taxable', 'igst', 'cgst', 'sgst', 'cess'] as const;

/** What one document adds to a return. */
export interface ReturnPart extends ReturnAmounts {
  readonly id: Id;
  /** The table that it adds to, where a document may add to several: credit with a minus, so that the parts come to the tax left to pay. */
  readonly table?: string;
  readonly number: string;
  readonly date: Day;
}

/** A table of a return; `value` is what its invoices come to, where the product draws tables. */
export interface KeptTable extends ReturnAmounts {
  readonly name: string;
  readonly count: number;
  readonly value?: number;
}

/**
 * A return as the books give it now: its tables, what each document adds to its supplies and advances, and the
 * portal's file where the product draws one.
 */
export interface DrawnReturn {
  readonly tables: readonly KeptTable[];
  readonly documents: readonly ReturnPart[];
  readonly file: object | null;
}

export const summed = (parts: readonly ReturnAmounts[]): ReturnAmounts => {
  const of = (name: (typeof amountNames)[number]) => parts.reduce((t, part) => t + part[name], 0);
  return { taxable: of('taxable'), igst: of('igst'), cgst: of('cgst'), sgst: of('sgst'), cess: of('cess') };
};
