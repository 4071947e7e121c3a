-- What the register said of a party's GSTIN when it was asked last: an invoice to a cancelled registration is refused by the invoice
-- portal, and the GSTIN is no use to its buyer. Of a party the function answers its status and since when; otherwise as before. What
-- processes remember of parties is forgotten when the register says something else.
create or replace function party_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(p), '[]')
  from (
    select
      id, name, category, state, country, gstin, pan,
      coalesce((body ->> 'microSmall')::boolean, false) as micro,
      credit_days,
      credit_limit,
      not active as retired,
      jsonb_array_length(coalesce(body -> 'addresses', '[]')) > 0 as addressed,
      (
        select jsonb_build_object('line1', a.address -> 'line1', 'city', a.address -> 'city', 'state', a.address -> 'state', 'pincode', a.address -> 'pincode')
        from jsonb_array_elements(coalesce(body -> 'addresses', '[]')) with ordinality a(address, place)
        order by coalesce(a.address ->> 'type', '') = 'shipping', a.place
        limit 1
      ) as address,
      (
        select jsonb_build_object('status', t.facts -> 'status', 'cancelledOn', t.facts -> 'cancelledOn')
        from taxpayers t
        where t.organisation = parties.organisation
          and t.gstin = parties.gstin
      ) as register
    from parties
    where organisation = org and id = any(ids) and heir is null
  ) p
$$;

create constraint trigger house_changed after insert or update or delete on taxpayers
  deferrable initially deferred for each row execute function masters_changed();
