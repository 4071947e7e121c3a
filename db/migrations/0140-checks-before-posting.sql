-- What is checked before a number is taken and only the books know: whether a supplier's document is booked already, and the
-- date of the last number of a series. Asked for the few postings that need it, under the locks of the posting.

-- The number of a supplier's document as it is compared: without case, signs and what cannot be seen.
create function bare_number(number text) returns text language sql immutable as $$
  select upper(regexp_replace(normalize(number, nfkc), '[^[:alnum:]]', '', 'g'))
$$;

-- The financial year of a day, by the year in which it begins.
create function financial_year_start(day date) returns int language sql immutable as $$
  select extract(year from day - interval '3 months')::int
$$;

create index documents_suppliers_number on documents (organisation, party, bare_number(reference))
  where reference is not null and party is not null and kind in ('purchaseBill', 'overseasPurchase', 'purchaseCreditNote', 'purchaseDebitNote', 'expense');

-- How units are counted, by their code in capitals.
create function unit_measures(org int) returns json language sql stable as $$
  select coalesce(json_object_agg(upper(code), json_build_object('decimals', coalesce((body ->> 'decimals')::int, 0), 'uqc', coalesce(body ->> 'uqc', ''))), '{}')
  from masters
  where organisation = org and master = 'unit' and code is not null
$$;

-- The document in which a supplier's document of this number and financial year is booked. With `holds` others that book the
-- same number wait, so that of two at once the second finds the first; each statement below sees what was committed before it.
create function supplier_document(org int, supplier uuid, paper text, paper_day date, kinds text[], holds boolean)
returns table (kind text, booked_number text, date date) language plpgsql as $$
begin
  if holds then
    perform pg_advisory_xact_lock(hashtextextended(
      'supplier document ' || heir_of(org, supplier) || ' ' || financial_year_start(paper_day) || ' ' || bare_number(paper), org));
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
      and financial_year_start(coalesce((d.body #>> '{draft,referenceDate}')::date, d.date)) = financial_year_start(paper_day)
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    order by d.date, d.number
    limit 1;
end $$;

-- The latest document of a series before which none with a later number may be dated.
create function last_of_series(org int, own uuid, in_kind text, of_series uuid, year text)
returns table (number text, date date) language sql stable as $$
  select d.number, d.date
  from documents d
  where d.organisation = org
    and d.registration = own
    and d.kind = in_kind
    and d.series = of_series
    and d.financial_year = year
    and d.reverses is null
  order by d.date desc, d.id desc
  limit 1
$$;

grant execute on function bare_number(text), financial_year_start(date), unit_measures(int),
  supplier_document(int, uuid, text, date, text[], boolean), last_of_series(int, uuid, text, uuid, text) to bahi_app;
