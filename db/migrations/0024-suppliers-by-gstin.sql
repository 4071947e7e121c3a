-- The records of a supplier: those that were merged with it, and others with its GSTIN. They are one taxpayer, who gives a
-- number once in a financial year.
create function supplier_records(org int, supplier uuid) returns uuid[]
language sql stable as $$
  with own as materialized (
    select unnest(party_family(org, supplier)) as id
  ),
  numbers as materialized (
    select distinct p.gstin
    from own
    join parties p on p.organisation = org and p.id = own.id
    where p.gstin is not null
  )
  select array_agg(r.id)
  from (
    select id
    from own
    union
    select f.id
    from numbers
    join parties p on p.organisation = org and p.gstin = numbers.gstin
    cross join lateral unnest(party_family(org, p.id)) f(id)
  ) r
$$;
grant execute on function supplier_records(int, uuid) to bahi_app;

-- A supplier's document is looked for in all records of its supplier.
create or replace function supplier_document(org int, supplier uuid, paper text, paper_day date, kinds text[], holds boolean)
returns table (kind text, booked_number text, date date)
language plpgsql as $$
begin
  if holds then
    perform pg_advisory_xact_lock(
      hashtextextended(
        'supplier document '
          || coalesce(
            (select p.gstin from parties p where p.organisation = org and p.id = surviving_party(org, supplier)),
            surviving_party(org, supplier)::text
          )
          || ' ' || financial_year_start(paper_day) || ' ' || bare_number(paper),
        org
      )
    );
  end if;
  return query
    select d.kind, d.number, d.date
    from documents d
    where d.organisation = org
      and d.party = any(supplier_records(org, supplier))
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
