-- What is open, and what settles it.

-- Projections: kept in the posting transaction, rebuilt by the invariants' command, never a second truth.
create table open_items (
  organisation int not null,
  document uuid not null,
  party uuid not null,
  side text not null,
  date date not null,
  due_date date,
  currency text not null,
  original bigint not null,
  open bigint not null check (open >= 0 and open <= original),
  -- A document may open more than one item: each line of an opening balance, or of a journal, that stands on the
  -- account of a party is due, or to be used, by itself, under the number and dates of the bill it was. Line 0 is
  -- the document as a whole.
  line int not null default 0 check (line >= 0),
  reference text,
  primary key (organisation, document, line),
  foreign key (organisation, document) references documents,
  foreign key (organisation, party) references parties
);
create index open_items_party on open_items (organisation, party, side, date) where open > 0;
grant select, insert, update on open_items to bahi_app;

-- So much of a credit settles so much of an invoice. Taking it back is a row with the opposite amount.
create table allocations (
  organisation int not null,
  id uuid not null,
  credit_document uuid not null,
  invoice_document uuid not null,
  amount bigint not null check (amount <> 0),
  date date not null,
  cause uuid not null,
  by uuid not null,
  at timestamptz not null default now(),
  credit_line int not null default 0,
  invoice_line int not null default 0,
  -- What an allocation took off the account of the party in rupees, on the side of the due and on that of the
  -- credit. With both in rupees it is the amount. In a foreign currency the last allocation takes what is left, so
  -- that what is settled in its own currency is settled in rupees to the paisa, whatever the rates of the parts.
  invoice_worth bigint,
  credit_worth bigint,
  primary key (organisation, id),
  foreign key (organisation, credit_document) references documents,
  foreign key (organisation, invoice_document) references documents,
  foreign key (organisation, cause) references documents,
  foreign key (organisation, by) references users
);
create index allocations_credit on allocations (organisation, credit_document);
create index allocations_invoice on allocations (organisation, invoice_document);
create index allocations_cause on allocations (organisation, cause);
grant select, insert on allocations to bahi_app;

-- The rupees that still stand on the account of the party for an open item.
create function open_worth(org int, item open_items) returns bigint
language sql stable as $$
  select case
    when item.currency = 'INR' then item.open
    else coalesce(
      (
        select abs(sum(e.debit - e.credit))
        from entries e
        where e.organisation = org
          and e.document = item.document
          and heir_of(org, e.party) = item.party
          and item.line in (0, e.leg)
      ),
      0
    )::bigint - coalesce(
      (
        select sum(coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0)))
        from allocations a
        join documents d on d.organisation = org and d.id = a.invoice_document
        where a.organisation = org and a.invoice_document = item.document and a.invoice_line = item.line
      ),
      0
    )::bigint - coalesce(
      (
        select sum(coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0)))
        from allocations a
        join documents d on d.organisation = org and d.id = a.credit_document
        where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line
      ),
      0
    )::bigint
  end
$$;
grant execute on function open_worth(int, open_items) to bahi_app;

-- What stood open of an item at the end of a day, in its own currency and in the rupees on the account of the
-- party.
create function open_on(org int, item open_items, day date) returns table (open bigint, worth bigint)
language sql stable as $$
  with used as (
    select
      a.amount,
      case
        when item.currency = 'INR' then a.amount
        else coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint)
      end as worth
    from allocations a
    join documents d on d.organisation = a.organisation and d.id = a.invoice_document
    where a.organisation = org
      and a.invoice_document = item.document
      and a.invoice_line = item.line
      and a.date <= day
    union all
    select
      a.amount,
      case
        when item.currency = 'INR' then a.amount
        else coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint)
      end
    from allocations a
    join documents d on d.organisation = a.organisation and d.id = a.credit_document
    where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line and a.date <= day
  )
  select
    item.original - coalesce(sum(used.amount), 0)::bigint,
    (
      case
        when item.currency = 'INR' then item.original
        else coalesce(
          (
            select abs(sum(e.debit - e.credit))
            from entries e
            where e.organisation = org
              and e.document = item.document
              and heir_of(org, e.party) = item.party
              and item.line in (0, e.leg)
          ),
          0
        )
      end - coalesce(sum(used.worth), 0)
    )::bigint
  from used
$$;
grant execute on function open_on(int, open_items, date) to bahi_app;

-- What settles a document, or is settled by it: the other document of each pair that has not been taken back.
create function settlements_of(org int, which uuid)
returns table (document uuid, location uuid, number text, amount bigint)
language sql stable as $$
  select d.id, d.location, d.number, sum(a.amount)::bigint
  from allocations a
  join documents d on d.organisation = a.organisation
    and d.id = case when a.invoice_document = which then a.credit_document else a.invoice_document end
  where a.organisation = org and which in (a.invoice_document, a.credit_document)
  group by d.id, d.location, d.number
  having sum(a.amount) <> 0
  order by d.number
