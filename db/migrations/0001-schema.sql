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
-- here, so that several processes count as one. Others' wrong passwords never close the door to its owner where the
-- owner has signed in before: only to addresses that are new to the account do the wrong ones of all addresses, and
-- of all accounts from one address, count too.
create table sign_in_places (
  person uuid not null references people on delete cascade,
  address text not null,
  at timestamptz not null default now(),
  primary key (person, address)
);
grant select, insert, update on sign_in_places to bahi_app;

-- How often an address has knocked at a page that is open to strangers, counted for all processes on this database
-- together.
create table knocks (
  page text not null,
  address text not null,
  taken int not null,
  until timestamptz not null,
  primary key (page, address)
);
grant select, insert, update, delete on knocks to bahi_app;

-- One more failure; answers whether that was the one that closes the door until fifteen minutes later.
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

-- The right of an operator is given and taken by an operator, told in the security log of every organisation that
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
-- The organisation, its people and their rights, its registrations and places, and what it is told and subscribes to.
-- Every table starts with the organisation in its keys, so that the schema can be distributed by it, and row-level
-- security is forced on all of them (walls).

create table organisations (
  organisation int generated always as identity primary key,
  code text not null unique,
  name text not null,
  body jsonb not null default '{}',
  settings jsonb not null default '{}', -- the general configuration
  version int not null default 1,
  created_at timestamptz not null default now()
);
grant select, update on organisations to bahi_app;

create table users (
  organisation int not null references organisations,
  id uuid not null,
  person uuid not null references people,
  email text not null,
  name text not null,
  limits jsonb not null default '{}',
  last_sign_in timestamptz,
  version int not null default 1,
  active boolean not null default true,
  -- Whoever is made a user needs a way in. A membership counts once the person has accepted it: by a
  -- one-time link that an administrator hands over, or with an external issuer by a verified e-mail. So nobody who
  -- holds an address in one organisation gets into another by being named there.
  accepted_at timestamptz,
  primary key (organisation, id),
  unique (organisation, person)
);
create index users_person on users (person);
grant select, insert, update on users to bahi_app;

create table roles (
  organisation int not null references organisations,
  id uuid not null,
  name text not null,
  type_name text not null default '',
  version int not null default 1,
  active boolean not null default true,
  second_factor boolean not null default false,
  primary key (organisation, id)
);
create unique index roles_name on roles (organisation, lower(name));
grant select, insert, update, delete on roles to bahi_app;

create table role_grants (
  organisation int not null,
  role uuid not null,
  screen int not null,
  level int not null check (level in (5000, 5001, 5002, 5003)),
  primary key (organisation, role, screen),
  foreign key (organisation, role) references roles on delete cascade
);
grant select, insert, update, delete on role_grants to bahi_app;

create table user_roles (
  organisation int not null,
  "user" uuid not null,
  role uuid not null,
  primary key (organisation, "user", role),
  foreign key (organisation, "user") references users,
  foreign key (organisation, role) references roles
);
grant select, insert, update, delete on user_roles to bahi_app;

-- People are grouped: a group gives its roles to its members. What a user may do comes from their own roles and from
-- those of their groups; every question about rights reads the view user_grants, so that none forgets the groups.
create table groups (
  organisation int not null references organisations,
  id uuid not null,
  name text not null,
  description text not null default '',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id)
);
create unique index groups_name on groups (organisation, lower(name));
grant select, insert, update, delete on groups to bahi_app;

create table group_roles (
  organisation int not null,
  "group" uuid not null,
  role uuid not null,
  primary key (organisation, "group", role),
  foreign key (organisation, "group") references groups on delete cascade,
  foreign key (organisation, role) references roles
);
create index group_roles_role on group_roles (organisation, role);
grant select, insert, delete on group_roles to bahi_app;

create table group_members (
  organisation int not null,
  "group" uuid not null,
  "user" uuid not null,
  primary key (organisation, "group", "user"),
  foreign key (organisation, "group") references groups on delete cascade,
  foreign key (organisation, "user") references users
);
create index group_members_user on group_members (organisation, "user");
grant select, insert, delete on group_members to bahi_app;

create table registrations (
  organisation int not null references organisations,
  id uuid not null,
  gstin text,
  state text not null,
  legal_name text not null,
  trade_name text not null default '',
  kind text not null,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id)
);
create unique index registrations_gstin on registrations (organisation, gstin) where gstin is not null;
grant select, insert, update on registrations to bahi_app;

-- A registration's status under GST (none, composition, regular, SEZ) is dated: it begins with registrations.kind
-- and changes on the days that are listed here, each until the next.
create table registration_statuses (
  organisation int not null references organisations,
  registration uuid not null,
  from_day date not null,
  kind text not null check (kind in ('regular', 'composition', 'unregistered', 'sez')),
  primary key (organisation, registration, from_day),
  foreign key (organisation, registration) references registrations
);
grant select, insert, delete on registration_statuses to bahi_app;

create table locations (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  registration uuid not null,
  is_tax boolean not null default true,
  is_physical boolean not null default true,
  is_transit boolean not null default false,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations
);
create unique index locations_code on locations (organisation, upper(code));
grant select, insert, update on locations to bahi_app;

create table user_locations (
  organisation int not null,
  "user" uuid not null,
  location uuid not null,
  primary key (organisation, "user", location),
  foreign key (organisation, "user") references users,
  foreign key (organisation, location) references locations
);
grant select, insert, update, delete on user_locations to bahi_app;

-- Where a user works: at their own locations and those of their groups; who has neither is not limited. Every
-- question about places reads the view user_places, so that none forgets the groups.
create table group_locations (
  organisation int not null,
  "group" uuid not null,
  location uuid not null,
  primary key (organisation, "group", location),
  foreign key (organisation, "group") references groups on delete cascade,
  foreign key (organisation, location) references locations
);
grant select, insert, delete on group_locations to bahi_app;

-- Where somebody chose to work, in each organisation: remembered for the person, not for one browser. Nothing
-- chosen, or null: all.
create table chosen_places (
  organisation int not null references organisations,
  "user" uuid not null,
  tax_location uuid,
  physical_location uuid,
  primary key (organisation, "user"),
  foreign key (organisation, "user") references users,
  foreign key (organisation, tax_location) references locations,
  foreign key (organisation, physical_location) references locations
);
grant select, insert, update, delete on chosen_places to bahi_app;

-- Up to which day the books as a whole are locked.
create table locks (
  organisation int not null references organisations,
  locked_through date,
  reason text not null default '',
  by uuid,
  at timestamptz not null default now(),
  primary key (organisation),
  foreign key (organisation, by) references users
);
grant select, insert, update on locks to bahi_app;

-- Up to which day a register of the books is locked, besides the books as a whole; no row: it is open. Postings see
-- it with the facts of their organisation.
create table register_locks (
  organisation int not null references organisations,
  register text not null check (register ~ '^[a-z]+[0-9]*(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$'),
  locked_through date not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default now(),
  -- A register is locked by hand and by filed returns: it stays locked up to the later of both. What was locked by
  -- hand is kept beside it, so that taking back the mark of a return opens no day that somebody locked.
  by_hand date,
  primary key (organisation, register),
  foreign key (organisation, by) references users
);
grant select, insert, update, delete on register_locks to bahi_app;

-- What a registration signs in to the invoice portal with, sealed under the master key. `marks` says how often each
-- secret was set to another one, and `set_by` who did it, so that a form can say that somebody else has changed one:
-- nothing of what it is.
create table credentials (
  organisation int not null,
  registration uuid not null,
  client_id text not null,
  user_name text not null,
  secret bytea not null,
  set_at timestamptz not null default now(),
  last_ok timestamptz,
  last_error text,
  version int not null default 1,
  marks jsonb not null default '{}',
  set_by uuid,
  primary key (organisation, registration),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, set_by) references users
);
grant select, insert, update on credentials to bahi_app;

create table files (
  organisation int not null references organisations,
  digest text not null,
  bytes bytea not null,
  type text not null,
  name text not null,
  at timestamptz not null default now(),
  primary key (organisation, digest)
);
grant select, insert, update, delete on files to bahi_app;

-- Small pictures of items for lists and pickers, made when a picture is kept, by the picture that they are of. Not in
-- the log: they say nothing that the picture does not.
create table thumbnails (
  organisation int not null,
  digest text not null,
  bytes bytea not null,
  primary key (organisation, digest),
  foreign key (organisation, digest) references files on delete cascade
);
grant select, insert on thumbnails to bahi_app;

create table notifications (
  organisation int not null references organisations,
  id uuid not null,
  "user" uuid,
  message text not null,
  link text,
  action_type int,
  at timestamptz not null default now(),
  dismissed_at timestamptz,
  primary key (organisation, id),
  foreign key (organisation, "user") references users
);
grant select, insert, update on notifications to bahi_app;

-- What everybody is told, each dismisses for themselves.
create table notification_dismissals (
  organisation int not null,
  notification uuid not null,
  "user" uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, notification, "user"),
  foreign key (organisation, notification) references notifications on delete cascade,
  foreign key (organisation, "user") references users
);
grant select, insert on notification_dismissals to bahi_app;

-- What an organisation subscribes to: a row for each time that modules were given, and the way a request went.
create table subscriptions (
  organisation int not null references organisations,
  id uuid not null,
  modules text[] not null,
  starts_on date not null,
  ends_on date,
  primary key (organisation, id)
);
-- an organisation asks; only the operator gives
grant select on subscriptions to bahi_app;

-- A request for modules, and the way it went: asked (1), paid (3), given (7).
create table subscription_requests (
  organisation int not null references organisations,
  id uuid not null,
  modules text[] not null,
  months int not null check (months in (1, 3, 6, 12)),
  monthly bigint not null,
  status int not null default 1 check (status in (1, 3, 7)),
  refused boolean not null default false,
  asked_by uuid not null,
  asked_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  version int not null default 1,
  primary key (organisation, id),
  foreign key (organisation, asked_by) references users (organisation, id)
);
-- one at a time: the next is asked when this one is through
create unique index subscription_requests_open
  on subscription_requests (organisation)
  where status < 7 and not refused;
grant select, insert on subscription_requests to bahi_app;

-- What the operator tells everybody.
create table broadcasts (
  id uuid primary key,
  title text not null,
  message text not null,
  valid_to timestamptz not null,
  made_by uuid not null references people,
  made_at timestamptz not null default now()
);
grant select, insert, delete on broadcasts to bahi_app;

-- Questions and answers about a screen: an administrator's for the organisation, before the operator's for everybody,
-- before those of the product.
create table help_texts (
  organisation int not null references organisations,
  screen int not null,
  content jsonb not null,
  changed_at timestamptz not null default now(),
  primary key (organisation, screen)
);
grant select, insert, update, delete on help_texts to bahi_app;

create table help_defaults (
  screen int primary key,
  content jsonb not null
);
grant select, insert, update, delete on help_defaults to bahi_app;

-- What somebody has set a list to, under a name.
create table saved_views (
  organisation int not null references organisations,
  "user" uuid not null,
  list text not null,
  name text not null,
  query jsonb not null,
  primary key (organisation, "user", list, name),
  foreign key (organisation, "user") references users
);
grant select, insert, update, delete on saved_views to bahi_app;

-- Screens on which levels can be granted and that roles were given already. A screen of a later release is none of
-- them: the start gives it once to every role that has full rights on everything else, and adds it here.
create table offered_screens (
  screen int primary key,
  offered_at timestamptz not null default now()
);
grant select on offered_screens to bahi_app;

-- Each level that reaches a user, and the way it came: by a role of their own ("group" is null) or by one of a group.
create view user_grants with (security_invoker = true) as
select ur.organisation, ur."user", ur.role, null::uuid as "group", g.screen, g.level
from user_roles ur
join roles r on r.organisation = ur.organisation and r.id = ur.role and r.active
join role_grants g on g.organisation = ur.organisation and g.role = ur.role
union all
select m.organisation, m."user", gr.role, m."group", g.screen, g.level
from group_members m
join groups p on p.organisation = m.organisation and p.id = m."group" and p.active
join group_roles gr on gr.organisation = m.organisation and gr."group" = m."group"
join roles r on r.organisation = gr.organisation and r.id = gr.role and r.active
join role_grants g on g.organisation = gr.organisation and g.role = gr.role;
grant select on user_grants to bahi_app;

create view user_places with (security_invoker = true) as
select organisation, "user", location, null::uuid as "group"
from user_locations
union all
select m.organisation, m."user", l.location, m."group"
from group_members m
join groups g on g.organisation = m.organisation and g.id = m."group" and g.active
join group_locations l on l.organisation = m.organisation and l."group" = m."group";
grant select on user_places to bahi_app;

-- At sign-in the organisations of a person are not known yet: one narrow question with the rights of the owner. A
-- membership counts once the person has accepted it.
create function memberships_of(asked uuid) returns table (organisation int, code text, name text, "user" uuid)
language sql stable security definer
set search_path = public, pg_temp as $$
  select u.organisation, o.code, o.name, u.id
  from users u
  join organisations o using (organisation)
  where u.person = asked and u.active and u.accepted_at is not null
  order by o.organisation
$$;
revoke all on function memberships_of(uuid) from public;
grant execute on function memberships_of(uuid) to bahi_app;

-- Whether a person has accepted a place in another organisation: then no administrator of this one may set their
-- password.
create function works_elsewhere(asked uuid, org int) returns boolean
language sql stable security definer
set search_path = public, pg_temp as $$
  select exists (
    select from users
    where person = asked and organisation <> org and accepted_at is not null
  )
$$;
revoke all on function works_elsewhere(uuid, int) from public;
grant execute on function works_elsewhere(uuid, int) to bahi_app;

-- An external issuer has verified the e-mail that stands on the invitations.
create function accept_memberships(asked uuid) returns void
language sql security definer
set search_path = public, pg_temp as $$
  update users
  set accepted_at = now()
  where person = asked and active and accepted_at is null
$$;
revoke all on function accept_memberships(uuid) from public;
grant execute on function accept_memberships(uuid) to bahi_app;

-- The status of a registration on a day.
create function registration_status(org int, which uuid, day date) returns text
language sql stable as $$
  select coalesce(
    (
      select s.kind
      from registration_statuses s
      where s.organisation = org and s.registration = which and s.from_day <= day
      order by s.from_day desc
      limit 1
    ),
    (select r.kind from registrations r where r.organisation = org and r.id = which)
  )
$$;
grant execute on function registration_status(int, uuid, date) to bahi_app;

-- The changes of status of a registration, oldest first.
create function status_changes(org int, which uuid) returns json
language sql stable as $$
  select coalesce(json_agg(json_build_object('from', s.from_day, 'kind', s.kind) order by s.from_day), '[]')
  from registration_statuses s
  where s.organisation = org and s.registration = which
$$;
grant execute on function status_changes(int, uuid) to bahi_app;

-- An address as a registration or a place has it; what is not typed is empty. The invoice portal refuses a document
-- whose own address, place of dispatch or place of arrival is incomplete, or has a PIN code of another state, so a
-- posting looks at these addresses before it takes a number.
create function own_address(body jsonb) returns jsonb
language sql immutable as $$
  select jsonb_build_object(
    'line1', coalesce(body ->> 'line1', ''), 'line2', coalesce(body ->> 'line2', ''),
    'city', coalesce(body ->> 'city', ''), 'state', coalesce(body ->> 'state', ''),
    'pincode', coalesce(body ->> 'pincode', ''), 'portalName', coalesce(body ->> 'portalName', '')
  )
$$;
grant execute on function own_address(jsonb) to bahi_app;

-- The operator's eyes: requests of all organisations, for nobody else.
create function requests_of_all(asking uuid)
returns table (
  organisation int, code text, name text, id uuid, modules text[], months int, monthly bigint, status int,
  refused boolean, asked_by text, asked_at timestamptz, version int
)
language sql stable security definer
set search_path = public, pg_temp as $$
  select
    r.organisation, o.code, o.name, r.id, r.modules, r.months, r.monthly, r.status, r.refused, u.name, r.asked_at,
    r.version
  from subscription_requests r
  join organisations o using (organisation)
  join users u on u.organisation = r.organisation and u.id = r.asked_by
  where exists (select from people p where p.id = asking and p.operator)
  order by (r.status >= 7 or r.refused), r.asked_at desc
  limit 200
$$;
revoke all on function requests_of_all(uuid) from public;
grant execute on function requests_of_all(uuid) to bahi_app;

-- The next step of a request, or its end; with the last step the modules are given from that day on.
create function decide_request(asking uuid, org int, request uuid, known int, approve boolean, today date)
returns int
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  asked subscription_requests;
  begins date;
  step int;
begin
  if not exists (select from people p where p.id = asking and p.operator) then
    raise exception 'not the operator' using errcode = 'insufficient_privilege';
  end if;
  select * into asked
  from subscription_requests
  where organisation = org and id = request and version = known and status < 7 and not refused
  for update;
  if not found then
    return null;
  end if;
  step := case when not approve then asked.status when asked.status = 1 then 3 else 7 end;
  update subscription_requests
  set
    status = step, refused = not approve, version = version + 1,
    decided_by = (select email from people where id = asking), decided_at = now()
  where organisation = org and id = request;
  if step = 7 then
    -- what runs already is continued where it ends
    select greatest(today, max(s.ends_on) + 1) into begins
    from subscriptions s
    where s.organisation = org and s.modules @> asked.modules and s.ends_on is not null;
    begins := coalesce(begins, today);
    insert into subscriptions (organisation, id, modules, starts_on, ends_on)
    values
      (org, gen_random_uuid(), asked.modules, begins, (begins + make_interval(months => asked.months))::date - 1);
  end if;
  insert into notifications (organisation, id, "user", message, link)
  values
    (
      org, gen_random_uuid(), asked.asked_by,
      case
        when not approve then 'Your subscription request was refused'
        when step = 3 then 'Your payment is received and sent for admin approval'
        else 'Your subscription is complete'
      end,
      '/layout/subscriptions'
    );
  return step;
end
$$;
revoke all on function decide_request(uuid, int, uuid, int, boolean, date) from public;
grant execute on function decide_request(uuid, int, uuid, int, boolean, date) to bahi_app;

-- The latest document of a series before which none with a later number may be dated.
create function last_of_series(org int, own uuid, in_kind text, of_series uuid, year text)
returns table (number text, date date)
language sql stable as $$
  select d.number, d.date
  from documents d
  where d.organisation = org
    and d.registration = own
    and d.kind = in_kind
    and d.series = of_series
    and d.financial_year = year
    and d.reverses is null
  order by d.date desc, d.id desc
  limit 1
$$;
grant execute on function last_of_series(int, uuid, text, uuid, text) to bahi_app;
-- Ledgers, parties, items and the other masters, and the number series of documents.

create table ledgers (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  "group" uuid,
  is_group boolean not null default false,
  nature text not null check (nature in ('asset', 'liability', 'equity', 'income', 'expense')),
  role text,
  schedule3 text,
  is_bank boolean not null default false,
  system boolean not null default false,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  -- A bank account or a cash box may be kept in another currency: what moves it moves so much of that currency too.
  -- What stands on it is money that is there, so it is brought to the rate of a day on the ledger itself and stays
  -- so (AS 11), while open balances of parties are restated beside their accounts and taken back.
  currency text check (currency ~ '^[A-Z]{3}$' and currency <> 'INR'),
  primary key (organisation, id),
  foreign key (organisation, "group") references ledgers
);
create unique index ledgers_code on ledgers (organisation, upper(code));
grant select, insert, update on ledgers to bahi_app;

-- The ledger on which each effect of a posting is booked.
create table posting_map (
  organisation int not null references organisations,
  effect text not null,
  ledger uuid not null,
  version int not null default 1,
  primary key (organisation, effect),
  foreign key (organisation, ledger) references ledgers
);
grant select, insert, update on posting_map to bahi_app;

-- Cost centres are a master: an entry names one that exists, in its own organisation (ADR 53). A document may name
-- one for all its entries, a line one of its own.
create table cost_centres (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  parent uuid,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id),
  foreign key (organisation, parent) references cost_centres,
  check (parent <> id)
);
create unique index cost_centres_code on cost_centres (organisation, upper(code));
create index cost_centres_name on cost_centres (organisation, lower(name), id);
grant select, insert, update on cost_centres to bahi_app;

-- A name without what says only how its holder is organised, and without signs: what is typed differently for the
-- same firm.
create function party_key(name text) returns text
language sql immutable as $$
  select trim(
    regexp_replace(
      regexp_replace(
        regexp_replace(lower(name), '[[:space:]!-/:-@\[-`{-~]+', ' ', 'g'),
        '\m(m s|ms|private|pvt|limited|ltd|llp|company|co|and|the)\M', ' ', 'g'
      ),
      ' +', ' ', 'g'
    )
  )
$$;
grant execute on function party_key(text) to bahi_app;

-- The last ten digits: with the code of the country or without, it is the same telephone.
create function phone_key(phone text) returns text
language sql immutable as $$
  select case when length(d) >= 8 then right(d, 10) end
  from (select regexp_replace(phone, '\D', '', 'g') as d) x
$$;
grant execute on function phone_key(text) to bahi_app;

create table parties (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  side text not null check (side in ('customer', 'supplier', 'both')),
  category text not null,
  gstin text,
  pan text,
  state text not null,
  country text not null default 'IN',
  currency text not null default 'INR',
  credit_limit bigint,
  credit_days int not null default 0,
  search text not null,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  -- A merged party stays as a row, for posted documents name it and are never changed: it points to the party that
  -- it was merged into, always to the last one. What is open is a projection and moves; entries are read through
  -- heir_of and party_family (ADR 19).
  heir uuid,
  primary key (organisation, id),
  foreign key (organisation, heir) references parties,
  check (heir is null or (not active and heir <> id))
);
create unique index parties_code on parties (organisation, upper(code));
create index parties_name on parties (organisation, lower(name), id);
create index parties_search on parties using gin (organisation, search gin_trgm_ops);
create index parties_heir on parties (organisation, heir) where heir is not null;
create index parties_gstin on parties (organisation, gstin) where gstin is not null;
create index parties_pan on parties (organisation, pan) where pan is not null;
create index parties_phone on parties (organisation, phone_key(body ->> 'phone'));
create index parties_near on parties using gin (organisation, party_key(name) gin_trgm_ops);
grant select, insert, update on parties to bahi_app;

-- What the portal has said of a GSTIN, and when: it is asked again after a day, and this stands in while it is away.
create table taxpayers (
  organisation int not null references organisations,
  gstin text not null,
  facts jsonb not null,
  asked_at timestamptz not null,
  primary key (organisation, gstin)
);
grant select, insert, update on taxpayers to bahi_app;

create table items (
  organisation int not null references organisations,
  id uuid not null,
  sku text not null,
  name text not null,
  service boolean not null,
  stocked boolean not null,
  hsn text not null,
  unit text not null,
  treatment text not null,
  gst_rate int not null,
  cess_rate int not null default 0,
  cess_per_unit bigint not null default 0,
  retail_price bigint,
  sale_rate bigint,
  purchase_rate bigint,
  income_ledger uuid,
  expense_ledger uuid,
  credit_blocked boolean not null default false,
  scrap boolean not null default false,
  barcode text,
  search text not null,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  -- An item that has attributes is a template: no document names it, each combination of its values is an item of
  -- its own that is bought, sold and counted as any other. What the variants share stands on each of them and
  -- follows the template, so that nothing that reads items has to know of templates.
  is_template boolean not null default false,
  template uuid,
  variant jsonb,
  primary key (organisation, id),
  foreign key (organisation, income_ledger) references ledgers,
  foreign key (organisation, expense_ledger) references ledgers,
  foreign key (organisation, template) references items,
  check (template is null or not is_template),
  check ((template is null) = (variant is null))
);
create unique index items_sku on items (organisation, upper(sku));
create unique index items_barcode on items (organisation, barcode) where barcode is not null;
create index items_name on items (organisation, lower(name), id);
create index items_search on items using gin (organisation, search gin_trgm_ops);
-- the value of each attribute, by the attribute's id
create unique index items_variant on items (organisation, template, variant) where template is not null;
grant select, insert, update on items to bahi_app;

