-- What no code can forget: tenancy, balance, immutability, the edit log and its seals.

-- Entries of a document sum to nothing, by statement: one check for a whole batch.
create function entries_balance() returns trigger language plpgsql as $$
declare bad record;
begin
  select e.document, sum(e.debit) - sum(e.credit) as gap, count(*) as legs into bad
    from (select distinct organisation, document from added) a
    join entries e on e.organisation = a.organisation and e.document = a.document
   group by e.organisation, e.document having sum(e.debit) <> sum(e.credit) or count(*) < 2 limit 1;
  if found then raise exception 'document % has % legs and is out by % paise', bad.document, bad.legs, bad.gap using errcode = 'check_violation'; end if;
  return null;
end $$;
create trigger entries_balance after insert on entries referencing new table as added for each statement execute function entries_balance();

-- Posted rows are written once, by whatever role.
create function written_once() returns trigger language plpgsql as $$
begin
  raise exception '% is written once: correct it by another document', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create table edit_log (
  organisation int not null, id bigint generated always as identity, at timestamptz not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(), who uuid, origin text not null default '', action text not null, relation text not null, row_id text not null,
  before jsonb, after jsonb,
  primary key (organisation, id)
);
create index edit_log_xid on edit_log (xid, id);
create index edit_log_row on edit_log (organisation, relation, row_id, id);

create table seals (
  organisation int not null, sequence bigint not null, log bigint not null, xid xid8 not null, digest bytea not null, previous bytea, seal bytea not null, at timestamptz not null default clock_timestamp(),
  primary key (organisation, sequence), unique (organisation, log)
);
create index seals_xid on seals (xid);

-- Who wrote: the application names the user of the transaction; anything else shows the role of the database.
create function log_origin() returns text language sql stable as $$ select coalesce(nullif(current_setting('app.origin', true), ''), session_user) $$;
create function log_user() returns uuid language sql stable as $$ select nullif(current_setting('app.user', true), '')::uuid $$;

-- One log row for each posted document: its rows are their own record, the seal takes their digest.
create function log_posted() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id) select organisation, log_user(), log_origin(), 'post', 'documents', id::text from added;
  return null;
end $$;
create trigger log_posted after insert on documents referencing new table as added for each statement execute function log_posted();

-- Before and after of every change of a row that may change; secrets only by the fact that they changed.
create function log_change() returns trigger language plpgsql security definer set search_path = public as $$
declare
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - 'secret' - 'search' end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - 'secret' - 'search' end;
  one jsonb := coalesce(new_row, old_row);
begin
  if old_row is not distinct from new_row then return null; end if;
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  values ((one ->> 'organisation')::int, log_user(), log_origin(), lower(tg_op), tg_table_name,
          coalesce(one ->> 'id', one ->> 'document', one ->> 'effect', one ->> 'role', one ->> 'user', one ->> 'registration', one ->> 'organisation'), old_row, new_row);
  return null;
end $$;

do $$
declare name text;
begin
  foreach name in array array['documents', 'document_lines', 'entries', 'movements', 'movement_costs', 'document_links', 'cancellations', 'allocations', 'later_facts', 'einvoice_attempts', 'edit_log', 'seals'] loop
    execute format('create trigger written_once before update or delete or truncate on %I for each statement execute function written_once()', name);
  end loop;
  foreach name in array array['organisations', 'users', 'roles', 'role_grants', 'user_roles', 'registrations', 'locations', 'user_locations', 'ledgers', 'posting_map', 'parties', 'items', 'masters', 'number_series', 'locks', 'credentials', 'einvoices', 'cancellations', 'allocations', 'later_facts'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
  end loop;
  -- Row-level security, forced: without the setting nothing is seen. After a transaction the setting is an empty string, hence nullif.
  for name in select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
               where n.nspname = 'public' and c.relkind in ('r', 'p') and relname not in (select g.name from global_tables g) loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;

grant select, insert on documents, document_lines, entries, movements, movement_costs, document_links, cancellations, allocations, later_facts, einvoice_attempts, idempotency_keys to bahi_app;
grant select, insert, update on users, roles, registrations, locations, ledgers, posting_map, parties, items, masters, number_series, series_counters, locks, credentials, notifications, einvoices, open_items, item_balances, ledger_day_totals, ledger_month_totals to bahi_app;
grant select, update on organisations to bahi_app;
grant select, insert, update, delete on drafts, role_grants, user_roles, user_locations, files to bahi_app;
grant delete on roles, masters, number_series to bahi_app;
grant select on edit_log, seals to bahi_app;

-- At sign-in the organisations of a person are not known yet: the owner's eyes, one narrow question.
create function memberships_of(asked uuid) returns table (organisation int, code text, name text, "user" uuid) language sql stable security definer set search_path = public as $$
  select u.organisation, o.code, o.name, u.id from users u join organisations o using (organisation) where u.person = asked and u.active order by o.organisation
$$;
revoke all on function memberships_of(uuid) from public;
grant execute on function memberships_of(uuid) to bahi_app;

-- What a posted document says, in one fixed text, whatever columns later versions add.
create function document_digest(org int, doc uuid) returns bytea language sql stable as $$
  select sha256(convert_to(
    (select concat_ws('|', kind, registration, financial_year, number, date, party, place_of_supply, currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, reverses, body) from documents where organisation = org and id = doc)
    || coalesce((select string_agg(concat_ws('|', line, item, ledger, description, hsn, quantity, rate, gst_rate, taxable, cgst, sgst, igst, cess, source_document, source_line), E'\n' order by line) from document_lines where organisation = org and document = doc), '')
    || coalesce((select string_agg(concat_ws('|', leg, date, ledger, party, location, debit, credit), E'\n' order by leg) from entries where organisation = org and document = doc), '')
    || coalesce((select string_agg(concat_ws('|', number, date, item, location, quantity, stated_value), E'\n' order by number) from movements where organisation = org and document = doc), ''), 'UTF8'))
$$;
create function log_digest(l edit_log) returns bytea language sql stable as $$
  select sha256(convert_to(concat_ws('|', l.organisation, l.id, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), l.xid, l.who, l.origin, l.action, l.relation, l.row_id, l.before, l.after), 'UTF8')
    || case when l.relation = 'documents' then document_digest(l.organisation, l.row_id::uuid) else ''::bytea end)
$$;

-- Chains what finished transactions have logged, in the order of their ids. Called about each second under the owner role;
-- returns how many rows it sealed. A transaction older than the oldest running one can write nothing more.
create function seal_finished(most int default 5000) returns int language plpgsql as $$
declare
  line edit_log; last record; link bytea; sealed int := 0;
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  done xid8 := coalesce((select max(xid) from seals), '0'::xid8);
begin
  if not pg_try_advisory_xact_lock(62614) then return 0; end if;
  for line in select l.* from edit_log l where l.xid >= done and l.xid < horizon and not exists (select from seals s where s.organisation = l.organisation and s.log = l.id) order by l.xid, l.id limit most loop
    select sequence, seal into last from seals where organisation = line.organisation order by sequence desc limit 1;
    link := log_digest(line);
    insert into seals (organisation, sequence, log, xid, digest, previous, seal)
    values (line.organisation, coalesce(last.sequence, 0) + 1, line.id, line.xid, link, last.seal, sha256(coalesce(last.seal, ''::bytea) || link));
    sealed := sealed + 1;
  end loop;
  return sealed;
end $$;
revoke all on function seal_finished(int) from public;