$$;
grant execute on function settlements_of(int, uuid) to bahi_app;

-- A cancelled document settles nothing and is settled by nothing: each allocation that it is part of, or caused, is
-- taken back by a row with the opposite amount, and what was settled is open again, with what was taken off the
-- accounts. A pair is freed as a whole, or by its share. As a whole it is freed row by row, each on its own day: from
-- the day of the reversal on, nothing of the pair is settled on any day, whatever was settled and freed of it later,
-- also where nothing of it is settled now.
-- By its share, both documents go on: nothing is freed before the last settlement of the two.
create function free_allocations() returns trigger
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
create trigger free_allocations after insert on cancellations for each row execute function free_allocations();

-- Whether a row of settlements was written because a document was cancelled.
create function caused_by_cancellation(settled allocations) returns boolean
language sql stable as $$
  select exists (
    select from cancellations c
    where c.organisation = settled.organisation and c.reversal = settled.cause
  )
$$;
grant execute on function caused_by_cancellation(allocations) to bahi_app;

-- What a person frees is freed on the day of the last settlement of the pair at the earliest: on no day is more open
-- than there was. A cancellation gives its rows their days itself. Settlements are kept in the register of money: one
-- that is locked there stays.
create function freed_on_an_open_day() returns trigger
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
create trigger freed_on_an_open_day before insert on allocations
  for each row
  when (new.amount < 0)
  execute function freed_on_an_open_day();

-- A settlement counts from the day on which both of its documents are there. An advance payment that names a later
-- bill is on account until the bill's day: before it, ageings would show less than the ledger.
create function counts_from_the_later_day() returns trigger
language plpgsql as $$
begin
  select greatest(new.date, max(d.date)) into new.date
  from documents d
  where d.organisation = new.organisation and d.id in (new.credit_document, new.invoice_document);
  return new;
end
$$;
create trigger counts_from_the_later_day before insert on allocations
  for each row
  when (new.amount > 0)
  execute function counts_from_the_later_day();

-- What of a receipt or payment is no money, in paise of its currency. A discount and what is written off are given
-- on what a receipt or payment settles: what they settle is never open again as money on account, to be paid out or
-- to settle something else.
create function allowance_of(body jsonb) returns bigint
language sql immutable as $$
  select coalesce((body #>> '{draft,discountAmount}')::bigint, 0)
      + coalesce((body #>> '{draft,writeOff}')::bigint, 0)
$$;
grant execute on function allowance_of(jsonb) to bahi_app;

-- How much of the allowance of a credit is on nothing, with its settlements with `without` left out. Money that was
-- given back for the credit settles nothing; a receipt that came back as a whole gives its own allowance back with
-- it.
create function allowance_short(org int, credit uuid, without uuid[] default '{}') returns bigint
language sql stable as $$
  select greatest(
    0,
    allowance_of(d.body) - coalesce(
      (
        select sum(case when p.given_back then least(p.amount, allowance_of(i.body)) else p.amount end)
        from (
          select
            a.invoice_document, sum(a.amount) as amount,
            bool_or(a.cause = a.invoice_document and a.amount > 0) as given_back
          from allocations a
          where a.organisation = org and a.credit_document = credit and a.invoice_document <> all(without)
          group by a.invoice_document
        ) p
        join documents i on i.organisation = org and i.id = p.invoice_document
      ),
      0
    )
  )::bigint
  from documents d
  where d.organisation = org
    and d.id = credit
    and allowance_of(d.body) > 0
    and not exists (select from cancellations c where c.organisation = org and c.document = credit)
$$;
grant execute on function allowance_short(int, uuid, uuid[]) to bahi_app;

-- Whoever settles or frees holds the open items of both documents: what is read here does not change meanwhile. A
-- statement frees and settles anew at once where a settlement is moved.
create function allowance_is_settled() returns trigger
language plpgsql as $$
declare
  short text;
begin
  select d.number || e'\n' || allowance_of(d.body) into short
  from (
    select distinct a.organisation, a.credit_document
    from added a
    where a.amount < 0 or a.cause = a.invoice_document
  ) t
  join documents d on d.organisation = t.organisation and d.id = t.credit_document
  where allowance_of(d.body) > 0 and allowance_short(t.organisation, t.credit_document) > 0
  limit 1;
  if found then
    raise exception '%', short using errcode = 'check_violation', constraint = 'allocations_allowance';
  end if;
  return null;
end
$$;
create trigger allowance_is_settled after insert on allocations
  referencing new table as added
  for each statement execute function allowance_is_settled();
