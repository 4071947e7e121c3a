-- The invoice portal may hold the number of a document for another invoice: what it signed differed from ours. Cancelling the document
-- would leave that number at the portal with nothing in the books, so it waits until the IRN is cancelled there and the portal has
-- been asked again. The code stays while it is sent again, until another answer comes.
create function irn_differs(e einvoices) returns boolean language sql immutable as $$
  select e.state in ('queued', 'failed') and e.error_code is not distinct from 'differs'
$$;
grant execute on function irn_differs(einvoices) to bahi_app;

create or replace function irn_before_cancellation() returns trigger language plpgsql as $$
declare
  known einvoices;
begin
  select * into known
    from einvoices
   where organisation = new.organisation
     and document = new.document
     for update;
  if known.state in ('sending', 'unclear', 'registered') or irn_differs(known) then
    raise exception 'the portal has, or may have, this document' using errcode = 'check_violation', constraint = 'cancellations_irn';
  end if;
  update einvoices
     set state = 'void', updated_at = now(), version = version + 1
   where organisation = new.organisation
     and document = new.document
     and known.state in ('queued', 'failed');
  return new;
end $$;
