-- A note or return is to who its document was to (section 34, rule 53(1A)): name, GSTIN, state and category as that has them, with the
-- country and address that it keeps from now on. The function as in 0302, with `partyThen` and `supplyType`.
create or replace function source_documents(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object(
           'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', heir_of(org, d.party),
           'partyThen', case
             when d.party is not null and d.category is not null then json_build_object(
               'name', d.party_name, 'gstin', d.party_gstin, 'state', d.party_state, 'category', d.category,
               'country', d.body #>> '{partyThen,country}', 'address', nullif(d.body #> '{partyThen,address}', 'null'))
           end,
           'registration', d.registration, 'location', d.location, 'toLocation', d.to_location, 'author', d.author,
           'placeOfSupply', d.place_of_supply, 'currency', d.currency, 'exchangeRate', d.exchange_rate,
           'supply', coalesce(d.body ->> 'supply', 'none'), 'supplyType', d.supply_type,
           'taxCharged', coalesce((d.body ->> 'taxCharged')::boolean, false),
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
           'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id),
           'irnCancelled', irn_cancelled(org, d.id))), '[]')
    from documents d
   where d.organisation = org and d.id = any(ids)
$$;
