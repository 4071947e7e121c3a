-- Words of the trade: a party that was merged into another names it in `merged_into` (was `heir`), and
-- `surviving_party` (was `heir_of`) answers the last one. What was called a shelf is a stock balance, and a cost that came
-- after its goods a late cost.
alter table parties rename column heir to merged_into;
alter table parties rename constraint parties_organisation_heir_fkey to parties_organisation_merged_into_fkey;
alter index parties_heir rename to parties_merged_into;
alter function heir_of(int, uuid) rename to surviving_party;
alter type writing_shelf rename to writing_balance;
alter function shelf_before(int, uuid, uuid, date, bigint, bigint, bigint, boolean) rename to balance_before;

-- Names of parameters and of columns of an answer change only with the function.
drop function stock_between(int, uuid, uuid, date, bigint, date, bigint, int);
drop function open_posting(
  int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[]
);

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

-- While a document stands that was made against this one (a cost that lies on the goods of a bill, a return, a
-- note), this one is not cancelled: the later document is cancelled first.
create or replace function landed_before_cancellation() returns trigger
language plpgsql as $$
declare
  later text;
begin
  select f.number into later
  from document_links k
  join documents f on f.organisation = k.organisation and f.id = k.target
  where k.organisation = new.organisation
    and k.source = new.document
    and k.role = 'source'
    and f.kind = any(kinds_against())
    and not exists (
      select from cancellations c
      where c.organisation = k.organisation and c.document = k.target
    )
  limit 1;
  if found then
    raise exception '%', later using errcode = 'check_violation', constraint = 'cancellations_landed';
  end if;
  return new;
end
$$;

