-- Webhooks: the addresses of other programs that are notified of events, and the deliveries to them.

-- An address that is notified of events (ADR 91). Of the secret of its signature only the sealed form is kept.
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

-- A message to a webhook: written in the transaction of its event, and sent by a job after the commit.
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
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting';
-- the sent ones are many: what waits or failed is counted, and the next one found, without them
create index webhook_deliveries_waiting on webhook_deliveries (organisation, webhook, place) where state = 'waiting';
create index webhook_deliveries_failed on webhook_deliveries (organisation, webhook) where state = 'failed';
create index webhook_deliveries_claimed on webhook_deliveries (organisation, webhook) where claimed_until is not null;
grant select, insert, update, delete on webhook_deliveries to bahi_app;

-- Leaves the webhooks of new deliveries for the jobs.
create function queue_webhooks() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into outbox (organisation, task, payload, key)
  select distinct
    organisation, 'sendWebhook', jsonb_build_object('organisation', organisation, 'webhook', webhook), webhook::text
  from added;
  return null;
end
$$;
create trigger queue_webhooks after insert on webhook_deliveries
  referencing new table as added
  for each statement execute function queue_webhooks();

-- What a message says of a document: how it is found, and no amount.
create function webhook_document(d documents) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'document', jsonb_build_object('id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date)
  )
$$;

-- Posted documents, set by set. A document that reverses another one is the event of a cancellation.
create function webhooks_of_posted() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into webhook_deliveries (organisation, webhook, event, about, body)
  select d.organisation, w.id, 'documentPosted', d.id, webhook_document(o)
  from added d
  join webhooks w on w.organisation = d.organisation
  join documents o on o.organisation = d.organisation and o.id = d.id
  where w.active
    and d.reverses is null
    and 'documentPosted' = any(w.events)
    and (cardinality(w.kinds) = 0 or d.kind = any(w.kinds))
  order by d.number;
  return null;
end
$$;
create trigger webhooks_of_posted after insert on documents
  referencing new table as added
  for each statement execute function webhooks_of_posted();

create function webhooks_of_cancelled() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into webhook_deliveries (organisation, webhook, event, about, body)
  select d.organisation, w.id, 'documentCancelled', d.id, webhook_document(d)
  from added c
  join webhooks w on w.organisation = c.organisation
  join documents d on d.organisation = c.organisation and d.id = c.document
  where w.active
    and 'documentCancelled' = any(w.events)
    and (cardinality(w.kinds) = 0 or d.kind = any(w.kinds))
  order by d.number;
  return null;
end
$$;
create trigger webhooks_of_cancelled after insert on cancellations
  referencing new table as added
  for each statement execute function webhooks_of_cancelled();

-- Saved parties and items; the argument says which of the two.
create function webhooks_of_saved() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into webhook_deliveries (organisation, webhook, event, about, body)
  select
    s.organisation, w.id, 'masterSaved', s.id,
    jsonb_build_object('record', jsonb_build_object('id', s.id, 'sort', tg_argv[0]))
  from added s
  join webhooks w on w.organisation = s.organisation
  where w.active and 'masterSaved' = any(w.events);
  return null;
end
$$;
create trigger webhooks_of_made after insert on parties
  referencing new table as added
  for each statement execute function webhooks_of_saved('party');
create trigger webhooks_of_changed after update on parties
  referencing new table as added
  for each statement execute function webhooks_of_saved('party');
create trigger webhooks_of_made after insert on items
  referencing new table as added
  for each statement execute function webhooks_of_saved('item');
create trigger webhooks_of_changed after update on items
  referencing new table as added
  for each statement execute function webhooks_of_saved('item');
