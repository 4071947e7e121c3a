-- Drafts, documents and what belongs to them.
--
-- One shape for every kind of document, so that a new kind needs no migration. What an engine, a report or a
-- return reads is a column; what is only shown or printed is in body. Posted rows are written once.
create table drafts (
  organisation int not null references organisations,
  id uuid not null,
  kind text not null,
  body jsonb not null,
  author uuid not null,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  -- Approval of documents. The rules are settings of the organisation. A draft that its author has sent for
  -- approval is locked: it is withdrawn, rejected with a comment, or posted by somebody else, and what was posted
  -- so has a row of its own that says who approved it. The locks stand here too, so that there is no way round the
  -- calls.
  submitted_at timestamptz,
  rejected_at timestamptz,
  rejected_by uuid,
  rejection text not null default '',
  -- A draft that waits for approval names its items and its party, and these may change meanwhile. So it keeps the
  -- figures that it was sent with, and is posted with the same ones or not at all: its amounts in paise by their
  -- names, and `digest`, the SHA-256 of all that they come from. What was approved keeps them too.
  figures jsonb,
  primary key (organisation, id),
  foreign key (organisation, rejected_by) references users,
  foreign key (organisation, author) references users,
  constraint drafts_state check (submitted_at is null or rejected_at is null),
  constraint drafts_rejected
    check ((rejected_at is null) = (rejected_by is null) and (rejected_at is null) = (rejection = '')),
  constraint drafts_own_rejection check (rejected_by <> author),
  constraint drafts_figures check ((submitted_at is null) = (figures is null))
);
create index drafts_kind on drafts (organisation, kind, updated_at desc, id desc);
create index drafts_waiting on drafts (organisation, kind, submitted_at) where submitted_at is not null;
grant select, insert, update, delete on drafts to bahi_app;

-- The number of a document without what its series puts before or after it, as people say it: 123 of SI/26-27/00123.
-- What is written of the financial year is no part of it.
create function number_counter(number text, financial_year text) returns text
language sql immutable parallel safe as $$
  select ltrim(
    coalesce(
      substring(
        regexp_replace(
          number,
          '(^|[^0-9])(' || financial_year || '|' || substr(financial_year, 3) || '|'
            || replace(substr(financial_year, 3), '-', '') || ')',
          '\1 '
        )
        from '([0-9]+)[^0-9]*$'
      ),
      substring(number from '([0-9]+)[^0-9]*$')
    ),
    '0'
  )
$$;
grant execute on function number_counter(text, text) to bahi_app;

-- Foreign keys hold that what a row of the books names exists, in its own organisation, whoever writes it (ADR 53).
create table documents (
  organisation int not null,
  id uuid not null,
  kind text not null,
  numbering text not null,
  registration uuid not null,
  location uuid not null,
  to_location uuid,
  financial_year text not null,
  number text not null,
  series uuid,
  date date not null,
  due_date date,
  party uuid,
  party_name text not null default '',
  party_gstin text,
  party_state text,
  category text,
  place_of_supply text,
  supply_type text not null,
  reverse_charge boolean not null default false,
  currency text not null default 'INR',
  exchange_rate bigint not null default 1000000,
  taxable bigint not null,
  cgst bigint not null,
  sgst bigint not null,
  igst bigint not null,
  cess bigint not null,
  tcs bigint not null,
  tds bigint not null,
  round_off bigint not null,
  total bigint not null,
  payable bigint not null,
  foreign_total bigint not null,
  reference text,
  reverses uuid,
  author uuid not null,
  posted_at timestamptz not null default now(),
  body jsonb not null,
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, location) references locations,
  foreign key (organisation, party) references parties,
  foreign key (organisation, reverses) references documents,
  foreign key (organisation) references organisations,
  foreign key (organisation, to_location) references locations,
  foreign key (organisation, series) references number_series,
  foreign key (organisation, author) references users
);
-- Rule 46(b), and the portal since June 2025: unique in the year for a GSTIN, without case.
create unique index documents_number
  on documents (organisation, registration, financial_year, numbering, upper(number));
