-- Tills: their sessions, the documents of a session, and numbers that a till gave by itself.

-- A till is opened with a count of its cash and closed with another one. In between, what moves its money belongs
-- to its session: bills, and what is cancelled there. What was counted and what should be there may differ; that is
-- booked by the document that closes the session.
create table till_sessions (
  organisation int not null references organisations,
  id uuid not null,
  till uuid not null,
  location uuid not null,
  cash_ledger uuid not null,
  opened_on date not null,
  opened_by uuid not null,
  opened_at timestamptz not null default now(),
  opening bigint not null check (opening >= 0),
  opening_count jsonb not null,
  closed_by uuid,
  closed_at timestamptz,
  counted bigint check (counted >= 0),
  expected bigint,
  closing_count jsonb,
  difference uuid,
  device uuid,
  series uuid,
  taken_over int not null default 0,
  primary key (organisation, id),
  foreign key (organisation, till) references masters (organisation, id),
  foreign key (organisation, location) references locations,
  foreign key (organisation, cash_ledger) references ledgers,
  foreign key (organisation, opened_by) references users,
  foreign key (organisation, closed_by) references users,
  foreign key (organisation, difference) references documents deferrable initially deferred,
  foreign key (organisation, series) references number_series,
  check (
    (closed_at is null) = (counted is null)
    and (closed_at is null) = (expected is null)
    and (closed_at is null) = (closed_by is null)
  ),
  -- numbers of a till belong to a browser, and a browser to a till's series
  check ((device is null) = (series is null))
);
-- two people cannot open one till
create unique index till_sessions_open on till_sessions (organisation, till) where closed_at is null;
create index till_sessions_till on till_sessions (organisation, till, opened_at);
grant select, insert, update on till_sessions to bahi_app;

-- The session that a document belongs to.
create table till_documents (
  organisation int not null,
  document uuid not null,
  session uuid not null,
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  foreign key (organisation, session) references till_sessions
);
create index till_documents_session on till_documents (organisation, session);
grant select, insert on till_documents to bahi_app;

-- Numbers of a till's own series whose bills are awaited, refused, void, or came in afterwards.
create table till_numbers (
  organisation int not null references organisations,
  series uuid not null,
  period text not null,
  counter int not null check (counter > 0),
  number text not null,
  day date not null,
  session uuid not null,
  state text not null check (state in ('awaited', 'refused', 'void', 'posted')),
  reason text not null default '',
  body jsonb,
  document uuid,
  set_by uuid not null,
  set_at timestamptz not null default now(),
  primary key (organisation, series, period, counter),
  foreign key (organisation, series) references number_series,
  foreign key (organisation, session) references till_sessions,
  foreign key (organisation, set_by) references users,
  foreign key (organisation, document) references documents deferrable initially deferred,
  check ((state = 'posted') = (document is not null)),
  check (state in ('awaited', 'posted') or reason <> '')
);
create index till_numbers_session on till_numbers (organisation, session);
create index till_numbers_day on till_numbers (organisation, day) where state = 'void';
grant select, insert, update on till_numbers to bahi_app;

-- What should be in the drawer: what it was opened with, and what the documents of the session have moved on its
-- cash ledger.
create function till_expected(org int, what uuid) returns bigint
language sql stable as $$
  select s.opening + coalesce(
    (
      select sum(e.debit - e.credit)
      from till_documents t
      join entries e on e.organisation = org and e.document = t.document and e.ledger = s.cash_ledger
      where t.organisation = org and t.session = what
    ),
    0
  )::bigint
  from till_sessions s
  where s.organisation = org and s.id = what
$$;
grant execute on function till_expected(int, uuid) to bahi_app;

-- Closes a session on the figures that the one who counted has seen: a bill that came in meanwhile makes them look
-- again.
create function close_till(org int, what uuid, who uuid, held bigint, awaited bigint, notes jsonb, by_document uuid)
returns void
language plpgsql as $$
declare
  closed timestamptz;
begin
  select closed_at into closed
  from till_sessions
  where organisation = org and id = what
  for update;
  if not found then
    raise exception 'no such till session' using errcode = 'BR049';
  end if;
  if closed is not null then
    raise exception 'the till session is closed' using errcode = 'BR047';
  end if;
  if till_expected(org, what) <> awaited then
    raise exception 'the figures have moved' using errcode = 'BR048';
  end if;
  update till_sessions
  set
    closed_by = who, closed_at = now(), counted = held, expected = awaited, closing_count = notes,
    difference = by_document
  where organisation = org and id = what;
end
$$;
grant execute on function close_till(int, uuid, uuid, bigint, bigint, jsonb, uuid) to bahi_app;

