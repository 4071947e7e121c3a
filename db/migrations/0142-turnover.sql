-- Turnover of a PAN and financial year: what is typed on its registrations (years before these books, registrations kept
-- elsewhere), with what the sales ledgers of its places say. Limits of law read it; month totals make it cheap.
create function turnovers(org int) returns json language sql stable as $$
  with own as (
    select r.id, substr(r.gstin, 3, 10) as pan, coalesce(r.body -> 'turnover', '[]') as typed
    from registrations r
    where r.organisation = org and r.gstin is not null
  ),
  typed as (
    select o.pan, t.entry ->> 'year' as year, round((t.entry ->> 'amount')::numeric * 100)::bigint as amount
    from own o cross join jsonb_array_elements(o.typed) t(entry)
    where t.entry ->> 'amount' ~ '^\d+(\.\d+)?$'
  ),
  counted as (
    select o.pan,
           financial_year_start(m.month) || '-' || lpad(((financial_year_start(m.month) + 1) % 100)::text, 2, '0') as year,
           m.credit - m.debit as amount
    from ledger_month_totals m
    join locations l on l.organisation = m.organisation and l.id = m.location
    join own o on o.id = l.registration
    where m.organisation = org
      and m.ledger in (
        select p.ledger
        from posting_map p
        where p.organisation = org
          and p.effect in ('salesGoods', 'salesExempt', 'salesExport', 'salesSez', 'salesRetail', 'salesService', 'salesServiceExport', 'salesScrap', 'charges', 'salesReturn', 'salesDiscount')
      )
  )
  select coalesce(json_agg(json_build_object('pan', pan, 'year', year, 'amount', amount) order by pan, year), '[]')
  from (
    select pan, year, sum(amount) as amount
    from (select * from typed union all select * from counted) x
    group by pan, year
  ) y
$$;
grant execute on function turnovers(int) to bahi_app;
