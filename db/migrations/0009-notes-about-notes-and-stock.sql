-- A note about a note changes what the goods of the bill cost that they correct in the end: `root` has what that line moved, and
-- `landed` what notes at any depth put on its goods. A debit note about what took back claims no more than that took:
-- source lines say their kind, and whether they are without GST, and a cut of such a claim is not cancelled before what
-- was claimed since.
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

-- The latest document that stands on what a note has changed; null for every other document. Such a note is not
-- cancelled before. Of a price rise: without it more would be taken back than was supplied. Of a price cut about a claim
-- of what was taken back: without it more would be claimed again than was taken.
create or replace function note_taken(org int, of_document uuid) returns uuid
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

-- Lines of documents that others are made from: their rates and discounts as they were typed, what was made of each
-- by kind and amount (free goods by themselves; notes without GST apart), and what they cost. Amounts in another
-- currency come from the body where it keeps them, else from the rate of the document. What is made from a line takes over its rate where none
-- is given: goods that come back are worth what they were sold for. A return needs the movement that its goods came
-- in by, and the duty on them. `later`: what was made of the price notes about a line. `root`: of a line of a price note,
-- the line that it corrects in the end, with all that was made of that and what it moved. `landed`: what bills of entry
-- and notes at any depth put on its goods.
create or replace function source_lines(org int, ids uuid[]) returns json
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