-- A document that names a till session belongs to it, or closes it, in the transaction that posts it. The lock of
-- the session is taken after that of the number, by all alike.
create function till_document() returns trigger
language plpgsql as $$
declare
  asked jsonb := new.body -> 'draft' -> 'till';
  session till_sessions;
begin
  if asked ? 'counted' then
    perform close_till(
      new.organisation, (asked ->> 'session')::uuid, new.author, (asked ->> 'counted')::bigint,
      (asked ->> 'expected')::bigint, asked -> 'count', new.id
    );
    return null;
  end if;
  select * into session
  from till_sessions
  where organisation = new.organisation and id = (asked ->> 'session')::uuid
  for share;
  if not found or session.location <> new.location then
    raise exception 'no such till session here' using errcode = 'BR049';
  end if;
  if session.closed_at is not null then
    raise exception 'the till session is closed' using errcode = 'BR047';
  end if;
  insert into till_documents (organisation, document, session)
  values (new.organisation, new.id, session.id);
  return null;
end
$$;
create trigger till_document after insert on documents
  for each row
  when (new.body #> '{draft,till}' is not null)
  execute function till_document();

-- The next number of a counter; the row is locked, or made, as a posting does it.
create function next_of_till(org int, what uuid, counted_in text) returns int
language plpgsql as $$
declare
  found_next int;
begin
  insert into series_counters (organisation, series, period, next)
  select org, what, counted_in, s.start
  from number_series s
  where s.organisation = org and s.id = what
  on conflict (organisation, series, period) do nothing;
  select next into found_next
  from series_counters
  where organisation = org and series = what and period = counted_in
  for update;
  return found_next;
end
$$;
grant execute on function next_of_till(int, uuid, text) to bahi_app;

-- A bill that brings its number: it is the next one of the till's series, or one that was set down as not yet in
-- the books. The counter is the last lock, as for numbers that are given here.
create function till_number() returns trigger
language plpgsql as $$
declare
  asked jsonb := new.body -> 'draft' -> 'till';
  held till_sessions;
  awaited int;
  n int := (asked ->> 'counter')::int;
begin
  select * into held
  from till_sessions
  where organisation = new.organisation and id = (asked ->> 'session')::uuid;
  if not found or held.location <> new.location or held.series is null then
    raise exception 'no such till session here' using errcode = 'BR049';
  end if;
  awaited := next_of_till(new.organisation, held.series, asked ->> 'period');
  -- who holds the till is asked under the lock of the counter, which whoever takes it over holds
  if not exists (
    select from till_sessions s
    where s.organisation = new.organisation and s.id = held.id and s.device::text = asked ->> 'device'
  )
    and n >= awaited
  then
    raise exception 'another browser holds the till' using errcode = 'BR051';
  end if;
  if n = awaited then
    update series_counters
    set next = n + 1
    where organisation = new.organisation and series = held.series and period = asked ->> 'period';
  else
    update till_numbers
    set state = 'posted', document = new.id, body = null, set_by = new.author, set_at = now()
    where organisation = new.organisation
      and series = held.series
      and period = asked ->> 'period'
      and counter = n
      and state in ('awaited', 'refused');
    if not found then
      raise exception '%', awaited using errcode = 'BR052';
    end if;
  end if;
  new.series := held.series;
  return new;
end
$$;
create trigger till_number before insert on documents
  for each row
  when (new.body #> '{draft,till,counter}' is not null)
  execute function till_number();

-- Sets down a number whose bill is not in the books: the next one, or one that is set down already. Answers what
-- the next one is; nothing is set down for a number further ahead, or one whose bill is posted.
create function set_down_number(
  org int, what uuid, at_session uuid, counted_in text, n int, text_of text, on_day date, as_state text, why text,
  kept jsonb, who uuid
) returns int
language plpgsql as $$
declare
  awaited int := next_of_till(org, what, counted_in);
begin
  if n = awaited then
    insert into till_numbers (
      organisation, series, period, counter, number, day, session, state, reason, body, set_by
    )
    values (org, what, counted_in, n, text_of, on_day, at_session, as_state, why, kept, who);
    update series_counters
    set next = n + 1
    where organisation = org and series = what and period = counted_in;
    return n + 1;
  end if;
  if n < awaited and as_state <> 'awaited' then
    update till_numbers
    set state = as_state, reason = why, body = coalesce(kept, body), set_by = who, set_at = now()
    where organisation = org
      and series = what
      and period = counted_in
      and counter = n
      and state in ('awaited', 'refused');
  end if;
  return awaited;
end
$$;
grant execute on function set_down_number(
  int, uuid, uuid, text, int, text, date, text, text, jsonb, uuid
) to bahi_app;