create unique index documents_reversal on documents (organisation, reverses) where reverses is not null;
create index documents_list on documents (organisation, kind, date desc, id desc);
create index documents_return on documents (organisation, registration, date);
-- the last rate of exchange that was used
create index documents_foreign on documents (organisation, currency, date desc) where currency <> 'INR';
create index documents_party on documents (organisation, party, date desc, id desc);
create index documents_certificate
  on documents (organisation, (body #>> '{draft,tdsLower,certificate}'))
  where body #>> '{draft,tdsLower,certificate}' is not null;
-- Documents that withheld something are few among many.
create index documents_withheld
  on documents (organisation, date)
  where body #>> '{draft,tdsSection}' is not null or tcs > 0;
create index documents_suppliers_number
  on documents (organisation, party, bare_number(reference))
  where reference is not null
    and party is not null
    and kind in ('purchaseBill', 'overseasPurchase', 'purchaseCreditNote', 'purchaseDebitNote', 'expense');
-- What a search finds documents by (found_documents).
create index documents_by_number on documents (organisation, bare_number(number) collate "C");
create index documents_by_counter on documents (organisation, number_counter(number, financial_year), date desc);
create index documents_by_total on documents (organisation, total, date desc);
create index documents_by_foreign_total on documents (organisation, foreign_total, date desc) where currency <> 'INR';
create index documents_by_reference on documents (organisation, bare_number(reference) collate "C", date desc)
  where reference is not null;
create index documents_by_buyer on documents (organisation, lower(party_name), date desc)
  where party is null and party_name <> '';
grant select on documents to bahi_app;

create table document_lines (
  organisation int not null,
  document uuid not null,
  line int not null,
  item uuid,
  ledger uuid,
  party uuid,
  description text not null,
  hsn text not null,
  unit text not null,
  service boolean not null,
  quantity bigint not null,
  base_quantity bigint not null,
  rate bigint not null,
  treatment text not null,
  gst_rate int not null,
  discount bigint not null,
  taxable bigint not null,
  value bigint not null,
  cgst bigint not null,
  sgst bigint not null,
  igst bigint not null,
  cess bigint not null,
  source_document uuid,
  source_line int,
  body jsonb not null default '{}',
  primary key (organisation, document, line),
  foreign key (organisation, source_document, source_line) references document_lines,
  foreign key (organisation, document) references documents,
  foreign key (organisation, item) references items,
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, party) references parties
);
create index document_lines_source
  on document_lines (organisation, source_document, source_line)
  where source_document is not null;
-- ids follow the time of posting: the last lines of an item are read from the end of its rows
create index document_lines_item on document_lines (organisation, item, document) where item is not null;
grant select on document_lines to bahi_app;

-- What was made from what; role 'order' names an order whole.
create table document_links (
  organisation int not null,
  source uuid not null,
  target uuid not null,
  role text not null default 'source',
  primary key (organisation, source, target, role),
  foreign key (organisation, source) references documents,
  foreign key (organisation, target) references documents
);
grant select, insert on document_links to bahi_app;

create table cancellations (
  organisation int not null,
  document uuid not null,
  reversal uuid not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document),
  unique (organisation, reversal),
  foreign key (organisation, document) references documents,
  foreign key (organisation, reversal) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on cancellations to bahi_app;

-- What becomes known of a posted document afterwards, in the order in which it did.
create table later_facts (
  organisation int not null,
  document uuid not null,
  number int not null,
  fact text not null,
  body jsonb not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document, number),
  foreign key (organisation, document) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on later_facts to bahi_app;

-- The answer to each request with a key: the same request again gets the same answer and posts nothing twice.
create table idempotency_keys (
  organisation int not null references organisations,
  "user" uuid not null,
  key uuid not null,
  digest bytea not null,
  answer jsonb not null,
  at timestamptz not null default now(),
  primary key (organisation, "user", key),
  foreign key (organisation, "user") references users
);
grant select, insert on idempotency_keys to bahi_app;

-- What people write beside a document, and the files that they put there. Nothing of it is part of the books: a
-- file is taken away for a reader, its bytes stay as long as anything names them.
create table document_comments (
  organisation int not null,
  document uuid not null,
  number int not null,
  body text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, document, number),
  foreign key (organisation, by) references users
);
grant select, insert on document_comments to bahi_app;

create table document_files (
  organisation int not null,
  document uuid not null,
  number int not null,
  digest text not null,
  name text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  removed_by uuid,
  removed_at timestamptz,
  primary key (organisation, document, number),
  foreign key (organisation, digest) references files,
  foreign key (organisation, by) references users,
  foreign key (organisation, removed_by) references users
);
grant select, insert, update on document_files to bahi_app;

