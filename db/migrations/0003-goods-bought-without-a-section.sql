-- The threshold of tax deducted on the purchase of goods counts all goods that were bought of the supplier in the tax year, less
-- what went back, whether the bill names the section or not (section 194Q(1) of the Act of 1961; section 393(1) Sl. 8(ii) of the
-- Act of 2025).
drop function tds_before(int, uuid, date, text[]);
create function tds_before(
  org int, payee uuid, day date, money_kinds text[], goods_section text, goods_kinds text[], back_kinds text[]
) returns json
language sql stable as $$
  with payees as (
    select p.id
    from parties p
    where p.organisation = org
      and (
        p.id = any(party_family(org, payee))
        or p.pan = (select o.pan from parties o where o.organisation = org and o.id = payee)
      )
  ), tax_year as (
    select
      make_date(extract(year from day)::int - case when extract(month from day) < 4 then 1 else 0 end, 4, 1) as start
  ), paid as (
    select
      d.body #>> '{draft,tdsSection}' as section, date_trunc('month', d.date) = date_trunc('month', day) as month,
      case
        when d.kind = any(money_kinds) then d.total
        else coalesce((d.body ->> 'value')::bigint, d.taxable)
      end as value,
      -- how much of the year bore the deduction, where it was worked out; else what was typed
      coalesce((d.body ->> 'tdsBase')::bigint, 0) as base,
      case
        when d.body ? 'tdsBase' then 0
        else greatest(d.tds, coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0))
      end as typed
    from documents d, tax_year y
    where d.organisation = org
      and d.party = any(select id from payees)
      and d.date >= y.start
      and d.date < y.start + interval '1 year'
      and d.reverses is null
      and d.body #>> '{draft,tdsSection}' is not null
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    union all
    -- goods that were bought without a section, less what went back or became cheaper
    select
      goods_section, date_trunc('month', d.date) = date_trunc('month', day),
      (
        select coalesce(sum(case when l.service then 0 else l.value end), 0)::bigint
        from document_lines l
        where l.organisation = org and l.document = d.id
      ) * case when d.kind = any(back_kinds) then -1 else 1 end,
      0, 0
    from documents d, tax_year y
    where d.organisation = org
      and d.party = any(select id from payees)
      and d.date >= y.start
      and d.date < y.start + interval '1 year'
      and d.kind = any(goods_kinds || back_kinds)
      and d.reverses is null
      and d.body #>> '{draft,tdsSection}' is null
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  )
  select json_build_object(
    'pan', (select o.pan from parties o where o.organisation = org and o.id = payee),
    'paid', coalesce(
      (
        select json_agg(s)
        from (
          select
            section, month, sum(value)::bigint as value, sum(base)::bigint as base,
            coalesce(
              json_agg(json_build_object('value', value, 'tax', typed)) filter (where typed > 0), '[]'
            ) as typed
          from paid
          group by section, month
        ) s
      ),
      '[]'
    )
  )
$$;
grant execute on function tds_before(int, uuid, date, text[], text, text[], text[]) to bahi_app;
