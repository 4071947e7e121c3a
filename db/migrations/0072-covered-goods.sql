-- A purchase abroad may come through customs in parts, each with a bill of entry of its own. One says how much of each line it
-- covers; one that says nothing covers all. No line is covered twice: what of a purchase is left is counted here, for the
-- editor, the check and the trigger alike. Postings against one purchase wait for each other, so the trigger sees them all.
create function entry_goods(org int, bill uuid) returns table (line int, name text, unit text, quantity bigint, covered bigint) language sql stable as $$
  select l.line::int, l.description, l.unit, l.quantity,
         (select coalesce(sum(case when e.body #> '{draft,customs,covers}' is null then l.quantity else coalesce((e.body #>> array['draft', 'customs', 'covers', l.line::text])::bigint, 0) end), 0)::bigint
            from document_links k join documents e on e.organisation = k.organisation and e.id = k.target
           where k.organisation = org and k.source = bill and k.role = 'source' and e.body #> '{draft,customs}' is not null and e.reverses is null
             and not exists (select from cancellations c where c.organisation = k.organisation and c.document = k.target))
    from document_lines l where l.organisation = org and l.document = bill and not l.service and l.quantity > 0 order by l.line
$$;
grant execute on function entry_goods(int, uuid) to bahi_app;

create function covered_once() returns trigger language plpgsql as $$
declare covers jsonb := new.body #> '{draft,customs,covers}';
begin
  if exists (select from entry_goods(new.organisation, (new.body #>> '{draft,against}')::uuid) g
              where g.covered + case when covers is null then g.quantity else coalesce((covers ->> g.line::text)::bigint, 0) end > g.quantity
                and (covers is null or (covers ->> g.line::text)::bigint > 0)) then
    raise exception 'covered twice' using errcode = 'check_violation', constraint = 'documents_covered';
  end if;
  return new;
end $$;
create trigger covered_once before insert on documents for each row when (new.reverses is null and new.body #> '{draft,customs}' is not null) execute function covered_once();