-- Files of a customer, a supplier or an item. A file is taken away for a reader, its bytes stay.
create table record_files (
  organisation int not null,
  record uuid not null,
  number int not null,
  digest text not null,
  name text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  removed_by uuid,
  removed_at timestamptz,
  primary key (organisation, record, number),
  foreign key (organisation, digest) references files,
  foreign key (organisation, by) references users,
  foreign key (organisation, removed_by) references users
);
grant select, insert, update on record_files to bahi_app;

-- No foreign key names two tables: a trigger holds that the party or the item is there. Neither is ever deleted.
create function beside_record() returns trigger
language plpgsql as $$
begin
  if not exists (select from parties where organisation = new.organisation and id = new.record)
    and not exists (select from items where organisation = new.organisation and id = new.record)
  then
    raise exception 'there is no record %', new.record using errcode = 'foreign_key_violation';
  end if;
  return new;
end
$$;
create trigger beside_record before insert or update of organisation, record on record_files
  for each row execute function beside_record();

-- Who approved a document that waited for it. Written in the transaction that posts, before its document: that comes
-- at the end of it.
create table approvals (
  organisation int not null,
  document uuid not null,
  submitted_by uuid not null,
  submitted_at timestamptz not null,
  approved_by uuid not null,
  at timestamptz not null default clock_timestamp(),
  figures jsonb,
  primary key (organisation, document),
  foreign key (organisation, document) references documents deferrable initially deferred,
  foreign key (organisation, submitted_by) references users,
  foreign key (organisation, approved_by) references users,
  constraint approvals_own check (approved_by <> submitted_by)
);
grant select, insert on approvals to bahi_app;

-- A line of an order whose remainder was given up: nobody waits for it, nothing is held for it. Who reopens it
-- takes the row away; when, by whom and why either was done stands in the later facts of the order.
create table closed_lines (
  organisation int not null references organisations,
  document uuid not null,
  line int not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document, line),
  foreign key (organisation, document, line) references document_lines,
  foreign key (organisation, by) references users
);
grant select, insert, delete on closed_lines to bahi_app;