-- Every code that a scanner may read, each once in the organisation: the main one of an item, kept in step with its
-- row, and as many others as it has, each for a unit (the code on a box of 12).
create table item_barcodes (
  organisation int not null references organisations,
  id uuid not null default gen_random_uuid(),
  item uuid not null,
  barcode text not null,
  unit text, -- none: the item's own
  main boolean not null default false,
  primary key (organisation, id),
  foreign key (organisation, item) references items,
  check (not (main and unit is not null))
);
create unique index item_barcodes_barcode on item_barcodes (organisation, barcode);
create unique index item_barcodes_main on item_barcodes (organisation, item) where main;
create index item_barcodes_item on item_barcodes (organisation, item);
grant select, insert, update, delete on item_barcodes to bahi_app;

-- The next number of our own range: one that was given is not given again, whatever became of its item.
create table barcode_counters (
  organisation int not null references organisations,
  next bigint not null,
  primary key (organisation)
);
grant select, insert, update on barcode_counters to bahi_app;

-- Pictures of an item in their order; the bytes are a file of the organisation, drawn anew when it came.
create table item_pictures (
  organisation int not null references organisations,
  id uuid not null,
  item uuid not null,
  place int not null,
  digest text not null,
  name text not null,
  primary key (organisation, id),
  foreign key (organisation, item) references items,
  foreign key (organisation, digest) references files
);
create unique index item_pictures_once on item_pictures (organisation, item, digest);
grant select, insert, update, delete on item_pictures to bahi_app;

-- Masters that no engine joins; their shape is checked by the contract.
create table masters (
  organisation int not null references organisations,
  master text not null,
  id uuid not null,
  code text not null,
  name text not null,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id)
);
create unique index masters_code on masters (organisation, master, upper(code));
create index masters_name on masters (organisation, master, lower(name), id);
grant select, insert, update, delete on masters to bahi_app;

-- What a currency was worth on a day: by the books (reference rate, or what the bank gave), or as customs notified
-- it.
create table exchange_rates (
  organisation int not null references organisations,
  id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'INR'),
  date date not null,
  purpose text not null check (purpose in ('book', 'customs')),
  rate bigint not null check (rate > 0),
  source text not null check (source <> ''),
  version int not null default 1,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, currency, purpose, date),
  foreign key (organisation, by) references users
);
grant select, insert, update, delete on exchange_rates to bahi_app;

create table number_series (
  organisation int not null references organisations,
  id uuid not null,
  name text not null,
  kind text not null,
  registration uuid not null,
  location uuid,
  prefix text not null,
  suffix text not null default '',
  padding int not null default 4,
  start int not null default 1,
  reset text not null default 'year',
  version int not null default 1,
  active boolean not null default true,
  -- A till has a series of numbers of its own. One browser holds its session and goes on with them without the
  -- network; what it gave comes in one after the other. A number that was given and whose bill is not in the books
  -- stays to be seen: not yet received, refused with the reason, or void.
  till uuid,
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, location) references locations,
  foreign key (organisation, till) references masters (organisation, id)
);
create index number_series_kind on number_series (organisation, registration, kind);
create index number_series_till on number_series (organisation, till) where till is not null;
grant select, insert, update, delete on number_series to bahi_app;

-- The row that posting locks last. One per series and period.
create table series_counters (
  organisation int not null,
  series uuid not null,
  period text not null,
  next int not null,
  primary key (organisation, series, period),
  foreign key (organisation, series) references number_series
) with (fillfactor = 50);
grant select, insert, update on series_counters to bahi_app;

-- Money moves on cash, bank, clearing and undeposited-funds ledgers only: one rule, for pickers, for rules of banks
-- and for every document that names where money goes.
create function is_money(is_bank boolean, role text) returns boolean
language sql immutable parallel safe as $$
  select is_bank or coalesce(role in ('cash', 'bank', 'clearing'), false)
$$;
grant execute on function is_money(boolean, text) to bahi_app;

-- The profit of the current year is worked out: its ledger takes no entries.
create function is_computed(role text) returns boolean
language sql immutable parallel safe as $$
  select coalesce(role = 'current_year_profit', false)
$$;
grant execute on function is_computed(text) to bahi_app;

-- What posting knows of money: the ids of its ledgers, those that are retired too.
create function money_ledgers(org int) returns json
language sql stable as $$
  select coalesce(json_agg(id), '[]')
  from ledgers
  where organisation = org and not is_group and is_money(is_bank, role)
$$;
grant execute on function money_ledgers(int) to bahi_app;

-- The party that a party was merged into; one that was not merged is its own.
create function heir_of(org int, party uuid) returns uuid
language sql stable as $$
  select coalesce((select p.heir from parties p where p.organisation = org and p.id = party), party)
$$;
grant execute on function heir_of(int, uuid) to bahi_app;

-- A party with all that were merged into it, whichever of them is asked for. It is found by keys: under row-level
-- security no index is looked up by what a function or a coalesce gives (they might tell of rows that are hidden),
-- so that the family of one party would be sought among all parties.
create function party_family(org int, party uuid) returns uuid[]
language sql stable as $$
  with head as materialized (
    select coalesce(
      (select p.heir from parties p where p.organisation = org and p.id = party_family.party), party_family.party
    ) as id
  )
  select array_agg(f.id)
  from (
    select id
    from head
    union
    select p.id
    from head
    join parties p on p.organisation = org and p.heir = head.id
  ) f
$$;
grant execute on function party_family(int, uuid) to bahi_app;

-- Parties that may be the same as one that is typed or kept, and by what. With the owner's eyes, so that the index
-- of likeness can be used; the organisation is that of the transaction and no other.
create function near_parties(me uuid, said text, number text, tax_id text, called text)
returns table (id uuid, why text, likeness real)
language sql stable security definer
set search_path = public, pg_temp as $$
  with here as (
    select nullif(current_setting('app.organisation', true), '')::int as org
  )
  select p.id, 'gstin', 1::real
  from here
  join parties p on p.organisation = here.org and p.gstin = nullif(number, '') and p.heir is null
    and p.id is distinct from me
  union all
  select p.id, 'pan', 1::real
  from here
  join parties p on p.organisation = here.org and p.pan = nullif(tax_id, '') and p.heir is null
    and p.id is distinct from me
  union all
  select p.id, 'phone', 1::real
  from here
  join parties p on p.organisation = here.org and phone_key(p.body ->> 'phone') = phone_key(called)
    and p.heir is null
    and p.id is distinct from me
  union all
  select p.id, 'name', similarity(party_key(p.name), party_key(said))
  from here
  join parties p on p.organisation = here.org and party_key(p.name) % party_key(said) and p.heir is null
    and p.id is distinct from me
  where party_key(said) <> '' and similarity(party_key(p.name), party_key(said)) >= 0.6
$$;
revoke all on function near_parties(uuid, text, text, text, text) from public;
grant execute on function near_parties(uuid, text, text, text, text) to bahi_app;

-- The steps of a price list that concern these items, the narrowest first: `rank` 0 is a row of the item itself, 1
-- of its template, then the categories on the way up, and 99 a row for everything.
create function list_prices(org int, list uuid, ids uuid[]) returns json
language sql stable as $$
  with recursive steps as (
    select
      coalesce(s ->> 'item', '') as item, coalesce(s ->> 'category', '') as category, s ->> 'from' as "from",
      s ->> 'rate' as rate, s ->> 'discount' as discount
    from masters m
    cross join jsonb_array_elements(coalesce(m.body -> 'prices', '[]')) s
    where m.organisation = org and m.master = 'priceList' and m.id = list
  ), up as (
    select i.id as item, i.body ->> 'category' as category, 2 as rank
    from items i
    where i.organisation = org and i.id = any(ids) and coalesce(i.body ->> 'category', '') <> ''
    union all
    select up.item, c.body ->> 'parent', up.rank + 1
    from up
    join masters c on c.organisation = org and c.master = 'category' and c.id::text = up.category
    where coalesce(c.body ->> 'parent', '') <> '' and up.rank < 50
  )
  select coalesce(json_agg(x order by x.rank), '[]')
  from (
    select i.id as item, case when s.item = i.id::text then 0 else 1 end as rank, s."from", s.rate, s.discount
    from items i
    join steps s on s.item in (i.id::text, i.template::text)
    where i.organisation = org and i.id = any(ids) and s.item <> ''
    union all
    select up.item, up.rank, s."from", s.rate, s.discount
    from up
    join steps s on s.category = up.category
    where s.item = ''
    union all
    select i.id, 99, s."from", s.rate, s.discount
    from items i
    cross join steps s
    where i.organisation = org and i.id = any(ids) and s.item = '' and s.category = ''
  ) x
$$;

-- The main code of an item is kept in step with its row.
create function keep_main_barcode() returns trigger
language plpgsql as $$
begin
  if coalesce(new.barcode, '') = '' then
    delete from item_barcodes
    where organisation = new.organisation and item = new.id and main;
  else
    insert into item_barcodes (organisation, item, barcode, main)
    values (new.organisation, new.id, new.barcode, true)
    on conflict (organisation, item) where main do update
    set barcode = excluded.barcode;
  end if;
  return null;
end
$$;
create trigger keep_main_barcode after update on items
  for each row
  when (new.barcode is distinct from old.barcode)
  execute function keep_main_barcode();
create trigger keep_main_barcode_new after insert on items
  for each row
  when (coalesce(new.barcode, '') <> '')
  execute function keep_main_barcode();

-- The rate of a day: that day's own, or the last one before it. What customs notified holds until it is notified
-- anew; the books' own is not older than a week, which holidays are not longer than.
create function exchange_rate_on(org int, of text, what text, day date)
returns table (rate bigint, source text, since date)
language sql stable as $$
  select r.rate, r.source, r.date
  from exchange_rates r
  where r.organisation = org
    and r.currency = of
    and r.purpose = what
    and r.date <= day
    and (what = 'customs' or r.date > day - 8)
  order by r.date desc
  limit 1
$$;
grant execute on function exchange_rate_on(int, text, text, date) to bahi_app;

-- How units are counted, by their code in capitals.
create function unit_measures(org int) returns json
language sql stable as $$
  select coalesce(
    json_object_agg(
      upper(code),
      json_build_object('decimals', coalesce((body ->> 'decimals')::int, 0), 'uqc', coalesce(body ->> 'uqc', ''))
    ),
    '{}'
  )
  from masters
  where organisation = org and master = 'unit' and code is not null
$$;
grant execute on function unit_measures(int) to bahi_app;
-- Drafts, documents and what belongs to them.
--
-- One shape for every kind of document, so that a new kind needs no migration. What an engine, a report or a
-- return reads is a column; what is only shown or printed is in body. Posted rows are written once.
create table drafts (
  organisation int not null references organisations,
  id uuid not null,
  kind text not null,
  body jsonb not null,
  author uuid not null,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  -- Approval of documents. The rules are settings of the organisation. A draft that its author has sent for
  -- approval is locked: it is withdrawn, rejected with a comment, or posted by somebody else, and what was posted
  -- so has a row of its own that says who approved it. The locks stand here too, so that there is no way round the
  -- calls.
  submitted_at timestamptz,
  rejected_at timestamptz,
  rejected_by uuid,
  rejection text not null default '',
  -- A draft that waits for approval names its items and its party, and these may change meanwhile. So it keeps the
  -- figures that it was sent with, and is posted with the same ones or not at all: its amounts in paise by their
  -- names, and `digest`, the SHA-256 of all that they come from. What was approved keeps them too.
  figures jsonb,
  primary key (organisation, id),
  foreign key (organisation, rejected_by) references users,
  foreign key (organisation, author) references users,
  constraint drafts_state check (submitted_at is null or rejected_at is null),
  constraint drafts_rejected
    check ((rejected_at is null) = (rejected_by is null) and (rejected_at is null) = (rejection = '')),
  constraint drafts_own_rejection check (rejected_by <> author),
  constraint drafts_figures check ((submitted_at is null) = (figures is null))
);
create index drafts_kind on drafts (organisation, kind, updated_at desc, id desc);
create index drafts_waiting on drafts (organisation, kind, submitted_at) where submitted_at is not null;
grant select, insert, update, delete on drafts to bahi_app;

-- The number of a supplier's document as it is compared: without case, signs and what cannot be seen.
create function bare_number(number text) returns text
language sql immutable as $$
  select upper(regexp_replace(normalize(number, nfkc), '[^[:alnum:]]', '', 'g'))
$$;
grant execute on function bare_number(text) to bahi_app;

-- Foreign keys hold that what a row of the books names exists, in its own organisation, whoever writes it (ADR 53).
create table documents (
  organisation int not null,
  id uuid not null,
  kind text not null,
  numbering text not null,
  registration uuid not null,
  location uuid not null,
  to_location uuid,
  financial_year text not null,
  number text not null,
  series uuid,
  date date not null,
  due_date date,
  party uuid,
  party_name text not null default '',
  party_gstin text,
  party_state text,
  category text,
  place_of_supply text,
  supply_type text not null,
  reverse_charge boolean not null default false,
  currency text not null default 'INR',
  exchange_rate bigint not null default 1000000,
  taxable bigint not null,
  cgst bigint not null,
  sgst bigint not null,
  igst bigint not null,
  cess bigint not null,
  tcs bigint not null,
  tds bigint not null,
  round_off bigint not null,
  total bigint not null,
  payable bigint not null,
  foreign_total bigint not null,
  reference text,
  reverses uuid,
  author uuid not null,
  posted_at timestamptz not null default now(),
  body jsonb not null,
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, location) references locations,
  foreign key (organisation, party) references parties,
  foreign key (organisation, reverses) references documents,
  foreign key (organisation) references organisations,
  foreign key (organisation, to_location) references locations,
  foreign key (organisation, series) references number_series,
  foreign key (organisation, author) references users
);
-- Rule 46(b), and the portal since June 2025: unique in the year for a GSTIN, without case.
create unique index documents_number
  on documents (organisation, registration, financial_year, numbering, upper(number));
create unique index documents_reversal on documents (organisation, reverses) where reverses is not null;
create index documents_list on documents (organisation, kind, date desc, id desc);
create index documents_return on documents (organisation, registration, date);
create index documents_party on documents (organisation, party, date desc, id desc);
create index documents_certificate
  on documents (organisation, (body #>> '{draft,tdsLower,certificate}'))
  where body #>> '{draft,tdsLower,certificate}' is not null;
-- Documents that withheld something are few among many.
create index documents_withheld
  on documents (organisation, date)
  where body #>> '{draft,tdsSection}' is not null or tcs > 0;
create index documents_suppliers_number
  on documents (organisation, party, bare_number(reference))
  where reference is not null
    and party is not null
    and kind in ('purchaseBill', 'overseasPurchase', 'purchaseCreditNote', 'purchaseDebitNote', 'expense');
grant select on documents to bahi_app;

create table document_lines (
  organisation int not null,
  document uuid not null,
  line int not null,
  item uuid,
  ledger uuid,
  party uuid,
  description text not null,
  hsn text not null,
  unit text not null,
  service boolean not null,
  quantity bigint not null,
  base_quantity bigint not null,
  rate bigint not null,
  treatment text not null,
  gst_rate int not null,
  discount bigint not null,
  taxable bigint not null,
  value bigint not null,
  cgst bigint not null,
  sgst bigint not null,
  igst bigint not null,
  cess bigint not null,
  source_document uuid,
  source_line int,
  body jsonb not null default '{}',
  primary key (organisation, document, line),
  foreign key (organisation, source_document, source_line) references document_lines,
  foreign key (organisation, document) references documents,
  foreign key (organisation, item) references items,
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, party) references parties
);
create index document_lines_source
  on document_lines (organisation, source_document, source_line)
  where source_document is not null;
create index document_lines_item on document_lines (organisation, item) where item is not null;
grant select on document_lines to bahi_app;

-- What was made from what; role 'order' names an order whole.
create table document_links (
  organisation int not null,
  source uuid not null,
  target uuid not null,
  role text not null default 'source',
  primary key (organisation, source, target, role),
  foreign key (organisation, source) references documents,
  foreign key (organisation, target) references documents
);
grant select, insert on document_links to bahi_app;

create table cancellations (
  organisation int not null,
  document uuid not null,
  reversal uuid not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document),
  unique (organisation, reversal),
  foreign key (organisation, document) references documents,
  foreign key (organisation, reversal) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on cancellations to bahi_app;

-- What becomes known of a posted document afterwards, in the order in which it did.
create table later_facts (
  organisation int not null,
  document uuid not null,
  number int not null,
  fact text not null,
  body jsonb not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document, number),
  foreign key (organisation, document) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on later_facts to bahi_app;

-- The answer to each request with a key: the same request again gets the same answer and posts nothing twice.
create table idempotency_keys (
  organisation int not null references organisations,
  "user" uuid not null,
  key uuid not null,
  digest bytea not null,
  answer jsonb not null,
  at timestamptz not null default now(),
  primary key (organisation, "user", key),
  foreign key (organisation, "user") references users
);
grant select, insert on idempotency_keys to bahi_app;

-- What people write beside a document, and the files that they put there. Nothing of it is part of the books: a
-- file is taken away for a reader, its bytes stay as long as anything names them.
create table document_comments (
  organisation int not null,
  document uuid not null,
  number int not null,
  body text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, document, number),
  foreign key (organisation, by) references users
);
grant select, insert on document_comments to bahi_app;

create table document_files (
  organisation int not null,
  document uuid not null,
  number int not null,
  digest text not null,
  name text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  removed_by uuid,
  removed_at timestamptz,
  primary key (organisation, document, number),
  foreign key (organisation, digest) references files,
  foreign key (organisation, by) references users,
  foreign key (organisation, removed_by) references users
);
grant select, insert, update on document_files to bahi_app;

-- Who approved a document that waited for it. Written in the transaction that posts, before its document: that comes
-- at the end of it.
create table approvals (
  organisation int not null,
  document uuid not null,
  submitted_by uuid not null,
  submitted_at timestamptz not null,
  approved_by uuid not null,
  at timestamptz not null default clock_timestamp(),
  figures jsonb,
  primary key (organisation, document),
  foreign key (organisation, document) references documents deferrable initially deferred,
  foreign key (organisation, submitted_by) references users,
  foreign key (organisation, approved_by) references users,
  constraint approvals_own check (approved_by <> submitted_by)
);
grant select, insert on approvals to bahi_app;

-- A line of an order whose remainder was given up: nobody waits for it, nothing is held for it. Who reopens it
-- takes the row away; when, by whom and why either was done stands in the later facts of the order.
create table closed_lines (
  organisation int not null references organisations,
  document uuid not null,
  line int not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document, line),
  foreign key (organisation, document, line) references document_lines,
  foreign key (organisation, by) references users
);
grant select, insert, delete on closed_lines to bahi_app;

-- An order holds the goods that are still to be delivered on it, until somebody frees them for others. Written once.
create table freed_orders (
  organisation int not null references organisations,
  document uuid not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on freed_orders to bahi_app;

-- A bill that comes again: what it says (the draft it is made from), how often, and how far it is. `turn` counts
-- the days that are behind it, made or skipped; `next_on` is the day of that turn, null when none is to come.
create table recurring_bills (
  organisation int not null references organisations,
  id uuid not null,
  name text not null,
  kind text not null,
  location uuid not null,
  party uuid,
  template jsonb not null,
  source uuid,
  first date not null,
  every int not null check (every > 0),
  unit text not null check (unit in ('day', 'week', 'month', 'quarter', 'year')),
  month_end boolean not null default false,
  until date,
  times int check (times > 0),
  posts boolean not null default false,
  state text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  turn int not null default 0,
  made int not null default 0,
  next_on date,
  author uuid not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  primary key (organisation, id),
  foreign key (organisation, location) references locations,
  foreign key (organisation, party) references parties,
  foreign key (organisation, author) references users (organisation, id)
);
create index recurring_bills_due on recurring_bills (next_on) where state = 'running';
grant select, insert, update on recurring_bills to bahi_app;

-- Each turn once, whoever carries it out: made as a document or as a draft, or skipped.
create table recurring_turns (
  organisation int not null,
  recurring uuid not null,
  turn int not null,
  day date not null,
  what text not null check (what in ('posted', 'drafted', 'skipped')),
  document uuid,
  problem text,
  at timestamptz not null default now(),
  primary key (organisation, recurring, turn),
  foreign key (organisation, recurring) references recurring_bills
);
grant select, insert on recurring_turns to bahi_app;

-- What people write and put beside a document may begin with its draft. A draft and the document that it becomes
-- have one id, so everything stays where it is when the draft is posted. No foreign key names two tables, so a
-- trigger holds that the draft or the document is there, and keeps the draft from going meanwhile.
create function beside_something() returns trigger
language plpgsql as $$
begin
  -- first the draft, under lock: what waits for its posting finds the document afterwards
  perform from drafts
  where organisation = new.organisation and id = new.document
  for key share;
  if not found and not exists (select from documents where organisation = new.organisation and id = new.document)
  then
    raise exception 'there is no document %', new.document using errcode = 'foreign_key_violation';
  end if;
  return new;
end
$$;
create trigger beside_something before insert or update of organisation, document on document_comments
  for each row execute function beside_something();
create trigger beside_something before insert or update of organisation, document on document_files
  for each row execute function beside_something();

-- A draft that is deleted takes its comments and files along, unless it was posted and is a document by now. Bytes
-- that nothing names any more go too, unless somebody is about to name them.
create function draft_given_up() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  gone text[];
begin
  if exists (select from documents where organisation = old.organisation and id = old.id) then
    return null;
  end if;
  delete from document_comments
  where organisation = old.organisation and document = old.id;
  with taken as (
    delete from document_files
    where organisation = old.organisation and document = old.id
    returning digest
  )
  select array_agg(distinct digest) into gone
  from taken;
  if gone is not null then
    begin
      delete from files f
      where f.organisation = old.organisation
        and f.digest = any(gone)
        and not exists (
          select from document_files d
          where d.organisation = f.organisation and d.digest = f.digest
        )
        and not exists (select from mail_papers p where p.organisation = f.organisation and p.digest = f.digest)
        and not exists (
          select from item_pictures i
          where i.organisation = f.organisation and i.digest = f.digest
        )
        and not exists (
          select from organisations o
          where o.organisation = f.organisation and o.body ->> 'logo' = f.digest
        );
    exception
      when foreign_key_violation then
        null;
    end;
  end if;
  return null;
end
$$;
create trigger draft_given_up after delete on drafts for each row execute function draft_given_up();

-- What is approved was sent for approval by its author, with these figures, and is held until it is posted.
create function approval_of_draft() returns trigger
language plpgsql as $$
begin
  perform from drafts
  where organisation = new.organisation
    and id = new.document
    and author = new.submitted_by
    and submitted_at = new.submitted_at
    and figures = new.figures
  for update;
  if not found then
    raise exception 'this draft does not wait for approval'
      using errcode = 'check_violation', constraint = 'approvals_of_draft';
  end if;
  return new;
end
$$;
create trigger approval_of_draft before insert on approvals for each row execute function approval_of_draft();

-- While it waits nothing of it changes but that it waits; it goes only when it is posted with its approval.
create function draft_waits() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.organisation, new.id, new.kind, new.author, new.body) is not distinct from (
      old.organisation, old.id, old.kind, old.author, old.body
    )
      and (new.submitted_at is null or new.figures is not distinct from old.figures)
    then
      return new;
    end if;
  elsif exists (select from approvals where organisation = old.organisation and document = old.id) then
    return old;
  end if;
  raise exception 'this draft waits for approval' using errcode = 'check_violation', constraint = 'drafts_waiting';
end
$$;
create trigger draft_waits before update or delete on drafts
  for each row
  when (old.submitted_at is not null)
  execute function draft_waits();

-- The kinds that say which document they are against, as `domain/kinds` has it (a test compares them): such a
-- document is not cancelled from under them, whether or not their lines name its lines.
create function kinds_against() returns text[]
language sql immutable as $$
  select array[
    'saleReturn', 'saleCreditNote', 'saleDebitNote', 'allocationVoucher', 'advanceRefund', 'supplierAllocation',
    'paymentVoucher', 'billOfEntry', 'selfInvoice', 'purchaseReturn', 'purchaseCreditNote', 'purchaseDebitNote',
    'transferReceipt', 'saleReturnOrder', 'returnOrder', 'purchaseReturnOrder', 'posReturn', 'bouncedReceipt'
  ]
$$;
grant execute on function kinds_against() to bahi_app;

