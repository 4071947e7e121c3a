-- A cost that comes behind its goods (customs duty on a bill of entry) moves no quantity: it states what the goods on a shelf
-- are worth more. Everything that moves goods still says how many.
alter table movements drop constraint movements_quantity_check;
alter table movements add constraint movements_quantity_check check (quantity <> 0 or stated_value is not null);

-- While such a cost lies on the goods of a bill, the bill does not go: the cost is cancelled first.
create function landed_before_cancellation() returns trigger language plpgsql as $$
declare behind text;
begin
  select f.number into behind from document_links k join documents f on f.organisation = k.organisation and f.id = k.target
   where k.organisation = new.organisation and k.source = new.document and k.role = 'source'
     and exists (select from movements m where m.organisation = k.organisation and m.document = k.target and m.quantity = 0)
     and not exists (select from cancellations c where c.organisation = k.organisation and c.document = k.target) limit 1;
  if found then raise exception '%', behind using errcode = 'check_violation', constraint = 'cancellations_landed'; end if;
  return new;
end $$;
create trigger landed_before_cancellation before insert on cancellations for each row execute function landed_before_cancellation();