-- An order holds the goods that are still to be delivered on it, until somebody frees them for others. Written once.
create table freed_orders (
  organisation int not null references organisations,
  document uuid not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on freed_orders to bahi_app;

-- A bill that comes again: what it says (the draft it is made from), how often, and how far it is. `turn` counts
-- the days that have passed, made or skipped; `next_on` is the day of that turn, null when none is to come.
create table recurring_bills (
  organisation int not null references organisations,
  id uuid not null,
  name text not null,
  kind text not null,
  location uuid not null,
  party uuid,
  template jsonb not null,
  source uuid,
  first date not null,
  every int not null check (every > 0),
  unit text not null check (unit in ('day', 'week', 'month', 'quarter', 'year')),
  month_end boolean not null default false,
  until date,
  times int check (times > 0),
  posts boolean not null default false,
  state text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  turn int not null default 0,
  made int not null default 0,
  next_on date,
  author uuid not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  primary key (organisation, id),
  foreign key (organisation, location) references locations,
  foreign key (organisation, party) references parties,
  foreign key (organisation, author) references users (organisation, id)
);
create index recurring_bills_due on recurring_bills (next_on) where state = 'running';
grant select, insert, update on recurring_bills to bahi_app;

-- Each turn once, whoever carries it out: made as a document or as a draft, or skipped.
create table recurring_turns (
  organisation int not null,
  recurring uuid not null,
  turn int not null,
  day date not null,
  what text not null check (what in ('posted', 'drafted', 'skipped')),
  document uuid,
  problem text,
  at timestamptz not null default now(),
  primary key (organisation, recurring, turn),
  foreign key (organisation, recurring) references recurring_bills
);
grant select, insert on recurring_turns to bahi_app;

-- What people write and put beside a document may begin with its draft. A draft and the document that it becomes
-- have one id, so everything stays where it is when the draft is posted. No foreign key names two tables, so a
-- trigger holds that the draft or the document is there, and keeps the draft from going meanwhile.
create function beside_something() returns trigger
language plpgsql as $$
begin
  -- first the draft, under lock: what waits for its posting finds the document afterwards
  perform from drafts
  where organisation = new.organisation and id = new.document
  for key share;
  if not found and not exists (select from documents where organisation = new.organisation and id = new.document)
  then
    raise exception 'there is no document %', new.document using errcode = 'foreign_key_violation';
  end if;
  return new;
end
$$;
create trigger beside_something before insert or update of organisation, document on document_comments
  for each row execute function beside_something();
create trigger beside_something before insert or update of organisation, document on document_files
  for each row execute function beside_something();

-- A draft that is deleted takes its comments and files along, unless it was posted and is a document by now. Bytes
-- that nothing names any more go too, unless somebody is about to name them.
create function draft_given_up() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  gone text[];
begin
  if exists (select from documents where organisation = old.organisation and id = old.id) then
    return null;
  end if;
  delete from document_comments
  where organisation = old.organisation and document = old.id;
  with taken as (
    delete from document_files
    where organisation = old.organisation and document = old.id
    returning digest
  )
  select array_agg(distinct digest) into gone
  from taken;
  if gone is not null then
    begin
      delete from files f
      where f.organisation = old.organisation
        and f.digest = any(gone)
        and not exists (
          select from document_files d
          where d.organisation = f.organisation and d.digest = f.digest
        )
        and not exists (select from record_files r where r.organisation = f.organisation and r.digest = f.digest)
        and not exists (select from mail_papers p where p.organisation = f.organisation and p.digest = f.digest)
        and not exists (
          select from item_pictures i
          where i.organisation = f.organisation and i.digest = f.digest
        )
        and not exists (
          select from organisations o
          where o.organisation = f.organisation and o.body ->> 'logo' = f.digest
        );
    exception
      when foreign_key_violation then
        null;
    end;
  end if;
  return null;
end
$$;
create trigger draft_given_up after delete on drafts for each row execute function draft_given_up();

-- What is approved was sent for approval by its author, with these figures, and is held until it is posted.
create function approval_of_draft() returns trigger
language plpgsql as $$
begin
  perform from drafts
  where organisation = new.organisation
    and id = new.document
    and author = new.submitted_by
    and submitted_at = new.submitted_at
    and figures = new.figures
  for update;
  if not found then
    raise exception 'this draft does not wait for approval'
      using errcode = 'check_violation', constraint = 'approvals_of_draft';
  end if;
  return new;
end
$$;
create trigger approval_of_draft before insert on approvals for each row execute function approval_of_draft();

-- While it waits nothing of it changes but that it waits; it goes only when it is posted with its approval.
create function draft_waits() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.organisation, new.id, new.kind, new.author, new.body) is not distinct from (
      old.organisation, old.id, old.kind, old.author, old.body
    )
      and (new.submitted_at is null or new.figures is not distinct from old.figures)
    then
      return new;
    end if;
  elsif exists (select from approvals where organisation = old.organisation and document = old.id) then
    return old;
  end if;
  raise exception 'this draft waits for approval' using errcode = 'check_violation', constraint = 'drafts_waiting';
end
$$;
create trigger draft_waits before update or delete on drafts
  for each row
  when (old.submitted_at is not null)
  execute function draft_waits();

-- The kinds that say which document they are against, as `domain/document/kinds` has it (a test compares them): such a
-- document is not cancelled from under them, whether or not their lines name its lines.
create function kinds_against() returns text[]
language sql immutable as $$
  select array[
    'saleReturn', 'saleCreditNote', 'saleDebitNote', 'allocationVoucher', 'advanceRefund', 'supplierAllocation',
    'paymentVoucher', 'billOfEntry', 'selfInvoice', 'purchaseReturn', 'purchaseCreditNote', 'purchaseDebitNote',
    'transferReceipt', 'saleReturnOrder', 'returnOrder', 'purchaseReturnOrder', 'posReturn', 'bouncedReceipt'
  ]
$$;
grant execute on function kinds_against() to bahi_app;

