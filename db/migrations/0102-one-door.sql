-- The books have one door (ADR 43). Documents, lines, entries, movements and the ledgers' totals are written by write_documents,
-- what the product itself makes by write_system_document, under their owner's role: the application needs no right to write one
-- of them past its number, its totals and its proofs. A policy of its role was proved by each statement inside; at the door the
-- organisation is compared once. A posting from memory is a transaction of its own and names its organisation itself.
do $$
declare
  posting text := 'write_documents(int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)';
  own text := 'write_system_document(int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid, date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[])';
  called text := 'nullif(current_setting(''app.organisation'', true), '''')::int';
  doors text[][] := array[[posting, format('coalesce(%s, case when was is not null then org end)', called)], [own, called]];
  known text; guarded text;
begin
  for n in 1 .. 2 loop
    known := pg_get_functiondef(doors[n][1]::regprocedure);
    guarded := regexp_replace(known, E'\nbegin\n', format(E'\nbegin\n  if org is distinct from %s then raise exception ''another organisation'' using errcode = ''insufficient_privilege''; end if;\n', doors[n][2]));
    if guarded = known then raise exception 'it does not begin as expected: %', doors[n][1]; end if;
    execute guarded;
    execute format('alter function %s security definer set search_path = public', doors[n][1]);
    execute format('revoke all on function %s from public', doors[n][1]);
  end loop;
end $$;
revoke insert on documents, document_lines, entries, movements from bahi_app;
revoke insert, update on ledger_day_totals, ledger_month_totals from bahi_app;
