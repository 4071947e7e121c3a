-- What the portal has said of a GSTIN, and when: it is asked again after a day, and this stands in while it is away.
create table taxpayers (
  organisation int not null references organisations, gstin text not null, facts jsonb not null, asked_at timestamptz not null,
  primary key (organisation, gstin)
);

do $$
declare name text;
begin
  foreach name in array array['taxpayers'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
  end loop;
end $$;
grant select, insert, update on taxpayers to bahi_app;
