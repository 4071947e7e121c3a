-- A note can be made from the opposite note, and goods come back at what price rises have made of their price: what is
-- left of a line counts the notes about it and the notes about those. A price rise that was taken back since is not
-- cancelled before what took it back. Notes without GST reduce no supply (section 34): what they gave is apart.
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

-- The latest document that has taken back what a note has added to a price, where without that note more would be taken
-- back than was supplied; null for every other document. Such a note is not cancelled before.
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
  order by f.document desc
  limit 1
$$;
grant execute on function note_taken(int, uuid) to bahi_app;

-- `later` and `root` are new.
create or replace function source_lines(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(s), '[]')
  from (
    select
      l.document, l.line, l.item, l.ledger, l.hsn, l.unit, l.quantity, source_free(d, l) as free_quantity,
      l.base_quantity, l.gst_rate, l.treatment, l.rate,
      d.body #> array['draft', 'lines', (l.line - 1)::text, 'discount'] as discount, l.taxable, l.value, l.cgst,
      l.sgst, l.igst, l.cess, source_foreign(d, l) as foreign,
      coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
      source_cess_per_unit(d, l) as cess_per_unit, source_retail_price(d, l) as retail_price,
      (
        select coalesce(json_agg(x), '[]')
        from (
          select
            t.kind, k.financial, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
            sum(u.base_quantity) as base_quantity, sum(u.taxable) as taxable, sum(u.value) as value,
            sum(source_foreign(t, u)) as foreign, sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst,
            sum(u.cess) as cess
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
              'document', r.document, 'line', r.line, 'taxable', s.taxable, 'value', s.value, 'cgst', s.cgst, 'sgst', s.sgst, 'igst', s.igst, 'cess', s.cess,
              'foreign', source_foreign(sd, s), 'used', note_amounts(org, r.document, r.line, 1)
            )
            from note_root(org, l.document, l.line) r
            join document_lines s on s.organisation = org and s.document = r.document and s.line = r.line
            join documents sd on sd.organisation = org and sd.id = r.document
            where r.document <> l.document
          )
      end as root,
      (
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
        where m.organisation = org and m.document = l.document and m.line = l.line
      ) as moved,
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
        from document_links k
        join movements m on m.organisation = org and m.document = k.target and m.quantity = 0 and m.item = l.item
        -- a note has lines of its own that name the line; a bill of entry has none, and its movements the line's number
        left join document_lines n on n.organisation = org and n.document = k.target and n.line = m.line
        join documents b on b.organisation = org and b.id = k.target and b.reverses is null
        where k.organisation = org
          and k.source = l.document
          and k.role = 'source'
          and coalesce(n.source_document, k.source) = l.document
          and coalesce(n.source_line, m.line) = l.line
          and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
      ) as landed
    from document_lines l
    join documents d on d.organisation = org and d.id = l.document
    where l.organisation = org and l.document = any(ids)
  ) s
$$;

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

create or replace function open_posting(
  org int, who uuid, asked_keys uuid[], key_users uuid[], shelf_items uuid[], shelf_places uuid[],
  shelf_dates date[], shelf_certain boolean[], source_ids uuid[], settled uuid[], party_ids uuid[], item_ids uuid[],
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
  if cardinality(shelf_items) > 0 then
    if exists (
      select from unnest(shelf_items, shelf_places) t(i, p)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
    ) then
      insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, t.i, t.p, 0, 0
      from unnest(shelf_items, shelf_places, shelf_certain) t(i, p, sure)
      join items x on x.organisation = org and x.id = t.i and (x.stocked or t.sure)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
      order by 2, 3
      on conflict do nothing;
    end if;
    -- locked one after the other, in the order of the shelves
    balances := (
      select json_agg(b)
      from (
        select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date
        from unnest(shelf_items, shelf_places, shelf_dates) t(i, p, d)
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
            select f.number from documents f where f.organisation = org and f.id = note_taken(org, d.id)
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