-- An order is carried out by documents made from its lines, and by documents that name it whole: a return takes its
-- lines from the sale that they were sold with, and a program may post an invoice first and say afterwards what it
-- was for. Such a document is linked with the role 'order'; its lines count for the order's lines of the same
-- source, else of the same item.
--
-- What the lines of an order ask for, what of it was taken by now, and what is left of lines that were given up, in
-- base units, line for line: what is over on one makes up for none of another.
create function carried_out(org int, ordered uuid, out wanted bigint, out taken bigint, out given_up bigint)
language sql stable as $$
  with line as (
    select
      l.line, l.item, l.source_document, l.source_line, l.base_quantity as wanted,
      exists (
        select from closed_lines g
        where g.organisation = org and g.document = ordered and g.line = l.line
      ) as closed,
      coalesce(
        (
          select sum(u.base_quantity)
          from document_lines u
          where u.organisation = org
            and u.source_document = ordered
            and u.source_line = l.line
            and not exists (select from cancellations c where c.organisation = org and c.document = u.document)
        ),
        0
      ) as named
    from document_lines l
    where l.organisation = org and l.document = ordered
  ), linked as (
    select u.item, u.source_document, u.source_line, sum(u.base_quantity) as done
    from document_links k
    join document_lines u on u.organisation = org and u.document = k.target
    where k.organisation = org
      and k.source = ordered
      and k.role = 'order'
      and u.source_document is distinct from ordered
      and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
    group by 1, 2, 3
  ), alike as (
    select
      sum(line.wanted) as wanted, sum(least(line.wanted, line.named)) as named,
      coalesce(sum(greatest(line.wanted - line.named, 0)) filter (where line.closed), 0) as closed,
      coalesce(
        (
          select sum(x.done)
          from linked x
          where case
            when line.source_document is null then x.item = line.item
            else (x.source_document, x.source_line) = (line.source_document, line.source_line)
          end
        ),
        0
      ) as done
    from line
    group by line.item, line.source_document, line.source_line
  )
  select
    sum(wanted)::bigint, sum(least(wanted, named + done))::bigint,
    sum(least(closed, wanted - least(wanted, named + done)))::bigint
  from alike
$$;
grant execute on function carried_out(int, uuid) to bahi_app;

-- What of each line of an order is carried out by now, in the unit of the line; of lines alike the first is served
-- first. What was made from a line counts by what was paid for: free goods are counted by themselves. A document
-- that names an order whole (a return takes its lines from the sale) carries out lines as well as one that was made
-- from them.
create function carried_lines(org int, ordered uuid) returns table (line int, taken bigint)
language sql stable as $$
  with own as (
    select
      l.line, l.item, l.source_document, l.source_line, l.quantity, l.base_quantity as wanted,
      least(l.base_quantity, coalesce(made.base, 0)) as named, least(l.quantity, coalesce(made.quantity, 0)) as made
    from document_lines l
    cross join lateral (
      select sum(u.base_quantity) as base, sum(u.quantity) as quantity
      from document_lines u
      where u.organisation = org
        and u.source_document = ordered
        and u.source_line = l.line
        and not exists (select from cancellations c where c.organisation = org and c.document = u.document)
    ) made
    where l.organisation = org and l.document = ordered
  ), linked as (
    select u.item, u.source_document, u.source_line, sum(u.base_quantity) as done
    from document_links k
    join document_lines u on u.organisation = org and u.document = k.target
    where k.organisation = org
      and k.source = ordered
      and k.role = 'order'
      and u.source_document is distinct from ordered
      and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
    group by 1, 2, 3
  ), served as (
    select
      own.line, own.quantity, own.wanted, own.named, own.made,
      coalesce(
        (
          select sum(x.done)
          from linked x
          where case
            when own.source_document is null then x.item = own.item
            else (x.source_document, x.source_line) = (own.source_document, own.source_line)
          end
        ),
        0
      ) - coalesce(
        sum(own.wanted - own.named) over (
          partition by own.item, own.source_document, own.source_line
          order by own.line rows between unbounded preceding and 1 preceding
        ),
        0
      ) as done
    from own
  )
  select
    served.line,
    coalesce(
      least(quantity, made + round(greatest(0, least(wanted - named, done)) * quantity / nullif(wanted, 0))), 0
    )::bigint
  from served
$$;
grant execute on function carried_lines(int, uuid) to bahi_app;

-- A purchase abroad may come through customs in parts, each with a bill of entry of its own. One says how much of
-- each line it covers; one that says nothing covers all. What of a purchase is left is counted here, for the editor,
-- the check and the trigger alike. Postings against one purchase wait for each other, so the trigger sees them all.
create function entry_goods(org int, bill uuid)
returns table (line int, name text, unit text, quantity bigint, covered bigint)
language sql stable as $$
  select
    l.line::int, l.description, l.unit, l.quantity,
    (
      select coalesce(
        sum(
          case
            when e.body #> '{draft,customs,covers}' is null then l.quantity
            else coalesce((e.body #>> array['draft', 'customs', 'covers', l.line::text])::bigint, 0)
          end
        ),
        0
      )::bigint
      from document_links k
      join documents e on e.organisation = k.organisation and e.id = k.target
      where k.organisation = org
        and k.source = bill
        and k.role = 'source'
        and e.body #> '{draft,customs}' is not null
        and e.reverses is null
        and not exists (
          select from cancellations c
          where c.organisation = k.organisation and c.document = k.target
        )
    )
  from document_lines l
  where l.organisation = org and l.document = bill and not l.service and l.quantity > 0
  order by l.line
$$;
grant execute on function entry_goods(int, uuid) to bahi_app;

-- No line of a purchase abroad is covered by two bills of entry.
create function covered_once() returns trigger
language plpgsql as $$
declare
  covers jsonb := new.body #> '{draft,customs,covers}';
begin
  if exists (
    select from entry_goods(new.organisation, (new.body #>> '{draft,against}')::uuid) g
    where g.covered
        + case when covers is null then g.quantity else coalesce((covers ->> g.line::text)::bigint, 0) end
        > g.quantity
      and (covers is null or (covers ->> g.line::text)::bigint > 0)
  ) then
    raise exception 'covered twice' using errcode = 'check_violation', constraint = 'documents_covered';
  end if;
  return new;
end
$$;
create trigger covered_once before insert on documents
  for each row
  when (new.reverses is null and new.body #> '{draft,customs}' is not null)
  execute function covered_once();

-- Whether a document was taken back by this day. One that is reversed later stands in the period that it was in.
create function cancelled_by(org int, which uuid, through date) returns boolean
language sql stable as $$
  select exists (
    select from cancellations c
    join documents r on r.organisation = c.organisation and r.id = c.reversal
    where c.organisation = org and c.document = which and r.date <= through
  )
$$;
grant execute on function cancelled_by(int, uuid, date) to bahi_app;

-- The financial year of a day, by the year in which it begins.
create function financial_year_start(day date) returns int
language sql immutable as $$
  select extract(year from day - interval '3 months')::int
$$;
grant execute on function financial_year_start(date) to bahi_app;

-- The document in which a supplier's document of this number and financial year is booked. With `holds` others that
-- book the same number wait, so that of two at once the second finds the first; each statement below sees what was
-- committed before it.
create function supplier_document(org int, supplier uuid, paper text, paper_day date, kinds text[], holds boolean)
returns table (kind text, booked_number text, date date)
language plpgsql as $$
begin
  if holds then
    perform pg_advisory_xact_lock(
      hashtextextended(
        'supplier document ' || heir_of(org, supplier) || ' ' || financial_year_start(paper_day) || ' '
          || bare_number(paper),
        org
      )
    );
  end if;
  return query
    select d.kind, d.number, d.date
    from documents d
    where d.organisation = org
      and d.party = any(party_family(org, supplier))
      and bare_number(d.reference) = bare_number(paper)
      and bare_number(paper) <> ''
      and d.kind = any(kinds)
      and d.reverses is null
      and financial_year_start(coalesce((d.body #>> '{draft,referenceDate}')::date, d.date))
          = financial_year_start(paper_day)
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    order by d.date, d.number
    limit 1;
end
$$;
grant execute on function supplier_document(int, uuid, text, date, text[], boolean) to bahi_app;

-- What a document adds or takes off after tax (freight, packing), in paise of rupees. A return gives back no more
-- of that than is left of it after earlier returns and notes.
create function adjusted_by(body jsonb) returns bigint
language sql immutable as $$
  select coalesce(sum((a ->> 'amount')::bigint), 0)::bigint
  from jsonb_array_elements(coalesce(body -> 'adjustments', '[]')) a
$$;
grant execute on function adjusted_by(jsonb) to bahi_app;
-- The books of account: entries, and the totals of ledgers by day and month.

create table entries (
  organisation int not null,
  document uuid not null,
  leg int not null,
  date date not null,
  ledger uuid not null,
  party uuid,
  registration uuid not null,
  location uuid not null,
  cost_centre uuid,
  currency text,
  foreign_amount bigint,
  exchange_rate bigint,
  debit bigint not null default 0 check (debit >= 0),
  credit bigint not null default 0 check (credit >= 0),
  primary key (organisation, document, leg),
  foreign key (organisation, document) references documents,
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, party) references parties,
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, location) references locations,
  foreign key (organisation, cost_centre) references cost_centres,
  check ((debit = 0) <> (credit = 0))
);
create index entries_ledger on entries (organisation, ledger, date, document, leg) include (debit, credit);
create index entries_date on entries (organisation, date, document, leg);
create index entries_foreign
  on entries (organisation, ledger, date) include (location, registration, debit, credit, foreign_amount)
  where currency is not null;
grant select on entries to bahi_app;

-- Totals are kept with the entries that they sum, in slots, so that postings at the same moment need not wait for one
-- row.
create table ledger_day_totals (
  organisation int not null,
  ledger uuid not null,
  location uuid not null,
  day date not null,
  slot smallint not null,
  debit bigint not null,
  credit bigint not null,
  primary key (organisation, ledger, location, day, slot),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, location) references locations
) with (fillfactor = 50);
create index ledger_day_totals_day on ledger_day_totals (organisation, day);
grant select on ledger_day_totals to bahi_app;

create table ledger_month_totals (
  organisation int not null,
  ledger uuid not null,
  location uuid not null,
  month date not null,
  slot smallint not null,
  debit bigint not null,
  credit bigint not null,
  primary key (organisation, ledger, location, month, slot),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, location) references locations
) with (fillfactor = 50);
grant select on ledger_month_totals to bahi_app;

-- The entries of a document sum to nothing. Asked by statement, one check for a whole batch: a statement that adds
-- entries to a document brings its first leg, and there is but one, so all entries of a document come with that
-- statement, and what balances in it balances in the table.
create function entries_balance() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select document, sum(debit) - sum(credit) as gap, count(*) as legs into bad
  from added
  group by organisation, document
  having sum(debit) <> sum(credit) or count(*) < 2 or min(leg) <> 1
  limit 1;
  if found then
    raise exception 'document % has % legs and is out by % paise', bad.document, bad.legs, bad.gap
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger entries_balance after insert on entries
  referencing new table as added
  for each statement execute function entries_balance();
-- What is open, and what settles it.

-- Projections: kept in the posting transaction, rebuilt by the invariants' command, never a second truth.
create table open_items (
  organisation int not null,
  document uuid not null,
  party uuid not null,
  side text not null,
  date date not null,
  due_date date,
  currency text not null,
  original bigint not null,
  open bigint not null check (open >= 0 and open <= original),
  -- A document may open more than one item: each line of an opening balance, or of a journal, that stands on the
  -- account of a party is due, or to be used, by itself, under the number and dates of the bill it was. Line 0 is
  -- the document as a whole.
  line int not null default 0 check (line >= 0),
  reference text,
  primary key (organisation, document, line),
  foreign key (organisation, document) references documents,
  foreign key (organisation, party) references parties
);
create index open_items_party on open_items (organisation, party, side, date) where open > 0;
grant select, insert, update on open_items to bahi_app;

-- So much of a credit settles so much of an invoice. Taking it back is a row with the opposite amount.
create table allocations (
  organisation int not null,
  id uuid not null,
  credit_document uuid not null,
  invoice_document uuid not null,
  amount bigint not null check (amount <> 0),
  date date not null,
  cause uuid not null,
  by uuid not null,
  at timestamptz not null default now(),
  credit_line int not null default 0,
  invoice_line int not null default 0,
  -- What an allocation took off the account of the party in rupees, on the side of the due and on that of the
  -- credit. With both in rupees it is the amount. In a foreign currency the last allocation takes what is left, so
  -- that what is settled in its own currency is settled in rupees to the paisa, whatever the rates of the parts.
  invoice_worth bigint,
  credit_worth bigint,
  primary key (organisation, id),
  foreign key (organisation, credit_document) references documents,
  foreign key (organisation, invoice_document) references documents,
  foreign key (organisation, cause) references documents,
  foreign key (organisation, by) references users
);
create index allocations_credit on allocations (organisation, credit_document);
create index allocations_invoice on allocations (organisation, invoice_document);
create index allocations_cause on allocations (organisation, cause);
grant select, insert on allocations to bahi_app;

-- The rupees that still stand on the account of the party for an open item.
create function open_worth(org int, item open_items) returns bigint
language sql stable as $$
  select case
    when item.currency = 'INR' then item.open
    else coalesce(
      (
        select abs(sum(e.debit - e.credit))
        from entries e
        where e.organisation = org
          and e.document = item.document
          and heir_of(org, e.party) = item.party
          and item.line in (0, e.leg)
      ),
      0
    )::bigint - coalesce(
      (
        select sum(coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0)))
        from allocations a
        join documents d on d.organisation = org and d.id = a.invoice_document
        where a.organisation = org and a.invoice_document = item.document and a.invoice_line = item.line
      ),
      0
    )::bigint - coalesce(
      (
        select sum(coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0)))
        from allocations a
        join documents d on d.organisation = org and d.id = a.credit_document
        where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line
      ),
      0
    )::bigint
  end
$$;
grant execute on function open_worth(int, open_items) to bahi_app;

-- What stood open of an item at the end of a day, in its own currency and in the rupees on the account of the
-- party.
create function open_on(org int, item open_items, day date) returns table (open bigint, worth bigint)
language sql stable as $$
  with used as (
    select
      a.amount,
      case
        when item.currency = 'INR' then a.amount
        else coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint)
      end as worth
    from allocations a
    join documents d on d.organisation = a.organisation and d.id = a.invoice_document
    where a.organisation = org
      and a.invoice_document = item.document
      and a.invoice_line = item.line
      and a.date <= day
    union all
    select
      a.amount,
      case
        when item.currency = 'INR' then a.amount
        else coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint)
      end
    from allocations a
    join documents d on d.organisation = a.organisation and d.id = a.credit_document
    where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line and a.date <= day
  )
  select
    item.original - coalesce(sum(used.amount), 0)::bigint,
    (
      case
        when item.currency = 'INR' then item.original
        else coalesce(
          (
            select abs(sum(e.debit - e.credit))
            from entries e
            where e.organisation = org
              and e.document = item.document
              and heir_of(org, e.party) = item.party
              and item.line in (0, e.leg)
          ),
          0
        )
      end - coalesce(sum(used.worth), 0)
    )::bigint
  from used
$$;
grant execute on function open_on(int, open_items, date) to bahi_app;

-- What settles a document, or is settled by it: the other document of each pair that has not been taken back.
create function settlements_of(org int, which uuid)
returns table (document uuid, location uuid, number text, amount bigint)
language sql stable as $$
  select d.id, d.location, d.number, sum(a.amount)::bigint
  from allocations a
  join documents d on d.organisation = a.organisation
    and d.id = case when a.invoice_document = which then a.credit_document else a.invoice_document end
  where a.organisation = org and which in (a.invoice_document, a.credit_document)
  group by d.id, d.location, d.number
  having sum(a.amount) <> 0
  order by d.number
$$;
grant execute on function settlements_of(int, uuid) to bahi_app;

-- A cancelled document settles nothing and is settled by nothing: each allocation that it is part of, or caused, is
-- taken back by a row with the opposite amount, and what was settled is open again, with what was taken off the
-- accounts. A pair is freed as a whole, or by its share.
create function free_allocations() returns trigger
language plpgsql as $$
begin
  with pairs as (
    select
      a.credit_document, a.credit_line, a.invoice_document, a.invoice_line, sum(a.amount) as net,
      sum(a.amount) filter (
        where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)
      ) as own,
      sum(a.invoice_worth) as invoice_worth, sum(a.credit_worth) as credit_worth,
      sum(a.invoice_worth) filter (
        where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)
      ) as own_invoice_worth,
      sum(a.credit_worth) filter (
        where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)
      ) as own_credit_worth
    from allocations a
    where a.organisation = new.organisation
      and (a.credit_document, a.invoice_document) in (
        select b.credit_document, b.invoice_document
        from allocations b
        where b.organisation = new.organisation
          and (b.cause = new.document or b.credit_document = new.document or b.invoice_document = new.document)
      )
    group by 1, 2, 3, 4
  ), freed as (
    insert into allocations (
      organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, invoice_worth,
      credit_worth, date, cause, by
    )
    select
      new.organisation, gen_random_uuid(), credit_document, credit_line, invoice_document, invoice_line,
      -least(net, own), -case when net <= own then invoice_worth else own_invoice_worth end,
      -case when net <= own then credit_worth else own_credit_worth end,
      (
        select d.date
        from documents d
        where d.organisation = new.organisation and d.id = new.reversal
      ),
      new.reversal, (to_jsonb(new) ->> 'by')::uuid
    from pairs
    where least(net, own) > 0
    returning credit_document, credit_line, invoice_document, invoice_line, amount
  )
  update open_items o
  set open = o.open + v.amount
  from (
    select document, line, sum(-amount) as amount
    from (
      select credit_document as document, credit_line as line, amount
      from freed
      union all
      select invoice_document, invoice_line, amount
      from freed
    ) u
    group by document, line
  ) v
  where o.organisation = new.organisation and o.document = v.document and o.line = v.line;
  return null;
end
$$;
create trigger free_allocations after insert on cancellations for each row execute function free_allocations();

-- What is freed is freed on the day of the settlement at the earliest: on no day is more open than there was.
-- Settlements are kept in the register of money: one that is locked there stays.
create function freed_on_an_open_day() returns trigger
language plpgsql as $$
declare
  locked date;
begin
  select greatest(new.date, max(a.date)) into new.date
  from allocations a
  where a.organisation = new.organisation
    and a.credit_document = new.credit_document
    and a.credit_line = new.credit_line
    and a.invoice_document = new.invoice_document
    and a.invoice_line = new.invoice_line;
  select r.locked_through into locked
  from register_locks r
  where r.organisation = new.organisation and r.register = 'money';
  if new.date <= locked then
    raise exception '%', locked using errcode = 'check_violation', constraint = 'allocations_locked';
  end if;
  return new;
end
$$;
create trigger freed_on_an_open_day before insert on allocations
  for each row
  when (new.amount < 0)
  execute function freed_on_an_open_day();

-- A settlement counts from the day on which both of its documents are there. An advance payment that names a later
-- bill is on account until the bill's day: before it, ageings would show less than the ledger.
create function counts_from_the_later_day() returns trigger
language plpgsql as $$
begin
  select greatest(new.date, max(d.date)) into new.date
  from documents d
  where d.organisation = new.organisation and d.id in (new.credit_document, new.invoice_document);
  return new;
end
$$;
create trigger counts_from_the_later_day before insert on allocations
  for each row
  when (new.amount > 0)
  execute function counts_from_the_later_day();

