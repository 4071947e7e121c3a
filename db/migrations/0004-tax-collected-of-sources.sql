-- A return or a note gives back tax collected at source as well: what each has given back of a document is kept in its
-- `tcsBack`, and whether that tax was deposited already is told.
create or replace function source_documents(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(
    json_agg(
      json_build_object(
        'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', heir_of(org, d.party),
        'partyThen', case
          when d.party is not null and d.category is not null
            then json_build_object(
              'name', d.party_name, 'gstin', d.party_gstin, 'state', d.party_state, 'category', d.category,
              'country', d.body #>> '{partyThen,country}',
              'address', nullif(d.body #> '{partyThen,address}', 'null')
            )
        end,
        'registration', d.registration, 'location', d.location, 'toLocation', d.to_location, 'author', d.author,
        'placeOfSupply', d.place_of_supply, 'currency', d.currency, 'exchangeRate', d.exchange_rate,
        'supply', coalesce(d.body ->> 'supply', 'none'), 'supplyType', d.supply_type,
        'taxCharged', coalesce((d.body ->> 'taxCharged')::boolean, false), 'reverseCharge', d.reverse_charge,
        'withPayment', d.supply_type in ('EXPWP', 'SEZWP'), 'roundOff', d.round_off,
        'adjusted', adjusted_by(d.body), 'tcs', d.tcs,
        'tcsBack', case
          when d.tcs = 0 then 0
          else (
            select coalesce(sum((t.body #>> array['tcsBack', d.id::text])::bigint), 0)
            from document_links k
            join documents t on t.organisation = org and t.id = k.target
            where k.organisation = org
              and k.source = d.id
              and k.role = 'source'
              and t.body ? 'tcsBack'
              and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
          )
        end,
        'tcsDeposited', d.tcs > 0 and exists (
          select from tax_challan_parts p
          join tax_challans t on t.organisation = p.organisation and t.id = p.challan
          where p.organisation = org
            and p.document = d.id
            and t.tax = 'tcs'
            and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
        ),
        'rounded', (
          select coalesce(
            json_agg(json_build_object('kind', t.kind, 'roundOff', t.round_off, 'adjusted', adjusted_by(t.body))),
            '[]'
          )
          from document_links k
          join documents t on t.organisation = org and t.id = k.target
          where k.organisation = org
            and k.source = d.id
            and k.role = 'source'
            and (t.round_off <> 0 or t.body ? 'adjustments')
            and not exists (
              select from document_links f
              where f.organisation = org and f.target = k.target and f.role = 'source' and f.source < d.id
            )
            and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
        ),
        'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id),
        'irnCancelled', irn_cancelled(org, d.id)
      )
    ),
    '[]'
  )
  from documents d
  where d.organisation = org and d.id = any(ids)
$$;
