-- People, sessions and the issuer are global: a person may work in several organisations.
-- The application role (bahi_app) owns nothing; bahi_owner migrates, seals and sweeps.
--
-- A function that runs with the rights of its owner (security definer) names its search path, and what is temporary
-- comes last in it: it would come first when it is not named, and whoever may make temporary tables could put one
-- before ours.

-- A function may stand before the tables that it reads, so that each stands with its subject.
set local check_function_bodies = off;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The tables that belong to no organisation; every other table does, and the catalogue checks read this list.
create table global_tables (
  name text primary key,
  why text not null
);
grant select on global_tables to bahi_app;
grant select on migrations to bahi_app;
insert into global_tables (name, why)
values
  ('global_tables', 'this list'),
  ('migrations', 'schema'),
  ('people', 'a person may work in several organisations'),
  ('sessions', 'of a person'),
  ('issuer_records', 'of the embedded issuer'),
  ('issuer_keys', 'of the embedded issuer'),
  ('outbox', 'the relay crosses organisations'),
  ('sign_in_links', 'used before anybody is signed in'),
  ('recovery_codes', 'of a person'),
  ('broadcasts', 'of the installation'),
  ('help_defaults', 'of the installation'),
  ('sign_in_failures', 'counted before anybody is signed in'),
  ('sign_in_places', 'asked before anybody is signed in'),
  ('offered_screens', 'of the installation'),
  ('offered_kinds', 'of the installation'),
  ('knocks', 'counted before anybody is signed in');

create table people (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  totp_secret bytea,
  totp_last_step bigint,
  issuer text,
  subject text,
  operator boolean not null default false,
  preferences jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- The second factor of a person: a secret that they are about to confirm, and codes for the day their telephone is
  -- lost. Only a digest of each is kept, and each opens once. Where a role or the organisation asks for it, nothing
  -- works without it.
  totp_pending bytea,
  -- A recovery code has fifty bits, and the log is exported: a digest of it alone could be tried out until it fits.
  -- With a salt that stays in the database nobody can who has the log alone. A salt that is changed changes every
  -- digest.
  log_salt uuid not null default gen_random_uuid()
);
create unique index people_email on people (lower(email));
create unique index people_subject on people (issuer, subject) where subject is not null;
grant select, insert, update on people to bahi_app;

create table sessions (
  digest bytea primary key, -- SHA-256 of the cookie: a copy of this table opens nothing
  person uuid not null references people,
  organisation int not null,
  tokens bytea not null, -- encrypted with the master key
  tax_location uuid,
  physical_location uuid,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  agent text not null default '',
  -- One process at a time refreshes a session's tokens: an issuer that rotates them takes a second use for theft
  -- and ends the session. The same mark keeps a session from asking again at once when the issuer does not answer.
  refreshing_until timestamptz
);
create index sessions_person on sessions (person);
grant select, insert, update, delete on sessions to bahi_app;

create table recovery_codes (
  person uuid not null references people,
  digest bytea not null,
  made_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (person, digest)
);
grant select, insert, update, delete on recovery_codes to bahi_app;

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
grant select, insert, update, delete on issuer_records to bahi_app;

create table issuer_keys (
  id text primary key,
  kind text not null,
  secret bytea not null,
  made_at timestamptz not null default now()
);
grant select, insert on issuer_keys to bahi_app;

-- One-time links: only the SHA-256 of the token is kept. A `setup` link belongs to nobody yet; a `signUp` link is
-- mailed to whoever founds an organisation by themselves, so that their address is confirmed first.
create table sign_in_links (
  digest bytea primary key,
  purpose text not null check (purpose in ('invitation', 'password', 'setup', 'signUp')),
  organisation int,
  "user" uuid,
  person uuid references people,
  made_by uuid,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  email text,
  check (
    (purpose in ('setup', 'signUp')) = (person is null)
    and (person is null) = (organisation is null)
    and (person is null) = ("user" is null)
    and (purpose = 'signUp') = (email is not null)
  )
);
create index sign_in_links_user on sign_in_links (organisation, "user");
create index sign_in_links_person on sign_in_links (person);
grant select, insert, update, delete on sign_in_links to bahi_app;

-- Wrong passwords count for an account and the address that they come from: who guesses at another's password is
-- kept out, not its owner. Accounts that nobody has count alike, so that nothing shows who exists. Wrong codes count
-- for the person alone (address ''): only who knows the password comes so far. Only a digest of the account is kept.
create table sign_in_failures (
  account bytea not null,
  address text not null,
  failed int not null,
  until timestamptz not null,
  primary key (account, address)
);
grant select, insert, update, delete on sign_in_failures to bahi_app;

-- From where a person has signed in. Limits of sign-in count for an account and an address together, and are kept
-- here, so that several processes count as one. Others' wrong passwords never lock out its owner where the
-- owner has signed in before: only to addresses that are new to the account do the wrong ones of all addresses, and
-- of all accounts from one address, count too.
create table sign_in_places (
  person uuid not null references people on delete cascade,
  address text not null,
  at timestamptz not null default now(),
  primary key (person, address)
);
grant select, insert, update on sign_in_places to bahi_app;

