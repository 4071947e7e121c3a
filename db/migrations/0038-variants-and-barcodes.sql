-- An item that has attributes is a template: no document names it, each combination of its values is an item of its own that
-- is bought, sold and counted as any other. What the variants share stands on each of them and follows the template, so that
-- nothing that reads items has to know of templates.
alter table items add column is_template boolean not null default false, add column template uuid, add column variant jsonb,
  add foreign key (organisation, template) references items,
  add check (template is null or not is_template), add check ((template is null) = (variant is null));
-- the value of each attribute, by the attribute's id
create unique index items_variant on items (organisation, template, variant) where template is not null;

-- As before; and whether the item is a template. A conversion that holds only for a template holds for its variants.
create or replace function item_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(i), '[]') from (
    select i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate, i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger, i.credit_blocked, i.scrap,
           i.is_template as template, coalesce((i.body ->> 'batched')::boolean, false) as batched, coalesce((i.body ->> 'serialised')::boolean, false) as serialised,
           (select json_agg(json_build_object('from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor', 'own', coalesce(m.body ->> 'item', '') <> '')) from masters m
             where m.organisation = org and m.master = 'unitConversion' and m.active and coalesce(m.body ->> 'item', '') in ('', i.id::text, i.template::text)) as conversions
      from items i where i.organisation = org and i.id = any(ids)) i
$$;

-- Every code that a scanner may read, each once in the organisation: the main one of an item, kept in step with its row, and
-- as many others as it has, each for a unit (the code on a box of 12).
create table item_barcodes (
  organisation int not null references organisations, id uuid not null default gen_random_uuid(), item uuid not null, barcode text not null,
  unit text,  -- none: the item's own
  main boolean not null default false,
  primary key (organisation, id), foreign key (organisation, item) references items, check (not (main and unit is not null))
);
create unique index item_barcodes_barcode on item_barcodes (organisation, barcode);
create unique index item_barcodes_main on item_barcodes (organisation, item) where main;
create index item_barcodes_item on item_barcodes (organisation, item);

create function keep_main_barcode() returns trigger language plpgsql as $$
begin
  if coalesce(new.barcode, '') = '' then
    delete from item_barcodes where organisation = new.organisation and item = new.id and main;
  else
    insert into item_barcodes (organisation, item, barcode, main) values (new.organisation, new.id, new.barcode, true)
      on conflict (organisation, item) where main do update set barcode = excluded.barcode;
  end if;
  return null;
end $$;
create trigger keep_main_barcode_new after insert on items for each row when (coalesce(new.barcode, '') <> '') execute function keep_main_barcode();
create trigger keep_main_barcode after update on items for each row when (new.barcode is distinct from old.barcode) execute function keep_main_barcode();
insert into item_barcodes (organisation, item, barcode, main) select organisation, id, barcode, true from items where coalesce(barcode, '') <> '';

-- The next number of our own range: one that was given is not given again, whatever became of its item.
create table barcode_counters (organisation int not null references organisations, next bigint not null, primary key (organisation));

do $$
declare name text;
begin
  foreach name in array array['item_barcodes', 'barcode_counters'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
-- the main code is in the log with its item
create trigger log_change_new after insert on item_barcodes for each row when (not new.main) execute function log_change();
create trigger log_change_gone after delete on item_barcodes for each row when (not old.main) execute function log_change();
grant select, insert, update, delete on item_barcodes to bahi_app;
grant select, insert, update on barcode_counters to bahi_app;
