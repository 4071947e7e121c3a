-- Where the movements stand that take their cost from these. The view's branches are joins of their own, into which a join
-- from outside hands no key: asked so, each answered for the whole organisation first. What may follow a document is found by
-- key (it itself, its cancellation, what was made from its lines), and the view is asked of each of their movements alone. As
-- with all that a posting asks: a plan made while the tables were small walks through none of them.
create or replace function stock_followers(org int, documents uuid[], numbers int[])
returns table (item uuid, location uuid, date date, sequence bigint) language sql stable set enable_seqscan = off as $$
  select m.item, m.location, m.date, m.sequence from unnest(documents, numbers) t(document, number)
    cross join lateral (
      select t.document as id
      union select d.id from documents d where d.organisation = org and d.reverses = t.document
      union select l.document from document_lines l where l.organisation = org and l.source_document = t.document) f
    cross join lateral (select x.* from movements x where x.organisation = org and x.document = f.id offset 0) m
    cross join lateral (select from movement_sources s where s.organisation = org and s.document = m.document and s.number = m.number
                         and s.source_document = t.document and s.source_number = t.number limit 1) s
$$;
alter function stock_between(int, uuid, uuid, date, bigint, date, bigint, int) set enable_seqscan = off;
alter function shelf_before(int, uuid, uuid, date, bigint, bigint, bigint, boolean) set enable_seqscan = off;
