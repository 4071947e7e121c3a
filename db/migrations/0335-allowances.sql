-- A discount and what is written off are given on what a receipt or payment settles. They are no money: what they settle is never
-- open again as money on account, to be paid out or to settle something else.

-- What of a receipt or payment is no money, in paise of its currency.
create function allowance_of(body jsonb) returns bigint language sql immutable as $$
  select coalesce((body #>> '{draft,discountAmount}')::bigint, 0) + coalesce((body #>> '{draft,writeOff}')::bigint, 0)
$$;
grant execute on function allowance_of(jsonb) to bahi_app;

-- How much of the allowance of a credit is on nothing, with its settlements with `without` left out. Money that was given back for
-- the credit settles nothing; a receipt that came back as a whole gives its own allowance back with it.
create function allowance_short(org int, credit uuid, without uuid[] default '{}') returns bigint language sql stable as $$
  select greatest(0, allowance_of(d.body) - coalesce((
           select sum(case when p.given_back then least(p.amount, allowance_of(i.body)) else p.amount end)
             from (
               select a.invoice_document, sum(a.amount) as amount, bool_or(a.cause = a.invoice_document and a.amount > 0) as given_back
                 from allocations a
                where a.organisation = org
                  and a.credit_document = credit
                  and a.invoice_document <> all(without)
                group by a.invoice_document
             ) p
             join documents i on i.organisation = org and i.id = p.invoice_document), 0))::bigint
    from documents d
   where d.organisation = org
     and d.id = credit
     and allowance_of(d.body) > 0
     and not exists (select from cancellations c where c.organisation = org and c.document = credit)
$$;
grant execute on function allowance_short(int, uuid, uuid[]) to bahi_app;

-- Whoever settles or frees holds the open items of both documents: what is read here does not change meanwhile. A statement frees
-- and settles anew at once where a settlement is moved.
create function allowance_is_settled() returns trigger language plpgsql as $$
declare
  short text;
begin
  select d.number || e'\n' || allowance_of(d.body)
    into short
    from (
      select distinct a.organisation, a.credit_document
        from added a
       where a.amount < 0
          or a.cause = a.invoice_document
    ) t
    join documents d on d.organisation = t.organisation and d.id = t.credit_document
   where allowance_of(d.body) > 0
     and allowance_short(t.organisation, t.credit_document) > 0
   limit 1;
  if found then
    raise exception '%', short using errcode = 'check_violation', constraint = 'allocations_allowance';
  end if;
  return null;
end $$;
create trigger allowance_is_settled after insert on allocations
  referencing new table as added
  for each statement execute function allowance_is_settled();
