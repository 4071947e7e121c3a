-- What uses an advance takes rate, place of supply and tax from it: value and tax of the advance, and how much of them its
-- adjustments and refunds have used. `users` are the kinds that use advances. Read after the lock on the advance.
create function advance_facts(org int, ids uuid[], users text[]) returns json language sql stable as $$
  select json_agg(json_build_object(
      'document', d.id, 'number', d.number, 'date', d.date, 'placeOfSupply', d.place_of_supply,
      'rate', coalesce((select l.gst_rate from document_lines l where l.organisation = org and l.document = d.id order by l.line limit 1), 0),
      'whole', json_build_object('amount', d.foreign_total, 'taxable', d.taxable, 'cgst', d.cgst, 'sgst', d.sgst, 'igst', d.igst, 'cess', d.cess),
      'left', json_build_object('amount', d.foreign_total - u.amount, 'taxable', d.taxable - u.taxable, 'cgst', d.cgst - u.cgst, 'sgst', d.sgst - u.sgst,
        'igst', d.igst - u.igst, 'cess', d.cess - u.cess)))
    from documents d
    cross join lateral (
      select coalesce(sum(t.foreign_total), 0)::bigint as amount, coalesce(sum(t.taxable), 0)::bigint as taxable, coalesce(sum(t.cgst), 0)::bigint as cgst,
             coalesce(sum(t.sgst), 0)::bigint as sgst, coalesce(sum(t.igst), 0)::bigint as igst, coalesce(sum(t.cess), 0)::bigint as cess
        from document_links k
        join documents t on t.organisation = org and t.id = k.target
       where k.organisation = org and k.source = d.id and k.role = 'source' and t.kind = any(users)
         and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
    ) u
   where d.organisation = org and d.id = any(ids)
$$;
grant execute on function advance_facts(int, uuid[], text[]) to bahi_app;
