-- A document and its IRN cannot part: while the portal has it, or may have it, the document is not cancelled;
-- what was not sent yet is never sent once its document is cancelled.
create function irn_before_cancellation() returns trigger language plpgsql as $$
declare known text;
begin
  select state into known from einvoices where organisation = new.organisation and document = new.document for update;
  if known in ('sending', 'unclear', 'registered') then
    raise exception 'the portal has, or may have, this document' using errcode = 'check_violation', constraint = 'cancellations_irn';
  end if;
  update einvoices set state = 'void', updated_at = now(), version = version + 1 where organisation = new.organisation and document = new.document and known in ('queued', 'failed');
  return new;
end $$;
create trigger irn_before_cancellation before insert on cancellations for each row execute function irn_before_cancellation();
alter table einvoices add constraint einvoices_state check (state in ('queued', 'sending', 'unclear', 'failed', 'registered', 'cancelled', 'void'));
create index einvoices_stuck on einvoices (updated_at) where state = 'sending';
create index outbox_age on outbox (handed_at) where handed_at is not null;
grant update on notifications to bahi_app;
