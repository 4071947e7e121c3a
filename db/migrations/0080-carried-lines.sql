-- What is left of an order is asked for line by line: where it is shown, and where it is continued. A document that names an
-- order whole (a return takes its lines from the sale) carries out lines as well as one that was made from them.

-- What of each line of an order is carried out by now, in the unit of the line; of lines alike the first is served first.
create function carried_lines(org int, ordered uuid) returns table (line int, taken bigint) language sql stable as $$
  with own as (
    select l.line, l.item, l.source_document, l.source_line, l.quantity, l.base_quantity as wanted,
           least(l.base_quantity, coalesce((select sum(u.base_quantity) from document_lines u where u.organisation = org and u.source_document = ordered and u.source_line = l.line
                        and not exists (select from cancellations c where c.organisation = org and c.document = u.document)), 0)) as named
      from document_lines l where l.organisation = org and l.document = ordered
  ), linked as (
    select u.item, u.source_document, u.source_line, sum(u.base_quantity) as done
      from document_links k join document_lines u on u.organisation = org and u.document = k.target
     where k.organisation = org and k.source = ordered and k.role = 'order' and u.source_document is distinct from ordered
       and not exists (select from cancellations c where c.organisation = org and c.document = k.target)
     group by 1, 2, 3
  ), served as (
    select own.line, own.quantity, own.wanted, own.named,
           coalesce((select sum(x.done) from linked x where case when own.source_document is null then x.item = own.item else (x.source_document, x.source_line) = (own.source_document, own.source_line) end), 0)
             - coalesce(sum(own.wanted - own.named) over (partition by own.item, own.source_document, own.source_line order by own.line rows between unbounded preceding and 1 preceding), 0) as done
      from own
  )
  select served.line, coalesce(round((named + greatest(0, least(wanted - named, done))) * quantity / nullif(wanted, 0)), 0)::bigint from served
$$;
grant execute on function carried_lines(int, uuid) to bahi_app;
