-- E-way bills: made by a job like IRNs and with the same care. A document has at most one that lives; cancelled ones stay
-- to be seen. `asked` is what the portal was last asked to do with a made bill (Part B, cancelling) while its answer is not
-- known: whoever acts next asks first what became of it.
create table eway_bills (
  organisation int not null, document uuid not null, bill int not null, route text not null check (route in ('irn', 'direct')),
  state text not null check (state in ('queued', 'sending', 'unclear', 'failed', 'partA', 'active', 'cancelled', 'void')),
  author uuid not null, transport jsonb not null, number text, made_at text, valid_until text, distance int, error_code text, error text, attempts int not null default 0,
  asked jsonb, asked_at timestamptz, cancelled_at timestamptz, cancel_reason text, version int not null default 1, updated_at timestamptz not null default now(),
  primary key (organisation, document, bill), foreign key (organisation, document) references documents,
  constraint eway_bills_made check (state not in ('partA', 'active') or number is not null)
);
create unique index eway_bills_live on eway_bills (organisation, document) where state not in ('cancelled', 'void');
create unique index eway_bills_number on eway_bills (organisation, number) where number is not null;
create index eway_bills_state on eway_bills (organisation, state, document);
create index eway_bills_stuck on eway_bills (updated_at) where state = 'sending';
create table eway_attempts (
  organisation int not null, document uuid not null, bill int not null, attempt int not null, at timestamptz not null default now(),
  what text not null, outcome text not null, code text, message text, request text, response text,
  primary key (organisation, document, bill, attempt), foreign key (organisation, document, bill) references eway_bills
);

-- While the portal has a bill, or may have it, its document is not cancelled; what was not sent yet is never sent after that.
create function way_bill_before_cancellation() returns trigger language plpgsql as $$
declare known text;
begin
  select state into known from eway_bills where organisation = new.organisation and document = new.document and state not in ('cancelled', 'void') for update;
  if known in ('sending', 'unclear', 'partA', 'active') then
    raise exception 'the portal has, or may have, an e-way bill of this document' using errcode = 'check_violation', constraint = 'cancellations_eway';
  end if;
  update eway_bills set state = 'void', updated_at = now(), version = version + 1 where organisation = new.organisation and document = new.document and state in ('queued', 'failed');
  return new;
end $$;
create trigger way_bill_before_cancellation before insert on cancellations for each row execute function way_bill_before_cancellation();

create trigger written_once before update or delete or truncate on eway_attempts for each statement execute function written_once();
create trigger log_change after insert or update or delete on eway_bills for each row execute function log_change();
do $$
declare name text;
begin
  foreach name in array array['eway_bills', 'eway_attempts'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, update on eway_bills to bahi_app;
grant select, insert on eway_attempts to bahi_app;
