-- Money that comes by a payment gateway: what an organisation signs in with, links that anyone may pay by, and what
-- the gateway has sent. Each payment is sent at least once, and makes one receipt.
create table payment_gateways (
  organisation int not null references organisations,
  provider text not null,
  live boolean not null default false,
  key_id text not null,
  secret bytea not null,
  settlement_ledger uuid not null,
  set_at timestamptz not null default now(),
  last_ok timestamptz,
  last_error text,
  last_heard timestamptz,
  version int not null default 1,
  -- By what means customers may pay, and whether the receipt is made at once; `held` is money that came and waits
  -- for somebody to book it.
  methods text[] not null default '{upi,card,netbanking,wallet}' check (cardinality(methods) > 0),
  auto_receipt boolean not null default true,
  marks jsonb not null default '{}',
  set_by uuid,
  primary key (organisation),
  foreign key (organisation, settlement_ledger) references ledgers,
  foreign key (organisation, set_by) references users
);
grant select, insert, update on payment_gateways to bahi_app;

-- Whoever has the link may pay the document: of the token only the digest can be looked up, the token itself is
-- sealed.
create table payment_links (
  organisation int not null references organisations,
  id uuid not null,
  document uuid not null,
  digest bytea not null,
  secret bytea not null,
  made_by uuid not null,
  made_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organisation, id),
  foreign key (organisation, document) references documents,
  foreign key (organisation, made_by) references users
);
create unique index payment_links_open on payment_links (organisation, document) where ended_at is null;
create index payment_links_digest on payment_links (digest);
grant select, insert, update on payment_links to bahi_app;

-- Events of the gateway: each once by its own name, and a payment once however often and by whatever name it is sent.
create table payment_events (
  organisation int not null references organisations,
  id uuid not null,
  event text not null,
  kind text not null check (kind in ('paid', 'failed')),
  link uuid not null,
  payment text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null default 0 check (fee >= 0 and fee < amount),
  method text not null default '',
  reason text not null default '',
  happened_at timestamptz not null,
  heard_at timestamptz not null default now(),
  state text not null check (state in ('waiting', 'booked', 'stuck', 'noted', 'held')),
  receipt uuid,
  trouble text not null default '',
  version int not null default 1,
  primary key (organisation, id),
  foreign key (organisation, link) references payment_links,
  foreign key (organisation, receipt) references documents
);
create unique index payment_events_event on payment_events (organisation, event);
create unique index payment_events_payment on payment_events (organisation, payment) where kind = 'paid';
create index payment_events_link on payment_events (organisation, link);
create index payment_events_waiting on payment_events (heard_at) where state = 'waiting';
grant select, insert, update on payment_events to bahi_app;

-- Who pays has no session: two narrow questions with the rights of the owner.
create function payment_link_called(called bytea) returns table (organisation int, id uuid, made_by uuid)
language sql stable security definer
set search_path = public, pg_temp as $$
  select l.organisation, l.id, l.made_by
  from payment_links l
  where l.digest = called and l.ended_at is null
$$;
revoke all on function payment_link_called(bytea) from public;
grant execute on function payment_link_called(bytea) to bahi_app;

-- The organisation of a code, where it has a payment gateway.
create function gateway_at(organisation_code text) returns int
language sql stable security definer
set search_path = public, pg_temp as $$
  select g.organisation
  from payment_gateways g
  join organisations o using (organisation)
  where o.code = upper(organisation_code)
$$;
revoke all on function gateway_at(text) from public;
grant execute on function gateway_at(text) to bahi_app;