-- What of a receipt or payment is no money, in paise of its currency. A discount and what is written off are given
-- on what a receipt or payment settles: what they settle is never open again as money on account, to be paid out or
-- to settle something else.
create function allowance_of(body jsonb) returns bigint
language sql immutable as $$
  select coalesce((body #>> '{draft,discountAmount}')::bigint, 0)
      + coalesce((body #>> '{draft,writeOff}')::bigint, 0)
$$;
grant execute on function allowance_of(jsonb) to bahi_app;

-- How much of the allowance of a credit is on nothing, with its settlements with `without` left out. Money that was
-- given back for the credit settles nothing; a receipt that came back as a whole gives its own allowance back with
-- it.
create function allowance_short(org int, credit uuid, without uuid[] default '{}') returns bigint
language sql stable as $$
  select greatest(
    0,
    allowance_of(d.body) - coalesce(
      (
        select sum(case when p.given_back then least(p.amount, allowance_of(i.body)) else p.amount end)
        from (
          select
            a.invoice_document, sum(a.amount) as amount,
            bool_or(a.cause = a.invoice_document and a.amount > 0) as given_back
          from allocations a
          where a.organisation = org and a.credit_document = credit and a.invoice_document <> all(without)
          group by a.invoice_document
        ) p
        join documents i on i.organisation = org and i.id = p.invoice_document
      ),
      0
    )
  )::bigint
  from documents d
  where d.organisation = org
    and d.id = credit
    and allowance_of(d.body) > 0
    and not exists (select from cancellations c where c.organisation = org and c.document = credit)
$$;
grant execute on function allowance_short(int, uuid, uuid[]) to bahi_app;

-- Whoever settles or frees holds the open items of both documents: what is read here does not change meanwhile. A
-- statement frees and settles anew at once where a settlement is moved.
create function allowance_is_settled() returns trigger
language plpgsql as $$
declare
  short text;
begin
  select d.number || e'\n' || allowance_of(d.body) into short
  from (
    select distinct a.organisation, a.credit_document
    from added a
    where a.amount < 0 or a.cause = a.invoice_document
  ) t
  join documents d on d.organisation = t.organisation and d.id = t.credit_document
  where allowance_of(d.body) > 0 and allowance_short(t.organisation, t.credit_document) > 0
  limit 1;
  if found then
    raise exception '%', short using errcode = 'check_violation', constraint = 'allocations_allowance';
  end if;
  return null;
end
$$;
create trigger allowance_is_settled after insert on allocations
  referencing new table as added
  for each statement execute function allowance_is_settled();
-- Movements of goods, what they cost, what lies where, and counts of it.

-- Movements of one day keep the order in which they were posted.
create sequence movement_sequence;
grant usage on sequence movement_sequence to bahi_app;

create table movements (
  organisation int not null,
  document uuid not null,
  number int not null,
  line int not null,
  date date not null,
  sequence bigint not null,
  item uuid not null,
  location uuid not null,
  quantity bigint not null,
  stated_value bigint,
  room uuid,
  batches jsonb,
  serials text[],
  primary key (organisation, document, number),
  foreign key (organisation, document) references documents,
  foreign key (organisation, item) references items,
  foreign key (organisation, location) references locations,
  foreign key (organisation, room) references masters,
  -- A cost that comes after its goods (customs duty on a bill of entry) moves no quantity: it states by how much
  -- more the goods are worth. Everything that moves goods says how many.
  constraint movements_quantity_check check (quantity <> 0 or stated_value is not null)
);
create index movements_item on movements (organisation, item, location, date, sequence);
-- Batches and serial numbers say which goods of an item moved; they split its quantity, never its cost. They stand
-- on the movement itself ({batch, quantity in the base unit, expiry, manufactured}), so that nothing has to be kept
-- in step with it.
create index movements_batches on movements using gin (batches jsonb_path_ops) where batches is not null;
create index movements_serials on movements using gin (serials) where serials is not null;
-- Stock rooms split the quantity of a place, batches and serial numbers that of an item: asked where a line names
-- one.
create index movements_rooms on movements (organisation, room, item, date) where room is not null;
grant select on movements to bahi_app;

-- Cost of a movement, negative out; the highest revision counts. A back-dated movement adds revisions to later ones.
create table movement_costs (
  organisation int not null,
  document uuid not null,
  number int not null,
  revision int not null,
  cost bigint not null,
  cause uuid not null,
  primary key (organisation, document, number, revision),
  foreign key (organisation, document, number) references movements,
  foreign key (organisation, cause) references documents,
  -- A document causes the first costs of its own movements, found by their key; only later ones are looked up by
  -- what caused them.
  constraint movement_costs_first check (revision > 0 or cause = document)
);
create index movement_costs_cause on movement_costs (organisation, cause) where revision > 0;
grant select, insert on movement_costs to bahi_app;

-- What there is of an item at a place, and what it is worth: the row that a posting locks.
create table item_balances (
  organisation int not null,
  item uuid not null,
  location uuid not null,
  quantity bigint not null,
  value bigint not null,
  layers bigint[] not null default '{}', -- FIFO: quantity and value in turn, oldest first
  last_date date,
  primary key (organisation, item, location),
  foreign key (organisation, item) references items,
  foreign key (organisation, location) references locations,
  check (quantity <> 0 or value = 0)
) with (fillfactor = 70);
grant select, insert, update on item_balances to bahi_app;

-- A back-dated posting with very many movements behind it would hold its locks too long: it goes through at what
-- the goods are worth now, and a job values what lies behind it again. Until then each of its items has a row here:
-- it is being revalued.
create table revaluations (
  organisation int not null references organisations,
  item uuid not null,
  document uuid not null,
  since date not null,
  at timestamptz not null default now(),
  primary key (organisation, item, document),
  foreign key (organisation, item) references items,
  -- written before its cause, in the same transaction
  foreign key (organisation, document) references documents deferrable initially deferred
);
create index revaluations_document on revaluations (organisation, document);
create index revaluations_at on revaluations (at);
grant select, insert, delete on revaluations to bahi_app;

-- A count of what lies at a place, or in one stock room or category of it. The books go on meanwhile: each figure
-- that is entered keeps beside it what the books had at that moment, so that what is sold between two shelves is no
-- difference.
create table count_sheets (
  organisation int not null references organisations,
  id uuid not null,
  number int not null,
  name text not null,
  location uuid not null,
  room uuid,
  category uuid,
  blind boolean not null,
  state text not null default 'counting' check (state in ('counting', 'posting', 'posted', 'dropped')),
  round int not null default 1 check (round > 0),
  -- while it is posted: the adjustments that it makes, each under an id that was given before
  plan jsonb,
  author uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_by uuid,
  ended_at timestamptz,
  remark text not null default '',
  version int not null default 1,
  primary key (organisation, id),
  unique (organisation, number),
  foreign key (organisation, location) references locations,
  foreign key (organisation, room) references masters,
  foreign key (organisation, category) references masters,
  foreign key (organisation, author) references users,
  foreign key (organisation, ended_by) references users
);
grant select, insert, update on count_sheets to bahi_app;

-- What is to be counted: an item, in a room, of a batch; `book` is what the books had when the sheet was made.
create table count_lines (
  organisation int not null,
  sheet uuid not null,
  line int not null,
  item uuid not null,
  room uuid,
  batch text not null default '',
  expiry date,
  book bigint not null,
  serials text[],
  -- the last round in which it was asked for
  round int not null default 1,
  reason text not null default '',
  rate bigint check (rate >= 0),
  primary key (organisation, sheet, line),
  foreign key (organisation, sheet) references count_sheets,
  foreign key (organisation, item) references items,
  foreign key (organisation, room) references masters
);
create unique index count_lines_once on count_lines (organisation, sheet, item, room, batch) nulls not distinct;
grant select, insert, update on count_lines to bahi_app;

-- What one of several people counted of a line in a round, with the books at that moment.
create table counted (
  organisation int not null,
  sheet uuid not null,
  line int not null,
  round int not null,
  by uuid not null,
  quantity bigint not null check (quantity >= 0),
  serials text[],
  book bigint not null,
  book_serials text[],
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, sheet, line, round, by),
  foreign key (organisation, sheet, line) references count_lines,
  foreign key (organisation, by) references users
);
grant select, insert, update, delete on counted to bahi_app;

-- Where a movement takes its cost from: a transfer from the movement that left, a cancellation from what it undoes,
-- goods that come back from a sale from the movement with which they left, and goods that go back to their supplier
-- from the movement that brought them in. A document says the last line by line (`givenBack`, with the duty on the
-- goods of the line); an older one that does not keeps its average (ADR 64).
create view movement_sources with (security_invoker = true) as
select
  m.organisation, m.document, m.number, p.document as source_document, p.number as source_number, false as undoes,
  null::bigint as landed
from movements m
join movements p on p.organisation = m.organisation and p.document = m.document and p.number = m.number - 1
  and p.line = m.line
  and p.item = m.item
  and p.quantity = -m.quantity
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
where m.quantity > 0 and m.stated_value is null
union all
select m.organisation, m.document, m.number, d.reverses, m.number, true, null
from documents d
join movements m on m.organisation = d.organisation and m.document = d.id
where d.reverses is not null
union all
select m.organisation, m.document, m.number, f.document, f.number, false, null
from document_lines l
join movements m on m.organisation = l.organisation and m.document = l.document and m.line = l.line
  and m.quantity > 0
  and m.stated_value is null
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
join movements f on f.organisation = l.organisation and f.document = l.source_document and f.line = l.source_line
  and f.item = m.item
where not exists (
  select from movements p
  where p.organisation = m.organisation
    and p.document = m.document
    and p.number = m.number - 1
    and p.line = m.line
    and p.item = m.item
    and p.quantity = -m.quantity
)
  and not exists (
    select from movements g
    where g.organisation = f.organisation and g.document = f.document and g.line = f.line and g.number < f.number
  )
union all
select
  m.organisation, m.document, m.number, f.document, f.number, false,
  (d.body -> 'givenBack' ->> l.line::text)::bigint
from document_lines l
join movements m on m.organisation = l.organisation and m.document = l.document and m.line = l.line
  and m.quantity < 0
join movements f on f.organisation = l.organisation and f.document = l.source_document and f.line = l.source_line
  and f.item = m.item
  and f.location = m.location
  and f.quantity > 0
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
where d.body -> 'givenBack' ? l.line::text
  and not exists (
    select from movements g
    where g.organisation = f.organisation and g.document = f.document and g.line = f.line and g.number < f.number
  );
grant select on movement_sources to bahi_app;

-- The cost of a movement by its latest revision.
create function latest_cost(org int, doc uuid, place int) returns bigint
language sql stable as $$
  select c.cost
  from movement_costs c
  where c.organisation = org and c.document = doc and c.number = place
  order by c.revision desc
  limit 1
$$;
grant execute on function latest_cost(int, uuid, int) to bahi_app;

-- Movements of an item at a place after one position in the order of days and up to another, with all that valuing
-- them again needs.
create function stock_between(
  org int, what uuid, place uuid, after_day date, after_sequence bigint, until_day date, until_sequence bigint,
  most int
)
returns table (
  document uuid, number int, date date, sequence bigint, quantity bigint, stated_value bigint, cost bigint,
  revision int, kind text, registration uuid, location uuid, cost_centre uuid, source_document uuid,
  source_number int, source_quantity bigint, source_cost bigint, source_landed bigint, undoes boolean
)
language sql stable
set enable_seqscan = off as $$
  select
    m.document, m.number, m.date, m.sequence, m.quantity, m.stated_value, c.cost, c.revision,
    coalesce(o.kind, d.kind), d.registration, d.location, (coalesce(o.body, d.body) #>> '{draft,costCentre}')::uuid,
    s.source_document, s.source_number, f.quantity, latest_cost(org, f.document, f.number), s.landed, s.undoes
  from movements m
  join documents d on d.organisation = m.organisation and d.id = m.document
  left join documents o on o.organisation = d.organisation and o.id = d.reverses
  join lateral (
    select c.cost, c.revision
    from movement_costs c
    where c.organisation = m.organisation and c.document = m.document and c.number = m.number
    order by c.revision desc
    limit 1
  ) c on true
  left join lateral (
    select *
    from movement_sources s
    where s.organisation = m.organisation and s.document = m.document and s.number = m.number
    limit 1
  ) s on true
  left join movements f on f.organisation = m.organisation and f.document = s.source_document
    and f.number = s.source_number
  where m.organisation = org
    and m.item = what
    and m.location = place
    and (m.date, m.sequence) > (after_day, after_sequence)
    and (m.date, m.sequence) <= (until_day, until_sequence)
  order by m.date, m.sequence
  limit most
$$;
grant execute on function stock_between(int, uuid, uuid, date, bigint, date, bigint, int) to bahi_app;

-- Where the movements are that take their cost from these. The branches of the view are joins of their own, into
-- which a join from outside hands no key: asked so, each would answer for the whole organisation first. What may
-- follow a document is found by key (it itself, its cancellation, what was made from its lines), and the view is
-- asked of each of their movements alone. As with all that a posting asks: a plan made while the tables were small
-- walks through none of them.
create function stock_followers(org int, documents uuid[], numbers int[])
returns table (item uuid, location uuid, date date, sequence bigint)
language sql stable
set enable_seqscan = off as $$
  select m.item, m.location, m.date, m.sequence
  from unnest(documents, numbers) t(document, number)
  cross join lateral (
    select t.document as id
    union
    select d.id
    from documents d
    where d.organisation = org and d.reverses = t.document
    union
    select l.document
    from document_lines l
    where l.organisation = org and l.source_document = t.document
  ) f
  cross join lateral (
    select x.*
    from movements x
    where x.organisation = org and x.document = f.id
    offset 0
  ) m
  cross join lateral (
    select from movement_sources s
    where s.organisation = org
      and s.document = m.document
      and s.number = m.number
      and s.source_document = t.document
      and s.source_number = t.number
    limit 1
  ) s
$$;
grant execute on function stock_followers(int, uuid[], int[]) to bahi_app;

-- Walks the balance of an item at a place back from a position where it held so much, worth so much: to where it
-- was last empty (null: never before), and to the last rate (paise for a whole unit) at which it held goods.
create function shelf_before(
  org int, what uuid, place uuid, day date, at bigint, held bigint, worth bigint, find_empty boolean
) returns table (empty_day date, empty_sequence bigint, last_rate bigint)
language plpgsql stable
set enable_seqscan = off as $$
declare
  m record;
  is_empty boolean := not find_empty;
begin
  last_rate := 0;
  for m in
    select x.date, x.sequence, x.quantity, latest_cost(org, x.document, x.number) as cost
    from movements x
    where x.organisation = org and x.item = what and x.location = place and (x.date, x.sequence) <= (day, at)
    order by x.date desc, x.sequence desc
  loop
    if not is_empty and held = 0 then
      empty_day := m.date;
      empty_sequence := m.sequence;
      is_empty := true;
    end if;
    if is_empty and held > 0 then
      last_rate := round(worth::numeric * 1000000 / held);
      exit;
    end if;
    held := held - m.quantity;
    worth := worth - m.cost;
  end loop;
  return next;
end
$$;
grant execute on function shelf_before(int, uuid, uuid, date, bigint, bigint, bigint, boolean) to bahi_app;

-- Where an item at a place would first hold less than nothing if so much less of it were there from a day on: the
-- day, and how much it would lack.
create function first_short(org int, what uuid, place uuid, day date, change bigint)
returns table (date date, held bigint)
language sql stable as $$
  select s.date, s.after + change
  from (
    select day as date, 0::bigint as sequence, coalesce(sum(m.quantity), 0)::bigint as after
    from movements m
    where m.organisation = org and m.item = what and m.location = place and m.date <= day
    union all
    select m.date, m.sequence, (sum(m.quantity) over (order by m.date, m.sequence))::bigint
    from movements m
    where m.organisation = org and m.item = what and m.location = place
  ) s
  where s.date >= day and (s.sequence = 0 or s.date > day) and s.after + change < 0
  order by s.date, s.sequence
  limit 1
$$;
grant execute on function first_short(int, uuid, uuid, date, bigint) to bahi_app;

-- All that one batch or serial number of an item did, in date order.
create function part_moves(org int, what uuid, sort text, named text)
returns table (location uuid, date date, sequence bigint, document uuid, quantity bigint, expiry date)
language sql stable as $$
  select
    m.location, m.date, m.sequence, m.document, (sign(m.quantity) * (b.part ->> 'quantity')::bigint)::bigint,
    (b.part ->> 'expiry')::date
  from movements m
  cross join lateral jsonb_array_elements(m.batches) b(part)
  where sort = 'batch'
    and m.organisation = org
    and m.item = what
    and m.batches @> jsonb_build_array(jsonb_build_object('batch', named))
    and b.part ->> 'batch' = named
  union all
  select m.location, m.date, m.sequence, m.document, (sign(m.quantity) * 1000000)::bigint, null
  from movements m
  where sort = 'serial' and m.organisation = org and m.item = what and m.serials @> array[named]
$$;
grant execute on function part_moves(int, uuid, text, text) to bahi_app;

-- How batches and serial numbers stand at a place at the end of a day and ever after: least there, most anywhere;
-- when they expire, and how much of them a source moved, less what came back from it by documents that stand.
-- Whoever asks holds them until the transaction ends: a serial number may be asked for at two places at once, whose
-- balances do not keep each other waiting.
create function part_facts(
  org int, items uuid[], sorts text[], parts text[], places uuid[], dates date[], sources uuid[]
) returns json
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(k)
  from (
    select distinct hashtextextended(concat_ws('/', t.item, t.sort, t.part), org) as k
    from unnest(items, sorts, parts) t(item, sort, part)
    order by 1
  ) locks;
  return (
    select json_agg(
      json_build_object(
        'item', t.item, 'sort', t.sort, 'part', t.part, 'location', t.place,
        'least', (
          select least(
            coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), min(m.after) filter (where m.date > t.day)
          )
          from (
            select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after
            from part_moves(org, t.item, t.sort, t.part) x
            where x.location = t.place
          ) m
        ),
        'most', (
          select greatest(
            coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), max(m.after) filter (where m.date > t.day)
          )
          from (
            select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after
            from part_moves(org, t.item, t.sort, t.part) x
          ) m
        ),
        'expiry', (
          select x.expiry
          from part_moves(org, t.item, t.sort, t.part) x
          where x.expiry is not null
          order by x.date, x.sequence
          limit 1
        ),
        'source', (
          select coalesce(sum(abs(x.quantity)), 0)
          from part_moves(org, t.item, t.sort, t.part) x
          where x.document = t.source and x.quantity < 0
        ) - (
          select coalesce(sum(x.quantity), 0)
          from part_moves(org, t.item, t.sort, t.part) x
          where x.quantity > 0
            and x.document in (
              select l.document
              from document_lines l
              where l.organisation = org
                and l.source_document = t.source
                and l.item = t.item
                and not exists (select from cancellations c where c.organisation = org and c.document = l.document)
            )
        )
      )
    )
    from (
      select distinct *
      from unnest(items, sorts, parts, places, dates, sources) u(item, sort, part, place, day, source)
    ) t
  );
end
$$;
grant execute on function part_facts(int, uuid[], text[], text[], uuid[], date[], uuid[]) to bahi_app;

-- Stock rooms as a posting asks for them: where they are, and the least of an item that is ever in them from a day
-- on.
create function room_facts(org int, items uuid[], rooms uuid[], dates date[]) returns json
language sql stable as $$
  select json_agg(
    json_build_object(
      'item', t.item, 'room', t.room, 'name', m.name, 'location', m.body ->> 'location',
      'active', coalesce(m.active, false),
      'least', (
        select least(
          coalesce(sum(x.quantity) filter (where x.date <= t.day), 0), min(x.after) filter (where x.date > t.day)
        )
        from (
          select v.date, v.quantity, sum(v.quantity) over (order by v.date, v.sequence) as after
          from movements v
          where v.organisation = org and v.room = t.room and v.item = t.item
        ) x
      )
    )
  )
  from (select distinct * from unnest(items, rooms, dates) u(item, room, day)) t
  left join masters m on m.organisation = org and m.id = t.room and m.master = 'warehouse'
$$;
grant execute on function room_facts(int, uuid[], uuid[], date[]) to bahi_app;

-- Batches of items at a place as they stand, those that expire first before the others; those of which nothing is
-- left are left out.
create function batches_held(org int, items uuid[], places uuid[])
returns table (item uuid, location uuid, batch text, expiry date, quantity bigint)
language sql stable as $$
  with moved as (
    -- the day is known from any movement of the batch, not from each
    select
      m.item, m.location, b.part ->> 'batch' as batch,
      min((b.part ->> 'expiry')::date) over (partition by m.item, b.part ->> 'batch') as expiry,
      sign(m.quantity) * (b.part ->> 'quantity')::bigint as quantity
    from movements m
    cross join lateral jsonb_array_elements(m.batches) b(part)
    where m.organisation = org and m.item = any(items) and m.batches is not null
  )
  select item, location, batch, min(expiry), sum(quantity)::bigint
  from moved
  where cardinality(places) = 0 or location = any(places)
  group by 1, 2, 3
  having sum(quantity) > 0
  order by 1, 2, 4 nulls last, 3
$$;
grant execute on function batches_held(int, uuid[], uuid[]) to bahi_app;

-- Serial numbers of items at a place.
create function serials_held(org int, items uuid[], places uuid[])
returns table (item uuid, location uuid, serial text)
language sql stable as $$
  select m.item, m.location, s.serial
  from movements m
  cross join lateral unnest(m.serials) s(serial)
  where m.organisation = org
    and m.item = any(items)
    and (cardinality(places) = 0 or m.location = any(places))
    and m.serials is not null
  group by 1, 2, 3
  having sum(sign(m.quantity)) > 0
  order by 1, 2, 3
$$;
grant execute on function serials_held(int, uuid[], uuid[]) to bahi_app;

-- Batches that left with the lines of documents and did not come back yet, in the base unit.
create function batches_out(org int, sources uuid[])
returns table (document uuid, line int, batch text, expiry date, quantity bigint)
language sql stable as $$
  with moved as (
    select
      m.document, m.line, b.part ->> 'batch' as batch,
      (select min(x.expiry) from part_moves(org, m.item, 'batch', b.part ->> 'batch') x) as expiry,
      (b.part ->> 'quantity')::bigint as quantity
    from movements m
    cross join lateral jsonb_array_elements(m.batches) b(part)
    where m.organisation = org and m.document = any(sources) and m.quantity < 0 and m.batches is not null
    union all
    select l.source_document, l.source_line, b.part ->> 'batch', null, -(b.part ->> 'quantity')::bigint
    from document_lines l
    join movements m on m.organisation = org and m.document = l.document and m.line = l.line and m.quantity > 0
      and m.batches is not null
    cross join lateral jsonb_array_elements(m.batches) b(part)
    where l.organisation = org
      and l.source_document = any(sources)
      and not exists (select from cancellations c where c.organisation = org and c.document = l.document)
  )
  select document, line, batch, min(expiry), sum(quantity)::bigint
  from moved
  group by 1, 2, 3
  having sum(quantity) > 0
  order by 1, 2, 4 nulls last, 3
$$;
grant execute on function batches_out(int, uuid[]) to bahi_app;

-- What the books have at a place by now, by item, stock room and batch; `which` names items, null means all.
create function stock_parts(org int, place uuid, which uuid[])
returns table (item uuid, room uuid, batch text, expiry date, quantity bigint, serials text[])
language sql stable as $$
  with held as (
    select
      m.item, m.room, coalesce(b.part ->> 'batch', '') as batch, min((b.part ->> 'expiry')::date) as expiry,
      sum(
        case when b.part is null then m.quantity else sign(m.quantity) * (b.part ->> 'quantity')::bigint end
      )::bigint as quantity
    from movements m
    left join lateral jsonb_array_elements(m.batches) b(part) on true
    where m.organisation = org and m.location = place and (which is null or m.item = any(which))
    group by 1, 2, 3
  ), numbered as (
    select n.item, n.room, array_agg(n.serial order by n.serial) as serials
    from (
      select m.item, m.room, s.serial
      from movements m
      cross join lateral unnest(m.serials) s(serial)
      where m.organisation = org
        and m.location = place
        and (which is null or m.item = any(which))
        and m.serials is not null
      group by 1, 2, 3
      having sum(sign(m.quantity)) > 0
    ) n
    group by 1, 2
  )
  select h.item, h.room, h.batch, h.expiry, h.quantity, n.serials
  from held h
  left join numbered n on n.item = h.item and n.room is not distinct from h.room
  where h.quantity <> 0 or n.serials is not null
$$;
grant execute on function stock_parts(int, uuid, uuid[]) to bahi_app;

-- What orders of these kinds hold of items at places, in the base unit: line by line what nothing was made of yet,
-- less what documents that name an order whole have delivered. A line that was given up holds nothing.
create function stock_reserved(org int, kinds text[], items uuid[], places uuid[])
returns table (document uuid, item uuid, location uuid, quantity bigint)
language sql stable as $$
  select
    d.id, l.item, d.location,
    greatest(
      sum(
        greatest(
          l.base_quantity - coalesce(
            (
              select sum(u.base_quantity)
              from document_lines u
              where u.organisation = org
                and u.source_document = l.document
                and u.source_line = l.line
                and not exists (select from cancellations g where g.organisation = org and g.document = u.document)
            ),
            0
          ),
          0
        )
      ) - coalesce(
        (
          select sum(u.base_quantity)
          from document_links k
          join document_lines u on u.organisation = org and u.document = k.target and u.item = l.item
          where k.organisation = org
            and k.source = d.id
            and k.role = 'order'
            and u.source_document is distinct from d.id
            and not exists (select from cancellations g where g.organisation = org and g.document = k.target)
        ),
        0
      ),
      0
    )::bigint
  from document_lines l
  join documents d on d.organisation = org and d.id = l.document
  where l.organisation = org
    and l.item = any(items)
    and d.kind = any(kinds)
    and (cardinality(places) = 0 or d.location = any(places))
    and not exists (select from cancellations c where c.organisation = org and c.document = d.id)
    and not exists (select from freed_orders f where f.organisation = org and f.document = d.id)
    and not exists (
      select from closed_lines x
      where x.organisation = org and x.document = l.document and x.line = l.line
    )
  group by d.id, l.item, d.location
$$;
grant execute on function stock_reserved(int, text[], uuid[], uuid[]) to bahi_app;

-- While a document stands that was made against this one (a cost that lies on the goods of a bill, a return, a
-- note), this one is not cancelled: the later document is cancelled first.
create function landed_before_cancellation() returns trigger
language plpgsql as $$
declare
  behind text;
begin
  select f.number into behind
  from document_links k
  join documents f on f.organisation = k.organisation and f.id = k.target
  where k.organisation = new.organisation
    and k.source = new.document
    and k.role = 'source'
    and f.kind = any(kinds_against())
    and not exists (
      select from cancellations c
      where c.organisation = k.organisation and c.document = k.target
    )
  limit 1;
  if found then
    raise exception '%', behind using errcode = 'check_violation', constraint = 'cancellations_landed';
  end if;
  return new;
end
$$;
create trigger landed_before_cancellation before insert on cancellations
  for each row execute function landed_before_cancellation();
-- Returns that were filed, tax deducted and collected at source, challans and certificates.

-- Returns that a registration has filed. What they show stays as it was: the register of the returns is locked for
-- that registration alone, under a name that holds its id.
--
-- The annual return (GSTR-9) is marked for the March that ends its year, and locks nothing: what it shows is locked
-- by the returns of the months. From its day on no credit is taken and no tax reduced for its year (sections 16(4)
-- and 34(2)). Composition dealers file CMP-08 after each quarter and GSTR-4 after the year (section 39(2), rule
-- 62); both lock what they show in registers of their own: days under composition are not those of GSTR-1.
create table gst_filings (
  organisation int not null references organisations,
  registration uuid not null,
  form text not null check (form in ('GSTR-1', 'IFF', 'GSTR-3B', 'GSTR-9', 'CMP-08', 'GSTR-4')),
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  filed_on date not null,
  arn text not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, registration, form, period),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, by) references users,
  constraint gst_filings_year check (form not in ('GSTR-9', 'GSTR-4') or period like '%-03'),
  constraint gst_filings_quarter check (form <> 'CMP-08' or period ~ '-(03|06|09|12)$')
);
grant select, insert, delete on gst_filings to bahi_app;
-- An acknowledgement that was missing when a return was marked is added later; nothing else of a mark changes.
grant update (arn) on gst_filings to bahi_app;

-- Who files quarterly may furnish invoices to registered persons of the first two months beforehand (IFF, rule
-- 59(2)). That is marked as returns are, and by the document: what an IFF held is not in the file of the quarter,
-- and what it did not hold is, whatever is posted for those days later. So an IFF locks nothing.
create table gst_furnished (
  organisation int not null,
  document uuid not null,
  registration uuid not null,
  form text not null default 'IFF' check (form = 'IFF'),
  period text not null,
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  foreign key (organisation, registration, form, period) references gst_filings
);
create index gst_furnished_filing on gst_furnished (organisation, registration, form, period);
grant select, insert, delete on gst_furnished to bahi_app;

-- A return is kept as it was filed: its tables, what each document added, and the file for the portal. What is
-- posted or reversed later changes what the books say, never what was filed; the difference of the two is listed. A
-- mark that is taken back leaves the return that was kept; the reason stands in a table of its own.
create table gst_returns_kept (
  organisation int not null references organisations,
  id uuid not null,
  registration uuid not null,
  form text not null,
  period text not null,
  filed_on date not null,
  arn text not null,
  tables jsonb not null,
  documents jsonb not null,
  file jsonb,
  digest bytea not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, by) references users
);
create index gst_returns_kept_period on gst_returns_kept (organisation, registration, form, period, at);
grant select, insert on gst_returns_kept to bahi_app;

