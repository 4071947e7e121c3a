import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { itemCalls } from '../../contract/items.ts';
import { moneyText, ONE, parseDecimal } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { symbologyOf } from '../../domain/items/barcode.ts';
import { type LabelFormatName, labelFormatNames, labelFormatOf } from '../../domain/items/labels.ts';
import type { Context } from '../context.ts';
import { viewDocument } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';
import { printLabels } from '../paper/index.ts';
import { barcodeRows, shownRows } from './barcodes.ts';

type Print = (typeof itemCalls)['PrintLabels'];
type OfDocument = (typeof itemCalls)['LabelsOfDocument'];

/** So many labels in one file: more are printed in several goes. */
const MOST_LABELS = 5000;

const isFormat = (name: string): name is LabelFormatName => (labelFormatNames as readonly string[]).includes(name);
/** A price as a label says it: with paise, grouped as in India. */
const price = (rate: string | null | undefined): string => {
  const whole = parseDecimal(rate ?? '', 6);
  return whole === undefined
    ? ''
    : moneyText(Math.round(whole / 10_000)).replace(
        /^(\d+)(\d{3})\./,
        (_, head: string, tail: string) => `${head.replace(/\B(?=(\d\d)+$)/g, ',')},${tail}.`,
      );
};

/** The PDF of so many labels of each barcode, in the order asked for. */
export async function labelsPdf(
  context: Context,
  { format, labels, skip, shows }: Input<Print>,
): Promise<Answer<Print>> {
  if (!isFormat(format)) throw new Problems([{ field: 'format', ...say('Choose one of the label formats') }]);
  if (labels.reduce((sum, { count }) => sum + count, 0) > MOST_LABELS)
    throw new Problems([
      { field: 'labels', ...say('At most {{mostLabels}} labels are printed at once', { mostLabels: MOST_LABELS }) },
    ]);
  const found = await context.inTransaction((trx) =>
    barcodeRows(trx, context, sql`b.id = any(${labels.map(({ id }) => id)}::uuid[])`, labels.length),
  );
  const byId = new Map(shownRows(found).map((row) => [row.id, row]));
  const each = labels.flatMap(({ id, count }) => {
    const row = byId.get(id);
    if (!row) throw new Refusal('notFound');
    const mrp = price(row.mrp);
    const rate = price(row.saleRate);
    // the Legal Metrology (Packaged Commodities) Rules say how a retail price is declared
    const lines = [
      ...(shows.sku ? [row.unit ? `${row.sku} · ${row.unit}` : row.sku] : []),
      ...(shows.mrp && mrp ? [`MRP ₹ ${mrp} incl. of all taxes`] : []),
      ...(shows.rate && rate ? [`₹ ${rate}`] : []),
    ];
    const label = {
      ...(shows.name && { name: row.name }),
      barcode: row.barcode,
      symbology: symbologyOf(row.barcode),
      lines,
    };
    return Array.from({ length: count }, () => label);
  });
  const bytes = await printLabels({ format: labelFormatOf(format), skip, labels: each });
  return { name: `labels-${format}.pdf`, type: 'application/pdf', content: Buffer.from(bytes).toString('base64') };
}

/** The main barcode of each item a document names, with a label for each piece; a part of one is one. */
export async function labelsOfDocument(context: Context, id: Id): Promise<Answer<OfDocument>> {
  const view = await viewDocument(context, { id });
  return context.inTransaction(async (trx) => {
    const { rows: lines } = await sql<{
      item: Id;
      quantity: string;
    }>`
      select item, sum(base_quantity) as quantity
      from document_lines
      where organisation = ${context.organisation}
        and document = ${view.id}::uuid
        and item is not null
        and not service
      group by item
    `.execute(trx);
    const pieces = new Map(
      lines.map(({ item, quantity }) => [item, Math.min(1000, Math.max(1, Math.ceil(Number(quantity) / ONE)))]),
    );
    const rows = await barcodeRows(
      trx,
      context,
      sql`
        i.id = any(${[...pieces.keys()]}::uuid[])
          and (
            b.main
              or not exists (
                select from item_barcodes m where m.organisation = i.organisation and m.item = i.id and m.main
              )
          )
      `,
      2000,
    );
    // of an item without a main code the first of its others
    const seen = new Set<Id>();
    const first = rows.filter(({ item }) => !seen.has(item) && seen.add(item));
    return { number: view.number, rows: shownRows(first).map((row) => ({ ...row, count: pieces.get(row.item) ?? 1 })) };
  });
}
