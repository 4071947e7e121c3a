-- Batches and serial numbers say which goods of an item moved; they split its quantity, never its cost. They stand on the
-- movement itself ({batch, quantity in the base unit, expiry, manufactured}), so that nothing has to be kept in step with it.
create index movements_batches on movements using gin (batches jsonb_path_ops) where batches is not null;
create index movements_serials on movements using gin (serials) where serials is not null;

-- All that one batch or serial number of an item did, in date order.
create function part_moves(org int, what uuid, sort text, named text)
returns table (location uuid, date date, sequence bigint, document uuid, quantity bigint, expiry date) language sql stable as $$
  select m.location, m.date, m.sequence, m.document, (sign(m.quantity) * (b.part ->> 'quantity')::bigint)::bigint, (b.part ->> 'expiry')::date
    from movements m cross join lateral jsonb_array_elements(m.batches) b(part)
   where sort = 'batch' and m.organisation = org and m.item = what and m.batches @> jsonb_build_array(jsonb_build_object('batch', named)) and b.part ->> 'batch' = named
  union all
  select m.location, m.date, m.sequence, m.document, (sign(m.quantity) * 1000000)::bigint, null
    from movements m where sort = 'serial' and m.organisation = org and m.item = what and m.serials @> array[named]
$$;

-- How batches and serial numbers stand at a place at the end of a day and ever after: least there, most anywhere; when they
-- expire, and how much of them a source moved. Whoever asks holds them until his transaction ends: a serial number may be
-- asked for at two places at once, whose shelves do not keep each other waiting.
create function part_facts(org int, items uuid[], sorts text[], parts text[], places uuid[], dates date[], sources uuid[]) returns json language plpgsql as $$
begin
  perform pg_advisory_xact_lock(k) from (select distinct hashtextextended(concat_ws('/', t.item, t.sort, t.part), org) as k from unnest(items, sorts, parts) t(item, sort, part) order by 1) locks;
  return (select json_agg(json_build_object('item', t.item, 'sort', t.sort, 'part', t.part, 'location', t.place,
      'least', (select least(coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), min(m.after) filter (where m.date > t.day)) from (select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after from part_moves(org, t.item, t.sort, t.part) x where x.location = t.place) m),
      'most', (select greatest(coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), max(m.after) filter (where m.date > t.day)) from (select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after from part_moves(org, t.item, t.sort, t.part) x) m),
      'expiry', (select x.expiry from part_moves(org, t.item, t.sort, t.part) x where x.expiry is not null order by x.date, x.sequence limit 1),
      'source', (select coalesce(sum(abs(x.quantity)), 0) from part_moves(org, t.item, t.sort, t.part) x where x.document = t.source and x.quantity < 0)))
    from (select distinct * from unnest(items, sorts, parts, places, dates, sources) u(item, sort, part, place, day, source)) t);
end $$;
grant execute on function part_moves(int, uuid, text, text), part_facts(int, uuid[], text[], text[], uuid[], date[], uuid[]) to bahi_app;

-- Items say whether they are kept in batches or by serial number.
create or replace function item_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(i), '[]') from (
    select i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate, i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger, i.credit_blocked, i.scrap,
           coalesce((i.body ->> 'batched')::boolean, false) as batched, coalesce((i.body ->> 'serialised')::boolean, false) as serialised,
           (select json_agg(json_build_object('from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor')) from masters m
             where m.organisation = org and m.master = 'unitConversion' and m.active and i.unit in (m.body ->> 'from', m.body ->> 'to') and coalesce(m.body ->> 'item', '') in ('', i.id::text)) as conversions
      from items i where i.organisation = org and i.id = any(ids)) i
$$;

-- A movement is written with its batches and serial numbers.
alter type writing_movement add attribute batches jsonb, add attribute serials text[];
do $$
declare
  known text := pg_get_functiondef('write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)'::regprocedure);
  written text := replace(known, 'stated_value, room', 'stated_value, room, batches, serials');
begin
  if written = known then raise exception 'write_documents does not write movements as expected'; end if;
  execute written;
end $$;