create table gst_returns_unmarked (
  organisation int not null,
  id uuid not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, id),
  foreign key (organisation, id) references gst_returns_kept,
  foreign key (organisation, by) references users
);
grant select, insert on gst_returns_unmarked to bahi_app;

-- Certificates of the assessing officer by which less tax is deducted from a party (section 197): at this rate, up
-- to this amount.
create table tds_certificates (
  organisation int not null references organisations,
  id uuid not null,
  number text not null check (number <> ''),
  party uuid not null,
  section text not null,
  rate int not null check (rate between 0 and 1000000),
  limit_amount bigint not null check (limit_amount > 0),
  valid_from date not null,
  valid_to date not null check (valid_to >= valid_from),
  active boolean not null default true,
  version int not null default 1,
  body jsonb not null default '{}',
  primary key (organisation, id),
  unique (organisation, party, number),
  foreign key (organisation, party) references parties
);
grant select, insert, update on tds_certificates to bahi_app;

-- What was paid of tax deducted or collected at source (challan ITNS 281), deduction by deduction. The challan
-- rides in the journal that pays it, under the same id; what the bank tells later, its BSR code and the serial
-- number, is written here.
create table tax_challans (
  organisation int not null references organisations,
  id uuid not null,
  tax text not null check (tax in ('tds', 'tcs')),
  section text not null check (section <> ''),
  head text not null check (head in ('0020', '0021')),
  date date not null,
  bsr text check (bsr ~ '^[0-9]{7}$'),
  serial text check (serial ~ '^[0-9]{5}$'),
  amount bigint not null check (amount > 0),
  interest bigint not null check (interest >= 0),
  fee bigint not null check (fee >= 0),
  version int not null default 1,
  primary key (organisation, id),
  foreign key (organisation, id) references documents,
  check ((bsr is null) = (serial is null))
);
grant select, insert on tax_challans to bahi_app;
grant update (bsr, serial, version) on tax_challans to bahi_app;

create table tax_challan_parts (
  organisation int not null,
  challan uuid not null,
  document uuid not null,
  amount bigint not null check (amount > 0),
  primary key (organisation, challan, document),
  foreign key (organisation, challan) references tax_challans,
  foreign key (organisation, document) references documents
);
create index tax_challan_parts_document on tax_challan_parts (organisation, document);
grant select, insert on tax_challan_parts to bahi_app;

-- What is typed of a certificate of one payee and quarter: the number that TRACES gave it, and who answers for it.
create table tax_certificates (
  organisation int not null references organisations,
  id uuid not null,
  tax text not null check (tax in ('tds', 'tcs')),
  party uuid not null,
  year text not null check (year ~ '^[0-9]{4}-[0-9]{2}$'),
  quarter int not null check (quarter between 1 and 4),
  number text not null,
  signed_by text not null,
  capacity text not null,
  version int not null default 1,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, tax, party, year, quarter),
  foreign key (organisation, party) references parties,
  foreign key (organisation, by) references users
);
grant select, insert, update on tax_certificates to bahi_app;

-- By registration and financial year ('2025-26') the day on which its annual return was filed.
create function annual_returns(org int) returns json
language sql stable as $$
  select coalesce(json_object_agg(registration, years), '{}')
  from (
    select
      f.registration,
      json_object_agg((left(f.period, 4)::int - 1) || '-' || substr(f.period, 3, 2), f.filed_on) as years
    from gst_filings f
    where f.organisation = org and f.form = 'GSTR-9'
    group by f.registration
  ) r
$$;
grant execute on function annual_returns(int) to bahi_app;

-- The digest of a kept return is taken of what is stored, so that anybody who reads the row can take it again.
create function return_digest(tables jsonb, documents jsonb, file jsonb) returns bytea
language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(tables, documents, file)::text, 'UTF8'))
$$;
grant execute on function return_digest(jsonb, jsonb, jsonb) to bahi_app;

-- Cancelling undoes a document on its own day. An IFF locks no days: what it held is kept by document, and a
-- cancellation on the document's own day would change what was filed. A reversal of a later day does not.
create function filed_before_cancellation() returns trigger
language plpgsql as $$
declare
  held text;
begin
  select f.period into held
  from gst_furnished f
  join documents d on d.organisation = f.organisation and d.id = f.document
  join documents r on r.organisation = f.organisation and r.id = new.reversal
  where f.organisation = new.organisation and f.document = new.document and r.date = d.date;
  if found then
    raise exception '%', held using errcode = 'check_violation', constraint = 'cancellations_furnished';
  end if;
  return new;
end
$$;
create trigger filed_before_cancellation before insert on cancellations
  for each row execute function filed_before_cancellation();

-- Turnover of a PAN and financial year: what is typed on its registrations (years before these books, registrations
-- kept elsewhere), with what the sales ledgers of its places say. Limits of law read it; month totals make it
-- cheap.
create function turnovers(org int) returns json
language sql stable as $$
  with own as (
    select r.id, substr(r.gstin, 3, 10) as pan, coalesce(r.body -> 'turnover', '[]') as typed
    from registrations r
    where r.organisation = org and r.gstin is not null
  ), typed as (
    select o.pan, t.entry ->> 'year' as year, round((t.entry ->> 'amount')::numeric * 100)::bigint as amount
    from own o
    cross join jsonb_array_elements(o.typed) t(entry)
    where t.entry ->> 'amount' ~ '^\d+(\.\d+)?$'
  ), counted as (
    select
      o.pan,
      financial_year_start(m.month) || '-'
        || lpad(((financial_year_start(m.month) + 1) % 100)::text, 2, '0') as year,
      m.credit - m.debit as amount
    from ledger_month_totals m
    join locations l on l.organisation = m.organisation and l.id = m.location
    join own o on o.id = l.registration
    where m.organisation = org
      and m.ledger in (
        select p.ledger
        from posting_map p
        where p.organisation = org
          and p.effect in (
            'salesGoods', 'salesExempt', 'salesExport', 'salesSez', 'salesRetail', 'salesService',
            'salesServiceExport', 'salesScrap', 'charges', 'salesReturn', 'salesDiscount'
          )
      )
  )
  select coalesce(json_agg(json_build_object('pan', pan, 'year', year, 'amount', amount) order by pan, year), '[]')
  from (
    select pan, year, sum(amount) as amount
    from (select * from typed union all select * from counted) x
    group by pan, year
  ) y
$$;
grant execute on function turnovers(int) to bahi_app;

-- What a payee was paid or credited under each section in the tax year of a day and, for rent, in its month:
-- without GST, from all registrations, under whoever it was merged into and under every record with the same PAN,
-- since thresholds are per person. Documents dated later in the year count too: a back-dated bill bears what it
-- brings above the threshold.
create function tds_before(org int, payee uuid, day date, money_kinds text[]) returns json
language sql stable as $$
  with payees as (
    select p.id
    from parties p
    where p.organisation = org
      and (
        p.id = any(party_family(org, payee))
        or p.pan = (select o.pan from parties o where o.organisation = org and o.id = payee)
      )
  ), tax_year as (
    select
      make_date(extract(year from day)::int - case when extract(month from day) < 4 then 1 else 0 end, 4, 1) as start
  ), paid as (
    select
      d.body #>> '{draft,tdsSection}' as section, date_trunc('month', d.date) = date_trunc('month', day) as month,
      case
        when d.kind = any(money_kinds) then d.total
        else coalesce((d.body ->> 'value')::bigint, d.taxable)
      end as value,
      -- how much of the year bore the deduction, where it was worked out; else what was typed
      coalesce((d.body ->> 'tdsBase')::bigint, 0) as base,
      case
        when d.body ? 'tdsBase' then 0
        else greatest(d.tds, coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0))
      end as typed
    from documents d, tax_year y
    where d.organisation = org
      and d.party = any(select id from payees)
      and d.date >= y.start
      and d.date < y.start + interval '1 year'
      and d.reverses is null
      and d.body #>> '{draft,tdsSection}' is not null
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  )
  select json_build_object(
    'pan', (select o.pan from parties o where o.organisation = org and o.id = payee),
    'paid', coalesce(
      (
        select json_agg(s)
        from (
          select
            section, month, sum(value)::bigint as value, sum(base)::bigint as base,
            coalesce(
              json_agg(json_build_object('value', value, 'tax', typed)) filter (where typed > 0), '[]'
            ) as typed
          from paid
          group by section, month
        ) s
      ),
      '[]'
    )
  )
$$;
grant execute on function tds_before(int, uuid, date, text[]) to bahi_app;

-- What was paid or credited under a certificate: so much of its limit is used.
create function certificate_used(org int, certificate uuid) returns bigint
language sql stable as $$
  select coalesce(sum((d.body #>> '{draft,tdsLower,base}')::bigint), 0)::bigint
  from documents d
  where d.organisation = org
    and d.body #>> '{draft,tdsLower,certificate}' = certificate::text
    and d.reverses is null
    and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
$$;
grant execute on function certificate_used(int, uuid) to bahi_app;

-- Two that use up one certificate at the same moment do it one after the other, and never more than its limit.
create function hold_certificate() returns trigger
language plpgsql as $$
declare
  most bigint;
begin
  select c.limit_amount into most
  from tds_certificates c
  where c.organisation = new.organisation and c.id = (new.body #>> '{draft,tdsLower,certificate}')::uuid
  for update;
  if most is null or certificate_used(new.organisation, (new.body #>> '{draft,tdsLower,certificate}')::uuid) > most
  then
    raise exception 'more than the certificate allows' using errcode = 'BR054';
  end if;
  return null;
end
$$;
create trigger hold_certificate after insert on documents
  for each row
  when (new.reverses is null and new.body #>> '{draft,tdsLower,certificate}' is not null)
  execute function hold_certificate();

-- What a document withheld. Of money that is paid, the tax was typed.
create function tax_withheld(d documents, which text) returns bigint
language sql stable as $$
  select case
    when which = 'tcs' then d.tcs
    when d.body #>> '{draft,tdsSection}' is null then 0
    when d.tds > 0 then d.tds
    else coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0)
  end
$$;
grant execute on function tax_withheld(documents, text) to bahi_app;

-- How much of that is paid by challans that stand.
create function tax_deposited(org int, of uuid, which text) returns bigint
language sql stable as $$
  select coalesce(sum(p.amount), 0)::bigint
  from tax_challan_parts p
  join tax_challans t on t.organisation = p.organisation and t.id = p.challan
  where p.organisation = org
    and p.document = of
    and t.tax = which
    and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
$$;
grant execute on function tax_deposited(int, uuid, text) to bahi_app;

-- Whether another challan that stands has what the bank told of this one.
create function challan_known(org int, of uuid, its_bsr text, its_serial text, day date) returns boolean
language sql stable as $$
  select exists (
    select from tax_challans t
    where t.organisation = org
      and t.id <> of
      and t.bsr = its_bsr
      and t.serial = its_serial
      and t.date = day
      and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
  )
$$;
grant execute on function challan_known(int, uuid, text, text, date) to bahi_app;

-- A journal that pays a challan: its parts are taken apart as it is written, one challan of an organisation after
-- the other, so that two at once never pay more than was withheld.
create function take_challan() returns trigger
language plpgsql as $$
declare
  paid jsonb := new.body #> '{draft,challan}';
begin
  perform pg_advisory_xact_lock(hashtextextended('tax challans', new.organisation));
  insert into tax_challans (organisation, id, tax, section, head, date, bsr, serial, amount, interest, fee)
  values
    (
      new.organisation, new.id, paid ->> 'tax', paid ->> 'section', paid ->> 'head', new.date, paid ->> 'bsr',
      paid ->> 'serial', (select sum((x ->> 'amount')::bigint) from jsonb_array_elements(paid -> 'parts') x),
      (paid ->> 'interest')::bigint, (paid ->> 'fee')::bigint
    );
  insert into tax_challan_parts (organisation, challan, document, amount)
  select new.organisation, new.id, (x ->> 'document')::uuid, (x ->> 'amount')::bigint
  from jsonb_array_elements(paid -> 'parts') x;
  if exists (
    select from tax_challan_parts p
    join documents d on d.organisation = p.organisation and d.id = p.document
    where p.organisation = new.organisation
      and p.challan = new.id
      and (
        d.date > new.date
        or tax_deposited(p.organisation, p.document, paid ->> 'tax') > tax_withheld(d, paid ->> 'tax')
        or exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
      )
  ) then
    raise exception 'more than was withheld' using errcode = 'BR069';
  end if;
  if challan_known(new.organisation, new.id, paid ->> 'bsr', paid ->> 'serial', new.date) then
    raise exception 'this challan is known' using errcode = 'BR070';
  end if;
  return null;
end
$$;
create trigger take_challan after insert on documents
  for each row
  when (new.reverses is null and new.body #> '{draft,challan}' is not null)
  execute function take_challan();

-- What is paid to the government stays as long as its challan does.
create function keep_deposited() returns trigger
language plpgsql as $$
declare
  challan text;
begin
  if not exists (
    select from documents d
    where d.organisation = new.organisation
      and d.id = new.document
      and (d.tcs > 0 or d.body #>> '{draft,tdsSection}' is not null)
  ) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tax challans', new.organisation));
  select d.number into challan
  from tax_challan_parts p
  join documents d on d.organisation = p.organisation and d.id = p.challan
  where p.organisation = new.organisation
    and p.document = new.document
    and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  limit 1;
  if challan is not null then
    raise exception '%', challan using errcode = '23514', constraint = 'cancellations_deposited';
  end if;
  return null;
end
$$;
create trigger keep_deposited after insert on cancellations for each row execute function keep_deposited();
-- E-invoices (IRN) and e-way bills: where each stands with the portal, and every attempt.

create table einvoices (
  organisation int not null,
  document uuid not null,
  state text not null,
  irn text,
  ack_no text,
  ack_date text,
  signed_invoice text,
  signed_qr text,
  error_code text,
  error text,
  attempts int not null default 0,
  cancelled_at timestamptz,
  cancel_reason text,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  -- A cancellation of an IRN whose answer was lost is neither done nor not done: what was asked is written down
  -- before the portal hears of it, the e-invoice is unclear meanwhile, and the portal is asked in the background,
  -- as after a lost registration.
  cancel_asked jsonb,
  -- While somebody waits for the answer; a process that died leaves it behind.
  cancel_asked_at timestamptz,
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  constraint einvoices_state
    check (state in ('queued', 'sending', 'unclear', 'failed', 'registered', 'cancelled', 'void')),
  constraint einvoices_cancel_asked
    check (cancel_asked is null or (state in ('unclear', 'sending') and ack_no is not null)),
  constraint einvoices_cancel_asked_at check (cancel_asked_at is null or cancel_asked is not null)
);
create unique index einvoices_irn on einvoices (organisation, irn) where irn is not null;
create index einvoices_state on einvoices (organisation, state, document);
create index einvoices_stuck on einvoices (updated_at) where state = 'sending';
grant select, insert, update on einvoices to bahi_app;

create table einvoice_attempts (
  organisation int not null,
  document uuid not null,
  attempt int not null,
  at timestamptz not null default now(),
  what text not null,
  outcome text not null,
  code text,
  message text,
  request text,
  response text,
  primary key (organisation, document, attempt),
  foreign key (organisation, document) references documents
);
grant select, insert on einvoice_attempts to bahi_app;

-- E-way bills: made by a job like IRNs and with the same care. A document has at most one that lives; cancelled
-- ones stay to be seen. `asked` is what the portal was last asked to do with a made bill (Part B, cancelling) while
-- its answer is not known: whoever acts next asks first what became of it.
create table eway_bills (
  organisation int not null,
  document uuid not null,
  bill int not null,
  route text not null check (route in ('irn', 'direct')),
  state text not null
    check (state in ('queued', 'sending', 'unclear', 'failed', 'partA', 'active', 'cancelled', 'void')),
  author uuid not null,
  transport jsonb not null,
  number text,
  made_at text,
  valid_until text,
  distance int,
  error_code text,
  error text,
  attempts int not null default 0,
  asked jsonb,
  asked_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organisation, document, bill),
  foreign key (organisation, document) references documents,
  foreign key (organisation, author) references users,
  constraint eway_bills_made check (state not in ('partA', 'active') or number is not null)
);
create unique index eway_bills_live on eway_bills (organisation, document) where state not in ('cancelled', 'void');
create unique index eway_bills_number on eway_bills (organisation, number) where number is not null;
create index eway_bills_state on eway_bills (organisation, state, document);
create index eway_bills_stuck on eway_bills (updated_at) where state = 'sending';
grant select, insert, update on eway_bills to bahi_app;

create table eway_attempts (
  organisation int not null,
  document uuid not null,
  bill int not null,
  attempt int not null,
  at timestamptz not null default now(),
  what text not null,
  outcome text not null,
  code text,
  message text,
  request text,
  response text,
  primary key (organisation, document, bill, attempt),
  foreign key (organisation, document, bill) references eway_bills
);
grant select, insert on eway_attempts to bahi_app;

-- An invoice whose IRN is cancelled is no tax invoice any more (rule 48(5)), and the portal never gives its number
-- a second IRN. It stays in the books until it is cancelled there; nothing new refers to it meanwhile, from the
-- moment the portal is asked.
create function irn_cancelled(org int, doc uuid) returns boolean
language sql stable as $$
  select exists (
    select from einvoices e
    where e.organisation = org and e.document = doc and (e.state = 'cancelled' or e.cancel_asked is not null)
  )
$$;
grant execute on function irn_cancelled(int, uuid) to bahi_app;

-- The invoice portal may hold the number of a document for another invoice: what it signed differed from ours.
-- Cancelling the document would leave that number at the portal with nothing in the books, so it waits until the
-- IRN is cancelled there and the portal has been asked again. The code stays while it is sent again, until another
-- answer comes.
create function irn_differs(e einvoices) returns boolean
language sql immutable as $$
  select e.state in ('queued', 'failed') and e.error_code is not distinct from 'differs'
$$;
grant execute on function irn_differs(einvoices) to bahi_app;

-- A document and its IRN cannot part: while the portal has it, or may have it, the document is not cancelled; what
-- was not sent yet is never sent once its document is cancelled.
create function irn_before_cancellation() returns trigger
language plpgsql as $$
declare
  known einvoices;
begin
  select * into known
  from einvoices
  where organisation = new.organisation and document = new.document
  for update;
  if known.state in ('sending', 'unclear', 'registered') or irn_differs(known) then
    raise exception 'the portal has, or may have, this document'
      using errcode = 'check_violation', constraint = 'cancellations_irn';
  end if;
  update einvoices
  set state = 'void', updated_at = now(), version = version + 1
  where organisation = new.organisation and document = new.document and known.state in ('queued', 'failed');
  return new;
end
$$;
create trigger irn_before_cancellation before insert on cancellations
  for each row execute function irn_before_cancellation();

-- Whoever settles holds the open items of both documents, as does who asks to cancel an IRN: one of them comes
-- first.
create function settles_what_has_its_irn() returns trigger
language plpgsql as $$
declare
  named text;
begin
  select d.number into named
  from documents d
  where d.organisation = new.organisation
    and d.id in (new.credit_document, new.invoice_document)
    and irn_cancelled(new.organisation, d.id)
  limit 1;
  if found then
    raise exception '%', named using errcode = 'check_violation', constraint = 'allocations_irn';
  end if;
  return new;
end
$$;
create trigger settles_what_has_its_irn before insert on allocations
  for each row
  when (new.amount > 0)
  execute function settles_what_has_its_irn();

-- While the portal has a bill, or may have it, its document is not cancelled; what was not sent yet is never sent
-- after that.
create function way_bill_before_cancellation() returns trigger
language plpgsql as $$
declare
  known text;
begin
  select state into known
  from eway_bills
  where organisation = new.organisation and document = new.document and state not in ('cancelled', 'void')
  for update;
  if known in ('sending', 'unclear', 'partA', 'active') then
    raise exception 'the portal has, or may have, an e-way bill of this document'
      using errcode = 'check_violation', constraint = 'cancellations_eway';
  end if;
  update eway_bills
  set state = 'void', updated_at = now(), version = version + 1
  where organisation = new.organisation and document = new.document and state in ('queued', 'failed');
  return new;
end
$$;
create trigger way_bill_before_cancellation before insert on cancellations
  for each row execute function way_bill_before_cancellation();
-- What banks say of their accounts: statement lines as they were read, when an entry of the books went through the
-- bank, and what to make of lines that the books do not have yet. Entries themselves are never touched.

-- How the statements of one bank are read: which heading holds what.
create table bank_formats (
  organisation int not null references organisations,
  ledger uuid not null,
  format jsonb not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, ledger),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, by) references users
);
grant select, insert, update on bank_formats to bahi_app;

-- A line of a statement; above nothing: money came in. Alike lines of one day are told apart by their occurrence,
-- so that a statement that is read twice, or overlaps with another, adds nothing twice.
create table bank_lines (
  organisation int not null references organisations,
  id uuid not null,
  ledger uuid not null,
  date date not null,
  amount bigint not null check (amount <> 0),
  text text not null,
  reference text not null default '',
  balance bigint,
  digest bytea not null,
  occurrence int not null check (occurrence > 0),
  place int not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, ledger, digest, occurrence),
  unique (organisation, ledger, id),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, by) references users
);
create index bank_lines_date on bank_lines (organisation, ledger, date);
grant select, insert on bank_lines to bahi_app;

-- An entry on the ledger of a bank went through it on this day, by this line of a statement; without one the day
-- was typed.
create table bank_clearings (
  organisation int not null,
  document uuid not null,
  leg int not null,
  ledger uuid not null,
  bank_date date not null,
  line uuid,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document, leg),
  foreign key (organisation, document, leg) references entries,
  foreign key (organisation, ledger, line) references bank_lines (organisation, ledger, id),
  foreign key (organisation, by) references users
);
create index bank_clearings_line on bank_clearings (organisation, line) where line is not null;
create index bank_clearings_ledger on bank_clearings (organisation, ledger, bank_date);
grant select, insert, delete on bank_clearings to bahi_app;

-- Lines whose text holds this become such a document.
create table bank_rules (
  organisation int not null references organisations,
  id uuid not null,
  ledger uuid,
  holds text not null check (holds <> ''),
  way text not null,
  party uuid,
  counter uuid,
  narration text not null default '',
  version int not null default 1,
  by uuid not null,
  at timestamptz not null default now(),
  -- Rules of a bank are asked in their order.
  place int not null default 0,
  primary key (organisation, id),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, counter) references ledgers,
  foreign key (organisation, party) references parties,
  foreign key (organisation, by) references users
);
grant select, insert, update, delete on bank_rules to bahi_app;

-- What went through the bank happened: it is cancelled only after its clearing was taken back.
create function refuse_cleared() returns trigger
language plpgsql as $$
begin
  if exists (
    select from bank_clearings c
    where c.organisation = new.organisation and c.document = new.document
  ) then
    raise exception 'a document that went through the bank'
      using errcode = '23514', constraint = 'cancellations_cleared';
  end if;
  return new;
end
$$;
create trigger refuse_cleared before insert on cancellations for each row execute function refuse_cleared();
-- Money that comes by a payment gateway: what an organisation signs in with, links that anyone may pay by, and what
-- the gateway has told. Each payment is told at least once, and makes one receipt.
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

-- What the gateway tells, once by its own name and once for a payment however often and by whatever name it is told.
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
-- Orders that go through stages. A definition is written as a draft and published as a version that nothing changes
-- any more; an order that was posted under one stays on it. Where an order stands follows from its moves and is
-- never written by itself: posting an order starts it, a move brings it on, both by triggers, so that no way of
-- writing can forget either.

create table workflows (
  organisation int not null references organisations,
  id uuid not null,
  family text not null
    check (family in ('saleOrders', 'saleReturnOrders', 'purchaseOrders', 'purchaseReturnOrders')),
  version int not null check (version > 0),
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'retired', 'cancelled')),
  stages jsonb not null,
  actions jsonb not null,
  author uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  published_by uuid,
  published_at timestamptz,
  ended_by uuid,
  ended_at timestamptz,
  revision int not null default 1,
  primary key (organisation, id),
  unique (organisation, family, version),
  foreign key (organisation, author) references users,
  foreign key (organisation, published_by) references users,
  foreign key (organisation, ended_by) references users
);
-- One that is being written, and one that new orders follow.
create unique index workflows_draft on workflows (organisation, family) where status = 'draft';
create unique index workflows_published on workflows (organisation, family) where status = 'published';
grant select, insert, update on workflows to bahi_app;

