-- An order is carried out by documents made from its lines, and by documents that name it whole: a return takes its lines from
-- the sale that they were sold with, and a program may post an invoice first and say afterwards what it was for.
-- Such a document is linked with the role 'order'; its lines count for the order's lines of the same source, else of the same item.

-- What the lines of an order ask for and what stands of them by now, in base units, line for line: what is over on one makes up
-- for none of another.
create function carried_out(org int, ordered uuid, out wanted bigint, out taken bigint) language sql stable as $$
  with line as (
    select l.line, l.item, l.source_document, l.source_line, l.base_quantity as wanted,
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
    select sum(line.wanted) as wanted, sum(least(line.wanted, line.named)) as named,
           coalesce((select sum(x.done) from linked x where case when line.source_document is null then x.item = line.item else (x.source_document, x.source_line) = (line.source_document, line.source_line) end), 0) as done
      from line group by line.item, line.source_document, line.source_line
  )
  select sum(wanted)::bigint, sum(least(wanted, named + done))::bigint from alike
$$;

-- As before; what documents that name an order whole have delivered of an item is held for nobody any more.
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
   group by d.id, l.item, d.location
$$;
grant execute on function carried_out(int, uuid) to bahi_app;

-- The function of posting as it is by now; an order that a document names whole is not cancelled under it.
do $$
declare
  known text := pg_get_functiondef('open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[])'::regprocedure);
  written text := replace(known,
    'where x.organisation = org and x.source_document = d.id and f.reverses is null and not exists (select from cancellations c where c.organisation = org and c.document = f.id) limit 1),',
    'where x.organisation = org and x.source_document = d.id and f.reverses is null and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
                     union all select f.number from document_links k join documents f on f.organisation = org and f.id = k.target
                      where k.organisation = org and k.source = d.id and k.role = ''order'' and not exists (select from cancellations c where c.organisation = org and c.document = f.id) limit 1),');
begin
  if written = known then raise exception 'open_posting does not hold what is to change'; end if;
  execute written;
end $$;