-- Movements of an item at a place after one position in the order of days and up to another, with all that valuing
-- them again needs. `late_cost`: the goods whose cost layers a late cost goes on (ADR 18), also for what
-- undoes it.
create or replace function stock_between(
  org int, what uuid, place uuid, after_day date, after_sequence bigint, until_day date, until_sequence bigint,
  most int
)
returns table (
  document uuid, number int, date date, sequence bigint, quantity bigint, stated_value bigint, cost bigint,
  revision int, kind text, registration uuid, location uuid, cost_centre uuid, source_document uuid,
  source_number int, source_quantity bigint, source_cost bigint, source_landed bigint, undoes boolean,
  source_spans jsonb, late_cost jsonb
)
language sql stable
set enable_seqscan = off as $$
  select
    m.document, m.number, m.date, m.sequence, m.quantity, m.stated_value, c.cost, c.revision,
    coalesce(o.kind, d.kind), d.registration, d.location, (coalesce(o.body, d.body) #>> '{draft,costCentre}')::uuid,
    s.source_document, s.source_number, f.quantity, latest_cost(org, f.document, f.number), s.landed, s.undoes,
    s.spans, coalesce(o.body, d.body) -> 'behind' -> m.line::text
  from movements m
  join documents d on d.organisation = m.organisation and d.id = m.document
  left join documents o on o.organisation = d.organisation and o.id = d.reverses
  join lateral (
    select c.cost, c.revision
    from movement_costs c
    where c.organisation = m.organisation and c.document = m.document and c.number = m.number
    order by c.revision desc
    limit 1
  ) c on true
  left join lateral (
    select *
    from movement_sources s
    where s.organisation = m.organisation and s.document = m.document and s.number = m.number
    limit 1
  ) s on true
  left join movements f on f.organisation = m.organisation and f.document = s.source_document
    and f.number = s.source_number
  where m.organisation = org
    and m.item = what
    and m.location = place
    and (m.date, m.sequence) > (after_day, after_sequence)
    and (m.date, m.sequence) <= (until_day, until_sequence)
  order by m.date, m.sequence
  limit most
$$;
grant execute on function stock_between(int, uuid, uuid, date, bigint, date, bigint, int) to bahi_app;

-- Opens a posting: names organisation and user for this transaction, locks, and answers all that the decision
-- needs. Balances are those of stocked items, and of any item where a cancellation puts back what was moved. Order
-- of locks: period (share), source documents, item balances, open items, parties with a limit; each sorted.
--
-- A key or a balance is looked up by all of its columns, however much the organisation has. A join from an array
-- may be planned as a walk through all rows of the organisation, which is cheap on the first day and is then kept;
-- a subquery with `offset 0` for each element, and `on conflict`, leave the planner no such choice. The same
-- statements are posted all day: they are planned once, not anew for each length of an array, and look up by their
-- index from the first row on.
create or replace function open_posting(
  org int, who uuid, asked_keys uuid[], key_users uuid[], balance_items uuid[], balance_places uuid[],
  balance_dates date[], balance_certain boolean[], source_ids uuid[], settled uuid[], party_ids uuid[], item_ids uuid[],
  ledger_ids uuid[], cancelled uuid[], out version bigint, out locked_through text, out keys json, out parties json,
  out items json, out takes json, out balances json, out sources json, out source_documents json,
  out cancelling json, out opened json, out owed json
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
#variable_conflict use_column
declare
  limited boolean;
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  locked_through := (
    select l.locked_through
    from locks l
    where l.organisation = org
    for share
  );
  -- after that lock: who changes how stock is kept holds it alone
  version := (select h.version from house_versions h where h.organisation = org);
  if cardinality(asked_keys) > 0 then
    keys := (
      select json_agg(json_build_object('key', k.key, 'digest', encode(k.digest, 'hex'), 'answer', k.answer))
      from unnest(asked_keys, key_users) t(key, whose),
        lateral (
          select i.key, i.digest, i.answer
          from idempotency_keys i
          where i.organisation = org and i."user" = t.whose and i.key = t.key
          offset 0
        ) k
    );
  end if;
  if cardinality(source_ids) + cardinality(cancelled) > 0 then
    -- posted rows cannot be locked for update by a role that may not update them; what is left of them is read
    -- after this
    perform pg_advisory_xact_lock(hashtextextended(s.id::text, org))
    from (
      -- a note takes of what the document that it corrects in the end has left
      select id
      from unnest(source_ids || cancelled) id
      union
      select r.document
      from document_lines l
      join documents d on d.organisation = org and d.id = l.document
      join note_kinds() k on k.kind = d.kind and not k.goods
      cross join lateral note_root(org, l.document, l.line) r
      where l.organisation = org and l.document = any(source_ids || cancelled)
      order by id
    ) s;
  end if;
  if cardinality(item_ids) > 0 then
    items := item_facts(org, item_ids);
  end if;
  if cardinality(ledger_ids) > 0 then
    takes := taking_ledgers(org, ledger_ids);
  end if;
  if cardinality(balance_items) > 0 then
    if exists (
      select from unnest(balance_items, balance_places) t(i, p)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
    ) then
      insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, t.i, t.p, 0, 0
      from unnest(balance_items, balance_places, balance_certain) t(i, p, sure)
      join items x on x.organisation = org and x.id = t.i and (x.stocked or t.sure)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
      order by 2, 3
      on conflict do nothing;
    end if;
    -- locked one after the other, in the order of the stock balances
    balances := (
      select json_agg(b)
      from (
        select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date
        from unnest(balance_items, balance_places, balance_dates) t(i, p, d)
        group by t.i, t.p
        order by t.i, t.p
      ) w,
        lateral (
          select i.item, i.location, i.quantity, i.value, i.layers, i.last_date, w.first_date, w.final_date
          from item_balances i
          where i.organisation = org and i.item = w.i and i.location = w.p
          offset 0
          for update
        ) b
    );
  end if;
  if cardinality(source_ids) > 0 then
    sources := source_lines(org, source_ids);
    source_documents := source_documents(org, source_ids);
  end if;
  if cardinality(cancelled) > 0 then
    -- read again under the lock: what was looked up before may have changed since
    cancelling := (
      select json_agg(
        json_build_object(
          'id', d.id, 'number', d.number,
          'followed', (
            select f.number
            from document_lines x
            join documents f on f.organisation = org and f.id = x.document
            where x.organisation = org
              and x.source_document = d.id
              and f.reverses is null
              and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
            union all
            select f.number
            from document_links k
            join documents f on f.organisation = org and f.id = k.target
            where k.organisation = org
              and k.source = d.id
              and k.role = 'order'
              and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
            union all
            -- asked in a row of its own: as a condition it may be asked for every document
            select f.number
            from (select note_taken(org, d.id) as id offset 0) t
            join documents f on f.organisation = org and f.id = t.id
            limit 1
          ),
          'costs', (
            select coalesce(
              json_agg(
                (
                  select c.cost
                  from movement_costs c
                  where c.organisation = org and c.document = m.document and c.number = m.number
                  order by c.revision desc
                  limit 1
                )
                order by m.number
              ),
              '[]'
            )
            from movements m
            where m.organisation = org and m.document = d.id
          )
        )
      )
      from documents d
      where d.organisation = org and d.id = any(cancelled)
    );
  end if;
  if cardinality(settled) > 0 then
    -- with a document that is cancelled, what it settled or was settled by is opened again: locked in the same order
    opened := (
      select json_agg(o)
      from (
        select
          o.document, o.line, o.party, o.side, o.currency, o.open, coalesce(o.reference, d.number) as number,
          d.exchange_rate, d.date, o.original, open_worth(org, o) as worth, d.kind, d.location, d.author
        from open_items o
        join documents d on d.organisation = org and d.id = o.document
        where o.organisation = org
          and (
            o.document = any(settled)
            or o.document in (
              select unnest(array[a.credit_document, a.invoice_document])
              from allocations a
              where cardinality(cancelled) > 0
                and a.organisation = org
                and (
                  a.credit_document = any(cancelled)
                  or a.invoice_document = any(cancelled)
                  or a.cause = any(cancelled)
                )
            )
          )
        order by o.document, o.line
        for update of o
      ) o
    );
  end if;
  if cardinality(party_ids) > 0 then
    -- only parties with a credit limit are locked: their limit is checked against what they owe at this moment.
    -- Not for update: a foreign key to the party must not wait.
    limited := exists (
      select from parties p
      where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
    );
    if limited then
      perform 1
      from parties p
      where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
      order by p.id
      for no key update;
      -- what is owed in another currency counts in the rupees on the account of the party
      owed := (
        select json_agg(
          json_build_object(
            'party', p.id, 'name', p.name, 'limit', p.credit_limit,
            'owed', (
              select coalesce(
                sum(case o.side when 'receivable' then open_worth(org, o) else -open_worth(org, o) end), 0
              )
              from open_items o
              where o.organisation = org
                and o.party = p.id
                and o.open > 0
                and o.side in ('receivable', 'customerCredit')
            )
          )
        )
        from parties p
        where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
      );
    end if;
    parties := party_facts(org, party_ids);
  end if;
end
$$;
grant execute on function open_posting(
  int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[]
) to bahi_app;

-- Writes decided documents and returns id and number of each, in their order. With `was`, the balances as they were
-- remembered, it is a transaction of its own: it names organisation and user, and writes nothing when the lock of
-- the period, the version of the house (no rows are returned) or a balance (BR409) is not what the documents were
-- decided from. Without it the caller has opened the posting. What few documents have (revisions of cost,
-- allocations, links, cancellations, jobs, their drafts) comes in `rest`. Numbers are taken last of all locks.
--
-- One document is most transactions of a small business, and each statement of a posting costs more than its rows:
-- the number of one, and its task for the portal, need no loop over groups, and a setting is assigned: that needs
-- no query (ADR 38).
create or replace function write_documents(
  org int, who uuid, known_version bigint, known_lock date, was writing_balance[], d writing_document[],
  bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_balance[], o writing_open[],
  rest jsonb
) returns table (id uuid, number text)
language plpgsql security definer
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  lane smallint := (pg_backend_pid() % 8)::smallint;
  numbers text[] := array_fill(null::text, array[cardinality(d)]);
  x writing_document := d[1];
  digits text;
  bad text;
  named text;
  one record;
  first int;
  same int;
begin
  if org is distinct from coalesce(
    nullif(current_setting('app.organisation', true), '')::int, case when was is not null then org end
  ) then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  if was is not null then
    named := set_config('app.organisation', org::text, true);
    named := set_config('app.user', who::text, true);
    if known_lock is distinct from (
      select l.locked_through
      from locks l
      where l.organisation = org
      for share
    ) then
      return;
    end if;
    -- after that lock: who changes how stock is kept holds it alone
    if known_version is distinct from (select h.version from house_versions h where h.organisation = org) then
      return;
    end if;
    -- the stock balances are proved by the statement that changes them, locked in the order they come in
    if cardinality(was) > 0 then
      update item_balances t
      set
        quantity = p.quantity, value = p.value, layers = p.layers::bigint[],
        last_date = greatest(t.last_date, p.last_date)
      from unnest(was, b) p (
        known_item, known_location, known_quantity, known_value, known_layers, known_date, item, location, quantity,
        value, layers, last_date
      )
      where t.organisation = org
        and t.item = p.known_item
        and t.location = p.known_location
        and p.item = p.known_item
        and p.location = p.known_location
        and t.quantity = p.known_quantity
        and t.value = p.known_value
        and t.layers = p.known_layers::bigint[]
        and t.last_date is not distinct from p.known_date;
      get diagnostics same = row_count;
      if same <> cardinality(was) then
        raise exception 'a stock balance is not as it was cached' using errcode = 'BR409';
      end if;
    end if;
  elsif cardinality(b) > 0 then
    insert into item_balances as t (organisation, item, location, quantity, value, layers, last_date)
    select org, item, location, quantity, value, layers::bigint[], last_date
    from unnest(b)
    on conflict (organisation, item, location) do update
    set
      quantity = excluded.quantity, value = excluded.value, layers = excluded.layers,
      last_date = greatest(t.last_date, excluded.last_date);
  end if;
  if cardinality(e) > 0 then
    with sums as (
      select ledger, location, date, sum(debit) as debit, sum(credit) as credit
      from unnest(e)
      group by 1, 2, 3
      order by 1, 2, 3
    ), days as (
      insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
      select org, ledger, location, date, lane, debit, credit
      from sums
      on conflict (organisation, ledger, location, day, slot) do update
      set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit
    )
    insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
    select org, ledger, location, date_trunc('month', date)::date, lane, sum(debit), sum(credit)
    from sums
    group by 2, 3, 4
    order by 2, 3, 4
    on conflict (organisation, ledger, location, month, slot) do update
    set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  end if;
  -- the numbers: the last locks, one for each series and period
  if cardinality(d) = 1 then
    if x.number is null then
      insert into series_counters as c (organisation, series, period, next)
      values (org, x.series, x.period, x.start + 1)
      on conflict (organisation, series, period) do update
      set next = c.next + 1
      returning next - 1 into first;
      digits := first::text;
    end if;
    numbers[1] := coalesce(x.number, x.prefix || lpad(digits, greatest(x.padding, length(digits)), '0') || x.suffix);
    if x.gst_number and upper(numbers[1]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$' then
      bad := numbers[1];
    end if;
  else
    for one in
      select
        series, period, number is null as wanted, min(start) as start, count(*)::int as count,
        array_agg(ordinality::int order by ordinality) as places, array_agg(number order by ordinality) as given,
        array_agg(prefix order by ordinality) as prefixes, array_agg(suffix order by ordinality) as suffixes,
        array_agg(padding order by ordinality) as paddings
      from unnest(d) with ordinality
      group by 1, 2, 3
      order by 1, 2, 3
    loop
      if one.wanted then
        insert into series_counters as c (organisation, series, period, next)
        values (org, one.series, one.period, one.start + one.count)
        on conflict (organisation, series, period) do update
        set next = c.next + one.count
        returning next - one.count into first;
      end if;
      for n in 1 .. one.count loop
        digits := (first + n - 1)::text;
        numbers[one.places[n]] := case
          when one.wanted
            then one.prefixes[n] || lpad(digits, greatest(one.paddings[n], length(digits)), '0') || one.suffixes[n]
          else one.given[n]
        end;
      end loop;
    end loop;
    select numbers[n] into bad
    from generate_subscripts(d, 1) n
    where d[n].gst_number and upper(numbers[n]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$'
    limit 1;
  end if;
  -- rule 46: a number that its series has outgrown is not given
  if bad is not null then
    raise exception '%', bad using errcode = 'BR046';
  end if;
  insert into documents (
    organisation, id, kind, numbering, registration, location, to_location, financial_year, number, series, date,
    due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge,
    currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total,
    reference, reverses, author, body
  )
  select
    org, id, kind, numbering, registration, location, to_location, financial_year, numbers[ordinality],
    case when number is null then series end, date, due_date, party, party_name, party_gstin, party_state, category,
    place_of_supply, supply_type, reverse_charge, currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs,
    tds, round_off, total, payable, foreign_total, reference, reverses, author, bodies[ordinality]
  from unnest(d) with ordinality;
  if cardinality(l) > 0 then
    insert into document_lines (
      organisation, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity,
      rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line
    )
    select
      org, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate,
      treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line
    from unnest(l);
  end if;
  if cardinality(e) > 0 then
    insert into entries (
      organisation, document, leg, date, ledger, party, registration, location, cost_centre, currency,
      foreign_amount, exchange_rate, debit, credit
    )
    select
      org, document, leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount,
      exchange_rate, debit, credit
    from unnest(e);
  end if;
  if cardinality(m) > 0 then
    insert into movements (
      organisation, document, number, line, date, sequence, item, location, quantity, stated_value, room, batches,
      serials
    )
    select
      org, document, number, line, date, nextval('movement_sequence'), item, location, quantity, stated_value, room,
      batches, serials
    from unnest(m);
    insert into movement_costs (organisation, document, number, revision, cost, cause)
    select org, document, number, 0, cost, document
    from unnest(m);
  end if;
  if cardinality(o) > 0 then
    insert into open_items (
      organisation, document, party, side, date, due_date, currency, original, open, line, reference
    )
    select org, document, party, side, date, due_date, currency, original, original, line, reference
    from unnest(o);
  end if;
  insert into idempotency_keys (organisation, "user", key, digest, answer)
  select
    org, author, key, decode(digest, 'hex'),
    jsonb_build_object('id', id, 'number', numbers[ordinality], 'total', total)
  from unnest(d) with ordinality
  where key is not null;
  if rest is not null then
    if rest ? 'revisions' then
      insert into movement_costs (organisation, document, number, revision, cost, cause)
      select org, document, number, revision, cost, cause
      from jsonb_to_recordset(rest -> 'revisions') x(
        document uuid, number int, revision int, cost bigint, cause uuid
      );
    end if;
    if rest ? 'links' then
      insert into document_links (organisation, source, target, role)
      select distinct org, source, target, role
      from jsonb_to_recordset(rest -> 'links') x(source uuid, target uuid, role text);
    end if;
    -- these rows are logged one by one under the user of the transaction: each author in turn
    if rest ? 'tasks' then
      if cardinality(d) = 1 then
        named := set_config('app.user', x.author::text, true);
        insert into einvoices (organisation, document, state) values (org, x.id, 'queued');
        insert into outbox (organisation, task, payload, key)
        values (org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', x.id), x.id::text);
      else
        for one in
          select author, array_agg(document) as documents
          from jsonb_to_recordset(rest -> 'tasks') x(document uuid, author uuid)
          group by author
        loop
          perform set_config('app.user', one.author::text, true);
          with queued as (
            insert into einvoices (organisation, document, state)
            select org, document, 'queued'
            from unnest(one.documents) document
            returning document
          )
          insert into outbox (organisation, task, payload, key)
          select
            org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', document), document::text
          from queued;
        end loop;
      end if;
    end if;
    if rest ? 'allocations' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into allocations (
          organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, invoice_worth,
          credit_worth, date, cause, by
        )
        select
          org, id, credit, "creditLine", invoice, "invoiceLine", amount, "invoiceWorth", "creditWorth", date, cause,
          author
        from jsonb_to_recordset(rest -> 'allocations') x(
          id uuid, credit uuid, "creditLine" int, invoice uuid, "invoiceLine" int, amount bigint,
          "invoiceWorth" bigint, "creditWorth" bigint, date date, cause uuid, author uuid
        )
        where author = one.author;
      end loop;
      update open_items i
      set open = i.open - v.amount
      from (
        select document, line, sum(amount) as amount
        from (
          select credit as document, "creditLine" as line, amount
          from jsonb_to_recordset(rest -> 'allocations') x(credit uuid, "creditLine" int, amount bigint)
          union all
          select invoice, "invoiceLine", amount
          from jsonb_to_recordset(rest -> 'allocations') x(invoice uuid, "invoiceLine" int, amount bigint)
        ) u
        group by document, line
      ) v
      where i.organisation = org and i.document = v.document and i.line = v.line;
    end if;
    if rest ? 'cancelled' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into cancellations (organisation, document, reversal, reason, by)
        select org, document, reversal, reason, author
        from jsonb_to_recordset(rest -> 'cancelled') x(document uuid, reversal uuid, reason text, author uuid)
        where author = one.author;
      end loop;
      update open_items i
      set open = 0
      from jsonb_to_recordset(rest -> 'cancelled') x(document uuid)
      where i.organisation = org and i.document = x.document;
    end if;
    if rest ? 'drafts' then
      -- the version is compared by the statement that deletes: a draft that was changed or deleted meanwhile is not
      -- posted
      with gone as (
        delete from drafts t
        using jsonb_to_recordset(rest -> 'drafts') as x (id uuid, version int)
        where t.organisation = org and t.id = x.id and t.version = x.version
        returning t.id
      )
      select count(*) into same
      from gone;
      if same <> jsonb_array_length(rest -> 'drafts') then
        raise exception 'a draft is not as it was read' using errcode = 'BR130';
      end if;
    end if;
    if rest ? 'undrafted' then
      perform pg_advisory_xact_lock(hashtextextended('draft ' || x.id, org))
      from jsonb_array_elements_text(rest -> 'undrafted') as x (id)
      order by x.id;
      if exists (
        select from drafts t
        join jsonb_array_elements_text(rest -> 'undrafted') as x (id) on x.id::uuid = t.id
        where t.organisation = org
      ) then
        raise exception 'a draft was kept under this id' using errcode = 'BR130';
      end if;
    end if;
  end if;
  return query
    select x.id, numbers[x.ordinality]
    from unnest(d) with ordinality x
    order by x.ordinality;
end
$$;