-- Where an order stands; kept by the triggers below alone.
create table workflow_orders (
  organisation int not null,
  document uuid not null,
  workflow uuid not null,
  stage text not null,
  moves int not null,
  since timestamptz not null,
  due_at timestamptz,
  onward boolean not null,
  ended boolean not null,
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  foreign key (organisation, workflow) references workflows
);
create index workflow_orders_stage on workflow_orders (organisation, workflow, stage);
grant select on workflow_orders to bahi_app;

-- Each step of an order, the first (without an action) being its start.
create table workflow_moves (
  organisation int not null,
  document uuid not null,
  number int not null,
  action text,
  from_stage text,
  to_stage text not null,
  comment text not null default '',
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, document, number),
  foreign key (organisation, document) references workflow_orders,
  foreign key (organisation, by) references users,
  check ((number = 1) = (action is null) and (action is null) = (from_stage is null))
);
grant select, insert on workflow_moves to bahi_app;

-- The family of orders that a kind belongs to, as `domain/kinds` has it. A test compares them.
create function workflow_family(kind text) returns text
language sql immutable as $$
  select case kind
    when 'saleOrder' then 'saleOrders'
    when 'workflowOrder' then 'saleOrders'
    when 'saleReturnOrder' then 'saleReturnOrders'
    when 'returnOrder' then 'saleReturnOrders'
    when 'purchaseOrder' then 'purchaseOrders'
    when 'purchaseReturnOrder' then 'purchaseReturnOrders'
  end
$$;
grant execute on function workflow_family(text) to bahi_app;

-- The kinds that are made from an order whatever its stage: money moves before goods do.
create function workflow_free() returns text[]
language sql immutable as $$
  select array['advanceReceipt', 'advancePayment']
$$;
grant execute on function workflow_free() to bahi_app;

-- Whether orders of a family follow stages: switched on, and the module has not ended (the core goes on without
-- it).
create function workflow_on(org int, asked text) returns boolean
language sql stable as $$
  select coalesce(
    (
      o.settings ->> case asked
        when 'saleOrders' then 'isSaleOrderWfenabled'
        when 'saleReturnOrders' then 'isSaleReturnOrderWfenabled'
        when 'purchaseOrders' then 'isPurchaseOrderWfenabled'
        else 'isPurchaseReturnOrderWfenabled'
      end
    )::boolean,
    false
  )
    and exists (
      select from subscriptions s
      where s.organisation = org
        and 'workflow' = any(s.modules)
        and (s.ends_on is null or s.ends_on >= (now() at time zone 'Asia/Kolkata')::date)
    )
  from organisations o
  where o.organisation = org
$$;
grant execute on function workflow_on(int, text) to bahi_app;

-- A stage of a version, by its key.
create function workflow_stage(stages jsonb, key text) returns jsonb
language sql immutable as $$
  select s from jsonb_array_elements(stages) s where s ->> 'key' = key
$$;
grant execute on function workflow_stage(jsonb, text) to bahi_app;

-- The name of the stage that keeps an order from being continued; null: nothing does.
create function workflow_held(org int, ordered uuid) returns text
language sql stable as $$
  select workflow_stage(w.stages, o.stage) ->> 'name'
  from workflow_orders o
  join workflows w on w.organisation = o.organisation and w.id = o.workflow
  where o.organisation = org and o.document = ordered and not o.onward and workflow_on(org, w.family)
$$;
grant execute on function workflow_held(int, uuid) to bahi_app;

-- Puts an order on the published version of its family; nothing when there is none.
create function workflow_begin(org int, ordered uuid, family_asked text, who uuid) returns boolean
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  w workflows;
  s jsonb;
begin
  if org is distinct from nullif(current_setting('app.organisation', true), '')::int then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  -- twice: who waited for a version that was just followed by another sees that one with the second look
  for look in 1 .. 2 loop
    select * into w
    from workflows
    where organisation = org and family = family_asked and status = 'published'
    for share;
    exit when found;
  end loop;
  if w.id is null then
    return false;
  end if;
  select e into s
  from jsonb_array_elements(w.stages) e
  where (e ->> 'start')::boolean;
  insert into workflow_orders (organisation, document, workflow, stage, moves, since, due_at, onward, ended)
  values (org, ordered, w.id, s ->> 'key', 0, clock_timestamp(), null, false, false);
  insert into workflow_moves (organisation, document, number, action, from_stage, to_stage, by)
  values (org, ordered, 1, null, null, s ->> 'key', who);
  return true;
end
$$;
revoke all on function workflow_begin(int, uuid, text, uuid) from public;
grant execute on function workflow_begin(int, uuid, text, uuid) to bahi_app;

-- A version that was published stays as it was; it is only followed by another, or given up.
create function workflow_kept() returns trigger
language plpgsql as $$
begin
  if (old.status, new.status) not in (
    ('draft', 'draft'), ('draft', 'published'), ('draft', 'cancelled'), ('published', 'retired'),
    ('published', 'cancelled')
  )
    or old.status <> 'draft'
      and (new.name, new.stages, new.actions, new.published_by, new.published_at) is distinct from (
        old.name, old.stages, old.actions, old.published_by, old.published_at
      )
    or (new.family, new.version, new.author, new.created_at) is distinct from (
      old.family, old.version, old.author, old.created_at
    ) then
    raise exception 'a published version of a workflow is not changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger workflow_kept before update on workflows for each row execute function workflow_kept();

-- Posting an order starts it in the same transaction. The trigger's condition is looked at for every document, so
-- it costs next to nothing.
create function workflow_posted() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if workflow_family(new.kind) is not null and workflow_on(new.organisation, workflow_family(new.kind)) then
    perform workflow_begin(new.organisation, new.id, workflow_family(new.kind), new.author);
  end if;
  return null;
end
$$;
create trigger workflow_posted after insert on documents
  for each row
  when (new.reverses is null and new.kind like '%Order')
  execute function workflow_posted();

-- A move starts from the order's present stage, by an action of its version; the order is then at the stage that
-- the action leads to. Nobody approves their own order: where a stage is an approval, whoever entered the order
-- does not bring it on from there; they may turn it away. Versions without such a stage ask for no approval.
create function workflow_moved() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  o workflow_orders;
  w workflows;
  s jsonb;
  a jsonb;
begin
  select * into o
  from workflow_orders
  where organisation = new.organisation and document = new.document
  for update;
  select * into w
  from workflows
  where organisation = o.organisation and id = o.workflow;
  s := workflow_stage(w.stages, new.to_stage);
  select e into a
  from jsonb_array_elements(w.actions) e
  where e ->> 'key' = new.action and e ->> 'from' = new.from_stage and e ->> 'to' = new.to_stage;
  if new.number <> o.moves + 1
    or s is null
    or new.action is not null and (new.from_stage <> o.stage or o.ended or a is null)
  then
    raise exception 'this move does not go on from where the order stands'
      using errcode = 'check_violation', constraint = 'workflow_moves_on';
  end if;
  if (workflow_stage(w.stages, new.from_stage) ->> 'approval')::boolean
    and not (a ->> 'destructive')::boolean
    and exists (
      select from documents d
      where d.organisation = new.organisation and d.id = new.document and d.author = new."by"
    ) then
    raise exception 'nobody approves his own order'
      using errcode = 'check_violation', constraint = 'workflow_moves_own';
  end if;
  update workflow_orders
  set
    stage = new.to_stage, moves = new.number, since = new.at,
    due_at = new.at + make_interval(hours => (s ->> 'slaHours')::int), onward = (s ->> 'onward')::boolean,
    ended = (s ->> 'end')::boolean
  where organisation = new.organisation and document = new.document;
  return null;
end
$$;
create trigger workflow_moved after insert on workflow_moves for each row execute function workflow_moved();

-- Nothing is made from an order whose stage does not allow it, however the document came about.
create function workflow_held_back() returns trigger
language plpgsql as $$
declare
  stage text := workflow_held(new.organisation, new.source);
begin
  if stage is not null
    and not exists (
      select from documents d
      where d.organisation = new.organisation and d.id = new.target and d.kind = any(workflow_free())
    ) then
    raise exception '%',
      (select d.number from documents d where d.organisation = new.organisation and d.id = new.source)
        || E'\n' || stage
      using errcode = 'check_violation', constraint = 'workflow_held';
  end if;
  return null;
end
$$;
create trigger workflow_held after insert on document_links
  for each row
  when (new.role in ('source', 'order'))
  execute function workflow_held_back();
-- Closing a year, and restating balances in other currencies at the rate of a day.

-- A year that has ended is closed by one document of the product, which can be taken back for a reason as long as no
-- later year is closed. `document` is empty when the year had neither income nor expense.
create table year_closings (
  organisation int not null references organisations,
  year text not null check (year ~ '^\d{4}-\d{2}$'),
  attempt int not null,
  closed_through date not null,
  profit bigint not null,
  document uuid,
  locked_before date,
  by uuid not null,
  at timestamptz not null default now(),
  reopened_by uuid,
  reopened_at timestamptz,
  reopen_reason text,
  reversal uuid,
  primary key (organisation, year, attempt),
  foreign key (organisation, document) references documents,
  foreign key (organisation, reversal) references documents,
  foreign key (organisation, by) references users,
  foreign key (organisation, reopened_by) references users,
  check ((reopened_at is null) = (reopened_by is null) and (reopened_at is null) = (reopen_reason is null))
);
create unique index year_closings_closed on year_closings (organisation, year) where reopened_at is null;
create index year_closings_document on year_closings (organisation, closed_through);
grant select, insert, update on year_closings to bahi_app;

-- Open foreign balances brought to the rate of a day: the journal, the one that takes it back on the next day, and
-- what it was worked out from, document by document.
create table exchange_revaluations (
  organisation int not null references organisations,
  id uuid not null,
  as_of date not null,
  location uuid not null,
  journal uuid not null,
  reversal uuid, -- none for money in another currency: what is restated on its own ledger stays
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, journal),
  unique (organisation, reversal),
  foreign key (organisation, location) references locations,
  foreign key (organisation, journal) references documents,
  foreign key (organisation, reversal) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on exchange_revaluations to bahi_app;

create table exchange_revaluation_lines (
  organisation int not null,
  revaluation uuid not null,
  document uuid not null,
  line int not null,
  currency text not null,
  open bigint not null,
  worth bigint not null,
  rate bigint not null,
  difference bigint not null,
  primary key (organisation, revaluation, document, line),
  foreign key (organisation, revaluation) references exchange_revaluations,
  foreign key (organisation, document) references documents
);
grant select, insert on exchange_revaluation_lines to bahi_app;

create table exchange_revaluation_money (
  organisation int not null,
  revaluation uuid not null,
  ledger uuid not null,
  currency text not null,
  balance bigint not null,
  worth bigint not null,
  rate bigint,
  difference bigint not null,
  primary key (organisation, revaluation, ledger),
  foreign key (organisation, revaluation) references exchange_revaluations,
  foreign key (organisation, ledger) references ledgers
);
grant select, insert on exchange_revaluation_money to bahi_app;

-- A restatement at the rates of a day looks at what was restated before and posts several journals, each in a
-- transaction of its own. Several people who do so at the same moment would restate the same balances. So each
-- restatement has a turn: all who saw the same books try to post the same first journal, and the key of documents
-- lets one of them.
create table exchange_revaluation_turns (
  organisation int not null references organisations,
  turn int not null,
  journal uuid not null,
  done_at timestamptz,
  primary key (organisation, turn),
  unique (organisation, journal)
);
grant select, insert, update on exchange_revaluation_turns to bahi_app;
-- What goes out: jobs for the outside world, and mails.

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
create index outbox_age on outbox (handed_at) where handed_at is not null;
grant select, insert on outbox to bahi_app;

-- Mails of documents. The row is written with its job; a relay sends it, and what was sent is kept with its papers.
create table mails (
  organisation int not null references organisations,
  id uuid not null,
  recipients text[] not null check (cardinality(recipients) > 0),
  copies text[] not null default '{}',
  subject text not null,
  message text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts int not null default 0,
  error text,
  sent_at timestamptz,
  claimed_until timestamptz, -- while somebody sends it nobody else does; a process that died gives it free by time
  replaced_by uuid, -- sent again by hand: this one is not tried any more
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  foreign key (organisation, by) references users,
  foreign key (organisation, replaced_by) references mails,
  check ((state = 'sent') = (sent_at is not null))
);
grant select, insert, update on mails to bahi_app;

-- The documents of a mail in the order of its attachments. The paper is made when the mail is sent, and kept as it
-- was sent. A certificate of tax goes by mail as well: it is no document, its paper is made when it is asked for
-- and kept from then on.
create table mail_papers (
  organisation int not null,
  mail uuid not null,
  place int not null,
  document uuid,
  name text not null,
  digest text,
  certificate uuid,
  primary key (organisation, mail, place),
  unique (organisation, mail, document),
  foreign key (organisation, mail) references mails,
  foreign key (organisation, document) references documents,
  foreign key (organisation, digest) references files,
  foreign key (organisation, certificate) references tax_certificates,
  constraint mail_papers_of
    check ((document is null) <> (certificate is null) and (certificate is null or digest is not null))
);
create index mail_papers_document on mail_papers (organisation, document);
create index mail_papers_certificate on mail_papers (organisation, certificate) where certificate is not null;
grant select, insert, update on mail_papers to bahi_app;
-- What posting reads: everything that it looks up is answered together with its locks, in as few questions as it
-- can, for posting spends its time in round trips and not in looking up (ADR 4). What changes seldom is kept by each
-- server process, and its version here (ADR 8).

-- What a document names is compared with it before it is posted: party, registration, place of supply, kind of tax,
-- currency and day of the documents that it is made from, item and unit of their lines, and who may see them.

-- The version of all that server processes keep of an organisation.
create table house_versions (
  organisation int primary key references organisations,
  version bigint not null
);
grant select on house_versions to bahi_app;

-- What changes seldom in an organisation (settings, posting map, places, series) is kept by each server process.
-- The number in house_versions tells it, inside the posting's own transaction, whether what it keeps is still so.
create function house_changed() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into house_versions as h (organisation, version)
  values (case when tg_op = 'DELETE' then old.organisation else new.organisation end, 1)
  on conflict (organisation) do update
  set version = h.version + 1;
  return null;
end
$$;

-- An everyday posting asks nothing before it writes: its server process decides from what it remembers of masters
-- and stock, and the writing statement proves that all of it is still so. When anything differs, nothing is written
-- and nothing is answered. So the number counts changes of masters too. New rows change nothing that is remembered,
-- but for conversions of units. It is counted at the commit, once for all rows, so that nobody who changes a master
-- waits for another who does.
create function masters_changed() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  org int := case when tg_op = 'DELETE' then old.organisation else new.organisation end;
begin
  if coalesce(current_setting('app.masters_changed', true), '') <> org::text then
    update house_versions set version = version + 1 where organisation = org;
    perform set_config('app.masters_changed', org::text, true);
  end if;
  return null;
end
$$;
create constraint trigger house_changed after update or delete on items deferrable initially deferred
  for each row execute function masters_changed();
create constraint trigger house_changed after update or delete on ledgers deferrable initially deferred
  for each row execute function masters_changed();
-- What changes on a ledger is known to every posting already; a new one is, when it has a currency.
create constraint trigger ledger_in_a_currency after insert on ledgers deferrable initially deferred
  for each row
  when (new.currency is not null)
  execute function masters_changed();
-- A new ledger of money is new to every process that remembers the list.
create constraint trigger money_ledger after insert on ledgers deferrable initially deferred
  for each row
  when (is_money(new.is_bank, new.role))
  execute function masters_changed();
create constraint trigger house_changed after insert or update or delete on masters deferrable initially deferred
  for each row execute function masters_changed();
create constraint trigger house_changed after update or delete on parties deferrable initially deferred
  for each row execute function masters_changed();
create constraint trigger house_changed after insert or update or delete on taxpayers deferrable initially deferred
  for each row execute function masters_changed();

-- What every posting knows of an organisation, as one snapshot with its number: settings, ledgers of effects, the
-- status and the suspensions of registrations, places with the addresses that the invoice portal asks for, locks of
-- registers, and number series: a location's own before its registration's. Names the organisation for this
-- transaction. The series of a till are left out: other documents take no number from them.
create function house_facts(org int) returns table (version bigint, house json)
language plpgsql as $$
begin
  perform set_config('app.organisation', org::text, true);
  return query
    select
      v.version,
      json_build_object(
        'settings', o.settings,
        'ledgers', (select json_object_agg(effect, ledger) from posting_map where organisation = org),
        'currencies', (
          select coalesce(json_object_agg(id, currency), '{}')
          from ledgers
          where organisation = org and currency is not null
        ),
        'transit', (
          select id
          from locations
          where organisation = org and is_transit
          limit 1
        ),
        'registrations', (
          select coalesce(json_agg(r), '[]')
          from (
            select
              id, state, kind, gstin, legal_name as "legalName", status_changes(org, id) as statuses,
              own_address(body) as address, coalesce(body -> 'stops', '[]') as stops,
              coalesce((body ->> 'einvoice')::boolean, false) as einvoice,
              nullif(body ->> 'einvoiceFrom', '') as "einvoiceFrom", active
            from registrations
            where organisation = org
          ) r
        ),
        'locations', (
          select coalesce(json_agg(l), '[]')
          from (
            select id, code, name, registration, own_address(body) as address, active
            from locations
            where organisation = org
          ) l
        ),
        'locks', (
          select coalesce(json_object_agg(register, locked_through), '{}')
          from register_locks
          where organisation = org
        ),
        'series', (
          select coalesce(json_agg(s), '[]')
          from (
            select id, kind, registration, location, prefix, suffix, padding, start, reset
            from number_series
            where organisation = org and active and till is null
            order by location nulls last, id
          ) s
        )
      )
    from organisations o
    join house_versions v on v.organisation = org
    where o.organisation = org;
end
$$;
grant execute on function house_facts(int) to bahi_app;

-- What posting knows of cost centres.
create function cost_centre_facts(org int) returns json
language sql stable as $$
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'active', active)), '[]')
  from cost_centres
  where organisation = org
$$;
grant execute on function cost_centre_facts(int) to bahi_app;

-- Of these ledgers, those that take entries, each as its id; and those that would, were they not retired, with
-- their names.
create function taking_ledgers(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(
    json_agg(case when active then to_json(id) else json_build_object('id', id, 'name', name) end), '[]'
  )
  from ledgers
  where organisation = org and id = any(ids) and not is_group and not is_computed(role)
$$;
grant execute on function taking_ledgers(int, uuid[]) to bahi_app;

-- What posting knows of parties. Nothing is posted on a merged party. With the address that bills go to: rule
-- 46(e), from ₹50,000 an invoice to a buyer without GSTIN names their address and the state of delivery, and the
-- invoice portal refuses a buyer without an address, or with a PIN code of another state. And with what the
-- register said of the GSTIN when it was asked last: an invoice to a cancelled registration is refused by the
-- invoice portal, and the GSTIN is no use to its buyer.
create function party_facts(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(p), '[]')
  from (
    select
      id, name, category, state, country, gstin, pan, coalesce((body ->> 'microSmall')::boolean, false) as micro,
      credit_days, credit_limit, not active as retired,
      jsonb_array_length(coalesce(body -> 'addresses', '[]')) > 0 as addressed,
      (
        select jsonb_build_object(
          'line1', a.address -> 'line1', 'city', a.address -> 'city', 'state', a.address -> 'state',
          'pincode', a.address -> 'pincode'
        )
        from jsonb_array_elements(coalesce(body -> 'addresses', '[]')) with ordinality a(address, place)
        order by coalesce(a.address ->> 'type', '') = 'shipping', a.place
        limit 1
      ) as address,
      (
        select jsonb_build_object('status', t.facts -> 'status', 'cancelledOn', t.facts -> 'cancelledOn')
        from taxpayers t
        where t.organisation = parties.organisation and t.gstin = parties.gstin
      ) as register
    from parties
    where organisation = org and id = any(ids) and heir is null
  ) p
$$;
grant execute on function party_facts(int, uuid[]) to bahi_app;

-- Items as posting sees them, with the units they can be counted in. Unknown and foreign ids are left out alike; a
-- record that is retired is known, and known to be retired. A conversion that holds only for a template holds for
-- its variants. Goods that keep for a time only say how many days from when they are made, and how many have to be
-- left when they are sold.
create function item_facts(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(i), '[]')
  from (
    select
      i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate,
      i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger,
      i.credit_blocked, i.scrap, not i.active as retired, i.is_template as template,
      coalesce((i.body ->> 'batched')::boolean, false) as batched,
      coalesce((i.body ->> 'serialised')::boolean, false) as serialised,
      case
        when i.body ->> 'hasShelfLife' = 'true'
          then json_build_object(
            'days', (i.body ->> 'shelfLifeDays')::int,
            'least', coalesce((i.body ->> 'minRemainingShelfLifeDays')::int, 0)
          )
      end as shelf_life,
      (
        select json_agg(
          json_build_object(
            'from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor',
            'own', coalesce(m.body ->> 'item', '') <> ''
          )
        )
        from masters m
        where m.organisation = org
          and m.master = 'unitConversion'
          and m.active
          and coalesce(m.body ->> 'item', '') in ('', i.id::text, i.template::text)
      ) as conversions
    from items i
    where i.organisation = org and i.id = any(ids)
  ) i
$$;
grant execute on function item_facts(int, uuid[]) to bahi_app;

-- The value of a line in the currency of its document. A return takes its part of every amount of its source line,
-- so what is left is counted amount by amount.
create function source_foreign(d documents, l document_lines) returns bigint
language sql stable as $$
  select case
    when d.currency = 'INR' then l.value
    else coalesce(
      (d.body -> 'foreignValues' ->> (l.line - 1))::bigint, round(l.value * 1000000.0 / d.exchange_rate)::bigint
    )
  end
$$;
grant execute on function source_foreign(documents, document_lines) to bahi_app;

-- The free quantity of a line in its unit, in millionths. Goods that were given free are counted by themselves:
-- what is made from a line takes no more of them than it gave, however much of what was paid for is left.
create function source_free(d documents, l document_lines) returns bigint
language sql stable as $$
  select coalesce((d.body #>> array['draft', 'lines', (l.line - 1)::text, 'freeQuantity'])::bigint, 0)
$$;
grant execute on function source_free(documents, document_lines) to bahi_app;

-- Cess by quantity, in paise for one of the line's unit. Older documents keep only what it came to.
create function source_cess_per_unit(d documents, l document_lines) returns bigint
language sql stable as $$
  select coalesce(
    (d.body -> 'cessPerUnits' ->> (l.line - 1))::bigint,
    greatest(
      0,
      round(
        (l.cess - round(l.taxable * coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) / 1000000.0))
          * 1000000.0 / nullif(l.quantity, 0)
      )
    )::bigint,
    0
  )
$$;
grant execute on function source_cess_per_unit(documents, document_lines) to bahi_app;

-- The retail price that the tax of a line is inside of (rule 31D); null for a line taxed on its value.
create function source_retail_price(d documents, l document_lines) returns bigint
language sql stable as $$
  select coalesce(
    (d.body -> 'retailPrices' ->> (l.line - 1))::bigint,
    case
      when l.item is not null and l.value <> l.taxable and l.quantity > 0 and l.cgst + l.sgst + l.igst > 0
        then round((l.taxable + l.cgst + l.sgst + l.igst) * 1000000.0 / l.quantity)::bigint
    end
  )
$$;
grant execute on function source_retail_price(documents, document_lines) to bahi_app;

-- Lines of documents that others are made from: their rates and discounts as they were typed, what was made of each
-- by kind and amount (free goods by themselves), and what they cost. Amounts in another currency come from the body
-- where it keeps them, else from the rate of the document. What is made from a line takes over its rate where none
-- is given: goods that come back are worth what they were sold for. A return needs the movement that its goods came
-- in by, and the duty on them.
create function source_lines(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(json_agg(s), '[]')
  from (
    select
      l.document, l.line, l.item, l.ledger, l.hsn, l.unit, l.quantity, source_free(d, l) as free_quantity,
      l.base_quantity, l.gst_rate, l.treatment, l.rate,
      d.body #> array['draft', 'lines', (l.line - 1)::text, 'discount'] as discount, l.taxable, l.value, l.cgst,
      l.sgst, l.igst, l.cess, source_foreign(d, l) as foreign,
      coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
      source_cess_per_unit(d, l) as cess_per_unit, source_retail_price(d, l) as retail_price,
      (
        select coalesce(json_agg(x), '[]')
        from (
          select
            t.kind, sum(u.quantity) as quantity, sum(source_free(t, u)) as free_quantity,
            sum(u.base_quantity) as base_quantity, sum(u.taxable) as taxable, sum(u.value) as value,
            sum(source_foreign(t, u)) as foreign, sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst,
            sum(u.cess) as cess
          from document_lines u
          join documents t on t.organisation = org and t.id = u.document
          where u.organisation = org
            and u.source_document = l.document
            and u.source_line = l.line
            and t.reverses is null
            and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
          group by t.kind
        ) x
      ) as used,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'number', m.number, 'item', m.item, 'location', m.location, 'quantity', m.quantity,
              'cost', (
                select c.cost
                from movement_costs c
                where c.organisation = org and c.document = m.document and c.number = m.number
                order by c.revision desc
                limit 1
              )
            )
            order by m.number
          ),
          '[]'
        )
        from movements m
        where m.organisation = org and m.document = l.document and m.line = l.line
      ) as moved,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'date', m.date, 'amount', coalesce((b.body -> 'landed' ->> m.line::text)::bigint, m.stated_value)
            )
          ),
          '[]'
        )
        from document_links k
        join movements m on m.organisation = org and m.document = k.target and m.quantity = 0 and m.line = l.line
          and m.item = l.item
        join documents b on b.organisation = org and b.id = k.target and b.reverses is null
        where k.organisation = org
          and k.source = l.document
          and k.role = 'source'
          and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
      ) as landed
    from document_lines l
    join documents d on d.organisation = org and d.id = l.document
    where l.organisation = org and l.document = any(ids)
  ) s
