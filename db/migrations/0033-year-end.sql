-- Registers of the books can be locked by themselves, besides the books as a whole; a year that has ended is closed by one
-- document of the product, which can be taken back for a reason as long as no later year is closed.

-- Up to which day a register is locked; no row: it is open. Postings see it with the facts of their house.
create table register_locks (
  organisation int not null references organisations, register text not null check (register ~ '^[a-z]+$'), locked_through date not null, reason text not null, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, register), foreign key (organisation, by) references users
);
create trigger house_changed after insert or update or delete on register_locks for each row execute function house_changed();

-- A closing of a year, and how it was taken back. `document` is empty when the year had neither income nor expense.
create table year_closings (
  organisation int not null references organisations, year text not null check (year ~ '^\d{4}-\d{2}$'), attempt int not null, closed_through date not null, profit bigint not null, document uuid,
  locked_before date, by uuid not null, at timestamptz not null default now(),
  reopened_by uuid, reopened_at timestamptz, reopen_reason text, reversal uuid,
  primary key (organisation, year, attempt), foreign key (organisation, document) references documents, foreign key (organisation, reversal) references documents,
  foreign key (organisation, by) references users, foreign key (organisation, reopened_by) references users,
  check ((reopened_at is null) = (reopened_by is null) and (reopened_at is null) = (reopen_reason is null))
);
create unique index year_closings_closed on year_closings (organisation, year) where reopened_at is null;
create index year_closings_document on year_closings (organisation, closed_through);

do $$
declare name text;
begin
  foreach name in array array['register_locks', 'year_closings'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, update, delete on register_locks to bahi_app;
grant select, insert, update on year_closings to bahi_app;

-- A document that the product itself makes: until now the cost revision, now also a closing and what takes it back. And the
-- facts of a house with the locks of its registers.
do $$
declare
  changes text[][] := array[
    ['write_cost_revision(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[])', 'write_cost_revision(', 'write_system_document('],
    ['', 'd_body jsonb,', 'd_body jsonb, d_reverses uuid,'],
    ['', 'author, body)', 'author, body, reverses)'],
    ['', 'who, d_body);', 'who, d_body, d_reverses);'],
    ['house_facts(int)', '''series'', (', '''locks'', (select coalesce(json_object_agg(register, locked_through), ''{}'') from register_locks where organisation = org),
      ''series'', (']];
  known text; written text;
begin
  for n in 1 .. array_length(changes, 1) loop
    known := case when changes[n][1] = '' then written else pg_get_functiondef(changes[n][1]::regprocedure) end;
    written := replace(known, changes[n][2], changes[n][3]);
    if written = known then raise exception 'it does not hold what is to change: %', changes[n][2]; end if;
    if n = array_length(changes, 1) or changes[n + 1][1] <> '' then execute written; end if;
  end loop;
end $$;
drop function write_cost_revision(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[]);
grant execute on function write_system_document(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[]) to bahi_app;
