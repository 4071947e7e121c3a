-- An everyday posting asks nothing before it writes: its server process decides from what it remembers of masters and shelves,
-- and this one statement proves that all of it is still so. When anything differs, nothing is written and nothing is answered.

-- The number that tells a process whether what it keeps is still so counts changes of masters too. New rows change nothing
-- that is remembered, but for conversions of units. Counted at the commit, once for all rows, so that nobody who changes a
-- master waits for another who does.
create function masters_changed() returns trigger language plpgsql security definer set search_path = public as $$
declare org int := case when tg_op = 'DELETE' then old.organisation else new.organisation end;
begin
  if coalesce(current_setting('app.masters_changed', true), '') <> org::text then
    update house_versions set version = version + 1 where organisation = org;
    perform set_config('app.masters_changed', org::text, true);
  end if;
  return null;
end $$;
do $$
declare name text;
begin
  foreach name in array array['items', 'parties', 'ledgers'] loop
    execute format('create constraint trigger house_changed after update or delete on %I deferrable initially deferred for each row execute function masters_changed()', name);
  end loop;
end $$;
create constraint trigger house_changed after insert or update or delete on masters deferrable initially deferred for each row execute function masters_changed();

-- `was` are the shelves as the decision took them to be, in the order of their locks. The caller's rights, as all of posting.
create function post_remembered(org int, who uuid, known_version bigint, known_lock date, was writing_shelf[], d writing_document[], bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_shelf[], o writing_open[], rest jsonb)
returns table (id uuid, number text) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  -- after the lock of the period: who changes how stock is kept holds it alone
  if known_lock is distinct from (select l.locked_through from locks l where l.organisation = org for share) then return; end if;
  if known_version is distinct from (select h.version from house_versions h where h.organisation = org) then return; end if;
  if cardinality(was) > 0 and cardinality(was) <> (
    select count(*) from unnest(was) w,
      lateral (select from item_balances i where i.organisation = org and i.item = w.item and i.location = w.location
                  and i.quantity = w.quantity and i.value = w.value and i.layers = w.layers::bigint[] and i.last_date is not distinct from w.last_date offset 0 for update) i)
  then return; end if;
  return query select x.id, x.number from write_documents(org, d, bodies, l, e, m, b, o, rest) x;
end $$;
grant execute on function post_remembered(int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb) to bahi_app;
