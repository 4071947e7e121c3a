import { postsNothing, takesNonTaxable } from '../../books/legs.ts';
import type { GstCategory } from '../document.ts';
import { journals } from './journals.ts';
import type { Kind, Role } from './kind.ts';
import { orders } from './orders.ts';
import { payments } from './payments.ts';
import { purchases } from './purchases.ts';
import { sales } from './sales.ts';
import { stock } from './stock.ts';

export type { FieldName, Kind, Role } from './kind.ts';

/** THE table: every type of document. */
export const kinds = {
  ...sales,
  ...orders,
  ...payments,
  ...purchases,
  ...stock,
  ...journals,
} as const satisfies Record<string, Kind>;

/** The kind of a role: of what the product makes by itself, and of what a screen of its own is for. */
export const kindFor = (role: Role): KindName => byRole[role];
const byRole = Object.fromEntries(
  Object.entries<Kind>(kinds).flatMap(([name, { roles = [] }]) => roles.map((role) => [role, name])),
) as Readonly<Record<Role, KindName>>;

/** The families of kinds by the register they are kept in; a row may say another. */
const families = {
  sales: { ...sales, ...orders },
  money: payments,
  purchases,
  stock,
  journals,
} as const;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as readonly KindName[];

export const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name);
/** A kind by its name, for names that come from outside. */
export const kindCalled = (name: string): Kind | undefined => (isKind(name) ? kinds[name] : undefined);
export const kindOf = (name: KindName): Kind => kinds[name];
/** A kind by the wire's code (TransactionType), or by its name. */
export const kindByCode = (code: string): KindName | undefined =>
  isKind(code) ? code : kindNames.find((name) => kinds[name].code === code || kindOf(name).otherCodes?.includes(code));
/**
 * Whether no number may stand on documents of both: kinds of one family, and every kind beside those whose numbers the law keeps
 * (rules 46, 53 and 55), for returns, portals and people find a document by its number.
 */
export const keepApart = (a: Kind, b: Kind): boolean =>
  a.numbering.family === b.numbering.family || a.numbering.gst || b.numbering.gst;
/** Kinds on which tax is collected from a customer: on a purchase it is the supplier who collects. */
export const collectingKinds = kindNames.filter((name) => {
  const { gst, fields } = kinds[name] as Kind;
  return gst.tax === 'output' && fields.includes('tcsSection');
});
/** Kinds that give tax back which was collected from a customer. */
export const givingBackKinds = kindNames.filter((name) => {
  const { gst, books, source } = kinds[name] as Kind;
  return gst.tax === 'output' && (source.givesPrice === true || books.opens === 'customerCredit');
});
/** Its lines have a price and tax. */
export const isPriced = ({ lines }: Kind): boolean => lines.of === 'items' || lines.of === 'expenses';
/** Goods come or go with it: it names batches, serial numbers and rooms. */
export const movesGoods = ({ stock }: Kind): boolean =>
  stock.effect !== 'none' && stock.effect !== 'reserve' && stock.effect !== 'worth';
/** Leaves a credit, which settles what is due. */
export const settlesOthers = ({ books }: Kind): boolean =>
  books.opens === 'customerCredit' || books.opens === 'supplierCredit';
/** Whether something may come on top of it after tax, or off it: an order hands it on. */
export const takesAdjustments = (kind: Kind): boolean =>
  kind.lines.of === 'items' && kind.gst.tax !== 'none' && (kind.life.cycle === 'ordered' || takesNonTaxable(kind));
/**
 * Whether the same can be typed once more: what the product makes itself cannot, nor what takes another back whole,
 * nor goods that come back at a till from their bill.
 */
export const mayBeCopied = ({ life, source }: Kind): boolean =>
  !life.system && !source.reverses && !(life.till && source.givesPrice);
/**
 * Typed from a paper that somebody else wrote (a supplier's bill or note, a bill of entry): its reference is the
 * number of that paper, which is entered once.
 */
export const isSupplierDocument = ({ gst, life, fields }: Kind): boolean =>
  life.cycle === 'posted' && fields.includes('reference') && (gst.tax === 'input' || fields.includes('customs'));
/** Money that uses up credits: what it gives back is taken from them. */
export const consumesCredits = ({ lines, books }: Kind): boolean =>
  lines.of === 'none' && (books.opens === 'receivable' || books.opens === 'payable');
