-- People are grouped: a group gives its roles to its members. What a user may do comes from his own roles and from those
-- of his groups; every question about rights reads this one view, so that none forgets the groups.
create table groups (
  organisation int not null references organisations, id uuid not null, name text not null, description text not null default '',
  version int not null default 1, active boolean not null default true,
  primary key (organisation, id)
);
create unique index groups_name on groups (organisation, lower(name));
create table group_roles (
  organisation int not null, "group" uuid not null, role uuid not null,
  primary key (organisation, "group", role),
  foreign key (organisation, "group") references groups on delete cascade, foreign key (organisation, role) references roles
);
create index group_roles_role on group_roles (organisation, role);
create table group_members (
  organisation int not null, "group" uuid not null, "user" uuid not null,
  primary key (organisation, "group", "user"),
  foreign key (organisation, "group") references groups on delete cascade, foreign key (organisation, "user") references users
);
create index group_members_user on group_members (organisation, "user");

do $$
declare name text;
begin
  foreach name in array array['groups', 'group_roles', 'group_members'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, update, delete on groups to bahi_app;
grant select, insert, delete on group_roles, group_members to bahi_app;

-- Each level that reaches a user, and the way it came: by a role of his own ("group" is null) or by one of a group.
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

-- The second factor of a person: a secret that he is about to confirm, and codes for the day his telephone is lost. Only a
-- digest of each is kept, and each opens once. Where a role or the organisation asks for it, nothing works without it.
alter table people add column totp_pending bytea;
create table recovery_codes (
  person uuid not null references people, digest bytea not null, made_at timestamptz not null default now(), used_at timestamptz,
  primary key (person, digest)
);
insert into global_tables values ('recovery_codes', 'of a person');
grant select, insert, update, delete on recovery_codes to bahi_app;
alter table roles add column second_factor boolean not null default false;
