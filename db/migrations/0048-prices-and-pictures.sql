-- The masters completed: groups give locations as they give roles, items have pictures, price lists say what an item costs a
-- party, and a payment gateway may wait with its receipts.

-- Where a user works: his own locations and those of his groups; nobody who has none of either is limited. Every question
-- about places reads this one view, so that none forgets the groups.
create table group_locations (
  organisation int not null, "group" uuid not null, location uuid not null,
  primary key (organisation, "group", location),
  foreign key (organisation, "group") references groups on delete cascade, foreign key (organisation, location) references locations
);
create view user_places with (security_invoker = true) as
  select organisation, "user", location, null::uuid as "group" from user_locations
  union all
  select m.organisation, m."user", l.location, m."group"
    from group_members m
    join groups g on g.organisation = m.organisation and g.id = m."group" and g.active
    join group_locations l on l.organisation = m.organisation and l."group" = m."group";
grant select on user_places to bahi_app;
drop index edit_log_security;
create index edit_log_security on edit_log (organisation, id) where relation in ('security', 'users', 'roles', 'role_grants', 'user_roles', 'user_locations', 'groups', 'group_roles', 'group_members', 'group_locations', 'credentials', 'locks', 'organisations');

-- Pictures of an item in their order; the bytes are a file of the organisation, drawn anew when it came.
create table item_pictures (
  organisation int not null references organisations, id uuid not null, item uuid not null, place int not null, digest text not null, name text not null,
  primary key (organisation, id), foreign key (organisation, item) references items, foreign key (organisation, digest) references files
);
create unique index item_pictures_once on item_pictures (organisation, item, digest);

do $$
declare name text;
begin
  foreach name in array array['group_locations', 'item_pictures'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, delete on group_locations to bahi_app;
grant select, insert, update, delete on item_pictures to bahi_app;

-- The steps of a price list that concern these items, the narrowest first: `rank` 0 is a row of the item itself, 1 of its
-- template, then the categories on the way up, and 99 a row for everything.
create function list_prices(org int, list uuid, ids uuid[]) returns json language sql stable as $$
  with recursive
  steps as (
    select coalesce(s ->> 'item', '') as item, coalesce(s ->> 'category', '') as category, s ->> 'from' as "from", s ->> 'rate' as rate, s ->> 'discount' as discount
      from masters m cross join jsonb_array_elements(coalesce(m.body -> 'prices', '[]')) s where m.organisation = org and m.master = 'priceList' and m.id = list
  ), up as (
    select i.id as item, i.body ->> 'category' as category, 2 as rank from items i where i.organisation = org and i.id = any(ids) and coalesce(i.body ->> 'category', '') <> ''
    union all
    select up.item, c.body ->> 'parent', up.rank + 1 from up join masters c on c.organisation = org and c.master = 'category' and c.id::text = up.category where coalesce(c.body ->> 'parent', '') <> '' and up.rank < 50
  )
  select coalesce(json_agg(x order by x.rank), '[]') from (
    select i.id as item, case when s.item = i.id::text then 0 else 1 end as rank, s."from", s.rate, s.discount from items i join steps s on s.item in (i.id::text, i.template::text) where i.organisation = org and i.id = any(ids) and s.item <> ''
    union all
    select up.item, up.rank, s."from", s.rate, s.discount from up join steps s on s.category = up.category where s.item = ''
    union all
    select i.id, 99, s."from", s.rate, s.discount from items i cross join steps s where i.organisation = org and i.id = any(ids) and s.item = '' and s.category = ''
  ) x
$$;

-- By what means customers may pay, and whether the receipt is made at once; `held` is money that came and waits for somebody
-- to book it.
alter table payment_gateways add column methods text[] not null default '{upi,card,netbanking,wallet}' check (cardinality(methods) > 0),
  add column auto_receipt boolean not null default true;
alter table payment_events drop constraint payment_events_state_check,
  add constraint payment_events_state_check check (state in ('waiting', 'booked', 'stuck', 'noted', 'held'));