-- An order is carried out by documents made from its lines, and by documents that name it whole: a return takes its
-- lines from the sale that they were sold with, and a program may post an invoice first and say afterwards what it
-- was for. Such a document is linked with the role 'order'; its lines count for the order's lines of the same
-- source, else of the same item.
--
-- What the lines of an order ask for, what of it was taken by now, and what is left of lines that were given up, in
-- base units, line for line: what is over on one makes up for none of another.
create function carried_out(org int, ordered uuid, out wanted bigint, out taken bigint, out given_up bigint)
language sql stable as $$
  with line as (
    select
      l.line, l.item, l.source_document, l.source_line, l.base_quantity as wanted,
      exists (
        select from closed_lines g
        where g.organisation = org and g.document = ordered and g.line = l.line
      ) as closed,
      coalesce(
        (
          select sum(u.base_quantity)
          from document_lines u
          where u.organisation = org
            and u.source_document = ordered
            and u.source_line = l.line
            and not exists (select from cancellations c where c.organisation = org and c.document = u.document)
        ),
        0
      ) as named
    from document_lines l
    where l.organisation = org and l.document = ordered
  ), linked as (
    select u.item, u.source_document, u.source_line, sum(u.base_quantity) as done
    from document_links k
    join document_lines u on u.organisation = org and u.document = k.target
    where k.organisation = org
      and k.source = ordered
      and k.role = 'order'
      and u.source_document is distinct from ordered
      and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
    group by 1, 2, 3
  ), alike as (
    select
      sum(line.wanted) as wanted, sum(least(line.wanted, line.named)) as named,
      coalesce(sum(greatest(line.wanted - line.named, 0)) filter (where line.closed), 0) as closed,
      coalesce(
        (
          select sum(x.done)
          from linked x
          where case
            when line.source_document is null then x.item = line.item
            else (x.source_document, x.source_line) = (line.source_document, line.source_line)
          end
        ),
        0
      ) as done
    from line
    group by line.item, line.source_document, line.source_line
  )
  select
    sum(wanted)::bigint, sum(least(wanted, named + done))::bigint,
    sum(least(closed, wanted - least(wanted, named + done)))::bigint
  from alike
$$;
grant execute on function carried_out(int, uuid) to bahi_app;

-- What of each line of an order is carried out by now, in the unit of the line; of lines alike the first is served
-- first. What was made from a line counts by what was paid for: free goods are counted by themselves. A document
-- that names an order whole (a return takes its lines from the sale) carries out lines as well as one that was made
-- from them.
create function carried_lines(org int, ordered uuid) returns table (line int, taken bigint)
language sql stable as $$
  with own as (
    select
      l.line, l.item, l.source_document, l.source_line, l.quantity, l.base_quantity as wanted,
      least(l.base_quantity, coalesce(made.base, 0)) as named, least(l.quantity, coalesce(made.quantity, 0)) as made
    from document_lines l
    cross join lateral (
      select sum(u.base_quantity) as base, sum(u.quantity) as quantity
      from document_lines u
      where u.organisation = org
        and u.source_document = ordered
        and u.source_line = l.line
        and not exists (select from cancellations c where c.organisation = org and c.document = u.document)
    ) made
    where l.organisation = org and l.document = ordered
  ), linked as (
    select u.item, u.source_document, u.source_line, sum(u.base_quantity) as done
    from document_links k
    join document_lines u on u.organisation = org and u.document = k.target
    where k.organisation = org
      and k.source = ordered
      and k.role = 'order'
      and u.source_document is distinct from ordered
      and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
    group by 1, 2, 3
  ), served as (
    select
      own.line, own.quantity, own.wanted, own.named, own.made,
      coalesce(
        (
          select sum(x.done)
          from linked x
          where case
            when own.source_document is null then x.item = own.item
            else (x.source_document, x.source_line) = (own.source_document, own.source_line)
          end
        ),
        0
      ) - coalesce(
        sum(own.wanted - own.named) over (
          partition by own.item, own.source_document, own.source_line
          order by own.line rows between unbounded preceding and 1 preceding
        ),
        0
      ) as done
    from own
  )
  select
    served.line,
    coalesce(
      least(quantity, made + round(greatest(0, least(wanted - named, done)) * quantity / nullif(wanted, 0))), 0
    )::bigint
  from served
$$;
grant execute on function carried_lines(int, uuid) to bahi_app;