-- Requests for pages that need no sign-in, counted by address for the rate limit of all processes on this database: an
-- address has `taken` so many of its turns for a page `until` that moment, when the count begins again.
create table knocks (
  page text not null,
  address text not null,
  taken int not null,
  until timestamptz not null,
  primary key (page, address)
);
grant select, insert, update, delete on knocks to bahi_app;

-- One more failure; answers whether it locks the account for fifteen minutes.
create function count_sign_in_failure(what bytea, place text, most int) returns boolean
language sql
set search_path = public as $$
  insert into sign_in_failures as f (account, address, failed, until)
  values (what, place, 1, now() + interval '15 minutes')
  on conflict (account, address) do update
  set
    failed = case when f.until < now() then 1 else least(f.failed + 1, most) end,
    until = case
      when f.until < now() or (f.failed < most and f.failed + 1 >= most) then now() + interval '15 minutes'
      else f.until
    end
  returning failed >= most
$$;
revoke all on function count_sign_in_failure(bytea, text, int) from public;
grant execute on function count_sign_in_failure(bytea, text, int) to bahi_app;

-- Takes one try before anything is looked at, so that of many at the same moment no more than allowed are looked
-- at. `taken` is the number of the try from this address; 0: this address has got too many accounts wrong.
-- `elsewhere` is how many were wrong from everywhere in fifteen minutes; 0 where the person has signed in before.
--
-- A try is counted for an account and the address that it comes from, so nobody else's wrong passwords or codes
-- close an account: what many addresses get wrong together makes the next try wait before it is looked at, and
-- gives it fewer tries. Where the person has signed in before, none of that counts.
create function take_sign_in_try(
  what bytea, place text, whose uuid, most_of_place int, out taken int, out elsewhere int
)
language plpgsql
set search_path = public, pg_temp as $$
begin
  elsewhere := 0;
  -- without an address it is somebody who is signed in already
  if place <> '' and not exists (select from sign_in_places p where p.person = whose and p.address = place) then
    if exists (
      select from sign_in_failures f
      where f.account = '' and f.address = place and f.until > now() and f.failed >= most_of_place
    ) then
      taken := 0;
      return;
    end if;
    select coalesce(max(f.failed), 0) into elsewhere
    from sign_in_failures f
    where f.account = what and f.address = 'everywhere' and f.until > now();
  end if;
  insert into sign_in_failures as f (account, address, failed, until)
  values (what, place, 1, now() + interval '15 minutes')
  on conflict (account, address) do update
  set
    failed = case when f.until < now() then 1 else f.failed + 1 end,
    until = case when f.until < now() then now() + interval '15 minutes' else f.until end
  returning failed into taken;
end
$$;
revoke all on function take_sign_in_try(bytea, text, uuid, int) from public;
grant execute on function take_sign_in_try(bytea, text, uuid, int) to bahi_app;

-- One more; answers the how-manieth it is, and in how many milliseconds counting begins again.
create function count_knock(at_page text, place text, milliseconds int, out taken int, out left_over int)
language sql
set search_path = public, pg_temp as $$
  insert into knocks as k (page, address, taken, until)
  values (at_page, place, 1, clock_timestamp() + milliseconds * interval '1 millisecond')
  on conflict (page, address) do update
  set
    taken = case when k.until <= clock_timestamp() then 1 else k.taken + 1 end,
    until = case when k.until <= clock_timestamp() then excluded.until else k.until end
  returning k.taken, greatest(1, ceil(extract(epoch from k.until - clock_timestamp()) * 1000))::int
$$;
revoke all on function count_knock(text, text, int) from public;
grant execute on function count_knock(text, text, int) to bahi_app;

-- The right of an operator is given and taken by an operator, written to the security log of every organisation that
-- the person works in; the last one stays.
create function give_operator(asking uuid, address text) returns uuid
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  found_person uuid;
begin
  if not exists (select from people p where p.id = asking and p.operator) then
    raise exception 'not the operator' using errcode = 'insufficient_privilege';
  end if;
  select p.id into found_person
  from people p
  where lower(p.email) = lower(address)
    and exists (select from users u where u.person = p.id and u.active and u.accepted_at is not null);
  if found_person is null then
    return null;
  end if;
  update people set operator = true where id = found_person and not operator;
  if found then
    perform log_security_of(found_person, 'operatorGiven', jsonb_build_object('by', asking));
  end if;
  return found_person;
end
$$;
revoke all on function give_operator(uuid, text) from public;
grant execute on function give_operator(uuid, text) to bahi_app;

-- Answers whether it was taken: not from the last one, who would be gone for good.
create function take_operator(asking uuid, whom uuid) returns boolean
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  -- of two who take each other's right at once, one comes second
  perform pg_advisory_xact_lock(62617);
  if not exists (select from people p where p.id = asking and p.operator) then
    raise exception 'not the operator' using errcode = 'insufficient_privilege';
  end if;
  if not exists (
    select from people p
    where p.operator
      and p.id <> whom
      and exists (select from users u where u.person = p.id and u.active and u.accepted_at is not null)
  ) then
    return false;
  end if;
  update people set operator = false where id = whom and operator;
  if found then
    perform log_security_of(whom, 'operatorTaken', jsonb_build_object('by', asking));
  end if;
  return true;
end
$$;
revoke all on function take_operator(uuid, uuid) from public;
grant execute on function take_operator(uuid, uuid) to bahi_app;
