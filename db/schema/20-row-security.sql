-- Every table of an organisation is walled off: the application sees and writes the rows of the organisation that it
-- has named for its transaction, and no others, whatever the statement says; without a name it sees nothing. After a
-- transaction the setting is an empty string, hence nullif. The owner's role sees all: it migrates, seals and sweeps.
-- What belongs to no organisation is listed in global_tables.
do $$
declare
  walled text;
begin
  for walled in
    select c.relname
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and c.relname not in (select g.name from global_tables g)
    order by c.relname
  loop
    execute format('alter table %I enable row level security', walled);
    execute format('alter table %I force row level security', walled);
    execute format(
      $policy$
        create policy tenant on %I to bahi_app
        using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
        with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
      $policy$,
      walled
    );
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', walled);
  end loop;
end
$$;
