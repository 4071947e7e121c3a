-- What becomes of an order that is not carried out to its end, count sheets, returns that were filed, what people write and
-- put beside a document, and the views of lists that they keep.

-- A line of an order whose remainder was given up: nobody waits for it, nothing is held for it. Who reopens it takes the row
-- away; when, by whom and why either was done stands in the later facts of the order.
create table closed_lines (
  organisation int not null references organisations, document uuid not null, line int not null, reason text not null, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, document, line), foreign key (organisation, document, line) references document_lines, foreign key (organisation, by) references users
);

-- As before, and what is left of lines that were given up.
drop function carried_out(int, uuid);
create function carried_out(org int, ordered uuid, out wanted bigint, out taken bigint, out given_up bigint) language sql stable as $$
  with line as (
    select l.line, l.item, l.source_document, l.source_line, l.base_quantity as wanted,
           exists (select from closed_lines g where g.organisation = org and g.document = ordered and g.line = l.line) as closed,
           coalesce((select sum(u.base_quantity) from document_lines u where u.organisation = org and u.source_document = ordered and u.source_line = l.line
                        and not exists (select from cancellations c where c.organisation = org and c.document = u.document)), 0) as named
      from document_lines l where l.organisation = org and l.document = ordered
  ), linked as (
    select u.item, u.source_document, u.source_line, sum(u.base_quantity) as done
      from document_links k join document_lines u on u.organisation = org and u.document = k.target
     where k.organisation = org and k.source = ordered and k.role = 'order' and u.source_document is distinct from ordered
       and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
     group by 1, 2, 3
  ), alike as (
    select sum(line.wanted) as wanted, sum(least(line.wanted, line.named)) as named, coalesce(sum(greatest(line.wanted - line.named, 0)) filter (where line.closed), 0) as closed,
           coalesce((select sum(x.done) from linked x where case when line.source_document is null then x.item = line.item else (x.source_document, x.source_line) = (line.source_document, line.source_line) end), 0) as done
      from line group by line.item, line.source_document, line.source_line
  )
  select sum(wanted)::bigint, sum(least(wanted, named + done))::bigint, sum(least(closed, wanted - least(wanted, named + done)))::bigint from alike
$$;
grant execute on function carried_out(int, uuid) to bahi_app;

-- As before; a line that was given up holds nothing.
create or replace function stock_reserved(org int, kinds text[], items uuid[], places uuid[]) returns table (document uuid, item uuid, location uuid, quantity bigint) language sql stable as $$
  select d.id, l.item, d.location,
         greatest(sum(greatest(l.base_quantity - coalesce((select sum(u.base_quantity) from document_lines u where u.organisation = org and u.source_document = l.document and u.source_line = l.line
              and not exists (select from cancellations g where g.organisation = org and g.document = u.document)), 0), 0))
           - coalesce((select sum(u.base_quantity) from document_links k join document_lines u on u.organisation = org and u.document = k.target and u.item = l.item
              where k.organisation = org and k.source = d.id and k.role = 'order' and u.source_document is distinct from d.id
                and not exists (select from cancellations g where g.organisation = org and g.document = k.target)), 0), 0)::bigint
    from document_lines l join documents d on d.organisation = org and d.id = l.document
   where l.organisation = org and l.item = any(items) and d.kind = any(kinds) and (cardinality(places) = 0 or d.location = any(places))
     and not exists (select from cancellations c where c.organisation = org and c.document = d.id) and not exists (select from freed_orders f where f.organisation = org and f.document = d.id)
     and not exists (select from closed_lines x where x.organisation = org and x.document = l.document and x.line = l.line)
   group by d.id, l.item, d.location
$$;

-- The kinds that say which document they are against, as `domain/kinds` has it (a test compares them): such a document is
-- not cancelled from under them, whether or not their lines name its lines.
create function kinds_against() returns text[] language sql immutable as $$
  select array['saleReturn', 'saleCreditNote', 'saleDebitNote', 'allocationVoucher', 'advanceRefund', 'supplierAllocation', 'paymentVoucher', 'billOfEntry', 'selfInvoice',
    'purchaseReturn', 'purchaseCreditNote', 'purchaseDebitNote', 'transferReceipt', 'saleReturnOrder', 'returnOrder', 'posReturn', 'bouncedReceipt']
$$;
grant execute on function kinds_against() to bahi_app;
create or replace function landed_before_cancellation() returns trigger language plpgsql as $$
declare behind text;
begin
  select f.number into behind from document_links k join documents f on f.organisation = k.organisation and f.id = k.target
   where k.organisation = new.organisation and k.source = new.document and k.role = 'source' and f.kind = any(kinds_against())
     and not exists (select from cancellations c where c.organisation = k.organisation and c.document = k.target) limit 1;
  if found then raise exception '%', behind using errcode = 'check_violation', constraint = 'cancellations_landed'; end if;
  return new;
end $$;

