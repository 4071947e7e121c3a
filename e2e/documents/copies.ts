import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { documentView, pricedView } from '../../contract/documents.ts';
import type { DraftLine } from '../../domain/document/document.ts';
import { isSupplierDocument, type KindName, kindOf } from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { leftToSource } from '../../domain/document/sources.ts';
import { type KindBooks, labelled } from '../kit/kind-books.ts';

type Shown = z.output<typeof documentView>;
type Fields = Readonly<Record<string, unknown>>;

/** What a copy begins without, by its place in the document, and of which kinds; of all others it says the same. */
const ownOfOne: Readonly<Record<string, (row: Kind) => boolean>> = {
  // a day of its own, and what is due from it
  date: () => true,
  dueDate: () => true,
  // settled once, paid once, counted into one drawer, carrying out one order
  allocations: () => true,
  tenders: () => true,
  onAccount: () => true,
  till: () => true,
  order: () => true,
  // what is returned or corrected, and a note, cannot be without the document that it is against
  against: (row) => !row.fields.includes('against'),
  // one paper of somebody else
  reference: isSupplierDocument,
  referenceDate: isSupplierDocument,
  'fields.instrument': () => true,
  'fields.shippingBill': () => true,
  'fields.transportDocument': () => true,
  // a reason is given for one document
  accepted: () => true,
};
const ownOfLine: typeof ownOfOne = {
  source: (row) => !row.fields.includes('against'),
  serials: () => true,
  // the document shows what the goods cost, the draft what their item says
  rate: ({ stock }) => stock.valued !== undefined,
};

const bare = (said: Fields, own: typeof ownOfOne, row: Kind, before = ''): Fields =>
  Object.fromEntries(
    Object.entries(said)
      .filter(([name]) => own[before + name]?.(row) !== true)
      .map(([name, value]) => [name, name === 'fields' ? bare(value as Fields, own, row, 'fields.') : value])
      // nothing left of it is nothing said
      .filter(([name, value]) => name !== 'fields' || Object.keys(value as Fields).length > 0),
  );

/** What a line of the editor is filled with from its item where nobody typed it, as the document shows it. */
const filledIn = ['hsn', 'unit', 'gstRate', 'rate'] as const;

/**
 * What a document says besides what is its own, in its head and on its lines; of what a line leaves to its item, that
 * which the other one says.
 */
const saidBy = ({ body, lines: shown }: Shown, row: Kind, other: Shown): Fields => {
  const { lines: typed, total: _, ...head } = body as Fields & { lines: readonly Fields[] };
  // what a line takes over from the line that it corrects is left to that one in the copy
  const own = (line: Fields): Fields =>
    (line['source'] ? leftToSource(row, line as unknown as DraftLine) : line) as Fields;
  const lines = typed.map(own);
  const others = (other.body['lines'] as readonly Fields[]).map(own);
  const filled = (line: Fields, at: number): Fields => {
    const left = filledIn.filter(
      (name) => !ownOfLine[name]?.(row) && line[name] === undefined && others[at]?.[name] !== undefined && shown[at],
    );
    return Object.fromEntries(left.map((name) => [name, shown[at]?.[name]]));
  };
  return {
    ...bare(head, ownOfOne, row),
    lines: lines.map((line, at) => ({ ...filled(line, at), ...bare(line, ownOfLine, row) })),
  };
};

/**
 * The copy that the editor shows is kept as a draft: of every field of the head and of every line it says what the document
 * says, but what is of one document only, and it comes to the same. Leaves the editor open.
 */
export async function copiedWhole(page: Page, books: KindBooks, source: Shown, today: string): Promise<void> {
  const row = kindOf(source.kind as KindName);
  await page.waitForLoadState('networkidle');
  // what nobody touches leaves no draft behind
  const narration = page.getByLabel(labelled('Narration'));
  await narration.press('ControlOrMeta+End');
  await narration.pressSequentially('x');
  await narration.press('Backspace');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/[?&]id=/);
  const TransactionId = new URL(page.url()).searchParams.get('id') ?? '';
  const copy = await books.ask<Shown>('GetTransactionDetailForInvoice', { TransactionId });
  expect(TransactionId).not.toBe(source.id);
  expect([copy.number, copy.draft, copy.status, copy.links]).toEqual(['', true, 'draft', []]);
  expect(copy.body['date']).toBe(today);
  expect(saidBy(copy, row, source)).toEqual(saidBy(source, row, copy));
  // it says nothing of what is its own
  const own = Object.keys(ownOfOne).filter((name) => ownOfOne[name]?.(row) && !['date', 'dueDate'].includes(name));
  const inIt = (path: string) => path.split('.').reduce<unknown>((at, name) => (at as Fields)?.[name], copy.body);
  expect(own.filter((path) => inIt(path) !== undefined)).toEqual([]);
  // of what came back nothing may be left to come back again
  if ((row.lines.of === 'items' || row.lines.of === 'expenses') && !row.source.givesPrice) {
    // what a view adds to the text of a document is not asked for
    const { total: _, ...draft } = copy.body as Fields;
    const { priced } = await books.ask<{ priced: z.output<typeof pricedView> }>('GetTaxCalculation', { draft });
    const sums = (one: typeof priced | null) => ({ ...one, lines: [] });
    expect(sums(priced)).toEqual(sums(source.priced));
  }
}
