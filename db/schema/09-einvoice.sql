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
-- first. A cancelled document is freed row by row, and also takes back what freed it in part.
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
    and not caused_by_cancellation(new)
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
