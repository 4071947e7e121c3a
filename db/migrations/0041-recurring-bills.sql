-- A bill that comes again: what it says (the draft it is made from), how often, and how far it is. `turn` counts the days that
-- are behind it, made or skipped; `next_on` is the day of that turn, null when none is to come.
create table recurring_bills (
  organisation int not null references organisations, id uuid not null, name text not null, kind text not null, location uuid not null, party uuid,
  template jsonb not null, source uuid, first date not null, every int not null check (every > 0), unit text not null check (unit in ('day', 'week', 'month', 'quarter', 'year')), month_end boolean not null default false,
  until date, times int check (times > 0), posts boolean not null default false, state text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  turn int not null default 0, made int not null default 0, next_on date, author uuid not null, version int not null default 1, created_at timestamptz not null default now(),
  primary key (organisation, id),
  foreign key (organisation, location) references locations, foreign key (organisation, party) references parties, foreign key (organisation, author) references users (organisation, id)
);
create index recurring_bills_due on recurring_bills (next_on) where state = 'running';
-- Each turn once, whoever carries it out: made as a document or as a draft, or skipped.
create table recurring_turns (
  organisation int not null, recurring uuid not null, turn int not null, day date not null, what text not null check (what in ('posted', 'drafted', 'skipped')), document uuid, problem text, at timestamptz not null default now(),
  primary key (organisation, recurring, turn),
  foreign key (organisation, recurring) references recurring_bills
);

do $$
declare name text;
begin
  foreach name in array array['recurring_bills', 'recurring_turns'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, update on recurring_bills to bahi_app;
grant select, insert on recurring_turns to bahi_app;
