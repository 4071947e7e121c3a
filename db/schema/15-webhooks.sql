-- Webhooks: what other programs are told of, and how that went.

-- Addresses that are told of events (ADR 91). Of the secret of their signature only the sealed form is kept.
create table webhooks (
  organisation int not null references organisations,
  id uuid not null,
  name text not null check (name <> ''),
  address text not null,
  events text[] not null check (cardinality(events) > 0),
  kinds text[] not null default '{}', -- of documents; empty: all
  active boolean not null default true,
  secret bytea not null,
  made_at timestamptz not null default now(),
  primary key (organisation, id)
);
grant select, insert, update, delete on webhooks to bahi_app;

-- What a webhook is told: written in the transaction of what happened, and sent by a job after the commit.
create table webhook_deliveries (
  organisation int not null,
  id uuid not null default gen_random_uuid(),
  webhook uuid not null,
  place bigint generated always as identity,
  event text not null,
  about uuid,
  body jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  until timestamptz not null default now() + interval '1 day', -- an attempt that fails after this is the last
  claimed_until timestamptz, -- while somebody sends it nobody else does; a process that died gives it free by time
  status int,
  error text,
  made_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (organisation, id),
  foreign key (organisation, webhook) references webhooks on delete cascade
);
create index webhook_deliveries_webhook on webhook_deliveries (organisation, webhook, place);
create index webhook_deliveries_waiting on webhook_deliveries (next_at) where state = 'waiting';
grant select, insert, update, delete on webhook_deliveries to bahi_app;

-- Posted documents, set by set. The documents that take others back are told of as cancellations.
create function tell_posted() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  with told as (
    insert into webhook_deliveries (organisation, webhook, event, about, body)
    select
      d.organisation, w.id, 'documentPosted', d.id,
      jsonb_build_object('document', jsonb_build_object('id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date))
    from added d
    join webhooks w on w.organisation = d.organisation
    where w.active
      and d.reverses is null
      and 'documentPosted' = any(w.events)
      and (cardinality(w.kinds) = 0 or d.kind = any(w.kinds))
    order by d.number
    returning organisation, webhook
  )
  insert into outbox (organisation, task, payload, key)
  select distinct organisation, 'sendWebhook', jsonb_build_object('organisation', organisation, 'webhook', webhook), webhook::text
  from told;
  return null;
end
$$;
create trigger tell_posted after insert on documents
  referencing new table as added
  for each statement execute function tell_posted();

create function tell_cancelled() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  with told as (
    insert into webhook_deliveries (organisation, webhook, event, about, body)
    select
      d.organisation, w.id, 'documentCancelled', d.id,
      jsonb_build_object('document', jsonb_build_object('id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date))
    from added c
    join webhooks w on w.organisation = c.organisation
    join documents d on d.organisation = c.organisation and d.id = c.document
    where w.active
      and 'documentCancelled' = any(w.events)
      and (cardinality(w.kinds) = 0 or d.kind = any(w.kinds))
    order by d.number
    returning organisation, webhook
  )
  insert into outbox (organisation, task, payload, key)
  select distinct organisation, 'sendWebhook', jsonb_build_object('organisation', organisation, 'webhook', webhook), webhook::text
  from told;
  return null;
end
$$;
create trigger tell_cancelled after insert on cancellations
  referencing new table as added
  for each statement execute function tell_cancelled();

-- Saved parties and items; the argument says which of the two.
create function tell_saved() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  with told as (
    insert into webhook_deliveries (organisation, webhook, event, about, body)
    select
      s.organisation, w.id, 'masterSaved', s.id,
      jsonb_build_object('record', jsonb_build_object('id', s.id, 'sort', tg_argv[0]))
    from added s
    join webhooks w on w.organisation = s.organisation
    where w.active and 'masterSaved' = any(w.events)
    returning organisation, webhook
  )
  insert into outbox (organisation, task, payload, key)
  select distinct organisation, 'sendWebhook', jsonb_build_object('organisation', organisation, 'webhook', webhook), webhook::text
  from told;
  return null;
end
$$;
create trigger tell_made after insert on parties
  referencing new table as added
  for each statement execute function tell_saved('party');
create trigger tell_changed after update on parties
  referencing new table as added
  for each statement execute function tell_saved('party');
create trigger tell_made after insert on items
  referencing new table as added
  for each statement execute function tell_saved('item');
create trigger tell_changed after update on items
  referencing new table as added
  for each statement execute function tell_saved('item');
