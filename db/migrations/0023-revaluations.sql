-- A back-dated posting with very many movements behind it would hold its locks too long: it goes through at what the goods are
-- worth now, and a job values what lies behind it again. Until then each of its items has a row here: it is being revalued.
create table revaluations (
  organisation int not null references organisations, item uuid not null, document uuid not null, since date not null, at timestamptz not null default now(),
  primary key (organisation, item, document),
  foreign key (organisation, item) references items,
  -- written before its cause, in the same transaction
  foreign key (organisation, document) references documents deferrable initially deferred
);
create index revaluations_document on revaluations (organisation, document);
create index revaluations_at on revaluations (at);

create trigger log_change after insert or update or delete on revaluations for each row execute function log_change();
alter table revaluations enable row level security;
alter table revaluations force row level security;
create policy tenant on revaluations to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on revaluations to bahi_owner using (true) with check (true);
grant select, insert, delete on revaluations to bahi_app;

-- Where a shelf would first hold less than nothing if so much less were on it from a day on: the day, and how much it would lack.
create function first_short(org int, what uuid, place uuid, day date, change bigint) returns table (date date, held bigint) language sql stable as $$
  select s.date, s.after + change from (
    select day as date, 0::bigint as sequence, coalesce(sum(m.quantity), 0)::bigint as after from movements m where m.organisation = org and m.item = what and m.location = place and m.date <= day
    union all
    select m.date, m.sequence, (sum(m.quantity) over (order by m.date, m.sequence))::bigint from movements m where m.organisation = org and m.item = what and m.location = place) s
   where s.date >= day and (s.sequence = 0 or s.date > day) and s.after + change < 0 order by s.date, s.sequence limit 1
$$;
grant execute on function first_short(int, uuid, uuid, date, bigint) to bahi_app;
