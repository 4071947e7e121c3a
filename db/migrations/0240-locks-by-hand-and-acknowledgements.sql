-- A register is locked by hand and by filed returns: it stays locked up to the later of both. What was locked by hand is kept beside
-- it, so that taking back the mark of a return opens no day that somebody locked. Of locks that are there already, one that ends
-- with a filed return is the return's.
alter table register_locks add column by_hand date;
update register_locks l
   set by_hand = l.locked_through
 where not exists (
   select from gst_filings f
    where f.organisation = l.organisation
      and l.register in ('outward/' || f.registration, 'gst/' || f.registration)
      and (f.period || '-01')::date + interval '1 month' - interval '1 day' = l.locked_through
 );

-- An acknowledgement that was missing when a return was marked is added later; nothing else of a mark changes.
grant update (arn) on gst_filings to bahi_app;