$$;
grant execute on function source_lines(int, uuid[]) to bahi_app;

-- The documents that others are made from. Of a rounding that several documents took back, each took what stands on
-- it; one that took back several documents counts for the first of them. A note or return is to who its document
-- was to (section 34, rule 53(1A)): name, GSTIN, state and category as that has them, with the country and address
-- that it keeps.
create function source_documents(org int, ids uuid[]) returns json
language sql stable as $$
  select coalesce(
    json_agg(
      json_build_object(
        'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', heir_of(org, d.party),
        'partyThen', case
          when d.party is not null and d.category is not null
            then json_build_object(
              'name', d.party_name, 'gstin', d.party_gstin, 'state', d.party_state, 'category', d.category,
              'country', d.body #>> '{partyThen,country}',
              'address', nullif(d.body #> '{partyThen,address}', 'null')
            )
        end,
        'registration', d.registration, 'location', d.location, 'toLocation', d.to_location, 'author', d.author,
        'placeOfSupply', d.place_of_supply, 'currency', d.currency, 'exchangeRate', d.exchange_rate,
        'supply', coalesce(d.body ->> 'supply', 'none'), 'supplyType', d.supply_type,
        'taxCharged', coalesce((d.body ->> 'taxCharged')::boolean, false), 'reverseCharge', d.reverse_charge,
        'withPayment', d.supply_type in ('EXPWP', 'SEZWP'), 'roundOff', d.round_off,
        'adjusted', adjusted_by(d.body),
        'rounded', (
          select coalesce(
            json_agg(json_build_object('kind', t.kind, 'roundOff', t.round_off, 'adjusted', adjusted_by(t.body))),
            '[]'
          )
          from document_links k
          join documents t on t.organisation = org and t.id = k.target
          where k.organisation = org
            and k.source = d.id
            and k.role = 'source'
            and (t.round_off <> 0 or t.body ? 'adjustments')
            and not exists (
              select from document_links f
              where f.organisation = org and f.target = k.target and f.role = 'source' and f.source < d.id
            )
            and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
        ),
        'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id),
        'irnCancelled', irn_cancelled(org, d.id)
      )
    ),
    '[]'
  )
  from documents d
  where d.organisation = org and d.id = any(ids)
$$;
grant execute on function source_documents(int, uuid[]) to bahi_app;

-- What uses an advance takes rate, place of supply and tax from it: value and tax of the advance, and how much of
-- them its adjustments and refunds have used. `users` are the kinds that use advances. Read after the lock on the
-- advance.
create function advance_facts(org int, ids uuid[], users text[]) returns json
language sql stable as $$
  select json_agg(
    json_build_object(
      'document', d.id, 'number', d.number, 'date', d.date, 'placeOfSupply', d.place_of_supply,
      'rate', coalesce(
        (
          select l.gst_rate
          from document_lines l
          where l.organisation = org and l.document = d.id
          order by l.line
          limit 1
        ),
        0
      ),
      'whole', json_build_object(
        'amount', d.foreign_total, 'taxable', d.taxable, 'cgst', d.cgst, 'sgst', d.sgst, 'igst', d.igst,
        'cess', d.cess
      ),
      'left', json_build_object(
        'amount', d.foreign_total - u.amount, 'taxable', d.taxable - u.taxable, 'cgst', d.cgst - u.cgst,
        'sgst', d.sgst - u.sgst, 'igst', d.igst - u.igst, 'cess', d.cess - u.cess
      )
    )
  )
  from documents d
  cross join lateral (
    select
      coalesce(sum(t.foreign_total), 0)::bigint as amount, coalesce(sum(t.taxable), 0)::bigint as taxable,
      coalesce(sum(t.cgst), 0)::bigint as cgst, coalesce(sum(t.sgst), 0)::bigint as sgst,
      coalesce(sum(t.igst), 0)::bigint as igst, coalesce(sum(t.cess), 0)::bigint as cess
    from document_links k
    join documents t on t.organisation = org and t.id = k.target
    where k.organisation = org
      and k.source = d.id
      and k.role = 'source'
      and t.kind = any(users)
      and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
  ) u
  where d.organisation = org and d.id = any(ids)
$$;
grant execute on function advance_facts(int, uuid[], text[]) to bahi_app;

create trigger house_changed after insert or update or delete on cost_centres
  for each row execute function house_changed();
-- Every posting knows them with what else it knows of the house.
create trigger house_changed after insert or update or delete on gst_filings
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on locations
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on number_series
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on organisations
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on posting_map
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on register_locks
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on registration_statuses
  for each row execute function house_changed();
create trigger house_changed after insert or update or delete on registrations
  for each row execute function house_changed();
-- The books have one door (ADR 43). Documents, lines, entries, movements and the totals of ledgers are written by
-- write_documents, what the product itself makes by write_system_document, with the rights of their owner: the
-- application needs no right to write one of them past its number, its totals and its proofs. The organisation is
-- compared once, at the door. A posting from memory is a transaction of its own and names its organisation itself.

-- The rows of a posting as they come over the wire: the columns of their tables without the organisation. One
-- array of rows for each table: many arrays of columns would cost a tuple store each.
create type writing_document as (
  id uuid, author uuid, kind text, numbering text, gst_number boolean, registration uuid, location uuid,
  to_location uuid, financial_year text, series uuid, period text, prefix text, suffix text, padding int, start int,
  number text, date date, due_date date, party uuid, party_name text, party_gstin text, party_state text,
  category text, place_of_supply text, supply_type text, reverse_charge boolean, currency text,
  exchange_rate bigint, taxable bigint, cgst bigint, sgst bigint, igst bigint, cess bigint, tcs bigint, tds bigint,
  round_off bigint, total bigint, payable bigint, foreign_total bigint, reference text, reverses uuid, key uuid,
  digest text
);

create type writing_line as (
  document uuid, line int, item uuid, ledger uuid, party uuid, description text, hsn text, unit text,
  service boolean, quantity bigint, base_quantity bigint, rate bigint, treatment text, gst_rate int,
  discount bigint, taxable bigint, value bigint, cgst bigint, sgst bigint, igst bigint, cess bigint,
  source_document uuid, source_line int
);

create type writing_entry as (
  document uuid, leg int, date date, ledger uuid, party uuid, registration uuid, location uuid, cost_centre uuid,
  currency text, foreign_amount bigint, exchange_rate bigint, debit bigint, credit bigint
);

create type writing_movement as (
  document uuid, number int, line int, date date, item uuid, location uuid, quantity bigint, stated_value bigint,
  room uuid, cost bigint, batches jsonb, serials text[]
);

create type writing_shelf as (
  item uuid, location uuid, quantity bigint, value bigint, layers text, last_date date
);

create type writing_open as (
  document uuid, party uuid, side text, date date, due_date date, currency text, original bigint, line int,
  reference text
);

-- Opens a posting: names organisation and user for this transaction, locks, and answers all that the decision
-- needs. Balances are those of stocked items, and of any item where a cancellation puts back what was moved. Order
-- of locks: period (share), source documents, item balances, open items, parties with a limit; each sorted.
--
-- A key or a balance is looked up by all of its columns, however much the organisation has. A join from an array
-- may be planned as a walk through all rows of the organisation, which is cheap on the first day and is then kept;
-- a subquery with `offset 0` for each element, and `on conflict`, leave the planner no such choice. The same
-- statements are posted all day: they are planned once, not anew for each length of an array, and look up by their
-- index from the first row on.
create function open_posting(
  org int, who uuid, asked_keys uuid[], key_users uuid[], shelf_items uuid[], shelf_places uuid[],
  shelf_dates date[], shelf_certain boolean[], source_ids uuid[], settled uuid[], party_ids uuid[], item_ids uuid[],
  ledger_ids uuid[], cancelled uuid[], out version bigint, out locked_through text, out keys json, out parties json,
  out items json, out takes json, out balances json, out sources json, out source_documents json,
  out cancelling json, out opened json, out owed json
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
#variable_conflict use_column
declare
  limited boolean;
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  locked_through := (
    select l.locked_through
    from locks l
    where l.organisation = org
    for share
  );
  -- after that lock: who changes how stock is kept holds it alone
  version := (select h.version from house_versions h where h.organisation = org);
  if cardinality(asked_keys) > 0 then
    keys := (
      select json_agg(json_build_object('key', k.key, 'digest', encode(k.digest, 'hex'), 'answer', k.answer))
      from unnest(asked_keys, key_users) t(key, whose),
        lateral (
          select i.key, i.digest, i.answer
          from idempotency_keys i
          where i.organisation = org and i."user" = t.whose and i.key = t.key
          offset 0
        ) k
    );
  end if;
  if cardinality(source_ids) + cardinality(cancelled) > 0 then
    -- posted rows cannot be locked for update by a role that may not update them; what is left of them is read
    -- after this
    perform pg_advisory_xact_lock(hashtextextended(s.id::text, org))
    from (select distinct id from unnest(source_ids || cancelled) id order by id) s;
  end if;
  if cardinality(item_ids) > 0 then
    items := item_facts(org, item_ids);
  end if;
  if cardinality(ledger_ids) > 0 then
    takes := taking_ledgers(org, ledger_ids);
  end if;
  if cardinality(shelf_items) > 0 then
    if exists (
      select from unnest(shelf_items, shelf_places) t(i, p)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
    ) then
      insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, t.i, t.p, 0, 0
      from unnest(shelf_items, shelf_places, shelf_certain) t(i, p, sure)
      join items x on x.organisation = org and x.id = t.i and (x.stocked or t.sure)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
      order by 2, 3
      on conflict do nothing;
    end if;
    -- locked one after the other, in the order of the shelves
    balances := (
      select json_agg(b)
      from (
        select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date
        from unnest(shelf_items, shelf_places, shelf_dates) t(i, p, d)
        group by t.i, t.p
        order by t.i, t.p
      ) w,
        lateral (
          select i.item, i.location, i.quantity, i.value, i.layers, i.last_date, w.first_date, w.final_date
          from item_balances i
          where i.organisation = org and i.item = w.i and i.location = w.p
          offset 0
          for update
        ) b
    );
  end if;
  if cardinality(source_ids) > 0 then
    sources := source_lines(org, source_ids);
    source_documents := source_documents(org, source_ids);
  end if;
  if cardinality(cancelled) > 0 then
    -- read again under the lock: what was looked up before may have changed since
    cancelling := (
      select json_agg(
        json_build_object(
          'id', d.id, 'number', d.number,
          'followed', (
            select f.number
            from document_lines x
            join documents f on f.organisation = org and f.id = x.document
            where x.organisation = org
              and x.source_document = d.id
              and f.reverses is null
              and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
            union all
            select f.number
            from document_links k
            join documents f on f.organisation = org and f.id = k.target
            where k.organisation = org
              and k.source = d.id
              and k.role = 'order'
              and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
            limit 1
          ),
          'costs', (
            select coalesce(
              json_agg(
                (
                  select c.cost
                  from movement_costs c
                  where c.organisation = org and c.document = m.document and c.number = m.number
                  order by c.revision desc
                  limit 1
                )
                order by m.number
              ),
              '[]'
            )
            from movements m
            where m.organisation = org and m.document = d.id
          )
        )
      )
      from documents d
      where d.organisation = org and d.id = any(cancelled)
    );
  end if;
  if cardinality(settled) > 0 then
    -- with a document that is cancelled, what it settled or was settled by is opened again: locked in the same order
    opened := (
      select json_agg(o)
      from (
        select
          o.document, o.line, o.party, o.side, o.currency, o.open, coalesce(o.reference, d.number) as number,
          d.exchange_rate, d.date, o.original, open_worth(org, o) as worth, d.kind, d.location, d.author
        from open_items o
        join documents d on d.organisation = org and d.id = o.document
        where o.organisation = org
          and (
            o.document = any(settled)
            or o.document in (
              select unnest(array[a.credit_document, a.invoice_document])
              from allocations a
              where cardinality(cancelled) > 0
                and a.organisation = org
                and (
                  a.credit_document = any(cancelled)
                  or a.invoice_document = any(cancelled)
                  or a.cause = any(cancelled)
                )
            )
          )
        order by o.document, o.line
        for update of o
      ) o
    );
  end if;
  if cardinality(party_ids) > 0 then
    -- only parties with a credit limit are locked: their limit is checked against what they owe at this moment.
    -- Not for update: a foreign key to the party must not wait.
    limited := exists (
      select from parties p
      where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
    );
    if limited then
      perform 1
      from parties p
      where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
      order by p.id
      for no key update;
      -- what is owed in another currency counts in the rupees on the account of the party
      owed := (
        select json_agg(
          json_build_object(
            'party', p.id, 'name', p.name, 'limit', p.credit_limit,
            'owed', (
              select coalesce(
                sum(case o.side when 'receivable' then open_worth(org, o) else -open_worth(org, o) end), 0
              )
              from open_items o
              where o.organisation = org
                and o.party = p.id
                and o.open > 0
                and o.side in ('receivable', 'customerCredit')
            )
          )
        )
        from parties p
        where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
      );
    end if;
    parties := party_facts(org, party_ids);
  end if;
end
$$;
grant execute on function open_posting(
  int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[]
) to bahi_app;

-- Writes decided documents and returns id and number of each, in their order. With `was`, the balances as they were
-- remembered, it is a transaction of its own: it names organisation and user, and writes nothing when the lock of
-- the period, the version of the house (no rows are returned) or a balance (BR409) is not what the documents were
-- decided from. Without it the caller has opened the posting. What few documents have (revisions of cost,
-- allocations, links, cancellations, jobs, their drafts) comes in `rest`. Numbers are taken last of all locks.
--
-- One document is most transactions of a small business, and each statement of a posting costs more than its rows:
-- the number of one, and its task for the portal, need no loop over groups, and a setting is assigned: that needs
-- no query (ADR 38).
create function write_documents(
  org int, who uuid, known_version bigint, known_lock date, was writing_shelf[], d writing_document[],
  bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_shelf[], o writing_open[],
  rest jsonb
) returns table (id uuid, number text)
language plpgsql security definer
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  lane smallint := (pg_backend_pid() % 8)::smallint;
  numbers text[] := array_fill(null::text, array[cardinality(d)]);
  x writing_document := d[1];
  digits text;
  bad text;
  named text;
  one record;
  first int;
  same int;
begin
  if org is distinct from coalesce(
    nullif(current_setting('app.organisation', true), '')::int, case when was is not null then org end
  ) then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  if was is not null then
    named := set_config('app.organisation', org::text, true);
    named := set_config('app.user', who::text, true);
    if known_lock is distinct from (
      select l.locked_through
      from locks l
      where l.organisation = org
      for share
    ) then
      return;
    end if;
    -- after that lock: who changes how stock is kept holds it alone
    if known_version is distinct from (select h.version from house_versions h where h.organisation = org) then
      return;
    end if;
    -- the shelves are proved by the statement that changes them, locked in the order they come in
    if cardinality(was) > 0 then
      update item_balances t
      set
        quantity = p.quantity, value = p.value, layers = p.layers::bigint[],
        last_date = greatest(t.last_date, p.last_date)
      from unnest(was, b) p (
        known_item, known_location, known_quantity, known_value, known_layers, known_date, item, location, quantity,
        value, layers, last_date
      )
      where t.organisation = org
        and t.item = p.known_item
        and t.location = p.known_location
        and p.item = p.known_item
        and p.location = p.known_location
        and t.quantity = p.known_quantity
        and t.value = p.known_value
        and t.layers = p.known_layers::bigint[]
        and t.last_date is not distinct from p.known_date;
      get diagnostics same = row_count;
      if same <> cardinality(was) then
        raise exception 'a shelf is not as it was remembered' using errcode = 'BR409';
      end if;
    end if;
  elsif cardinality(b) > 0 then
    insert into item_balances as t (organisation, item, location, quantity, value, layers, last_date)
    select org, item, location, quantity, value, layers::bigint[], last_date
    from unnest(b)
    on conflict (organisation, item, location) do update
    set
      quantity = excluded.quantity, value = excluded.value, layers = excluded.layers,
      last_date = greatest(t.last_date, excluded.last_date);
  end if;
  if cardinality(e) > 0 then
    with sums as (
      select ledger, location, date, sum(debit) as debit, sum(credit) as credit
      from unnest(e)
      group by 1, 2, 3
      order by 1, 2, 3
    ), days as (
      insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
      select org, ledger, location, date, lane, debit, credit
      from sums
      on conflict (organisation, ledger, location, day, slot) do update
      set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit
    )
    insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
    select org, ledger, location, date_trunc('month', date)::date, lane, sum(debit), sum(credit)
    from sums
    group by 2, 3, 4
    order by 2, 3, 4
    on conflict (organisation, ledger, location, month, slot) do update
    set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  end if;
  -- the numbers: the last locks, one for each series and period
  if cardinality(d) = 1 then
    if x.number is null then
      insert into series_counters as c (organisation, series, period, next)
      values (org, x.series, x.period, x.start + 1)
      on conflict (organisation, series, period) do update
      set next = c.next + 1
      returning next - 1 into first;
      digits := first::text;
    end if;
    numbers[1] := coalesce(x.number, x.prefix || lpad(digits, greatest(x.padding, length(digits)), '0') || x.suffix);
    if x.gst_number and upper(numbers[1]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$' then
      bad := numbers[1];
    end if;
  else
    for one in
      select
        series, period, number is null as wanted, min(start) as start, count(*)::int as count,
        array_agg(ordinality::int order by ordinality) as places, array_agg(number order by ordinality) as given,
        array_agg(prefix order by ordinality) as prefixes, array_agg(suffix order by ordinality) as suffixes,
        array_agg(padding order by ordinality) as paddings
      from unnest(d) with ordinality
      group by 1, 2, 3
      order by 1, 2, 3
    loop
      if one.wanted then
        insert into series_counters as c (organisation, series, period, next)
        values (org, one.series, one.period, one.start + one.count)
        on conflict (organisation, series, period) do update
        set next = c.next + one.count
        returning next - one.count into first;
      end if;
      for n in 1 .. one.count loop
        digits := (first + n - 1)::text;
        numbers[one.places[n]] := case
          when one.wanted
            then one.prefixes[n] || lpad(digits, greatest(one.paddings[n], length(digits)), '0') || one.suffixes[n]
          else one.given[n]
        end;
      end loop;
    end loop;
    select numbers[n] into bad
    from generate_subscripts(d, 1) n
    where d[n].gst_number and upper(numbers[n]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$'
    limit 1;
  end if;
  -- rule 46: a number that its series has outgrown is not given
  if bad is not null then
    raise exception '%', bad using errcode = 'BR046';
  end if;
  insert into documents (
    organisation, id, kind, numbering, registration, location, to_location, financial_year, number, series, date,
    due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge,
    currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total,
    reference, reverses, author, body
  )
  select
    org, id, kind, numbering, registration, location, to_location, financial_year, numbers[ordinality],
    case when number is null then series end, date, due_date, party, party_name, party_gstin, party_state, category,
    place_of_supply, supply_type, reverse_charge, currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs,
    tds, round_off, total, payable, foreign_total, reference, reverses, author, bodies[ordinality]
  from unnest(d) with ordinality;
  if cardinality(l) > 0 then
    insert into document_lines (
      organisation, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity,
      rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line
    )
    select
      org, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate,
      treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line
    from unnest(l);
  end if;
  if cardinality(e) > 0 then
    insert into entries (
      organisation, document, leg, date, ledger, party, registration, location, cost_centre, currency,
      foreign_amount, exchange_rate, debit, credit
    )
    select
      org, document, leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount,
      exchange_rate, debit, credit
    from unnest(e);
  end if;
  if cardinality(m) > 0 then
    insert into movements (
      organisation, document, number, line, date, sequence, item, location, quantity, stated_value, room, batches,
      serials
    )
    select
      org, document, number, line, date, nextval('movement_sequence'), item, location, quantity, stated_value, room,
      batches, serials
    from unnest(m);
    insert into movement_costs (organisation, document, number, revision, cost, cause)
    select org, document, number, 0, cost, document
    from unnest(m);
  end if;
  if cardinality(o) > 0 then
    insert into open_items (
      organisation, document, party, side, date, due_date, currency, original, open, line, reference
    )
    select org, document, party, side, date, due_date, currency, original, original, line, reference
    from unnest(o);
  end if;
  insert into idempotency_keys (organisation, "user", key, digest, answer)
  select
    org, author, key, decode(digest, 'hex'),
    jsonb_build_object('id', id, 'number', numbers[ordinality], 'total', total)
  from unnest(d) with ordinality
  where key is not null;
  if rest is not null then
    if rest ? 'revisions' then
      insert into movement_costs (organisation, document, number, revision, cost, cause)
      select org, document, number, revision, cost, cause
      from jsonb_to_recordset(rest -> 'revisions') x(
        document uuid, number int, revision int, cost bigint, cause uuid
      );
    end if;
    if rest ? 'links' then
      insert into document_links (organisation, source, target, role)
      select distinct org, source, target, role
      from jsonb_to_recordset(rest -> 'links') x(source uuid, target uuid, role text);
    end if;
    -- these rows are logged one by one under the user of the transaction: each author in turn
    if rest ? 'tasks' then
      if cardinality(d) = 1 then
        named := set_config('app.user', x.author::text, true);
        insert into einvoices (organisation, document, state) values (org, x.id, 'queued');
        insert into outbox (organisation, task, payload, key)
        values (org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', x.id), x.id::text);
      else
        for one in
          select author, array_agg(document) as documents
          from jsonb_to_recordset(rest -> 'tasks') x(document uuid, author uuid)
          group by author
        loop
          perform set_config('app.user', one.author::text, true);
          with queued as (
            insert into einvoices (organisation, document, state)
            select org, document, 'queued'
            from unnest(one.documents) document
            returning document
          )
          insert into outbox (organisation, task, payload, key)
          select
            org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', document), document::text
          from queued;
        end loop;
      end if;
    end if;
    if rest ? 'allocations' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into allocations (
          organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, invoice_worth,
          credit_worth, date, cause, by
        )
        select
          org, id, credit, "creditLine", invoice, "invoiceLine", amount, "invoiceWorth", "creditWorth", date, cause,
          author
        from jsonb_to_recordset(rest -> 'allocations') x(
          id uuid, credit uuid, "creditLine" int, invoice uuid, "invoiceLine" int, amount bigint,
          "invoiceWorth" bigint, "creditWorth" bigint, date date, cause uuid, author uuid
        )
        where author = one.author;
      end loop;
      update open_items i
      set open = i.open - v.amount
      from (
        select document, line, sum(amount) as amount
        from (
          select credit as document, "creditLine" as line, amount
          from jsonb_to_recordset(rest -> 'allocations') x(credit uuid, "creditLine" int, amount bigint)
          union all
          select invoice, "invoiceLine", amount
          from jsonb_to_recordset(rest -> 'allocations') x(invoice uuid, "invoiceLine" int, amount bigint)
        ) u
        group by document, line
      ) v
      where i.organisation = org and i.document = v.document and i.line = v.line;
    end if;
    if rest ? 'cancelled' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into cancellations (organisation, document, reversal, reason, by)
        select org, document, reversal, reason, author
        from jsonb_to_recordset(rest -> 'cancelled') x(document uuid, reversal uuid, reason text, author uuid)
        where author = one.author;
      end loop;
      update open_items i
      set open = 0
      from jsonb_to_recordset(rest -> 'cancelled') x(document uuid)
      where i.organisation = org and i.document = x.document;
    end if;
    if rest ? 'drafts' then
      -- the version is compared by the statement that deletes: a draft that was changed or deleted meanwhile is not
      -- posted
      with gone as (
        delete from drafts t
        using jsonb_to_recordset(rest -> 'drafts') as x (id uuid, version int)
        where t.organisation = org and t.id = x.id and t.version = x.version
        returning t.id
      )
      select count(*) into same
      from gone;
      if same <> jsonb_array_length(rest -> 'drafts') then
        raise exception 'a draft is not as it was read' using errcode = 'BR130';
      end if;
    end if;
    if rest ? 'undrafted' then
      perform pg_advisory_xact_lock(hashtextextended('draft ' || x.id, org))
      from jsonb_array_elements_text(rest -> 'undrafted') as x (id)
      order by x.id;
      if exists (
        select from drafts t
        join jsonb_array_elements_text(rest -> 'undrafted') as x (id) on x.id::uuid = t.id
        where t.organisation = org
      ) then
        raise exception 'a draft was kept under this id' using errcode = 'BR130';
      end if;
    end if;
  end if;
  return query
    select x.id, numbers[x.ordinality]
    from unnest(d) with ordinality x
    order by x.ordinality;
end
$$;
revoke all on function write_documents(
  int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[],
  writing_movement[], writing_shelf[], writing_open[], jsonb
) from public;
grant execute on function write_documents(
  int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[],
  writing_movement[], writing_shelf[], writing_open[], jsonb
) to bahi_app;

-- Writes a document that the product itself makes (a revision of cost, a closing and what takes it back), with its
-- entries and totals, and returns its number. It has no party and no tax, and each of its entries has the day of
-- what it revises. A revision is written before its cause, whose link names it.
create function write_system_document(
  org int, who uuid, d_id uuid, d_kind text, d_numbering text, d_registration uuid, d_location uuid, d_year text,
  d_date date, d_series uuid, d_period text, d_prefix text, d_suffix text, d_padding int, d_start int,
  d_total bigint, d_body jsonb, d_reverses uuid, e_date date[], e_ledger uuid[], e_registration uuid[],
  e_location uuid[], e_cost_centre uuid[], e_debit bigint[], e_credit bigint[]
) returns text
language plpgsql security definer
set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  lane smallint := (pg_backend_pid() % 8)::smallint;
  taken int;
  named text;
begin
  if org is distinct from nullif(current_setting('app.organisation', true), '')::int then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
  select org, e.ledger, e.location, e.date, lane, sum(e.debit), sum(e.credit)
  from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit)
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (organisation, ledger, location, day, slot) do update
  set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
  select org, e.ledger, e.location, date_trunc('month', e.date)::date, lane, sum(e.debit), sum(e.credit)
  from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit)
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (organisation, ledger, location, month, slot) do update
  set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into series_counters as c (organisation, series, period, next)
  values (org, d_series, d_period, d_start + 1)
  on conflict (organisation, series, period) do update
  set next = c.next + 1
  returning c.next - 1 into taken;
  named := d_prefix || lpad(taken::text, greatest(d_padding, length(taken::text)), '0') || d_suffix;
  insert into documents (
    organisation, id, kind, numbering, registration, location, financial_year, number, series, date, supply_type,
    taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, author, body, reverses
  )
  values
    (
      org, d_id, d_kind, d_numbering, d_registration, d_location, d_year, named, d_series, d_date, 'NONE', 0, 0, 0,
      0, 0, 0, 0, 0, d_total, d_total, d_total, who, d_body, d_reverses
    );
  insert into document_lines (
    organisation, document, line, ledger, description, hsn, unit, service, quantity, base_quantity, rate, treatment,
    gst_rate, discount, taxable, value, cgst, sgst, igst, cess
  )
  select org, d_id, n, ledger, '', '', '', true, 0, 0, 0, 'taxable', 0, 0, 0, debit, 0, 0, 0, 0
  from unnest(e_ledger, e_debit) with ordinality x(ledger, debit, n);
  insert into entries (
    organisation, document, leg, date, ledger, registration, location, cost_centre, debit, credit
  )
  select org, d_id, n, date, ledger, registration, location, cost_centre, debit, credit
  from unnest(e_date, e_ledger, e_registration, e_location, e_cost_centre, e_debit, e_credit) with ordinality x(
    date, ledger, registration, location, cost_centre, debit, credit, n
  );
  return named;
end
$$;
revoke all on function write_system_document(
  int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid,
  date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[]
) from public;
grant execute on function write_system_document(
  int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid,
  date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[]
) to bahi_app;
-- The edit log (rule 3(1) of the Companies (Accounts) Rules): who changed what, before and after, written by
-- triggers, append-only. Rows are sealed into a chain, so that none can be changed or left out unseen, and the
-- seals are signed once a day outside the database (ADR 14). Whoever may sign in, by what, and as what is held in
-- step with the log, and so is every secret: the log keeps a digest of it, never the secret, and the verifier
-- compares the digest of what is there now with the last one that was logged (ADR 61).
--
-- Names of tables and columns are part of what is sealed: renaming one breaks the proof of older rows.

create table edit_log (
  organisation int not null,
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  who uuid,
  origin text not null default '',
  action text not null,
  relation text not null,
  row_id text not null,
  before jsonb,
  after jsonb,
  primary key (organisation, id)
);
create index edit_log_xid on edit_log (xid, id);
create index edit_log_row on edit_log (organisation, relation, row_id, id);
-- The security log is read on its own among very many rows of documents.
create index edit_log_security
  on edit_log (organisation, id)
  where relation in (
    'security', 'users', 'roles', 'role_grants', 'user_roles', 'user_locations', 'groups', 'group_roles',
    'group_members', 'group_locations', 'credentials', 'locks', 'organisations', 'people'
  );
grant select on edit_log to bahi_app;

-- The chain of an organisation: each seal is the SHA-256 of the one before and of the digest of its row of the log.
create table seals (
  organisation int not null,
  sequence bigint not null,
  log bigint not null,
  xid xid8 not null,
  digest bytea not null,
  previous bytea,
  seal bytea not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, sequence),
  unique (organisation, log)
);
-- The sealer begins where the last seal was made.
create index seals_at on seals (at, sequence);
grant select on seals to bahi_app;

-- The user that the application has named for the transaction.
create function log_user() returns uuid
language sql stable as $$
  select nullif(current_setting('app.user', true), '')::uuid
$$;

-- Who wrote: the application names the user of the transaction; anything else shows the role of the database.
create function log_origin() returns text
language sql stable as $$
  select coalesce(nullif(current_setting('app.origin', true), ''), session_user)
$$;

-- With a salt that stays in the database, a short secret cannot be tried out by whoever has the log alone.
create function salted_digest(salt uuid, secret text) returns text
language sql immutable as $$
  select encode(sha256(convert_to(salt::text || secret, 'UTF8')), 'hex')
$$;

-- Who a person is, and what opens the door to them. What moves at each sign-in, and what they chose for themselves,
-- is left out.
create function person_record(p people) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'person', p.id, 'email', p.email, 'name', p.name, 'operator', p.operator,
    'password_digest', salted_digest(p.log_salt, p.password_hash),
    'second_factor_digest', salted_digest(p.log_salt, encode(p.totp_secret, 'hex')),
    'issuer_digest', salted_digest(p.log_salt, p.issuer || ' ' || p.subject)
  )
$$;

-- A recovery code as the log keeps it: whose it is, and whether it was used.
create function recovery_code_record(r recovery_codes) returns jsonb
language sql stable
set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'person', r.person, 'code_digest', salted_digest(p.log_salt, encode(r.digest, 'hex')),
    'used', r.used_at is not null
  )
  from people p
  where p.id = r.person
