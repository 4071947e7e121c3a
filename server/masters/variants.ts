import { sql } from 'kysely';
import { type Said, say } from '../../domain/base/say.ts';
import type { Problem } from '../../domain/document/document.ts';
import { MOST_ATTRIBUTES } from '../../domain/items/variants.ts';
import type { Context } from '../context.ts';
import { settingsNow } from '../kit/settings-now.ts';
import type { Trx, Values } from './records.ts';

/** Fields of the body that each variant has for itself; all others follow its template. */
export const variantOwn = ['attributes', 'mrp', 'reorderLevel', 'reorderLevels', 'description'] as const;

/** What variants share with their template: changed there, and only there. */
export const sharedFields = [
  'type',
  'unit',
  'category',
  'batched',
  'serialised',
  'hasShelfLife',
  'shelfLifeDays',
  'minRemainingShelfLifeDays',
  'hsn',
  'treatment',
  'gstRate',
  'cessRate',
  'cessPerUnit',
  'incomeLedger',
  'expenseLedger',
  'creditBlocked',
  'scrap',
] as const;

const chosen = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);

/** Whether an item has variants, and what is wrong with the attributes that make them. */
export async function templateOf(
  trx: Trx,
  { organisation }: Context,
  values: Values,
  id: string | undefined,
): Promise<{ readonly isTemplate: boolean; readonly problems: readonly Problem[] }> {
  const attributes = chosen(values.attributes);
  if (attributes.length === 0) return { isTemplate: false, problems: [] };
  const at = (field: string, message: Said) => ({ isTemplate: true, problems: [{ field, ...message }] });
  if (attributes.length > MOST_ATTRIBUTES)
    return at(
      'attributes',
      say('Variants are made of at most {{mostAttributes}} attributes', { mostAttributes: MOST_ATTRIBUTES }),
    );
  if (values.barcode) return at('barcode', say('An item with variants has no barcode: each variant has its own'));
  const before = await sql<{
    is_template: boolean;
  }>`select is_template from items where organisation = ${organisation} and id = ${id ?? null}::uuid`.execute(trx);
  if (!before.rows[0]?.is_template && !(await settingsNow(trx, organisation)).enableVariantsBasedSku)
    return at('attributes', say('Variants are switched off in the configuration'));
  const bare = await sql<{
    name: string;
  }>`
    select name
    from masters
    where organisation = ${organisation}
      and id = any(${[...attributes]}::uuid[])
      and jsonb_array_length(coalesce(body -> 'values', '[]')) = 0
    limit 1
  `.execute(trx);
  return bare.rows[0]
    ? at('attributes', say('{{rows}} has no values yet', { rows: bare.rows[0].name }))
    : { isTemplate: true, problems: [] };
}

/** After a template is saved its variants have what they share with it. */
export async function shareWithVariants(trx: Trx, { organisation }: Context, id: string): Promise<void> {
  const own = [...variantOwn];
  await sql`
    update items v
    set
      service = t.service, stocked = t.stocked, unit = t.unit, hsn = t.hsn, treatment = t.treatment,
      gst_rate = t.gst_rate, cess_rate = t.cess_rate, cess_per_unit = t.cess_per_unit,
      income_ledger = t.income_ledger, expense_ledger = t.expense_ledger,
      credit_blocked = t.credit_blocked, scrap = t.scrap, version = v.version + 1,
      search = lower(concat_ws(' ', v.sku, v.name, coalesce(v.barcode, ''), t.hsn)),
      body = (t.body - ${own}::text[]) || (
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(v.body) where key = any(${own}::text[])
      )
    from items t
    where t.organisation = ${organisation}
      and t.id = ${id}::uuid
      and t.is_template
      and v.organisation = t.organisation
      and v.template = t.id
      and (
        v.service, v.stocked, v.unit, v.hsn, v.treatment, v.gst_rate, v.cess_rate, v.cess_per_unit,
        v.income_ledger, v.expense_ledger, v.credit_blocked, v.scrap, v.body - ${own}::text[]
      ) is distinct from (
        t.service, t.stocked, t.unit, t.hsn, t.treatment, t.gst_rate, t.cess_rate, t.cess_per_unit,
        t.income_ledger, t.expense_ledger, t.credit_blocked, t.scrap, t.body - ${own}::text[]
      )
  `.execute(trx);
}

/** Values of an attribute that variants are made of stay as they are, word for word. */
export async function usedValuesStay(
  trx: Trx,
  { organisation }: Context,
  values: Values,
  id: string | undefined,
): Promise<readonly Problem[]> {
  const rows = (values.values ?? []) as readonly { readonly value: string }[];
  const twice = rows.findIndex(
    ({ value }, at) => rows.findIndex((other) => other.value.toLowerCase() === value.toLowerCase()) !== at,
  );
  if (twice >= 0) return [{ field: 'values.value', row: twice, ...say('This value already exists') }];
  if (id === undefined) return [];
  const used = await sql<{
    value: string;
    name: string;
  }>`
    select value, min(name) as name
    from (
      select variant ->> ${id}::text as value, name
      from items
      where organisation = ${organisation} and variant ? ${id}::text
    ) used
    group by value
    order by value
  `.execute(trx);
  const gone = used.rows.find(({ value }) => !rows.some((row) => row.value === value));
  return gone
    ? [
        {
          field: 'values',
          ...say('The value {{value}} stays as it is: {{gone}} is made of it', { value: gone.value, gone: gone.name }),
        },
      ]
    : [];
}
