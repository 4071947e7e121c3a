-- The shelves of a remembered posting are proved as they are written: the same rows are compared and changed by one statement,
-- locked in the order they come in. When one of them differs, all of it is undone (BR409) and the posting asks.
create or replace function post_remembered(org int, who uuid, known_version bigint, known_lock date, was writing_shelf[], d writing_document[], bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_shelf[], o writing_open[], rest jsonb)
returns table (id uuid, number text) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare same int;
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  -- after the lock of the period: who changes how stock is kept holds it alone
  if known_lock is distinct from (select l.locked_through from locks l where l.organisation = org for share) then return; end if;
  if known_version is distinct from (select h.version from house_versions h where h.organisation = org) then return; end if;
  if cardinality(was) > 0 then
    update item_balances t set quantity = p.quantity, value = p.value, layers = p.layers::bigint[], last_date = greatest(t.last_date, p.last_date)
      from unnest(was, b) p (known_item, known_location, known_quantity, known_value, known_layers, known_date, item, location, quantity, value, layers, last_date)
     where t.organisation = org and t.item = p.known_item and t.location = p.known_location and p.item = p.known_item and p.location = p.known_location
       and t.quantity = p.known_quantity and t.value = p.known_value and t.layers = p.known_layers::bigint[] and t.last_date is not distinct from p.known_date;
    get diagnostics same = row_count;
    if same <> cardinality(was) then raise exception 'a shelf is not as it was remembered' using errcode = 'BR409'; end if;
  end if;
  return query select x.id, x.number from write_documents(org, d, bodies, l, e, m, array[]::writing_shelf[], o, rest) x;
end $$;
