-- A registration's status under GST (none, composition, regular, SEZ) is dated: it begins with registrations.kind and changes on
-- the days that stand here, each until the next. Existing registrations have had their status from the first day of the books.
create table registration_statuses (
  organisation int not null references organisations,
  registration uuid not null,
  from_day date not null,
  kind text not null check (kind in ('regular', 'composition', 'unregistered', 'sez')),
  primary key (organisation, registration, from_day),
  foreign key (organisation, registration) references registrations
);
create trigger log_change after insert or update or delete on registration_statuses for each row execute function log_change();
create trigger house_changed after insert or update or delete on registration_statuses for each row execute function house_changed();
alter table registration_statuses enable row level security;
alter table registration_statuses force row level security;
create policy tenant on registration_statuses to bahi_app
  using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
  with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on registration_statuses to bahi_owner using (true) with check (true);
grant select, insert, delete on registration_statuses to bahi_app;

-- The status of a registration on a day.
create function registration_status(org int, which uuid, day date) returns text language sql stable as $$
  select coalesce(
    (
      select s.kind
      from registration_statuses s
      where s.organisation = org and s.registration = which and s.from_day <= day
      order by s.from_day desc
      limit 1
    ),
    (select r.kind from registrations r where r.organisation = org and r.id = which)
  )
$$;
-- The changes of status of a registration, oldest first.
create function status_changes(org int, which uuid) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('from', s.from_day, 'kind', s.kind) order by s.from_day), '[]')
  from registration_statuses s
  where s.organisation = org and s.registration = which
$$;
grant execute on function registration_status(int, uuid, date), status_changes(int, uuid) to bahi_app;

-- Every posting knows the statuses with what else it knows of the house.
create or replace function house_facts(org int) returns table (version bigint, house json) language plpgsql as $$
begin
  perform set_config('app.organisation', org::text, true);
  return query select v.version, json_build_object(
      'settings', o.settings,
      'ledgers', (select json_object_agg(effect, ledger) from posting_map where organisation = org),
      'currencies', (select coalesce(json_object_agg(id, currency), '{}') from ledgers where organisation = org and currency is not null),
      'transit', (select id from locations where organisation = org and is_transit limit 1),
      'registrations', (
        select coalesce(json_agg(r), '[]')
        from (
          select id, state, kind, gstin, status_changes(org, id) as statuses,
                 coalesce((body ->> 'einvoice')::boolean, false) as einvoice,
                 nullif(body ->> 'einvoiceFrom', '') as "einvoiceFrom", active
          from registrations
          where organisation = org
        ) r),
      'locations', (
        select coalesce(json_agg(l), '[]')
        from (select id, code, name, registration, active from locations where organisation = org) l),
      'locks', (select coalesce(json_object_agg(register, locked_through), '{}') from register_locks where organisation = org),
      'series', (
        select coalesce(json_agg(s), '[]')
        from (
          select id, kind, registration, location, prefix, suffix, padding, start, reset
          from number_series
          where organisation = org and active and till is null
          order by location nulls last, id
        ) s))
    from organisations o
    join house_versions v on v.organisation = org
    where o.organisation = org;
end $$;
