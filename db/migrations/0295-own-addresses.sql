-- The invoice portal refuses a document whose own address, place of dispatch or place of arrival is incomplete, or has a PIN
-- code of another state. That was noticed when the document was sent: after its number was taken. A posting now looks at the
-- same addresses, so what a server process keeps of an organisation has them.

-- An address as a registration or a place has it; what is not typed is empty.
create function own_address(body jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'line1', coalesce(body ->> 'line1', ''),
    'line2', coalesce(body ->> 'line2', ''),
    'city', coalesce(body ->> 'city', ''),
    'state', coalesce(body ->> 'state', ''),
    'pincode', coalesce(body ->> 'pincode', ''),
    'portalName', coalesce(body ->> 'portalName', ''))
$$;

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
          select id, state, kind, gstin, legal_name as "legalName", status_changes(org, id) as statuses,
                 own_address(body) as address,
                 coalesce(body -> 'stops', '[]') as stops,
                 coalesce((body ->> 'einvoice')::boolean, false) as einvoice,
                 nullif(body ->> 'einvoiceFrom', '') as "einvoiceFrom", active
          from registrations
          where organisation = org
        ) r),
      'locations', (
        select coalesce(json_agg(l), '[]')
        from (
          select id, code, name, registration, own_address(body) as address, active
          from locations
          where organisation = org
        ) l),
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
grant execute on function own_address(jsonb) to bahi_app;
