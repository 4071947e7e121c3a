-- Cancelling undoes a document on its own day. An IFF locks no days: what it held is kept by document, and a cancellation on the
-- document's own day would change what was filed. A reversal of a later day does not.
create function filed_before_cancellation() returns trigger language plpgsql as $$
declare
  held text;
begin
  select f.period into held
    from gst_furnished f
    join documents d on d.organisation = f.organisation and d.id = f.document
    join documents r on r.organisation = f.organisation and r.id = new.reversal
   where f.organisation = new.organisation
     and f.document = new.document
     and r.date = d.date;
  if found then
    raise exception '%', held using errcode = 'check_violation', constraint = 'cancellations_furnished';
  end if;
  return new;
end $$;
create trigger filed_before_cancellation before insert on cancellations for each row execute function filed_before_cancellation();

-- What settles a document, or is settled by it: the other document of each pair that has not been taken back.
create function settlements_of(org int, which uuid)
returns table (document uuid, location uuid, number text, amount bigint)
language sql stable as $$
  select d.id, d.location, d.number, sum(a.amount)::bigint
    from allocations a
    join documents d
      on d.organisation = a.organisation
     and d.id = case when a.invoice_document = which then a.credit_document else a.invoice_document end
   where a.organisation = org
     and which in (a.invoice_document, a.credit_document)
   group by d.id, d.location, d.number
  having sum(a.amount) <> 0
   order by d.number
$$;
grant execute on function settlements_of(int, uuid) to bahi_app;

-- What is freed is freed on the day of the settlement at the earliest: on no day is more open than there was. Settlements are
-- kept in the register of money: one that is locked there stays.
create function freed_on_an_open_day() returns trigger language plpgsql as $$
declare
  locked date;
begin
  select greatest(new.date, max(a.date)) into new.date
    from allocations a
   where a.organisation = new.organisation
     and a.credit_document = new.credit_document
     and a.credit_line = new.credit_line
     and a.invoice_document = new.invoice_document
     and a.invoice_line = new.invoice_line;
  select r.locked_through into locked
    from register_locks r
   where r.organisation = new.organisation
     and r.register = 'money';
  if new.date <= locked then
    raise exception '%', locked using errcode = 'check_violation', constraint = 'allocations_locked';
  end if;
  return new;
end $$;
create trigger freed_on_an_open_day before insert on allocations for each row when (new.amount < 0) execute function freed_on_an_open_day();
