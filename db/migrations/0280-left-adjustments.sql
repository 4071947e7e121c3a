-- What a document adds or takes off after tax (freight, packing), and what its returns and notes have given back of that:
-- a return gives back no more than there is. The function as in 0110, with `adjusted`.
-- The sum of what comes after tax, in paise of rupees.
create function adjusted_by(body jsonb) returns bigint language sql immutable as $$
  select coalesce(sum((a ->> 'amount')::bigint), 0)::bigint
    from jsonb_array_elements(coalesce(body -> 'adjustments', '[]')) a
$$;
grant execute on function adjusted_by(jsonb) to bahi_app;

create or replace function source_documents(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object(
           'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', heir_of(org, d.party),
           'registration', d.registration, 'location', d.location, 'toLocation', d.to_location, 'author', d.author,
           'placeOfSupply', d.place_of_supply, 'currency', d.currency, 'exchangeRate', d.exchange_rate,
           'supply', coalesce(d.body ->> 'supply', 'none'), 'taxCharged', coalesce((d.body ->> 'taxCharged')::boolean, false),
           'reverseCharge', d.reverse_charge, 'withPayment', d.supply_type in ('EXPWP', 'SEZWP'), 'roundOff', d.round_off,
           'adjusted', adjusted_by(d.body),
           'rounded', (select coalesce(json_agg(json_build_object(
                                'kind', t.kind, 'roundOff', t.round_off, 'adjusted', adjusted_by(t.body))), '[]')
                         from document_links k
                         join documents t on t.organisation = org and t.id = k.target
                        where k.organisation = org
                          and k.source = d.id
                          and k.role = 'source'
                          and (t.round_off <> 0 or t.body ? 'adjustments')
                          and not exists (select from document_links f
                                           where f.organisation = org and f.target = k.target and f.role = 'source' and f.source < d.id)
                          and not exists (select from cancellations c where c.organisation = org and c.document = t.id)),
           'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id))), '[]')
    from documents d
   where d.organisation = org and d.id = any(ids)
$$;
