-- What posting reads: everything that it looks up is answered together with its locks, in as few questions as it
-- can, for posting spends its time in round trips and not in looking up (ADR 4). What changes seldom is kept by each
-- server process, and its version here (ADR 8).

-- What a document names is compared with it before it is posted: party, registration, place of supply, kind of tax,
-- currency and day of the documents that it is made from, item and unit of their lines, and who may see them.

-- The version of all that server processes keep of an organisation.
create table house_versions (
  organisation int primary key references organisations,
  version bigint not null
);
grant select on house_versions to bahi_app;

-- What changes seldom in an organisation (settings, posting map, places, series) is kept by each server process.
-- The number in house_versions tells it, inside the posting's own transaction, whether what it keeps is still so.
create function house_changed() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into house_versions as h (organisation, version)
  values (case when tg_op = 'DELETE' then old.organisation else new.organisation end, 1)
  on conflict (organisation) do update
  set version = h.version + 1;
  return null;
end
$$;

-- An everyday posting asks nothing before it writes: its server process decides from what it remembers of masters
-- and stock, and the writing statement proves that all of it is still so. When anything differs, nothing is written
-- and nothing is answered. So the number counts changes of masters too. New rows change nothing that is remembered,
-- but for conversions of units. It is counted at the commit, once for all rows, so that nobody who changes a master
-- waits for another who does.
create function masters_changed() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  org int := case when tg_op = 'DELETE' then old.organisation else new.organisation end;
begin
  if coalesce(current_setting('app.masters_changed', true), '') <> org::text then
    update house_versions set version = version + 1 where organisation = org;
    perform set_config('app.masters_changed', org::text, true);
  end if;
  return null;
end
$$;
create constraint trigger house_changed after update or delete on items deferrable initially deferred
  for each row execute function masters_changed();
create constraint trigger house_changed after update or delete on ledgers deferrable initially deferred
  for each row execute function masters_changed();
-- What changes on a ledger is known to every posting already; a new one is, when it has a currency.
create constraint trigger ledger_in_a_currency after insert on ledgers deferrable initially deferred
  for each row
  when (new.currency is not null)
  execute function masters_changed();
-- What ledgers are, and which code and credit are usual of them, is remembered too.
create constraint trigger ledger_of_nature after insert on ledgers deferrable initially deferred
  for each row
  when (new.nature <> 'expense' or new.hsn is not null or new.credit_blocked)
  execute function masters_changed();
-- A new ledger of money is new to every process that remembers the list.
create constraint trigger money_ledger after insert on ledgers deferrable initially deferred
  for each row
  when (is_money(new.is_bank, new.role))
  execute function masters_changed();
create constraint trigger house_changed after insert or update or delete on masters deferrable initially deferred
  for each row execute function masters_changed();
create constraint trigger house_changed after update or delete on parties deferrable initially deferred
  for each row execute function masters_changed();
create constraint trigger house_changed after insert or update or delete on taxpayers deferrable initially deferred
  for each row execute function masters_changed();

-- What every posting knows of an organisation, as one snapshot with its number: settings, ledgers of effects, the
-- status and the suspensions of registrations, places with the addresses that the invoice portal asks for, locks of
-- registers, and number series: a location's own before its registration's. Names the organisation for this
-- transaction. The series of a till are left out: other documents take no number from them.
create function house_facts(org int) returns table (version bigint, house json)
language plpgsql as $$
begin
  perform set_config('app.organisation', org::text, true);
  return query
    select
      v.version,
      json_build_object(
        'settings', o.settings,
        'ledgers', (select json_object_agg(effect, ledger) from posting_map where organisation = org),
        'currencies', (
          select coalesce(json_object_agg(id, currency), '{}')
          from ledgers
          where organisation = org and currency is not null
        ),
        'transit', (
          select id
          from locations
          where organisation = org and is_transit
          limit 1
        ),
        'registrations', (
          select coalesce(json_agg(r), '[]')
          from (
            select
              id, state, kind, gstin, legal_name as "legalName", status_changes(org, id) as statuses,
              own_address(body) as address, coalesce(body -> 'stops', '[]') as stops,
              coalesce((body ->> 'einvoice')::boolean, false) as einvoice,
              nullif(body ->> 'einvoiceFrom', '') as "einvoiceFrom", active
            from registrations
            where organisation = org
          ) r
        ),
        'locations', (
          select coalesce(json_agg(l), '[]')
          from (
            select id, code, name, registration, own_address(body) as address, active
            from locations
            where organisation = org
          ) l
        ),
        'locks', (
          select coalesce(json_object_agg(register, locked_through), '{}')
          from register_locks
          where organisation = org
        ),
        'series', (
          select coalesce(json_agg(s), '[]')
          from (
            select id, kind, registration, location, prefix, suffix, padding, start, reset
            from number_series
            where organisation = org and active and till is null
            order by location nulls last, id
          ) s
        )
      )
    from organisations o
    join house_versions v on v.organisation = org
    where o.organisation = org;
