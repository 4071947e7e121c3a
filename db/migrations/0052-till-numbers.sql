-- A till has a series of numbers of its own. One browser holds its session and goes on with them without the network; what it
-- gave comes in one after the other. A number that was given and whose bill is not in the books stays to be seen: not yet
-- received, refused with the reason, or void.
alter table number_series add column till uuid;
alter table number_series add foreign key (organisation, till) references masters (organisation, id);
create index number_series_till on number_series (organisation, till) where till is not null;

alter table till_sessions add column device uuid, add column series uuid, add column taken_over int not null default 0;
alter table till_sessions add foreign key (organisation, series) references number_series;
-- numbers of a till belong to a browser, and a browser to a till's series
alter table till_sessions add check ((device is null) = (series is null));

create table till_numbers (
  organisation int not null references organisations, series uuid not null, period text not null, counter int not null check (counter > 0), number text not null, day date not null,
  session uuid not null, state text not null check (state in ('awaited', 'refused', 'void', 'posted')), reason text not null default '', body jsonb,
  document uuid, set_by uuid not null, set_at timestamptz not null default now(),
  primary key (organisation, series, period, counter),
  foreign key (organisation, series) references number_series, foreign key (organisation, session) references till_sessions, foreign key (organisation, set_by) references users,
  foreign key (organisation, document) references documents deferrable initially deferred,
  check ((state = 'posted') = (document is not null)), check (state in ('awaited', 'posted') or reason <> '')
);
create index till_numbers_session on till_numbers (organisation, session);
create index till_numbers_day on till_numbers (organisation, day) where state = 'void';
alter table till_numbers enable row level security;
alter table till_numbers force row level security;
create policy tenant on till_numbers to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on till_numbers to bahi_owner using (true) with check (true);
create trigger log_change after insert or update or delete on till_numbers for each row execute function log_change();
grant select, insert, update on till_numbers to bahi_app;

-- The next number of a counter; the row is locked, or made, as a posting does it.
create function next_of_till(org int, what uuid, counted_in text) returns int language plpgsql as $$
declare found_next int;
begin
  insert into series_counters (organisation, series, period, next) select org, what, counted_in, s.start from number_series s where s.organisation = org and s.id = what
    on conflict (organisation, series, period) do nothing;
  select next into found_next from series_counters where organisation = org and series = what and period = counted_in for update;
  return found_next;
end $$;

-- A bill that brings its number: it is the next one of the till's series, or one that was set down as not yet in the books. The
-- counter is the last lock, as for numbers that are given here.
create function till_number() returns trigger language plpgsql as $$
declare asked jsonb := new.body -> 'draft' -> 'till'; held till_sessions; awaited int; n int := (asked ->> 'counter')::int;
begin
  select * into held from till_sessions where organisation = new.organisation and id = (asked ->> 'session')::uuid;
  if not found or held.location <> new.location or held.series is null then raise exception 'no such till session here' using errcode = 'BR049'; end if;
  awaited := next_of_till(new.organisation, held.series, asked ->> 'period');
  -- who holds the till is asked under the lock of the counter, which whoever takes it over holds
  if not exists (select from till_sessions s where s.organisation = new.organisation and s.id = held.id and s.device::text = asked ->> 'device') and n >= awaited then
    raise exception 'another browser holds the till' using errcode = 'BR051';
  end if;
  if n = awaited then
    update series_counters set next = n + 1 where organisation = new.organisation and series = held.series and period = asked ->> 'period';
  else
    update till_numbers set state = 'posted', document = new.id, body = null, set_by = new.author, set_at = now()
     where organisation = new.organisation and series = held.series and period = asked ->> 'period' and counter = n and state in ('awaited', 'refused');
    if not found then raise exception '%', awaited using errcode = 'BR052'; end if;
  end if;
  new.series := held.series;
  return new;
end $$;
create trigger till_number before insert on documents for each row when (new.body -> 'draft' -> 'till' ? 'counter') execute function till_number();

-- Sets down a number whose bill is not in the books: the next one, or one that is set down already. Answers what the next one
-- is; nothing is set down for a number further ahead, or one whose bill is posted.
create function set_down_number(org int, what uuid, at_session uuid, counted_in text, n int, text_of text, on_day date, as_state text, why text, kept jsonb, who uuid) returns int language plpgsql as $$
declare awaited int := next_of_till(org, what, counted_in);
begin
  if n = awaited then
    insert into till_numbers (organisation, series, period, counter, number, day, session, state, reason, body, set_by) values (org, what, counted_in, n, text_of, on_day, at_session, as_state, why, kept, who);
    update series_counters set next = n + 1 where organisation = org and series = what and period = counted_in;
    return n + 1;
  end if;
  if n < awaited and as_state <> 'awaited' then
    update till_numbers set state = as_state, reason = why, body = coalesce(kept, body), set_by = who, set_at = now() where organisation = org and series = what and period = counted_in and counter = n and state in ('awaited', 'refused');
  end if;
  return awaited;
end $$;
grant execute on function next_of_till(int, uuid, text), set_down_number(int, uuid, uuid, text, int, text, date, text, text, jsonb, uuid) to bahi_app;

-- Other documents take no number from the series of a till.
do $$
declare known text := pg_get_functiondef('house_facts(int)'::regprocedure); made text;
begin
  made := replace(known, 'from number_series where organisation = org and active order', 'from number_series where organisation = org and active and till is null order');
  if made = known then raise exception 'house_facts does not read the series as expected'; end if;
  execute made;
end $$;

-- Goods that come back at a till, with the money: a kind of its own, whose numbers are given here, for what is left of a bill is
-- known here alone. Registrations that are here already get its series beside that of the sale return.
insert into number_series (organisation, id, name, kind, registration, prefix, padding)
  select s.organisation, gen_random_uuid(), 'Till return', 'posReturn', s.registration, regexp_replace(s.prefix, 'SR/\{FY\}/$', 'TLR/{FY}/'), 4
    from number_series s where s.kind = 'saleReturn' and s.location is null and s.till is null and s.prefix ~ '^[A-Z0-9]{0,2}SR/\{FY\}/$'
     and not exists (select from number_series o where o.organisation = s.organisation and o.registration = s.registration and o.kind = 'posReturn')
     and not exists (select from number_series o where o.organisation = s.organisation and o.registration = s.registration and o.kind = s.kind and o.id < s.id and o.prefix ~ '^[A-Z0-9]{0,2}SR/\{FY\}/$');
