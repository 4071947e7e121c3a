-- What a row of the books names is proved once for all rows of a statement: row by row these foreign keys took a quarter of the
-- time of a posting (ADR 38). Nothing that is named here is ever deleted or given another key, so what was there when the row
-- came stays there, as a foreign key would hold it. Each name is looked up by its key; a scalar query is never made a scan.
alter table document_lines drop constraint document_lines_organisation_document_fkey, drop constraint document_lines_organisation_item_fkey;
alter table entries drop constraint entries_organisation_document_fkey, drop constraint entries_organisation_ledger_fkey, drop constraint entries_organisation_party_fkey;
alter table movements drop constraint movements_organisation_document_fkey, drop constraint movements_organisation_item_fkey, drop constraint movements_organisation_location_fkey;
alter table movement_costs drop constraint movement_costs_organisation_document_number_fkey;

create function is_kept() returns trigger language plpgsql as $$
begin
  raise exception '% keeps its rows and their keys: the books name them', tg_table_name using errcode = 'insufficient_privilege';
end $$;
do $$
declare name text;
begin
  foreach name in array array['items', 'parties', 'ledgers', 'locations'] loop
    execute format('create trigger is_kept before delete or truncate on %I for each statement execute function is_kept()', name);
    execute format('create trigger keeps_key before update of organisation, id on %I for each row when (old.organisation is distinct from new.organisation or old.id is distinct from new.id) execute function is_kept()', name);
  end loop;
end $$;

create function lines_known() returns trigger language plpgsql as $$
declare missing text;
begin
  if exists (select from added a
      where (select true from documents d where d.organisation = a.organisation and d.id = a.document) is null
         or a.item is not null and (select true from items i where i.organisation = a.organisation and i.id = a.item) is null) then
    select m.missing into missing from (
      select case when a.item is not null and (select true from items i where i.organisation = a.organisation and i.id = a.item) is null then 'item'
                  when (select true from documents d where d.organisation = a.organisation and d.id = a.document) is null then 'document' end as missing
        from added a) m where m.missing is not null limit 1;
    raise exception 'a line names a % that is not there', missing using errcode = 'foreign_key_violation', table = tg_table_name, column = missing;
  end if;
  return null;
end $$;
create trigger lines_known after insert on document_lines referencing new table as added for each statement execute function lines_known();

create function movements_known() returns trigger language plpgsql as $$
declare missing text;
begin
  if exists (select from added a
      where (select true from documents d where d.organisation = a.organisation and d.id = a.document) is null
         or (select true from items i where i.organisation = a.organisation and i.id = a.item) is null
         or (select true from locations p where p.organisation = a.organisation and p.id = a.location) is null) then
    select m.missing into missing from (
      select case when (select true from items i where i.organisation = a.organisation and i.id = a.item) is null then 'item'
                  when (select true from locations p where p.organisation = a.organisation and p.id = a.location) is null then 'location'
                  when (select true from documents d where d.organisation = a.organisation and d.id = a.document) is null then 'document' end as missing
        from added a) m where m.missing is not null limit 1;
    raise exception 'a movement names a % that is not there', missing using errcode = 'foreign_key_violation', table = tg_table_name, column = missing;
  end if;
  return null;
end $$;
create trigger movements_known after insert on movements referencing new table as added for each statement execute function movements_known();

create function costs_known() returns trigger language plpgsql as $$
begin
  if exists (select from added a where (select true from movements m where m.organisation = a.organisation and m.document = a.document and m.number = a.number) is null) then
    raise exception 'a cost names a movement that is not there' using errcode = 'foreign_key_violation', table = tg_table_name, column = 'number';
  end if;
  return null;
end $$;
create trigger costs_known after insert on movement_costs referencing new table as added for each statement execute function costs_known();

-- The entries of a document come with one statement: that they balance and that what they name is there is asked of it in one.
create or replace function entries_balance() returns trigger language plpgsql as $$
declare bad record;
begin
  select document, sum(debit) - sum(credit) as gap, count(*) as legs, sum(debit) <> sum(credit) or count(*) < 2 or min(leg) <> 1 as unbalanced into bad
    from added a group by organisation, document
    having sum(debit) <> sum(credit) or count(*) < 2 or min(leg) <> 1
        or not bool_and((select true from ledgers l where l.organisation = a.organisation and l.id = a.ledger) is not null
                    and (a.party is null or (select true from parties p where p.organisation = a.organisation and p.id = a.party) is not null))
        or (select true from documents d where d.organisation = a.organisation and d.id = a.document) is null limit 1;
  if not found then return null; end if;
  if bad.unbalanced then
    raise exception 'document % has % legs and is out by % paise', bad.document, bad.legs, bad.gap using errcode = 'check_violation';
  end if;
  select m.missing into bad from (
    select case when (select true from ledgers l where l.organisation = a.organisation and l.id = a.ledger) is null then 'ledger'
                when a.party is not null and (select true from parties p where p.organisation = a.organisation and p.id = a.party) is null then 'party'
                when (select true from documents d where d.organisation = a.organisation and d.id = a.document) is null then 'document' end as missing
      from added a) m where m.missing is not null limit 1;
  raise exception 'an entry names a % that is not there', bad.missing using errcode = 'foreign_key_violation', table = tg_table_name, column = bad.missing;
end $$;
