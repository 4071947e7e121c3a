-- Money that comes by a payment gateway: what an organisation signs in with, links that anyone may pay by, and what the
-- gateway has told. Each payment is told at least once, and makes one receipt.
create table payment_gateways (
  organisation int not null references organisations, provider text not null, live boolean not null default false, key_id text not null, secret bytea not null, settlement_ledger uuid not null,
  set_at timestamptz not null default now(), last_ok timestamptz, last_error text, last_heard timestamptz, version int not null default 1,
  primary key (organisation), foreign key (organisation, settlement_ledger) references ledgers
);

-- Whoever has the link may pay the document: of the token only the digest can be looked up, the token itself is sealed.
create table payment_links (
  organisation int not null references organisations, id uuid not null, document uuid not null, digest bytea not null, secret bytea not null,
  made_by uuid not null, made_at timestamptz not null default now(), ended_at timestamptz,
  primary key (organisation, id), foreign key (organisation, document) references documents, foreign key (organisation, made_by) references users
);
create unique index payment_links_open on payment_links (organisation, document) where ended_at is null;
create index payment_links_digest on payment_links (digest);

-- What the gateway tells, once by its own name and once for a payment however often and by whatever name it is told.
create table payment_events (
  organisation int not null references organisations, id uuid not null, event text not null, kind text not null check (kind in ('paid', 'failed')), link uuid not null, payment text not null,
  amount bigint not null check (amount > 0), fee bigint not null default 0 check (fee >= 0 and fee < amount), method text not null default '', reason text not null default '',
  happened_at timestamptz not null, heard_at timestamptz not null default now(),
  state text not null check (state in ('waiting', 'booked', 'stuck', 'noted')), receipt uuid, trouble text not null default '', version int not null default 1,
  primary key (organisation, id), foreign key (organisation, link) references payment_links, foreign key (organisation, receipt) references documents
);
create unique index payment_events_event on payment_events (organisation, event);
create unique index payment_events_payment on payment_events (organisation, payment) where kind = 'paid';
create index payment_events_link on payment_events (organisation, link);
create index payment_events_waiting on payment_events (heard_at) where state = 'waiting';

do $$
declare name text;
begin
  foreach name in array array['payment_gateways', 'payment_links', 'payment_events'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
  end loop;
end $$;
grant select, insert, update on payment_gateways, payment_links, payment_events to bahi_app;

-- Who pays has no session: two narrow questions with the owner's eyes.
create function payment_link_called(called bytea) returns table (organisation int, id uuid, made_by uuid) language sql stable security definer set search_path = public as $$
  select l.organisation, l.id, l.made_by from payment_links l where l.digest = called and l.ended_at is null
$$;
create function gateway_at(organisation_code text) returns int language sql stable security definer set search_path = public as $$
  select g.organisation from payment_gateways g join organisations o using (organisation) where o.code = upper(organisation_code)
$$;
revoke all on function payment_link_called(bytea), gateway_at(text) from public;
grant execute on function payment_link_called(bytea), gateway_at(text) to bahi_app;