-- A count of what lies at a place, or in one stock room or category of it. The books go on meanwhile: each figure that is
-- entered keeps beside it what the books had at that moment, so that what is sold between two shelves is no difference.
create table count_sheets (
  organisation int not null references organisations, id uuid not null, number int not null, name text not null, location uuid not null, room uuid, category uuid,
  blind boolean not null, state text not null default 'counting' check (state in ('counting', 'posting', 'posted', 'dropped')), round int not null default 1 check (round > 0),
  -- while it is posted: the adjustments that it makes, each under an id that was given before
  plan jsonb, author uuid not null, created_at timestamptz not null default clock_timestamp(), ended_by uuid, ended_at timestamptz, remark text not null default '', version int not null default 1,
  primary key (organisation, id), unique (organisation, number),
  foreign key (organisation, location) references locations, foreign key (organisation, room) references masters, foreign key (organisation, category) references masters,
  foreign key (organisation, author) references users, foreign key (organisation, ended_by) references users
);
-- What is to be counted: an item, in a room, of a batch; `book` is what the books had when the sheet was made.
create table count_lines (
  organisation int not null, sheet uuid not null, line int not null, item uuid not null, room uuid, batch text not null default '', expiry date, book bigint not null, serials text[],
  -- the last round in which it was asked for
  round int not null default 1, reason text not null default '', rate bigint check (rate >= 0),
  primary key (organisation, sheet, line), foreign key (organisation, sheet) references count_sheets, foreign key (organisation, item) references items, foreign key (organisation, room) references masters
);
create unique index count_lines_once on count_lines (organisation, sheet, item, room, batch) nulls not distinct;
-- What one of several people counted of a line in a round, with the books at that moment.
create table counted (
  organisation int not null, sheet uuid not null, line int not null, round int not null, by uuid not null, quantity bigint not null check (quantity >= 0), serials text[], book bigint not null, book_serials text[], at timestamptz not null default clock_timestamp(),
  primary key (organisation, sheet, line, round, by), foreign key (organisation, sheet, line) references count_lines, foreign key (organisation, by) references users
);

-- What the books have at a place by now, by item, stock room and batch; `which` names items, null means all.
create function stock_parts(org int, place uuid, which uuid[]) returns table (item uuid, room uuid, batch text, expiry date, quantity bigint, serials text[]) language sql stable as $$
  with held as (
    select m.item, m.room, coalesce(b.part ->> 'batch', '') as batch, min((b.part ->> 'expiry')::date) as expiry,
           sum(case when b.part is null then m.quantity else sign(m.quantity) * (b.part ->> 'quantity')::bigint end)::bigint as quantity
      from movements m left join lateral jsonb_array_elements(m.batches) b(part) on true
     where m.organisation = org and m.location = place and (which is null or m.item = any(which)) group by 1, 2, 3
  ), numbered as (
    select n.item, n.room, array_agg(n.serial order by n.serial) as serials from (
      select m.item, m.room, s.serial from movements m cross join lateral unnest(m.serials) s(serial)
       where m.organisation = org and m.location = place and (which is null or m.item = any(which)) and m.serials is not null group by 1, 2, 3 having sum(sign(m.quantity)) > 0) n group by 1, 2)
  select h.item, h.room, h.batch, h.expiry, h.quantity, n.serials from held h left join numbered n on n.item = h.item and n.room is not distinct from h.room
   where h.quantity <> 0 or n.serials is not null
$$;
grant execute on function stock_parts(int, uuid, uuid[]) to bahi_app;

-- Returns that a registration has filed. What they show stays as it was: the register of the returns is locked for that
-- registration alone, under a name that holds its id.
create table gst_filings (
  organisation int not null references organisations, registration uuid not null, form text not null check (form in ('GSTR-1', 'GSTR-3B')), period text not null check (period ~ '^\d{4}-\d{2}$'), filed_on date not null, arn text not null,
  by uuid not null, at timestamptz not null default now(),
  primary key (organisation, registration, form, period), foreign key (organisation, registration) references registrations, foreign key (organisation, by) references users
);
alter table register_locks drop constraint register_locks_register_check;
alter table register_locks add constraint register_locks_register_check check (register ~ '^[a-z]+(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$');

-- What people write beside a document, and the files that they put there. Nothing of it is part of the books: a file is taken
-- away for a reader, its bytes stay as long as anything names them.
create table document_comments (
  organisation int not null, document uuid not null, number int not null, body text not null, by uuid not null, at timestamptz not null default clock_timestamp(),
  primary key (organisation, document, number), foreign key (organisation, document) references documents, foreign key (organisation, by) references users
);
create table document_files (
  organisation int not null, document uuid not null, number int not null, digest text not null, name text not null, by uuid not null, at timestamptz not null default clock_timestamp(), removed_by uuid, removed_at timestamptz,
  primary key (organisation, document, number), foreign key (organisation, document) references documents, foreign key (organisation, digest) references files, foreign key (organisation, by) references users, foreign key (organisation, removed_by) references users
);
-- What somebody has set a list to, under a name.
create table saved_views (
  organisation int not null references organisations, "user" uuid not null, list text not null, name text not null, query jsonb not null,
  primary key (organisation, "user", list, name), foreign key (organisation, "user") references users
);

do $$
declare name text;
begin
  foreach name in array array['closed_lines', 'count_sheets', 'count_lines', 'counted', 'gst_filings', 'document_comments', 'document_files', 'saved_views'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, delete on closed_lines to bahi_app;
grant select, insert, update on count_sheets, count_lines to bahi_app;
grant select, insert, update, delete on counted to bahi_app;
grant select, insert, delete on gst_filings to bahi_app;
grant select, insert on document_comments to bahi_app;
grant select, insert, update on document_files to bahi_app;
grant select, insert, update, delete on saved_views to bahi_app;
