-- A return is kept as it was filed: its tables, what each document added, and the file for the portal. What is posted or reversed
-- later changes what the books say, never what was filed; the difference of the two is listed. A mark that is taken back leaves
-- the return that was kept; the reason stands in a table of its own.
create table gst_returns_kept (
  organisation int not null references organisations,
  id uuid not null,
  registration uuid not null,
  form text not null,
  period text not null,
  filed_on date not null,
  arn text not null,
  tables jsonb not null,
  documents jsonb not null,
  file jsonb,
  digest bytea not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, by) references users
);
create index gst_returns_kept_period on gst_returns_kept (organisation, registration, form, period, at);
create table gst_returns_unmarked (
  organisation int not null,
  id uuid not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, id),
  foreign key (organisation, id) references gst_returns_kept,
  foreign key (organisation, by) references users
);
do $$
declare
  name text;
begin
  foreach name in array array['gst_returns_kept', 'gst_returns_unmarked'] loop
    execute format('create trigger written_once before update or delete or truncate on %I for each statement execute function written_once()', name);
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert on gst_returns_kept, gst_returns_unmarked to bahi_app;

-- Whether a document was taken back by this day. One that is reversed later stands in the period that it was in.
create function cancelled_by(org int, which uuid, through date) returns boolean language sql stable as $$
  select exists (
    select from cancellations c
      join documents r on r.organisation = c.organisation and r.id = c.reversal
     where c.organisation = org
       and c.document = which
       and r.date <= through
  )
$$;
grant execute on function cancelled_by(int, uuid, date) to bahi_app;
