-- The account of a party moves to another ledger when the party becomes another sort of customer or supplier. The journal that
-- moves it names the party on each entry. The function as in 0033, with `e_party`.
drop function write_system_document(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[]);
create function write_system_document(org integer, who uuid, d_id uuid, d_kind text, d_numbering text, d_registration uuid, d_location uuid, d_year text, d_date date, d_series uuid, d_period text, d_prefix text, d_suffix text, d_padding integer, d_start integer, d_total bigint, d_body jsonb, d_reverses uuid, e_date date[], e_ledger uuid[], e_registration uuid[], e_location uuid[], e_cost_centre uuid[], e_debit bigint[], e_credit bigint[], e_party uuid[])
 returns text language plpgsql security definer set search_path to 'public', 'pg_temp'
as $function$
#variable_conflict use_column
declare lane smallint := (pg_backend_pid() % 8)::smallint; taken int; named text;
begin
  if org is distinct from nullif(current_setting('app.organisation', true), '')::int then raise exception 'another organisation' using errcode = 'insufficient_privilege'; end if;
  insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
    select org, e.ledger, e.location, e.date, lane, sum(e.debit), sum(e.credit) from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit) group by 2, 3, 4 order by 2, 3, 4
    on conflict (organisation, ledger, location, day, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
    select org, e.ledger, e.location, date_trunc('month', e.date)::date, lane, sum(e.debit), sum(e.credit) from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit) group by 2, 3, 4 order by 2, 3, 4
    on conflict (organisation, ledger, location, month, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into series_counters as c (organisation, series, period, next) values (org, d_series, d_period, d_start + 1)
    on conflict (organisation, series, period) do update set next = c.next + 1 returning c.next - 1 into taken;
  named := d_prefix || lpad(taken::text, greatest(d_padding, length(taken::text)), '0') || d_suffix;
  insert into documents (organisation, id, kind, numbering, registration, location, financial_year, number, series, date, supply_type, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, author, body, reverses)
    values (org, d_id, d_kind, d_numbering, d_registration, d_location, d_year, named, d_series, d_date, 'NONE', 0, 0, 0, 0, 0, 0, 0, 0, d_total, d_total, d_total, who, d_body, d_reverses);
  insert into document_lines (organisation, document, line, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess)
    select org, d_id, n, ledger, party, '', '', '', true, 0, 0, 0, 'taxable', 0, 0, 0, debit, 0, 0, 0, 0 from unnest(e_ledger, e_party, e_debit) with ordinality x(ledger, party, debit, n);
  insert into entries (organisation, document, leg, date, ledger, party, registration, location, cost_centre, debit, credit)
    select org, d_id, n, date, ledger, party, registration, location, cost_centre, debit, credit from unnest(e_date, e_ledger, e_party, e_registration, e_location, e_cost_centre, e_debit, e_credit) with ordinality x(date, ledger, party, registration, location, cost_centre, debit, credit, n);
  return named;
end $function$;
revoke all on function write_system_document(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[], uuid[]) from public;
grant execute on function write_system_document(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[], uuid[]) to bahi_app;

-- The threshold of tax deducted on the purchase of goods counts all goods that were bought of the supplier in the tax year, less
-- what went back, whether the bill names the section or not (section 194Q(1) of the Act of 1961; section 393(1) Sl. 8(ii) of the
-- Act of 2025). The function as in 0121, with the goods bought.
drop function tds_before(int, uuid, date, text[]);
create function tds_before(org integer, payee uuid, day date, money_kinds text[], goods_section text, goods_kinds text[], back_kinds text[])
 RETURNS json
 LANGUAGE sql
 STABLE
AS $function$
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
    union all
    -- goods that were bought without a section, less what went back or became cheaper
    select goods_section, date_trunc('month', d.date) = date_trunc('month', day),
           (select coalesce(sum(case when l.service then 0 else l.value end), 0)::bigint from document_lines l where l.organisation = org and l.document = d.id)
             * case when d.kind = any(back_kinds) then -1 else 1 end,
           0, 0
      from documents d, tax_year y
     where d.organisation = org and d.party = any(select id from payees) and d.date >= y.start and d.date < y.start + interval '1 year'
       and d.kind = any(goods_kinds || back_kinds)
       and d.reverses is null and d.body #>> '{draft,tdsSection}' is null
       and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  )
  select json_build_object(
    'pan', (select o.pan from parties o where o.organisation = org and o.id = payee),
    'paid', coalesce((select json_agg(s) from (
      select section, month, sum(value)::bigint as value, sum(base)::bigint as base,
             coalesce(json_agg(json_build_object('value', value, 'tax', typed)) filter (where typed > 0), '[]') as typed
        from paid group by section, month) s), '[]'))
$function$
;
grant execute on function tds_before(int, uuid, date, text[], text, text[], text[]) to bahi_app;

-- A return or a note gives back tax collected at source as well: what each has given back of a document stands in its `tcsBack`.
-- The function as in 0325, with `tcs`, `tcsBack` and `tcsDeposited`.
create or replace function source_documents(org integer, ids uuid[])
 RETURNS json
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(json_agg(json_build_object(
           'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', heir_of(org, d.party),
           'partyThen', case
             when d.party is not null and d.category is not null then json_build_object(
               'name', d.party_name, 'gstin', d.party_gstin, 'state', d.party_state, 'category', d.category,
               'country', d.body #>> '{partyThen,country}', 'address', nullif(d.body #> '{partyThen,address}', 'null'))
           end,
           'registration', d.registration, 'location', d.location, 'toLocation', d.to_location, 'author', d.author,
           'placeOfSupply', d.place_of_supply, 'currency', d.currency, 'exchangeRate', d.exchange_rate,
           'supply', coalesce(d.body ->> 'supply', 'none'), 'supplyType', d.supply_type,
           'taxCharged', coalesce((d.body ->> 'taxCharged')::boolean, false),
           'reverseCharge', d.reverse_charge, 'withPayment', d.supply_type in ('EXPWP', 'SEZWP'), 'roundOff', d.round_off,
           'adjusted', adjusted_by(d.body),
           'tcs', d.tcs,
           'tcsBack', case when d.tcs = 0 then 0 else (
             select coalesce(sum((t.body #>> array['tcsBack', d.id::text])::bigint), 0)
               from document_links k
               join documents t on t.organisation = org and t.id = k.target
              where k.organisation = org
                and k.source = d.id
                and k.role = 'source'
                and t.body ? 'tcsBack'
                and not exists (select from cancellations c where c.organisation = org and c.document = t.id)) end,
           'tcsDeposited', d.tcs > 0 and exists (
             select from tax_challan_parts p
               join tax_challans t on t.organisation = p.organisation and t.id = p.challan
              where p.organisation = org and p.document = d.id and t.tax = 'tcs'
                and not exists (select from cancellations c where c.organisation = org and c.document = t.id)),
           'rounded', (select coalesce(json_agg(json_build_object(
                                'kind', t.kind, 'roundOff', t.round_off, 'adjusted', adjusted_by(t.body))), '[]')
                         from document_links k
                         join documents t on t.organisation = org and t.id = k.target
                        where k.organisation = org
                          and k.source = d.id
                          and k.role = 'source'
                          and (t.round_off <> 0 or t.body ? 'adjustments')
                          and not exists (select from document_links f
                                           where f.organisation = org and f.target = k.target and f.role = 'source' and f.source < d.id)
                          and not exists (select from cancellations c where c.organisation = org and c.document = t.id)),
           'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id),
           'irnCancelled', irn_cancelled(org, d.id))), '[]')
    from documents d
   where d.organisation = org and d.id = any(ids)
$function$;