/**
 * Corrects a supply that is in the books, line by line: a return, a note, an order to take goods back, a self-invoice,
 * a receipt of what was sent.
 */
export const correctsSource = ({ fields, lines }: Kind): boolean => fields.includes('against') && lines.of === 'items';
/**
 * Written by us in the supplier's place for a supply from somebody unregistered, on which the tax is ours to pay
 * (section 31(3)(f)): it says what the bill says, and posts nothing.
 */
export const isForSupplier = (kind: Kind): boolean =>
  kind.gst.tax === 'input' && kind.numbering.gst && postsNothing(kind);
/** Says of money in the books what it was paid for, and posts nothing (section 31(3)(g)). */
export const saysOfMoney = (kind: Kind): boolean =>
  kind.gst.tax === 'none' && kind.lines.of === 'none' && postsNothing(kind) && kind.fields.includes('amount');
/** Takes something of a supply back: its goods, or a part of its price. */
export const takesBack = (kind: Kind): boolean => kind.source.givesPrice === true || settlesOthers(kind);
/** Takes off a part of a price, and no goods: it uses up the value of what it corrects, not its quantity (section 34(1)). */
export const cutsPrice = (kind: Kind): boolean => takesBack(kind) && kind.source.givesPrice !== true;
/** A note about a supply that is in the books, line by line: goods back, a price cut or a price rise. */
export const isNote = (kind: Kind): boolean =>
  correctsSource(kind) && kind.paper.form === 'note' && kind.life.cycle === 'posted';
/** Adds to a price: what it has added is taken back with the supply that it corrects, or by a note that is made from it. */
export const raisesPrice = (kind: Kind): boolean => isNote(kind) && !takesBack(kind);
/** The register of the family that a kind belongs to. */
export const familyOf = (name: string): keyof typeof families =>
  (Object.keys(families) as (keyof typeof families)[]).find((family) => Object.hasOwn(families[family], name)) ??
  'journals';
export const kindLabel = (name: string): string => kindCalled(name)?.label ?? name;

/** Where the value of a note that lessens an invoice or a bill goes. */
const lessening: readonly Kind['books']['lineEffect'][] = [
  'salesReturn',
  'salesDiscount',
  'purchaseReturn',
  'purchaseDiscount',
];
/** Takes off what an invoice or a bill has put on. */
export const lessens = ({ books }: Kind): boolean => lessening.includes(books.lineEffect);
/** The notes that correct a document of this kind on a later day; what has none is reversed on a later day. */
export const notesOn = (name: string): readonly KindName[] => followUps(name).filter((each) => lessens(kinds[each]));

/** What of the return of outward supplies corrects a kind on a later day: a note the other note, what went out what went out back. */
const opposites: Readonly<Partial<Record<NonNullable<Kind['gst']['gstr1']>, NonNullable<Kind['gst']['gstr1']>>>> = {
  creditNote: 'debitNote',
  debitNote: 'creditNote',
  invoice: 'invoice',
};
/**
 * The kinds that correct a document on a later day, where its own day is not open: its notes; of a note that a return shows the
 * opposite note; of goods back at a till another bill; of a supply to another registration of ours one back. None: it is reversed.
 */
export function correctedBy(name: string, isReturned: boolean): readonly KindName[] {
  const kind = kindCalled(name);
  const opposite = kind?.gst.gstr1 && opposites[kind.gst.gstr1];
  const notes = notesOn(name);
  if (notes.length > 0 || !isReturned || !kind || !opposite || !isKind(name)) return notes;
  if (opposite === 'invoice') return [name];
  if (kind.life.till) return [kindFor('tillBill')];
  return kindNames.filter((each) => {
    const { gst, stock, life } = kindOf(each);
    return gst.gstr1 === opposite && stock.effect === 'none' && !life.till;
  });
}

/** Whether a kind is made from a document of another one, of a party of this category; one that is not known fits. */
export const isMadeFromKind = (kind: Kind, name: string, category: GstCategory | null | undefined): boolean =>
  kind.source.kinds.includes(name) && (!category || (kind.source.categories?.[name]?.includes(category) ?? true));

/** The kinds that a document of this kind can be continued as. */
export const followUps = (name: string): readonly KindName[] =>
  kindNames.filter((k) => (kinds[k] as Kind).source.kinds.includes(name));
