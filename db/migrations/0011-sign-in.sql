-- Whoever is made a user needs a way in. A membership counts once the person has taken it up himself: by a one-time link
-- that an administrator hands over, or with an external issuer by a verified e-mail. So nobody who holds an address in
-- one organisation gets into another by being named there.
alter table users add column accepted_at timestamptz default now();
alter table users alter column accepted_at drop default;
-- who was named before and has neither password nor issuer never had a way in
update users u set accepted_at = null from people p where p.id = u.person and p.password_hash is null and p.subject is null;

-- One-time links: only the SHA-256 of the token is kept. A `setup` link belongs to nobody yet.
create table sign_in_links (
  digest bytea primary key,
  purpose text not null check (purpose in ('invitation', 'password', 'setup')),
  organisation int, "user" uuid, person uuid references people,
  made_by uuid, made_at timestamptz not null default now(), expires_at timestamptz not null, used_at timestamptz,
  check ((purpose = 'setup') = (person is null) and (person is null) = (organisation is null) and (person is null) = ("user" is null))
);
create index sign_in_links_user on sign_in_links (organisation, "user");
create index sign_in_links_person on sign_in_links (person);
insert into global_tables values ('sign_in_links', 'used before anybody is signed in');
grant select, insert, update, delete on sign_in_links to bahi_app;

create or replace function memberships_of(asked uuid) returns table (organisation int, code text, name text, "user" uuid) language sql stable security definer set search_path = public as $$
  select u.organisation, o.code, o.name, u.id from users u join organisations o using (organisation) where u.person = asked and u.active and u.accepted_at is not null order by o.organisation
$$;

-- Whether a person has ever taken up a place in another organisation: then no administrator of this one may set his password.
create function works_elsewhere(asked uuid, org int) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select from users where person = asked and organisation <> org and accepted_at is not null)
$$;
-- An external issuer has verified the e-mail that stands on the invitations.
create function accept_memberships(asked uuid) returns void language sql security definer set search_path = public as $$
  update users set accepted_at = now() where person = asked and active and accepted_at is null
$$;
revoke all on function works_elsewhere(uuid, int), accept_memberships(uuid) from public;
grant execute on function works_elsewhere(uuid, int), accept_memberships(uuid) to bahi_app;
