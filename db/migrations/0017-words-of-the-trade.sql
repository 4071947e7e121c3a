-- Words of the trade: a party that was merged into another names it in `merged_into` (was `heir`), and
-- `surviving_party` (was `heir_of`) answers the last one.
alter table parties rename column heir to merged_into;
alter table parties rename constraint parties_organisation_heir_fkey to parties_organisation_merged_into_fkey;
alter index parties_heir rename to parties_merged_into;
alter function heir_of(int, uuid) rename to surviving_party;

-- The party that a party was merged into; one that was not merged is its own.
create or replace function surviving_party(org int, party uuid) returns uuid
language sql stable as $$
  select coalesce((select p.merged_into from parties p where p.organisation = org and p.id = party), party)
$$;

-- A party with all that were merged into it, whichever of them is asked for. It is found by keys: under row-level
-- security no index is looked up by what a function or a coalesce gives (they might tell of rows that are hidden),
-- so that the family of one party would be sought among all parties.
create or replace function party_family(org int, party uuid) returns uuid[]
language sql stable as $$
  with head as materialized (
    select coalesce(
      (select p.merged_into from parties p where p.organisation = org and p.id = party_family.party), party_family.party
    ) as id
  )
  select array_agg(f.id)
  from (
    select id
    from head
    union
    select p.id
    from head
    join parties p on p.organisation = org and p.merged_into = head.id
  ) f
$$;

-- Parties that may be the same as one that is typed or kept, and by what. With the owner's eyes, so that the index
-- of likeness can be used; the organisation is that of the transaction and no other.
create or replace function near_parties(me uuid, said text, number text, tax_id text, called text)
returns table (id uuid, why text, likeness real)
language sql stable security definer
set search_path = public, pg_temp as $$
  with here as (
    select nullif(current_setting('app.organisation', true), '')::int as org
  )
  select p.id, 'gstin', 1::real
  from here
  join parties p on p.organisation = here.org and p.gstin = nullif(number, '') and p.merged_into is null
    and p.id is distinct from me
  union all
  select p.id, 'pan', 1::real
  from here
  join parties p on p.organisation = here.org and p.pan = nullif(tax_id, '') and p.merged_into is null
    and p.id is distinct from me
  union all
  select p.id, 'phone', 1::real
  from here
  join parties p on p.organisation = here.org and phone_key(p.body ->> 'phone') = phone_key(called)
    and p.merged_into is null
    and p.id is distinct from me
  union all
  select p.id, 'name', similarity(party_key(p.name), party_key(said))
  from here
  join parties p on p.organisation = here.org and party_key(p.name) % party_key(said) and p.merged_into is null
    and p.id is distinct from me
  where party_key(said) <> '' and similarity(party_key(p.name), party_key(said)) >= 0.6
$$;

-- The document in which a supplier's document of this number and financial year is booked. With `holds` others that
-- book the same number wait, so that of two at once the second finds the first; each statement below sees what was
-- committed before it.
create or replace function supplier_document(org int, supplier uuid, paper text, paper_day date, kinds text[], holds boolean)
returns table (kind text, booked_number text, date date)
language plpgsql as $$
begin
  if holds then
    perform pg_advisory_xact_lock(
      hashtextextended(
        'supplier document ' || surviving_party(org, supplier) || ' ' || financial_year_start(paper_day) || ' '
          || bare_number(paper),
        org
      )
    );
  end if;
  return query
    select d.kind, d.number, d.date
    from documents d
    where d.organisation = org
      and d.party = any(party_family(org, supplier))
      and bare_number(d.reference) = bare_number(paper)
      and bare_number(paper) <> ''
      and d.kind = any(kinds)
      and d.reverses is null
      and financial_year_start(coalesce((d.body #>> '{draft,referenceDate}')::date, d.date))
          = financial_year_start(paper_day)
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    order by d.date, d.number
    limit 1;
end
$$;

-- The rupees that still stand on the account of the party for an open item.
create or replace function open_worth(org int, item open_items) returns bigint
language sql stable as $$
  select case
    when item.currency = 'INR' then item.open
    else coalesce(
      (
        select abs(sum(e.debit - e.credit))
        from entries e
        where e.organisation = org
          and e.document = item.document
          and surviving_party(org, e.party) = item.party
          and item.line in (0, e.leg)
      ),
      0
    )::bigint - coalesce(
      (
        select sum(coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0)))
        from allocations a
        join documents d on d.organisation = org and d.id = a.invoice_document
        where a.organisation = org and a.invoice_document = item.document and a.invoice_line = item.line
      ),
      0
    )::bigint - coalesce(
      (
        select sum(coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0)))
        from allocations a
        join documents d on d.organisation = org and d.id = a.credit_document
        where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line
      ),
      0
    )::bigint
  end
$$;

-- What stood open of an item at the end of a day, in its own currency and in the rupees on the account of the
-- party.
create or replace function open_on(org int, item open_items, day date) returns table (open bigint, worth bigint)
language sql stable as $$
  with used as (
    select
      a.amount,
      case
        when item.currency = 'INR' then a.amount
        else coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint)
      end as worth
    from allocations a
    join documents d on d.organisation = a.organisation and d.id = a.invoice_document
    where a.organisation = org
      and a.invoice_document = item.document
      and a.invoice_line = item.line
      and a.date <= day
    union all
    select
      a.amount,
      case
        when item.currency = 'INR' then a.amount
        else coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint)
      end
    from allocations a
    join documents d on d.organisation = a.organisation and d.id = a.credit_document
    where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line and a.date <= day
  )
  select
    item.original - coalesce(sum(used.amount), 0)::bigint,
    (
      case
        when item.currency = 'INR' then item.original
        else coalesce(
          (
            select abs(sum(e.debit - e.credit))
            from entries e
            where e.organisation = org
              and e.document = item.document
              and surviving_party(org, e.party) = item.party
              and item.line in (0, e.leg)
          ),
          0
        )
      end - coalesce(sum(used.worth), 0)
    )::bigint
  from used
$$;

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
    where organisation = org and id = any(ids) and merged_into is null
  ) p
$$;

-- The documents that others are made from. Of a rounding that several documents took back, each took what stands on
-- it; one that took back several documents counts for the first of them. What price notes added and gave back counts
-- for the document that they are about. A note or return is to who its document
-- was to (section 34, rule 53(1A)): name, GSTIN, state and category as that has them, with the country and address
-- that it keeps.
create or replace function source_documents(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(
    json_agg(
      json_build_object(
        'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', surviving_party(org, d.party),
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
        'withoutTax', coalesce((d.body #>> '{draft,withoutTax}')::boolean, false),
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
            and (k.source = d.id or k.source in (select n.document from note_documents(org, d.id) n))
            and k.role = 'source'
            and (t.round_off <> 0 or t.body ? 'adjustments')
            and not exists (
              select from document_links f
              where f.organisation = org and f.target = k.target and f.role = 'source' and f.source < k.source
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
