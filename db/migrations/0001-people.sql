-- People, sessions and the issuer are global: a person may work in several organisations.
-- The application role (bahi_app) owns nothing; bahi_owner migrates, seals and sweeps.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The tables that belong to no organisation; every other table does, and the catalogue checks read this list.
create table global_tables (name text primary key, why text not null);

create table people (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  failed_count int not null default 0,
  locked_until timestamptz,
  totp_secret bytea,
  totp_last_step bigint,
  issuer text,
  subject text,
  operator boolean not null default false,
  preferences jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create unique index people_email on people (lower(email));
create unique index people_subject on people (issuer, subject) where subject is not null;

create table sessions (
  digest bytea primary key,               -- SHA-256 of the cookie: a copy of this table opens nothing
  person uuid not null references people,
  organisation int not null,
  tokens bytea not null,                  -- encrypted with the master key
  tax_location uuid,
  physical_location uuid,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  agent text not null default ''
);
create index sessions_person on sessions (person);

create table issuer_records (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  uid text,
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id)
);
create index issuer_records_grant on issuer_records (grant_id) where grant_id is not null;
create index issuer_records_uid on issuer_records (uid) where uid is not null;
create table issuer_keys (id text primary key, kind text not null, secret bytea not null, made_at timestamptz not null default now());

-- A job for the outside world, written in the posting transaction and handed to the job library after the commit.
create table outbox (
  id bigint generated always as identity primary key,
  organisation int not null,
  task text not null,
  payload jsonb not null,
  key text,
  created_at timestamptz not null default now(),
  handed_at timestamptz
);
create index outbox_waiting on outbox (id) where handed_at is null;

insert into global_tables values
  ('global_tables', 'this list'), ('migrations', 'schema'), ('people', 'a person may work in several organisations'), ('sessions', 'of a person'),
  ('issuer_records', 'of the embedded issuer'), ('issuer_keys', 'of the embedded issuer'), ('outbox', 'the relay crosses organisations');

grant select, insert, update on people to bahi_app;
grant select, insert, update, delete on sessions, issuer_records to bahi_app;
grant select, insert on issuer_keys, outbox to bahi_app;
grant select on global_tables, migrations to bahi_app;
