-- Foreign keys of the books are back, and columns that never had one have theirs: what a row of the books names exists, in its
-- own organisation, whoever writes it and by whatever way (ADR 53). The triggers that proved it instead, a statement at a time,
-- go. A key that the rows from before do not fit holds for every row from now on; INV-42b lists the rows that it would refuse.

drop trigger lines_known on document_lines;
drop trigger movements_known on movements;
drop trigger costs_known on movement_costs;
drop function lines_known();
drop function movements_known();
drop function costs_known();
do $$
declare name text;
begin
  foreach name in array array['items', 'parties', 'ledgers', 'locations'] loop
    execute format('drop trigger is_kept on %I', name);
    execute format('drop trigger keeps_key on %I', name);
  end loop;
end $$;
drop function is_kept();

-- A statement that adds entries to a document brings its first leg, and there is but one: all entries of a document come with
-- that statement, so what balances in it balances in the table.
create or replace function entries_balance() returns trigger language plpgsql as $$
declare bad record;
begin
  select document, sum(debit) - sum(credit) as gap, count(*) as legs
    into bad
    from added
   group by organisation, document
  having sum(debit) <> sum(credit) or count(*) < 2 or min(leg) <> 1
   limit 1;
  if found then
    raise exception 'document % has % legs and is out by % paise', bad.document, bad.legs, bad.gap using errcode = 'check_violation';
  end if;
  return null;
end $$;

do $$
declare
  named text[];
  keys text[][] := array[
    ['documents', 'organisation', 'organisations'],
    ['documents', 'to_location', 'locations'],
    ['documents', 'series', 'number_series'],
    ['documents', 'author', 'users'],
    ['document_lines', 'document', 'documents'],
    ['document_lines', 'item', 'items'],
    ['document_lines', 'ledger', 'ledgers'],
    ['document_lines', 'party', 'parties'],
    ['entries', 'document', 'documents'],
    ['entries', 'ledger', 'ledgers'],
    ['entries', 'party', 'parties'],
    ['entries', 'registration', 'registrations'],
    ['entries', 'location', 'locations'],
    ['movements', 'document', 'documents'],
    ['movements', 'item', 'items'],
    ['movements', 'location', 'locations'],
    ['movements', 'room', 'masters'],
    ['movement_costs', 'document, number', 'movements'],
    ['movement_costs', 'cause', 'documents'],
    ['ledger_day_totals', 'location', 'locations'],
    ['ledger_month_totals', 'location', 'locations'],
    ['allocations', 'cause', 'documents'],
    ['allocations', 'by', 'users'],
    ['cancellations', 'by', 'users'],
    ['later_facts', 'by', 'users'],
    ['eway_bills', 'author', 'users'],
    ['drafts', 'author', 'users'],
    ['idempotency_keys', 'organisation', 'organisations'],
    ['idempotency_keys', 'user', 'users'],
    ['locks', 'by', 'users'],
    ['notifications', 'user', 'users']];
  name text;
  own text;
begin
  foreach named slice 1 in array keys loop
    own := concat_ws(', ', 'organisation', (select string_agg(quote_ident(trim(c)), ', ') from string_to_table(named[2], ',') c where c <> 'organisation'));
    name := format('%s_%s_fkey', named[1], replace(replace(own, '"', ''), ', ', '_'));
    execute format('alter table %I add constraint %I foreign key (%s) references %I not valid', named[1], name, own, named[3]);
    begin
      execute format('alter table %I validate constraint %I', named[1], name);
    exception when foreign_key_violation then
      raise warning '% of % names rows that do not exist: the key holds for new rows', named[2], named[1];
    end;
  end loop;
end $$;
