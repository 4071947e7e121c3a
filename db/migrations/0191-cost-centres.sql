-- Cost centres are a master: an entry names one that exists, in its own organisation (ADR 53). A document may name one for
-- all its entries, a line one of its own. What entries named before there was the master becomes a retired cost centre.
create table cost_centres (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  parent uuid,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id),
  foreign key (organisation, parent) references cost_centres,
  check (parent <> id)
);
create unique index cost_centres_code on cost_centres (organisation, upper(code));
create index cost_centres_name on cost_centres (organisation, lower(name), id);
create trigger log_change after insert or update or delete on cost_centres for each row execute function log_change();
create trigger house_changed after insert or update or delete on cost_centres for each row execute function house_changed();
alter table cost_centres enable row level security;
alter table cost_centres force row level security;
create policy tenant on cost_centres to bahi_app
  using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
  with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on cost_centres to bahi_owner using (true) with check (true);
grant select, insert, update on cost_centres to bahi_app;

insert into cost_centres (organisation, id, code, name, active)
select organisation, cost_centre, format('OLD-%s', n), format('Cost centre %s, from before the list', n), false
  from (select organisation, cost_centre, row_number() over (partition by organisation order by cost_centre) as n
          from entries
         where cost_centre is not null
         group by organisation, cost_centre) x;
alter table entries add foreign key (organisation, cost_centre) references cost_centres;

-- What posting knows of cost centres.
create function cost_centre_facts(org int) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'active', active)), '[]')
    from cost_centres
   where organisation = org
$$;
grant execute on function cost_centre_facts(int) to bahi_app;

-- A record that is retired is known, and known to be retired: what a new document names is active. As before otherwise.
create or replace function item_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(i), '[]') from (
    select i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate, i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger, i.credit_blocked, i.scrap,
           not i.active as retired,
           i.is_template as template, coalesce((i.body ->> 'batched')::boolean, false) as batched, coalesce((i.body ->> 'serialised')::boolean, false) as serialised,
           case when i.body ->> 'hasShelfLife' = 'true' then json_build_object('days', (i.body ->> 'shelfLifeDays')::int, 'least', coalesce((i.body ->> 'minRemainingShelfLifeDays')::int, 0)) end as shelf_life,
           (select json_agg(json_build_object('from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor', 'own', coalesce(m.body ->> 'item', '') <> '')) from masters m
             where m.organisation = org and m.master = 'unitConversion' and m.active and coalesce(m.body ->> 'item', '') in ('', i.id::text, i.template::text)) as conversions
      from items i where i.organisation = org and i.id = any(ids)) i
$$;
create or replace function party_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(p), '[]')
  from (
    select
      id, name, category, state, country, gstin, pan,
      coalesce((body ->> 'microSmall')::boolean, false) as micro,
      credit_days,
      credit_limit,
      not active as retired,
      jsonb_array_length(coalesce(body -> 'addresses', '[]')) > 0 as addressed,
      (
        select jsonb_build_object('line1', a.address -> 'line1', 'city', a.address -> 'city', 'state', a.address -> 'state', 'pincode', a.address -> 'pincode')
        from jsonb_array_elements(coalesce(body -> 'addresses', '[]')) with ordinality a(address, place)
        order by coalesce(a.address ->> 'type', '') = 'shipping', a.place
        limit 1
      ) as address
    from parties
    where organisation = org and id = any(ids) and heir is null
  ) p
$$;
-- Of these ledgers, those that take entries, each as its id; and those that would, were they not retired, with their names.
create or replace function taking_ledgers(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(case when active then to_json(id) else json_build_object('id', id, 'name', name) end), '[]')
    from ledgers
   where organisation = org
     and id = any(ids)
     and not is_group
$$;
