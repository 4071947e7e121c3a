import { type RawBuilder, sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { itemCalls } from '../../contract/items.ts';
import type { GeneralConfiguration } from '../../contract/session.ts';
import { quantityText, rateText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { barcodeProblem, ownEan, scannedCode, symbologyOf } from '../../domain/items/barcode.ts';
import type { Context } from '../context.ts';
import { itemFacts } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';
import type { Trx } from '../masters/index.ts';

export type BarcodeRow = Answer<(typeof itemCalls)['SaveBarcode']>;
type List = (typeof itemCalls)['ListBarcodes'];

interface Row {
  readonly id: Id | null;
  readonly item: Id;
  readonly sku: string;
  readonly name: string;
  readonly barcode: string | null;
  readonly unit: string;
  readonly main: boolean;
  readonly mrp: string | null;
  readonly sale_rate: string | null;
  readonly on_hand: string;
  readonly place: string;
}

const PAGE = 200;
const rate = (value: string | null): string | null => (value === null ? null : rateText(Number(value)));
const like = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

const shown = ({ id, item, sku, name, barcode, unit, main, mrp, sale_rate, on_hand }: Row): BarcodeRow => ({
  id,
  item,
  sku,
  name,
  unit,
  main,
  mrp,
  barcode: barcode ?? '',
  symbology: barcode ? symbologyOf(barcode) : '',
  saleRate: rate(sale_rate),
  onHand: quantityText(Number(on_hand)),
});

/**
 * Barcodes with their items by a condition; items without any too. A box has no price of its own: that of a piece
 * would mislead on it. `i` is the item, `b` its barcode.
 */
export async function barcodeRows(
  trx: Trx,
  { organisation, locations }: Context,
  condition: RawBuilder<unknown>,
  most: number,
): Promise<Row[]> {
  const here = locations.length > 0 ? sql`and s.location = any(${[...locations]}::uuid[])` : sql``;
  return (
    await sql<Row>`
      select
        b.id, i.id as item, i.sku, i.name, b.barcode, coalesce(b.unit, i.unit) as unit,
        coalesce(b.main, false) as main, case when b.unit is null then i.body ->> 'mrp' end as mrp,
        case when b.unit is null then i.sale_rate end as sale_rate, lower(i.name) as place,
        coalesce(
          (
            select sum(s.quantity)
            from item_balances s
            where s.organisation = i.organisation and s.item = i.id ${here}
          ),
          0
        ) as on_hand
      from items i
      left join item_barcodes b on b.organisation = i.organisation and b.item = i.id
      where i.organisation = ${organisation} and not i.is_template and ${condition}
      order by lower(i.name), i.id, b.main desc, b.barcode
      limit ${most}
    `.execute(trx)
  ).rows;
}
export const shownRows = (rows: readonly Row[]): BarcodeRow[] => rows.map(shown);

/** A page of barcodes by the name of their item. */
export async function listBarcodes(
  trx: Trx,
  context: Context,
  { search, only, after, limit = PAGE }: Input<List>,
): Promise<Answer<List>> {
  const size = Math.max(1, Math.min(limit, PAGE));
  const [name = '', item, code = ''] = after?.split('\u001f') ?? [];
  // of an item with several codes the main one stands first: a page may end between them
  const laterRows =
    item === undefined
      ? sql`true`
      : sql`((lower(i.name), i.id) > (${name}, ${item}::uuid) or (i.id = ${item}::uuid and not b.main and b.barcode > ${code}))`;
  const found = search
    ? sql`
      (
        i.search like ${like(search)}
          or exists (
            select from item_barcodes x
            where x.organisation = i.organisation and x.item = i.id and x.barcode = ${scannedCode(search)}
          )
      )
    `
    : sql`true`;
  const which = { all: sql`true`, with: sql`b.id is not null`, without: sql`b.id is null` }[only];
  const rows = await barcodeRows(trx, context, sql`i.active and ${found} and ${which} and ${laterRows}`, size + 1);
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    rows: shownRows(rows.slice(0, size)),
    after: last ? [last.place, last.item, last.main ? '' : (last.barcode ?? '')].join('\u001f') : null,
  };
}

/** The item that has a barcode, with the unit of the barcode. */
export async function findBarcode(
  trx: Trx,
  { organisation }: Context,
  text: string,
): Promise<Answer<(typeof itemCalls)['FindBarcode']>> {
  const { rows } = await sql<{ item: Id; sku: string; name: string; unit: string; barcode: string }>`
    select i.id as item, i.sku, i.name, coalesce(b.unit, i.unit) as unit, b.barcode
    from item_barcodes b
    join items i on i.organisation = b.organisation and i.id = b.item and i.active and not i.is_template
    where b.organisation = ${organisation} and b.barcode = ${scannedCode(text)}
  `.execute(trx);
  return { found: rows[0] ?? null };
}

/** Another code for an item, standing on one of its units. */
export async function saveBarcode(
  trx: Trx,
  context: Context,
  { item, barcode, unit }: Input<(typeof itemCalls)['SaveBarcode']>,
): Promise<BarcodeRow> {
  const wrong = barcodeProblem(barcode);
  if (wrong) throw new Problems([{ field: 'barcode', ...wrong }]);
  const facts = (await itemFacts(trx, context.organisation, [item])).get(item);
  if (!facts || facts.template) throw new Refusal('notFound');
  if (unit && facts.units[unit] === undefined)
    throw new Problems([
      {
        field: 'unit',
        ...say('{{unit}} is no unit of {{sku}}: add a unit conversion first', { unit, sku: facts.sku }),
      },
    ]);
  const { rows: borne } = await sql<{
    name: string;
    main: boolean;
  }>`
    select
      i.name,
      exists (
        select from item_barcodes m where m.organisation = i.organisation and m.item = ${item}::uuid and m.main
      ) as main
    from item_barcodes b
    join items i on i.organisation = b.organisation and i.id = b.item
    where b.organisation = ${context.organisation} and b.barcode = ${barcode}
  `.execute(trx);
  if (borne[0])
    throw new Problems([{ field: 'barcode', ...say('{{borne}} already has this barcode', { borne: borne[0].name }) }]);
  const base = unit === '' || unit === facts.unit;
  const { rows } = await sql<{
    bare: boolean;
  }>`
    select coalesce(barcode, '') = '' as bare
    from items
    where organisation = ${context.organisation} and id = ${item}::uuid
    for update
  `.execute(trx);
  // the first code of an item is its main one
  if (base && rows[0]?.bare) await giveMain(trx, context, [{ item, barcode }]);
  else
    await sql`
      insert into item_barcodes (organisation, item, barcode, unit)
      values (${context.organisation}, ${item}::uuid, ${barcode}, ${base ? null : unit})
    `.execute(trx);
  const [made] = await barcodeRows(trx, context, sql`b.barcode = ${barcode}`, 1);
  if (!made) throw new Error('the barcode is not there');
  return shown(made);
}

/** The rows of items carry their main code; the table of codes follows. */
const giveMain = (
  trx: Trx,
  { organisation }: Context,
  all: readonly { readonly item: Id; readonly barcode: string | null }[],
) =>
  sql`
    update items i
    set
      barcode = w.barcode, version = version + 1,
      search = lower(concat_ws(' ', i.sku, i.name, coalesce(w.barcode, ''), i.hsn))
    from unnest(
      ${all.map((each) => each.item)}::uuid[], ${all.map((each) => each.barcode)}::text[]
    ) w(item, barcode)
    where i.organisation = ${organisation} and i.id = w.item
  `.execute(trx);

export async function removeBarcode(trx: Trx, context: Context, id: Id): Promise<void> {
  const { rows } = await sql<{
    item: Id;
    main: boolean;
  }>`select item, main from item_barcodes where organisation = ${context.organisation} and id = ${id}::uuid`.execute(
    trx,
  );
  const [row] = rows;
  if (!row) throw new Refusal('notFound');
  if (row.main) await giveMain(trx, context, [{ item: row.item, barcode: null }]);
  else
    await sql`delete from item_barcodes where organisation = ${context.organisation} and id = ${id}::uuid`.execute(trx);
}

/** Codes of our own for items that have none, as the barcode configuration says. */
export async function generateBarcodes(
  trx: Trx,
  context: Context,
  settings: GeneralConfiguration,
  items: readonly Id[],
): Promise<Answer<(typeof itemCalls)['GenerateBarcodes']>> {
  const { organisation } = context;
  const { rows } = await sql<{ id: Id; sku: string; is_template: boolean; coded: boolean; taken: boolean }>`
    select
      i.id, i.sku, i.is_template,
      exists (select from item_barcodes b where b.organisation = i.organisation and b.item = i.id) as coded,
      exists (select from item_barcodes b where b.organisation = i.organisation and b.barcode = i.sku) as taken
    from items i
    where i.organisation = ${organisation} and i.id = any(${[...items]}::uuid[])
    order by i.sku
    for update of i
  `.execute(trx);
  if (rows.length < new Set(items).size) throw new Refusal('notFound');
  const bySku = settings.barcodeSymbology === 'code128';
  const left: { sku: string; reason: string }[] = [];
  const wanted = rows.filter(({ sku, is_template, coded, taken }) => {
    const reason = is_template
      ? 'its variants bear the barcodes'
      : coded
        ? 'it has a barcode already'
        : bySku && taken
          ? 'its SKU is the barcode of another item'
          : bySku
            ? barcodeProblem(sku)?.message
            : undefined;
    if (reason) left.push({ sku, reason });
    return reason === undefined;
  });
  if (wanted.length > 0)
    await giveMain(
      trx,
      context,
      bySku
        ? wanted.map(({ id, sku }) => ({ item: id, barcode: sku }))
        : await numbered(
            trx,
            organisation,
            settings.barcodePrefix,
            wanted.map(({ id }) => id),
          ),
    );
  return { made: wanted.length, left };
}

/** The next numbers of the own range; one that somebody typed meanwhile is passed over. */
async function numbered(
  trx: Trx,
  organisation: number,
  prefix: string,
  items: readonly Id[],
): Promise<{ item: Id; barcode: string }[]> {
  await sql`insert into barcode_counters (organisation, next) values (${organisation}, 1) on conflict do nothing`.execute(
    trx,
  );
  const counter = await sql<{
    next: string;
  }>`select next from barcode_counters where organisation = ${organisation} for update`.execute(trx);
  const used = new Set(
    (
      await sql<{
        barcode: string;
      }>`
        select barcode
        from item_barcodes
        where organisation = ${organisation} and barcode like ${`${prefix}%`} and length(barcode) = 13
      `.execute(trx)
    ).rows.map((row) => row.barcode),
  );
  let next = Number(counter.rows[0]?.next ?? 1);
  const made = items.map((item) => {
    let barcode = ownEan(prefix, next++);
    while (used.has(barcode)) barcode = ownEan(prefix, next++);
    return { item, barcode };
  });
  await sql`update barcode_counters set next = ${next} where organisation = ${organisation}`.execute(trx);
  return made;
}
