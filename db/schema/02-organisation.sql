-- The organisation, its people and their rights, its registrations and places, and its notifications and subscription.
-- Every table starts with the organisation in its keys, so that the schema can be distributed by it, and row-level
-- security is forced on all of them.

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
  primary key (organisation, id),
  -- limits beside levels (ADR 70): the highest discount in ten-thousandths of a percent, and days back; null: no limit
  discount_limit int check (discount_limit between 0 and 1000000),
  back_days int check (back_days between 0 and 36500),
  -- null: who has a level on the screen of the stock sees what goods cost
  sees_cost text check (sees_cost in ('yes', 'no'))
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
  text jsonb, -- the sentence as catalogues find it; null: it is kept in English alone
  primary key (organisation, id),
  foreign key (organisation, "user") references users
);
grant select, insert, update on notifications to bahi_app;

-- Notifications to everybody; each person dismisses their own.
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

-- Kinds of documents that registrations have number series for. A kind of a later release is none of them: the start adds
-- a series of it to every registration once, and adds it here.
create table offered_kinds (
  kind text primary key,
  offered_at timestamptz not null default now()
);
grant select on offered_kinds to bahi_app;

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

-- Access tokens, with which other programs make the calls of a user in one organisation (ADR 89). The secret has 256
-- random bits and only its SHA-256 is kept. What a token allows is what its maker may do when it is used.
create table access_tokens (
  organisation int not null,
  id uuid not null,
  "user" uuid not null,
  name text not null check (name <> ''),
  scope text not null check (scope in ('own', 'view')),
  digest bytea not null,
  begins text not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by uuid,
  primary key (organisation, id),
  foreign key (organisation, "user") references users,
  foreign key (organisation, revoked_by) references users,
  check (expires_at <= made_at + interval '366 days'),
  check ((revoked_at is null) = (revoked_by is null))
);
create index access_tokens_digest on access_tokens (digest);
create index access_tokens_user on access_tokens (organisation, "user");
create index access_tokens_revoked_by on access_tokens (organisation, revoked_by);
grant select, insert on access_tokens to bahi_app;
grant update (revoked_at, revoked_by) on access_tokens to bahi_app;

-- When a token was used, apart from the token: the edit log has every change of a token, and not every use of it.
create table access_token_uses (
  organisation int not null,
  token uuid not null,
  first_at timestamptz,
  used_at timestamptz,
  used_from text,
  refused_at timestamptz,
  primary key (organisation, token),
  foreign key (organisation, token) references access_tokens
);
grant select on access_token_uses to bahi_app;

-- Whose token this is: asked before an organisation is known. No row: it has expired, was revoked, or its user has
-- left. A use is written at most once a minute; the first one, and a refusal, go into the security log.
create function use_access_token(asked bytea, address text)
returns table (
  organisation int, id uuid, person uuid, name text, scope text, expires_at timestamptz, email text,
  preferences jsonb, factor boolean
)
language plpgsql security definer
set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  token access_tokens;
  maker people;
  valid boolean;
  event text;
  first boolean;
begin
  select t.* into token
  from access_tokens t
  where t.digest = asked;
  if not found then
    return;
  end if;
  select p.* into maker
  from users u
  join people p on p.id = u.person
  where u.organisation = token.organisation and u.id = token."user";
  valid := token.revoked_at is null
    and token.expires_at > now()
    and exists (
      select from memberships_of(maker.id) m
      where m.organisation = token.organisation and m."user" = token."user"
    );
  if address is not null and valid then
    insert into access_token_uses as u (organisation, token, first_at, used_at, used_from)
    values (token.organisation, token.id, now(), now(), address)
    on conflict (organisation, token) do update
    set first_at = coalesce(u.first_at, now()), used_at = now(), used_from = address
    where u.first_at is null or u.used_at < now() - interval '1 minute' or u.used_from <> address
    returning u.first_at = now() into first;
    event := case when first then 'tokenUsed' end;
  elsif address is not null then
    insert into access_token_uses as u (organisation, token, refused_at)
    values (token.organisation, token.id, now())
    on conflict (organisation, token) do update
    set refused_at = now()
    where u.refused_at is null or u.refused_at < now() - interval '1 minute';
    event := case when found then 'tokenRefused' end;
  end if;
  if event is not null then
    insert into edit_log (organisation, who, origin, action, relation, row_id, after)
    values
      (
        token.organisation, token."user", 'token: ' || token.name, event, 'security', token.id::text,
        jsonb_build_object('name', token.name, 'from', address)
      );
  end if;
  if valid then
    return query
    select
      token.organisation, token.id, maker.id, token.name, token.scope, token.expires_at, maker.email,
      maker.preferences, maker.totp_secret is not null;
  end if;
end
$$;
revoke all on function use_access_token(bytea, text) from public;
grant execute on function use_access_token(bytea, text) to bahi_app;

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

-- An external issuer has verified the e-mail of the invitations.
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
