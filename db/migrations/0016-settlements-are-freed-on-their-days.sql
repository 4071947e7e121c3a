-- A document that is cancelled frees its settlements on the day of each: the ageings of the days between its own day and
-- a later change of what it settled showed too little.
-- Whether a row of settlements was written because a document was cancelled.
create or replace function caused_by_cancellation(settled allocations) returns boolean
language sql stable as $$
  select exists (
    select from cancellations c
    where c.organisation = settled.organisation and c.reversal = settled.cause
  )
$$;
grant execute on function caused_by_cancellation(allocations) to bahi_app;

-- A cancelled document settles nothing and is settled by nothing: each allocation that it is part of, or caused, is
-- taken back by a row with the opposite amount, and what was settled is open again, with what was taken off the
-- accounts. A pair is freed as a whole, or by its share. As a whole it is freed row by row, each on its own day: from
-- the day of the reversal on, nothing of the pair is settled on any day, whatever was settled and freed of it later,
-- also where nothing of it is settled now.
-- By its share, both documents go on: nothing is freed before the last settlement of the two.
create or replace function free_allocations() returns trigger
language plpgsql as $$
begin
  with reversed as (
    select d.date
    from documents d
    where d.organisation = new.organisation and d.id = new.reversal
  ), involved as (
    select
      a.credit_document, a.credit_line, a.invoice_document, a.invoice_line, a.amount, a.invoice_worth,
      a.credit_worth, a.date, a.cause = new.document or new.document in (a.credit_document, a.invoice_document) as own
    from allocations a
    where a.organisation = new.organisation
      and (a.credit_document, a.invoice_document) in (
        select b.credit_document, b.invoice_document
        from allocations b
        where b.organisation = new.organisation
          and (b.cause = new.document or b.credit_document = new.document or b.invoice_document = new.document)
      )
  ), pairs as (
    select
      credit_document, credit_line, invoice_document, invoice_line, sum(amount) as net,
      sum(amount) filter (where own) as own, sum(invoice_worth) filter (where own) as own_invoice_worth,
      sum(credit_worth) filter (where own) as own_credit_worth, max(date) as last,
      new.document in (credit_document, invoice_document) as part
    from involved
    group by 1, 2, 3, 4
  ), freed as (
    insert into allocations (
      organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, invoice_worth,
      credit_worth, date, cause, by
    )
    select
      new.organisation, gen_random_uuid(), f.credit_document, f.credit_line, f.invoice_document, f.invoice_line,
      -f.amount, -f.invoice_worth, -f.credit_worth, greatest(f.date, reversed.date), new.reversal,
      (to_jsonb(new) ->> 'by')::uuid
    from (
      select
        credit_document, credit_line, invoice_document, invoice_line, i.amount, i.invoice_worth, i.credit_worth, i.date
      from involved i
      join pairs p using (credit_document, credit_line, invoice_document, invoice_line)
      cross join reversed r
      where (p.net > 0 and p.net <= p.own) or (p.net = 0 and p.part and p.last > r.date)
      union all
      select
        credit_document, credit_line, invoice_document, invoice_line, own, own_invoice_worth, own_credit_worth, last
      from pairs
      where own > 0 and net > own
    ) f
    cross join reversed
    returning credit_document, credit_line, invoice_document, invoice_line, amount
  )
  update open_items o
  set open = o.open + v.amount
  from (
    select document, line, sum(-amount) as amount
    from (
      select credit_document as document, credit_line as line, amount
      from freed
      union all
      select invoice_document, invoice_line, amount
      from freed
    ) u
    group by document, line
  ) v
  where o.organisation = new.organisation and o.document = v.document and o.line = v.line;
  return null;
end
$$;

-- What a person frees is freed on the day of the last settlement of the pair at the earliest: on no day is more open
-- than there was. A cancellation gives its rows their days itself. Settlements are kept in the register of money: one
-- that is locked there stays.
create or replace function freed_on_an_open_day() returns trigger
language plpgsql as $$
declare
  locked date;
begin
  if not caused_by_cancellation(new) then
    select greatest(new.date, max(a.date)) into new.date
    from allocations a
    where a.organisation = new.organisation
      and a.credit_document = new.credit_document
      and a.credit_line = new.credit_line
      and a.invoice_document = new.invoice_document
      and a.invoice_line = new.invoice_line;
  end if;
  select r.locked_through into locked
  from register_locks r
  where r.organisation = new.organisation and r.register = 'money';
  if new.date <= locked then
    raise exception '%', locked using errcode = 'check_violation', constraint = 'allocations_locked';
  end if;
  return new;
end
$$;

-- Whoever settles holds the open items of both documents, as does who asks to cancel an IRN: one of them comes
-- first. A cancelled document is freed row by row, and also takes back what freed it in part.
create or replace function settles_what_has_its_irn() returns trigger
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
