-- A till is opened with a count of its cash and closed with another one. In between, what moves its money belongs to its
-- session: bills, and what is cancelled there. What was counted and what should be there may differ; that is booked by the
-- document that closes the session.
create table till_sessions (
  organisation int not null references organisations, id uuid not null, till uuid not null, location uuid not null, cash_ledger uuid not null,
  opened_on date not null, opened_by uuid not null, opened_at timestamptz not null default now(), opening bigint not null check (opening >= 0), opening_count jsonb not null,
  closed_by uuid, closed_at timestamptz, counted bigint check (counted >= 0), expected bigint, closing_count jsonb, difference uuid,
  primary key (organisation, id),
  foreign key (organisation, till) references masters (organisation, id), foreign key (organisation, location) references locations,
  foreign key (organisation, cash_ledger) references ledgers, foreign key (organisation, opened_by) references users, foreign key (organisation, closed_by) references users,
  foreign key (organisation, difference) references documents deferrable initially deferred,
  check ((closed_at is null) = (counted is null) and (closed_at is null) = (expected is null) and (closed_at is null) = (closed_by is null))
);
-- two people cannot open one till
create unique index till_sessions_open on till_sessions (organisation, till) where closed_at is null;
create index till_sessions_till on till_sessions (organisation, till, opened_at);

create table till_documents (
  organisation int not null, document uuid not null, session uuid not null,
  primary key (organisation, document),
  foreign key (organisation, document) references documents, foreign key (organisation, session) references till_sessions
);
create index till_documents_session on till_documents (organisation, session);

do $$
declare name text;
begin
  foreach name in array array['till_sessions', 'till_documents'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
-- which session a document belongs to stands in the document too, which is logged when it is posted
create trigger log_change after insert or update or delete on till_sessions for each row execute function log_change();
create trigger written_once before update or delete or truncate on till_documents for each statement execute function written_once();
grant select, insert, update on till_sessions to bahi_app;
grant select, insert on till_documents to bahi_app;

-- What should be in the drawer: what it was opened with, and what the documents of the session have moved on its cash ledger.
create function till_expected(org int, what uuid) returns bigint language sql stable as $$
  select s.opening + coalesce((select sum(e.debit - e.credit) from till_documents t join entries e on e.organisation = org and e.document = t.document and e.ledger = s.cash_ledger
                                where t.organisation = org and t.session = what), 0)::bigint
    from till_sessions s where s.organisation = org and s.id = what
$$;

-- Closes a session on the figures that the one who counted has seen: a bill that came in meanwhile makes him look again.
create function close_till(org int, what uuid, who uuid, held bigint, awaited bigint, notes jsonb, by_document uuid) returns void language plpgsql as $$
declare closed timestamptz;
begin
  select closed_at into closed from till_sessions where organisation = org and id = what for update;
  if not found then raise exception 'no such till session' using errcode = 'BR049'; end if;
  if closed is not null then raise exception 'the till session is closed' using errcode = 'BR047'; end if;
  if till_expected(org, what) <> awaited then raise exception 'the figures have moved' using errcode = 'BR048'; end if;
  update till_sessions set closed_by = who, closed_at = now(), counted = held, expected = awaited, closing_count = notes, difference = by_document where organisation = org and id = what;
end $$;

-- A document that names a till session belongs to it, or closes it, in the transaction that posts it. The lock of the session
-- is taken after that of the number, by all alike.
create function till_document() returns trigger language plpgsql as $$
declare asked jsonb := new.body -> 'draft' -> 'till'; session till_sessions;
begin
  if asked ? 'counted' then
    perform close_till(new.organisation, (asked ->> 'session')::uuid, new.author, (asked ->> 'counted')::bigint, (asked ->> 'expected')::bigint, asked -> 'count', new.id);
    return null;
  end if;
  select * into session from till_sessions where organisation = new.organisation and id = (asked ->> 'session')::uuid for share;
  if not found or session.location <> new.location then raise exception 'no such till session here' using errcode = 'BR049'; end if;
  if session.closed_at is not null then raise exception 'the till session is closed' using errcode = 'BR047'; end if;
  insert into till_documents (organisation, document, session) values (new.organisation, new.id, session.id);
  return null;
end $$;
create trigger till_document after insert on documents for each row when (new.body -> 'draft' -> 'till' is not null) execute function till_document();
grant execute on function till_expected(int, uuid), close_till(int, uuid, uuid, bigint, bigint, jsonb, uuid) to bahi_app;

-- Cash that is short or over has a ledger of its own; organisations that are here already get it beside the one for bad debts.
insert into ledgers (organisation, id, code, name, "group", is_group, nature, role, schedule3, is_bank, system)
  select l.organisation, gen_random_uuid(), case when exists (select from ledgers x where x.organisation = l.organisation and upper(x.code) = '6495') then 'CASH-DIFFERENCE' else '6495' end,
         'Cash short or over', l."group", false, 'expense', 'cash_difference', l.schedule3, false, true
    from posting_map m join ledgers l on l.organisation = m.organisation and l.id = m.ledger where m.effect = 'badDebt';
insert into posting_map (organisation, effect, ledger) select organisation, 'cashDifference', id from ledgers where role = 'cash_difference';
