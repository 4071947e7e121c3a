-- The line of the edit log that says a document was posted names who posted it. That is its author; where somebody else's word
-- was waited for, it is who approved: he posted it. The approval is written before its document, in the same transaction.
create or replace function log_posted() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id)
  select d.organisation, case when log_user() is not null then coalesce(a.approved_by, d.author) end, log_origin(), 'post', 'documents', d.id::text
    from added d left join approvals a on a.organisation = d.organisation and a.document = d.id;
  return null;
end $$;
