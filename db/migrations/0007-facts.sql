-- What a draft refers to, in one question: posting spends its time in round trips, not in looking up.

-- Items as posting sees them, with the units they can be counted in. Unknown and foreign ids are left out alike.
create function item_facts(org int, ids uuid[]) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(i), '[]') from (
    select i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate, i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger, i.credit_blocked, i.scrap,
           (select jsonb_agg(jsonb_build_object('from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor')) from masters m
             where m.organisation = org and m.master = 'unitConversion' and m.active and i.unit in (m.body ->> 'from', m.body ->> 'to') and coalesce(m.body ->> 'item', '') in ('', i.id::text)) as conversions
      from items i where i.organisation = org and i.id = any(ids)) i
$$;

create function party_facts(org int, asked uuid) returns jsonb language sql stable as $$
  select to_jsonb(p) from (select id, name, category, state, country, gstin, pan, coalesce((body ->> 'microSmall')::boolean, false) as micro, credit_days from parties where organisation = org and id = asked) p
$$;

-- The series a new document takes its number from: the location's own, else the registration's.
create function series_facts(org int, asked text, own uuid, place uuid) returns jsonb language sql stable as $$
  select to_jsonb(s) from (select id, prefix, suffix, padding, start, reset from number_series
    where organisation = org and kind = asked and registration = own and active and (location is null or location = place) order by location nulls last, id limit 1) s
$$;

-- Names organisation and user for this transaction, a single statement's own too.
create function posting_facts(org int, who uuid, asked text, own uuid, place uuid, other uuid, other_place uuid, customer uuid, wanted uuid[], named uuid[]) returns jsonb language plpgsql as $$
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  return jsonb_build_object(
    'own', (select to_jsonb(o) from (select r.state, r.kind, r.gstin, coalesce((r.body ->> 'einvoice')::boolean, false) as einvoice, l.code, l.name from registrations r, locations l
             where r.organisation = org and r.id = own and l.organisation = org and l.id = place and l.active and r.active) o),
    'other', (select to_jsonb(o) from (select r.id as registration, r.state, r.kind, l.name from registrations r left join locations l on l.organisation = org and l.id = other_place
             where r.organisation = org and r.id = coalesce(other, l.registration) and (other is not null or l.id is not null)) o),
    'party', case when customer is not null then party_facts(org, customer) end,
    'items', case when cardinality(wanted) > 0 then item_facts(org, wanted) else '[]' end,
    'takes', case when cardinality(named) > 0 then (select coalesce(jsonb_agg(id), '[]') from ledgers where organisation = org and id = any(named) and active and not is_group) else '[]' end,
    'ledgers', (select jsonb_object_agg(effect, ledger) from posting_map where organisation = org),
    'transit', (select id from locations where organisation = org and is_transit limit 1),
    'series', series_facts(org, asked, own, place));
end $$;
grant execute on function item_facts(int, uuid[]), party_facts(int, uuid), series_facts(int, text, uuid, uuid), posting_facts(int, uuid, text, uuid, uuid, uuid, uuid, uuid, uuid[], uuid[]) to bahi_app;
