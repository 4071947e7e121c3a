-- A back-dated movement changes what later ones cost, wherever those carry their cost on to: what a movement takes its cost
-- from, how a shelf stood at a moment, and the document that says what changed.

-- What a movement takes its cost from. A transfer arrives as it left (the movement before it, of the same line), a cancellation
-- undoes the movement of the same number, a return comes back as the first movement of the line it came from.
create view movement_sources with (security_invoker = true) as
  select m.organisation, m.document, m.number, p.document as source_document, p.number as source_number, false as undoes
    from movements m
    join movements p on p.organisation = m.organisation and p.document = m.document and p.number = m.number - 1 and p.line = m.line and p.item = m.item and p.quantity = -m.quantity
    join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
   where m.quantity > 0 and m.stated_value is null
  union all
  select m.organisation, m.document, m.number, d.reverses, m.number, true
    from documents d join movements m on m.organisation = d.organisation and m.document = d.id
   where d.reverses is not null
  union all
  select m.organisation, m.document, m.number, f.document, f.number, false
    from document_lines l
    join movements m on m.organisation = l.organisation and m.document = l.document and m.line = l.line and m.quantity > 0 and m.stated_value is null
    join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
    join movements f on f.organisation = l.organisation and f.document = l.source_document and f.line = l.source_line and f.item = m.item
   where not exists (select from movements p where p.organisation = m.organisation and p.document = m.document and p.number = m.number - 1 and p.line = m.line and p.item = m.item and p.quantity = -m.quantity)
     and not exists (select from movements g where g.organisation = f.organisation and g.document = f.document and g.line = f.line and g.number < f.number);
grant select on movement_sources to bahi_app;

create function latest_cost(org int, doc uuid, place int) returns bigint language sql stable as $$
  select c.cost from movement_costs c where c.organisation = org and c.document = doc and c.number = place order by c.revision desc limit 1
$$;

