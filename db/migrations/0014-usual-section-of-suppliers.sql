-- A supplier has a usual section of tax deducted at source (sections 192 to 206AA of the Act of 1961, section 393 of the
-- Act of 2025). Posting reads it with the party: a document without it asks for a reason.
-- What posting knows of parties. Nothing is posted on a merged party. With the address that bills go to: rule
-- 46(e), from ₹50,000 an invoice to a buyer without GSTIN names their address and the state of delivery, and the
-- invoice portal refuses a buyer without an address, or with a PIN code of another state. And with what the
-- register said of the GSTIN when it was asked last: an invoice to a cancelled registration is refused by the
-- invoice portal, and the GSTIN is no use to its buyer.
create or replace function party_facts(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(p), '[]')
  from (
    select
      id, name, category, state, country, gstin, pan, coalesce((body ->> 'microSmall')::boolean, false) as micro,
      credit_days, credit_limit, not active as retired, nullif(body ->> 'tdsSection', '') as tds_section,
      jsonb_array_length(coalesce(body -> 'addresses', '[]')) > 0 as addressed,
      (
        select jsonb_build_object(
          'line1', a.address -> 'line1', 'city', a.address -> 'city', 'state', a.address -> 'state',
          'pincode', a.address -> 'pincode'
        )
        from jsonb_array_elements(coalesce(body -> 'addresses', '[]')) with ordinality a(address, place)
        order by coalesce(a.address ->> 'type', '') = 'shipping', a.place
        limit 1
      ) as address,
      (
        select jsonb_build_object('status', t.facts -> 'status', 'cancelledOn', t.facts -> 'cancelledOn')
        from taxpayers t
        where t.organisation = parties.organisation and t.gstin = parties.gstin
      ) as register
    from parties
    where organisation = org and id = any(ids) and heir is null
  ) p
$$;
