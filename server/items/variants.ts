import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { itemCalls } from '../../contract/items.ts';
import { quantityText, rateText } from '../../domain/base/decimal.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import { barcodeProblem } from '../../domain/items/barcode.ts';
import { type Attribute, combinationKey, combinations, MOST_VARIANTS } from '../../domain/items/variants.ts';
import { parentsOfMaster, seesCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { staleOf } from '../kit/database/stale.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { type Trx, variantOwn } from '../masters/index.ts';

type Get = (typeof itemCalls)['GetVariants'];
type Save = (typeof itemCalls)['SaveVariants'];
type Wanted = Input<Save>['variants'][number];

interface Template {
  readonly id: Id;
  readonly sku: string;
  readonly name: string;
  readonly unit: string;
  readonly stocked: boolean;
  readonly is_template: boolean;
  readonly sale_rate: string | null;
  readonly purchase_rate: string | null;
  readonly body: { readonly attributes?: readonly Id[]; readonly batched?: boolean; readonly serialised?: boolean };
}
interface Variant {
  readonly id: Id;
  readonly version: number;
  readonly sku: string;
  readonly name: string;
  readonly barcode: string | null;
  readonly sale_rate: string | null;
  readonly active: boolean;
  readonly variant: Readonly<Record<Id, string>>;
  readonly on_hand: string;
}

const rate = (value: string | null): string | null => (value === null ? null : rateText(Number(value)));

async function templateOf(trx: Trx, { organisation }: Context, item: Id, lock = false): Promise<Template> {
  const { rows } = await sql<Template>`
    select id, sku, name, unit, stocked, is_template, sale_rate, purchase_rate, body
    from items
    where organisation = ${organisation} and id = ${item}::uuid ${lock ? sql`for update` : sql``}
  `.execute(trx);
  const [template] = rows;
  if (!template?.is_template) throw new Refusal('notFound');
  return template;
}

/** The attributes of a template with their values, in the order the template names them. */
async function attributesOf(trx: Trx, { organisation }: Context, { body }: Template): Promise<Attribute[]> {
  const ids = body.attributes ?? [];
  const { rows } = await sql<{
    id: Id;
    name: string;
    values: { value: string; code?: string }[] | null;
  }>`
    select id, name, body -> 'values' as
    values
    from masters
    where organisation = ${organisation} and master = 'attribute' and id = any(${[...ids]}::uuid[])
  `.execute(trx);
  return ids.flatMap((id) =>
    rows.filter((row) => row.id === id).map(({ name, values }) => ({ id, name, values: values ?? [] })),
  );
}

async function variantsOf(trx: Trx, { organisation, locations }: Context, item: Id): Promise<readonly Variant[]> {
  const here = locations.length > 0 ? sql`and b.location = any(${[...locations]}::uuid[])` : sql``;
  return (
    await sql<Variant>`
      select
        i.id, i.version, i.sku, i.name, i.barcode, i.sale_rate, i.active, i.variant,
        coalesce(
          (
            select sum(b.quantity)
            from item_balances b
            where b.organisation = i.organisation and b.item = i.id ${here}
          ),
          0
        ) as on_hand
      from items i
      where i.organisation = ${organisation} and i.template = ${item}::uuid
      order by i.sku
    `.execute(trx)
  ).rows;
}

/** What the matrix of an item shows. */
export async function variants(trx: Trx, context: Context, item: Id): Promise<Answer<Get>> {
  const template = await templateOf(trx, context, item);
  const attributes = await attributesOf(trx, context, template);
  const { sku, name, unit, stocked, body } = template;
  return {
    sku,
    name,
    unit,
    stocked,
    parts: body.batched === true || body.serialised === true,
    saleRate: rate(template.sale_rate),
    purchaseRate: seesCost(context, parentsOfMaster('item')) ? rate(template.purchase_rate) : null,
    attributes: attributes.map((attribute) => ({
      id: attribute.id,
      name: attribute.name,
      values: attribute.values.map(({ value, code }) => ({ value, code: code ?? '' })),
    })),
    variants: (await variantsOf(trx, context, item)).map((v) => ({
      id: v.id,
      version: v.version,
      values: attributes.map(({ id }) => v.variant[id] ?? ''),
      sku: v.sku,
      name: v.name,
      barcode: v.barcode ?? '',
      saleRate: rate(v.sale_rate),
      onHand: quantityText(Number(v.on_hand)),
      active: v.active,
    })),
  };
}

/** Makes what is new and changes what is there: all of it, or with a problem at its row nothing. */
export async function saveVariants(
  trx: Trx,
  context: Context,
  { item, variants: wanted }: Input<Save>,
): Promise<Answer<Save>> {
  // two people who make variants of one item do it one after the other
  const template = await templateOf(trx, context, item, true);
  const attributes = await attributesOf(trx, context, template);
  const known = new Map((await variantsOf(trx, context, item)).map((v) => [v.id, v]));
  const proposed = new Map(combinations(template, attributes).map((each) => [combinationKey(each.values), each]));
  const there = new Set(
    [...known.values()].map((v) => combinationKey(attributes.map(({ id }) => v.variant[id] ?? ''))),
  );
  const problems: Problem[] = [];
  const at = (row: number, field: string, message: Said) =>
    problems.push({ field: `variants.${field}`, row, ...message });
  const fresh: {
    id: Id;
    sku: string;
    name: string;
    barcode: string | null;
    rate: number | null;
    active: boolean;
    variant: Record<Id, string>;
  }[] = [];
  const changed: { row: number; known: Variant; wanted: Wanted }[] = [];
  const [skus, codes] = [new Set<string>(), new Set<string>()];
  for (const [row, each] of wanted.entries()) {
    const wrong = each.barcode === '' ? undefined : barcodeProblem(each.barcode);
    if (wrong) at(row, 'barcode', wrong);
    if (skus.has(each.sku)) at(row, 'sku', say('This SKU is on another row'));
    if (each.barcode && codes.has(each.barcode)) at(row, 'barcode', say('This barcode is on another row'));
    skus.add(each.sku);
    codes.add(each.barcode);
    if (each.id !== undefined) {
      const old = known.get(each.id);
      if (!old) throw new Refusal('notFound');
      if (old.version !== each.version) throw await staleOf(trx, context.organisation, 'items', old.id);
      if (old.active && !each.active && Number(old.on_hand) !== 0)
        at(
          row,
          'active',
          say('{{on_hand}} {{unit}} are in stock', { on_hand: quantityText(Number(old.on_hand)), unit: template.unit }),
        );
      changed.push({ row, known: old, wanted: each });
      continue;
    }
    const combination = proposed.get(combinationKey(each.values));
    if (!combination) at(row, 'values', say('These are no values of the attributes of this item'));
    else if (there.has(combinationKey(each.values))) at(row, 'values', say('This variant already exists'));
    else {
      there.add(combinationKey(each.values));
      fresh.push({
        id: newId(),
        sku: each.sku,
        name: each.name ?? combination.name,
        barcode: each.barcode || null,
        rate: each.saleRate ?? null,
        active: each.active,
        variant: Object.fromEntries(attributes.map(({ id }, n) => [id, each.values[n] ?? ''])),
      });
    }
  }
  if (known.size + fresh.length > MOST_VARIANTS)
    problems.push({
      field: 'variants',
      ...say('An item has at most {{mostVariants}} variants', { mostVariants: MOST_VARIANTS }),
    });
  problems.push(...(await taken(trx, context, wanted)));
  if (problems.length > 0) throw new Problems(problems);
  for (const { known: old, wanted: now } of changed) await change(trx, context, old, now);
  await make(trx, context, item, fresh);
  return { made: fresh.length, changed: changed.length, variants: fresh.map(({ id, sku }) => ({ id, sku })) };
}

/** SKUs and barcodes that other items bear already. */
async function taken(trx: Trx, { organisation }: Context, wanted: readonly Wanted[]): Promise<Problem[]> {
  const { rows } = await sql<{ row: string; field: string; name: string }>`
    select w.row - 1 as row, 'sku' as field, i.name
    from unnest(
      ${wanted.map((w) => w.sku)}::text[], ${wanted.map((w) => w.id ?? null)}::uuid[]
    ) with ordinality w(sku, own, row)
    join items i
      on i.organisation = ${organisation}
        and upper(i.sku) = w.sku
        and i.id is distinct from w.own
        and not i.id = any(${wanted.flatMap((w) => w.id ?? [])}::uuid[])
    union all
    select w.row - 1, 'barcode', i.name
    from unnest(
      ${wanted.map((w) => w.barcode)}::text[], ${wanted.map((w) => w.id ?? null)}::uuid[]
    ) with ordinality w(barcode, own, row)
    join item_barcodes b
      on b.organisation = ${organisation}
        and b.barcode = w.barcode
        and (b.item is distinct from w.own or not b.main)
    join items i on i.organisation = b.organisation and i.id = b.item
    where not (b.main and b.item = any(${wanted.flatMap((w) => w.id ?? [])}::uuid[]))
  `.execute(trx);
  return rows.map(({ row, field, name }) => ({
    field: `variants.${field}`,
    row: Number(row),
    ...(field === 'sku'
      ? say('{{name}} has this SKU already', { name })
      : say('{{name}} has this barcode already', { name })),
  }));
}

async function change(trx: Trx, { organisation }: Context, old: Variant, now: Wanted): Promise<void> {
  const name = now.name ?? old.name;
  const barcode = now.barcode || null;
  const sale = now.saleRate ?? null;
  await sql`
    update items
    set
      sku = ${now.sku}, name = ${name}, barcode = ${barcode}, sale_rate = ${sale}, active = ${now.active},
      version = version + 1,
      search = lower(concat_ws(' ', ${now.sku}::text, ${name}::text, coalesce(${barcode}::text, ''), hsn))
    where organisation = ${organisation}
      and id = ${old.id}
      and (sku, name, barcode, sale_rate, active) is distinct from (
        ${now.sku}::text, ${name}::text, ${barcode}::text, ${sale}::bigint, ${now.active}::boolean
      )
  `.execute(trx);
}

async function make(
  trx: Trx,
  { organisation }: Context,
  item: Id,
  fresh: readonly { readonly id: Id }[],
): Promise<void> {
  if (fresh.length === 0) return;
  await sql`
    insert into items (
      organisation, id, sku, name, barcode, sale_rate, active, template, variant, service, stocked, hsn,
      unit, treatment, gst_rate, cess_rate, cess_per_unit, retail_price, purchase_rate, income_ledger,
      expense_ledger, credit_blocked, scrap, search, body
    )
    select
      t.organisation, w.id, w.sku, w.name, w.barcode, coalesce(w.rate, t.sale_rate), w.active, t.id,
      w.variant, t.service, t.stocked, t.hsn, t.unit, t.treatment, t.gst_rate, t.cess_rate,
      t.cess_per_unit, t.retail_price, t.purchase_rate, t.income_ledger, t.expense_ledger,
      t.credit_blocked, t.scrap,
      lower(concat_ws(' ', w.sku, w.name, coalesce(w.barcode, ''), t.hsn)),
      t.body - ${[...variantOwn]}::text[]
    from items t
    cross join jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) w(
      id uuid, sku text, name text, barcode text, rate bigint, active boolean, variant jsonb
    )
    where t.organisation = ${organisation} and t.id = ${item}::uuid
  `.execute(trx);
}
