-- What everybody is told, each dismisses for himself.
create table notification_dismissals (
  organisation int not null, notification uuid not null, "user" uuid not null, at timestamptz not null default now(),
  primary key (organisation, notification, "user"),
  foreign key (organisation, notification) references notifications on delete cascade, foreign key (organisation, "user") references users
);

-- What an organisation subscribes to: a row for each time that modules were given, and the way a request went.
create table subscriptions (
  organisation int not null references organisations, id uuid not null, modules text[] not null, starts_on date not null, ends_on date,
  primary key (organisation, id)
);
create table subscription_requests (
  organisation int not null references organisations, id uuid not null, modules text[] not null, months int not null check (months in (1, 3, 6, 12)), monthly bigint not null,
  status int not null default 1 check (status in (1, 3, 7)), refused boolean not null default false,
  asked_by uuid not null, asked_at timestamptz not null default now(), decided_by text, decided_at timestamptz, version int not null default 1,
  primary key (organisation, id), foreign key (organisation, asked_by) references users (organisation, id)
);
-- one at a time: the next is asked when this one is through
create unique index subscription_requests_open on subscription_requests (organisation) where status < 7 and not refused;

do $$
declare name text;
begin
  foreach name in array array['notification_dismissals', 'subscriptions', 'subscription_requests'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
  foreach name in array array['subscriptions', 'subscription_requests'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
  end loop;
end $$;
grant select, insert on notification_dismissals, subscription_requests to bahi_app;
-- an organisation asks; only the operator gives
grant select on subscriptions to bahi_app;

-- Whoever was here before gates had come keeps what he had.
insert into subscriptions (organisation, id, modules, starts_on) select organisation, gen_random_uuid(), '{barcode,parts,stockRooms,channels,workflow}', current_date from organisations;

-- What the operator tells everybody.
create table broadcasts (
  id uuid primary key, title text not null, message text not null, valid_to timestamptz not null, made_by uuid not null references people, made_at timestamptz not null default now()
);
insert into global_tables values ('broadcasts', 'of the installation');
grant select, insert, delete on broadcasts to bahi_app;

-- The operator's eyes: requests of all organisations, for nobody else.
create function requests_of_all(asking uuid) returns table (organisation int, code text, name text, id uuid, modules text[], months int, monthly bigint, status int, refused boolean, asked_by text, asked_at timestamptz, version int) language sql stable security definer set search_path = public as $$
  select r.organisation, o.code, o.name, r.id, r.modules, r.months, r.monthly, r.status, r.refused, u.name, r.asked_at, r.version
    from subscription_requests r join organisations o using (organisation) join users u on u.organisation = r.organisation and u.id = r.asked_by
   where exists (select from people p where p.id = asking and p.operator) order by (r.status >= 7 or r.refused), r.asked_at desc limit 200
$$;
-- The next step of a request, or its end; with the last step the modules are given from that day on.
create function decide_request(asking uuid, org int, request uuid, known int, approve boolean, today date) returns int language plpgsql security definer set search_path = public as $$
declare asked subscription_requests; begins date; step int;
begin
  if not exists (select from people p where p.id = asking and p.operator) then raise exception 'not the operator' using errcode = 'insufficient_privilege'; end if;
  select * into asked from subscription_requests where organisation = org and id = request and version = known and status < 7 and not refused for update;
  if not found then return null; end if;
  step := case when not approve then asked.status when asked.status = 1 then 3 else 7 end;
  update subscription_requests set status = step, refused = not approve, version = version + 1, decided_by = (select email from people where id = asking), decided_at = now() where organisation = org and id = request;
  if step = 7 then
    -- what runs already is continued where it ends
    select greatest(today, max(s.ends_on) + 1) into begins from subscriptions s where s.organisation = org and s.modules @> asked.modules and s.ends_on is not null;
    begins := coalesce(begins, today);
    insert into subscriptions (organisation, id, modules, starts_on, ends_on) values (org, gen_random_uuid(), asked.modules, begins, (begins + make_interval(months => asked.months))::date - 1);
  end if;
  insert into notifications (organisation, id, "user", message, link)
  values (org, gen_random_uuid(), asked.asked_by, case when not approve then 'Your subscription request was refused' when step = 3 then 'Your payment is received and sent for admin approval' else 'Your subscription is complete' end, '/layout/subscriptions');
  return step;
end $$;
revoke all on function requests_of_all(uuid), decide_request(uuid, int, uuid, int, boolean, date) from public;
grant execute on function requests_of_all(uuid), decide_request(uuid, int, uuid, int, boolean, date) to bahi_app;

-- Questions and answers about a screen: an administrator's for his organisation, before the operator's for everybody, before ours.
create table help_texts (
  organisation int not null references organisations, screen int not null, content jsonb not null, changed_at timestamptz not null default now(),
  primary key (organisation, screen)
);
alter table help_texts enable row level security;
alter table help_texts force row level security;
create policy tenant on help_texts to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on help_texts to bahi_owner using (true) with check (true);
create trigger log_change after insert or update or delete on help_texts for each row execute function log_change();
create table help_defaults (screen int primary key, content jsonb not null);
insert into global_tables values ('help_defaults', 'of the installation');
grant select, insert, update, delete on help_texts, help_defaults to bahi_app;