end
$$;
grant execute on function house_facts(int) to bahi_app;

-- What posting knows of cost centres.
create function cost_centre_facts(org int) returns json
language sql stable as $$
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'active', active)), '[]')
  from cost_centres
  where organisation = org
$$;
grant execute on function cost_centre_facts(int) to bahi_app;

-- Of these ledgers, those that take entries, each as its id; and those that would, were they not retired, with
-- their names.
create function taking_ledgers(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(
    json_agg(case when active then to_json(id) else json_build_object('id', id, 'name', name) end), '[]'
  )
  from ledgers
  where organisation = org and id = any(ids) and not is_group and not is_computed(role)
$$;
grant execute on function taking_ledgers(int, uuid[]) to bahi_app;

-- What posting knows of parties. Nothing is posted on a merged party. With the address that bills go to: rule
-- 46(e), from ₹50,000 an invoice to a buyer without GSTIN names their address and the state of delivery, and the
-- invoice portal refuses a buyer without an address, or with a PIN code of another state. And with what the
-- register said of the GSTIN when it was asked last: an invoice to a cancelled registration is refused by the
-- invoice portal, and the GSTIN is no use to its buyer.
create function party_facts(org int, ids uuid[]) returns json
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
grant execute on function party_facts(int, uuid[]) to bahi_app;

-- Whether a ledger shows revenue from operations (Schedule III): what it is itself, else what the nearest of its groups
-- is. Income of no kind is revenue.
create function is_revenue(org int, of_ledger uuid) returns boolean
language sql stable as $$
  with recursive up as (
    select l.nature, l.schedule3, l."group", 0 as height
    from ledgers l
    where l.organisation = org and l.id = of_ledger
    union all
    select up.nature, g.schedule3, g."group", up.height + 1
    from up
    join ledgers g on g.organisation = org and g.id = up."group"
    where up.schedule3 is null
  )
  select up.nature = 'income' and coalesce(up.schedule3, 'PL.I') = 'PL.I'
  from up
  order by up.height desc
  limit 1
$$;
grant execute on function is_revenue(int, uuid) to bahi_app;

-- Items as posting sees them, with the units they can be counted in. Unknown and foreign ids are left out alike; a
-- record that is retired is known, and known to be retired. A conversion that holds only for a template holds for
-- its variants. Goods that keep for a time only say how many days from when they are made, and how many have to be
-- left when they are sold.
create function item_facts(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(i), '[]')
  from (
    select
      i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate,
      i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger,
      i.income_ledger is not null and not is_revenue(org, i.income_ledger) as off_revenue,
      i.credit_blocked, i.scrap, not i.active as retired, i.is_template as template,
      coalesce((i.body ->> 'batched')::boolean, false) as batched,
      coalesce((i.body ->> 'serialised')::boolean, false) as serialised,
      case
        when i.body ->> 'hasShelfLife' = 'true'
          then json_build_object(
            'days', (i.body ->> 'shelfLifeDays')::int,
            'least', coalesce((i.body ->> 'minRemainingShelfLifeDays')::int, 0)
          )
      end as shelf_life,
      (
        select json_agg(
          json_build_object(
            'from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor',
            'own', coalesce(m.body ->> 'item', '') <> ''
          )
        )
        from masters m
        where m.organisation = org
          and m.master = 'unitConversion'
          and m.active
          and coalesce(m.body ->> 'item', '') in ('', i.id::text, i.template::text)
      ) as conversions
    from items i
    where i.organisation = org and i.id = any(ids)
  ) i
$$;
grant execute on function item_facts(int, uuid[]) to bahi_app;

-- The value of a line in the currency of its document. A return takes its part of every amount of its source line,
-- so what is left is counted amount by amount.
create function source_foreign(d documents, l document_lines) returns bigint
language sql stable as $$
  select case
    when d.currency = 'INR' then l.value
    else coalesce(
      (d.body -> 'foreignValues' ->> (l.line - 1))::bigint, round(l.value * 1000000.0 / d.exchange_rate)::bigint
    )
  end
$$;
grant execute on function source_foreign(documents, document_lines) to bahi_app;

-- The free quantity of a line in its unit, in millionths. Goods that were given free are counted by themselves:
-- what is made from a line takes no more of them than it gave, however much of what was paid for is left.
create function source_free(d documents, l document_lines) returns bigint
language sql stable as $$
  select coalesce((d.body #>> array['draft', 'lines', (l.line - 1)::text, 'freeQuantity'])::bigint, 0)
$$;
grant execute on function source_free(documents, document_lines) to bahi_app;

-- The part of the value of a line that is charges of its document, spread over its lines before tax, in paise of rupees. Older
-- documents do not keep it by line: theirs is by value.
create function source_charge_share(d documents, l document_lines) returns bigint
language sql stable as $$
  select case
    when d.body ? 'chargeShares' then coalesce((d.body -> 'chargeShares' ->> (l.line - 1))::bigint, 0)
    when coalesce((d.body ->> 'chargeTotal')::bigint, 0) = 0 or (l.item is null and l.ledger is null) then 0
    else coalesce(
      round(
        (d.body ->> 'chargeTotal')::bigint * l.value::numeric
          / nullif(
            (
              select sum(o.value)
              from document_lines o
              where o.organisation = l.organisation
                and o.document = l.document
                and (o.item is not null or o.ledger is not null)
            ),
            0
          )
      )::bigint,
      0
    )
  end
$$;
grant execute on function source_charge_share(documents, document_lines) to bahi_app;

-- Cess by quantity, in paise for one of the line's unit. Older documents keep only what it came to.
create function source_cess_per_unit(d documents, l document_lines) returns bigint
language sql stable as $$
  select coalesce(
    (d.body -> 'cessPerUnits' ->> (l.line - 1))::bigint,
    greatest(
      0,
      round(
        (l.cess - round(l.taxable * coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) / 1000000.0))
          * 1000000.0 / nullif(l.quantity, 0)
      )
    )::bigint,
    0
  )
$$;
grant execute on function source_cess_per_unit(documents, document_lines) to bahi_app;

-- The retail price that the tax of a line is inside of (rule 31D); null for a line taxed on its value.
create function source_retail_price(d documents, l document_lines) returns bigint
language sql stable as $$
  select coalesce(
    (d.body -> 'retailPrices' ->> (l.line - 1))::bigint,
    case
      when l.item is not null and l.value <> l.taxable and l.quantity > 0 and l.cgst + l.sgst + l.igst > 0
        then round((l.taxable + l.cgst + l.sgst + l.igst) * 1000000.0 / l.quantity)::bigint
    end
  )
$$;
grant execute on function source_retail_price(documents, document_lines) to bahi_app;

-- The ledger of its own that a line was booked on, and whether it shows no revenue from operations; null for a line that
-- had none. Older documents do not keep it.
create function source_own_ledger(org int, d documents, l document_lines) returns json
language sql stable as $$
  select json_build_object('ledger', o.ledger, 'offRevenue', not is_revenue(org, o.ledger))
  from (select (d.body -> 'ownLedgers' ->> (l.line - 1))::uuid as ledger) o
  where o.ledger is not null
$$;
grant execute on function source_own_ledger(int, documents, document_lines) to bahi_app;

-- The notes about a supply that is in the books, as `domain/document/kinds` has them (a test compares them): those that
-- add to its price, and those that take its goods back; the others cut its price.
create function note_kinds() returns table (kind text, adds boolean, goods boolean)
language sql immutable as $$
  values
    ('saleReturn', false, true), ('posReturn', false, true), ('saleCreditNote', false, false),
    ('saleDebitNote', true, false), ('purchaseReturn', false, true), ('purchaseCreditNote', false, false),
    ('purchaseDebitNote', true, false)
$$;
grant execute on function note_kinds() to bahi_app;

-- The line that a line of a price note corrects in the end, through the notes between; itself where it is no such line.
-- A note that takes back a return claims again what came back: it is about that return and nothing before it.
create function note_root(org int, of_document uuid, of_line int) returns table (document uuid, line int)
language sql stable as $$
  with recursive up as (
    select l.document, l.line, l.source_document, l.source_line, 0 as depth
    from document_lines l
    where l.organisation = org and l.document = of_document and l.line = of_line
    union all
    select p.document, p.line, p.source_document, p.source_line, up.depth + 1
    from up
    join documents d on d.organisation = org and d.id = up.document
    join note_kinds() own on own.kind = d.kind and not own.goods
    join document_lines p on p.organisation = org and p.document = up.source_document and p.line = up.source_line
    join documents q on q.organisation = org and q.id = p.document
    where not exists (select from note_kinds() k where k.kind = q.kind and k.goods)
  )
  select up.document, up.line
  from up
  order by up.depth desc
  limit 1
$$;
grant execute on function note_root(int, uuid, int) to bahi_app;

-- The lines that a line of a price note is about: the one that it names, and what that one is about.
create function note_above(org int, of_document uuid, of_line int) returns table (document uuid, line int)
language sql stable as $$
  with recursive up as (
    select l.document, l.line, l.source_document, l.source_line
    from document_lines l
    where l.organisation = org and l.document = of_document and l.line = of_line
    union all
    select p.document, p.line, p.source_document, p.source_line
    from up
    join documents d on d.organisation = org and d.id = up.document
    join note_kinds() own on own.kind = d.kind and not own.goods
    join document_lines p on p.organisation = org and p.document = up.source_document and p.line = up.source_line
  )
  select up.document, up.line from up where up.document <> of_document
$$;
grant execute on function note_above(int, uuid, int) to bahi_app;

-- The living lines that are made from a line (depth 1), and from the price notes among those, at any depth.
create function note_lines(org int, of_document uuid, of_line int)
returns table (document uuid, line int, kind text, depth int)
language sql stable as $$
  with recursive down as (
    select u.document, u.line, t.kind, 1 as depth
    from document_lines u
    join documents t on t.organisation = org and t.id = u.document
    where u.organisation = org
      and u.source_document = of_document
      and u.source_line = of_line
      and t.reverses is null
      and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
    union all
    select u.document, u.line, t.kind, down.depth + 1
    from down
    join note_kinds() own on own.kind = down.kind and not own.goods
    join document_lines u on u.organisation = org and u.source_document = down.document and u.source_line = down.line
    join documents t on t.organisation = org and t.id = u.document
    where t.reverses is null
      and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
  )
  select down.document, down.line, down.kind, down.depth from down
$$;
grant execute on function note_lines(int, uuid, int) to bahi_app;

-- The living price notes about a document, and about those.
create function note_documents(org int, of_document uuid) returns table (document uuid)
language sql stable as $$
  with recursive down as (
    select of_document as document
    union
    select t.id
    from down
    join document_links k on k.organisation = org and k.source = down.document and k.role = 'source'
    join documents t on t.organisation = org and t.id = k.target
    join note_kinds() own on own.kind = t.kind and not own.goods
    where t.reverses is null
      and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
  )
  select down.document from down where down.document <> of_document
$$;
grant execute on function note_documents(int, uuid) to bahi_app;

-- What was made of a line and of the price notes about it, by kind and amount; at a depth of that or more.
create function note_amounts(org int, of_document uuid, of_line int, from_depth int) returns json
language sql stable as $$
  select coalesce(json_agg(x), '[]')
  from (
    select
      t.kind, k.financial, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
      sum(u.base_quantity) as base_quantity, sum(u.taxable) as taxable, sum(u.value) as value,
      sum(source_foreign(t, u)) as foreign, sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst,
      sum(u.cess) as cess
    from note_lines(org, of_document, of_line) n
    join document_lines u on u.organisation = org and u.document = n.document and u.line = n.line
    join documents t on t.organisation = org and t.id = u.document
    cross join lateral (
      select coalesce((t.body #>> '{draft,withoutTax}')::boolean, false) as financial
    ) k
    where n.depth >= from_depth
    group by t.kind, k.financial
  ) x
$$;
grant execute on function note_amounts(int, uuid, int, int) to bahi_app;

-- The latest document that stands on what a note has changed; null for every other document. Such a note is not
-- cancelled before. Of a price rise: without it more would be taken back than was supplied. Of a price cut about a claim
-- of what was taken back: without it more would be claimed again than was taken.
create function note_taken(org int, of_document uuid) returns uuid
language sql stable as $$
  select f.document
  from documents d
  join note_kinds() own on own.kind = d.kind and own.adds
  join document_lines l on l.organisation = org and l.document = d.id
  cross join lateral note_root(org, l.document, l.line) r
  join document_lines s on s.organisation = org and s.document = r.document and s.line = r.line
  cross join lateral (
    select
      sum(case when k.adds then -u.taxable else u.taxable end) as taxable,
      sum(case when k.adds then -u.value else u.value end) as value,
      sum(case when k.adds then -u.cgst else u.cgst end) as cgst,
      sum(case when k.adds then -u.sgst else u.sgst end) as sgst,
      sum(case when k.adds then -u.igst else u.igst end) as igst,
      sum(case when k.adds then -u.cess else u.cess end) as cess,
      (array_agg(u.document order by u.document desc) filter (where not k.adds))[1] as document
    from note_lines(org, r.document, r.line) n
    join note_kinds() k on k.kind = n.kind
    join document_lines u on u.organisation = org and u.document = n.document and u.line = n.line
    join documents t on t.organisation = org and t.id = u.document
    where n.document <> d.id
      -- a note without GST takes nothing of a supply (section 34)
      and not coalesce((t.body #>> '{draft,withoutTax}')::boolean, false)
  ) f
  where d.organisation = org
    and d.id = of_document
    and r.document <> d.id
    and (
      f.taxable > s.taxable
      or f.value > s.value
      or f.cgst > s.cgst
      or f.sgst > s.sgst
      or f.igst > s.igst
      or f.cess > s.cess
    )
  union all
  select f.document
  from documents d
  join note_kinds() own on own.kind = d.kind and not own.adds and not own.goods
  join document_lines l on l.organisation = org and l.document = d.id
  cross join lateral note_above(org, l.document, l.line) r
  join document_lines s on s.organisation = org and s.document = r.document and s.line = r.line
  join documents o on o.organisation = org and o.id = s.document
  join note_kinds() taken on taken.kind = o.kind and not taken.adds
  cross join lateral (
    select
      sum(case when k.adds then u.value else -u.value end) as value,
      (array_agg(u.document order by u.document desc) filter (where k.adds))[1] as document
    from note_lines(org, r.document, r.line) n
    join note_kinds() k on k.kind = n.kind
    join document_lines u on u.organisation = org and u.document = n.document and u.line = n.line
    join documents t on t.organisation = org and t.id = u.document
    where n.document <> d.id
      and coalesce((t.body #>> '{draft,withoutTax}')::boolean, false) = coalesce((o.body #>> '{draft,withoutTax}')::boolean, false)
  ) f
  where d.organisation = org and d.id = of_document and f.value > s.value
  order by document desc
  limit 1
$$;
grant execute on function note_taken(int, uuid) to bahi_app;

-- What a line moved of stock, with what that costs by now.
create function line_movements(org int, of_document uuid, of_line int) returns json
language sql stable as $$
  select coalesce(
    json_agg(
      json_build_object(
        'number', m.number, 'item', m.item, 'location', m.location, 'quantity', m.quantity,
        'cost', (
          select c.cost
          from movement_costs c
          where c.organisation = org and c.document = m.document and c.number = m.number
          order by c.revision desc
          limit 1
        )
      )
      order by m.number
    ),
    '[]'
  )
  from movements m
  where m.organisation = org and m.document = of_document and m.line = of_line
$$;
grant execute on function line_movements(int, uuid, int) to bahi_app;

-- Lines of documents that others are made from: their rates and discounts as they were typed, what was made of each
-- by kind and amount (free goods by themselves; notes without GST apart), and what they cost. Amounts in another
-- currency come from the body where it keeps them, else from the rate of the document. What is made from a line takes
-- over its rate where none is given: goods that come back are worth what they were sold for. A return needs the movement
-- that its goods came in by, and the duty on them. `later`: what was made of the price notes about a line. `root`: of a line of a price note,
-- the line that it corrects in the end, with all that was made of that and what it moved. `landed`: what bills of entry
-- and notes at any depth put on its goods.
create function source_lines(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(s), '[]')
  from (
    select
      l.document, l.line, d.kind, coalesce((d.body #>> '{draft,withoutTax}')::boolean, false) as financial, l.item,
      l.ledger, l.hsn, l.unit, l.quantity, source_free(d, l) as free_quantity,
      l.base_quantity, l.gst_rate, l.treatment, l.rate,
      d.body #> array['draft', 'lines', (l.line - 1)::text, 'discount'] as discount, l.taxable, l.value, l.cgst,
      l.sgst, l.igst, l.cess, source_foreign(d, l) as foreign,
      coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
      source_cess_per_unit(d, l) as cess_per_unit, source_retail_price(d, l) as retail_price,
      source_own_ledger(org, d, l) as own_ledger, d.body ? 'ownLedgers' as keeps_ledgers,
      source_charge_share(d, l) as charge_share,
      case when l.item is null and l.ledger is null then l.description end as charge,
      (
        select coalesce(json_agg(x), '[]')
        from (
          select
            t.kind, k.financial, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
            sum(u.base_quantity) as base_quantity, sum(u.taxable) as taxable, sum(u.value) as value,
            sum(source_foreign(t, u)) as foreign, sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst,
            sum(u.cess) as cess,
            coalesce(
              sum(u.quantity) filter (where coalesce((t.body #>> '{draft,keepsCharges}')::boolean, false)), 0
            ) as charges_kept
          from document_lines u
          join documents t on t.organisation = org and t.id = u.document
          cross join lateral (
            select coalesce((t.body #>> '{draft,withoutTax}')::boolean, false) as financial
          ) k
          where u.organisation = org
            and u.source_document = l.document
            and u.source_line = l.line
            and t.reverses is null
            and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
          group by t.kind, k.financial
        ) x
      ) as used,
      note_amounts(org, l.document, l.line, 2) as later,
      case
        when exists (select from note_kinds() k where k.kind = d.kind and not k.goods)
          then (
            select json_build_object(
              'document', r.document, 'line', r.line, 'taxable', s.taxable, 'value', s.value,
              'cgst', s.cgst, 'sgst', s.sgst, 'igst', s.igst, 'cess', s.cess,
              'foreign', source_foreign(sd, s), 'used', note_amounts(org, r.document, r.line, 1),
              'moved', line_movements(org, r.document, r.line)
            )
            from note_root(org, l.document, l.line) r
            join document_lines s on s.organisation = org and s.document = r.document and s.line = r.line
            join documents sd on sd.organisation = org and sd.id = r.document
            where r.document <> l.document
          )
      end as root,
      line_movements(org, l.document, l.line) as moved,
      (
        select coalesce(json_agg(t.body -> 'costSpans' -> u.line::text), '[]')
        from document_lines u
        join documents t on t.organisation = org and t.id = u.document
        where u.organisation = org
          and u.source_document = l.document
          and u.source_line = l.line
          and t.body -> 'costSpans' ? u.line::text
          and t.reverses is null
          and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
      ) as spans,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'date', m.date, 'amount', coalesce((b.body -> 'landed' ->> m.line::text)::bigint, m.stated_value)
            )
          ),
          '[]'
        )
        from (
          -- notes about the line, and about those notes
          select n.document, n.line from note_lines(org, l.document, l.line) n
          union all
          -- a bill of entry has no lines, and its movements the line's number
          select k.target, l.line
          from document_links k
          where k.organisation = org
            and k.source = l.document
            and k.role = 'source'
            and not exists (select from document_lines n where n.organisation = org and n.document = k.target)
            and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
        ) n
        join movements m
          on m.organisation = org
          and m.document = n.document
          and m.line = n.line
          and m.quantity = 0
          and m.item = l.item
        join documents b on b.organisation = org and b.id = n.document and b.reverses is null
      ) as landed
    from document_lines l
    join documents d on d.organisation = org and d.id = l.document
    where l.organisation = org and l.document = any(ids)
  ) s
$$;
grant execute on function source_lines(int, uuid[]) to bahi_app;

-- The documents that others are made from. Of a rounding that several documents took back, each took the part on
-- it; one that took back several documents counts for the first of them. What price notes added and gave back counts
-- for the document that they are about. A note or return is to who its document
-- was to (section 34, rule 53(1A)): name, GSTIN, state and category as that has them, with the country and address
-- that it keeps.
create function source_documents(org int, ids uuid[]) returns json
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
grant execute on function source_documents(int, uuid[]) to bahi_app;

-- What uses an advance takes rate, place of supply and tax from it: value and tax of the advance, and how much of
-- them its adjustments and refunds have used. `users` are the kinds that use advances. Read after the lock on the
-- advance.
create function advance_facts(org int, ids uuid[], users text[]) returns json
language sql stable as $$
  select json_agg(
    json_build_object(
      'document', d.id, 'number', d.number, 'date', d.date, 'placeOfSupply', d.place_of_supply,
      'rate', coalesce(
        (
          select l.gst_rate
          from document_lines l
          where l.organisation = org and l.document = d.id
          order by l.line
          limit 1
        ),
        0
      ),
      'whole', json_build_object(
        'amount', d.foreign_total, 'taxable', d.taxable, 'cgst', d.cgst, 'sgst', d.sgst, 'igst', d.igst,
        'cess', d.cess
      ),
      'left', json_build_object(
        'amount', d.foreign_total - u.amount, 'taxable', d.taxable - u.taxable, 'cgst', d.cgst - u.cgst,
        'sgst', d.sgst - u.sgst, 'igst', d.igst - u.igst, 'cess', d.cess - u.cess
      )
    )
  )
  from documents d
  cross join lateral (
    select
      coalesce(sum(t.foreign_total), 0)::bigint as amount, coalesce(sum(t.taxable), 0)::bigint as taxable,
      coalesce(sum(t.cgst), 0)::bigint as cgst, coalesce(sum(t.sgst), 0)::bigint as sgst,
      coalesce(sum(t.igst), 0)::bigint as igst, coalesce(sum(t.cess), 0)::bigint as cess
    from document_links k
    join documents t on t.organisation = org and t.id = k.target
    where k.organisation = org
      and k.source = d.id
      and k.role = 'source'
      and t.kind = any(users)
      and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
  ) u
  where d.organisation = org and d.id = any(ids)
$$;
grant execute on function advance_facts(int, uuid[], text[]) to bahi_app;

create trigger house_changed after insert or update or delete on cost_centres
  for each row execute function house_changed();
-- They are part of the snapshot that every posting has.
create trigger house_changed after insert or update or delete on gst_filings
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on locations
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on number_series
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on organisations
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on posting_map
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on register_locks
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on registration_statuses
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on registrations
  for each row execute function house_changed();
