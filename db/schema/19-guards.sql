-- Posted rows are written once, by whatever role.
create function written_once() returns trigger
language plpgsql as $$
begin
  raise exception '% is written once: correct it by another document', tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;

-- What is posted, logged and sealed.
do $$
declare
  name text;
begin
  foreach name in array array[
    'allocations', 'approvals', 'cancellations', 'document_lines', 'document_links', 'documents', 'edit_log',
    'einvoice_attempts', 'entries', 'eway_attempts', 'gst_returns_kept', 'gst_returns_unmarked', 'later_facts',
    'movement_costs', 'movements', 'seals', 'till_documents', 'workflow_moves'
  ] loop
    execute format(
      $trigger$
        create trigger written_once before update or delete or truncate on %I
          for each statement execute function written_once()
      $trigger$,
      name
    );
  end loop;
end
$$;
