-- A settlement counts from the day on which both of its documents are there. An advance payment that names a later bill is on
-- account until the bill's day: before it, ageings would show less than the ledger.
create function counts_from_the_later_day() returns trigger language plpgsql as $$
begin
  select greatest(new.date, max(d.date)) into new.date
    from documents d
   where d.organisation = new.organisation
     and d.id in (new.credit_document, new.invoice_document);
  return new;
end $$;
create trigger counts_from_the_later_day before insert on allocations
  for each row when (new.amount > 0) execute function counts_from_the_later_day();

-- Settlements that are in the books already. What was freed is never freed before it was settled.
alter table allocations disable trigger written_once;
update allocations a
   set date = later.day
  from (
    select b.organisation, b.id, greatest(c.date, i.date) as day
      from allocations b
      join documents c on c.organisation = b.organisation and c.id = b.credit_document
      join documents i on i.organisation = b.organisation and i.id = b.invoice_document
     where greatest(c.date, i.date) > b.date
  ) later
 where a.organisation = later.organisation
   and a.id = later.id;
alter table allocations enable trigger written_once;
