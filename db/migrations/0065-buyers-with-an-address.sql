-- Rule 46(e): from ₹50,000 an invoice to a buyer without GSTIN names his address and the state of delivery. Whether one is on
-- record comes with what posting knows of a party.
create or replace function party_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(p), '[]') from (select id, name, category, state, country, gstin, pan, coalesce((body ->> 'microSmall')::boolean, false) as micro, credit_days, credit_limit, jsonb_array_length(coalesce(body -> 'addresses', '[]')) > 0 as addressed from parties where organisation = org and id = any(ids) and heir is null) p
$$;
