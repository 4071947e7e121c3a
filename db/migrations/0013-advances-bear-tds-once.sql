-- Tax is deducted when an amount is paid or credited, whichever is earlier (section 194C(1) of the Act of 1961; section 393(1) of
-- the Act of 2025): a bill that was paid in advance counts and bears only what the advance did not.
create or replace function tds_before(
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
        -- what was paid in advance was counted then
        else coalesce((d.body ->> 'value')::bigint, d.taxable) - coalesce((d.body ->> 'tdsCovered')::bigint, 0)
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
  ), advances as (
    -- money on account under a section, of whatever year, less what was paid back and what settled bills that were not
    -- taxed less for it, and the bills that used it
    select
      d.body #>> '{draft,tdsSection}' as section,
      case when m.of_money then d.total - m.settled - m.spent else 0 end as paid,
      case when m.of_money then m.refunded else 0 end as refunded,
      case
        when m.of_money and greatest(d.tds, coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0)) > 0
        then d.total - m.settled - m.spent - m.refunded
        else 0
      end as taxed,
      coalesce((d.body ->> 'tdsCovered')::bigint, 0) as covered,
      d.date >= y.start and d.date < y.start + interval '1 year' as in_year,
      date_trunc('month', d.date) = date_trunc('month', day) as in_month
    from documents d
    cross join tax_year y
    cross join lateral (
      select
        d.kind = any(money_kinds) as of_money,
        coalesce(sum(a.amount) filter (where a.cause = d.id), 0)::bigint as settled,
        coalesce(
          sum(a.amount) filter (
            where a.cause <> d.id and i.kind <> all(money_kinds) and not i.body ? 'tdsCovered'
          ), 0
        )::bigint as spent,
        coalesce(sum(a.amount) filter (where a.cause <> d.id and i.kind = any(money_kinds)), 0)::bigint as refunded
      from (
        select a.amount, a.cause, a.invoice_document
        from allocations a
        where a.organisation = org and a.credit_document = d.id and d.kind = any(money_kinds)
      ) a
      join documents i on i.organisation = org and i.id = a.invoice_document
    ) m
    where d.organisation = org
      and d.party = any(select id from payees)
      and (d.body ? 'tdsCovered' or d.kind = any(money_kinds) and d.date < y.start + interval '1 year')
      and d.reverses is null
      and d.body #>> '{draft,tdsSection}' is not null
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
    ),
    'advances', coalesce(
      (
        select json_agg(s)
        from (
          select
            section, sum(paid)::bigint as paid, sum(refunded)::bigint as refunded, sum(taxed)::bigint as taxed,
            sum(covered)::bigint as covered,
            coalesce(sum(covered) filter (where in_year), 0)::bigint as "coveredInYear",
            coalesce(sum(covered) filter (where in_month), 0)::bigint as "coveredInMonth"
          from advances
          group by section
        ) s
      ),
      '[]'
    )
  )
$$;