-- Movements of a shelf behind one place in the order of days and up to another, with all that valuing them again needs.
create function stock_between(org int, what uuid, place uuid, after_day date, after_sequence bigint, until_day date, until_sequence bigint, most int)
returns table (document uuid, number int, date date, sequence bigint, quantity bigint, stated_value bigint, cost bigint, revision int, kind text, registration uuid, location uuid, cost_centre uuid,
               source_document uuid, source_number int, source_quantity bigint, source_cost bigint, undoes boolean) language sql stable as $$
  select m.document, m.number, m.date, m.sequence, m.quantity, m.stated_value, c.cost, c.revision, coalesce(o.kind, d.kind), d.registration, d.location, (coalesce(o.body, d.body) #>> '{draft,costCentre}')::uuid,
         s.source_document, s.source_number, f.quantity, latest_cost(org, f.document, f.number), s.undoes
    from movements m
    join documents d on d.organisation = m.organisation and d.id = m.document
    left join documents o on o.organisation = d.organisation and o.id = d.reverses
    join lateral (select c.cost, c.revision from movement_costs c where c.organisation = m.organisation and c.document = m.document and c.number = m.number order by c.revision desc limit 1) c on true
    left join lateral (select * from movement_sources s where s.organisation = m.organisation and s.document = m.document and s.number = m.number limit 1) s on true
    left join movements f on f.organisation = m.organisation and f.document = s.source_document and f.number = s.source_number
   where m.organisation = org and m.item = what and m.location = place
     and (m.date, m.sequence) > (after_day, after_sequence) and (m.date, m.sequence) <= (until_day, until_sequence)
   order by m.date, m.sequence limit most
$$;

-- Where the movements stand that take their cost from these.
create function stock_followers(org int, documents uuid[], numbers int[])
returns table (item uuid, location uuid, date date, sequence bigint) language sql stable as $$
  select m.item, m.location, m.date, m.sequence from unnest(documents, numbers) t(document, number)
    join movement_sources s on s.organisation = org and s.source_document = t.document and s.source_number = t.number
    join movements m on m.organisation = org and m.document = s.document and m.number = s.number
$$;

-- Walks a shelf back from a place where it held so much, worth so much: to where it was last empty (null: never before), and
-- to the last rate (paise for a whole unit) at which it held goods.
create function shelf_before(org int, what uuid, place uuid, day date, at bigint, held bigint, worth bigint, find_empty boolean)
returns table (empty_day date, empty_sequence bigint, last_rate bigint) language plpgsql stable as $$
declare m record; is_empty boolean := not find_empty;
begin
  last_rate := 0;
  for m in select x.date, x.sequence, x.quantity, latest_cost(org, x.document, x.number) as cost from movements x
            where x.organisation = org and x.item = what and x.location = place and (x.date, x.sequence) <= (day, at) order by x.date desc, x.sequence desc loop
    if not is_empty and held = 0 then empty_day := m.date; empty_sequence := m.sequence; is_empty := true; end if;
    if is_empty and held > 0 then last_rate := round(worth::numeric * 1000000 / held); exit; end if;
    held := held - m.quantity; worth := worth - m.cost;
  end loop;
  return next;
end $$;

-- Writes the cost revision of one cause: a document without party or tax whose entries each have the day of what they revise.
-- It is written before its cause, whose link names it.
create function write_cost_revision(
  org int, who uuid, d_id uuid, d_kind text, d_numbering text, d_registration uuid, d_location uuid, d_year text, d_date date, d_series uuid, d_period text, d_prefix text, d_suffix text, d_padding int, d_start int, d_total bigint, d_body jsonb,
  e_date date[], e_ledger uuid[], e_registration uuid[], e_location uuid[], e_cost_centre uuid[], e_debit bigint[], e_credit bigint[]
) returns text language plpgsql as $$
#variable_conflict use_column
declare lane smallint := (pg_backend_pid() % 8)::smallint; taken int; named text;
begin
  insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
    select org, e.ledger, e.location, e.date, lane, sum(e.debit), sum(e.credit) from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit) group by 2, 3, 4 order by 2, 3, 4
    on conflict (organisation, ledger, location, day, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
    select org, e.ledger, e.location, date_trunc('month', e.date)::date, lane, sum(e.debit), sum(e.credit) from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit) group by 2, 3, 4 order by 2, 3, 4
    on conflict (organisation, ledger, location, month, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into series_counters as c (organisation, series, period, next) values (org, d_series, d_period, d_start + 1)
    on conflict (organisation, series, period) do update set next = c.next + 1 returning c.next - 1 into taken;
  named := d_prefix || lpad(taken::text, greatest(d_padding, length(taken::text)), '0') || d_suffix;
  insert into documents (organisation, id, kind, numbering, registration, location, financial_year, number, series, date, supply_type, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, author, body)
    values (org, d_id, d_kind, d_numbering, d_registration, d_location, d_year, named, d_series, d_date, 'NONE', 0, 0, 0, 0, 0, 0, 0, 0, d_total, d_total, d_total, who, d_body);
  insert into document_lines (organisation, document, line, ledger, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess)
    select org, d_id, n, ledger, '', '', '', true, 0, 0, 0, 'taxable', 0, 0, 0, debit, 0, 0, 0, 0 from unnest(e_ledger, e_debit) with ordinality x(ledger, debit, n);
  insert into entries (organisation, document, leg, date, ledger, registration, location, cost_centre, debit, credit)
    select org, d_id, n, date, ledger, registration, location, cost_centre, debit, credit from unnest(e_date, e_ledger, e_registration, e_location, e_cost_centre, e_debit, e_credit) with ordinality x(date, ledger, registration, location, cost_centre, debit, credit, n);
  return named;
end $$;
grant execute on function latest_cost(int, uuid, int), stock_between(int, uuid, uuid, date, bigint, date, bigint, int), stock_followers(int, uuid[], int[]), shelf_before(int, uuid, uuid, date, bigint, bigint, bigint, boolean),
  write_cost_revision(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[]) to bahi_app;
drop function movements_since(int, uuid, uuid, date);
