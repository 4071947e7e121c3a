-- What a payee was paid or credited under each section in the tax year of a day and, for rent, in its month: without GST, from
-- all registrations, under whoever it was merged into and under every record with the same PAN, since thresholds are per person.
-- Documents dated later in the year count too: a back-dated bill bears what it brings above the threshold.
create function tds_before(org int, payee uuid, day date, money_kinds text[]) returns json language sql stable as $$
  with payees as (
    select p.id
      from parties p
     where p.organisation = org
       and (p.id = any(party_family(org, payee)) or p.pan = (select o.pan from parties o where o.organisation = org and o.id = payee))
  ), tax_year as (
    select make_date(extract(year from day)::int - case when extract(month from day) < 4 then 1 else 0 end, 4, 1) as start
  ), paid as (
    select d.body #>> '{draft,tdsSection}' as section,
           date_trunc('month', d.date) = date_trunc('month', day) as month,
           case when d.kind = any(money_kinds) then d.total else coalesce((d.body ->> 'value')::bigint, d.taxable) end as value,
           -- how much of the year bore the deduction, where it was worked out; else what was typed
           coalesce((d.body ->> 'tdsBase')::bigint, 0) as base,
           case when d.body ? 'tdsBase' then 0 else greatest(d.tds, coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0)) end as typed
      from documents d, tax_year y
     where d.organisation = org and d.party = any(select id from payees) and d.date >= y.start and d.date < y.start + interval '1 year'
       and d.reverses is null and d.body #>> '{draft,tdsSection}' is not null
       and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  )
  select json_build_object(
    'pan', (select o.pan from parties o where o.organisation = org and o.id = payee),
    'paid', coalesce((select json_agg(s) from (
      select section, month, sum(value)::bigint as value, sum(base)::bigint as base,
             coalesce(json_agg(json_build_object('value', value, 'tax', typed)) filter (where typed > 0), '[]') as typed
        from paid group by section, month) s), '[]'))
$$;
grant execute on function tds_before(int, uuid, date, text[]) to bahi_app;
