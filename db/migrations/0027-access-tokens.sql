-- Other programs make calls with access tokens, and the edit log names the token (ADR 89).

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

create trigger log_change after insert or update or delete on access_tokens
  for each row execute function log_change();

alter table access_tokens enable row level security;
alter table access_tokens force row level security;
create policy tenant on access_tokens to bahi_app
using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on access_tokens to bahi_owner using (true) with check (true);

alter table access_token_uses enable row level security;
alter table access_token_uses force row level security;
create policy tenant on access_token_uses to bahi_app
using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on access_token_uses to bahi_owner using (true) with check (true);

-- One log row for each posted document: its rows are their own record, the seal takes their digest. It names who
-- posted: the author (posts of several users go in one transaction), or who approved, where an approval was waited
-- for; the approval is written before its document, in the same transaction. Nobody is named where the application
-- has named nobody. What a program posted names its access token.
create or replace function log_posted() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id)
  select
    d.organisation, case when log_user() is not null then coalesce(a.approved_by, d.author) end,
    coalesce('token: ' || (d.body ->> 'token'), log_origin()), 'post', 'documents', d.id::text
  from added d
  left join approvals a on a.organisation = d.organisation and a.document = d.id;
  return null;
end
$$;
