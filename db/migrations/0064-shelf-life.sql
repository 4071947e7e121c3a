-- Goods that keep for a time only: how many days from when they are made, and how many have to be left when they are sold.
-- As before; and what an item says of its shelf life.
create or replace function item_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(i), '[]') from (
    select i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate, i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger, i.credit_blocked, i.scrap,
           i.is_template as template, coalesce((i.body ->> 'batched')::boolean, false) as batched, coalesce((i.body ->> 'serialised')::boolean, false) as serialised,
           case when i.body ->> 'hasShelfLife' = 'true' then json_build_object('days', (i.body ->> 'shelfLifeDays')::int, 'least', coalesce((i.body ->> 'minRemainingShelfLifeDays')::int, 0)) end as shelf_life,
           (select json_agg(json_build_object('from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor', 'own', coalesce(m.body ->> 'item', '') <> '')) from masters m
             where m.organisation = org and m.master = 'unitConversion' and m.active and coalesce(m.body ->> 'item', '') in ('', i.id::text, i.template::text)) as conversions
      from items i where i.organisation = org and i.id = any(ids)) i
$$;