-- A purchase abroad may come through customs in parts, each with a bill of entry of its own. One says how much of
-- each line it covers; one that says nothing covers all. What of a purchase is left is counted here, for the editor,
-- the check and the trigger alike. Postings against one purchase wait for each other, so the trigger sees them all.
create function entry_goods(org int, bill uuid)
returns table (line int, name text, unit text, quantity bigint, covered bigint)
language sql stable as $$
  select
    l.line::int, l.description, l.unit, l.quantity,
    (
      select coalesce(
        sum(
          case
            when e.body #> '{draft,customs,covers}' is null then l.quantity
            else coalesce((e.body #>> array['draft', 'customs', 'covers', l.line::text])::bigint, 0)
          end
        ),
        0
      )::bigint
      from document_links k
      join documents e on e.organisation = k.organisation and e.id = k.target
      where k.organisation = org
        and k.source = bill
        and k.role = 'source'
        and e.body #> '{draft,customs}' is not null
        and e.reverses is null
        and not exists (
          select from cancellations c
          where c.organisation = k.organisation and c.document = k.target
        )
    )
  from document_lines l
  where l.organisation = org and l.document = bill and not l.service and l.quantity > 0
  order by l.line
$$;
grant execute on function entry_goods(int, uuid) to bahi_app;

-- No line of a purchase abroad is covered by two bills of entry.
create function covered_once() returns trigger
language plpgsql as $$
declare
  covers jsonb := new.body #> '{draft,customs,covers}';
begin
  if exists (
    select from entry_goods(new.organisation, (new.body #>> '{draft,against}')::uuid) g
    where g.covered
        + case when covers is null then g.quantity else coalesce((covers ->> g.line::text)::bigint, 0) end
        > g.quantity
      and (covers is null or (covers ->> g.line::text)::bigint > 0)
  ) then
    raise exception 'covered twice' using errcode = 'check_violation', constraint = 'documents_covered';
  end if;
  return new;
end
$$;
create trigger covered_once before insert on documents
  for each row
  when (new.reverses is null and new.body #> '{draft,customs}' is not null)
  execute function covered_once();

-- Whether a document was taken back by this day. One that is reversed later stands in the period that it was in.
create function cancelled_by(org int, which uuid, through date) returns boolean
language sql stable as $$
  select exists (
    select from cancellations c
    join documents r on r.organisation = c.organisation and r.id = c.reversal
    where c.organisation = org and c.document = which and r.date <= through
  )
$$;
grant execute on function cancelled_by(int, uuid, date) to bahi_app;

-- The financial year of a day, by the year in which it begins.
create function financial_year_start(day date) returns int
language sql immutable as $$
  select extract(year from day - interval '3 months')::int
$$;
grant execute on function financial_year_start(date) to bahi_app;

-- The records of a supplier: those that were merged with it, and others with its GSTIN. They are one taxpayer, who gives a
-- number once in a financial year.
create function supplier_records(org int, supplier uuid) returns uuid[]
language sql stable as $$
  with own as materialized (
    select unnest(party_family(org, supplier)) as id
  ),
  numbers as materialized (
    select distinct p.gstin
    from own
    join parties p on p.organisation = org and p.id = own.id
    where p.gstin is not null
  )
  select array_agg(r.id)
  from (
    select id
    from own
    union
    select f.id
    from numbers
    join parties p on p.organisation = org and p.gstin = numbers.gstin
    cross join lateral unnest(party_family(org, p.id)) f(id)
  ) r
$$;
grant execute on function supplier_records(int, uuid) to bahi_app;

-- The document in which a supplier's document of this number and financial year is booked. With `holds` others that
-- book the same number wait, so that of two at once the second finds the first; each statement below sees what was
-- committed before it.
create function supplier_document(org int, supplier uuid, paper text, paper_day date, kinds text[], holds boolean)
returns table (kind text, booked_number text, date date)
language plpgsql as $$
begin
  if holds then
    perform pg_advisory_xact_lock(
      hashtextextended(
        'supplier document '
          || coalesce(
            (select p.gstin from parties p where p.organisation = org and p.id = surviving_party(org, supplier)),
            surviving_party(org, supplier)::text
          )
          || ' ' || financial_year_start(paper_day) || ' ' || bare_number(paper),
        org
      )
    );
  end if;
  return query
    select d.kind, d.number, d.date
    from documents d
    where d.organisation = org
      and d.party = any(supplier_records(org, supplier))
      and bare_number(d.reference) = bare_number(paper)
      and bare_number(paper) <> ''
      and d.kind = any(kinds)
      and d.reverses is null
      and financial_year_start(coalesce((d.body #>> '{draft,referenceDate}')::date, d.date))
          = financial_year_start(paper_day)
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    order by d.date, d.number
    limit 1;
end
$$;
grant execute on function supplier_document(int, uuid, text, date, text[], boolean) to bahi_app;

-- Documents that a text may mean, at most so many of each way, and how well it means them, 1 the best: by their own
-- number, a supplier's number or a reference, the counter of the number, an amount in paise, how a number or reference
-- begins, the rest of the rupee, a buyer who is no party, one of these parties. No number: it is an amount; no amount:
-- it is none. With the owner's rights, so that the indexes can be used; the organisation is that of the transaction and
-- no other. Who may see a document is asked by the statement that asks for them.
create function found_documents(
  number text, least_paise bigint, most_paise bigint, buyer text, parties uuid[], most int
) returns table (id uuid, rank int)
language plpgsql stable security definer
set search_path = public, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_custom_plan as $$
declare
  org constant int := nullif(current_setting('app.organisation', true), '')::int;
  bare constant text := bare_number(found_documents.number);
  -- the last digits that were typed, and the text before them
  counter constant text := ltrim(substring(found_documents.number from '([0-9]+)[^0-9]*$'), '0');
  head constant text := bare_number(substring(found_documents.number from '^(.*[^0-9])[0-9]+[^0-9]*$'));
begin
  if bare <> '' then
    return query
      select d.id, 1
      from documents d
      where d.organisation = org and bare_number(d.number) collate "C" = bare
      limit most;
    return query
      select d.id, 2
      from documents d
      where d.organisation = org and d.reference is not null and bare_number(d.reference) collate "C" = bare
      order by d.date desc
      limit most;
  end if;
  if bare ~ '[0-9]' then
    return query
      select d.id, 5
      from documents d
      where d.organisation = org and bare_number(d.number) collate "C" like bare || '%'
      order by bare_number(d.number) collate "C" desc
      limit most;
    return query
      select d.id, 6
      from documents d
      where d.organisation = org
        and d.reference is not null
        and bare_number(d.reference) collate "C" like bare || '%'
      order by bare_number(d.reference) collate "C" desc
      limit most;
  end if;
  if counter <> '' then
    return query
      select n.id, 3
      from (
        select d.id, d.number as full_number
        from documents d
        where d.organisation = org and number_counter(d.number, d.financial_year) = counter
        order by d.date desc
        limit case when head is null then most else 10 * most end
      ) n
      where head is null or position(head in bare_number(n.full_number)) > 0;
  end if;
  if least_paise is not null then
    return query
      select d.id, case when d.total = least_paise then 4 else 7 end
      from documents d
      where d.organisation = org and d.total between least_paise and most_paise
      order by d.total, d.date desc
      limit most;
    return query
      select d.id, case when d.foreign_total = least_paise then 4 else 7 end
      from documents d
      where d.organisation = org and d.currency <> 'INR' and d.foreign_total between least_paise and most_paise
      order by d.foreign_total, d.date desc
      limit most;
  end if;
  if buyer <> '' then
    return query
      select d.id, 8
      from documents d
      where d.organisation = org
        and d.party is null
        and d.party_name <> ''
        and lower(d.party_name) >= lower(buyer)
        and lower(d.party_name) < lower(buyer) || chr(1114109)
      order by lower(d.party_name), d.date desc
      limit most;
  end if;
  return query
    select of_party.id, 9
    from unnest(found_documents.parties) asked
    join lateral (
      select asked as party
      union
      select m.id
      from parties m
      where m.organisation = org and m.merged_into = asked
    ) p on true
    join lateral (
      select d.id
      from documents d
      where d.organisation = org and d.party = p.party
      order by d.date desc, d.id desc
      limit most
    ) of_party on true;
end
$$;
revoke all on function found_documents(text, bigint, bigint, text, uuid[], int) from public;
grant execute on function found_documents(text, bigint, bigint, text, uuid[], int) to bahi_app;

-- What a document adds or takes off after tax (freight, packing), in paise of rupees. A return gives back no more
-- of that than is left of it after earlier returns and notes.
create function adjusted_by(body jsonb) returns bigint
language sql immutable as $$
  select coalesce(sum((a ->> 'amount')::bigint), 0)::bigint
  from jsonb_array_elements(coalesce(body -> 'adjustments', '[]')) a
$$;
grant execute on function adjusted_by(jsonb) to bahi_app;