$$;

-- A record as the log keeps it. What stands in `secret` is sealed under the master key with a number used once, so
-- that its digest tells nothing, not even whether two secrets are the same. `search` follows from other columns.
create function logged_record(record jsonb) returns jsonb
language sql immutable as $$
  select case
    when record ? 'secret'
      then (record - 'secret' - 'search')
          || jsonb_build_object('secret_digest', encode(sha256(convert_to(record ->> 'secret', 'UTF8')), 'hex'))
    else record - 'search'
  end
$$;

-- Before and after of every change of a row that may change; of a secret its digest.
create function log_change() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  old_row jsonb;
  new_row jsonb;
  one jsonb;
begin
  if tg_op <> 'INSERT' then
    old_row := to_jsonb(old);
    old_row := logged_record(old_row);
  end if;
  if tg_op <> 'DELETE' then
    new_row := to_jsonb(new);
    new_row := logged_record(new_row);
  end if;
  if old_row is not distinct from new_row then
    return null;
  end if;
  one := coalesce(new_row, old_row);
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  values
    (
      (one ->> 'organisation')::int, log_user(), log_origin(), lower(tg_op), tg_table_name,
      coalesce(
        one ->> 'id', one ->> 'document', one ->> 'effect', one ->> 'role', one ->> 'user', one ->> 'registration',
        one ->> 'organisation'
      ),
      old_row, new_row
    );
  return null;
end
$$;

-- One log row for each posted document: its rows are their own record, the seal takes their digest. It names who
-- posted: the author (posts of several users go in one transaction), or who approved, where an approval was waited
-- for; the approval is written before its document, in the same transaction. Nobody is named where the application
-- has named nobody.
create function log_posted() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id)
  select
    d.organisation, case when log_user() is not null then coalesce(a.approved_by, d.author) end, log_origin(),
    'post', 'documents', d.id::text
  from added d
  left join approvals a on a.organisation = d.organisation and a.document = d.id;
  return null;
end
$$;
create trigger log_posted after insert on documents
  referencing new table as added
  for each statement execute function log_posted();

-- The log of an organisation begins with a person when they are named in it.
create function log_person() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    insert into edit_log (organisation, who, origin, action, relation, row_id, before)
    select old.organisation, log_user(), log_origin(), 'delete', r.relation, old.id::text, r.record
    from (
      select 'people' as relation, person_record(p) as record
      from people p
      where p.id = old.person
      union all
      select 'recovery_codes', recovery_code_record(c)
      from recovery_codes c
      where c.person = old.person
    ) r;
  end if;
  if tg_op <> 'DELETE' then
    -- who changes the person at the same moment is waited for, or waits and then tells it here as well
    perform from people where id = new.person for share;
    insert into edit_log (organisation, who, origin, action, relation, row_id, after)
    select new.organisation, log_user(), log_origin(), 'insert', r.relation, new.id::text, r.record
    from (
      select 'people' as relation, person_record(p) as record
      from people p
      where p.id = new.person
      union all
      select 'recovery_codes', recovery_code_record(c)
      from recovery_codes c
      where c.person = new.person
    ) r;
  end if;
  return null;
end
$$;
create trigger log_person after insert or delete on users for each row execute function log_person();
create trigger log_person_of_another after update of person on users
  for each row
  when (old.person is distinct from new.person)
  execute function log_person();

-- One record in the log of every organisation that names the person: a person belongs to none, and each proves its
-- own log.
create function log_of_person(asked uuid, what text, relation text, was jsonb, now_is jsonb) returns void
language sql
set search_path = public, pg_temp as $$
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  select
    u.organisation,
    case when u.organisation = nullif(current_setting('app.organisation', true), '')::int then log_user() end,
    log_origin(), what, relation, u.id::text, was, now_is
  from users u
  where u.person = asked
  order by u.organisation
$$;
revoke all on function log_of_person(uuid, text, text, jsonb, jsonb) from public;

-- Of a person only what their record in the log has.
create function log_change_of_person() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  was jsonb := person_record(old);
  now_is jsonb := person_record(new);
begin
  if was is distinct from now_is then
    perform log_of_person(new.id, 'update', 'people', was, now_is);
  end if;
  return null;
end
$$;
create trigger log_change_of_person after update on people for each row execute function log_change_of_person();

create function log_change_of_recovery_code() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  whose uuid := case when tg_op = 'DELETE' then old.person else new.person end;
  was jsonb;
  now_is jsonb;
begin
  -- who joins an organisation meanwhile is waited for: their codes are told there by one of the two
  perform from people where id = whose for no key update;
  if tg_op <> 'INSERT' then
    was := recovery_code_record(old);
  end if;
  if tg_op <> 'DELETE' then
    now_is := recovery_code_record(new);
  end if;
  if was is distinct from now_is then
    perform log_of_person(whose, lower(tg_op), 'recovery_codes', was, now_is);
  end if;
  return null;
end
$$;
create trigger log_change_of_person after insert or update or delete on recovery_codes
  for each row execute function log_change_of_recovery_code();

-- Sign-ins, failures, refusals and exports are told in the edit log itself: it is append-only, sealed, signed once
-- a day and exported with its verifier, and nobody can write one of the two and not the other. Such rows have the
-- relation `security`; what it was is the action, whom or what it was about the row_id, and the rest stands in
-- `after`. Secrets stand nowhere.
create function log_security(what text, about text, details jsonb) returns void
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id, after)
  values
    (
      nullif(current_setting('app.organisation', true), '')::int, log_user(), log_origin(), what, 'security', about,
      details
    );
end
$$;
revoke all on function log_security(text, text, jsonb) from public;
grant execute on function log_security(text, text, jsonb) to bahi_app;

-- What happens at sign-in concerns every organisation that the person works in: a session opens all of them.
create function log_security_of(asked uuid, what text, details jsonb) returns void
language sql security definer
set search_path = public, pg_temp as $$
  insert into edit_log (organisation, who, origin, action, relation, row_id, after)
  select m.organisation, m."user", log_origin(), what, 'security', m."user"::text, details
  from memberships_of(asked) m
$$;
revoke all on function log_security_of(uuid, text, jsonb) from public;
grant execute on function log_security_of(uuid, text, jsonb) to bahi_app;

-- What a posted document says, every column, in one fixed text, whatever columns later versions add: nulls keep
-- their place, so that no value can move unseen. The text is what is sealed, so that a customer can verify the log
-- away from this database. It must stay byte for byte the same for documents that are sealed.
create function document_text(org int, doc uuid) returns text
language sql stable as $$
  select
    coalesce(
      (
        select json_build_array(
          json_build_array(
            id, kind, numbering, registration, location, to_location, financial_year, number, series, date,
            due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type,
            reverse_charge
          ),
          json_build_array(
            currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable,
            foreign_total, reference, reverses, author,
            to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), body
          )
        )::text
        from documents
        where organisation = org and id = doc
      ),
      ''
    ) || coalesce(
      (
        select string_agg(
          json_build_array(
            line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment,
            gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line, body
          )::text,
          E'\n'
          order by line
        )
        from document_lines
        where organisation = org and document = doc
      ),
      ''
    ) || coalesce(
      (
        select string_agg(
          json_build_array(
            leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate,
            debit, credit
          )::text,
          E'\n'
          order by leg
        )
        from entries
        where organisation = org and document = doc
      ),
      ''
    ) || coalesce(
      (
        select string_agg(
          json_build_array(
            number, line, date, sequence, item, location, quantity, stated_value, room, batches, to_jsonb(serials)
          )::text,
          E'\n'
          order by number
        )
        from movements
        where organisation = org and document = doc
      ),
      ''
    )
    -- costs that other documents revise later are sealed with those documents
    || coalesce(
      (
        select string_agg(
          json_build_array(document, number, revision, cost)::text, E'\n'
          order by document, number, revision
        )
        from (
          select *
          from movement_costs
          where organisation = org and document = doc and revision = 0
          union all
          select *
          from movement_costs
          where organisation = org and cause = doc and revision > 0
        ) c
      ),
      ''
    )
$$;
grant execute on function document_text(int, uuid) to bahi_app;

-- A row of the log as one fixed text: what is sealed of it.
create function log_text(l edit_log) returns text
language sql stable as $$
  select jsonb_build_array(
    l.organisation, l.id, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), l.xid::text, l.who,
    l.origin, l.action, l.relation, l.row_id, l.before, l.after
  )::text
$$;
grant execute on function log_text(edit_log) to bahi_app;

create function document_digest(org int, doc uuid) returns bytea
language sql stable as $$
  select sha256(convert_to(document_text(org, doc), 'UTF8'))
$$;

-- What is sealed of a row of the log; of one that says a document was posted, with the document.
create function log_digest(l edit_log) returns bytea
language sql stable as $$
  select sha256(
    convert_to(log_text(l), 'UTF8')
      || case when l.relation = 'documents' then document_digest(l.organisation, l.row_id::uuid) else ''::bytea end
  )
$$;

-- Chains what finished transactions have logged, in the order of their ids, and says how many rows it sealed;
-- called about each second by the owner's role. A transaction older than the oldest running one can write nothing
-- more. In a database restored elsewhere the ids of transactions begin anew: then what the old one left unsealed
-- comes first. The seal before is asked for once for a run of rows of one organisation, and not for each.
create function seal_finished(most int default 5000) returns int
language plpgsql as $$
declare
  line record;
  last record;
  sealed int := 0;
  known int;
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  unborn xid8 := pg_snapshot_xmax(pg_current_snapshot());
  done xid8 := coalesce(
    (
      select s.xid
      from seals s
      order by s.at desc, s.sequence desc
      limit 1
    ),
    '0'::xid8
  );
  elsewhere boolean := done >= unborn;
begin
  if not pg_try_advisory_xact_lock(62614) then
    return 0;
  end if;
  if elsewhere then
    done := '0'::xid8;
  end if;
  for line in
    select l.organisation, l.id, l.xid, log_digest(l) as link
    from edit_log l
    where ((l.xid >= done and l.xid < horizon) or (elsewhere and l.xid >= unborn))
      and not exists (select from seals s where s.organisation = l.organisation and s.log = l.id)
    order by l.xid < unborn, l.xid, l.id
    limit most
  loop
    if line.organisation is distinct from known then
      select s.sequence, s.seal into last
      from seals s
      where s.organisation = line.organisation
      order by s.sequence desc
      limit 1;
      known := line.organisation;
    end if;
    insert into seals as s (organisation, sequence, log, xid, digest, previous, seal)
    values
      (
        line.organisation, coalesce(last.sequence, 0) + 1, line.id, line.xid, line.link, last.seal,
        sha256(coalesce(last.seal, ''::bytea) || line.link)
      )
    returning s.sequence, s.seal into last;
    sealed := sealed + 1;
  end loop;
  return sealed;
end
$$;
revoke all on function seal_finished(int) from public;

-- Every change of these tables is logged row by row. Which till session a document belongs to is in the document
-- too, which is logged when it is posted.
do $$
declare
  name text;
begin
  foreach name in array array[
    'allocations', 'bank_clearings', 'bank_formats', 'bank_lines', 'bank_rules', 'cancellations', 'chosen_places',
    'closed_lines', 'cost_centres', 'count_lines', 'count_sheets', 'counted', 'credentials', 'document_comments',
    'document_files', 'einvoices', 'eway_bills', 'exchange_rates', 'exchange_revaluation_lines',
    'exchange_revaluation_money', 'exchange_revaluation_turns', 'exchange_revaluations', 'freed_orders',
    'group_locations', 'group_members', 'group_roles', 'groups', 'gst_filings', 'gst_furnished', 'gst_returns_kept',
    'gst_returns_unmarked', 'help_texts', 'item_pictures', 'items', 'later_facts', 'ledgers', 'locations', 'locks',
    'mail_papers', 'mails', 'masters', 'number_series', 'organisations', 'parties', 'payment_events',
    'payment_gateways', 'payment_links', 'posting_map', 'recurring_bills', 'recurring_turns', 'register_locks',
    'registration_statuses', 'registrations', 'revaluations', 'role_grants', 'roles', 'saved_views',
    'subscription_requests', 'subscriptions', 'tax_certificates', 'tax_challan_parts', 'tax_challans', 'taxpayers',
    'tds_certificates', 'till_numbers', 'till_sessions', 'user_locations', 'user_roles', 'users', 'workflow_moves',
    'workflow_orders', 'workflows', 'year_closings'
  ] loop
    execute format(
      'create trigger log_change after insert or update or delete on %I for each row execute function log_change()',
      name
    );
  end loop;
end
$$;
create trigger log_change after insert on approvals for each row execute function log_change();
-- Who sent what for approval, withdrew or rejected it is told by the edit log; what is typed in between is not.
create trigger log_change after update on drafts
  for each row
  when (old.submitted_at is distinct from new.submitted_at or old.rejected_at is distinct from new.rejected_at)
  execute function log_change();
create trigger log_change_gone after delete on item_barcodes
  for each row
  when (not old.main)
  execute function log_change();
-- the main code is in the log with its item
create trigger log_change_new after insert on item_barcodes
  for each row
  when (not new.main)
  execute function log_change();
-- Posted rows are written once, by whatever role.
create function written_once() returns trigger
language plpgsql as $$
begin
  raise exception '% is written once: correct it by another document', tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;

-- What is posted, logged and sealed.
do $$
declare
  name text;
begin
  foreach name in array array[
    'allocations', 'approvals', 'cancellations', 'document_lines', 'document_links', 'documents', 'edit_log',
    'einvoice_attempts', 'entries', 'eway_attempts', 'gst_returns_kept', 'gst_returns_unmarked', 'later_facts',
    'movement_costs', 'movements', 'seals', 'till_documents', 'workflow_moves'
  ] loop
    execute format(
      $trigger$
        create trigger written_once before update or delete or truncate on %I
          for each statement execute function written_once()
      $trigger$,
      name
    );
  end loop;
end
$$;
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
-- The government portals, pretended: what the stand-in remembers, shared by all processes. It belongs to no
-- organisation, the product never reads it, and the application role cannot: only the owner's pool is handed to the
-- stand-in.
create schema sandbox;

create sequence sandbox.acknowledgements start 112610000000001;

create sequence sandbox.way_numbers start 271000000001;

create table sandbox.keys (
  kid text primary key,
  purpose text not null check (purpose in ('login', 'signing')),
  private_key text not null,
  public_key text not null,
  place int generated always as identity -- the last one signs; older ones stay published
);

create table sandbox.logins (
  token text primary key,
  client text not null,
  user_name text not null,
  gstin text not null,
  session_key bytea not null,
  expires_at timestamptz not null,
  unique (client, user_name, gstin)
);

create table sandbox.synced (
  gstin text primary key
);

create table sandbox.invoices (
  irn text primary key,
  gstin text not null, -- the supplier
  caller text not null, -- the supplier, or the e-commerce operator that filed
  financial_year text not null,
  type text not null,
  number text not null, -- in capitals: abc and ABC are one number
  ack_no bigint not null unique,
  acked_at timestamptz not null,
  cancelled_at timestamptz,
  cancel_reason text,
  cancel_remarks text,
  payload jsonb not null,
  signed_invoice text not null,
  signed_qr text not null,
  unique (gstin, financial_year, type, number)
);

create table sandbox.way_bills (
  number bigint primary key,
  irn text references sandbox.invoices,
  generator text not null,
  doc_type text not null,
  doc_number text not null,
  financial_year text not null,
  transporter text,
  made_at timestamptz not null,
  distance int not null,
  part_b_at timestamptz,
  part_b_by text,
  valid_until timestamptz,
  extended int not null default 0,
  rejected_at timestamptz,
  cancelled_at timestamptz,
  body jsonb not null
);
create unique index way_bills_document
  on sandbox.way_bills (generator, doc_type, financial_year, doc_number)
  where cancelled_at is null;
create unique index way_bills_irn on sandbox.way_bills (irn) where cancelled_at is null;

create table sandbox.way_vehicles (
  number bigint not null references sandbox.way_bills on delete cascade,
  place int not null,
  entered_at timestamptz not null,
  entered_by text not null,
  details jsonb not null,
  primary key (number, place)
);

create table sandbox.faults (
  id int generated always as identity primary key,
  mode text not null,
  operations text[] not null,
  gstin text,
  remaining int, -- null: until it is taken back
  options jsonb not null default '{}'
);

create table sandbox.requests (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operation text not null,
  gstin text not null,
  fault text,
  answer text -- ok, a code, or null while it is held
);
