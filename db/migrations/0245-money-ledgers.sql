-- Money moves on cash, bank, clearing and undeposited-funds ledgers only: one rule, for pickers, for rules of banks and for
-- every document that names where money goes. The profit of the current year is worked out: its ledger takes no entries.
create function is_money(is_bank boolean, role text) returns boolean language sql immutable parallel safe as $$
  select is_bank or coalesce(role in ('cash', 'bank', 'clearing'), false)
$$;
create function is_computed(role text) returns boolean language sql immutable parallel safe as $$
  select coalesce(role = 'current_year_profit', false)
$$;

-- What posting knows of money: the ids of its ledgers, those that are retired too.
create function money_ledgers(org int) returns json language sql stable as $$
  select coalesce(json_agg(id), '[]')
    from ledgers
   where organisation = org
     and not is_group
     and is_money(is_bank, role)
$$;
grant execute on function is_money(boolean, text), is_computed(text), money_ledgers(int) to bahi_app;

-- A new ledger of money is new to every process that remembers the list.
create constraint trigger money_ledger after insert on ledgers
  deferrable initially deferred for each row
  when (is_money(new.is_bank, new.role))
  execute function masters_changed();

create or replace function taking_ledgers(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(case when active then to_json(id) else json_build_object('id', id, 'name', name) end), '[]')
    from ledgers
   where organisation = org
     and id = any(ids)
     and not is_group
     and not is_computed(role)
$$;
