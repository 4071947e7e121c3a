-- The invoice portal refuses a buyer without an address, or with a PIN code of another state: what posting knows of a party
-- has the address that bills go to. As before otherwise.
create or replace function party_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(p), '[]')
  from (
    select
      id, name, category, state, country, gstin, pan,
      coalesce((body ->> 'microSmall')::boolean, false) as micro,
      credit_days,
      credit_limit,
      jsonb_array_length(coalesce(body -> 'addresses', '[]')) > 0 as addressed,
      (
        select jsonb_build_object('line1', a.address -> 'line1', 'city', a.address -> 'city', 'state', a.address -> 'state', 'pincode', a.address -> 'pincode')
        from jsonb_array_elements(coalesce(body -> 'addresses', '[]')) with ordinality a(address, place)
        order by coalesce(a.address ->> 'type', '') = 'shipping', a.place
        limit 1
      ) as address
    from parties
    where organisation = org and id = any(ids) and heir is null
  ) p
$$;
